#include "reference_model.h"

#include <math.h>
#include <string.h>

__extension__ typedef __int128 wide;

static unsigned bits_of(enum eu_type type)
{
    static const unsigned bits[] = {[EU_UB] = 8,  [EU_B] = 8,  [EU_UW] = 16, [EU_W] = 16, [EU_UD] = 32, [EU_D] = 32,
                                    [EU_UQ] = 64, [EU_Q] = 64, [EU_HF] = 16, [EU_F] = 32, [EU_DF] = 64};
    return bits[type];
}

static bool is_float(enum eu_type type)
{
    return type == EU_HF || type == EU_F || type == EU_DF;
}

static bool is_signed(enum eu_type type)
{
    return type == EU_B || type == EU_W || type == EU_D || type == EU_Q;
}

static uint64_t cut(uint64_t bits, enum eu_type type)
{
    return bits_of(type) == 64 ? bits : bits & ((1ull << bits_of(type)) - 1);
}

bool model_corner(enum eu_type type, unsigned index, uint64_t *bits)
{
    static const uint64_t halves[] = {0,      0x8000, 0x3c00, 0xbc00, 0x7bff, 0xfc00,
                                      0x7c00, 0x7e01, 1,      0x83ff, 0x5640, 0x3801};
    static const uint64_t floats[] = {0,          0x80000000, 0x3f800000, 0xbfc00000, 0x7f7fffff,
                                      0xff800000, 0x7f800000, 0x7fc00001, 1,          0x807fffff,
                                      0x4f000000, 0x3effffff, 0x40200000};
    static const uint64_t doubles[] = {0,
                                       1ull << 63,
                                       0x3ff0000000000000,
                                       0xbff8000000000000,
                                       0x7fefffffffffffff,
                                       0xfff0000000000000,
                                       0x7ff0000000000000,
                                       0x7ff8000000000001,
                                       1,
                                       0x800fffffffffffff,
                                       0x41e0000000000000,
                                       0x4004000000000000};
    uint64_t top = is_float(type) ? 0 : 1ull << (bits_of(type) - 1);
    const uint64_t integers[] = {0,   1, 2, 5, 31, 33, 100, top, top - 1, top + 1, ~0ull, ~0ull - 1, 0xaaaaaaaaaaaaaaaa,
                                 0x70};
#define PICK(ARRAY) (index < sizeof(ARRAY) / sizeof *(ARRAY) ? (*bits = cut((ARRAY)[index], type), true) : false)
    if (type == EU_HF)
        return PICK(halves);
    if (type == EU_F)
        return PICK(floats);
    if (type == EU_DF)
        return PICK(doubles);
    return PICK(integers);
#undef PICK
}

static wide integer_of(uint64_t bits, enum eu_type type)
{
    unsigned shift = 64 - bits_of(type);
    return is_signed(type) ? (wide)((int64_t)(bits << shift) >> shift) : (wide)(bits << shift >> shift);
}

static double real_of(uint64_t bits, enum eu_type type)
{
    _Float16 half;
    float single;
    double value;
    uint16_t low = (uint16_t)bits;
    memcpy(&half, &low, sizeof half);
    memcpy(&single, &bits, sizeof single);
    memcpy(&value, &bits, sizeof value);
    return type == EU_HF ? (double)half : type == EU_F ? (double)single : value;
}

static uint64_t bits_of_real(double value, enum eu_type type)
{
    _Float16 half = (_Float16)value;
    float single = (float)value;
    uint64_t bits = 0;
    if (type == EU_HF)
        memcpy(&bits, &half, sizeof half);
    else if (type == EU_F)
        memcpy(&bits, &single, sizeof single);
    else
        memcpy(&bits, &value, sizeof value);
    return bits;
}

static uint64_t store_integer(wide value, enum eu_type dst, bool saturate)
{
    wide one = 1, high = is_signed(dst) ? (one << (bits_of(dst) - 1)) - 1 : (one << bits_of(dst)) - 1;
    wide low = is_signed(dst) ? -(one << (bits_of(dst) - 1)) : 0;
    if (saturate)
        value = value < low ? low : value > high ? high : value;
    return cut((uint64_t)value, dst);
}

static uint64_t store_real(double value, enum eu_type dst, bool saturate)
{
    if (is_float(dst)) {
        if (saturate)
            value = isnan(value) || value <= 0 ? 0 : value > 1 ? 1 : value;
        return bits_of_real(value, dst);
    }
    if (isnan(value))
        return 0;
    value = value > 0x1p70 ? 0x1p70 : value < -0x1p70 ? -0x1p70 : value;
    return store_integer((wide)value, dst, true);
}

uint64_t model_accumulator(enum eu_type dst)
{
    return is_float(dst) ? bits_of_real(1.5, dst) : 3;
}

/* Bit `bit` of the instructions that work on bits, from all of a, b and c; one function, one bit at a time. */
static bool field_bit(const char *name, bool is_signed, uint32_t a, uint32_t b, uint32_t c, unsigned bit)
{
    unsigned width = a & 31, offset = b & 31;
    if (name[2] == 'e') { /* bfe: width, offset, data */
        unsigned from = bit + offset, top = width + offset > 32 ? 31 : width + offset - 1;
        if (width == 0)
            return false;
        if (bit < width && from < 32)
            return c >> from & 1;
        return is_signed && (c >> top & 1);
    }
    if (name[2] == 'r') /* bfrev */
        return a >> (31 - bit) & 1;
    if (name[3] == '1') /* bfi1: width, offset */
        return bit >= offset && bit < offset + width;
    unsigned first = 0; /* bfi2: mask, field, base */
    while (first < 32 && !(a >> first & 1))
        first++;
    return a >> bit & 1 ? b >> (bit - first) & 1 : c >> bit & 1;
}

static bool bits_result(const char *name, enum eu_type dst, enum eu_type src, wide a, wide b, wide c, wide *r)
{
    static const char *const names[] = {"bfe", "bfrev", "bfi1", "bfi2"};
    uint32_t bits = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0) {
            for (unsigned bit = 0; bit < 32; bit++)
                bits |= (uint32_t)field_bit(name, is_signed(src), (uint32_t)a, (uint32_t)b, (uint32_t)c, bit) << bit;
            *r = is_signed(dst) ? (wide)(int32_t)bits : (wide)bits;
            return true;
        }
    if (strcmp(name, "fbh") != 0)
        return false;
    *r = -1;
    for (int bit = 31; bit >= 0 && *r < 0; bit--)
        if (((uint32_t)a >> bit & 1) != (is_signed(src) ? (uint32_t)a >> 31 : 0))
            *r = 31 - bit;
    return true;
}

static wide product_sum(wide sum, uint32_t b, uint32_t c, bool is_signed)
{
    for (unsigned byte = 0; byte < 4; byte++)
        if (is_signed)
            sum += (int8_t)(b >> 8 * byte) * (int8_t)(c >> 8 * byte);
        else
            sum += (uint8_t)(b >> 8 * byte) * (uint8_t)(c >> 8 * byte);
    return sum;
}

/* Integers: the exact value, before it is cut to the destination. */
static bool integer_result(const char *name, enum eu_type dst, enum eu_type src, wide a, wide b, wide c, wide *r)
{
    unsigned bits = bits_of(src);
    uint32_t x = (uint32_t)a, y = (uint32_t)b;
    unsigned count = (unsigned)(b & (bits_of(src) == 64 || bits_of(dst) == 64 ? 63 : 31));
#define IS(NAME) (strcmp(name, NAME) == 0)
    if (IS("mov"))
        *r = a;
    else if (IS("add"))
        *r = a + b;
    else if (IS("mul"))
        *r = a * b;
    else if (IS("mad"))
        *r = a + b * c;
    else if (IS("avg"))
        *r = (a + b + 1) >> 1;
    else if (IS("and"))
        *r = a & b;
    else if (IS("or"))
        *r = a | b;
    else if (IS("xor"))
        *r = a ^ b;
    else if (IS("not"))
        *r = ~a;
    else if (IS("shl"))
        *r = (wide)((unsigned __int128)a << count);
    else if (IS("shr"))
        *r = (wide)(cut((uint64_t)a, src) >> count);
    else if (IS("asr"))
        *r = a >> count;
    else if (IS("rol"))
        *r = (wide)cut((uint64_t)a << (b & (bits - 1)) | (uint64_t)a >> (-b & (bits - 1)), src);
    else if (IS("ror"))
        *r = (wide)cut((uint64_t)a >> (b & (bits - 1)) | (uint64_t)a << (-b & (bits - 1)), src);
    else if (IS("sel"))
        *r = a < b ? a : b;
    else if (IS("mac"))
        *r = 3 + a * b;
    else if (IS("mach") ||
             IS("macl")) /* the upper half of a product whose lower half the accumulator has: without writing it, macl
                          */
        *r = (int32_t)(3 + (uint32_t)((uint32_t)a * (y >> 16)) * 65536u);
    else if (IS("dp4a"))
        *r = product_sum(a, y, (uint32_t)c, is_signed(src));
    else if (IS("cbit"))
        *r = __builtin_popcountll((uint64_t)a);
    else if (IS("lzd") && bits == 32)
        *r = x == 0 ? 32 : __builtin_clz(x);
    else if (IS("fbl"))
        *r = x == 0 ? -1 : __builtin_ctz(x);
    else if (IS("addc"))
        *r = (uint32_t)(x + y);
    else if (IS("subb"))
        *r = (uint32_t)(x - y);
    else if (IS("cmp") || IS("cmpn"))
        *r = a < b ? -1 : 0;
    else if (IS("add3"))
        *r = a + b + c;
    else if (IS("bfn")) /* 0xca: the bits of c choose b, others a */
        *r = (b & c) | (a & ~c);
    else if (IS("csel"))
        *r = c < 0 ? a : b;
    else
        return bits_result(name, dst, src, a, b, c, r);
    return !(IS("addc") && bits != 32) && !(IS("subb") && bits != 32);
}

/* A float rounded to half by random bits, by exact sums: of a, 13 bits of b at a's last bit, and cut at the last bit of
 * the half. */
static double random_rounding(double a, float random)
{
    uint32_t bits;
    memcpy(&bits, &random, sizeof bits);
    if (!isfinite(a) || a == 0)
        return a;
    int last_of_float = (ilogb(a) < -126 ? -126 : ilogb(a)) - 23;
    double sum = fabs(a) + ldexp(bits & 0x1fff, last_of_float);
    int last_of_half = (ilogb(sum) < -14 ? -14 : ilogb(sum)) - 10;
    return copysign(ldexp(floor(ldexp(sum, -last_of_half)), last_of_half), a);
}

static bool real_result(const char *name, enum eu_type src, double a, double b, double c, double *r)
{
    bool single = src != EU_DF;
    if (IS("mov"))
        *r = a;
    else if (IS("add"))
        *r = single ? (double)(float)(a + b) : a + b;
    else if (IS("mul"))
        *r = single ? (double)(float)(a * b) : a * b;
    else if (IS("mad"))
        *r = single ? (double)fmaf((float)b, (float)c, (float)a) : fma(b, c, a);
    else if (IS("mac"))
        *r = single ? (double)fmaf((float)a, (float)b, 1.5f) : fma(a, b, 1.5);
    else if (IS("sel"))
        *r = isnan(a) ? b : isnan(b) ? a : a < b ? a : b;
    else if (IS("csel"))
        *r = c < 0 ? a : b;
    else if (IS("srnd"))
        *r = random_rounding(a, (float)b);
    else if (IS("frc"))
        *r = (double)((float)a - floorf((float)a));
    else if (IS("rndu"))
        *r = ceil(a);
    else if (IS("rndd"))
        *r = floor(a);
    else if (IS("rndz"))
        *r = trunc(a);
    else if (IS("rnde"))
        *r = nearbyint(a);
    else
        return false;
    return true;
#undef IS
}

bool model_value(const char *mnemonic, enum eu_type dst, enum eu_type src, bool saturate, const uint64_t values[4],
                 uint64_t *result)
{
    if (is_float(src)) {
        double a = real_of(values[0], src), b = real_of(values[1], src), c = real_of(values[2], src), r;
        if (strncmp(mnemonic, "cmp", 3) == 0) {
            bool holds = mnemonic[3] == 'n' ? a < b || isnan(b) : a < b;
            *result = cut(holds ? ~0ull : 0, dst);
            return true;
        }
        if (!real_result(mnemonic, src, a, b, c, &r))
            return false;
        /* Equal types without saturation: the bits are copied unchanged. */
        *result = strcmp(mnemonic, "mov") == 0 && dst == src && !saturate ? values[0] : store_real(r, dst, saturate);
        return true;
    }
    wide r;
    if (!integer_result(mnemonic, dst, src, integer_of(values[0], src), integer_of(values[1], src),
                        integer_of(values[2], src), &r))
        return false;
    if (strncmp(mnemonic, "cmp", 3) == 0)
        *result = cut((uint64_t)r, dst);
    else if (is_float(dst) && strcmp(mnemonic, "mov") == 0)
        *result = src == EU_UQ ? store_real((double)(uint64_t)r, dst, saturate) : store_real((double)r, dst, saturate);
    else if (is_float(dst))
        return false;
    else
        *result = store_integer(r, dst, saturate);
    return true;
}

bool model_agrees(enum eu_type type, uint64_t wanted, uint64_t got)
{
    if (is_float(type) && isnan(real_of(wanted, type)))
        return isnan(real_of(got, type));
    return cut(wanted, type) == cut(got, type);
}
