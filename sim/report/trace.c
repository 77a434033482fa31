#include "sim/report/trace.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>
#include "sim/base/path.h"
#include "sim/base/process.h"

static struct sim_options_trace wanted;
static FILE *out; /* NULL: nothing is traced */
static atomic_bool any_thread;

/* Flushes before a fork: otherwise both processes would write the buffered text. */
static void flush(void)
{
    if (out)
        fflush(out);
}

__attribute__((constructor)) static void watch_forks(void)
{
    pthread_atfork(flush, NULL, NULL);
}

void sim_trace_start(const struct sim_options_trace *trace)
{
    wanted = *trace;
    if (!trace->file) {
        /* Not stderr itself: that is the program's, with the program's buffering. */
        int descriptor = dup(STDERR_FILENO);
        out = descriptor < 0 ? NULL : fdopen(descriptor, "w");
    } else {
        char *path = sim_expand_path(trace->file);
        out = path ? fopen(path, "we") : NULL;
        free(path);
    }
    if (!out)
        sim_process_stop("cannot write the trace to %s: %s", trace->file ? trace->file : "standard error",
                         strerror(errno));
    setvbuf(out, NULL, _IOFBF, 1 << 16);
}

int sim_trace_wanted(void)
{
    return out != NULL;
}

FILE *sim_trace_kernel(uint64_t hash, const char *name)
{
    char digits[17];
    if (!out)
        return NULL;
    snprintf(digits, sizeof digits, "%016" PRIx64, hash);
    if (strcmp(wanted.kernel, "*") == 0 || strcmp(wanted.kernel, name) == 0 ||
        strncasecmp(wanted.kernel, digits, strlen(wanted.kernel)) == 0)
        return out;
    return NULL;
}

int sim_trace_thread(const uint32_t group[3], uint32_t thread)
{
    if (wanted.has_group && memcmp(wanted.group, group, sizeof wanted.group) != 0)
        return 0;
    if (wanted.has_thread && wanted.thread != thread)
        return 0;
    if (ferror(out)) /* better now than after a long run */
        sim_process_stop("cannot write the trace to %s", wanted.file ? wanted.file : "standard error");
    atomic_store_explicit(&any_thread, true, memory_order_relaxed);
    return 1;
}

void sim_trace_finish(void)
{
    if (!out)
        return;
    if (fflush(out) != 0 || ferror(out))
        fprintf(stderr, "gensim: error: cannot write the trace to %s\n", wanted.file ? wanted.file : "standard error");
    else if (!any_thread)
        fprintf(stderr, "gensim: nothing was traced: no kernel '%s' was launched with such a group and thread\n",
                wanted.kernel);
}
