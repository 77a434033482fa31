/* Lists operand types, and converts between formats that C compilers do not have. */
#ifndef CMKIT_SIM_EU_TYPES_H
#define CMKIT_SIM_EU_TYPES_H

#include <stdbool.h>
#include <stdint.h>
#include "tables/platforms.h"

enum eu_type {
#define EU_TYPE(ID, ...) EU_##ID,
#include "sim/eu/types.def"
#undef EU_TYPE
    EU_TYPES,
    EU_NO_TYPE = EU_TYPES
};

enum { EU_NO_FEATURE = -1 };

enum eu_domain { EU_INTEGER, EU_SINGLE, EU_DOUBLE };

struct eu_type_info {
    const char *name;
    int iga;
    unsigned bytes;
    enum eu_domain domain;
    unsigned first_generation, last_generation;
    int feature;
};

extern const struct eu_type_info eu_type_table[EU_TYPES];

/* True if the platform has operands of the type. */
bool eu_platform_has_type(const struct platform *platform, unsigned type);

/* The type with the decoder's number, EU_NO_TYPE if no simulated part has it. */
enum eu_type eu_type_of_iga(uint32_t iga);

static inline bool eu_type_is_signed(enum eu_type type)
{
    return type == EU_B || type == EU_W || type == EU_D || type == EU_Q || type == EU_V;
}

/* Rounding modes, with the values of cr0's field. */
enum eu_rounding { EU_ROUND_EVEN, EU_ROUND_UP, EU_ROUND_DOWN, EU_ROUND_ZERO };

float eu_half_to_float(uint16_t half);

/* Rounds once, from the exact value of the double, so that half arithmetic may be computed in float or double.
 * keep_denormals false flushes a subnormal result to zero with its sign. */
uint16_t eu_half_from_double(double value, enum eu_rounding rounding, bool keep_denormals);

/* bfloat16: the upper half of a float. Rounded to nearest even; NaNs stay NaNs. */
float eu_bfloat_to_float(uint16_t bits);
uint16_t eu_bfloat_from_float(float value);

/* The restricted 8-bit float of a vf immediate: sign, 3 bits exponent (bias 3), 4 bits fraction; 0x00 and 0x80 are
 * zeros. */
float eu_restricted_float(uint8_t bits);

#endif
