/* cmc: compiles C for Metal. */
#include <llvm-c/Core.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include "cmc/compile_commands.h"
#include "cmc/driver.h"
#include "cmc/memory.h"
#include "cmc/phases.h"
#include "cmc/response.h"
#include "frontend/frontend.h"
#include "lower/lower.h"
#include "visa_emit/finalize.h"

enum { EXIT_GOOD = 0, EXIT_FAILED = 1, EXIT_USAGE = 2 };

/* The finalizer has no version of its own: its size and date tell one from another. */
static void print_finalizer(void)
{
    char path[4096], date[32] = "";
    struct stat file;
    bool found = gen_finalizer_path(path, sizeof path) && stat(path, &file) == 0;
    struct tm utc;
    if (found && gmtime_r(&file.st_mtime, &utc))
        strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &utc);
    if (found)
        printf("finalizer %s (%lld bytes of %s)\n", path, (long long)file.st_size, date);
    else
        printf("finalizer %s (not found)\n", path);
}

static int print_version(void)
{
    char headers[4096];
    unsigned major, minor, patch;
    LLVMGetVersion(&major, &minor, &patch);
    frontend_headers(headers, sizeof headers);
    printf("cmc (cmkit) %s\nLLVM %u.%u.%u\nheaders %s\n", CMKIT_VERSION, major, minor, patch, headers);
    print_finalizer();
    return EXIT_GOOD;
}

static int compile(const struct cmc_options *options)
{
    bool commands = options->output_kind == CMC_COMPILE_COMMANDS;
    bool good = commands ? cmc_write_compile_commands(options) : cmc_run(options);
    if (options->time_report)
        cmc_stage_report();
    return good ? EXIT_GOOD : EXIT_FAILED;
}

int main(int count, char **words)
{
    struct cmc_words expanded;
    struct cmc_options options = {0};
    int status = EXIT_USAGE;
    signal(SIGXFSZ, SIG_IGN); /* a file that becomes larger than the user allows is an error with words */
    cmc_use_large_pages();
    if (cmc_expand_words(count, words, &expanded) && cmc_options_parse((int)expanded.count, expanded.words, &options)) {
        status = EXIT_GOOD;
        switch (options.request) {
        case CMC_HELP: cmc_options_help(); break;
        case CMC_VERSION: status = print_version(); break;
        case CMC_PRINT_PASSES: lower_print_passes(stdout); break;
        case CMC_PRINT_OPTIONS: cmc_options_print(); break;
        case CMC_COMPILE: status = compile(&options); break;
        }
    }
    cmc_options_free(&options);
    cmc_words_free(&expanded);
    if (fflush(stdout) != 0) {
        cmc_error("cannot write standard output");
        status = EXIT_FAILED;
    }
    return status;
}
