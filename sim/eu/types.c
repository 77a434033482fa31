#include "sim/eu/types.h"
#include "sim/eu/iga_c.h"

#include <assert.h>
#include <math.h>
#include <string.h>

const struct eu_type_info eu_type_table[EU_TYPES] = {
#define EU_TYPE(ID, NAME, IGA, BYTES, DOMAIN, FIRST, LAST, FEATURE)                                                    \
    {NAME, IGA_TYPE_##IGA, BYTES, EU_##DOMAIN, FIRST, LAST, FEATURE},
#include "sim/eu/types.def"
#undef EU_TYPE
};

bool eu_platform_has_type(const struct platform *platform, unsigned type)
{
    const struct eu_type_info *info = &eu_type_table[type];
    return platform_between(platform, info->first_generation, info->last_generation) &&
           (info->feature == EU_NO_FEATURE || platform_has(platform, (enum feature_id)info->feature));
}

enum eu_type eu_type_of_iga(uint32_t iga)
{
    for (unsigned type = 0; type < EU_TYPES; type++)
        if ((uint32_t)eu_type_table[type].iga == iga)
            return (enum eu_type)type;
    return EU_NO_TYPE;
}

float eu_half_to_float(uint16_t half)
{
    uint32_t sign = (uint32_t)(half & 0x8000) << 16;
    uint32_t exponent = half >> 10 & 0x1f;
    uint32_t fraction = half & 0x3ff;
    uint32_t bits;
    float value;
    if (exponent == 0) { /* zero or subnormal: the fraction counts steps of 2^-24 */
        value = (float)fraction * 0x1p-24f;
        return sign ? -value : value;
    }
    if (exponent == 31)
        bits = sign | 0x7f800000u | fraction << 13;
    else
        bits = sign | (exponent + 112) << 23 | fraction << 13;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Rounds `magnitude` (>= 0), in units of the last place, to an integer as `rounding` requires for a number of this
 * sign. */
static double round_units(double magnitude, bool negative, enum eu_rounding rounding)
{
    double low = floor(magnitude);
    double rest = magnitude - low;
    bool up;
    if (rounding == EU_ROUND_EVEN)
        up = rest > 0.5 || (rest == 0.5 && fmod(low, 2.0) != 0.0);
    else if (rounding == EU_ROUND_ZERO)
        up = false;
    else
        up = rest > 0 && (rounding == EU_ROUND_UP) != negative;
    return up ? low + 1 : low;
}

uint16_t eu_half_from_double(double value, enum eu_rounding rounding, bool keep_denormals)
{
    assert((unsigned)rounding <= EU_ROUND_ZERO);
    bool negative = signbit(value);
    uint16_t sign = negative ? 0x8000 : 0;
    double magnitude = fabs(value);
    if (isnan(value))
        return sign | 0x7e00;
    if (isinf(value))
        return sign | 0x7c00;
    int exponent = magnitude < 0x1p-14 ? -14 : ilogb(magnitude);
    if (magnitude >= 0x1p17)
        exponent = 17;
    double units = round_units(ldexp(magnitude, 10 - exponent), negative, rounding);
    if (units >= 2048) { /* rounding carried into the next binade */
        exponent++;
        units /= 2;
    }
    if (exponent > 15) { /* too large: infinity, or the largest number when rounding points towards zero */
        bool to_infinity = rounding == EU_ROUND_EVEN || (rounding == EU_ROUND_UP && !negative) ||
                           (rounding == EU_ROUND_DOWN && negative);
        return sign | (to_infinity ? 0x7c00 : 0x7bff);
    }
    uint16_t integer = (uint16_t)units;
    if (integer < 1024) /* subnormal or zero */
        return sign | (keep_denormals ? integer : 0);
    return sign | (uint16_t)((exponent + 15) << 10) | (integer & 0x3ff);
}

float eu_bfloat_to_float(uint16_t bits)
{
    uint32_t wide = (uint32_t)bits << 16;
    float value;
    memcpy(&value, &wide, sizeof value);
    return value;
}

uint16_t eu_bfloat_from_float(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    if (isnan(value))
        return (uint16_t)(bits >> 16 | 0x40);
    return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

float eu_restricted_float(uint8_t bits)
{
    if ((bits & 0x7f) == 0)
        return bits ? -0.0f : 0.0f;
    float value = ldexpf(1.0f + (float)(bits & 0xf) / 16.0f, (bits >> 4 & 7) - 3);
    return bits & 0x80 ? -value : value;
}
