/* Compiles the front end's module for the CPU (-march=host): runs LLVM's optimiser and code generator and links a
 * shared library. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include "cmc/host.h"
#include "cmc/output.h"
#include "visa_emit/process.h"

enum { ERROR_SIZE = 1024, LINK_SECONDS = 120 };

/* Reports an LLVM message that we own as an error of cmc. */
static bool llvm_failed(const char *what, char *message)
{
    cmc_error("%s: %s", what, message ? message : "unknown reason");
    LLVMDisposeMessage(message);
    return false;
}

/* Creates a target machine with the baseline features of this architecture, so that every machine gets the same bytes.
 * NULL after an error line. */
static LLVMTargetMachineRef create_machine(const struct cmc_options *options, LLVMModuleRef module)
{
    static const LLVMCodeGenOptLevel levels[] = {LLVMCodeGenLevelNone, LLVMCodeGenLevelLess, LLVMCodeGenLevelDefault,
                                                 LLVMCodeGenLevelAggressive};
    LLVMInitializeNativeTarget();
    LLVMInitializeNativeAsmPrinter();
    char *message = NULL;
    const char *triple = LLVMGetTarget(module);
    if (strncmp(triple, "spir", 4) == 0) {
        cmc_error("%s: a module for a GPU: -march=host takes a source, or what it has written itself", options->input);
        return NULL;
    }
    LLVMTargetRef target;
    if (LLVMGetTargetFromTriple(triple, &target, &message)) {
        llvm_failed("no code generator for this machine", message);
        return NULL;
    }
    return LLVMCreateTargetMachine(target, triple, "", "", levels[options->optimization], LLVMRelocPIC,
                                   LLVMCodeModelDefault);
}

static bool optimize(const struct cmc_options *how, LLVMModuleRef module, LLVMTargetMachineRef machine)
{
    char passes[32];
    snprintf(passes, sizeof passes, "default<O%u>%s", how->optimization, how->sanitize_address ? ",asan" : "");
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef failure = LLVMRunPasses(module, passes, machine, options);
    LLVMDisposePassBuilderOptions(options);
    if (!failure)
        return true;
    char *text = LLVMGetErrorMessage(failure);
    cmc_error("optimiser: %s", text);
    LLVMDisposeErrorMessage(text);
    return false;
}

static bool write_object(LLVMModuleRef module, LLVMTargetMachineRef machine, const struct scratch *scratch)
{
    char error[4096], *message = NULL;
    LLVMMemoryBufferRef object = NULL; /* LLVM ends the process if it cannot write a file to its end */
    if (LLVMTargetMachineEmitToMemoryBuffer(machine, module, LLVMObjectFile, &message, &object))
        return llvm_failed("cannot make the object file", message);
    bool good = scratch_write_bytes(scratch, "kernels.o", LLVMGetBufferStart(object), LLVMGetBufferSize(object), error,
                                    sizeof error);
    if (!good)
        cmc_error("%s", error);
    LLVMDisposeMemoryBuffer(object);
    return good;
}

enum { LINK_WORDS = 9 };

static void link_command(const struct cmc_options *options, const char *argv[LINK_WORDS])
{
    const char *chosen = getenv("CC");
    const char *words[LINK_WORDS] = {chosen && *chosen ? chosen : "cc",
                                     "-shared",
                                     "-Wl,-z,defs",
                                     "-o",
                                     "kernels.so",
                                     "kernels.o",
                                     "-lm",
                                     options->sanitize, /* NULL without */
                                     NULL};
    memcpy(argv, words, sizeof words);
}

void cmc_print_link(const struct cmc_options *options, FILE *out)
{
    assert(options->host && out);
    const char *argv[LINK_WORDS];
    link_command(options, argv);
    for (int i = 0; argv[i]; i++)
        fprintf(out, " \"%s\"", argv[i]);
    fputc('\n', out);
}

static bool link_library(const struct cmc_options *options, const struct scratch *scratch)
{
    const char *argv[LINK_WORDS];
    link_command(options, argv);
    char error[ERROR_SIZE];
    struct process_result ran;
    if (!process_run(argv, scratch->folder, process_seconds(LINK_SECONDS), &ran, error, sizeof error)) {
        cmc_error("%s (a C compiler links the library; $CC names another)", error);
        return false;
    }
    bool good = !ran.signal && !ran.timed_out && ran.status == 0;
    if (!good) {
        ran.output[strcspn(ran.output, "\r\n")] = 0;
        cmc_error("%s cannot link the library: %s", argv[0], ran.output);
    }
    free(ran.output);
    return good;
}

static bool build_library(const struct cmc_options *options, LLVMModuleRef module, LLVMTargetMachineRef machine,
                          const struct scratch *scratch)
{
    size_t size;
    if (!optimize(options, module, machine))
        return false;
    cmc_stage_end("host optimiser");
    if (!write_object(module, machine, scratch))
        return false;
    cmc_stage_end("host code generator");
    if (!link_library(options, scratch))
        return false;
    char *library = scratch_read(scratch, "kernels.so", &size);
    bool good = library && cmc_write(options->output, library, size);
    if (!library)
        cmc_error("the linker left no library");
    free(library);
    cmc_stage_end("linker");
    return good;
}

bool cmc_host_library(const struct cmc_options *options, LLVMModuleRef module)
{
    assert(options->host && options->output && module);
    char error[ERROR_SIZE];
    struct scratch scratch;
    LLVMTargetMachineRef machine = create_machine(options, module);
    if (!machine)
        return false;
    bool good = scratch_create(&scratch, error, sizeof error);
    if (good) {
        good = build_library(options, module, machine, &scratch);
        scratch_remove(&scratch);
    } else {
        cmc_error("%s", error);
    }
    LLVMDisposeTargetMachine(machine);
    return good;
}
