/* Copies the pages of memory that a launch accesses: each before the first access, and what it
 * has written at its end. Any thread may call trace_pages_touch(). */
#ifndef CMKIT_SIM_TRACE_PAGES_H
#define CMKIT_SIM_TRACE_PAGES_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include "sim/base/space.h"

enum { TRACE_PAGE = 4096 };

struct trace_page {
    uint64_t gpu;    /* address, a multiple of TRACE_PAGE */
    uint8_t *before; /* TRACE_PAGE bytes; outside of the address space zeros */
    uint8_t *after;  /* NULL: as before. Other bytes than those that the launch writes are as before: the program may
                      * have changed them meanwhile */
    atomic_uint_fast64_t *written; /* while it is recorded: a bit for each byte that the launch writes; NULL: none */
};

struct trace_pages;

/* NULL: out of memory. The space must live as long. */
struct trace_pages *trace_pages_create(const struct sim_space *space);
void trace_pages_destroy(struct trace_pages *pages);

/* Says that [gpu, gpu + size) is about to be read or written; what is outside of the address space is left out. */
void trace_pages_touch(struct trace_pages *pages, uint64_t gpu, uint64_t size, int writes);

/* Ends the launch. Returns its pages by rising address, NULL: out of memory. They live as long as `pages`. */
const struct trace_page *trace_pages_finish(struct trace_pages *pages, size_t *count);

/* Writes back what the bytes held that the launch has written. 0: nothing is changed, because not all are known, for
 * lack of memory. */
int trace_pages_restore(struct trace_pages *pages);

#endif
