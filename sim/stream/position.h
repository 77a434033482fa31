/* Describes the position of a fault in a dispatch, for reports. */
#ifndef CMKIT_SIM_STREAM_POSITION_H
#define CMKIT_SIM_STREAM_POSITION_H

#include "sim/stream/dispatcher.h"

/* From Xe-HP on, walkers start kernels after instructions that load what they then generate: so far at most, in these
 * steps, lies the first instruction of the kernel in its binary before that. */
enum { DISPATCH_PROLOG_STEP = 64, DISPATCH_PROLOG_MOST = 512 };

/* Returns "kernel NAME at 0x..., group 0,0,0, thread 3" and adds the source line to the fault. Name and line are known
 * if the program's binary is found: see sim/names/names.h. */
void dispatch_describe(const struct dispatch_position *position, const struct sim_space *space, struct sim_fault *fault,
                       char *text, size_t size);

/* Reports a skipped access of thread `thread` of group `id`, if it is the first at its instruction. */
void dispatch_report_dropped(const struct dispatch *dispatch, const uint32_t id[3], uint32_t thread,
                             struct sim_fault *fault);

/* Returns the kernel's name, "" if it is not found. Slow for the first launch of a kernel: it searches all memory. */
const char *dispatch_name(const struct dispatch *dispatch);

/* Calls `found` for each binary in the process's memory that has the dispatch's code, and for the debug data beside it.
 * Slow: it searches all memory. */
void dispatch_binaries(const struct dispatch *dispatch, void (*found)(void *context, const uint8_t *bytes, size_t size),
                       void *context);

/* Returns how many bytes of prolog may stand before the code of a kernel's binary, where `inside` bytes of its memory
 * object are before the first instruction. */
uint32_t dispatch_prolog_most(uint64_t inside);

#endif
