/* Declares what instructions compute: result lanes from source lanes. Registers, regions and masks are in operand.c and
 * exec.c. */
#ifndef CMKIT_SIM_EU_ALU_H
#define CMKIT_SIM_EU_ALU_H

#include "sim/eu/thread.h"

/* Lanes in one of the three domains. Integers are sign- or zero-extended by their type, so that no sum, difference or
 * product of 32-bit operands wraps before it is saturated or written. */
union eu_lanes {
    int64_t i[EU_MAX_LANES];
    float f[EU_MAX_LANES];
    double d[EU_MAX_LANES];
};

struct eu_alu {
    struct eu_thread *thread;
    const struct eu_instruction *in;
    unsigned lanes;        /* exec size */
    enum eu_domain domain; /* of the sources; semantics may change it for the result */
    uint32_t enabled;
    uint32_t conditions; /* the condition modifier's result per lane, if has_conditions */
    bool has_conditions;
    bool is_saturated;    /* integer results are within the destination's range already */
    bool keeps_denormals; /* half results are not flushed, whatever cr0 says */
    union eu_lanes out;
    union eu_lanes src[EU_MAX_SOURCES];
    union eu_lanes accumulator; /* the implicit source of ACC_IN, the implicit result of CARRY */
};

#define EU_OP(ID, MNEMONIC, IGA, SOURCES, FIRST, LAST, EXECUTE, SEMANTICS, ...) eu_semantics eu_alu_##SEMANTICS;
#include "tables/eu_ops.def"
#undef EU_OP

/* Evaluates condition `condition` of a against b for each lane. */
uint32_t eu_compare_lanes(enum eu_condition condition, enum eu_domain domain, bool is_unsigned_quad,
                          const union eu_lanes *a, const union eu_lanes *b, unsigned lanes);

#endif
