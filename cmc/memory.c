/* See memory.h. */
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE /* madvise */
#endif
#include "cmc/memory.h"

#ifdef CMKIT_MIMALLOC
#include <mimalloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

void cmc_use_large_pages(void)
{
    /* mimalloc takes memory in pieces of this size, at multiples of it, and the first before main(); elsewhere there is
     * nothing that the advice would change. */
    enum { SEGMENT = 32 << 20 };
    void *first = malloc(1);
    mi_option_enable(mi_option_large_os_pages); /* the later ones */
    madvise((void *)((uintptr_t)first & ~(uintptr_t)(SEGMENT - 1)), SEGMENT, MADV_HUGEPAGE);
    free(first);
}
#else
void cmc_use_large_pages(void) {}
#endif
