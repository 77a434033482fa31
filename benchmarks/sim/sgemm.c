/* Inputs and check of sgemm.cl.
 *
 *   sgemm input SEED N FILE       N x N floats: small whole numbers, so that every sum is exact in any order
 *   sgemm check N A B C           exit 1, and say where, unless C is A * B
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Noreturn void fail(const char *what, const char *why)
{
    fprintf(stderr, "sgemm: error: %s: %s\n", what, why);
    exit(2);
}

static size_t read_size(const char *text)
{
    unsigned long n = strtoul(text, NULL, 10);
    if (n == 0 || n > 4096)
        fail(text, "the size must be 1 to 4096");
    return n;
}

static float *allocate(size_t n)
{
    float *matrix = malloc(n * n * sizeof *matrix);
    if (!matrix)
        fail("matrix", "no memory");
    return matrix;
}

static float *load(const char *path, size_t n)
{
    float *matrix = allocate(n);
    FILE *in = fopen(path, "rb");
    if (!in || fread(matrix, sizeof *matrix, n * n, in) != n * n)
        fail(path, "cannot read the matrix");
    fclose(in);
    return matrix;
}

static int make_input(uint32_t seed, size_t n, const char *path)
{
    float *matrix = allocate(n);
    for (size_t i = 0; i < n * n; i++) {
        seed = seed * 1664525 + 1013904223;
        matrix[i] = (float)((int)(seed >> 28) - 8);
    }
    FILE *out = fopen(path, "wb");
    if (!out || fwrite(matrix, sizeof *matrix, n * n, out) != n * n || fclose(out) != 0)
        fail(path, "cannot write the matrix");
    free(matrix);
    return 0;
}

static int check(size_t n, const char *const *paths)
{
    float *a = load(paths[0], n), *b = load(paths[1], n), *c = load(paths[2], n), *row = allocate(n);
    int wrong = 0;
    for (size_t i = 0; i < n && !wrong; i++) {
        memset(row, 0, n * sizeof *row);
        for (size_t k = 0; k < n; k++)
            for (size_t j = 0; j < n; j++)
                row[j] += a[i * n + k] * b[k * n + j];
        for (size_t j = 0; j < n && !wrong; j++)
            if (c[i * n + j] != row[j]) {
                fprintf(stderr, "sgemm: C[%zu][%zu] is %g, not %g\n", i, j, (double)c[i * n + j], (double)row[j]);
                wrong = 1;
            }
    }
    free(a), free(b), free(c), free(row);
    return wrong;
}

int main(int count, char **arguments)
{
    const char *const *words = (const char *const *)arguments;
    if (count == 5 && strcmp(words[1], "input") == 0)
        return make_input((uint32_t)strtoul(words[2], NULL, 10), read_size(words[3]), words[4]);
    if (count == 6 && strcmp(words[1], "check") == 0)
        return check(read_size(words[2]), words + 3);
    fputs("usage: sgemm input SEED N FILE | sgemm check N A B C\n", stderr);
    return 2;
}
