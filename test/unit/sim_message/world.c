#include "world.h"

#include <assert.h>

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

/* Memory and registers that a message may change. */
struct outcome {
    uint8_t heap[HEAP_BYTES], data[DATA_BYTES], slm[sizeof((struct world *)0)->slm];
    uint32_t back[WORLD_REGISTERS][8];
    struct sim_fault fault;
    enum message_effect effect;
};

static void save(const struct world *world, struct outcome *outcome)
{
    memcpy(outcome->heap, world->heap, sizeof outcome->heap);
    memcpy(outcome->data, world->data, sizeof outcome->data);
    memcpy(outcome->slm, world->slm, sizeof outcome->slm);
    memcpy(outcome->back, world->back, sizeof outcome->back);
    outcome->fault = world->fault;
    outcome->effect = world->effect;
}

static bool are_same(const struct outcome *a, const struct outcome *b)
{
    return memcmp(a->heap, b->heap, sizeof a->heap) == 0 && memcmp(a->data, b->data, sizeof a->data) == 0 &&
           memcmp(a->slm, b->slm, sizeof a->slm) == 0 && memcmp(a->back, b->back, sizeof a->back) == 0 &&
           a->effect == b->effect && a->fault.raised == b->fault.raised && strcmp(a->fault.what, b->fault.what) == 0 &&
           a->fault.has_address == b->fault.has_address && a->fault.address == b->fault.address;
}

/* Sends the message with fixed descriptors, decoded before execution and with a cache, twice so that the cache is used;
 * then with descriptors that are decoded at execution. The results must be equal. */
static void send_both_ways(struct world *world)
{
    static struct outcome before, planned, common;
    struct message *message = &world->message;
    struct message_plan *plan = message_plan_create(world->state.platform, message);
    struct message_cache *cache = message_cache_create();
    save(world, &before);
    for (int turn = 0; plan && turn < 2; turn++) {
        message->plan = plan;
        world->state.cache = cache;
        world->effect = message_send(message, &world->fault);
        save(world, &planned);
        message->plan = NULL;
        world->state.cache = NULL;
        memcpy(world->heap, before.heap, sizeof before.heap);
        memcpy(world->data, before.data, sizeof before.data);
        memcpy(world->slm, before.slm, sizeof before.slm);
        memcpy(world->back, before.back, sizeof before.back);
        world->fault = before.fault;
    }
    world->effect = message_send(message, &world->fault);
    save(world, &common);
    if (plan && !are_same(&planned, &common)) {
        printf("FAILED: descriptor 0x%08x, mask 0x%x: decoded before it is sent, the message does something else\n",
               message->descriptor, message->exec_mask);
        failures++;
    }
    free(plan);
    message_cache_destroy(cache);
}

enum message_effect world_send(struct world *world, uint32_t sfid, uint32_t descriptor, unsigned second_length,
                               unsigned exec_size, uint32_t mask)
{
    unsigned returned = descriptor >> 20 & 31;
    for (unsigned i = 0; i < WORLD_REGISTERS; i++)
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
    message->is_gathered = world->is_gathered;
    if (world->is_gathered) {
        assert(message->src0_regs + second_length <= WORLD_REGISTERS);
        memcpy(world->send[message->src0_regs], world->send1, second_length * sizeof world->send1[0]);
        message->src0_regs += second_length;
        message->src1_regs = 0;
        message->src1 = NULL;
    }
    if (world->once || world->is_gathered)
        return world->effect = message_send(message, &world->fault);
    send_both_ways(world);
    return world->effect;
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

int world_run(world_test *const *tests, size_t count)
{
    static const char *const platforms[] = {"SKL", "ICLLP", "TGLLP"};
    for (size_t p = 0; p < sizeof platforms / sizeof platforms[0]; p++)
        for (size_t t = 0; t < count; t++) {
            struct world *world = world_create(platforms[p]);
            tests[t](world);
            world_destroy(world);
        }
    return failures != 0;
}
