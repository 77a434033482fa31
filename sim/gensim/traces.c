#include "sim/gensim/traces.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "sim/base/options.h"

int traces_find(const char *folder, const char *number, char path[TRACE_PATH], struct trace_head *head, char *problem,
                size_t size)
{
    uint64_t wanted = trace_last(folder);
    struct stat status;
    if (stat(folder, &status) != 0 || !S_ISDIR(status.st_mode)) {
        snprintf(problem, size, "'%s' is not a folder", folder);
        return 0;
    }
    if (wanted == 0) {
        snprintf(problem, size, "'%s' has no recorded launch (gensim --save-trace records them)", folder);
        return 0;
    }
    if (number && !sim_options_number(number, 1, UINT64_MAX, &wanted)) {
        snprintf(problem, size, "'%s' is no number of a launch (gensim replay --list-launches shows them)", number);
        return 0;
    }
    const char *wrong = trace_path(folder, wanted, path, TRACE_PATH) ? trace_head_read(path, head) : "too long a path";
    if (wrong)
        snprintf(problem, size, "cannot read %s: %s", path, wrong);
    return !wrong;
}

int traces_list(const char *folder, char *problem, size_t size)
{
    uint64_t last = trace_last(folder);
    char path[TRACE_PATH];
    struct trace_head head;
    if (!traces_find(folder, NULL, path, &head, problem, size))
        return 0;
    for (uint64_t i = 1; i <= last; i++) {
        if (!trace_path(folder, i, path, sizeof path) || access(path, F_OK) != 0)
            continue;
        const char *wrong = trace_head_read(path, &head);
        if (wrong)
            printf("%6" PRIu64 "  cannot be read: %s\n", i, wrong);
        else
            printf("%6" PRIu64 "  %-8s %s  %" PRIu32 "x%" PRIu32 "x%" PRIu32 " groups of %" PRIu32 " threads, %" PRIu64
                   " pages%s\n",
                   i, head.device, head.kernel[0] ? head.kernel : "(no name)", head.groups[0], head.groups[1],
                   head.groups[2], head.group_threads, head.pages, head.has_fault ? ", ends with a fault" : "");
    }
    return 1;
}

int traces_prepare(const char *folder, char *problem, size_t size)
{
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        snprintf(problem, size, "cannot make the folder '%s': %s", folder, strerror(errno));
    else if (access(folder, W_OK | X_OK) != 0)
        snprintf(problem, size, "cannot write to the folder '%s': %s", folder, strerror(errno));
    else if (trace_last(folder) != 0)
        snprintf(problem, size, "'%s' has a trace already: remove it, or name another folder", folder);
    else
        return 1;
    return 0;
}
