/* Mends numbers in the listing: see gen_numbers.h.
 *
 * A product of dwords is two instructions, of which the second one reads the accumulator:
 *
 *     mul (8|M0)   acc0.0<1>:d  r4.0<1;1,0>:d  r4.0<2;1,0>:uw  // $9
 *     mach (8|M0)  r6.0<1>:d    r4.0<1;1,0>:d  r4.0<1;1,0>:d   // $10, or macl
 *
 * The number of the first one is right. */
#include "visa_emit/gen_numbers.h"

#include <stdio.h>
#include <string.h>
#include "visa_emit/gen_spills.h"
#include "visa_emit/gen_writes.h"

enum { LINE_BYTES = 400 };

static void note_writers(struct gen_numbers *numbers, const struct gen_write *w, unsigned register_bytes,
                         struct gen_mended mended)
{
    if (w->kind == GEN_WRITES_NOTHING)
        return;
    bool known = w->kind == GEN_WRITES_BYTES;
    unsigned from = known ? w->low / register_bytes : 0,
             to = known ? (w->high + register_bytes - 1) / register_bytes : GEN_NUMBERS_REGISTERS;
    for (unsigned k = from; k < to && k < GEN_NUMBERS_REGISTERS; k++)
        numbers->writers[k] = known ? mended : (struct gen_mended){NULL, NULL};
}

/* The first half of a product, or the second one, which has the same lanes and the same first source. */
static const struct visa_instruction *of_product(struct gen_numbers *numbers, const char *line,
                                                 const struct visa_instruction *listed)
{
    char name[GEN_NUMBERS_OPERAND], lanes[GEN_NUMBERS_OPERAND], to[GEN_NUMBERS_OPERAND], source[GEN_NUMBERS_OPERAND];
    const char *at = line + strspn(line, " \t");
    if (*at == '(' && strchr(at, ')'))
        at = strchr(at, ')') + 1;
    if (sscanf(at, " %39[a-z] %39[^)]) %39s %39s", name, lanes, to, source) != 4)
        return listed;
    if (strcmp(name, "mul") == 0 && strncmp(to, "acc", 3) == 0) {
        numbers->product = listed;
        memcpy(numbers->lanes, lanes, sizeof lanes);
        memcpy(numbers->source, source, sizeof source);
    } else if ((strcmp(name, "mach") == 0 || strcmp(name, "macl") == 0) && numbers->product &&
               strcmp(numbers->lanes, lanes) == 0 && strcmp(numbers->source, source) == 0) {
        return numbers->product;
    } else if (strncmp(to, "acc", 3) == 0) {
        numbers->product = NULL;
    }
    return listed;
}

const struct visa_instruction *gen_numbers_mend(struct gen_numbers *numbers, const char *text, size_t length,
                                                unsigned register_bytes, const struct visa_instruction *listed)
{
    char line[LINE_BYTES];
    const struct visa_instruction *from = listed;
    if (length < sizeof line) {
        memcpy(line, text, length);
        line[length] = 0;
        struct gen_spill spill = gen_spill_of(text, length, register_bytes);
        from = of_product(numbers, line, listed);
        if (spill.kind == GEN_SPILL_WRITE && spill.first < GEN_NUMBERS_REGISTERS &&
            numbers->writers[spill.first].listed == listed && listed)
            from = numbers->writers[spill.first].made_from;
    }
    struct gen_write w = gen_write_of(text, length, register_bytes);
    struct gen_mended mended = {from != listed ? listed : NULL, from != listed ? from : NULL};
    note_writers(numbers, &w, register_bytes, mended);
    return from;
}
