/* Reads zebins, the driver's ELF format: the code of each kernel is in a section .text.NAME, with relocations; there
 * are debug lines. Debug data has an ELF file for each kernel, whose code is in .text. */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "binaries/binaries.h"

enum { MACHINE_INTEL_GRAPHICS = 205, ADDRESS_64 = 1, ADDRESS_32_LOW = 2, ADDRESS_32_HIGH = 3, PER_THREAD_OFFSET = 4 };
enum { HOST_ADDRESS_32 = 10 }; /* R_X86_64_32, in debug data of the older format */

static const char visa_prefix[] = ".debug_visa.";
static const uint64_t OTHER_CODE = UINT64_MAX; /* a relocation's value */

struct zebin {
    const uint8_t *bytes;
    size_t size;
    Elf64_Ehdr header;
    size_t lines_relocations; /* the section with the relocations of .debug_line, 0 for none */
};

/* A section's header; files do not align them. */
static Elf64_Shdr section_header(const struct zebin *z, size_t section)
{
    Elf64_Shdr header;
    memcpy(&header, z->bytes + z->header.e_shoff + section * sizeof header, sizeof header);
    return header;
}

/* Returns the contents of a section, NULL if they are truncated. */
static const uint8_t *contents(const struct zebin *z, size_t section, size_t *size)
{
    const Elf64_Shdr s = section_header(z, section);
    if (s.sh_type == SHT_NOBITS || s.sh_offset > z->size || s.sh_size > z->size - s.sh_offset)
        return NULL;
    *size = s.sh_size;
    return z->bytes + s.sh_offset;
}

static const char *section_name(const struct zebin *z, size_t section)
{
    size_t size;
    const char *names = (const char *)contents(z, z->header.e_shstrndx, &size);
    uint32_t at = section_header(z, section).sh_name;
    return names && at < size && memchr(names + at, 0, size - at) ? names + at : "";
}

static int open_elf(struct zebin *z, const uint8_t *bytes, size_t size)
{
    *z = (struct zebin){.bytes = bytes, .size = size};
    if (size < sizeof z->header)
        return 0;
    Elf64_Ehdr *header = memcpy(&z->header, bytes, sizeof z->header);
    return memcmp(header->e_ident, ELFMAG, SELFMAG) == 0 && header->e_ident[EI_CLASS] == ELFCLASS64 &&
           header->e_shentsize == sizeof(Elf64_Shdr) && header->e_shstrndx < header->e_shnum &&
           header->e_shoff <= size && header->e_shnum * sizeof(Elf64_Shdr) <= size - header->e_shoff;
}

uint64_t zebin_size(const struct binary_memory *memory)
{
    Elf64_Ehdr header;
    if (memory->available < sizeof header || !memory->read(memory, 0, &header, sizeof header) ||
        memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64 ||
        header.e_machine != MACHINE_INTEL_GRAPHICS || header.e_shentsize != sizeof(Elf64_Shdr))
        return 0;
    uint64_t table = header.e_shnum * sizeof(Elf64_Shdr);
    if (header.e_shoff > memory->available || table > memory->available - header.e_shoff)
        return 0;
    Elf64_Shdr *sections = malloc(table ? table : 1);
    uint64_t size = sections && memory->read(memory, header.e_shoff, sections, table) ? header.e_shoff + table : 0;
    for (size_t i = 0; i < header.e_shnum && size; i++) {
        const Elf64_Shdr *s = &sections[i];
        if (s->sh_type == SHT_NOBITS || s->sh_type == SHT_NULL)
            continue;
        if (s->sh_offset > memory->available || s->sh_size > memory->available - s->sh_offset)
            size = 0;
        else if (s->sh_offset + s->sh_size > size)
            size = s->sh_offset + s->sh_size;
    }
    free(sections);
    return size;
}

/* Returns the number of bytes that the driver writes at a relocation of this type. */
static size_t relocated_bytes(uint32_t type)
{
    switch (type) {
    case ADDRESS_64: return 8;
    case ADDRESS_32_LOW:
    case ADDRESS_32_HIGH:
    case PER_THREAD_OFFSET: return 4;
    default: return 0;
    }
}

/* Marks in `mask`, which has a byte for each byte of the section, those that the driver changes. */
static void mark_relocations(const struct zebin *z, size_t section, uint8_t *mask, size_t size)
{
    for (size_t i = 1; i < z->header.e_shnum; i++) {
        const Elf64_Shdr s = section_header(z, i);
        size_t bytes, entry = s.sh_type == SHT_RELA ? sizeof(Elf64_Rela) : sizeof(Elf64_Rel);
        const uint8_t *entries = contents(z, i, &bytes);
        if ((s.sh_type != SHT_RELA && s.sh_type != SHT_REL) || s.sh_info != section || !entries)
            continue;
        for (size_t at = 0; at + entry <= bytes; at += entry) {
            Elf64_Rel relocation;
            memcpy(&relocation, entries + at, sizeof relocation);
            size_t changed = relocated_bytes(ELF64_R_TYPE(relocation.r_info));
            if (relocation.r_offset < size && changed <= size - relocation.r_offset)
                memset(mask + relocation.r_offset, 1, changed);
        }
    }
}

/* True if the section holds the code, apart from bytes that the driver changed. */
static int is_code(const struct zebin *z, size_t section, const struct kernel_code *code)
{
    size_t size;
    const uint8_t *bytes = contents(z, section, &size);
    if (!bytes || size == 0 || size > code->available || code->ip >= size)
        return 0;
    if (memcmp(bytes, code->bytes, 16 < size ? 16 : size) != 0)
        return 0; /* the first instruction has no relocation: most sections end here */
    uint8_t *mask = calloc(1, size);
    if (!mask)
        return 0;
    mark_relocations(z, section, mask, size);
    int same = 1;
    for (size_t i = 0; i < size && same; i++)
        same = mask[i] || bytes[i] == code->bytes[i];
    free(mask);
    return same;
}

/* Returns the section of a symbol. IGC gives all symbols of .debug_line's relocations the number of .debug_line itself,
 * so their names decide. */
static uint32_t symbol_section(const struct zebin *z, const Elf64_Sym *symbol, size_t names_section)
{
    size_t size;
    const char *names = names_section < z->header.e_shnum ? (const char *)contents(z, names_section, &size) : NULL;
    if (!names || symbol->st_name >= size || !memchr(names + symbol->st_name, 0, size - symbol->st_name))
        return symbol->st_shndx;
    for (uint32_t i = 1; i < z->header.e_shnum; i++)
        if (names[symbol->st_name] && strcmp(section_name(z, i), names + symbol->st_name) == 0)
            return i;
    return symbol->st_shndx;
}

/* The section of the symbol that the relocation at `offset` of .debug_line names. */
static uint32_t section_of(const void *context, uint64_t offset)
{
    const struct zebin *z = context;
    size_t bytes, symbol_bytes, symbols_section = section_header(z, z->lines_relocations).sh_link;
    const uint8_t *entries = z->lines_relocations ? contents(z, z->lines_relocations, &bytes) : NULL;
    const uint8_t *symbols = symbols_section < z->header.e_shnum ? contents(z, symbols_section, &symbol_bytes) : NULL;
    for (size_t at = 0; entries && symbols && at + sizeof(Elf64_Rela) <= bytes; at += sizeof(Elf64_Rela)) {
        Elf64_Rela relocation;
        Elf64_Sym symbol;
        memcpy(&relocation, entries + at, sizeof relocation);
        uint64_t index = ELF64_R_SYM(relocation.r_info);
        if (relocation.r_offset != offset || index >= symbol_bytes / sizeof symbol)
            continue;
        memcpy(&symbol, symbols + index * sizeof symbol, sizeof symbol);
        return symbol_section(z, &symbol, section_header(z, symbols_section).sh_link);
    }
    return 0;
}

static void find_source(struct zebin *z, size_t section, uint32_t ip, struct kernel_name *name)
{
    size_t lines = 0;
    for (size_t i = 1; i < z->header.e_shnum; i++) {
        if (strcmp(section_name(z, i), ".debug_line") == 0)
            lines = i;
        if (strcmp(section_name(z, i), ".rela.debug_line") == 0)
            z->lines_relocations = i;
    }
    struct debug_lines debug = {.section_of = section_of, .context = z};
    debug.bytes = lines ? contents(z, lines, &debug.size) : NULL;
    if (debug.bytes)
        kernel_source_line(&debug, (uint32_t)section, ip, name->source, sizeof name->source);
}

static int is_visa_of(const char *section, const char *kernel)
{
    return strncmp(section, visa_prefix, sizeof visa_prefix - 1) == 0 &&
           strcmp(section + sizeof visa_prefix - 1, kernel) == 0;
}

/* Copies what the kernel's section .debug_visa says of the instruction at `ip`: its last line with no larger offset. */
static void find_visa(const struct zebin *z, size_t section, uint32_t ip, struct kernel_name *name)
{
    size_t size;
    const char *text = (const char *)contents(z, section, &size), *end = text + (text ? size : 0);
    while (text && text < end) {
        char line[sizeof name->visa + 10], *rest;
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        snprintf(line, sizeof line, "%.*s", (int)((newline ? newline : end) - text), text);
        if (strtoul(line, &rest, 16) > ip || rest == line)
            return;
        snprintf(name->visa, sizeof name->visa, "%s", rest + (*rest == ' '));
        text = newline ? newline + 1 : end;
    }
}

static int has_lines(const struct zebin *z)
{
    for (size_t i = 1; i < z->header.e_shnum; i++)
        if (strcmp(section_name(z, i), ".debug_line") == 0)
            return 1;
    return 0;
}

static void found_in(struct zebin *z, size_t section, const struct kernel_code *code, struct kernel_name *name)
{
    find_source(z, section, code->ip, name);
    if (!has_lines(z))
        return;
    name->elf = z->bytes;
    name->elf_bytes = z->size;
    name->section = (uint32_t)section;
}

int kernel_name_in_zebin(const uint8_t *bytes, size_t size, const struct kernel_code *code, struct kernel_name *name)
{
    static const char prefix[] = ".text.";
    struct zebin z;
    if (!open_elf(&z, bytes, size) || z.header.e_machine != MACHINE_INTEL_GRAPHICS)
        return 0;
    for (size_t i = 1; i < z.header.e_shnum; i++) {
        const char *text = section_name(&z, i);
        if (strncmp(text, prefix, sizeof prefix - 1) != 0 || !is_code(&z, i, code))
            continue;
        snprintf(name->name, sizeof name->name, "%s", text + sizeof prefix - 1);
        found_in(&z, i, code, name);
        for (size_t k = 1; k < z.header.e_shnum; k++)
            if (is_visa_of(section_name(&z, k), name->name))
                find_visa(&z, k, code->ip, name);
        return 1;
    }
    return 0;
}

const uint8_t *zebin_section(const uint8_t *bytes, size_t size, const char *name, size_t *length)
{
    struct zebin z;
    for (size_t i = 1; open_elf(&z, bytes, size) && i < z.header.e_shnum; i++)
        if (strcmp(section_name(&z, i), name) == 0)
            return contents(&z, i, length);
    return NULL;
}

int zebin_code_find(const uint8_t *bytes, size_t size, const char *name, struct zebin_code *code)
{
    static const char prefix[] = ".text.";
    struct zebin z;
    if (!open_elf(&z, bytes, size) || z.header.e_machine == 0)
        return 0;
    for (size_t i = 1; i < z.header.e_shnum; i++) {
        const char *text = section_name(&z, i);
        if (strncmp(text, prefix, sizeof prefix - 1) != 0 || strcmp(text + sizeof prefix - 1, name) != 0)
            continue;
        *code = (struct zebin_code){.section = (uint32_t)i, .has_lines = has_lines(&z)};
        code->bytes = contents(&z, i, &code->size);
        return code->bytes != NULL;
    }
    return 0;
}

void zebin_source(const uint8_t *bytes, size_t size, const struct zebin_code *code, uint32_t ip, char *text,
                  size_t room)
{
    struct zebin z;
    struct kernel_name name = {.source = ""};
    if (open_elf(&z, bytes, size))
        find_source(&z, code->section, ip, &name);
    snprintf(text, room, "%s", name.source);
}

int kernel_source_in_elf(const uint8_t *bytes, size_t size, const struct kernel_code *code, struct kernel_name *name)
{
    struct zebin z;
    if (!open_elf(&z, bytes, size))
        return 0;
    for (size_t i = 1; i < z.header.e_shnum; i++) {
        if (strcmp(section_name(&z, i), ".text") != 0 || !is_code(&z, i, code))
            continue;
        found_in(&z, i, code, name);
        return 1;
    }
    return 0;
}

/* Returns what a relocation of debug information is to: an address of the kernel's code, or an offset in a section. */
static uint64_t symbol_value(const struct zebin *z, size_t symbols_section, uint64_t index, uint32_t code,
                             uint64_t address)
{
    size_t bytes;
    const uint8_t *symbols = symbols_section < z->header.e_shnum ? contents(z, symbols_section, &bytes) : NULL;
    Elf64_Sym symbol;
    if (!symbols || index >= bytes / sizeof symbol)
        return 0;
    memcpy(&symbol, symbols + index * sizeof symbol, sizeof symbol);
    uint32_t section = symbol_section(z, &symbol, section_header(z, symbols_section).sh_link);
    if (section == code)
        return address + symbol.st_value;
    int is_code = section < z->header.e_shnum && section_header(z, section).sh_flags & SHF_EXECINSTR;
    return is_code ? OTHER_CODE : symbol.st_value;
}

/* Applies the relocations of one section with its contents in `to`. */
static void relocate(const struct zebin *z, size_t relocations, uint32_t code, uint64_t address,
                     struct kernel_section *to)
{
    const Elf64_Shdr header = section_header(z, relocations);
    size_t size;
    const uint8_t *entries = contents(z, relocations, &size);
    for (size_t at = 0; entries && at + sizeof(Elf64_Rela) <= size; at += sizeof(Elf64_Rela)) {
        Elf64_Rela r;
        memcpy(&r, entries + at, sizeof r);
        uint32_t type = (uint32_t)ELF64_R_TYPE(r.r_info);
        size_t bytes = type == ADDRESS_64 ? 8 : type == ADDRESS_32_LOW || type == HOST_ADDRESS_32 ? 4 : 0;
        uint64_t value = symbol_value(z, header.sh_link, ELF64_R_SYM(r.r_info), code, address);
        value = value == OTHER_CODE ? 0 : value + (uint64_t)r.r_addend;
        if (bytes && r.r_offset <= to->size && bytes <= to->size - r.r_offset)
            memcpy(to->bytes + r.r_offset, &value, bytes);
    }
}

static int read_section(const struct zebin *z, size_t section, uint32_t code, uint64_t address,
                        struct kernel_section *to)
{
    *to = (struct kernel_section){.bytes = NULL};
    const uint8_t *bytes = contents(z, section, &to->size);
    to->bytes = bytes ? malloc(to->size ? to->size : 1) : NULL;
    if (!to->bytes)
        return 0;
    memcpy(to->bytes, bytes, to->size);
    snprintf(to->name, sizeof to->name, "%s", section_name(z, section));
    for (size_t i = 1; i < z->header.e_shnum; i++)
        if (section_header(z, i).sh_type == SHT_RELA && section_header(z, i).sh_info == section) {
            relocate(z, i, code, address, to);
            to->is_relocated = 1;
        }
    return 1;
}

size_t kernel_debug_sections(const struct kernel_binary *binary, uint64_t address, struct kernel_section *sections,
                             size_t room)
{
    struct zebin z;
    size_t count = 0;
    if (!binary->elf || !open_elf(&z, binary->elf, binary->bytes))
        return 0;
    for (size_t i = 1; i < z.header.e_shnum && count < room; i++)
        if (strncmp(section_name(&z, i), ".debug_", 7) == 0 &&
            strncmp(section_name(&z, i), visa_prefix, sizeof visa_prefix - 1) != 0)
            count += (size_t)read_section(&z, i, binary->section, address, &sections[count]);
    return count;
}
