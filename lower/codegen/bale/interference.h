/* Union-find of values that share a variable: a class may grow as long as no two of its values are live at once. */
#ifndef CMKIT_LOWER_CODEGEN_BALE_INTERFERENCE_H
#define CMKIT_LOWER_CODEGEN_BALE_INTERFERENCE_H

#include "lower/codegen/bale/liveness.h"

size_t interference_class(struct selection *s, size_t v);
struct cg_value *interference_value_class(struct selection *s,
                                          struct cg_value *value); /* the representative of its class */

/* Merges the classes of a and b if no two of their values are live at once. */
void interference_try_join(struct liveness *l, size_t a, size_t b);

#endif
