/* cmc: compiles C for Metal. */
#include <llvm-c/Core.h>
#include <stdio.h>
#include "cmc/memory.h"
#include "cmc/phases.h"
#include "lower/lower.h"
#include "visa_emit/finalize.h"

enum { EXIT_GOOD = 0, EXIT_FAILED = 1, EXIT_USAGE = 2 };

static int print_version(void)
{
    char path[4096];
    unsigned major, minor, patch;
    LLVMGetVersion(&major, &minor, &patch);
    bool found = gen_finalizer_path(path, sizeof path);
    printf("cmc (cmkit) %s\nLLVM %u.%u.%u\nfinalizer %s%s\n", CMKIT_VERSION, major, minor, patch, path,
           found ? "" : " (not found)");
    return EXIT_GOOD;
}

static int compile(const struct cmc_options *options)
{
    bool good = options->host ? cmc_compile_host(options) : cmc_compile_gpu(options);
    if (options->time_report)
        cmc_stage_report();
    return good ? EXIT_GOOD : EXIT_FAILED;
}

int main(int count, char **words)
{
    struct cmc_options options;
    int status = EXIT_USAGE;
    cmc_use_large_pages();
    if (cmc_options_parse(count, words, &options)) {
        status = EXIT_GOOD;
        switch (options.request) {
        case CMC_HELP: cmc_options_help(); break;
        case CMC_VERSION: status = print_version(); break;
        case CMC_PRINT_PASSES: lower_print_passes(stdout); break;
        case CMC_COMPILE: status = compile(&options); break;
        }
    }
    cmc_options_free(&options);
    if (fflush(stdout) != 0) {
        cmc_error("cannot write standard output");
        status = EXIT_FAILED;
    }
    return status;
}
