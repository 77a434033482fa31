/* Takes modules that the front end did not make: LLVM IR of files, and what SPIR-V becomes. Such a module is not to be
 * trusted before input_check() has seen it.
 *
 *   input.c         the way of a module
 *   kernels.c       kernels and arguments of the vector back end's dialect to those of frontend/frontend.h
 *   calls.c         its calls: vectors of one lane, OpenCL's conversions
 *   check.c         types, instructions and calls that the middle end takes; the others are refused by name
 *   signatures.c    the types of intrinsics (tables/genx_signatures.def)
 *   input_values.c  numbers that must agree with other operands */
#ifndef CMKIT_LOWER_INPUT_INPUT_H
#define CMKIT_LOWER_INPUT_INPUT_H

#include <stdbool.h>
#include <llvm-c/Core.h>
#include "lower/ir/options.h"

struct input {
    LLVMModuleRef module;
    LLVMBuilderRef builder;
    const char *path; /* for messages */
};

/* Makes a module of the file `path` one that lower_to_genx() takes; or lower_to_visa(), if lower_is_genx() says so.
 * False after an error. */
bool lower_take_module(LLVMModuleRef module, const char *path, const char *version,
                       const struct lower_options *options);

/* Marks what lower_to_genx() made with the version and the platform, so that a file of it goes on from there. */
void lower_mark_genx(LLVMModuleRef module, const char *version, const struct lower_options *options);

/* True for a module that lower_mark_genx() has marked. */
bool lower_is_genx(LLVMModuleRef module);

/* The steps of lower_take_module(): each returns false after an error. */
bool input_kernels(const struct input *in);
bool input_calls(const struct input *in);
bool input_check(const struct input *in);

/* Prints `FILE: ` and the message, or the position of `at` if it is known. Returns false. */
bool input_error(const struct input *in, LLVMValueRef at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Returns what is wrong with the types of an intrinsic's declaration; NULL: nothing. */
struct input_message {
    char text[160];
};
const char *input_wrong_types(LLVMValueRef function, struct input_message *message);

/* True if operand `number` of calls of this intrinsic must be a constant. */
bool input_wants_constant(LLVMValueRef function, unsigned number);

/* The types that tables/genx_signatures.def has of an intrinsic; NULL: none. */
const char *input_signature(const char *name);

#endif
