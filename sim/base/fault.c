/* Records faults: the code that finds a fault fills the record, which is printed once. */
#include "sim/base/fault.h"

#include <stdarg.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

int sim_fault_raise(struct sim_fault *fault, const char *format, ...)
{
    if (fault->raised)
        return 0;
    fault->raised = 1;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(fault->what, sizeof fault->what, format, arguments);
    va_end(arguments);
    return 0;
}

int sim_fault_raise_address(struct sim_fault *fault, uint64_t address, uint64_t size, const char *what)
{
    if (fault->raised)
        return 0;
    fault->address = address;
    fault->has_address = 1;
    return sim_fault_raise(fault, "%s: no object holds the %" PRIu64 " bytes at 0x%" PRIx64, what, size, address);
}

void sim_line_text(FILE *file, long number, char *text, size_t room)
{
    char line[256] = "";
    for (; file && number > 0; number--)
        if (!fgets(line, sizeof line, file))
            line[0] = 0;
    if (file)
        fclose(file);
    line[strcspn(line, "\n")] = 0;
    snprintf(text, room, "%s", line + strspn(line, " \t"));
}

void sim_source_text(const char *source, char *text, size_t room)
{
    char path[192];
    const char *colon = strrchr(source, ':');
    snprintf(path, sizeof path, "%.*s", colon ? (int)(colon - source) : 0, source);
    sim_line_text(colon ? fopen(path, "r") : NULL, colon ? strtol(colon + 1, NULL, 10) : 0, text, room);
}

void sim_fault_print(const struct sim_fault *fault, const char *where, FILE *out)
{
    /* One buffer and one write: other threads of the program may be printing too. */
    char text[1536], line[160];
    int used = snprintf(text, sizeof text, "gensim: fault: %s\n", fault->what);
    size_t length = used < 0 ? 0 : (size_t)used;
    if (where && *where && length < sizeof text)
        length += (size_t)snprintf(text + length, sizeof text - length, "    in %s\n", where);
    if (fault->has_ip && length < sizeof text)
        length += (size_t)snprintf(text + length, sizeof text - length, "    at kernel offset 0x%" PRIx32 "%s%s\n",
                                   fault->ip, fault->instruction[0] ? ": " : "", fault->instruction);
    sim_source_text(fault->source, line, sizeof line);
    if (fault->source[0] && length < sizeof text)
        length += (size_t)snprintf(text + length, sizeof text - length, "    source %s%s%s\n", fault->source,
                                   line[0] ? ": " : "", line);
    if (fault->has_address && length < sizeof text)
        length += (size_t)snprintf(text + length, sizeof text - length, "    address 0x%" PRIx64 "\n", fault->address);
    if (length >= sizeof text)
        length = sizeof text - 1;
    fwrite(text, 1, length, out);
    fflush(out);
}
