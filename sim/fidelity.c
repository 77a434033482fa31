#include "sim/fidelity.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "sim/eu/instruction.h"
#include "sim/eu/thread.h"

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

void sim_fidelity_start(void)
{
    list.process = getpid();
    list.started = 1;
}

/* With the lock held. A line that no memory is left for is lost, which the count of lines would show: so it stops. */
static void add(const char *label, const char *fidelity)
{
    for (size_t i = 0; i < list.count; i++)
        if (strcmp(list.lines[i].label, label) == 0) {
            list.lines[i].count++;
            return;
        }
    if (list.count == list.room) {
        list.room = list.room ? 2 * list.room : 128;
        list.lines = realloc(list.lines, list.room * sizeof *list.lines);
        if (!list.lines)
            abort();
    }
    struct line *line = &list.lines[list.count++];
    snprintf(line->label, sizeof line->label, "%s", label);
    line->fidelity = fidelity;
    line->count = 1;
}

static void add_instruction(const struct platform *platform, const struct eu_instruction *in)
{
    char label[LABEL], name[32];
    if (in->op->execute == eu_execute_send) {
        bool fixed = in->descriptor_register == EU_DESCRIPTOR_IMMEDIATE;
        bool known = !fixed || message_is_known(platform, in->sfid, in->descriptor);
        snprintf(label, sizeof label, "%s: %s", in->op->mnemonic,
                 fixed ? message_name(platform, in->sfid, in->descriptor) : "a message named at run time");
        add(label, known ? "exact" : "unsupported");
        return;
    }
    eu_describe_types(in, name, sizeof name);
    char full[LABEL];
    eu_instruction_name(in, full, sizeof full);
    snprintf(label, sizeof label, "%.40s%.40s", full, name);
    add(label, eu_instruction_fidelity(in) == EU_EXACT ? "exact" : "approximate");
}

void sim_fidelity_add(const struct eu_program *program)
{
    if (!list.started)
        return;
    pthread_mutex_lock(&list.lock);
    for (size_t i = 0; i < program->count; i++)
        add_instruction(program->platform, &program->instructions[i]);
    pthread_mutex_unlock(&list.lock);
}

void sim_fidelity_unsupported(const struct sim_fault *fault)
{
    if (!list.started)
        return;
    pthread_mutex_lock(&list.lock);
    snprintf(list.unsupported, sizeof list.unsupported, "%s%s%s", fault->what, fault->instruction[0] ? ": " : "",
             fault->instruction);
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
