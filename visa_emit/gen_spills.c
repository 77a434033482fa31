/* Reads spills and fills in the listing: see gen_spills.h. The finalizer says in the comments of these messages where
 * in scratch memory they begin:
 *
 *     sends (16|M0) null:uw r97 r19 0x8A 0x020F1000 // wr:1h+2, rd:0; scratch space spill: V from offset[0x32]
 *     send.dc0 (16|M0) r1 r0 null:0 0x0 0x021C1000 // wr:1h+0, rd:1; scratch space fill: V from offset[2x32]
 *     store.ugm.d32x16t.a32 (1|M0) ss[a0.2][r104:1-0xFF80] r1:2 // spill to offset[2*64] of V
 *     load.ugm.d32x32t.a32 (1|M0) r19:2 ss[a0.2][r104:1-0x10000] // fill from offset[0*64] of V
 *
 * For a frame of the stack they begin at its start:
 *
 *     sends (16|M0) null:uw r126 r5 0x8A 0x020A03FF // wr:1h+2, rd:0; oword block write x4 // stack spill: V to
 * FP[2x32] load.ugm.d32x16t.a32 (1|M0) r3:2 ss[a0.2][r126:1] // fill from FP[2*32] of V */
#include "visa_emit/gen_spills.h"

#include <stdio.h>
#include <string.h>

enum { LINE_BYTES = 400 };

static const char *skip_operand(const char *at)
{
    at += strspn(at, " \t");
    return at + strcspn(at, " \t");
}

/* Finds the registers that a message moves: the destination of a read, the last payload of a write. Where the listing
 * gives no number behind a colon, the comment counts them. */
static bool read_registers(const char *line, bool is_write, unsigned *first, unsigned *count)
{
    const char *lanes = strchr(line, '|'), *at = lanes ? strchr(lanes, ')') : NULL, *sizes = strstr(line, "wr:");
    const char *counted = sizes && is_write ? strchr(sizes, '+') : sizes ? strstr(sizes, "rd:") : NULL;
    if (!at)
        return false;
    at++;
    const char *comment = strstr(at, "//"), *place = comment ? memrchr(at, ']', (size_t)(comment - at)) : NULL;
    if (is_write)
        at = place ? place + 1 : skip_operand(skip_operand(at));
    if (sscanf(at, " r%u:%u", first, count) == 2)
        return true;
    return counted && sscanf(at, " r%u", first) == 1 && sscanf(counted, is_write ? "+%u" : "rd:%u", count) == 1;
}

struct gen_spill gen_spill_of(const char *text, size_t length, unsigned register_bytes)
{
    static const struct gen_spill none = {.kind = GEN_SPILL_NONE};
    char line[LINE_BYTES], times;
    if (length >= sizeof line)
        return none;
    memcpy(line, text, length);
    line[length] = 0;
    const char *comment = strstr(line, "//"), *offset = comment ? strstr(comment, " offset[") : NULL;
    const char *frame = comment ? strstr(comment, " FP[") : NULL, *place = frame ? frame : offset;
    unsigned number, unit, count;
    if (!place || sscanf(strchr(place, '['), "[%u%c%u]", &number, &times, &unit) != 3)
        return none;
    struct gen_spill spill = {.kind = GEN_SPILL_READ, .low = number * unit, .is_in_frame = frame != NULL};
    if (strstr(comment, " spill: ") || strstr(comment, " spill to "))
        spill.kind = GEN_SPILL_WRITE;
    else if (!strstr(comment, " fill: ") && !strstr(comment, " fill from "))
        return none;
    if (!read_registers(line, spill.kind == GEN_SPILL_WRITE, &spill.first, &count))
        return none;
    spill.high = spill.low + count * register_bytes;
    return spill;
}
