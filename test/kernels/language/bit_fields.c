/* Computes in scalar C what the kernel of bit_fields.cm must write: bit-fields are numbers with masks here. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

struct wide {
    uint64_t e;
    i16 f;
};

static uint64_t low(uint64_t number, unsigned bits)
{
    return number & (((uint64_t)1 << bits) - 1);
}

static i32 as_signed(uint64_t number)
{
    return (i32)(u32)number;
}

static void change(struct wide *w, i32 n)
{
    w->e = low(w->e * 5 + (uint64_t)(int64_t)n, 40);
    w->f++;
}

static void bit_fields(const void *in, void *out, unsigned thread)
{
    IN(i32, v, 16, 64 * thread);
    i32 r[16], n = v[0] & 1023;
    struct wide w[4], single = {0x1234567890, -3};
    u32 a[3], b[3], bytes[3] = {(u32)low((u32)n, 8), 5, 9};
    EACH(i, 4)
    {
        w[i].e = low(0x1234567890 * (uint64_t)i + (uint64_t)n, 40);
        w[i].f = (i16)-i;
    }
    EACH(i, 3)
    {
        a[i] = (u32)i + 1;
        b[i] = (u32)low((u32)(n - i), 13);
    }
    w[n & 3].e = low(w[v[3] & 1].e * 300 + (uint64_t)(int64_t)v[5], 40);
    change(&w[n & 1], n);
    change(&single, v[1]);
    b[n % 3] = (u32)low(b[n % 3] + (u32)(77 * n), 13);
    a[v[2] & 1] = (u32)low(a[v[2] & 1] - (u32)n, 11);
    bytes[1] = (u32)low(bytes[1] + (u32)n, 8);
    struct wide copy = w[v[1] & 3];
    EACH(i, 4)
    {
        r[2 * i] = as_signed(w[i].e);
        r[2 * i + 1] = as_signed((w[i].e >> 32) + (uint64_t)(int64_t)w[i].f);
    }
    EACH(i, 3) r[8 + i] = as_signed(a[i] + (b[i] << 16));
    u32 all = bytes[0] + 256 * bytes[1] + 65536 * bytes[2];
    r[11] = as_signed(all);
    r[12] = as_signed(copy.e + (uint64_t)(int64_t)copy.f);
    r[13] = as_signed(single.e >> 8);
    r[14] = single.f + as_signed(low(all, 11));
    r[15] = as_signed(all >> 11);
    OUT(64 * thread, r);
}

REFERENCE(bit_fields)
