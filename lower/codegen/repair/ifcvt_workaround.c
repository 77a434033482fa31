/* Rewrites short branches that the finalizer's if-conversion miscompiles (IGC, ifcvt.cpp).
 *
 * On fused EUs the finalizer turns jumps into gotos; lanes that do not jump wait at the next join. Then it predicates
 * short branches instead of jumping over them. It fails in three cases, and this rewriting removes them:
 * - The finalizer deletes the label of the else branch although joins in blocks between the branches refer to it, and
 *   crashes. The rewriting places the else branch directly after the then branch.
 * - It deletes the label of the merge point if only the two branches jump there and other blocks lie in between. The
 *   rewriting gives the branches a merge block of their own, which jumps to the merge point.
 * - A branch that ends with a conditional jump to the other branch, or to the other branch's target, loses its
 * condition if the condition is any or all lanes of a mask. The rewriting inverts the jump, so that another jump comes
 * in between. */
#include <stdlib.h>
#include "lower/codegen/repair/repair.h"
#include "lower/ir/ir.h"

#define NO_BLOCK (~0u)

struct block {
    size_t first, end;                               /* instructions, without a jump that ends it */
    const struct visa_instruction *conditional_jump; /* the jump, if not always taken */
    bool inverted;                                   /* jumps if the condition is false */
    bool is_short;                                   /* may run under a predicate instead */
    int label;                                       /* -1: none yet */
    unsigned taken,
        fallthrough; /* successors: of the conditional jump, and of the block's end or its unconditional jump */
    unsigned predecessors, next;
};

struct branches {
    struct visa_program *program;
    struct visa_kernel *out;
    struct block *blocks;
    size_t count, capacity;
    unsigned *of_label; /* block that a label begins, NO_BLOCK: nothing leads to it */
    bool changed;
};

static bool is_branch(const struct visa_instruction *i)
{
    return i->op == VISA_OP_JMP || i->op == VISA_OP_GOTO;
}

/* True for instructions that the finalizer does not predicate: compares and selects, messages, calls, and predicated
 * ones. */
static bool cannot_be_predicated(const struct visa_instruction *i)
{
    bool alu = i->op <= VISA_OP_DP4A || i->op == VISA_OP_SETP || i->op == VISA_OP_MOVS || i->op == VISA_OP_ADDR_ADD;
    return (!alu && i->op != VISA_OP_LABEL) || i->no_mask || i->predicate.variable != VISA_NULL ||
           i->condition != VISA_COND_NONE;
}

/* True if the branch is short: the finalizer converts up to four instructions. It may have merged some of them, but not
 * all. */
static bool is_short_run(const struct visa_instruction *first, const struct visa_instruction *end)
{
    enum { MOST = 16 };
    while (first < end && first->op == VISA_OP_LABEL)
        first++;
    if (first == end || end - first > MOST)
        return false;
    while (first < end && !cannot_be_predicated(first))
        first++;
    return first == end;
}

static unsigned add_block(struct branches *w, struct block block)
{
    ARRAY_PUSH(w->blocks, w->count, w->capacity, block);
    return (unsigned)w->count - 1;
}

static bool is_target(const struct branches *w, const struct visa_instruction *i)
{
    return i->op == VISA_OP_LABEL && w->of_label[i->attr[0]] != NO_BLOCK;
}

static void find_blocks(struct branches *w)
{
    const struct visa_instruction *all = w->out->instructions;
    size_t count = w->out->instruction_count;
    for (unsigned k = 0; k < w->out->label_count; k++)
        w->of_label[k] = NO_BLOCK;
    for (size_t i = 0; i < count; i++)
        if (is_branch(&all[i]))
            w->of_label[all[i].attr[0]] = 0;
    for (size_t i = 0; i < count;) {
        struct block b = {
            .first = i, .label = -1, .taken = NO_BLOCK, .fallthrough = NO_BLOCK, .next = (unsigned)w->count + 1};
        if (is_target(w, &all[i])) {
            b.label = all[i].attr[0];
            w->of_label[b.label] = (unsigned)w->count;
        }
        const struct visa_instruction *last;
        do
            last = &all[i++];
        while (i < count && !is_branch(last) && last->op != VISA_OP_RET && last->op != VISA_OP_FRET &&
               !is_target(w, &all[i]) && all[i].op != VISA_OP_FUNCTION);
        b.end = last->op == VISA_OP_JMP ? i - 1 : i;
        b.conditional_jump = last->op == VISA_OP_JMP && last->predicate.variable != VISA_NULL ? last : NULL;
        b.is_short = is_short_run(&all[b.first], &all[b.end]);
        add_block(w, b);
    }
    w->blocks[w->count - 1].next = NO_BLOCK;
}

static void set_edge(struct branches *w, unsigned *from, unsigned to)
{
    *from = to;
    if (to != NO_BLOCK)
        w->blocks[to].predecessors++;
}

static void find_edges(struct branches *w)
{
    for (unsigned b = 0; b < w->count; b++) {
        struct block *block = &w->blocks[b];
        const struct visa_instruction *last =
            &w->out->instructions[block->next == NO_BLOCK ? w->out->instruction_count - 1
                                                          : w->blocks[block->next].first - 1];
        bool ends = last->op == VISA_OP_RET || last->op == VISA_OP_FRET, always = last->predicate.variable == VISA_NULL;
        if (!is_branch(last)) {
            set_edge(w, &block->fallthrough, ends ? NO_BLOCK : block->next);
        } else if (last->op == VISA_OP_JMP && always) {
            set_edge(w, &block->fallthrough, w->of_label[last->attr[0]]);
        } else {
            set_edge(w, &block->taken, w->of_label[last->attr[0]]);
            set_edge(w, &block->fallthrough, always ? NO_BLOCK : block->next);
        }
    }
}

/* Adds a block after another one with nothing but a jump to `to`. */
static unsigned new_block(struct branches *w, unsigned behind, unsigned to)
{
    unsigned b =
        add_block(w, (struct block){.label = -1, .taken = NO_BLOCK, .fallthrough = to, .next = w->blocks[behind].next});
    w->blocks[behind].next = b;
    w->changed = true;
    return b;
}

static bool is_short_branch(const struct block *b, unsigned predecessors)
{
    return b->is_short && b->predecessors == predecessors;
}

static bool only_falls_to(const struct block *b, unsigned to)
{
    return b->taken == NO_BLOCK && b->fallthrough == to && to != NO_BLOCK;
}

/* True for a short branch that jumps conditionally to the other branch or that one's target. */
static bool jumps_to_other_branch(const struct block *branch, unsigned other, unsigned end)
{
    return branch->conditional_jump && branch->conditional_jump->predicate.control != VISA_PRED_EACH &&
           end != NO_BLOCK &&
           ((branch->taken == other && branch->fallthrough == end) ||
            (branch->taken == end && branch->fallthrough == other));
}

static void invert_branch(struct branches *w, unsigned branch)
{
    unsigned taken = w->blocks[branch].taken, between = new_block(w, branch, taken);
    struct block *b = &w->blocks[branch];
    b->inverted = !b->inverted;
    b->taken = b->fallthrough;
    b->fallthrough = between;
}

static void move_after(struct branches *w, unsigned block, unsigned place)
{
    unsigned before = place;
    while (w->blocks[before].next != block) {
        before = w->blocks[before].next;
        if (before == NO_BLOCK)
            return;
    }
    w->blocks[before].next = w->blocks[block].next;
    w->blocks[block].next = w->blocks[place].next;
    w->blocks[place].next = block;
    w->changed = true;
}

static void fixup_branch(struct branches *w, unsigned head)
{
    unsigned yes = w->blocks[head].taken, no = w->blocks[head].fallthrough;
    if (!w->blocks[head].conditional_jump || yes <= head || yes == no || no == NO_BLOCK)
        return;
    const struct block *first = &w->blocks[no], *second = &w->blocks[yes];
    if (is_short_branch(first, 1) && is_short_branch(second, 2) && only_falls_to(second, second->fallthrough) &&
        jumps_to_other_branch(first, yes, second->fallthrough)) {
        invert_branch(w, no);
        return;
    }
    if (is_short_branch(second, 1) && is_short_branch(first, 2) && only_falls_to(first, first->fallthrough) &&
        jumps_to_other_branch(second, no, first->fallthrough)) {
        invert_branch(w, yes);
        return;
    }
    bool alone = only_falls_to(first, yes); /* the other successor is the merge point */
    if (!is_short_branch(first, 1) || !only_falls_to(first, first->fallthrough) ||
        (!alone && !(is_short_branch(second, 1) && only_falls_to(second, first->fallthrough))))
        return;
    unsigned last = alone ? no : yes, merge_point = first->fallthrough;
    if (!alone && first->next != yes)
        move_after(w, yes, no);
    if (w->blocks[merge_point].predecessors != 2 || w->blocks[last].next == merge_point)
        return;
    unsigned merge = new_block(w, last, merge_point);
    w->blocks[merge].predecessors = 2;
    w->blocks[merge_point].predecessors = 1;
    w->blocks[no].fallthrough = merge;
    *(alone ? &w->blocks[head].taken : &w->blocks[yes].fallthrough) = merge;
}

/* ---- writing the text ---- */

static void need_label(struct branches *w, unsigned block)
{
    if (w->blocks[block].label < 0)
        w->blocks[block].label = (int)w->out->label_count++;
}

static void need_labels(struct branches *w)
{
    for (unsigned b = 0; b != NO_BLOCK; b = w->blocks[b].next) {
        const struct block *block = &w->blocks[b];
        if (block->taken != NO_BLOCK)
            need_label(w, block->taken);
        if (block->fallthrough != NO_BLOCK && block->fallthrough != block->next)
            need_label(w, block->fallthrough);
    }
}

static void write_block(struct branches *w, const struct block *b, const struct visa_instruction *from)
{
    bool labelled = b->first < b->end && from[b->first].op == VISA_OP_LABEL && from[b->first].attr[0] == b->label;
    struct visa_instruction label = {.op = VISA_OP_LABEL, .exec_size = 1, .attr = {b->label}};
    if (b->label >= 0 && !labelled)
        visa_add_instruction(w->program, w->out, &label);
    for (size_t i = b->first; i < b->end; i++)
        visa_add_instruction(w->program, w->out, &from[i]);
    struct visa_instruction jump = {.op = VISA_OP_JMP, .exec_size = 1};
    if (b->conditional_jump) {
        jump = *b->conditional_jump;
        jump.predicate.inverse ^= b->inverted;
        jump.attr[0] = w->blocks[b->taken].label;
        visa_add_instruction(w->program, w->out, &jump);
        jump.exec_size = 1;
        jump.predicate = (struct visa_predicate){0};
    }
    if (b->fallthrough != NO_BLOCK && b->fallthrough != b->next) {
        jump.attr[0] = w->blocks[b->fallthrough].label;
        visa_add_instruction(w->program, w->out, &jump);
    }
}

static void write_blocks(struct branches *w)
{
    const struct visa_instruction *from = w->out->instructions; /* it stays where it is: see visa_add_instruction() */
    w->out->instructions = NULL;
    w->out->instruction_count = w->out->instruction_capacity = 0;
    need_labels(w);
    for (unsigned b = 0; b != NO_BLOCK; b = w->blocks[b].next)
        write_block(w, &w->blocks[b], from);
}

void fixup_short_branches(struct visa_program *program, struct visa_kernel *out)
{
    struct branches w = {.program = program, .out = out};
    if (!platform_has(program->platform, FEATURE_FUSED_EU) || !out->instruction_count)
        return;
    w.of_label = ir_calloc(out->label_count, sizeof *w.of_label);
    find_blocks(&w);
    find_edges(&w);
    size_t count = w.count;
    for (unsigned b = 0; b < count; b++)
        fixup_branch(&w, b);
    if (w.changed)
        write_blocks(&w);
    free(w.of_label);
    free(w.blocks);
}
