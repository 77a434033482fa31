/* Computes in scalar C what the kernel of choices.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static u32 inserted(u32 width, u32 offset, u32 field, u32 base)
{
    u32 mask = ((1u << width) - 1) << offset;
    return (field << offset & mask) | (base & ~mask);
}

static void choices(const void *in, void *out, unsigned thread)
{
    IN(i32, v, 16, thread * 128);
    IN(u32, u, 16, thread * 128 + 64);
    u32 numbers[8], fields[16];
    i16 counted[8];
    EACH(k, 8) numbers[k] = (u32)v[k];
    memcpy(fields, u, sizeof fields);
    int at = v[2] & 7;
    if (v[0] < v[1])
        EACH(k, 4) v[at + k] = (i32)((u32)v[at + k] * 3);
    else
        EACH(k, 16) v[k] = (i32)((u32)v[k] + 5);
    numbers[v[3] & 7] += 7;
    EACH(k, 8) v[4 + k] = (i32)((u32)v[4 + k] + numbers[2]), counted[k] = (i16)numbers[2];
    EACH(k, 4)
    {
        if (numbers[3] & 1)
            v[k] = (i32)((u32)v[k] + 1);
        else if (v[8 + k] > 0)
            v[12 + k] = 77;
    }
    fields[0] = u[2] >> 3 & ((1u << (u[1] & 15)) - 1);
    EACH(k, 2) fields[1 + k] = u[5 + k] >> 4 & ((1u << (u[3 + k] & 15)) - 1);
    EACH(k, 2) fields[3 + k] = inserted(5, u[6 + k] & 15, u[8 + k], u[10 + k]);
    EACH(k, 7) fields[5 + k] = inserted(u[2 + k] & 15, 9, u[k], u[8 + k]);
    OUT(thread * 256, v);
    OUT(thread * 256 + 64, numbers);
    OUT(thread * 256 + 96, counted);
    OUT(thread * 256 + 128, fields);
}

REFERENCE(choices)
