/* Runs the second half of the middle end: generates code for each kernel and lays out its arguments
 * (docs/compiler/abi.md). */
#include <stdlib.h>
#include <string.h>
#include <llvm-c/DebugInfo.h>
#include "lower/cm/surfaces.h"
#include "lower/codegen/emit/debug_info.h"
#include "lower/codegen/kernel.h"
#include "lower/codegen/select/debug_values.h"
#include "lower/codegen/select/select.h"
#include "lower/codegen/bale/coalesce.h"
#include "lower/codegen/repair/repair.h"
#include "lower/codegen/bale/print_steps.h"
#include "lower/functions/functions.h"

static void text_attribute(struct selection *s, unsigned index, const char *name, char *out, size_t size)
{
    if (!ir_string_attribute(s->kernel, index + 1, name, out, size))
        out[0] = '\0';
}

/* Describes an image: the hardware accesses it as blocks of bytes or as texels of its format. */
static void describe_image(struct selection *s, struct visa_argument *a, const char *type,
                           const struct surface_uses *surface)
{
    unsigned uses = surface->uses;
    bool blocks = strncmp(type, "image2d_media_block_t", 21) == 0 || !(uses & TEXELS);
    if ((uses & BLOCKS && uses & TEXELS) || (uses & TEXELS && blocks))
        cg_fail(s, surface->on_image, "kernel '%s': image '%s' is accessed in blocks and by texels; it can be either",
                s->out->name, a->name);
    a->dimensions = strncmp(type, "image1d_t", 9) == 0 ? 1 : strncmp(type, "image3d_t", 9) == 0 ? 3 : 2;
    a->kind = blocks && a->dimensions == 2 ? VISA_ARG_IMAGE_BLOCK : VISA_ARG_IMAGE;
    a->access = surface_image_access(type, uses);
    a->block_width = surface->block_width; /* for the launcher's checks */
    a->block_rows = surface->block_rows;
}

/* Reports, at a message, that the message and the surface are of different kinds; the surface is a parameter, or an
 * element "v[1]" of one. */
static void report_misuse(struct selection *s, LLVMValueRef message, const char *name, const char *type)
{
    struct ir_called called;
    const char *what = lower_called(message, "message", &called);
    bool is_image = *type == 'i';
    int length = (int)strcspn(name, "[");
    if (!*type)
        cg_fail(s, message, "%s: '%.*s' is a buffer here and an image elsewhere", what, length, name);
    else
        cg_fail(s, message, "%s: '%.*s' is %s %s, this form is for %s", what, length, name, is_image ? "an" : "a", type,
                is_image ? "buffers" : "images");
}

/* Describes kind, size and access of parameter `index`; its offset is assigned later. */
static struct visa_argument describe(struct selection *s, unsigned index)
{
    char kind[32], type[64], declared[128];
    LLVMValueRef parameter = LLVMGetParam(s->kernel, index);
    LLVMTypeRef llvm = LLVMTypeOf(parameter);
    text_attribute(s, index, "cm-kind", kind, sizeof kind);
    text_attribute(s, index, "cm-type", type, sizeof type);
    text_attribute(s, index, "cm-decl", declared, sizeof declared);
    struct visa_argument a = {.index = (int)index, .binding = -1, .payload_offset = -1};
    a.name = visa_string(s->program, LLVMGetValueName2(parameter, &(size_t){0}));
    a.type_name = visa_string(s->program, declared);
    bool is_surface = strcmp(kind, "surface") == 0;
    struct surface_uses uses = {0};
    if (is_surface)
        uses = surface_uses_of(s->kernel, index);
    LLVMValueRef misuse = is_surface ? surface_misuse(&uses, type) : NULL;
    if (misuse)
        report_misuse(s, misuse, a.name, type);
    if (is_surface && (strncmp(type, "image", 5) == 0 || (!*type && uses.uses))) {
        describe_image(s, &a, type, &uses);
    } else if (is_surface) {
        a.kind = VISA_ARG_BUFFER;
        a.size = 8;
    } else if (strcmp(kind, "sampler") == 0) {
        a.kind = VISA_ARG_SAMPLER;
    } else if (strcmp(kind, "local") == 0) {
        a.kind = VISA_ARG_LOCAL;
        a.size = 8;
    } else if (strcmp(kind, "svmptr") == 0 || strcmp(kind, "pointer") == 0) {
        a.kind = VISA_ARG_POINTER;
        a.size = 8;
    } else {
        a.kind = VISA_ARG_VALUE;
        a.size = type_lanes(llvm) * type_element_bytes(llvm);
    }
    return a;
}

static unsigned alignment(const struct visa_argument *a, LLVMTypeRef type)
{
    return a->kind == VISA_ARG_VALUE ? type_element_bytes(type) : 8;
}

/* Declares the variable in which the thread starts with the argument. */
static void declare_input(struct selection *s, unsigned index, const struct visa_argument *a)
{
    LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(s->kernel, index));
    struct visa_variable v = {.class = VISA_CLASS_GENERAL,
                              .type = cg_visa_type(type_element(type), 'S'),
                              .elements = type_lanes(type),
                              .input_offset = a->payload_offset,
                              .comment = a->name};
    if (a->kind == VISA_ARG_BUFFER) {
        v.type = VISA_TYPE_UQ;
        v.elements = 1;
    }
    unsigned number = visa_add_variable(s->program, s->out, &v);
    if (a->kind != VISA_ARG_BUFFER)
        interference_value_class(s, bale_value(s, LLVMGetParam(s->kernel, index)))->variable = number;
}

/* Assigns bindings and offsets to the parameters, in order; docs/compiler/abi.md. */
static void place_arguments(struct selection *s)
{
    unsigned next = 2 * s->platform->grf_bytes, binding = 1;
    for (unsigned i = 0; i < LLVMCountParams(s->kernel); i++) {
        struct visa_argument a = describe(s, i);
        if (a.kind == VISA_ARG_IMAGE_BLOCK || a.kind == VISA_ARG_IMAGE || a.kind == VISA_ARG_BUFFER)
            a.binding = (int)binding++;
        if (a.size) {
            next = cg_next_offset(s, next, a.size, alignment(&a, LLVMTypeOf(LLVMGetParam(s->kernel, i))));
            a.payload_offset = (int)next;
            next += a.size;
        }
        visa_add_argument(s->program, s->out, &a);
    }
    s->inputs->payload_end = next;
}

static void declare_inputs(struct selection *s)
{
    for (unsigned i = 0; i < LLVMCountParams(s->kernel); i++)
        if (s->out->arguments[i].size)
            declare_input(s, i, &s->out->arguments[i]);
}

static void add_local_ids(struct selection *s)
{
    struct visa_argument a = {.kind = VISA_ARG_LOCAL_IDS, .index = -1, .size = 6, .binding = -1};
    a.payload_offset = (int)s->platform->grf_bytes;
    visa_add_argument(s->program, s->out, &a);
}

/* Moves arguments that are message payloads to a register boundary, if the thread starts with them elsewhere. */
static void move_payload_arguments(struct selection *s)
{
    struct visa_kernel *out = s->out;
    size_t end = out->instruction_count, start = 0, variables = out->variable_count;
    for (size_t k = 0; k < variables; k++) {
        struct visa_variable *payload = &out->variables[k], input = *payload;
        if (input.input_offset < 0 || input.align < s->platform->grf_bytes ||
            input.input_offset % (int)s->platform->grf_bytes == 0)
            continue;
        payload->input_offset = -1;
        input.align = 0;
        unsigned from = visa_add_variable(s->program, out, &input),
                 bytes = input.elements * visa_type_bytes(input.type);
        unsigned to = (unsigned)k + VISA_FIRST_VARIABLE;
        enum visa_type type = bytes % 4 == 0 ? VISA_TYPE_UD : bytes % 2 == 0 ? VISA_TYPE_UW : VISA_TYPE_UB;
        unsigned lanes = bytes / visa_type_bytes(type);
        legalize_move(s, lanes, macro_region(to, type, 0, lanes), macro_region(from, type, 0, lanes));
    }
    while (start < end && out->instructions[start].op == VISA_OP_LABEL)
        start++;
    size_t added = out->instruction_count - end;
    for (size_t k = 0; k < added; k++) { /* from the end, where they were added, to the kernel's start */
        struct visa_instruction moved = out->instructions[end + k];
        memmove(&out->instructions[start + k + 1], &out->instructions[start + k], (end - start) * sizeof moved);
        out->instructions[start + k] = moved;
    }
}

/* Replaces a handle by its number where it is not a message operand (selected at run time, converted to a number,
 * stored in an array). */
static void number_handle(LLVMValueRef handle, LLVMValueRef number, bool surface)
{
    for (LLVMUseRef use = LLVMGetFirstUse(handle), after; use; use = after) {
        after = LLVMGetNextUse(use);
        LLVMValueRef user = LLVMGetUser(use);
        bool followed = surface && function_called(user); /* surface_uses_of() looks into the function */
        enum genx_id id = genx_call_id(user);
        bool message = id != GENX_NONE && genx_effect(id) != 'N';
        for (int n = 0; !message && !followed && n < LLVMGetNumOperands(user); n++)
            if (LLVMGetOperand(user, (unsigned)n) == handle)
                LLVMSetOperand(user, (unsigned)n, number);
    }
}

/* The number of a surface is its index in the binding table, that of a sampler its index among samplers. */
static void number_handles(struct selection *s)
{
    int samplers = 0;
    for (unsigned k = 0; k < s->out->argument_count; k++) {
        const struct visa_argument *a = &s->out->arguments[k];
        bool surface = a->binding >= 0;
        if (surface || a->kind == VISA_ARG_SAMPLER)
            number_handle(LLVMGetParam(s->kernel, k), constant_i32(s->module, surface ? a->binding : samplers++),
                          surface);
    }
}

static void forget_values(struct selection *s)
{
    pointer_map_free(&s->numbers);
    s->numbers = (struct pointer_map){0};
    free(s->values);
    s->values = NULL;
    s->value_count = s->value_capacity = 0;
}

static void prepare(struct selection *s)
{
    cfg_build(&s->cfg, s->function);
    cfg_find_post_dominators(&s->cfg);
    goto_loops_plan(&s->channels, &s->cfg, s->options);
    bale_kernel(s);
    coalesce_kernel(s);
    if (select_return_copies(s) || !select_find_empty_blocks(s)) {
        forget_values(s);
        goto_loops_forget(&s->channels);
        bale_kernel(s);
        coalesce_kernel(s);
        select_find_empty_blocks(s);
    }
    step_print(s, STEP_BALE);
    step_print(s, STEP_COALESCE);
}

static void finish(struct selection *s)
{
    cfg_free(&s->cfg);
    goto_loops_free(&s->channels);
    free(s->jump_target);
    s->jump_target = NULL;
    forget_values(s);
    free(s->shared_parts);
    free(s->built);
}

/* Creates the selection state of a called function from its kernel's. */
static struct selection part_of(const struct selection *kernel, const struct cg_callee *callee)
{
    return (struct selection){.module = kernel->module,
                              .kernel = kernel->kernel,
                              .options = kernel->options,
                              .platform = kernel->platform,
                              .program = kernel->program,
                              .kernel_out = kernel->kernel_out,
                              .on_stack = kernel->on_stack,
                              .debug_values = kernel->debug_values,
                              .function = callee->function};
}

/* Selects a subroutine: it shares inputs and variables with its caller, and has values and blocks of its own. */
static void lower_subroutine(struct selection *caller, struct cg_callee *callee)
{
    struct selection s = part_of(caller, callee);
    s.out = caller->out;
    s.inputs = caller->inputs;
    s.label_base = caller->out->label_count;
    prepare(&s);
    select_bind_parameters(&s, callee);
    size_t first = s.out->instruction_count;
    select_subroutine_body(&s, callee);
    cg_debug_keep_homes(&s, first);
    finish(&s);
    caller->failed |= s.failed;
}

static void lower_subroutines(struct selection *s)
{
    struct cg_callees *all = &s->inputs->callees;
    for (size_t i = 0; i < all->count && !s->failed; i++)
        lower_subroutine(s, all->list[i]);
    select_free_callees(all);
    free(s->inputs->globals);
}

static void describe_definition(const struct selection *s)
{
    LLVMMetadataRef definition = function_definition(s->function);
    if (!definition)
        return;
    s->out->file = cg_file_of_scope(s->program, definition);
    s->out->line = LLVMDISubprogramGetLine(definition);
    const char *name = function_definition_name(LLVMGetModuleContext(s->module), definition);
    s->out->source_name = name ? visa_string(s->program, name) : NULL;
}

/* Applies what lower/codegen/repair has for complete texts. */
static void fixup_text(struct visa_program *program, struct visa_kernel *out)
{
    fixup_short_branches(program, out);
    fixup_indirect_sources(program->platform, out);
    fixup_mad_chains(program->platform, out);
    fixup_late_compares(program->platform, out);
    fixup_packed_constants(out);
    fixup_packed_moves(program, out);
    fixup_half_compares(program->platform, out);
    fixup_packed_places(program->platform, out);
    fixup_block_headers(program, out);
}

/* Selects a stack function: it has a text of its own, which includes its subroutines. */
static void lower_on_stack(struct selection *kernel, struct cg_callee *callee)
{
    struct cg_kernel_inputs inputs = {0};
    struct selection s = part_of(kernel, callee);
    struct visa_kernel *out = s.out = callee->out;
    s.inputs = &inputs;
    describe_definition(&s);
    prepare(&s);
    select_stack_body(&s, callee);
    cg_debug_keep_homes(&s, 0);
    lower_subroutines(&s);
    if (!s.failed)
        fixup_text(s.program, out);
    cg_debug_free(&s);
    finish(&s);
    if (out->slm_bytes > kernel->out->slm_bytes)
        kernel->out->slm_bytes = out->slm_bytes;
    kernel->out->has_barrier |= out->has_barrier;
    kernel->out->uses_stateless |= out->uses_stateless;
    kernel->failed |= s.failed;
}

static bool lower_kernel(LLVMModuleRef module, LLVMValueRef kernel, const struct lower_options *options,
                         struct visa_program *program, struct select_debug *debug_values)
{
    size_t length;
    struct cg_kernel_inputs inputs = {0};
    struct cg_callees on_stack = {0};
    struct selection s = {.module = module,
                          .kernel = kernel,
                          .function = kernel,
                          .inputs = &inputs,
                          .on_stack = &on_stack,
                          .debug_values = debug_values,
                          .options = options,
                          .platform = options->platform,
                          .program = program};
    s.out = s.kernel_out = visa_add_kernel(program, visa_string(program, LLVMGetValueName2(kernel, &length)));
    s.out->named_barriers = ir_named_barriers(kernel);
    describe_definition(&s);
    place_arguments(&s);
    number_handles(&s);
    prepare(&s);
    if (!s.failed) {
        declare_inputs(&s);
        add_local_ids(&s);
        select_kernel_body(&s);
        s.file = s.line = 0;
        s.debug_scope = s.debug_state = 0;
        s.scope = NULL;
        cg_debug_keep_homes(&s, 0);
        move_payload_arguments(&s);
    }
    lower_subroutines(&s);
    if (!s.failed)
        fixup_text(program, s.out);
    for (size_t i = 0; i < on_stack.count && !s.failed; i++)
        lower_on_stack(&s, on_stack.list[i]);
    finish(&s);
    cg_debug_free(&s);
    select_free_callees(&on_stack);
    return !s.failed;
}

/* Puts the return block last: Intel's finalizer loses a backward jump that ends a stack function if it turns jumps into
 * gotos (Gen12LP). */
static void put_return_last(LLVMValueRef function)
{
    LLVMBasicBlockRef last = LLVMGetLastBasicBlock(function);
    FOR_EACH_BLOCK(block, function)
    if (block != last && LLVMIsAReturnInst(LLVMGetBasicBlockTerminator(block))) {
        LLVMMoveBasicBlockAfter(block, last);
        return;
    }
}

static struct visa_program *lower_kernels(LLVMModuleRef module, const struct lower_options *options)
{
    struct visa_program *program = visa_program_create(options->platform);
    if (!program) {
        lower_error(NULL, "out of memory");
        return NULL;
    }
    program->debug_info = options->debug_info;
    program->watched = options->watch_variables;
    bool ok = ir_run_llvm_passes(module, "function(break-crit-edges)");
    struct select_debug *debug_values = select_debug_take(module, program);
    FOR_EACH_FUNCTION(f, module)
    if (ok && !LLVMIsDeclaration(f) && function_call_kind(f) == CALL_STACK)
        put_return_last(f);
    FOR_EACH_FUNCTION(f, module)
    if (ok && function_is_kernel(f))
        ok = lower_kernel(module, f, options, program, debug_values);
    select_debug_free(debug_values);
    if (!ok) {
        visa_program_destroy(program);
        return NULL;
    }
    for (size_t i = 0; i < program->kernel_count && step_is_printed(options, STEP_LEGALIZE); i++)
        visa_print(program, &program->kernels[i], stderr);
    return program;
}

struct visa_program *lower_to_visa(LLVMModuleRef module, const struct lower_options *options)
{
    struct ir_context *before = ir_context_enter(options);
    struct visa_program *program = lower_kernels(module, options);
    ir_context_leave(before);
    return program;
}
