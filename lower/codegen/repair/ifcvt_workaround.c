/* Rewrites short branches that the finalizer's if-conversion miscompiles. On fused EUs the finalizer turns jumps into
 * gotos; lanes without a jump wait at the next join. Then it predicates short branches instead of jumping over them
 * (IGC, ifcvt.cpp), and fails in three cases, which do not occur after this rewriting: - It deletes the label of the
 * else branch, although joins in blocks between the branches refer to it: it crashes. Here the
 *   else branch comes right behind the then branch.
 * - It deletes the label of the merge point if only the branches lead there and blocks lie between: they merge in a
 * block
 *   of their own, which jumps there.
 * - A branch that ends with a conditional jump to the other branch, or to that one's target, loses its condition if
 * that is
 *   any or all lanes of a mask. The jump is inverted, so that another jump comes in between. */
#include <stdlib.h>
#include "lower/codegen/repair/repair.h"
#include "lower/ir/ir.h"

#define NO_BLOCK (~0u)

struct block {
    size_t first, end;                       /* instructions, without a jump that ends it */
    const struct visa_instruction *question; /* the jump, if not always taken */
    bool turned;                             /* jumps if the condition is false */
    bool short_way;                          /* may run under a predicate instead */
    int label;                               /* -1: none yet */
    unsigned taken, falls; /* blocks that the conditional or other jump, and the block's end, lead to */
    unsigned predecessors, next;
};

struct ways {
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
static bool needs_a_jump(const struct visa_instruction *i)
{
    bool alu = i->op <= VISA_OP_DP4A || i->op == VISA_OP_SETP || i->op == VISA_OP_MOVS || i->op == VISA_OP_ADDR_ADD;
    return (!alu && i->op != VISA_OP_LABEL) || i->no_mask || i->predicate.variable != VISA_NULL ||
           i->condition != VISA_COND_NONE;
}

/* True if the branch is short: the finalizer converts up to four instructions. It may have merged some of them, but not
 * all. */
static bool is_short(const struct visa_instruction *first, const struct visa_instruction *end)
{
    enum { MOST = 16 };
    while (first < end && first->op == VISA_OP_LABEL)
        first++;
    if (first == end || end - first > MOST)
        return false;
    while (first < end && !needs_a_jump(first))
        first++;
    return first == end;
}

static unsigned add_block(struct ways *w, struct block block)
{
    ARRAY_PUSH(w->blocks, w->count, w->capacity, block);
    return (unsigned)w->count - 1;
}

static bool is_target(const struct ways *w, const struct visa_instruction *i)
{
    return i->op == VISA_OP_LABEL && w->of_label[i->attr[0]] != NO_BLOCK;
}

static void find_blocks(struct ways *w)
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
            .first = i, .label = -1, .taken = NO_BLOCK, .falls = NO_BLOCK, .next = (unsigned)w->count + 1};
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
        b.question = last->op == VISA_OP_JMP && last->predicate.variable != VISA_NULL ? last : NULL;
        b.short_way = is_short(&all[b.first], &all[b.end]);
        add_block(w, b);
    }
    w->blocks[w->count - 1].next = NO_BLOCK;
}

static void lead(struct ways *w, unsigned *from, unsigned to)
{
    *from = to;
    if (to != NO_BLOCK)
        w->blocks[to].predecessors++;
}

static void find_edges(struct ways *w)
{
    for (unsigned b = 0; b < w->count; b++) {
        struct block *block = &w->blocks[b];
        const struct visa_instruction *last =
            &w->out->instructions[block->next == NO_BLOCK ? w->out->instruction_count - 1
                                                          : w->blocks[block->next].first - 1];
        bool ends = last->op == VISA_OP_RET || last->op == VISA_OP_FRET, always = last->predicate.variable == VISA_NULL;
        if (!is_branch(last)) {
            lead(w, &block->falls, ends ? NO_BLOCK : block->next);
        } else if (last->op == VISA_OP_JMP && always) {
            lead(w, &block->falls, w->of_label[last->attr[0]]);
        } else {
            lead(w, &block->taken, w->of_label[last->attr[0]]);
            lead(w, &block->falls, always ? NO_BLOCK : block->next);
        }
    }
}

/* Adds a block behind another one with nothing but a jump to `to`. */
static unsigned new_block(struct ways *w, unsigned behind, unsigned to)
{
    unsigned b =
        add_block(w, (struct block){.label = -1, .taken = NO_BLOCK, .falls = to, .next = w->blocks[behind].next});
    w->blocks[behind].next = b;
    w->changed = true;
    return b;
}

static bool is_way(const struct block *b, unsigned predecessors)
{
    return b->short_way && b->predecessors == predecessors;
}

static bool leads_only(const struct block *b, unsigned to)
{
    return b->taken == NO_BLOCK && b->falls == to && to != NO_BLOCK;
}

/* True for a short branch that jumps conditionally to the other branch or that one's target. */
static bool asks_again(const struct block *way, unsigned other, unsigned end)
{
    return way->question && way->question->predicate.control != VISA_PRED_EACH && end != NO_BLOCK &&
           ((way->taken == other && way->falls == end) || (way->taken == end && way->falls == other));
}

static void turn_round(struct ways *w, unsigned way)
{
    unsigned taken = w->blocks[way].taken, between = new_block(w, way, taken);
    struct block *b = &w->blocks[way];
    b->turned = !b->turned;
    b->taken = b->falls;
    b->falls = between;
}

static void put_behind(struct ways *w, unsigned block, unsigned place)
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

static void mend_question(struct ways *w, unsigned head)
{
    unsigned yes = w->blocks[head].taken, no = w->blocks[head].falls;
    if (!w->blocks[head].question || yes <= head || yes == no || no == NO_BLOCK)
        return;
    const struct block *first = &w->blocks[no], *second = &w->blocks[yes];
    if (is_way(first, 1) && is_way(second, 2) && leads_only(second, second->falls) &&
        asks_again(first, yes, second->falls)) {
        turn_round(w, no);
        return;
    }
    if (is_way(second, 1) && is_way(first, 2) && leads_only(first, first->falls) &&
        asks_again(second, no, first->falls)) {
        turn_round(w, yes);
        return;
    }
    bool alone = leads_only(first, yes); /* the other way is where it leads */
    if (!is_way(first, 1) || !leads_only(first, first->falls) ||
        (!alone && !(is_way(second, 1) && leads_only(second, first->falls))))
        return;
    unsigned last = alone ? no : yes, meet = first->falls;
    if (!alone && first->next != yes)
        put_behind(w, yes, no);
    if (w->blocks[meet].predecessors != 2 || w->blocks[last].next == meet)
        return;
    unsigned landing = new_block(w, last, meet);
    w->blocks[landing].predecessors = 2;
    w->blocks[meet].predecessors = 1;
    w->blocks[no].falls = landing;
    *(alone ? &w->blocks[head].taken : &w->blocks[yes].falls) = landing;
}

/* ---- writing the text ---- */

static void need_label(struct ways *w, unsigned block)
{
    if (w->blocks[block].label < 0)
        w->blocks[block].label = (int)w->out->label_count++;
}

static void need_labels(struct ways *w)
{
    for (unsigned b = 0; b != NO_BLOCK; b = w->blocks[b].next) {
        const struct block *block = &w->blocks[b];
        if (block->taken != NO_BLOCK)
            need_label(w, block->taken);
        if (block->falls != NO_BLOCK && block->falls != block->next)
            need_label(w, block->falls);
    }
}

static void write_block(struct ways *w, const struct block *b, const struct visa_instruction *from)
{
    bool labelled = b->first < b->end && from[b->first].op == VISA_OP_LABEL && from[b->first].attr[0] == b->label;
    struct visa_instruction label = {.op = VISA_OP_LABEL, .exec_size = 1, .attr = {b->label}};
    if (b->label >= 0 && !labelled)
        visa_add_instruction(w->program, w->out, &label);
    for (size_t i = b->first; i < b->end; i++)
        visa_add_instruction(w->program, w->out, &from[i]);
    struct visa_instruction jump = {.op = VISA_OP_JMP, .exec_size = 1};
    if (b->question) {
        jump = *b->question;
        jump.predicate.inverse ^= b->turned;
        jump.attr[0] = w->blocks[b->taken].label;
        visa_add_instruction(w->program, w->out, &jump);
        jump.exec_size = 1;
        jump.predicate = (struct visa_predicate){0};
    }
    if (b->falls != NO_BLOCK && b->falls != b->next) {
        jump.attr[0] = w->blocks[b->falls].label;
        visa_add_instruction(w->program, w->out, &jump);
    }
}

static void write_blocks(struct ways *w)
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
    struct ways w = {.program = program, .out = out};
    if (!platform_has(program->platform, FEATURE_FUSED_EU) || !out->instruction_count)
        return;
    w.of_label = ir_calloc(out->label_count, sizeof *w.of_label);
    find_blocks(&w);
    find_edges(&w);
    size_t count = w.count;
    for (unsigned b = 0; b < count; b++)
        mend_question(&w, b);
    if (w.changed)
        write_blocks(&w);
    free(w.of_label);
    free(w.blocks);
}
