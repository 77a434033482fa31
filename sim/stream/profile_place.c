/* Disassembles the instructions of a profile, and finds the kernel's source lines and vISA in the program's binary. */
#include "sim/stream/profile_place.h"

#include <stdlib.h>
#include <string.h>
#include "sim/eu/instruction.h"
#include "sim/names/names.h"
#include "sim/stream/position.h"

static void disassemble(const struct timing_profile *profile, struct sim_profile_text *texts)
{
    for (const struct timing_code *code = profile->code; code; code = code->next)
        for (size_t i = 0; i < code->count; i++, texts++) {
            texts->offset = code->program->instructions[i].offset;
            eu_program_disassemble(code->program, texts->offset, texts->text, sizeof texts->text);
        }
}

/* The lines of the kernel itself: functions in other modules have none. */
static void find_sources(const struct dispatch *dispatch, const struct timing_code *code,
                         struct sim_profile_text *texts)
{
    const struct sim_range *range = sim_space_find(dispatch->state.space, dispatch->kernel);
    uint32_t *ips = calloc(code->count, sizeof *ips);
    struct kernel_source_list sources = {ips, code->count, calloc(code->count, sizeof *sources.source),
                                         calloc(code->count, sizeof *sources.visa)};
    uint64_t inside = range ? dispatch->kernel - range->gpu : 0;
    int found = !range || !ips || !sources.source || !sources.visa;
    for (uint64_t back = 0; !found && back <= DISPATCH_PROLOG_MOST && back <= inside; back += DISPATCH_PROLOG_STEP) {
        for (size_t i = 0; i < code->count; i++)
            ips[i] = texts[i].offset + (uint32_t)back;
        const struct kernel_code searched = {range->host + inside - back, range->size - inside + back,
                                             ips[code->count / 2], 1, 0};
        found = kernel_source_find_all(&searched, &sources);
    }
    for (size_t i = 0; sources.source && sources.visa && i < code->count; i++) {
        memcpy(texts[i].source, sources.source[i], sizeof texts[i].source);
        memcpy(texts[i].visa, sources.visa[i], sizeof texts[i].visa);
    }
    free(ips);
    free(sources.source);
    free(sources.visa);
}

void dispatch_profile_describe(const void *context, const struct timing_profile *profile,
                               struct sim_profile_text *texts)
{
    disassemble(profile, texts);
    if (profile->code)
        find_sources(context, profile->code, texts);
}
