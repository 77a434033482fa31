/* Converts between numbers and the 16 bits of a half, for inputs, results and references of workloads. */
#ifndef CMKIT_BENCHMARKS_HARNESS_HALF_H
#define CMKIT_BENCHMARKS_HARNESS_HALF_H

#include <math.h>
#include <stdint.h>

/* The nearest half, ties to even. */
static inline uint16_t half_of(double number)
{
    enum { LEAST = -13, INFINITE = 0x7c00 }; /* the exponent of frexp for the smallest normal half */
    int exponent;
    frexp(number, &exponent);
    if (exponent < LEAST || number == 0)
        exponent = LEAST;
    double units = fabs(number) < 0x1p17 ? nearbyint(ldexp(fabs(number), 11 - exponent)) : INFINITE;
    int bits = units < INFINITE ? ((exponent - LEAST) << 10) + (int)units : INFINITE;
    return (uint16_t)((number < 0 ? 0x8000 : 0) | (bits < INFINITE ? bits : INFINITE));
}

static inline double number_of_half(uint16_t bits)
{
    int exponent = bits >> 10 & 31, fraction = bits & 0x3ff;
    double size = exponent == 31 ? fraction ? NAN : INFINITY
                  : exponent     ? ldexp(1024 + fraction, exponent - 25)
                                 : ldexp(fraction, -24);
    return bits >> 15 ? -size : size;
}

#endif
