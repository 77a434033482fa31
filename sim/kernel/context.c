#include "sim/kernel/context.h"

#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include "sim/base/crash.h"
#include "sim/base/process.h"
#include "sim/stream/stream.h"

struct context {
    pthread_mutex_t lock;
    pthread_cond_t work;
    struct submission *first, **last;
    struct stream *stream;
    uint32_t id, space;
    enum stream_engine engine;
    int has_engine_list;
    int started; /* its thread runs */
    int lost;    /* a fork lost batches that had not begun, and with them the state that they would have set */
    int closed;  /* nothing more will come: the thread ends, and frees the context, once the queue is empty */
};

struct submission *submission_create(uint32_t objects)
{
    struct submission *submission = calloc(1, sizeof *submission + objects * sizeof submission->object[0]);
    if (submission)
        submission->objects = objects;
    return submission;
}

void submission_destroy(struct submission *submission)
{
    for (uint32_t i = 0; i < submission->objects; i++)
        object_release(submission->object[i]);
    if (submission->hooks)
        submission->hooks->destroy(submission->owner);
    sim_space_destroy(submission->space);
    free(submission);
}

static void context_free(struct context *context)
{
    stream_destroy(context->stream);
    pthread_cond_destroy(&context->work);
    pthread_mutex_destroy(&context->lock);
    free(context);
}

/* Returns the next batch and waits for it if necessary. NULL: the context is closed and everything has run. */
static struct submission *next_submission(struct context *context)
{
    pthread_mutex_lock(&context->lock);
    while (!context->first && !context->closed)
        pthread_cond_wait(&context->work, &context->lock);
    struct submission *submission = context->first;
    if (submission) {
        context->first = submission->next;
        if (!context->first)
            context->last = &context->first;
    }
    pthread_mutex_unlock(&context->lock);
    return submission;
}

/* Runs the batch, if there is one, and what follows it. 1, or 0 with the fault raised. */
static int run_submission(struct context *context, const struct submission *submission, struct sim_fault *fault)
{
    const struct submission_hooks *hooks = submission->hooks;
    struct stream_source source = {submission->space, hooks ? hooks->renew : NULL, submission->owner};
    if ((!hooks || submission->batch) &&
        !stream_execute(context->stream, submission->engine, &source, submission->batch, fault))
        return 0;
    return !hooks || hooks->finish(submission->owner, fault);
}

static void *run_context(void *argument)
{
    struct context *context = argument;
    struct submission *submission;
    sim_crash_own_thread();
    while ((submission = next_submission(context))) {
        struct sim_fault fault = {0};
        if (!run_submission(context, submission, &fault)) {
            char where[448];
            snprintf(where, sizeof where, "context %u: %s", context->id, stream_position(context->stream));
            sim_process_fault(&fault, where);
        }
        for (uint32_t i = 0; i < submission->objects; i++)
            object_busy_end(submission->object[i]);
        submission_destroy(submission);
    }
    context_free(context);
    return NULL;
}

/* Starts the context's thread at its first batch: most contexts of a driver never get one. */
static int start_thread(struct context *context)
{
    sigset_t all, old;
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    sigfillset(&all); /* the program's signal handlers belong on its own threads */
    sim_crash_unblock(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    int error = pthread_create(&thread, &attributes, run_context, context);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    pthread_attr_destroy(&attributes);
    context->started = error == 0;
    return -error;
}

static struct context *context_new(struct context_table *table, uint32_t id, uint32_t space)
{
    struct context *context = calloc(1, sizeof *context);
    struct stream *stream = stream_create(table->platform, table->dispatcher, id);
    if (!context || !stream) {
        free(context);
        stream_destroy(stream);
        return NULL;
    }
    pthread_mutex_init(&context->lock, NULL);
    pthread_cond_init(&context->work, NULL);
    context->last = &context->first;
    context->stream = stream;
    context->id = id;
    context->space = space;
    return context;
}

/* Passes the context to its thread, which finishes the batches and frees it. */
static void context_close(struct context *context)
{
    pthread_mutex_lock(&context->lock);
    int started = context->started;
    context->closed = 1;
    pthread_cond_signal(&context->work);
    pthread_mutex_unlock(&context->lock);
    if (!started)
        context_free(context);
}

int context_table_init(struct context_table *table, const struct platform *platform, struct dispatcher *dispatcher)
{
    assert(platform && dispatcher);
    *table = (struct context_table){.lock = PTHREAD_MUTEX_INITIALIZER, .platform = platform, .dispatcher = dispatcher};
    uint32_t id;
    return context_create(table, 0, &id);
}

void context_table_destroy(struct context_table *table)
{
    for (uint32_t i = 0; i < table->context_count; i++)
        if (table->contexts[i])
            context_close(table->contexts[i]);
    free(table->contexts);
    free(table->spaces);
    pthread_mutex_destroy(&table->lock);
}

void context_table_before_fork(struct context_table *table)
{
    pthread_mutex_lock(&table->lock);
    for (uint32_t i = 0; i < table->context_count; i++)
        if (table->contexts[i])
            pthread_mutex_lock(&table->contexts[i]->lock);
}

/* Frees a context in the child of a fork: its thread does not exist there, and nothing waits for it. */
static void context_forget(struct context *context)
{
    pthread_mutex_init(&context->lock, NULL);
    pthread_cond_init(&context->work, NULL);
    context->lost |= context->first != NULL;
    context->first = NULL;
    context->last = &context->first;
    context->started = 0;
}

void context_table_after_fork(struct context_table *table, int in_child)
{
    for (uint32_t i = 0; i < table->context_count; i++) {
        if (table->contexts[i] && in_child)
            context_forget(table->contexts[i]);
        else if (table->contexts[i])
            pthread_mutex_unlock(&table->contexts[i]->lock);
    }
    if (in_child)
        pthread_mutex_init(&table->lock, NULL);
    else
        pthread_mutex_unlock(&table->lock);
}

void context_table_revive(struct context_table *table, struct dispatcher *dispatcher)
{
    table->dispatcher = dispatcher;
    for (uint32_t i = 0; i < table->context_count; i++)
        if (table->contexts[i])
            stream_set_dispatcher(table->contexts[i]->stream, dispatcher);
}

static int space_is_open(const struct context_table *table, uint32_t space)
{
    return space > 0 && space < table->space_count && table->spaces[space];
}

static struct context *find_context(const struct context_table *table, uint32_t id)
{
    return id < table->context_count ? table->contexts[id] : NULL;
}

int context_create(struct context_table *table, uint32_t space, uint32_t *id)
{
    assert(id);
    int error = 0;
    pthread_mutex_lock(&table->lock);
    struct context **grown = NULL;
    if (space && !space_is_open(table, space))
        error = -ENOENT;
    else if (!(grown = realloc(table->contexts, (table->context_count + 1) * sizeof *grown)))
        error = -ENOMEM;
    if (grown) {
        table->contexts = grown;
        struct context *context = context_new(table, table->context_count, space);
        if (context) {
            *id = table->context_count++;
            grown[*id] = context;
        } else {
            error = -ENOMEM;
        }
    }
    pthread_mutex_unlock(&table->lock);
    return error;
}

int context_destroy(struct context_table *table, uint32_t id)
{
    pthread_mutex_lock(&table->lock);
    struct context *context = id ? find_context(table, id) : NULL; /* the default context cannot be destroyed */
    if (context) {
        table->contexts[id] = NULL;
        context_close(context);
    }
    pthread_mutex_unlock(&table->lock);
    return context ? 0 : -ENOENT;
}

void context_cancel(struct context_table *table, uint32_t id)
{
    pthread_mutex_lock(&table->lock);
    struct context *context = find_context(table, id);
    if (context)
        stream_cancel(context->stream);
    pthread_mutex_unlock(&table->lock);
}

int context_exists(struct context_table *table, uint32_t id)
{
    pthread_mutex_lock(&table->lock);
    int exists = find_context(table, id) != NULL;
    pthread_mutex_unlock(&table->lock);
    return exists;
}

/* With the lock held. */
static int new_space(struct context_table *table, uint32_t *id)
{
    uint32_t next = table->space_count ? table->space_count : 1;
    uint8_t *grown = realloc(table->spaces, next + 1);
    if (!grown)
        return -ENOMEM;
    grown[0] = 0;
    grown[next] = 1;
    table->spaces = grown;
    table->space_count = next + 1;
    *id = next;
    return 0;
}

int context_space(struct context_table *table, uint32_t id, uint32_t *space)
{
    assert(space);
    int error = 0;
    pthread_mutex_lock(&table->lock);
    struct context *context = find_context(table, id);
    if (!context)
        error = -ENOENT;
    else if (!context->space)
        error = new_space(table, &context->space);
    if (!error)
        *space = context->space;
    pthread_mutex_unlock(&table->lock);
    return error;
}

int context_set_space(struct context_table *table, uint32_t id, uint32_t space)
{
    pthread_mutex_lock(&table->lock);
    struct context *context = find_context(table, id);
    int error = !context || !space_is_open(table, space) ? -ENOENT : 0;
    if (!error)
        context->space = space;
    pthread_mutex_unlock(&table->lock);
    return error;
}

int context_set_engine(struct context_table *table, uint32_t id, enum stream_engine engine)
{
    assert(engine <= STREAM_COMPUTE);
    pthread_mutex_lock(&table->lock);
    struct context *context = find_context(table, id);
    if (context) {
        context->engine = engine;
        context->has_engine_list = 1;
    }
    pthread_mutex_unlock(&table->lock);
    return context ? 0 : -ENOENT;
}

int context_has_engine_list(struct context_table *table, uint32_t id)
{
    pthread_mutex_lock(&table->lock);
    const struct context *context = find_context(table, id);
    int has_list = context && context->has_engine_list;
    pthread_mutex_unlock(&table->lock);
    return has_list;
}

int context_space_create(struct context_table *table, uint32_t *id)
{
    assert(id);
    pthread_mutex_lock(&table->lock);
    int error = new_space(table, id);
    pthread_mutex_unlock(&table->lock);
    return error;
}

int context_space_destroy(struct context_table *table, uint32_t id)
{
    pthread_mutex_lock(&table->lock);
    int error = space_is_open(table, id) ? 0 : -ENOENT;
    if (!error)
        table->spaces[id] = 0;
    pthread_mutex_unlock(&table->lock);
    return error;
}

int context_submit(struct context_table *table, uint32_t id, struct submission *submission)
{
    assert(submission && (submission->space || submission->hooks));
    pthread_mutex_lock(&table->lock);
    struct context *context = find_context(table, id);
    int error = context ? 0 : -ENOENT;
    if (context) {
        if (context->lost)
            sim_process_stop("the process was forked while batches of context %u waited to be run: only its parent "
                             "can use this context",
                             id);
        pthread_mutex_lock(&context->lock);
        if (!context->started)
            error = start_thread(context);
        if (!error) {
            for (uint32_t i = 0; i < submission->objects; i++)
                object_busy_begin(submission->object[i]);
            submission->engine = context->engine;
            *context->last = submission;
            context->last = &submission->next;
            pthread_cond_signal(&context->work);
        }
        pthread_mutex_unlock(&context->lock);
    }
    pthread_mutex_unlock(&table->lock);
    return error;
}
