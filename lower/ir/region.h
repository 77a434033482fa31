/* Defines regions: the bytes of a variable that an operand's lanes occupy, as <vstride; width, hstride>. */
#ifndef CMKIT_LOWER_IR_REGION_H
#define CMKIT_LOWER_IR_REGION_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include "lower/ir/ir.h"

/* Lane k is at byte  offset + (k / width) * vstride + (k % width) * hstride. Strides in bytes, unlike the hardware's.
 */
struct region {
    int offset;
    unsigned width; /* lanes in a row, >= 1 */
    int vstride, hstride;
};

static inline int region_lane(const struct region *region, unsigned lane)
{
    assert(region->width >= 1);
    if (lane < region->width) /* spares the divisions */
        return region->offset + (int)lane * region->hstride;
    return region->offset + (int)(lane / region->width) * region->vstride +
           (int)(lane % region->width) * region->hstride;
}

/* Computes the lowest first byte and the highest end of `lanes` lanes of `bytes` each. */
void region_extent(const struct region *region, unsigned lanes, unsigned bytes, int *first, int *end);

/* Returns how many lanes from `lane` on (of `lanes` lanes of `bytes` each) are contiguous; at least one. */
unsigned region_run(const struct region *region, unsigned lanes, unsigned bytes, unsigned lane);

/* Finds the region whose lanes are at offsets[0..lanes-1]; false: there is none. Prefers one row (width == lanes), then
 * the largest width. */
bool region_from_offsets(const int *offsets, unsigned lanes, struct region *out);

/* Operands 1..4 (5 for a scalar offset) of llvm.genx.rdregion / operands 2..5 of wrregion as a region; false if the
 * offset is not constant (*out then has offset 0). Strides of the intrinsic count elements of `element_bytes`. */
bool region_of_call(LLVMValueRef call, struct region *out);

static inline bool region_is_read(LLVMValueRef value)
{
    enum genx_id id = genx_call_id(value);
    return id == GENX_RDREGIONI || id == GENX_RDREGIONF;
}

static inline bool region_is_write(LLVMValueRef value)
{
    enum genx_id id = genx_call_id(value);
    return id == GENX_WRREGIONI || id == GENX_WRREGIONF;
}

/* Builders. `offset`: an i16 scalar in bytes; for reads also a vector of i16 (one address per lane). A one-lane read
 * returns a scalar if `result` is a scalar type. `mask`: lanes to write; NULL: all. */
LLVMValueRef region_build_read(LLVMBuilderRef builder, LLVMModuleRef module, LLVMTypeRef result, LLVMValueRef source,
                               const struct region *region, LLVMValueRef offset);
LLVMValueRef region_build_write(LLVMBuilderRef builder, LLVMModuleRef module, LLVMValueRef old, LLVMValueRef value,
                                const struct region *region, LLVMValueRef offset, LLVMValueRef mask);

/* True if no mask protects any lane of the region. */
bool region_writes_all_lanes(LLVMValueRef wrregion);

#endif
