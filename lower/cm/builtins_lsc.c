/* Lowers builtins of the load/store cache other than loads and stores: atomic operations and 2D blocks. */
#include "lower/cm/builtins.h"
#include "tables/lsc.h"

static LLVMValueRef number8(const struct cm_call *c, unsigned number)
{
    return LLVMConstInt(int_type(c, 8), number, false);
}
static LLVMValueRef number16(const struct cm_call *c, unsigned number)
{
    return LLVMConstInt(int_type(c, 16), number, false);
}

/* lsc.xatomic.*: predicate, operation, level 1, level 3, scale, offset, size, elements, order, channels, addresses,
 * operands, surface, old. */
LLVMValueRef cm_build_lsc_atomic(const struct cm_call *c, const struct cm_lsc_atomic *a, LLVMTypeRef result)
{
    enum { PLAIN = 1 };
    int64_t handle;
    bool shared = a->surface && constant_int(a->surface, &handle) && handle == SHARED_LOCAL_MEMORY;
    LLVMValueRef none = LLVMGetUndef(result);
    LLVMValueRef operands[] = {a->mask,
                               number8(c, a->operation),
                               number8(c, a->hints & 15),
                               number8(c, a->hints >> 4 & 15),
                               constant_i16(c->module, 1),
                               constant_i32(c->module, 0),
                               number8(c, a->size),
                               number8(c, 1),
                               number8(c, PLAIN),
                               number8(c, 0),
                               a->addresses,
                               a->sources[0] ? a->sources[0] : none,
                               a->sources[1] ? a->sources[1] : none,
                               a->surface && !shared ? a->surface : constant_i32(c->module, 0),
                               none};
    return build(c, shared ? GENX_LSC_XATOMIC_SLM : a->intrinsic, result, operands, sizeof operands / sizeof *operands);
}

/* `address`: number of the builtin's operand; `surface`: the same, or -1. */
static LLVMValueRef build_atomic(const struct cm_call *c, unsigned address, int surface)
{
    enum { HOW, OPERATION, MASK };
    unsigned how = constant_operand(c, HOW), sources = lsc_atomic_sources(constant_operand(c, OPERATION));
    struct cm_lsc_atomic a = {
        .operation = constant_operand(c, OPERATION),
        .hints = how & 255,
        .size = how >> 8 & 15,
        .mask = mask_bits(c, operand(c, MASK)),
        .addresses = operand(c, address),
        .sources = {sources > 0 ? operand(c, address + 1) : NULL, sources > 1 ? operand(c, address + 2) : NULL},
        .surface = surface >= 0 ? operand(c, (unsigned)surface) : NULL,
        .intrinsic = c->intrinsic};
    return cm_build_lsc_atomic(c, &a, c->result);
}

LLVMValueRef cm_lower_lsc_atomic(const struct cm_call *c)
{
    return build_atomic(c, 4, 3);
}
LLVMValueRef cm_lower_lsc_atomic_flat(const struct cm_call *c)
{
    return build_atomic(c, 3, -1);
}

/* lsc.*2d.stateless: predicate, level 1, level 3, size, order, blocks, width, height, VNNI, base, width, height, pitch,
 * x, y. */
static LLVMValueRef build_block_2d(const struct cm_call *c, LLVMValueRef value)
{
    enum { HOW, SHAPE, MATRIX, MATRIX_OPERANDS = 6, ROWS = 1, COLUMNS = 2, TRANSPOSED = 1, VNNI = 2 };
    unsigned how = constant_operand(c, HOW), shape = constant_operand(c, SHAPE), order = how >> 12, count = 0;
    LLVMValueRef on = LLVMConstInt(int_type(c, 1), 1, false), operands[16];
    operands[count++] = LLVMConstVector(&on, 1);
    operands[count++] = number8(c, how & 15);
    operands[count++] = number8(c, how >> 4 & 15);
    operands[count++] = number8(c, how >> 8 & 15);
    operands[count++] = number8(c, order == TRANSPOSED ? COLUMNS : ROWS);
    operands[count++] = number8(c, shape >> 16);
    operands[count++] = number16(c, shape & 255);
    operands[count++] = number16(c, shape >> 8 & 255);
    operands[count++] = number8(c, order == VNNI);
    for (unsigned k = 0; k < MATRIX_OPERANDS; k++)
        operands[count++] = operand(c, MATRIX + k);
    if (value)
        operands[count++] = value;
    return build(c, c->intrinsic, c->result, operands, count);
}

LLVMValueRef cm_lower_lsc_load_2d(const struct cm_call *c)
{
    return build_block_2d(c, NULL);
}
LLVMValueRef cm_lower_lsc_prefetch_2d(const struct cm_call *c)
{
    return build_block_2d(c, NULL);
}
LLVMValueRef cm_lower_lsc_store_2d(const struct cm_call *c)
{
    return build_block_2d(c, operand(c, 8));
}
