/* Models what messages wait for: the shared functions of a subslice, L3, the last-level cache and memory.
 *
 * Each of them is a queue with a time at which it is free again. A message takes the ones on its way in order, and is
 * done a latency after it got the last of them. Messages must come in the order of their times.
 *
 * A message is sent to its subslice first, which asks L3 for lines that it has not. L3 answers later: subslices may
 * send in different host threads, requests of all must be answered by one, in the order of the messages. */
#ifndef CMKIT_SIM_TIMING_MEMORY_H
#define CMKIT_SIM_TIMING_MEMORY_H

#include <stdbool.h>
#include "sim/timing/constants.h"
#include "sim/timing/counts.h"
#include "sim/timing/record.h"

struct timing_memory;

enum { HOST_LINE = 64, MOST_SUBSLICES = 32 }; /* HOST_LINE: bytes of a line of the host's cache */

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

/* A launch begins at tick 0. `warm`: caches keep what they have. `counts`: of what subslices share. */
void timing_memory_begin(struct timing_memory *memory, bool warm, bool uses_local, struct timing_counts *counts);

/* The tick at which the queue is free that messages of that path take in `subslice`. NULL: they take none. */
const uint64_t *timing_memory_queue(const struct timing_memory *memory, unsigned subslice, enum record_path path);

/* When a message may be sent that would be sent at tick `now` to `queue`: `now`, or a later tick, at which to ask
 * again, because the queue is full. */
static inline uint64_t timing_memory_accepts(const uint64_t *queue, uint64_t room, uint64_t now)
{
    return queue && *queue > now + room ? *queue - room : now;
}

/* A line that a subslice asks L3 for. */
struct timing_request {
    uint64_t at;             /* tick at which L3 gets it */
    uint64_t least;          /* no answer is there before that tick */
    uint64_t done;           /* tick of the answer */
    struct cache_line *held; /* its place in the subslice's cache; NULL: none */
    uint32_t line;
    uint32_t fetched; /* request of the list that fetches the same line, plus one; 0: none does */
};

/* Requests of a subslice. */
struct timing_requests {
    struct timing_request *request;
    uint32_t count, room;
    bool failed; /* no memory */
};

/* A message of a thread of `subslice` at tick `now`, at which its queue accepts it: the tick at which the answer is
 * there to all that L3 is not asked for. What it is asked for is added to `requests`. */
uint64_t timing_memory_send(struct timing_memory *memory, unsigned subslice, uint64_t now,
                            const struct timing_message *message, struct timing_counts *counts,
                            struct timing_requests *requests);

/* L3 answers `count` requests of a message, from number `first` of the list on: the tick of the last answer. Empty the
 * list when all of it has been answered, not before. */
uint64_t timing_memory_answer(struct timing_memory *memory, const struct timing_message *message,
                              struct timing_requests *requests, uint32_t first, uint32_t count);

/* The launch's last thread has ended: the tick at which everything that was written has left L3. */
uint64_t timing_memory_end(struct timing_memory *memory, uint64_t now);

#endif
