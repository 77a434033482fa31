/* Defines a workload for the harness: it has inputs, a host reference, and variants (the CM kernel first, then the
 * OpenCL kernels) that must all compute the reference's result. A workload is one folder and one row:
 *
 *     benchmarks/NAME/NAME.cm, NAME.cl   the kernels
 *     benchmarks/NAME/NAME.c             const struct workload workload_NAME: inputs, reference, launches of variants
 *     benchmarks/NAME/README.md          the algorithm, the layout in registers, the source
 *     benchmarks/workloads.def           WORKLOAD(NAME)
 *
 * Every variant runs in a process of its own ("worker"): prepare, reference, run, compare. Functions that fail do not
 * return: bench_fail and bench_skip end the worker with one line for the report, and nothing needs to be freed. */
#ifndef CMKIT_BENCHMARKS_HARNESS_WORKLOAD_H
#define CMKIT_BENCHMARKS_HARNESS_WORKLOAD_H

#include "runtime/cmrt.h"

#include <stddef.h>
#include <stdint.h>

/* Arrays on the host. */

enum bench_type { BENCH_U8, BENCH_I32, BENCH_U32, BENCH_F32, BENCH_F64 };

struct bench_array {
    const char *name; /* in messages */
    enum bench_type type;
    size_t count; /* elements */
    void *data;
    /* Expected arrays: how far a result may be from them, |result - expected| <= absolute + relative * |expected|.
     * Both 0: every bit that counts is equal (0.0 equals -0.0). */
    double relative, absolute;
};

/* Makes `array` hold `count` elements (at least 1) of `type`, all zero; returns its data. */
void *bench_array_make(struct bench_array *array, const char *name, enum bench_type type, size_t count);
size_t bench_array_bytes(const struct bench_array *array);

/* Sizes and inputs. */

/* Classes of `--size`; an input can be in several. Tiny: for tests, well under a second on a simulated GPU. Small: a
 * few seconds (a few hundred million Gen instructions over all variants at most). Full: what the paper or its field
 * uses. */
enum { BENCH_TINY = 1, BENCH_SMALL = 2, BENCH_FULL = 4 };

struct bench_input {
    const char *name; /* a word or two without blanks, unique in the workload: "1024x1024", "earth" */
    unsigned sizes;   /* BENCH_TINY | ... */
    size_t n[4];      /* numbers with a meaning of the workload's own: width, height, k, ... */
    int kind;         /* generator or content, with a meaning of the workload's own */
    unsigned needs;   /* BENCH_NEEDS_*: what the input needs beside the workload's needs */
    const char *text; /* one phrase for the report: what the input is, where it comes from */
    const char *file,
        *package; /* a file to read and its Debian package, or NULL; without the package the input is skipped */
};

/* What a variant works on, in its worker. */
struct bench_problem {
    const struct workload *workload;
    const struct bench_input *input;
    const struct bench_variant *variant; /* for references that differ by variant in the last bit (linear) */
    struct bench_array in[8];            /* made by prepare */
    struct bench_array expected[4];      /* made by reference, in order without gaps */
    struct bench_array result[4];        /* same types and counts, filled with 0xcd; run fills them */
    void *extra;                         /* anything else that prepare passes on */
};

/* Running kernels. */

struct bench_run; /* one worker's device, program, queue */

/* BENCH_NEEDS_MATRIX: products of matrices (dpas); the OpenCL kernels get -DLANES=, as bench_matrix_columns(). TF32: of
 * tf32. 2D_BLOCKS: of the load/store cache. NEWEST: the OpenCL compiler is Intel's newest, whose extensions Debian 12's
 * lacks. */
enum {
    BENCH_NEEDS_DOUBLE = 1,
    BENCH_NEEDS_MEDIA_BLOCKS = 2,
    BENCH_NEEDS_MATRIX = 4,
    BENCH_NEEDS_TF32 = 8,
    BENCH_NEEDS_2D_BLOCKS = 16,
    BENCH_NEEDS_NEWEST = 32
};
enum bench_language { BENCH_CM, BENCH_CL };

struct bench_variant {
    const char *name; /* "cm", or the OpenCL kernel's name (by which the report calls it) */
    enum bench_language language;
    const char *source;  /* file of the kernels without its suffix; NULL: the workload's name */
    const char *options; /* more options for cmc or ocloc's -options, or NULL; each set is a separate build */
    unsigned needs;      /* BENCH_NEEDS_*: what the variant needs beside the workload's needs */
    const int *values;   /* of a family's point: its parameters' values; NULL: of no family */
    /* Creates buffers, launches, reads the results into problem->result. Called once for each repetition with fresh
     * buffers, so that kernels may work in place. Only launches are timed and counted. */
    void (*run)(struct bench_run *run, struct bench_problem *problem);
    const char *text; /* one phrase: what it does; or NULL */
};

/* Families: kernels with parameters, for `cmbench tune`. */

enum { BENCH_PARAMETERS = 6, BENCH_CHOICES = 8 };

struct bench_parameter {
    const char *name; /* of the kernel's macro: ROWS becomes -DROWS=32. NULL: no more parameters */
    size_t count;
    int choices[BENCH_CHOICES];
};
/* In a struct bench_family. */
#define BENCH_KNOWN(LIST) .known = (LIST), .known_count = sizeof(LIST) / sizeof *(LIST)
#define BENCH_PARAMETER(NAME, ...)                                                                                     \
    {                                                                                                                  \
        (NAME), sizeof((const int[]){__VA_ARGS__}) / sizeof(int),                                                      \
        {                                                                                                              \
            __VA_ARGS__                                                                                                \
        }                                                                                                              \
    }

/* The work of one hardware thread, and how many there are: an estimate, by which points are ordered before any runs. */
struct bench_work {
    double threads;
    double clocks; /* of an EU for a thread's instructions */
    double lines;  /* of 64 bytes that a thread's messages move */
};

/* A point of which something is known before, such as a published variant: it is measured first, and never left out. */
struct bench_known {
    const char *name;
    int values[BENCH_PARAMETERS];
};

struct bench_family {
    const char *name; /* a word; the kernels are compiled with -DFAMILY_name */
    enum bench_language language;
    struct bench_parameter parameters[BENCH_PARAMETERS];
    /* Returns a phrase for points that cannot be built or cannot be fast whatever the input is; else NULL. */
    const char *(*refuses)(const int *values);
    struct bench_work (*work)(const struct bench_input *input, const int *values);
    void (*run)(struct bench_run *run, struct bench_problem *problem); /* values: problem->variant->values */
    int numbers; /* the kernels depend on the input: they are also compiled with -DN0=, -DN1=, ..., the numbers of it */
    const struct bench_known *known;
    size_t known_count;
    const char *text; /* one phrase */
};

/* A published measurement, for the report: OpenCL's time over CM's. */
struct bench_published {
    double low, high; /* a range; equal for one number; low 0: up to high; high 0: none */
    const char *text; /* where: "figure 5" */
};

struct workload {
    const char *name, *title;
    unsigned needs; /* BENCH_NEEDS_*, of all variants */
    const struct bench_input *inputs;
    size_t input_count;
    const struct bench_variant *variants;
    size_t variant_count;
    struct bench_published published;
    /* Names of n[0], n[1], ... if `--size 100x50` accepts any numbers: "width x height"; else NULL. Such an input has
     * the `kind` and the file of the workload's first input. */
    const char *size_names;
    /* Fills problem->in from problem->input; calls bench_skip for sizes that a kernel cannot take. */
    void (*prepare)(struct bench_problem *problem);
    /* Computes problem->expected with another algorithm than the kernels. */
    void (*reference)(struct bench_problem *problem);
    /* CM's results are compared with each OpenCL variant's: this is added to the tolerances of `expected` (doubled,
     * because both may be off). 0 for most. */
    double cross_absolute;
    /* What `cmbench tune` searches, and the input on which it does unless told otherwise; none: NULL. */
    const struct bench_family *families;
    size_t family_count;
    const char *tuned_input;
};

/* Buffers and images live until the repetition ends. Contents: `from`, or 0xcd bytes if it is NULL. */
cmrt_buffer *bench_buffer(struct bench_run *run, const void *from, size_t bytes);
cmrt_buffer *bench_buffer_of(struct bench_run *run, const struct bench_array *array);
cmrt_image *bench_image(struct bench_run *run, size_t width, size_t height, enum cmrt_format format,
                        enum cmrt_access access, const void *from);
cmrt_sampler *bench_sampler(struct bench_run *run, enum cmrt_sampler_address address, enum cmrt_sampler_filter filter,
                            int normalized);
/* Returns the columns of a product of matrices, 8 or 16. The workload needs BENCH_NEEDS_MATRIX. */
unsigned bench_matrix_columns(const struct bench_run *run);
/* Overwrite a part of a buffer between launches; read a part. */
void bench_write(struct bench_run *run, cmrt_buffer *buffer, size_t offset, const void *from, size_t bytes);
void bench_read(struct bench_run *run, cmrt_buffer *buffer, size_t offset, void *to, size_t bytes);
/* Copies the beginning of the buffer, or the whole image (packed rows), into `array`, whose size must match. */
void bench_read_array(struct bench_run *run, cmrt_buffer *buffer, struct bench_array *array);
void bench_read_image(struct bench_run *run, cmrt_image *image, void *to);

struct bench_argument {
    enum cmrt_argument_kind kind;
    const void *object;      /* buffer, image or sampler */
    unsigned char value[16]; /* by value */
    size_t bytes;            /* of the value; of local memory */
};
struct bench_argument bench_argument_value(const void *value, size_t bytes);

#define BENCH_BUFFER(B)    ((struct bench_argument){.kind = CMRT_ARGUMENT_BUFFER, .object = (B)})
#define BENCH_IMAGE(I)     ((struct bench_argument){.kind = CMRT_ARGUMENT_IMAGE, .object = (I)})
#define BENCH_SAMPLER(S)   ((struct bench_argument){.kind = CMRT_ARGUMENT_SAMPLER, .object = (S)})
#define BENCH_LOCAL(BYTES) ((struct bench_argument){.kind = CMRT_ARGUMENT_LOCAL, .bytes = (BYTES)})
#define BENCH_U32(V)       bench_argument_value(&(uint32_t){(uint32_t)(V)}, 4)
#define BENCH_I32(V)       bench_argument_value(&(int32_t){(int32_t)(V)}, 4)
#define BENCH_F32(V)       bench_argument_value(&(float){(float)(V)}, 4)
#define BENCH_F64(V)       bench_argument_value(&(double){(double)(V)}, 8)

/* Groups in each direction, and threads (CM: mostly 1) or work items (OpenCL) in a group. */
struct bench_grid {
    uint32_t groups[3], local[3];
};
#define BENCH_GRID(GX, GY, GZ, LX, LY, LZ)                                                                             \
    ((struct bench_grid){{(uint32_t)(GX), (uint32_t)(GY), (uint32_t)(GZ)}, {(LX), (LY), (LZ)}})

/* Launches `kernel` of the variant's program and waits for it:
 *     bench_launch(run, "transpose", BENCH_GRID(64, 64, 1, 1, 1, 1), BENCH_BUFFER(in), BENCH_BUFFER(out),
 * BENCH_U32(n)); */
void bench_launch_with(struct bench_run *run, const char *kernel, struct bench_grid grid,
                       const struct bench_argument *arguments, size_t count);
#define bench_launch(RUN, KERNEL, GRID, ...)                                                                           \
    bench_launch_with(RUN, KERNEL, GRID, (const struct bench_argument[]){__VA_ARGS__},                                 \
                      sizeof((const struct bench_argument[]){__VA_ARGS__}) / sizeof(struct bench_argument))

/* End a worker early, with one line for the report. */
_Noreturn void bench_fail(const char *format, ...) __attribute__((format(printf, 1, 2))); /* wrong: marked "failed" */
_Noreturn void bench_skip(const char *format, ...) __attribute__((format(printf, 1, 2))); /* not possible: "skipped" */

/* Inputs. */

/* A seeded generator (the same numbers everywhere): uniform 32 bits; uniform in [low, high). Seed: any number. */
uint32_t bench_random(uint64_t *state);
float bench_random_float(uint64_t *state, float low, float high);

/* Reads a JPEG, PNG or PPM file as packed RGB bytes; `eighths`: JPEGs are scaled to that many eighths (1 to 16). If the
 * file is missing, skips with the package's name. */
unsigned char *bench_picture(const struct bench_input *input, unsigned eighths, size_t *width, size_t *height);

/* Returns the folder for inputs that take long to make, outside of the source tree: $CMKIT_CACHE, $XDG_CACHE_HOME/cmkit
 * or ~/.cache/cmkit; creates it. */
const char *bench_cache_folder(void);

/* The table of a cmbench: rows of workloads.def. */
struct bench_table {
    const struct workload *const *workloads;
    size_t count;
    const char *folder; /* of the sources: FOLDER/NAME/NAME.cm */
};
/* main() of cmbench, and of the tests' cmbench with faulty workloads. */
int bench_main(const struct bench_table *table, int count, char **words);

#endif
