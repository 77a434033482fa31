/* Reads a zebin's ELF sections: the compatibility note, and .ze_info, which ze_info.c parses. */
#include "runtime/status.h"
#include "runtime/zebin.h"

#include <elf.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include "tables/products.h"

enum {
    MACHINE_INTEL_GT = 205,
    TYPE_ZEBIN_REL = 0xff11,
    TYPE_ZEBIN_DYN = 0xff13,
    NOTE_PRODUCT_FAMILY = 1,
    NOTE_CORE_FAMILY = 2,
};
static const uint32_t SECTION_ZE_INFO = 0xff000011;

/* GPUs that cmkit does not compile for. */
static const struct other_product {
    const char *name;
    unsigned family, core;
} others[] = {
#define PRODUCT(...)
#define OTHER_PRODUCT(NAME, FAMILY, CORE) {NAME, FAMILY, CORE},
#include "tables/products.def"
#undef PRODUCT
};

enum { OTHERS = sizeof others / sizeof *others };

/* Returns product `i` of all that have a family number. False: there are not so many. */
static bool product_at(size_t i, struct other_product *out)
{
    if (i < OTHERS) {
        *out = others[i];
        return true;
    }
    for (size_t k = 0, at = OTHERS; k < product_count; k++) {
        const struct product *p = &product_table[k];
        if (p->family && at++ == i) {
            *out = (struct other_product){p->name, p->family, platform_table[p->platform].core};
            return true;
        }
    }
    return false;
}

int zebin_recognise(const void *bytes, size_t size)
{
    Elf64_Ehdr header;
    if (size < sizeof header)
        return 0;
    memcpy(&header, bytes, sizeof header);
    return memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 && header.e_ident[EI_CLASS] == ELFCLASS64 &&
           (header.e_machine == MACHINE_INTEL_GT ||
            (header.e_type >= TYPE_ZEBIN_REL && header.e_type <= TYPE_ZEBIN_DYN));
}

static void set_product(struct zebin *out, unsigned number)
{
    out->product_number = number;
    struct other_product product;
    for (size_t i = 0; product_at(i, &product); i++)
        if (product.family == number)
            out->product = product.name;
}

static void set_core(struct zebin *out, unsigned core)
{
    out->core = core;
    struct other_product product;
    for (size_t i = 0; !out->product_number && !out->product && product_at(i, &product); i++)
        if (product.core == core)
            out->product = product.name;
}

int zebin_fits(const struct zebin *zebin, const char *product)
{
    if (zebin->product_number)
        return zebin->product && strcmp(zebin->product, product) == 0;
    struct other_product known;
    for (size_t i = 0; zebin->core && product_at(i, &known); i++)
        if (strcmp(known.name, product) == 0)
            return known.core == zebin->core;
    return 1;
}

/* Finds the product and core family among the notes of one section. Malformed notes end the search. */
static void read_notes(const unsigned char *at, size_t left, struct zebin *out)
{
    while (left >= sizeof(Elf64_Nhdr)) {
        Elf64_Nhdr note;
        memcpy(&note, at, sizeof note);
        size_t name = ((size_t)note.n_namesz + 3) & ~(size_t)3, data = ((size_t)note.n_descsz + 3) & ~(size_t)3;
        at += sizeof note;
        left -= sizeof note;
        if (name > left || data > left - name)
            return;
        if (note.n_namesz >= 7 && memcmp(at, "IntelGT", 7) == 0 && note.n_descsz == 4) {
            uint32_t number;
            memcpy(&number, at + name, sizeof number);
            if (note.n_type == NOTE_PRODUCT_FAMILY && number)
                set_product(out, number);
            if (note.n_type == NOTE_CORE_FAMILY && number)
                set_core(out, number);
        }
        at += name + data;
        left -= name + data;
    }
}

enum cmrt_status zebin_read(const void *bytes, size_t size, struct zebin *out)
{
    const unsigned char *file = bytes;
    memset(out, 0, sizeof *out);
    if (!zebin_recognise(bytes, size))
        return cmrt_fail(CMRT_BAD_FILE, "not a zebin");
    Elf64_Ehdr header;
    memcpy(&header, file, sizeof header);
    if (header.e_machine != MACHINE_INTEL_GT &&
        !(header.e_flags >> 15 & 1)) /* flag: machine is a core family instead */
        set_product(out, header.e_machine);
    if (header.e_shentsize != sizeof(Elf64_Shdr) || header.e_shoff > size ||
        header.e_shnum > (size - header.e_shoff) / sizeof(Elf64_Shdr))
        return cmrt_fail(CMRT_BAD_FILE, "damaged zebin: its section table lies outside the file");
    int found = 0;
    for (size_t i = 0; i < header.e_shnum; i++) {
        Elf64_Shdr section;
        memcpy(&section, file + header.e_shoff + i * sizeof section, sizeof section);
        if (section.sh_type == SHT_NULL || section.sh_type == SHT_NOBITS)
            continue;
        if (section.sh_offset > size || section.sh_size > size - section.sh_offset) {
            zebin_free(out);
            return cmrt_fail(CMRT_BAD_FILE, "damaged zebin: section %zu lies outside the file", i);
        }
        if (section.sh_type == SHT_NOTE)
            read_notes(file + section.sh_offset, section.sh_size, out);
        if (section.sh_type == SECTION_ZE_INFO) {
            enum cmrt_status status = ze_info_read((const char *)file + section.sh_offset, section.sh_size, out);
            if (status) {
                zebin_free(out);
                return status;
            }
            found = 1;
        }
    }
    if (found)
        return CMRT_OK;
    return cmrt_fail(CMRT_BAD_FILE, "damaged zebin: no .ze_info section");
}

enum cmrt_status zebin_set_text(const char **to, const char *from, size_t bytes)
{
    free((void *)*to);
    *to = strndup(from, bytes);
    return *to ? CMRT_OK : cmrt_fail(CMRT_NO_MEMORY, "out of memory");
}

void zebin_free(struct zebin *zebin)
{
    for (size_t i = 0; i < zebin->kernel_count; i++) {
        struct cmrt_kernel_info *kernel = &zebin->kernels[i];
        for (size_t k = 0; k < kernel->argument_count; k++) {
            free((void *)kernel->arguments[k].name);
            free((void *)kernel->arguments[k].type);
        }
        free((void *)kernel->arguments);
        free((void *)kernel->name);
    }
    free(zebin->kernels);
    memset(zebin, 0, sizeof *zebin);
}
