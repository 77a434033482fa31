/* Unrolls loops with a constant number of iterations completely. Each copy of the body has constants instead of
 * counters: lane offsets and conditions that depend on them fold while the copies are made, and inner loops are counted
 * when they are reached.
 *
 * It takes loops with one exit, under the limits of LLVM's own unroller for iterations and instructions. LLVM's
 * unroller handles the others. */
#include <stdlib.h>
#include <llvm-c/DebugInfo.h>
#include "lower/analysis/loops.h"
#include "lower/ir/function_info.h"
#include "lower/ir/clone.h"
#include "lower/passes.h"
#include "lower/scalar/run_instcombine.h"
#include "lower/ir/remarks.h"

/* An edge to an original block: a new block without a terminator, and the original block that follows. */
struct edge {
    LLVMBasicBlockRef from;
    unsigned original;
};

struct block_entry {
    struct edge *edges;
    size_t count, capacity;
    LLVMBasicBlockRef copy; /* of the header of a loop that stays one, while its rounds are copied */
};

/* A constant offset in a variable, shared by all copies. */
struct shared_address {
    LLVMValueRef address;
    size_t next; /* with the same last index; index + 1 */
};

struct unroll {
    LLVMContextRef context;
    LLVMBuilderRef builder, start; /* start: at the function's start, after its variables */
    struct shared_address *shared;
    size_t shared_count, shared_capacity;
    struct pointer_map by_index;  /* last indices to the last of shared[] that has it, + 1 */
    struct pointer_map is_shared; /* their addresses */
    struct loops loops;
    struct block_entry *entries; /* per block */
    struct read_block {
        size_t first, count; /* of its steps */
        bool is_read;
    } *read;                  /* per block */
    struct replay values;     /* of the loop that is unrolled */
    LLVMBasicBlockRef before; /* new blocks are inserted before this one */
};

static LLVMBasicBlockRef new_block(struct unroll *u)
{
    return LLVMInsertBasicBlockInContext(u->context, u->before, "");
}

static LLVMValueRef jump(struct unroll *u, LLVMBasicBlockRef from, LLVMBasicBlockRef to)
{
    LLVMPositionBuilderAtEnd(u->builder, from);
    return LLVMBuildBr(u->builder, to);
}

/* Returns the original value of `phi` for the predecessor `original`. */
static LLVMValueRef incoming_of(const struct unroll *u, LLVMValueRef phi, unsigned original)
{
    for (unsigned k = 0; k < LLVMCountIncoming(phi); k++)
        if (LLVMGetIncomingBlock(phi, k) == u->loops.cfg.blocks[original])
            return LLVMGetIncomingValue(phi, k);
    return NULL;
}

/* Adds an edge from `from`, the end of the copy of block `original`, to `to`, or closes the back edge of a loop that
 * remains a loop. */
static void add_edge(struct unroll *u, LLVMBasicBlockRef from, unsigned original, unsigned to)
{
    struct block_entry *entry = &u->entries[to];
    if (!entry->copy) {
        ARRAY_PUSH(entry->edges, entry->count, entry->capacity, ((struct edge){from, original}));
        return;
    }
    unsigned pragmas = LLVMGetMDKindIDInContext(u->context, "llvm.loop", 9);
    LLVMValueRef asked = LLVMGetMetadata(LLVMGetBasicBlockTerminator(u->loops.cfg.blocks[original]), pragmas);
    LLVMValueRef back = jump(u, from, entry->copy);
    if (asked)
        LLVMSetMetadata(back, pragmas, asked);
    LLVMValueRef copy = LLVMGetFirstInstruction(entry->copy);
    for (LLVMValueRef phi = LLVMGetFirstInstruction(u->loops.cfg.blocks[to]); LLVMIsAPHINode(phi);
         phi = LLVMGetNextInstruction(phi), copy = LLVMGetNextInstruction(copy)) {
        LLVMValueRef value = replay_of(&u->values, incoming_of(u, phi, original));
        LLVMAddIncoming(copy, &value, &from, 1);
    }
}

/* Sets the phis of `block` if one edge enters it: all at once, because one phi may use another. */
static void take_values(struct unroll *u, unsigned block, unsigned original)
{
    struct replay_stand_in *values = NULL;
    LLVMValueRef first = LLVMGetFirstInstruction(u->loops.cfg.blocks[block]);
    size_t count = 0, capacity = 0, n = 0;
    for (LLVMValueRef phi = first; LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi))
        ARRAY_PUSH(values, count, capacity, replay_stand_in(&u->values, incoming_of(u, phi, original)));
    for (LLVMValueRef phi = first; LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi))
        replay_set_stand_in(&u->values, phi, values[n++]);
    free(values);
}

/* Creates phis in `copy` if several edges enter. */
static void join_values(struct unroll *u, unsigned block, LLVMBasicBlockRef copy)
{
    const struct block_entry *entry = &u->entries[block];
    LLVMPositionBuilderAtEnd(u->builder, copy);
    FOR_EACH_INSTRUCTION(phi, u->loops.cfg.blocks[block])
    {
        if (!LLVMIsAPHINode(phi))
            break;
        LLVMValueRef joined = LLVMBuildPhi(u->builder, LLVMTypeOf(phi), "");
        for (size_t k = 0; k < entry->count; k++) {
            LLVMValueRef value = replay_of(&u->values, incoming_of(u, phi, entry->edges[k].original));
            LLVMBasicBlockRef from = entry->edges[k].from;
            LLVMAddIncoming(joined, &value, &from, 1);
        }
        LLVMInstructionSetDebugLoc(joined, LLVMInstructionGetDebugLoc(phi));
        replay_set(&u->values, phi, joined);
    }
}

/* Starts the copy of `block`: after its only predecessor, or in a new block. `loop`: more edges follow. */
static LLVMBasicBlockRef enter(struct unroll *u, unsigned block, bool loop)
{
    struct block_entry *entry = &u->entries[block];
    LLVMBasicBlockRef at = entry->edges[0].from;
    if (entry->count == 1 && !loop) {
        take_values(u, block, entry->edges[0].original);
    } else {
        at = new_block(u);
        for (size_t k = 0; k < entry->count; k++)
            jump(u, entry->edges[k].from, at);
        join_values(u, block, at);
        entry->copy = loop ? at : NULL;
    }
    entry->count = 0;
    return at;
}

static bool is_at(LLVMValueRef address, LLVMValueRef like, LLVMValueRef *operands, unsigned count)
{
    if ((unsigned)LLVMGetNumOperands(address) != count ||
        LLVMGetGEPSourceElementType(address) != LLVMGetGEPSourceElementType(like))
        return false;
    for (unsigned k = 0; k < count; k++)
        if (LLVMGetOperand(address, k) != operands[k])
            return false;
    return true;
}

/* Shares an address that is the same in all iterations: a constant offset in a variable. False: it is not. */
static bool share_address(struct unroll *u, const struct replay_step *step)
{
    enum { FEW = 4 };
    unsigned count = step->count;
    LLVMValueRef i = step->i, operands[FEW];
    size_t n = 0;
    uint64_t index;
    if (step->op != LLVMGetElementPtr || count > FEW)
        return false;
    for (unsigned k = 1; k < count; k++)
        if (!replay_operand_number(&u->values, step, k, &index))
            return false;
    for (unsigned k = 0; k < count; k++)
        operands[k] = replay_operand(&u->values, step, k);
    if (!LLVMIsAAllocaInst(operands[0]) && !pointer_map_get(&u->is_shared, operands[0], &n))
        return false;
    LLVMValueRef start = clone_folded(u->builder, i, operands);
    if (start) {
        replay_set(&u->values, i, start);
        return true;
    }
    n = 0;
    pointer_map_get(&u->by_index, operands[count - 1], &n);
    size_t last = n;
    while (n && !is_at(u->shared[n - 1].address, i, operands, count))
        n = u->shared[n - 1].next;
    if (!n) {
        LLVMValueRef address = LLVMInstructionClone(i);
        for (unsigned k = 0; k < count; k++)
            LLVMSetOperand(address, k, operands[k]);
        LLVMInsertIntoBuilder(u->start, address);
        ARRAY_PUSH(u->shared, u->shared_count, u->shared_capacity, ((struct shared_address){address, last}));
        n = u->shared_count;
        pointer_map_set(&u->by_index, operands[count - 1], n);
        pointer_map_set(&u->is_shared, address, 1);
    }
    replay_set(&u->values, i, u->shared[n - 1].address);
    return true;
}

/* Copies the block's instructions and its outgoing edges. */
static void copy_block(struct unroll *u, unsigned block, LLVMBasicBlockRef at)
{
    const struct cfg *cfg = &u->loops.cfg;
    struct read_block *read = &u->read[block];
    if (!read->is_read)
        replay_read(&u->values, cfg->blocks[block], &read->first, &read->count);
    read->is_read = true;
    LLVMPositionBuilderAtEnd(u->builder, at);
    for (size_t n = read->first; n < read->first + read->count; n++)
        if (!share_address(u, &u->values.steps[n]))
            replay_copy(&u->values, &u->values.steps[n]);
    LLVMValueRef branch = LLVMGetBasicBlockTerminator(cfg->blocks[block]);
    LLVMValueRef condition = LLVMIsConditional(branch) ? LLVMGetCondition(branch) : NULL;
    const unsigned *to = cfg->successors[block];
    uint64_t number;
    if (!condition || to[0] == to[1]) {
        add_edge(u, at, block, to[0]);
    } else if (replay_number(&u->values, condition, &number)) {
        add_edge(u, at, block, to[number ? 0 : 1]);
    } else {
        LLVMBasicBlockRef then = new_block(u), otherwise = new_block(u);
        LLVMValueRef copy = LLVMBuildCondBr(u->builder, replay_of(&u->values, condition), then, otherwise);
        LLVMInstructionSetDebugLoc(copy, LLVMInstructionGetDebugLoc(branch));
        add_edge(u, then, block, to[0]);
        add_edge(u, otherwise, block, to[1]);
    }
}

static void copy_rounds(struct unroll *u, const struct loop *loop);

static const struct loop *loop_at(const struct unroll *u, unsigned block)
{
    size_t n = u->loops.of_header[block];
    return n ? &u->loops.list[n - 1] : NULL;
}

/* Says why a loop stays, or that it goes. */
static void remark_loop(struct unroll *u, const struct loop *loop, bool unrolled)
{
    if (!remark_is_wanted()) /* counting iterations replays the loop */
        return;
    LLVMValueRef at = LLVMGetBasicBlockTerminator(u->loops.cfg.blocks[loop->header]);
    int rounds = loop->rounds;
    if (rounds < 0 && loop->simple)
        rounds = loop_rounds(&u->loops, loop, &u->values);
    if (unrolled)
        remark_at(at, REMARK_UNROLLED, (unsigned)rounds);
    else if (!loop->simple)
        remark_at(at, REMARK_UNROLL_EXITS);
    else if (loop->refused)
        remark_at(at, REMARK_UNROLL_REFUSED);
    else if (rounds < 0)
        remark_at(at, REMARK_TRIP_COUNT, LOOPS_MOST_ROUNDS);
    else
        remark_at(at, REMARK_UNROLL_SIZE, (unsigned)rounds, loop->size);
}

static bool is_unrolled(struct unroll *u, const struct loop *loop)
{
    return loop->simple &&
           loop_is_wanted(loop, loop->rounds >= 0 ? loop->rounds : loop_rounds(&u->loops, loop, &u->values));
}

/* Copies the blocks of one iteration of `loop` after its header. Blocks of inner loops that were unrolled have no
 * edges left by then. */
static void copy_body(struct unroll *u, const struct loop *loop)
{
    for (unsigned n = 0; n < loop->inside_count; n++) {
        unsigned block = loop->inside[n];
        if (!u->entries[block].count)
            continue;
        const struct loop *inner = loop_at(u, block);
        if (inner && is_unrolled(u, inner))
            copy_rounds(u, inner);
        else
            copy_block(u, block, enter(u, block, inner != NULL));
    }
    for (unsigned n = 0; n < loop->inside_count; n++)
        u->entries[loop->inside[n]].copy = NULL;
}

/* Copies all iterations. The header's condition is constant in each, which ends the loop. */
static void copy_rounds(struct unroll *u, const struct loop *loop)
{
    while (u->entries[loop->header].count) {
        copy_block(u, loop->header, enter(u, loop->header, false));
        copy_body(u, loop);
    }
}

/* ---- replacing the loop by its copies ---- */

/* Replaces values of the header that are used after the loop by those of its last iteration. */
static void replace_outside(struct unroll *u, const struct loop *loop)
{
    FOR_EACH_INSTRUCTION(i, u->loops.cfg.blocks[loop->header])
    for (LLVMUseRef next, use = LLVMGetFirstUse(i); use; use = next) {
        LLVMValueRef user = LLVMGetUser(use);
        next = LLVMGetNextUse(use);
        unsigned block = cfg_number(&u->loops.cfg, LLVMGetInstructionParent(user));
        if ((block != CFG_NONE && loop->members[block]) || !replay_is_changed(&u->values, i))
            continue;
        for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(user); k++)
            if (LLVMGetOperand(user, k) == i)
                LLVMSetOperand(user, k, replay_of(&u->values, i));
        next = LLVMGetFirstUse(i); /* one user may have been several uses */
    }
}

/* Updates the phis after the loop: `from` is the predecessor instead of the header. */
static void replace_incoming(struct unroll *u, LLVMBasicBlockRef exit, LLVMBasicBlockRef header, LLVMBasicBlockRef from)
{
    FOR_EACH_REMOVABLE(phi, exit)
    {
        if (!LLVMIsAPHINode(phi))
            break;
        LLVMPositionBuilderBefore(u->builder, phi);
        LLVMValueRef other = LLVMBuildPhi(u->builder, LLVMTypeOf(phi), "");
        for (unsigned k = 0; k < LLVMCountIncoming(phi); k++) {
            LLVMBasicBlockRef block = LLVMGetIncomingBlock(phi, k);
            LLVMValueRef value = LLVMGetIncomingValue(phi, k);
            block = block == header ? from : block;
            LLVMAddIncoming(other, &value, &block, 1);
        }
        LLVMReplaceAllUsesWith(phi, other);
        LLVMInstructionEraseFromParent(phi);
    }
    LLVMClearInsertionPosition(u->builder);
    LLVMSetCurrentDebugLocation2(u->builder, NULL);
}

static void delete_blocks(struct unroll *u, const struct loop *loop)
{
    const struct cfg *cfg = &u->loops.cfg;
    for (unsigned b = 0; b < cfg->count; b++)
        if (loop->members[b])
            FOR_EACH_REMOVABLE(i, cfg->blocks[b])
            {
                if (LLVMGetFirstUse(i))
                    LLVMReplaceAllUsesWith(i, LLVMGetPoison(LLVMTypeOf(i)));
                LLVMInstructionEraseFromParent(i);
            }
    for (unsigned b = 0; b < cfg->count; b++)
        if (loop->members[b]) {
            LLVMDeleteBasicBlock(cfg->blocks[b]);
            cfg->blocks[b] = NULL;
        }
}

static void unroll(struct unroll *u, const struct loop *loop)
{
    struct cfg *cfg = &u->loops.cfg;
    LLVMBasicBlockRef header = cfg->blocks[loop->header], exit = cfg->blocks[loop->exit];
    unsigned outside = cfg->predecessors[loop->header][cfg->predecessors[loop->header][0] == loop->latch ? 1 : 0];
    LLVMValueRef branch = LLVMGetBasicBlockTerminator(cfg->blocks[outside]);
    u->before = header;
    LLVMBasicBlockRef first = new_block(u);
    add_edge(u, first, outside, loop->header);
    copy_rounds(u, loop);
    for (unsigned k = 0; k < LLVMGetNumSuccessors(branch); k++)
        if (LLVMGetSuccessor(branch, k) == header)
            LLVMSetSuccessor(branch, k, first);
    struct block_entry *entry = &u->entries[loop->exit];
    LLVMBasicBlockRef last =
        entry->count ? entry->edges[0].from : new_block(u); /* otherwise an inner loop does not end */
    entry->count = 0;
    jump(u, last, exit);
    replace_outside(u, loop);
    replace_incoming(u, exit, header, last);
    delete_blocks(u, loop);
    cfg->blocks[loop->header] = last; /* as the predecessor of the block after the loop */
    replay_free(&u->values);          /* addresses of deleted values may be reused */
}

static bool is_gone(const struct unroll *u, const struct loop *loop)
{
    return !u->loops.cfg.blocks[loop->latch] || !u->loops.cfg.blocks[loop->header];
}

static void unroll_function(struct unroll *u, LLVMValueRef function)
{
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(function); /* in no loop: nothing in it wants an address */
    LLVMValueRef start = LLVMGetFirstInstruction(entry);
    FOR_EACH_INSTRUCTION(i, entry) /* initializers of globals are between allocas */
    if (LLVMIsAAllocaInst(i))
        start = LLVMGetNextInstruction(i);
    LLVMPositionBuilderBefore(u->start, start);
    LLVMSetCurrentDebugLocation2(u->start, NULL);
    loops_find(&u->loops, function);
    u->entries = ir_calloc(u->loops.cfg.count, sizeof *u->entries);
    u->read = ir_calloc(u->loops.cfg.count, sizeof *u->read);
    for (size_t n = 0; n < u->loops.count && u->loops.reducible; n++) {
        const struct loop *loop = &u->loops.list[n];
        if (is_gone(u, loop))
            continue;
        bool unrolled = is_unrolled(u, loop);
        remark_loop(u, loop, unrolled);
        if (unrolled)
            unroll(u, loop);
    }
    for (unsigned b = 0; b < u->loops.cfg.count; b++)
        free(u->entries[b].edges);
    free(u->entries);
    free(u->read);
    free(u->shared);
    u->shared = NULL;
    u->shared_count = u->shared_capacity = 0;
    pointer_map_free(&u->by_index);
    pointer_map_free(&u->is_shared);
    loops_free(&u->loops);
}

bool pass_unroll(LLVMModuleRef module, const struct lower_options *options)
{
    (void)options;
    struct unroll u = {.context = LLVMGetModuleContext(module)};
    u.builder = LLVMCreateBuilderInContext(u.context);
    u.values.builder = u.builder;
    u.start = LLVMCreateBuilderInContext(u.context);
    FOR_EACH_FUNCTION(f, module)
    if (function_is_lowered(f))
        unroll_function(&u, f);
    LLVMDisposeBuilder(u.builder);
    LLVMDisposeBuilder(u.start);
    return true;
}

static bool has_loop(LLVMValueRef function)
{
    struct cfg cfg;
    cfg_build(&cfg, function);
    bool any = false;
    for (unsigned b = 0; b < cfg.count; b++)
        for (unsigned k = 0; k < cfg.successor_count[b]; k++)
            any |= cfg.dominator[b] != CFG_NONE && cfg_dominates(&cfg, cfg.successors[b][k], b);
    cfg_free(&cfg);
    return any;
}

bool pass_unroll_rest(LLVMModuleRef module, const struct lower_options *options)
{
    (void)options;
    FOR_EACH_FUNCTION(f, module)
    if (!LLVMIsDeclaration(f) && has_loop(f))
        return ir_run_llvm_passes(module, "function(loop-simplify,lcssa,loop(loop-rotate),loop(indvars),"
                                          "loop-unroll<full-unroll-max=64>,instsimplify,simplifycfg)");
    return ir_run_llvm_passes(module, scalar_wants_instcombine(module) ? "function(instsimplify,simplifycfg)"
                                                                       : "function(simplifycfg)");
}
