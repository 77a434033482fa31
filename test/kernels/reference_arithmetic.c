/* References of the kernels that test arithmetic intrinsics. Right shifts of signed numbers keep the sign (gcc, clang).
 */
#include "elements.h"
#include "reference.h"

#include <math.h>
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
    float a[16], b[16], row[10][16];
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
    float row[4][16];
    EACH(k, 16)
    {
        float y = (float)i[k] * 0x1p-24f, x = (float)(j[k] >> 8) * 0x1p-16f;
        y = k == 3 || k == 4 ? 0 : y;
        x = k == 3 || k == 7 ? 0 : x;
        row[0][k] = floorf(y);
        row[1][k] = ceilf(x);
        row[2][k] = (float)atan2(y, x);
        row[3][k] = (float)atan2(2, x);
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

const struct reference arithmetic_table[] = {ROW(integers),     ROW(shifts),    ROW(rotations), ROW(byte_dot_products),
                                             ROW(dot_products), ROW(ieee),      ROW(angles),    ROW(simd_reductions),
                                             ROW(library),      ROW(spelt_out), {NULL, NULL}};
