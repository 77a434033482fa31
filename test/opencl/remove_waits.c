/* remove_waits IN.bin OUT.bin: copies a program for Gen12LP (zebin) and removes every wait of the software scoreboard
 * from its kernels: distances and token waits. Tokens that messages and math instructions set remain. */
#include <elf.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OPCODE_SEND = 0x31, OPCODE_SENDC = 0x32, OPCODE_MATH = 0x38, COMPACTED = 1 << 29 };
enum { SET_TOKEN = 0x40, TOKEN_AND_DISTANCE = 0x80 };

static unsigned char *read_file(const char *path, size_t *size)
{
    enum { LARGEST = 1 << 24 };
    FILE *file = fopen(path, "rb");
    unsigned char *bytes = malloc(LARGEST);
    if (file == NULL || bytes == NULL) {
        perror(path);
        exit(2);
    }
    *size = fread(bytes, 1, LARGEST, file);
    fclose(file);
    return bytes;
}

/* Bits 15:8 of an instruction without the waits. */
static uint32_t without_waits(uint32_t opcode, uint32_t bits)
{
    bool sets = opcode == OPCODE_SEND || opcode == OPCODE_SENDC || opcode == OPCODE_MATH;
    if (sets && (bits & TOKEN_AND_DISTANCE || (bits & 0xf0) == SET_TOKEN))
        return SET_TOKEN | (bits & 0xf);
    return 0;
}

/* The number of waits that were removed. */
static unsigned spoil(unsigned char *code, size_t size)
{
    unsigned removed = 0;
    for (size_t at = 0; at + 8 <= size;) {
        uint32_t first;
        memcpy(&first, code + at, sizeof first);
        uint32_t bits = first >> 8 & 0xff, kept = without_waits(first & 0x7f, bits);
        removed += kept != bits;
        code[at + 1] = (unsigned char)kept;
        at += first & COMPACTED ? 8 : 16;
    }
    return removed;
}

static unsigned spoil_sections(unsigned char *bytes, size_t size)
{
    Elf64_Ehdr head;
    unsigned removed = 0;
    if (size < sizeof head)
        return 0;
    memcpy(&head, bytes, sizeof head);
    for (size_t s = 0; s < head.e_shnum && head.e_shoff + (s + 1) * sizeof(Elf64_Shdr) <= size; s++) {
        Elf64_Shdr section;
        memcpy(&section, bytes + head.e_shoff + s * sizeof section, sizeof section);
        bool is_code = section.sh_type == SHT_PROGBITS && section.sh_flags & SHF_EXECINSTR;
        if (is_code && section.sh_offset <= size && section.sh_size <= size - section.sh_offset)
            removed += spoil(bytes + section.sh_offset, section.sh_size);
    }
    return removed;
}

int main(int argc, char **argv)
{
    size_t size;
    if (argc != 3) {
        fprintf(stderr, "usage: remove_waits IN.bin OUT.bin\n");
        return 2;
    }
    unsigned char *bytes = read_file(argv[1], &size);
    unsigned removed = spoil_sections(bytes, size);
    FILE *out = fopen(argv[2], "wb");
    bool written = out != NULL && fwrite(bytes, 1, size, out) == size;
    written = out != NULL && fclose(out) == 0 && written;
    free(bytes);
    printf("%u waits removed\n", removed);
    return removed > 0 && written ? 0 : 1;
}
