/* Defines the table of all instructions from the rows of tables/eu_ops.def. The functions that execute them are in
 * handlers.c. */
#include "sim/eu/instruction.h"

const struct eu_op eu_op_table[EU_OPS] = {
#define LOGIC       EU_PROPERTY_LOGIC
#define COMPARE     EU_PROPERTY_COMPARE
#define SELECT      EU_PROPERTY_SELECT
#define CARRY       EU_PROPERTY_CARRY
#define ACC_IN      EU_PROPERTY_ACC_IN
#define FLOAT       EU_PROPERTY_FLOAT
#define INT         EU_PROPERTY_INT
#define VECTOR      EU_PROPERTY_VECTOR
#define BRANCH      EU_PROPERTY_BRANCH
#define SHIFT       EU_PROPERTY_SHIFT
#define PAIRS       EU_PROPERTY_PAIRS
#define FOURS       EU_PROPERTY_FOURS
#define PRED        EU_MODIFIER_PRED
#define COND        EU_MODIFIER_COND
#define SAT         EU_MODIFIER_SAT
#define MACH_SAT    EU_MODIFIER_MACH_SAT
#define SRCMOD      EU_MODIFIER_SRCMOD
#define EXACT       EU_EXACT
#define APPROXIMATE EU_APPROXIMATE
#define UNSIGNED    EU_EXACT_UNSIGNED
#define FUNCTION    EU_FIDELITY_OF_FUNCTION
#define EU_OP(ID, MNEMONIC, IGA, SOURCES, FIRST, LAST, EXECUTE, SEMANTICS, PROPERTIES, MODIFIERS, FIDELITY)            \
    {MNEMONIC, IGA, SOURCES, FIRST, LAST, EU_EXECUTE_##EXECUTE, PROPERTIES, MODIFIERS, FIDELITY},
#include "tables/eu_ops.def"
#undef EU_OP
#undef LOGIC
#undef COMPARE
#undef SELECT
#undef CARRY
#undef ACC_IN
#undef FLOAT
#undef INT
#undef VECTOR
#undef BRANCH
#undef SHIFT
#undef PAIRS
#undef FOURS
#undef PRED
#undef COND
#undef SAT
#undef MACH_SAT
#undef SRCMOD
#undef EXACT
#undef APPROXIMATE
#undef UNSIGNED
#undef FUNCTION
};
