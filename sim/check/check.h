/* Checks the memory accesses of kernels for errors that hardware does not report: gensim --check. It finds races
 * between threads, accesses outside of what the program allocated, barriers that not all channels reach, and fences
 * that are missing before them.
 *
 * The dispatcher creates a check_launch for each dispatch and a check_group for each thread group. The EU says which
 * instruction is at work, the shared functions say which bytes it accesses. A finding is reported once for each place
 * in the code (report.h). Results of the program never depend on a check. */
#ifndef CMKIT_SIM_CHECK_CHECK_H
#define CMKIT_SIM_CHECK_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "sim/base/options.h"

enum check_access { CHECK_READ, CHECK_WRITE, CHECK_ATOMIC };

/* Where an access was made: a thread of a group, its lane, and the instruction's offset in the kernel. */
struct check_site {
    uint32_t group; /* number in the dispatch, x fastest */
    uint32_t thread;
    uint32_t ip; /* bytes */
    uint8_t lane;
};
enum { CHECK_NO_LANE = 0xff /* the whole thread: block messages, signals */ };
#define CHECK_NO_CODE UINT32_MAX /* as `ip`: the program made the access, or will, and no instruction has */

/* What a report says of a site. */
struct check_location {
    uint32_t group[3];     /* of the site */
    char position[384];    /* "kernel scale at 0x..., group 0,0,0, thread 3, lane 5" */
    char kernel[128];      /* the name, "" if it is not known */
    char source[192];      /* "scale.cl:7", "" if it is not known */
    char instruction[160]; /* disassembled */
};

/* Fills `place` for a site of the dispatch that `context` stands for. It may be slow: only reports ask. */
typedef void check_describe(const void *context, const struct check_site *site, struct check_location *place);

/* Writes which argument of the kernel of `context` points into [from, to): "argument 1 \"out\"", and returns its value;
 * 0: none is known. */
typedef uint64_t check_argument(const void *context, uint64_t from, uint64_t to, char *text, size_t room);

struct check_launch;

/* Starts checking one dispatch. `kinds` is a sum of enum sim_check, `needs_fences` says that shared local memory does
 * before a barrier, `hash` identifies the kernel's code. NULL: out of memory; the dispatch then runs unchecked. */
struct check_launch *check_launch_create(unsigned kinds, bool needs_fences, uint64_t hash, check_describe *describe,
                                         check_argument *argument, const void *context);
void check_launch_destroy(struct check_launch *launch);

/* Says how many bytes of shared local memory the kernel declares, where that is known, and fewer than a group has. */
void check_launch_local(struct check_launch *launch, uint32_t bytes);

/* One thread group while a host thread runs it. */
struct check_group;

struct check_group *check_group_create(struct check_launch *launch);
void check_group_destroy(struct check_group *group);

/* Starts group number `number`: its `slm_bytes` bytes of shared local memory are empty. */
void check_group_start(struct check_group *group, uint32_t number, uint32_t slm_bytes);

/* Says that all threads of the group have reached a barrier: what they did before is ordered before what follows. */
void check_group_barrier(struct check_group *group);

/* Says that the thread waits for its earlier accesses to shared local memory before its later ones. */
void check_group_fence(struct check_group *group);

/* The same of global memory. */
void check_group_global_fence(struct check_group *group);

/* Names the thread that runs from now on. Threads on the same hardware slot run one after the other. */
void check_group_thread(struct check_group *group, uint32_t thread, uint32_t slot);

/* Names the instruction that is executed, by its offset in the kernel. */
void check_group_instruction(struct check_group *group, uint32_t ip);

/* Names the lane of the accesses that follow, up to the next instruction. With `bytes` they are of that lane and those
 * behind it, each with so many bytes in turn; 0: of this lane alone. */
void check_group_lane(struct check_group *group, unsigned lane, unsigned bytes);

/* Checks an access of `size` bytes at a GPU address. [object, object_end) is the driver's object that holds it. */
void check_global(struct check_group *group, uint64_t address, uint64_t size, enum check_access access, uint64_t object,
                  uint64_t object_end);

/* Checks an access of `size` bytes at `offset` of the group's shared local memory, which must lie inside. */
void check_slm(struct check_group *group, uint32_t offset, uint32_t size, enum check_access access);

/* Reports an access that lies outside of a surface or of shared local memory of `bytes` bytes, which the hardware
 * drops. `memory`: what it is, for the report. */
void check_outside(struct check_group *group, const char *memory, uint64_t offset, uint32_t size, uint64_t bytes,
                   enum check_access access);

/* Reports a write to pixel x, y, slice of a level {x, y, slice, level} that lies outside of an image. `extent`: width,
 * height and depth of the level, of the image if it has no such level. */
void check_outside_image(struct check_group *group, const uint32_t pixel[4], const uint32_t extent[3],
                         enum check_access access);

/* Reports a barrier message with `active` of the thread's `dispatched` channels switched on. */
void check_divergent_barrier(struct check_group *group, uint32_t active, uint32_t dispatched);

#endif
