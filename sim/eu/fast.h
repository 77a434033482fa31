/* Declares what the fast paths share: fast.c for any host, fast_avx2.c for hosts with AVX2. */
#ifndef CMKIT_SIM_EU_FAST_H
#define CMKIT_SIM_EU_FAST_H

#include "sim/eu/thread.h"

/* Ways to load a source into 32-bit lanes. */
enum eu_fast_load {
    LOAD_NONE,
    LOAD_CONSTANT,
    LOAD_DWORDS,
    LOAD_DWORD,
    LOAD_WORDS,
    LOAD_UWORDS,
    LOAD_BYTES,
    LOAD_UBYTES,
    LOAD_REGION
};

/* Ways to store the destination: packed dwords or words, or elements at the destination's stride. */
enum eu_fast_store { STORE_PACKED, STORE_PACKED_WORDS, STORE_DWORDS, STORE_WORDS, STORE_BYTES };

enum eu_fast_op {
    FAST_MOVE,
    FAST_ADD_F,
    FAST_MUL_F,
    FAST_MAD_F,
    FAST_MAC_F,
    FAST_ADD,
    FAST_MUL,
    FAST_AND,
    FAST_OR,
    FAST_XOR,
    FAST_SHL,
    FAST_SHR,
    FAST_ASR,
    FAST_ROL,
    FAST_ROR,
    FAST_NOT,
    FAST_TO_FLOAT,
    FAST_TO_INT,
    FAST_TO_BYTE,
    FAST_SEL,
    FAST_MIN_F,
    FAST_MAX_F,
    FAST_MIN,
    FAST_MAX,
    FAST_MIN_U,
    FAST_MAX_U,
    FAST_CMP_F,
    FAST_CMP,
    FAST_CMP_U,
    FAST_ADD_FLAGS, /* with a condition */
    FAST_AND_FLAGS,
    FAST_OR_FLAGS,
    FAST_CSEL_F,
    FAST_CSEL,
    FAST_OPS
};

/* Returns the AVX2 function for an instruction of 8 or 16 lanes whose loads and store are recorded, if its sources are
 * packed dwords or scalars, its destination is packed dwords, and the processor has AVX2 and FMA. Otherwise NULL. */
eu_execute *eu_fast_avx2_execute(const struct eu_instruction *in, enum eu_fast_op op);

/* Lane counts that have functions of their own: 1, 4, 8 and 16. */
enum { FAST_COUNTS = 4 };

/* Returns the function for an instruction of integers of which one is a quadword or a dword of an accumulator, and
 * records its loads and its store; NULL if there is none. It does not saturate; `count`: which of the lane counts it
 * has. */
eu_execute *eu_fast_wide_execute(const struct platform *platform, struct eu_instruction *in, unsigned count);

#endif
