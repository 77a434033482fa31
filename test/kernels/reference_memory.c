/* References of the kernels that test memory intrinsics. */
#include "elements.h"
#include "reference.h"

#include <stdlib.h>

static void shared_memory(const void *in, void *out, unsigned thread)
{
    unsigned group = thread / 4, next = (thread + 1) % 4 + group * 4;
    IN(u32, all, 256, group * 1024); /* of the group */
    IN(u32, other, 64, next * 256);
    u32 r[64] = {0};
    EACH(k, 31) r[k] = all[(next % 4 * 64 + (unsigned)k + 1) % 256];
    EACH(k, 16) r[32 + k] = (other[k] & 255) + (other[16 + k] ^ other[32 + k]);
    EACH(k, 8)
    {
        r[48 + k] = other[16 + k];
        r[56 + k] = get16((const u8 *)all + 2 * (3 * (unsigned)k + thread % 4));
    }
    OUT(thread * 256, r);
}

static void shared_load(const void *in, void *out, unsigned thread)
{
    IN(u32, v, 64, thread / 3 * 2048 + 16 + thread % 3 * 512 + 64);
    EACH(k, 64) v[k]++;
    OUT(thread * 256, v);
}

static void shared_pointers(const void *in, void *out, unsigned thread)
{
    unsigned group = thread / 4, me = thread % 4, next = (me + 1) % 4;
    IN(u32, all, 64, group * 256);
    const u32 *own = all + me * 16, *theirs = all + next * 16;
    const u8 *bytes = (const u8 *)theirs;
    u32 r[16] = {0};
    uint64_t sum = (uint64_t)theirs[5] << 32 | theirs[6];
    EACH(k, 16) r[0] = r[0] * 3 + theirs[k];
    r[1] = theirs[3] & 255;
    r[2] = (theirs[4] & 255) * 2;
    r[3] = (u32)(sum >> 8);
    r[4] = (u32)((sum + 7) >> 40);
    r[5] = (theirs[7] & 0xffff) + ((theirs[7] + theirs[8]) << 16);
    r[6] = (all[2 * 16 + 9] & 0xffff) * 2 + 1;
    const u32 *chosen = theirs[0] & 1 ? theirs : own;
    r[7] = chosen[5] ^ chosen[all[me] & 15];
    r[8] = bytes[all[me + 1] & 63] * 256u + (u32)(int16_t)get16(bytes + 2 * (all[me + 2] & 31));
    r[9] = next * 17;
    EACH(k, 6) r[10 + k] = theirs[2 + k];
    OUT(thread * 64, r);
}

static void shared_gathers(const void *in, void *out, unsigned thread)
{
    unsigned me = thread % 4, next = thread - me + (me + 1) % 4;
    IN(u32, own, 16, thread * 64);
    IN(u32, theirs, 16, next * 64);
    static const u8 place[] = {3, 2, 0, 1};
    uint64_t longs[4];
    u32 r[16] = {0};
    EACH(k, 4)
    {
        unsigned from = theirs[8 + k] & 1 ? 8 + 2 * (unsigned)k : 2 * (unsigned)k;
        longs[place[k]] = (uint64_t)theirs[from + 1] << 32 | theirs[from];
    }
    EACH(k, 10) r[k] = get16((const u8 *)theirs + 2 * (own[k] & 31));
    EACH(k, 4) r[10 + k] = (u32)((own[12 + k] & 1 ? longs[own[4 + k] & 3] : 77) >> 17);
    r[14] = get16((const u8 *)theirs + 10) + (u32)longs[1];
    r[15] = (me + 3) % 4;
    OUT(thread * 64, r);
}

static void pick(const void *in, void *out, unsigned thread, i32 more)
{
    IN(i32, v, 16, thread * 64);
    i32 r[16] = {0};
    EACH(k, 15) r[k] = (i32)((u32)(v[k] & 1 ? v[k + 1] >> 1 : v[k]) + (u32)more);
    OUT(thread * 64, r);
}
static void shared_tables(const void *in, void *out, unsigned thread) { pick(in, out, thread, 0); }
static void shared_tables_again(const void *in, void *out, unsigned thread) { pick(in, out, thread, 10); }

static void shared_places(const void *in, void *out, unsigned thread)
{
    IN(i32, v, 16, thread * 64);
    i32 inside[16];
    u32 r[16] = {0};
    EACH(k, 16) inside[k] = v[k] >> 1;
    i16 last = (i16)v[4], sum = (i16)(v[5] + last);
    r[0] = (u32)(v[0] > 0 ? v : inside)[3];
    r[1] = (u32)(v[1] > 0 ? inside[2] : v[5]);
    r[2] = (u32)v[2] + (u32)inside[4];
    r[3] = (u32)(v[2] & 1 ? inside[5] : v[4]);
    EACH(k, 16) r[4] += (u32)inside[k];
    for (int k = 4; k < 16; k += 3)
        r[5] += (u32)v[k];
    r[6] = (u32)((v[3] & 15) * 100 + (v[0] <= 0) * 10 + (v[1] > 0));
    for (int k = 2; k < 9; k++)
        r[7] += (u32)v[k];
    r[8] = (u32)(sum * 2);
    r[9] = v[7] & 1 ? (u32)v[6] : 7;
    r[10] = 16;
    r[11] = 1;
    OUT(thread * 64, r);
}

static void shared_objects(const void *in, void *out, unsigned thread)
{
    IN(i32, v, 16, 0);
    u8 *to = (u8 *)out + 128;
    i32 r[16] = {0};
    (void)thread;
    r[0] = (i32)((u32)v[0] + (v[3] & 255));
    r[1] = (i16)v[1] + (i16)v[4] + 2;
    r[2] = (v[5] & 255) * 256 + (v[6] & 255);
    EACH(i, 3) r[3 + ((u32)i + (u32)v[7]) % 3] = i;
    OUT(0, r);
    OUT(64, v);
    put32(to, (u32)v[0]);
    put16(to + 4, (u16)v[1]);
    put16(to + 6, (u16)v[4]);
    put16(to + 8, (u16)v[2]);
    to[10] = (u8)v[3];
    to[11] = 9;
}

static void scalar_sizes(const void *in, void *out, unsigned thread)
{
    const u8 *from = in;
    u8 *to = out;
    (void)thread;
    put32(to + 4, get32(from + 4) + 1);
    to[26] = (u8)(from[26] + 1);
    put16(to + 40, get16(from + 40) ^ 0xffff);
    put32(to + 12, get32(from + 12));
    put16(to + 32, get16(from + 34));
}

static void untyped(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u32, a, 256, 0);
    EACH(k, 16)
    {
        put32((u8 *)out + 16 * k, a[4 * k]);
        put32((u8 *)out + 16 * k + 4, a[4 * k + 1] + a[4 * k + 2]);
        put32((u8 *)out + 16 * k + 8, a[4 * k + 2]);
    }
    EACH(k, 8)
    {
        unsigned from = (unsigned)(k + 3) * 4 ^ 5;
        put32((u8 *)out + 16 * (16 + k), a[from + 1]);
        put32((u8 *)out + 16 * (16 + k) + 8, a[from + 3]);
    }
    EACH(k, 32) put32((u8 *)out + 16 * (32 + k) + 12, 4 * k + 150 < 256 ? a[4 * k + 150] : 0);
}

static void four_channels(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u32, a, 128, 0);
    u32 r[128];
    EACH(k, 32) EACH(c, 4) r[(31 - k) * 4 + c] = a[k * 4 + c] + (u32)c;
    OUT(0, r);
}

/* Per mask sixteen pixels of four dwords, of which it moves the channels that it names. */
static void channel_masks(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u32, a, 64, 0);
    for (unsigned mask = 1; mask < 16; mask++)
        EACH(k, 64)
        {
            if (mask >> k % 4 & 1)
                put32((u8 *)out + (mask - 1) * 256 + 4 * k, a[k] + mask);
        }
}

static void shared_channel_masks(const void *in, void *out, unsigned thread)
{
    memset(out, 0xa5, 3840);
    channel_masks(in, out, thread);
}

static void aligned_blocks(const void *in, void *out, unsigned thread)
{
    unsigned base = thread * 512;
    const u8 *from = (const u8 *)in + base;
    u8 *to = (u8 *)out + base;
    memcpy(to, from + 4, 20);
    memcpy(to + 20, from + 12, 12);
    memcpy(to + 32, from + 20, 20);
    memcpy(to + 52, from + 28, 12);
    memcpy(to + 64, to, 12);
    memcpy(to + 76, from + 32, 52);
    EACH(k, 16)
    {
        to[128 + 2 * k] = from[3 * k + 1];
        put16(to + 192 + 2 * k, (u16)(get16(from + 64 + 6 * k) + 1));
        put16(to + 320 + 2 * k, get16((const u8 *)in + 1022 - 4 * k));
    }
    EACH(k, 8) put32(to + 256 + 8 * k, get32(from + 128 + 12 * k));
}

static void scalar_writes(const void *in, void *out, unsigned thread)
{
    IN(u32, a, 16, thread * 64);
    EACH(k, 8) put32((u8 *)out + thread * 64 + 32 + 4 * k, a[k] + (u32)k);
    put32((u8 *)out + thread * 64, a[9]);
}

static void single_lanes(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u32, a, 16, 0);
    u32 from = a[0] & 15, to = 15 - from;
    put32((u8 *)out + 4 * to, a[from]);
    ((u8 *)out)[(from < 8 ? 0 : 32) + from] = ((const u8 *)in)[4 + to];
}

static void atomics(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u32, a, 256, 0);
    u32 r[16][16];
    memcpy(r, a, sizeof r);
    EACH(k, 16)
    {
        u32 x = a[240 + k], y = k % 2 ? a[7 * 16 + k] : 1, top = 0x80000000, sum;
        r[0][k] += x;
        r[1][k] -= x;
        r[2][k] += 1;
        r[3][k] -= 1;
        r[4][k] = r[4][k] < top ? r[4][k] : top;
        r[5][k] = r[5][k] > x ? r[5][k] : x;
        r[6][k] = x;
        r[7][k] = r[7][k] == y ? x : r[7][k];
        r[8][k] &= x;
        r[9][k] |= 0x10101;
        r[10][k] ^= x;
        r[11][k] = (i32)r[11][k] < (i32)x ? r[11][k] : x;
        r[12][k] = (i32)r[12][k] > (i32)x ? r[12][k] : x;
        r[13][k] -= 1;
        sum = (((a[k] ^ a[32 + k]) + a[96 + k]) ^ a[112 + k]) + r[13][k];
        r[15][k] = k % 2 ? r[14][k] : sum;
        r[14][k] += k % 2 ? 1000 : 0;
    }
    r[14][4] |= 0xf0f0f0f0;
    r[14][5] |= 0xf0f0f0f0;
    OUT(0, r);
}

static void atomic_sums(const void *in, void *out, unsigned thread)
{
    IN(u32, what, 8, 0);
    EACH(k, 8)
    {
        u8 *at = (u8 *)out + 4 * (((unsigned)k + thread % 4) & 7);
        put32(at, get32(at) + what[k]);
    }
    put32((u8 *)out + 60, get32((u8 *)out + 60) + 1);
}

static void shared_atomics(const void *in, void *out, unsigned thread)
{
    IN(u32, what, 8, 0);
    u32 r[16];
    EACH(k, 8)
    {
        r[k] = 8 * what[k];
        r[8 + k] = 8;
    }
    if (thread == 0)
        OUT(0, r);
}

static void blocks_of_hwords(const void *in, void *out, unsigned thread)
{
    IN(u32, a, 128, thread * 512);
    u32 r[128];
    EACH(k, 8) r[k] = r[8 + k] = a[80 + k] ^ a[64 + 2 * k + 1];
    EACH(k, 16) r[16 + k] = a[64 + k];
    EACH(k, 64) r[32 + k] = a[k] + 1;
    EACH(k, 32) r[96 + k] = a[96 + k];
    OUT(thread * 512, r);
}

static void scattered_qwords(const void *in, void *out, unsigned thread)
{
    (void)thread;
    uint64_t a[64], value[16];
    memcpy(a, in, sizeof a);
    EACH(k, 16) value[k] = a[k * 4];
    EACH(k, 16) memcpy((u8 *)out + (15 - k) * 24, &value[k], 8);
    EACH(k, 8)
    {
        uint64_t some = a[(k + 1) * 4] - 1;
        memcpy((u8 *)out + (7 - k) * 24 + 8, &some, 8);
    }
}

static void atomics_as_before(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u32, a, 64, 0);
    u32 r[128], *x = a + 16;
    EACH(k, 64) r[k] = a[k % 16];
    EACH(k, 8)
    {
        int at = 7 - k;
        u32 wanted = a[8 + k] + (k % 2 == 0);
        i32 least = (i32)a[24 + k];
        r[64 + k] = r[at];
        r[at] += x[k];
        r[72 + k] = r[8 + at]++;
        r[16 + at] = x[k] > r[16 + at] ? x[k] : r[16 + at];
        r[80 + k] = r[24 + at];
        r[24 + at] = r[24 + at] == wanted ? x[k] : r[24 + at];
        r[88 + k] = --r[32 + at];
        r[96 + k] = r[40 + at];
        r[40 + at] = least < (i32)r[40 + at] ? (u32)least : r[40 + at];
        r[104 + k] = (u32)least;
        r[112 + k] = r[120 + k] = x[k];
    }
    OUT(0, r);
}

static void atomic_landing(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u32, w, 64, 0);
    u32 sums[32], after[64];
    EACH(k, 32)
    {
        sums[k] = w[32 + k] + w[k];
        after[k] = k < 16 ? w[k] : w[16 + k]; /* the old numbers are those of w from 32 on */
        after[32 + k] = k < 16 ? w[48 + k] : w[32 + k];
    }
    OUT(0, sums);
    OUT(256, after);
}

static void structure_copies(const void *in, void *out, unsigned thread)
{
    (void)thread;
    enum { PARTICLE = 20, PAIR = 6, LETTERS = 7 };
    const u8 *from = in;
    u8 *to = out;
    u32 n, number;
    memcpy(&n, from + 252, 4);
    n &= 3;
    memcpy(to, from + (n + 1) * PARTICLE, PARTICLE);
    memcpy(to + PARTICLE, from + n * PARTICLE, PARTICLE);
    memcpy(&number, to + PARTICLE, 4);
    number += 5;
    memcpy(to + PARTICLE, &number, 4);
    to[PARTICLE + 12 + 4 * (n & 1)] ^= 0xff;

    memcpy(to + 64, from + 128 + (n + 1) * PAIR, PAIR);
    int16_t pair[3];
    memcpy(pair, from + 128 + n * PAIR, PAIR);
    pair[1] = (int16_t)(pair[0] - pair[2]);
    memcpy(to + 64 + PAIR, pair, PAIR);

    memcpy(to + 97, from + 161 + (n + 1) * LETTERS, LETTERS);
    memcpy(to + 97 + LETTERS, from + 161 + n * LETTERS, LETTERS);
    to[97 + LETTERS + n] = 'x';
}

const struct reference memory_table[] = {
    ROW(blocks_of_hwords), ROW(scattered_qwords), ROW(atomics_as_before), ROW(channel_masks), ROW(shared_channel_masks),
    ROW(aligned_blocks),   ROW(shared_memory),    ROW(shared_load),       ROW(untyped),       ROW(atomics),
    ROW(four_channels),    ROW(scalar_writes),    ROW(scalar_sizes),      ROW(atomic_sums),   ROW(shared_atomics),
    ROW(atomic_landing),   ROW(shared_pointers),  ROW(shared_gathers),    ROW(single_lanes),  ROW(shared_places),
    ROW(shared_objects),   ROW(structure_copies), ROW(shared_tables),     ROW(shared_tables_again),
    {NULL, NULL}};
