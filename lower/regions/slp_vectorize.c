/* SLP vectorization: replaces scalar operations that are the same on each lane of one vector by one operation on the
 * vector.
 *
 *     a = v(0) >> 2;  b = v(1) >> 2;  c = v(2) >> 2 ...       w = v >> 2;  a = w(0);  b = w(1) ...
 *
 * Unrolled loops over the lanes of a vector look like that, above all the offsets of table look-ups. The result is a
 * vector again, so a chain of operations follows. Elements that are read one by one at equal distances from a run-time
 * offset, and inserted into a vector, likewise become one region read. */
#include <stdlib.h>
#include "lower/ir/ir.h"
#include "lower/ir/operation_info.h"
#include "lower/ir/region.h"
#include "lower/passes.h"
#include "lower/regions/splat_condition.h"

enum { MOST_READS = 512 }; /* lanes of a vector that are looked at */

/* One scalar operation on a lane. */
struct operation {
    LLVMValueRef scalar;
    unsigned lane;
};

/* True for a conversion, or arithmetic with a constant. */
static bool has_one_variable(LLVMValueRef i)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
    case LLVMFAdd:
    case LLVMFSub:
    case LLVMFMul: return LLVMIsConstant(LLVMGetOperand(i, 1)) || LLVMIsConstant(LLVMGetOperand(i, 0));
    case LLVMZExt:
    case LLVMSExt:
    case LLVMTrunc:
    case LLVMUIToFP:
    case LLVMSIToFP:
    case LLVMFPToUI:
    case LLVMFPToSI:
    case LLVMFPExt: return !type_is_mask(LLVMTypeOf(i)) && type_element_bits(LLVMTypeOf(i)) <= 32;
    default: return false;
    }
}

static bool same_operation(LLVMValueRef a, LLVMValueRef b)
{
    if (LLVMGetInstructionOpcode(a) != LLVMGetInstructionOpcode(b) || LLVMTypeOf(a) != LLVMTypeOf(b))
        return false;
    for (int k = 0; k < LLVMGetNumOperands(a); k++) {
        LLVMValueRef x = LLVMGetOperand(a, (unsigned)k), y = LLVMGetOperand(b, (unsigned)k);
        if ((LLVMIsConstant(x) || LLVMIsConstant(y)) && x != y)
            return false;
    }
    return true;
}

/* True for an extension that is only splatted: the splats' users read it as a narrow operand, so that it costs nothing
 * where it is. */
static bool is_part_of_users(LLVMValueRef extension)
{
    return (LLVMIsAZExtInst(extension) || LLVMIsASExtInst(extension)) && regions_is_only_splatted(extension);
}

/* True for a low part that is only written elsewhere: the copy reads it where it is. */
static bool is_copied_low_part(LLVMValueRef scalar)
{
    LLVMUseRef use = LLVMIsATruncInst(scalar) ? LLVMGetFirstUse(scalar) : NULL;
    for (; use; use = LLVMGetNextUse(use))
        if (!region_is_write(LLVMGetUser(use)))
            return false;
    return LLVMIsATruncInst(scalar);
}

/* Finds the operations on single lanes of `vector`. */
static unsigned find_operations(LLVMValueRef vector, struct operation *found)
{
    LLVMTypeRef element = type_element(LLVMTypeOf(vector));
    unsigned count = 0;
    for (LLVMUseRef use = LLVMGetFirstUse(vector); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef read = LLVMGetUser(use);
        struct region r;
        if (!region_is_read(read) || LLVMGetOperand(read, 0) != vector || LLVMTypeOf(read) != element ||
            !region_of_call(read, &r))
            continue;
        for (LLVMUseRef u = LLVMGetFirstUse(read); u; u = LLVMGetNextUse(u)) {
            LLVMValueRef scalar = LLVMGetUser(u);
            if (count == MOST_READS)
                return count;
            if (has_one_variable(scalar) && !is_part_of_users(scalar) && !is_copied_low_part(scalar))
                found[count++] = (struct operation){scalar, (unsigned)r.offset / type_element_bytes(element)};
        }
    }
    return count;
}

static LLVMValueRef on_all_lanes(LLVMBuilderRef builder, LLVMValueRef scalar, LLVMValueRef vector)
{
    unsigned lanes = type_lanes(LLVMTypeOf(vector));
    LLVMOpcode op = LLVMGetInstructionOpcode(scalar);
    if (LLVMIsAZExtInst(vector) && (op == LLVMZExt || op == LLVMSExt)) /* of the first numbers at once */
        return LLVMBuildZExt(builder, LLVMGetOperand(vector, 0), LLVMVectorType(LLVMTypeOf(scalar), lanes), "lanes");
    if (LLVMIsACastInst(scalar))
        return LLVMBuildCast(builder, op, vector, LLVMVectorType(LLVMTypeOf(scalar), lanes), "lanes");
    LLVMValueRef operands[2];
    for (unsigned k = 0; k < 2; k++) {
        LLVMValueRef constant = LLVMGetOperand(scalar, k);
        bool known = LLVMIsConstant(constant);
        operands[k] = known ? constant_splat(LLVMVectorType(LLVMTypeOf(constant), lanes), constant) : vector;
    }
    LLVMValueRef result = LLVMBuildBinOp(builder, op, operands[0], operands[1], "lanes");
    if (LLVMIsAInstruction(result) && LLVMCanValueUseFastMathFlags(result))
        LLVMSetFastMathFlags(result, LLVMGetFastMathFlags(scalar));
    return result;
}

static void position_after(LLVMBuilderRef builder, LLVMValueRef i)
{
    LLVMValueRef next = LLVMGetNextInstruction(i);
    while (LLVMIsAPHINode(next))
        next = LLVMGetNextInstruction(next);
    LLVMPositionBuilderBefore(builder, next);
}

/* Returns the instructions of the operation on the whole vector. */
static unsigned whole_cost(LLVMValueRef vector, LLVMValueRef scalar)
{
    unsigned from = type_element_bytes(LLVMTypeOf(vector)), to = type_element_bytes(LLVMTypeOf(scalar));
    return ir_instructions_for(type_lanes(LLVMTypeOf(vector)) * (from > to ? from : to));
}

static void join_operations(LLVMModuleRef module, LLVMBuilderRef builder, LLVMValueRef vector, struct operation *all,
                            unsigned count)
{
    for (unsigned first = 0; first < count; first++) {
        if (!all[first].scalar)
            continue;
        LLVMValueRef example = all[first].scalar, whole = NULL;
        unsigned same = 0;
        for (unsigned i = first; i < count; i++)
            same += all[i].scalar && same_operation(example, all[i].scalar);
        bool worth = same > whole_cost(vector, example) + 1;
        if (worth) {
            position_after(builder, vector);
            whole = on_all_lanes(builder, example, vector);
        }
        for (unsigned i = count; i-- > first;) { /* `example` last: the others are compared with it */
            LLVMValueRef scalar = all[i].scalar;
            if (!scalar || !same_operation(example, scalar))
                continue;
            all[i].scalar = NULL;
            if (!worth)
                continue;
            LLVMPositionBuilderBefore(builder, scalar);
            struct region lane = {(int)(all[i].lane * type_element_bytes(LLVMTypeOf(scalar))), 1, 0, 0};
            LLVMReplaceAllUsesWith(scalar, region_build_read(builder, module, LLVMTypeOf(scalar), whole, &lane, NULL));
            LLVMInstructionEraseFromParent(scalar);
        }
    }
}

/* Splits an offset, in bytes, into a value plus a constant. */
static LLVMValueRef displaced_from(LLVMValueRef offset, int64_t *constant)
{
    *constant = 0;
    if (!ir_is_displaced(offset))
        return offset;
    constant_int(LLVMGetOperand(offset, 1), constant);
    return LLVMGetOperand(offset, 0);
}

/* Returns the read of one element that insertelement `insert` puts into lane `lane` as its only use; NULL: there is
 * none. */
static LLVMValueRef inserted_read(LLVMValueRef insert, unsigned lane)
{
    int64_t number;
    LLVMValueRef read = LLVMIsAInsertElementInst(insert) ? LLVMGetOperand(insert, 1) : NULL;
    bool here = read && constant_int(LLVMGetOperand(insert, 2), &number) && number == lane;
    return here && region_is_read(read) && !LLVMGetNextUse(LLVMGetFirstUse(read)) &&
                   LLVMTypeOf(read) == type_element(LLVMTypeOf(insert)) &&
                   LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(read, 4))) == LLVMIntegerTypeKind
               ? read
               : NULL;
}

/* Returns the vector whose last lane is `insert` as one read; NULL: its lanes have other sources, or do not form a
 * region. */
static LLVMValueRef one_read(LLVMModuleRef module, LLVMBuilderRef builder, LLVMValueRef insert)
{
    LLVMTypeRef type = LLVMTypeOf(insert);
    unsigned lanes = type_lanes(type);
    int64_t last = 0, at, step = 0, bytes = type_element_bytes(type);
    LLVMValueRef read = inserted_read(insert, lanes - 1), source = read ? LLVMGetOperand(read, 0) : NULL;
    LLVMValueRef base = read ? displaced_from(LLVMGetOperand(read, 4), &last) : NULL, i = insert, first = NULL;
    for (unsigned lane = lanes; lane-- > 0; i = LLVMGetOperand(i, 0)) {
        read = inserted_read(i, lane);
        if (!read || LLVMGetOperand(read, 0) != source || (i != insert && LLVMGetNextUse(LLVMGetFirstUse(i))))
            return NULL;
        first = LLVMGetOperand(read, 4);
        if (displaced_from(first, &at) != base)
            return NULL;
        if (lane == lanes - 2)
            step = last - at;
        if (at != last - step * (lanes - 1 - lane))
            return NULL;
    }
    if (LLVMIsConstant(base) || (step != bytes && step != 2 * bytes && step != 4 * bytes))
        return NULL;
    struct region row = {0, lanes, 0, (int)step};
    LLVMPositionBuilderBefore(builder, insert);
    return region_build_read(builder, module, type, source, &row, first);
}

static void join_reads(LLVMModuleRef module, LLVMBuilderRef builder, LLVMBasicBlockRef block)
{
    FOR_EACH_REMOVABLE(i, block)
    {
        LLVMValueRef read =
            LLVMIsAInsertElementInst(i) && type_lanes(LLVMTypeOf(i)) > 1 ? one_read(module, builder, i) : NULL;
        if (read)
            LLVMReplaceAllUsesWith(i, read); /* the chain is dead now */
    }
}

bool pass_slp_vectorize(LLVMModuleRef module, const struct lower_options *options)
{
    (void)options;
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    struct operation *found = ir_calloc(MOST_READS, sizeof *found);
    FOR_EACH_FUNCTION(kernel, module)
    FOR_EACH_BLOCK(block, kernel)
    {
        join_reads(module, builder, block);
        FOR_EACH_INSTRUCTION(i, block) /* new instructions follow their operands */
        if (LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMVectorTypeKind && !type_is_mask(LLVMTypeOf(i)) &&
            type_lanes(LLVMTypeOf(i)) > 2)
            join_operations(module, builder, i, found, find_operations(i, found));
    }
    free(found);
    LLVMDisposeBuilder(builder);
    return true;
}
