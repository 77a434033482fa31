/* Collects the profiles of launches for `gensim --profile`, and writes them as a page and as JSON when the process
 * ends. Any thread may record. */
#ifndef CMKIT_SIM_REPORT_PROFILE_H
#define CMKIT_SIM_REPORT_PROFILE_H

#include <stddef.h>
#include <stdint.h>
#include "sim/report/stats.h"
#include "sim/timing/timing.h"
#include "tables/platforms.h"

/* Source line, vISA and assembly text of an instruction. */
struct sim_profile_text {
    uint32_t offset;
    char source[192]; /* "scale.cl:7", "" if it is not known */
    char visa[192];   /* "12 mov (M1, 16) ...", its number and text, "" if it is not known */
    char text[192];   /* Gen assembly */
};

/* Fills `texts` for the instructions of the profile's code, in their order. */
typedef void sim_profile_describe(const void *context, const struct timing_profile *profile,
                                  struct sim_profile_text *texts);

/* Starts recording for the page `path` (copied; %p becomes the process id). `against`: an earlier profile's JSON, NULL:
 * none. Stops the program if `against` is none. Without this call nothing is recorded. */
void sim_profile_start(const struct platform *platform, const char *path, const char *against, const char *sources);

/* True if profiles are recorded. */
int sim_profile_wanted(void);

/* Takes the launch's profile over. It asks `describe` for the first launch of each kernel. */
void sim_profile_record(const struct sim_launch *launch, const struct timing_result *timed,
                        sim_profile_describe *describe, const void *context);

/* Writes page and JSON, each whole or not at all. Prints an error to stderr if that fails. */
void sim_profile_write(void);

#endif
