/* Products of matrices: dpas. */
#ifndef CMKIT_SIM_EU_DPAS_H
#define CMKIT_SIM_EU_DPAS_H

#include "sim/eu/instruction.h"

/* Checks that the platform has a product of this shape and of these types. Returns NULL, or what is wrong. */
const char *eu_check_dpas(const struct platform *platform, const struct eu_instruction *in);

/* Bytes from the first of its operand on that the instruction reads (source 0 to 2) or writes (-1). */
unsigned eu_dpas_bytes(const struct platform *platform, const struct eu_instruction *in, int source);

#endif
