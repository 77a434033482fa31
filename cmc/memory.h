/* Sets up the compiler's memory allocator. */
#ifndef CMKIT_CMC_MEMORY_H
#define CMKIT_CMC_MEMORY_H

/* Makes the allocator use large pages. Call it before much memory is used. With small pages the largest kernels make
 * two thousand system calls, which take a tenth of the time. Without mimalloc, or on a system without large pages,
 * nothing changes. */
void cmc_use_large_pages(void);

#endif
