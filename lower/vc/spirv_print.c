/* Writes calls of printf and the texts that they print in SPIR-V (spirv.h): OpenCL's instruction printf, and constant
 * arrays of bytes. */
#include "lower/vc/spirv.h"

#include <stdlib.h>
#include <string.h>

static uint32_t bytes_of(struct spirv_writer *w, LLVMValueRef bytes, uint32_t type)
{
    size_t length = 0;
    struct spirv_words words = {0};
    if (LLVMIsNull(bytes))
        return SPIRV_ONCE(w, SPIRV_TYPES, OP_CONSTANT_NULL, 1, type, 0);
    const char *text = LLVMGetAsString(bytes, &length);
    LLVMTypeRef byte = LLVMInt8TypeInContext(LLVMGetTypeContext(LLVMTypeOf(bytes)));
    spirv_put(&words, type);
    spirv_put(&words, 0);
    for (size_t n = 0; n < length; n++)
        spirv_put(&words, spirv_constant(w, LLVMConstInt(byte, (unsigned char)text[n], false)));
    uint32_t id = spirv_once(w, SPIRV_TYPES, OP_CONSTANT_COMPOSITE, 1, words.words, words.count);
    free(words.words);
    return id;
}

static void write_text(struct spirv_writer *w, LLVMValueRef text)
{
    enum { CONSTANT_SPACE = 2 };
    size_t length;
    const char *name = LLVMGetValueName2(text, &length);
    uint32_t type = spirv_type(w, LLVMGlobalGetValueType(text)), id = spirv_result(w, text);
    uint32_t bytes = bytes_of(w, LLVMGetInitializer(text), type);
    SPIRV_EMIT(w, SPIRV_TYPES, OP_VARIABLE, spirv_pointer_type(w, type, CONSTANT_SPACE), id, STORAGE_CONSTANT, bytes);
    SPIRV_EMIT(w, SPIRV_DECORATIONS, OP_DECORATE, id, DECORATION_CONSTANT);
    spirv_name(w, id, name, length);
    spirv_put(&w->texts, id);
}

void spirv_texts(struct spirv_writer *w, LLVMModuleRef module)
{
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
        if (vc_is_text(g))
            write_text(w, g);
}

static uint32_t argument(struct spirv_writer *w, LLVMValueRef value)
{
    LLVMValueRef number = vc_converted(value);
    return number ? SPIRV_COMPUTE(w, OP_CONVERT_U_TO_PTR, spirv_type(w, LLVMTypeOf(value)), spirv_value(w, number))
                  : spirv_value(w, value);
}

void spirv_printf(struct spirv_writer *w, LLVMValueRef call)
{
    struct spirv_words words = {0};
    if (!vc_check_printf(&w->vc, call))
        return;
    spirv_put(&words, spirv_opencl(w));
    spirv_put(&words, OPENCL_PRINTF);
    for (unsigned n = 0; n < LLVMGetNumArgOperands(call); n++)
        spirv_put(&words, argument(w, LLVMGetOperand(call, n)));
    spirv_compute(w, OP_EXT_INST, spirv_int_type(w, 32), words.words, words.count);
    free(words.words);
}
