/* Runs other programs and writes their output to a log. */
#include "benchmarks/harness/suite.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Set by an interrupt, which also ends the running program: both are in one process group. */
static volatile sig_atomic_t interrupted;

static void interrupt(int number)
{
    (void)number;
    interrupted = 1;
}

void process_watch_interrupts(void)
{
    struct sigaction action = {.sa_handler = interrupt}; /* without SA_RESTART: waiting for a program ends */
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

int process_interrupted(void)
{
    return interrupted;
}

static _Noreturn void become(const char *const *words, const char *const *environment, const char *log)
{
    int out = open(log, O_WRONLY | O_CREAT | O_TRUNC, 0666), in = open("/dev/null", O_RDONLY);
    if (out < 0 || in < 0 || dup2(in, 0) < 0 || dup2(out, 1) < 0 || dup2(out, 2) < 0)
        _exit(127);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    for (; environment && *environment; environment++)
        putenv((char *)*environment);
    execvp(words[0], (char *const *)words);
    dprintf(2, "%s: cannot be started: %m\n", words[0]);
    _exit(127);
}

int process_run(const char *const *words, const char *const *environment, const char *log)
{
    fflush(NULL);
    pid_t child = fork();
    int status;
    if (child == 0)
        become(words, environment, log);
    if (child < 0)
        return -1;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR || kill(child, SIGTERM)) /* an interrupt is meant for both processes */
            return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Compilers and gensim mark their message; otherwise the first line is the best reason. */
void process_reason(const char *log, int status, char why[512])
{
    char line[512], first[512] = "", marked[512] = "";
    FILE *file = fopen(log, "r");
    while (file && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = 0;
        if (!*first && strncmp(line, "Command was:", 12) != 0) /* ocloc repeats this line */
            memcpy(first, line, sizeof first);
        if (!*marked && (strstr(line, "error:") || strstr(line, "fault:")))
            memcpy(marked, line, sizeof marked);
    }
    if (file)
        fclose(file);
    const char *text = *marked ? marked : first;
    if (*text)
        snprintf(why, 512, "%s", text);
    else if (status > 128 && status <= 128 + SIGRTMAX)
        snprintf(why, 512, "stopped by signal %d (%s)", status - 128, strsignal(status - 128));
    else
        snprintf(why, 512, "ended with status %d", status);
}
