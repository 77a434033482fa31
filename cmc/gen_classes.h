/* Classes of Gen instructions by the names in the finalizer's listing. */
#ifndef CMKIT_CMC_GEN_CLASSES_H
#define CMKIT_CMC_GEN_CLASSES_H

#include <stddef.h>

enum gen_class {
#define GEN_CLASS(ID, NAME, INSTRUCTIONS) GEN_CLASS_##ID,
#include "cmc/gen_classes.def"
#undef GEN_CLASS
    GEN_CLASSES
};

const char *gen_class_name(enum gen_class class);

/* Returns the class of a line of the listing: `(predicate) name (size|offset) ...`. */
enum gen_class gen_class_of(const char *line, size_t length);

/* Counts a listing's instructions by class. `listing` may be NULL: no instructions. */
void gen_class_count(const char *listing, unsigned counts[static GEN_CLASSES]);

#endif
