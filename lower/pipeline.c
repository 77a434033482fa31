/* The middle end's first half, in order. A pass is a function of passes.h or a pipeline of LLVM's own passes; after
 * each the module is verified where `cmc -verify-each` asks for it, as tests do. `cmc -print-passes` prints this table,
 * `cmc -print-after=NAME` the module after one of them. */
#include <stdlib.h>
#include <string.h>
#include <llvm-c/Analysis.h>
#include <llvm-c/Support.h>
#include "lower/analysis/mask_analysis.h"
#include "lower/ir/ir.h"
#include "lower/ir/region.h"
#include "lower/lower.h"
#include "lower/passes.h"

/* Instead of a least -O: at -O1 and above, of modules that ask whether any or all lanes of a mask are on, mostly for SIMD
 * control flow. The others have nothing that the passes before such a one uncover. */
enum { ASKS_LANES = 100 };

static const struct {
    const char *name;
    bool (*run)(LLVMModuleRef, const struct lower_options *);
    const char *llvm;      /* LLVM's spelling, where run is NULL */
    unsigned optimization; /* least -O for which it runs, or ASKS_LANES */
    const char *does;
} pipeline[] = {
    {"platform", pass_platform, NULL, 0, "questions about the part to constants"},
    {"inline", pass_inline, NULL, 0, "all functions into the kernels, globals to kernel variables"},
    {"assembly", pass_assembly, NULL, 0, "operands of asm in predicates to masks, outputs in place to inputs too"},
    {"simd-control-flow", pass_simd_control_flow, NULL, 0, "SIMD_IF and SIMD_DO_WHILE to lane masks"},
    {"split", pass_split, NULL, 0, "private structs, such as references, to one variable per field"},
    {"promote", pass_promote, NULL, 0, "variables that are loaded and stored as a whole to values"},
    {"references", pass_references, NULL, 0, "references to SSA values (LLVM), loads from constant tables to constants"},
    {"parts", pass_parts, NULL, 0, "lanes of parts of references to constants, where they start to distances"},
    {"fold-references", pass_fold_references, NULL, 0, "references to one address and constant lane offsets"},
    {"early-variables", pass_early_variables, NULL, 1, "variables that are accessed at constant places: to values before loops are copied"},
    {"early-values", pass_promote, NULL, 1, "such variables to values"},
    {"unroll", pass_unroll, NULL, 1, "loops of constant length, so that lane offsets become constant"},
    {"unroll-rest", pass_unroll_rest, NULL, 1, "the others (LLVM)"},
    {"odd-integers", pass_odd_integers, NULL, 1, "integers of two bits and the like to the next size that parts have"},
    {"variables", pass_variables, NULL, 0, "private arrays to vectors, references to region reads and writes"},
    {"builtins", pass_builtins, NULL, 0, "the other builtins to llvm.genx.*"},
    {"divisions", pass_divisions, NULL, 0, "quotients of integers, where the part has no division of them"},
    {"long-floats", pass_long_floats, NULL, 0, "64-bit integers to floats and back, where the part has no such integers"},
    {"promote-again", pass_promote, NULL, 0, "the same for vectors"},
    {"values", pass_values, NULL, 0, "the others to values (LLVM), equal ones to one"},
    {"pointers", pass_pointers, NULL, 0, "addresses in global memory to sums of integers"},
    {"collapse", pass_collapse, NULL, 0, "reads of reads and of writes folded"},
    {"doubles", pass_doubles, NULL, 0, "doubles between halves or floats to floats"},
    {"masks", pass_masks, NULL, 1, "writes under a mask that are read under the same mask only"},
    {"scalar", pass_scalar, NULL, 1, "numbers that take fewer steps (LLVM)"},
    {"equal", pass_equal, NULL, 1, "values that these made equal to one; what is loaded twice (LLVM)"},
    {"jumps", pass_jumps, NULL, 1, "branches whose way an earlier one has decided (LLVM), what nobody uses"},
    {"collapse-again", pass_collapse, NULL, 1, "what the scalar passes uncovered"},
    {"masks-again", pass_masks, NULL, 1, "the same"},
    {"flatten", pass_flatten, NULL, 1, "jumps over short blocks for which no lane is on, and masks there"},
    {"scalar-again", NULL, "function(instcombine<no-verify-fixpoint>,simplifycfg,adce)", ASKS_LANES, "the same"},
    {"masks-last", pass_masks, NULL, ASKS_LANES, "the same"},
    {"switches", pass_switches, NULL, 1, "switches to questions that halve their numbers, and tables of jumps"},
    {"handles", pass_handles, NULL, 1, "comparisons of surfaces with one another to what they are"},
    {"sums", pass_sums, NULL, 1, "constants of sums added up, run-time offsets to multiples of one number"},
    {"float-classes", pass_float_classes, NULL, 0, "classes of floats to comparisons of their bits"},
    {"funnel-shifts", pass_funnel_shifts, NULL, 0, "shifts of two values as one to shifts"},
    {"llvm-functions", pass_llvm_functions, NULL, 0, "functions that LLVM recognizes and vISA lacks to what there is"},
    {"dead-lanes", pass_dead_lanes, NULL, 1, "writes of lanes that nobody reads, operations of which some are read to operations on these"},
    {"dead-values", pass_dead_values, NULL, 1, "what those needed"},
    {"decompose", pass_decompose, NULL, 1, "vectors whose accesses fall into disjoint parts to a vector each"},
    {"collapse-parts", pass_collapse, NULL, 1, "reads of such parts"},
    {"narrow", pass_narrow, NULL, 1, "dwords and floats to words where the bits are the same"},
    {"fields", pass_fields, NULL, 1, "bytes and words that masks and shifts take out of numbers to region reads"},
    {"lanes", pass_lanes, NULL, 1, "scalars that are one operation on lanes of a vector: the operation on the vector"},
    {"copies", pass_copies, NULL, 1, "lanes that are copied one by one from a vector to another as regions"},
    {"predicate", pass_predicate, NULL, 1, "choices between a result and an older value to operations under a mask"},
    {"write-through", pass_write_through, NULL, 1, "results that are written into a vector are read from there"},
    {"guards", pass_guards, NULL, 1, "compares that count for the lanes of a mask to compares of these lanes"},
    {"late", pass_late, NULL, 1, "loop counters advanced after their last use, wide masks made before their first"},
    {"stack-inputs", pass_stack_inputs, NULL, 0, "what a thread finds at its start to parameters of functions on the stack"},
    {"call-results", pass_call_results, NULL, 0, "results of calls are taken right behind these"},
    {"layout", pass_layout, NULL, 1, "blocks that only earlier ones lead to come right behind these"},
    {"clean", NULL, "function(instsimplify,dce),globaldce", 0, "operations on constants, dead values and declarations (LLVM)"},
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

/* What LLVM only knows as options of a program. A loop of constant length is worth many instructions here: its counter
 * becomes constant, and with it the lanes that it selects. Measured with `./dev bench codegen`: from 1000 on little is left. What
 * an inlined call's arguments do not alias is of no use to the passes here, and costs the inliner more than all the rest. */
static void set_llvm_options(void)
{
    static const char *const words[] = {"cmc", "-unroll-threshold=1000", "-enable-noalias-to-md-conversion=0"};
    static bool done;
    if (!done)
        LLVMParseCommandLineOptions(sizeof words / sizeof *words, words, NULL);
    done = true;
}

static bool is_wanted(LLVMModuleRef module, unsigned least, const struct lower_options *options)
{
    return least == ASKS_LANES ? options->optimization > 0 && asks_lanes(module) : options->optimization >= least;
}

/* Names of values are of no use to the passes, and a string for each copy of an instruction; variables keep theirs, which
 * stand in messages and vISA text. */
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

bool lower_to_genx(LLVMModuleRef module, const struct lower_options *options)
{
    set_llvm_options();
    forget_functions();
    forget_types();
    forget_constant_lanes();
    forget_regions();
    if (!options->names && !options->print_after)
        drop_names(module);
    for (size_t i = 0; i < sizeof pipeline / sizeof *pipeline; i++) {
        if (is_wanted(module, pipeline[i].optimization, options)) {
            bool ok = pipeline[i].run ? pipeline[i].run(module, options) : run_llvm_passes(module, pipeline[i].llvm);
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

void lower_print_passes(FILE *out)
{
    for (size_t i = 0; i < sizeof pipeline / sizeof *pipeline; i++)
        fprintf(out, "%-18s %s\n", pipeline[i].name, pipeline[i].does);
    lower_print_steps(out);
}
