/* Prints the .ze_info section as YAML in the subset of the driver's own small parser: block style, two blanks per
 * level, one item per line, and quoted strings where they come from the source. printf is enough for that subset. */
#include "visa_emit/ze_info.h"

#include <assert.h>

enum {
    REGISTERS_BEFORE_ARGUMENTS = 2, /* r0 (thread header) and r1 (local ids): payload offsets count from after them */
    LOCAL_ID_BYTES = 6              /* three u16 */
};

static const char *const access_text[] = {
    [VISA_ACCESS_READ_WRITE] = "readwrite", [VISA_ACCESS_READ] = "readonly", [VISA_ACCESS_WRITE] = "writeonly"};

/* Prints 'text' with quotes doubled, as YAML requires. Names have no control characters. */
static void print_string(const char *text, FILE *out)
{
    fputc('\'', out);
    for (; *text; text++) {
        if (*text == '\'')
            fputc('\'', out);
        fputc((unsigned char)*text < ' ' ? ' ' : *text, out);
    }
    fputc('\'', out);
}

/* Prints the first lines of an entry. Arguments outside the payload (images and others, with a negative offset) have 0,
 * 0. */
static void print_place(const char *type, int offset, unsigned size, FILE *out)
{
    fprintf(out, "      - arg_type:        %s\n        offset:          %d\n        size:            %u\n", type,
            offset < 0 ? 0 : offset, offset < 0 ? 0 : size);
}

static void print_pointer(const struct visa_argument *a, bool stateless, const char *space, FILE *out)
{
    print_place("arg_bypointer", stateless ? a->payload_offset : -1, 8, out);
    fprintf(out,
            "        arg_index:       %d\n        addrmode:        %s\n        addrspace:       %s\n"
            "        access_type:     %s\n",
            a->index, stateless ? "stateless" : "stateful", space, access_text[a->access]);
}

static void print_image(const struct visa_argument *a, const char *type, FILE *out)
{
    print_pointer(a, false, "image", out);
    fprintf(out, "        image_type:      %s\n", type);
}

static void print_argument(const struct visa_argument *a, unsigned *samplers, FILE *out)
{
    static const char *const image_of_dimensions[] = {"image_2d", "image_1d", "image_2d", "image_3d"};
    switch (a->kind) {
    case VISA_ARG_VALUE:
        print_place("arg_byvalue", a->payload_offset, a->size, out);
        fprintf(out, "        arg_index:       %d\n        source_offset:   0\n", a->index);
        return;
    case VISA_ARG_POINTER: print_pointer(a, true, "global", out); return;
    case VISA_ARG_LOCAL:
        print_place("arg_bypointer", a->payload_offset, a->size, out);
        fprintf(out,
                "        arg_index:       %d\n        addrmode:        slm\n        addrspace:       local\n"
                "        access_type:     readwrite\n        slm_alignment:   16\n",
                a->index);
        return;
    case VISA_ARG_BUFFER:
        /* Both ways in: the driver makes the buffer resident, fills the table entry, and passes the address. */
        if (a->payload_offset >= 0)
            print_pointer(a, true, "global", out);
        print_pointer(a, false, "global", out);
        return;
    case VISA_ARG_IMAGE_BLOCK: print_image(a, "image_2d_media_block", out); return;
    case VISA_ARG_IMAGE: print_image(a, image_of_dimensions[a->dimensions & 3], out); return;
    case VISA_ARG_SAMPLER:
        print_pointer(a, false, "sampler", out);
        fprintf(out, "        sampler_index:   %u\n        sampler_type:    texture\n", (*samplers)++);
        return;
    case VISA_ARG_LOCAL_SIZE: print_place("local_size", a->payload_offset, 12, out); return;
    case VISA_ARG_GROUP_COUNT: print_place("group_count", a->payload_offset, 12, out); return;
    case VISA_ARG_PRINTF_BUFFER: print_place("printf_buffer", a->payload_offset, 8, out); return;
    case VISA_ARG_LOCAL_IDS: assert(!"not in the cross-thread payload"); return;
    }
}

/* Returns the argument with its payload offset as the driver counts it. */
static struct visa_argument cross_thread(const struct visa_argument *argument, const struct platform *platform)
{
    const int start = REGISTERS_BEFORE_ARGUMENTS * (int)platform->grf_bytes;
    struct visa_argument moved = *argument;
    assert(argument->payload_offset < 0 || argument->payload_offset >= start);
    if (argument->payload_offset >= 0)
        moved.payload_offset -= start;
    return moved;
}

static void print_payload(const struct platform *platform, const struct visa_kernel *kernel, FILE *out)
{
    unsigned samplers = 0, entries = 0;
    for (size_t i = 0; i < kernel->argument_count; i++)
        entries += kernel->arguments[i].kind != VISA_ARG_LOCAL_IDS;
    if (!entries)
        return;
    fputs("    payload_arguments:\n", out);
    for (size_t i = 0; i < kernel->argument_count; i++) {
        if (kernel->arguments[i].kind == VISA_ARG_LOCAL_IDS)
            continue; /* per thread: print_local_ids() */
        struct visa_argument a = cross_thread(&kernel->arguments[i], platform);
        print_argument(&a, &samplers, out);
    }
}

/* Prints the entry of the local ids. It is always present: without it the arguments would begin a register earlier. */
static void print_local_ids(FILE *out)
{
    fprintf(out,
            "    per_thread_payload_arguments:\n      - arg_type:        packed_local_ids\n"
            "        offset:          0\n        size:            %d\n",
            LOCAL_ID_BYTES);
}

static void print_binding_table(const struct visa_kernel *kernel, FILE *out)
{
    bool begun = false;
    for (size_t i = 0; i < kernel->argument_count; i++) {
        const struct visa_argument *a = &kernel->arguments[i];
        if (a->binding < 0 || a->kind == VISA_ARG_VALUE || a->kind == VISA_ARG_POINTER || a->kind >= VISA_ARG_SAMPLER)
            continue;
        if (!begun)
            fputs("    binding_table_indices:\n", out);
        begun = true;
        fprintf(out, "      - bti_value:       %d\n        arg_index:       %d\n", a->binding, a->index);
    }
}

static void print_kernel(const struct platform *platform, const struct visa_kernel *kernel, const struct gen_code *code,
                         FILE *out)
{
    fputs("  - name:            ", out);
    print_string(kernel->name, out);
    fputs("\n    execution_env:\n", out);
    if (visa_barrier_count(kernel))
        fprintf(out, "      barrier_count:   %u\n", visa_barrier_count(kernel));
    fprintf(out, "      grf_count:       %u\n", platform->grf_count);
    if (!kernel->uses_stateless)
        fputs("      has_no_stateless_write: true\n", out);
    if (code->local_id_load_bytes)
        fprintf(out, "      offset_to_skip_per_thread_data_load: %u\n", code->local_id_load_bytes);
    fputs("      simd_size:       1\n", out);
    if (kernel->slm_bytes)
        fprintf(out, "      slm_size:        %u\n", kernel->slm_bytes);
    fputs("      subgroup_independent_forward_progress: true\n", out);
    print_payload(platform, kernel, out);
    print_local_ids(out);
    print_binding_table(kernel, out);
    if (code->spill_bytes)
        fprintf(out,
                "    per_thread_memory_buffers:\n      - type:            scratch\n        usage:           "
                "spill_fill_space\n        size:            %u\n",
                code->spill_bytes);
}

static void print_argument_info(const struct visa_argument *a, FILE *out)
{
    static const char *const qualifier[] = {
        [VISA_ACCESS_READ_WRITE] = "read_write", [VISA_ACCESS_READ] = "read_only", [VISA_ACCESS_WRITE] = "write_only"};
    bool image = a->kind == VISA_ARG_IMAGE_BLOCK || a->kind == VISA_ARG_IMAGE;
    bool memory = image || a->kind == VISA_ARG_BUFFER || a->kind == VISA_ARG_POINTER;
    fprintf(out, "      - index:           %d\n        name:            ", a->index);
    print_string(a->name ? a->name : "", out);
    fprintf(out, "\n        address_qualifier: %s\n        access_qualifier: %s\n        type_name:       ",
            memory ? "__global" : "__private", image ? qualifier[a->access] : "NONE");
    char type[160];
    if (a->block_width) /* the minimum image size, in the field where OpenCL C compilers put an argument's size */
        snprintf(type, sizeof type, "%s;%ux%u", a->type_name ? a->type_name : "", a->block_width, a->block_rows);
    else
        snprintf(type, sizeof type, "%s", a->type_name ? a->type_name : "");
    print_string(type, out);
    fputs("\n        type_qualifiers: NONE\n", out);
}

/* Prints the arguments' names as written, for reflection (clGetKernelArgInfo). */
static void print_misc_info(const struct visa_kernel *kernel, FILE *out)
{
    bool begun = false;
    fputs("  - name:            ", out);
    print_string(kernel->name, out);
    fputc('\n', out);
    for (size_t i = 0; i < kernel->argument_count; i++) {
        if (kernel->arguments[i].index < 0)
            continue;
        if (!begun)
            fputs("    args_info:\n", out);
        begun = true;
        print_argument_info(&kernel->arguments[i], out);
    }
}

void ze_info_print(const struct visa_program *program, const struct gen_code *codes, FILE *out)
{
    fputs("---\nversion:         '" ZE_INFO_VERSION "'\nkernels:\n", out);
    for (size_t i = 0; i < program->kernel_count; i++)
        print_kernel(program->platform, &program->kernels[i], &codes[i], out);
    fputs("kernels_misc_info:\n", out);
    for (size_t i = 0; i < program->kernel_count; i++)
        print_misc_info(&program->kernels[i], out);
    fputs("...\n", out);
}
