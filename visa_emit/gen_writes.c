/* Reads destinations of listed instructions: see gen_writes.h. */
#include "visa_emit/gen_writes.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "visa_emit/visa.h"

enum { LINE_BYTES = 400, TYPE_BYTES = 4, DPAS_LANE_BYTES = 4 };

static const struct gen_write anything = {GEN_WRITES_ANYTHING, 0, ~0u}, nothing = {GEN_WRITES_NOTHING, 0, 0};

static const char *skip_spaces(const char *at)
{
    return at + strspn(at, " \t");
}

/* Skips "(W)", "(~f0.0.any8h)", "(W&f0.1)". */
static const char *skip_parentheses(const char *at)
{
    while (*(at = skip_spaces(at)) == '(' && strchr(at, ')'))
        at = strchr(at, ')') + 1;
    return at;
}

/* Returns the bytes of a type's name, such as uw, hf, df; 0: not known. vISA has no name for bf. */
static unsigned type_bytes(const char *name)
{
    if (strcmp(name, "bf") == 0)
        return visa_type_bytes(VISA_TYPE_HF);
    for (unsigned type = 0; type < VISA_TYPE_COUNT; type++)
        if (strcmp(visa_type_text((enum visa_type)type), name) == 0)
            return visa_type_bytes((enum visa_type)type);
    return 0;
}

/* Registers one after the other: the reply of a message, which the comment counts, or the sums of dpas. */
static struct gen_write whole_registers(const char *operation, const char *line, unsigned number, unsigned lanes,
                                        unsigned register_bytes)
{
    unsigned depth, repeat, count;
    struct gen_write w = {GEN_WRITES_BYTES, number * register_bytes, 0};
    const char *reply = strstr(line, "rd:");
    if (strncmp(operation, "send", 4) == 0 && reply && sscanf(reply, "rd:%u", &count) == 1)
        w.high = w.low + count * register_bytes;
    else if (sscanf(operation, "dpas.%ux%u", &depth, &repeat) == 2 ||
             sscanf(operation, "dpasw.%ux%u", &depth, &repeat) == 2)
        w.high = w.low + lanes * repeat * DPAS_LANE_BYTES;
    else
        return anything;
    return w.high > w.low ? w : nothing;
}

static struct gen_write of_destination(const char *operation, const char *line, const char *at, unsigned lanes,
                                       unsigned register_bytes)
{
    unsigned number, part, stride, count;
    char type[TYPE_BYTES] = "";
    if (strncmp(at, "r[", 2) == 0)
        return (struct gen_write){GEN_WRITES_INDIRECT, 0, 0};
    if (*at != 'r' || !isdigit((unsigned char)at[1])) /* null, a flag, accumulator, address register, label, number */
        return nothing;
    if (sscanf(at, "r%u.%u<%u>:%3[a-z]", &number, &part, &stride, type) == 4 && type_bytes(type) && lanes) {
        unsigned bytes = type_bytes(type), low = number * register_bytes + part * bytes;
        return (struct gen_write){GEN_WRITES_BYTES, low, low + ((lanes - 1) * stride + 1) * bytes};
    }
    if (sscanf(at, "r%u:%u", &number, &count) == 2) /* the newest finalizer's replies */
        return (struct gen_write){GEN_WRITES_BYTES, number * register_bytes, (number + count) * register_bytes};
    return sscanf(at, "r%u", &number) == 1 ? whole_registers(operation, line, number, lanes, register_bytes) : anything;
}

struct gen_write gen_write_of(const char *text, size_t length, unsigned register_bytes)
{
    char line[LINE_BYTES], operation[32];
    if (length >= sizeof line)
        return anything;
    memcpy(line, text, length);
    line[length] = 0;
    const char *at = skip_parentheses(line);
    size_t name = strcspn(at, " (\t");
    if (name >= sizeof operation)
        return anything;
    memcpy(operation, at, name);
    operation[name] = 0;
    at = skip_spaces(at + name);
    if (*at != '(')
        return strncmp(operation, "sync", 4) == 0 || strcmp(operation, "nop") == 0 || strcmp(operation, "jmpi") == 0
                   ? nothing
                   : anything;
    unsigned lanes = (unsigned)strtoul(at + 1, NULL, 10);
    at = skip_parentheses(at); /* "(8|M0)", "(eq)f0.0" */
    if (*at == 'f' && at > line && at[-1] == ')')
        at = skip_spaces(at + strcspn(at, " \t"));
    return of_destination(operation, line, at, lanes, register_bytes);
}

bool gen_is_call(const char *line)
{
    return strncmp(skip_parentheses(line), "call", 4) == 0;
}
