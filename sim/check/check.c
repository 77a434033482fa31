#include "sim/check/check.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "sim/check/allocations.h"
#include "sim/check/group.h"

enum { GLOBAL_PAGES = 4096, LOCAL_PAGES = 16 /* 64 KiB */ };

static const char *const did[] = {
    [CHECK_READ] = "read", [CHECK_WRITE] = "written", [CHECK_ATOMIC] = "changed atomically"};

struct check_launch *check_launch_create(unsigned kinds, bool needs_fences, uint64_t hash, check_describe *describe,
                                         check_argument *argument, const void *context)
{
    assert(describe && argument);
    struct check_launch *launch = calloc(1, sizeof *launch);
    struct shadow *global = shadow_create(GLOBAL_PAGES);
    struct check_order_launch *order = check_order_launch_create();
    if (!launch || !global || !order) {
        free(launch);
        check_order_launch_destroy(order);
        shadow_destroy(global);
        return NULL;
    }
    *launch = (struct check_launch){.kinds = kinds,
                                    .needs_fences = needs_fences && kinds & SIM_CHECK_BARRIER,
                                    .hash = hash,
                                    .describe = describe,
                                    .argument = argument,
                                    .context = context,
                                    .global = global,
                                    .order = order};
    launch->init = kinds & SIM_CHECK_INIT ? check_init_launch_create() : NULL;
    return launch;
}

void check_launch_destroy(struct check_launch *launch)
{
    if (!launch)
        return;
    shadow_destroy(launch->global);
    check_order_launch_destroy(launch->order);
    check_init_launch_destroy(launch->init);
    free(launch);
}

void check_launch_local(struct check_launch *launch, uint32_t bytes)
{
    launch->local_bytes = bytes;
}

struct check_group *check_group_create(struct check_launch *launch)
{
    assert(launch);
    struct check_group *group = calloc(1, sizeof *group);
    struct shadow *local = shadow_create(LOCAL_PAGES);
    if (!group || !local) {
        free(group);
        shadow_destroy(local);
        return NULL;
    }
    group->launch = launch;
    group->local = local;
    group->init = launch->init ? check_init_group_create() : NULL;
    return group;
}

void check_group_destroy(struct check_group *group)
{
    if (!group)
        return;
    shadow_destroy(group->local);
    check_order_group_free(&group->order);
    check_init_group_destroy(group->init);
    free(group);
}

void check_group_start(struct check_group *group, uint32_t number, uint32_t slm_bytes)
{
    shadow_clear(group->local);
    check_fences_start(&group->fences);
    check_order_group_start(&group->order, group->launch->order, number);
    group->now = (struct shadow_slot){.group = number, .lane = CHECK_NO_LANE};
    if (group->init)
        check_init_group_start(group->init, slm_bytes);
}

void check_group_barrier(struct check_group *group)
{
    check_fences_barrier(&group->fences);
    check_order_group_barrier(&group->order);
    group->now.epoch++;
    group->now.fences = 0;
}

void check_group_fence(struct check_group *group)
{
    group->now.fences = check_fences_add(&group->fences, group->now.thread, group->now.epoch);
}

void check_group_global_fence(struct check_group *group)
{
    check_order_group_fence(&group->order);
}

void check_group_thread(struct check_group *group, uint32_t thread, uint32_t slot)
{
    assert(thread <= UINT16_MAX && slot <= UINT16_MAX);
    check_order_group_thread(&group->order, thread);
    group->now.thread = (uint16_t)thread;
    group->now.hardware_slot = (uint16_t)slot;
    group->now.fences = check_fences_count(&group->fences, thread, group->now.epoch);
}

void check_group_instruction(struct check_group *group, uint32_t ip)
{
    check_order_group_instruction(&group->order);
    group->now.ip = ip;
    group->now.lane = CHECK_NO_LANE;
    group->lane_bytes = 0;
}

void check_group_lane(struct check_group *group, unsigned lane, unsigned bytes)
{
    assert(lane < CHECK_NO_LANE);
    group->now.lane = (uint8_t)lane;
    group->lane_bytes = bytes;
}

/* The lane of the byte at `offset` of an access. */
static uint8_t lane_at(const struct check_group *group, uint64_t offset)
{
    return (uint8_t)(group->lane_bytes ? group->now.lane + offset / group->lane_bytes : group->now.lane);
}

static enum sim_check kind_of(enum shadow_order order)
{
    return order == SHADOW_UNFENCED ? SIM_CHECK_BARRIER : SIM_CHECK_RACE;
}

static void report_order(const struct check_group *group, uint64_t address, const struct shadow_slot *now,
                         const struct shadow_slot *earlier, enum shadow_order order, bool is_slm)
{
    char what[200], where[256], inside[192] = "";
    struct check_allocation at = {.from = 0};
    unsigned common = now->bytes & earlier->bytes, first = (unsigned)__builtin_ctz(common);
    assert(order != SHADOW_ORDERED);
    snprintf(what, sizeof what, "two threads access the same %d bytes of %s, and %s", __builtin_popcount(common),
             is_slm ? "shared local memory" : "global memory",
             order == SHADOW_RACE ? "nothing orders them" : "the first makes no fence before the barrier between them");
    if (!is_slm && check_allocation_find(address + first, 1, &at))
        check_allocation_describe(address + first, inside, sizeof inside);
    snprintf(where, sizeof where, "0x%" PRIx64 "%s%s%s", address + first, is_slm ? " in shared local memory" : "",
             inside[0] ? ", " : "", inside);
    char other[48];
    snprintf(other, sizeof other, "before that %s", did[earlier->access - 1]);
    check_report(&(struct check_finding){.kind = kind_of(order),
                                         .hash = group->launch->hash,
                                         .what = what,
                                         .address = where,
                                         .argument = group->launch->argument,
                                         .at = address + first,
                                         .from = at.from,
                                         .to = at.to,
                                         .did = did[now->access - 1],
                                         .other_did = other,
                                         .site = check_site_of(now),
                                         .other = check_site_of(earlier)},
                 group->launch->describe, group->launch->context);
}

/* Records the access to each eight bytes that it touches, page by page. */
static void record(struct check_group *group, struct shadow *shadow, uint64_t address, uint64_t size,
                   enum check_access access, bool is_slm)
{
    const struct check_fences *fences = is_slm && group->launch->needs_fences ? &group->fences : NULL;
    const struct check_order_group *threads = is_slm ? NULL : &group->order;
    struct shadow_slot now = group->now, earlier;
    now.access = (uint8_t)(1 + access);
    now.fences = threads ? check_order_group_fences(threads) : now.fences;
    for (uint64_t start = address, end = address + size; address < end;) {
        struct shadow_page *page = shadow_lock(shadow, address / SHADOW_PAGE);
        uint64_t page_end = (address / SHADOW_PAGE + 1) * SHADOW_PAGE, stop = end < page_end ? end : page_end;
        enum shadow_order order = SHADOW_ORDERED;
        for (; address < stop && page && order == SHADOW_ORDERED;
             address = address / SHADOW_UNIT * SHADOW_UNIT + SHADOW_UNIT) {
            unsigned first = (unsigned)(address % SHADOW_UNIT);
            uint64_t count = stop - address < SHADOW_UNIT - first ? stop - address : SHADOW_UNIT - first;
            now.bytes = (uint8_t)(((1u << count) - 1) << first);
            now.lane = lane_at(group, address - start);
            order =
                shadow_record(page, (unsigned)(address % SHADOW_PAGE / SHADOW_UNIT), &now, fences, threads, &earlier);
        }
        if (page)
            shadow_unlock(page);
        else
            address = stop;
        if (order != SHADOW_ORDERED && group->launch->kinds & kind_of(order))
            report_order(group, address - SHADOW_UNIT, &now, &earlier, order, is_slm);
    }
}

const struct check_allocation *check_group_allocation(struct check_group *group, uint64_t address, uint64_t size)
{
    uint64_t version = check_allocation_version();
    struct check_allocation found;
    for (unsigned i = 0; i < CHECK_KNOWN; i++)
        if (address >= group->known[i].from && address + size <= group->known[i].to &&
            group->known[i].version == version)
            return &group->known[i];
    if (!check_allocation_find(address, size, &found))
        return NULL;
    unsigned place = group->oldest++ % CHECK_KNOWN;
    group->known[place] = found;
    return &group->known[place];
}

/* `offset`: of the first byte that is wrong, from the access's start. */
static void report_memory(struct check_group *group, uint64_t address, uint64_t offset,
                          const struct check_allocation *near, enum check_access access, const char *what)
{
    char where[32];
    struct check_site site = check_site_of(&group->now);
    site.lane = lane_at(group, offset);
    snprintf(where, sizeof where, "0x%" PRIx64, address);
    check_report(&(struct check_finding){.kind = SIM_CHECK_MEMORY,
                                         .hash = group->launch->hash,
                                         .what = what,
                                         .address = where,
                                         .argument = group->launch->argument,
                                         .at = address,
                                         .from = near->from,
                                         .to = near->to,
                                         .did = did[access],
                                         .site = site},
                 group->launch->describe, group->launch->context);
}

static void check_allocation(struct check_group *group, uint64_t address, uint64_t size, enum check_access access,
                             uint64_t object, uint64_t object_end)
{
    char fault[256], what[320];
    struct check_allocation near;
    check_allocation_fault(address, size, object, object_end, &near, fault, sizeof fault);
    if (!fault[0])
        return;
    snprintf(what, sizeof what, "%" PRIu64 " bytes are %s %s", size, did[access], fault);
    const struct check_allocation *start = check_group_allocation(group, address, 1);
    report_memory(group, address, start && start->to < address + size ? start->to - address : 0, &near, access, what);
}

/* The driver copies into memory and fills it with kernels of its own. Their names are found once for a launch. */
static bool is_drivers(struct check_group *group)
{
    static const char *const starts[] = {"CopyBuffer", "CopyImage", "FillBuffer", "FillImage"};
    enum { UNKNOWN, PROGRAMS, DRIVERS };
    struct check_launch *launch = group->launch;
    int whose = atomic_load(&launch->whose);
    if (whose == UNKNOWN) {
        struct check_location place = {.kernel = ""};
        const struct check_site site = check_site_of(&group->now);
        launch->describe(launch->context, &site, &place);
        whose = place.kernel[0] ? PROGRAMS : DRIVERS;
        for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
            if (strncmp(place.kernel, starts[i], strlen(starts[i])) == 0)
                whose = DRIVERS;
        atomic_store(&launch->whose, whose);
    }
    return whose == DRIVERS;
}

static void check_read_only(struct check_group *group, const struct check_allocation *allocation, uint64_t address,
                            uint64_t size, enum check_access access)
{
    char what[320], inside[192];
    if (is_drivers(group))
        return;
    check_allocation_describe(address, inside, sizeof inside);
    snprintf(what, sizeof what, "%" PRIu64 " bytes are %s in memory that is for reading only: %s", size, did[access],
             inside);
    report_memory(group, address, 0, allocation, access, what);
}

static void check_bounds(struct check_group *group, uint64_t address, uint64_t size, enum check_access access,
                         uint64_t object, uint64_t object_end)
{
    const struct check_allocation *allocation = check_group_allocation(group, address, size);
    if (!allocation)
        check_allocation(group, address, size, access, object, object_end);
    else if (allocation->properties & CHECK_READ_ONLY && access != CHECK_READ)
        check_read_only(group, allocation, address, size, access);
}

void check_global(struct check_group *group, uint64_t address, uint64_t size, enum check_access access, uint64_t object,
                  uint64_t object_end)
{
    if (group->launch->kinds & SIM_CHECK_MEMORY)
        check_bounds(group, address, size, access, object, object_end);
    if (group->launch->kinds & SIM_CHECK_RACE && access == CHECK_ATOMIC)
        check_order_group_atomic(&group->order, address);
    if (group->launch->kinds & SIM_CHECK_RACE)
        record(group, group->launch->global, address, size, access, false);
    if (group->init && access == CHECK_ATOMIC)
        check_init_atomic(group, address, size, false);
}

void check_slm(struct check_group *group, uint32_t offset, uint32_t size, enum check_access access)
{
    uint32_t declared = group->launch->local_bytes;
    if (declared && offset + size > declared)
        check_outside(group, "shared local memory", offset, size, declared, access);
    if (group->launch->kinds & SIM_CHECK_RACE || group->launch->needs_fences)
        record(group, group->local, offset, size, access, true);
    if (group->init && access == CHECK_ATOMIC)
        check_init_atomic(group, offset, size, true);
}

/* Reports what the hardware drops silently. */
static void report_dropped(struct check_group *group, const char *what, enum check_access access)
{
    check_report(&(struct check_finding){.kind = SIM_CHECK_MEMORY,
                                         .hash = group->launch->hash,
                                         .what = what,
                                         .address = "",
                                         .did = did[access],
                                         .site = check_site_of(&group->now)},
                 group->launch->describe, group->launch->context);
}

void check_outside(struct check_group *group, const char *memory, uint64_t offset, uint32_t size, uint64_t bytes,
                   enum check_access access)
{
    char what[256];
    if (!(group->launch->kinds & SIM_CHECK_MEMORY))
        return;
    snprintf(what, sizeof what, "%" PRIu32 " bytes are %s at offset %" PRIu64 " of %s, which has %" PRIu64 " bytes",
             size, did[access], offset, memory, bytes);
    report_dropped(group, what, access);
}

/* The driver copies into images with kernels of its own, in groups that may reach beyond their borders. */
void check_outside_image(struct check_group *group, const uint32_t pixel[4], const uint32_t extent[3],
                         enum check_access access)
{
    char what[256];
    if (!(group->launch->kinds & SIM_CHECK_MEMORY) || is_drivers(group))
        return;
    snprintf(what, sizeof what,
             "pixel %" PRIu32 ",%" PRIu32 ",%" PRIu32 " of level %" PRIu32 " is %s in an image of %" PRIu32
             " x %" PRIu32 " x %" PRIu32,
             pixel[0], pixel[1], pixel[2], pixel[3], did[access], extent[0], extent[1], extent[2]);
    report_dropped(group, what, access);
}

void check_lanes_describe(uint32_t lanes, char *text, size_t room)
{
    size_t used = (size_t)snprintf(text, room, "lane%s", lanes & (lanes - 1) ? "s" : "");
    const char *comma = " ";
    for (unsigned lane = 0; lane < 32 && used < room; lane++) {
        unsigned last = lane;
        if (!(lanes >> lane & 1))
            continue;
        while (last < 31 && lanes >> (last + 1) & 1)
            last++;
        int more = last > lane ? snprintf(text + used, room - used, "%s%u-%u", comma, lane, last)
                               : snprintf(text + used, room - used, "%s%u", comma, lane);
        used += more > 0 ? (size_t)more : 0;
        comma = ", ";
        lane = last;
    }
}

void check_divergent_barrier(struct check_group *group, uint32_t active, uint32_t dispatched)
{
    char what[256], lanes[128];
    if (!(group->launch->kinds & SIM_CHECK_BARRIER))
        return;
    check_lanes_describe(dispatched & ~active, lanes, sizeof lanes);
    snprintf(what, sizeof what, "a barrier is reached with %d of the thread's %d channels active; it lacks %s",
             __builtin_popcount(active), __builtin_popcount(dispatched), lanes);
    check_report(&(struct check_finding){.kind = SIM_CHECK_BARRIER,
                                         .hash = group->launch->hash,
                                         .what = what,
                                         .address = "",
                                         .did = "signalled",
                                         .site = check_site_of(&group->now)},
                 group->launch->describe, group->launch->context);
}
