/* Runs a program with posix_spawn, limits of time and memory, and a pipe that collects its output. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "visa_emit/process.h"

enum { OUTPUT_LIMIT = 1 << 20 }; /* bytes of output that are kept; the rest is read and dropped */

static long long milliseconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

/* Starts the program with both outputs on `pipe_end`. Returns 0 or an error number. */
static int start(const char *const *argv, const char *folder, int pipe_end, pid_t *pid)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t mask, held;
    sigprocmask(SIG_SETMASK, NULL, &mask);
    scratch_signals(&held);
    for (int number = 1; number < NSIG; number++)
        if (sigismember(&held, number) == 1)
            sigdelset(&mask, number);
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, pipe_end, 1);
    posix_spawn_file_actions_adddup2(&actions, pipe_end, 2);
    posix_spawn_file_actions_addchdir_np(&actions, folder);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    posix_spawnattr_setsigmask(&attributes, &mask);
    int failure = posix_spawnp(pid, argv[0], &actions, &attributes, (char *const *)argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return failure;
}

/* Reads until the program closes its outputs (at the latest when it ends). False: the time limit is over. */
static bool collect(int fd, long long deadline, char *output)
{
    size_t used = 0;
    char dropped[4096];
    for (;;) {
        long long left = deadline - milliseconds_now();
        struct pollfd poll_fd = {.fd = fd, .events = POLLIN};
        int ready = left > 0 ? poll(&poll_fd, 1, (int)left) : 0;
        if (ready == 0)
            return false;
        if (ready < 0 && errno == EINTR)
            continue;
        bool room = used < OUTPUT_LIMIT;
        ssize_t got = read(fd, room ? output + used : dropped, room ? OUTPUT_LIMIT - used : sizeof dropped);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return true;
        if (room)
            used += (size_t)got;
        output[used] = 0;
    }
}

static void await(pid_t pid, size_t bytes, struct process_result *result)
{
    int status = 0;
    struct rusage used = {0};
    while (wait4(pid, &status, 0, &used) < 0 && errno == EINTR)
        ;
    result->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    result->status = WIFEXITED(status) ? WEXITSTATUS(status) : 1;
    result->starved = (result->signal || result->status) && (size_t)used.ru_maxrss * 1024 > bytes / 4 * 3;
}

bool process_run(const char *const *argv, const char *folder, struct process_limits limits,
                 struct process_result *result, char *error, size_t error_size)
{
    const struct rlimit memory = {limits.bytes, limits.bytes};
    *result = (struct process_result){.output = calloc(1, OUTPUT_LIMIT + 1)};
    int ends[2];
    if (!result->output || pipe2(ends, O_CLOEXEC) != 0) {
        snprintf(error, error_size, "cannot run %s: %s", argv[0], strerror(errno));
        free(result->output);
        return false;
    }
    pid_t pid;
    int failure = start(argv, folder, ends[1], &pid);
    close(ends[1]);
    if (failure == 0) {
        prlimit(pid, RLIMIT_AS, &memory, NULL);
        result->timed_out = !collect(ends[0], milliseconds_now() + 1000LL * limits.seconds, result->output);
        if (result->timed_out)
            kill(pid, SIGKILL);
        await(pid, limits.bytes, result);
    } else {
        snprintf(error, error_size, "cannot run %s: %s", argv[0], strerror(failure));
        free(result->output);
    }
    close(ends[0]);
    return failure == 0;
}

bool process_find(const char *name, char *path, size_t size)
{
    const char *folders = getenv("PATH");
    if (strchr(name, '/')) {
        snprintf(path, size, "%s", name);
        return access(path, X_OK) == 0;
    }
    for (; folders && *folders; folders += *folders == ':') {
        int length = (int)strcspn(folders, ":");
        snprintf(path, size, "%.*s/%s", length, folders, name);
        if (length && access(path, X_OK) == 0)
            return true;
        folders += length;
    }
    snprintf(path, size, "%s", name);
    return false;
}
