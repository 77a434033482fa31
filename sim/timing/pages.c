/* Keeps the numbers of pages in a hash table. */
#include "sim/timing/pages.h"

#include <stdlib.h>
#include <string.h>
#include "sim/timing/memory.h"

enum { PAGE_LINES = 64, FIRST_ROOM = 4096 };

static uint32_t place_of(const struct pages *pages, uint64_t key)
{
    uint32_t at = (uint32_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (pages->room - 1);
    while (pages->page[at] && pages->page[at] != key)
        at = (at + 1) & (pages->room - 1);
    return at;
}

static bool grow(struct pages *pages)
{
    struct pages more = *pages;
    more.room = pages->room ? 2 * pages->room : FIRST_ROOM;
    more.page = calloc(more.room, sizeof *more.page);
    more.number = calloc(more.room, sizeof *more.number);
    if (!more.page || !more.number) {
        free(more.page);
        free(more.number);
        return false;
    }
    for (uint32_t i = 0; i < pages->room; i++)
        if (pages->page[i]) {
            uint32_t at = place_of(&more, pages->page[i]);
            more.page[at] = pages->page[i];
            more.number[at] = pages->number[i];
        }
    free(pages->page);
    free(pages->number);
    *pages = more;
    return true;
}

/* The number of a line; `*good` becomes false without memory. */
static uint32_t number_of(struct pages *pages, uint64_t line, bool *good)
{
    uint64_t key = line / PAGE_LINES + 1;
    if (key != pages->last_page) {
        if (2 * pages->count >= pages->room && !grow(pages)) {
            *good = false;
            return 0;
        }
        uint32_t at = place_of(pages, key);
        if (!pages->page[at]) {
            pages->page[at] = key;
            pages->number[at] = pages->count++;
        }
        pages->last_page = key;
        pages->last_number = pages->number[at];
    }
    return pages->last_number * PAGE_LINES + (uint32_t)(line % PAGE_LINES);
}

static uint64_t line_at(const uint32_t *words)
{
    return words[0] | (uint64_t)words[1] << 32;
}

static bool translate_message(struct pages *pages, const struct timing_message *message, uint32_t *words)
{
    bool good = true;
    if (message->lines == 0)
        return true;
    uint64_t first = line_at(words);
    words[0] = number_of(pages, first, &good);
    for (unsigned i = 1; i < message->lines; i++)
        if (message->form == RECORD_NEAR)
            words[1 + i] = number_of(pages, first + (uint64_t)(int64_t)(int32_t)words[1 + i], &good);
        else if (message->form == RECORD_FAR)
            words[2 * i] = number_of(pages, line_at(words + (size_t)2 * i), &good);
    return good;
}

bool pages_translate(struct pages *pages, struct group_record *record)
{
    bool good = true;
    for (uint32_t t = 0; t < record->threads && good; t++) {
        struct record_words *messages = &record->thread[t].messages;
        for (uint32_t at = 0, size; at < messages->count && good; at += size) {
            struct timing_message message = timing_message_read(messages->words + at, &size);
            good = translate_message(pages, &message, messages->words + at + 2);
        }
    }
    return good;
}

void pages_clear(struct pages *pages)
{
    if (pages->room)
        memset(pages->page, 0, pages->room * sizeof *pages->page);
    pages->count = 0;
    pages->last_page = 0;
}

void pages_destroy(struct pages *pages)
{
    free(pages->page);
    free(pages->number);
    *pages = (struct pages){0};
}
