/* Declares the addressing of typed reads, writes and atomics. */
#ifndef CMKIT_SIM_MESSAGE_TYPED_H
#define CMKIT_SIM_MESSAGE_TYPED_H

#include "sim/message/surface.h"

/* Returns the enabled channels of the eight that a typed message moves. Slot group 1 is the first eight channels of the
 * instruction, 2 the second eight of a SIMD16 one. */
uint32_t typed_slots(const struct request *request, unsigned slot_group);

/* Returns the host memory of the pixel at the coordinates of `channel`; *memory is NULL if they are outside of
 * the surface. False with the fault raised if no object covers the surface. */
bool typed_pixel(struct request *request, const struct surface *surface, unsigned channel, uint8_t **memory);

#endif
