/* Computes instructions independently of sim/eu/, of which it uses only the names of types: with 128-bit integers, and
 * the compiler's float, double and _Float16. */
#ifndef CMKIT_TEST_REFERENCE_MODEL_H
#define CMKIT_TEST_REFERENCE_MODEL_H

#include <stdbool.h>
#include <stdint.h>
#include "sim/eu/types.h"

/* Corner value `index` of a type: limits, signs, infinities, NaN, denormals, shift counts past the width; false at the
 * end. */
bool model_corner(enum eu_type type, unsigned index, uint64_t *bits);

/* Returns the accumulator's value before an instruction with this destination: 1.5 for float types, 3 for integers. */
uint64_t model_accumulator(enum eu_type dst);

/* The result of `mnemonic` with all sources of type `src`, round to nearest, denormals kept; false when the reference
 * model does not know it. values[3] is the accumulator's. cmp, cmpn, sel and csel: condition lt; csel compares source 2
 * with zero. mach does not write the accumulator. */
bool model_value(const char *mnemonic, enum eu_type dst, enum eu_type src, bool saturate, const uint64_t values[4],
                 uint64_t *result);

/* Equal bits of the type, or two NaNs. */
bool model_agrees(enum eu_type type, uint64_t wanted, uint64_t got);

#endif
