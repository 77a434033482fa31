/* Declares the two machines of the differential tests: the simulated GPU, and the host's CPU through PoCL. Every
 * function ends the test with a message if a driver fails. */
#ifndef CMKIT_TEST_MACHINE_H
#define CMKIT_TEST_MACHINE_H

#include "open_cl.h"

#include <stdbool.h>
#include <stdint.h>

struct machine {
    const char *name; /* "GPU", "CPU" */
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
};

/* The first device of `type` that any platform has. */
struct machine machine_open(cl_device_type type);
void machine_close(struct machine *machine);
bool machine_has(const struct machine *machine, const char *extension);

cl_program machine_build(const struct machine *machine, const char *source, const char *options);

/* One launch: `in` goes to argument 0, `out` to argument 1 and back. group 0: the driver chooses. */
struct launch {
    size_t items, group;
    size_t in_bytes, out_bytes;
    const void *in;
    void *out;
};
void machine_run(const struct machine *machine, cl_program program, const char *kernel, const struct launch *launch);

/* Contents of the file `path`, ended by a 0; free() it. */
char *read_text(const char *path);

/* Random numbers from a seed; equal on every host. */
struct random {
    uint64_t state;
};
uint32_t random_bits(struct random *random);
uint32_t random_below(struct random *random, uint32_t limit);

/* Options that every program of the suite takes: --seed N, --items N, --only TEXT (rows whose name contains it). */
struct suite {
    uint32_t seed, items;
    const char *only;
    const char *rest[4]; /* other arguments, NULL where there is none */
};
struct suite suite_parse(int count, char **arguments, uint32_t items);
bool suite_wants(const struct suite *suite, const char *row);

#endif
