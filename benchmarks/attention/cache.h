/* Declares the cache of keys and values of the attention workloads: pages of 16 tokens of one head, whose numbers lie
 * as tiles of the systolic array, and attention in double as the reference. */
#ifndef CMKIT_BENCHMARKS_ATTENTION_CACHE_H
#define CMKIT_BENCHMARKS_ATTENTION_CACHE_H

#include "benchmarks/harness/half.h"
#include "benchmarks/harness/workload.h"

enum { HEAD_SIZE = 128, PAGE_TOKENS = 16, PAGE_HALVES = HEAD_SIZE * PAGE_TOKENS };

/* Makes an array of seeded numbers from -range to range, each of which is a half. */
void cache_fill(struct bench_array *array, const char *name, size_t count, float range, uint64_t seed);

/* Fills a page, which is all zero, with the first `tokens` tokens of `from`, rows of HEAD_SIZE numbers. A page of keys
 * is [HEAD_SIZE / 16][token][16], one of values [HEAD_SIZE][token]. Of each 16 rows, where the systolic array has 8
 * columns, the even ones come first and then the odd ones, as tiles; elsewhere 2D blocks pick them. */
void cache_pack_keys(uint16_t *page, const float *from, size_t tokens, unsigned columns);
void cache_pack_values(uint16_t *page, const float *from, size_t tokens, unsigned columns);

/* What the error of a result that is computed in halves and floats depends on; the largest of all rows. */
struct cache_error {
    double score;  /* a sum of products of the numbers of a query and of a key without their signs, times the scale */
    double values; /* an average of values without their signs */
    size_t tokens; /* of a row */
};

/* Computes one row of attention: query, result: HEAD_SIZE numbers; keys, values: rows of HEAD_SIZE. */
void cache_reference(const float *query, const float *keys, const float *values, size_t tokens, float *result,
                     struct cache_error *error);

/* Returns how far a result in halves may be from the reference, beside half of its own last bit. */
double cache_bound(const struct cache_error *error);

/* The scale of scores for exponentials of base 2: log2(e) / sqrt(HEAD_SIZE). */
float cache_scale(void);

#endif
