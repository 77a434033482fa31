/* Computes in scalar C what the kernel of negated_overlaps.cm must write. */
#include <string.h>
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void negated_overlaps(const void *in, void *out, unsigned thread)
{
    (void)thread;
    union {
        i32 all[48];
        i16 words[96];
        u8 bytes[192];
    } now, old;
    memcpy(&now, in, sizeof now);
    for (int turn = 0; turn < (now.all[0] & 1) + 2; turn++) {
        old = now;
        for (int k = 0; k < 32; k++)
            now.words[k] = (i16)(old.words[k] - old.bytes[1 + k]);
        old = now;
        for (int k = 0; k < 16; k++)
            now.words[32 + k] = (i16)(old.bytes[67 + k] - old.words[32 + k]);
        old = now;
        for (int k = 0; k < 16; k++)
            now.all[24 + k] = (i32)((u32)old.all[24 + k] - (u32)old.words[49 + k]);
        old = now;
        for (int k = 0; k < 32; k++)
            now.all[8 + k] = (i32)((u32)old.all[8 + k] - (u32)old.words[33 + k]);
        old = now;
        for (int k = 0; k < 8; k++) {
            i32 word = old.words[81 + k];
            now.all[40 + k] = (i32)((u32)(word < 0 ? -word : word) + (u32)old.all[40 + k]);
        }
    }
    memcpy(out, &now, sizeof now);
}

REFERENCE(negated_overlaps)
