/* Decodes the operands of one instruction from a kernel view that holds only that instruction (at byte 0). False: the
 * simulated platforms do not have this operand. Payloads of sends have no region and sometimes no type. */
#ifndef CMKIT_SIM_EU_OPERAND_DECODE_H
#define CMKIT_SIM_EU_OPERAND_DECODE_H

#include "sim/eu/iga_c.h"
#include "sim/eu/instruction.h"

bool eu_decode_source(const struct platform *platform, const kv_t *kv, unsigned source, unsigned exec_size,
                      bool is_payload, struct eu_operand *operand);
bool eu_decode_destination(const struct platform *platform, const kv_t *kv, bool is_payload,
                           struct eu_operand *operand);

/* eu_check_fields() for compacted instructions. */
const char *eu_check_compacted(const struct platform *platform, const uint8_t *code, const struct eu_instruction *in);

#endif
