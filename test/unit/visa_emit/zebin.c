/* Reads the zebin with libelf and its .ze_info with libyaml, and validates it with Intel's `ocloc validate`. */
#include <gelf.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <yaml.h>
#include "test/unit/visa_emit/check.h"
#include "visa_emit/finalize.h"
#include "visa_emit/process.h"

/* Two kernels: one with every kind of argument, one with none. The code is not looked at by anybody here. */
static uint8_t code_bytes[304];
static struct gen_code codes[2] = {
    {.code = code_bytes, .size = 304, .registers = 5, .spill_bytes = 96, .local_id_load_bytes = 120},
    {.code = code_bytes, .size = 16, .registers = 5}};

static struct visa_program *make_program(const struct platform *platform)
{
    const int own = (int)platform->grf_bytes, all = 2 * own; /* where the thread's payload begins, where that of all */
    const struct visa_argument arguments[] = {
        {VISA_ARG_IMAGE_BLOCK, VISA_ACCESS_READ, "in", "SurfaceIndex", 0, 0, -1, 1, 2, 32, 8},
        {VISA_ARG_IMAGE, VISA_ACCESS_WRITE, "out", "SurfaceIndex", 1, 0, -1, 2, 3, 0, 0},
        {VISA_ARG_BUFFER, VISA_ACCESS_READ_WRITE, "buffer", "SurfaceIndex", 2, 8, all, 3, 0, 0, 0},
        {VISA_ARG_POINTER, VISA_ACCESS_READ_WRITE, "pointer", "svmptr_t", 3, 8, all + 8, -1, 0, 0, 0},
        {VISA_ARG_VALUE, VISA_ACCESS_READ, "h", "it's: a {type}", 4, 4, all + 16, -1, 0, 0, 0},
        {VISA_ARG_SAMPLER, VISA_ACCESS_READ, "s", "SamplerIndex", 5, 0, -1, 0, 0, 0, 0},
        {VISA_ARG_LOCAL_IDS, VISA_ACCESS_READ, NULL, NULL, -1, 6, own, -1, 0, 0, 0},
        {VISA_ARG_LOCAL_SIZE, VISA_ACCESS_READ, NULL, NULL, -1, 12, all + 20, -1, 0, 0, 0},
        {VISA_ARG_GROUP_COUNT, VISA_ACCESS_READ, NULL, NULL, -1, 12, all + 32, -1, 0, 0, 0},
    };
    struct visa_program *program = visa_program_create(platform);
    struct visa_kernel *kernel = visa_add_kernel(program, "first");
    for (size_t i = 0; i < sizeof arguments / sizeof *arguments; i++)
        visa_add_argument(program, kernel, &arguments[i]);
    kernel->has_barrier = true;
    kernel->slm_bytes = 4096;
    kernel->uses_stateless = true;
    visa_add_kernel(program, "second");
    return program;
}

static Elf_Scn *section_named(Elf *elf, const char *name, GElf_Shdr *header)
{
    size_t strings;
    elf_getshdrstrndx(elf, &strings);
    for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));)
        if (gelf_getshdr(section, header) && strcmp(elf_strptr(elf, strings, header->sh_name), name) == 0)
            return section;
    CHECK(false, "no section %s", name);
    return NULL;
}

static Elf_Data *data_of(Elf *elf, const char *name, GElf_Shdr *header)
{
    Elf_Scn *section = section_named(elf, name, header);
    Elf_Data *data = section ? elf_getdata(section, NULL) : NULL;
    CHECK(data, "%s has no data", name);
    return data;
}

static void check_code(Elf *elf, const char *name, const struct gen_code *code)
{
    GElf_Shdr header;
    Elf_Data *data = data_of(elf, name, &header);
    if (!data)
        return;
    CHECK(header.sh_type == SHT_PROGBITS && header.sh_flags == (SHF_ALLOC | SHF_EXECINSTR), "%s", name);
    CHECK(data->d_size >= code->size && memcmp(data->d_buf, code->code, code->size) == 0, "%s", name);
    CHECK(data->d_size % 64 == 0 && data->d_size >= code->size + 128, "%s: %zu bytes", name, data->d_size);
}

static void check_symbols(Elf *elf)
{
    GElf_Shdr header;
    GElf_Sym symbol;
    Elf_Data *data = data_of(elf, ".symtab", &header);
    if (!data)
        return;
    CHECK(header.sh_size / header.sh_entsize == 3, "%zu", (size_t)(header.sh_size / header.sh_entsize));
    for (int i = 0; i < 2; i++) {
        if (!gelf_getsym(data, i + 1, &symbol))
            abort();
        const char *name = elf_strptr(elf, header.sh_link, symbol.st_name);
        CHECK(strcmp(name, i ? "second" : "first") == 0 && symbol.st_size == codes[i].size &&
                  GELF_ST_TYPE(symbol.st_info) == STT_FUNC && symbol.st_shndx == i + 1,
              "%s", name);
    }
}

static void check_notes(Elf *elf, uint32_t core)
{
    GElf_Shdr header;
    GElf_Nhdr note;
    Elf_Data *data = data_of(elf, ".note.intelgt.compat", &header);
    size_t name, description, at = 0;
    bool seen[5] = {false};
    while (data && (at = gelf_getnote(data, at, &note, &name, &description))) {
        const char *bytes = data->d_buf;
        uint32_t value;
        memcpy(&value, bytes + description, sizeof value);
        CHECK(strcmp(bytes + name, "IntelGT") == 0 && note.n_type < 5, "%s %u", bytes + name, note.n_type);
        seen[note.n_type % 5] = true;
        if (note.n_type == 2)
            CHECK(value == core, "core %u", value);
        if (note.n_type == 4)
            CHECK(strcmp(bytes + description, "1.15") == 0, "%s", bytes + description);
    }
    CHECK(seen[2] && !seen[3] && seen[4], "notes missing, or a generator");
}

/* The node under keys ("payload_arguments") and positions ("#2"), ended by NULL; NULL if there is none. */
static yaml_node_t *node_at(yaml_document_t *document, ...)
{
    yaml_node_t *node = yaml_document_get_root_node(document);
    va_list path;
    va_start(path, document);
    for (const char *step; node && (step = va_arg(path, const char *));) {
        yaml_node_t *next = NULL;
        if (*step == '#' && node->type == YAML_SEQUENCE_NODE) {
            yaml_node_item_t *item = node->data.sequence.items.start + atoi(step + 1);
            if (item < node->data.sequence.items.top)
                next = yaml_document_get_node(document, *item);
        } else if (node->type == YAML_MAPPING_NODE) {
            for (yaml_node_pair_t *p = node->data.mapping.pairs.start; p < node->data.mapping.pairs.top; p++)
                if (strcmp((char *)yaml_document_get_node(document, p->key)->data.scalar.value, step) == 0)
                    next = yaml_document_get_node(document, p->value);
        }
        node = next;
    }
    va_end(path);
    return node;
}

static const char *scalar_of(const yaml_node_t *node)
{
    return node && node->type == YAML_SCALAR_NODE ? (const char *)node->data.scalar.value : "(none)";
}

#define EXPECT(VALUE, ...)                                                                                             \
    do {                                                                                                               \
        const char *found = scalar_of(node_at(document, __VA_ARGS__, NULL));                                           \
        CHECK(strcmp(found, VALUE) == 0, "%s instead of %s", found, VALUE);                                            \
    } while (0)
#define ARGUMENT(NUMBER, KEY, VALUE) EXPECT(VALUE, "kernels", "#0", "payload_arguments", NUMBER, KEY)

static size_t length_of(const yaml_node_t *node)
{
    return node && node->type == YAML_SEQUENCE_NODE
               ? (size_t)(node->data.sequence.items.top - node->data.sequence.items.start)
               : 0;
}

static void check_payload(yaml_document_t *document)
{
    CHECK(length_of(node_at(document, "kernels", "#0", "payload_arguments", NULL)) == 9, "entries");
    ARGUMENT("#0", "addrspace", "image");
    ARGUMENT("#0", "access_type", "readonly");
    ARGUMENT("#0", "image_type", "image_2d_media_block");
    ARGUMENT("#1", "image_type", "image_3d");
    ARGUMENT("#1", "access_type", "writeonly");
    ARGUMENT("#2", "addrmode", "stateless"); /* a buffer by its address ... */
    ARGUMENT("#2", "offset", "0");
    ARGUMENT("#2", "size", "8");
    ARGUMENT("#3", "addrmode", "stateful"); /* ... and by its table entry */
    ARGUMENT("#3", "arg_index", "2");
    ARGUMENT("#4", "arg_type", "arg_bypointer");
    ARGUMENT("#4", "addrmode", "stateless");
    ARGUMENT("#4", "offset", "8");
    ARGUMENT("#5", "arg_type", "arg_byvalue");
    ARGUMENT("#5", "offset", "16");
    ARGUMENT("#5", "size", "4");
    ARGUMENT("#6", "addrspace", "sampler");
    ARGUMENT("#6", "sampler_index", "0");
    ARGUMENT("#7", "arg_type", "local_size");
    ARGUMENT("#7", "offset", "20");
    ARGUMENT("#8", "arg_type", "group_count");
    ARGUMENT("#8", "size", "12");
}

static void check_information(yaml_document_t *document)
{
    EXPECT("1.15", "version");
    EXPECT("first", "kernels", "#0", "name");
    EXPECT("1", "kernels", "#0", "execution_env", "simd_size");
    EXPECT("128", "kernels", "#0", "execution_env", "grf_count");
    EXPECT("1", "kernels", "#0", "execution_env", "barrier_count");
    EXPECT("4096", "kernels", "#0", "execution_env", "slm_size");
    EXPECT("(none)", "kernels", "#0", "execution_env", "has_no_stateless_write");
    EXPECT("120", "kernels", "#0", "execution_env", "offset_to_skip_per_thread_data_load");
    EXPECT("(none)", "kernels", "#1", "execution_env", "offset_to_skip_per_thread_data_load");
    check_payload(document);
    EXPECT("packed_local_ids", "kernels", "#0", "per_thread_payload_arguments", "#0", "arg_type");
    EXPECT("6", "kernels", "#0", "per_thread_payload_arguments", "#0", "size");
    CHECK(length_of(node_at(document, "kernels", "#0", "binding_table_indices", NULL)) == 3, "binding table");
    EXPECT("3", "kernels", "#0", "binding_table_indices", "#2", "bti_value");
    EXPECT("2", "kernels", "#0", "binding_table_indices", "#2", "arg_index");
    EXPECT("scratch", "kernels", "#0", "per_thread_memory_buffers", "#0", "type");
    EXPECT("96", "kernels", "#0", "per_thread_memory_buffers", "#0", "size");
    EXPECT("it's: a {type}", "kernels_misc_info", "#0", "args_info", "#4", "type_name");
    EXPECT("second", "kernels", "#1", "name");
    EXPECT("true", "kernels", "#1", "execution_env", "has_no_stateless_write");
    CHECK(!node_at(document, "kernels", "#1", "payload_arguments", NULL), "the second kernel has arguments");
    CHECK(!node_at(document, "kernels", "#1", "per_thread_memory_buffers", NULL), "the second kernel spills");
}

static void check_ze_info(Elf *elf)
{
    GElf_Shdr header;
    Elf_Data *data = data_of(elf, ".ze_info", &header);
    yaml_parser_t parser;
    yaml_document_t document;
    if (!data || !yaml_parser_initialize(&parser))
        return;
    CHECK(header.sh_type == 0xff000011u, "type 0x%x", header.sh_type);
    yaml_parser_set_input_string(&parser, data->d_buf, data->d_size);
    if (yaml_parser_load(&parser, &document)) {
        check_information(&document);
        yaml_document_delete(&document);
    } else {
        CHECK(false, "line %zu: %s", parser.problem_mark.line, parser.problem);
    }
    yaml_parser_delete(&parser);
}

/* Intel's offline compiler runs the driver's own decoder over the file. */
static void check_with_ocloc(const uint8_t *data, size_t size)
{
    char error[512], path[4096];
    struct scratch scratch;
    struct process_result ran;
    if (!scratch_create(&scratch, error, sizeof error))
        abort();
    snprintf(path, sizeof path, "%s/both.bin", scratch.folder);
    CHECK(output_write(path, data, size, error, sizeof error), "%s", error);
    const char *argv[] = {"ocloc", "validate", "-file", "both.bin", NULL};
    if (process_run(argv, scratch.folder, process_seconds(60), &ran, error, sizeof error)) {
        CHECK(ran.status == 0 && strstr(ran.output, "Binary is VALID"), "%s", ran.output);
        CHECK(strstr(ran.output, "Number of binding table entries 4"), "%s", ran.output);
        CHECK(strstr(ran.output, "Cross-thread data size 64"), "%s", ran.output); /* 44, in whole registers */
        CHECK(strstr(ran.output, "Per-thread data size 6"), "%s", ran.output);
        CHECK(strstr(ran.output, "Kernel #1 named second"), "%s", ran.output);
        free(ran.output);
    } else {
        CHECK(false, "%s", error);
    }
    scratch_remove(&scratch);
}

static void check_zebin(const struct platform *platform, uint32_t core)
{
    struct visa_program *program = make_program(platform);
    char error[512] = "";
    uint8_t *data = NULL, *again = NULL;
    size_t size = 0, again_size = 0;
    GElf_Ehdr header;
    CHECK(zebin_build(program, codes, &data, &size, error, sizeof error), "%s", error);
    CHECK(zebin_build(program, codes, &again, &again_size, error, sizeof error), "%s", error);
    CHECK(size == again_size && memcmp(data, again, size) == 0, "two builds differ");
    Elf *elf = elf_memory((char *)data, size);
    if (!elf || !gelf_getehdr(elf, &header)) {
        CHECK(false, "%s", elf_errmsg(-1));
        exit(1);
    }
    CHECK(gelf_getclass(elf) == ELFCLASS64 && header.e_type == ET_REL && header.e_machine == 205, "header");
    check_code(elf, ".text.first", &codes[0]);
    check_code(elf, ".text.second", &codes[1]);
    check_symbols(elf);
    check_notes(elf, core);
    check_ze_info(elf);
    check_with_ocloc(data, size);
    elf_end(elf);
    free(data);
    free(again);
    visa_program_destroy(program);
}

int main(void)
{
    for (size_t i = 0; i < sizeof code_bytes; i++)
        code_bytes[i] = (uint8_t)(i * 7 + 1);
    elf_version(EV_CURRENT);
    check_zebin(&platform_table[PLATFORM_SKL], 12);
    check_zebin(&platform_table[PLATFORM_ICLLP], 15);
    check_zebin(&platform_table[PLATFORM_TGLLP], 18);
    check_zebin(&platform_table[PLATFORM_DG2], 0xc07);
    check_zebin(&platform_table[PLATFORM_PVC], 0xc08);
    return checks_failed != 0;
}
