/* Prints the module in the dialect of IGC's vector back end (vc.h). tools/peer/ passes it to that back end, so that the
 * code of one kernel can be compared. docs/compiler/peer.md describes the dialect. */
#include "lower/functions/functions.h"
#include "lower/vc/print_vc.h"
#include "lower/vc/vc.h"

#include <stdlib.h>
#include <string.h>

static void parameter_type(struct vc_writer *w, LLVMValueRef parameter, const struct vc_argument *a)
{
    if (*a->type)
        fprintf(w->out, "%%%s addrspace(%u)*", a->type, a->space);
    else if (a->kind == VC_ADDRESS)
        fprintf(w->out, "i8 addrspace(%u)*", a->space);
    else
        vc_type(w, LLVMTypeOf(parameter));
}

static void typed_parameter(struct vc_writer *w, LLVMValueRef p, const struct vc_argument *a)
{
    parameter_type(w, p, a);
    fputc(' ', w->out);
    vc_parameter(w, p, 'p');
}

/* Prints `%h.x = ... %p.x` for a parameter that the body uses as a number. */
static void convert_parameters(struct vc_writer *w, LLVMValueRef kernel)
{
    for (LLVMValueRef p = LLVMGetFirstParam(kernel); p; p = LLVMGetNextParam(p)) {
        if (vc_kind_of(p) == VC_VALUE || LLVMGetTypeKind(LLVMTypeOf(p)) == LLVMPointerTypeKind)
            continue;
        struct vc_argument a = vc_argument_of(w, p);
        fputs("  ", w->out);
        vc_parameter(w, p, 'h');
        if (*a.type) {
            fprintf(w->out, " = call i32 @%s(", a.convert);
            typed_parameter(w, p, &a);
            fputs(")\n", w->out);
            continue;
        }
        fputs(" = ptrtoint ", w->out);
        typed_parameter(w, p, &a);
        fputs(" to ", w->out);
        vc_type(w, LLVMTypeOf(p));
        fputc('\n', w->out);
    }
}

/* Numbers the blocks and the instructions with a result, in order of the text. */
static void number_kernel(struct vc_writer *w, LLVMValueRef kernel)
{
    size_t blocks = 0, values = 0;
    pointer_map_free(&w->numbers);
    w->temporaries = 0;
    FOR_EACH_BLOCK(block, kernel)
    {
        pointer_map_set(&w->numbers, block, blocks++);
        FOR_EACH_INSTRUCTION(i, block)
        if (LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMVoidTypeKind && !vc_is_silent(i))
            pointer_map_set(&w->numbers, i, values++);
    }
}

static void print_body(struct vc_writer *w, LLVMValueRef function)
{
    size_t number = 0;
    FOR_EACH_BLOCK(block, function)
    {
        fprintf(w->out, "b%zu:\n", number);
        if (number++ == 0 && function_is_kernel(function))
            convert_parameters(w, function);
        FOR_EACH_INSTRUCTION(i, block)
        if (!w->failed && !vc_is_silent(i))
            vc_instruction(w, i);
    }
    fputs("}\n", w->out);
}

/* "define ... RESULT @NAME(" */
static void begin_definition(struct vc_writer *w, LLVMValueRef function, const char *linkage)
{
    size_t length;
    const char *name = LLVMGetValueName2(function, &length);
    w->at = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function));
    number_kernel(w, function);
    fprintf(w->out, "\ndefine %s ", linkage);
    vc_type(w, LLVMGetReturnType(LLVMGlobalGetValueType(function)));
    fputc(' ', w->out);
    vc_name(w, '@', "", name, length);
    fputc('(', w->out);
}

static void print_kernel(struct vc_writer *w, LLVMValueRef kernel)
{
    begin_definition(w, kernel, "dllexport spir_kernel");
    for (LLVMValueRef p = LLVMGetFirstParam(kernel); p; p = LLVMGetNextParam(p)) {
        struct vc_argument a = vc_argument_of(w, p);
        if (p != LLVMGetFirstParam(kernel))
            fputs(", ", w->out);
        parameter_type(w, p, &a);
        fputs(a.media ? " \"VCMediaBlockIO\" " : " ", w->out);
        vc_parameter(w, p, 'p');
    }
    char asked[16];
    const char *modes =
        ir_string_attribute(kernel, LLVMAttributeFunctionIndex, "cm-float-control", asked, sizeof asked);
    fprintf(w->out, ") #0 \"VCFloatControl\"=\"%s\" {\n", modes ? modes : "0");
    print_body(w, kernel);
}

/* Prints a subroutine or a stack function. */
static void print_function(struct vc_writer *w, LLVMValueRef function)
{
    begin_definition(w, function, "internal spir_func");
    for (LLVMValueRef p = LLVMGetFirstParam(function); p; p = LLVMGetNextParam(p)) {
        if (p != LLVMGetFirstParam(function))
            fputs(", ", w->out);
        vc_type(w, LLVMTypeOf(p));
        fputc(' ', w->out);
        vc_parameter(w, p, 'p');
    }
    fprintf(w->out, ") #%d {\n", function_call_kind(function) == CALL_STACK ? 2 : 1);
    print_body(w, function);
}

/* Prints every opaque type of all kernels' parameters once, and the function that converts it to a number. */
static void print_opaque_types(struct vc_writer *w, LLVMModuleRef module)
{
    char seen[1024] = " ";
    FOR_EACH_FUNCTION(kernel, module)
    {
        if (!function_is_kernel(kernel))
            continue;
        for (LLVMValueRef p = LLVMGetFirstParam(kernel); p; p = LLVMGetNextParam(p)) {
            struct vc_argument a = vc_argument_of(w, p);
            char word[70];
            snprintf(word, sizeof word, "%s ", a.type);
            if (!*a.type || strstr(seen, word))
                continue;
            strncat(seen, word, sizeof seen - strlen(seen) - 1);
            fprintf(w->out, "%%%s = type opaque\ndeclare i32 @%s(", a.type, a.convert);
            parameter_type(w, p, &a);
            fputs(")\n", w->out);
        }
    }
}

/* Layout and triple of SPIR-V's 64-bit physical addressing. Float control 0 is round to nearest, denormals flushed, as
 * cmc's kernels start by default. */
static const char head[] = "target datalayout = \"e-p:64:64-i64:64-n8:16:32:64\"\n"
                           "target triple = \"spir64-unknown-unknown\"\n";
static const char tail[] =
    "\nattributes #0 = { nounwind \"CMGenxMain\" \"oclrt\"=\"1\" \"VCFunction\" \"VCNamedBarrierCount\"=\"%u\" "
    "\"VCSLMSize\"=\"0\" }\n"
    "attributes #1 = { noinline nounwind \"VCFunction\" }\n"
    "attributes #2 = { noinline nounwind \"VCFunction\" \"VCStackCall\" }\n"
    "!opencl.ocl.version = !{!0}\n!opencl.spir.version = !{!0}\n!spirv.Source = !{!1}\n"
    "!0 = !{i32 2, i32 0}\n!1 = !{i32 0, i32 100000}\n";

static void print_module(struct vc_writer *w, LLVMModuleRef module)
{
    fputs(head, w->out);
    print_opaque_types(w, module);
    unsigned most_barriers = 0; /* the kernels share their attributes */
    FOR_EACH_FUNCTION(f, module)
    if (ir_named_barriers(f) > most_barriers)
        most_barriers = ir_named_barriers(f);
    FOR_EACH_FUNCTION(f, module)
    if (function_is_kernel(f))
        print_kernel(w, f);
    else if (function_is_lowered(f))
        print_function(w, f);
    fputc('\n', w->out);
    vc_texts(w, module);
    vc_declarations(w);
    fprintf(w->out, tail, most_barriers);
}

/* Prints to memory first: nothing is written if a construct has no equivalent. */
bool lower_print_vc(LLVMModuleRef module, FILE *out)
{
    char *text = NULL;
    size_t length = 0;
    struct vc_writer w = {.out = open_memstream(&text, &length)};
    if (!w.out)
        return lower_error(NULL, "out of memory");
    struct ir_context *before = ir_context_enter(NULL);
    vc_prepare(module);
    print_module(&w, module);
    ir_context_leave(before);
    bool ok = fclose(w.out) == 0 && !w.failed;
    if (ok && fwrite(text, 1, length, out) != length)
        ok = lower_error(NULL, "cannot write the module");
    free(text);
    pointer_map_free(&w.numbers);
    pointer_map_free(&w.declared);
    free(w.called);
    return ok;
}
