/* Lowers SIMD control flow: turns branches on __cm_simdcf_any() into explicit lane masks.
 *
 * The model is the hardware's goto/join. Blocks of a divergent region run in their order in the function, each under a
 * mask EM of active lanes. A jump to a later block that is not the next one parks its lanes in that block's mask RM;
 * the block activates them when it starts (join). If no lane is active, control skips to the next block that may have
 * parked lanes. A backward jump (loop) keeps its lanes active. Writes through references in the region preserve
 * inactive lanes (CM specification, "SIMD control flow"); a region ends at the branch's post-dominator, where all lanes
 * are active. Scalar branches in a region that take all active lanes one way and reconverge stay as they are.
 *
 * At a reconvergence point of all lanes that diverged at one block (simdcf_joins.h), RM is set once, at that block, to
 * the lanes there: lanes are not parked one by one, and the join always finds some.
 *
 * EM and RM are private <W x i1> variables; LLVM's SROA turns them into values afterwards. All values that cross blocks
 * are in memory while this pass runs (LLVM's reg2mem), so that the new edges break no dominance. */
#include <stdio.h>
#include <stdlib.h>
#include "lower/ir/cfg.h"
#include <llvm-c/DebugInfo.h>
#include "lower/analysis/simdcf_joins.h"
#include "lower/functions/call_mask.h"
#include "lower/functions/functions.h"
#include "lower/ir/assembly_info.h"
#include "lower/ir/ir.h"
#include "lower/ir/region.h"
#include "lower/passes.h"

struct divergence {
    LLVMModuleRef module;
    LLVMBuilderRef builder;
    LLVMValueRef kernel;
    struct cfg cfg;
    unsigned *region;       /* its region's number, CFG_NONE outside */
    unsigned *region_end;   /* per region: block after it */
    unsigned *region_width; /* per region: lanes */
    unsigned region_count;
    LLVMValueRef *live;            /* per region: EM */
    LLVMValueRef *parked;          /* per block: RM or NULL */
    struct join *join;             /* per block: the lanes that reconverge there, if RM is set once */
    LLVMBasicBlockRef *join_block; /* per block: where jumps to it go: its join block, or itself */
    LLVMValueRef *branch;          /* per block: its simdcf_any call or NULL */
    bool *plain;                   /* per block: in a region, and its terminator stays: EM is the same after it */
};

/* Returns the simdcf_any call that decides a branch, through conversions between bool and i1; NULL for scalar branches.
 */
static LLVMValueRef divergent_condition(LLVMValueRef terminator)
{
    if (!LLVMIsABranchInst(terminator) || !LLVMIsConditional(terminator))
        return NULL;
    LLVMValueRef c = LLVMGetCondition(terminator);
    while (LLVMIsATruncInst(c) || LLVMIsAZExtInst(c))
        c = LLVMGetOperand(c, 0);
    return builtin_call_id(c) == BUILTIN_simdcf_any ? c : NULL;
}

static void add_reachable(struct divergence *d, unsigned from, unsigned end, unsigned number)
{
    if (from == end || d->region[from] == number)
        return;
    d->region[from] = number;
    for (unsigned i = 0; i < d->cfg.successor_count[from]; i++)
        add_reachable(d, d->cfg.successors[from][i], end, number);
}

/* Finds the regions of all divergent branches; nested regions become one. */
static bool find_regions(struct divergence *d)
{
    for (unsigned b = 0; b < d->cfg.count; b++) {
        LLVMValueRef c = d->branch[b];
        unsigned end = d->cfg.post_dominator[b];
        if (!c)
            continue;
        if (end == CFG_NONE)
            return lower_error(
                c,
                "return inside SIMD control flow: all lanes return together, behind SIMD_IF_END or SIMD_DO_WHILE_END");
        unsigned outer = d->region[b];
        if (outer != CFG_NONE && d->region_end[outer] != CFG_NONE) {
            bool covered = true;
            for (unsigned i = 0; i < d->cfg.successor_count[b]; i++) {
                unsigned s = d->cfg.successors[b][i];
                covered = covered && (d->region[s] == outer || s == d->region_end[outer]);
            }
            if (covered)
                continue;
        }
        unsigned number = d->region_count++;
        d->region_end[number] = end;
        for (unsigned i = 0; i < d->cfg.successor_count[b]; i++)
            add_reachable(d, d->cfg.successors[b][i], end, number);
    }
    return true;
}

/* Merges regions that share a block or whose branch is in another region: the one that extends furthest remains. */
static bool merge_regions(struct divergence *d)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (unsigned b = 0; b < d->cfg.count; b++) {
            unsigned outer = d->region[b];
            if (!d->branch[b] || outer == CFG_NONE)
                continue;
            for (unsigned i = 0; i < d->cfg.successor_count[b]; i++) {
                unsigned s = d->cfg.successors[b][i], inner = d->region[s];
                if (s == d->region_end[outer] || inner == outer)
                    continue;
                add_reachable(d, s, d->region_end[outer], outer);
                changed = true;
            }
        }
    }
    return true;
}

static unsigned mask_lanes(LLVMValueRef condition)
{
    return type_lanes(LLVMTypeOf(LLVMGetOperand(condition, 0)));
}

static bool set_widths(struct divergence *d)
{
    for (unsigned b = 0; b < d->cfg.count; b++) {
        LLVMValueRef c = d->branch[b];
        if (!c)
            continue;
        unsigned region = d->region[d->cfg.successors[b][0]];
        if (region == CFG_NONE)
            region = d->region[d->cfg.successors[b][1]];
        if (region == CFG_NONE)
            continue; /* both ways lead to the end: nothing happens inside */
        unsigned lanes = mask_lanes(c), *width = &d->region_width[region];
        if (lanes == 1)
            continue; /* a scalar condition counts for every lane of the enclosing block */
        if (lanes > 32 || (lanes & (lanes - 1)) != 0)
            return lower_error(c, "SIMD control flow over %u lanes: must be 2, 4, 8, 16 or 32", lanes);
        if (*width && *width != lanes)
            return lower_error(c, "SIMD control flow over %u lanes inside one over %u", lanes, *width);
        *width = lanes;
    }
    for (unsigned r = 0; r < d->region_count; r++)
        if (d->region_width[r] == 0)
            d->region_width[r] = 1;
    return true;
}

static LLVMTypeRef mask_type(struct divergence *d, unsigned lanes)
{
    return LLVMVectorType(LLVMInt1TypeInContext(LLVMGetModuleContext(d->module)), lanes);
}

static LLVMValueRef new_mask(struct divergence *d, unsigned lanes, const char *name)
{
    LLVMPositionBuilderBefore(d->builder, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(d->kernel)));
    LLVMValueRef variable = LLVMBuildAlloca(d->builder, mask_type(d, lanes), name);
    LLVMPositionBuilderBefore(d->builder, LLVMGetBasicBlockTerminator(LLVMGetEntryBasicBlock(d->kernel)));
    return variable;
}

static LLVMValueRef load_mask(struct divergence *d, LLVMValueRef variable)
{
    return LLVMBuildLoad2(d->builder, LLVMGetAllocatedType(variable), variable, "");
}

static LLVMValueRef all_lanes(struct divergence *d, unsigned lanes)
{
    return LLVMConstAllOnes(mask_type(d, lanes));
}
static LLVMValueRef no_lanes(struct divergence *d, unsigned lanes)
{
    return LLVMConstNull(mask_type(d, lanes));
}

static bool is_backward(const struct divergence *d, unsigned from, unsigned to)
{
    return to <= from && d->region[to] == d->region[from];
}

/* Checks that every edge goes to a later block, or back to a dominating block, as in Clang's output for structured
 * code. */
static bool check_order(struct divergence *d)
{
    for (unsigned b = 0; b < d->cfg.count; b++) {
        if (d->region[b] == CFG_NONE)
            continue;
        if (d->cfg.successor_count[b] == 0)
            return lower_error(
                LLVMGetBasicBlockTerminator(d->cfg.blocks[b]),
                "return inside SIMD control flow: all lanes return together, behind SIMD_IF_END or SIMD_DO_WHILE_END");
        for (unsigned i = 0; i < d->cfg.successor_count[b]; i++) {
            unsigned s = d->cfg.successors[b][i];
            if (is_backward(d, b, s) && !cfg_dominates(&d->cfg, s, b))
                return lower_error(LLVMGetBasicBlockTerminator(d->cfg.blocks[b]),
                                   "a jump into a loop inside SIMD control flow: loops there are SIMD_DO_WHILE_BEGIN");
        }
    }
    return true;
}

/* True if every block between `branch` and its post-dominator `end` is entered from there only and has no divergent
 * branch. The blocks must also be consecutive: a jump over other blocks would skip lanes that are parked there. */
static bool is_plain_part(const struct divergence *d, unsigned branch, unsigned end)
{
    if (end == CFG_NONE || end <= branch || d->region[end] != d->region[branch])
        return false;
    for (unsigned b = branch; b < end; b++) {
        if (d->region[b] != d->region[branch] || d->branch[b] || !cfg_dominates(&d->cfg, branch, b))
            return false;
        for (unsigned i = 0; i < d->cfg.successor_count[b]; i++) {
            unsigned s = d->cfg.successors[b][i];
            if (s < branch || s > end)
                return false;
        }
    }
    return true;
}

/* Finds uniform branches: conditional operators and scalar statements inside SIMD control flow, above all in the CM
 * headers. Their conditions become constants later, which LLVM does not find with masks in between. */
static void find_plain_branches(struct divergence *d)
{
    for (unsigned b = 0; b < d->cfg.count; b++) {
        if (d->region[b] == CFG_NONE || d->plain[b] || d->branch[b] || d->cfg.successor_count[b] != 2)
            continue;
        unsigned end = d->cfg.post_dominator[b];
        if (is_plain_part(d, b, end))
            for (unsigned inside = b; inside < end; inside++)
                d->plain[inside] = true;
    }
}

static unsigned next_block(const struct divergence *d, unsigned block)
{
    for (unsigned b = block + 1; b < d->cfg.count; b++)
        if (d->region[b] == d->region[block])
            return b;
    return d->region_end[d->region[block]];
}

/* Returns the successor in which `block`'s lanes continue at once: the loop header of a back edge, else the next block;
 * CFG_NONE: none. */
static unsigned direct_target(const struct divergence *d, unsigned block)
{
    unsigned next = next_block(d, block), direct = CFG_NONE;
    for (unsigned i = 0; i < d->cfg.successor_count[block]; i++) {
        unsigned s = d->cfg.successors[block][i];
        if (is_backward(d, block, s))
            return s;
        if (s == next && s != d->region_end[d->region[block]])
            direct = s;
    }
    return direct;
}

/* Returns the target when no lane is active after `block`: the next block before `end` that may have parked lanes. */
static unsigned skip_target(const struct divergence *d, unsigned block, unsigned end)
{
    unsigned region = d->region[block];
    for (unsigned b = block + 1; b < d->cfg.count; b++) {
        if (d->region[b] != region || !d->parked[b])
            continue;
        for (unsigned i = 0; i < d->cfg.predecessor_count[b]; i++)
            if (d->cfg.predecessors[b][i] < end)
                return b;
    }
    return d->region_end[region];
}

/* Returns which successor of a region's first branch runs first: the earlier block inside. */
static unsigned first_successor(const struct divergence *d, unsigned branch, unsigned region)
{
    const unsigned *s = d->cfg.successors[branch];
    return s[0] == d->region_end[region] || (s[1] != d->region_end[region] && s[1] < s[0]) ? 1 : 0;
}

/* Returns the lanes that enter a region: all lanes, or the call's active lanes if the region is the body of a function
 * that takes a mask. */
static LLVMValueRef lanes_at_entry(struct divergence *d, unsigned region)
{
    LLVMValueRef mask = region == 0 ? call_mask_parameter(d->kernel) : NULL;
    if (!mask)
        return all_lanes(d, d->region_width[region]);
    return LLVMBuildICmp(d->builder, LLVMIntNE, mask, LLVMConstNull(LLVMTypeOf(mask)), "");
}

/* Creates a mask RM for every block in which lanes may wait, and a mask EM for every region. */
static void add_masks(struct divergence *d)
{
    for (unsigned b = 0; b < d->cfg.count; b++) {
        if (d->region[b] == CFG_NONE)
            continue;
        unsigned width = d->region_width[d->region[b]];
        for (unsigned i = 0; i < d->cfg.predecessor_count[b]; i++) {
            unsigned p = d->cfg.predecessors[b][i];
            bool inside = d->region[p] == d->region[b];
            if (d->plain[p] || d->parked[b] || (inside && direct_target(d, p) == b) || (!inside && !d->branch[p]))
                continue; /* lanes go straight on, or all of them enter here */
            if (!inside && d->cfg.successors[p][first_successor(d, p, d->region[b])] == b)
                continue; /* the branch's lanes come first */
            d->parked[b] = new_mask(d, width, "parked");
            LLVMBuildStore(d->builder, no_lanes(d, width), d->parked[b]);
        }
        if (d->parked[b])
            d->join[b] = join_find(&d->cfg, d->region, b);
        if (d->join[b].entry != CFG_NONE && d->plain[d->join[b].entry])
            d->join[b].entry = CFG_NONE;
    }
    for (unsigned r = 0; r < d->region_count; r++) {
        d->live[r] = new_mask(d, d->region_width[r], "live");
        LLVMBuildStore(d->builder, lanes_at_entry(d, r), d->live[r]);
    }
}

/* Returns the condition's lanes as <W x i1>; a scalar condition is splatted. */
static LLVMValueRef condition_mask(struct divergence *d, LLVMValueRef condition, unsigned width)
{
    LLVMValueRef lanes = LLVMGetOperand(condition, 0);
    LLVMTypeRef type = LLVMTypeOf(lanes);
    LLVMValueRef mask = LLVMBuildICmp(d->builder, LLVMIntNE, lanes, LLVMConstNull(type), "");
    if (type_lanes(type) == width)
        return mask;
    LLVMTypeRef i32 = LLVMInt32TypeInContext(LLVMGetModuleContext(d->module));
    return LLVMBuildShuffleVector(d->builder, mask, LLVMGetUndef(LLVMTypeOf(mask)),
                                  LLVMConstNull(LLVMVectorType(i32, width)), "");
}

static LLVMValueRef scalar_mask(struct divergence *d, LLVMValueRef condition, unsigned width)
{
    return LLVMBuildSelect(d->builder, condition, all_lanes(d, width), no_lanes(d, width), "");
}

static LLVMValueRef any_lane(struct divergence *d, LLVMValueRef mask)
{
    return genx_build(d->builder, d->module, GENX_ANY, LLVMInt1TypeInContext(LLVMGetModuleContext(d->module)), &mask,
                      1);
}

static void park(struct divergence *d, unsigned region, unsigned target, LLVMValueRef lanes)
{
    if (d->region[target] != region || d->join[target].entry != CFG_NONE)
        return; /* the region's end, where everything is live again, or a block that knows its lanes */
    LLVMValueRef sum = LLVMBuildOr(d->builder, load_mask(d, d->parked[target]), lanes, "");
    LLVMBuildStore(d->builder, sum, d->parked[target]);
}

/* True if block starts a loop whose lanes reconverge after it: they are stored before the first iteration, in the
 * loop's entry block. */
static bool begins_joined_loop(const struct divergence *d, unsigned b)
{
    for (unsigned end = b + 1; end < d->cfg.count; end++)
        if (d->join[end].entry == b && d->join[end].loops)
            return true;
    return false;
}

/* Stores the active lanes where lanes that diverge at `b` reconverge. */
static void store_joins(struct divergence *d, unsigned b, bool loops)
{
    for (unsigned end = b + 1; end < d->cfg.count; end++)
        if (d->join[end].entry == b && d->join[end].loops == loops)
            LLVMBuildStore(d->builder, load_mask(d, d->live[d->region[b]]), d->parked[end]);
}

/* Returns the target of a jump from `from` to `to` for lanes that do not wait there. Back edges skip the loop's entry
 * block. */
static LLVMBasicBlockRef way_in(const struct divergence *d, unsigned from, unsigned to)
{
    return is_backward(d, from, to) && begins_joined_loop(d, to) ? d->cfg.blocks[to] : d->join_block[to];
}

/* Jumps to `target` (a block of the region or its end). If another region starts there, all lanes enter it. */
static LLVMBasicBlockRef arrive(struct divergence *d, unsigned from_region, unsigned target)
{
    unsigned region = d->region[target];
    if (region != CFG_NONE && region != from_region)
        LLVMBuildStore(d->builder, all_lanes(d, d->region_width[region]), d->live[region]);
    return d->join_block[target];
}

/* Redirects the edges of a uniform terminator to joins. */
static void redirect(struct divergence *d, unsigned b)
{
    LLVMValueRef terminator = LLVMGetBasicBlockTerminator(d->cfg.blocks[b]);
    for (unsigned i = 0; i < LLVMGetNumSuccessors(terminator); i++)
        for (unsigned k = 0; k < d->cfg.successor_count[b]; k++)
            if (LLVMGetSuccessor(terminator, i) == d->cfg.blocks[d->cfg.successors[b][k]])
                LLVMSetSuccessor(terminator, i, way_in(d, b, d->cfg.successors[b][k]));
}

/* Replaces the terminator of a block in a region. */
static void rewrite_inside(struct divergence *d, unsigned b)
{
    unsigned region = d->region[b], width = d->region_width[region], ways = d->cfg.successor_count[b];
    LLVMValueRef old = LLVMGetBasicBlockTerminator(d->cfg.blocks[b]), live = d->live[region], go = NULL;
    LLVMPositionBuilderBefore(d->builder, old);
    store_joins(d, b, false);
    LLVMValueRef lanes = load_mask(d, live), part[2] = {lanes, NULL};
    if (ways == 2) {
        LLVMValueRef taken =
            d->branch[b] ? condition_mask(d, d->branch[b], width) : scalar_mask(d, LLVMGetCondition(old), width);
        part[0] = LLVMBuildAnd(d->builder, lanes, taken, "");
        part[1] = LLVMBuildAnd(d->builder, lanes, LLVMBuildNot(d->builder, taken, ""), "");
    }
    unsigned direct = direct_target(d, b), skip = skip_target(d, b, b + 1);
    for (unsigned k = 0; k < ways; k++) {
        unsigned target = d->cfg.successors[b][k];
        if (target == direct && !go)
            go = part[k];
        else
            park(d, region, target, part[k]);
    }
    LLVMBuildStore(d->builder, go ? go : no_lanes(d, width), live);
    if (!go) {
        LLVMBuildBr(d->builder, arrive(d, region, skip));
    } else if (ways == 1) {
        LLVMBuildBr(d->builder, way_in(d, b, direct));
    } else {
        LLVMValueRef any = any_lane(d, go);
        LLVMBasicBlockRef otherwise = arrive(d, region, skip);
        LLVMBuildCondBr(d->builder, any, way_in(d, b, direct), otherwise);
    }
    LLVMInstructionEraseFromParent(old);
}

/* Replaces the branch that opens a region: all lanes are active before it. */
static void rewrite_entry(struct divergence *d, unsigned b)
{
    unsigned *s = d->cfg.successors[b];
    unsigned region = d->region[s[0]] != CFG_NONE ? d->region[s[0]] : d->region[s[1]];
    LLVMValueRef old = LLVMGetBasicBlockTerminator(d->cfg.blocks[b]);
    if (region == CFG_NONE)
        return;
    unsigned width = d->region_width[region];
    LLVMPositionBuilderBefore(d->builder, old);
    LLVMValueRef taken = condition_mask(d, d->branch[b], width);
    LLVMValueRef part[2] = {taken, LLVMBuildNot(d->builder, taken, "")};
    unsigned first = first_successor(d, b, region), other = s[1 - first];
    LLVMBuildStore(d->builder, part[first], d->live[region]);
    park(d, region, other, part[1 - first]);
    LLVMValueRef any = any_lane(d, part[first]);
    LLVMBasicBlockRef otherwise = arrive(d, region, other);
    LLVMBuildCondBr(d->builder, any,
                    begins_joined_loop(d, s[first]) ? d->join_block[s[first]] : d->cfg.blocks[s[first]], otherwise);
    LLVMInstructionEraseFromParent(old);
}

/* Replaces a builtin's call by one with the active lanes as its last operand. */
static void add_live_lanes(struct divergence *d, LLVMValueRef call, const char *builtin, LLVMValueRef live)
{
    unsigned count = LLVMGetNumArgOperands(call);
    LLVMValueRef operands[4];
    LLVMTypeRef types[4];
    for (unsigned i = 0; i <= count; i++) {
        operands[i] = i < count ? LLVMGetOperand(call, i) : live;
        types[i] = LLVMTypeOf(operands[i]);
    }
    LLVMTypeRef type = LLVMFunctionType(LLVMTypeOf(call), types, count + 1, false), value = types[count - 1];
    char name[64];
    snprintf(name, sizeof name, "%s.masked.%u.%c%u", builtin, type_lanes(value), type_is_float(value) ? 'f' : 'i',
             type_element_bits(value));
    LLVMValueRef function = LLVMGetNamedFunction(d->module, name);
    if (!function)
        function = LLVMAddFunction(d->module, name, type);
    LLVMReplaceAllUsesWith(call, LLVMBuildCall2(d->builder, type, function, operands, count + 1, ""));
    LLVMInstructionEraseFromParent(call);
}

/* ANDs operand `index` of `call` (an <N x u16> mask) with the active lanes. */
static void narrow_mask(struct divergence *d, LLVMValueRef call, unsigned index, LLVMValueRef live)
{
    LLVMValueRef mask = LLVMGetOperand(call, index);
    LLVMValueRef narrow = LLVMBuildSelect(d->builder, live, mask, LLVMConstNull(LLVMTypeOf(mask)), "");
    LLVMSetOperand(call, index, narrow);
}

static bool predicate_call(struct divergence *d, LLVMValueRef call, enum builtin_id id, unsigned region)
{
    unsigned width = d->region_width[region];
    LLVMPositionBuilderBefore(d->builder, call);
    LLVMSetCurrentDebugLocation2(d->builder, LLVMInstructionGetDebugLoc(call));
    const struct builtin_row *row = &builtin_table[id];
    if (row->mask == -3)
        return lower_error(call, "%s is not allowed inside SIMD control flow",
                           lower_called(call, row->name, &(struct ir_called){0}));
    if (id == BUILTIN_wrref && LLVMGetNumArgOperands(call) == 4)
        return true; /* results of functions that stay functions (functions.c) */
    unsigned index = id == BUILTIN_wrref ? 2 : id == BUILTIN_any || id == BUILTIN_all ? 0 : (unsigned)row->mask;
    if (row->mask == -1 && id != BUILTIN_any && id != BUILTIN_all)
        return true;
    unsigned lanes = type_lanes(LLVMTypeOf(LLVMGetOperand(call, index)));
    bool any_width =
        id == BUILTIN_live || id == BUILTIN_distance; /* reductions and reads of other vectors take all lanes */
    if (lanes == 1 || (any_width && lanes != width))
        return true;
    if (lanes != width)
        return lower_error(call, "operation on %u lanes inside SIMD control flow over %u lanes: must be %u or 1", lanes,
                           width, width);
    LLVMValueRef live = load_mask(d, d->live[region]);
    if (id == BUILTIN_wrref) {
        add_live_lanes(d, call, "_Z10__cm_wrref", live);
    } else if (id == BUILTIN_distance) {
        add_live_lanes(d, call, "_Z13__cm_distance", live);
    } else if (id == BUILTIN_all) {
        LLVMValueRef mask = LLVMGetOperand(call, 0);
        LLVMSetOperand(call, 0, LLVMBuildSelect(d->builder, live, mask, LLVMConstAllOnes(LLVMTypeOf(mask)), ""));
    } else {
        narrow_mask(d, call, index, live);
    }
    return true;
}

/* Passes the active lanes to the called function. */
static void pass_mask(struct divergence *d, LLVMValueRef call, unsigned region)
{
    LLVMPositionBuilderBefore(d->builder, call);
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(call, LLVMGetNumArgOperands(call) - 1));
    LLVMValueRef live = load_mask(d, d->live[region]);
    LLVMSetOperand(call, LLVMGetNumArgOperands(call) - 1, LLVMBuildZExt(d->builder, live, type, ""));
}

static bool predicate_block(struct divergence *d, unsigned b)
{
    unsigned region = d->region[b];
    FOR_EACH_REMOVABLE(i, d->cfg.blocks[b])
    {
        enum builtin_id id = builtin_call_id(i);
        if (assembly_is(i)) /* the text of inline assembly decides its lanes; it does not see the execution mask */
            return lower_error(i, "asm is not allowed inside SIMD control flow");
        if (id != BUILTIN_NONE && id != BUILTIN_simdcf_any && !predicate_call(d, i, id, region))
            return false;
        if (call_mask_lanes(function_called(i)))
            pass_mask(d, i, region);
    }
    return true;
}

static bool is_entered_directly(const struct divergence *d, unsigned b)
{
    for (unsigned i = 0; i < d->cfg.predecessor_count[b]; i++) {
        unsigned p = d->cfg.predecessors[b][i];
        if (d->plain[p] || (d->region[p] != d->region[b] ? !d->branch[p] : direct_target(d, p) == b))
            return true;
    }
    return false;
}

/* Activates the lanes that wait for `b`. Returns whether there are any; NULL: always. No other lane is active then,
 * unless lanes arrive without waiting. */
static LLVMValueRef take_back(struct divergence *d, unsigned b)
{
    unsigned region = d->region[b];
    LLVMValueRef sum = load_mask(d, d->parked[b]);
    bool knows = d->join[b].entry != CFG_NONE;
    if (!knows && (is_entered_directly(d, b) || begins_joined_loop(d, b)))
        sum = LLVMBuildOr(d->builder, load_mask(d, d->live[region]), sum, "");
    LLVMBuildStore(d->builder, sum, d->live[region]);
    if (knows)
        return NULL;
    LLVMBuildStore(d->builder, no_lanes(d, d->region_width[region]), d->parked[b]);
    return any_lane(d, sum);
}

/* Builds the block's entry: activates the waiting lanes, or skips on if there are none. */
static void build_join_block(struct divergence *d, unsigned b)
{
    LLVMPositionBuilderAtEnd(d->builder, d->join_block[b]);
    LLVMValueRef any = d->parked[b] ? take_back(d, b) : NULL;
    store_joins(d, b, true);
    if (any)
        LLVMBuildCondBr(d->builder, any, d->cfg.blocks[b], arrive(d, d->region[b], skip_target(d, b, b)));
    else
        LLVMBuildBr(d->builder, d->cfg.blocks[b]);
}

/* Sets EM to all lanes in blocks that enter a region uniformly: a loop's first block. */
static void set_all_live(struct divergence *d, unsigned b)
{
    for (unsigned i = 0; i < d->cfg.successor_count[b]; i++) {
        unsigned region = d->region[d->cfg.successors[b][i]];
        if (region == CFG_NONE || d->region[b] == region || d->branch[b])
            continue;
        LLVMPositionBuilderBefore(d->builder, LLVMGetBasicBlockTerminator(d->cfg.blocks[b]));
        LLVMBuildStore(d->builder, lanes_at_entry(d, region), d->live[region]);
        if (begins_joined_loop(d, d->cfg.successors[b][i]))
            redirect(d, b);
    }
}

static bool has_join_block(const struct divergence *d, unsigned b)
{
    return d->parked[b] || begins_joined_loop(d, b);
}

static bool transform(struct divergence *d)
{
    add_masks(d);
    for (unsigned b = 0; b < d->cfg.count; b++)
        if (d->region[b] != CFG_NONE && !predicate_block(d, b))
            return false;
    LLVMSetCurrentDebugLocation2(d->builder, NULL);
    for (unsigned b = 0; b < d->cfg.count; b++)
        d->join_block[b] = has_join_block(d, b) ? LLVMInsertBasicBlockInContext(LLVMGetModuleContext(d->module),
                                                                                d->cfg.blocks[b], "join")
                                                : d->cfg.blocks[b];
    for (unsigned b = 0; b < d->cfg.count; b++) {
        if (d->plain[b])
            redirect(d, b);
        else if (d->region[b] != CFG_NONE)
            rewrite_inside(d, b);
        else if (d->branch[b])
            rewrite_entry(d, b);
        else
            set_all_live(d, b);
    }
    for (unsigned b = 0; b < d->cfg.count; b++)
        if (has_join_block(d, b))
            build_join_block(d, b);
    return true;
}

static void remove_conditions(LLVMValueRef kernel)
{
    FOR_EACH_BLOCK(block, kernel)
    FOR_EACH_REMOVABLE(i, block)
    {
        if (builtin_call_id(i) != BUILTIN_simdcf_any)
            continue;
        LLVMReplaceAllUsesWith(i, LLVMGetUndef(LLVMTypeOf(i)));
        LLVMInstructionEraseFromParent(i);
    }
}

/* Makes the body of a function that takes a mask one region, from after its first block to its return. */
static void find_masked_body(struct divergence *d)
{
    unsigned leave = CFG_NONE, lanes = call_mask_lanes(d->kernel);
    for (unsigned b = 0; b < d->cfg.count; b++)
        if (LLVMIsAReturnInst(LLVMGetBasicBlockTerminator(d->cfg.blocks[b])))
            leave = b;
    if (!lanes || leave == CFG_NONE)
        return;
    d->region_end[0] = leave;
    d->region_width[0] = lanes;
    d->region_count = 1;
    add_reachable(d, d->cfg.successors[0][0], leave, 0);
}

static bool find_divergence(struct divergence *d)
{
    unsigned n = d->cfg.count;
    d->region = ir_calloc(n, sizeof *d->region);
    d->region_end = ir_calloc(n + 1, sizeof *d->region_end);
    d->region_width = ir_calloc(n + 1, sizeof *d->region_width);
    d->live = ir_calloc(n + 1, sizeof *d->live);
    d->parked = ir_calloc(n, sizeof *d->parked);
    d->join = ir_calloc(n, sizeof *d->join);
    d->join_block = ir_calloc(n, sizeof *d->join_block);
    d->branch = ir_calloc(n, sizeof *d->branch);
    d->plain = ir_calloc(n, sizeof *d->plain);
    for (unsigned b = 0; b < n; b++) {
        d->region[b] = CFG_NONE;
        d->join[b].entry = CFG_NONE;
        LLVMValueRef last = LLVMGetBasicBlockTerminator(d->cfg.blocks[b]);
        d->branch[b] = last ? divergent_condition(last) : NULL;
    }
    find_masked_body(d);
    return find_regions(d) && merge_regions(d) && set_widths(d) && check_order(d);
}

static void free_divergence(struct divergence *d)
{
    free(d->region);
    free(d->region_end);
    free(d->region_width);
    free(d->live);
    free(d->parked);
    free(d->join);
    free(d->join_block);
    free(d->branch);
    free(d->plain);
}

/* Adds a mask parameter to functions that are called in divergent blocks. */
static bool request_masks(struct divergence *d, bool *changed)
{
    for (unsigned b = 0; b < d->cfg.count; b++) {
        unsigned width = d->region[b] == CFG_NONE ? 1 : d->region_width[d->region[b]];
        if (width == 1) /* scalar conditions only */
            continue;
        FOR_EACH_INSTRUCTION(i, d->cfg.blocks[b])
        if (function_called(i) && !call_mask_request(i, width, changed))
            return false;
    }
    return true;
}

static bool lower_kernel(struct divergence *d)
{
    find_plain_branches(d);
    if (!transform(d))
        return false;
    remove_conditions(d->kernel);
    return true;
}

/* Runs `step` on each kernel and function. */
static bool for_each_divergence(LLVMModuleRef module, bool (*step)(struct divergence *, bool *), bool *changed)
{
    bool ok = true;
    FOR_EACH_FUNCTION(f, module)
    {
        if (!ok || !function_is_lowered(f))
            continue;
        struct divergence d = {.module = module, .kernel = f};
        d.builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
        cfg_build(&d.cfg, f);
        cfg_find_post_dominators(&d.cfg);
        ok = find_divergence(&d) && (step ? step(&d, changed) : lower_kernel(&d));
        free_divergence(&d);
        cfg_free(&d.cfg);
        LLVMDisposeBuilder(d.builder);
    }
    return ok;
}

static bool has_divergence(LLVMModuleRef module)
{
    FOR_EACH_FUNCTION(f, module)
    {
        LLVMUseRef use = LLVMGetFirstUse(f);
        if (use && builtin_call_id(LLVMGetUser(use)) == BUILTIN_simdcf_any)
            return true;
    }
    return false;
}

/* Removes distance calls that no lane mask applies to. */
static void remove_plain_distances(LLVMModuleRef module)
{
    FOR_EACH_FUNCTION(f, module)
    {
        if (builtin_of_function(f) != BUILTIN_distance || LLVMCountParams(f) != 1)
            continue;
        for (LLVMUseRef use; (use = LLVMGetFirstUse(f));) {
            LLVMValueRef call = LLVMGetUser(use);
            LLVMReplaceAllUsesWith(call, LLVMGetOperand(call, 0));
            LLVMInstructionEraseFromParent(call);
        }
    }
}

static bool lower_divergence(LLVMModuleRef module)
{
    if (!ir_run_llvm_passes(module, "function(reg2mem)"))
        return false;
    for (bool changed = true; changed;) {
        changed = false;
        if (!for_each_divergence(module, request_masks, &changed))
            return false;
    }
    call_mask_add_parameters(module);
    return for_each_divergence(module, NULL, NULL);
}

bool pass_simd_control_flow(LLVMModuleRef module, const struct lower_options *options)
{
    (void)options;
    if (has_divergence(module) && !lower_divergence(module))
        return false;
    remove_plain_distances(module);
    return true;
}
