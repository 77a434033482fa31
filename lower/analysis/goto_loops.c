#include "lower/analysis/goto_loops.h"

#include <stdlib.h>
#include "lower/ir/operation_info.h"
#include "lower/ir/region.h"

enum { MOST_DEPTH = 8 };

struct planning {
    struct goto_loops *c;
    const struct cfg *cfg;
    unsigned *around; /* per block: the header of the innermost planned loop that it is in */
    unsigned *inside; /* per header: that of the loop around it, or itself */
    bool all_is_slow; /* instructions without execution mask are slow */
    bool *loops;      /* per block: it is the header of an outermost loop that is planned */
};

/* ---- masks ---- */

static bool is_logic(LLVMValueRef mask)
{
    LLVMOpcode op = LLVMIsABinaryOperator(mask) ? LLVMGetInstructionOpcode(mask) : LLVMAdd;
    return type_is_mask(LLVMTypeOf(mask)) && (op == LLVMAnd || op == LLVMOr || op == LLVMXor);
}

bool goto_loops_is_mask(const struct goto_loops *channels, LLVMValueRef mask)
{
    size_t known;
    return pointer_map_get(&channels->masks, mask, &known);
}

bool goto_loops_counts(const struct goto_loops *channels, LLVMValueRef value)
{
    size_t known;
    return pointer_map_get(&channels->lanes, value, &known);
}

/* True if every lane of `mask` is also in `live`. */
static bool is_part_of(LLVMValueRef mask, LLVMValueRef live, unsigned depth)
{
    if (mask == live)
        return true;
    if (depth > MOST_DEPTH || !is_logic(mask))
        return false;
    bool a = is_part_of(LLVMGetOperand(mask, 0), live, depth + 1),
         b = is_part_of(LLVMGetOperand(mask, 1), live, depth + 1);
    return LLVMGetInstructionOpcode(mask) == LLVMAnd ? a || b : a && b;
}

/* True if the mask can be derived from computed masks for the lanes `live`. */
static bool can_be_derived(const struct planning *p, LLVMValueRef mask, LLVMValueRef live, unsigned depth)
{
    if (mask == live || !goto_loops_is_mask(p->c, mask))
        return true;
    return depth <= MOST_DEPTH && is_logic(mask) && can_be_derived(p, LLVMGetOperand(mask, 0), live, depth + 1) &&
           can_be_derived(p, LLVMGetOperand(mask, 1), live, depth + 1);
}

/* ---- control flow of a loop ---- */

/* Follows blocks that only split an edge. *from is the last block before the returned one. */
static unsigned target(const struct planning *p, unsigned block, unsigned successor, unsigned *from)
{
    unsigned to = p->cfg->successors[block][successor];
    for (*from = block; cfg_splits_edge(p->cfg, to); to = p->cfg->successors[to][0])
        *from = to;
    return to;
}

/* One entry, one back edge. */
static bool is_header(const struct planning *p, unsigned block)
{
    const unsigned *from = p->cfg->predecessors[block];
    return p->cfg->predecessor_count[block] == 2 && (from[0] >= block) != (from[1] >= block);
}

static unsigned preheader_of(const struct planning *p, unsigned header)
{
    const unsigned *from = p->cfg->predecessors[header];
    return from[from[0] >= header];
}

/* True if all edges to `exit` leave the loop or an inner loop. */
static bool is_only_exit_target(const struct planning *p, unsigned header, unsigned exit)
{
    for (unsigned k = 0; k < p->cfg->predecessor_count[exit]; k++) {
        unsigned from = p->cfg->predecessors[exit][k];
        while (cfg_splits_edge(p->cfg, from))
            from = p->cfg->predecessors[from][0];
        if (from < header || from >= exit || !p->c->live[from])
            return false;
    }
    return true;
}

static LLVMValueRef incoming_from(const struct planning *p, LLVMValueRef phi, unsigned block)
{
    for (unsigned k = 0; k < LLVMCountIncoming(phi); k++)
        if (LLVMGetIncomingBlock(phi, k) == p->cfg->blocks[block])
            return LLVMGetIncomingValue(phi, k);
    return NULL;
}

/* Returns the mask phi of a loop, which starts as `begin` (NULL: all lanes). */
static LLVMValueRef header_mask(const struct planning *p, unsigned header, unsigned from, LLVMValueRef begin)
{
    FOR_EACH_INSTRUCTION(phi, p->cfg->blocks[header])
    {
        if (!LLVMIsAPHINode(phi))
            return NULL;
        LLVMValueRef value = type_is_mask(LLVMTypeOf(phi)) ? incoming_from(p, phi, from) : NULL;
        unsigned lanes = type_lanes(LLVMTypeOf(phi));
        if (!value || (lanes != 8 && lanes != 16 && lanes != 32))
            continue;
        if (begin
                ? value == begin
                : LLVMIsConstant(value) && !LLVMIsUndef(value) && !LLVMIsPoison(value) && constant_mask_is_full(value))
            return phi;
    }
    return NULL;
}

static void set_live(struct planning *p, unsigned block, unsigned header, LLVMValueRef live)
{
    p->c->live[block] = live;
    p->around[block] = header;
    pointer_map_set(&p->c->masks, live, 1);
}

/* Returns the mask of a branch on any lane; NULL: another branch. */
static LLVMValueRef branch_mask(LLVMValueRef terminator)
{
    LLVMValueRef condition =
        LLVMIsABranchInst(terminator) && LLVMIsConditional(terminator) ? LLVMGetCondition(terminator) : NULL;
    bool any = condition && genx_call_id(condition) == GENX_ANY && ir_has_one_use(condition);
    return any ? LLVMGetOperand(condition, 0) : NULL;
}

/* Position of a walk through the blocks of a loop. */
struct walk {
    unsigned header;   /* of the loop */
    unsigned latch;    /* its last block */
    unsigned exit;     /* where its lanes meet again; CFG_NONE: not known yet */
    unsigned block;    /* the next one */
    unsigned before;   /* the one that leads there */
    LLVMValueRef live; /* there */
};

static unsigned plan_loop(struct planning *p, unsigned header, unsigned from, LLVMValueRef begin);
static bool walk_to(struct planning *p, struct walk *w, unsigned end);

/* Steps over the inner loop that begins at w->block: its lanes reconverge after it. */
static bool pass_loop(struct planning *p, struct walk *w)
{
    unsigned inner = w->block;
    w->block = plan_loop(p, inner, w->before, w->live);
    w->before = CFG_NONE; /* no loop begins right there */
    return w->block != CFG_NONE && w->block <= w->latch && !is_header(p, w->block) &&
           is_only_exit_target(p, inner, w->block);
}

/* Steps over the end of w->block. */
static bool pass_end(struct planning *p, struct walk *w)
{
    unsigned block = w->block;
    w->block = target(p, block, 0, &w->before);
    for (unsigned edge = w->before; edge != block; edge = p->cfg->predecessors[edge][0])
        set_live(p, edge, w->header, w->live);
    return w->block == w->header || w->block > block;
}

/* Steps over w->block, which ends in a branch on any lane of `mask`: lanes leave the loop, or skip the following
 * blocks. */
static bool pass_branch(struct planning *p, struct walk *w, LLVMValueRef mask)
{
    unsigned block = w->block, edge, leave = target(p, block, 1, &edge);
    LLVMValueRef live = w->live;
    if (leave <= block || !is_part_of(mask, live, 0))
        return false;
    p->c->stay[block] = mask;
    w->live = mask;
    if (leave > w->latch) {
        bool same = w->exit == CFG_NONE || w->exit == leave;
        w->exit = leave;
        return same;
    }
    if (!pass_end(p, w) || w->block == leave || !walk_to(p, w, leave) || w->live != mask ||
        p->cfg->predecessor_count[leave] != 2)
        return false;
    w->live = live;
    return true;
}

/* Walks from w->block, which is not the end yet, until `end` is next. A loop is a sequence of blocks, inner loops, and
 * blocks that lanes skip. */
static bool walk_to(struct planning *p, struct walk *w, unsigned end)
{
    do {
        unsigned block = w->block;
        if (block > w->latch)
            return false;
        if (is_header(p, block) && block != w->header) {
            if (w->before == CFG_NONE || !pass_loop(p, w))
                return false;
            continue;
        }
        LLVMValueRef last = LLVMGetBasicBlockTerminator(p->cfg->blocks[block]), mask = branch_mask(last);
        set_live(p, block, w->header, w->live);
        if (mask ? !pass_branch(p, w, mask) : !LLVMIsABranchInst(last) || LLVMIsConditional(last))
            return false;
        if (w->block != block) /* steps over the skipped blocks */
            continue;
        if (!pass_end(p, w) || (w->block != end && !is_header(p, w->block) && p->cfg->predecessor_count[w->block] != 1))
            return false;
    } while (w->block != end && w->block != w->header);
    return w->block == end;
}

/* Plans a loop: walks from `header`, entered from block `from` with lanes `begin` (NULL: all), to its back edge.
 * Returns the block in which these lanes reconverge; CFG_NONE: the loop cannot use channel enables. */
static unsigned plan_loop(struct planning *p, unsigned header, unsigned from, LLVMValueRef begin)
{
    LLVMValueRef first = header_mask(p, header, from, begin);
    const unsigned *ways = p->cfg->predecessors[header];
    struct walk w = {header, ways[ways[0] < header], CFG_NONE, header, from, first};
    p->inside[header] = begin ? p->around[from] : header;
    return first && walk_to(p, &w, header) && incoming_from(p, first, w.before) == w.live ? w.exit : CFG_NONE;
}

/* ---- instructions of the loop ---- */

static bool is_planned_branch(const struct planning *p, LLVMValueRef condition, LLVMValueRef mask)
{
    LLVMUseRef use = LLVMGetFirstUse(condition);
    unsigned block = cfg_number(p->cfg, LLVMGetInstructionParent(condition));
    return use && LLVMIsABranchInst(LLVMGetUser(use)) && p->c->stay[block] == mask && ir_has_one_use(condition) &&
           LLVMGetInstructionParent(LLVMGetUser(use)) == p->cfg->blocks[block] &&
           can_be_derived(p, mask, p->c->live[block], 0);
}

/* True for messages with a mask as first operand: gathers, scatters and atomics on buffers and addresses. */
static bool is_scattered(LLVMValueRef i)
{
    switch (genx_call_id(i)) {
    case GENX_GATHER_SCALED:
    case GENX_SCATTER_SCALED:
    case GENX_GATHER4_SCALED:
    case GENX_SCATTER4_SCALED:
    case GENX_SVM_GATHER:
    case GENX_SVM_SCATTER:
    case GENX_SVM_GATHER4_SCALED:
    case GENX_SVM_SCATTER4_SCALED: return true;
    case GENX_LSC_LOAD_STATELESS:
    case GENX_LSC_LOAD_BTI:
    case GENX_LSC_LOAD_SLM:
    case GENX_LSC_LOAD_MERGE_STATELESS:
    case GENX_LSC_LOAD_MERGE_BTI:
    case GENX_LSC_LOAD_MERGE_SLM:
    case GENX_LSC_STORE_STATELESS:
    case GENX_LSC_STORE_BTI:
    case GENX_LSC_STORE_SLM: return !ir_is_lsc_block(i);
    default: return ir_is_atomic(i) || genx_operation(genx_call_id(i)) == VISA_OP_LSC_ATOMIC;
    }
}

static bool has_derived_mask(const struct planning *p, LLVMValueRef user, LLVMValueRef mask, LLVMValueRef live)
{
    return is_part_of(mask, live, 0) && can_be_derived(p, mask, live, 0) &&
           type_lanes(LLVMTypeOf(mask)) == type_lanes(LLVMTypeOf(live)) &&
           LLVMGetOperand(user, region_is_write(user) ? 7 : 0) == mask;
}

/* True if the use of a channel mask is allowed: by an instruction that the execution mask replaces, or by a branch. */
static bool may_use(struct planning *p, LLVMValueRef user, LLVMValueRef mask)
{
    unsigned block = cfg_number(p->cfg, LLVMGetInstructionParent(user));
    LLVMValueRef live = p->c->live[block];
    if (LLVMIsAPHINode(user))
        return live == user;
    if (!live)
        return false;
    if (is_logic(user)) {
        pointer_map_set(&p->c->masks, user, 1);
        return true;
    }
    if (is_scattered(user))
        return has_derived_mask(p, user, mask, live);
    if (region_is_write(user))
        return has_derived_mask(p, user, mask, live) &&
               type_lanes(LLVMTypeOf(LLVMGetOperand(user, 1))) == type_lanes(LLVMTypeOf(live));
    return genx_call_id(user) == GENX_ANY && is_planned_branch(p, user, mask);
}

/* True if the instruction only computes lane by lane: it has no effects and reads no other lanes. */
static bool may_run(LLVMValueRef i)
{
    enum genx_id id = genx_call_id(i);
    if (LLVMIsACallInst(i))
        return is_scattered(i) || ir_is_alu_call(i) || (id != GENX_NONE && genx_effect(id) == 'N');
    return !LLVMIsALoadInst(i) && !LLVMIsAStoreInst(i) && !LLVMIsAAllocaInst(i);
}

/* Finds all values that depend on channel masks, to a fixed point, and checks that their uses are allowed. */
static bool all_uses_allowed(struct planning *p)
{
    for (unsigned before = 0, known = 1; before != known; before = known) {
        known = 0;
        for (unsigned b = 0; b < p->c->count; b++)
            FOR_EACH_INSTRUCTION(i, p->cfg->blocks[b])
            {
                if (p->c->live[b] && !may_run(i))
                    return false;
                if (!goto_loops_is_mask(p->c, i))
                    continue;
                known++;
                for (LLVMUseRef use = LLVMGetFirstUse(i); use; use = LLVMGetNextUse(use))
                    if (!may_use(p, LLVMGetUser(use), i))
                        return false;
            }
    }
    return true;
}

/* True if the loop with header `inner` is `outer` or nested in it. */
static bool is_inside(const struct planning *p, unsigned inner, unsigned outer)
{
    while (inner != outer && p->inside[inner] != inner)
        inner = p->inside[inner];
    return inner == outer;
}

/* True if every user of lanes of `value` runs with a subset of the lanes that were active where it is computed. */
static bool is_read_by_channel(const struct planning *p, LLVMValueRef value, unsigned header)
{
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        unsigned block = cfg_number(p->cfg, LLVMGetInstructionParent(user));
        if (LLVMIsAPHINode(user) && goto_loops_is_mask(p->c, user)) /* the channels of the next round */
            continue;
        if (!p->c->live[block] || !is_inside(p, p->around[block], header) || LLVMIsAPHINode(user))
            return false;
        bool write = region_is_write(user) && LLVMGetOperand(user, 0) != value &&
                     goto_loops_is_mask(p->c, LLVMGetOperand(user, 7)) &&
                     LLVMGetOperand(user, 5) != value; /* addresses are made of all its lanes */
        write = write || (is_scattered(user) && ir_partly_overwritten(user) != value &&
                          goto_loops_is_mask(p->c, LLVMGetOperand(user, 0)));
        bool asks = genx_call_id(user) == GENX_ANY && goto_loops_is_mask(p->c, value);
        bool mask = goto_loops_is_mask(p->c, user) && is_read_by_channel(p, user, header);
        if (!write && !asks && !mask && !goto_loops_counts(p->c, user))
            return false;
    }
    return true;
}

static bool is_operand(LLVMValueRef i)
{
    bool lanes = region_is_read(i) || LLVMIsAShuffleVectorInst(i) || LLVMIsAInsertElementInst(i);
    return (lanes && !type_is_mask(LLVMTypeOf(i))) || genx_call_id(i) == GENX_ANY;
}

/* Computes .lanes. False: some instructions need all lanes. */
static bool runs_by_channel(struct planning *p)
{
    struct goto_loops *c = p->c;
    bool all = true;
    for (unsigned b = c->count; b-- > 0;)
        for (LLVMValueRef i = c->live[b] ? LLVMGetLastInstruction(p->cfg->blocks[b]) : NULL; i;
             i = LLVMGetPreviousInstruction(i)) {
            if (LLVMIsAPHINode(i) || LLVMIsATerminatorInst(i) || goto_loops_is_mask(c, i) || is_operand(i))
                continue;
            LLVMTypeRef type = LLVMTypeOf(i);
            bool lanes = ir_is_lane_wise(i) && type_lanes(type) == type_lanes(LLVMTypeOf(c->live[b])) &&
                         type_element_bits(type) <= 32;
            if (lanes && is_read_by_channel(p, i, p->around[b]))
                pointer_map_set(&c->lanes, i, 1);
            else if (!(region_is_write(i) && goto_loops_is_mask(c, LLVMGetOperand(i, 7))) &&
                     !(is_scattered(i) && goto_loops_is_mask(c, LLVMGetOperand(i, 0))))
                all = false;
        }
    return all;
}

void goto_loops_forget(struct goto_loops *channels)
{
    pointer_map_free(&channels->masks);
    pointer_map_free(&channels->lanes);
    channels->masks = channels->lanes = (struct pointer_map){0};
    channels->any = false;
    for (unsigned b = 0; b < channels->count; b++)
        channels->live[b] = channels->stay[b] = NULL;
}

/* Plans all loops in p->loops. False: the plan is invalid. */
static bool plan_all(struct planning *p)
{
    struct goto_loops *c = p->c;
    goto_loops_forget(c);
    for (unsigned b = 0; b < c->count; b++)
        if (p->loops[b] && plan_loop(p, b, preheader_of(p, b), NULL) == CFG_NONE)
            return false;
    c->any = all_uses_allowed(p) && (runs_by_channel(p) || !p->all_is_slow);
    return c->any;
}

void goto_loops_plan(struct goto_loops *channels, const struct cfg *cfg, const struct lower_options *options)
{
    *channels = (struct goto_loops){.count = cfg->count,
                                    .live = ir_calloc(cfg->count, sizeof *channels->live),
                                    .stay = ir_calloc(cfg->count, sizeof *channels->stay)};
    struct planning p = {.c = channels,
                         .cfg = cfg,
                         .around = ir_calloc(cfg->count, sizeof *p.around),
                         .inside = ir_calloc(cfg->count, sizeof *p.inside),
                         .loops = ir_calloc(cfg->count, sizeof *p.loops),
                         .all_is_slow = platform_has(options->platform, FEATURE_FUSED_EU_NOMASK)};
    for (unsigned b = 0; b < cfg->count && options->optimization > 0; b++) {
        if (channels->live[b] || !is_header(&p, b) || !header_mask(&p, b, preheader_of(&p, b), NULL))
            continue;
        p.loops[b] = true;
        p.loops[b] = plan_all(&p);
        if (!p.loops[b]) /* the others stay */
            plan_all(&p);
    }
    free(p.around);
    free(p.inside);
    free(p.loops);
}

void goto_loops_free(struct goto_loops *channels)
{
    free(channels->live);
    free(channels->stay);
    pointer_map_free(&channels->masks);
    pointer_map_free(&channels->lanes);
}
