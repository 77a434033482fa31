/* Records launches for `gensim --save-trace`: the streamer's state before the command, and the memory that the launch
 * accesses. */
#ifndef CMKIT_SIM_STREAM_RECORD_H
#define CMKIT_SIM_STREAM_RECORD_H

#include "sim/stream/dispatcher.h"
#include "sim/stream/internal.h"

struct trace_pages;

/* Records all launches from now on in a folder (not copied). `is_ordered`: the GPU's own memory is the same in each
 * run. */
void launch_record_start(const char *folder, int is_ordered);

/* Whether launches are recorded. */
int launch_record_is_wanted(void);

/* Executes the command, which launches a kernel, and writes what it needed. As the handler returns. */
int launch_record(struct stream *stream, stream_handler *handler, const uint32_t *words, uint32_t count);

/* Adds the kernel to the record: its code and its name. Nothing without a record. */
void launch_record_kernel(struct stream *stream, const struct dispatch *dispatch);

/* What messages of the launch call; NULL without a record. */
const struct message_touch *launch_record_touch(const struct stream *stream);

/* What lets messages note their accesses in `pages`. */
struct message_touch launch_touch_of(struct trace_pages *pages);

#endif
