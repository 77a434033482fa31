/* Accesses operands at run time: registers to lanes and back. */
#ifndef CMKIT_SIM_EU_OPERAND_H
#define CMKIT_SIM_EU_OPERAND_H

#include "sim/eu/alu.h"

/* Computes the byte distance of a lane from its operand's first element. This is the only place with region arithmetic.
 */
static inline uint32_t eu_region_offset(const struct eu_operand *operand, unsigned lane)
{
    return (lane >> operand->width_log2) * operand->vstride +
           (lane & ((1u << operand->width_log2) - 1)) * operand->hstride;
}

/* Reads source `s` into alu->src[s] in alu->domain, modifiers applied. Faults (alu->thread) when an indirect address
 * leaves the register file. */
void eu_read_source(struct eu_alu *alu, unsigned s);

/* Reads `lanes` lanes of `operand`'s type at its place into integers or floats (no modifiers): the implicit accumulator
 * source uses it too. */
void eu_read_lanes(struct eu_thread *thread, const struct eu_operand *operand, const uint8_t *base, unsigned lanes,
                   enum eu_domain domain, union eu_lanes *out);

/* Converts alu->out to the destination's type and saturates if the instruction does; halves become integers of their
 * bits. */
void eu_convert_result(struct eu_alu *alu);
/* Writes the enabled lanes of the converted result. */
void eu_write_destination(struct eu_alu *alu);

/* Returns the implicit accumulator operand, which instructions do not name. */
struct eu_operand eu_implicit_accumulator(const struct eu_alu *alu);

/* Writes lanes into the accumulator at its channel position, as the instruction's destination type. */
void eu_write_accumulator(struct eu_alu *alu, const union eu_lanes *lanes);
void eu_read_accumulator(struct eu_alu *alu);

#endif
