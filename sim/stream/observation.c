#include "sim/stream/observation.h"

#include <stdlib.h>

struct observation *observation_create(const struct eu_program *program)
{
    struct observation *observation = calloc(1, sizeof *observation);
    if (!observation)
        return NULL;
    observation->program = program;
    observation->counts = calloc(eu_program_instructions(program), sizeof *observation->counts);
    observation->tally = calloc(1, message_tally_bytes());
    if (observation->counts && observation->tally)
        return observation;
    observation_destroy(observation);
    return NULL;
}

void observation_destroy(struct observation *observation)
{
    if (!observation)
        return;
    free(observation->counts);
    free(observation->tally);
    free(observation);
}

void observation_merge(struct observation *to, const struct observation *from)
{
    for (size_t i = 0; i < eu_program_instructions(to->program); i++) {
        to->counts[i].issued += from->counts[i].issued;
        to->counts[i].channels += from->counts[i].channels;
    }
    message_tally_merge(to->tally, from->tally);
}

void observation_report(const struct observation *observation, struct sim_kernel_counts *counts)
{
    struct eu_count classes[EU_CLASSES] = {0};
    eu_program_classes(observation->program, observation->counts, classes);
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
