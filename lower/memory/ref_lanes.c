/* Folds the lanes of a subview of a reference (select, row, column ...). The headers compute them by two calls if the
 * subview may start at run time (include/cm/detail/core/builtins.h, __lanes_part and __lanes_distance):
 *   <n x i16> @cm.part.vN.vM(<M x i16> offsets, i32 i, i32 j, i32 rows, i32 columns, i32 pitch, i32 width, i32 step)
 *   i32 @cm.distance.vM(<M x i16> offsets, i32 i, i32 j, i32 rows, i32 columns)
 * `offsets` are the parent's lanes, rows x columns of them, constant after inlining; a subview of a subview has this
 * pass's results as offsets. As plain instructions in the headers each would be dozens on vectors of hundreds of lanes,
 * which are inlined, simplified and thrown away. */
#include <stdlib.h>
#include "lower/ir/ir.h"
#include "lower/passes.h"

/* Constant offsets of a parent. even: lane (r, c) is origin + r * pitch + c * step. */
struct grid {
    LLVMValueRef offsets; /* constants are unique */
    int64_t rows, columns;
    bool even;
    int64_t pitch, step;
};

struct parts {
    LLVMBuilderRef builder;
    struct grid *grids;
    size_t count, capacity;
};

static uint16_t offset_of(LLVMValueRef offsets, int64_t lane)
{
    uint64_t bits = 0;
    bool undefined;
    constant_lane(offsets, (unsigned)lane, &bits, &undefined);
    return (uint16_t)bits;
}

/* Undefined lanes, beyond the parent's own parent, match any value. */
static bool is_even(const struct grid *grid, uint16_t origin)
{
    for (int64_t lane = 0; lane < grid->rows * grid->columns; lane++)
        if (offset_of(grid->offsets, lane) !=
                (uint16_t)(origin + lane / grid->columns * grid->pitch + lane % grid->columns * grid->step) &&
            !LLVMIsUndef(LLVMGetAggregateElement(grid->offsets, (unsigned)lane)))
            return false;
    return true;
}

/* Returns the grid of `offsets`, computed once; NULL: they are not constant. */
static const struct grid *grid_of(struct parts *parts, LLVMValueRef offsets, int64_t rows, int64_t columns)
{
    if (!LLVMIsConstant(offsets))
        return NULL;
    for (size_t i = parts->count; i-- > 0;)
        if (parts->grids[i].offsets == offsets && parts->grids[i].rows == rows)
            return &parts->grids[i];
    struct grid grid = {.offsets = offsets, .rows = rows, .columns = columns};
    uint16_t origin = offset_of(offsets, 0);
    grid.pitch = rows > 1 ? offset_of(offsets, columns) - origin : 0;
    grid.step = columns > 1 ? offset_of(offsets, 1) - origin : 0;
    grid.even = is_even(&grid, origin);
    ARRAY_PUSH(parts->grids, parts->count, parts->capacity, grid);
    return &parts->grids[parts->count - 1];
}

/* i * pitch + j * step. */
static LLVMValueRef expand_distance(struct parts *parts, LLVMValueRef call)
{
    const struct grid *grid = grid_of(parts, LLVMGetOperand(call, 0), constant_of(call, 3), constant_of(call, 4));
    LLVMTypeRef type = LLVMTypeOf(call);
    if (!grid || !grid->even)
        return LLVMConstNull(type);
    LLVMValueRef rows =
        LLVMBuildMul(parts->builder, LLVMGetOperand(call, 1), LLVMConstInt(type, (uint64_t)grid->pitch, true), "");
    LLVMValueRef columns =
        LLVMBuildMul(parts->builder, LLVMGetOperand(call, 2), LLVMConstInt(type, (uint64_t)grid->step, true), "");
    return LLVMBuildAdd(parts->builder, rows, columns, "");
}

/* Reads lanes from element `first` of the parent on; the builder folds constants. */
static LLVMValueRef find(struct parts *parts, LLVMValueRef call, LLVMValueRef first)
{
    LLVMValueRef offsets = LLVMGetOperand(call, 0), result = LLVMGetPoison(LLVMTypeOf(call));
    LLVMTypeRef type = LLVMTypeOf(first);
    int64_t pitch = constant_of(call, 5), width = constant_of(call, 6), step = constant_of(call, 7);
    for (int64_t k = 0; k < (int64_t)type_lanes(LLVMTypeOf(call)); k++) {
        LLVMValueRef distance = LLVMConstInt(type, (uint64_t)(k / width * pitch + k % width * step), true);
        LLVMValueRef at = LLVMBuildAdd(parts->builder, first, distance, "");
        LLVMValueRef lane = LLVMBuildExtractElement(parts->builder, offsets, at, "");
        result = LLVMBuildInsertElement(parts->builder, result, lane, LLVMConstInt(type, (uint64_t)k, false), "");
    }
    return result;
}

/* Returns the element at which a subview starts: 0 unless it is a constant. */
static int64_t known_start(LLVMValueRef call)
{
    LLVMValueRef row = LLVMGetOperand(call, 1), column = LLVMGetOperand(call, 2);
    if (!LLVMIsAConstantInt(row) || !LLVMIsAConstantInt(column))
        return 0;
    return LLVMConstIntGetSExtValue(row) * constant_of(call, 4) + LLVMConstIntGetSExtValue(column);
}

/* Folds the lanes of a subview of constant offsets relative to the first element; the distance adds the start. Lanes
 * that are known to be beyond the parent are undefined. */
static LLVMValueRef pick(LLVMValueRef call)
{
    unsigned lanes = type_lanes(LLVMTypeOf(call));
    LLVMValueRef offsets = LLVMGetOperand(call, 0), *values = ir_calloc(lanes, sizeof *values);
    LLVMTypeRef type = LLVMGetElementType(LLVMTypeOf(call));
    int64_t count = type_lanes(LLVMTypeOf(offsets)), pitch = constant_of(call, 5), width = constant_of(call, 6),
            step = constant_of(call, 7), start = known_start(call);
    for (unsigned k = 0; k < lanes; k++) {
        int64_t at = k / width * pitch + k % width * step;
        values[k] = at < count && start + at >= 0 && start + at < count ? LLVMGetAggregateElement(offsets, (unsigned)at)
                                                                        : LLVMGetPoison(type);
    }
    LLVMValueRef result = LLVMConstVector(values, lanes);
    free(values);
    return result;
}

static LLVMValueRef expand_part(struct parts *parts, LLVMValueRef call)
{
    const struct grid *grid = grid_of(parts, LLVMGetOperand(call, 0), constant_of(call, 3), constant_of(call, 4));
    if (grid && grid->even)
        return pick(call);
    LLVMValueRef columns = LLVMGetOperand(call, 4);
    LLVMValueRef row = LLVMBuildMul(parts->builder, LLVMGetOperand(call, 1), columns, "");
    return find(parts, call, LLVMBuildAdd(parts->builder, row, LLVMGetOperand(call, 2), ""));
}

/* Folds instructions between one subview and the next: formats shuffle the offsets and add to them. */
static LLVMValueRef fold(struct parts *parts, LLVMValueRef instruction)
{
    for (int i = 0; i < LLVMGetNumOperands(instruction); i++)
        if (!LLVMIsConstant(LLVMGetOperand(instruction, (unsigned)i)))
            return NULL;
    LLVMValueRef left = LLVMGetOperand(instruction, 0), right = LLVMGetOperand(instruction, 1);
    if (LLVMGetInstructionOpcode(instruction) == LLVMAdd)
        return LLVMBuildAdd(parts->builder, left, right, "");
    unsigned lanes = type_lanes(LLVMTypeOf(instruction));
    LLVMValueRef *mask = ir_calloc(lanes, sizeof *mask);
    LLVMTypeRef type = LLVMInt32TypeInContext(LLVMGetTypeContext(LLVMTypeOf(instruction)));
    for (unsigned k = 0; k < lanes; k++) {
        int lane = LLVMGetMaskValue(instruction, k);
        mask[k] = lane < 0 ? LLVMGetPoison(type) : LLVMConstInt(type, (uint64_t)lane, false);
    }
    LLVMValueRef result = LLVMBuildShuffleVector(parts->builder, left, right, LLVMConstVector(mask, lanes), "");
    free(mask);
    return result;
}

static bool is_part(LLVMValueRef call)
{
    return ir_calls_named(call, "cm.part.");
}
static bool is_distance(LLVMValueRef call)
{
    return ir_calls_named(call, "cm.distance.");
}

/* Replaces the instruction, after those that compute its offsets, if it is one of the two calls or computes offsets
 * from constants. */
static void replace(struct parts *parts, LLVMValueRef instruction)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
    bool asks = opcode == LLVMCall && (is_part(instruction) || is_distance(instruction));
    if (!asks && opcode != LLVMAdd && opcode != LLVMShuffleVector)
        return;
    for (unsigned i = 0; i < (asks ? 1u : 2u); i++)
        if (LLVMIsAInstruction(LLVMGetOperand(instruction, i)))
            replace(parts, LLVMGetOperand(instruction, i));
    LLVMPositionBuilderBefore(parts->builder, instruction);
    LLVMValueRef value = !asks                  ? fold(parts, instruction)
                         : is_part(instruction) ? expand_part(parts, instruction)
                                                : expand_distance(parts, instruction);
    if (!value)
        return;
    LLVMReplaceAllUsesWith(instruction, value);
    LLVMInstructionEraseFromParent(instruction);
}

bool pass_ref_lanes(LLVMModuleRef module, const struct lower_options *options)
{
    (void)options;
    if (!ir_module_calls(module, "cm."))
        return true;
    struct parts parts = {.builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module))};
    FOR_EACH_FUNCTION(f, module)
    FOR_EACH_BLOCK(block, f)
    FOR_EACH_REMOVABLE(i, block)
    {
        if (ir_calls_named(i, "cm.") && (is_part(i) || is_distance(i)))
            replace(&parts, i);
    }
    LLVMDisposeBuilder(parts.builder);
    free(parts.grids);
    return true;
}
