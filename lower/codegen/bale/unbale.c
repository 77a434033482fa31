/* Unbaling: gives region reads registers of their own again. A baled read happens at its user's position. If the vector
 * is overwritten in between, the whole vector would have to be copied for some lanes. Read at their original position,
 * only these lanes are kept, and the vector is overwritten in place.
 *
 *     row = d.row(k)                                  row = d.row(k)      a move
 *     d.row(0) = min(d.row(0), row)      not:  copy = d; d.row(0) = min(copy.row(0), copy.row(k))
 *     d.row(1) = min(d.row(1), row)                   d.row(1) = min(d.row(1), copy.row(k)) */
#include <stdlib.h>
#include "lower/codegen/bale/unbale.h"
#include "lower/codegen/bale/bale.h"

enum { MOST_READS = 16 }; /* of one vector before one write: more would cost more than they save */

struct search {
    struct liveness *l;
    size_t vector;            /* the value that is written to */
    unsigned block, position; /* where */
    bool *reached;            /* per block: the vector is live at its start, and the write came before */
    unsigned *stack;
    bool again;               /* the write's block is reached too */
    size_t reads[MOST_READS]; /* values that are to be kept */
    unsigned read_count;
};

/* Finds the blocks reachable from the write in which the vector is live. */
static void find_reached(struct search *f)
{
    const struct cfg *cfg = &f->l->s->cfg;
    unsigned top = 0;
    for (unsigned b = 0; b < cfg->count; b++)
        f->reached[b] = false;
    f->stack[top++] = f->block;
    while (top) {
        unsigned at = f->stack[--top];
        for (unsigned k = 0; k < cfg->successor_count[at]; k++) {
            unsigned to = cfg->successors[at][k];
            if (f->reached[to] || !liveness_has(f->l->in[to], f->vector))
                continue;
            f->reached[to] = true;
            f->stack[top++] = to;
        }
    }
    f->again = f->reached[f->block];
}

static bool is_behind(const struct search *f, unsigned block, unsigned position)
{
    return block == f->block ? f->again || position > f->position : f->reached[block];
}

/* Returns the instructions of a move to or from a region: one of many rows or distant lanes takes one for each piece
 * within two registers. `offset`: the call's operand. */
static unsigned pieces_of(LLVMValueRef call, LLVMTypeRef type, unsigned offset)
{
    unsigned lanes = type_lanes(type), bytes = type_element_bytes(type);
    struct region r;
    int first, end;
    if (lanes == 1)
        return 1;
    if (!region_of_call(call, &r) && type_lanes(LLVMTypeOf(LLVMGetOperand(call, offset))) > 1)
        return lanes;
    region_extent(&r, lanes, bytes, &first, &end);
    unsigned pieces = ir_instructions_for((unsigned)(end - first)), least = ir_instructions_for(lanes * bytes);
    return pieces < least ? least : pieces < lanes ? pieces : lanes;
}

/* Returns the instructions that a user of the read takes if its lanes stand side by side. */
static unsigned least_of(LLVMValueRef user, LLVMTypeRef type)
{
    return region_is_write(user) ? pieces_of(user, type, 5)
                                 : ir_instructions_for(type_lanes(type) * type_element_bytes(type));
}

/* Returns the instructions that it costs not to bale a read. Its users then are not split as it is. */
static int cost_of(LLVMValueRef read)
{
    LLVMTypeRef type = LLVMTypeOf(read);
    unsigned pieces = pieces_of(read, type, 4);
    int cost = (int)pieces;
    for (LLVMUseRef use = LLVMGetFirstUse(read); use; use = LLVMGetNextUse(use)) {
        unsigned least = least_of(LLVMGetUser(use), type);
        cost -= pieces > least ? (int)(pieces - least) : 0;
    }
    return cost;
}

/* True for a baled read of the vector itself, or of its bits. */
static bool can_be_kept(const struct selection *s, LLVMValueRef reader, size_t *number)
{
    return region_is_read(reader) && pointer_map_get(&s->numbers, reader, number) && s->values[*number].inlined;
}

static bool add_read(struct search *f, size_t number)
{
    for (unsigned k = 0; k < f->read_count; k++)
        if (f->reads[k] == number)
            return true;
    if (f->read_count == MOST_READS)
        return false;
    f->reads[f->read_count++] = number;
    return true;
}

/* Collects the reads that happen after the write. False: the vector is live there in any case. */
static bool collect_reads(struct search *f)
{
    const struct selection *s = f->l->s;
    for (size_t i = f->l->first_use[f->vector]; i < f->l->first_use[f->vector + 1]; i++) {
        const struct use *u = &f->l->uses[i];
        size_t number;
        if (!is_behind(f, u->block, u->position))
            continue;
        if (!can_be_kept(s, u->reader, &number) || is_behind(f, s->values[number].block, s->values[number].position) ||
            !add_read(f, number))
            return false;
    }
    return f->read_count > 0;
}

/* True if the reads take fewer instructions than a copy of the registers that they read. */
static bool is_worth_it(const struct search *f)
{
    int cost = 0;
    for (unsigned k = 0; k < f->read_count; k++)
        cost += cost_of(f->l->s->values[f->reads[k]].llvm);
    return cost < (int)ir_instructions_for(f->l->s->values[f->vector].bytes);
}

/* Marks the read, and the instructions that it was baled into. */
static void keep(struct search *f, struct cg_value *read)
{
    read->inlined = false;
    liveness_mark(f->l, read->block, read->position);
    for (size_t i = f->l->first_use[f->vector]; i < f->l->first_use[f->vector + 1]; i++)
        if (f->l->uses[i].reader == read->llvm)
            liveness_mark(f->l, f->l->uses[i].block, f->l->uses[i].position);
}

static bool keep_reads(struct search *f, size_t vector, const struct cg_value *write)
{
    if (ir_instructions_for(f->l->s->values[vector].bytes) < 2 ||
        !liveness_after(f->l, vector, write->block, write->position))
        return false;
    f->vector = vector;
    f->block = write->block;
    f->position = write->position;
    f->read_count = 0;
    find_reached(f);
    if (!collect_reads(f) || !is_worth_it(f))
        return false;
    for (unsigned k = 0; k < f->read_count; k++)
        keep(f, &f->l->s->values[f->reads[k]]);
    return true;
}

void unbale(struct liveness *l)
{
    struct selection *s = l->s;
    bool any = false;
    struct search f = {.l = l};
    f.reached = ir_calloc(s->cfg.count, sizeof *f.reached);
    f.stack = ir_calloc(s->cfg.count + 1, sizeof *f.stack);
    for (size_t n = 0; n < s->value_count; n++) {
        const struct cg_value *write = &s->values[n];
        bool writes = !write->inlined && LLVMIsAInstruction(write->llvm) && !LLVMIsAPHINode(write->llvm);
        LLVMValueRef old = writes ? ir_partly_overwritten(write->llvm) : NULL;
        struct cg_value *vector = old ? bale_value_root(s, old) : NULL;
        if (vector && !vector->is_mask && interference_may_share(s, vector))
            any = keep_reads(&f, (size_t)(vector - s->values), write) || any;
    }
    free(f.reached);
    free(f.stack);
    if (any)
        liveness_update(l);
}
