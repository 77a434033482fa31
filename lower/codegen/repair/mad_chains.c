/* Orders sums of products chain by chain. Operations on several registers alternate between chains of sums: the first
 * part of one, the second part, the first part of the next. The finalizer makes `mac` of a mad whose sum is the mad
 * just before it. Operands of mac may repeat lanes (<0;8,1>); for mad it would copy such lanes first. Where a platform
 * has no mad of words, mac saves the product's instruction. */
#include <stdlib.h>
#include <string.h>
#include "lower/codegen/repair/repair.h"
#include "visa_emit/place.h"

enum { MOST_INSTRUCTIONS = 128, LEAST_LANES = 8, LEAST_MADS = 3, LEAST_WORD_MADS = 2, WORD_LANES = 16 };

/* Instructions without branch, label or message between them. */
struct window {
    const struct visa_instruction *instructions;
    size_t count, order[MOST_INSTRUCTIONS];
    bool taken[MOST_INSTRUCTIONS];
};

/* True for a constant of one lane, such as a factor. */
static bool is_constant(const struct visa_instruction *i)
{
    return i->op == VISA_OP_MOV && i->exec_size == 1 && i->src[0].kind == VISA_OPERAND_IMMEDIATE;
}

/* True for sums and products, of floats or of words, that change nothing but their result; with words for constants
 * too. */
static bool may_move(const struct visa_instruction *i, bool words)
{
    bool sum = i->op == VISA_OP_ADD || i->op == VISA_OP_MUL || i->op == VISA_OP_MAD;
    bool type = words ? i->dst.type == VISA_TYPE_W || i->dst.type == VISA_TYPE_UW : i->dst.type == VISA_TYPE_F;
    if (!(sum && type && i->exec_size >= LEAST_LANES) && !(words && is_constant(i)))
        return false;
    if (i->predicate.variable != VISA_NULL || i->condition != VISA_COND_NONE || !visa_place_is_simple(&i->dst))
        return false;
    for (unsigned k = 0; k < VISA_MAX_SOURCES; k++)
        if (!visa_place_is_simple(&i->src[k]))
            return false;
    return true;
}

/* True for a mad with an operand whose lanes repeat, in rows or one by one. */
static bool repeats_lanes(const struct visa_instruction *i)
{
    for (unsigned k = 0; k < 2 && i->op == VISA_OP_MAD; k++) {
        const struct visa_region *r = &i->src[k].region;
        if (i->src[k].kind == VISA_OPERAND_GENERAL && r->width > 1 && r->width < i->exec_size &&
            (r->vstride == 0 || r->hstride == 0))
            return true;
    }
    return false;
}

static bool is_ready(const struct window *w, size_t number)
{
    for (size_t k = 0; k < number; k++)
        if (!w->taken[k] && visa_place_depends(&w->instructions[number], &w->instructions[k]))
            return false;
    return true;
}

static bool is_word_mad(const struct visa_instruction *i)
{
    return i->op == VISA_OP_MAD && i->dst.type != VISA_TYPE_F && i->exec_size == WORD_LANES;
}

/* Returns the instruction that continues the chain after `last`; otherwise the first one left, which is ready. */
static size_t next_of(const struct window *w, size_t last)
{
    size_t first = w->count;
    for (size_t k = 0; k < w->count; k++) {
        if (w->taken[k])
            continue;
        first = first < k ? first : k;
        if (last < w->count && k > last &&
            visa_place_is_read(&w->instructions[k], visa_place_of_result(&w->instructions[last])) && is_ready(w, k))
            return k;
    }
    return first;
}

static void order(struct visa_instruction *instructions, size_t count)
{
    struct window w = {.instructions = instructions, .count = count};
    struct visa_instruction *ordered = malloc(count * sizeof *ordered);
    size_t last = count, taken = 0;
    for (size_t k = 0; k < count; k++)
        if (is_constant(&instructions[k]) && is_ready(&w, k)) {
            w.order[taken++] = k;
            w.taken[k] = true;
        }
    while (taken < count) {
        last = next_of(&w, last);
        w.order[taken++] = last;
        w.taken[last] = true;
    }
    for (size_t k = 0; ordered && k < count; k++)
        ordered[k] = instructions[w.order[k]];
    if (ordered)
        memcpy(instructions, ordered, count * sizeof *ordered);
    free(ordered);
}

/* Orders the instructions from `begin` on up to the first that stays where it is; returns its place. */
static size_t order_from(struct visa_kernel *out, size_t begin, bool words)
{
    unsigned mads = 0;
    size_t end = begin;
    for (; end < out->instruction_count && end - begin < MOST_INSTRUCTIONS && may_move(&out->instructions[end], words);
         end++)
        mads += words ? is_word_mad(&out->instructions[end]) : repeats_lanes(&out->instructions[end]);
    if (mads >= (words ? LEAST_WORD_MADS : LEAST_MADS))
        order(&out->instructions[begin], end - begin);
    return end;
}

void fixup_mad_chains(const struct platform *platform, struct visa_kernel *out)
{
    for (size_t i = 0; i < out->instruction_count; i++)
        i = order_from(out, i, false);
    for (size_t i = 0; platform_has(platform, FEATURE_INT_MAC) && i < out->instruction_count; i++)
        i = order_from(out, i, true);
}
