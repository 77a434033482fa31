/* Selects inline assembly: the user's vISA text with the names of variables for its operands. Outputs go to variables
 * of their own first, because inputs may be read later in the text. */
#include <string.h>
#include "lower/codegen/select/select.h"
#include "lower/ir/assembly_info.h"

/* Creates a variable like those of `type` for an output. */
static struct visa_operand new_output(struct selection *s, const struct assembly_operand *operand, LLVMTypeRef type)
{
    unsigned lanes = type_lanes(type);
    struct visa_operand o = {.kind = VISA_OPERAND_PREDICATE};
    if (operand->kind == ASSEMBLY_PREDICATE) {
        o.variable = cg_new_predicate(s, lanes);
        return o;
    }
    o.kind = operand->kind == ASSEMBLY_NAME ? VISA_OPERAND_NAME : VISA_OPERAND_GENERAL;
    o.type = cg_visa_type(type_element(type), operand->is_unsigned ? 'U' : 'S');
    o.variable = cg_new_variable(s, o.type, lanes, 0, NULL);
    o.region.hstride = 1;
    return o;
}

/* Prints a constant operand; false after an error. */
static bool constant_operand(struct selection *s, LLVMValueRef call, const struct assembly_operand *operand,
                             LLVMValueRef value, struct visa_operand *o)
{
    struct macro_operand constant = operand_source(s, value, operand->is_unsigned ? 'U' : 'S');
    int64_t number = 0;
    if (constant.kind != MACRO_IMMEDIATE || type_lanes(LLVMTypeOf(value)) != 1)
        return !cg_fail(s, call, "an operand of asm that must be a constant (i, n, F) is none");
    *o = macro_general_operand(&constant);
    if (operand->kind == ASSEMBLY_NUMBER) {
        o->kind = VISA_OPERAND_NUMBER;
        o->bits = constant_int(value, &number) ? (uint64_t)number : constant.bits;
    }
    return true;
}

/* Adds an input; an input that is the old value of an output is copied there. */
static bool input_operand(struct selection *s, LLVMValueRef call, const struct assembly_operand *operand,
                          LLVMValueRef value, const struct visa_operand *outputs, struct visa_operand *o)
{
    bool mask = type_is_mask(LLVMTypeOf(value));
    if (operand->kind == ASSEMBLY_IMMEDIATE || operand->kind == ASSEMBLY_NUMBER)
        return constant_operand(s, call, operand, value, o);
    unsigned variable = mask ? operand_mask_variable(s, value) : operand_value_variable(s, value);
    o->kind = mask ? VISA_OPERAND_PREDICATE : operand->kind == ASSEMBLY_NAME ? VISA_OPERAND_NAME : VISA_OPERAND_GENERAL;
    if (operand->tied >= 0) {
        select_move_value(s, value, outputs[operand->tied].variable, variable);
        variable = outputs[operand->tied].variable;
    }
    o->variable = variable;
    o->type = mask ? VISA_TYPE_UD : cg_visa_type(type_element(LLVMTypeOf(value)), operand->is_unsigned ? 'U' : 'S');
    bool one = type_lanes(LLVMTypeOf(value)) == 1;
    o->region = (struct visa_region){one ? 0 : 1, 1, 0};
    return true;
}

/* Copies an output to its value. */
static void take_output(struct selection *s, LLVMValueRef value, unsigned from)
{
    select_move_value(
        s, value, type_is_mask(LLVMTypeOf(value)) ? operand_mask_variable(s, value) : operand_value_variable(s, value),
        from);
}

bool select_assembly(struct selection *s, LLVMValueRef i)
{
    struct assembly a;
    if (!assembly_is(i))
        return false;
    if (!assembly_of(i, &a)) {
        s->failed = true;
        return true;
    }
    struct visa_operand *operands = visa_alloc(s->program, (a.count + 1) * sizeof *operands);
    LLVMTypeRef type = LLVMTypeOf(i);
    for (unsigned k = 0; k < a.outputs; k++)
        operands[k] = new_output(s, &a.operands[k], a.outputs > 1 ? LLVMStructGetTypeAtIndex(type, k) : type);
    for (unsigned k = a.outputs; k < a.count; k++)
        if (!input_operand(s, i, &a.operands[k], LLVMGetOperand(i, k - a.outputs), operands, &operands[k]))
            return true;
    char *text = visa_alloc(s->program, a.length + 1);
    memcpy(text, a.text, a.length);
    struct visa_instruction m = {.op = VISA_OP_ASSEMBLY, .exec_size = 1, .parameters = operands, .text = text};
    m.parameter_count = a.count;
    m.attr[0] = (int)a.outputs;
    s->out->uses_stateless = true; /* it may */
    s->out->has_barrier |= strstr(text, "barrier") != NULL;
    cg_emit(s, &m);
    s->assembly.call = i;
    s->assembly.operands = operands;
    if (a.outputs == 1)
        take_output(s, i, operands[0].variable);
    return true;
}

bool select_assembly_output(struct selection *s, LLVMValueRef i)
{
    if (LLVMGetOperand(i, 0) != s->assembly.call)
        return false;
    take_output(s, i, s->assembly.operands[LLVMGetIndices(i)[0]].variable);
    return true;
}
