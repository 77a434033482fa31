/* Shares between SGEMM and DGEMM what differs by the type of numbers only: inputs, reference, launches with buffers.
 *
 * The file that includes this one defines NUMBER, the type; NUMBER_KIND, BENCH_F32 or BENCH_F64; and DEPTH_STEP, of
 * which the depth is a multiple in kernels that take whole tiles. */
#ifndef CMKIT_BENCHMARKS_SGEMM_MATRICES_H
#define CMKIT_BENCHMARKS_SGEMM_MATRICES_H

#include "benchmarks/harness/workload.h"

#include <stdio.h>
#include <string.h>

enum { A, B, C }; /* problem->in */

static const NUMBER alpha = 2, beta = (NUMBER)0.5;

static void fill(struct bench_array *array, const char *name, size_t count, uint64_t seed)
{
    NUMBER *numbers = bench_array_make(array, name, NUMBER_KIND, count);
    for (size_t i = 0; i < count; i++)
        numbers[i] = (NUMBER)((int)(bench_random(&seed) >> 28) - 8);
}

static void prepare(struct bench_problem *problem)
{
    const size_t *n = problem->input->n;
    for (int i = 0; i < 3; i++)
        if (n[i] < 16 || n[i] > 8192) /* an image is at least as large as the blocks that are read from it */
            bench_skip("rows, columns and depth are 16 to 8192, not %zu", n[i]);
    fill(&problem->in[A], "A", n[0] * n[2], 1);
    fill(&problem->in[B], "B", n[2] * n[1], 2);
    fill(&problem->in[C], "C", n[0] * n[1], 3);
}

static void reference(struct bench_problem *problem)
{
    size_t rows = problem->input->n[0], columns = problem->input->n[1], depth = problem->input->n[2];
    const NUMBER *a = problem->in[A].data, *b = problem->in[B].data, *c = problem->in[C].data;
    NUMBER *expected = bench_array_make(&problem->expected[0], "C", NUMBER_KIND, rows * columns);
    for (size_t i = 0; i < rows; i++) {
        NUMBER *row = expected + i * columns;
        for (size_t k = 0; k < depth; k++)
            for (size_t j = 0; j < columns; j++)
                row[j] += a[i * depth + k] * b[k * columns + j];
        for (size_t j = 0; j < columns; j++)
            row[j] = alpha * row[j] + beta * c[i * columns + j];
    }
}

/* The kernel of a variant has its name; that of a point the name of its family, before the colon. */
static const char *kernel_of(const struct bench_problem *problem)
{
    static char name[64];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(problem->variant->name, ":"), problem->variant->name);
    return name;
}

static void launch_buffers(struct bench_run *run, struct bench_problem *problem, const size_t n[3],
                           struct bench_array matrices[3], struct bench_grid grid)
{
    cmrt_buffer *a = bench_buffer_of(run, &matrices[A]), *b = bench_buffer_of(run, &matrices[B]);
    cmrt_buffer *c = bench_buffer_of(run, &matrices[C]);
    bench_launch(run, kernel_of(problem), grid, BENCH_BUFFER(a), BENCH_BUFFER(b), BENCH_BUFFER(c), BENCH_U32(n[0]),
                 BENCH_U32(n[1]), BENCH_U32(n[2]), NUMBER_KIND(alpha), NUMBER_KIND(beta));
    bench_read_array(run, c, &matrices[C]);
}

/* Copies rows of `width` numbers, as many as fit, from one matrix to another with rows of another width. */
static void copy_rows(const struct bench_array *from, size_t from_width, struct bench_array *to, size_t to_width)
{
    size_t width = from_width < to_width ? from_width : to_width;
    for (size_t row = 0; (row + 1) * from_width <= from->count && (row + 1) * to_width <= to->count; row++)
        memcpy((NUMBER *)to->data + row * to_width, (const NUMBER *)from->data + row * from_width,
               width * sizeof(NUMBER));
}

static size_t round_up(size_t number, size_t unit)
{
    return (number + unit - 1) / unit * unit;
}

/* Kernels that take whole tiles only: the host fills up with zeros. */
static void run_tiles(struct bench_run *run, struct bench_problem *problem, size_t group_rows, size_t group_columns,
                      uint32_t width, uint32_t height)
{
    const size_t *n = problem->input->n;
    size_t padded[3] = {round_up(n[0], group_rows), round_up(n[1], group_columns), round_up(n[2], DEPTH_STEP)};
    struct bench_array matrices[3];
    bench_array_make(&matrices[A], "A", NUMBER_KIND, padded[0] * padded[2]);
    bench_array_make(&matrices[B], "B", NUMBER_KIND, padded[2] * padded[1]);
    bench_array_make(&matrices[C], "C", NUMBER_KIND, padded[0] * padded[1]);
    copy_rows(&problem->in[A], n[2], &matrices[A], padded[2]);
    copy_rows(&problem->in[B], n[1], &matrices[B], padded[1]);
    copy_rows(&problem->in[C], n[1], &matrices[C], padded[1]);
    launch_buffers(run, problem, padded, matrices,
                   BENCH_GRID(padded[1] / group_columns, padded[0] / group_rows, 1, width, height, 1));
    copy_rows(&matrices[C], padded[1], &problem->result[0], n[1]);
}

static void run_naive(struct bench_run *run, struct bench_problem *problem)
{
    const size_t *n = problem->input->n;
    struct bench_array matrices[3] = {problem->in[A], problem->in[B], problem->in[C]};
    matrices[C].data = problem->result[0].data; /* which first holds what the kernel reads */
    memcpy(matrices[C].data, problem->in[C].data, bench_array_bytes(&problem->in[C]));
    launch_buffers(run, problem, n, matrices, BENCH_GRID((n[1] + 15) / 16, (n[0] + 15) / 16, 1, 16, 16, 1));
}

#endif
