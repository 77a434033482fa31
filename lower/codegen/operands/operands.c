/* Turns LLVM values into operands of macro instructions: see operands.h. */
#include "lower/codegen/operands/operands.h"

#include <assert.h>
#include <string.h>

#include "lower/codegen/bale/bale.h"
#include "lower/codegen/bale/interference.h"
#include "lower/codegen/emit/emit.h"
#include "lower/codegen/emit/mask_emit.h"
#include "lower/codegen/legalize/legalize.h"
#include "lower/codegen/operands/scattered.h"
#include "lower/ir/fault.h"

unsigned operand_value_variable(struct selection *s, LLVMValueRef llvm)
{
    assert(!type_is_mask(LLVMTypeOf(llvm)));
    struct cg_value *v = bale_value_root(s, llvm);
    if (!v)
        return operand_constant_variable(s, llvm);
    struct cg_value *class = interference_value_class(s, v);
    if (!class->variable) {
        LLVMTypeRef element = type_element(LLVMTypeOf(v->llvm));
        enum visa_type type = cg_visa_type(element, 'S');
        size_t length;
        const char *name = LLVMGetValueName2(v->llvm, &length);
        class->variable = cg_new_variable(s, type, (v->bytes + visa_type_bytes(type) - 1) / visa_type_bytes(type), 0,
                                          length ? visa_string(s->program, name) : NULL);
    }
    return class->variable;
}

/* Sets a constant mask once for consecutive uses in a block, as in a run of merges. (Nothing writes to constants.) */
static unsigned constant_mask(struct selection *s, LLVMValueRef mask, unsigned lanes)
{
    if (s->last_mask.constant != mask) {
        s->last_mask.constant = mask;
        s->last_mask.variable = cg_new_mask(s, lanes);
        cg_set_constant_mask(s, s->last_mask.variable, mask, lanes);
    }
    return s->last_mask.variable;
}

unsigned operand_mask_variable(struct selection *s, LLVMValueRef mask)
{
    assert(type_is_mask(LLVMTypeOf(mask)));
    struct cg_value *v = bale_value_root(s, mask);
    unsigned lanes = type_lanes(LLVMTypeOf(mask));
    if (!v)
        return constant_mask(s, mask, lanes);
    struct cg_value *class = interference_value_class(s, v);
    if (!class->variable)
        class->variable = cg_new_mask(s, lanes);
    return class->variable;
}

bool operand_share_mask_parts(struct selection *s, LLVMValueRef mask)
{
    assert(type_is_mask(LLVMTypeOf(mask)) && bale_value_root(s, mask));
    const struct cg_value *class = interference_value_class(s, bale_value_root(s, mask));
    unsigned members = 0, first = operand_mask_variable(s, mask);
    for (size_t k = 0; k < s->value_count; k++)
        members += interference_value_class(s, &s->values[k]) == class;
    if (members > 1)
        return false;
    for (unsigned part = 1; part < cg_mask_parts(type_lanes(LLVMTypeOf(mask))); part++) {
        struct cg_shared_part shared = {first + part, first};
        ARRAY_PUSH(s->shared_parts, s->shared_part_count, s->shared_part_capacity, shared);
    }
    return true;
}

/* Returns a number whose bits are the lane: 0 or all ones. It is kept for the block, because flags are few. */
static unsigned bits_of_lane(struct selection *s, LLVMValueRef lane)
{
    for (unsigned k = 0; k < s->broadcast_count; k++)
        if (s->broadcasts[k].lane == lane)
            return s->broadcasts[k].bits;
    unsigned bits = cg_new_variable(s, VISA_TYPE_UD, 1, 0, NULL), one = operand_mask_variable(s, lane);
    struct macro sel = {.op = VISA_OP_SEL, .lanes = 1, .dst = macro_scalar(bits, VISA_TYPE_UD, 0), .sources = 2};
    sel.predicate = (struct macro_operand){.kind = MACRO_MASK, .variable = one};
    sel.src[0] = macro_immediate(VISA_TYPE_UD, 0xffffffff);
    sel.src[1] = macro_immediate(VISA_TYPE_UD, 0);
    legalize_macro(s, &sel);
    if (s->broadcast_count == KNOWN_BROADCASTS)
        memmove(s->broadcasts, s->broadcasts + 1, --s->broadcast_count * sizeof *s->broadcasts);
    s->broadcasts[s->broadcast_count].lane = lane;
    s->broadcasts[s->broadcast_count++].bits = bits;
    return bits;
}

/* Copies one lane to those of one predicate, through a general register. One predicate serves all parts of a wider
 * mask, and operations of the block up to the next lane's. */
static unsigned broadcast_mask(struct selection *s, LLVMValueRef lane, unsigned lanes)
{
    lanes = lanes < MASK_PART_LANES ? lanes : MASK_PART_LANES;
    if (s->last_broadcast.lane == lane && s->last_broadcast.lanes >= lanes)
        return s->last_broadcast.variable;
    unsigned all = cg_new_mask(s, lanes);
    struct macro_operand from = macro_scalar(bits_of_lane(s, lane), VISA_TYPE_UD, 0);
    cg_bits_to_mask(s, all, macro_general_operand(&from));
    s->last_broadcast.lane = lane;
    s->last_broadcast.variable = all;
    s->last_broadcast.lanes = lanes;
    return all;
}

struct macro_operand operand_mask(struct selection *s, LLVMValueRef mask, unsigned lanes)
{
    assert(type_is_mask(LLVMTypeOf(mask)) && lanes >= 1);
    if (goto_loops_is_mask(&s->channels, mask))
        return operand_channel(s, mask);
    struct cg_value *v = bale_value(s, mask);
    struct bale_derived_mask said;
    if (v && v->inlined && bale_derive_mask(mask, &said)) {
        struct macro_operand o = operand_mask(s, said.by, lanes);
        assert(!o.uniform); /* what masks are derived from has several lanes */
        o.lane += said.first;
        o.variable += o.lane / MASK_PART_LANES;
        o.lane %= MASK_PART_LANES;
        o.inverse = o.inverse != said.inverse;
        return o;
    }
    if (v && v->inlined)
        return operand_combined_mask(s, mask);
    if (type_lanes(LLVMTypeOf(mask)) == 1 && lanes > 1)
        return (struct macro_operand){.kind = MACRO_MASK, .variable = broadcast_mask(s, mask, lanes), .uniform = true};
    return (struct macro_operand){.kind = MACRO_MASK, .variable = operand_mask_variable(s, mask)};
}

struct macro_operand operand_combined_mask(struct selection *s, LLVMValueRef combination)
{
    assert(genx_call_id(combination) == GENX_ANY || genx_call_id(combination) == GENX_ALL);
    LLVMValueRef mask = LLVMGetOperand(combination, 0);
    struct cg_value *v = bale_value(s, mask);
    struct bale_derived_mask said;
    bool any = genx_call_id(combination) == GENX_ANY, is_derived = v && v->inlined && bale_derive_mask(mask, &said);
    struct macro_operand o = {.kind = MACRO_MASK};
    if (is_derived)
        o = operand_mask(s, mask, type_lanes(LLVMTypeOf(mask)));
    else
        o.variable = operand_mask_variable(s, mask);
    o.control = any != o.inverse ? VISA_PRED_ANY : VISA_PRED_ALL; /* the lanes are combined first, then the result is
                                                                   * inverted: any lane off, not all lanes on */
    return o;
}

/* Returns the operand of a baled value. */
static struct macro_operand inlined_source(struct selection *s, LLVMValueRef i, char sign)
{
    enum genx_id id = genx_call_id(i);
    if (genx_is(id, KIND_GROUP_ID))
        return macro_scalar(VISA_GROUP_ID_X + (id - GENX_GROUP_ID_X), VISA_TYPE_UD, 0);
    LLVMValueRef inner = LLVMGetOperand(i, 0);
    LLVMTypeRef element = type_element(LLVMTypeOf(i));
    unsigned bytes = type_element_bytes(element);
    struct region r;
    if (region_is_read(i) || LLVMIsAExtractElementInst(i) || LLVMIsAShuffleVectorInst(i)) {
        int64_t lane = 0;
        struct cg_value *v = bale_value(s, inner);
        if (LLVMIsAShuffleVectorInst(i) && v && v->inlined) /* a scalar put into lane 0 */
            return operand_source(s, inner, sign);
        if (region_is_read(i) && !region_of_call(i, &r)) {
            unsigned lanes = type_lanes(LLVMTypeOf(i));
            bool in_place = operand_is_read_in_place(s, i);
            if (in_place && s->lanes_first && LLVMGetOperand(s->current, 0) == inner &&
                type_lanes(LLVMTypeOf(LLVMGetOperand(s->current, 1))) == lanes)
                return macro_region(s->lanes_first, cg_visa_type(element, sign), 0, lanes);
            bool per_lane = type_lanes(LLVMTypeOf(LLVMGetOperand(i, 4))) > 1;
            struct macro_operand o =
                operand_address(s, operand_value_variable(s, inner), element,
                                per_lane ? (struct region){0, 1, 0, 0} : r, LLVMGetOperand(i, 4), lanes);
            o.type = cg_visa_type(element, sign);
            if (!per_lane && (!in_place || s->lanes_first))
                operand_address_scattered_lanes(s, &o, lanes);
            return o;
        }
        if (region_is_read(i))
            region_of_call(i, &r);
        else if (LLVMIsAShuffleVectorInst(i))
            bale_shuffle_region(i, &r);
        else if (constant_int(LLVMGetOperand(i, 1), &lane))
            r = (struct region){(int)(lane * bytes), 1, 0, 0};
        struct macro_operand o = macro_scalar(operand_value_variable(s, inner), cg_visa_type(element, sign), 0);
        o.region = r;
        return o;
    }
    if (LLVMIsAInsertElementInst(i)) {
        struct macro_operand o = operand_source(s, LLVMGetOperand(i, 1), sign);
        o.region = (struct region){o.region.offset, 1, 0, 0};
        return o;
    }
    bool known = LLVMIsAZExtInst(i) || LLVMIsASExtInst(i) || LLVMIsATruncInst(i) || LLVMIsAUnaryOperator(i) ||
                 id == GENX_ABSF || id == GENX_ABSI || ir_is_complement(i);
    if (!known)
        cg_fail(s, i, LOWER_FAULT("an operand"));
    char from = LLVMIsAZExtInst(i) ? 'U' : LLVMIsASExtInst(i) || id == GENX_ABSI ? 'S' : sign;
    struct macro_operand o = operand_source(s, inner, from);
    if (LLVMIsATruncInst(i))
        o.type = cg_visa_type(element, sign);
    else if (LLVMIsAUnaryOperator(i))
        o.modifier ^= VISA_MODIFIER_NEGATE;
    else if (id == GENX_ABSF || id == GENX_ABSI)
        macro_make_absolute(&o);
    else if (ir_is_complement(i))
        o.modifier = VISA_MODIFIER_NOT;
    return o;
}

struct macro_operand operand_source(struct selection *s, LLVMValueRef value, char sign)
{
    assert(sign == 'U' || sign == 'S' || sign == 'F');
    LLVMTypeRef type = LLVMTypeOf(value), element = type_element(type);
    struct cg_value *v = bale_value(s, value);
    uint64_t bits;
    if (!v && constant_splat_bits(value, &bits))
        return macro_immediate_of(element, bits, sign);
    if (v && v->inlined)
        return inlined_source(s, value, sign);
    struct cg_value *root = bale_value_root(s, value);
    if (root && root->inlined) /* a renamed value has no baled operand: bale.c guarantees it */
        cg_fail(s, value, LOWER_FAULT("a value under another type"));
    return macro_region(operand_value_variable(s, value), cg_visa_type(element, sign), 0, type_lanes(type));
}

struct macro_operand operand_destination(struct selection *s, LLVMValueRef value, char sign)
{
    assert(sign == 'U' || sign == 'S' || sign == 'F');
    LLVMTypeRef type = LLVMTypeOf(value);
    return macro_region(operand_value_variable(s, value), cg_visa_type(type_element(type), sign), 0, type_lanes(type));
}
