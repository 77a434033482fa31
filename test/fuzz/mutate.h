/* Changes a kernel so that it often stays valid: a type for a type, an operator for an operator, an argument for an
 * argument. Errors in such kernels get past the parser. */
#ifndef CMKIT_TEST_FUZZ_MUTATE_H
#define CMKIT_TEST_FUZZ_MUTATE_H

#include <stdio.h>
#include "tokens.h"

/* Prints `kernel` with up to `changes` such changes; functions of the library's names may come from `other`. */
void mutate_print(FILE *out, const struct token_list *kernel, const struct token_list *other, int changes);

#endif
