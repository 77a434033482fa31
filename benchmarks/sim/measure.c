/* measure FILE PROGRAM [ARGUMENT...]: runs the program and adds a line to FILE with its wall time and processor time in
 * microseconds and its peak memory in KiB. Exits as the program does. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static long long microseconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000LL + time.tv_nsec / 1000;
}

static long long of_timeval(struct timeval time)
{
    return time.tv_sec * 1000000LL + time.tv_usec;
}

static int fail(const char *what)
{
    fprintf(stderr, "measure: error: %s: %s\n", what, strerror(errno));
    return 125;
}

int main(int count, char **arguments)
{
    if (count < 3) {
        fputs("usage: measure FILE PROGRAM [ARGUMENT...]\n", stderr);
        return 125;
    }
    long long begin = microseconds();
    pid_t child = fork();
    if (child < 0)
        return fail("fork");
    if (child == 0) {
        execvp(arguments[2], arguments + 2);
        fail(arguments[2]);
        _exit(126);
    }
    int status;
    struct rusage use;
    if (wait4(child, &status, 0, &use) < 0)
        return fail("wait4");
    long long wall = microseconds() - begin;
    FILE *out = fopen(arguments[1], "a");
    if (!out)
        return fail(arguments[1]);
    fprintf(out, "%lld %lld %ld\n", wall, of_timeval(use.ru_utime) + of_timeval(use.ru_stime), use.ru_maxrss);
    if (fclose(out) != 0)
        return fail(arguments[1]);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
