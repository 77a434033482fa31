/* Assigns ids to types, constants and other values of SPIR-V (spirv.h). Each type and constant is declared once; a
 * vector of one lane is its element. */
#include "lower/vc/spirv.h"

#include <stdlib.h>
#include <string.h>

/* Operand number of the result id: after its type if there is one. */
enum { TYPE_ID = 0, CONSTANT_ID = 1 };

uint32_t spirv_int_type(struct spirv_writer *w, unsigned bits)
{
    static const struct {
        unsigned bits;
        int capability;
    } known[] = {{8, CAPABILITY_INT8}, {16, CAPABILITY_INT16}, {32, 0}, {64, CAPABILITY_INT64}};
    if (bits == 1)
        return SPIRV_ONCE(w, SPIRV_TYPES, OP_TYPE_BOOL, TYPE_ID, 0);
    for (size_t n = 0; n < sizeof known / sizeof *known; n++)
        if (known[n].bits == bits) {
            if (known[n].capability)
                spirv_capability(w, (enum spirv_capability)known[n].capability);
            return SPIRV_ONCE(w, SPIRV_TYPES, OP_TYPE_INT, TYPE_ID, 0, bits, 0);
        }
    vc_fail(&w->vc, "an integer of %u bits", bits);
    return 0;
}

static uint32_t float_type(struct spirv_writer *w, unsigned bits)
{
    if (bits != 32)
        spirv_capability(w, bits == 16 ? CAPABILITY_FLOAT16 : CAPABILITY_FLOAT64);
    return SPIRV_ONCE(w, SPIRV_TYPES, OP_TYPE_FLOAT, TYPE_ID, 0, bits);
}

static uint32_t vector_type(struct spirv_writer *w, uint32_t element, unsigned lanes)
{
    if (lanes == 1)
        return element;
    if (lanes == 8 || lanes == 16)
        spirv_capability(w, CAPABILITY_VECTOR16);
    else if (lanes > 4)
        spirv_capability(w, CAPABILITY_VECTOR_ANY);
    return SPIRV_ONCE(w, SPIRV_TYPES, OP_TYPE_VECTOR, TYPE_ID, 0, element, lanes);
}

static uint32_t struct_type(struct spirv_writer *w, LLVMTypeRef type)
{
    struct spirv_words words = {0};
    spirv_put(&words, 0);
    for (unsigned n = 0; n < LLVMCountStructElementTypes(type); n++)
        spirv_put(&words, spirv_type(w, LLVMStructGetTypeAtIndex(type, n)));
    uint32_t id = spirv_once(w, SPIRV_TYPES, OP_TYPE_STRUCT, TYPE_ID, words.words, words.count);
    free(words.words);
    return id;
}

static uint32_t array_type(struct spirv_writer *w, LLVMTypeRef type)
{
    uint32_t number = spirv_int_type(w, 32), element = spirv_type(w, LLVMGetElementType(type));
    uint32_t length =
        SPIRV_ONCE(w, SPIRV_TYPES, OP_CONSTANT, CONSTANT_ID, number, 0, (uint32_t)LLVMGetArrayLength2(type));
    return SPIRV_ONCE(w, SPIRV_TYPES, OP_TYPE_ARRAY, TYPE_ID, 0, element, length);
}

uint32_t spirv_pointer_type(struct spirv_writer *w, uint32_t to, unsigned space)
{
    static const uint32_t storage[] = {STORAGE_GLOBAL, STORAGE_GLOBAL, STORAGE_CONSTANT, STORAGE_WORKGROUP,
                                       STORAGE_GENERIC};
    if (space >= sizeof storage / sizeof *storage) {
        vc_fail(&w->vc, "address space %u", space);
        return 0;
    }
    if (storage[space] == STORAGE_GENERIC)
        spirv_capability(w, CAPABILITY_GENERIC_POINTER);
    return SPIRV_ONCE(w, SPIRV_TYPES, OP_TYPE_POINTER, TYPE_ID, 0, storage[space], to);
}

uint32_t spirv_function_type(struct spirv_writer *w, const uint32_t *result_and_parameters, size_t count)
{
    struct spirv_words words = {0};
    spirv_put(&words, 0);
    for (size_t n = 0; n < count; n++)
        spirv_put(&words, result_and_parameters[n]);
    uint32_t id = spirv_once(w, SPIRV_TYPES, OP_TYPE_FUNCTION, TYPE_ID, words.words, words.count);
    free(words.words);
    return id;
}

static uint32_t new_type(struct spirv_writer *w, LLVMTypeRef type)
{
    switch (LLVMGetTypeKind(type)) {
    case LLVMVoidTypeKind: return SPIRV_ONCE(w, SPIRV_TYPES, OP_TYPE_VOID, TYPE_ID, 0);
    case LLVMIntegerTypeKind: return spirv_int_type(w, LLVMGetIntTypeWidth(type));
    case LLVMHalfTypeKind: return float_type(w, 16);
    case LLVMFloatTypeKind: return float_type(w, 32);
    case LLVMDoubleTypeKind: return float_type(w, 64);
    case LLVMPointerTypeKind: return spirv_pointer_type(w, spirv_int_type(w, 8), vc_space(type));
    case LLVMStructTypeKind: return struct_type(w, type);
    case LLVMArrayTypeKind: return array_type(w, type);
    case LLVMVectorTypeKind: return vector_type(w, spirv_type(w, LLVMGetElementType(type)), LLVMGetVectorSize(type));
    default: vc_fail(&w->vc, "type kind %d of LLVM", (int)LLVMGetTypeKind(type)); return 0;
    }
}

uint32_t spirv_type(struct spirv_writer *w, LLVMTypeRef type)
{
    size_t known;
    if (pointer_map_get(&w->types, type, &known))
        return (uint32_t)known;
    uint32_t id = new_type(w, type);
    pointer_map_set(&w->types, type, id);
    return id;
}

uint32_t spirv_undef(struct spirv_writer *w, uint32_t type)
{
    return SPIRV_ONCE(w, SPIRV_TYPES, OP_UNDEF, CONSTANT_ID, type, 0);
}

/* A scalar of `bits` bits: numbers of fewer than 32 bits are zero-extended. */
static uint32_t scalar_constant(struct spirv_writer *w, LLVMTypeRef type, uint64_t bits)
{
    uint32_t id = spirv_type(w, type);
    unsigned width = type_element_bits(type);
    if (width == 1)
        return SPIRV_ONCE(w, SPIRV_TYPES, bits & 1 ? OP_CONSTANT_TRUE : OP_CONSTANT_FALSE, CONSTANT_ID, id, 0);
    if (width == 64)
        return SPIRV_ONCE(w, SPIRV_TYPES, OP_CONSTANT, CONSTANT_ID, id, 0, (uint32_t)bits, (uint32_t)(bits >> 32));
    return SPIRV_ONCE(w, SPIRV_TYPES, OP_CONSTANT, CONSTANT_ID, id, 0, (uint32_t)(bits & ((1ull << width) - 1)));
}

static uint32_t composite(struct spirv_writer *w, LLVMTypeRef type, const struct spirv_words *lanes)
{
    struct spirv_words words = {0};
    spirv_put(&words, spirv_type(w, type));
    spirv_put(&words, 0);
    for (size_t n = 0; n < lanes->count; n++)
        spirv_put(&words, lanes->words[n]);
    uint32_t id = spirv_once(w, SPIRV_TYPES, OP_CONSTANT_COMPOSITE, CONSTANT_ID, words.words, words.count);
    free(words.words);
    return id;
}

static uint32_t vector_constant(struct spirv_writer *w, LLVMValueRef value, LLVMTypeRef type)
{
    struct spirv_words lanes = {0};
    for (unsigned n = 0; n < LLVMGetVectorSize(type); n++) {
        LLVMValueRef lane = LLVMGetAggregateElement(value, n);
        if (!lane) {
            vc_fail(&w->vc, "a constant expression");
            break;
        }
        spirv_put(&lanes, spirv_constant(w, lane));
    }
    uint32_t id = w->vc.failed ? 0 : composite(w, type, &lanes);
    free(lanes.words);
    return id;
}

uint32_t spirv_splat(struct spirv_writer *w, LLVMTypeRef type, int64_t number)
{
    LLVMTypeRef element = type_element(type);
    LLVMValueRef scalar =
        type_is_float(type) ? LLVMConstReal(element, (double)number) : LLVMConstInt(element, (uint64_t)number, true);
    uint32_t id = spirv_constant(w, scalar);
    unsigned lanes = type_lanes(type);
    if (lanes == 1)
        return id;
    struct spirv_words all = {0};
    for (unsigned n = 0; n < lanes; n++)
        spirv_put(&all, id);
    uint32_t vector = composite(w, type, &all);
    free(all.words);
    return vector;
}

/* The address of the first byte, as an instruction of the current body. */
static uint32_t text_address(struct spirv_writer *w, LLVMValueRef text)
{
    LLVMTypeRef number = LLVMInt32TypeInContext(LLVMGetTypeContext(LLVMTypeOf(text)));
    uint32_t zero = spirv_splat(w, number, 0);
    return SPIRV_COMPUTE(w, OP_IN_BOUNDS_PTR_ACCESS_CHAIN, spirv_type(w, LLVMTypeOf(text)), spirv_result(w, text), zero,
                         zero);
}

uint32_t spirv_constant(struct spirv_writer *w, LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    bool vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
    if (LLVMIsUndef(value) || LLVMIsPoison(value))
        return spirv_undef(w, spirv_type(w, type));
    if (vector && LLVMGetVectorSize(type) == 1) {
        LLVMValueRef lane = LLVMGetAggregateElement(value, 0);
        if (lane)
            return spirv_constant(w, lane);
    } else if (LLVMIsNull(value) && (vector || LLVMGetTypeKind(type) == LLVMPointerTypeKind)) {
        return SPIRV_ONCE(w, SPIRV_TYPES, OP_CONSTANT_NULL, CONSTANT_ID, spirv_type(w, type), 0);
    } else if (vector) {
        return vector_constant(w, value, type);
    } else if (LLVMIsAConstantInt(value)) {
        return scalar_constant(w, type, LLVMConstIntGetZExtValue(value));
    } else if (LLVMIsAConstantFP(value)) {
        return scalar_constant(w, type, vc_float_bits(value));
    } else if (vc_is_text(value)) {
        return text_address(w, value);
    } else if (LLVMIsAGlobalValue(value)) {
        vc_fail(&w->vc, "the address of '%s'", LLVMGetValueName(value));
        return 0;
    }
    vc_fail(&w->vc, "a constant expression");
    return 0;
}

uint32_t spirv_result(struct spirv_writer *w, LLVMValueRef value)
{
    size_t known;
    if (pointer_map_get(&w->values, value, &known))
        return (uint32_t)known;
    pointer_map_set(&w->values, value, w->next);
    return w->next++;
}

uint32_t spirv_value(struct spirv_writer *w, LLVMValueRef value)
{
    bool frozen = LLVMIsAInstruction(value) && LLVMGetInstructionOpcode(value) == LLVMFreeze;
    value = vc_value(value);
    if (frozen && (LLVMIsUndef(value) || LLVMIsPoison(value))) /* one value wherever it is used */
        return spirv_constant(w, LLVMConstNull(LLVMTypeOf(value)));
    return LLVMIsConstant(value) ? spirv_constant(w, value) : spirv_result(w, value);
}

uint32_t spirv_block(struct spirv_writer *w, LLVMBasicBlockRef block)
{
    return spirv_result(w, LLVMBasicBlockAsValue(block));
}

uint32_t spirv_function(struct spirv_writer *w, LLVMValueRef function)
{
    return spirv_result(w, function);
}
