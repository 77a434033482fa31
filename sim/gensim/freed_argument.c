#include "sim/gensim/freed_argument.h"

#include <inttypes.h>
#include <stdio.h>
#include "sim/check/allocations.h"
#include "sim/check/report.h"

struct launch {
    const char *kernel;
    unsigned index;
};

static void describe(const void *context, const struct check_site *site, struct check_location *place)
{
    const struct launch *launch = context;
    (void)site;
    snprintf(place->kernel, sizeof place->kernel, "%s", launch->kernel);
    snprintf(place->position, sizeof place->position, "a launch of kernel %s, as argument %u", launch->kernel,
             launch->index);
}

static uint64_t no_argument(const void *context, uint64_t from, uint64_t to, char *text, size_t room)
{
    (void)context, (void)from, (void)to, (void)text, (void)room;
    return 0;
}

void freed_argument_report(const char *kernel, unsigned index, uint64_t at)
{
    char memory[224], address[256] = "";
    const struct launch launch = {kernel, index};
    uint64_t hash = index + 1;
    for (const char *letter = kernel; *letter; letter++)
        hash = hash * 31 + (unsigned char)*letter;
    if (at) {
        check_allocation_describe(at, memory, sizeof memory);
        snprintf(address, sizeof address, "0x%" PRIx64 ", %s", at, memory);
    }
    check_report(&(struct check_finding){.kind = SIM_CHECK_MEMORY,
                                         .hash = hash,
                                         .what = at ? "an argument points to memory that the program has freed"
                                                    : "an argument is a buffer or image that the program has released",
                                         .address = address,
                                         .argument = no_argument,
                                         .did = "used",
                                         .site = {.ip = CHECK_NO_CODE, .lane = CHECK_NO_LANE}},
                 describe, &launch);
}
