/* The files that a compilation read, as a rule for Make. */
#ifndef CMKIT_CMC_DEPENDENCIES_H
#define CMKIT_CMC_DEPENDENCIES_H

#include "cmc/options.h"

struct cmc_dependencies {
    char **paths; /* once each, in the order in which they were read */
    size_t count;
    bool no_system;
};

/* Appends a file. `user` is a struct cmc_dependencies; the signature is frontend.h's. */
void cmc_depends(void *user, const char *path, bool is_system);
void cmc_dependencies_free(struct cmc_dependencies *dependencies);

/* Writes the rule to where the options say. False after an error line. */
bool cmc_write_dependencies(const struct cmc_options *options, const struct cmc_dependencies *dependencies);

#endif
