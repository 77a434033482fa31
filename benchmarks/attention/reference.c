/* Computes attention in double, and packs pages of keys and values. */
#include <math.h>
#include <stdlib.h>
#include "benchmarks/attention/cache.h"

void cache_fill(struct bench_array *array, const char *name, size_t count, float range, uint64_t seed)
{
    float *numbers = bench_array_make(array, name, BENCH_F32, count);
    for (size_t i = 0; i < count; i++)
        numbers[i] = (float)number_of_half(half_of(bench_random_float(&seed, -range, range)));
}

/* Returns the place of a row in its page: of each 16, the even ones first if the array has 8 columns. */
static size_t place_of(size_t row, unsigned columns)
{
    return columns == 8 ? row / 16 * 16 + row % 2 * 8 + row % 16 / 2 : row;
}

void cache_pack_keys(uint16_t *page, const float *from, size_t tokens, unsigned columns)
{
    enum { DEEP = 16 }; /* halves of a row of a tile */
    for (size_t token = 0; token < tokens; token++)
        for (size_t i = 0; i < HEAD_SIZE; i++)
            page[(i / DEEP * PAGE_TOKENS + place_of(token, columns)) * DEEP + i % DEEP] =
                half_of(from[token * HEAD_SIZE + i]);
}

void cache_pack_values(uint16_t *page, const float *from, size_t tokens, unsigned columns)
{
    for (size_t token = 0; token < tokens; token++)
        for (size_t i = 0; i < HEAD_SIZE; i++)
            page[place_of(i, columns) * PAGE_TOKENS + token] = half_of(from[token * HEAD_SIZE + i]);
}

float cache_scale(void)
{
    return (float)(1 / log(2) / sqrt(HEAD_SIZE));
}

void cache_reference(const float *query, const float *keys, const float *values, size_t tokens, float *result,
                     struct cache_error *error)
{
    double *weights = malloc(tokens * sizeof *weights), sums[HEAD_SIZE] = {0}, sizes[HEAD_SIZE] = {0};
    if (!weights)
        bench_fail("out of memory");
    double most = -INFINITY, total = 0;
    for (size_t t = 0; t < tokens; t++) {
        double score = 0, size = 0;
        for (size_t i = 0; i < HEAD_SIZE; i++) {
            double product = (double)query[i] * keys[t * HEAD_SIZE + i];
            score += product;
            size += fabs(product);
        }
        weights[t] = score / sqrt(HEAD_SIZE);
        most = fmax(most, weights[t]);
        error->score = fmax(error->score, size / sqrt(HEAD_SIZE));
    }
    for (size_t t = 0; t < tokens; t++) {
        double weight = exp(weights[t] - most);
        total += weight;
        for (size_t i = 0; i < HEAD_SIZE; i++) {
            sums[i] += weight * values[t * HEAD_SIZE + i];
            sizes[i] += weight * fabs(values[t * HEAD_SIZE + i]);
        }
    }
    for (size_t i = 0; i < HEAD_SIZE; i++) {
        result[i] = (float)(sums[i] / total);
        error->values = fmax(error->values, sizes[i] / total);
    }
    if (tokens > error->tokens)
        error->tokens = tokens;
    free(weights);
}

double cache_bound(const struct cache_error *error)
{
    const double half = ldexp(1, -11), single = ldexp(1, -24), exponential = ldexp(1, -20);
    /* A score is a sum of HEAD_SIZE products; its scaling and the largest score round thrice more. */
    double of_score = (HEAD_SIZE + 3) * single * error->score;
    /* A weight is a half of the exponential of a score. Sums round for each token and when the largest score changes.
     */
    double of_weight = half + of_score + exponential + 4 * single * (double)error->tokens;
    /* The weights are in the sum of values and in the total. Those below the normal halves have no relative error. */
    return 2 * of_weight * error->values + ldexp(1, -24) * (double)error->tokens;
}
