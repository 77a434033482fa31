/* Expands llvm.is.fpclass, which LLVM makes of compares of a float's bits, back to compares of bits. */
#include "lower/ir/ir.h"
#include "lower/passes.h"

/* Range of bits of one class of numbers, from `low` to `high`, in the order of LLVM's mask for positive numbers. */
struct span {
    unsigned positive, negative; /* bits of the mask */
    uint64_t low, high;
};

enum { SPANS = 6 };

/* Source: LLVM's language reference, llvm.is.fpclass; IEEE 754, binary formats. */
static void find_spans(unsigned bits, struct span *spans)
{
    unsigned fraction = bits == 16 ? 10 : bits == 32 ? 23 : 52;
    uint64_t normal = 1ull << fraction, largest = (1ull << (bits - 1)) - 1, infinity = largest & ~(normal - 1);
    spans[0] = (struct span){0x40, 0x20, 0, 0};
    spans[1] = (struct span){0x80, 0x10, 1, normal - 1};
    spans[2] = (struct span){0x100, 0x8, normal, infinity - 1};
    spans[3] = (struct span){0x200, 0x4, infinity, infinity};
    spans[4] = (struct span){0x1, 0x1, infinity + 1, (infinity | normal >> 1) - 1};
    spans[5] = (struct span){0x2, 0x2, infinity | normal >> 1, largest};
}

/* low <= bits <= high */
static LLVMValueRef is_between(LLVMBuilderRef builder, LLVMValueRef bits, uint64_t low, uint64_t high)
{
    LLVMTypeRef type = LLVMTypeOf(bits);
    if (low == high)
        return LLVMBuildICmp(builder, LLVMIntEQ, bits, constant_number(type, (int64_t)low), "");
    LLVMValueRef above = low ? LLVMBuildSub(builder, bits, constant_number(type, (int64_t)low), "") : bits;
    return LLVMBuildICmp(builder, LLVMIntULE, above, constant_number(type, (int64_t)(high - low)), "");
}

static LLVMValueRef expand(LLVMBuilderRef builder, LLVMValueRef call)
{
    LLVMValueRef value = LLVMGetOperand(call, 0), result = NULL;
    LLVMTypeRef type = LLVMTypeOf(value);
    unsigned width = type_element_bits(type), asked = (unsigned)constant_of(call, 1);
    LLVMTypeRef word = LLVMIntTypeInContext(LLVMGetTypeContext(type), width);
    LLVMPositionBuilderBefore(builder, call);
    LLVMValueRef bits = LLVMBuildBitCast(builder, value, type_like(type, word), "");
    struct span spans[SPANS];
    find_spans(width, spans);
    for (unsigned sign = 0; sign < 2; sign++) /* adjacent requested classes are one compare */
        for (unsigned first = 0, last; first < SPANS; first = last + 1) {
            uint64_t base = (uint64_t)sign << (width - 1);
            last = first;
            if (!(asked & (sign ? spans[first].negative : spans[first].positive)))
                continue;
            while (last + 1 < SPANS && asked & (sign ? spans[last + 1].negative : spans[last + 1].positive))
                last++;
            LLVMValueRef one = is_between(builder, bits, base | spans[first].low, base | spans[last].high);
            result = result ? LLVMBuildOr(builder, result, one, "") : one;
        }
    return result ? result : LLVMConstNull(LLVMTypeOf(call));
}

bool pass_float_classes(LLVMModuleRef module, const struct lower_options *options)
{
    (void)options;
    if (!ir_module_calls(module, "llvm.is.fpclass."))
        return true;
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    FOR_EACH_FUNCTION(f, module)
    FOR_EACH_BLOCK(block, f)
    FOR_EACH_REMOVABLE(i, block)
    {
        if (!ir_calls_named(i, "llvm.is.fpclass."))
            continue;
        LLVMReplaceAllUsesWith(i, expand(builder, i));
        LLVMInstructionEraseFromParent(i);
    }
    LLVMDisposeBuilder(builder);
    return true;
}
