/* Declares the front end: CM source in, LLVM module and diagnostics out. A C interface over Clang.
 *
 * GPU modules are for spir64, as Clang generates them without optimization. Every function except the kernels is marked
 * alwaysinline. Vectors and matrices are private arrays ([N x T], element order as in memory, no padding). Accesses to
 * them through references, and every hardware operation, are calls of undefined functions whose names start with
 * `__cm_` (Itanium-mangled templates, such as `_Z10__cm_rdrefIfLi16EE...`; docs/compiler/builtins.md lists each with
 * its operands). lower/ lowers those to llvm.genx.*.
 *
 * Kernels carry the function attribute "cm-kernel"; each of their parameters carries
 *   "cm-kind"  = surface | sampler | svmptr | pointer | local | value
 *   "cm-type"  = the text of its [[type("...")]], if it has one
 *   "cm-decl"  = the declared type as written, for messages and reflection
 *   "cm-first" = for elements of a vector or matrix of handles, which are consecutive parameters: the first one
 * A parameter of kind surface or sampler is an i32 (its handle), svmptr and pointer are i64 or ptr, local (a __local
 * pointer) is ptr addrspace(3).
 *
 * With FRONTEND_HOST the same source becomes a module for this machine, where the same headers implement every builtin.
 * For each kernel NAME it also defines `cm_host_entry_NAME(void **arguments, const struct cm_host_thread *)` and the
 * descriptor `cm_host_kernel_NAME` (tables/host_abi.h). */
#ifndef CMKIT_FRONTEND_FRONTEND_H
#define CMKIT_FRONTEND_FRONTEND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <llvm-c/Types.h>
#include "tables/products.h"

#ifdef __cplusplus
extern "C" {
#endif

enum frontend_target { FRONTEND_GPU, FRONTEND_HOST };

struct frontend_options {
    const char *input;      /* path of the .cm file, "-" for standard input */
    const char *input_name; /* name of standard input in messages; NULL: <stdin> */
    enum frontend_target target;
    const struct platform *platform; /* GPU: the platform that CM_HAS_... describe; host: NULL means the newest */
    const struct product *product;   /* of the platform: the value of CM_GENX; NULL: that of the platform's own name */
    const char *const *arguments;    /* -D, -I, -include, -W..., -g, in order, in Clang's spelling */
    size_t argument_count;
    bool optimize; /* host: optimize the module, for -emit-llvm; a code generator optimizes later, before it runs */
    unsigned optimization; /* level 0..3 of that */
    bool debug_info;
    bool syntax_only;
    bool preprocess;          /* only write the preprocessed source: see below */
    bool no_line_markers;     /* in the preprocessed source */
    bool is_preprocessed;     /* the input is preprocessed and contains the CM headers */
    bool only_dependencies;   /* only run the preprocessor, for `depends` */
    bool mark_ranges;         /* see below */
    bool needs_kernel;        /* a file without kernels is an error */
    bool only_file;           /* the process ends soon: Clang's memory is not freed */
    const char *resource_dir; /* folder of Clang's own headers, NULL: found at build time */
    const char *include_dir;  /* folder that holds cm/cm.h, NULL: beside the program or as built */
    const char *text;         /* contents of the input "-"; NULL: it is read from standard input */
    size_t text_size;
    char **preprocessed; /* output of `preprocess`; the caller frees it */
    /* Called for each file that was read, once and in order; may be NULL. `is_system`: a CM header, a header of Clang's
     * or one from -isystem. */
    void (*depends)(void *user, const char *path, bool is_system);
    void *depends_user;
};

/* With mark_ranges, a message with a column ends in this byte and the ranges of its line, as `4-9,12-12`: first and
 * last byte, counted from 1. */
enum { FRONTEND_RANGES = 0x1f };

/* Prints the arguments for Clang's compiler proper, each in quotes, and a newline. */
void frontend_print_arguments(const struct frontend_options *options, FILE *out);

/* Calls `take` for each word of the command with which clangd understands the input, in order: a command of Clang's
 * driver, not of its compiler proper, which clangd does not read. */
void frontend_editor_arguments(const struct frontend_options *options, void (*take)(void *user, const char *word),
                               void *user);

/* Copies the path of the folder that holds cm/cm.h. */
void frontend_headers(char *path, size_t size);

/* Compiles one file. Diagnostics go to standard error as `file:line:column: error: ...`. On success the caller owns
 * *module (NULL without code generation). Returns false after at least one error. */
bool frontend_compile(LLVMContextRef context, const struct frontend_options *options, LLVMModuleRef *module);

#ifdef __cplusplus
}
#endif
#endif
