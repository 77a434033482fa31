/* Converts pixels to channels and back, driven by tables/surface_formats.def. */
#include "sim/message/format.h"
#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

/* Formats by number, which has nine bits in a surface state. Every access to an image uses this table. */
static const struct surface_format formats[512] = {
#define SURFACE_FORMAT(NUMBER, NAME, KIND, B0, B1, B2, B3, ORDER)                                                      \
    [NUMBER] = {NUMBER, NAME, FORMAT_##KIND, {B0, B1, B2, B3}, ORDER, ((B0) + (B1) + (B2) + (B3)) / 8},
#include "tables/surface_formats.def"
};

const struct surface_format *format_find(uint32_t number)
{
    if (number >= sizeof formats / sizeof formats[0] || !formats[number].name)
        return NULL;
    return &formats[number];
}

bool format_is_writable(const struct surface_format *format)
{
    return format->kind < FORMAT_RAW;
}

bool format_is_integer(const struct surface_format *format)
{
    return format->kind == FORMAT_UINT || format->kind == FORMAT_SINT;
}

float format_float_of(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

uint32_t format_bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

float format_float_of_half(uint16_t half)
{
    uint32_t sign = (uint32_t)(half & 0x8000) << 16, exponent = half >> 10 & 31, fraction = half & 0x3ff;
    if (exponent == 31)
        return format_float_of(sign | 0x7f800000 | fraction << 13);
    if (exponent == 0) {
        float value = ldexpf((float)fraction, -24);
        return sign ? -value : value;
    }
    return format_float_of(sign | (exponent + 112) << 23 | fraction << 13);
}

uint16_t format_half_of(float value)
{
    uint32_t bits = format_bits_of(value);
    uint16_t sign = (uint16_t)(bits >> 16 & 0x8000);
    float magnitude = fabsf(value);
    if (isnan(value))
        return (uint16_t)(sign | 0x7e00 | (bits >> 13 & 0x3ff));
    if (magnitude >= 65520.0f) /* halfway between the largest half and the next */
        return sign | 0x7c00;
    if (magnitude < 0x1p-14f) /* denormal: a multiple of 2^-24 */
        return (uint16_t)(sign | (uint16_t)lrintf(magnitude * 0x1p24f));
    uint32_t rounded = (bits & 0x7fffffff) + 0xfff + (bits >> 13 & 1);
    return (uint16_t)(sign | ((rounded >> 13) - (112 << 10)));
}

/* Returns a float of `count` bits: no sign, five bits of exponent. Rounds to nearest even; negative values become 0. */
static uint32_t short_float_of(float value, unsigned count)
{
    int mantissa = (int)count - 5, exponent;
    uint32_t infinity = 31u << mantissa;
    if (isnan(value))
        return infinity | 1u << (mantissa - 1);
    if (value <= 0)
        return 0;
    if (value >= 65536)
        return infinity;
    frexpf(value, &exponent); /* [0.5, 1) * 2^exponent */
    exponent = exponent - 1 < -14 ? -14 : exponent - 1;
    uint32_t rounded =
        (uint32_t)lrintf(ldexpf(value, mantissa - exponent)); /* with the leading one, except for denormals */
    return rounded + ((uint32_t)(exponent + 14) << mantissa);
}

/* Most fields are whole bytes; only packed formats have others. */
static bool is_bytes(unsigned low, unsigned count)
{
    return low % 8 == 0 && (count == 8 || count == 16 || count == 32);
}

static uint32_t field_read(const uint8_t *memory, unsigned low, unsigned count)
{
    uint64_t value = 0;
    unsigned first = low / 8, last = (low + count - 1) / 8;
    if (is_bytes(low, count) && count == 8)
        return memory[first];
    if (is_bytes(low, count) && count == 32) {
        uint32_t dword;
        memcpy(&dword, memory + first, sizeof dword);
        return dword;
    }
    for (unsigned i = first; i <= last; i++)
        value |= (uint64_t)memory[i] << (i - first) * 8;
    return (uint32_t)(value >> low % 8 & ((UINT64_C(1) << count) - 1));
}

static void field_write(uint8_t *memory, unsigned low, unsigned count, uint32_t field)
{
    if (is_bytes(low, count)) {
        memcpy(memory + low / 8, &field, count / 8);
        return;
    }
    for (unsigned i = 0; i < count; i++) {
        unsigned at = low + i;
        unsigned bit = 1u << at % 8;
        memory[at / 8] = (uint8_t)(field >> i & 1 ? memory[at / 8] | bit : memory[at / 8] & ~bit);
    }
}

static float linear_of_srgb(float value)
{
    return value <= 0.04045f ? value / 12.92f : powf((value + 0.055f) / 1.055f, 2.4f);
}

static float srgb_of_linear(float value)
{
    return value <= 0.0031308f ? value * 12.92f : 1.055f * powf(value, 1 / 2.4f) - 0.055f;
}

static int32_t sign_extend(uint32_t field, unsigned count)
{
    return (int32_t)(field << (32 - count)) >> (32 - count);
}

static uint32_t decode_field(enum format_kind kind, uint32_t field, unsigned count, bool is_alpha)
{
    float value;
    switch (kind) {
    case FORMAT_FLOAT: /* shorter ones are halves without the sign and the last bits */
        return count == 32
                   ? field
                   : format_bits_of(format_float_of_half((uint16_t)(count == 16 ? field : field << (15 - count))));
    case FORMAT_UNORM: return format_bits_of((float)((double)field / (double)((UINT64_C(1) << count) - 1)));
    case FORMAT_SRGB:
        value = (float)field / (float)((1u << count) - 1);
        return format_bits_of(is_alpha ? value : linear_of_srgb(value));
    case FORMAT_SNORM:
        value = (float)((double)sign_extend(field, count) / ((UINT64_C(1) << (count - 1)) - 1));
        return format_bits_of(value < -1 ? -1 : value);
    case FORMAT_SINT: return (uint32_t)sign_extend(field, count);
    default: return field;
    }
}

/* Returns `value` as an integer in [low, high], rounded to nearest even; 0 for NaN. */
static int64_t clamp_round(double value, double low, double high)
{
    if (!(value == value))
        return 0;
    return llrint(value < low ? low : value > high ? high : value);
}

/* Rounds the product to a float first, as OpenCL's reference conversion does. */
static uint32_t encode_field(enum format_kind kind, uint32_t channel, unsigned count, bool is_alpha)
{
    uint32_t most = (uint32_t)((UINT64_C(1) << count) - 1);
    int32_t signed_most = (int32_t)(most >> 1);
    float value = format_float_of(channel);
    switch (kind) {
    case FORMAT_FLOAT:
        return count == 32 ? channel : count == 16 ? format_half_of(value) : short_float_of(value, count);
    case FORMAT_SRGB:
        if (!is_alpha)
            value = srgb_of_linear(value < 0 ? 0 : value); /* fall through */
    case FORMAT_UNORM: return (uint32_t)clamp_round(value * (float)most, 0, most);
    case FORMAT_SNORM: return (uint32_t)clamp_round(value * (float)signed_most, -signed_most, signed_most) & most;
    case FORMAT_UINT: return channel > most ? most : channel;
    case FORMAT_SINT:
        if ((int32_t)channel > signed_most)
            return (uint32_t)signed_most;
        if ((int32_t)channel < -signed_most - 1)
            return (uint32_t)(-signed_most - 1) & most;
        return channel & most;
    default: return channel & most;
    }
}

void format_read(const struct surface_format *format, const uint8_t *memory, uint32_t channels[4])
{
    assert(format && memory);
    channels[0] = channels[1] = channels[2] = 0;
    channels[3] = format_is_integer(format) ? 1 : format_bits_of(1.0f);
    for (unsigned field = 0, low = 0; field < 4 && format->bits[field] != 0; low += format->bits[field++]) {
        unsigned count = format->bits[field];
        char holds = format->order[field];
        uint32_t value = decode_field(format->kind, field_read(memory, low, count), count, holds == 'A');
        switch (holds) {
        case 'R': channels[0] = value; break;
        case 'G': channels[1] = value; break;
        case 'B': channels[2] = value; break;
        case 'A': channels[3] = value; break;
        case 'I': channels[3] = value; /* fall through */
        case 'L': channels[0] = channels[1] = channels[2] = value; break;
        default: break;
        }
    }
}

/* Returns the index of the channel that the field named `holds` is written from; 4: none. */
static unsigned channel_of(char holds)
{
    switch (holds) {
    case 'R':
    case 'I':
    case 'L': return 0;
    case 'G': return 1;
    case 'B': return 2;
    case 'A': return 3;
    default: return 4;
    }
}

bool format_writes_exactly(const struct surface_format *format, const uint32_t channels[4])
{
    if (format->kind != FORMAT_FLOAT || format->bits[0] >= 16)
        return true;
    for (unsigned field = 0; field < 4 && format->bits[field] != 0; field++) {
        unsigned count = format->bits[field];
        uint32_t channel = channels[channel_of(format->order[field])];
        if (decode_field(FORMAT_FLOAT, short_float_of(format_float_of(channel), count), count, false) != channel)
            return false;
    }
    return true;
}

void format_write(const struct surface_format *format, uint8_t *memory, const uint32_t channels[4])
{
    assert(format && memory);
    for (unsigned field = 0, low = 0; field < 4 && format->bits[field] != 0; low += format->bits[field++]) {
        unsigned count = format->bits[field], channel = channel_of(format->order[field]);
        uint32_t value = channel < 4 ? encode_field(format->kind, channels[channel], count, channel == 3) : 0;
        field_write(memory, low, count, value);
    }
}
