/* The order of blocks. LLVM's jump threading leaves blocks behind others that they have nothing to do with: a block
 * that only earlier ones lead to comes right behind the last of these, which then needs no jump. */
#include <stdlib.h>
#include <string.h>
#include "lower/cfg.h"
#include "lower/passes.h"

struct layout {
    struct cfg cfg;
    unsigned *order, *place; /* block at each place, and place of each block */
    struct back_edge {
        unsigned latch, header;
    } *backs;
    size_t back_count, back_capacity;
};

static void find_backs(struct layout *l)
{
    for (unsigned b = 0; b < l->cfg.count; b++)
        for (unsigned k = 0; k < l->cfg.successor_count[b]; k++)
            if (l->cfg.successors[b][k] <= b) {
                ARRAY_PUSH(l->backs, l->back_count, l->back_capacity, ((struct back_edge){b, l->cfg.successors[b][k]}));
            }
}

/* Each loop that the place is in, from header to latch, has the other one in it as well. */
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

/* The block to put behind the one at `place`, which jumps to it over others; CFG_NONE: none. */
static unsigned misplaced(const struct layout *l, unsigned place)
{
    unsigned from = l->order[place];
    unsigned to = l->cfg.successor_count[from] == 1 ? l->cfg.successors[from][0] : CFG_NONE;
    if (to == CFG_NONE || l->place[to] <= place + 1 || l->cfg.successor_count[to] == 0 ||
        !in_same_loops(l, place, l->place[to]))
        return CFG_NONE;
    for (unsigned k = 0; k < l->cfg.predecessor_count[to]; k++)
        if (l->place[l->cfg.predecessors[to][k]] > place)
            return CFG_NONE;
    return to;
}

/* The block at place `from` comes to the earlier place `to`. */
static void move_forward(struct layout *l, unsigned from, unsigned to)
{
    unsigned block = l->order[from];
    LLVMMoveBasicBlockBefore(l->cfg.blocks[block], l->cfg.blocks[l->order[to]]);
    memmove(&l->order[to + 1], &l->order[to], (from - to) * sizeof *l->order);
    l->order[to] = block;
    for (unsigned i = to; i <= from; i++)
        l->place[l->order[i]] = i;
}

static void lay_out(LLVMValueRef function)
{
    struct layout l = {0};
    cfg_build(&l.cfg, function);
    l.order = checked_calloc(l.cfg.count, sizeof *l.order);
    l.place = checked_calloc(l.cfg.count, sizeof *l.place);
    for (unsigned b = 0; b < l.cfg.count; b++)
        l.order[b] = l.place[b] = b;
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

bool pass_layout(LLVMModuleRef module, const struct lower_options *options)
{
    (void)options;
    FOR_EACH_FUNCTION(f, module)
    if (!LLVMIsDeclaration(f))
        lay_out(f);
    return true;
}
