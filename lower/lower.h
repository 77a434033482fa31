/* The middle end: from the front end's LLVM module to the vISA program. lower/pipeline.c lists the passes in order. */
#ifndef CMKIT_LOWER_LOWER_H
#define CMKIT_LOWER_LOWER_H

#include <stdbool.h>
#include <stdio.h>
#include <llvm-c/Core.h>
#include "tables/platforms.h"
#include "visa_emit/visa.h"

struct lower_options {
    const struct platform *platform;
    unsigned optimization;      /* 0: only what lowering needs; 2: LLVM's scalar passes too */
    bool debug_info;            /* the vISA program is marked so: its text says where each instruction comes from */
    bool names;                 /* values keep their names, for a text of the module */
    bool verify_each;           /* the module is verified after every pass */
    const char *print_after;    /* name of a pass after which the module is printed to standard error, or NULL */
    void (*pass_done)(const char *name); /* called after each pass of the first half, or NULL */
};

/* First half: builtins and SIMD control flow to llvm.genx.* and plain LLVM vectors, inlining, scalar optimisation, region
 * passes; what `cmc -emit-llvm` prints. False after printing `file:line:column: error: ...`. */
bool lower_to_genx(LLVMModuleRef module, const struct lower_options *options);

/* Before the first half: leaves one of the module's kernels, and what it calls. False after an error: there is none of that name. */
bool lower_only_kernel(LLVMModuleRef module, const char *name);

/* Second half: baling, legalization, coalescing. NULL after printing an error. */
struct visa_program *lower_to_visa(LLVMModuleRef module, const struct lower_options *options);

/* Prints a module that lower_to_genx() made in the LLVM 14 dialect of IGC's vector back end. False with an error line when
 * a construct has no equivalent there. */
bool lower_print_vc(LLVMModuleRef module, FILE *out);

/* The passes, one a line with a sentence each, in order; then the steps of the second half, which are printed like them. */
void lower_print_passes(FILE *out);
void lower_print_steps(FILE *out);
bool lower_is_step(const char *name); /* of the second half */

#endif
