/* Runs the passes of the first half in the order of passes.def, and verifies or prints the module after each if options
 * request it. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <llvm-c/Analysis.h>
#include <llvm-c/Support.h>
#include "lower/analysis/mask_analysis.h"
#include "lower/ir/forget_debug.h"
#include "lower/ir/ir.h"
#include "lower/lower.h"
#include "lower/passes.h"

enum level { O0, O1, LANES }; /* see passes.def */

static const struct {
    const char *name;
    bool (*run)(LLVMModuleRef, const struct lower_options *); /* NULL: LLVM's passes `llvm` */
    const char *llvm;
    enum level level;
    const char *does;
} pipeline[] = {
#define PASS(FUNCTION, NAME, LEVEL, NEEDS, NOT_AFTER, SENTENCE)      {NAME, FUNCTION, NULL, LEVEL, SENTENCE},
#define LLVM_PASS(PIPELINE, NAME, LEVEL, NEEDS, NOT_AFTER, SENTENCE) {NAME, NULL, PIPELINE, LEVEL, SENTENCE},
#include "lower/passes.def"
};

static bool verify(LLVMModuleRef module, const char *pass)
{
    char *message = NULL;
    bool bad = LLVMVerifyModule(module, LLVMReturnStatusAction, &message);
    if (bad)
        lower_error(NULL, "internal: invalid module after pass '%s': %s", pass, message);
    LLVMDisposeMessage(message);
    return !bad;
}

/* Sets LLVM options that exist only for a whole program, once per process. Loops with constant trip count get a high
 * unroll threshold: the counter becomes constant, and with it the lanes that it selects. Measured with `./dev bench
 * codegen`: a threshold over 1000 gains little. So does loop
 * unswitching: a loop around an activation function of five branches is above LLVM's threshold of 50. No-alias metadata
 * of inlined calls is disabled: the passes here do not use it, and it costs the inliner more than all the rest. */
static void set_llvm_options(void)
{
    static const char *const words[] = {"cmc", "-unroll-threshold=1000", "-unswitch-threshold=300",
                                        "-enable-noalias-to-md-conversion=0"};
    LLVMParseCommandLineOptions(sizeof words / sizeof *words, words, NULL);
}

static bool is_wanted(LLVMModuleRef module, enum level level, const struct lower_options *options)
{
    return level == O0 || (options->optimization > 0 && (level != LANES || mask_is_asked(module)));
}

/* Drops names of values: passes do not use them, and each copy of an instruction would need a string. Variables keep
 * theirs, which appear in messages and vISA text. */
static void drop_names(LLVMModuleRef module)
{
    FOR_EACH_FUNCTION(f, module)
    FOR_EACH_BLOCK(block, f)
    {
        LLVMSetValueName2(LLVMBasicBlockAsValue(block), "", 0);
        FOR_EACH_INSTRUCTION(i, block)
        if (!LLVMIsAAllocaInst(i) && LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMVoidTypeKind)
            LLVMSetValueName2(i, "", 0);
    }
}

static void print_module(LLVMModuleRef module)
{
    char *text = LLVMPrintModuleToString(module);
    fputs(text, stderr);
    LLVMDisposeMessage(text);
}

static bool run_llvm(LLVMModuleRef module, const char *passes)
{
    if (strstr(passes, "instcombine"))
        ir_forget_debug_of_parts(module);
    return ir_run_llvm_passes(module, passes);
}

static bool run_pipeline(LLVMModuleRef module, const struct lower_options *options)
{
    if (!options->names && !options->print_after)
        drop_names(module);
    for (size_t i = 0; i < sizeof pipeline / sizeof *pipeline; i++) {
        if (is_wanted(module, pipeline[i].level, options)) {
            bool ok = pipeline[i].run ? pipeline[i].run(module, options) : run_llvm(module, pipeline[i].llvm);
            if (!ok || (options->verify_each && !verify(module, pipeline[i].name)))
                return false;
            if (options->pass_done)
                options->pass_done(pipeline[i].name);
        }
        if (options->print_after && strcmp(options->print_after, pipeline[i].name) == 0)
            print_module(module);
    }
    return true;
}

bool lower_to_genx(LLVMModuleRef module, const struct lower_options *options)
{
    static pthread_once_t options_set = PTHREAD_ONCE_INIT;
    pthread_once(&options_set, set_llvm_options);
    struct ir_context *before = ir_context_enter(options);
    bool ok = run_pipeline(module, options);
    ir_context_leave(before);
    return ok;
}

void lower_print_passes(FILE *out)
{
    for (size_t i = 0; i < sizeof pipeline / sizeof *pipeline; i++)
        fprintf(out, "%-23s %s\n", pipeline[i].name, pipeline[i].does);
    lower_print_steps(out);
}
