/* Selects Gen9's operations on groups of lanes: dot products of four, sums of absolute differences of two, and linear
 * functions, whose four coefficients are one operand for all lanes. Operands are contiguous regions of variables of
 * their own. */
#include "lower/codegen/select/select.h"

/* Copies the operand to registers of its own from a register boundary: a group would not read an immediate or a
 * splatted lane as its lanes. */
static struct macro_operand own_registers(struct selection *s, LLVMValueRef value, char sign)
{
    unsigned lanes = type_lanes(LLVMTypeOf(value));
    struct macro_operand from = operand_source(s, value, sign);
    enum visa_type type = cg_visa_type(type_element(LLVMTypeOf(value)), sign); /* of a byte: an immediate is a word */
    unsigned copy = cg_new_variable(s, type, lanes, s->platform->grf_bytes, NULL);
    struct macro_operand own = macro_region(copy, type, 0, lanes);
    legalize_move(s, lanes, own, from);
    return own;
}

/* Emits a plane in pieces of 8 or 16 lanes, whose second operand has twice as many. */
static void emit_planes(struct selection *s, const struct macro *w)
{
    enum { MOST_LANES = 16, LEAST_LANES = 8 };
    for (unsigned first = 0, n; first < w->lanes; first += n) {
        n = w->lanes - first >= MOST_LANES ? MOST_LANES : LEAST_LANES;
        unsigned bytes = visa_type_bytes(w->dst.type);
        struct visa_instruction plane = {.op = w->op, .exec_size = (uint8_t)n};
        plane.dst = (struct visa_operand){.kind = VISA_OPERAND_GENERAL,
                                          .type = w->dst.type,
                                          .variable = w->dst.variable,
                                          .offset = (int)(first * bytes),
                                          .region = {0, 0, 1}};
        plane.src[0] = plane.src[1] = plane.dst;
        plane.src[0].variable = w->src[0].variable;
        plane.src[0].offset = 0;
        plane.src[0].region = (struct visa_region){0, 4, 1};
        plane.src[1].variable = w->src[1].variable;
        plane.src[1].offset = (int)(2 * first * bytes);
        plane.src[1].region = (struct visa_region){1, 1, 0};
        cg_emit(s, &plane);
    }
}

bool select_group(struct selection *s, LLVMValueRef i)
{
    enum genx_id id = genx_call_id(i);
    char sign = id == GENX_SSAD2 ? 'S' : id == GENX_USAD2 ? 'U' : 'F';
    struct macro w = {.op = genx_operation(id), .lanes = type_lanes(LLVMTypeOf(i)), .sources = 2};
    w.src[0] = operand_source(s, LLVMGetOperand(i, 0), sign);
    w.src[1] = operand_source(s, LLVMGetOperand(i, 1), sign);
    w.dst = operand_destination(s, i, sign);
    bool is_linear = w.op == VISA_OP_LINE || w.op == VISA_OP_PLANE;
    for (unsigned n = 0; n < 2; n++)
        if (w.src[n].kind != MACRO_REGION || (n == 0 && is_linear))
            w.src[n] = own_registers(s, LLVMGetOperand(i, n), sign);
    if (is_linear) /* the four of them for each lane: <0;4,1>, as the finalizer has it */
        w.src[0].region = (struct region){0, 4, 0, (int)visa_type_bytes(w.src[0].type)};
    if (w.op == VISA_OP_PLANE)
        emit_planes(s, &w);
    else
        legalize_macro(s, &w);
    return true;
}
