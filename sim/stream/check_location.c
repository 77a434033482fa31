/* Describes places that checks report: kernel, group, thread, source line and instruction. */
#include "sim/stream/check_location.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>
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
    memcpy(place->source, fault.source, sizeof place->source);
    eu_program_disassemble(dispatch->program, site->ip, place->instruction, sizeof place->instruction);
}
