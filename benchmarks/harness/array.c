/* Makes, compares and keeps arrays, and fills them with random numbers. */
#include "benchmarks/harness/worker.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const size_t type_bytes[] = {[BENCH_U8] = 1, [BENCH_I32] = 4, [BENCH_U32] = 4, [BENCH_F32] = 4, [BENCH_F64] = 8};

size_t bench_array_bytes(const struct bench_array *array)
{
    return array->count * type_bytes[array->type];
}

void *bench_array_make(struct bench_array *array, const char *name, enum bench_type type, size_t count)
{
    if (!count || count > SIZE_MAX / 8 / type_bytes[type])
        bench_fail("%s: an array of %zu elements", name, count);
    void *data = calloc(count, type_bytes[type]);
    if (!data)
        bench_fail("out of memory for %s (%zu elements)", name, count);
    *array = (struct bench_array){.name = name, .type = type, .count = count, .data = data};
    return data;
}

static double element(const struct bench_array *array, size_t index)
{
    switch (array->type) {
    case BENCH_U8: return ((const uint8_t *)array->data)[index];
    case BENCH_I32: return ((const int32_t *)array->data)[index];
    case BENCH_U32: return ((const uint32_t *)array->data)[index];
    case BENCH_F32: return (double)((const float *)array->data)[index];
    case BENCH_F64: return ((const double *)array->data)[index];
    }
    return 0;
}

/* True if equal in value, both NaN, or within the tolerance. A NaN in the result is wrong unless the reference has one
 * too. */
static int close_enough(double result, double expected, double relative, double absolute)
{
    if (result == expected || (isnan(result) && isnan(expected)))
        return 1;
    return fabs(result - expected) <= absolute + relative * fabs(expected);
}

size_t array_compare(const struct bench_array *result, const struct bench_array *expected, double relative,
                     double absolute, size_t *first)
{
    size_t wrong = 0;
    for (size_t i = expected->count; i-- > 0;)
        if (!close_enough(element(result, i), element(expected, i), relative, absolute)) {
            wrong++;
            *first = i;
        }
    return wrong;
}

void array_check(const struct bench_array *result, const struct bench_array *expected, double relative, double absolute,
                 const char *whose)
{
    size_t first = 0, wrong = array_compare(result, expected, relative, absolute, &first);
    if (wrong)
        bench_fail("%zu of %zu elements of %s differ from %s; the first is %s[%zu]: %.9g instead of %.9g", wrong,
                   expected->count, expected->name, whose, expected->name, first, element(result, first),
                   element(expected, first));
}

void array_poison(struct bench_array *array)
{
    memset(array->data, 0xcd, bench_array_bytes(array));
}

/* splitmix64: the upper half of each number */
uint32_t bench_random(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (uint32_t)((z ^ z >> 31) >> 32);
}

float bench_random_float(uint64_t *state, float low, float high)
{
    return low + (high - low) * (float)(bench_random(state) >> 8) * 0x1p-24f;
}
