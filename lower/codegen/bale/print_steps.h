/* Names the steps of code generation for `cmc -print-passes` and `cmc -print-after`. */
#ifndef CMKIT_LOWER_CODEGEN_BALE_PRINT_STEPS_H
#define CMKIT_LOWER_CODEGEN_BALE_PRINT_STEPS_H

#include <stdbool.h>
#include <stdio.h>
#include "lower/codegen/emit/selection.h"

enum step {
#define STEP(ID, NAME, SENTENCE) STEP_##ID,
#include "lower/passes.def"
    STEP_COUNT
};

void lower_print_steps(FILE *out); /* one a line with a sentence each */
bool lower_is_step(const char *name);

bool step_is_printed(const struct lower_options *options, enum step step);

/* Prints the function with comments of what the step decided, if -print-after asks for it. */
void step_print(struct selection *s, enum step step);

#endif
