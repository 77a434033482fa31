#include "case_file.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/eu/types.h"

enum { REGISTER_BYTES = 32 };

char *case_read(const char *path)
{
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        perror(path);
        exit(2);
    }
    char *text = NULL;
    size_t size = 0;
    if (getdelim(&text, &size, 0, file) < 0) {
        fprintf(stderr, "%s: empty\n", path);
        exit(2);
    }
    fclose(file);
    return text;
}

static void begin_case(const char *path, unsigned line, char *header, struct test_case *out)
{
    memset(out, 0, sizeof *out);
    out->line = line;
    out->mask = UINT32_MAX;
    int used = 0;
    if (sscanf(header, "case %79s%n", out->name, &used) != 1) {
        fprintf(stderr, "%s:%u: case without a name\n", path, line);
        exit(2);
    }
    for (char *at = header + used; *at;) {
        unsigned long generation = strtoul(at, &at, 10);
        if (generation > 0 && generation < CASE_GENERATIONS)
            out->on[generation] = true;
        while (*at && isspace((unsigned char)*at))
            at++;
        if (*at && !isdigit((unsigned char)*at)) {
            fprintf(stderr, "%s:%u: generations are numbers\n", path, line);
            exit(2);
        }
    }
}

static void add_line(const char *path, unsigned line, char *text, struct test_case *out)
{
    if (isspace((unsigned char)*text)) {
        size_t used = strlen(out->assembly);
        snprintf(out->assembly + used, sizeof out->assembly - used, "%s\n", text);
    } else if (strncmp(text, "set ", 4) == 0 && out->set_count < CASE_LINES) {
        out->sets[out->set_count++] = text + 4;
    } else if (strncmp(text, "expect ", 7) == 0 && out->expect_count < CASE_LINES) {
        out->expects[out->expect_count++] = text + 7;
    } else if (strncmp(text, "mask ", 5) == 0) {
        out->mask = (uint32_t)strtoul(text + 5, NULL, 0);
    } else if (strncmp(text, "barriers ", 9) == 0) {
        out->barriers = (unsigned)strtoul(text + 9, NULL, 0);
    } else if (strncmp(text, "fault ", 6) == 0) {
        snprintf(out->fault, sizeof out->fault, "%s", text + 6);
    } else {
        fprintf(stderr, "%s:%u: not a line of a case: %s\n", path, line, text);
        exit(2);
    }
}

bool case_next(const char *path, char **position, unsigned *line, struct test_case *out)
{
    bool found = false;
    while (**position) {
        char *text = *position;
        char *end = strchr(text, '\n');
        if (found && strncmp(text, "case ", 5) == 0)
            break;
        if (end != NULL)
            *end = 0;
        *position = end != NULL ? end + 1 : text + strlen(text);
        ++*line;
        if (*text == '#' || text[strspn(text, " \t")] == 0)
            continue;
        if (!found) {
            begin_case(path, *line, text, out);
            found = true;
        } else {
            add_line(path, *line, text, out);
        }
    }
    return found;
}

const struct platform *case_platform(unsigned generation)
{
    for (size_t i = 0; i < platform_count; i++)
        if (platform_table[i].simulated && !platform_table[i].needs_current &&
            platform_table[i].generation == generation)
            return &platform_table[i];
    fprintf(stderr, "no simulated platform of generation %u\n", generation);
    exit(2);
}

/* Returns the instruction that ends a thread, in the syntax of the platform's assembler. */
static const char *end_of_thread(const struct platform *platform)
{
    if (platform_has(platform, FEATURE_SEND_LENGTHS))
        return "(W) send.gtwy (1|M0) null r127 null:0 0x0 0x02000010 {EOT}";
    if (platform_has(platform, FEATURE_XE_ENCODING))
        return "(W) send.ts (8|M0) null r127 null 0x0 0x02000010 {EOT}";
    return "(W) send (8|M0) null r127 0x27 0x02000010 {EOT}";
}

size_t case_assemble(const char *iga64, unsigned generation, const char *text, uint8_t *code, size_t capacity)
{
    const char *directory = getenv("TMPDIR");
    char path[256], command[1024];
    snprintf(path, sizeof path, "%s/eu_case_XXXXXX", directory != NULL ? directory : "/tmp");
    int descriptor = mkstemp(path);
    if (descriptor < 0)
        return 0;
    FILE *file = fdopen(descriptor, "w");
    const struct platform *platform = case_platform(generation);
    fprintf(file, "%s%s\n", text, end_of_thread(platform));
    fclose(file);

    snprintf(command, sizeof command, "'%s' -q -Wnone -p=%s -a '%s' -o '%s.bin'", iga64, platform->assembler, path,
             path);
    int status = system(command);
    unlink(path);
    snprintf(command, sizeof command, "%s.bin", path);
    size_t size = 0;
    file = status == 0 ? fopen(command, "rb") : NULL;
    if (file != NULL) {
        size = fread(code, 1, capacity, file);
        fclose(file);
    }
    unlink(command);
    return size;
}

/* Parses "r10.2:ud =" and returns what follows; NULL when malformed. */
static const char *parse_place(const char *text, enum eu_type *type, size_t *offset)
{
    unsigned reg, sub = 0;
    char name[8];
    int used = 0;
    if (sscanf(text, "r%u.%u:%7[a-z] =%n", &reg, &sub, name, &used) != 3 || used == 0) {
        sub = 0;
        if (sscanf(text, "r%u:%7[a-z] =%n", &reg, name, &used) != 2 || used == 0)
            return NULL;
    }
    for (unsigned t = 0; t < EU_UV; t++)
        if (strcmp(eu_type_table[t].name, name) == 0) {
            *type = (enum eu_type)t;
            *offset = (size_t)reg * REGISTER_BYTES + sub * eu_type_table[t].bytes;
            return text + used;
        }
    return NULL;
}

/* The bits of a number of type `type`. */
static uint64_t number_bits(const char *text, enum eu_type type)
{
    uint64_t bits = 0;
    if (strncmp(text, "0x", 2) == 0)
        return strtoull(text, NULL, 16);
    if (eu_type_table[type].domain == EU_INTEGER)
        return text[0] == '-' ? (uint64_t)strtoll(text, NULL, 10) : strtoull(text, NULL, 10);
    double value = strtod(text, NULL);
    float single = (float)value;
    if (type == EU_HF)
        return eu_half_from_double(value, EU_ROUND_EVEN, true);
    if (type == EU_F)
        memcpy(&bits, &single, sizeof single);
    else
        memcpy(&bits, &value, sizeof value);
    return bits;
}

static double real_of(uint64_t bits, enum eu_type type)
{
    float single;
    double value;
    if (type == EU_HF)
        return (double)eu_half_to_float((uint16_t)bits);
    memcpy(&single, &bits, sizeof single);
    memcpy(&value, &bits, sizeof value);
    return type == EU_F ? (double)single : value;
}

/* Next word of *text in `word` with its repetition count; false at the end. */
static bool next_number(const char **text, char *word, size_t size, unsigned *count)
{
    while (**text == ' ')
        ++*text;
    size_t length = strcspn(*text, " ");
    if (length == 0 || length >= size)
        return false;
    memcpy(word, *text, length);
    word[length] = 0;
    *text += length;
    char *star = strchr(word, '*');
    *count = 1;
    if (star != NULL) {
        *count = (unsigned)strtoul(word, NULL, 10);
        memmove(word, star + 1, strlen(star));
    }
    return true;
}

bool case_set(const char *text, uint8_t *registers, size_t size)
{
    enum eu_type type;
    size_t at;
    char word[64];
    unsigned count;
    text = parse_place(text, &type, &at);
    if (text == NULL)
        return false;
    size_t bytes = eu_type_table[type].bytes;
    while (next_number(&text, word, sizeof word, &count))
        for (; count > 0; count--, at += bytes) {
            uint64_t bits = number_bits(word, type);
            if (at + bytes > size)
                return false;
            memcpy(registers + at, &bits, bytes);
        }
    return true;
}

static bool agrees(const char *word, uint64_t bits, enum eu_type type)
{
    if (strcmp(word, "?") == 0)
        return true;
    if (strcmp(word, "nan") == 0)
        return isnan(real_of(bits, type));
    if (word[0] == '~') {
        double wanted = strtod(word + 1, NULL), got = real_of(bits, type);
        return fabs(got - wanted) <= 1e-5 * fabs(wanted) + 1e-7;
    }
    uint64_t mask = eu_type_table[type].bytes == 8 ? UINT64_MAX : (1ull << 8 * eu_type_table[type].bytes) - 1;
    return ((number_bits(word, type) ^ bits) & mask) == 0;
}

bool case_check(const char *text, const uint8_t *registers, size_t size, char *report, size_t report_size)
{
    enum eu_type type;
    size_t at;
    char word[64];
    unsigned count, index = 0;
    const char *numbers = parse_place(text, &type, &at);
    if (numbers == NULL) {
        snprintf(report, report_size, "malformed expectation: %s", text);
        return false;
    }
    size_t bytes = eu_type_table[type].bytes;
    while (next_number(&numbers, word, sizeof word, &count))
        for (; count > 0; count--, at += bytes, index++) {
            uint64_t bits = 0;
            if (at + bytes <= size)
                memcpy(&bits, registers + at, bytes);
            if (at + bytes > size || !agrees(word, bits, type)) {
                snprintf(report, report_size, "element %u is 0x%llx (%g), not %s, in: %s", index,
                         (unsigned long long)bits, real_of(bits, type), word, text);
                return false;
            }
        }
    if (index == 0)
        snprintf(report, report_size, "no element expected in: %s", text);
    return index > 0;
}

void case_assemble_lines(const char *iga64, unsigned generation, char lines[][CASE_LINE_TEXT], size_t count,
                         uint8_t code[][CASE_LINE_CODE], size_t sizes[])
{
    size_t room = (count + 2) * CASE_LINE_TEXT, used = 0, capacity = (count + 4) * CASE_INSTRUCTION;
    char *source = calloc(1, room);
    uint8_t *all = malloc(capacity), end[2 * CASE_INSTRUCTION];
    size_t end_bytes = case_assemble(iga64, generation, "", end, sizeof end), bytes = 0;
    for (size_t i = 0; i < count; i++)
        used += (size_t)snprintf(source + used, room - used, "%s\n", lines[i]);
    if (count > 0)
        bytes = case_assemble(iga64, generation, source, all, capacity);
    for (size_t i = 0; i < count; i++) {
        if (bytes == CASE_INSTRUCTION * count + end_bytes) {
            memcpy(code[i], all + CASE_INSTRUCTION * i, CASE_INSTRUCTION);
            memcpy(code[i] + CASE_INSTRUCTION, end, end_bytes);
            sizes[i] = CASE_INSTRUCTION + end_bytes;
        } else {
            snprintf(source, room, "%s\n", lines[i]);
            sizes[i] = case_assemble(iga64, generation, source, code[i], CASE_LINE_CODE);
        }
    }
    free(source);
    free(all);
}
