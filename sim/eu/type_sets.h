/* Defines the sets of types in tables/eu_op_types.def. */
#ifndef CMKIT_SIM_EU_TYPE_SETS_H
#define CMKIT_SIM_EU_TYPE_SETS_H

#include "sim/eu/types.h"

/* The sets as bits. */
enum {
    UB = 1 << EU_UB,
    B = 1 << EU_B,
    UW = 1 << EU_UW,
    W = 1 << EU_W,
    UD = 1 << EU_UD,
    D = 1 << EU_D,
    UQ = 1 << EU_UQ,
    Q = 1 << EU_Q,
    HF = 1 << EU_HF,
    F = 1 << EU_F,
    DF = 1 << EU_DF,
    BF = 1 << EU_BF,
    BYTES = UB | B,
    WORDS = UW | W,
    DWORDS = UD | D,
    QWORDS = UQ | Q,
    INTEGERS = BYTES | WORDS | DWORDS,
    FLOATS = HF | F,
    F_DF = F | DF
};

#endif
