/* Describes the position of a fault in a dispatch, for reports. */
#include "sim/stream/position.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "sim/check/allocations.h"
#include "sim/names/names.h"
#include "sim/base/process.h"

/* Finds the kernel's name and the fault's source line; "" without one. */
static void find_name(const struct dispatch_position *position, const struct sim_space *space, struct sim_fault *fault,
                      struct kernel_name *name)
{
    const struct sim_range *range = sim_space_find(space, position->kernel);
    *name = (struct kernel_name){.name = ""};
    if (!range)
        return;
    uint64_t inside = position->kernel - range->gpu;
    for (uint64_t back = 0; back <= DISPATCH_PROLOG_MOST && back <= inside; back += DISPATCH_PROLOG_STEP) {
        const struct kernel_code code = {range->host + inside - back, range->size - inside + back,
                                         fault->has_ip ? fault->ip + (uint32_t)back : 0, fault->has_ip, 0};
        if (!kernel_name_find(&code, name))
            continue;
        if (fault->has_ip)
            memcpy(fault->source, name->source, sizeof fault->source);
        return;
    }
}

uint32_t dispatch_prolog_most(uint64_t inside)
{
    return (uint32_t)(inside < DISPATCH_PROLOG_MOST ? inside / DISPATCH_PROLOG_STEP * DISPATCH_PROLOG_STEP
                                                    : DISPATCH_PROLOG_MOST);
}

const char *dispatch_name(const struct dispatch *dispatch)
{
    const struct sim_range *range = sim_space_find(dispatch->state.space, dispatch->kernel);
    if (!range || dispatch->hash == 0)
        return "";
    uint64_t inside = dispatch->kernel - range->gpu;
    const char *name = kernel_name_of_hash(dispatch->hash, range->host + inside, range->size - inside);
    for (uint64_t back = DISPATCH_PROLOG_STEP;
         dispatch->numbers_threads && !name[0] && back <= DISPATCH_PROLOG_MOST && back <= inside;
         back += DISPATCH_PROLOG_STEP)
        name = kernel_name_of_hash(dispatch->hash + back, range->host + inside - back, range->size - inside + back);
    return name;
}

void dispatch_binaries(const struct dispatch *dispatch, void (*found)(void *context, const uint8_t *bytes, size_t size),
                       void *context)
{
    const struct sim_range *range = sim_space_find(dispatch->state.space, dispatch->kernel);
    uint64_t inside = range ? dispatch->kernel - range->gpu : 0;
    uint32_t most = dispatch->numbers_threads ? dispatch_prolog_most(inside) : 0;
    for (uint32_t back = 0; range && back <= most; back += DISPATCH_PROLOG_STEP) {
        const struct kernel_code code = {.bytes = range->host + inside - back,
                                         .available = range->size - inside + back};
        if (kernel_binary_each(&code, found, context))
            return;
    }
}

/* Says what of the program's is, or was, at the fault's address. */
static void name_memory(struct sim_fault *fault)
{
    char memory[sizeof fault->what];
    size_t length = strlen(fault->what);
    if (fault->has_address)
        check_allocation_describe(fault->address, memory, sizeof memory);
    if (fault->has_address && !memory[0])
        check_allocation_near(fault->address, memory, sizeof memory);
    if (!fault->has_address || !memory[0] || length + strlen(memory) + 3 > sizeof fault->what)
        return;
    memcpy(fault->what + length, ", ", 2);
    memcpy(fault->what + length + 2, memory, strlen(memory) + 1);
}

void dispatch_describe(const struct dispatch_position *position, const struct sim_space *space, struct sim_fault *fault,
                       char *text, size_t size)
{
    assert(text && size);
    struct kernel_name name;
    name_memory(fault);
    find_name(position, space, fault, &name);
    snprintf(text, size, "kernel%s%s at 0x%" PRIx64 ", group %" PRIu32 ",%" PRIu32 ",%" PRIu32 ", thread %" PRIu32,
             name.name[0] ? " " : "", name.name, position->kernel, position->group[0], position->group[1],
             position->group[2], position->thread);
}

void dispatch_report_dropped(const struct dispatch *dispatch, const uint32_t id[3], uint32_t thread,
                             struct sim_fault *fault)
{
    assert(fault->dropped);
    struct dispatch_position position = {.active = 1, .kernel = dispatch->kernel, .thread = thread};
    char where[384];
    memcpy(position.group, id, sizeof position.group);
    if (!sim_process_count_dropped(fault, dispatch->kernel))
        return;
    dispatch_describe(&position, dispatch->state.space, fault, where, sizeof where);
    sim_fault_print(fault, where, stderr);
}
