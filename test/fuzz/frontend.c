/* frontend_fuzz FIRST COUNT FOLDER CORPUS.cm...
 * Compiles COUNT random sources with the front end, for the GPU and every fourth one for the CPU. The front end may
 * reject a source with an error, or make a module that LLVM's verifier accepts; it must not crash, fail without an
 * error or take longer than 10 s of CPU time. A child process compiles many sources in sequence; if it ends, its source
 * is kept as FOLDER/SEED.cm and a new child process continues. */
#include <fcntl.h>
#include <signal.h>
#include <llvm-c/Analysis.h>
#include <llvm-c/Core.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include "frontend/frontend.h"
#include "tokens.h"

enum { SECONDS = 10, MOST_FILES = 200 };

/* Shared with the child: where it is, and what came of its sources. */
struct progress {
    unsigned long long seed;
    unsigned compiled, refused;
};

static struct token_list corpus[MOST_FILES];
static size_t corpus_count;

static bool read_corpus(char **paths, int count)
{
    for (int i = 0; i < count && corpus_count < MOST_FILES; i++) {
        FILE *file = fopen(paths[i], "r");
        char *text = calloc(1, 1 << 16);
        if (!file || !text) {
            fprintf(stderr, "frontend_fuzz: cannot read %s\n", paths[i]);
            return false;
        }
        size_t size = fread(text, 1, (1 << 16) - 1, file);
        text[size] = 0;
        fclose(file);
        tokens_cut(text, &corpus[corpus_count++]);
        free(text);
    }
    return true;
}

static void write_source(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    if (!file || fputs(text, file) < 0 || fclose(file) != 0) {
        perror(path);
        exit(2);
    }
}

/* In the child: one source. Ends the process with a reason on its standard output when the front end is wrong. */
static void try_source(unsigned long long seed, const char *path, struct progress *progress)
{
    char *text = tokens_source(seed, corpus, corpus_count);
    if (!text)
        exit(2);
    write_source(path, text);
    free(text);

    struct frontend_options options = {.input = path,
                                       .target = seed % 4 ? FRONTEND_GPU : FRONTEND_HOST,
                                       .platform = &platform_table[seed % platform_count],
                                       .optimization = 0};
    LLVMContextRef context = LLVMContextCreate();
    LLVMModuleRef module = NULL;
    off_t before = lseek(STDERR_FILENO, 0, SEEK_END);
    bool good = frontend_compile(context, &options, &module);
    char *message = NULL;
    if (good && module && LLVMVerifyModule(module, LLVMReturnStatusAction, &message)) {
        printf("a wrong module: %s\n", message);
        fflush(stdout);
        abort();
    }
    if (!good && lseek(STDERR_FILENO, 0, SEEK_END) == before) {
        printf("refused without a word\n");
        fflush(stdout);
        abort();
    }
    LLVMDisposeMessage(message);
    if (module)
        LLVMDisposeModule(module);
    LLVMContextDispose(context);
    progress->compiled += good;
    progress->refused += !good;
}

/* SECONDS more of the processor: a busy machine is no fault. A source that waits for something ends by the alarm. */
static void limit_time(void)
{
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    rlim_t seconds = (rlim_t)(used.ru_utime.tv_sec + used.ru_stime.tv_sec + 1 + SECONDS);
    setrlimit(RLIMIT_CPU, &(struct rlimit){seconds, RLIM_INFINITY});
    alarm(60 * SECONDS);
}

/* The child: sources from `seed` to before `end`. */
static unsigned shard = 1, shards = 1; /* --shard: seeds whose rest is shard - 1 */

static bool read_shard(const char *text)
{
    char rest;
    return sscanf(text, "%u/%u%c", &shard, &shards, &rest) == 2 && shard >= 1 && shard <= shards;
}

static void run(unsigned long long seed, unsigned long long end, const char *folder, struct progress *progress)
{
    char path[4096], log[4096];
    snprintf(path, sizeof path, "%s/source.cm", folder);
    snprintf(log, sizeof log, "%s/messages", folder);
    int messages = open(log, O_RDWR | O_CREAT | O_TRUNC, 0666);
    if (messages < 0 || dup2(messages, STDERR_FILENO) < 0)
        exit(2);
    for (; seed < end; seed++) {
        progress->seed = seed;
        if (seed % shards != shard - 1)
            continue;
        if (ftruncate(STDERR_FILENO, 0))
            exit(2);
        limit_time();
        try_source(seed, path, progress);
    }
    exit(0);
}

static bool took_too_long(int status)
{
    return WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGALRM);
}

/* Keeps the source that killed the child. */
static void keep(unsigned long long seed, const char *folder, int status)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%llu.cm", folder, seed);
    char *text = tokens_source(seed, corpus, corpus_count);
    if (text)
        write_source(path, text);
    free(text);
    if (took_too_long(status))
        printf("FAIL seed %llu: more than %d s: %s\n", seed, SECONDS, path);
    else
        printf("FAIL seed %llu: %s %d: %s\n", seed, WIFSIGNALED(status) ? "signal" : "status",
               WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status), path);
}

int main(int count, char **words)
{
    if (count > 2 && strcmp(words[1], "--shard") == 0) {
        if (!read_shard(words[2])) {
            fprintf(stderr, "frontend_fuzz: error: --shard: '%s' is no part like 2/8\n", words[2]);
            return 2;
        }
        words += 2;
        count -= 2;
    }
    if (count < 5) {
        fprintf(stderr, "usage: frontend_fuzz [--shard I/N] FIRST COUNT FOLDER CORPUS.cm...\n");
        return 2;
    }
    unsigned long long seed = strtoull(words[1], NULL, 10), end = seed + strtoull(words[2], NULL, 10);
    const char *folder = words[3];
    mkdir(folder, 0777);
    struct progress *progress = mmap(NULL, sizeof *progress, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (progress == MAP_FAILED || !read_corpus(words + 4, count - 4))
        return 2;

    unsigned failures = 0;
    unsigned long long again = 0; /* first seed after a source that was run twice */
    while (seed < end) {
        fflush(stdout);
        pid_t child = fork();
        if (child == 0)
            run(seed, end, folder, progress);
        int status;
        if (child < 0 || waitpid(child, &status, 0) < 0) {
            perror("frontend_fuzz");
            return 2;
        }
        if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
            break;
        seed = progress->seed + 1;
        if (took_too_long(status) && again != seed) {
            again = seed--;
            continue;
        }
        keep(progress->seed, folder, status);
        failures++;
    }
    printf("%u compiled, %u refused, %u failed\n", progress->compiled, progress->refused, failures);
    return failures ? 1 : 0;
}
