/* Compiles every file of the command line for every platform that it names. */
#ifndef CMKIT_CMC_DRIVER_H
#define CMKIT_CMC_DRIVER_H

#include "cmc/options.h"

/* Goes through the files, at least one, in order, and on after one that does not compile. False if there was one. */
bool cmc_run(const struct cmc_options *options);

#endif
