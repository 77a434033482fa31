/* Follows what Level Zero programs give their kernels, so that --check=memory reports a launch with memory that the
 * program has freed, or an image that it has destroyed: Intel's driver itself may crash there before any kernel runs.
 */
#ifndef CMKIT_SIM_GENSIM_LEVEL_ZERO_ARGUMENTS_H
#define CMKIT_SIM_GENSIM_LEVEL_ZERO_ARGUMENTS_H

/* Starts following. Before that, and without it, the calls only go on to the loader. */
void level_zero_arguments_follow(void);

#endif
