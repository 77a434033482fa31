/* Describes the instructions of a profile: assembly and source lines. */
#ifndef CMKIT_SIM_STREAM_PROFILE_PLACE_H
#define CMKIT_SIM_STREAM_PROFILE_PLACE_H

#include "sim/report/profile.h"

/* A sim_profile_describe whose context is the struct dispatch at hand. Slow: it searches the process's memory. */
sim_profile_describe dispatch_profile_describe;

#endif
