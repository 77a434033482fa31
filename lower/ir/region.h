/* Regions: which bytes of a variable the lanes of an operand are, as <vstride; width, hstride> like the hardware's. */
#ifndef CMKIT_LOWER_IR_REGION_H
#define CMKIT_LOWER_IR_REGION_H

#include <stdbool.h>
#include <stdint.h>
#include "lower/ir/ir.h"

/* Lane k is at byte  offset + (k / width) * vstride + (k % width) * hstride. Strides in bytes, unlike the hardware's. */
struct region {
    int offset;
    unsigned width; /* lanes in a row, >= 1 */
    int vstride, hstride;
};

int region_lane(const struct region *region, unsigned lane);

/* Where `lanes` lanes of `bytes` each begin, the lowest of them, and where the highest ends. */
void region_extent(const struct region *region, unsigned lanes, unsigned bytes, int *first, int *end);

/* How many lanes from `lane` on, of `lanes` of `bytes` each, follow one another byte by byte; at least one. */
unsigned region_run(const struct region *region, unsigned lanes, unsigned bytes, unsigned lane);

/* Finds the region whose lanes are at offsets[0..lanes-1]; false if there is none. One row where that is possible
 * (width == lanes), otherwise the widest. */
bool region_from_offsets(const int *offsets, unsigned lanes, struct region *out);

/* Operands 1..4 (5 for a scalar offset) of llvm.genx.rdregion / operands 2..5 of wrregion as a region; false if the offset
 * is not constant (*out then has offset 0). Strides of the intrinsic count elements of `element_bytes`. */
bool region_of_call(LLVMValueRef call, struct region *out);

static inline bool is_rdregion(LLVMValueRef value)
{
    enum genx_id id = genx_call_id(value);
    return id == GENX_RDREGIONI || id == GENX_RDREGIONF;
}

static inline bool is_wrregion(LLVMValueRef value)
{
    enum genx_id id = genx_call_id(value);
    return id == GENX_WRREGIONI || id == GENX_WRREGIONF;
}

/* Builders. `offset`: an i16 scalar in bytes, or a vector of i16 (one address a lane) for reads. A one-lane read of a
 * scalar type gives a scalar when `result` is one. `mask`: lanes to write, NULL: all. */
LLVMValueRef build_rdregion(LLVMBuilderRef builder, LLVMModuleRef module, LLVMTypeRef result, LLVMValueRef source,
                            const struct region *region, LLVMValueRef offset);
LLVMValueRef build_wrregion(LLVMBuilderRef builder, LLVMModuleRef module, LLVMValueRef old, LLVMValueRef value,
                            const struct region *region, LLVMValueRef offset, LLVMValueRef mask);

/* No mask keeps any lane of the region as it was. */
bool writes_all_lanes(LLVMValueRef wrregion);

#endif
