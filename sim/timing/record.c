/* Writes the records of EU threads. */
#include "sim/timing/record.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_BITS = 6, PAGE_LINES = 64, MOST_RUN = 4095, MOST_INDEX = 1 << 20, SHORTEST_ROOM = 64 };

struct group_record *record_create(uint32_t threads)
{
    struct group_record *record = calloc(1, sizeof *record + threads * sizeof record->thread[0]);
    if (record)
        record->threads = threads;
    return record;
}

void record_destroy(struct group_record *record)
{
    for (uint32_t i = 0; record && i < record->threads; i++) {
        free(record->thread[i].runs.words);
        free(record->thread[i].messages.words);
    }
    free(record);
}

/* Room for `count` more words. NULL: no memory. */
static uint32_t *append(struct thread_record *record, struct record_words *words, uint32_t count)
{
    if (words->room - words->count < count) {
        uint32_t room = words->room ? 2 * words->room : SHORTEST_ROOM;
        while (room - words->count < count)
            room *= 2;
        uint32_t *grown = room > words->room ? realloc(words->words, room * sizeof *grown) : NULL;
        if (!grown) {
            record->is_incomplete = 1;
            return NULL;
        }
        words->words = grown;
        words->room = room;
    }
    words->count += count;
    return words->words + words->count - count;
}

static void flush_run(struct thread_record *record)
{
    for (uint32_t first = record->first; first < record->next;) {
        uint32_t count = record->next - first < MOST_RUN ? record->next - first : MOST_RUN;
        uint32_t *word = append(record, &record->runs, 1);
        if (first >= MOST_INDEX)
            record->is_incomplete = 1;
        if (word)
            *word = first << 12 | count;
        first += count;
    }
}

void record_jump(struct thread_record *record, const void *program, uint32_t index)
{
    flush_run(record);
    if (program != record->program) {
        uint32_t *words = append(record, &record->runs, 3);
        uint64_t pointer = (uintptr_t)program;
        if (words) {
            words[0] = 0;
            words[1] = (uint32_t)pointer;
            words[2] = (uint32_t)(pointer >> 32);
        }
        record->program = program;
    }
    record->first = index;
}

int record_finish(struct group_record *record)
{
    int complete = 1;
    record->bytes = sizeof *record + record->threads * sizeof record->thread[0];
    for (uint32_t i = 0; i < record->threads; i++) {
        struct thread_record *thread = &record->thread[i];
        flush_run(thread);
        thread->first = thread->next;
        record->bytes += (thread->runs.room + thread->messages.room) * sizeof(uint32_t);
        complete = complete && !thread->is_incomplete;
    }
    return complete;
}

void record_message_begin(struct thread_record *record)
{
    struct record_message *message = record->message;
    message->lines = message->passes = message->fullest = 0;
    memset(message->banks.used, 0, sizeof message->banks.used);
}

/* Counts the lane's dword in its bank. Those of one dword are served together, or one by one in atomics. */
static void touch_dword(struct record_message *message, uint64_t dword)
{
    struct record_banks *banks = &message->banks;
    unsigned bank = dword % RECORD_BANKS, used = banks->used[bank], i = 0;
    while (i < used && banks->dword[bank][i] != dword)
        i++;
    if (i == RECORD_BANK_ROOM)
        return;
    if (i == used) {
        banks->dword[bank][i] = dword;
        banks->times[bank][i] = 0;
        banks->used[bank]++;
    }
    unsigned times = ++banks->times[bank][i];
    unsigned here = message->direction == RECORD_ATOMIC ? times : banks->used[bank];
    message->fullest = here > message->fullest ? here : message->fullest;
}

static void touch_local(struct record_message *message, uint64_t offset, size_t size)
{
    message->path = RECORD_LOCAL;
    if (size >= 4 * RECORD_BANKS) {
        message->passes += (unsigned)(size + 4 * RECORD_BANKS - 1) / (4 * RECORD_BANKS);
        return;
    }
    for (uint64_t dword = offset / 4; dword <= (offset + size - 1) / 4; dword++)
        touch_dword(message, dword);
}

static void touch_line(struct record_message *message, uint64_t line)
{
    for (unsigned i = message->lines; i-- > 0;)
        if (message->line[i] == line)
            return;
    if (message->lines < RECORD_MOST_LINES)
        message->line[message->lines++] = line;
}

void record_touch(struct thread_record *record, const uint8_t *host, size_t size)
{
    struct record_message *message = record->message;
    uint64_t at = (uintptr_t)host;
    if (message->skip > 0) {
        message->skip--;
        return;
    }
    if (record->local && host >= record->local && host < record->local + record->local_bytes) {
        touch_local(message, (uint64_t)(host - record->local), size);
        return;
    }
    for (uint64_t line = at >> LINE_BITS; size && line <= (at + size - 1) >> LINE_BITS; line++)
        touch_line(message, line);
    if (message->direction == RECORD_ATOMIC)
        touch_dword(message, at / 4);
}

static unsigned at_most(unsigned value, unsigned most)
{
    return value < most ? value : most;
}

/* Passes over the banks of local memory; for atomics the lanes on the dword that most of them share; for other messages
 * the lines of each pass, added up. */
static unsigned count_passes(const struct record_message *message)
{
    bool uses_banks = message->path == RECORD_LOCAL || message->direction == RECORD_ATOMIC;
    return at_most(message->passes + (uses_banks ? message->fullest : 0), 1023);
}

static enum record_form form_of(const struct record_message *message)
{
    enum record_form form = RECORD_RUN;
    for (unsigned i = 1; i < message->lines; i++) {
        int64_t distance = (int64_t)(message->line[i] - message->line[0]);
        if (distance > INT32_MAX || distance < INT32_MIN)
            return RECORD_FAR;
        if (distance != i || message->line[i] / PAGE_LINES != message->line[0] / PAGE_LINES)
            form = RECORD_NEAR;
    }
    return form;
}

void record_message_end(struct thread_record *record)
{
    const struct record_message *message = record->message;
    enum record_form form = form_of(message);
    uint32_t more = message->lines == 0   ? 0
                    : form == RECORD_RUN  ? 2
                    : form == RECORD_NEAR ? 1 + message->lines
                                          : 2 * message->lines;
    uint32_t *word = append(record, &record->messages, 2 + more);
    if (!word)
        return;
    word[0] = message->path | (uint32_t)message->direction << 4 | (uint32_t)form << 6 | message->lines << 8 |
              at_most(message->source_registers, 63) << 17 | at_most(message->destination_registers, 31) << 23;
    word[1] = count_passes(message) | at_most(message->bytes, 65535) << 10 | at_most(message->lanes, 63) << 26;
    for (unsigned i = 0; i < message->lines && more; i++) {
        if (i == 0 || form == RECORD_FAR) {
            unsigned at = 2 + (form == RECORD_FAR ? 2 * i : 0);
            word[at] = (uint32_t)message->line[i];
            word[at + 1] = (uint32_t)(message->line[i] >> 32);
        } else if (form == RECORD_NEAR) {
            word[3 + i] = (uint32_t)(message->line[i] - message->line[0]);
        }
    }
}
