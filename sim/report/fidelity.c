#include "sim/report/fidelity.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "sim/base/process.h"
#include "sim/eu/instruction.h"
#include "sim/eu/thread.h"
#include "sim/message/tally.h"

enum { LABEL = 96 };

struct line {
    char label[LABEL];
    const char *fidelity;
    uint64_t count;
};

static struct {
    pthread_mutex_t lock;
    int started;
    pid_t process;
    struct line *lines;
    size_t count, room;
    char unsupported[512];
} list = {.lock = PTHREAD_MUTEX_INITIALIZER};

int sim_fidelity_wanted(void)
{
    return list.started;
}

/* Resets the list in a forked child: it lists its own instructions, and the lock's owner may not exist there. */
static void forget(void)
{
    memset(&list, 0, sizeof list);
    pthread_mutex_init(&list.lock, NULL);
}

__attribute__((constructor)) static void watch_forks(void)
{
    pthread_atfork(NULL, NULL, forget);
}

/* Adds a line; call it with the lock held. Out of memory ends the program, because a lost line would make the list
 * wrong. */
static void add(const char *label, const char *fidelity, uint64_t count)
{
    for (size_t i = 0; i < list.count; i++)
        if (strcmp(list.lines[i].label, label) == 0 && strcmp(list.lines[i].fidelity, fidelity) == 0) {
            list.lines[i].count += count;
            return;
        }
    if (list.count == list.room) {
        list.room = list.room ? 2 * list.room : 128;
        struct line *lines = realloc(list.lines, list.room * sizeof *lines);
        if (!lines)
            abort();
        list.lines = lines;
    }
    struct line *line = &list.lines[list.count++];
    snprintf(line->label, sizeof line->label, "%s", label);
    line->fidelity = fidelity;
    line->count = count;
}

static void add_instruction(const struct eu_instruction *in, uint64_t count)
{
    char label[LABEL], types[32], name[LABEL];
    eu_describe_types(in, types, sizeof types);
    eu_instruction_name(in, name, sizeof name);
    snprintf(label, sizeof label, "%.40s%.40s", name, types);
    add(label, eu_instruction_fidelity(in) == EU_EXACT ? "exact" : "approximate", count);
}

void sim_fidelity_add(const struct eu_program *program, const struct eu_count *counts)
{
    if (!list.started)
        return;
    pthread_mutex_lock(&list.lock);
    for (size_t i = 0; i < program->count; i++) /* messages have lines of their own */
        if (counts[i].issued > 0 && program->instructions[i].op->execute != EU_EXECUTE_send)
            add_instruction(&program->instructions[i], counts[i].issued);
    pthread_mutex_unlock(&list.lock);
}

static void add_message(const char *name, bool is_exact, uint64_t count)
{
    char label[LABEL];
    snprintf(label, sizeof label, "message: %s", name);
    add(label, is_exact ? "exact" : "approximate", count);
}

void sim_fidelity_add_messages(const struct message_tally *tally)
{
    if (!list.started)
        return;
    pthread_mutex_lock(&list.lock);
    message_tally_each(tally, add_message);
    pthread_mutex_unlock(&list.lock);
}

static int by_fidelity(const void *a, const void *b)
{
    const struct line *x = a, *y = b;
    int order = strcmp(x->fidelity, y->fidelity);
    return order ? order : strcmp(x->label, y->label);
}

void sim_fidelity_print(void)
{
    if (!list.started || list.process != getpid())
        return;
    pthread_mutex_lock(&list.lock);
    list.started = 0;
    qsort(list.lines, list.count, sizeof *list.lines, by_fidelity);
    for (size_t i = 0; i < list.count; i++)
        fprintf(stderr, "gensim: fidelity: %-11s %s (%" PRIu64 ")\n", list.lines[i].fidelity, list.lines[i].label,
                list.lines[i].count);
    if (list.unsupported[0])
        fprintf(stderr, "gensim: fidelity: unsupported %s\n", list.unsupported);
    free(list.lines);
    list.lines = NULL;
    list.count = list.room = 0;
    pthread_mutex_unlock(&list.lock);
}

/* Adds the refused kernel, or the message or instruction that stopped the run, and prints the list. */
static void print_at_fault(const struct sim_fault *fault)
{
    if (!list.started)
        return;
    pthread_mutex_lock(&list.lock);
    snprintf(list.unsupported, sizeof list.unsupported, "%s%s%s", fault->what, fault->instruction[0] ? ": " : "",
             fault->instruction);
    pthread_mutex_unlock(&list.lock);
    sim_fidelity_print();
}

void sim_fidelity_start(void)
{
    list.process = getpid();
    list.started = 1;
    sim_process_at_fault(print_at_fault);
}
