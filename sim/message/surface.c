/* Decodes RENDER_SURFACE_STATE. The fields below have the same positions on Gen9, Gen11 and Gen12LP. (PRM volume 2d.)
 */
#include "sim/message/surface.h"
#include "sim/timing/record.h"
#include <assert.h>
#include <limits.h>
#include "sim/message/lsc.h"

enum { FORMAT_NUMBER_RAW = 0x1ff };

static uint32_t field(const uint32_t *state, unsigned dword, unsigned low, unsigned high)
{
    return state[dword] >> low & (uint32_t)((UINT64_C(1) << (high - low + 1)) - 1);
}

/* A bindless state is in bits 31:12 of the extended descriptor, in units of 64 bytes from the bindless base; if the
 * instruction says so, in bits 31:6 in bytes. The load/store cache also counts from the surface state base. */
static uint64_t bindless_address(const struct request *request)
{
    const struct message *message = request->message;
    bool is_lsc = request->kind->channels == CHANNELS_LSC;
    uint64_t base =
        is_lsc && lsc_base(request) == LSC_SURFACE_STATE ? message->state->surface_base : message->state->bindless_base;
    bool in_bytes = message->wide_offset || (is_lsc && platform_has(message->state->platform, FEATURE_LSC_OFFSETS));
    return base + (in_bytes ? message->extended & ~63u : (message->extended >> 12) * UINT64_C(64));
}

/* Returns the state's address: an entry of the binding table holds its offset from the surface state base. */
static bool find_state(struct request *request, unsigned index, uint32_t state[16])
{
    const struct message_state *thread = request->message->state;
    uint64_t address;
    if (index == INDEX_BINDLESS) {
        address = bindless_address(request);
    } else {
        const uint8_t *entry = request_state(request, thread->surface_base + thread->binding_table + index * 4, 4);
        if (!entry)
            return false;
        uint32_t offset;
        memcpy(&offset, entry, sizeof offset);
        address = thread->surface_base + (offset & ~63u);
    }
    const uint8_t *memory = request_state(request, address, 64);
    if (!memory)
        return false;
    memcpy(state, memory, 64);
    for (unsigned i = 0; i < 16; i++)
        if (state[i] != 0)
            return true;
    return request_refuse(request, "surface %u is not bound: its state is all zero", index);
}

/* Fields that would change the accessed memory in a way that is not implemented. */
static bool check_state(struct request *request, unsigned index, const uint32_t *state, bool is_planar)
{
    static const struct {
        enum feature_id feature; /* of platforms where the field has this meaning */
        unsigned dword, low, high;
        const char *name;
    } unsupported[] = {
        {FEATURE_ALL, 0, 27, 27, "ASTC"},
        {FEATURE_ALL, 1, 19, 23, "base mip level"},
        {FEATURE_ALL, 4, 3, 5, "multisampling"},
        {FEATURE_SURFACE_COMPRESSION, 5, 18, 19, "standard tiling (Yf, Ys)"},
        {FEATURE_ALL, 7, 0, 11, "resource minimum LOD"},
        {FEATURE_SURFACE_COMPRESSION, 7, 30, 30, "memory compression"},
    };
    const struct platform *platform = request->message->state->platform;
    for (unsigned i = 0; i < sizeof unsupported / sizeof unsupported[0]; i++) {
        uint32_t value = field(state, unsupported[i].dword, unsupported[i].low, unsupported[i].high);
        if (value != 0 && platform_has(platform, unsupported[i].feature))
            return request_refuse(request, "surface %u: %s %u is not implemented", index, unsupported[i].name, value);
    }
    if (is_planar) /* dword 6 is the offset of the second plane; it must follow the first, below it */
        return field(state, 6, 14, 31) == 0 && field(state, 5, 21, 31) == 0
                   ? true
                   : request_refuse(request, "surface %u: planes that are not below each other are not implemented",
                                    index);
    if (platform_has(platform, FEATURE_SURFACE_COMPRESSION) && field(state, 6, 0, 2) != 0)
        return request_refuse(request, "surface %u: auxiliary surface mode %u is not implemented", index,
                              field(state, 6, 0, 2));
    return true;
}

static bool check_pitch(struct request *request, unsigned index, const struct surface *surface)
{
    uint32_t tile = tiling_extent(surface->tiling).width;
    if (surface->pitch % tile != 0)
        return request_refuse(request, "surface %u: pitch %u is no multiple of its tiles' %u bytes", index,
                              surface->pitch, tile);
    if (surface->type != SURFACE_1D &&
        (uint64_t)(surface->width + surface->x_offset) * surface->format->bytes > surface->pitch)
        return request_refuse(request, "surface %u: pitch %u is less than %u pixels of %u bytes", index, surface->pitch,
                              surface->width, surface->format->bytes);
    return true;
}

static bool decode_image(struct request *request, unsigned index, const uint32_t *state, struct surface *surface)
{
    const struct platform *platform = request->message->state->platform;
    unsigned tile_mode = field(state, 0, 12, 13), alignment = field(state, 0, 14, 15);
    surface->tiling = tiling_find(platform, tile_mode, surface->type == SURFACE_3D, surface->format->bytes);
    if (surface->tiling == TILINGS)
        return request_refuse(request, "surface %u: tile mode %u is not implemented", index, tile_mode);
    surface->width = field(state, 2, 0, 13) + 1;
    surface->height = surface->type == SURFACE_1D ? 1 : field(state, 2, 16, 29) + 1;
    surface->is_array = surface->type != SURFACE_3D && field(state, 0, 28, 28);
    surface->depth = surface->type == SURFACE_3D || surface->is_array ? field(state, 3, 21, 31) + 1 : 1;
    surface->first_element = surface->is_array ? field(state, 4, 18, 28) : 0;
    surface->pitch = field(state, 3, 0, 17) + 1;
    surface->slice_pitch = field(state, 1, 0, 14) * 4;
    surface->x_offset = field(state, 5, 25, 31) * 4;
    surface->y_offset = field(state, 5, 21, 23) * 4;
    surface->mip_count = field(state, 5, 0, 3);
    surface->first_level = field(state, 5, 4, 7);
    bool in_bytes = platform_has(platform, FEATURE_BYTE_ALIGNED_SURFACES);
    surface->mip_tail = in_bytes ? field(state, 5, 8, 11) : 15;
    surface->x_alignment = 2u << alignment; /* 1: 4, 2: 8, 3: 16 */
    if (in_bytes)
        surface->x_alignment =
            (16u << alignment) / surface->format->bytes + ((16u << alignment) < surface->format->bytes);
    surface->y_alignment = 2u << field(state, 0, 16, 17);
    surface->every_second_row = field(state, 0, 11, 11);
    surface->chroma_row = surface->format->kind == FORMAT_PLANAR ? field(state, 6, 0, 13) : 0;
    surface->first_row = surface->every_second_row ? field(state, 0, 10, 10) : 0;
    if (surface->depth > 1 && surface->slice_pitch == 0)
        return request_refuse(request, "surface %u has %u slices and no slice pitch", index, surface->depth);
    for (unsigned i = 0; i < 4; i++)
        surface->select[i] = (uint8_t)field(state, 7, 25 - 3 * i, 27 - 3 * i);
    return check_pitch(request, index, surface);
}

/* A buffer's last index is spread over the width, height and depth fields. RAW counts bytes, others count pixels. */
static void decode_buffer(const uint32_t *state, struct surface *surface)
{
    uint64_t entries =
        (field(state, 2, 0, 6) | field(state, 2, 16, 29) << 7 | (uint64_t)field(state, 3, 21, 31) << 21) + 1;
    surface->pitch = surface->type == SURFACE_STRUCTURED ? field(state, 3, 0, 17) + 1 : surface->format->bytes;
    surface->bytes = entries * surface->pitch;
    surface->width = entries > UINT32_MAX ? UINT32_MAX : (uint32_t)entries;
    surface->height = surface->depth = 1;
    for (unsigned i = 0; i < 4; i++)
        surface->select[i] = (uint8_t)(4 + i);
}

/* Scratch memory: entries are threads. The surface is the sending thread's entry. */
static bool decode_scratch(struct request *request, unsigned index, const uint32_t *state, struct surface *surface)
{
    uint32_t slot = request->message->thread_slot;
    uint64_t threads =
        (field(state, 2, 0, 6) | field(state, 2, 16, 29) << 7 | (uint64_t)field(state, 3, 21, 31) << 21) + 1;
    surface->bytes = field(state, 3, 0, 17) + 1;
    surface->base += slot * surface->bytes;
    surface->format =
        format_find(FORMAT_NUMBER_RAW); /* whatever its state says: messages then do not access it as texels */
    return slot < threads || request_refuse(request, "surface %u: scratch memory of %llu threads, this is thread %u",
                                            index, (unsigned long long)threads, slot);
}

bool surface_open(struct request *request, unsigned index, struct surface *surface)
{
    assert(surface);
    uint32_t state[16];
    if (!find_state(request, index, state))
        return false;
    memset(surface, 0, sizeof *surface);
    surface->type = (enum surface_type)field(state, 0, 29, 31);
    surface->format = format_find(field(state, 0, 18, 26));
    surface->base = state[8] | (uint64_t)state[9] << 32;
    if (surface->type == SURFACE_NULL)
        return true;
    if (surface->type == SURFACE_SCRATCH)
        return decode_scratch(request, index, state, surface);
    if (!surface->format)
        return request_refuse(request, "surface %u: format 0x%03x is not implemented", index, field(state, 0, 18, 26));
    if (surface->type == SURFACE_BUFFER || surface->type == SURFACE_STRUCTURED) {
        decode_buffer(state, surface);
        return true;
    }
    if (surface->type > SURFACE_3D)
        return request_refuse(request, "surface %u: surface type %u is not implemented", index, surface->type);
    if (surface->format->kind == FORMAT_PLANAR && surface->type != SURFACE_2D)
        return request_refuse(request, "surface %u: planar format, but surface type %u", index, surface->type);
    return check_state(request, index, state, surface->format->kind == FORMAT_PLANAR) &&
           decode_image(request, index, state, surface);
}

void surface_select(const struct surface *surface, uint32_t channels[4])
{
    uint32_t from[4];
    memcpy(from, channels, sizeof from);
    uint32_t one = surface->format && format_is_integer(surface->format) ? 1 : format_bits_of(1.0f);
    for (unsigned i = 0; i < 4; i++) {
        unsigned select = surface->select[i];
        channels[i] = select >= 4 ? from[select - 4] : select == 1 ? one : 0;
    }
}

static uint32_t level_extent(uint32_t extent, uint32_t level)
{
    return extent >> level ? extent >> level : 1;
}

static uint32_t aligned(uint32_t value, uint32_t alignment)
{
    return (value + alignment - 1) / alignment * alignment;
}

/* Positions the levels of one slice: level 1 below level 0, level 2 right of level 1, the others below level 2. Levels
 * of a 1D surface follow each other at multiples of 64 pixels. Every slice has all its levels, one slice pitch further.
 */
bool surface_level(const struct surface *surface, uint32_t level, struct surface *result)
{
    uint32_t absolute = surface->first_level + level;
    *result = *surface;
    result->first_level = result->mip_count = 0;
    if (level > surface->mip_count || absolute > 14)
        return false;
    if (surface->type == SURFACE_1D) {
        for (uint32_t l = 0; l < absolute; l++)
            result->x_offset += aligned(level_extent(surface->width, l), 64);
    } else if (absolute >= 1) {
        result->y_offset += aligned(surface->height, surface->y_alignment);
        if (absolute >= 2)
            result->x_offset += aligned(level_extent(surface->width, 1), surface->x_alignment);
        for (uint32_t l = 2; l < absolute; l++)
            result->y_offset += aligned(level_extent(surface->height, l), surface->y_alignment);
    }
    result->width = level_extent(surface->width, absolute);
    result->height = level_extent(surface->height, absolute);
    if (surface->type == SURFACE_3D)
        result->depth = level_extent(surface->depth, absolute);
    return true;
}

uint32_t surface_run(const struct surface *surface)
{
    return tiling_run(surface->tiling);
}

uint64_t surface_address(const struct surface *surface, uint32_t x, uint32_t y, uint32_t slice)
{
    uint64_t row = y, byte = x, deep = 0;
    slice += surface->first_element;
    if (surface->type == SURFACE_1D)
        byte += (uint64_t)slice * surface->slice_pitch * surface->format->bytes;
    else if (surface->tiling > TILING_Y && surface->type == SURFACE_3D && tiling_extent(surface->tiling).slices > 1)
        deep = slice;
    else
        row += (uint64_t)slice * surface->slice_pitch;
    if (surface->type != SURFACE_1D)
        row += surface->y_offset;
    if (surface->every_second_row)
        row = 2 * row + surface->first_row;
    byte += surface->x_offset * (uint64_t)surface->format->bytes;
    return surface->base + tiling_offset(surface->tiling, surface->pitch, surface->slice_pitch, byte, row, deep);
}

uint8_t *surface_pixel(struct request *request, const struct surface *surface, uint32_t x, uint32_t y, uint32_t slice)
{
    assert(x < surface->width && y < surface->height);
    if (surface->type == SURFACE_BUFFER || surface->type == SURFACE_STRUCTURED)
        return request_memory(request, surface->base + (uint64_t)x * surface->pitch, surface->format->bytes);
    return request_memory(request, surface_address(surface, x * surface->format->bytes, y, slice),
                          surface->format->bytes);
}

/* A stateless 32-bit address is relative to the general state base; a header adds the thread's own offset (M0.5). */
static void open_stateless(const struct request *request, struct target *target)
{
    target->kind = TARGET_FLAT;
    target->base = request->message->state->general_base;
    if (request->has_header)
        target->base += request_header(request, 5) & ~0x3ffu;
}

static bool open_surface(struct request *request, unsigned index, struct target *target)
{
    struct surface surface;
    if (!surface_open(request, index, &surface))
        return false;
    if (surface.type == SURFACE_NULL) {
        target->kind = TARGET_EMPTY;
        return true;
    }
    if (surface.type != SURFACE_BUFFER && surface.type != SURFACE_STRUCTURED && surface.type != SURFACE_SCRATCH)
        return request_refuse(request, "surface %u is no buffer (surface type %u)", index, surface.type);
    target->kind = TARGET_SURFACE;
    target->base = surface.base;
    target->bytes = surface.bytes;
    target->host = sim_space_map(request->message->state->space, surface.base, surface.bytes);
    return true;
}

bool target_open_scratch(struct request *request, uint32_t pointer, struct target *target)
{
    uint32_t state[16];
    struct surface surface = {0};
    const uint8_t *memory =
        request_state(request, request->message->state->surface_base + ((pointer & ~0x3ffu) >> 4), sizeof state);
    if (!memory)
        return false;
    memcpy(state, memory, sizeof state);
    if (field(state, 0, 29, 31) != SURFACE_SCRATCH)
        return request_refuse(request, "the kernel was started without scratch memory");
    surface.base = state[8] | (uint64_t)state[9] << 32;
    if (!decode_scratch(request, INDEX_BINDLESS, state, &surface))
        return false;
    *target = (struct target){.kind = TARGET_SURFACE, .base = surface.base, .bytes = surface.bytes};
    return true;
}

struct surface_scratch surface_scratch_find(const struct message_state *state, uint32_t pointer, uint32_t slot)
{
    static const struct message_kind kind = {.name = "scratch"};
    struct message message = {.state = state, .thread_slot = slot};
    struct sim_fault fault = {0};
    struct request request = {.message = &message, .kind = &kind, .fault = &fault};
    struct target target;
    if (!platform_has(state->platform, FEATURE_SCRATCH_SURFACE)) {
        uint32_t start = pointer + slot * state->scratch_bytes;
        return (struct surface_scratch){state->general_base + (start & ~UINT32_C(0x3ff)), state->scratch_bytes};
    }
    if (!pointer || !target_open_scratch(&request, pointer, &target))
        return (struct surface_scratch){0};
    return (struct surface_scratch){target.base & ((UINT64_C(1) << 48) - 1), target.bytes};
}

/* A thread group uses the surface states as they were at its first access, like the hardware's state cache. */
static bool open_cached(struct request *request, unsigned index, struct target *target)
{
    struct message_cache *cache = request->message->state->cache;
    if (!cache || index >= CACHED_TARGETS)
        return open_surface(request, index, target);
    if (!(cache->known >> index & 1)) {
        if (!open_surface(request, index, target))
            return false;
        cache->targets[index] = *target;
        cache->known |= UINT32_C(1) << index;
        return true;
    }
    *target = cache->targets[index];
    return true;
}

bool target_open(struct request *request, struct target *target)
{
    assert(target);
    unsigned index = request->descriptor & 255;
    if (request->kind->address == ADDRESS_A64) {
        memset(target, 0, sizeof *target);
        target->is_64_bit = true;
        if (index != INDEX_STATELESS && index != INDEX_STATELESS_NONCOHERENT)
            return request_refuse(request, "binding table index %u is not stateless", index);
        return true;
    }
    return target_open_index(request, index, target);
}

bool target_open_index(struct request *request, unsigned index, struct target *target)
{
    memset(target, 0, sizeof *target);
    switch (index) {
    case INDEX_STATELESS:
    case INDEX_STATELESS_NONCOHERENT: open_stateless(request, target); return true;
    case INDEX_SLM:
        if (!request->message->state->slm)
            return request_refuse(request, "the kernel has no shared local memory");
        target->kind = TARGET_SLM;
        target->bytes = request->message->state->slm_bytes;
        target->slm_mask = request->message->state->platform->slm_kilobytes * 1024 - 1;
        target->host = request->message->state->slm;
        return true;
    default: return open_cached(request, index, target);
    }
}

bool target_covers(const struct request *request, const struct target *target, uint64_t offset, unsigned size)
{
    if (target->kind == TARGET_SLM || target->kind == TARGET_EMPTY)
        return true;
    if (!target->is_64_bit)
        offset &= UINT32_MAX;
    return sim_space_map(request->message->state->space, target->base + offset, size) != NULL;
}

enum surface_reach target_at(struct request *request, const struct target *target, uint64_t offset, unsigned size,
                             uint8_t **host)
{
    assert(size && host);
    if (target->kind == TARGET_FLAT) {
        if (!target->is_64_bit)
            offset &= UINT32_MAX;
        *host = request_memory(request, target->base + offset, size);
        return *host ? REACH_INSIDE : REACH_FAULT;
    }
    /* IGC marks local pointers with a bit above the addresses of shared local memory, which is ignored. */
    offset &= target->kind == TARGET_SLM ? target->slm_mask : UINT32_MAX;
    struct check_group *check = request->message->state->check;
    if (target->kind == TARGET_EMPTY || offset >= target->bytes || size > target->bytes - offset) {
        if (check && target->kind != TARGET_EMPTY)
            check_outside(check, target->kind == TARGET_SLM ? "shared local memory" : "a buffer", offset, size,
                          target->bytes, request_access(request));
        return REACH_OUTSIDE;
    }
    if (target->kind == TARGET_SLM && request->message->state->shadow) {
        *host = request_shadow(request, CHECK_STORE_SLM, offset, size);
        return *host ? REACH_INSIDE : REACH_FAULT;
    }
    if (target->kind == TARGET_SLM) {
        if (check)
            check_slm(check, (uint32_t)offset, size, request_access(request));
        request_watch(request, offset, size, true);
        *host = request->message->state->slm + offset;
        if (request->message->state->record)
            record_touch(request->message->state->record, *host, size);
        return REACH_INSIDE;
    }
    *host = request_memory(request, target->base + offset, size);
    return *host ? REACH_INSIDE : REACH_FAULT;
}
