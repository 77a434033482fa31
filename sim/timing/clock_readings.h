/* Keeps the clock's values for each EU thread of a launch: the engine notes when an instruction that reads the clock is
 * issued, and a second execution of the launch reads these values (sim/stream/launch_clock.h). */
#ifndef CMKIT_SIM_TIMING_CLOCK_READINGS_H
#define CMKIT_SIM_TIMING_CLOCK_READINGS_H

#include <stddef.h>
#include <stdint.h>

struct clock_readings;

/* For `groups` groups of `threads` threads. NULL: no memory, or there would be too many. */
struct clock_readings *clock_readings_create(uint64_t groups, uint32_t threads);
void clock_readings_destroy(struct clock_readings *readings);

/* The launch begins `ticks` after the clock was zero. */
void clock_readings_begin(struct clock_readings *readings, uint64_t ticks);

/* Thread `thread` of group `group` issues an instruction that reads the clock, `ticks` after the launch's begin. Call
 * it in the thread's order. */
void clock_readings_add(struct clock_readings *readings, uint64_t group, uint32_t thread, uint64_t ticks);

/* The values that the thread reads, clocks of the EUs. NULL: `*count` is 0. */
const uint64_t *clock_readings_get(const struct clock_readings *readings, uint64_t group, uint32_t thread,
                                   size_t *count);

/* 0: some are missing, because there was no memory. */
int clock_readings_are_complete(const struct clock_readings *readings);

#endif
