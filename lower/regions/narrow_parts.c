/* Reads parts of an extended vector before the extension, if the instructions that use these parts may read the narrow
 * type: nothing is left of the extension then. Sums and extremes by halves and sorting networks look like that.
 *
 *     w = zext v to i32                    low = zext v.select<8, 1>(0),  high = zext v.select<8, 1>(8)
 *     a = w.select<8, 1>(0)                a = min(low, high)
 *     b = w.select<8, 1>(8)
 *     a = min(a, b) */
#include <stdlib.h>
#include "lower/analysis/range.h"
#include "lower/ir/operation_info.h"
#include "lower/ir/region.h"
#include "lower/passes.h"

/* Strides of a region, in elements: what an operand can have (PRM volume 7, "region parameters"). */
enum { LARGEST_ROW_STRIDE = 32, LARGEST_LANE_STRIDE = 4 };

/* The vector that is extended, at its place. */
struct source {
    LLVMValueRef vector;
    struct region region;
    unsigned bytes; /* of an element */
};

/* True for an extension of bytes or words in a register to at most dwords. */
static bool is_extension(LLVMValueRef i, struct source *source)
{
    if ((!LLVMIsAZExtInst(i) && !LLVMIsASExtInst(i)) || LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMVectorTypeKind)
        return false;
    LLVMValueRef from = LLVMGetOperand(i, 0);
    LLVMTypeRef type = LLVMTypeOf(from);
    if (type_is_mask(type) || LLVMIsConstant(from) || type_element_bits(type) < 8 ||
        type_element_bits(LLVMTypeOf(i)) > 32)
        return false;
    source->bytes = type_element_bytes(type);
    source->vector = from;
    source->region = (struct region){0, type_lanes(type), 0, (int)source->bytes};
    if (!region_is_read(from))
        return true;
    source->vector = LLVMGetOperand(from, 0);
    return region_of_call(from, &source->region);
}

/* Writes the lanes of `extension` that `part`, a region read or shuffle, consists of; false: it is neither. */
static bool find_lanes(LLVMValueRef part, LLVMValueRef extension, int *lane)
{
    LLVMTypeRef type = LLVMTypeOf(part);
    unsigned lanes = type_lanes(type), bytes = type_element_bytes(type), all = type_lanes(LLVMTypeOf(extension));
    bool shuffles = LLVMIsAShuffleVectorInst(part) != NULL;
    struct region region;
    if (LLVMGetOperand(part, 0) != extension || (!shuffles && !(region_is_read(part) && region_of_call(part, &region))))
        return false;
    for (unsigned k = 0; k < lanes; k++) {
        lane[k] = shuffles ? LLVMGetMaskValue(part, k) : region_lane(&region, k) / (int)bytes;
        if (lane[k] < 0 || lane[k] >= (int)all)
            return false;
    }
    return true;
}

/* Finds the region of the narrow vector that `part` of the extended one is; false: operands cannot have it. */
static bool find_narrow_region(LLVMValueRef part, LLVMValueRef extension, const struct source *source,
                               struct region *out)
{
    unsigned lanes = type_lanes(LLVMTypeOf(part));
    int *offsets = ir_calloc(lanes, sizeof *offsets), bytes = (int)source->bytes;
    bool found = find_lanes(part, extension, offsets);
    for (unsigned k = 0; found && k < lanes; k++)
        offsets[k] = region_lane(&source->region, (unsigned)offsets[k]);
    found = found && region_from_offsets(offsets, lanes, out);
    free(offsets);
    return found && out->hstride >= 0 && out->hstride <= LARGEST_LANE_STRIDE * bytes && out->vstride >= 0 &&
           out->vstride <= LARGEST_ROW_STRIDE * bytes;
}

static bool is_part(LLVMValueRef value, LLVMValueRef extension)
{
    return (region_is_read(value) || LLVMIsAShuffleVectorInst(value)) && LLVMGetOperand(value, 0) == extension;
}

/* True if `user` would read several bytes. */
static bool would_read_bytes(LLVMValueRef user, LLVMValueRef extension)
{
    unsigned bytes = 0;
    for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(user); k++)
        bytes += is_part(LLVMGetOperand(user, k), extension) ? ir_extends_bytes(extension)
                                                             : ir_extends_bytes(LLVMGetOperand(user, k));
    return bytes > 1;
}

/* True if all users of `part` in the block of `extension` may read the narrow type, or truncate to it. The finalizer
 * copies a second byte where instructions cannot read it: then the extension pays. */
static bool users_take_narrow(LLVMValueRef part, LLVMValueRef extension, bool second_bytes)
{
    LLVMTypeRef narrow = type_element(LLVMTypeOf(LLVMGetOperand(extension, 0)));
    for (LLVMUseRef use = LLVMGetFirstUse(part); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (ir_undoes_extension(user, narrow))
            continue;
        if (LLVMGetInstructionParent(user) != LLVMGetInstructionParent(extension) ||
            (!second_bytes && would_read_bytes(user, extension)))
            return false;
        for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(user); k++)
            if (LLVMGetOperand(user, k) == part && !range_takes_narrow(user, k, extension))
                return false;
    }
    return LLVMGetFirstUse(part) != NULL;
}

static bool is_read_in_parts(LLVMValueRef extension, const struct source *source, bool second_bytes)
{
    struct region narrow;
    LLVMTypeRef narrow_type = type_element(LLVMTypeOf(LLVMGetOperand(extension, 0)));
    for (LLVMUseRef use = LLVMGetFirstUse(extension); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef part = LLVMGetUser(use);
        if (ir_undoes_extension(part, narrow_type))
            continue;
        if (!is_part(part, extension) || !users_take_narrow(part, extension, second_bytes) ||
            !find_narrow_region(part, extension, source, &narrow))
            return false;
    }
    return LLVMGetFirstUse(extension) != NULL;
}

/* The narrow parts are read where the extension is: the vector may be overwritten later. */
static void read_parts(LLVMModuleRef module, LLVMBuilderRef builder, LLVMValueRef extension,
                       const struct source *source)
{
    LLVMPositionBuilderBefore(builder, extension);
    for (LLVMUseRef use = LLVMGetFirstUse(extension); use; use = LLVMGetFirstUse(extension)) {
        LLVMValueRef part = LLVMGetUser(use);
        LLVMTypeRef type = LLVMTypeOf(part), element = type_element(LLVMTypeOf(LLVMGetOperand(extension, 0)));
        bool is_vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
        struct region region;
        if (ir_undoes_extension(part, element)) {
            LLVMReplaceAllUsesWith(part, ir_truncated(builder, LLVMGetOperand(extension, 0), type));
            LLVMInstructionEraseFromParent(part);
            continue;
        }
        find_narrow_region(part, extension, source, &region);
        LLVMValueRef narrow = region_build_read(builder, module, is_vector ? type_like(type, element) : element,
                                                source->vector, &region, NULL);
        for (LLVMUseRef reading = LLVMGetFirstUse(part), next; reading; reading = next) {
            LLVMValueRef user = LLVMGetUser(reading);
            next = LLVMGetNextUse(reading);
            if (ir_undoes_extension(user, element))
                LLVMReplaceAllUsesWith(user, ir_truncated(builder, narrow, LLVMTypeOf(user)));
        }
        LLVMReplaceAllUsesWith(part, LLVMIsAZExtInst(extension) ? LLVMBuildZExt(builder, narrow, type, "")
                                                                : LLVMBuildSExt(builder, narrow, type, ""));
        LLVMInstructionEraseFromParent(part);
    }
}

bool pass_narrow_parts(LLVMModuleRef module, const struct lower_options *options)
{
    bool second_bytes = platform_has(options->platform, FEATURE_SECOND_BYTES);
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    FOR_EACH_FUNCTION(kernel, module)
    FOR_EACH_BLOCK(block, kernel)
    FOR_EACH_INSTRUCTION(i, block)
    {
        struct source source;
        if (is_extension(i, &source) && is_read_in_parts(i, &source, second_bytes))
            read_parts(module, builder, i, &source); /* the extension goes with the other dead values */
    }
    LLVMDisposeBuilder(builder);
    return true;
}
