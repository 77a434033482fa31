/* Records what the EU threads of a group execute, for the timing model: which instructions, and where messages go.
 *
 * A thread has two sequences of words. `runs`: instructions that follow each other, a word for each run: index of the
 * first in bits 31:12, count in bits 11:0; a count of 0 changes the program, whose pointer follows in two words.
 * `messages`: for each message two words of its properties, then its lines of memory, 64 bytes each:
 *   word 0   path 3:0, direction 5:4, form 7:6, lines 16:8, registers of sources 22:17, of the destination 27:23
 *   word 1   passes 9:0 (over banks, or lines of each pass of the data port), bytes 25:10, lanes 31:26
 *   form     RECORD_RUN: two words with the first line, the others follow it. RECORD_NEAR: the same and a distance
 *            from the first for each further line. RECORD_FAR: two words for each line. */
#ifndef CMKIT_SIM_TIMING_RECORD_H
#define CMKIT_SIM_TIMING_RECORD_H

#include <stddef.h>
#include <stdint.h>

enum record_path {
    RECORD_OTHER,
    RECORD_DATA,  /* an address for each lane */
    RECORD_BLOCK, /* one block */
    RECORD_BYTE,
    RECORD_TYPED,
    RECORD_MEDIA,
    RECORD_SAMPLER,
    RECORD_LOCAL,
    RECORD_FENCE,
    RECORD_LOCAL_FENCE,
    RECORD_BARRIER,
    RECORD_END,
    RECORD_PATHS
};

enum record_direction { RECORD_NOTHING, RECORD_READ, RECORD_WRITE, RECORD_ATOMIC };
enum record_form { RECORD_RUN, RECORD_NEAR, RECORD_FAR };
enum { RECORD_MOST_LINES = 511, RECORD_BANKS = 16, RECORD_BANK_ROOM = 64 };

struct record_words {
    uint32_t *words;
    uint32_t count, room;
};

/* Dwords of one message by bank: a bank of local memory serves one at a time. */
struct record_banks {
    uint64_t dword[RECORD_BANKS][RECORD_BANK_ROOM];
    uint8_t times[RECORD_BANKS][RECORD_BANK_ROOM]; /* lanes on that dword */
    uint8_t used[RECORD_BANKS];
};

/* A message while it is performed. */
struct record_message {
    enum record_path path;
    enum record_direction direction;
    unsigned skip; /* accesses to come that are no data of the message */
    unsigned source_registers, destination_registers, lanes, bytes;
    unsigned lines, passes;
    unsigned fullest; /* dwords of the bank that has most; of atomics, lanes of the dword that has most */
    uint64_t line[RECORD_MOST_LINES];
    struct record_banks banks;
};

struct thread_record {
    struct record_words runs, messages;
    const void *program;  /* of the last instruction */
    uint32_t first, next; /* the run under way: from `first` to `next` - 1 */
    uint32_t instructions;
    uint8_t is_incomplete; /* no memory, or code that the words cannot name */
    const uint8_t *local;  /* the group's local memory */
    size_t local_bytes;
    struct record_message *message; /* of the host thread; room for one message */
};

struct group_record {
    struct group_record *next;
    uint64_t index; /* of the group in its dispatch */
    uint32_t threads;
    uint32_t readers; /* engines that have not finished with it */
    size_t bytes;
    struct thread_record thread[];
};

/* A record for `threads` threads. NULL: no memory. */
struct group_record *record_create(uint32_t threads);
void record_destroy(struct group_record *record);

/* Writes what is still under way and counts the bytes. 0: the record is incomplete. */
int record_finish(struct group_record *record);

/* A jump, or another program: ends the run. */
void record_jump(struct thread_record *record, const void *program, uint32_t index);

/* The thread executes instruction `index` of `program`. */
static inline void record_step(struct thread_record *record, const void *program, uint32_t index)
{
    if (index != record->next || program != record->program)
        record_jump(record, program, index);
    record->next = index + 1;
    record->instructions++;
}

/* A message begins: the caller has filled record->message but for lines and passes. */
void record_message_begin(struct thread_record *record);

/* It reads or writes `size` bytes of the host's memory. */
void record_touch(struct thread_record *record, const uint8_t *host, size_t size);

/* It is done. */
void record_message_end(struct thread_record *record);

#endif
