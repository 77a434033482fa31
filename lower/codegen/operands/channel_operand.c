/* Derives predicates in goto loops (goto_loops.h): the lanes of a mask among the enabled channels. */
#include "lower/codegen/emit/emit.h"
#include "lower/codegen/emit/mask_emit.h"
#include "lower/codegen/operands/operands.h"

/* The active lanes of a mask: all of them, those of a predicate, or its complement. */
struct told {
    bool all;
    unsigned predicate;
    bool inverse;
};

static unsigned computed(struct selection *s, enum visa_opcode op, unsigned lanes, unsigned a, unsigned b)
{
    unsigned out = cg_new_predicate(s, lanes);
    cg_channel_logic(s, op, lanes, out, a, b);
    return out;
}

static unsigned upright(struct selection *s, unsigned lanes, struct told t)
{
    return t.inverse ? computed(s, VISA_OP_NOT, lanes, t.predicate, 0) : t.predicate;
}

static struct told no_lane(struct selection *s, unsigned lanes)
{
    struct told t = {.predicate = cg_new_predicate(s, lanes)};
    cg_bits_to_mask(s, t.predicate, (struct visa_operand){.kind = VISA_OPERAND_IMMEDIATE, .type = VISA_TYPE_UD});
    return t;
}

static struct told combined(struct selection *s, LLVMOpcode op, unsigned lanes, struct told a, struct told b)
{
    if (op == LLVMXor && a.all && b.all)
        return no_lane(s, lanes);
    if (op == LLVMXor && (a.all || b.all)) {
        struct told other = a.all ? b : a;
        other.inverse = !other.inverse;
        return other;
    }
    if (a.all || b.all) /* and: the other one; or: all */
        return op == LLVMAnd ? (a.all ? b : a) : (a.all ? a : b);
    if (op == LLVMXor)
        return (struct told){.predicate = computed(s, VISA_OP_XOR, lanes, a.predicate, b.predicate),
                             .inverse = a.inverse != b.inverse};
    unsigned x = upright(s, lanes, a), y = upright(s, lanes, b);
    return (struct told){.predicate = computed(s, op == LLVMAnd ? VISA_OP_AND : VISA_OP_OR, lanes, x, y)};
}

/* Returns the lanes of a mask, recursively; goto_loops_plan() guarantees that this ends. Results are cached within a
 * block. */
static struct told tell(struct selection *s, LLVMValueRef mask)
{
    if (mask == s->channels.live[s->block])
        return (struct told){.all = true};
    if (!goto_loops_is_mask(&s->channels, mask))
        return (struct told){.predicate = operand_mask_variable(s, mask)};
    for (unsigned k = 0; k < s->told_count; k++)
        if (s->told[k].mask == mask)
            return (struct told){.predicate = s->told[k].predicate, .inverse = s->told[k].inverse};
    struct told a = tell(s, LLVMGetOperand(mask, 0)), b = tell(s, LLVMGetOperand(mask, 1)),
                t = combined(s, LLVMGetInstructionOpcode(mask), type_lanes(LLVMTypeOf(mask)), a, b);
    if (!t.all && s->told_count < sizeof s->told / sizeof *s->told) {
        s->told[s->told_count].mask = mask;
        s->told[s->told_count].predicate = t.predicate;
        s->told[s->told_count++].inverse = t.inverse;
    }
    return t;
}

struct macro_operand operand_channel(struct selection *s, LLVMValueRef mask)
{
    struct told t = tell(s, mask);
    return (struct macro_operand){
        .kind = WIDE_MASK, .channels = true, .variable = t.all ? VISA_NULL : t.predicate, .inverse = t.inverse};
}
