/* Prints types, names and constants (vc.h). */
#include "lower/vc/vc.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

void vc_fail(struct vc_writer *w, const char *format, ...)
{
    if (w->failed)
        return;
    char message[400];
    va_list list;
    va_start(list, format);
    vsnprintf(message, sizeof message, format, list);
    va_end(list);
    w->failed = true;
    lower_error(w->at, "%s has no equivalent in the vector back end's dialect", message);
}

/* SPIR-V has these widths only. */
static void integer_type(struct vc_writer *w, unsigned bits)
{
    if (bits != 1 && bits != 8 && bits != 16 && bits != 32 && bits != 64)
        vc_fail(w, "an integer of %u bits", bits);
    fprintf(w->out, "i%u", bits);
}

static void struct_type(struct vc_writer *w, LLVMTypeRef type)
{
    fputs("{ ", w->out);
    for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++) {
        if (i)
            fputs(", ", w->out);
        vc_type(w, LLVMStructGetTypeAtIndex(type, i));
    }
    fputs(" }", w->out);
}

/* Variables in registers have no pointers any more: an address without an address space is flat memory. */
unsigned vc_space(LLVMTypeRef pointer)
{
    unsigned space = LLVMGetPointerAddressSpace(pointer);
    return space ? space : 1;
}

void vc_type(struct vc_writer *w, LLVMTypeRef type)
{
    switch (LLVMGetTypeKind(type)) {
    case LLVMVoidTypeKind: fputs("void", w->out); return;
    case LLVMIntegerTypeKind: integer_type(w, LLVMGetIntTypeWidth(type)); return;
    case LLVMHalfTypeKind: fputs("half", w->out); return;
    case LLVMFloatTypeKind: fputs("float", w->out); return;
    case LLVMDoubleTypeKind: fputs("double", w->out); return;
    case LLVMStructTypeKind: struct_type(w, type); return;
    case LLVMPointerTypeKind: fprintf(w->out, "i8 addrspace(%u)*", vc_space(type)); return;
    case LLVMArrayTypeKind:
        fprintf(w->out, "[%" PRIu64 " x ", LLVMGetArrayLength2(type));
        vc_type(w, LLVMGetElementType(type));
        fputc(']', w->out);
        return;
    case LLVMVectorTypeKind:
        if (LLVMGetVectorSize(type) == 1) {
            vc_type(w, LLVMGetElementType(type));
            return;
        }
        fprintf(w->out, "<%u x ", LLVMGetVectorSize(type));
        vc_type(w, LLVMGetElementType(type));
        fputc('>', w->out);
        return;
    default: vc_fail(w, "type kind %d of LLVM", (int)LLVMGetTypeKind(type)); fputs("void", w->out);
    }
}

/* Quotes names that are not plain identifiers, with \XX for characters that a quoted name cannot hold. */
void vc_name(struct vc_writer *w, char sigil, const char *prefix, const char *name, size_t length)
{
    bool plain = length + strlen(prefix) > 0 && !isdigit((unsigned char)(*prefix ? *prefix : *name));
    for (size_t i = 0; i < length; i++)
        plain = plain && (isalnum((unsigned char)name[i]) || strchr("-$._", name[i])) && name[i];
    fputc(sigil, w->out);
    if (plain) {
        fprintf(w->out, "%s%.*s", prefix, (int)length, name);
        return;
    }
    fprintf(w->out, "\"%s", prefix);
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)name[i];
        if (c < 0x20 || c >= 0x7f || c == '"' || c == '\\')
            fprintf(w->out, "\\%02X", c);
        else
            fputc(c, w->out);
    }
    fputc('"', w->out);
}

unsigned vc_parameter_index(LLVMValueRef parameter)
{
    unsigned index = 0;
    LLVMValueRef p = LLVMGetFirstParam(LLVMGetParamParent(parameter));
    while (p != parameter)
        p = LLVMGetNextParam(p), index++;
    return index;
}

enum vc_kind vc_kind_of(LLVMValueRef parameter)
{
    char text[32] = "";
    ir_string_attribute(LLVMGetParamParent(parameter), 1 + vc_parameter_index(parameter), "cm-kind", text, sizeof text);
    if (strcmp(text, "surface") == 0)
        return VC_SURFACE;
    if (strcmp(text, "sampler") == 0)
        return VC_SAMPLER;
    if (strcmp(text, "svmptr") == 0 || strcmp(text, "pointer") == 0 ||
        LLVMGetTypeKind(LLVMTypeOf(parameter)) == LLVMPointerTypeKind)
        return VC_ADDRESS;
    return VC_VALUE;
}

void vc_parameter(struct vc_writer *w, LLVMValueRef parameter, char stage)
{
    size_t length;
    const char *name = LLVMGetValueName2(parameter, &length);
    char prefix[3] = {stage, '.', '\0'}, number[16];
    if (length == 0) {
        snprintf(number, sizeof number, "%u", vc_parameter_index(parameter));
        name = number;
        length = strlen(number);
    }
    vc_name(w, '%', prefix, name, length);
}

static bool is_one_lane(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind && LLVMGetVectorSize(type) == 1;
}

/* Returns the operand that an instruction merely passes on, or NULL. */
static LLVMValueRef passed_on(LLVMValueRef value)
{
    if (!LLVMIsAInstruction(value))
        return NULL;
    switch (LLVMGetInstructionOpcode(value)) {
    case LLVMFreeze: return LLVMGetOperand(value, 0);
    case LLVMExtractElement: return is_one_lane(LLVMTypeOf(LLVMGetOperand(value, 0))) ? LLVMGetOperand(value, 0) : NULL;
    case LLVMInsertElement: return is_one_lane(LLVMTypeOf(value)) ? LLVMGetOperand(value, 1) : NULL;
    case LLVMShuffleVector:
        if (!is_one_lane(LLVMTypeOf(value)) || !is_one_lane(LLVMTypeOf(LLVMGetOperand(value, 0))))
            return NULL;
        return LLVMGetOperand(value, LLVMGetMaskValue(value, 0) == 1);
    case LLVMBitCast: {
        LLVMTypeRef to = LLVMTypeOf(value), from = LLVMTypeOf(LLVMGetOperand(value, 0));
        bool same = to == from || (is_one_lane(to) && LLVMGetElementType(to) == from) ||
                    (is_one_lane(from) && LLVMGetElementType(from) == to);
        return same ? LLVMGetOperand(value, 0) : NULL;
    }
    default: return NULL;
    }
}

LLVMValueRef vc_value(LLVMValueRef value)
{
    for (LLVMValueRef next; (next = passed_on(value));)
        value = next;
    return value;
}

void vc_block(struct vc_writer *w, LLVMBasicBlockRef block)
{
    size_t number = 0;
    pointer_map_get(&w->numbers, block, &number);
    fprintf(w->out, "%%b%zu", number);
}

/* LLVM writes a float as the double of equal value; NaNs keep their bits at the top of the longer fraction. */
static uint64_t float_as_double_bits(uint32_t bits)
{
    uint64_t sign = (uint64_t)(bits >> 31) << 63, fraction = bits & 0x7fffff;
    if ((bits >> 23 & 0xff) == 0xff)
        return sign | 0x7ffull << 52 | fraction << 29;
    float number;
    double wide;
    memcpy(&number, &bits, 4);
    wide = number;
    uint64_t out;
    memcpy(&out, &wide, 8);
    return out;
}

/* Reads the bits through an integer constant: LLVM-C's way by a double would change signalling NaNs. */
uint64_t vc_float_bits(LLVMValueRef value)
{
    unsigned width = type_element_bits(LLVMTypeOf(value));
    LLVMTypeRef same_size = LLVMIntTypeInContext(LLVMGetTypeContext(LLVMTypeOf(value)), width ? width : 16);
    return width ? LLVMConstIntGetZExtValue(LLVMConstBitCast(value, same_size)) : 0;
}

static void float_constant(struct vc_writer *w, LLVMValueRef value)
{
    uint64_t bits = vc_float_bits(value);
    switch (LLVMGetTypeKind(LLVMTypeOf(value))) {
    case LLVMHalfTypeKind: fprintf(w->out, "0xH%04" PRIX64, bits); return;
    case LLVMFloatTypeKind: fprintf(w->out, "0x%016" PRIX64, float_as_double_bits((uint32_t)bits)); return;
    case LLVMDoubleTypeKind: fprintf(w->out, "0x%016" PRIX64, bits); return;
    default: vc_fail(w, "a float constant of type kind %d", (int)LLVMGetTypeKind(LLVMTypeOf(value)));
    }
}

static void constant(struct vc_writer *w, LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    bool vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind, pointer = LLVMGetTypeKind(type) == LLVMPointerTypeKind;
    if (LLVMIsUndef(value) || LLVMIsPoison(value)) {
        fputs("undef", w->out);
    } else if (is_one_lane(type)) {
        LLVMValueRef lane = LLVMGetAggregateElement(value, 0);
        if (lane)
            constant(w, lane);
        else
            vc_fail(w, "a constant expression");
    } else if (LLVMIsNull(value) && (vector || pointer)) {
        fputs(vector ? "zeroinitializer" : "null", w->out);
    } else if (LLVMIsAConstantInt(value)) {
        if (LLVMGetIntTypeWidth(type) == 1)
            fputs(LLVMConstIntGetZExtValue(value) ? "true" : "false", w->out);
        else
            fprintf(w->out, "%lld", LLVMConstIntGetSExtValue(value));
    } else if (LLVMIsAConstantFP(value)) {
        float_constant(w, value);
    } else if (vector) {
        for (unsigned i = 0; i < LLVMGetVectorSize(type) && !w->failed; i++) {
            LLVMValueRef lane = LLVMGetAggregateElement(value, i);
            if (!lane) {
                vc_fail(w, "a constant expression");
                return;
            }
            fputs(i ? ", " : "<", w->out);
            vc_typed(w, lane);
        }
        fputc('>', w->out);
    } else if (vc_is_text(value)) {
        vc_text_address(w, value);
    } else if (LLVMIsAGlobalValue(value)) {
        vc_fail(w, "the address of '%s'", LLVMGetValueName(value));
    } else {
        vc_fail(w, "a constant expression");
    }
}

void vc_operand(struct vc_writer *w, LLVMValueRef value)
{
    bool frozen = LLVMIsAInstruction(value) && LLVMGetInstructionOpcode(value) == LLVMFreeze;
    value = vc_value(value);
    size_t number;
    if (LLVMIsAArgument(value))
        vc_parameter(w, value,
                     vc_kind_of(value) == VC_VALUE || LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind ? 'p'
                                                                                                                : 'h');
    else if (pointer_map_get(&w->numbers, value, &number))
        fprintf(w->out, "%%v%zu", number);
    else if (frozen && (LLVMIsUndef(value) || LLVMIsPoison(value))) /* one value wherever it is used */
        constant(w, LLVMConstNull(LLVMTypeOf(value)));
    else if (LLVMIsConstant(value))
        constant(w, value);
    else
        vc_fail(w, "a value that is neither instruction nor constant");
}

void vc_typed(struct vc_writer *w, LLVMValueRef value)
{
    vc_type(w, LLVMTypeOf(value));
    fputc(' ', w->out);
    vc_operand(w, value);
}
