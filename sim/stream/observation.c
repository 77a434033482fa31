#include "sim/stream/observation.h"

#include <assert.h>
#include <stdlib.h>
#include "sim/report/fidelity.h"

struct observation *observation_create(void)
{
    struct observation *observation = calloc(1, sizeof *observation);
    if (!observation)
        return NULL;
    observation->tally = calloc(1, message_tally_bytes());
    if (observation->tally)
        return observation;
    observation_destroy(observation);
    return NULL;
}

void observation_destroy(struct observation *observation)
{
    if (!observation)
        return;
    for (struct observation_program *observed = observation->programs, *next; observed; observed = next) {
        next = observed->next;
        free(observed);
    }
    free(observation->tally);
    free(observation);
}

struct eu_count *observation_add(struct observation *observation, const struct eu_program *program)
{
    assert(program);
    size_t bytes = eu_program_instructions(program) * sizeof(struct eu_count);
    struct observation_program *observed = calloc(1, sizeof *observed + bytes);
    if (!observed)
        return NULL;
    observed->program = program;
    observed->next = observation->programs;
    observation->programs = observed;
    return observed->counts;
}

void observation_merge(struct observation *to, const struct observation *from)
{
    assert(to != from);
    for (const struct observation_program *observed = from->programs; observed; observed = observed->next) {
        eu_program_classes(observed->program, observed->counts, to->classes);
        sim_fidelity_add(observed->program, observed->counts);
    }
    sim_fidelity_add_messages(from->tally);
    message_tally_merge(to->tally, from->tally);
}

void observation_report(const struct observation *observation, struct sim_kernel_counts *counts)
{
    assert(counts);
    const struct eu_count *classes = observation->classes;
    counts->classes = 0;
    for (unsigned i = 0; i < EU_CLASSES; i++) {
        struct sim_count *row = &counts->by_class[counts->classes];
        if (classes[i].issued == 0)
            continue;
        *row = (struct sim_count){.values = {classes[i].issued, classes[i].channels}};
        snprintf(row->name, sizeof row->name, "%s", eu_class_name(i));
        counts->classes++;
    }
    counts->messages = message_tally_kinds(observation->tally, counts->by_message, SIM_MOST_COUNTS);
    counts->surfaces = message_tally_surfaces(observation->tally, counts->by_surface, SIM_MOST_COUNTS);
}
