/* Declares messages of the load/store cache (tables/lsc.def). */
#ifndef CMKIT_SIM_MESSAGE_LSC_H
#define CMKIT_SIM_MESSAGE_LSC_H

#include "sim/message/surface.h"

/* Bits 30:29 of the descriptor: the base of the addresses. */
enum lsc_base { LSC_FLAT, LSC_BINDLESS, LSC_SURFACE_STATE, LSC_BINDING_TABLE };

/* Finds lanes, elements and offsets of the data, and checks lengths. Returns false with the fault raised if the
 * platform lacks such a message. */
bool lsc_decode(struct request *request);

/* The same for 2D blocks. The payload determines their lengths, which are checked when the message is performed. */
bool lsc_block2d_decode(struct request *request);

/* Finds the memory that the message addresses. Returns false with the fault raised. */
bool lsc_target(struct request *request, struct target *target);

/* Returns the surface index under which statistics count the message. */
unsigned lsc_surface_index(const struct request *request);

/* Returns the binding table index of an immediate surface, from the extended descriptor. */
static inline unsigned lsc_binding_index(const struct request *request)
{
    return request->message->extended >> 24;
}

static inline enum lsc_base lsc_base(const struct request *request)
{
    return (enum lsc_base)(request->descriptor >> 29 & 3);
}

/* lsc_atomic.c: returns the number of operands of the atomic operation; -1: unknown operation. */
int lsc_atomic_operands(uint32_t operation);
bool lsc_atomic_is_float(uint32_t operation);

/* Returns the bytes of each lane's address. */
unsigned lsc_address_bytes(const struct request *request);

/* Returns the bytes from one element of all lanes to the next element. */
unsigned lsc_element_pitch(const struct request *request);

/* Returns the address of lane `lane`. */
uint64_t lsc_address(const struct request *request, unsigned lane);

/* Returns the byte offset of `element` of `lane` in the registers' data. */
unsigned lsc_element_at(const struct request *request, unsigned element, unsigned lane);

#endif
