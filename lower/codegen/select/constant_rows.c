/* Finds operations with a constant that is one number in each row of lanes, and not the same in all rows. A register
 * for such a constant takes a move for each row. Row by row, the operation reads the number as an immediate. */
#include "lower/codegen/legalize/region_fit.h"
#include "lower/codegen/select/select.h"

enum { LEAST_ROW = 8, MOST_USES = 16 };

/* Returns the lanes of a row of equal numbers, a power of two; 0: rows are short, or all numbers are equal. */
static unsigned row_of(LLVMValueRef constant)
{
    unsigned lanes = type_lanes(LLVMTypeOf(constant)), row = lanes & (0 - lanes);
    uint64_t number = 0, lane, one;
    bool undefined;
    if (constant_splat_bits(constant, &one)) /* an immediate of any instruction */
        return 0;
    for (unsigned k = 0; k < lanes && row >= LEAST_ROW; k++) {
        if (!constant_lane(constant, k, &lane, &undefined) || undefined)
            return 0;
        while (k % row != 0 && lane != number)
            row /= 2;
        number = lane;
    }
    return row >= LEAST_ROW && row < lanes ? row : 0;
}

static unsigned uses_in(LLVMValueRef constant, LLVMValueRef function)
{
    unsigned uses = 0, looked = 0;
    for (LLVMUseRef use = LLVMGetFirstUse(constant); use && looked < MOST_USES; use = LLVMGetNextUse(use), looked++) {
        LLVMValueRef user = LLVMGetUser(use);
        uses += LLVMIsAInstruction(user) && LLVMGetBasicBlockParent(LLVMGetInstructionParent(user)) == function;
    }
    return uses;
}

unsigned select_constant_rows(const struct selection *s, LLVMValueRef operation)
{
    enum { MOST_LANES = 32 };
    LLVMValueRef constant = LLVMGetOperand(operation, 1);
    LLVMTypeRef type = LLVMTypeOf(constant);
    unsigned bits = type_element_bits(type), row, lanes = type_lanes(type);
    bool has_immediates = type_is_float(type) ? bits == 32 : bits == 16 || bits == 32;
    if (!LLVMIsConstant(constant) || !has_immediates || lanes < 2 * LEAST_ROW || !(row = row_of(constant)))
        return 0;
    unsigned most = 2 * s->platform->grf_bytes / (bits / 8), rows = lanes / row, uses = uses_in(constant, s->function);
    most = most < MOST_LANES ? most : MOST_LANES;
    unsigned whole = (lanes + most - 1) / most, by_rows = rows * ((row + most - 1) / most);
    bool pays = by_rows <= whole || (by_rows - whole) * uses < rows;
    bool may_pay = by_rows <= whole || !cfg_is_in_loop(&s->cfg, s->block); /* before a loop, a register is built once */
    return pays && may_pay ? row : 0;
}

bool select_lanes_from(const struct macro_operand *o, unsigned first, unsigned lanes, struct macro_operand *out)
{
    const struct region *r = &o->region;
    *out = *o;
    if (o->kind == MACRO_IMMEDIATE || (o->kind == MACRO_REGION && r->vstride == 0 && r->width == 1))
        return true;
    if (o->kind != MACRO_REGION)
        return false;
    out->region.offset = region_lane(r, first);
    if (first + lanes <= r->width)
        out->region = (struct region){out->region.offset, lanes, 0, r->hstride};
    return first + lanes <= r->width || (first % r->width == 0 && lanes % r->width == 0);
}
