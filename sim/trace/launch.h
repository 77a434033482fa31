/* Writes recorded launches to files, and reads them. */
#ifndef CMKIT_SIM_TRACE_LAUNCH_H
#define CMKIT_SIM_TRACE_LAUNCH_H

#include "sim/trace/file.h"
#include "sim/trace/pages.h"

/* An allocation of the program: sim/check/allocations.h. */
struct trace_allocation {
    uint64_t address, bytes, object, object_end;
    uint32_t properties, is_free;
    char function[48];
};

enum { TRACE_MOST_BINARIES = 64 };

struct trace_launch {
    struct trace_head head;
    uint32_t context, engine; /* the streamer's number; enum stream_engine */
    uint64_t clock, command;  /* the GPU's time, and the address of the command that launches */
    char fault[256];          /* "" if the launch ended without one */
    uint64_t *state;          /* numbers of the streamer's state */
    size_t states;
    uint8_t *curbe; /* NULL: none */
    size_t curbe_bytes;
    struct sim_range *ranges; /* the address space */
    size_t range_count;
    struct trace_page *pages; /* by rising address */
    size_t page_count;
    struct trace_allocation *allocations;
    size_t allocation_count;
    uint64_t *binaries; /* hashes of files in the same folder: what names code and lines */
    size_t binary_count;
};

/* Writes the launch as the next one of the folder, and its number to `*number`. 1, or 0 with errno set. */
int trace_launch_write(const char *folder, struct trace_launch *launch, uint64_t *number);

/* Reads a launch: NULL, or a static sentence that says what is wrong with the file. Ranges have no host memory yet. */
const char *trace_launch_read(const char *path, struct trace_launch *launch);
void trace_launch_free(struct trace_launch *launch); /* of trace_launch_read() */

/* Writes the binary, if the folder does not have it, and its hash to `*hash`. 1, or 0 with errno set. */
int trace_binary_write(const char *folder, const void *bytes, size_t size, uint64_t *hash);
/* Returns the binary, to be freed; NULL: it is not there, or damaged. */
void *trace_binary_read(const char *folder, uint64_t hash, size_t *size);

#endif
