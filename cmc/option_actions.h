/* The actions that options.def names. */
#ifndef CMKIT_CMC_OPTION_ACTIONS_H
#define CMKIT_CMC_OPTION_ACTIONS_H

#include "cmc/options.h"

/* Action of an option. `number` is the row's VALUE, `word` the whole option where its value is joined to it, `value`
 * the value ("" for an option without). False after an error. */
typedef bool cmc_option_action(struct cmc_options *options, int number, const char *word, const char *value);

cmc_option_action cmc_option_march, cmc_option_output, cmc_option_optimize, cmc_option_emit, cmc_option_front_joined,
    cmc_option_warning, cmc_option_no_warnings, cmc_option_dependencies, cmc_option_word, cmc_option_target,
    cmc_option_flag, cmc_option_language, cmc_option_messages, cmc_option_colours, cmc_option_prefix_map,
    cmc_option_front_pair, cmc_option_sanitize, cmc_option_request, cmc_option_caller_version, cmc_option_registers,
    cmc_option_standard, cmc_option_ignore, cmc_option_binary_format, cmc_option_explain;

#endif
