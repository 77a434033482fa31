/* Computes regions. See region.h. Operand order of the intrinsics: vc-intrinsics, GenXIntrinsics "region". */
#include "lower/ir/region.h"

#include <assert.h>
#include <string.h>

void region_extent(const struct region *region, unsigned lanes, unsigned bytes, int *first, int *end)
{
    assert(lanes >= 1 && bytes >= 1 && region->width >= 1);
    unsigned width = region->width < lanes ? region->width : lanes;
    int columns = (int)(width - 1) * region->hstride, rows = (int)((lanes - 1) / region->width) * region->vstride;
    *first = region->offset + (columns < 0 ? columns : 0) + (rows < 0 ? rows : 0);
    *end = region->offset + (columns > 0 ? columns : 0) + (rows > 0 ? rows : 0) + (int)bytes;
}

unsigned region_run(const struct region *region, unsigned lanes, unsigned bytes, unsigned lane)
{
    assert(region->width >= 1 && bytes >= 1 && lane < lanes);
    if (region->hstride != (int)bytes && region->width > 1)
        return 1;
    bool rows = region->vstride == (int)(region->width * bytes) || region->width >= lanes;
    unsigned end = rows ? lanes : lane - lane % region->width + region->width;
    return (end < lanes ? end : lanes) - lane;
}

static bool region_holds(const struct region *region, const int *offsets, unsigned lanes)
{
    for (unsigned i = 0; i < lanes; i++)
        if (region_lane(region, i) != offsets[i])
            return false;
    return true;
}

bool region_from_offsets(const int *offsets, unsigned lanes, struct region *out)
{
    assert(lanes >= 1);
    struct region r = {offsets[0], lanes, 0, 0};
    if (lanes > 1)
        r.hstride = offsets[1] - offsets[0];
    unsigned row = lanes > 1 ? 2 : 1;
    while (row < lanes && offsets[row] - offsets[row - 1] == r.hstride)
        row++;
    if (row >= lanes) {
        *out = r;
        return true;
    }
    r.width = row;
    r.vstride = offsets[row] - offsets[0];
    if (region_holds(&r, offsets, lanes)) {
        *out = r;
        return true;
    }
    /* Rows that happen to continue one another at the first seam: every proper divisor of the run is a candidate. */
    for (unsigned width = row - 1; width >= 1; width--) {
        if (row % width != 0)
            continue;
        r.width = width;
        r.vstride = offsets[width] - offsets[0];
        if (region_holds(&r, offsets, lanes)) {
            *out = r;
            return true;
        }
    }
    return false;
}

/* False: the offset is not constant. */
static bool read_region(LLVMValueRef *operands, struct ir_known_region *known)
{
    int64_t vstride = 0, width = 1, hstride = 0, offset = 0;
    constant_int(operands[0], &vstride);
    constant_int(operands[1], &width);
    constant_int(operands[2], &hstride);
    bool constant = constant_int(operands[3], &offset);
    *known = (struct ir_known_region){.vstride = (int)vstride,
                                      .width = width > 0 ? (int)width : 1,
                                      .hstride = (int)hstride,
                                      .offset = constant ? (int)(offset & 0xffff) : 0};
    memcpy(known->operands, operands, sizeof known->operands);
    return constant;
}

bool region_of_call(LLVMValueRef call, struct region *out)
{
    assert(region_is_read(call) || region_is_write(call));
    enum { OPERANDS_OF_WRITE = 9 }; /* with the function that is called */
    unsigned first = LLVMGetNumOperands(call) == OPERANDS_OF_WRITE ? 2 : 1;
    int bytes = (int)type_element_bytes(LLVMTypeOf(call)); /* operand 0 has the same elements */
    LLVMValueRef operands[REGION_OPERANDS];
    uintptr_t hash = 0;
    for (unsigned k = 0; k < REGION_OPERANDS; k++) {
        operands[k] = LLVMGetOperand(call, first + k);
        hash = hash * 31 + ((uintptr_t)operands[k] >> 4);
    }
    struct ir_known_region read, *known = &ir_context->regions[(hash ^ hash >> 8) % KNOWN_REGIONS];
    bool constant = memcmp(known->operands, operands, sizeof operands) == 0;
    if (!constant) {
        constant = read_region(operands, &read);
        if (constant) /* only constants are cached: another value may later have the same address */
            *known = read;
        else
            known = &read;
    }
    *out = (struct region){known->offset, (unsigned)known->width, known->vstride * bytes, known->hstride * bytes};
    return constant;
}

LLVMValueRef region_build_read(LLVMBuilderRef builder, LLVMModuleRef module, LLVMTypeRef result, LLVMValueRef source,
                               const struct region *region, LLVMValueRef offset)
{
    assert(region->width >= 1);
    int bytes = (int)type_element_bytes(LLVMTypeOf(source));
    LLVMValueRef operands[] = {source,
                               constant_i32(module, region->vstride / bytes),
                               constant_i32(module, region->width),
                               constant_i32(module, region->hstride / bytes),
                               offset ? offset : constant_i16(module, region->offset),
                               LLVMGetUndef(LLVMInt32TypeInContext(LLVMGetModuleContext(module)))};
    return genx_build(builder, module, type_is_float(result) ? GENX_RDREGIONF : GENX_RDREGIONI, result, operands, 6);
}

LLVMValueRef region_build_write(LLVMBuilderRef builder, LLVMModuleRef module, LLVMValueRef old, LLVMValueRef value,
                                const struct region *region, LLVMValueRef offset, LLVMValueRef mask)
{
    assert(region->width >= 1);
    LLVMContextRef context = LLVMGetModuleContext(module);
    int bytes = (int)type_element_bytes(LLVMTypeOf(old));
    LLVMValueRef operands[] = {old,
                               value,
                               constant_i32(module, region->vstride / bytes),
                               constant_i32(module, region->width),
                               constant_i32(module, region->hstride / bytes),
                               offset ? offset : constant_i16(module, region->offset),
                               LLVMGetUndef(LLVMInt32TypeInContext(context)),
                               mask ? mask : LLVMConstInt(LLVMInt1TypeInContext(context), 1, false)};
    LLVMTypeRef type = LLVMTypeOf(old);
    return genx_build(builder, module, type_is_float(type) ? GENX_WRREGIONF : GENX_WRREGIONI, type, operands, 8);
}

bool region_writes_all_lanes(LLVMValueRef wrregion)
{
    assert(region_is_write(wrregion));
    LLVMValueRef mask = LLVMGetOperand(wrregion, 7);
    return LLVMIsAConstantInt(mask) && LLVMConstIntGetZExtValue(mask) == 1;
}
