/* Memory of the compiler. */
#ifndef CMKIT_CMC_MEMORY_H
#define CMKIT_CMC_MEMORY_H

/* Asks for large pages, before much memory is used: with small ones the system is called two thousand times for the
 * largest kernels, a tenth of the time. Without mimalloc, or a system that has such pages, all stays as it is. */
void cmc_use_large_pages(void);

#endif
