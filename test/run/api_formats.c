/* The table of formats of api.c, and its conversions. */
#include "test/run/api_formats.h"

#include <math.h>
#include <string.h>

#define EVEN(NAME, KIND, ORDER, BITS)                                                                                  \
    {                                                                                                                  \
        NAME, KIND, ORDER,                                                                                             \
        {                                                                                                              \
            BITS, BITS, BITS, BITS                                                                                     \
        }                                                                                                              \
    }

static const struct api_format formats[] = {
    EVEN("r8", 'n', "R", 8),
    EVEN("r8u", 'u', "R", 8),
    EVEN("r8i", 'i', "R", 8),
    EVEN("r8s", 's', "R", 8),
    EVEN("rg8", 'n', "RG", 8),
    EVEN("rg8u", 'u', "RG", 8),
    EVEN("rg8i", 'i', "RG", 8),
    EVEN("rg8s", 's', "RG", 8),
    EVEN("rgba8", 'n', "RGBA", 8),
    EVEN("rgba8u", 'u', "RGBA", 8),
    EVEN("rgba8i", 'i', "RGBA", 8),
    EVEN("rgba8s", 's', "RGBA", 8),
    EVEN("r16", 'n', "R", 16),
    EVEN("r16u", 'u', "R", 16),
    EVEN("r16i", 'i', "R", 16),
    EVEN("r16s", 's', "R", 16),
    EVEN("r16f", 'f', "R", 16),
    EVEN("rg16", 'n', "RG", 16),
    EVEN("rg16u", 'u', "RG", 16),
    EVEN("rg16i", 'i', "RG", 16),
    EVEN("rg16s", 's', "RG", 16),
    EVEN("rg16f", 'f', "RG", 16),
    EVEN("rgba16", 'n', "RGBA", 16),
    EVEN("rgba16u", 'u', "RGBA", 16),
    EVEN("rgba16i", 'i', "RGBA", 16),
    EVEN("rgba16s", 's', "RGBA", 16),
    EVEN("rgba16f", 'f', "RGBA", 16),
    EVEN("r32u", 'u', "R", 32),
    EVEN("r32i", 'i', "R", 32),
    EVEN("r32f", 'f', "R", 32),
    EVEN("rg32u", 'u', "RG", 32),
    EVEN("rg32i", 'i', "RG", 32),
    EVEN("rg32f", 'f', "RG", 32),
    EVEN("rgba32u", 'u', "RGBA", 32),
    EVEN("rgba32i", 'i', "RGBA", 32),
    EVEN("rgba32f", 'f', "RGBA", 32),
    {"rgb10a2", 'n', "RGBA", {10, 10, 10, 2}},
    {"rgb10a2u", 'u', "RGBA", {10, 10, 10, 2}},
    {"r11g11b10f", 'f', "RGB", {11, 11, 10}},
    {"b5g6r5", 'n', "BGR", {5, 6, 5}},
    {"bgr5a1", 'n', "BGRA", {5, 5, 5, 1}},
    {"bgra4", 'n', "BGRA", {4, 4, 4, 4}},
};

const int api_format_count = sizeof formats / sizeof *formats;

const struct api_format *api_format_find(const char *name)
{
    for (int i = 0; i < api_format_count; i++)
        if (strcmp(formats[i].name, name) == 0)
            return &formats[i];
    return NULL;
}

static int mantissa_bits(int bits) /* floats of 10 and 11 bits have no sign; all but the longest 5 bits of exponent */
{
    return bits == 32 ? 23 : bits == 16 ? 10 : bits - 5;
}

void api_format_sample(const struct api_format *format, unsigned x, unsigned char *element)
{
    int low = 0;
    for (int field = 0; format->order[field]; low += format->bits[field++]) {
        int bits = format->bits[field];
        uint32_t value = (x + 1) * 0x9e3779b1u + (uint32_t)field * 0x85ebca6bu;
        value >>= 32 - bits;
        if (format->kind == 'f') { /* an exponent near 1 */
            int mantissa = mantissa_bits(bits), exponents = bits == 32 ? 8 : 5;
            value &= ~(((1u << exponents) - 1) << mantissa);
            value |= ((1u << (exponents - 1)) - 1 + x % 3) << mantissa;
        }
        for (int i = 0; i < bits; i++) {
            int at = low + i, bit = 1 << at % 8;
            element[at / 8] = (unsigned char)(value >> i & 1 ? element[at / 8] | bit : element[at / 8] & ~bit);
        }
    }
}

static uint32_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static uint32_t float_channel(uint32_t field, int bits)
{
    int mantissa = mantissa_bits(bits);
    if (bits == 32)
        return field;
    float value = ldexpf((float)((field & ((1u << mantissa) - 1)) | 1u << mantissa),
                         (int)(field >> mantissa & 31) - 15 - mantissa);
    return bits_of(bits == 16 && field >> 15 ? -value : value);
}

static uint32_t channel_of(char kind, uint32_t field, int bits)
{
    int32_t integer = (int32_t)(field << (32 - bits)) >> (32 - bits);
    switch (kind) {
    case 'u': return field;
    case 'i': return (uint32_t)integer;
    case 'n': return bits_of((float)(field / (ldexp(1, bits) - 1)));
    case 's': return bits_of((float)fmax(-1, integer / (ldexp(1, bits - 1) - 1)));
    default: return float_channel(field, bits);
    }
}

void api_format_decode(const struct api_format *format, const unsigned char *element, uint32_t channels[4])
{
    int low = 0;
    channels[0] = channels[1] = channels[2] = 0;
    channels[3] = format->kind == 'u' || format->kind == 'i' ? 1 : bits_of(1);
    for (int field = 0; format->order[field]; low += format->bits[field++]) {
        uint32_t value = 0;
        for (int i = 0; i < format->bits[field]; i++)
            value |= (uint32_t)(element[(low + i) / 8] >> (low + i) % 8 & 1) << i;
        size_t channel = (size_t)(strchr("RGBA", format->order[field]) - "RGBA");
        channels[channel] = channel_of(format->kind, value, format->bits[field]);
    }
}

int api_format_same(const struct api_format *format, const uint32_t wanted[4], const uint32_t got[4])
{
    for (int c = 0; c < 4; c++) {
        float want, have;
        memcpy(&want, &wanted[c], sizeof want);
        memcpy(&have, &got[c], sizeof have);
        int fraction = format->kind == 'n' || format->kind == 's';
        if (fraction ? !(fabsf(want - have) <= 1e-6f) : wanted[c] != got[c])
            return 0;
    }
    return 1;
}
