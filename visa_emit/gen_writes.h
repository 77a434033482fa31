/* Reads from a line of the finalizer's listing which bytes of the register file the instruction writes. */
#ifndef CMKIT_VISA_EMIT_GEN_WRITES_H
#define CMKIT_VISA_EMIT_GEN_WRITES_H

#include <stdbool.h>
#include <stddef.h>

enum gen_write_kind {
    GEN_WRITES_NOTHING, /* no general register */
    GEN_WRITES_BYTES,   /* from `low` to `high`, counted from r0: all, or lanes there */
    GEN_WRITES_INDIRECT,
    GEN_WRITES_ANYTHING /* not understood */
};

struct gen_write {
    enum gen_write_kind kind;
    unsigned low, high;
};

/* True for a call of a function. */
bool gen_is_call(const char *line);

struct gen_write gen_write_of(const char *line, size_t length, unsigned register_bytes);

#endif
