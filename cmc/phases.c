/* Compiles a .cm file to a zebin. compile_gpu() is the whole pipeline. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include "cmc/dependencies.h"
#include "cmc/host.h"
#include "cmc/module_input.h"
#include "cmc/output.h"
#include "cmc/phases.h"
#include "frontend/frontend.h"
#include "lower/lower.h"
#include "visa_emit/finalize.h"
#include "visa_emit/read_text.h"

enum { ERROR_SIZE = 1024 };

static bool write_module(const struct cmc_options *options, LLVMModuleRef module)
{
    char *text = LLVMPrintModuleToString(module);
    bool written = cmc_write(options->output, text, strlen(text));
    LLVMDisposeMessage(text);
    return written;
}

static bool write_vc(const struct cmc_options *options, LLVMModuleRef module)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    bool spirv = options->output_kind == CMC_SPIRV;
    bool good = out && (spirv ? lower_write_spirv(module, options->debug_info, out) : lower_print_vc(module, out));
    if (out)
        fclose(out);
    good = good && cmc_write(options->output, text, size);
    free(text);
    return good;
}

/* Prints the kernel's vISA text. The caller frees it. NULL: out of memory. */
static char *visa_text(const struct visa_program *program, const struct visa_kernel *kernel)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    visa_print(program, kernel, out);
    fclose(out);
    return text;
}

static bool write_visa(const struct cmc_options *options, const struct visa_program *program)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    for (size_t i = 0; out && i < program->kernel_count; i++)
        visa_print(program, &program->kernels[i], out);
    bool good = out && fclose(out) == 0 && cmc_write(options->output, text, size);
    free(text);
    return good;
}

/* True for the finalizer's messages if a kernel needs too many registers even with spilling. */
static bool is_out_of_registers(const char *error)
{
    return strstr(error, "registers are NOT enough") ||
           strstr(error, "is indirectly addressed and spans complete GRF file"); /* recent finalizers */
}

/* True if more registers may be what the finalizer wants. */
static bool may_lack_registers(const char *error)
{
    return is_out_of_registers(error) || strstr(error, GEN_NO_REASON);
}

static void print_place(const struct visa_program *program, unsigned file, unsigned line)
{
    cmc_print_location(program, (struct cmc_location){file, line, 0}, "error");
}

static unsigned variable_bytes(const struct visa_variable *v)
{
    return v && v->class == VISA_CLASS_GENERAL ? v->elements * visa_type_bytes(v->type) : 0;
}

/* Returns the larger of `largest` and the largest variable of the kernel or function. */
static const struct visa_variable *largest_variable(const struct visa_kernel *kernel,
                                                    const struct visa_variable *largest)
{
    for (size_t i = 0; i < kernel->variable_count; i++)
        if (variable_bytes(&kernel->variables[i]) > variable_bytes(largest))
            largest = &kernel->variables[i];
    return largest;
}

/* Reports a variable that is larger than the platform's register file, at the line of its kernel or stack function. */
static void report_too_large(const struct visa_program *program, const struct visa_kernel *kernel)
{
    const struct platform *platform = program->platform;
    const struct visa_variable *largest = largest_variable(kernel, NULL);
    const struct visa_kernel *place = kernel;
    for (size_t i = 0; i < kernel->function_count; i++) {
        const struct visa_variable *larger = largest_variable(kernel->functions[i], largest);
        place = larger != largest ? kernel->functions[i] : place;
        largest = larger;
    }
    print_place(program, place->file, place->line);
    fprintf(stderr,
            "kernel %s needs more than the registers of %s, %u of %u bytes, and spilling does not help; its largest ",
            kernel->name, platform->name, platform->grf_count, platform->grf_bytes);
    if (largest && largest->comment)
        fprintf(stderr, "variable, %s, has %u bytes\n", largest->comment, variable_bytes(largest));
    else
        fprintf(stderr, "variable has %u bytes\n", variable_bytes(largest));
}

/* True if the finalizer can count the elements of each variable: it truncates the count to 16 bits. */
static bool is_countable(const struct visa_kernel *kernel)
{
    bool good = true;
    for (size_t i = 0; i < kernel->variable_count; i++)
        good = good && kernel->variables[i].elements <= UINT16_MAX;
    for (size_t i = 0; i < kernel->function_count; i++)
        good = good && is_countable(kernel->functions[i]);
    return good;
}

/* Refuses call chains that are known to overflow the stack. Nothing checks for overflow at run time. */
static bool stack_suffices(const struct visa_program *program, const struct visa_kernel *kernel,
                           const struct gen_code *code)
{
    enum { KILOBYTE = 1024 };
    if (code->stack_bytes <= code->spill_bytes)
        return true;
    print_place(program, kernel->file, kernel->line);
    fprintf(stderr,
            "kernel %s calls functions on the stack (_GENX_STACKCALL_) that take %llu bytes of it at the deepest, and "
            "it has %u: "
            "-Xfinalizer \"-scratchAllocForStackInKB %llu\" gives enough\n",
            kernel->name, (unsigned long long)code->stack_bytes, code->spill_bytes,
            (unsigned long long)(code->stack_bytes + KILOBYTE - 1) / KILOBYTE);
    return false;
}

/* Finds the instruction that the finalizer's message is about: the message has a line of the text, or repeats the
 * instruction with its number. *what: the finalizer's words. NULL: the message has neither. */
static const struct visa_instruction *refused_instruction(const struct visa_program *program,
                                                          const struct visa_kernel *kernel, const char *error,
                                                          const char **what)
{
    static const char line[] = "vISA line ", number[] = "/// $";
    const char *at = strstr(error, line), *colon = at ? strchr(at, ':') : NULL;
    if (colon) {
        unsigned behind = strstr(colon, "unexpected NEWLINE") != NULL; /* the message has the number of the line that
                                                                        * follows the error */
        *what = colon + 2;
        return visa_at_line(program, kernel, (unsigned)strtoul(at + strlen(line), NULL, 10) - behind);
    }
    at = strstr(error, number);
    *what = strstr(error, ": ") ? strstr(error, ": ") + 2 : error; /* after "kernel NAME" */
    return at ? visa_of_number(program, kernel, (unsigned)strtoul(at + strlen(number), NULL, 10)) : NULL;
}

/* Reports an error in inline assembly at the line of the assembly. False: the finalizer's message is about other code.
 */
static bool report_assembly(const struct visa_program *program, const struct visa_kernel *kernel, const char *error)
{
    const char *what;
    const struct visa_instruction *i = refused_instruction(program, kernel, error, &what);
    if (!i || i->op != VISA_OP_ASSEMBLY || !i->file || !i->line)
        return false;
    print_place(program, i->file, i->line);
    fprintf(stderr, "asm: %s\n", what);
    return true;
}

/* Reports that the finalizer refused a kernel: where, and what the kernel's author can do. The finalizer's own words
 * are shown with -v only, because they are about vISA. */
static void report_refusal(const struct cmc_options *options, const struct visa_program *program,
                           const struct visa_kernel *kernel, const char *error)
{
    const char *what;
    const struct visa_instruction *i = refused_instruction(program, kernel, error, &what);
    bool placed = i && i->file && i->line;
    print_place(program, placed ? i->file : kernel->file, placed ? i->line : kernel->line);
    fprintf(stderr,
            "kernel %s: the finalizer does not take the code that cmc makes of %s: this is a fault of cmkit, not of "
            "the kernel\n",
            kernel->name, placed ? "this line" : "it");
    fprintf(stderr,
            "cmc: note: %s-O1, -O0 or another way to write %s may avoid it; please report it with the source%s\n",
            options->finalizer_options ? "to leave out -Xfinalizer, " : "", placed ? "the line" : "the kernel",
            options->verbose ? "" : " (-v prints the finalizer's words)");
    if (options->verbose)
        fprintf(stderr, "cmc: note: %s\n", error);
}

/* `more`: further options of the finalizer. */
static bool finalize(const struct cmc_options *options, const struct visa_program *program,
                     const struct visa_kernel *kernel, const char *more, struct gen_code *code, char *error)
{
    char *text = visa_text(program, kernel), *words = NULL;
    const char *asked = options->finalizer_options ? options->finalizer_options : "";
    cmc_stage_end("vISA text");
    snprintf(error, ERROR_SIZE, "out of memory");
    if (text && asprintf(&words, "%s%s %s", program->watched ? GEN_IN_ORDER " " : "", more, asked) < 0)
        words = NULL;
    bool accepted = words && gen_finalize(program->platform, kernel->name, text, words, code, error, ERROR_SIZE);
    free(words);
    free(text);
    cmc_stage_end(CMC_STAGE_FINALIZER);
    return accepted;
}

typedef bool rewrite(struct visa_program *program, struct visa_kernel *kernel);

/* Replaces the code by that of another run if there was none, or if the other does not spill, or is shorter. */
static bool replace_if_better(struct gen_code *code, struct gen_code *other)
{
    bool better = other->code && (!code->code || !other->spills || other->size < code->size);
    gen_code_free(better ? code : other);
    if (better)
        *code = *other;
    return better;
}

/* Finalizes a kernel again, after a rewrite. The rewrite stays if its code is better, or if there is no code yet. */
static void try_rewrite(const struct cmc_options *options, struct visa_program *program, struct visa_kernel *kernel,
                        rewrite *change, struct gen_code *code, char *error)
{
    size_t count = kernel->instruction_count, bytes = count * sizeof *kernel->instructions;
    size_t variables = kernel->variable_count;
    struct visa_instruction *whole = malloc(bytes);
    struct debug_unit *debug = kernel->debug;
    if (!whole)
        return;
    memcpy(whole, kernel->instructions, bytes);
    struct gen_code other = {0};
    if (change(program, kernel)) {
        finalize(options, program, kernel, "", &other, error);
        if (!replace_if_better(code, &other) && code->code) {
            memcpy(kernel->instructions, whole, bytes);
            kernel->instruction_count = count;
            kernel->variable_count = variables;
            kernel->debug = debug;
        }
    }
    free(whole);
}

/* Finalizes a kernel. One that spills, or for which there are too few registers, is finalized again with marks where
 * values begin, with shorter live ranges, with small numbers computed again, with smaller variables, in an order that
 * takes fewer registers, with other estimates of what to spill, and once more if the finalizer is known to lose lanes
 * of it. */
static bool finalize_kernel(const struct cmc_options *options, struct visa_program *program, struct visa_kernel *kernel,
                            struct gen_code *code, char *error)
{
    static rewrite *const rewrites[] = {visa_start_lifetimes, visa_sink_instructions, visa_rematerialize,
                                        visa_split_variables};
    if (!finalize(options, program, kernel, "", code, error) && !may_lack_registers(error))
        return false;
    static const char *const others[] = {GEN_OTHER_ORDER, GEN_OTHER_SPILLS};
    const char *more = "";
    char ignored[ERROR_SIZE];
    for (size_t i = 0; i < sizeof rewrites / sizeof *rewrites && (!code->code || code->spills); i++)
        try_rewrite(options, program, kernel, rewrites[i], code, ignored);
    /* Not for a watched one: its homes would lose their registers. */
    for (size_t i = 0; i < sizeof others / sizeof *others && (!code->code || (code->spills && !program->watched));
         i++) {
        struct gen_code other = {0};
        finalize(options, program, kernel, others[i], &other, ignored);
        more = replace_if_better(code, &other) ? others[i] : more;
    }
    if (!code->code)
        return false;
    if (!code->spills || !visa_keep_inactive_lanes(program, kernel))
        return true;
    gen_code_free(code);
    return finalize(options, program, kernel, more, code, error);
}

static bool finalize_kernels(const struct cmc_options *options, struct visa_program *program, struct gen_code *codes)
{
    char error[ERROR_SIZE];
    bool good = true;
    for (size_t i = 0; i < program->kernel_count; i++) {
        if (!is_countable(&program->kernels[i])) {
            report_too_large(program, &program->kernels[i]);
            return false;
        }
        if (!finalize_kernel(options, program, &program->kernels[i], &codes[i], error)) {
            if (is_out_of_registers(error))
                report_too_large(program, &program->kernels[i]);
            else if (!codes[i].refused)
                cmc_error("%s", error);
            else if (!report_assembly(program, &program->kernels[i], error))
                report_refusal(options, program, &program->kernels[i], error);
            return false;
        }
        if (!stack_suffices(program, &program->kernels[i], &codes[i]))
            return false;
        good = cmc_check_spills(options, program, &program->kernels[i], &codes[i]) && good;
    }
    return good;
}

/* Prints a kernel's listing, and behind its name how it is launched, so that the listing is an input again. */
static void print_listing(const struct visa_program *program, size_t kernel, const struct gen_code *code, FILE *out)
{
    bool named = strncmp(code->assembly, "//.kernel ", 10) == 0;
    size_t first = named ? strcspn(code->assembly, "\n") : 0;
    if (named && !strstr(code->assembly, "\n//.thread ")) {
        fprintf(out, "%.*s\n", (int)first, code->assembly);
        visa_print_launch(program, &program->kernels[kernel], out);
        first++;
    } else {
        first = 0;
    }
    fprintf(out, "%s\n", code->assembly + first);
}

/* Writes the listings of all kernels to one file beside the output. */
static bool write_assembly(const struct cmc_options *options, const struct visa_program *program,
                           const struct gen_code *codes)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    for (size_t i = 0; out && i < program->kernel_count; i++)
        print_listing(program, i, &codes[i], out);
    char *path = cmc_assembly_path(options);
    bool good = out && fclose(out) == 0 && cmc_write(path, text, size);
    free(path);
    free(text);
    return good;
}

bool cmc_write_zebin(const struct cmc_options *options, const struct visa_program *program,
                     const struct gen_code *codes)
{
    char error[ERROR_SIZE];
    uint8_t *data;
    size_t size;
    if (!zebin_build(program, codes, &data, &size, error, sizeof error)) {
        cmc_error("%s", error);
        return false;
    }
    bool good =
        (!options->dump_assembly || write_assembly(options, program, codes)) && cmc_write_binary(options, data, size);
    free(data);
    return good;
}

/* Converts the vISA program to the requested output. */
static bool emit(const struct cmc_options *options, const struct explain_input *input, struct visa_program *program)
{
    if (options->output_kind == CMC_VISA)
        return write_visa(options, program);
    struct gen_code *codes = calloc(program->kernel_count + 1, sizeof *codes);
    bool good = codes && finalize_kernels(options, program, codes);
    if (good)
        good = cmc_write_zebin(options, program, codes);
    if (good && options->report)
        cmc_report(program, codes);
    if (good && options->explain)
        good = cmc_explain(options, input, program, codes);
    cmc_stage_end("zebin");
    for (size_t i = 0; codes && i < program->kernel_count; i++)
        gen_code_free(&codes[i]);
    free(codes);
    return good;
}

/* Runs the middle end and the back end on the front end's module. */
static bool write_remarks(const struct cmc_options *options, const struct cmc_remarks *remarks)
{
    char *text = NULL;
    bool to_stream = strcmp(options->output, "-") == 0;
    char *path = cmc_with_suffix(to_stream ? cmc_file_name(options->input) : options->output, ".opt.yaml");
    size_t size = 0;
    FILE *out = cmc_checked(open_memstream(&text, &size));
    cmc_remarks_print(remarks, out);
    bool good = fclose(out) == 0 && cmc_write(path, text, size);
    free(path);
    free(text);
    return good;
}

/* Goes from the front end's module to the output. */
static bool lower_module(const struct cmc_options *options, const struct lower_options *lower,
                         const struct cmc_remarks *remarks, LLVMModuleRef module)
{
    bool is_genx = !cmc_is_source(options->input_language) && lower_is_genx(module);
    bool good = is_genx || lower_to_genx(module, lower);
    cmc_stage_end("middle end: to llvm.genx");
    if (!good)
        return false;
    if (options->output_kind == CMC_LLVM) {
        if (!options->debug_info) /* positions were for errors only */
            LLVMStripModuleDebugInfo(module);
        if (!is_genx)
            lower_mark_genx(module, CMKIT_VERSION, lower);
        return write_module(options, module);
    }
    if (options->output_kind == CMC_VC || options->output_kind == CMC_SPIRV)
        return write_vc(options, module);
    struct explain_input input = {.ir = options->explain ? explain_ir_take(module) : NULL, .remarks = remarks};
    struct visa_program *program = lower_to_visa(module, lower);
    cmc_stage_end("middle end: to vISA");
    good = program && emit(options, &input, program);
    explain_ir_free(input.ir);
    visa_program_destroy(program);
    return good;
}

static bool compile_module(const struct cmc_options *options, LLVMModuleRef module)
{
    struct cmc_remarks remarks = {0};
    struct lower_options lower = {
        .platform = options->platform,
        .optimization = options->optimization,
        .print_after = options->print_after,
        .for_intel = options->output_kind == CMC_VC || options->output_kind == CMC_SPIRV,
        .names = cmc_ends_before_visa(options->output_kind) || options->explain,
        .verify_each = options->verify_each,
        .remark = options->remarks || options->explain ? cmc_remarks_add : NULL,
        .remark_user = &remarks,
        .pass_done = options->time_report ? cmc_pass_end : NULL,
        .bounds = options->report,
        .debug_info = options->debug_info,
        .watch_variables =
            options->debug_info && options->optimization == 0 && !cmc_ends_before_visa(options->output_kind),
        .track_values = options->debug_info && options->optimization > 0 &&
                        (!cmc_ends_before_visa(options->output_kind) || options->output_kind == CMC_LLVM)};
    bool good =
        cmc_is_source(options->input_language) || lower_take_module(module, options->input, CMKIT_VERSION, &lower);
    good = good && (!options->only_kernel || lower_only_kernel(module, options->only_kernel));
    cmc_stage_end(CMC_STAGE_FRONT_END); /* includes selecting the kernel to compile */
    good = good && lower_module(options, &lower, &remarks, module);
    if (good && options->remarks)
        good = write_remarks(options, &remarks);
    cmc_remarks_free(&remarks);
    return good;
}

static struct frontend_options front_end_options(const struct cmc_options *options)
{
    return (struct frontend_options){.input = options->input,
                                     .input_name = options->input_name,
                                     .text = options->text,
                                     .text_size = options->text_size,
                                     /* without a platform there are no CM headers */
                                     .is_preprocessed = (cmc_is_source(options->input_language) &&
                                                         options->input_language >= CMC_LANGUAGE_PREPROCESSED) ||
                                                        (!options->host && !options->product_count),
                                     .product = options->product_count ? &options->product : NULL,
                                     .target = options->host ? FRONTEND_HOST : FRONTEND_GPU,
                                     .platform = options->platform,
                                     .arguments = options->front_end,
                                     .argument_count = options->front_end_count,
                                     .optimize = options->output_kind == CMC_LLVM,
                                     .optimization = options->optimization,
                                     .debug_info = options->debug_info,
                                     .syntax_only = options->output_kind == CMC_NOTHING,
                                     .preprocess = options->output_kind == CMC_PREPROCESSED,
                                     .only_dependencies = options->output_kind == CMC_DEPENDENCIES,
                                     .no_line_markers = options->no_line_markers,
                                     .mark_ranges = true,
                                     .depends = options->dependencies ? cmc_depends : NULL,
                                     .depends_user = options->dependencies,
                                     .needs_kernel = options->output_kind == CMC_BINARY ||
                                                     options->output_kind == CMC_VISA ||
                                                     options->output_kind == CMC_SPIRV,
                                     .only_file = true};
}

/* Runs the front end, then `rest` on its module if there is one. */
static bool compile(const struct cmc_options *options, bool (*rest)(const struct cmc_options *, LLVMModuleRef))
{
    struct frontend_options front_end = front_end_options(options);
    LLVMContextRef context = LLVMContextCreate();
    LLVMModuleRef module = NULL;
    cmc_stage_begin();
    bool good = cmc_is_source(options->input_language) ? frontend_compile(context, &front_end, &module)
                                                       : cmc_read_module(options, context, &module);
    cmc_stage_end(CMC_STAGE_FRONT_END);
    if (good && module && rest)
        good = rest(options, module);
    if (module)
        LLVMDisposeModule(module);
    LLVMContextDispose(context);
    return good;
}

/* True if the middle end has a pass of this name. */
static bool pass_exists(const char *name)
{
    char *list = NULL;
    size_t size = 0, length = strlen(name);
    FILE *out = open_memstream(&list, &size);
    if (!out)
        return false;
    lower_print_passes(out);
    fclose(out);
    bool found = false;
    for (char *rest, *line = strtok_r(list, "\n", &rest); line && !found; line = strtok_r(NULL, "\n", &rest))
        found = length && strncmp(line, name, length) == 0 && line[length] == ' ';
    free(list);
    return found;
}

bool cmc_compile_gpu(const struct cmc_options *options)
{
    assert(options->platform && !options->host && options->input && options->output);
    if (options->print_after && !pass_exists(options->print_after)) {
        cmc_error("'-print-after=%s': no such pass; cmc -print-passes lists them", options->print_after);
        return false;
    }
    if (options->print_after && cmc_ends_before_visa(options->output_kind) && lower_is_step(options->print_after)) {
        cmc_error("'-print-after=%s': a step on the way to vISA, which -emit-llvm, -emit-vc and -emit-spirv do not go",
                  options->print_after);
        return false;
    }
    return compile(options, compile_module);
}

static bool compile_host_module(const struct cmc_options *options, LLVMModuleRef module)
{
    if (options->output_kind == CMC_LLVM)
        return write_module(options, module);
    return cmc_host_library(options, module);
}

bool cmc_compile_host(const struct cmc_options *options)
{
    assert(options->host && options->input && options->output);
    return compile(options, compile_host_module);
}

bool cmc_preprocess(const struct cmc_options *options)
{
    assert(cmc_is_source_output(options->output_kind) && options->input);
    struct frontend_options front_end = front_end_options(options);
    LLVMContextRef context = LLVMContextCreate();
    LLVMModuleRef module = NULL;
    char *text = NULL;
    front_end.preprocessed = &text;
    bool good = frontend_compile(context, &front_end, &module);
    if (good && text)
        good = cmc_write(options->output, text, strlen(text));
    free(text);
    LLVMContextDispose(context);
    return good;
}

void cmc_editor_command(const struct cmc_options *options, void (*take)(void *user, const char *word), void *user)
{
    assert(options->input && take);
    struct frontend_options front_end = front_end_options(options);
    frontend_editor_arguments(&front_end, take, user);
}

void cmc_print_commands(const struct cmc_options *options)
{
    struct frontend_options front_end = front_end_options(options);
    fprintf(stderr, " \"%s\"", "clang -cc1 (in cmc)");
    frontend_print_arguments(&front_end, stderr);
    if (!options->host && options->output_kind == CMC_BINARY)
        gen_print_command(options->platform, options->finalizer_options, stderr);
    if (options->host && options->output_kind == CMC_BINARY)
        cmc_print_link(options, stderr);
}
