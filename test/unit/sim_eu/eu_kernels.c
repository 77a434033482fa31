/* eu_kernels OCLOC FILE.cl [DEVICE...]   compiles the file for every simulated platform but those devices and decodes
 * each kernel in it: code of Intel's compiler must never be refused. Kernels that use doubles or images are compiled
 * only for platforms that have doubles or a sampler. */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "sim/eu/eu.h"

enum { PATH_BYTES = 512 };

struct bytes {
    uint8_t *data;
    size_t size;
};

static struct bytes read_file(const char *path)
{
    struct bytes file = {NULL, 0};
    FILE *stream = fopen(path, "rb");
    if (stream == NULL)
        return file;
    fseek(stream, 0, SEEK_END);
    long size = ftell(stream);
    fseek(stream, 0, SEEK_SET);
    file.data = malloc((size_t)size + 1);
    file.size = fread(file.data, 1, (size_t)size, stream);
    file.data[file.size] = 0;
    fclose(stream);
    return file;
}

static int decode_kernel(const struct platform *platform, const char *name, const uint8_t *code, size_t size)
{
    struct sim_fault fault = {0};
    struct eu_program *program = eu_program_decode(platform, code, size, &fault);
    if (program == NULL) {
        sim_fault_print(&fault, name, stdout);
        return 1;
    }
    int bad = eu_program_instructions(program) == 0 || !eu_program_matches(program, code, size);
    printf("%s %s: %zu instructions\n", platform->name, name, eu_program_instructions(program));
    eu_program_destroy(program);
    return bad;
}

/* Decodes every .text.KERNEL section; the number of failures, or -1 when there is no kernel. */
static int decode_sections(const struct platform *platform, const struct bytes *elf)
{
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)elf->data;
    int kernels = 0, failed = 0;
    if (elf->size < sizeof *header || header->e_shoff + (uint64_t)header->e_shnum * sizeof(Elf64_Shdr) > elf->size)
        return -1;
    const Elf64_Shdr *sections = (const Elf64_Shdr *)(elf->data + header->e_shoff);
    const char *names = (const char *)elf->data + sections[header->e_shstrndx].sh_offset;
    for (unsigned i = 0; i < header->e_shnum; i++) {
        const char *name = names + sections[i].sh_name;
        if (strncmp(name, ".text.", 6) != 0 || sections[i].sh_size == 0)
            continue;
        kernels++;
        failed += decode_kernel(platform, name + 6, elf->data + sections[i].sh_offset, sections[i].sh_size);
    }
    return kernels == 0 ? -1 : failed;
}

static int compile_and_decode(const char *ocloc, const char *source, const struct platform *platform,
                              const char *directory)
{
    char command[4 * PATH_BYTES], binary[PATH_BYTES];
    snprintf(binary, sizeof binary, "%s/kernel.bin", directory);
    snprintf(command, sizeof command,
             "'%s' compile -q -file '%s' -device %s --format zebin -output_no_suffix -output kernel.bin -out_dir '%s' "
             "> /dev/null",
             ocloc, source, platform->ocloc, directory);
    if (system(command) != 0) {
        printf("%s: ocloc fails for %s\n", source, platform->ocloc);
        return 1;
    }
    struct bytes elf = read_file(binary);
    int failed = decode_sections(platform, &elf);
    free(elf.data);
    unlink(binary);
    snprintf(binary, sizeof binary, "%s/kernel.bin.spv", directory);
    unlink(binary);
    if (failed < 0)
        printf("%s: no kernel for %s\n", source, platform->ocloc);
    return failed != 0;
}

/* `names` ends with NULL. */
static int is_left_out(const char *device, char *const *names)
{
    while (*names && strcmp(*names, device) != 0)
        names++;
    return *names != NULL;
}

int main(int argc, char **argv)
{
    char directory[PATH_BYTES / 2];
    const char *temporary = getenv("TMPDIR");
    int failed = 0;
    if (argc < 3) {
        fprintf(stderr, "usage: eu_kernels OCLOC FILE.cl [DEVICE...]\n");
        return 2;
    }
    snprintf(directory, sizeof directory, "%s/eu_kernels_XXXXXX", temporary != NULL ? temporary : "/tmp");
    if (mkdtemp(directory) == NULL) {
        perror(directory);
        return 2;
    }
    struct bytes source = read_file(argv[2]);
    int needs_doubles = source.data != NULL && strstr((const char *)source.data, "cl_khr_fp64") != NULL;
    int needs_sampler = source.data != NULL && strstr((const char *)source.data, "image2d_t") != NULL;
    free(source.data);
    for (size_t i = 0; i < platform_count; i++)
        if (platform_table[i].simulated && !platform_table[i].needs_current &&
            !is_left_out(platform_table[i].ocloc, argv + 3) &&
            (!needs_doubles || platform_has(&platform_table[i], FEATURE_DOUBLE)) &&
            (!needs_sampler || platform_has(&platform_table[i], FEATURE_SAMPLER)))
            failed += compile_and_decode(argv[1], argv[2], &platform_table[i], directory);
    rmdir(directory);
    return failed != 0;
}
