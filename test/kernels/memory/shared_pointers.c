/* Computes in scalar C what the kernels of shared_pointers.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

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

static void shared_tables(const void *in, void *out, unsigned thread)
{
    pick(in, out, thread, 0);
}

static void shared_tables_again(const void *in, void *out, unsigned thread)
{
    pick(in, out, thread, 10);
}

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

REFERENCE(shared_pointers)
REFERENCE(shared_gathers)
REFERENCE(shared_places)
REFERENCE(shared_tables)
REFERENCE(shared_tables_again)
REFERENCE(shared_objects)
