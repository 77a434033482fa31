/* Converts the rows of products.def to a C table, and finds a product by name or version. The columns are in
 * products.def. */
#ifndef CMKIT_TABLES_PRODUCTS_H
#define CMKIT_TABLES_PRODUCTS_H

#include "tables/platforms.h"

#ifdef __cplusplus
extern "C" {
#endif

struct product {
    const char *name;
    enum platform_id platform;
    unsigned major, minor, revision; /* of its graphics */
    unsigned genx;                   /* CM_GENX */
    const char *macro;
    unsigned family; /* product family in zebins; 0: not known, or an alias */
};

extern const struct product product_table[];
extern const size_t product_count;

/* Writes the product that `name` names to *out: by its name, or by its version as drivers give it ("20.4.4"), which may
 * be of a later revision. Returns 0 if there is none. */
int product_find(const char *name, struct product *out);

/* Returns the product that the platform's own name means. */
const struct product *product_of_platform(const struct platform *platform);

#ifdef __cplusplus
}
#endif
#endif
