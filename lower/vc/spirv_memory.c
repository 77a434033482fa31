/* Writes loads, stores and addresses in SPIR-V (spirv.h): a pointer to bytes is cast to a pointer to the accessed type.
 */
#include "lower/vc/spirv.h"

#include <stdlib.h>

static uint32_t typed_pointer(struct spirv_writer *w, LLVMValueRef pointer, LLVMTypeRef type)
{
    uint32_t to = spirv_pointer_type(w, spirv_type(w, type), vc_space(LLVMTypeOf(pointer)));
    uint32_t from = spirv_type(w, LLVMTypeOf(pointer)), value = spirv_value(w, pointer);
    return to == from ? value : SPIRV_COMPUTE(w, OP_BITCAST, to, value);
}

static uint32_t access_mask(struct spirv_writer *w, LLVMValueRef i)
{
    if (LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic)
        vc_fail(&w->vc, "an atomic load or store");
    return MEMORY_ALIGNED | (LLVMGetVolatile(i) ? MEMORY_VOLATILE : 0);
}

void spirv_load(struct spirv_writer *w, LLVMValueRef i)
{
    uint32_t mask = access_mask(w, i), pointer = typed_pointer(w, LLVMGetOperand(i, 0), LLVMTypeOf(i));
    SPIRV_DEFINE(w, i, OP_LOAD, pointer, mask, LLVMGetAlignment(i));
}

void spirv_store(struct spirv_writer *w, LLVMValueRef i)
{
    LLVMValueRef value = LLVMGetOperand(i, 0);
    uint32_t mask = access_mask(w, i), pointer = typed_pointer(w, LLVMGetOperand(i, 1), LLVMTypeOf(value));
    SPIRV_EMIT(w, SPIRV_FUNCTIONS, OP_STORE, pointer, spirv_value(w, value), mask, LLVMGetAlignment(i));
}

/* Returns the type that the indices after the first one lead to. */
static LLVMTypeRef indexed_type(struct spirv_writer *w, LLVMValueRef i)
{
    LLVMTypeRef type = LLVMGetGEPSourceElementType(i);
    for (unsigned n = 2; n < (unsigned)LLVMGetNumOperands(i); n++) {
        LLVMTypeKind kind = LLVMGetTypeKind(type);
        if (kind == LLVMStructTypeKind)
            type = LLVMStructGetTypeAtIndex(type, (unsigned)LLVMConstIntGetZExtValue(LLVMGetOperand(i, n)));
        else if (kind == LLVMArrayTypeKind || kind == LLVMVectorTypeKind)
            type = LLVMGetElementType(type);
        else
            vc_fail(&w->vc, "this getelementptr");
    }
    return type;
}

void spirv_address(struct spirv_writer *w, LLVMValueRef i)
{
    if (LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMPointerTypeKind) {
        vc_fail(&w->vc, "a vector of addresses");
        return;
    }
    LLVMValueRef base = LLVMGetOperand(i, 0);
    enum spirv_op op = LLVMIsInBounds(i) ? OP_IN_BOUNDS_PTR_ACCESS_CHAIN : OP_PTR_ACCESS_CHAIN;
    uint32_t type = spirv_pointer_type(w, spirv_type(w, indexed_type(w, i)), vc_space(LLVMTypeOf(i)));
    struct spirv_words words = {0};
    spirv_put(&words, typed_pointer(w, base, LLVMGetGEPSourceElementType(i)));
    for (unsigned n = 1; n < (unsigned)LLVMGetNumOperands(i); n++)
        spirv_put(&words, spirv_value(w, LLVMGetOperand(i, n)));
    if (type == spirv_type(w, LLVMTypeOf(i))) {
        spirv_define(w, i, op, words.words, words.count);
    } else {
        uint32_t element = spirv_compute(w, op, type, words.words, words.count);
        SPIRV_DEFINE(w, i, OP_BITCAST, element);
    }
    free(words.words);
}
