/* Finds the relocations of string addresses in Gen code. The finalizer reports no relocations, but it keeps the numbers
 * that visa_string_base() chose as immediates of instructions. This code searches for them. */
#include <stdlib.h>
#include "visa_emit/string_relocations.h"

enum {
    INSTRUCTION_BYTES = 16,
    COMPACTED_BYTES = 8,
    COMPACTED_BIT = 29, /* of an instruction's first dword, on every platform */
    FIRST_IMMEDIATE = 8,
    LAST_IMMEDIATE = 12 /* bytes: a dword immediate is at the last offset, a qword at both */
};

static uint32_t dword_at(const uint8_t *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

size_t string_relocations_find(const struct gen_code *code, uint32_t base, size_t strings,
                               struct string_relocation **places)
{
    size_t count = 0, capacity = 0;
    *places = NULL;
    for (size_t at = 0; strings && at + COMPACTED_BYTES <= code->size;) {
        bool compacted = dword_at(code->code + at) >> COMPACTED_BIT & 1;
        if (!compacted && at + INSTRUCTION_BYTES > code->size)
            break;
        for (size_t byte = FIRST_IMMEDIATE; !compacted && byte <= LAST_IMMEDIATE; byte += 4) {
            uint32_t number = dword_at(code->code + at + byte) - base;
            if (number >= 2 * strings)
                continue;
            if (count == capacity) {
                capacity = capacity ? 2 * capacity : 8;
                struct string_relocation *larger = realloc(*places, capacity * sizeof **places);
                if (!larger) {
                    free(*places);
                    *places = NULL;
                    return 0;
                }
                *places = larger;
            }
            (*places)[count++] = (struct string_relocation){at + byte, number / 2, number % 2};
        }
        at += compacted ? COMPACTED_BYTES : INSTRUCTION_BYTES;
    }
    return count;
}
