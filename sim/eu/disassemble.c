/* Disassembles one instruction through libiga64. */
#include <assert.h>
#include <string.h>
#include "sim/eu/iga_c.h"
#include "sim/eu/instruction.h"

/* Bit 29 marks the compacted form. */
unsigned eu_instruction_bytes(const uint8_t *code, size_t available)
{
    assert(code || !available);
    if (available < 8)
        return 0;
    unsigned bytes = code[3] & 0x20 ? 8 : 16;
    return bytes <= available ? bytes : 0;
}

void eu_disassemble(const struct platform *platform, const uint8_t *code, size_t available, char *text, size_t size)
{
    assert(text && size);
    unsigned bytes = eu_instruction_bytes(code, available);
    int status;
    kv_t *kv = bytes ? iga_view_create(platform, code, bytes, &status, NULL, 0) : NULL;
    text[0] = 0;
    if (kv != NULL) {
        kv_get_inst_syntax(kv, 0, text, size, 0, NULL, NULL);
        kv_delete(kv);
    }
    size_t end = strlen(text);
    while (end > 0 && (text[end - 1] == ' ' || text[end - 1] == '\n'))
        text[--end] = 0;
    if (end == 0 && bytes >= 8)
        snprintf(text, size, "bits %02x%02x%02x%02x %02x%02x%02x%02x", code[7], code[6], code[5], code[4], code[3],
                 code[2], code[1], code[0]);
}
