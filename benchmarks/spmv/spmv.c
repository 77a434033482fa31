/* Sparse matrix times vector. The numbers are small and whole, so every sum is exact in any order. */
#include "benchmarks/harness/workload.h"
#include "benchmarks/spmv/graph.h"
#include "runtime/file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PROTEIN, MESH, INSTALLED, ARCHIVE }; /* kinds of inputs */
enum { STARTS, COLUMNS, VALUES, X };        /* problem->in; starts are padded for sixteen rows at a time */
/* PAD: elements that the CM kernel may read behind the last row: its steps of short rows, 4 * (48 * 16 / 32 + 1) */
enum { LANES = 16, PAD = 100 };

static const struct bench_input inputs[] = {
    {.name = "protein-100", .sizes = BENCH_TINY, .n = {100}, .kind = PROTEIN, .text = "the shape of Protein, seeded"},
    {.name = "mesh-64", .sizes = BENCH_TINY, .n = {64}, .kind = MESH, .text = "the shape of Nd24k, seeded"},
    {.name = "debian-installed",
     .sizes = BENCH_TINY,
     .kind = INSTALLED,
     .text = "which installed package needs which, from dpkg's status file",
     .file = "/var/lib/dpkg/status",
     .package = "dpkg"},
    {.name = "protein-4000",
     .sizes = BENCH_SMALL,
     .n = {4000},
     .kind = PROTEIN,
     .text = "the shape of Protein, seeded"},
    {.name = "mesh-2000", .sizes = BENCH_SMALL, .n = {2000}, .kind = MESH, .text = "the shape of Nd24k, seeded"},
    {.name = "protein-36417",
     .sizes = BENCH_FULL,
     .n = {36417},
     .kind = PROTEIN,
     .text = "the shape of Protein, seeded"},
    {.name = "mesh-72000", .sizes = BENCH_FULL, .n = {72000}, .kind = MESH, .text = "the shape of Nd24k, seeded"},
    {.name = "debian-archive",
     .sizes = BENCH_SMALL | BENCH_FULL,
     .kind = ARCHIVE,
     .text = "which package of the archive needs which, from apt-cache dumpavail; the shape of Webbase",
     .file = "/usr/bin/apt-cache",
     .package = "apt"},
};

struct matrix {
    size_t rows, count, room;
    uint32_t *starts, *columns;
};

static void add(struct matrix *matrix, uint32_t column)
{
    if (matrix->count == matrix->room) {
        matrix->room = matrix->room ? matrix->room * 2 : 4096;
        uint32_t *columns = realloc(matrix->columns, matrix->room * sizeof *columns);
        if (!columns)
            bench_fail("out of memory");
        matrix->columns = columns;
    }
    matrix->columns[matrix->count++] = column;
}

static void begin(struct matrix *matrix, size_t rows)
{
    if (rows < 1 || rows > 1000000)
        bench_skip("1 to 1000000 rows, not %zu", rows);
    matrix->rows = rows;
    matrix->starts = calloc(rows + 1, sizeof *matrix->starts);
    if (!matrix->starts)
        bench_fail("out of memory");
}

/* Protein: 70 to 170 elements a row (119 on average), runs of 3 to 9 within a band; Nd24k: 200 to 600 (400), in runs
 * of 30. */
static void make_runs(struct matrix *matrix, size_t rows, size_t least, size_t most, size_t run, size_t band)
{
    uint64_t state = 1;
    begin(matrix, rows);
    for (size_t row = 0; row < rows; row++) {
        size_t want = least + bench_random(&state) % (most - least + 1), length = 0;
        size_t column = row < band ? 0 : row - band;
        while (length < want && column < rows) {
            size_t these = run / 2 + bench_random(&state) % run;
            for (; these && length < want && column < rows; these--, length++)
                add(matrix, (uint32_t)column++);
            column += 1 + bench_random(&state) % (2 * band * run / most);
        }
        matrix->starts[row + 1] = (uint32_t)matrix->count;
    }
}

static void make_graph(struct matrix *matrix, const char *text, const char *from)
{
    struct graph graph;
    if (graph_read(text, &graph))
        bench_skip("no packages in %s", from);
    begin(matrix, graph.nodes);
    for (size_t i = 0; i < graph.count; i++) {
        matrix->starts[graph.edges[i].row + 1]++;
        add(matrix, graph.edges[i].column);
    }
    for (size_t row = 0; row < graph.nodes; row++)
        matrix->starts[row + 1] += matrix->starts[row];
    free(graph.edges);
}

/* Returns all output of the command, with a zero at the end. */
static char *output_of(const char *command)
{
    size_t size = 0, room = 1 << 20;
    char *text = malloc(room);
    FILE *pipe = popen(command, "r");
    while (pipe && text) {
        size += fread(text + size, 1, room - size - 1, pipe);
        if (feof(pipe) || ferror(pipe))
            break;
        if (size < room - 1)
            continue;
        char *longer = realloc(text, room *= 2);
        if (!longer)
            bench_fail("out of memory");
        text = longer;
    }
    if (!text)
        bench_fail("out of memory");
    text[size] = 0;
    if (!pipe || pclose(pipe) != 0)
        bench_skip("'%s' failed", command);
    return text;
}

static void read_matrix(const struct bench_input *input, struct matrix *matrix)
{
    void *bytes;
    size_t size;
    switch (input->kind) {
    case PROTEIN: make_runs(matrix, input->n[0], 70, 170, 6, 600); break;
    case MESH: make_runs(matrix, input->n[0], 200, 600, 30, 3000); break;
    case ARCHIVE: make_graph(matrix, output_of("apt-cache dumpavail"), "apt's lists; run apt-get update"); break;
    default:
        if (file_read(input->file, &bytes, &size))
            bench_skip("%s: %s (package %s)", input->file, strerror(errno), input->package);
        char *text = strndup(bytes, size);
        if (!text)
            bench_fail("out of memory");
        make_graph(matrix, text, input->file);
    }
}

static void prepare(struct bench_problem *problem)
{
    struct matrix matrix = {0};
    uint64_t state = 2;
    read_matrix(problem->input, &matrix);
    size_t padded = (matrix.rows + LANES - 1) / LANES * LANES;
    uint32_t *starts = bench_array_make(&problem->in[STARTS], "starts", BENCH_U32, padded + LANES);
    for (size_t i = 0; i < padded + LANES; i++)
        starts[i] = matrix.starts[i < matrix.rows ? i : matrix.rows];
    memcpy(bench_array_make(&problem->in[COLUMNS], "columns", BENCH_U32, matrix.count + PAD), matrix.columns,
           matrix.count * 4);
    float *values = bench_array_make(&problem->in[VALUES], "values", BENCH_F32, matrix.count + PAD);
    for (size_t i = 0; i < matrix.count; i++)
        values[i] = (float)((int)(bench_random(&state) >> 28) - 8);
    float *x = bench_array_make(&problem->in[X], "x", BENCH_F32, matrix.rows);
    for (size_t i = 0; i < matrix.rows; i++)
        x[i] = (float)((int)(bench_random(&state) >> 28) - 8);
}

static size_t rows_of(const struct bench_problem *problem)
{
    return problem->in[X].count;
}

static void reference(struct bench_problem *problem)
{
    const uint32_t *starts = problem->in[STARTS].data, *columns = problem->in[COLUMNS].data;
    const float *values = problem->in[VALUES].data, *x = problem->in[X].data;
    float *y = bench_array_make(&problem->expected[0], "y", BENCH_F32, rows_of(problem));
    for (size_t row = 0; row < rows_of(problem); row++)
        for (uint32_t i = starts[row]; i < starts[row + 1]; i++)
            y[row] += values[i] * x[columns[i]];
}

struct buffers {
    cmrt_buffer *starts, *columns, *values, *x, *y;
};

static struct buffers make_buffers(struct bench_run *run, struct bench_problem *problem)
{
    size_t padded = (rows_of(problem) + LANES - 1) / LANES * LANES;
    return (struct buffers){bench_buffer_of(run, &problem->in[STARTS]), bench_buffer_of(run, &problem->in[COLUMNS]),
                            bench_buffer_of(run, &problem->in[VALUES]), bench_buffer_of(run, &problem->in[X]),
                            bench_buffer(run, NULL, padded * 4)};
}

static void run_cm(struct bench_run *run, struct bench_problem *problem)
{
    struct buffers b = make_buffers(run, problem);
    bench_launch(run, "spmv", BENCH_GRID((rows_of(problem) + LANES - 1) / LANES, 1, 1, 1, 1, 1), BENCH_BUFFER(b.starts),
                 BENCH_BUFFER(b.columns), BENCH_BUFFER(b.values), BENCH_BUFFER(b.x), BENCH_BUFFER(b.y));
    bench_read_array(run, b.y, &problem->result[0]);
}

static void run_rows(struct bench_run *run, struct bench_problem *problem, struct bench_grid grid)
{
    struct buffers b = make_buffers(run, problem);
    bench_launch(run, problem->variant->name, grid, BENCH_BUFFER(b.starts), BENCH_BUFFER(b.columns),
                 BENCH_BUFFER(b.values), BENCH_BUFFER(b.x), BENCH_BUFFER(b.y), BENCH_U32(rows_of(problem)));
    bench_read_array(run, b.y, &problem->result[0]);
}

static void run_scalar(struct bench_run *run, struct bench_problem *problem)
{
    run_rows(run, problem, BENCH_GRID((rows_of(problem) + 63) / 64, 1, 1, 64, 1, 1));
}

static void run_subgroup(struct bench_run *run, struct bench_problem *problem)
{
    run_rows(run, problem, BENCH_GRID(rows_of(problem), 1, 1, 16, 1, 1));
}

/* Blocks of whole rows with at most TILE elements and ITEMS rows, or one longer row. */
static void run_blocks(struct bench_run *run, struct bench_problem *problem)
{
    enum { TILE = 512, ITEMS = 128 };
    const uint32_t *starts = problem->in[STARTS].data;
    size_t rows = rows_of(problem), count = 0;
    struct bench_array array;
    uint32_t *blocks = bench_array_make(&array, "blocks", BENCH_U32, rows + 1);
    for (size_t row = 0; row < rows;) {
        size_t first = row++;
        while (row < rows && row - first < ITEMS && starts[row + 1] - starts[first] <= TILE)
            row++;
        blocks[++count] = (uint32_t)row;
    }
    struct buffers b = make_buffers(run, problem);
    cmrt_buffer *bounds = bench_buffer(run, blocks, (count + 1) * 4);
    bench_launch(run, "slm_blocks", BENCH_GRID(count, 1, 1, ITEMS, 1, 1), BENCH_BUFFER(b.starts),
                 BENCH_BUFFER(b.columns), BENCH_BUFFER(b.values), BENCH_BUFFER(b.x), BENCH_BUFFER(b.y),
                 BENCH_BUFFER(bounds));
    bench_read_array(run, b.y, &problem->result[0]);
}

static const struct bench_variant variants[] = {
    {.name = "cm", .language = BENCH_CM, .run = run_cm, .text = "16 rows a thread, SIMD size by their lengths"},
    {.name = "scalar_rows", .language = BENCH_CL, .run = run_scalar, .text = "a row a work item"},
    {.name = "subgroup_rows", .language = BENCH_CL, .run = run_subgroup, .text = "a row a sub-group"},
    {.name = "slm_blocks",
     .language = BENCH_CL,
     .run = run_blocks,
     .text = "512 elements a group, through local memory"},
};

const struct workload workload_spmv = {
    .name = "spmv",
    .title = "SpMV",
    .inputs = inputs,
    .input_count = sizeof inputs / sizeof *inputs,
    .variants = variants,
    .variant_count = sizeof variants / sizeof *variants,
    .published = {.low = 1.1, .high = 2.6, .text = "figure 5: Protein 1.1, Nd24k 1.25, Webbase 2.6"},
    .size_names = "rows",
    .prepare = prepare,
    .reference = reference,
};
