/* Models what messages wait for: the shared functions of a subslice, L3, the last-level cache and memory.
 *
 * Each of them is a queue with a time at which it is free again. A message takes the ones on its way in order, and is
 * done a latency after it got the last of them. Messages must come in the order of their times. */
#ifndef CMKIT_SIM_TIMING_MEMORY_H
#define CMKIT_SIM_TIMING_MEMORY_H

#include <stdbool.h>
#include "sim/timing/constants.h"
#include "sim/timing/counts.h"
#include "sim/timing/record.h"

struct timing_memory;

/* A message of a record, its lines translated to numbers that are the same in each run. */
struct timing_message {
    enum record_path path;
    enum record_direction direction;
    enum record_form form;
    unsigned lines, source_registers, destination_registers, passes, bytes, lanes;
    const uint32_t *line; /* the record's words after the properties */
};

/* Reads the message at `words`; `*size` is the number of its words. */
static inline struct timing_message timing_message_read(const uint32_t *words, uint32_t *size)
{
    struct timing_message message = {.path = (enum record_path)(words[0] & 15),
                                     .direction = (enum record_direction)(words[0] >> 4 & 3),
                                     .form = (enum record_form)(words[0] >> 6 & 3),
                                     .lines = words[0] >> 8 & 0x1ff,
                                     .source_registers = words[0] >> 17 & 63,
                                     .destination_registers = words[0] >> 23 & 31,
                                     .passes = words[1] & 1023,
                                     .bytes = words[1] >> 10 & 0xffff,
                                     .lanes = words[1] >> 26,
                                     .line = words + 2};
    uint32_t more = message.form == RECORD_RUN    ? 2
                    : message.form == RECORD_NEAR ? 1 + message.lines
                                                  : 2 * message.lines;
    *size = 2 + (message.lines ? more : 0);
    return message;
}

/* NULL: no memory. */
struct timing_memory *timing_memory_create(const struct timing_machine *machine,
                                           const struct timing_constants *constants);
void timing_memory_destroy(struct timing_memory *memory);

/* A launch begins at tick 0. `warm`: caches keep what they have. */
void timing_memory_begin(struct timing_memory *memory, bool warm, bool uses_local, struct timing_counts *counts);

/* The tick at which the queue is free that messages of that path take in `subslice`. NULL: they take none. */
const uint64_t *timing_memory_queue(const struct timing_memory *memory, unsigned subslice, enum record_path path);

/* Whether messages of that path go beyond their subslice. */
static inline bool timing_memory_is_shared(enum record_path path)
{
    return path >= RECORD_DATA && path <= RECORD_SAMPLER;
}

/* When a message may be sent that would be sent at tick `now` to `queue`: `now`, or a later tick, at which to ask
 * again, because the queue is full. */
static inline uint64_t timing_memory_accepts(const uint64_t *queue, uint64_t room, uint64_t now)
{
    return queue && *queue > now + room ? *queue - room : now;
}

/* A message of a thread of `subslice` at tick `now`, at which its queue accepts it: the tick at which its answer is
 * there. */
uint64_t timing_memory_send(struct timing_memory *memory, unsigned subslice, uint64_t now,
                            const struct timing_message *message);

/* The launch's last thread has ended: the tick at which everything that was written has left L3. */
uint64_t timing_memory_end(struct timing_memory *memory, uint64_t now);

#endif
