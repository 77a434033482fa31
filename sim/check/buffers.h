/* Follows buffers of OpenCL to the kernel interface: only the API knows how large one is, and only the kernel interface
 * where it is. A buffer belongs to the object that its thread creates while the program's call is under way. */
#ifndef CMKIT_SIM_CHECK_BUFFERS_H
#define CMKIT_SIM_CHECK_BUFFERS_H

#include <stdint.h>

struct check_buffer;

/* Starts a call of the thread that allocates `bytes` bytes. `host`: the program's memory that it uses, or NULL.
 * `function` (a literal) is what the program called, `is_private` and `is_read_only` are as in allocations.h. */
void check_buffer_begin(uint64_t bytes, const void *host, const char *function, int is_private, int is_read_only);

/* Ends the call. Returns the buffer, of which the caller has a reference, if the driver has made an object for it; NULL
 * if not: it is a part of a larger one, or memory ran out. */
struct check_buffer *check_buffer_end(void);

/* Returns the buffer of the call under way, if an object of `size` bytes at `host` may be its; with a reference. */
struct check_buffer *check_buffer_take(const void *host, uint64_t size);

/* Says that the object is at a GPU address now. */
void check_buffer_bind(struct check_buffer *buffer, uint64_t gpu);

/* Says that the program has written the buffer, or may. */
void check_buffer_has_values(struct check_buffer *buffer);

/* Says that the object exists no more. */
void check_buffer_free(struct check_buffer *buffer);

void check_buffer_release(struct check_buffer *buffer); /* NULL is allowed */

#endif
