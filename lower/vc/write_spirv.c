/* Writes a module as SPIR-V for IGC's vector back end (spirv.h), which Level Zero and OpenCL accept as IL. */
#include "lower/ir/function_info.h"
#include "lower/vc/spirv.h"
#include "lower/vc/write_spirv.h"

#include <stdlib.h>
#include <string.h>

/* --- a kernel's arguments
 * ---------------------------------------------------------------------------------------------- */

static uint32_t image_type(struct spirv_writer *w, const struct vc_argument *a, uint32_t access)
{
    static const int capabilities[] = {[0] = CAPABILITY_SAMPLED_1D, [5] = CAPABILITY_SAMPLED_BUFFER};
    uint32_t nothing = SPIRV_ONCE(w, SPIRV_TYPES, OP_TYPE_VOID, 0, 0);
    spirv_capability(w, CAPABILITY_IMAGE_BASIC);
    if (access == ACCESS_READ_WRITE)
        spirv_capability(w, CAPABILITY_IMAGE_READ_WRITE);
    if (capabilities[a->dimension])
        spirv_capability(w, (enum spirv_capability)capabilities[a->dimension]);
    return SPIRV_ONCE(w, SPIRV_TYPES, OP_TYPE_IMAGE, 0, 0, nothing, (uint32_t)a->dimension, 0, 0, 0, 0, 0, access);
}

static uint32_t argument_type(struct spirv_writer *w, LLVMValueRef parameter, const struct vc_argument *a)
{
    static const uint32_t accesses[] = {[VISA_ACCESS_READ_WRITE] = ACCESS_READ_WRITE,
                                        [VISA_ACCESS_READ] = ACCESS_READ_ONLY,
                                        [VISA_ACCESS_WRITE] = ACCESS_WRITE_ONLY};
    switch (a->kind) {
    case VC_SAMPLER: return SPIRV_ONCE(w, SPIRV_TYPES, OP_TYPE_SAMPLER, 0, 0);
    case VC_SURFACE:
        if (a->dimension < 0)
            return SPIRV_ONCE(w, SPIRV_TYPES, OP_TYPE_BUFFER_SURFACE, 0, 0, accesses[a->access]);
        return image_type(w, a, accesses[a->access]);
    case VC_ADDRESS: return spirv_pointer_type(w, spirv_int_type(w, 8), a->space);
    case VC_VALUE: break;
    }
    return spirv_type(w, LLVMTypeOf(parameter));
}

/* Writes the function that converts a surface or sampler of SPIR-V's type `type` to a number. */
static uint32_t conversion(struct spirv_writer *w, const struct vc_argument *a, uint32_t type)
{
    for (size_t n = 0; n < w->declared_count; n++)
        if (strcmp(w->declared[n].name, a->convert) == 0)
            return w->declared[n].id;
    uint32_t number = spirv_int_type(w, 32), id = w->next++, parameter;
    SPIRV_EMIT(w, SPIRV_DECLARATIONS, OP_FUNCTION, number, id, 0,
               spirv_function_type(w, (uint32_t[]){number, type}, 2));
    parameter = w->next++;
    SPIRV_EMIT(w, SPIRV_DECLARATIONS, OP_FUNCTION_PARAMETER, type, parameter);
    spirv_emit(w, SPIRV_DECLARATIONS, OP_FUNCTION_END, NULL, 0);
    spirv_import(w, id, a->convert);
    struct spirv_declared declared = {strdup(a->convert), id};
    ARRAY_PUSH(w->declared, w->declared_count, w->declared_capacity, declared);
    return id;
}

/* Writes a parameter: the body uses surfaces, samplers and addresses as numbers. */
static void write_parameter(struct spirv_writer *w, LLVMValueRef p, uint32_t type, bool media)
{
    uint32_t id = w->next++;
    size_t length;
    const char *name = LLVMGetValueName2(p, &length);
    SPIRV_EMIT(w, SPIRV_FUNCTIONS, OP_FUNCTION_PARAMETER, type, id);
    if (length)
        spirv_name(w, id, name, length);
    if (media)
        SPIRV_EMIT(w, SPIRV_DECORATIONS, OP_DECORATE, id, DECORATION_MEDIA_BLOCK);
    pointer_map_set(&w->values, p, id);
}

static void convert_parameters(struct spirv_writer *w, LLVMValueRef kernel, const uint32_t *types)
{
    for (LLVMValueRef p = LLVMGetFirstParam(kernel); p; p = LLVMGetNextParam(p), types++) {
        struct vc_argument a = vc_argument_of(&w->vc, p);
        if (a.kind == VC_VALUE || LLVMGetTypeKind(LLVMTypeOf(p)) == LLVMPointerTypeKind)
            continue;
        uint32_t passed = spirv_result(w, p), number = spirv_type(w, LLVMTypeOf(p));
        uint32_t converted = *a.type ? SPIRV_COMPUTE(w, OP_FUNCTION_CALL, number, conversion(w, &a, *types), passed)
                                     : SPIRV_COMPUTE(w, OP_CONVERT_PTR_TO_U, number, passed);
        pointer_map_set(&w->values, p, converted);
    }
}

/* --- float modes
 * ------------------------------------------------------------------------------------------------------- */

static void mode(struct spirv_writer *w, uint32_t kernel, enum spirv_execution_mode mode, enum spirv_capability needs,
                 uint32_t number)
{
    spirv_capability(w, needs);
    SPIRV_EMIT(w, SPIRV_MODES, OP_EXECUTION_MODE, kernel, mode, number);
}

/* control: bits of the control register. 0: alternative mode; 5:4: rounding; 6, 7, 10: double, float, half keep
 * denormals. */
static void float_modes(struct spirv_writer *w, uint32_t kernel, unsigned control)
{
    static const struct {
        unsigned width, keeps;
    } widths[] = {{64, 0x40}, {32, 0x80}, {16, 0x400}};
    static const struct {
        enum spirv_execution_mode mode;
        enum spirv_capability needs;
    } rounding[] = {{MODE_ROUND_NEAREST, CAPABILITY_ROUND_NEAREST},
                    {MODE_ROUND_UP, CAPABILITY_ROUND_INFINITY},
                    {MODE_ROUND_DOWN, CAPABILITY_ROUND_INFINITY},
                    {MODE_ROUND_ZERO, CAPABILITY_ROUND_ZERO}};
    for (size_t n = 0; n < sizeof widths / sizeof *widths; n++) {
        unsigned width = widths[n].width;
        if (control & widths[n].keeps)
            mode(w, kernel, MODE_DENORM_PRESERVE, CAPABILITY_DENORM_PRESERVE, width);
        else
            mode(w, kernel, MODE_DENORM_FLUSH, CAPABILITY_DENORM_FLUSH, width);
        mode(w, kernel, rounding[control >> 4 & 3].mode, rounding[control >> 4 & 3].needs, width);
        spirv_capability(w, CAPABILITY_ROUND_INFINITY); /* spirv-val requires it for the mode */
        mode(w, kernel, control & 1 ? MODE_FLOAT_ALT : MODE_FLOAT_IEEE, CAPABILITY_FLOAT_MODE, width);
    }
}

/* --- functions
 * --------------------------------------------------------------------------------------------------------- */

/* Writes a block's instructions; its scope follows the phis. */
static void write_instructions(struct spirv_writer *w, LLVMBasicBlockRef block, bool scoped)
{
    FOR_EACH_INSTRUCTION(i, block)
    {
        if (w->vc.failed || vc_is_silent(i))
            continue;
        if (!scoped && !LLVMIsAPHINode(i)) {
            spirv_debug_block(w);
            scoped = true;
        }
        spirv_debug_line(w, i);
        spirv_instruction(w, i);
    }
}

static void write_body(struct spirv_writer *w, LLVMValueRef function, const uint32_t *argument_types)
{
    bool first = true;
    FOR_EACH_BLOCK(block, function)
    {
        SPIRV_EMIT(w, SPIRV_FUNCTIONS, OP_LABEL, spirv_block(w, block));
        if (first)
            spirv_debug_block(w);
        if (first && argument_types)
            convert_parameters(w, function, argument_types);
        write_instructions(w, block, first);
        first = false;
    }
    spirv_emit(w, SPIRV_FUNCTIONS, OP_FUNCTION_END, NULL, 0);
}

static void write_entry(struct spirv_writer *w, LLVMValueRef kernel, uint32_t id)
{
    struct spirv_words entry = {0};
    size_t length;
    const char *name = LLVMGetValueName2(kernel, &length);
    spirv_put(&entry, EXECUTION_MODEL_KERNEL);
    spirv_put(&entry, id);
    spirv_put_text(&entry, name, length);
    for (size_t n = 0; n < w->texts.count; n++) /* the variables that the kernel may use */
        spirv_put(&entry, w->texts.words[n]);
    spirv_emit(w, SPIRV_ENTRIES, OP_ENTRY_POINT, entry.words, entry.count);
    free(entry.words);
    char asked[16] = "";
    ir_string_attribute(kernel, LLVMAttributeFunctionIndex, "cm-float-control", asked, sizeof asked);
    float_modes(w, id, (unsigned)strtoul(asked, NULL, 0));
    mode(w, id, MODE_SLM_SIZE, CAPABILITY_VECTOR_COMPUTE, 0);
}

/* Writes a kernel, a subroutine, or a stack function. */
static void write_function(struct spirv_writer *w, LLVMValueRef function)
{
    bool kernel = function_is_kernel(function);
    uint32_t id = spirv_function(w, function);
    struct spirv_words types = {0};
    size_t length, n = 0;
    const char *name = LLVMGetValueName2(function, &length);
    w->vc.at = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function));
    spirv_put(&types, spirv_type(w, LLVMGetReturnType(LLVMGlobalGetValueType(function))));
    for (LLVMValueRef p = LLVMGetFirstParam(function); p; p = LLVMGetNextParam(p)) {
        struct vc_argument a = kernel ? vc_argument_of(&w->vc, p) : (struct vc_argument){.kind = VC_VALUE};
        spirv_put(&types, w->vc.failed ? 0 : argument_type(w, p, &a));
    }
    SPIRV_EMIT(w, SPIRV_FUNCTIONS, OP_FUNCTION, types.words[0], id, kernel ? 0 : FUNCTION_DONT_INLINE,
               spirv_function_type(w, types.words, types.count));
    SPIRV_EMIT(w, SPIRV_DECORATIONS, OP_DECORATE, id, DECORATION_VECTOR_COMPUTE);
    spirv_name(w, id, name, length);
    for (LLVMValueRef p = LLVMGetFirstParam(function); p; p = LLVMGetNextParam(p))
        write_parameter(w, p, types.words[++n], kernel && vc_argument_of(&w->vc, p).media);
    if (kernel)
        write_entry(w, function, id);
    else if (function_call_kind(function) == CALL_STACK)
        SPIRV_EMIT(w, SPIRV_DECORATIONS, OP_DECORATE, id, DECORATION_STACK_CALL);
    spirv_debug_function(w, function, id);
    write_body(w, function, kernel ? types.words + 1 : NULL);
    free(types.words);
}

static void write_module(struct spirv_writer *w, LLVMModuleRef module)
{
    static const enum spirv_capability always[] = {CAPABILITY_ADDRESSES, CAPABILITY_LINKAGE, CAPABILITY_KERNEL,
                                                   CAPABILITY_VECTOR_COMPUTE};
    for (size_t n = 0; n < sizeof always / sizeof *always; n++)
        spirv_capability(w, always[n]);
    spirv_extension(w, "SPV_INTEL_vector_compute");
    spirv_extension(w, "SPV_KHR_float_controls");
    spirv_extension(w, "SPV_INTEL_float_controls2");
    SPIRV_EMIT(w, SPIRV_MODEL, OP_MEMORY_MODEL, ADDRESSING_PHYSICAL64, MEMORY_MODEL_OPENCL);
    spirv_texts(w, module);
    FOR_EACH_FUNCTION(f, module)
    if (function_is_lowered(f) && !w->vc.failed)
        write_function(w, f);
}

static bool write_file(const struct spirv_writer *w, FILE *out)
{
    enum { GENERATOR = 0, SCHEMA = 0 };
    uint32_t header[] = {SPIRV_MAGIC, SPIRV_VERSION, GENERATOR, w->next, SCHEMA};
    bool good = fwrite(header, sizeof header, 1, out) == 1;
    for (unsigned n = 0; n < SPIRV_SECTIONS && good; n++)
        good = fwrite(w->sections[n].words, sizeof(uint32_t), w->sections[n].count, out) == w->sections[n].count;
    return good || lower_error(NULL, "cannot write the module");
}

bool lower_write_spirv(LLVMModuleRef module, bool debug, FILE *out)
{
    struct spirv_writer w = {.next = 1, .debug = debug};
    struct ir_context *before = ir_context_enter(NULL);
    vc_prepare(module);
    write_module(&w, module);
    ir_context_leave(before);
    bool good = !w.vc.failed && write_file(&w, out);
    for (unsigned n = 0; n < SPIRV_SECTIONS; n++)
        free(w.sections[n].words);
    for (size_t n = 0; n < w.declared_count; n++)
        free(w.declared[n].name);
    free(w.declared);
    free(w.texts.words);
    free(w.once);
    free(w.vc.called);
    pointer_map_free(&w.vc.declared);
    pointer_map_free(&w.values);
    pointer_map_free(&w.types);
    pointer_map_free(&w.functions);
    return good;
}
