/* Checks every message that moves plain data between memory and registers against one model: element e of channel c is
 * at the channel's address plus its offset, and in registers all channels of an element follow each other. Data,
 * addresses and channels are random; the whole memory and all registers are compared. */
#include "world.h"

enum {
    DATA0 = 10,
    DATA1 = 12,
    CONSTANT = 9,
    BUFFER_AT = 0x1000,
    BUFFER_BYTES = 0x2000,
    SLM = 254,
    STATELESS = 255,
    BUFFER = 3
};

/* COMPONENTS: mask of dwords that are moved, 0 where a channel moves `elements` in a row. DWORD_SLOTS: in registers
 * each element takes a dword though it is shorter in memory. */
static const struct move {
    const char *name;
    uint32_t sfid;
    unsigned type, control, channels, elements, bytes, components;
    bool wide, writes, block, dword_slots;
    unsigned alignment;
} moves[] = {
    /*                       SFID   TYPE  CTRL  CH  N  B  XYZW   A64   WRITE  BLOCK  SLOTS ALIGN */
    {"dword read 8", DATA0, 3, 0x02, 8, 1, 4, 0, false, false, false, false, 4},
    {"dword read 16x4", DATA0, 3, 0x0b, 16, 4, 4, 0, false, false, false, false, 4},
    {"dword read 8x8", DATA0, 3, 0x0e, 8, 8, 4, 0, false, false, false, false, 4},
    {"dword write 16", DATA0, 11, 0x03, 16, 1, 4, 0, false, true, false, false, 4},
    {"dword write 8x2", DATA0, 11, 0x06, 8, 2, 4, 0, false, true, false, false, 4},
    {"qword read 8", DATA0, 5, 0x02, 8, 1, 8, 0, false, false, false, false, 8},
    {"qword read 16x2", DATA0, 5, 0x07, 16, 2, 8, 0, false, false, false, false, 8},
    {"qword write 16", DATA0, 13, 0x03, 16, 1, 8, 0, false, true, false, false, 8},
    {"qword write 8x2", DATA0, 13, 0x06, 8, 2, 8, 0, false, true, false, false, 8},
    {"byte read 16", DATA0, 4, 0x01, 16, 1, 1, 0, false, false, false, true, 1},
    {"word read 8", DATA0, 4, 0x04, 8, 1, 2, 0, false, false, false, true, 1},
    {"unaligned dword read", DATA0, 4, 0x08, 8, 1, 4, 0, false, false, false, true, 1},
    {"byte write 8", DATA0, 12, 0x00, 8, 1, 1, 0, false, true, false, true, 1},
    {"word write 16", DATA0, 12, 0x05, 16, 1, 2, 0, false, true, false, true, 1},
    {"untyped read 16 XYZW", DATA1, 1, 0x10, 16, 0, 4, 0xf, false, false, false, false, 4},
    {"untyped read 8 YW", DATA1, 1, 0x25, 8, 0, 4, 0xa, false, false, false, false, 4},
    {"untyped write 16 XYZ", DATA1, 9, 0x18, 16, 0, 4, 0x7, false, true, false, false, 4},
    {"untyped write 8 XW", DATA1, 9, 0x26, 8, 0, 4, 0x9, false, true, false, false, 4},
    {"a64 byte read 8", DATA1, 0x10, 0x00, 8, 1, 1, 0, true, false, false, true, 1},
    {"a64 word read 16", DATA1, 0x10, 0x14, 16, 1, 2, 0, true, false, false, true, 1},
    {"a64 dword read 8x4", DATA1, 0x10, 0x09, 8, 4, 4, 0, true, false, false, false, 4},
    {"a64 dword read 16", DATA1, 0x10, 0x11, 16, 1, 4, 0, true, false, false, false, 4},
    {"a64 qword read 8x4", DATA1, 0x10, 0x0a, 8, 4, 8, 0, true, false, false, false, 8},
    {"a64 byte write 16", DATA1, 0x1a, 0x10, 16, 1, 1, 0, true, true, false, true, 1},
    {"a64 dword write 8x2", DATA1, 0x1a, 0x05, 8, 2, 4, 0, true, true, false, false, 4},
    {"a64 qword write 16", DATA1, 0x1a, 0x12, 16, 1, 8, 0, true, true, false, false, 8},
    {"a64 untyped read", DATA1, 0x11, 0x18, 16, 0, 4, 0x7, true, false, false, false, 4},
    {"a64 untyped write", DATA1, 0x19, 0x20, 8, 0, 4, 0xf, true, true, false, false, 4},
    {"constant dword 16", CONSTANT, 3, 0x03, 16, 1, 4, 0, false, false, false, false, 4},
    {"oword read 8", DATA0, 0, 0x04, 1, 8, 16, 0, false, false, true, false, 16},
    {"oword read low", DATA0, 0, 0x00, 1, 1, 16, 0, false, false, true, false, 16},
    {"unaligned oword 4", DATA0, 1, 0x03, 1, 4, 16, 0, false, false, true, false, 4},
    {"oword write 4", DATA0, 8, 0x03, 1, 4, 16, 0, false, true, true, false, 16},
    {"constant oword 4", CONSTANT, 0, 0x03, 1, 4, 16, 0, false, false, true, false, 16},
    {"constant unaligned 2", CONSTANT, 1, 0x02, 1, 2, 16, 0, false, false, true, false, 4},
    {"a64 oword read 4", DATA1, 0x14, 0x03, 1, 4, 16, 0, true, false, true, false, 16},
    {"a64 unaligned 8", DATA1, 0x14, 0x0c, 1, 8, 16, 0, true, false, true, false, 4},
    {"a64 hword read 4", DATA1, 0x14, 0x1b, 1, 4, 32, 0, true, false, true, false, 4},
    {"a64 oword write 8", DATA1, 0x15, 0x04, 1, 8, 16, 0, true, true, true, false, 16},
    {"a64 hword write 2", DATA1, 0x15, 0x1a, 1, 2, 32, 0, true, true, true, false, 4},
};

static uint64_t random_state = 20240611;

static uint32_t random_bits(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (uint32_t)(random_state >> 16);
}

/* Bytes from the address to element `element` in memory. */
static unsigned place(const struct move *move, unsigned element)
{
    if (!move->components)
        return element * move->bytes;
    for (unsigned component = 0; component < 4; component++)
        if ((move->components >> component & 1) && element-- == 0)
            return component * 4;
    return 0;
}

/* Addresses that cannot overlap where the message writes; the header of a block counts owords, bytes or is the address.
 */
static void choose_addresses(struct world *world, const struct move *move, unsigned index, unsigned elements,
                             uint32_t addresses[16])
{
    unsigned span = move->components ? 16 : elements * move->bytes, range = index == SLM ? 1024 : BUFFER_BYTES;
    memset(world->send, 0, sizeof world->send);
    for (unsigned c = 0; c < move->channels; c++) {
        unsigned room = range / move->channels - span;
        addresses[c] = c * (range / move->channels) + random_bits() % (room / move->alignment) * move->alignment;
        uint64_t address = DATA_AT + BUFFER_AT + (uint64_t)addresses[c];
        if (move->wide)
            memcpy((uint8_t *)world->send + 8 * c, &address, 8);
        else if (move->block)
            world->send[0][2] = move->alignment == 16 ? addresses[0] / 16 : addresses[0];
        else
            world->send[c / 8][c % 8] = addresses[c] + (index == STATELESS ? DATA_AT + BUFFER_AT : 0);
    }
}

static void check_move(struct world *world, const struct move *move, unsigned index)
{
    static uint8_t memory[BUFFER_BYTES], registers[32 * 32];
    unsigned elements = move->components ? (unsigned)__builtin_popcount(move->components) : move->elements;
    unsigned slot = move->dword_slots ? 4 : move->bytes;
    unsigned data_registers = (elements * move->channels * slot + 31) / 32;
    unsigned address_registers = move->block ? 1 : move->channels * (move->wide ? 8 : 4) / 32;
    uint8_t *target = index == SLM ? world->slm : world->data + BUFFER_AT;
    size_t size = index == SLM ? sizeof world->slm : BUFFER_BYTES;
    uint32_t addresses[16] = {0}, mask = move->block ? 1 : random_bits() & 0xffff & ((1u << move->channels) - 1);
    for (size_t i = 0; i < size; i++)
        target[i] = (uint8_t)random_bits();
    memcpy(memory, target, size);
    for (unsigned i = 0; i < 32 * 8; i++) {
        world->send1[i / 8][i % 8] = random_bits();
        memcpy(registers + 4 * i, &(uint32_t){FILLER}, 4);
    }
    choose_addresses(world, move, index, elements, addresses);
    for (unsigned c = 0; c < move->channels; c++)
        for (unsigned e = 0; e < elements && (mask >> c & 1); e++) {
            uint8_t *at = memory + addresses[c] + place(move, e), *reg = registers + (e * move->channels + c) * slot;
            if (move->writes)
                memcpy(at, (uint8_t *)world->send1 + (e * move->channels + c) * slot, move->bytes);
            else if (slot != move->bytes)
                memset(reg, 0, slot);
            if (!move->writes)
                memcpy(reg, at, move->bytes);
        }
    uint32_t descriptor = data_port(move->type, move->control, move->wide ? STATELESS : index, address_registers,
                                    move->writes ? 0 : data_registers, move->block);
    world_send(world, move->sfid, descriptor, move->writes ? data_registers : 0, move->channels, mask);
    bool right =
        memcmp(memory, target, size) == 0 && (move->writes || memcmp(registers, world->back, 32 * data_registers) == 0);
    if ((mask != 0 && world->effect != MESSAGE_DONE) || !right) {
        failures++;
        fprintf(stderr, "%s, index %u, mask 0x%x: effect %d, \"%s\"\n", move->name, index, mask, world->effect,
                world->fault.what);
    }
}

int main(void)
{
    static const char *const platforms[] = {"SKL", "ICLLP", "TGLLP"};
    static const unsigned indices[] = {BUFFER, SLM, STATELESS};
    for (unsigned p = 0; p < 3; p++) {
        struct world *world = world_create(platforms[p]);
        world_bind_buffer(world, BUFFER, BUFFER_AT, BUFFER_BYTES);
        for (unsigned i = 0; i < sizeof moves / sizeof moves[0]; i++)
            for (unsigned k = 0; k < (moves[i].wide ? 1 : 3); k++)
                for (unsigned round = 0; round < 20; round++) {
                    bool stateless_block = moves[i].block && indices[k] == STATELESS;
                    if (stateless_block || (moves[i].sfid == CONSTANT && indices[k] != BUFFER))
                        continue; /* their addresses are tested in data_port.c */
                    check_move(world, &moves[i], indices[k]);
                }
        world_destroy(world);
    }
    return failures != 0;
}
