/* Writes compile_commands.json, from which clangd, and with it editors, know how a kernel's source is compiled. */
#ifndef CMKIT_CMC_COMPILE_COMMANDS_H
#define CMKIT_CMC_COMPILE_COMMANDS_H

#include "cmc/options.h"

/* Writes one entry for each file to the output, or to standard output. The format is that of Clang's JSON compilation
 * database. A file with several platforms has the macros of the first. False after an error line. */
bool cmc_write_compile_commands(const struct cmc_options *options);

#endif
