/* Describes places that checks report: kernel, group, thread, source line and instruction. */
#include "sim/stream/check_location.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>
#include "binaries/binaries.h"
#include "sim/check/init.h"
#include "sim/check/locals.h"
#include "sim/stream/position.h"

uint32_t dispatch_group_number(const struct dispatch *dispatch, const uint32_t id[3])
{
    assert(id[0] >= dispatch->first[0] && id[1] >= dispatch->first[1] && id[2] >= dispatch->first[2]);
    uint32_t size_x = dispatch->end[0] - dispatch->first[0], size_y = dispatch->end[1] - dispatch->first[1];
    return ((id[2] - dispatch->first[2]) * size_y + id[1] - dispatch->first[1]) * size_x + id[0] - dispatch->first[0];
}

void dispatch_check_location(const void *context, const struct check_site *site, struct check_location *place)
{
    const struct dispatch *dispatch = context;
    uint32_t size_x = dispatch->end[0] - dispatch->first[0], size_y = dispatch->end[1] - dispatch->first[1];
    struct sim_fault fault = {.ip = site->ip, .has_ip = 1};
    const struct dispatch_position position = {.active = 1,
                                               .kernel = dispatch->kernel,
                                               .group = {dispatch->first[0] + site->group % size_x,
                                                         dispatch->first[1] + site->group / size_x % size_y,
                                                         dispatch->first[2] + site->group / size_x / size_y},
                                               .thread = site->thread};
    memcpy(place->group, position.group, sizeof place->group);
    dispatch_describe(&position, dispatch->state.space, &fault, place->position, sizeof place->position);
    snprintf(place->kernel, sizeof place->kernel, "%s", dispatch_name(dispatch));
    size_t used = strlen(place->position);
    if (site->lane != CHECK_NO_LANE)
        snprintf(place->position + used, sizeof place->position - used, ", lane %d", site->lane);
    memcpy(place->source, fault.source, sizeof place->source);
    eu_program_disassemble(dispatch->program, site->ip, place->instruction, sizeof place->instruction);
}

/* What is sought of the binaries that have the kernel's code. */
struct pointers {
    const char *kernel;
    struct zebin_argument arguments[64];
    size_t count;
};

static void read_pointers(void *context, const uint8_t *bytes, size_t size)
{
    struct pointers *found = context;
    if (!found->count)
        found->count = zebin_pointers(bytes, size, found->kernel, found->arguments,
                                      sizeof found->arguments / sizeof *found->arguments);
}

/* Reads 8 bytes of what all threads get: registers, and with COMPUTE_WALKER what follows in memory. False: not there.
 */
static bool read_payload(const struct dispatch *dispatch, uint32_t offset, uint64_t *value)
{
    const uint8_t *from = NULL;
    if (offset <= dispatch->cross_thread_bytes && dispatch->cross_thread_bytes - offset >= sizeof *value)
        from = dispatch->cross_thread + offset;
    else if (dispatch->numbers_threads && offset >= dispatch->cross_thread_bytes)
        from = sim_space_map(
            dispatch->state.space,
            dispatch->state.indirect_base + dispatch->header[0] + offset - dispatch->cross_thread_bytes, sizeof *value);
    if (from)
        memcpy(value, from, sizeof *value);
    return from != NULL;
}

static uint64_t payload_at(const struct dispatch *dispatch, uint32_t offset)
{
    uint64_t value = 0;
    read_payload(dispatch, offset, &value);
    return value;
}

uint64_t dispatch_check_argument(const void *context, uint64_t from, uint64_t to, char *text, size_t room)
{
    const struct dispatch *dispatch = context;
    struct pointers found = {.kernel = dispatch_name(dispatch)};
    if (found.kernel[0])
        dispatch_binaries(dispatch, read_pointers, &found);
    for (size_t i = 0; i < found.count; i++) {
        const struct zebin_argument *a = &found.arguments[i];
        uint64_t value = payload_at(dispatch, a->offset);
        if (value < from || value >= to)
            continue;
        if (a->name[0])
            snprintf(text, room, "argument %u \"%s\"", a->index, a->name);
        else
            snprintf(text, room, "argument %u", a->index);
        return value;
    }
    return 0;
}

struct private_sought {
    const char *kernel;
    struct zebin_private memory;
    int is_found;
};

static void read_private(void *context, const uint8_t *bytes, size_t size)
{
    struct private_sought *sought = context;
    if (!sought->is_found)
        sought->is_found = zebin_private_find(bytes, size, sought->kernel, &sought->memory);
}

struct local_sought {
    const char *kernel;
    struct zebin_local local;
    bool is_found, is_unknown;
};

/* Kernels with the same name and code may declare different sizes: only more than the largest one is outside. */
static void read_local(void *context, const uint8_t *bytes, size_t size)
{
    struct local_sought *sought = context;
    struct zebin_local own;
    uint32_t before = sought->local.bytes;
    if (!zebin_local_find(bytes, size, sought->kernel, &own) || own.count > ZEBIN_LOCAL_ARGUMENTS) {
        sought->is_unknown = true;
        return;
    }
    sought->local = own;
    sought->local.bytes = own.bytes > before ? own.bytes : before;
    sought->is_found = true;
}

/* A search is slow, and a kernel is launched many times. */
static const struct zebin_local *local_of(const struct dispatch *dispatch)
{
    enum { KEPT = 32 };
    static _Thread_local struct {
        uint64_t hash;
        bool is_sought;
        struct zebin_local local;
    } kept[KEPT];
    static _Thread_local unsigned oldest;
    for (unsigned k = 0; k < KEPT; k++)
        if (kept[k].is_sought && kept[k].hash == dispatch->hash)
            return &kept[k].local;
    struct local_sought sought = {.kernel = dispatch_name(dispatch)};
    dispatch_binaries(dispatch, read_local, &sought);
    unsigned k = oldest++ % KEPT;
    kept[k].hash = dispatch->hash;
    kept[k].is_sought = true;
    kept[k].local = sought.is_found && !sought.is_unknown ? sought.local : (struct zebin_local){0};
    return &kept[k].local;
}

/* Arguments count from the end of what the code declares. */
void dispatch_check_local(const struct dispatch *dispatch)
{
    const char *kernel = dispatch_name(dispatch);
    if (!kernel[0] || !dispatch->state.slm_bytes)
        return;
    const struct zebin_local *local = local_of(dispatch);
    uint64_t mask = dispatch->state.platform->slm_kilobytes * 1024 - 1, of_arguments = 0, start;
    for (size_t k = 0; k < local->count; k++) {
        const struct zebin_argument *a = &local->arguments[k];
        size_t bytes = check_locals_most(kernel, a->index);
        if (!bytes || a->size != sizeof start || !read_payload(dispatch, a->offset, &start))
            return;
        of_arguments = (start & mask) + bytes > of_arguments ? (start & mask) + bytes : of_arguments;
    }
    uint64_t declared = local->bytes + of_arguments;
    if (declared && declared < dispatch->state.slm_bytes)
        check_launch_local(dispatch->check, (uint32_t)declared);
}

static const uint64_t ADDRESS_BITS = (UINT64_C(1) << 48) - 1; /* the others repeat the highest one */

void dispatch_check_private(const struct dispatch *dispatch)
{
    const struct platform *platform = dispatch->state.platform;
    struct private_sought sought = {.kernel = dispatch_name(dispatch)};
    if (!sought.kernel[0] || !check_launch_follows_values(dispatch->check))
        return;
    dispatch_binaries(dispatch, read_private, &sought);
    uint64_t address = sought.is_found ? payload_at(dispatch, sought.memory.offset) & ADDRESS_BITS : 0,
             threads = (uint64_t)platform->slices * platform->subslices * platform->eus * platform->threads,
             size = sought.memory.thread_bytes * threads;
    const struct sim_range *range = address ? sim_space_find(dispatch->state.space, address) : NULL;
    if (range && size > range->size - (address - range->gpu))
        size = range->size - (address - range->gpu);
    if (range)
        check_launch_private(dispatch->check, address, size);
}
