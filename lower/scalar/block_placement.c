/* Orders blocks to save jumps. LLVM's jump threading leaves blocks after unrelated ones. This pass moves a block, all
 * of whose predecessors come earlier, right after the last of them, which then falls through. It also leaves a loop's
 * exit before the loop. This pass moves a block, all of whose predecessors come later, after the last of them: where
 * a kernel's text ends with a loop's jump, the finalizer makes a jump to itself of it on fused EUs. */
#include <stdlib.h>
#include <string.h>
#include "lower/ir/cfg.h"
#include "lower/passes.h"

struct layout {
    struct cfg cfg;
    bool fused;              /* execution units take branches in pairs */
    unsigned *order, *place; /* block at each position, and position of each block */
    struct back_edge {
        unsigned latch, header;
    } *backs;
    size_t back_count, back_capacity;
};

static void find_backs(struct layout *l)
{
    l->back_count = 0;
    for (unsigned b = 0; b < l->cfg.count; b++)
        for (unsigned k = 0; k < l->cfg.successor_count[b]; k++)
            if (l->place[l->cfg.successors[b][k]] <= l->place[b]) {
                ARRAY_PUSH(l->backs, l->back_count, l->back_capacity, ((struct back_edge){b, l->cfg.successors[b][k]}));
            }
}

/* True if every loop of the first position, from header to latch, has the other position in it too. */
static bool in_same_loops(const struct layout *l, unsigned place, unsigned other)
{
    for (size_t i = 0; i < l->back_count; i++) {
        unsigned first = l->place[l->backs[i].header], last = l->place[l->backs[i].latch];
        bool here = first <= place && place < last, there = first <= other && other <= last;
        if (here != there)
            return false;
    }
    return true;
}

/* True if `to` may follow the block at `place`, its predecessor: no later block jumps to it. */
static bool may_follow(const struct layout *l, unsigned place, unsigned to)
{
    if (l->cfg.successor_count[to] == 0 || !in_same_loops(l, place, l->place[to]))
        return false;
    for (unsigned k = 0; k < l->cfg.predecessor_count[to]; k++)
        if (l->place[l->cfg.predecessors[to][k]] > place)
            return false;
    return true;
}

/* Returns the block to place after the one at `place`, which jumps to it over other blocks; CFG_NONE: none. On fused
 * EUs, which take branches in pairs, lanes wait at every block between a branch and its target: a path that ends comes
 * before the next branch. */
static unsigned misplaced(const struct layout *l, unsigned place)
{
    unsigned from = l->order[place], count = l->cfg.successor_count[from], asks = 0;
    if (count > 2) /* a table of jumps */
        return CFG_NONE;
    for (unsigned k = 0; k < count; k++) {
        unsigned to = l->cfg.successors[from][k];
        if (l->place[to] == place + 1 && l->fused && l->cfg.successor_count[to] == 2 &&
            l->cfg.predecessor_count[to] == 1)
            asks = 1;
        else if (l->place[to] <= place + 1)
            return CFG_NONE;
    }
    for (unsigned k = 0; k < count; k++) {
        unsigned to = l->cfg.successors[from][k];
        if (l->place[to] > place + 1 && may_follow(l, place, to) && (!asks || l->cfg.successor_count[to] == 1))
            return to;
    }
    return CFG_NONE;
}

/* Moves the block at position `from` to the earlier position `to`. */
static void move_forward(struct layout *l, unsigned from, unsigned to)
{
    unsigned block = l->order[from];
    LLVMMoveBasicBlockBefore(l->cfg.blocks[block], l->cfg.blocks[l->order[to]]);
    memmove(&l->order[to + 1], &l->order[to], (from - to) * sizeof *l->order);
    l->order[to] = block;
    for (unsigned i = to; i <= from; i++)
        l->place[l->order[i]] = i;
}

/* Moves the block at position `from` after the one at the later position `to`. */
static void move_back(struct layout *l, unsigned from, unsigned to)
{
    unsigned block = l->order[from];
    LLVMMoveBasicBlockAfter(l->cfg.blocks[block], l->cfg.blocks[l->order[to]]);
    memmove(&l->order[from], &l->order[from + 1], (to - from) * sizeof *l->order);
    l->order[to] = block;
    for (unsigned i = from; i <= to; i++)
        l->place[l->order[i]] = i;
}

/* Returns the position of the last predecessor, or of the last block of the loops in which it is; `place` if a
 * predecessor comes earlier, or there is none. */
static unsigned end_of_predecessors(const struct layout *l, unsigned place)
{
    unsigned block = l->order[place], last = place;
    for (unsigned k = 0; k < l->cfg.predecessor_count[block]; k++) {
        unsigned from = l->place[l->cfg.predecessors[block][k]];
        if (from <= place)
            return place;
        last = from > last ? from : last;
    }
    for (size_t i = 0; last > place && i < l->back_count;) {
        unsigned header = l->place[l->backs[i].header], latch = l->place[l->backs[i].latch];
        bool longer = place < header && header <= last && last < latch;
        last = longer ? latch : last;
        i = longer ? 0 : i + 1;
    }
    return last;
}

/* Moves blocks that come before all of their predecessors. The jumps backward are then those of loops. */
static void place_exits(struct layout *l)
{
    for (unsigned place = 1, moves = 0; place < l->cfg.count && moves < l->cfg.count;) {
        unsigned last = end_of_predecessors(l, place);
        if (last == place) {
            place++;
        } else {
            move_back(l, place, last);
            moves++;
        }
    }
}

static void lay_out(LLVMValueRef function, bool fused)
{
    struct layout l = {.fused = fused};
    cfg_build(&l.cfg, function);
    l.order = ir_calloc(l.cfg.count, sizeof *l.order);
    l.place = ir_calloc(l.cfg.count, sizeof *l.place);
    for (unsigned b = 0; b < l.cfg.count; b++)
        l.order[b] = l.place[b] = b;
    find_backs(&l);
    place_exits(&l);
    find_backs(&l);
    for (unsigned place = 0; place < l.cfg.count; place++) {
        unsigned block = misplaced(&l, place);
        if (block != CFG_NONE)
            move_forward(&l, l.place[block], place + 1);
    }
    free(l.order);
    free(l.place);
    free(l.backs);
    cfg_free(&l.cfg);
}

bool pass_block_placement(LLVMModuleRef module, const struct lower_options *options)
{
    FOR_EACH_FUNCTION(f, module)
    if (!LLVMIsDeclaration(f))
        lay_out(f, platform_has(options->platform, FEATURE_FUSED_EU));
    return true;
}
