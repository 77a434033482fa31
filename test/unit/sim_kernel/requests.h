/* Shares functions among the programs that send hostile requests: a device, an open file, memory for the structures to
 * point to, and requests that may stop the program by name. */
#ifndef CMKIT_TEST_SIM_KERNEL_REQUESTS_H
#define CMKIT_TEST_SIM_KERNEL_REQUESTS_H

#include "check.h"
#include "sim/kernel/kernel.h"

enum { REQUESTS_ARENA = 1 << 16 };
extern uint8_t *requests_arena;

extern struct kernel_device requests_device;
extern struct kernel_file requests_file;

extern struct requests_count {
    unsigned long answered, refused, stopped;
} requests_count;

/* Makes the arena and the device; the file is the caller's to open. */
void requests_start(const char *device, const struct kernel_interface *interface);

/* Sends one request: returns its result after a check that it is one, or -ENOSYS if the simulator would have ended the
 * program. */
int requests_send(unsigned long number, void *argument);

/* Fills an object of at most 65536 bytes with MI_BATCH_BUFFER_END, so that any batch in it ends; larger ones are
 * closed. 0 if there is no such object any more. */
int requests_fill(uint32_t handle);

uint32_t requests_random(uint64_t *state);

#endif
