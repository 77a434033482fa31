/* Inlines one call. See inline_body.h. */
#include "lower/functions/inline_body.h"

#include <stdlib.h>
#include <llvm-c/DebugInfo.h>
#include "lower/ir/clone.h"

/* Outgoing edges of a copied block: none copied, all, one. */
enum { NOT_COPIED, ALL_SUCCESSORS, ONE_SUCCESSOR };

struct block {
    LLVMBasicBlockRef copy, last; /* where the copy begins and ends */
    bool reached;                 /* control comes here, as far as it is copied */
    char edges;
    unsigned to; /* ONE_SUCCESSOR: there */
};

/* A phi of the body whose incoming values are not all copied yet. */
struct pending {
    LLVMValueRef phi, copy;
    unsigned block;
};

struct inlining {
    const struct body *body;
    LLVMBuilderRef builder;
    LLVMContextRef context;
    LLVMValueRef call;
    bool moves;            /* the function has no other call: its instructions are moved */
    LLVMMetadataRef at;    /* the call's debug location; NULL: none */
    LLVMMetadataRef scope; /* of the last mapped location */
    bool scope_in_headers;
    LLVMBasicBlockRef behind;  /* the second half of the call's block, with the instructions after the call */
    struct block *blocks;      /* as the body's */
    struct pointer_map values; /* from values and blocks of the body to their copies */
    struct pointer_map places; /* from debug locations of the body to those of the copies */
    struct pending *pending;
    size_t count, capacity;
    struct result {
        LLVMValueRef value;
        LLVMBasicBlockRef from;
    } *results;
    size_t result_count, result_capacity;
};

/* ---- the copied function ---- */

bool body_can_be_copied(LLVMValueRef function)
{
    unsigned byval = LLVMGetEnumAttributeKindForName("byval", 5);
    if (LLVMIsFunctionVarArg(LLVMGlobalGetValueType(function)))
        return false;
    for (unsigned k = 0; k < LLVMCountParams(function); k++)
        if (LLVMGetEnumAttributeAtIndex(function, k + 1, byval) && LLVMGetFirstUse(LLVMGetParam(function, k)))
            return false;
    return true;
}

/* Removes loop metadata with debug locations: a copy would have to change them, and nothing reads them. */
static void forget_places_of_loop(LLVMContextRef context, LLVMValueRef branch)
{
    enum { MOST = 16 };
    LLVMValueRef known[MOST], node = LLVMGetMetadata(branch, LLVMGetMDKindIDInContext(context, "llvm.loop", 9));
    unsigned count = node ? LLVMGetMDNodeNumOperands(node) : 0;
    if (!node || count > MOST) {
        LLVMSetMetadata(branch, LLVMGetMDKindIDInContext(context, "llvm.loop", 9), NULL);
        return;
    }
    LLVMMetadataRef nothing = LLVMMDStringInContext2(context, "cm.place", 8);
    LLVMGetMDNodeOperands(node, known);
    for (unsigned k = 0; k < count; k++)
        if (known[k] && LLVMGetMetadataKind(LLVMValueAsMetadata(known[k])) == LLVMDILocationMetadataKind)
            LLVMReplaceMDNodeOperandWith(node, k, LLVMMDNodeInContext2(context, &nothing, 1));
}

void body_describe(struct body *body, LLVMValueRef function, bool traced)
{
    *body = (struct body){.function = function, .end = CFG_NONE, .traced = traced};
    cfg_build(&body->cfg, function);
    body->order = ir_calloc(body->cfg.count, sizeof *body->order);
    body->reached = cfg_order(&body->cfg, body->order);
    body->rank = ir_calloc(body->cfg.count, sizeof *body->rank);
    unsigned ends = 0;
    for (unsigned n = 0; n < body->reached; n++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(body->cfg.blocks[body->order[n]]);
        body->rank[body->order[n]] = n;
        if (LLVMHasMetadata(end))
            forget_places_of_loop(LLVMGetModuleContext(LLVMGetGlobalParent(function)), end);
        if (LLVMIsAReturnInst(end))
            body->end = ends++ ? CFG_NONE : body->order[n];
    }
}

void body_free(struct body *body)
{
    free(body->order);
    free(body->rank);
    cfg_free(&body->cfg);
}

/* ---- debug locations ---- */

static bool is_in_headers(struct inlining *i, LLVMMetadataRef place)
{
    LLVMMetadataRef scope = LLVMDILocationGetScope(place);
    if (scope != i->scope) {
        i->scope = scope;
        i->scope_in_headers = lower_is_in_headers(place);
    }
    return i->scope_in_headers;
}

/* Returns the debug location of a copy: inlined at the call's location, below all levels of inlining that it already
 * has. Instructions without a location, as in the headers, get the call's. The user's own code keeps its location if
 * the chain of calls is not needed (`traced`): each call would create thousands of locations of its own. */
static LLVMMetadataRef copied_place(struct inlining *i, LLVMMetadataRef place)
{
    size_t known;
    if (!i->at)
        return place;
    if (!place)
        return i->at;
    if (!i->body->traced && !is_in_headers(i, place))
        return place;
    if (pointer_map_get(&i->places, place, &known))
        return (LLVMMetadataRef)known;
    LLVMMetadataRef outer = LLVMDILocationGetInlinedAt(place), at = copied_place(i, outer), copy = place;
    if (at != outer)
        copy = LLVMDIBuilderCreateDebugLocation(i->context, LLVMDILocationGetLine(place),
                                                LLVMDILocationGetColumn(place), LLVMDILocationGetScope(place), at);
    pointer_map_set(&i->places, place, (size_t)copy);
    return copy;
}

/* The builder does not set debug locations. */
static void set_place(struct inlining *i, LLVMValueRef copy, LLVMValueRef original)
{
    LLVMMetadataRef place = copied_place(i, LLVMInstructionGetDebugLoc(original));
    if (place && place != LLVMInstructionGetDebugLoc(copy))
        LLVMInstructionSetDebugLoc(copy, place);
}

/* ---- the copies ---- */

/* Copies allocas to the caller's first block, before everything else. */
static void copy_variables(struct inlining *i)
{
    LLVMBasicBlockRef first = LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(i->behind));
    LLVMPositionBuilder(i->builder, first, LLVMGetFirstInstruction(first));
    LLVMSetCurrentDebugLocation2(i->builder, NULL);
    FOR_EACH_REMOVABLE(variable, i->body->cfg.blocks[0])
    {
        if (!LLVMIsAAllocaInst(variable))
            continue;
        if (i->moves) {
            clone_move(i->builder, &i->values, variable);
            continue;
        }
        LLVMValueRef copy = LLVMInstructionClone(variable);
        LLVMInsertIntoBuilder(i->builder, copy);
        pointer_map_set(&i->values, variable, (size_t)copy);
    }
}

/* Positions the builder after the instructions of block `at`; in the call's own block, before the call. */
static void position_at(struct inlining *i, LLVMBasicBlockRef at)
{
    if (at == i->behind)
        LLVMPositionBuilderBefore(i->builder, i->call);
    else
        LLVMPositionBuilderAtEnd(i->builder, at);
    LLVMSetCurrentDebugLocation2(i->builder, NULL);
}

/* True if the copies have the edge for incoming value `k` of `phi`; a branch with one known direction has one edge. */
static bool is_taken(const struct inlining *i, LLVMValueRef phi, unsigned k, unsigned from, unsigned to)
{
    const struct block *block = &i->blocks[from];
    if (block->edges != ONE_SUCCESSOR)
        return block->edges == ALL_SUCCESSORS;
    for (unsigned before = 0; before < k; before++)
        if (LLVMGetIncomingBlock(phi, before) == LLVMGetIncomingBlock(phi, k))
            return false;
    return block->to == to;
}

/* Returns the only value of a phi whose predecessors are all copied; NULL: there are or may be several. */
static LLVMValueRef only_value(const struct inlining *i, LLVMValueRef phi, unsigned block)
{
    LLVMValueRef only = NULL;
    for (unsigned k = 0; k < LLVMCountIncoming(phi); k++) {
        unsigned from = cfg_number(&i->body->cfg, LLVMGetIncomingBlock(phi, k));
        if (i->blocks[from].edges == NOT_COPIED && i->body->rank[from] >= i->body->rank[block])
            return NULL; /* a back edge */
        if (!is_taken(i, phi, k, from, block))
            continue;
        if (only)
            return NULL;
        only = clone_of(&i->values, LLVMGetIncomingValue(phi, k));
    }
    return only;
}

static void copy_phi(struct inlining *i, LLVMValueRef phi, unsigned block)
{
    LLVMValueRef copy = only_value(i, phi, block);
    if (!copy) {
        copy = LLVMBuildPhi(i->builder, LLVMTypeOf(phi), "");
        set_place(i, copy, phi);
        ARRAY_PUSH(i->pending, i->count, i->capacity, ((struct pending){phi, copy, block}));
    }
    pointer_map_set(&i->values, phi, (size_t)copy);
}

static void fill_phis(struct inlining *i)
{
    for (size_t n = 0; n < i->count; n++) {
        const struct pending *p = &i->pending[n];
        for (unsigned k = 0; k < LLVMCountIncoming(p->phi); k++) {
            unsigned from = cfg_number(&i->body->cfg, LLVMGetIncomingBlock(p->phi, k));
            LLVMValueRef value = clone_of(&i->values, LLVMGetIncomingValue(p->phi, k));
            if (is_taken(i, p->phi, k, from, p->block))
                LLVMAddIncoming(p->copy, &value, &i->blocks[from].last, 1);
        }
    }
}

/* Returns the successor of a branch on a constant; -1: it is not constant. */
static int constant_successor(const struct inlining *i, LLVMValueRef branch)
{
    bool is_switch = LLVMIsASwitchInst(branch) != NULL;
    if (LLVMGetNumSuccessors(branch) < 2 || (!is_switch && !LLVMIsABranchInst(branch)))
        return -1;
    LLVMValueRef condition = clone_of(&i->values, LLVMGetOperand(branch, 0));
    if (!LLVMIsAConstantInt(condition))
        return -1;
    if (!is_switch)
        return LLVMConstIntGetZExtValue(condition) ? 0 : 1;
    for (unsigned k = 1; k < LLVMGetNumSuccessors(branch); k++)
        if (LLVMGetOperand(branch, 2 * k) == condition)
            return (int)k;
    return 0;
}

static LLVMBasicBlockRef copy_of_block(struct inlining *i, unsigned block)
{
    struct block *b = &i->blocks[block];
    if (!b->copy) {
        b->copy = block == i->body->end ? i->behind : LLVMInsertBasicBlockInContext(i->context, i->behind, "");
        pointer_map_set(&i->values, i->body->cfg.blocks[block], (size_t)LLVMBasicBlockAsValue(b->copy));
    }
    b->reached = true;
    return b->copy;
}

static void copy_branch(struct inlining *i, LLVMValueRef branch)
{
    LLVMValueRef copy = LLVMInstructionClone(branch);
    for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(copy); k++) {
        LLVMValueRef operand = LLVMGetOperand(copy, k);
        if (!LLVMValueIsBasicBlock(operand))
            LLVMSetOperand(copy, k, clone_of(&i->values, operand));
    }
    for (unsigned k = 0; k < LLVMGetNumSuccessors(copy); k++)
        LLVMSetSuccessor(copy, k, copy_of_block(i, cfg_number(&i->body->cfg, LLVMGetSuccessor(branch, k))));
    LLVMInsertIntoBuilder(i->builder, copy);
    set_place(i, copy, branch);
}

/* Copies a return as a jump after the call; in the call's own block nothing is needed. */
static void copy_return(struct inlining *i, LLVMValueRef end, LLVMBasicBlockRef at)
{
    struct result result = {NULL, at};
    if (LLVMGetNumOperands(end))
        result.value = clone_of(&i->values, LLVMGetOperand(end, 0));
    ARRAY_PUSH(i->results, i->result_count, i->result_capacity, result);
    if (at != i->behind)
        set_place(i, LLVMBuildBr(i->builder, i->behind), end);
}

static void copy_end(struct inlining *i, unsigned block, LLVMBasicBlockRef at)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(i->body->cfg.blocks[block]);
    struct block *b = &i->blocks[block];
    int successor = constant_successor(i, end);
    b->last = at;
    b->edges = successor < 0 ? ALL_SUCCESSORS : ONE_SUCCESSOR;
    if (LLVMIsAReturnInst(end)) {
        copy_return(i, end, at);
    } else if (successor >= 0) {
        b->to = cfg_number(&i->body->cfg, LLVMGetSuccessor(end, (unsigned)successor));
        set_place(i, LLVMBuildBr(i->builder, copy_of_block(i, b->to)), end);
    } else {
        copy_branch(i, end);
    }
}

static void copy_block(struct inlining *i, unsigned block)
{
    LLVMBasicBlockRef at = i->blocks[block].copy;
    position_at(i, at);
    FOR_EACH_REMOVABLE(instruction, i->body->cfg.blocks[block])
    {
        if ((LLVMIsAAllocaInst(instruction) && block == 0) || LLVMIsATerminatorInst(instruction))
            continue;
        if (LLVMIsAPHINode(instruction)) {
            copy_phi(i, instruction, block);
            continue;
        }
        LLVMValueRef copy = i->moves ? clone_move(i->builder, &i->values, instruction)
                                     : clone_instruction(i->builder, &i->values, instruction);
        if (copy)
            set_place(i, copy, instruction);
    }
    copy_end(i, block, at);
}

/* Copies blocks after their predecessors. A second round finds blocks that only a back edge reaches, as in irreducible
 * loops. */
static void copy_blocks(struct inlining *i)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (unsigned n = 0; n < i->body->reached; n++) {
            unsigned block = i->body->order[n];
            if (i->blocks[block].reached && i->blocks[block].edges == NOT_COPIED) {
                copy_block(i, block);
                changed = true;
            }
        }
    }
    fill_phis(i);
    for (unsigned block = 1; block < i->body->cfg.count; block++) /* in the body's own order */
        if (i->blocks[block].copy && i->blocks[block].copy != i->behind)
            LLVMMoveBasicBlockBefore(i->blocks[block].copy, i->behind);
}

/* ---- replacing the call ---- */

/* Moves the instructions before the call to a new block, which gets all predecessors of the call's block. */
static LLVMBasicBlockRef move_head(struct inlining *i)
{
    LLVMBasicBlockRef head = LLVMInsertBasicBlockInContext(i->context, i->behind, "");
    LLVMValueRef end = LLVMGetBasicBlockTerminator(i->behind);
    LLVMPositionBuilderAtEnd(i->builder, head);
    LLVMSetCurrentDebugLocation2(i->builder, NULL);
    FOR_EACH_REMOVABLE(instruction, i->behind)
    {
        if (instruction == i->call)
            break;
        LLVMInstructionRemoveFromParent(instruction);
        LLVMInsertIntoBuilder(i->builder, instruction);
    }
    LLVMInstructionRemoveFromParent(end); /* keeps this block in the phis of its successors */
    LLVMReplaceAllUsesWith(LLVMBasicBlockAsValue(i->behind), LLVMBasicBlockAsValue(head));
    LLVMPositionBuilderAtEnd(i->builder, i->behind);
    LLVMInsertIntoBuilder(i->builder, end);
    return head;
}

/* Replaces the call's results by those of the copies. */
static void replace_call(struct inlining *i)
{
    if (LLVMGetFirstUse(i->call)) {
        LLVMValueRef value = i->result_count == 1 ? i->results[0].value : LLVMGetPoison(LLVMTypeOf(i->call));
        if (i->result_count > 1) {
            LLVMPositionBuilderBefore(i->builder, LLVMGetFirstInstruction(i->behind));
            value = LLVMBuildPhi(i->builder, LLVMTypeOf(i->call), "");
            for (size_t n = 0; n < i->result_count; n++)
                LLVMAddIncoming(value, &i->results[n].value, &i->results[n].from, 1);
        }
        LLVMReplaceAllUsesWith(i->call, value);
    }
    LLVMInstructionEraseFromParent(i->call);
}

/* ---- the rest of a function whose instructions were moved ---- */

/* Empties the function: it must not use the moved instructions, nor be used by them. */
static void empty_function(LLVMBuilderRef builder, const struct cfg *cfg)
{
    for (unsigned n = 0; n < cfg->count; n++)
        FOR_EACH_REMOVABLE(i, cfg->blocks[n])
        {
            if (LLVMGetFirstUse(i))
                LLVMReplaceAllUsesWith(i, LLVMGetPoison(LLVMTypeOf(i)));
            LLVMInstructionEraseFromParent(i);
        }
    for (unsigned n = 1; n < cfg->count; n++)
        LLVMDeleteBasicBlock(cfg->blocks[n]);
    LLVMPositionBuilderAtEnd(builder, cfg->blocks[0]);
    LLVMBuildUnreachable(builder);
}

static bool is_only_use(LLVMValueRef call, LLVMValueRef function)
{
    return LLVMGetLinkage(function) == LLVMInternalLinkage && ir_has_one_use(function) &&
           LLVMGetUser(LLVMGetFirstUse(function)) == call;
}

void body_inline(const struct body *body, LLVMBuilderRef builder, LLVMValueRef call)
{
    struct inlining i = {.body = body,
                         .builder = builder,
                         .context = LLVMGetModuleContext(LLVMGetGlobalParent(body->function)),
                         .call = call,
                         .moves = is_only_use(call, body->function),
                         .at = LLVMInstructionGetDebugLoc(call),
                         .behind = LLVMGetInstructionParent(call),
                         .blocks = ir_calloc(body->cfg.count, sizeof *i.blocks)};
    for (unsigned k = 0; k < LLVMCountParams(body->function); k++)
        pointer_map_set(&i.values, LLVMGetParam(body->function, k), (size_t)LLVMGetOperand(call, k));
    i.blocks[0].copy = body->end == 0 ? i.behind : move_head(&i);
    i.blocks[0].reached = true;
    copy_variables(&i);
    copy_blocks(&i);
    replace_call(&i);
    if (i.moves)
        empty_function(builder, &body->cfg);
    LLVMClearInsertionPosition(builder);
    LLVMSetCurrentDebugLocation2(builder, NULL);
    pointer_map_free(&i.values);
    pointer_map_free(&i.places);
    free(i.blocks);
    free(i.pending);
    free(i.results);
}
