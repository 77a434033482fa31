/* Builds a zebin: an ELF file with a .text section per kernel, .ze_info, symbols, and notes that name the hardware. */
#include <elf.h>
#include <fcntl.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "visa_emit/debug_visa.h"
#include "visa_emit/dwarf.h"
#include "visa_emit/finalize.h"
#include "visa_emit/string_relocations.h"
#include "visa_emit/ze_info.h"

enum {
    SHT_ZE_INFO = (int)0xff000011,
    MACHINE_INTELGT = 205,
    CODE_ALIGN = 64,     /* a cache line */
    CODE_PREFETCH = 128, /* bytes after the code that the instruction fetch may read ahead */
    NOTE_CORE = 2,
    NOTE_VERSION = 4,
    R_ZE_SYM_ADDR = 1,    /* a symbol's address: 64 bits */
    R_ZE_SYM_ADDR_32 = 2, /* low and high dword of a symbol's address */
    R_ZE_SYM_ADDR_32_HI = 3
};

/* A growing buffer. Everything handed to libelf stays in one of these until the file is written. */
struct bytes {
    char *data;
    size_t size;
    FILE *stream;
};

static bool bytes_open(struct bytes *bytes)
{
    bytes->stream = open_memstream(&bytes->data, &bytes->size);
    return bytes->stream != NULL;
}

static bool bytes_close(struct bytes *bytes)
{
    bool complete = bytes->stream && !ferror(bytes->stream);
    if (bytes->stream && fclose(bytes->stream) != 0)
        complete = false;
    bytes->stream = NULL;
    return complete;
}

struct zebin {
    const struct visa_program *program;
    const struct gen_code *codes;
    Elf *elf;
    struct bytes strings, information, notes, texts;
    struct bytes *code; /* one per kernel, padded */
    size_t *sections;   /* of the kernels */
    Elf64_Rel **relocations;
    struct dwarf debug;
    Elf64_Rela *debug_relocations[2];
    char **visa;        /* of the kernels, for profiles */
    Elf64_Sym *symbols; /* a null one, kernel_count, string_count */
};

/* Adds a name to the string table and returns its offset. */
static uint32_t add_name(struct zebin *z, const char *prefix, const char *name)
{
    fflush(z->strings.stream);
    uint32_t offset = (uint32_t)z->strings.size;
    fprintf(z->strings.stream, "%s%s%c", prefix, name, 0);
    return offset;
}

static void put_u32(FILE *out, uint32_t value)
{
    for (int shift = 0; shift < 32; shift += 8)
        fputc((int)(value >> shift & 0xff), out);
}

static void put_note(FILE *out, uint32_t type, const char *data, uint32_t size)
{
    static const char owner[8] = "IntelGT";
    put_u32(out, sizeof owner);
    put_u32(out, size);
    put_u32(out, type);
    fwrite(owner, 1, sizeof owner, out);
    fwrite(data, 1, size, out);
    for (uint32_t i = size; i % 4; i++)
        fputc(0, out);
}

static void put_note_u32(FILE *out, uint32_t type, uint32_t value)
{
    char data[4];
    for (int i = 0; i < 4; i++)
        data[i] = (char)(value >> 8 * i);
    put_note(out, type, data, sizeof data);
}

/* Writes the notes that name the device. Note 3 would name steppings and the program that made the file. Without it
 * every stepping fits. With a generator other than IGC, drivers since 2023 give PVC no surface states. */
static bool fill_notes(struct zebin *z)
{
    put_note_u32(z->notes.stream, NOTE_CORE, z->program->platform->core); /* drivers compare it with the device's */
    put_note(z->notes.stream, NOTE_VERSION, ZE_INFO_VERSION, sizeof ZE_INFO_VERSION);
    return z->program->platform->core != 0;
}

static bool fill_code(struct bytes *padded, const struct gen_code *code)
{
    if (!bytes_open(padded))
        return false;
    fwrite(code->code, 1, code->size, padded->stream);
    size_t end = (code->size + CODE_ALIGN - 1) / CODE_ALIGN * CODE_ALIGN + CODE_PREFETCH;
    for (size_t i = code->size; i < end; i++)
        fputc(0, padded->stream);
    return bytes_close(padded);
}

/* Adds a section with `data` as its one block. Returns its index, or 0 if libelf fails. */
static size_t add_section(struct zebin *z, uint32_t name, uint32_t type, uint64_t flags, uint64_t align, void *data,
                          size_t size, Elf_Type content)
{
    Elf_Scn *section = elf_newscn(z->elf);
    Elf_Data *block = section ? elf_newdata(section) : NULL;
    Elf64_Shdr *header = block ? elf64_getshdr(section) : NULL;
    if (!header)
        return 0;
    block->d_buf = data;
    block->d_size = size;
    block->d_type = content;
    block->d_align = align;
    block->d_version = EV_CURRENT;
    header->sh_name = name;
    header->sh_type = type;
    header->sh_flags = flags;
    return elf_ndxscn(section);
}

static bool add_kernels(struct zebin *z)
{
    for (size_t i = 0; i < z->program->kernel_count; i++) {
        const char *name = z->program->kernels[i].name;
        if (!fill_code(&z->code[i], &z->codes[i]))
            return false;
        size_t section = add_section(z, add_name(z, ".text.", name), SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR,
                                     CODE_ALIGN, z->code[i].data, z->code[i].size, ELF_T_BYTE);
        if (!section)
            return false;
        z->sections[i] = section;
        z->symbols[i + 1] = (Elf64_Sym){.st_name = add_name(z, "", name),
                                        .st_info = ELF64_ST_INFO(STB_LOCAL, STT_FUNC),
                                        .st_shndx = (Elf64_Section)section,
                                        .st_size = z->codes[i].size};
    }
    return true;
}

/* Adds the section of printf strings. The driver keeps it in host memory, where the host reads the strings by address.
 */
static bool add_strings(struct zebin *z)
{
    const struct visa_program *program = z->program;
    if (program->string_count == 0)
        return true;
    if (!bytes_open(&z->texts))
        return false;
    size_t offset = 0, first = program->kernel_count + 1;
    for (size_t i = 0; i < program->string_count; i++) {
        char name[32];
        snprintf(name, sizeof name, "%zu", i);
        z->symbols[first + i] = (Elf64_Sym){.st_name = add_name(z, "string.", name),
                                            .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_OBJECT),
                                            .st_value = offset,
                                            .st_size = program->strings[i].size};
        offset += program->strings[i].size;
        fwrite(program->strings[i].bytes, 1, program->strings[i].size, z->texts.stream);
    }
    size_t section = !bytes_close(&z->texts) ? 0
                                             : add_section(z, add_name(z, "", ".data.const.string"), SHT_PROGBITS,
                                                           SHF_ALLOC, 4, z->texts.data, z->texts.size, ELF_T_BYTE);
    for (size_t i = 0; i < program->string_count; i++)
        z->symbols[first + i].st_shndx = (Elf64_Section)section;
    return section != 0;
}

/* Adds `.rel.text.KERNEL`: relocations of string addresses in the kernel's code. */
static bool add_relocations(struct zebin *z, size_t kernel, size_t symbol_table)
{
    const struct visa_program *program = z->program;
    struct string_relocation *places;
    uint32_t base = visa_string_base(program, &program->kernels[kernel]);
    size_t count = string_relocations_find(&z->codes[kernel], base, program->string_count, &places);
    if (count == 0)
        return true;
    Elf64_Rel *table = z->relocations[kernel] = calloc(count, sizeof *table);
    for (size_t i = 0; table && i < count; i++) {
        uint64_t symbol = program->kernel_count + 1 + places[i].string;
        table[i].r_offset = places[i].offset;
        table[i].r_info = ELF64_R_INFO(symbol, places[i].half ? R_ZE_SYM_ADDR_32_HI : R_ZE_SYM_ADDR_32);
    }
    free(places);
    size_t section = !table ? 0
                            : add_section(z, add_name(z, ".rel.text.", program->kernels[kernel].name), SHT_REL, 0, 8,
                                          table, count * sizeof *table, ELF_T_REL);
    Elf64_Shdr *header = section ? elf64_getshdr(elf_getscn(z->elf, section)) : NULL;
    if (!header)
        return false;
    header->sh_link = (Elf64_Word)symbol_table;
    header->sh_info = (Elf64_Word)z->sections[kernel];
    header->sh_entsize = sizeof *table;
    return true;
}

/* Adds `.rela.NAME`: relocations of kernel addresses in a section of debug information. */
static bool add_debug_relocations(struct zebin *z, const char *name, const struct dwarf_section *section,
                                  size_t section_number, size_t symbol_table, Elf64_Rela **table)
{
    size_t count = section->address_count;
    *table = calloc(count + 1, sizeof **table);
    for (size_t i = 0; *table && i < count; i++) {
        (*table)[i].r_offset = section->addresses[i].offset;
        (*table)[i].r_info = ELF64_R_INFO(section->addresses[i].kernel + 1, R_ZE_SYM_ADDR);
        (*table)[i].r_addend = (Elf64_Sxword)section->addresses[i].inside;
    }
    size_t number = !*table ? 0
                            : add_section(z, add_name(z, ".rela", name), SHT_RELA, 0, 8, *table, count * sizeof **table,
                                          ELF_T_RELA);
    Elf64_Shdr *header = number ? elf64_getshdr(elf_getscn(z->elf, number)) : NULL;
    if (!header)
        return false;
    header->sh_link = (Elf64_Word)symbol_table;
    header->sh_info = (Elf64_Word)section_number;
    header->sh_entsize = sizeof **table;
    return true;
}

/* Adds debug information if there is any. */
static bool add_debug(struct zebin *z, size_t symbol_table)
{
    if (!dwarf_build(z->program, z->codes, &z->debug))
        return false;
    const struct {
        const char *name;
        struct dwarf_section *section;
        Elf64_Rela **relocations;
    } all[] = {{".debug_line", &z->debug.line, &z->debug_relocations[0]},
               {".debug_info", &z->debug.info, &z->debug_relocations[1]},
               {".debug_abbrev", &z->debug.abbreviations, NULL},
               {".debug_loc", &z->debug.locations, NULL},
               {".debug_ranges", &z->debug.ranges, NULL}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        struct dwarf_section *section = all[i].section;
        if (section->size == 0)
            continue;
        size_t number =
            add_section(z, add_name(z, "", all[i].name), SHT_PROGBITS, 0, 1, section->data, section->size, ELF_T_BYTE);
        if (!number || (all[i].relocations &&
                        !add_debug_relocations(z, all[i].name, section, number, symbol_table, all[i].relocations)))
            return false;
    }
    return true;
}

/* Adds `.debug_visa.KERNEL` to a program with debug information. Code of another listing has none. */
static bool add_visa(struct zebin *z, size_t kernel)
{
    const struct visa_program *program = z->program;
    size_t size = 0;
    if (!program->debug_info)
        return true;
    z->visa[kernel] = debug_visa_build(program, &program->kernels[kernel], &z->codes[kernel], &size);
    return !z->visa[kernel] || add_section(z, add_name(z, ".debug_visa.", program->kernels[kernel].name), SHT_PROGBITS,
                                           0, 1, z->visa[kernel], size, ELF_T_BYTE) != 0;
}

/* Adds the sections after the kernels. The string table is last, because every name is in it by then. */
static bool add_tables(struct zebin *z)
{
    ze_info_print(z->program, z->codes, z->information.stream);
    if (!fill_notes(z) || !bytes_close(&z->notes) || !bytes_close(&z->information))
        return false;
    size_t local_count = z->program->kernel_count + 1, symbol_count = local_count + z->program->string_count;
    if (!add_strings(z))
        return false;
    size_t symbols = add_section(z, add_name(z, "", ".symtab"), SHT_SYMTAB, 0, 8, z->symbols,
                                 symbol_count * sizeof *z->symbols, ELF_T_SYM);
    if (!symbols ||
        !add_section(z, add_name(z, "", ".ze_info"), (uint32_t)SHT_ZE_INFO, 0, 1, z->information.data,
                     z->information.size, ELF_T_BYTE) ||
        !add_section(z, add_name(z, "", ".note.intelgt.compat"), SHT_NOTE, 0, 4, z->notes.data, z->notes.size,
                     ELF_T_BYTE))
        return false;
    for (size_t i = 0; i < z->program->kernel_count; i++)
        if (!add_relocations(z, i, symbols))
            return false;
    if (!add_debug(z, symbols))
        return false;
    for (size_t i = 0; i < z->program->kernel_count; i++)
        if (!add_visa(z, i))
            return false;
    uint32_t name = add_name(z, "", ".strtab");
    if (!bytes_close(&z->strings))
        return false;
    size_t strings = add_section(z, name, SHT_STRTAB, 0, 1, z->strings.data, z->strings.size, ELF_T_BYTE);
    Elf64_Shdr *header = elf64_getshdr(elf_getscn(z->elf, symbols));
    Elf64_Ehdr *file = elf64_getehdr(z->elf);
    if (!strings || !header || !file)
        return false;
    header->sh_link = (Elf64_Word)strings;
    header->sh_info = (Elf64_Word)local_count; /* the kernels; strings are global: the driver wants that */
    header->sh_entsize = sizeof(Elf64_Sym);
    file->e_shstrndx = (Elf64_Half)strings;
    return true;
}

static bool build(struct zebin *z)
{
    Elf64_Ehdr *file = elf64_newehdr(z->elf);
    if (!file || !bytes_open(&z->strings) || !bytes_open(&z->information) || !bytes_open(&z->notes))
        return false;
    file->e_ident[EI_DATA] = ELFDATA2LSB;
    file->e_type = ET_REL;
    file->e_machine = MACHINE_INTELGT;
    file->e_version = EV_CURRENT;
    add_name(z, "", "");
    return add_kernels(z) && add_tables(z) && elf_update(z->elf, ELF_C_WRITE) > 0;
}

static void release(struct zebin *z)
{
    struct bytes *all[] = {&z->strings, &z->information, &z->notes, &z->texts};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        bytes_close(all[i]);
        free(all[i]->data);
    }
    for (size_t i = 0; z->code && i < z->program->kernel_count; i++)
        free(z->code[i].data);
    for (size_t i = 0; z->relocations && i < z->program->kernel_count; i++)
        free(z->relocations[i]);
    for (size_t i = 0; z->visa && i < z->program->kernel_count; i++)
        free(z->visa[i]);
    free(z->visa);
    free(z->code);
    free(z->sections);
    free(z->relocations);
    dwarf_free(&z->debug);
    free(z->debug_relocations[0]);
    free(z->debug_relocations[1]);
    free(z->symbols);
}

/* Reads a whole file. NULL: it cannot be read. */
static uint8_t *read_all(int fd, size_t *size)
{
    off_t end = lseek(fd, 0, SEEK_END);
    uint8_t *data = end > 0 ? malloc((size_t)end) : NULL;
    if (data && pread(fd, data, (size_t)end, 0) != end) {
        free(data);
        data = NULL;
    }
    *size = data ? (size_t)end : 0;
    return data;
}

bool zebin_build(const struct visa_program *program, const struct gen_code *codes, uint8_t **data, size_t *size,
                 char *error, size_t error_size)
{
    struct zebin z = {.program = program, .codes = codes};
    *data = NULL;
    int fd = memfd_create("zebin", MFD_CLOEXEC); /* libelf writes to descriptors only */
    z.code = calloc(program->kernel_count + 1, sizeof *z.code);
    z.sections = calloc(program->kernel_count + 1, sizeof *z.sections);
    z.relocations = calloc(program->kernel_count + 1, sizeof *z.relocations);
    z.visa = calloc(program->kernel_count + 1, sizeof *z.visa);
    z.symbols = calloc(program->kernel_count + 1 + program->string_count, sizeof *z.symbols);
    if (elf_version(EV_CURRENT) != EV_NONE && fd >= 0)
        z.elf = elf_begin(fd, ELF_C_WRITE, NULL);
    if (z.code && z.sections && z.relocations && z.visa && z.symbols && z.elf && build(&z))
        *data = read_all(fd, size);
    if (!*data) {
        int code = elf_errno();
        snprintf(error, error_size, "cannot build the zebin for %s: %s", program->platform->name,
                 code ? elf_errmsg(code) : "no such graphics core, or out of memory");
    }
    if (z.elf)
        elf_end(z.elf);
    if (fd >= 0)
        close(fd);
    release(&z);
    return *data != NULL;
}
