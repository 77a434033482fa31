/* References of the kernels that test arithmetic intrinsics. Right shifts of signed numbers keep the sign (gcc, clang).
 */
#include "elements.h"
#include "reference.h"

#include <fenv.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

static int64_t clamp(int64_t x, int64_t least, int64_t greatest)
{
    return x < least ? least : x > greatest ? greatest : x;
}

static u32 bit_field(u32 width, u32 offset, u32 x, int is_signed)
{
    width &= 31;
    offset &= 31;
    if (width == 0)
        return 0;
    if (width + offset >= 32)
        return is_signed ? (u32)((i32)x >> offset) : x >> offset;
    u32 top = x << (32 - width - offset);
    return is_signed ? (u32)((i32)top >> (32 - width)) : top >> (32 - width);
}

static u32 with_field(u32 width, u32 offset, u32 field, u32 base)
{
    for (u32 bit = 0; bit < (width & 31) && bit + (offset & 31) < 32; bit++) {
        u32 at = (u32)1 << (bit + (offset & 31));
        base = field >> bit & 1 ? base | at : base & ~at;
    }
    return base;
}

static void integers(const void *in, void *out, unsigned thread)
{
    IN(i32, a, 16, thread * 256);
    IN(i32, b, 16, thread * 256 + 64);
    IN(u32, c, 16, thread * 256 + 128);
    IN(u32, d, 16, thread * 256 + 192);
    u32 row[12][16];
    EACH(k, 16)
    {
        u32 sum = c[k] + d[k], more = d[k] + (sum < c[k]);
        int64_t product = (int64_t)a[k] * b[k];
        uint64_t wide = (uint64_t)c[k] * more;
        i32 divisor = b[k] >> 20 | 1;
        row[0][k] = (u32)(((int64_t)a[k] + b[k] + 1) >> 1);
        row[1][k] = (u32)(((uint64_t)c[k] + d[k] + 1) >> 1);
        row[2][k] = 0;
        EACH(byte, 4)
        {
            u32 x = (u32)a[k] >> 8 * byte & 255, y = c[k] >> 8 * byte & 255;
            row[2][k] |= ((x + y + 1) >> 1) << 8 * byte;
        }
        row[3][k] = sum;
        row[4][k] = more - c[k];
        row[5][k] = more < c[k];
        row[6][k] = (u32)(product >> 32);
        row[7][k] = (u32)wide ^ (u32)(wide >> 32);
        row[8][k] = (u32)(a[k] / divisor) * 3 + (u32)(a[k] % divisor);
        row[9][k] = c[k] / 1000 + more % 77;
        row[10][k] = with_field(more & 31, c[k] & 31, (u32)a[k], (u32)b[k]) + with_field(7, 12, 0x155, c[k]);
        row[11][k] = bit_field(more & 31, 3, (u32)a[k], 1) + bit_field(c[k] & 31, more & 31, (u32)b[k], 0);
    }
    OUT(thread * 768, row);
}

static u32 lowest_bit(u32 x)
{
    return x ? (u32)__builtin_ctz(x) : 0xffffffff;
}
static u32 leading_zeros(u32 x)
{
    return x ? (u32)__builtin_clz(x) : 32;
}
static u32 highest_bit(i32 x)
{
    u32 y = x < 0 ? ~(u32)x : (u32)x;
    return y ? (u32)__builtin_clz(y) : 0xffffffff;
}
static u32 reversed(u32 x)
{
    u32 y = 0;
    EACH(bit, 32) y |= (x >> bit & 1) << (31 - bit);
    return y;
}

static void shifts(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(i32, a, 16, 0);
    IN(i32, b, 16, 64);
    IN(i16, w, 32, 0);
    IN(u16, u, 32, 64);
    u8 bytes[768] = {0}, *row = bytes;
    EACH(k, 32) put16(row + 2 * k, (u16)(w[k] >> (u[k] & 7)));
    row += 64;
    EACH(k, 32)
    {
        row[2 * k] = (u8)clamp(w[k] >> 5, 0, 255);
        row[2 * k + 1] = (u8)clamp((i32)u[k] << (u[k] & 7), 0, 255);
    }
    row += 64;
    EACH(k, 32) put16(row + 2 * k, (u16)clamp((u32)w[k] >> 3, 0, 65535));
    row += 64;
    EACH(k, 32) put16(row + 2 * k, (u16)clamp(u[k] >> 2, -32768, 32767));
    row += 64;
    EACH(k, 16) put32(row + 4 * k, a[k] < 0 ? 0 - (u32)a[k] : (u32)a[k]);
    row += 64;
    EACH(k, 32) put16(row + 2 * k, (u16)(w[k] == -32768 ? -32768 : abs(w[k])));
    row += 64;
    EACH(k, 32) put16(row + 2 * k, (u16)clamp(w[k] < u[k] ? w[k] : u[k], 0, 65535));
    row += 64;
    EACH(k, 32)
    {
        row[k] = (u8)clamp(w[k] > u[k] ? w[k] : u[k], -128, 127);
        row[32 + k] = (u8)(w[k] + u[k]);
    }
    row += 64;
    EACH(k, 16) put32(row + 4 * k, (u32)clamp((int64_t)a[k] + b[k], INT32_MIN, INT32_MAX));
    row += 64;
    EACH(k, 16) put32(row + 4 * k, (u32)clamp((int64_t)w[2 * k] * a[k], INT32_MIN, INT32_MAX));
    row += 64;
    u32 ones = (u32)__builtin_popcount((u32)a[4]), r[12] = {((u32)u[3] + 9 + 1) >> 1,
                                                            (u32)(a[2] >> 4),
                                                            (u32)(a[3] > 5 ? a[3] : 5),
                                                            ones,
                                                            lowest_bit((u32)a[5] & ~0xffu),
                                                            highest_bit(b[6]),
                                                            leading_zeros((u32)(b[7] >> 1)),
                                                            reversed((u32)b[8]),
                                                            bit_field(5, 7, (u32)a[9], 1),
                                                            (u32)(a[10] % 13),
                                                            ones - 16};
    r[11] = (uint64_t)(ones - 12) + 0xfffffffcu > 0xffffffffu;
    EACH(k, 12) put32(row + 4 * k, r[k]);
    row += 64;
    EACH(k, 16)
    put32(row + 4 * k,
          highest_bit(b[k]) + lowest_bit((u32)a[k]) + leading_zeros((u32)a[k]) + (u32)__builtin_popcount((u32)b[k]));
    OUT(0, bytes);
}

static void rotations(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u32, a, 16, 0);
    IN(u32, b, 16, 64);
    IN(u16, c, 32, 0);
    IN(u16, d, 32, 64);
    EACH(k, 16)
    {
        u32 n = b[k] & 31;
        a[k] = (a[k] << n | a[k] >> ((32 - n) & 31)) + (b[k] >> 7 | b[k] << 25);
    }
    EACH(k, 32) c[k] = (u16)(c[k] >> (d[k] & 15) | c[k] << (16 - (d[k] & 15)));
    OUT(0, a);
    OUT(64, c);
}

static void negative_choice(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u8, bytes, 32, 0);
    IN(i16, words, 32, 64);
    IN(u16, limits, 8, 192);
    u32 less[3][8];
    int at = limits[3] & 3;
    EACH(k, 8)
    {
        int lane = k / 4 * 16 + k % 4 + at;
        less[0][k] = -bytes[lane] < limits[k] >> 15;
        less[1][k] = -words[k / 4 * 8 + k % 4 + at] < limits[k];
        less[2][k] = -(int8_t)bytes[lane + 8] < limits[k];
    }
    OUT(0, less);
}

static int64_t byte_dot(u32 a, u32 b, int is_signed)
{
    int64_t sum = 0;
    EACH(byte, 4)
    {
        u8 x = (u8)(a >> 8 * byte), y = (u8)(b >> 8 * byte);
        sum += is_signed ? (int8_t)x * (int8_t)y : x * y;
    }
    return sum;
}

static void byte_dot_widened(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u32, a, 16, 0);
    IN(u16, b, 16, 64);
    IN(int8_t, c, 16, 128);
    u32 row[4][16];
    EACH(k, 16)
    {
        row[0][k] = a[k] + (u32)byte_dot(b[k], a[k], 0);
        row[1][k] = (u32)c[k] + (u32)byte_dot(a[k], (u32)c[k], 1);
        row[2][k] = b[k] + (u32)byte_dot(a[k], 7, 0);
        row[3][k] = a[k] + (u32)byte_dot(0x102, b[3], 0);
    }
    OUT(0, row);
}

static void byte_dot_products(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u32, sum, 16, 0);
    IN(u32, a, 16, 64);
    IN(u32, b, 16, 128);
    u32 row[4][16];
    EACH(k, 16)
    {
        row[0][k] = sum[k] + (u32)byte_dot(a[k], b[k], 1);
        row[1][k] = sum[k] + (u32)byte_dot(a[k], b[k], 0);
        row[2][k] = (u32)clamp((i32)(sum[k] | 0x7fff8000) + byte_dot(a[k], b[k], 0), INT32_MIN, INT32_MAX);
        row[3][k] = 7 + (u32)byte_dot(a[k], b[2], 1);
    }
    OUT(0, row);
}

static float to_half_and_back(float x, u16 *bits)
{
    _Float16 h = (_Float16)x;
    memcpy(bits, &h, sizeof h);
    return (float)h;
}

static void dot_products(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(i32, i, 16, 0);
    IN(i32, j, 16, 64);
    float a[16], b[16], row[11][16];
    EACH(k, 16)
    {
        a[k] = (float)(i[k] >> 20) * 0.0625f;
        b[k] = (float)(j[k] >> 21) * 0.03125f;
    }
    EACH(k, 16)
    {
        const float *p = a + k / 4 * 4, *q = b + k / 4 * 4;
        row[0][k] = p[0] * q[0] + p[1] * q[1];
        row[1][k] = row[0][k] + p[2] * q[2];
        row[2][k] = row[1][k] + p[3] * q[3];
        row[3][k] = row[1][k] + q[3];
        float small = (p[0] + p[1] + p[2] + p[3]) * 0.0009765625f;
        row[4][k] = small < 0 ? 0 : small > 1 ? 1 : small;
        row[5][k] = a[4] * b[k] + a[7];
        row[6][k] = a[4] * a[k] + a[5] * b[k] + a[7];
        row[7][k] = a[k] * b[k] + a[3] * (1 - b[k]);
        int pair = k % 8 * 2, sum = abs((u8)i[pair] - (u8)j[pair]) + abs((u8)i[pair + 1] - (u8)j[pair + 1]);
        row[8][k] = (float)(sum * 2 + sum * 2);
        u16 bits;
        row[9][k] = to_half_and_back(a[k], &bits);
        row[9][k] += bits;
        row[10][k] = row[6][k];
    }
    OUT(0, row);
}

static float float_of(u32 bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}
static u32 bits_of(float x)
{
    u32 bits;
    memcpy(&bits, &x, sizeof x);
    return bits;
}
static u32 one_nan(float x)
{
    return isnan(x) ? 0x7fc00000 : bits_of(x);
}

static void ieee(const void *in, void *out, unsigned thread)
{
    static const u32 special[8] = {0x00000000, 0x7f800000, 0x3f800000, 0x7dffffff,
                                   0x00800000, 0xbf800000, 0x80000000, 0xff800000};
    IN(u32, a, 16, thread * 128);
    IN(u32, b, 16, thread * 128 + 64);
    u32 row[3][16];
    EACH(k, 16)
    {
        u32 x = (a[k] & 0x807fffff) | ((a[k] >> 23 & 63) + 96) << 23;
        row[0][k] = bits_of(float_of(x) / float_of((b[k] & 0x807fffff) | ((b[k] >> 23 & 63) + 96) << 23));
        row[1][k] = bits_of(sqrtf(float_of(x & 0x7fffffff)));
    }
    EACH(k, 8)
    {
        float q = float_of(special[thread * 2]) / float_of(special[k]);
        row[2][k] = one_nan(q);
        row[2][8 + k] = one_nan(sqrtf(float_of(special[k])));
    }
    OUT(thread * 192, row);
}

static void angles(const void *in, void *out, unsigned thread)
{
    IN(i32, i, 16, thread * 128);
    IN(i32, j, 16, thread * 128 + 64);
    float row[7][16];
    EACH(k, 16)
    {
        double a = (double)((float)i[k] * 0x1p-31f), b = (double)((float)j[k] * 0x1p-27f);
        row[0][k] = (float)asin(a);
        row[1][k] = (float)acos(a);
        row[2][k] = (float)atan(b);
        row[3][k] = (float)sin(a);
        row[4][k] = (float)cos(a);
        row[5][k] = (float)(exp2(a) + log2(fabs(b) + 1));
        row[6][k] = (float)(1 / (a + 2) + sqrt(fabs(b)) + 1 / sqrt(a + 2) + pow(a + 2, 1.5));
    }
    OUT(thread * 448, row);
}

static double unit_clamped(double x)
{
    return x > 1 ? 1 : x > 0 ? x : 0;
}
/* What `functions` computes of one lane. */
static void elementary_lane(double x, double y, float row[][16], int k)
{
    const double value[] = {sin(x),
                            cos(x),
                            exp2(x),
                            log2(y),
                            1 / y,
                            sqrt(y),
                            1 / sqrt(y),
                            pow(y, x),
                            exp2(x),
                            x - floor(x),
                            unit_clamped(exp2(x)),
                            unit_clamped(sin(x)),
                            unit_clamped(y * y)};
    EACH(f, 13) row[f][k] = (float)value[f];
}

static void elementary(const void *in, void *out, unsigned thread)
{
    IN(i32, i, 16, thread * 128);
    IN(u32, j, 16, thread * 128 + 64);
    float row[13][16];
    EACH(k, 16)
    elementary_lane((double)((float)i[k] * 0x1p-31f), (double)((float)(j[k] >> 8) * 0x1.4p-23f + 0.5f), row, k);
    OUT(thread * 832, row);
}

/* x and y are halves without rounding, but for the last sum's. */
static void elementary_halves(const void *in, void *out, unsigned thread)
{
    IN(i16, i, 16, 0);
    IN(u16, j, 16, 32);
    float row[13][16];
    (void)thread;
    EACH(k, 16) elementary_lane((i[k] >> 6) / 512.0, (j[k] >> 6) * 2.5 / 1024 + 0.5, row, k);
    OUT(0, row);
}

static void library_math(const void *in, void *out, unsigned thread)
{
    IN(i32, i, 16, thread * 128);
    IN(i32, j, 16, thread * 128 + 64);
    static const int classes[] = {[FP_NAN] = 0, [FP_INFINITE] = 1, [FP_SUBNORMAL] = 2, [FP_ZERO] = 3, [FP_NORMAL] = 4};
    i32 row[8][16];
    u32 bits[16];
    float x[16], any[16], first;
    EACH(k, 16)
    {
        x[k] = (float)(i[k] >> 10) * 0.25f;
        row[0][k] = (i[k] < 1000000000 ? i[k] : 1000000000) > j[k] ? (i[k] < 1000000000 ? i[k] : 1000000000) : j[k];
        row[1][k] = (i32)(x[k] + (x[k] < 0 ? -0.5f : 0.5f));
    }
    EACH(k, 16)
    {
        float h = (float)(j[k] >> 22) * 0.5f;
        row[2][k] = (i32)(h + (h < 0 ? -0.5f : 0.5f)) + row[1][1];
    }
    memcpy(bits, j, sizeof bits);
    bits[1] = 0;
    first = -x[0] * 0;
    memcpy(bits + 2, &first, sizeof first);
    static const u32 special[] = {0xff800000, 0x7f800001, 0x80000001, 0x007fffff, 0x00800000, 0x7f7fffff};
    memcpy(bits + 3, special, sizeof special);
    memcpy(any, bits, sizeof any);
    EACH(k, 16)
    {
        row[3][k] = classes[fpclassify(any[k])];
        row[4][k] = (isnan(any[k]) != 0) + (isinf(any[k]) != 0) * 2 + (isnormal(any[k]) != 0) * 4 +
                    (fpclassify(any[k]) == FP_SUBNORMAL) * 8;
        if (k == 5 || k == 6)
            any[k] = 0;
        int power = 0;
        float fraction = fpclassify(any[k]) == FP_NORMAL ? frexpf(any[k], &power) : any[k];
        memcpy(&row[5][k], &fraction, sizeof fraction);
        if (isnan(any[k]))
            memcpy(&row[5][k], &bits[k], sizeof fraction);
        row[6][k] = power;
    }
    int one;
    float part = frexpf(x[0] + 0.25f, &one);
    EACH(k, 16) row[7][k] = (i32)(part * 64) + one * 256 + classes[fpclassify(x[1])] * 65536;
    OUT(thread * 512, row);
}

static const u32 special_bits[12] = {0x7f800000, 0xff800000, 0x7fc00000, 0,          0x80000000, 0x447a0000,
                                     0xc47a0000, 1,          0x3f800000, 0x7f7fffff, 0x00800000, 0xff7fffff};
static float special_float(int k, float ordinary)
{
    if (k < 12)
        memcpy(&ordinary, special_bits + k, sizeof ordinary);
    return ordinary;
}
static float flushed(double x)
{
    return fabs(x) < 0x1p-126 ? copysignf(0, (float)x) : (float)x;
}
static void library_exponentials(const void *in, void *out, unsigned thread)
{
    IN(i32, i, 16, thread * 128);
    IN(i32, j, 16, thread * 128 + 64);
    float row[6][16];
    EACH(k, 16)
    {
        double x = (i[k] >> 8) * 0x1p-17, near = (j[k] >> 12) * 0x1p-23 + 1;
        u32 bits = (u32)j[k] & 0x7fffffff;
        bits += bits >= 0x7f000000 ? -0x01000000u : bits < 0x01000000 ? 0x01000000 : 0;
        float any, special = special_float(k, (float)x * 0.01f), other = flushed(special_float(k, (float)near));
        memcpy(&any, &bits, sizeof any);
        row[0][k] = (float)ldexp(exp(x), -((i[k] >> 25) * 1477 >> 10));
        row[1][k] = flushed(exp(special));
        row[2][k] = (float)log(any);
        row[3][k] = (float)(log(near) * 16);
        row[4][k] = (float)log(other);
        row[5][k] = (float)exp(1.5);
    }
    row[5][1] = (float)log((double)((float)((i[0] >> 8) * 0x1p-17) * (float)((i[0] >> 8) * 0x1p-17)) + 1);
    OUT(thread * 384, row);
}

static void library_half_exponentials(const void *in, void *out, unsigned thread)
{
    IN(i16, i, 16, 0);
    float row[2][16];
    (void)thread;
    EACH(k, 16)
    {
        row[0][k] = expf((float)(i[k] >> 6) * 0x1p-8f);
        row[1][k] = logf((float)(_Float16)(fabsf((float)(i[k] >> 6)) + 0.25f));
    }
    OUT(0, row);
}

static void library_places(const void *in, void *out, unsigned thread)
{
    static const i32 some[] = {42, 41, 40, 39, 38, 37, 36, 35, -1, -2, -3}, few[] = {7, -7, 700, 4};
    IN(u32, i, 16, 0);
    i32 r[16];
    (void)thread;
    EACH(k, 16) r[k] = some[i[k] % 11] + few[i[k] & 3];
    OUT(0, r);
}

static void double_exponentials(const void *in, void *out, unsigned thread)
{
    IN(i32, i, 16, thread * 128);
    IN(u32, j, 16, thread * 128 + 64);
    float row[4][16];
    EACH(k, 16)
    {
        double x = exp(i[k] * 0x1p-33), y = log((j[k] >> 1) * 0x1p-29 + 0.25);
        if (k == 0)
            y = log(0x1.8p-1000) * 0x1p-10 + exp(-690.5) * 0x1p996;
        if (k == 1)
            y = 1;
        row[0][k] = (float)x;
        row[1][k] = (float)((x - row[0][k]) * 0x1p26);
        row[2][k] = (float)y;
        row[3][k] = (float)((y - row[2][k]) * 0x1p26);
    }
    OUT(thread * 256, row);
}

static void library_masks(const void *in, void *out, unsigned thread)
{
    IN(i32, i, 16, 0);
    IN(i32, j, 16, 64);
    u32 a = 0, b = 0, count = 0, result[16] = {0}, sum = 0;
    (void)thread;
    EACH(k, 16)
    {
        a |= (u32)(i[k] > 0) << k;
        b |= (u32)(j[k] > i[k]) << k;
        count += i[k] > 0;
        sum += (u32)((i[k] > 0 ? i[k] : 0) >> 8);
    }
    result[0] = a & b;
    result[1] = a | b;
    result[2] = ~(a ^ b) & 0xffff;
    result[3] = count + (b == 0xffff) * 256u + (b != 0) * 512u + 1024 + (a == b) * 2048u + (a != b) * 4096u;
    EACH(k, 12) result[4 + k] = (a | b) >> (k + 4) & 1 ? 77 : 0;
    result[15] = sum;
    OUT(0, result);
}

static void remainders(const void *in, void *out, unsigned thread)
{
    IN(u32, a, 16, thread * 128);
    IN(u32, b, 16, thread * 128 + 64);
    float x[16], y[16], row[2][16];
    EACH(k, 16)
    {
        a[k] |= 0x800000;
        b[k] |= 0x10000000;
    }
    a[3] = 0x7f800000;
    b[4] = 0xff800000;
    a[5] = b[6] = 0x7fc00001;
    b[7] = 0x80000000;
    a[8] = 0;
    a[9] = 0x7f7fffff;
    b[10] = 0x7f7ffffe;
    a[11] = b[11];
    memcpy(x, a, sizeof x);
    memcpy(y, b, sizeof y);
    EACH(k, 16)
    {
        u32 bits = 0x7fc00000; /* the one NaN that comes out */
        row[0][k] = fmodf(x[k], y[k]);
        row[1][k] = fmodf(fabsf(x[k]), 0x1.8p-20f) + 1.5f;
        EACH(r, 2) if (isnan(row[r][k])) memcpy(&row[r][k], &bits, sizeof bits);
    }
    OUT(thread * 128, row);
}

static void roundings(const void *in, void *out, unsigned thread)
{
    IN(i32, i, 16, thread * 128);
    IN(i32, j, 16, thread * 128 + 64);
    float row[9][16], first = (float)(i[0] >> 16) * 0.125f, second = (float)(i[1] >> 16) * 0.125f,
                      third = (float)(i[2] >> 16) * 0.125f;
    EACH(k, 16)
    {
        float x = (float)(i[k] >> 16) * 0.125f, h = (float)(j[k] >> 20) * 0.25f;
        row[0][k] = floorf(x);
        row[1][k] = ceilf(x);
        row[2][k] = rintf(x);
        row[3][k] = truncf(x);
        row[4][k] = (float)((int)floorf(x) + (int)ceilf(h) * 2);
        row[5][k] = fminf(fmaxf(rintf(x), 0), 255);
        row[6][k] = truncf(h) + rintf(h);
        row[7][k] = (x - floorf(x)) + (h - floorf(h));
        row[8][k] = floorf(first) + truncf(second) + (third - floorf(third));
    }
    OUT(thread * 576, row);
}

/* Some whole part, some fraction. */
static void some_doubles(const void *in, unsigned at, double x[16])
{
    IN(i32, high, 16, at);
    IN(i32, low, 16, at + 64);
    EACH(k, 16) x[k] = high[k] * 0x1p-8 + low[k] * 0x1p-40;
}

static void doubles(const void *in, void *out, unsigned thread)
{
    double x[16], y[16], row[5][16], half_of[16] = {0}, sum = 0, last[8];
    i32 relations[16];
    static const int from[8] = {15, 3, 3, 0, 8, 1, 2, 14};
    some_doubles(in, thread * 256, x);
    some_doubles(in, thread * 256 + 128, y);
    EACH(k, 16)
    {
        row[0][k] = x[k] + y[k];
        row[1][k] = x[k] * y[k];
        row[2][k] = x[k] > y[k] * 0.5 ? fmax(x[k], y[k]) : fmin(x[k], y[k]);
        row[3][k] = fabs(x[k]) - y[k];
        row[4][k] = k % 2 ? y[k] : x[4 + k / 2];
        relations[k] = (x[k] < y[k]) | 2 | (x[k] != y[k]) << 2 | (x[k] >= 0.25) << 3;
        sum += x[k] * 0x1p-3;
    }
    double factor = row[4][3];
    EACH(k, 4) row[4][12 + k] *= factor;
    half_of[0] = sum;
    half_of[1] = x[0] < y[0] ? x[1] : -y[1];
    EACH(k, 8) last[k] = x[from[k]];
    OUT(thread * 896, row);
    OUT(thread * 896 + 640, relations);
    OUT(thread * 896 + 704, half_of);
    OUT(thread * 896 + 832, last);
}

static void double_conversions(const void *in, void *out, unsigned thread)
{
    double x[16], y[2][16];
    i32 whole[16];
    i16 words[16];
    u8 bytes[2][16];
    float floats[3][16];
    u16 bits;
    some_doubles(in, thread * 256, x);
    EACH(k, 16)
    {
        i32 truncated = (i32)x[k];
        whole[k] = truncated;
        words[k] = (i16)(x[k] * 0x1p-9);
        bytes[0][k] = (u8)(truncated < 0 ? 0 : truncated > 255 ? 255 : truncated);
        bytes[1][k] = (u8)truncated;
        floats[0][k] = (float)x[k];
        floats[1][k] = (float)unit_clamped(x[k]);
        floats[2][k] = (float)(x[k] - (double)floats[0][k]);
        y[0][k] = trunc(x[k] * 256);
        y[1][k] = to_half_and_back((float)(x[k] * 0x1p-16), &bits);
    }
    u8 *to = (u8 *)out + thread * 640;
    memcpy(to, whole, 64);
    EACH(k, 16) put32(to + 64 + 4 * k, (u32)fabs(x[k]));
    memcpy(to + 128, words, 32);
    memcpy(to + 160, bytes, 32);
    memcpy(to + 192, floats, 192);
    memcpy(to + 384, y, 256);
}

static void double_remainders(const void *in, void *out, unsigned thread)
{
    double x[16], y[16], row[2][16], some[8], special[8], last[8];
    some_doubles(in, thread * 256, x);
    some_doubles(in, thread * 256 + 128, y);
    static const uint64_t nan = (uint64_t)0x7ff8 << 48;
    EACH(k, 16)
    {
        double size = k % 2 && k < 8 ? 0x1p+990 : k % 2 == 0 && k >= 8 ? 0x1p+500 : 1;
        row[0][k] = fmod(x[k], y[k]);
        y[k] *= k % 2 ? 1 : 0x1p-980;
        row[1][k] = fmod(x[k] * size, y[k]);
    }
    EACH(k, 8)
    {
        some[k] = fmod(x[8 + k], 1.75);
        memcpy(&special[k], &nan, 8);
        last[k] = fmod(-7.5, y[8 + k]) * 0x1p+8;
    }
    special[1] = x[1];
    special[2] = fmod(x[2], y[2]);
    OUT(thread * 512, row);
    OUT(thread * 512 + 256, some);
    OUT(thread * 512 + 320, special);
    OUT(thread * 512 + 384, last);
}

static void double_roots(const void *in, void *out, unsigned thread)
{
    double x[16], row[32] = {0};
    some_doubles(in, thread * 128, x);
    EACH(k, 16) row[k] = 1 / sqrt(fabs(x[k]));
    EACH(k, 4) row[16 + k] = 1 / sqrt(fabs(x[8 + k]) * 0x1p-400);
    row[20] = 2;
    row[21] = unit_clamped(row[5]);
    OUT(thread * 256, row);
}

/* The first `count` of the products of p[0] ... and q[0] ... */
static double dot(const float *p, int apart_p, const float *q, int apart_q, int count)
{
    double sum = 0;
    EACH(n, count) sum += (double)p[n * apart_p] * q[n * apart_q];
    return sum;
}

static void dot_rounding(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u32, i, 32, 0);
    IN(u32, j, 32, 128);
    float a[32], b[32], row[6][32] = {{0}}, sums[16];
    EACH(k, 32)
    {
        u32 p = (i[k] & 0x7fffff) | 0x3f800000, q = (j[k] & 0x7fffff) | 0x3f800000;
        memcpy(a + k, &p, sizeof p);
        memcpy(b + k, &q, sizeof q);
    }
    EACH(k, 32)
    {
        int four = k & ~3, late = (k - 20) & ~3;
        row[0][k] = k < 12 ? (float)dot(a + 1 + four, 1, b + 3 + 2 * four, 2, 2) : 0;
        row[1][k] = k < 20 ? (float)dot(a + 12 + four, 1, b + 3, 0, 3) : 0;
        row[2][k] =
            (float)(k < 20 ? dot(a + four, 1, b + four, 1, 4) : dot(a + 7 + late, 1, b + late, 1, 3) + b[late + 3]);
        row[3][k] = k < 24 ? (float)((double)a[5] * b[2 + k] + a[8]) : 0;
        row[4][k] = k < 24 ? (float)((double)b[9] * a[1 + k] + (double)b[10] * b[8 + k] + b[12]) : 0;
        double weight = (double)a[k] - 1;
        row[5][k] = k < 20 ? (float)(b[4 + k] * weight + 1.25 * (1 - weight)) : 0;
    }
    OUT(0, row);
    EACH(k, 8)
    {
        int pair = 2 * k + 2;
        int sum = abs((signed char)i[5 + pair] - (signed char)j[pair]) +
                  abs((signed char)i[6 + pair] - (signed char)j[pair + 1]);
        sums[k] = (float)(i16)(sum - clamp(sum + (i16)(sum * 90), INT16_MIN, INT16_MAX));
        sums[k + 8] = 0;
    }
    memcpy((u8 *)out + 768, sums, 32);
    memset((u8 *)out + 800, 0, 32);
}

static void simd_groups(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(i32, condition, 16, 0);
    IN(i32, ij, 32, 64);
    const i32 *i = ij, *j = ij + 16;
    float a[16], b[16], row[4][16];
    i32 numbers[4][16];
    EACH(k, 16)
    {
        a[k] = (float)(i[k] >> 20) * 0.0625f;
        b[k] = (float)(j[k] >> 21) * 0.03125f;
    }
    EACH(k, 16)
    {
        int index = condition[k] & 15, four = k & ~3, pair = k & ~1;
        bool on = condition[k] > 0;
        float dot = 0, weight = b[k] + 1;
        EACH(n, 4) dot += (a[four + n] + b[four + n]) * (b[four + n] * 2);
        row[0][k] = on ? dot : 2;
        row[1][k] = on ? (a[4] + 1) * b[k] + (a[7] + 1) : 2;
        row[2][k] = on ? a[k % 4] * weight + (a[4 + k % 8] - b[4 + k % 8]) * (1 - weight) : 2;
        row[3][k] = on ? 2 : (float)(i[8] >> 20) * (a[k] + b[k]) + (float)(i[9] >> 20) * b[k] + (float)(i[11] >> 20);
        int sum = abs((u8)i[pair] - (u8)j[pair]) + abs((u8)i[pair + 1] - (u8)j[pair + 1]);
        int first = k % 2 ? 0 : sum, sums = on ? first : 1;
        numbers[0][k] = on ? ij[8 + index] : (i32)(2 * (u32)ij[2 * index]);
        numbers[1][k] = on ? ij[1 + 2 * (3 + k / 4)] : 4;
        numbers[2][k] = on ? (i32)((u32)i[index] + (u32)j[index] + (u32)i[1 + pair] - (u32)j[1 + pair]) : 5;
        numbers[3][k] = sums + (on ? first + sums + 2 : 6) * 1000;
    }
    OUT(0, row);
    OUT(256, numbers);
}

static void simd_reductions(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(i32, a, 16, 0);
    IN(i32, other, 8, 64);
    u32 r[16] = {0, 0, 0x7fffffff, 0x80000000, 0, 0x80000000};
    int any_positive = 0, any_odd = 0, any_rest = 0;
    EACH(k, 8) r[4] += (u32)other[k];
    EACH(k, 16)
    {
        r[6] += (u32)a[k];
        if (a[k] <= 0) {
            r[5] = a[k] > (i32)r[5] ? (u32)a[k] : r[5];
            any_rest = 1;
            continue;
        }
        r[0] += (u32)a[k];
        r[1] = (any_positive ? r[1] : 1) * ((u32)a[k] | 1);
        r[2] = a[k] < (i32)r[2] ? (u32)a[k] : r[2];
        any_positive = 1;
        if (a[k] & 1) {
            r[3] = a[k] > (i32)r[3] ? (u32)a[k] : r[3];
            any_odd = 1;
        }
    }
    r[2] = any_positive ? r[2] : 0;
    r[3] = any_odd ? r[3] : 0;
    r[4] = any_positive ? r[4] : 0;
    r[5] = any_rest ? r[5] : 0;
    OUT(0, r);
}

static void library(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(i32, i, 16, 0);
    IN(i32, j, 16, 64);
    float row[6][16];
    EACH(k, 16)
    {
        float y = (float)i[k] * 0x1p-24f, x = (float)(j[k] >> 8) * 0x1p-16f;
        y = k == 3 || k == 4 ? 0 : y;
        x = k == 3 || k == 7 ? 0 : x;
        row[0][k] = floorf(y);
        row[1][k] = ceilf(x);
        row[2][k] = (float)atan2(y, x);
        row[3][k] = (float)atan2(2, x);
        row[4][k] = fminf(fmaxf(row[2][k], 0), 1);
        row[5][k] = y < 0 ? 1 : fminf((float)atan2(y * 0.125f, x), 1);
    }
    OUT(0, row);
}

static void spelt_out(const void *in, void *out, unsigned thread)
{
    IN(u32, a, 16, thread * 64);
    u16 sum[16];
    EACH(k, 16)
    {
        float x = (float)(a[k] >> 24) * 0.375f;
        sum[k] = (u16)((u8)rintf(x) + (u8)ceilf(x));
    }
    OUT(thread * 64, sum);
}

/* Each operation by itself, rounded as fesetround says: volatile keeps them apart and in order. */
static void rounded(const void *in, void *out, int mode)
{
    IN(i32, a, 16, 0);
    IN(i32, b, 16, 64);
    IN(int64_t, wide, 16, 128);
    float r[96];
    fesetround(mode);
    EACH(k, 16)
    {
        volatile float x = (float)*(volatile i32 *)&a[k], y = (float)((b[k] & 0xffff) + 1);
        r[k] = x;
        x = x - y;
        r[16 + k] = x;
        y = y * 0.001f;
        r[32 + k] = y;
        x = x * y;
        r[48 + k] = x;
        volatile int64_t from = wide[k] >> (b[k] & 63);
        x = (float)from;
        r[64 + k] = x;
        x = (float)(uint64_t)from;
        r[80 + k] = x;
    }
    fesetround(FE_TONEAREST);
    OUT(0, r);
}
static void rounds_up(const void *in, void *out, unsigned thread)
{
    (void)thread;
    rounded(in, out, FE_UPWARD);
}
static void rounds_down(const void *in, void *out, unsigned thread)
{
    (void)thread;
    rounded(in, out, FE_DOWNWARD);
}
static void rounds_to_zero(const void *in, void *out, unsigned thread)
{
    (void)thread;
    rounded(in, out, FE_TOWARDZERO);
}
static void rounds_to_nearest(const void *in, void *out, unsigned thread)
{
    (void)thread;
    rounded(in, out, FE_TONEAREST);
}

static void keeps_denormals(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u32, a, 64, 0);
    float x[64];
    EACH(k, 64)
    {
        a[k] = (a[k] & 0x807fffff) | 27u << 23;
        memcpy(&x[k], &a[k], 4);
        x[k] *= 9.313225746154785e-10f;
    }
    OUT(0, x);
}

static void long_division(const void *in, void *out, unsigned thread)
{
    (void)thread;
    uint64_t x[16], y[16], r[128];
    memcpy(x, in, sizeof x);
    memcpy(y, (const u8 *)in + 128, sizeof y);
    EACH(k, 8)
    {
        r[80 + k] = x[k] / (x[8 + k] >> 17 | 1);
        r[88 + k] = (uint64_t)((int64_t)x[k] % ((int64_t)x[8 + k] >> 9 | 1));
    }
    EACH(k, 16)
    {
        y[k] = y[k] >> 4 * k | 1;
        int64_t a = (int64_t)x[k], b = k % 2 ? (int64_t)y[k] : (int64_t)(0 - y[k]);
        r[k] = x[k] / y[k];
        r[16 + k] = x[k] % y[k];
        r[32 + k] = b == -1 ? 0 - x[k] : (uint64_t)(a / b);
        r[48 + k] = b == -1 ? 0 : (uint64_t)(a % b);
        r[64 + k] = x[k] / 1000003;
        y[k] = x[k] < y[k] ? y[k] / 7 : y[k] % 1000;
        r[96 + k] = y[k];
        r[112 + k] = (x[k] >> 33) / ((y[k] & 0xffff) + 1);
    }
    OUT(0, r);
}

/* Comparisons one by one, so that no compiler's switch is the witness of another. */
static void long_switches(const void *in, void *out, unsigned thread)
{
    (void)thread;
    static const uint64_t halves[] = {1, 0x100000001, 0x200000001, 0x100000002, 0xffffffff00000000, 0x8000000000000003};
    IN(u32, a, 64, 0);
    u32 r[64];
    int64_t s[64];
    EACH(k, 64)
    {
        u32 x = a[k];
        uint64_t number = x & 32 ? halves[x & 16 ? 4 : 5] : (uint64_t)(x & 3) << 32 | (x >> 2 & 3);
        r[k] = (u32)(number >> 32) * 100 + (u32)number;
        EACH(c, 6) if (number == halves[c]) r[k] = 11 + (u32)c;
        int64_t y = (int64_t)x << 8, low = (int64_t)(u32)((x >> 7 & 1) - (x >> 8 & 1));
        bool negative = x >> 6 & 1;
        if (negative)
            s[k] = low == 0 ? y - 7 : low == 1 ? (y ^ 0x55) + 1 : y * 3;
        else
            s[k] = low == 0 ? ~y : low == 1 ? 1 : y + 1;
    }
    uint64_t state = a[0] & 15;
    for (u32 rounds = 0; rounds < 40; rounds++)
        if (state == 0)
            state = 0x300000000;
        else if (state == 0x300000000)
            state = (uint64_t)a[rounds] << 32 | 5;
        else if (state == 3) {
            state = 0;
            rounds += 2;
        } else
            state >>= 34;
    r[63] += (u32)state + (u32)(state >> 32) * 31;
    OUT(0, r);
    OUT(256, s);
}

/* What `which` of a switch's numbers does; the numbers are told apart by comparisons. */
static u32 of_numbers(const uint64_t *numbers, int count, uint64_t number, const u32 *results, u32 otherwise)
{
    EACH(c, count) if (numbers[c] == number) return results[c];
    return otherwise;
}

static void many_ways(const void *in, void *out, unsigned thread)
{
    (void)thread;
    static const uint64_t bytes[] = {0, 255, 128, 127, 64, 7, 200}, words[] = {0xffff, 0x8000, 0x7fff, 0, 1, 0xfffe},
                          dwords[] = {0xffffffff, 5, 0x80000000, 0x7fffffff, 6, 0},
                          quadwords[] = {0x700000001, 0x700000002, 0x700000003, 0x800000003, 0x700000004, 0x600000004},
                          all[] = {6, 1, 2, 5, 4, 3, 0, 7};
    IN(u32, a, 64, 0);
    EACH(k, 64)
    {
        u32 x = a[k], which = x >> 4 & 7, kind = x & 7;
        u32 of_bytes[] = {x + 3, x * 5, x >> 3, x ^ 0x55, ~x, x - 9, x << 2};
        u32 of_words[] = {x + 4, x * 7, x >> 5, x ^ 0xaa, 0 - x, x - 11};
        u32 of_dwords[] = {(x + 6) * 9, x * 9, x >> 7, x ^ 0x33, ~(x ^ 12), x - 13};
        u32 of_quadwords[] = {x + 8, x * 11, x >> 9, x ^ 0x66, ~x, x - 15};
        u32 of_all[] = {x + 10, x * 13, x >> 11, x ^ 0x99, ~x, x - 17, x << 3, x & 0xf0f0};
        if (kind == 0) {
            u32 number = which == 0 ? 0 : which == 1 ? 255 : which < 4 ? 125 + which : which * which * 4;
            a[k] = of_numbers(bytes, 7, number & 0xff, of_bytes, x);
        } else if (kind == 1) {
            u32 number = which < 3 ? which - 2 : which < 5 ? 32764 + which : which - 4;
            a[k] = of_numbers(words, 6, number & 0xffff, of_words, x + 1);
        } else if (kind < 4) {
            u32 number = kind == 3 ? (which & 1 ? 0 : 6) : which < 2 ? which - 1 : which < 4 ? 0x7ffffffd + which : which + 1;
            a[k] = of_numbers(dwords, 6, number, of_dwords, ~x);
        } else if (kind < 6) {
            uint64_t number = kind == 4 ? (uint64_t)(7 - (x >> 7 & 1)) << 32 | which : 0x800000000u + (x >> 8 & 3);
            a[k] = of_numbers(quadwords, 6, number, of_quadwords, x + 2);
        } else {
            a[k] = of_numbers(all, 8, which, of_all, 0);
        }
    }
    OUT(0, a);
}

static void long_switch_rows(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u32, a, 64, 0);
    EACH(k, 64)
    {
        u32 x = a[k], place = (x >> 9 & 7) - 1;
        u32 of_place[] = {x * 3, x + 17, x ^ 0x1234, x >> 5, x * x, x * x, 0};
        a[k] = x >> 12 & 1 || place > 6 ? x - 1 : of_place[place];
    }
    OUT(0, a);
}

/* The nearest multiple of 2^bits of a float's bits, the even one of two. */
static u32 shortened(u32 word, unsigned bits)
{
    u32 below = word >> bits << bits, rest = word - below, half_way = 1u << (bits - 1);
    bool up = rest > half_way || (rest == half_way && below >> bits & 1);
    return below + (up ? 1u << bits : 0);
}

static void short_floats(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u32, a, 64, 0);
    u32 r[256] = {0};
    for (int k = 0; k < 64; k += 4) {
        a[k] = (a[k] & 0xffff0000) | 0x8000;
        a[k + 1] = (a[k + 1] & 0xffffe000) | 0x1000;
    }
    a[2] = 0x7f7fffff;
    a[3] = 0xff800000;
    EACH(k, 64)
    {
        a[k] &= ~(u32)0x04000000;
        put16((u8 *)r + 2 * k, (u16)(shortened(a[k], 16) >> 16));
        r[64 + k] = shortened(a[k], 13);
        r[128 + k] = shortened(a[k], 16);
        r[192 + k] = 0x3f808000;
    }
    r[193] = 256;
    memcpy((u8 *)out, r, 128);
    memcpy((u8 *)out + 256, r + 64, 768);
}

static void turned_matrices(const void *in, void *out, unsigned thread)
{
    (void)thread;
    u16 m[16][16], r[16][16], (*to)[16][16] = out;
    memcpy(m, in, sizeof m);
    EACH(i, 16) EACH(j, 16)
    {
        to[0][i][j] = m[15 - j][i];
        to[1][i][j] = m[j][15 - i];
        to[2][i][j] = m[15 - j][15 - i];
        to[3][i][j] = m[15 - i][15 - j];
    }
    memcpy(r, m, sizeof r);
    EACH(i, 8) EACH(j, 8) r[i][4 + j] = m[4 + j][8 + i];
    memcpy(to[4], r, sizeof r);
    EACH(k, 16)
    {
        int from = m[3][k] & 15;
        r[k / 4][k % 4] = m[1 + from / 4 * 2][2 + from % 4 * 3];
    }
    memcpy(to[5], r, sizeof r);
    EACH(k, 16)
    {
        u32 packed = (m[0][k] | (u32)m[5][k] << 16) + 0x10001;
        r[14][k] = (u16)packed;
        r[15][k] = r[13][k] = (u16)(packed >> 16);
    }
    memcpy(to[6], r, sizeof r);
    memcpy((u16 *)out + 1793, (const u16 *)in + 3, 26);
}

static void library_functions(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(i32, raw, 64, 0);
    float r[8][64];
    EACH(k, 64)
    {
        float x = (float)((raw[k] & 0xfff) - 2048) * 0.01f;
        r[0][k] = (float)tanh((double)x);
        r[1][k] = (float)sin((double)x);
        r[2][k] = (float)cos((double)x);
        r[3][k] = (float)fmod(((raw[k] & 0xfff) - 2048) * 0.25 + 0.125, (raw[k] >> 16 & 7) + 2.5);
        const int from[4] = {3, 0, 1, 2};
        EACH(n, 4) r[4 + n][k] = fminf(fmaxf(r[from[n]][k], 0), 1);
    }
    OUT(0, r);
}

static void library_blocks(const void *in, void *out, unsigned thread)
{
    enum { OUT_BYTES = 1024, PITCH = 64 };
    const u8 *from = in;
    u8 *to = out, *image = to + OUT_BYTES;
    (void)thread;
    EACH(i, 13) EACH(j, 44) to[i * 44 + j] = from[(2 + i) * PITCH + 5 + j];
    EACH(i, 9) EACH(j, 40) image[(4 + i) * PITCH + 8 + j] = from[(2 + 3 + i) * PITCH + 5 + 1 + j] ^ 0x55;
}

static void ramps(const void *in, void *out, unsigned thread)
{
    IN(i32, x, 16, 0);
    static const float few[] = {0.5f, -1.5f, 2.75f, 300.f};
    i32 down[16], list[16], part[16];
    u16 grid[32];
    u8 bytes[32], none[16];
    i16 square[8];
    float floats[8];
    (void)thread;
    EACH(k, 32)
    {
        grid[k] = (u16)(10 + 3 * k);
        bytes[k] = (u8)(250 + k);
    }
    EACH(k, 16)
    {
        down[k] = (i32)((u32)x[k] + 100 - 7 * (u32)k);
        list[k] = k < 12 ? 1 << k : 11 - k;
        part[k] = k < 4 ? (i32)few[k] : 7;
        none[k] = (u8)(k + 2);
    }
    EACH(k, 8)
    {
        x[1 + 2 * k] = (i32)((u32)x[0] + 5 * (u32)k);
        square[k] = (i16)(k % 2 ? -k - 1 : k + 1);
        floats[k] = k < 7 ? (float)k + 1 : 8.5f;
    }
    u8 *to = out;
    memcpy(to, down, 64);
    memcpy(to + 64, grid, 64);
    memcpy(to + 128, bytes, 32);
    memcpy(to + 160, x, 64);
    memcpy(to + 224, list, 64);
    memcpy(to + 288, part, 64);
    memcpy(to + 352, none, 16);
    memcpy(to + 368, square, 16);
    memcpy(to + 384, floats, 32);
    EACH(k, 8) put32(to + 416 + 4 * k, 16 + 2 * 256 + 4 * 4096);
}

static void saturated_wraps(const void *in, void *out, unsigned thread)
{
    IN(u32, a, 32, thread * 256);
    IN(u32, u, 32, thread * 256 + 128);
    int8_t bytes[32];
    u8 unsigned_bytes[3][32];
    i16 words[32];
    u16 unsigned_words[32];
    i32 both[16];
    u8 grid[16];
    int8_t signed_grid[16];
    EACH(i, 16)
    {
        i32 number = (i32)(u[i / 4 * 8 + i % 4 + 1] & 127) * 3;
        grid[i] = (u8)clamp(number, 0, 255);
        signed_grid[i] = (int8_t)clamp(number - 200, -128, 127);
    }
    EACH(i, 32)
    {
        u32 shifted = a[i] << (a[i] & 31), wide = u[i] << (u[i] & 31), sum = u[i] + u[i];
        bytes[i] = (int8_t)clamp((i32)shifted, -128, 127);
        unsigned_bytes[0][i] = (u8)clamp(wide, 0, 255);
        unsigned_bytes[1][i] = (u8)clamp(sum, 0, 255);
        unsigned_bytes[2][i] = (u8)clamp((i32)shifted, 0, 255);
        words[i] = (i16)clamp(wide, -32768, 32767);
        unsigned_words[i] = (u16)clamp(sum, 0, 65535);
        if (i >= 8 && i < 24)
            both[i - 8] = (i32)shifted > 100 ? (i32)clamp((i32)shifted, -32768, 32767) : (i32)shifted;
    }
    OUT(0, bytes);
    OUT(32, unsigned_bytes[0]);
    OUT(64, unsigned_bytes[1]);
    OUT(96, words);
    OUT(160, unsigned_words);
    OUT(224, unsigned_bytes[2]);
    OUT(256, both);
    OUT(320, grid);
    OUT(336, signed_grid);
}

static void widened_divisors(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(i16, w, 32, 0);
    IN(u16, u, 32, 64);
    IN(u8, bytes, 64, 64);
    i32 r[6][16];
    EACH(k, 16)
    {
        i32 all = u[k] | 1, some = k % 2 == 0 ? w[1 + k] | 1 : all, a = w[k], b = w[16 + k];
        r[0][k] = a / all;
        r[1][k] = ~a % ((w[20] & 127) | 1);
        r[2][k] = b / ((u[3] & 255) | 1);
        r[3][k] = b % some;
        a = k >= 8 && k < 12 ? u[k - 3] : a;
        r[4][k] = a / 7;
        a = k % 2 == 1 ? bytes[20 + k / 2 * 3] : a;
        r[5][k] = a / (b | 1);
    }
    OUT(0, r);
}

static void widened_signs(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u16, u, 16, 0);
    IN(i16, w, 16, 32);
    IN(u8, b, 32, 64);
    IN(int8_t, c, 32, 96);
    i32 r[16], q[16];
    bool positive[8];
    const int at = u[0] & 7, of_u = u[3], of_w = w[4], of_b = b[5], of_c = c[6];
    EACH(k, 8)
    {
        q[k] = -u[2 + k] + abs(w[2 + k]);
        q[8 + k] = -w[2 + k] * 5 - b[2 + k] - abs(c[2 + k]);
    }
    EACH(k, 8) positive[k] = w[2 + k] > 0;
    EACH(k, 8) u[at + k] = (u16)(u[at + k] + 1000);
    EACH(k, 8) w[at + k] = (i16)(w[at + k] * 3);
    EACH(k, 16) b[at + k] ^= 0x55;
    EACH(k, 16) c[at + k] = (int8_t)(c[at + k] - 9);
    EACH(k, 16)
    {
        r[k] = 7 - (k < 8 ? of_u : of_b) - (k < 8 && k % 2 == 1 ? of_w : 0) - (k >= 8 && k % 2 == 0 ? of_c : 0);
        q[k] += k < 8 ? u[k] : w[k - 6] * 5;
    }
    EACH(k, 32) b[k] = (u8)(b[k] + c[k]);
    OUT(0, r);
    OUT(64, q);
    OUT(128, w);
    OUT(160, b);
    EACH(k, 8) w[at + k] = positive[k] ? c[at + 3 + k] : w[at + k];
    EACH(k, 16) w[k] = (i16)(w[k] - abs(w[k]));
    OUT(192, w);
}

static void counted_constants(const void *in, void *out, unsigned thread)
{
    /* of 2, 0, -100 and -1 */
    static const u32 reversed[4] = {0x40000000, 0, 0x39ffffff, 0xffffffff};
    static const u32 leading[4] = {30, 32, 0, 0}, first[4] = {1, ~0u, 2, 0}, high[4] = {30, ~0u, 0, 0}, signed_high[4] = {30, ~0u, 25, ~0u};
    static const u32 ones[4] = {1, 0, 28, 32}, absolute[4] = {2, 0, 100, 1}, ones_of_words[4] = {1, 0, 12, 16};
    (void)thread;
    IN(i32, x, 8, 0);
    IN(i32, y, 8, 32);
    u32 r[4][16];
    int64_t wide[3][8];
    u32 highest[2][8];
    EACH(n, 4) EACH(k, 16)
    {
        const u32 expected[8] = {leading[n], first[n], high[n], signed_high[n], ones[n], reversed[n], absolute[n], ones_of_words[n]};
        r[n][k] = expected[k / 2];
    }
    EACH(k, 8)
    {
        wide[0][k] = x[k] < 0 ? 0 : x[k];
        wide[1][k] = y[k];
        wide[2][k] = (u32)x[k];
        const u32 magnitude = (u32)(y[k] < 0 ? ~y[k] : y[k]);
        highest[0][k] = highest[1][k] = ~0u;
        EACH(bit, 32)
        {
            highest[0][k] = (u32)x[k] >> bit & 1 ? 31 - (u32)bit : highest[0][k];
            highest[1][k] = magnitude >> bit & 1 ? 31 - (u32)bit : highest[1][k];
        }
    }
    OUT(0, r);
    OUT(256, wide);
    OUT(448, highest);
}

static void wide_masks(const void *in, void *out, unsigned thread)
{
    (void)thread;
    const u8 *v = in;
    u8 w[8][64] = {{0}};
    EACH(k, 64)
    {
        w[0][k] = v[5] > 100 ? v[k] : 9;
        w[1][k] = v[6] < 100 ? v[k] : w[0][k];
        w[2][k] = k < 32 ? (v[32 + k] > 100 ? 77 : v[k]) : k < 48 ? (v[16 + k] > 100 ? 78 : v[k - 32]) : 0;
        bool each = k == 40 ? v[7] & 1 : k != 3 && v[k] > 100;
        w[3][k] = each ? v[k] : w[2][k];
        w[4][k] = v[9] & 1 ? 0 : v[8];
        w[5][k] = v[5] > 100 ? 3 : 0;
        w[6][k] = k % 16 != 3 && v[k % 16] > 100 ? 1 : 2;
        w[7][k] = v[4 + k % 4] > 100 ? v[k] : 3;
    }
    OUT(0, w);
}

static i32 opposite_of(i32 x)
{
    return (i32)(0 - (u32)x);
}

static i32 least_of(i32 a, i32 b)
{
    return a < b ? a : b;
}

static void byte_fields(const void *in, void *out, unsigned thread)
{
    IN(u32, p, 32, thread * 256);
    IN(i32, s, 16, thread * 256 + 128);
    IN(u16, w, 32, thread * 256 + 192);
    float gray[16], widths[32];
    u32 sums[16], after[32];
    i32 mixed[16];
    u16 parts[16];
    i16 signs[16];
    EACH(k, 32) after[k] = k < 16 ? (u32)s[k] * 5 : p[k];
    EACH(k, 16)
    {
        gray[k] = (float)(p[k] % 256) * 2.0f + (float)(p[k + 16] / 256 % 256) * 3.0f;
        gray[k] += (float)(p[k] / 16777216) - (float)(int8_t)(s[k] >> 24);
        gray[k] += (float)(i16)(s[k] >> 16) * 0.5f;
        sums[k] = p[1 + 2 * k] / 65536 + p[3 + k] % 65536 * (p[3 + k] / 256 % 256);
        sums[k] -= (u32)(w[2 * k] / 256) - w[16 + k] % 256;
        mixed[k] = (i32)(p[k] / 256 % 256 << (after[k] & 15));
        mixed[k] ^= (i32)((u32)(s[k] >> 16) - p[k] % 65536);
        if (s[k] > 0)
            mixed[k] = (i32)(p[k] / 65536 % 256);
        if ((u32)mixed[k] < p[k] % 256)
            mixed[k] = (s[k] >> 24) + 1;
        parts[k] = (u16)(w[8 + k] / 256 * 3 + after[8 + k] / 256 % 256);
        parts[k] = (u16)(parts[k] + p[k] / 65536 % 256 + (u8)(s[k] >> 8));
        signs[k] = (i16)((i16)(s[k] >> 16) + w[k] / 256);
    }
    EACH(k, 32) widths[k] = (float)(after[k] % 65536) + 0.5f;
    OUT(thread * 512, gray);
    OUT(thread * 512 + 64, sums);
    OUT(thread * 512 + 128, mixed);
    OUT(thread * 512 + 192, parts);
    OUT(thread * 512 + 224, signs);
    OUT(thread * 512 + 256, after);
    OUT(thread * 512 + 384, widths);
}

static void least_magnitudes(const void *in, void *out, unsigned thread)
{
    IN(i32, v, 16, thread * 128);
    IN(i16, w, 16, thread * 128 + 64);
    IN(int8_t, b, 16, thread * 128 + 96);
    i16 sums[16], differences[16];
    u32 rest[16];
    float f[16];
    i32 less[16];
    u8 low[16];
    int8_t most[16];
    i16 most_words[16], kept[16];
    i32 most_numbers[16], whole[16];
    int64_t longs[4];
    EACH(k, 16)
    {
        i32 number = (v[k] & 3) == 0 ? INT32_MIN : v[k];
        i16 word = (number & 5) == 0 ? INT16_MIN : w[k];
        int8_t byte = (number & 6) == 0 ? INT8_MIN : b[k];
        i32 of_number = number < 0 ? opposite_of(number) : number;
        i16 of_word = word < 0 ? (i16)-word : word;
        int8_t of_byte = byte < 0 ? (int8_t)-byte : byte;
        sums[k] = (i16)(of_byte + of_word);
        differences[k] = (i16)(of_word - of_byte * 3);
        rest[k] = (u32)of_byte % ((u32)(word & 63) | 1);
        f[k] = (float)of_number;
        u32 difference = ((u32)number ^ 0x5a5a5a5a) - (u32)number * 3;
        low[k] = (u8)(difference >> 31 ? 0 - difference : difference);
        most[k] = of_byte < 0 ? INT8_MAX : of_byte;
        kept[k] = of_word;
        most_words[k] = of_word < 0 ? INT16_MAX : of_word;
        most_numbers[k] = of_number < 0 ? INT32_MAX : of_number;
        whole[k] = abs(word);
        less[k] = (of_number < 0) + 2 * (of_word < 7) + of_number / 3;
    }
    OUT(thread * 576, sums);
    OUT(thread * 576 + 32, differences);
    OUT(thread * 576 + 64, rest);
    OUT(thread * 576 + 128, f);
    OUT(thread * 576 + 192, less);
    OUT(thread * 576 + 256, low);
    OUT(thread * 576 + 272, most);
    OUT(thread * 576 + 288, most_words);
    OUT(thread * 576 + 320, kept);
    OUT(thread * 576 + 352, most_numbers);
    OUT(thread * 576 + 416, whole);
    OUT(thread * 576 + 480, most_numbers);
    EACH(k, 3) longs[k] = llabs((v[k] & 3) == 0 ? -INT32_MAX : v[k]) * (1LL << 32) + ((v[k] & 3) == 0 ? UINT32_MAX : 0);
    longs[3] = INT64_MAX;
    OUT(thread * 576 + 544, longs);
}

static void long_constants(const void *in, void *out, unsigned thread)
{
    IN(u32, a, 16, thread * 64);
    i16 whole[16];
    int64_t shifted[16], sums[16];
    uint64_t whole_sums[16];
    EACH(k, 16)
    {
        whole[k] = (i16)((i32)(a[k] & 255) - 1234);
        shifted[k] = -0x123456789abcdefLL >> (a[k] & 63);
        if (__builtin_add_overflow((int64_t)(i32)a[k] * (1LL << 32), -0x123456789abcdefLL * 64, &sums[k]))
            sums[k] = INT64_MIN; /* the constant is negative */
        if (__builtin_add_overflow((uint64_t)a[k] << 32, 0x9123456789abcdefULL, &whole_sums[k]))
            whole_sums[k] = UINT64_MAX;
    }
    OUT(thread * 416, whole);
    OUT(thread * 416 + 32, shifted);
    OUT(thread * 416 + 160, sums);
    OUT(thread * 416 + 288, whole_sums);
}

static void opposites(const void *in, void *out, unsigned thread)
{
    const u8 *b = (const u8 *)in + thread * 256;
    IN(i32, v, 16, thread * 256 + 64);
    IN(i32, many, 32, thread * 256 + 64);
    i32 sum[24], answer[16], wide[16], less[16], long_ones[16], at20 = many[20], at3;
    i16 narrow[16];
    float f[16], g[16];
    EACH(k, 24) sum[k] = 1000;
    EACH(k, 32)
    {
        u32 shifted = (u32)many[k] << ((b[k] | 28) & 31);
        many[k] ^= (i16)least_of(opposite_of((i32)shifted), at20);
    }
    EACH(k, 16) if ((v[k] & 3) == 0) v[k] = INT32_MIN;
    at3 = v[3];
    EACH(k, 16)
    {
        u8 chosen = b[b[16 + k] & 15];
        i32 opposite = opposite_of(v[k]);
        sum[(b[31] & 7) + k] -= b[chosen & 31];
        narrow[k] = (i16)(3 - chosen);
        answer[k] = (opposite < 0) + opposite / 3;
        answer[k] ^= (i16)least_of(opposite, at3);
        answer[k] ^= (i32)((u32)many[k] + (u32)many[16 + k] * 3);
        f[k] = (float)opposite;
        i16 s = (v[k] & 5) == 0 ? INT16_MIN : (i16)v[k];
        wide[k] = (i16)-s;
        less[k] = wide[k] < 0;
        int8_t c = (v[k] & 6) == 0 ? INT8_MIN : (int8_t)chosen;
        long_ones[k] = (int8_t)-c;
        g[k] = (float)long_ones[k];
    }
    memcpy((u8 *)out + thread * 512, sum + 4, 64);
    OUT(thread * 512 + 64, narrow);
    OUT(thread * 512 + 128, answer);
    OUT(thread * 512 + 192, f);
    OUT(thread * 512 + 256, wide);
    OUT(thread * 512 + 320, less);
    OUT(thread * 512 + 384, long_ones);
    OUT(thread * 512 + 448, g);
}

static void masked_mads(const void *in, void *out, unsigned thread)
{
    static const struct {
        int lanes, at, result;
    } part[] = {{1, 0, 0}, {2, 1, 0}, {3, 4, 0}, {7, 7, 0}, {3, 0, 1}, {5, 3, 1}, {6, 8, 1}, {1, 15, 1}};
    (void)thread;
    const u8 *a = in, *b = a + 64, *old = a + 128;
    IN(i32, m, 16, 256);
    float r[2][16];
    EACH(k, 16) r[0][k] = r[1][k] = old[k];
    EACH(n, 8) EACH(k, part[n].lanes)
    if (m[part[n].at + k] < 0)
        r[part[n].result][part[n].at + k] = (float)(a[1 + k] * b[2 + k] + 3);
    OUT(0, r);
}

static void masked_fields(const void *in, void *out, unsigned thread)
{
    static const struct {
        int lanes, at;
    } part[] = {{1, 0}, {2, 1}, {3, 4}, {7, 7}};
    (void)thread;
    IN(u32, a, 16, 0);
    IN(i32, b, 16, 64);
    IN(i32, m, 16, 128);
    IN(u32, put, 16, 192);
    IN(i32, got, 16, 192);
    EACH(n, 4) EACH(k, part[n].lanes)
    {
        int at = part[n].at + k, to = a[1 + k] & 15, from = a[k] & 15;
        if (m[at] < 0)
            put[at] = (a[at] & ~(31u << to)) | ((u32)b[k] & 31) << to;
        if (m[at] > 0)
            got[at] = ((b[at] >> from & 127) ^ 64) - 64;
    }
    OUT(0, put);
    OUT(64, got);
}

static void short_ways(const void *in, void *out, unsigned thread)
{
    IN(i32, first, 16, thread * 128);
    IN(i32, v, 16, thread * 128 + 64);
    i32 u[16], w[16], chosen[16], x = first[0] & 31;
    bool three = false, five = false;
    memcpy(w, first, sizeof w);
    memcpy(u, v, sizeof u);
    EACH(i, 16)
    {
        bool second = (w[i] & 240) == 80;
        three = three || (w[i] & 15) == 3;
        five = five || second;
        chosen[i] = second ? w[i] : v[i];
    }
    EACH(i, 4)
    {
        if (!three)
            v[2 * i] = (i32)((u32)v[2 * i] + 5);
        if (three || !five)
            v[2 * i + 1] = 7;
    }
    while (!(x & 8)) {
        x += 3;
        if (x & 2) {
            EACH(i, 16) u[i] = (i32)((u32)u[i] * 3);
            u[x & 7] = 3;
            memcpy(w, (const u8 *)in + thread * 128 + (x & 1) * 64, sizeof w);
        }
        u[0] = (i32)((u32)u[0] + (u32)x);
    }
    u[x & 1 ? 1 : 2] = x & 1 ? 5 : 7;
    while (!(x & 16)) {
        x += 5;
        EACH(i, 16) u[i] = (i32)((u32)u[i] + (x & 2 ? (u32)x : 0));
        u[4] = x;
    }
    if (x & 1)
        u[3] = 9;
    EACH(i, 4) if ((w[1] & 3) == 0) u[(w[2] & 3) + i] = w[3];
    if ((w[1] & 3) < 2)
        u[9] = (i32)((u32)u[9] + (u32)w[4]);
    if ((w[1] & 3) == 2)
        u[10] = w[5];
    OUT(thread * 192, chosen);
    OUT(thread * 192 + 64, v);
    OUT(thread * 192 + 128, u);
}

static void float_bits(const void *in, void *out, unsigned thread)
{
    static const u32 first[6] = {0, 0x80000000, 0x7f800000, 0xff800000, 0x7fc00000, 1};
    IN(u32, bits, 16, thread * 64);
    u32 found[16];
    float sums[16] = {0};
    memcpy(bits, first, sizeof first);
    EACH(i, 16)
    {
        u32 size = bits[i] & 0x7fffffff;
        found[i] = (bits[i] == 0) + (bits[i] == 0x80000000) * 2u + (size == 0x7f800000) * 4u +
                   (size <= 0x7f800000) * 8u + ((bits[i] & 0x7f800000) == 0) * 16u;
    }
    EACH(i, 7)
    sums[i] = (float)(bits[8 + i] & 0xff) * 0.25f + 0.5f;
    EACH(i, 3)
    sums[8 + 2 * i] = sums[2 + i] * 2.0f + (float)(bits[9 + i] & 0xff);
    OUT(0, found);
    OUT(64, sums);
}

static void half_constants(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(i32, a, 16, 0);
    IN(i32, b, 16, 64);
    _Float16 result[6][16];
    float quarter[16];
    EACH(k, 16)
    {
        _Float16 power = (_Float16)(1 << (a[k] & 7)), h = (_Float16)(b[k] >> 21);
        result[0][k] = (_Float16)(240.0 / (double)power);
        result[1][k] = (_Float16)((0.0 - (double)h) * (double)power);
        result[2][k] = (_Float16)(0.5 * (double)h);
        result[3][k] = (_Float16)(-(double)h - 3.0);
        result[4][k] = (_Float16)(1.5 * (double)h);
        result[5][k] = (_Float16)(((double)h + 0.0) * (double)power);
        quarter[k] = 0.25f * (float)(b[k] >> 8);
    }
    OUT(0, result);
    OUT(192, quarter);
}

/* What a conversion that saturates makes of a float. */
static int64_t clamped_long(double x)
{
    return x >= 0x1p63 ? INT64_MAX : x <= -0x1p63 ? INT64_MIN : (int64_t)x;
}

static uint64_t clamped_unsigned_long(double x)
{
    return x >= 0x1p64 ? UINT64_MAX : x <= 0 ? 0 : (uint64_t)x;
}

static void long_floats(const void *in, void *out, unsigned thread)
{
    (void)thread;
    uint64_t u[16], tie[16], plain[16], positive[16], most[16], of_halves[16], scalars[4] = {0};
    int64_t i[16], whole[16], clamped[16], of_half[16];
    float of_u[16], of_i[16], of_tie[16], of_minus[16];
    _Float16 half_u[16], half_i[16], half_saturated[16];
    memcpy(u, in, sizeof u);
    memcpy(i, (const u8 *)in + 128, sizeof i);
    EACH(k, 16)
    {
        tie[k] = ((((u32)u[k] & 0xffffff) << 1 | 0x1000001ull) << (2 * k + 1)) + (uint64_t)(k % 3) - 1;
        u[k] >>= 4 * k;
        i[k] >>= 60 - 4 * k;
        of_u[k] = (float)u[k];
        of_i[k] = (float)i[k];
        of_tie[k] = (float)tie[k];
        of_minus[k] = (float)-(int64_t)tie[k];
        half_u[k] = (_Float16)u[k];
        half_i[k] = (_Float16)(i[k] >> 48);
        half_saturated[k] = (_Float16)(i[k] > 0);
        whole[k] = (int64_t)(of_minus[k] * 1.25f);
        clamped[k] = clamped_long((double)(of_i[k] * 8.0f));
        of_half[k] = (int64_t)(_Float16)(half_i[k] * (_Float16)0.75f);
        plain[k] = (uint64_t)(of_tie[k] * 0.3f);
        positive[k] = clamped_unsigned_long((double)of_minus[k]);
        most[k] = clamped_unsigned_long((double)(of_u[k] * 3.0f));
        of_halves[k] = clamped_unsigned_long((double)half_u[k]);
    }
    OUT(0, of_u);
    OUT(64, of_i);
    OUT(128, of_tie);
    OUT(192, of_minus);
    OUT(256, half_u);
    OUT(288, half_i);
    OUT(320, half_saturated);
    OUT(384, whole);
    OUT(512, clamped);
    OUT(640, of_half);
    OUT(768, plain);
    OUT(896, positive);
    OUT(1024, most);
    OUT(1152, of_halves);
    float pair[2] = {of_u[1] + 1, of_i[14]};
    scalars[0] = (uint64_t)of_u[0];
    scalars[1] = (uint64_t)(int64_t)of_minus[5];
    memcpy(&scalars[2], pair, sizeof pair);
    scalars[3] = (uint64_t)fabsf(of_i[14]);
    OUT(1280, scalars);
    EACH(k, 16)
    {
        if (i[k] > 0)
            of_i[k] = of_tie[k] + 1.0f;
        whole[k] = i[k] > 0 ? (int64_t)(of_u[k] * 0.1f) : (int64_t)(of_minus[k] * -0.1f);
    }
    OUT(1344, of_i);
    OUT(1408, whole);
}

static i32 quotient(i32 x, i32 y)
{
    if (y == 0)
        return x < 0 ? INT32_MIN : INT32_MAX;
    return y == -1 ? (i32)(0 - (u32)x) : x / y;
}
static int64_t nearest(float f, int64_t least, int64_t greatest)
{
    if (f != f)
        return 0;
    return f <= (float)least ? least : f >= (float)greatest ? greatest : (int64_t)f;
}
static void undefined_operands(const void *in, void *out, unsigned thread)
{
    IN(i32, x, 16, thread * 128);
    IN(i32, y, 16, thread * 128 + 64);
    i32 r[8][16];
    float f[16];
    memcpy(f, x, sizeof f);
    EACH(k, 16)
    {
        i32 divisor = y[k] & 1 ? 0 : (y[k] & 3) == 2 ? -1 : y[k];
        unsigned count = (u32)y[k] & 31;
        x[k] = (y[k] & 15) == 2 ? INT32_MIN : x[k];
        r[0][k] = (i32)((u32)x[k] << count);
        r[1][k] = x[k] >> count;
        r[3][k] = quotient(x[k], divisor);
        r[5][k] = (i32)nearest(f[k], INT32_MIN, INT32_MAX);
        r[6][k] = (i32)(u32)nearest(f[k], 0, UINT32_MAX);
        r[7][k] = (i32)((u32)r[3][k] + (u32)r[0][k]);
    }
    IN(u32, u, 16, thread * 128); /* before some became the least number */
    EACH(k, 16)
    {
        u32 divisor = (u32)(y[k] & 1 ? 0 : (y[k] & 3) == 2 ? -1 : y[k]);
        r[2][k] = (i32)(u[k] >> (y[k] & 31));
        r[4][k] = (i32)(divisor ? u[k] / divisor : UINT32_MAX);
    }
    OUT(thread * 512, r);
}

const struct reference arithmetic_table[] = {ROW(turned_matrices),
                                             ROW(half_constants),
                                             ROW(library_functions),
                                             ROW(library_blocks),
                                             ROW(ramps),
                                             ROW(short_floats),
                                             ROW(long_division),
                                             ROW(long_switches),
                                             ROW(long_switch_rows),
                                             ROW(many_ways),
                                             ROW(long_floats),
                                             ROW(rounds_up),
                                             ROW(rounds_down),
                                             ROW(rounds_to_zero),
                                             ROW(rounds_to_nearest),
                                             ROW(keeps_denormals),
                                             ROW(integers),
                                             ROW(shifts),
                                             ROW(rotations),
                                             ROW(negative_choice),
                                             ROW(byte_dot_products),
                                             ROW(byte_dot_widened),
                                             ROW(saturated_wraps),
                                             ROW(masked_mads),
                                             ROW(masked_fields),
                                             ROW(short_ways),
                                             ROW(widened_signs),
                                             ROW(widened_divisors),
                                             ROW(wide_masks),
                                             ROW(opposites),
                                             ROW(least_magnitudes),
                                             ROW(long_constants),
                                             ROW(byte_fields),
                                             ROW(counted_constants),
                                             ROW(float_bits),
                                             ROW(dot_products),
                                             ROW(ieee),
                                             ROW(angles),
                                             ROW(elementary),
                                             ROW(elementary_halves),
                                             ROW(roundings),
                                             ROW(remainders),
                                             ROW(library_math),
                                             ROW(library_masks),
                                             ROW(library_exponentials),
                                             ROW(library_half_exponentials),
                                             ROW(library_places),
                                             ROW(double_remainders), ROW(double_roots), ROW(doubles),
                                             ROW(double_conversions),
                                             ROW(double_exponentials),
                                             ROW(dot_rounding),
                                             ROW(simd_groups),
                                             ROW(simd_reductions),
                                             ROW(library),
                                             ROW(spelt_out),
                                             ROW(undefined_operands),
                                             {NULL, NULL}};
