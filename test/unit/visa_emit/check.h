/* Shares functions among the unit tests of visa_emit: counted checks and short ways to write operands. */
#ifndef CMKIT_TEST_VISA_EMIT_CHECK_H
#define CMKIT_TEST_VISA_EMIT_CHECK_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "visa_emit/visa.h"

static int checks_failed;

#define CHECK(condition, ...)                                                                                          \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "%s:%d: %s: ", __FILE__, __LINE__, #condition);                                            \
            fprintf(stderr, __VA_ARGS__);                                                                              \
            fputc('\n', stderr);                                                                                       \
            checks_failed++;                                                                                           \
        }                                                                                                              \
    } while (0)

static inline struct visa_operand at(unsigned variable, enum visa_type type, int offset, unsigned v, unsigned w,
                                     unsigned h)
{
    return (struct visa_operand){.kind = VISA_OPERAND_GENERAL,
                                 .type = type,
                                 .variable = variable,
                                 .offset = offset,
                                 .region = {(uint16_t)v, (uint16_t)w, (uint16_t)h}};
}

static inline struct visa_operand to(unsigned variable, enum visa_type type, int offset, unsigned stride)
{
    return at(variable, type, offset, 0, 0, stride);
}

static inline struct visa_operand scalar(unsigned variable, enum visa_type type, int offset)
{
    return at(variable, type, offset, 0, 1, 0);
}

static inline struct visa_operand immediate(enum visa_type type, uint64_t bits)
{
    return (struct visa_operand){.kind = VISA_OPERAND_IMMEDIATE, .type = type, .bits = bits};
}

static inline struct visa_operand named(enum visa_operand_kind kind, unsigned variable)
{
    return (struct visa_operand){.kind = kind, .variable = variable};
}

static inline struct visa_operand raw(unsigned variable)
{
    return named(VISA_OPERAND_RAW, variable);
}
static inline struct visa_operand state(unsigned variable)
{
    return named(VISA_OPERAND_STATE, variable);
}

/* The kernel's text; the caller frees it. */
static inline char *text_of(const struct visa_program *program, const struct visa_kernel *kernel)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        abort();
    visa_print(program, kernel, out);
    fclose(out);
    return text;
}

#endif
