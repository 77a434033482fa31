/* Checks data port messages on buffers, shared local memory and 64-bit addresses: the contents of memory and registers.
 */
#include "world.h"

enum { DATA0 = 10, DATA1 = 12, CONSTANT = 9 };

/* Sets the A32 addresses of channels 0..15 in the registers from `first` on: start + step * channel. */
static void set_addresses(struct world *world, unsigned first, uint32_t start, uint32_t step)
{
    for (unsigned i = 0; i < 16; i++)
        world->send[first + i / 8][i % 8] = start + step * i;
}

static void set_addresses_64(struct world *world, uint64_t start, uint64_t step, unsigned channels)
{
    for (unsigned i = 0; i < channels; i++) {
        uint64_t address = start + step * i;
        memcpy((uint8_t *)world->send + i * 8, &address, 8);
    }
}

/* Surface of 64 bytes holding dwords 100, 101, ...: SIMD16 reads X and Z of addresses 0, 8, 16 ...; channel 7 (address
 * 56) has its Z at 64, the first byte outside, and channels 8.. lie outside. */
static void untyped_read_masks_components_and_bounds(struct world *world)
{
    world_bind_buffer(world, 3, 0, 64);
    for (unsigned i = 0; i < 32; i++)
        set_data_dword(world, i * 4, 100 + i);
    set_addresses(world, 0, 0, 8);
    /* control: SIMD16 (1 << 4), Y and W masked (0b1010) */
    CHECK_EQUAL(world_send(world, DATA1, data_port(1, 0x1a, 3, 2, 4, false), 0, 16, 0xfffb), MESSAGE_DONE);
    CHECK_EQUAL(world->back[0][0], 100);    /* X of channel 0 */
    CHECK_EQUAL(world->back[0][1], 102);    /* X of channel 1: byte 8 */
    CHECK_EQUAL(world->back[0][2], FILLER); /* channel 2 is off */
    CHECK_EQUAL(world->back[0][7], 114);    /* byte 56 */
    CHECK_EQUAL(world->back[1][0], 0);      /* X of channel 8: byte 64 is outside */
    CHECK_EQUAL(world->back[2][0], 102);    /* Z of channel 0: byte 8 */
    CHECK_EQUAL(world->back[2][6], 114);    /* Z of channel 6: byte 56 */
    CHECK_EQUAL(world->back[2][7], 0);      /* Z of channel 7: byte 64 is outside */
    CHECK_EQUAL(world->back[3][7], 0);
}

static void untyped_write_simd8_split(struct world *world)
{
    world_bind_buffer(world, 4, 0x100, 40);
    set_addresses(world, 0, 0, 8);
    for (unsigned i = 0; i < 8; i++) {
        world->send1[0][i] = 0x10 + i;
        world->send1[1][i] = 0x20 + i;
    }
    /* SIMD8 (2 << 4), Z and W masked; addresses in the first source, data in the second */
    CHECK_EQUAL(world_send(world, DATA1, data_port(9, 0x2c, 4, 1, 0, false), 2, 8, 0xff), MESSAGE_DONE);
    CHECK_EQUAL(data_dword(world, 0x100), 0x10);
    CHECK_EQUAL(data_dword(world, 0x104), 0x20);
    CHECK_EQUAL(data_dword(world, 0x120), 0x14);
    CHECK_EQUAL(data_dword(world, 0x124), 0x24);
    CHECK_EQUAL(data_dword(world, 0x128), 0); /* channel 5, byte 40: dropped */
}

static void untyped_stateless_adds_the_general_base(struct world *world)
{
    world->state.general_base = DATA_AT;
    set_data_dword(world, 0x200, 77);
    set_addresses(world, 0, 0x200, 0);
    CHECK_EQUAL(world_send(world, DATA1, data_port(1, 0x2e, 255, 1, 1, false), 0, 8, 1), MESSAGE_DONE);
    CHECK_EQUAL(world->back[0][0], 77);
    set_addresses(world, 0, DATA_BYTES - 2, 0);
    world->send[0][0] = DATA_BYTES;
    world_send(world, DATA1, data_port(1, 0x2e, 255, 1, 1, false), 0, 8, 1);
    CHECK_FAULT(world, "untyped surface read");
    CHECK_EQUAL(world->fault.has_address, 1);
    CHECK_EQUAL(world->fault.address, DATA_AT + DATA_BYTES);
    world->state.general_base = 0;
}

static void untyped_simd4x2(struct world *world)
{
    world_bind_buffer(world, 3, 0, 64);
    for (unsigned i = 0; i < 16; i++)
        set_data_dword(world, i * 4, 100 + i);
    world->send[0][0] = 16;
    world->send[0][4] = 32;
    CHECK_EQUAL(world_send(world, DATA1, data_port(1, 0x02, 3, 1, 1, false), 0, 8, 0xff), MESSAGE_DONE);
    CHECK_EQUAL(world->back[0][0], 104);
    CHECK_EQUAL(world->back[0][1], FILLER); /* Y is masked and keeps its place */
    CHECK_EQUAL(world->back[0][2], 106);
    CHECK_EQUAL(world->back[0][7], 111);
}

static void slm_is_the_groups_own(struct world *world)
{
    set_addresses(world, 0, 1008, 4);
    for (unsigned i = 0; i < 16; i++)
        world->send1[i / 8][i % 8] = 500 + i;
    CHECK_EQUAL(world_send(world, DATA1, data_port(9, 0x1e, 254, 2, 0, false), 2, 16, 0xffff), MESSAGE_DONE);
    uint32_t last;
    memcpy(&last, world->slm + 1020, 4);
    CHECK_EQUAL(last, 503);
    CHECK_EQUAL(world_send(world, DATA1, data_port(1, 0x1e, 254, 2, 2, false), 0, 16, 0xffff), MESSAGE_DONE);
    CHECK_EQUAL(world->back[0][3], 503);
    CHECK_EQUAL(world->back[0][4], 0);             /* byte 1024: beyond the group's memory */
    set_addresses(world, 0, 0x10000000 + 1020, 0); /* address bits above 64 KiB do not count */
    CHECK_EQUAL(world_send(world, DATA1, data_port(1, 0x1e, 254, 2, 2, false), 0, 16, 0xffff), MESSAGE_DONE);
    CHECK_EQUAL(world->back[0][0], 503);
    world->state.slm = NULL;
    world_send(world, DATA1, data_port(1, 0x1e, 254, 2, 2, false), 0, 16, 0xffff);
    CHECK_FAULT(world, "no shared local memory");
    world->state.slm = world->slm;
}

static void byte_scattered_takes_any_alignment(struct world *world)
{
    world_bind_buffer(world, 5, 0x300, 16);
    for (unsigned i = 0; i < 16; i++)
        world->data[0x300 + i] = (uint8_t)(0xa0 + i);
    set_addresses(world, 0, 1, 3); /* 1, 4, 7, 10, 13, 16 (out), ... */
    /* DC0 type 4: words (1 << 2), SIMD8 */
    CHECK_EQUAL(world_send(world, DATA0, data_port(4, 0x04, 5, 1, 1, false), 0, 8, 0xff), MESSAGE_DONE);
    CHECK_EQUAL(world->back[0][0], 0xa2a1);
    CHECK_EQUAL(world->back[0][1], 0xa5a4);
    CHECK_EQUAL(world->back[0][4], 0xaead);
    CHECK_EQUAL(world->back[0][5], 0);
    world->send[0][0] = 15; /* a word whose second byte is outside counts as outside */
    CHECK_EQUAL(world_send(world, DATA0, data_port(4, 0x04, 5, 1, 1, false), 0, 8, 1), MESSAGE_DONE);
    CHECK_EQUAL(world->back[0][0], 0);
    /* type 12: bytes, SIMD16, all to different bytes */
    set_addresses(world, 0, 0, 1);
    for (unsigned i = 0; i < 16; i++)
        world->send[2 + i / 8][i % 8] = 0x1100 + i;
    CHECK_EQUAL(world_send(world, DATA0, data_port(12, 0x01, 5, 4, 0, false), 0, 16, 0x7fff), MESSAGE_DONE);
    CHECK_EQUAL(data_dword(world, 0x300), 0x03020100);
    CHECK_EQUAL(data_dword(world, 0x30c), 0xaf0e0d0c); /* channel 15 was off */
    world_send(world, DATA0, data_port(4, 0x0c, 5, 1, 1, false), 0, 8, 0xff);
    CHECK_FAULT(world, "data size 3");
}

static void dword_scattered_moves_runs(struct world *world)
{
    world_bind_buffer(world, 6, 0x400, 0x200);
    for (unsigned i = 0; i < 128; i++)
        set_data_dword(world, 0x400 + i * 4, 1000 + i);
    set_addresses(world, 0, 0, 16);
    /* DC0 type 3: SIMD8 with the legacy bit (2), two dwords (1 << 2) */
    CHECK_EQUAL(world_send(world, DATA0, data_port(3, 0x06, 6, 1, 2, false), 0, 8, 0xff), MESSAGE_DONE);
    CHECK_EQUAL(world->back[0][2], 1008);
    CHECK_EQUAL(world->back[1][2], 1009);
    /* the same through the constant cache */
    CHECK_EQUAL(world_send(world, CONSTANT, data_port(3, 0x06, 6, 1, 2, false), 0, 8, 0xff), MESSAGE_DONE);
    CHECK_EQUAL(world->back[1][7], 1029);
    world->send[0][1] = 18;
    world_send(world, DATA0, data_port(3, 0x06, 6, 1, 2, false), 0, 8, 0xff);
    CHECK_FAULT(world, "not dword aligned");
}

static void a64_messages(struct world *world)
{
    for (unsigned i = 0; i < 64; i++)
        set_data_dword(world, i * 4, 7000 + i);
    set_addresses_64(world, DATA_AT, 4, 16);
    CHECK_EQUAL(world_send(world, DATA1, data_port(0x11, 0x1e, 255, 4, 2, false), 0, 16, 0xffff), MESSAGE_DONE);
    CHECK_EQUAL(world->back[1][7], 7015);
    /* qword scattered read, one qword, SIMD8 */
    set_addresses_64(world, DATA_AT, 8, 8);
    CHECK_EQUAL(world_send(world, DATA1, data_port(0x10, 0x02, 253, 2, 2, false), 0, 8, 0xff), MESSAGE_DONE);
    CHECK_EQUAL(world->back[0][0], 7000);
    CHECK_EQUAL(world->back[0][1], 7001);
    CHECK_EQUAL(world->back[1][7], 7015);
    /* byte scattered write of dwords, unaligned: 7000 = 0x1b58 becomes bytes 1..4 */
    set_addresses_64(world, DATA_AT + 1, 4, 8);
    world->send[2][0] = 0x44332211;
    CHECK_EQUAL(world_send(world, DATA1, data_port(0x1a, 0x08, 255, 3, 0, false), 0, 8, 1), MESSAGE_DONE);
    CHECK_EQUAL(data_dword(world, 0), 0x33221158);
    set_addresses_64(world, UINT64_C(0x7fff00000000), 4, 8);
    world_send(world, DATA1, data_port(0x11, 0x2e, 255, 2, 1, false), 0, 8, 0x80);
    CHECK_EQUAL(world->fault.address, UINT64_C(0x7fff0000001c));
    CHECK_FAULT(world, "a64 untyped surface read");
    world_send(world, DATA1, data_port(0x11, 0x2e, 7, 2, 1, false), 0, 8, 0x80);
    CHECK_FAULT(world, "index 7 is not stateless");
}

static void oword_blocks(struct world *world)
{
    world_bind_buffer(world, 7, 0x500, 80);
    for (unsigned i = 0; i < 20; i++)
        set_data_dword(world, 0x500 + i * 4, i);
    memset(world->send[0], 0, 32);
    world->send[0][2] = 2; /* owords */
    /* 4 owords from byte 32: 48 bytes inside, the last oword outside; no mask for blocks */
    CHECK_EQUAL(world_send(world, DATA0, data_port(0, 3, 7, 1, 2, true), 0, 1, 1), MESSAGE_DONE);
    CHECK_EQUAL(world->back[0][0], 8);
    CHECK_EQUAL(world->back[1][3], 19);
    CHECK_EQUAL(world->back[1][4], 0);
    /* unaligned: the offset counts bytes */
    world->send[0][2] = 4;
    CHECK_EQUAL(world_send(world, DATA0, data_port(1, 2, 7, 1, 1, true), 0, 1, 1), MESSAGE_DONE);
    CHECK_EQUAL(world->back[0][0], 1);
    CHECK_EQUAL(world->back[0][7], 8);
    /* one oword to the upper half of the register */
    world->send[0][2] = 1;
    CHECK_EQUAL(world_send(world, DATA0, data_port(0, 1, 7, 1, 1, true), 0, 1, 1), MESSAGE_DONE);
    CHECK_EQUAL(world->back[0][0], FILLER);
    CHECK_EQUAL(world->back[0][4], 4);
    /* write two owords */
    for (unsigned i = 0; i < 8; i++)
        world->send1[0][i] = 0x900 + i;
    CHECK_EQUAL(world_send(world, DATA0, data_port(8, 2, 7, 1, 0, true), 1, 1, 1), MESSAGE_DONE);
    CHECK_EQUAL(data_dword(world, 0x510), 0x900);
    CHECK_EQUAL(data_dword(world, 0x52c), 0x907);
    CHECK_EQUAL(data_dword(world, 0x530), 12);
    world_send(world, DATA0, data_port(0, 3, 7, 1, 2, false), 0, 1, 1);
    CHECK_FAULT(world, "header is required");
    /* no enabled channel: nothing happens */
    CHECK_EQUAL(world_send(world, DATA0, data_port(0, 3, 7, 1, 2, true), 0, 8, 0), MESSAGE_DONE);
    CHECK_EQUAL(world->back[0][0], FILLER);
}

/* The buffer ends eight bytes into the second oword: bytes before its end are moved, bytes after it are not. */
static void oword_blocks_end_at_a_dword(struct world *world)
{
    world_bind_buffer(world, 7, 0x500, 24);
    for (unsigned i = 0; i < 8; i++)
        set_data_dword(world, 0x500 + i * 4, 50 + i);
    memset(world->send[0], 0, 32);
    CHECK_EQUAL(world_send(world, DATA0, data_port(0, 2, 7, 1, 1, true), 0, 1, 1), MESSAGE_DONE);
    CHECK_EQUAL(world->back[0][3], 53);
    CHECK_EQUAL(world->back[0][4], 54);
    CHECK_EQUAL(world->back[0][5], 55);
    CHECK_EQUAL(world->back[0][6], 0);
    CHECK_EQUAL(world->back[0][7], 0);
    for (unsigned i = 0; i < 8; i++)
        world->send1[0][i] = 0x70 + i;
    CHECK_EQUAL(world_send(world, DATA0, data_port(8, 2, 7, 1, 0, true), 1, 1, 1), MESSAGE_DONE);
    CHECK_EQUAL(data_dword(world, 0x514), 0x75);
    CHECK_EQUAL(data_dword(world, 0x518), 56);
    CHECK_EQUAL(data_dword(world, 0x51c), 57);
}

static void a64_blocks(struct world *world)
{
    for (unsigned i = 0; i < 64; i++)
        set_data_dword(world, i * 4, 300 + i);
    memset(world->send[0], 0, 32);
    world->send[0][0] = DATA_AT + 20;
    CHECK_EQUAL(world_send(world, DATA1, data_port(0x14, 0x0c, 255, 1, 4, true), 0, 1, 1), MESSAGE_DONE);
    CHECK_EQUAL(world->back[0][0], 305);
    CHECK_EQUAL(world->back[3][7], 336);
    world_send(world, DATA1, data_port(0x14, 0x04, 255, 1, 4, true), 0, 1, 1);
    CHECK_FAULT(world, "not aligned to 16");
    world->send[0][0] = DATA_AT + 32;
    world->send[1][0] = 1;
    world->send[1][4] = 2;
    CHECK_EQUAL(world_send(world, DATA1, data_port(0x15, 0x02, 255, 2, 0, true), 0, 1, 1), MESSAGE_DONE);
    CHECK_EQUAL(data_dword(world, 32), 1);
    CHECK_EQUAL(data_dword(world, 48), 2);
    CHECK_EQUAL(data_dword(world, 64), 316);
}

/* A channel is for a dword, and the mask repeats. */
static void blocks_under_a_mask(struct world *world)
{
    for (unsigned i = 0; i < 64; i++)
        set_data_dword(world, i * 4, 300 + i);
    memset(world->send[0], 0, 32);
    world->send[0][0] = DATA_AT + 20;
    CHECK_EQUAL(world_send(world, DATA1, data_port(0x14, 0x0c, 255, 1, 4, true), 0, 16, 0xff02), MESSAGE_DONE);
    CHECK_EQUAL(world->back[0][0], FILLER);
    CHECK_EQUAL(world->back[0][1], 306);
    CHECK_EQUAL(world->back[0][2], FILLER);
    CHECK_EQUAL(world->back[1][0], 313);
    CHECK_EQUAL(world->back[2][0], FILLER);
    CHECK_EQUAL(world->back[2][1], 322);
    CHECK_EQUAL(world->back[3][7], 336);
    world->send[0][0] = DATA_AT + 32;
    for (unsigned i = 0; i < 8; i++)
        world->send[1][i] = 1 + i;
    CHECK_EQUAL(world_send(world, DATA1, data_port(0x15, 0x02, 255, 2, 0, true), 0, 8, 0x12), MESSAGE_DONE);
    CHECK_EQUAL(data_dword(world, 32), 308);
    CHECK_EQUAL(data_dword(world, 36), 2);
    CHECK_EQUAL(data_dword(world, 40), 310);
    CHECK_EQUAL(data_dword(world, 48), 5);
    CHECK_EQUAL(data_dword(world, 52), 313);
}

/* Thread scratch at DATA_AT + 0x800: general base + header dword 5 without its low ten bits. */
static void scratch_blocks(struct world *world)
{
    world->state.general_base = DATA_AT - 0x400;
    world->state.scratch_base = DATA_AT;
    world->state.scratch_bytes = 1024;
    memset(world->send[0], 0, 32);
    world->send[0][5] = 0xc00 | 5; /* the low bits name the thread */
    for (unsigned i = 0; i < 8; i++) {
        world->send[1][i] = 0x31 + i;
        world->send[2][i] = 0x41 + i;
    }
    uint32_t before = data_dword(world, 0x800 + 29 * 32 + 24);
    /* bit 18 scratch, 17 write, bits 13:12 two registers, bits 11:0 register 30 */
    uint32_t descriptor = 3u << 25 | 1u << 19 | 1u << 18 | 1u << 17 | 1u << 12 | 30;
    CHECK_EQUAL(world_send(world, DATA0, descriptor, 0, 8, 0xff), MESSAGE_DONE);
    CHECK_EQUAL(data_dword(world, 0x800 + 30 * 32), 0x31);
    CHECK_EQUAL(data_dword(world, 0x800 + 31 * 32 + 28), 0x48);
    descriptor = 1u << 25 | 2u << 20 | 1u << 19 | 1u << 18 | 1u << 12 | 30;
    CHECK_EQUAL(world_send(world, DATA0, descriptor, 0, 8, 0xff), MESSAGE_DONE);
    CHECK_EQUAL(world->back[1][7], 0x48);
    /* bit 16: a channel for each dword; without it the mask counts for nothing */
    uint32_t masked = 3u << 25 | 1u << 19 | 1u << 18 | 1u << 17 | 1u << 16 | 1u << 12 | 28;
    CHECK_EQUAL(world_send(world, DATA0, masked, 0, 16, 0x8002), MESSAGE_DONE);
    CHECK_EQUAL(data_dword(world, 0x800 + 28 * 32 + 4), 0x32);
    CHECK_EQUAL(data_dword(world, 0x800 + 29 * 32 + 28), 0x48);
    CHECK_EQUAL(data_dword(world, 0x800 + 29 * 32 + 24), before);
    CHECK_EQUAL(world_send(world, DATA0, masked & ~(1u << 16), 0, 16, 0x8002), MESSAGE_DONE);
    CHECK_EQUAL(data_dword(world, 0x800 + 29 * 32 + 24), 0x47);
    world_send(world, DATA0, descriptor + 1, 0, 8, 0xff);
    CHECK_FAULT(world, "exceeds the thread's 1024 bytes");
    for (unsigned i = 0; i < 64; i++)
        set_data_dword(world, 0x800 + i * 4, 0x600 + i);
    descriptor = 1u << 25 | 8u << 20 | 1u << 19 | 1u << 18 | 3u << 12; /* eight registers from 0 */
    CHECK_EQUAL(world_send(world, DATA0, descriptor, 0, 8, 0xff), MESSAGE_DONE);
    CHECK_EQUAL(world->back[7][7], 0x63f);
    world->state.scratch_bytes = 0;
    world_send(world, DATA0, descriptor, 0, 8, 0xff);
    CHECK_FAULT(world, "without scratch");
    world->state.general_base = 0;
}

static void wrong_messages_are_faults(struct world *world)
{
    world_bind_buffer(world, 3, 0, 64);
    set_addresses(world, 0, 0, 4);
    world_send(world, DATA1, data_port(1, 0x1e, 3, 1, 2, false), 0, 16, 0xffff);
    CHECK_FAULT(world, "sends 1 registers where the descriptor 0x02205e03 needs 2");
    world_send(world, DATA1, data_port(1, 0x1e, 3, 2, 1, false), 0, 16, 0xffff);
    CHECK_FAULT(world, "returns 1 registers");
    world_send(world, DATA1, data_port(1, 0x1f, 3, 2, 1, false), 0, 16, 0xffff);
    CHECK_FAULT(world, "masked off");
    world_send(world, DATA1, data_port(1, 0x1e, 40, 2, 2, false), 0, 16, 0xffff);
    CHECK_FAULT(world, "surface 40 is not bound");
    world_send(world, DATA1, data_port(0x1f, 0, 3, 2, 2, false), 0, 16, 0xffff);
    CHECK_FAULT(world, "hdc1 (shared function 12)");
    world_send(world, 5, 0, 0, 16, 0xffff);
    CHECK_FAULT(world, "every message of the render cache");
}

/* The value of channel 0 must not change the address of channel 0's second component, nor that of later channels. */
static void destination_may_be_the_source(struct world *world)
{
    world_bind_buffer(world, 3, 0, 256);
    for (unsigned i = 0; i < 64; i++)
        set_data_dword(world, i * 4, 0x400 + 4 * i);
    set_addresses(world, 0, 0, 8);
    uint32_t descriptor = data_port(1, 0x1c, 3, 2, 4, false); /* SIMD16, X and Y */
    struct message message = {.state = &world->state,
                              .sfid = DATA1,
                              .descriptor = descriptor,
                              .exec_size = 16,
                              .exec_mask = 0xffff,
                              .src0 = (const uint8_t *)world->send[0],
                              .src0_regs = 2,
                              .dst = (uint8_t *)world->send[0],
                              .dst_regs = 4};
    CHECK_EQUAL(message_send(&message, &world->fault), MESSAGE_DONE);
    CHECK_EQUAL(world->send[0][0], 0x400);
    CHECK_EQUAL(world->send[0][1], 0x408);
    CHECK_EQUAL(world->send[1][7], 0x478);
    CHECK_EQUAL(world->send[2][0], 0x404);
    CHECK_EQUAL(world->send[3][7], 0x47c);
}

static void control_messages(struct world *world)
{
    memset(world->send[0], 0, 32);
    CHECK_EQUAL(world_send(world, 3, 0x02000004, 0, 1, 1), MESSAGE_BARRIER);
    CHECK_EQUAL(world_send(world, DATA0, 0x0219e0fe, 0, 8, 0xff), MESSAGE_DONE);
    world->message.end_of_thread = true;
    CHECK_EQUAL(world_send(world, 7, 0x02000010, 0, 8, 0xff), MESSAGE_END_OF_THREAD);
    world_bind_buffer(world, 4, 0, 64);
    set_addresses(world, 0, 0, 4);
    world->send[1][3] = 0x1234;
    CHECK_EQUAL(world_send(world, DATA1, data_port(9, 0x2e, 4, 2, 0, false), 0, 8, 0xff), MESSAGE_END_OF_THREAD);
    CHECK_EQUAL(data_dword(world, 12), 0x1234);
    world->message.end_of_thread = false;
    CHECK_EQUAL(
        strcmp(message_name(world->state.platform, DATA1, data_port(9, 0, 0, 0, 0, 0)), "hdc1 untyped surface write"),
        0);
}

int main(void)
{
    static world_test *const tests[] = {
        untyped_read_masks_components_and_bounds,
        untyped_write_simd8_split,
        untyped_stateless_adds_the_general_base,
        untyped_simd4x2,
        slm_is_the_groups_own,
        byte_scattered_takes_any_alignment,
        dword_scattered_moves_runs,
        a64_messages,
        oword_blocks,
        oword_blocks_end_at_a_dword,
        a64_blocks,
        blocks_under_a_mask,
        scratch_blocks,
        wrong_messages_are_faults,
        destination_may_be_the_source,
        control_messages,
    };
    return world_run(tests, sizeof tests / sizeof tests[0]);
}
