/* Counts how many instructions the operations of each source line need at least, for --report: the lanes that they
 * compute and move, by their width, over the lanes of one instruction. Operations that can be part of another
 * instruction count nothing: extensions, truncations, regions of operands, products that are added, logic of masks. */
#include <stdlib.h>
#include <llvm-c/DebugInfo.h>
#include "lower/codegen/select/select.h"
#include "lower/ir/operation_info.h"
#include "lower/ir/region.h"

enum { WIDTHS = 4, WIDEST_LANES = 32 };

/* Lanes by the logarithm of their bytes; bytes of lanes that change their place; messages and branches. */
struct work {
    unsigned computed[WIDTHS], moved, others;
};

/* A line of the unit and its work. */
struct worked_line {
    unsigned file, line;
    struct work work;
};

static bool is_sum(LLVMValueRef i)
{
    LLVMOpcode op = LLVMIsABinaryOperator(i) ? LLVMGetInstructionOpcode(i) : LLVMMul;
    return op == LLVMAdd || op == LLVMSub || op == LLVMFAdd || op == LLVMFSub;
}

/* True for products, and shifts to the left, which sums may include. */
static bool is_part_of_sums(LLVMValueRef i)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    if (op != LLVMMul && op != LLVMFMul && op != LLVMShl)
        return false;
    for (LLVMUseRef use = LLVMGetFirstUse(i); use; use = LLVMGetNextUse(use))
        if (!is_sum(LLVMGetUser(use)))
            return false;
    return true;
}

static unsigned lane_bytes(LLVMValueRef value)
{
    return type_is_mask(LLVMTypeOf(value)) ? 0 : type_element_bytes(LLVMTypeOf(value));
}

static void add_computed(struct work *work, LLVMValueRef lanes, unsigned bytes)
{
    unsigned width = 0;
    while (width + 1 < WIDTHS && 1u << width < bytes)
        width++;
    work->computed[width] += type_lanes(LLVMTypeOf(lanes));
}

/* A constant, or lanes of another layout than the place they are written to, have to be moved. */
static bool moves_lanes(LLVMValueRef write)
{
    LLVMValueRef value = LLVMGetOperand(write, 1);
    while (LLVMIsAZExtInst(value) || LLVMIsASExtInst(value) || LLVMIsATruncInst(value) || LLVMIsABitCastInst(value))
        value = LLVMGetOperand(value, 0);
    if (LLVMIsConstant(value))
        return !LLVMIsUndef(value);
    struct region from, to;
    if (!region_is_read(value) || !region_of_call(value, &from) || !region_of_call(write, &to))
        return false;
    return type_lanes(LLVMTypeOf(value)) > 1 &&
           (from.width != to.width || from.hstride != to.hstride || from.vstride != to.vstride);
}

/* Extensions and truncations of integers are part of their users; conversions from and to floats are not. */
static bool is_conversion(LLVMValueRef i)
{
    return LLVMIsACastInst(i) && type_is_float(LLVMTypeOf(i)) + type_is_float(LLVMTypeOf(LLVMGetOperand(i, 0))) > 0 &&
           !LLVMIsABitCastInst(i);
}

static void add_call(struct work *work, LLVMValueRef call)
{
    enum genx_id id = genx_call_id(call);
    const struct ir_llvm_function *function = ir_llvm_function_of(call);
    bool is_modifier = id == GENX_ABSI || id == GENX_ABSF || is_saturation(id) || id == GENX_SAT ||
                       (function && function->modifier == VISA_MODIFIER_ABSOLUTE);
    if (region_is_write(call)) {
        if (moves_lanes(call))
            work->moved += type_lanes(LLVMTypeOf(LLVMGetOperand(call, 1))) * lane_bytes(call);
    } else if (ir_is_alu_call(call) && !is_modifier) {
        add_computed(work, call, lane_bytes(call));
    } else if (id != GENX_NONE) {
        enum genx_select_class class = genx_select_class(id);
        work->others += class == SELECT_message || class == SELECT_image || class == SELECT_lsc ||
                        class == SELECT_send || class == SELECT_matrix;
    }
}

static void add_work(struct work *work, LLVMValueRef i)
{
    if (LLVMIsACallInst(i))
        add_call(work, i);
    else if (LLVMIsACmpInst(i))
        add_computed(work, i, lane_bytes(LLVMGetOperand(i, 0)));
    else if (LLVMIsABranchInst(i))
        work->others += LLVMIsConditional(i) != 0;
    else if (lane_bytes(i) &&
             (LLVMIsASelectInst(i) || is_conversion(i) || (LLVMIsABinaryOperator(i) && !is_part_of_sums(i))))
        add_computed(work, i, lane_bytes(i));
}

/* Bytes are computed in words. A divisor of lanes is at most what an instruction can have. */
static unsigned instructions_of(const struct work *work, unsigned grf_bytes)
{
    unsigned bytes = 2 * grf_bytes, sum = work->others + (work->moved + bytes - 1) / bytes;
    for (unsigned width = 0; width < WIDTHS; width++) {
        unsigned lanes = bytes >> (width ? width : 1);
        lanes = lanes < WIDEST_LANES ? lanes : WIDEST_LANES;
        sum += (work->computed[width] + lanes - 1) / lanes;
    }
    return sum;
}

static struct work *work_of(struct worked_line **lines, size_t *count, size_t *capacity, unsigned file, unsigned line)
{
    for (size_t k = *count; k-- > 0;) /* most instructions follow one of their line */
        if ((*lines)[k].file == file && (*lines)[k].line == line)
            return &(*lines)[k].work;
    ARRAY_PUSH(*lines, *count, *capacity, ((struct worked_line){file, line, {{0}, 0, 0}}));
    return &(*lines)[*count - 1].work;
}

void select_count_bounds(struct selection *s)
{
    struct worked_line *lines = NULL;
    size_t count = 0, capacity = 0;
    for (unsigned b = 0; b < s->cfg.count; b++)
        FOR_EACH_INSTRUCTION(i, s->cfg.blocks[b])
        {
            LLVMMetadataRef place = LLVMInstructionGetDebugLoc(i);
            unsigned file = place ? cg_file_of_scope(s->program, LLVMDILocationGetScope(place)) : 0;
            add_work(work_of(&lines, &count, &capacity, file, place ? LLVMDILocationGetLine(place) : 0), i);
        }
    for (size_t k = 0; k < count; k++)
        visa_add_bound(
            s->program, s->out,
            (struct visa_bound){lines[k].file, lines[k].line, instructions_of(&lines[k].work, s->platform->grf_bytes)});
    free(lines);
}
