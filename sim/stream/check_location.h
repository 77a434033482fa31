/* Describes places that checks report. */
#ifndef CMKIT_SIM_STREAM_CHECK_LOCATION_H
#define CMKIT_SIM_STREAM_CHECK_LOCATION_H

#include "sim/check/check.h"
#include "sim/stream/dispatcher.h"

/* The check_describe of a struct dispatch. */
void dispatch_check_location(const void *dispatch, const struct check_site *site, struct check_location *place);

/* The check_argument of a struct dispatch: pointers in the payload, as a zebin describes them. */
uint64_t dispatch_check_argument(const void *dispatch, uint64_t from, uint64_t to, char *text, size_t room);

/* The number of a group in its dispatch, x fastest, as struct check_site has it. */
uint32_t dispatch_group_number(const struct dispatch *dispatch, const uint32_t id[3]);

/* Tells --check=init that the private memory of the dispatch's kernel has no values, where the driver has allocated a
 * buffer for it: of all hardware threads, for which of them has which part is the kernel's own affair. */
void dispatch_check_private(const struct dispatch *dispatch);

/* Tells --check=memory how much shared local memory the dispatch's kernel declares: the hardware rounds it up. */
void dispatch_check_local(const struct dispatch *dispatch);

#endif
