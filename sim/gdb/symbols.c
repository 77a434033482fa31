#include "sim/gdb/symbols.h"

#include <elf.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "sim/gdb/locations.h"
#include "sim/gdb/registers.h"
#include "sim/names/names.h"

enum { MOST_DEBUG = 24, MOST_FUNCTIONS = 256, PROLOG_STEP = 64 };
enum { FIXED_SECTIONS = 6 }; /* none, .text, .debug_frame, .symtab, .strtab, .shstrtab */

/* A buffer that grows. */
struct bytes {
    uint8_t *at;
    size_t size, room;
    int failed;
};

static void put(struct bytes *b, const void *data, size_t size)
{
    if (b->size + size > b->room) {
        size_t room = 2 * (b->size + size);
        uint8_t *more = b->failed ? NULL : realloc(b->at, room);
        if (!more) {
            b->failed = 1;
            return;
        }
        b->at = more;
        b->room = room;
    }
    if (size)
        memcpy(b->at + b->size, data, size);
    b->size += size;
}

static void put_number(struct bytes *b, uint64_t value, unsigned size)
{
    put(b, &value, size);
}

/* Returns where the string begins. */
static uint32_t put_string(struct bytes *b, const char *text)
{
    uint32_t at = (uint32_t)b->size;
    put(b, text, strlen(text) + 1);
    return at;
}

/* The first addresses of the kernel and of the functions behind it, then the end of the code. */
struct functions {
    uint64_t start[MOST_FUNCTIONS + 2];
    size_t count;
};

static void find_functions(const struct gdb_code *code, uint64_t start, uint64_t size, struct functions *functions)
{
    uint32_t offsets[MOST_FUNCTIONS];
    size_t count = eu_program_functions(code->program, offsets, MOST_FUNCTIONS);
    functions->start[0] = start;
    functions->count = 1;
    for (size_t i = 0; i < count; i++) {
        uint64_t at = code->address + offsets[i];
        if (at > start && at < start + size)
            functions->start[functions->count++] = at;
    }
    functions->start[functions->count] = start + size;
}

/* DWARF 4, section 6.4. gdb sees the return addresses of calls where x86 has them; the kernel itself returns nowhere.
 * The caller's window of registers is the next one. */
static void put_frames(struct bytes *b, const struct functions *functions)
{
    enum { RIP = 16, RSP = 7, RBX = 3, DEFINE_CFA = 0x0c, UNDEFINED = 0x07, OFFSET = 0x80, VALUE = 0x16 };
    enum { OP_BREG0 = 0x70, MORE = 0x80, NEXT_FRAME = 1 << (GDB_WINDOW_FRAME_SHIFT % 7) }; /* in the seventh digit */
    static const uint8_t common[] = {4, 0, 8, 0, 1, 0x78, RIP, DEFINE_CFA, RSP, 8};
    static const uint8_t kernel[14] = {UNDEFINED, RIP}; /* zeros do nothing */
    static const uint8_t function[14] = {OFFSET | RIP, 1,    VALUE, RBX,  9,    OP_BREG0 + RBX,    MORE,
                                         MORE,         MORE, MORE,  MORE, MORE, MORE | NEXT_FRAME, 0};
    uint32_t entry[2];
    for (int i = 0; i < 2; i++) {
        entry[i] = (uint32_t)b->size;
        put_number(b, 4 + sizeof common + sizeof kernel, 4);
        put_number(b, UINT32_MAX, 4);
        put(b, common, sizeof common);
        put(b, i ? function : kernel, sizeof kernel);
    }
    for (size_t i = 0; i < functions->count; i++) {
        put_number(b, 20, 4);
        put_number(b, entry[i > 0], 4);
        put_number(b, functions->start[i], 8);
        put_number(b, functions->start[i + 1] - functions->start[i], 8);
    }
}

/* The kernel and its functions, whose names are not known here: KERNEL+OFFSET. */
static void put_symbols(struct bytes *symbols, struct bytes *names, const struct functions *functions,
                        const char *kernel)
{
    Elf64_Sym symbol = {.st_name = 0};
    put(symbols, &symbol, sizeof symbol);
    put_string(names, "");
    for (size_t i = 0; i < functions->count; i++) {
        char name[192];
        snprintf(name, sizeof name, i ? "%s+0x%" PRIx64 : "%s", kernel, functions->start[i] - functions->start[0]);
        symbol = (Elf64_Sym){.st_name = put_string(names, name),
                             .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
                             .st_shndx = 1,
                             .st_value = functions->start[i],
                             .st_size = functions->start[i + 1] - functions->start[i]};
        put(symbols, &symbol, sizeof symbol);
    }
}

/* Adds a section's contents to the file. */
static void put_section(struct bytes *file, Elf64_Shdr *header, uint32_t name, uint32_t type,
                        const struct bytes *contents)
{
    static const uint8_t zeros[8] = {0};
    put(file, zeros, (8 - file->size % 8) % 8);
    *header = (Elf64_Shdr){
        .sh_name = name, .sh_type = type, .sh_offset = file->size, .sh_size = contents->size, .sh_addralign = 1};
    put(file, contents->at, contents->size);
}

/* Writes the file from its parts; `debug` has `count` sections. */
static struct bytes make_file(const struct functions *functions, const char *kernel, const struct kernel_section *debug,
                              size_t count)
{
    struct bytes file = {.at = NULL}, names = file, frames = file, symbols = file, strings = file;
    Elf64_Shdr sections[FIXED_SECTIONS + MOST_DEBUG] = {{.sh_name = 0}};
    Elf64_Ehdr header = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
                         .e_type = ET_EXEC,
                         .e_machine = EM_X86_64,
                         .e_version = EV_CURRENT,
                         .e_ehsize = sizeof header,
                         .e_shentsize = sizeof(Elf64_Shdr)};
    uint16_t n = 2;
    put(&file, &header, sizeof header);
    put_string(&names, "");
    sections[1] = (Elf64_Shdr){.sh_name = put_string(&names, ".text"),
                               .sh_type = SHT_NOBITS,
                               .sh_flags = SHF_ALLOC | SHF_EXECINSTR,
                               .sh_addr = functions->start[0],
                               .sh_offset = sizeof header,
                               .sh_size = functions->start[functions->count] - functions->start[0],
                               .sh_addralign = 1};
    for (size_t i = 0; i < count; i++) {
        const struct bytes contents = {.at = debug[i].bytes, .size = debug[i].size};
        put_section(&file, &sections[n++], put_string(&names, debug[i].name), SHT_PROGBITS, &contents);
    }
    put_frames(&frames, functions);
    put_section(&file, &sections[n++], put_string(&names, ".debug_frame"), SHT_PROGBITS, &frames);
    put_symbols(&symbols, &strings, functions, kernel);
    put_section(&file, &sections[n], put_string(&names, ".symtab"), SHT_SYMTAB, &symbols);
    sections[n].sh_link = n + 1u;
    sections[n].sh_info = 1;
    sections[n].sh_entsize = sizeof(Elf64_Sym);
    put_section(&file, &sections[n + 1], put_string(&names, ".strtab"), SHT_STRTAB, &strings);
    header.e_shstrndx = n + 2u;
    uint32_t own = put_string(&names, ".shstrtab");
    put_section(&file, &sections[n + 2], own, SHT_STRTAB, &names);
    header.e_shnum = n + 3u;
    header.e_shoff = file.size;
    put(&file, sections, header.e_shnum * sizeof *sections);
    file.failed |= names.failed | frames.failed | symbols.failed | strings.failed;
    if (!file.failed)
        memcpy(file.at, &header, sizeof header);
    free(names.at);
    free(frames.at);
    free(symbols.at);
    free(strings.at);
    return file;
}

/* Frames in the binary describe registers by Intel's numbers; tables of names save gdb nothing here. */
static int is_wanted(const char *name)
{
    return strcmp(name, ".debug_frame") != 0 && strncmp(name, ".debug_pub", 10) != 0 &&
           strcmp(name, ".debug_aranges") != 0;
}

static size_t take_wanted(struct kernel_section *debug, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (is_wanted(debug[i].name))
            debug[kept++] = debug[i];
        else
            free(debug[i].bytes);
    return kept;
}

/* Finds the binary. Returns how many bytes before the code its section begins: at a prolog. */
static uint32_t find_binary(const struct gdb_code *code, struct kernel_binary *binary)
{
    for (uint32_t back = 0; back <= code->prolog_most; back += PROLOG_STEP) {
        const struct kernel_code wanted = {
            .bytes = code->bytes - back, .available = code->available + back, .ip = back};
        if (kernel_binary_find(&wanted, binary))
            return back;
    }
    *binary = (struct kernel_binary){.name = "kernel"};
    return 0;
}

static struct kernel_section *find_section(struct kernel_section *debug, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(debug[i].name, name) == 0)
            return &debug[i];
    return NULL;
}

static void translate(struct kernel_section *debug, size_t count, const struct gdb_code *code, uint64_t address)
{
    struct kernel_section *lists = find_section(debug, count, ".debug_loc"),
                          *info = find_section(debug, count, ".debug_info"),
                          *abbreviations = find_section(debug, count, ".debug_abbrev");
    if (lists)
        gdb_locations_translate(lists->bytes, lists->size, code->register_bytes);
    if (info && abbreviations)
        gdb_units_translate(info->bytes, info->size, abbreviations->bytes, abbreviations->size, code->register_bytes,
                            info->is_relocated ? 0 : address);
    if (abbreviations)
        gdb_units_hide_returns(abbreviations->bytes, abbreviations->size);
}

struct gdb_symbols *gdb_symbols_create(const struct gdb_code *code)
{
    struct gdb_symbols *symbols = calloc(1, sizeof *symbols);
    struct kernel_binary binary;
    struct kernel_section debug[MOST_DEBUG];
    struct functions functions;
    if (!symbols)
        return NULL;
    uint32_t back = find_binary(code, &binary);
    symbols->address = code->address - back;
    symbols->size = eu_program_bytes(code->program) + back;
    memcpy(symbols->kernel, binary.name, sizeof symbols->kernel);
    snprintf(symbols->name, sizeof symbols->name, "/gensim/%s-%" PRIx64 ".elf", binary.name, code->address);
    size_t count = kernel_debug_sections(&binary, symbols->address, debug, MOST_DEBUG);
    count = take_wanted(debug, count);
    translate(debug, count, code, symbols->address);
    symbols->has_debug = find_section(debug, count, ".debug_info") != NULL;
    find_functions(code, symbols->address, symbols->size, &functions);
    struct bytes file = make_file(&functions, symbols->kernel, debug, count);
    for (size_t i = 0; i < count; i++)
        free(debug[i].bytes);
    free(binary.elf);
    symbols->file = file.at;
    symbols->bytes = file.size;
    if (!file.failed)
        return symbols;
    gdb_symbols_destroy(symbols);
    return NULL;
}

void gdb_symbols_destroy(struct gdb_symbols *symbols)
{
    if (symbols)
        free(symbols->file);
    free(symbols);
}
