/* Converts between a vector of bytes or words and a dword per lane, as messages transfer them. */
#include "lower/cm/builtins.h"

unsigned cm_log2(unsigned n)
{
    unsigned log = 0;
    while (n > 1)
        n >>= 1, log++;
    return log;
}

LLVMValueRef cm_widen_lanes(const struct cm_call *c, LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value), element = type_element(type);
    unsigned lanes = type_lanes(type), bits = type_element_bits(type);
    if (bits >= 32)
        return value;
    if (type_is_float(element))
        value = LLVMBuildBitCast(c->builder, value, LLVMVectorType(int_type(c, bits), lanes), "");
    return LLVMBuildZExt(c->builder, value, LLVMVectorType(int_type(c, 32), lanes), "");
}

LLVMValueRef cm_narrow_lanes(const struct cm_call *c, LLVMValueRef value, LLVMTypeRef type)
{
    unsigned lanes = type_lanes(type), bits = type_element_bits(type);
    if (bits >= 32)
        return value;
    value = LLVMBuildTrunc(c->builder, value, LLVMVectorType(int_type(c, bits), lanes), "");
    return LLVMBuildBitCast(c->builder, value, type, "");
}
