/* Derives predicates in goto loops (goto_loops.h): the lanes of a mask among the enabled channels. */
#include "lower/codegen/emit/emit.h"

#include <assert.h>
#include "lower/codegen/emit/mask_emit.h"
#include "lower/codegen/operands/operands.h"

/* The active lanes of a mask: all of them, those of a predicate, or its complement. */
struct channel_mask {
    bool all;
    unsigned predicate;
    bool inverse;
};

static unsigned compute_mask(struct selection *s, enum visa_opcode op, unsigned lanes, unsigned a, unsigned b)
{
    unsigned out = cg_new_predicate(s, lanes);
    cg_channel_logic(s, op, lanes, out, a, b);
    return out;
}

static unsigned without_inverse(struct selection *s, unsigned lanes, struct channel_mask t)
{
    return t.inverse ? compute_mask(s, VISA_OP_NOT, lanes, t.predicate, 0) : t.predicate;
}

static struct channel_mask empty_mask(struct selection *s, unsigned lanes)
{
    struct channel_mask t = {.predicate = cg_new_predicate(s, lanes)};
    cg_bits_to_mask(s, t.predicate, (struct visa_operand){.kind = VISA_OPERAND_IMMEDIATE, .type = VISA_TYPE_UD});
    return t;
}

static struct channel_mask combine(struct selection *s, LLVMOpcode op, unsigned lanes, struct channel_mask a,
                                   struct channel_mask b)
{
    if (op == LLVMXor && a.all && b.all)
        return empty_mask(s, lanes);
    if (op == LLVMXor && (a.all || b.all)) {
        struct channel_mask other = a.all ? b : a;
        other.inverse = !other.inverse;
        return other;
    }
    if (a.all || b.all) /* and: the other one; or: all */
        return op == LLVMAnd ? (a.all ? b : a) : (a.all ? a : b);
    if (op == LLVMXor)
        return (struct channel_mask){.predicate = compute_mask(s, VISA_OP_XOR, lanes, a.predicate, b.predicate),
                                     .inverse = a.inverse != b.inverse};
    unsigned x = without_inverse(s, lanes, a), y = without_inverse(s, lanes, b);
    return (struct channel_mask){.predicate = compute_mask(s, op == LLVMAnd ? VISA_OP_AND : VISA_OP_OR, lanes, x, y)};
}

/* Returns the lanes of a mask, recursively; goto_loops_plan() guarantees that this ends. Results are cached within a
 * block. */
static struct channel_mask derive(struct selection *s, LLVMValueRef mask)
{
    if (mask == s->channels.live[s->block])
        return (struct channel_mask){.all = true};
    if (!goto_loops_is_mask(&s->channels, mask))
        return (struct channel_mask){.predicate = operand_mask_variable(s, mask)};
    for (unsigned k = 0; k < s->channel_mask_count; k++)
        if (s->channel_masks[k].mask == mask)
            return (struct channel_mask){.predicate = s->channel_masks[k].predicate,
                                         .inverse = s->channel_masks[k].inverse};
    struct channel_mask a = derive(s, LLVMGetOperand(mask, 0)), b = derive(s, LLVMGetOperand(mask, 1)),
                        t = combine(s, LLVMGetInstructionOpcode(mask), type_lanes(LLVMTypeOf(mask)), a, b);
    if (!t.all && s->channel_mask_count < sizeof s->channel_masks / sizeof *s->channel_masks) {
        s->channel_masks[s->channel_mask_count].mask = mask;
        s->channel_masks[s->channel_mask_count].predicate = t.predicate;
        s->channel_masks[s->channel_mask_count++].inverse = t.inverse;
    }
    return t;
}

struct macro_operand operand_channel(struct selection *s, LLVMValueRef mask)
{
    assert(goto_loops_is_mask(&s->channels, mask));
    struct channel_mask t = derive(s, mask);
    return (struct macro_operand){
        .kind = MACRO_MASK, .channels = true, .variable = t.all ? VISA_NULL : t.predicate, .inverse = t.inverse};
}
