/* Messages of the load/store cache: tables/lsc.def. */
#ifndef CMKIT_SIM_MESSAGE_LSC_H
#define CMKIT_SIM_MESSAGE_LSC_H

#include "sim/message/surface.h"

/* What bits 30:29 of the descriptor say that addresses are relative to. */
enum lsc_base { LSC_FLAT, LSC_BINDLESS, LSC_SURFACE_STATE, LSC_BINDING_TABLE };

/* Finds lanes, elements and places of the data, and checks lengths. False with the fault raised if the part has no such
 * message. */
bool lsc_decode(struct request *request);

/* The same for 2D blocks, whose lengths the payload decides: they are checked as the message is performed. */
bool lsc_block2d_decode(struct request *request);

/* The memory that the message's addresses are in. False with the fault raised. */
bool lsc_target(struct request *request, struct target *target);

/* Where in surfaces statistics count the message. */
unsigned lsc_surface_index(const struct request *request);

/* The binding table's index of immediate surfaces, from the extended descriptor. */
static inline unsigned lsc_binding_index(const struct request *request)
{
    return request->message->extended >> 24;
}

static inline enum lsc_base lsc_base(const struct request *request)
{
    return (enum lsc_base)(request->descriptor >> 29 & 3);
}

/* lsc_atomic.c: operands of the atomic operation of that number; -1: there is none. */
int lsc_atomic_operands(uint32_t operation);
bool lsc_atomic_is_real(uint32_t operation);

/* Address of lane `lane`. */
uint64_t lsc_address(const struct request *request, unsigned lane);

/* Byte of the data in registers where `element` of `lane` lies. */
unsigned lsc_element_at(const struct request *request, unsigned element, unsigned lane);

#endif
