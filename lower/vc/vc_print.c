/* Prints calls of printf and the texts that they print in the vector back end's dialect (vc.h): the declared function
 * printf of OpenCL C, and arrays in constant memory. */
#include "lower/ir/function_info.h"
#include "lower/vc/vc.h"

#include <ctype.h>

enum { CONSTANT_SPACE = 2 };

bool vc_is_text(LLVMValueRef value)
{
    LLVMTypeRef type = LLVMIsAGlobalVariable(value) ? LLVMGlobalGetValueType(value) : NULL;
    LLVMValueRef bytes = type ? LLVMGetInitializer(value) : NULL;
    return bytes && LLVMGetPointerAddressSpace(LLVMTypeOf(value)) == CONSTANT_SPACE &&
           ir_is_named(value, FUNCTION_PRINT) && LLVMGetTypeKind(type) == LLVMArrayTypeKind &&
           LLVMGetElementType(type) == LLVMInt8TypeInContext(LLVMGetTypeContext(type)) &&
           (LLVMIsConstantString(bytes) || LLVMIsNull(bytes));
}

static bool is_choice(LLVMValueRef value)
{
    return vc_is_text(value) ||
           (LLVMIsASelectInst(value) && is_choice(LLVMGetOperand(value, 1)) && is_choice(LLVMGetOperand(value, 2)));
}

LLVMValueRef vc_converted(LLVMValueRef value)
{
    return LLVMIsAConstantExpr(value) && LLVMGetConstOpcode(value) == LLVMIntToPtr ? LLVMGetOperand(value, 0) : NULL;
}

static bool is_text_pointer(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMPointerTypeKind && LLVMGetPointerAddressSpace(type) == CONSTANT_SPACE;
}

bool vc_check_printf(struct vc_writer *w, LLVMValueRef call)
{
    unsigned count = LLVMGetNumArgOperands(call);
    if (count == 0 || !vc_is_text(LLVMGetOperand(call, 0)))
        vc_fail(w, "printf with a format that is no literal");
    for (unsigned n = 1; n < count; n++)
        if (is_text_pointer(LLVMTypeOf(LLVMGetOperand(call, n))) && !is_choice(LLVMGetOperand(call, n)))
            vc_fail(w, "printf of a text that is no choice of literals by ?:");
    return !w->failed;
}

static void text_type(struct vc_writer *w, LLVMValueRef text)
{
    fprintf(w->out, "[%u x i8]", (unsigned)LLVMGetArrayLength2(LLVMGlobalGetValueType(text)));
}

static void text_name(struct vc_writer *w, LLVMValueRef text)
{
    size_t length;
    const char *name = LLVMGetValueName2(text, &length);
    vc_name(w, '@', "", name, length);
}

void vc_text_address(struct vc_writer *w, LLVMValueRef text)
{
    fputs("getelementptr inbounds (", w->out);
    text_type(w, text);
    fputs(", ", w->out);
    text_type(w, text);
    fputs(" addrspace(2)* ", w->out);
    text_name(w, text);
    fputs(", i32 0, i32 0)", w->out);
}

static void text_bytes(struct vc_writer *w, LLVMValueRef bytes)
{
    size_t length = 0;
    if (LLVMIsNull(bytes)) {
        fputs("zeroinitializer", w->out);
        return;
    }
    const char *text = LLVMGetAsString(bytes, &length);
    fputs("c\"", w->out);
    for (size_t n = 0; n < length; n++)
        if (isalnum((unsigned char)text[n]))
            fputc(text[n], w->out);
        else
            fprintf(w->out, "\\%02X", (unsigned char)text[n]);
    fputc('"', w->out);
}

void vc_texts(struct vc_writer *w, LLVMModuleRef module)
{
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g)) {
        if (!vc_is_text(g))
            continue;
        text_name(w, g);
        fputs(" = internal unnamed_addr addrspace(2) constant ", w->out);
        text_type(w, g);
        fputc(' ', w->out);
        text_bytes(w, LLVMGetInitializer(g));
        fputc('\n', w->out);
    }
    if (LLVMGetNamedFunction(module, FUNCTION_PRINT))
        fputs("declare spir_func i32 @printf(i8 addrspace(2)*, ...)\n", w->out);
}

/* `%tN = inttoptr ...` on a line of its own, for an address that is a number; returns N. */
static unsigned convert_address(struct vc_writer *w, LLVMValueRef number, LLVMTypeRef type)
{
    fprintf(w->out, "%%t%u = inttoptr ", w->temporaries);
    vc_typed(w, number);
    fputs(" to ", w->out);
    vc_type(w, type);
    fputs("\n  ", w->out);
    return w->temporaries++;
}

void vc_print_printf(struct vc_writer *w, LLVMValueRef call)
{
    unsigned count = LLVMGetNumArgOperands(call), first = w->temporaries;
    if (!vc_check_printf(w, call))
        return;
    for (unsigned n = 0; n < count; n++) {
        LLVMValueRef value = LLVMGetOperand(call, n), number = vc_converted(value);
        if (number)
            convert_address(w, number, LLVMTypeOf(value));
    }
    fprintf(w->out, "%%t%u = call spir_func i32 (i8 addrspace(2)*, ...) @printf(", w->temporaries++);
    for (unsigned n = 0; n < count; n++) {
        LLVMValueRef value = LLVMGetOperand(call, n);
        fputs(n ? ", " : "", w->out);
        if (!vc_converted(value)) {
            vc_typed(w, value);
            continue;
        }
        vc_type(w, LLVMTypeOf(value));
        fprintf(w->out, " %%t%u", first++);
    }
    fputc(')', w->out);
}
