/* Which bytes of each vector somebody reads, through regions, formats, joins and operations lane by lane; around loops
 * until nothing is added. Masks have a byte a lane. */
#ifndef CMKIT_LOWER_ANALYSIS_DEMANDED_ELEMENTS_H
#define CMKIT_LOWER_ANALYSIS_DEMANDED_ELEMENTS_H

#include "lower/ir/byte_set.h"
#include "lower/ir/region.h"

enum vector_kind {
    VECTOR_WRITE, /* of a region at a constant place */
    VECTOR_READ,  /* the same */
    VECTOR_SAME,  /* byte for byte its operands: a join, a format */
    VECTOR_LANES, /* operation lane by lane */
    VECTOR_SHUFFLE,
    VECTOR_OTHER,
};

struct vector {
    LLVMValueRef value;
    enum vector_kind kind;
    unsigned lanes, size, bytes; /* size: of a lane */
    struct region region;        /* of a read or write */
    uint64_t *read;              /* byte_set.h */
    bool is_changed;             /* since its operands were told */
    bool place; /* a write of dead lanes that stays: otherwise its value, which others read, would need another place */
};

struct demanded {
    struct vector *vectors;
    size_t count, capacity;
    LLVMValueRef *roots; /* what makes its operands live in any case */
    size_t root_count, root_capacity;
    struct pointer_map numbers;
    uint64_t *sets;   /* all of theirs, and `beside` */
    uint64_t *beside; /* for one vector at a time */
};

void live_lanes_find(struct demanded *l, LLVMValueRef function);
void live_lanes_free(struct demanded *l);

struct vector *vector_of(struct demanded *l, LLVMValueRef value); /* NULL: no vector, or no instruction */
bool is_read(const struct vector *v, int first, unsigned bytes);

/* What is read of a write's result beside the lanes that it writes; until the next call. */
const uint64_t *read_beside(struct demanded *l, const struct vector *result);

/* The lanes that a write at a constant place writes. */
unsigned written_lanes(const struct vector *write, unsigned *size);

#endif
