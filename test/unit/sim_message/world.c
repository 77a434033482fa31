#include "world.h"

int failures;

struct world *world_create(const char *platform)
{
    struct world *world = aligned_alloc(64, sizeof *world);
    if (!world)
        abort();
    memset(world, 0, sizeof *world);
    struct sim_range ranges[] = {{HEAP_AT, HEAP_BYTES, world->heap}, {DATA_AT, DATA_BYTES, world->data}};
    world->space = sim_space_create(ranges, 2);
    world->state = (struct message_state){.platform = platform_find(platform),
                                          .space = world->space,
                                          .surface_base = HEAP_AT,
                                          .dynamic_base = HEAP_AT,
                                          .bindless_base = HEAP_AT,
                                          .binding_table = TABLE_AT,
                                          .sampler_states = SAMPLERS_AT,
                                          .slm = world->slm,
                                          .slm_bytes = sizeof world->slm};
    if (!world->space || !world->state.platform)
        abort();
    for (unsigned i = 0; i < 64; i++) {
        uint32_t at = STATES_AT + 64 * i;
        memcpy(world->heap + TABLE_AT + 4 * i, &at, 4);
    }
    return world;
}

void world_destroy(struct world *world)
{
    sim_space_destroy(world->space);
    free(world);
}

uint32_t *world_surface_state(struct world *world, unsigned index)
{
    return (uint32_t *)(void *)(world->heap + STATES_AT + 64 * index);
}

void world_bind_typed_buffer(struct world *world, unsigned index, uint32_t format, uint32_t offset, uint32_t entries)
{
    uint32_t *state = world_surface_state(world, index), last = entries - 1;
    memset(state, 0, 64);
    state[0] = 4u << 29 | format << 18;
    state[2] = (last & 0x7f) | (last >> 7 & 0x3fff) << 16;
    state[3] = last >> 21 << 21;
    state[8] = DATA_AT + offset;
}

void world_bind_buffer(struct world *world, unsigned index, uint32_t offset, uint32_t bytes)
{
    world_bind_typed_buffer(world, index, 0x1ff, offset, bytes);
}

void world_bind_image(struct world *world, unsigned index, uint32_t offset, const struct image_shape *shape)
{
    uint32_t *state = world_surface_state(world, index);
    memset(state, 0, 64);
    state[0] = shape->type << 29 | (uint32_t)shape->is_array << 28 | shape->format << 18 | shape->tiling << 12;
    state[1] = shape->slice_pitch / 4;
    state[2] = (shape->width - 1) | (shape->height - 1) << 16;
    state[3] = (shape->pitch - 1) | (shape->depth ? shape->depth - 1 : 0) << 21;
    state[7] = 4u << 25 | 5u << 22 | 6u << 19 | 7u << 16;
    state[8] = DATA_AT + offset;
}

uint32_t data_dword(const struct world *world, uint32_t offset)
{
    uint32_t value;
    memcpy(&value, world->data + offset, 4);
    return value;
}

void set_data_dword(struct world *world, uint32_t offset, uint32_t value)
{
    memcpy(world->data + offset, &value, 4);
}

uint32_t data_port(unsigned type, unsigned control, unsigned index, unsigned sent, unsigned returned, bool header)
{
    return sent << 25 | returned << 20 | (uint32_t)header << 19 | type << 14 | control << 8 | index;
}

enum message_effect world_send(struct world *world, uint32_t sfid, uint32_t descriptor, unsigned second_length,
                               unsigned exec_size, uint32_t mask)
{
    unsigned returned = descriptor >> 20 & 31;
    for (unsigned i = 0; i < 32; i++)
        for (unsigned j = 0; j < 8; j++)
            world->back[i][j] = FILLER;
    memset(&world->fault, 0, sizeof world->fault);
    struct message *message = &world->message;
    message->state = &world->state;
    message->sfid = sfid;
    message->descriptor = descriptor;
    message->exec_size = exec_size;
    message->exec_mask = mask;
    message->src0 = (const uint8_t *)world->send;
    message->src1 = second_length ? (const uint8_t *)world->send1 : NULL;
    message->src0_regs = descriptor >> 25 & 15;
    message->src1_regs = second_length;
    message->dst_regs = returned;
    message->dst = returned ? (uint8_t *)world->back : NULL;
    return world->effect = message_send(message, &world->fault);
}

void check_equal(uint64_t got, uint64_t want, const char *what, const char *function, int line)
{
    if (got == want)
        return;
    failures++;
    fprintf(stderr, "%s:%d: %s is 0x%llx, not 0x%llx\n", function, line, what, (unsigned long long)got,
            (unsigned long long)want);
}

void check_fault(const struct world *world, const char *text, const char *function, int line)
{
    if (world->effect == MESSAGE_FAULT && world->fault.raised && strstr(world->fault.what, text))
        return;
    failures++;
    fprintf(stderr, "%s:%d: no fault with \"%s\" but effect %d, \"%s\"\n", function, line, text, world->effect,
            world->fault.what);
}
