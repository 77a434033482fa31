/* Computes in scalar C what the kernel of loop_beside_branch.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void loop_beside_branch(const void *in, void *out, unsigned thread)
{
    IN(i32, lanes, 8, thread * 96);
    IN(u16, words, 32, thread * 96 + 32);
    EACH(k, 8) lanes[k] = (lanes[k] & 31) - (thread & 1 ? 15 : 0);
    for (int k = 0; k < 32 && !(thread & 1); k += 2)
        words[k + 1] &= (u16)(words[k] + 1);
    OUT(thread * 96, lanes);
    OUT(thread * 96 + 32, words);
}

REFERENCE(loop_beside_branch)
