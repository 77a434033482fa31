/* Forgets vectors with dead lanes: see forget_lanes.h. */
#include "lower/regions/forget_lanes.h"

#include "lower/ir/forget_debug.h"

static bool may_change(void *context, LLVMValueRef value)
{
    const struct demanded_vector *v = demanded_vector_of(context, value);
    if (!v)
        return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMVectorTypeKind;
    for (unsigned k = 0; k < v->bytes; k++)
        if (!demanded_is_read(v, (int)k, 1))
            return true;
    return false;
}

void regions_forget_lanes(struct demanded *live, LLVMValueRef value)
{
    ir_forget_debug_of_some(value, may_change, live);
}
