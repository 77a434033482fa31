/* One kernel argument of a run: its parsed text, the host's bytes and the device's object. */
#ifndef CMKIT_CMRUN_SLOT_H
#define CMKIT_CMRUN_SLOT_H

#include "runtime/cmrun/argument.h"
#include "runtime/cmrun/output.h"

struct slot {
    struct argument argument;
    unsigned char *bytes; /* host copy of a buffer's or an image's contents */
    size_t byte_count;
    size_t channels;     /* images: samples of a pixel, if they are 8 bits; else 0 */
    unsigned dimensions; /* images: 1 to 3 */
    size_t width, height, depth;
    enum cmrt_format format; /* images: elements */
    cmrt_buffer *buffer;
    cmrt_image *image;
    cmrt_sampler *sampler;
};

/* Loads the initial contents of argument `index`. `wanted` is the kernel's description of it, NULL if the kernel has
 * fewer arguments. Returns 0, or -1 with the reason in `why`. */
int slot_load(struct slot *slots, size_t index, const struct cmrt_argument *wanted, char why[REASON_BYTES]);

/* Creates the device's object, uploads the contents and sets the kernel's argument. cmrt_message() has the reason of a
 * failure. */
enum cmrt_status slot_bind(struct slot *slot, size_t index, cmrt_device *device, cmrt_queue *queue,
                           cmrt_kernel *kernel);

/* Reads the contents back from the device if a result is wanted. */
enum cmrt_status slot_fetch(struct slot *slot, cmrt_queue *queue);

/* Stages the result file. Returns 0, or -1 with the reason in `why`. */
int slot_save(const struct slot *slot, struct output_set *outputs, char why[REASON_BYTES]);

void slot_close(struct slot *slot);

#endif
