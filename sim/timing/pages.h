/* Numbers pages of memory by their first use, so that addresses of a run do not change its timing. */
#ifndef CMKIT_SIM_TIMING_PAGES_H
#define CMKIT_SIM_TIMING_PAGES_H

#include <stdbool.h>
#include <stdint.h>
#include "sim/timing/record.h"

struct pages {
    uint64_t *page; /* plus one; 0: free */
    uint32_t *number;
    uint32_t room, count; /* room: a power of two */
    uint64_t last_page;   /* plus one */
    uint32_t last_number;
};

/* Replaces the lines in the record's messages by numbers. Call it for the groups in their order. False: no memory. */
bool pages_translate(struct pages *pages, struct group_record *record);

void pages_clear(struct pages *pages);
void pages_destroy(struct pages *pages);

#endif
