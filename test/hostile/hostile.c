/* Allocates memory so that faults show, for the middle end and the emission of vISA in cmc-hostile.
 *
 * Memory from malloc() and what realloc() adds hold a pattern, not zeros. realloc() always moves. free() and realloc()
 * fill the old memory with another pattern and never reuse it, so that reads of freed or moved sets, maps and arrays
 * show. CMKIT_HOSTILE_FAIL=N: allocation N, counted from 1, and all later ones fail. CMKIT_HOSTILE_COUNT=1: the number
 * of allocations is printed to standard error at the end of the program. */
#include <stdalign.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FRESH = 0xcd, FREED = 0xdb };

static const uint64_t MARK = 0x686f7374696c6521, GONE = 0x676f6e65676f6e65;

/* Lies before the memory that a caller gets. Memory of other allocators (asprintf, open_memstream) has none. */
struct head {
    alignas(max_align_t) size_t bytes;
    uint64_t mark;
};

static struct {
    unsigned long count, fail_at;
    int prints, is_read;
} schedule;

static void print_count(void)
{
    fprintf(stderr, "hostile: %lu allocations\n", schedule.count);
}

static void read_schedule(void)
{
    const char *fail = getenv("CMKIT_HOSTILE_FAIL");
    schedule.is_read = 1;
    schedule.fail_at = fail ? strtoul(fail, NULL, 10) : 0;
    if (getenv("CMKIT_HOSTILE_COUNT"))
        atexit(print_count);
}

void *hostile_malloc(size_t bytes);
void *hostile_calloc(size_t count, size_t size);
void *hostile_realloc(void *old, size_t bytes);
char *hostile_strdup(const char *text);
void hostile_free(void *memory);

void *hostile_malloc(size_t bytes)
{
    if (!schedule.is_read)
        read_schedule();
    schedule.count++;
    if (schedule.fail_at && schedule.count >= schedule.fail_at)
        return NULL;
    struct head *head = bytes > SIZE_MAX / 2 ? NULL : malloc(sizeof *head + bytes);
    if (!head)
        return NULL;
    *head = (struct head){.bytes = bytes, .mark = MARK};
    return memset(head + 1, FRESH, bytes);
}

void *hostile_calloc(size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes))
        return NULL;
    void *memory = hostile_malloc(bytes);
    return memory ? memset(memory, 0, bytes) : NULL;
}

static struct head *head_of(void *memory)
{
    struct head *head = (struct head *)memory - 1;
    if (head->mark == GONE) {
        fputs("hostile: memory is freed twice\n", stderr);
        abort();
    }
    return head->mark == MARK ? head : NULL;
}

void hostile_free(void *memory)
{
    if (!memory)
        return;
    struct head *head = head_of(memory);
    if (!head) {
        free(memory);
        return;
    }
    head->mark = GONE;
    memset(memory, FREED, head->bytes);
}

void *hostile_realloc(void *old, size_t bytes)
{
    struct head *head = old ? head_of(old) : NULL;
    if (old && !head)
        return realloc(old, bytes);
    void *memory = hostile_malloc(bytes);
    if (memory && head) {
        memcpy(memory, old, head->bytes < bytes ? head->bytes : bytes);
        hostile_free(old);
    }
    return memory;
}

char *hostile_strdup(const char *text)
{
    size_t bytes = strlen(text) + 1;
    char *copy = hostile_malloc(bytes);
    return copy ? memcpy(copy, text, bytes) : NULL;
}
