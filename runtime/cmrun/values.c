#include "runtime/cmrun/values.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum kind { U, I, F };

static const struct {
    const char *name;
    size_t bytes;
    enum kind kind;
} types[SCALAR_COUNT] = {
#define SCALAR(NAME, C_TYPE, KIND) {#NAME, sizeof(C_TYPE), KIND},
#include "runtime/cmrun/scalar_types.def"
#undef SCALAR
};

enum scalar_type scalar_find(const char *name, size_t length)
{
    size_t i = 0;
    while (i < SCALAR_COUNT && (strlen(types[i].name) != length || memcmp(types[i].name, name, length) != 0))
        i++;
    return (enum scalar_type)i;
}

size_t scalar_bytes(enum scalar_type type)
{
    return types[type].bytes;
}

/* Stores the low bytes of an integer: every integer type has two's complement bits. */
static void store_integer(enum scalar_type type, uint64_t value, void *to)
{
    memcpy(to, &value, types[type].bytes);
}

static void store_float(enum scalar_type type, double value, void *to)
{
    _Float16 half = (_Float16)value;
    float single = (float)value;
    memcpy(to,
           type == SCALAR_f16   ? (void *)&half
           : type == SCALAR_f32 ? (void *)&single
                                : (void *)&value,
           types[type].bytes);
}

/* Parses one number of the type that ends at `stop`. Returns 0 on success. */
static int parse_one(enum scalar_type type, const char *text, const char *stop, void *to)
{
    char *end;
    unsigned bits = 8 * (unsigned)types[type].bytes;
    errno = 0;
    if (text == stop)
        return -1;
    if (types[type].kind == F) {
        double value = strtod(text, &end);
        store_float(type, value, to);
    } else if (types[type].kind == I) {
        long long value = strtoll(text, &end, 0);
        if (errno || (bits < 64 && (value < -(1ll << (bits - 1)) || value >= 1ll << (bits - 1))))
            return -1;
        store_integer(type, (uint64_t)value, to);
    } else {
        unsigned long long value = strtoull(text, &end, 0);
        if (errno || *text == '-' || (bits < 64 && value >> bits))
            return -1;
        store_integer(type, value, to);
    }
    return end == stop ? 0 : -1;
}

void *values_parse(enum scalar_type type, const char *text, size_t *bytes, char *why, size_t why_size)
{
    size_t count = 1, size = types[type].bytes;
    for (const char *at = text; *at; at++)
        count += *at == ',';
    char *memory = malloc(count * size);
    if (!memory) {
        snprintf(why, why_size, "out of memory");
        return NULL;
    }
    for (size_t i = 0; i < count; i++) {
        const char *stop = text + strcspn(text, ",");
        if (parse_one(type, text, stop, memory + i * size)) {
            snprintf(why, why_size, "'%.*s' is no %s number", (int)(stop - text), text, types[type].name);
            free(memory);
            return NULL;
        }
        text = stop + 1;
    }
    *bytes = count * size;
    return memory;
}

/* splitmix64: gives the same numbers on every machine for a seed. */
static uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15ull;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
}

/* Parses the type name at the start of `text`, up to `end_character` or the end. */
static enum scalar_type leading_type(const char *text, char end_character, const char **rest)
{
    const char *end = strchr(text, end_character);
    *rest = end ? end + 1 : "";
    return scalar_find(text, end ? (size_t)(end - text) : strlen(text));
}

static int fill_iota(enum scalar_type type, unsigned char *memory, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (types[type].kind == F)
            store_float(type, (double)i, memory + i * types[type].bytes);
        else
            store_integer(type, i, memory + i * types[type].bytes);
    }
    return 0;
}

static int fill_random(enum scalar_type type, uint64_t seed, unsigned char *memory, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t bits = next_random(&seed);
        if (types[type].kind == F) /* 11 random bits are exact in every float type */
            store_float(type, (double)(bits >> 53) / 2048.0, memory + i * types[type].bytes);
        else
            store_integer(type, bits >> (64 - 8 * types[type].bytes), memory + i * types[type].bytes);
    }
    return 0;
}

static int fill_values(enum scalar_type type, const char *text, unsigned char *memory, size_t bytes, char *why,
                       size_t why_size)
{
    size_t period;
    unsigned char *values = values_parse(type, text, &period, why, why_size);
    if (!values)
        return -1;
    for (size_t at = 0; at < bytes; at += period)
        memcpy(memory + at, values, bytes - at < period ? bytes - at : period);
    free(values);
    return 0;
}

int values_fill_pattern(const char *pattern, void *memory, size_t bytes, char *why, size_t why_size)
{
    const char *rest;
    enum scalar_type type;
    memset(memory, 0, bytes);
    if (strcmp(pattern, "zero") == 0)
        return 0;
    if (strncmp(pattern, "iota-", 5) == 0 && (type = leading_type(pattern + 5, '=', &rest)) < SCALAR_COUNT && !*rest)
        return fill_iota(type, memory, bytes / types[type].bytes);
    if (strncmp(pattern, "random-", 7) == 0 && (type = leading_type(pattern + 7, '=', &rest)) < SCALAR_COUNT) {
        uint64_t seed = 0;
        if (*rest && parse_one(SCALAR_u64, rest, rest + strlen(rest), &seed)) {
            snprintf(why, why_size, "'%s' is no seed", rest);
            return -1;
        }
        return fill_random(type, seed, memory, bytes / types[type].bytes);
    }
    if (strchr(pattern, '=') && (type = leading_type(pattern, '=', &rest)) < SCALAR_COUNT)
        return fill_values(type, rest, memory, bytes, why, why_size);
    snprintf(why, why_size, "'%s' is no fill pattern (zero, f32=1.5, iota-u32, random-u8=SEED)", pattern);
    return -1;
}

static void print_one(FILE *to, enum scalar_type type, const unsigned char *at)
{
    uint64_t bits = 0;
    double number;
    float single;
    _Float16 half;
    memcpy(&bits, at, types[type].bytes);
    memcpy(&number, &bits, sizeof number);
    memcpy(&single, &bits, sizeof single);
    memcpy(&half, &bits, sizeof half);
    unsigned unused = 64 - 8 * (unsigned)types[type].bytes;
    if (types[type].kind == U)
        fprintf(to, "%llu", (unsigned long long)bits);
    else if (types[type].kind == I)
        fprintf(to, "%lld", (long long)((int64_t)(bits << unused) >> unused));
    else
        fprintf(to, "%.*g",
                type == SCALAR_f64   ? 17
                : type == SCALAR_f32 ? 9
                                     : 5,
                type == SCALAR_f64   ? number
                : type == SCALAR_f32 ? (double)single
                                     : (double)half);
}

void values_print(FILE *to, enum scalar_type type, const void *memory, size_t bytes)
{
    enum { PER_LINE = 8 };
    size_t count = bytes / types[type].bytes;
    for (size_t i = 0; i < count; i++) {
        print_one(to, type, (const unsigned char *)memory + i * types[type].bytes);
        fputc(i + 1 == count || i % PER_LINE == PER_LINE - 1 ? '\n' : ' ', to);
    }
}
