/* Keeps the shadow of the GPU's memory: for each bit, 1 if it is uninitialized, 0 if it may have been written. */
#ifndef CMKIT_SIM_CHECK_VALUES_H
#define CMKIT_SIM_CHECK_VALUES_H

#include <stdint.h>

/* Returns the shadow bytes of [address, address + size) of the GPU's address space, where the memory had values until
 * something else was written to its shadow. NULL: out of memory, or the range crosses a region of 1 GiB. Any thread may
 * call it. */
uint8_t *check_bits_at(uint64_t address, uint64_t size);

/* Sets the shadow bytes of a range of any size. */
void check_bits_fill(uint64_t address, uint64_t size, uint8_t byte);

#endif
