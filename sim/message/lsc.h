/* Declares messages of the load/store cache (tables/lsc.def). */
#ifndef CMKIT_SIM_MESSAGE_LSC_H
#define CMKIT_SIM_MESSAGE_LSC_H

#include "sim/message/surface.h"

/* Bits 30:29 of the descriptor: the base of the addresses. */
enum lsc_base { LSC_FLAT, LSC_BINDLESS, LSC_SURFACE_STATE, LSC_BINDING_TABLE };

/* Finds lanes, elements and offsets of the data, and checks lengths. Returns false with the fault raised if the
 * platform lacks such a message. */
bool lsc_decode(struct request *request);

/* Divides a gathered payload into addresses and data, where the message has both. */
void lsc_divide(struct message *message);

/* The same for 2D blocks. The payload determines their lengths, which are checked when the message is performed. */
bool lsc_block2d_decode(struct request *request);

/* lsc_typed.c: the same for images. */
bool lsc_typed_decode(struct request *request);

/* Registers of the texels that it sends. */
unsigned lsc_typed_data_registers(const struct request *request);

/* Finds the memory that the message addresses. Returns false with the fault raised. */
bool lsc_target(struct request *request, struct target *target);

/* Returns the binding table index of an immediate surface, from the extended descriptor. */
static inline unsigned lsc_binding_index(const struct request *request)
{
    return request->message->extended >> 24;
}

static inline enum lsc_base lsc_base(const struct request *request)
{
    return (enum lsc_base)(request->descriptor >> 29 & 3);
}

/* Returns the surface index of the message, under which statistics count it too. */
static inline unsigned lsc_surface_index(const struct request *request)
{
    if (request->kind->address == ADDRESS_LSC_SLM)
        return INDEX_SLM;
    switch (lsc_base(request)) {
    case LSC_FLAT: return INDEX_STATELESS;
    case LSC_BINDING_TABLE: return lsc_binding_index(request);
    default: return INDEX_BINDLESS;
    }
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
