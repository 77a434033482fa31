/* Declares a small GPU address space, surface states and messages made by hand, for the tests of sim/message/. */
#ifndef CMKIT_TEST_SIM_MESSAGE_WORLD_H
#define CMKIT_TEST_SIM_MESSAGE_WORLD_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "sim/message/message.h"

/* GPU addresses of the objects. */
enum {
    HEAP_AT = 0x10000,  /* surface states, binding table, samplers: 16 KiB */
    DATA_AT = 0x100000, /* buffers and images: 64 KiB */
    HEAP_BYTES = 0x4000,
    DATA_BYTES = 0x10000,
    TABLE_AT = 0x1000,   /* binding table, relative to the heap */
    STATES_AT = 0x2000,  /* surface state of binding table index i: STATES_AT + 64 * i */
    SAMPLERS_AT = 0x3000 /* sampler state i: SAMPLERS_AT + 16 * i */
};

enum { WORLD_REGISTERS = 32 }; /* of send, send1, back */

struct world {
    uint8_t heap[HEAP_BYTES] __attribute__((aligned(64)));
    uint8_t data[DATA_BYTES] __attribute__((aligned(64)));
    uint8_t slm[1024] __attribute__((aligned(64)));
    struct sim_space *space;
    struct message_state state;
    /* One message under construction. Registers of 32 bytes. */
    uint32_t send[WORLD_REGISTERS][8], send1[WORLD_REGISTERS][8], back[WORLD_REGISTERS][8];
    struct message message;
    struct sim_fault fault;
    enum message_effect effect;
    bool once;        /* world_send() sends once, instead of trying both ways to decode and comparing them */
    bool is_gathered; /* it sends `send1` behind the first registers of `send`, as Xe3 gathers a payload */
};

#define FILLER 0xdeadbeefu /* what dst holds before a message */

/* A world on the named platform, data zeroed, nothing bound. */
struct world *world_create(const char *platform);
void world_destroy(struct world *world);

/* Binds a surface at binding table index `index`; GPU address DATA_AT + offset. */
void world_bind_buffer(struct world *world, unsigned index, uint32_t offset, uint32_t bytes);
void world_bind_typed_buffer(struct world *world, unsigned index, uint32_t format, uint32_t offset, uint32_t entries);
struct image_shape {
    uint32_t type, format, tiling, width, height, depth, pitch, slice_pitch;
    bool is_array;
};
void world_bind_image(struct world *world, unsigned index, uint32_t offset, const struct image_shape *shape);
uint32_t *world_surface_state(struct world *world, unsigned index);

uint32_t data_dword(const struct world *world, uint32_t offset);
void set_data_dword(struct world *world, uint32_t offset, uint32_t value);

/* Sends `send` (and `send1` when the second length is not 0); dst is filled with FILLER before. */
enum message_effect world_send(struct world *world, uint32_t sfid, uint32_t descriptor, unsigned second_length,
                               unsigned exec_size, uint32_t mask);

/* Descriptor: type in bits 18:14 and control bits; lengths in registers. */
uint32_t data_port(unsigned type, unsigned control, unsigned index, unsigned sent, unsigned returned, bool header);

/* Runs each test in a new world on each of the older platforms. 1 if a check failed, as main() returns it. */
typedef void world_test(struct world *world);
int world_run(world_test *const *tests, size_t count);

extern int failures;
#define CHECK_EQUAL(GOT, WANT)   check_equal((uint64_t)(GOT), (uint64_t)(WANT), #GOT, __func__, __LINE__)
#define CHECK_FAULT(WORLD, TEXT) check_fault(WORLD, TEXT, __func__, __LINE__)
void check_equal(uint64_t got, uint64_t want, const char *what, const char *function, int line);
/* The last message ended with a fault whose text contains `text`, and returned nothing. */
void check_fault(const struct world *world, const char *text, const char *function, int line);

#endif
