/* Computes in scalar C what the kernel of constant_divisors.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static const u32 divisors[] = {2,   3,   4,    5,     6,     7,          10,         14,         28,
                               100, 641, 1000, 65535, 65536, 1000000007, 0x40000000, 0x40000001, 0x7fffffff};
static const u32 large[] = {0x80000000u, 0x80000001u, 0xaaaaaaabu, 0xfffffffeu, 0xffffffffu};
static const i32 negative[] = {-2, -3, -7, -8, -1000, -2147483647, -2147483647 - 1};

enum { DIVISORS = sizeof divisors / sizeof *divisors, LARGE = sizeof large / sizeof *large };
enum { NEGATIVE = sizeof negative / sizeof *negative };

/* Quotients of 64 bits do not overflow. */
static u32 quotient(int64_t a, int64_t b)
{
    return (u32)(a / b);
}

static u32 remainder_of(int64_t a, int64_t b)
{
    return (u32)(a % b);
}

/* Writes what is computed of lane `k` alone. */
struct column {
    u8 *next;
};

static void put(struct column *c, u32 number)
{
    put32(c->next, number);
    c->next += 64;
}

static void put_small(struct column *c, u32 x, int64_t by)
{
    put(c, quotient((i16)(x >> 16), by));
    put(c, remainder_of(x & 0x7fffffff, by));
}

static void constant_divisors(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u32, u, 16, 0);
    u[0] = 0;
    u[1] = 0x7fffffff;
    u[2] = 0x80000000;
    u[3] = 0xffffffff;
    u[4] &= 0xff;
    EACH(k, 16)
    {
        struct column c = {(u8 *)out + 4 * k};
        i32 i = (i32)u[k];
        for (unsigned n = 0; n < DIVISORS + LARGE; n++) {
            u32 by = n < DIVISORS ? divisors[n] : large[n - DIVISORS];
            put(&c, u[k] / by);
            put(&c, u[k] % by);
        }
        for (unsigned n = 0; n < DIVISORS; n++) {
            put(&c, quotient(i, divisors[n]));
            put(&c, remainder_of(i, divisors[n]));
        }
        for (unsigned n = 0; n < NEGATIVE; n++) {
            put(&c, quotient(i | 1, negative[n]));
            put(&c, remainder_of(i, negative[n]));
        }
        for (unsigned n = 0; n < DIVISORS; n++)
            put(&c, quotient((u16)(u[k] >> 16), divisors[n]));
        for (unsigned n = 0; n < DIVISORS; n++)
            put_small(&c, u[k], divisors[n]);
        for (unsigned n = 0; n < NEGATIVE; n++)
            put_small(&c, u[k], negative[n]);
        put(&c, quotient(i, k - 20));
        put(&c, remainder_of(i, k - 20));
    }
}

REFERENCE(constant_divisors)
