/* Common subexpression elimination: replaces a value by an equal one that dominates it, folds operations on constants
 * and removes unused values, in one walk over the blocks. Messages that read memory are equal too if nothing between
 * them writes memory. LLVM's early-cse and gvn do the same and more, but take several times as long. */
#include <stdlib.h>
#include "lower/ir/cfg.h"
#include "lower/ir/effects.h"
#include "lower/passes.h"
#include "lower/scalar/cse.h"
#include "lower/scalar/equal.h"
#include "lower/scalar/inst_simplify.h"
#include "lower/scalar/load_forwarding.h"

/* A value that later values may be equal to. */
struct known {
    LLVMValueRef value;
    uint64_t hash;
    unsigned block, memory; /* memory: its version, for messages that read it; otherwise 0 */
    size_t next;            /* in its list: index + 1 of known[] */
};

struct equal {
    struct cfg cfg;
    unsigned *order, reached;
    unsigned *first, *size; /* per block: its dominated blocks are the `size` ones from `first` on, itself the first */
    LLVMBuilderRef builder;
    struct reads reads;
    unsigned *memory; /* per block: the version of memory at its end; 0: not visited. NULL: messages are not shared */
    unsigned version, last_version; /* of memory: where the walk is, and the highest number */
    struct known *known;
    size_t count, capacity;
    size_t *lists, list_count; /* by hash; a power of two */
};

/* ---- operands and other inputs of an instruction ---- */

/* True if operands, and memory for calls that read it, decide the result. */
static bool is_comparable(LLVMValueRef i, LLVMOpcode op)
{
    switch (op) {
    case LLVMGetElementPtr:
    case LLVMICmp:
    case LLVMFCmp:
    case LLVMSelect:
    case LLVMExtractElement:
    case LLVMInsertElement:
    case LLVMShuffleVector:
    case LLVMFNeg:
    case LLVMFreeze: return true;
    case LLVMExtractValue: return LLVMGetNumIndices(i) == 1;
    case LLVMCall: return LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMVoidTypeKind && LLVMGetNumOperandBundles(i) == 0;
    default: return LLVMIsABinaryOperator(i) || LLVMIsACastInst(i);
    }
}

static uint64_t mixed(uint64_t hash, uint64_t more)
{
    hash = (hash ^ more) * 0x9e3779b97f4a7c15ull;
    return hash ^ hash >> 29;
}

static uint64_t hash_of(LLVMValueRef i, LLVMOpcode op, LLVMValueRef *operands, unsigned count)
{
    uint64_t hash = mixed(op + scalar_other_facts(i, op), (uintptr_t)LLVMTypeOf(i));
    if (scalar_is_commutative(i, op))
        return mixed(hash, (uintptr_t)operands[0] + (uintptr_t)operands[1]);
    for (unsigned k = 0; k < count; k++)
        hash = mixed(hash, (uintptr_t)operands[k]);
    if (op == LLVMShuffleVector)
        for (unsigned k = 0; k < LLVMGetNumMaskElements(i); k++)
            hash = mixed(hash, (uint64_t)LLVMGetMaskValue(i, k));
    return hash;
}

/* ---- one function ---- */

/* Numbers the blocks in preorder of the dominator tree. */
static void number_dominated(struct equal *e)
{
    unsigned *next = ir_calloc(e->cfg.count, sizeof *next);
    for (unsigned n = e->reached; n-- > 0;) {
        unsigned block = e->order[n];
        e->size[block]++;
        if (n)
            e->size[e->cfg.dominator[block]] += e->size[block];
    }
    for (unsigned n = 0; n < e->reached; n++) {
        unsigned block = e->order[n], above = e->cfg.dominator[block];
        e->first[block] = n ? next[above] : 0;
        if (n)
            next[above] += e->size[block];
        next[block] = e->first[block] + 1;
    }
    free(next);
}

static bool dominates(const struct equal *e, unsigned a, unsigned b)
{
    return e->first[a] <= e->first[b] && e->first[b] < e->first[a] + e->size[a];
}

/* Returns an equal value that is known in `block`. NULL: none, and `i` is known from now on. */
static LLVMValueRef find_equal(struct equal *e, LLVMValueRef i, LLVMOpcode op, unsigned memory, LLVMValueRef *operands,
                               unsigned count, unsigned block)
{
    uint64_t hash = mixed(hash_of(i, op, operands, count), memory);
    size_t *list = &e->lists[hash & (e->list_count - 1)];
    for (size_t n = *list; n; n = e->known[n - 1].next) {
        const struct known *known = &e->known[n - 1];
        if (known->hash == hash && known->memory == memory && dominates(e, known->block, block) &&
            scalar_is_equal(known->value, i, op, operands, count)) {
            scalar_keep_common_promises(known->value, i);
            return known->value;
        }
    }
    ARRAY_PUSH(e->known, e->count, e->capacity, ((struct known){i, hash, block, memory, *list}));
    *list = e->count;
    return NULL;
}

/* Returns a replacement of `i`. NULL: none, and `i` is known from now on. */
static LLVMValueRef find_other(struct equal *e, LLVMValueRef i, LLVMOpcode op, enum ir_effect effect, unsigned block)
{
    LLVMValueRef operands[SCALAR_MOST_OPERANDS];
    unsigned count = (unsigned)LLVMGetNumOperands(i);
    if (count > SCALAR_MOST_OPERANDS || effect > (e->memory ? EFFECT_READS : EFFECT_NONE) || !is_comparable(i, op))
        return NULL;
    for (unsigned k = 0; k < count; k++)
        operands[k] = LLVMGetOperand(i, k);
    bool built = false;
    LLVMValueRef other = op == LLVMCall ? NULL : scalar_simpler_value(e->builder, i, operands, &built);
    if (!other)
        return find_equal(e, i, op, effect == EFFECT_READS ? e->version : 0, operands, count, block);
    LLVMOpcode built_op = built ? LLVMGetInstructionOpcode(other) : op;
    LLVMValueRef known = built ? find_other(e, other, built_op, ir_effect_of(other, built_op), block) : NULL;
    if (!known)
        return other;
    LLVMInstructionEraseFromParent(other);
    return known;
}

/* ---- versions of memory ---- */

static bool uses_memory(const struct equal *e, unsigned block)
{
    FOR_EACH_INSTRUCTION(i, e->cfg.blocks[block])
    if (ir_effect_of(i, LLVMGetInstructionOpcode(i)) != EFFECT_NONE)
        return true;
    return false;
}

/* True if nothing reads or writes memory on the ways around a loop, from `header` to `latch`, which branches back. A
 * loop that reads may wait for another thread. */
static bool keeps_memory(const struct equal *e, unsigned header, unsigned latch)
{
    bool *seen = ir_calloc(e->cfg.count, sizeof *seen), keeps = !uses_memory(e, header);
    unsigned *waiting = ir_calloc(e->cfg.count + 1, sizeof *waiting), count = 0;
    seen[header] = true;
    if (latch != header)
        waiting[count++] = latch;
    seen[latch] = true;
    while (count && keeps) {
        unsigned block = waiting[--count];
        keeps = dominates(e, header, block) && !uses_memory(e, block);
        for (unsigned k = 0; k < e->cfg.predecessor_count[block]; k++) {
            unsigned before = e->cfg.predecessors[block][k];
            if (!seen[before])
                waiting[count++] = before;
            seen[before] = true;
        }
    }
    free(seen);
    free(waiting);
    return keeps;
}

/* Returns the version at the end of all predecessors; a new one if they differ, or if a loop uses memory. */
static unsigned version_at_start(struct equal *e, unsigned block)
{
    unsigned version = 0;
    for (unsigned k = 0; k < e->cfg.predecessor_count[block]; k++) {
        unsigned from = e->cfg.predecessors[block][k], before = e->memory[from];
        if (before ? version && before != version : !keeps_memory(e, block, from))
            return ++e->last_version;
        version = before ? before : version;
    }
    return version ? version : ++e->last_version;
}

static void walk_block(struct equal *e, unsigned block)
{
    if (e->reads.cfg)
        reads_enter(&e->reads, block);
    if (e->memory)
        e->version = version_at_start(e, block);
    FOR_EACH_REMOVABLE(i, e->cfg.blocks[block])
    {
        LLVMOpcode op = LLVMGetInstructionOpcode(i);
        enum ir_effect effect = ir_effect_of(i, op);
        if (e->memory && effect == EFFECT_WRITES)
            e->version = ++e->last_version;
        LLVMValueRef other = e->reads.cfg ? reads_find(&e->reads, i, block) : NULL;
        if (!other)
            other = find_other(e, i, op, effect, block);
        if (!other)
            continue;
        LLVMReplaceAllUsesWith(i, other);
        LLVMInstructionEraseFromParent(i);
    }
    if (e->memory)
        e->memory[block] = e->version;
}

void scalar_share_equal_values(LLVMValueRef function, enum scalar_shared_reads reads)
{
    struct equal e = {.list_count = 64};
    cfg_build(&e.cfg, function);
    e.builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(LLVMGetGlobalParent(function)));
    e.order = ir_calloc(e.cfg.count, sizeof *e.order);
    e.first = ir_calloc(e.cfg.count, sizeof *e.first);
    e.size = ir_calloc(e.cfg.count, sizeof *e.size);
    e.reached = cfg_order(&e.cfg, e.order);
    number_dominated(&e);
    size_t instructions = 0;
    FOR_EACH_BLOCK(block, function)
    FOR_EACH_INSTRUCTION(i, block)
    instructions++;
    while (e.list_count < instructions)
        e.list_count *= 2;
    e.lists = ir_calloc(e.list_count, sizeof *e.lists);
    if (reads)
        reads_begin(&e.reads, &e.cfg, function, reads == OF_PARAMETERS);
    else
        e.memory = ir_calloc(e.cfg.count, sizeof *e.memory);
    for (unsigned n = 0; n < e.reached; n++)
        walk_block(&e, e.order[n]);
    if (reads)
        reads_end(&e.reads);
    ir_remove_unused(function);
    LLVMDisposeBuilder(e.builder);
    free(e.memory);
    free(e.order);
    free(e.first);
    free(e.size);
    free(e.known);
    free(e.lists);
    cfg_free(&e.cfg);
}

static bool has_any(LLVMModuleRef module, LLVMOpcode op)
{
    FOR_EACH_FUNCTION(f, module)
    FOR_EACH_BLOCK(block, f)
    FOR_EACH_INSTRUCTION(i, block)
    if (LLVMGetInstructionOpcode(i) == op)
        return true;
    return false;
}

static void share_all(LLVMModuleRef module)
{
    FOR_EACH_FUNCTION(f, module)
    if (!LLVMIsDeclaration(f))
        scalar_share_equal_values(f, NO_READS);
}

bool pass_cse(LLVMModuleRef module, const struct lower_options *options)
{
    (void)options;
    if (has_any(module, LLVMAlloca) && !ir_run_llvm_passes(module, "function(sroa)"))
        return false;
    share_all(module);
    return true;
}

bool pass_equal_values(LLVMModuleRef module, const struct lower_options *options)
{
    (void)options;
    share_all(module);
    return true;
}

bool pass_gvn(LLVMModuleRef module, const struct lower_options *options)
{
    (void)options;
    if (has_any(module, LLVMLoad)) /* load forwarding handles loads across stores and joins */
        return ir_run_llvm_passes(module, "function(gvn)");
    share_all(module);
    return true;
}
