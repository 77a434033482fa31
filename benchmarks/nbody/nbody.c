/* One step of n bodies that attract each other, from random places and velocities. */
#include "benchmarks/harness/workload.h"

#include <math.h>

enum { PLACES, VELOCITIES }; /* in, expected and result: four floats a body; the fourth of a place is the mass */

static const float softening = 0.01f, step = 0.01f;

static const struct bench_input inputs[] = {
    {.name = "256", .sizes = BENCH_TINY, .n = {256}, .text = "in a cube, masses 0.1 to 1"},
    {.name = "1024", .sizes = BENCH_SMALL, .n = {1024}, .text = "the same"},
    {.name = "4096", .sizes = BENCH_SMALL | BENCH_FULL, .n = {4096}, .text = "the same"},
    {.name = "8192", .sizes = BENCH_FULL, .n = {8192}, .text = "the same"},
    {.name = "16384", .sizes = BENCH_FULL, .n = {16384}, .text = "the same"},
};

static void prepare(struct bench_problem *problem)
{
    size_t count = problem->input->n[0];
    uint64_t state = 1;
    if (count < 256 || count > 65536 || count % 256)
        bench_skip("the number of bodies must be a multiple of 256 up to 65536, not %zu", count);
    float *places = bench_array_make(&problem->in[PLACES], "places", BENCH_F32, count * 4);
    float *velocities = bench_array_make(&problem->in[VELOCITIES], "velocities", BENCH_F32, count * 4);
    for (size_t i = 0; i < count * 4; i++) {
        places[i] = i % 4 < 3 ? bench_random_float(&state, -1, 1) : bench_random_float(&state, 0.1f, 1);
        velocities[i] = i % 4 < 3 ? bench_random_float(&state, -1, 1) : 0;
    }
}

/* Computes in double. The kernels sum in float and use an approximate root: the error of the forces, times the step. */
static void reference(struct bench_problem *problem)
{
    size_t count = problem->input->n[0];
    const float *places = problem->in[PLACES].data, *velocities = problem->in[VELOCITIES].data;
    float *new_places = bench_array_make(&problem->expected[PLACES], "places", BENCH_F32, count * 4);
    float *new_velocities = bench_array_make(&problem->expected[VELOCITIES], "velocities", BENCH_F32, count * 4);
    for (size_t i = 0; i < count; i++) {
        double force[3] = {0, 0, 0};
        for (size_t j = 0; j < count; j++) {
            double way[3], square = softening;
            for (int k = 0; k < 3; k++) {
                way[k] = (double)places[j * 4 + k] - places[i * 4 + k];
                square += way[k] * way[k];
            }
            double pull = places[j * 4 + 3] / (square * sqrt(square));
            for (int k = 0; k < 3; k++)
                force[k] += way[k] * pull;
        }
        for (int k = 0; k < 3; k++) {
            double speed = velocities[i * 4 + k] + force[k] * step;
            new_velocities[i * 4 + k] = (float)speed;
            new_places[i * 4 + k] = (float)(places[i * 4 + k] + speed * step);
        }
        new_places[i * 4 + 3] = places[i * 4 + 3];
    }
    problem->expected[PLACES].relative = problem->expected[VELOCITIES].relative = 2e-5;
    problem->expected[VELOCITIES].absolute = 1e-6 * step * (double)count;
    problem->expected[PLACES].absolute = problem->expected[VELOCITIES].absolute * step + 1e-6;
}

static void launch(struct bench_run *run, struct bench_problem *problem, const char *kernel, size_t bodies,
                   uint32_t items)
{
    size_t count = problem->input->n[0];
    cmrt_buffer *places = bench_buffer_of(run, &problem->in[PLACES]);
    cmrt_buffer *velocities = bench_buffer_of(run, &problem->in[VELOCITIES]);
    cmrt_buffer *new_places = bench_buffer(run, NULL, count * 16),
                *new_velocities = bench_buffer(run, NULL, count * 16);
    bench_launch(run, kernel, BENCH_GRID(count / bodies, 1, 1, items, 1, 1), BENCH_BUFFER(places),
                 BENCH_BUFFER(velocities), BENCH_BUFFER(new_places), BENCH_BUFFER(new_velocities), BENCH_U32(count),
                 BENCH_F32(softening), BENCH_F32(step));
    bench_read_array(run, new_places, &problem->result[PLACES]);
    bench_read_array(run, new_velocities, &problem->result[VELOCITIES]);
}

static void run_cm(struct bench_run *run, struct bench_problem *problem)
{
    launch(run, problem, "nbody", 64, 1);
}

static void run_naive(struct bench_run *run, struct bench_problem *problem)
{
    launch(run, problem, "naive", 64, 64);
}

static void run_slm(struct bench_run *run, struct bench_problem *problem)
{
    launch(run, problem, "slm", 256, 256);
}

static void run_subgroup(struct bench_run *run, struct bench_problem *problem)
{
    launch(run, problem, "subgroup", 16, 16);
}

static void run_subgroup_64(struct bench_run *run, struct bench_problem *problem)
{
    launch(run, problem, "subgroup_64", 64, 16);
}

static const struct bench_variant variants[] = {
    {.name = "cm", .language = BENCH_CM, .run = run_cm, .text = "64 bodies a thread, broadcast regions"},
    {.name = "naive", .language = BENCH_CL, .run = run_naive, .text = "a body a work item"},
    {.name = "slm", .language = BENCH_CL, .run = run_slm, .text = "bodies in local memory"},
    {.name = "subgroup", .language = BENCH_CL, .run = run_subgroup, .text = "bodies in the lanes, broadcasts"},
    {.name = "subgroup_64", .language = BENCH_CL, .run = run_subgroup_64, .text = "the same, 64 bodies a sub-group"},
};

const struct workload workload_nbody = {
    .name = "nbody",
    .title = "n-body",
    .inputs = inputs,
    .input_count = sizeof inputs / sizeof *inputs,
    .variants = variants,
    .variant_count = sizeof variants / sizeof *variants,
    .published = {0, 0, NULL},
    .size_names = "bodies",
    .prepare = prepare,
    .reference = reference,
};
