/* Connects each instruction with the functions that execute it: the columns EXECUTE and SEMANTICS of tables/eu_ops.def.
 */
#include "sim/eu/alu.h"

#include <assert.h>

static eu_execute *const executors[EU_EXECUTORS] = {
#define EU_EXECUTE(NAME) [EU_EXECUTE_##NAME] = eu_execute_##NAME,
#include "tables/eu_ops.def"
#undef EU_EXECUTE
};

static eu_semantics *const semantics[EU_OPS] = {
#define EU_OP(ID, MNEMONIC, IGA, SOURCES, FIRST, LAST, EXECUTE, SEMANTICS, ...) [EU_OP_##ID] = eu_alu_##SEMANTICS,
#include "tables/eu_ops.def"
#undef EU_OP
};

eu_execute *eu_handler(const struct eu_op *op)
{
    assert((unsigned)op->execute < EU_EXECUTORS);
    return executors[op->execute];
}

eu_semantics *eu_handler_semantics(const struct eu_op *op)
{
    assert(op >= eu_op_table && op < eu_op_table + EU_OPS);
    return semantics[op - eu_op_table];
}
