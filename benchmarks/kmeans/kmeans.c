/* K-means clustering of points in the plane. */
#include "benchmarks/harness/workload.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LANES = 16 };               /* the CM kernel reads so many points at a time, also at the end */
enum { POINTS, K, ROUNDS };        /* of n */
enum { TAKES, UNROLL, GROUP = 1 }; /* what `cmbench tune` chooses: points of a thread or group, and CM's or OpenCL's */

static const struct bench_input inputs[] = {
    {.name = "3000-k8", .sizes = BENCH_TINY, .n = {3000, 8, 3}, .text = "seeded clusters, 3 rounds"},
    {.name = "2501-k24",
     .sizes = BENCH_TINY,
     .n = {2501, 24, 2},
     .text = "seeded clusters, an odd number of points, 2 rounds"},
    {.name = "32k-k8", .sizes = BENCH_SMALL | BENCH_FULL, .n = {32768, 8, 4}, .text = "seeded clusters, 4 rounds"},
    {.name = "64k-k16", .sizes = BENCH_SMALL | BENCH_FULL, .n = {65536, 16, 4}, .text = "seeded clusters, 4 rounds"},
    {.name = "100k-k24", .sizes = BENCH_SMALL | BENCH_FULL, .n = {100000, 24, 4}, .text = "seeded clusters, 4 rounds"},
    {.name = "1M-k16", .sizes = BENCH_FULL, .n = {1 << 20, 16, 4}, .text = "seeded clusters, 4 rounds"},
};

/* Points around K centres, a tenth of them anywhere; the first centroids are points. Coordinates are integers, so that
 * sums are exact and a point between two centroids falls to the same one in every order of additions. */
static void prepare(struct bench_problem *problem)
{
    const size_t *n = problem->input->n;
    uint64_t state = 1;
    float centre[2 * 24];
    if (n[POINTS] < n[K] || n[POINTS] > 1 << 24 || (n[K] != 8 && n[K] != 16 && n[K] != 24) || !n[ROUNDS] ||
        n[ROUNDS] > 100)
        bench_skip("k is 8, 16 or 24, of k to %d points, in 1 to 100 rounds, not %zu of %zu in %zu", 1 << 24, n[K],
                   n[POINTS], n[ROUNDS]);
    float *point =
        bench_array_make(&problem->in[0], "points", BENCH_F32, 2 * ((n[POINTS] + LANES - 1) / LANES * LANES));
    float *first = bench_array_make(&problem->in[1], "centroids", BENCH_F32, 2 * n[K]);
    for (size_t k = 0; k < 2 * n[K]; k++)
        centre[k] = bench_random_float(&state, 100, 900);
    for (size_t i = 0; i < n[POINTS]; i++) {
        size_t k = bench_random(&state) % n[K];
        for (size_t c = 0; c < 2; c++) {
            float spread = bench_random_float(&state, -60, 60) + bench_random_float(&state, -40, 40);
            point[2 * i + c] = (float)(int)(i % 10 ? centre[2 * k + c] + spread : bench_random_float(&state, 0, 1000));
        }
    }
    memcpy(first, point, 2 * n[K] * sizeof(float));
}

static size_t nearest(const double *centre, size_t k, double x, double y)
{
    size_t best = 0;
    double least = 1e30;
    for (size_t c = 0; c < k; c++) {
        double dx = x - centre[2 * c], dy = y - centre[2 * c + 1], distance = dx * dx + dy * dy;
        if (distance < least) {
            least = distance;
            best = c;
        }
    }
    return best;
}

static void reference(struct bench_problem *problem)
{
    const size_t *n = problem->input->n;
    const float *point = problem->in[0].data, *first = problem->in[1].data;
    float *out = bench_array_make(&problem->expected[0], "centroids", BENCH_F32, 2 * n[K]);
    problem->expected[0].absolute = 0.05; /* points in the middle may belong to either side */
    double centre[2 * 24];
    for (size_t i = 0; i < 2 * n[K]; i++)
        centre[i] = (double)first[i];
    for (size_t round = 0; round < n[ROUNDS]; round++) {
        double sum[24][3] = {{0}};
        for (size_t i = 0; i < n[POINTS]; i++) {
            size_t best = nearest(centre, n[K], (double)point[2 * i], (double)point[2 * i + 1]);
            sum[best][0] += (double)point[2 * i];
            sum[best][1] += (double)point[2 * i + 1];
            sum[best][2]++;
        }
        for (size_t k = 0; k < n[K]; k++)
            for (size_t c = 0; c < 2 && sum[k][2] > 0; c++)
                centre[2 * k + c] = sum[k][c] / sum[k][2];
    }
    for (size_t i = 0; i < 2 * n[K]; i++)
        out[i] = (float)centre[i];
}

enum { SHARES = 16 }; /* threads of a group of CM's update */

/* `points`: of a group of `local`; `centroids`: of a group of update. */
static void run_with(struct bench_run *run, struct bench_problem *problem, const char *kernel, size_t points,
                     uint32_t local, size_t centroids_a_group, uint32_t update_local)
{
    const size_t *n = problem->input->n;
    size_t groups = (n[POINTS] + points - 1) / points;
    char assign[64];
    snprintf(assign, sizeof assign, "%s_%zu", kernel, n[K]);
    cmrt_buffer *in = bench_buffer_of(run, &problem->in[0]), *centroids = bench_buffer_of(run, &problem->in[1]);
    cmrt_buffer *sums = bench_buffer(run, NULL, groups * n[K] * 16);
    for (size_t round = 0; round < n[ROUNDS]; round++) {
        bench_launch(run, assign, BENCH_GRID(groups, 1, 1, local, 1, 1), BENCH_BUFFER(in), BENCH_BUFFER(centroids),
                     BENCH_BUFFER(sums), BENCH_U32(n[POINTS]));
        bench_launch(run, "update_centroids",
                     BENCH_GRID((n[K] + centroids_a_group - 1) / centroids_a_group, 1, 1, update_local, 1, 1),
                     BENCH_BUFFER(centroids), BENCH_BUFFER(sums), BENCH_U32(groups), BENCH_U32(n[K]));
    }
    bench_read_array(run, centroids, &problem->result[0]);
}

static void run_cm(struct bench_run *run, struct bench_problem *problem)
{
    run_with(run, problem, "assign", 512, 1, 8, SHARES);
}

static void run_slm(struct bench_run *run, struct bench_problem *problem)
{
    run_with(run, problem, "assign_slm", 2048, 64, 32, 32);
}

static void run_private(struct bench_run *run, struct bench_problem *problem)
{
    run_with(run, problem, "assign_private", 2048, 64, 32, 32);
}

static const struct bench_variant variants[] = {
    {.name = "cm", .language = BENCH_CM, .run = run_cm, .text = "centroids and sums in registers"},
    {.name = "assign_slm", .language = BENCH_CL, .run = run_slm, .text = "sums of each work item in local memory"},
    {.name = "assign_private",
     .language = BENCH_CL,
     .run = run_private,
     .text = "sums of each work item in private memory, added in local memory"},
};

static void tune_cm(struct bench_run *run, struct bench_problem *problem)
{
    run_with(run, problem, "assign", (size_t)problem->variant->values[TAKES], 1, 8, SHARES);
}

static void tune_slm(struct bench_run *run, struct bench_problem *problem)
{
    const int *v = problem->variant->values;
    run_with(run, problem, "assign_slm", (size_t)v[TAKES], (uint32_t)v[GROUP], 32, 32);
}

static void tune_private(struct bench_run *run, struct bench_problem *problem)
{
    const int *v = problem->variant->values;
    run_with(run, problem, "assign_private", (size_t)v[TAKES], (uint32_t)v[GROUP], 32, 32);
}

static const char *refuses(const int *v)
{
    return v[TAKES] < v[GROUP] ? "work items without points" : NULL;
}

/* Threads of `points`, which take `clocks` of an EU each, for 2 mads and a choice of each centroid, and more for adding
 * a point; behind them one thread reads a line of each group's sums after the other, for which the EUs wait. */
static struct bench_work work_of(const struct bench_input *input, double points, double threads, double more)
{
    double groups = ceil((double)input->n[POINTS] / points);
    return (struct bench_work){groups * threads, points / threads * ((double)input->n[K] * 0.5 + more) + groups * 20,
                               points / threads / 8};
}

static struct bench_work work_cm(const struct bench_input *input, const int *v)
{
    return work_of(input, v[TAKES], 1, 6);
}

static struct bench_work work_slm(const struct bench_input *input, const int *v)
{
    return work_of(input, v[TAKES], v[GROUP] / 16.0, 4);
}

static struct bench_work work_private(const struct bench_input *input, const int *v)
{
    return work_of(input, v[TAKES], v[GROUP] / 16.0, (double)input->n[K] * 0.75);
}

static const struct bench_known known_cm[] = {{"cm", {512, 64}}};
static const struct bench_known known_slm[] = {{"assign_slm", {2048, 64}}};
static const struct bench_known known_private[] = {{"assign_private", {2048, 64}}};
#define TAKES_POINTS(NAME, ...)                                                                                        \
    {BENCH_PARAMETER("POINTS", 64, 128, 256, 512, 1024, 2048, 4096), BENCH_PARAMETER(NAME, __VA_ARGS__)}

static const struct bench_family families[] = {
    {.name = "cm",
     .language = BENCH_CM,
     .parameters = TAKES_POINTS("UNROLL", 16, 32, 64),
     .work = work_cm,
     .run = tune_cm,
     .numbers = 1,
     BENCH_KNOWN(known_cm),
     .text = "centroids and sums in registers; POINTS a thread"},
    {.name = "slm",
     .language = BENCH_CL,
     .parameters = TAKES_POINTS("GROUP", 32, 64, 128),
     .refuses = refuses,
     .work = work_slm,
     .run = tune_slm,
     .numbers = 1,
     BENCH_KNOWN(known_slm),
     .text = "sums of each work item in local memory; POINTS a group"},
    {.name = "private",
     .language = BENCH_CL,
     .parameters = TAKES_POINTS("GROUP", 32, 64, 128),
     .refuses = refuses,
     .work = work_private,
     .run = tune_private,
     .numbers = 1,
     BENCH_KNOWN(known_private),
     .text = "sums of each work item in private memory; POINTS a group"},
};

const struct workload workload_kmeans = {
    .name = "kmeans",
    .title = "k-means",
    .inputs = inputs,
    .input_count = sizeof inputs / sizeof *inputs,
    .variants = variants,
    .variant_count = sizeof variants / sizeof *variants,
    .published = {1.3, 1.5, "figure 5"},
    .size_names = "points x k x rounds",
    .families = families,
    .family_count = sizeof families / sizeof *families,
    .tuned_input = "64k-k16",
    .prepare = prepare,
    .reference = reference,
};
