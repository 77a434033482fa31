/* Turns LLVM values into operands of macro instructions: see operands.h. */
#include "lower/codegen/operands/operands.h"

#include "lower/codegen/bale/bale.h"
#include "lower/codegen/bale/interference.h"
#include "lower/codegen/emit/emit.h"
#include "lower/codegen/emit/mask_emit.h"
#include "lower/codegen/legalize/legalize.h"
#include "lower/codegen/operands/scattered.h"
#include "lower/ir/fault.h"

unsigned value_variable(struct selection *s, LLVMValueRef llvm)
{
    struct value *v = value_root(s, llvm);
    if (!v)
        return constant_variable(s, llvm);
    struct value *class = value_class(s, v);
    if (!class->variable) {
        LLVMTypeRef element = type_element(LLVMTypeOf(v->llvm));
        enum visa_type type = visa_type_of(element, 'S');
        size_t length;
        const char *name = LLVMGetValueName2(v->llvm, &length);
        class->variable = new_variable(s, type, (v->bytes + visa_type_bytes(type) - 1) / visa_type_bytes(type), 0,
                                       length ? visa_string(s->program, name) : NULL);
    }
    return class->variable;
}

/* Sets a constant mask once for consecutive uses in a block, as in a run of merges. (Nothing writes to constants.) */
static unsigned constant_mask(struct selection *s, LLVMValueRef mask, unsigned lanes)
{
    if (s->last_mask.constant != mask) {
        s->last_mask.constant = mask;
        s->last_mask.variable = new_mask(s, lanes);
        set_constant_mask(s, s->last_mask.variable, mask, lanes);
    }
    return s->last_mask.variable;
}

unsigned mask_variable(struct selection *s, LLVMValueRef mask)
{
    struct value *v = value_root(s, mask);
    unsigned lanes = type_lanes(LLVMTypeOf(mask));
    if (!v)
        return constant_mask(s, mask, lanes);
    struct value *class = value_class(s, v);
    if (!class->variable)
        class->variable = new_mask(s, lanes);
    return class->variable;
}

bool share_mask_parts(struct selection *s, LLVMValueRef mask)
{
    const struct value *class = value_class(s, value_root(s, mask));
    unsigned members = 0, first = mask_variable(s, mask);
    for (size_t k = 0; k < s->value_count; k++)
        members += value_class(s, &s->values[k]) == class;
    if (members > 1)
        return false;
    for (unsigned part = 1; part < mask_parts(type_lanes(LLVMTypeOf(mask))); part++) {
        struct shared_part shared = {first + part, first};
        ARRAY_PUSH(s->shared_parts, s->shared_part_count, s->shared_part_capacity, shared);
    }
    return true;
}

/* Copies one lane to all: 0 or all ones through a general register. */
static unsigned broadcast_mask(struct selection *s, unsigned one, unsigned lanes)
{
    unsigned bits = new_variable(s, VISA_TYPE_UD, 1, 0, NULL), first = new_mask(s, lanes);
    struct wide sel = {.op = VISA_OP_SEL, .lanes = 1, .dst = wide_scalar(bits, VISA_TYPE_UD, 0), .sources = 2};
    sel.predicate = (struct wide_operand){.kind = WIDE_MASK, .variable = one};
    sel.src[0] = wide_immediate(VISA_TYPE_UD, 0xffffffff);
    sel.src[1] = wide_immediate(VISA_TYPE_UD, 0);
    wide_emit(s, &sel);
    struct wide_operand from = wide_scalar(bits, VISA_TYPE_UD, 0);
    for (unsigned part = 0; part < mask_parts(lanes); part++)
        bits_to_mask(s, first + part, general_operand(&from));
    return first;
}

struct wide_operand mask_operand(struct selection *s, LLVMValueRef mask, unsigned lanes)
{
    if (is_channel_mask(&s->channels, mask))
        return channel_operand(s, mask);
    struct value *v = value_of(s, mask);
    struct said_mask said;
    if (v && v->inlined && say_mask(mask, &said)) {
        struct wide_operand o = mask_operand(s, said.by, lanes);
        o.lane += said.first;
        o.variable += o.lane / MASK_PART_LANES;
        o.lane %= MASK_PART_LANES;
        o.inverse = o.inverse != said.inverse;
        return o;
    }
    if (v && v->inlined)
        return combined_mask(s, mask);
    unsigned variable = mask_variable(s, mask);
    if (type_lanes(LLVMTypeOf(mask)) == 1 && lanes > 1)
        variable = broadcast_mask(s, variable, lanes);
    return (struct wide_operand){.kind = WIDE_MASK, .variable = variable};
}

struct wide_operand combined_mask(struct selection *s, LLVMValueRef combination)
{
    LLVMValueRef mask = LLVMGetOperand(combination, 0);
    struct value *v = value_of(s, mask);
    struct said_mask said;
    bool any = genx_call_id(combination) == GENX_ANY, is_said = v && v->inlined && say_mask(mask, &said);
    struct wide_operand o = {.kind = WIDE_MASK};
    if (is_said)
        o = mask_operand(s, mask, type_lanes(LLVMTypeOf(mask)));
    else
        o.variable = mask_variable(s, mask);
    o.control = any != o.inverse ? VISA_PRED_ANY : VISA_PRED_ALL; /* the lanes are combined first, then the result is
                                                                   * inverted: any lane off, not all lanes on */
    return o;
}

/* Returns the operand of a baled value. */
static struct wide_operand inlined_source(struct selection *s, LLVMValueRef i, char sign)
{
    enum genx_id id = genx_call_id(i);
    if (genx_is(id, KIND_GROUP_ID))
        return wide_scalar(VISA_GROUP_ID_X + (id - GENX_GROUP_ID_X), VISA_TYPE_UD, 0);
    LLVMValueRef inner = LLVMGetOperand(i, 0);
    LLVMTypeRef element = type_element(LLVMTypeOf(i));
    unsigned bytes = type_element_bytes(element);
    struct region r;
    if (is_rdregion(i) || LLVMIsAExtractElementInst(i) || LLVMIsAShuffleVectorInst(i)) {
        int64_t lane = 0;
        struct value *v = value_of(s, inner);
        if (LLVMIsAShuffleVectorInst(i) && v && v->inlined) /* a scalar put into lane 0 */
            return source(s, inner, sign);
        if (is_rdregion(i) && !region_of_call(i, &r)) {
            unsigned lanes = type_lanes(LLVMTypeOf(i));
            bool per_lane = type_lanes(LLVMTypeOf(LLVMGetOperand(i, 4))) > 1;
            struct wide_operand o =
                address_operand(s, value_variable(s, inner), element, per_lane ? (struct region){0, 1, 0, 0} : r,
                                LLVMGetOperand(i, 4), lanes);
            o.type = visa_type_of(element, sign);
            if (!per_lane)
                address_scattered_lanes(s, &o, lanes);
            return o;
        }
        if (is_rdregion(i))
            region_of_call(i, &r);
        else if (LLVMIsAShuffleVectorInst(i))
            shuffle_region(i, &r);
        else if (constant_int(LLVMGetOperand(i, 1), &lane))
            r = (struct region){(int)(lane * bytes), 1, 0, 0};
        struct wide_operand o = wide_scalar(value_variable(s, inner), visa_type_of(element, sign), 0);
        o.region = r;
        return o;
    }
    if (LLVMIsAInsertElementInst(i)) {
        struct wide_operand o = source(s, LLVMGetOperand(i, 1), sign);
        o.region = (struct region){o.region.offset, 1, 0, 0};
        return o;
    }
    bool known = LLVMIsAZExtInst(i) || LLVMIsASExtInst(i) || LLVMIsATruncInst(i) || LLVMIsAUnaryOperator(i) ||
                 id == GENX_ABSF || id == GENX_ABSI;
    if (!known)
        select_fail(s, i, LOWER_FAULT("an operand"));
    char from = LLVMIsAZExtInst(i) ? 'U' : LLVMIsASExtInst(i) || id == GENX_ABSI ? 'S' : sign;
    struct wide_operand o = source(s, inner, from);
    if (LLVMIsATruncInst(i))
        o.type = visa_type_of(element, sign);
    else if (LLVMIsAUnaryOperator(i))
        o.modifier ^= VISA_MODIFIER_NEGATE;
    else if (id == GENX_ABSF || id == GENX_ABSI)
        make_absolute(&o);
    return o;
}

struct wide_operand source(struct selection *s, LLVMValueRef value, char sign)
{
    LLVMTypeRef type = LLVMTypeOf(value), element = type_element(type);
    struct value *v = value_of(s, value);
    uint64_t bits;
    if (!v && splat_bits(value, &bits))
        return immediate_of(element, bits, sign);
    if (v && v->inlined)
        return inlined_source(s, value, sign);
    struct value *root = value_root(s, value);
    if (root && root->inlined) /* a renamed value has no baled operand: bale.c guarantees it */
        select_fail(s, value, LOWER_FAULT("a value under another type"));
    return wide_region(value_variable(s, value), visa_type_of(element, sign), 0, type_lanes(type));
}

struct wide_operand destination(struct selection *s, LLVMValueRef value, char sign)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    return wide_region(value_variable(s, value), visa_type_of(type_element(type), sign), 0, type_lanes(type));
}
