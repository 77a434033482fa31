/* Computes the demanded bytes of each vector (LLVM: SimplifyDemandedVectorElts), through regions, bitcasts, phis and
 * lane-wise operations, and around loops to a fixed point. Example: of a 64-byte vector whose only use reads bytes 0 to
 * 15, 16 bytes are demanded. Masks have one byte per lane. */
#ifndef CMKIT_LOWER_ANALYSIS_DEMANDED_ELEMENTS_H
#define CMKIT_LOWER_ANALYSIS_DEMANDED_ELEMENTS_H

#include "lower/ir/byte_set.h"
#include "lower/ir/region.h"

enum demanded_vector_kind {
    VECTOR_WRITE, /* of a region with constant offset */
    VECTOR_READ,  /* the same */
    VECTOR_SAME,  /* byte for byte its operands: a join, a format */
    VECTOR_LANES, /* operation lane by lane */
    VECTOR_SHUFFLE,
    VECTOR_OTHER,
};

struct demanded_vector {
    LLVMValueRef value;
    enum demanded_vector_kind kind;
    unsigned lanes, size, bytes; /* size: of a lane */
    struct region region;        /* of a read or write */
    uint64_t *read;              /* byte_set.h */
    bool is_changed;             /* since its operands were visited */
    bool place; /* a write of undemanded lanes that stays, because without it its value, which has other users, would
                 * need a copy */
};

struct demanded {
    struct demanded_vector *vectors;
    size_t count, capacity;
    LLVMValueRef *roots; /* instructions that demand their operands in any case */
    size_t root_count, root_capacity;
    struct pointer_map numbers;
    uint64_t *sets;   /* all of theirs, and `beside` */
    uint64_t *beside; /* for one vector at a time */
};

void demanded_find(struct demanded *l, LLVMValueRef function);
void demanded_free(struct demanded *l);

struct demanded_vector *demanded_vector_of(struct demanded *l,
                                           LLVMValueRef value); /* NULL: no vector, or no instruction */
bool demanded_is_read(const struct demanded_vector *v, int first, unsigned bytes);

/* Returns the demanded bytes of a write's result outside the lanes that it writes. Valid until the next call. */
const uint64_t *demanded_read_by_others(struct demanded *l, const struct demanded_vector *result);

/* Returns the lanes of a write with constant offset. */
unsigned demanded_written_lanes(const struct demanded_vector *write, unsigned *size);

#endif
