/* Numbers of the llvm.genx intrinsics and of the CM builtins, from their tables. */
#ifndef CMKIT_LOWER_IR_INTRINSIC_IDS_H
#define CMKIT_LOWER_IR_INTRINSIC_IDS_H

enum genx_id {
    GENX_NONE,
#define GENX(ID, NAME, OVERLOADS, EFFECT, SELECT, OP, WHOLE, KIND, OLD, MASK) GENX_##ID,
#include "tables/genx_intrinsics.def"
#undef GENX
    GENX_COUNT
};

enum builtin_id {
    BUILTIN_NONE,
#define CM_BUILTIN(NAME, ...) BUILTIN_##NAME,
#include "tables/builtins.def"
#undef CM_BUILTIN
    BUILTIN_COUNT
};

/* Most operands of a llvm.genx intrinsic. */
enum { GENX_MOST_OPERANDS = 24 };

#endif
