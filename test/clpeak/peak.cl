/* Repeats clpeak's kernels at a small size: multiply-adds on every type and width, and reads of a whole buffer. */
#ifdef cl_khr_fp16
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#endif
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif

#define vstore1(VALUE, AT, TO) ((TO)[AT] = (VALUE))

#define REAL(A, B, C) mad(A, B, C)
#define WRAP(A, B, C) ((A) * (B) + (C))
#define WRAP24(A, B, C) (mad24(A, B, C) & 0x7fffff)

#define CHAIN_2(MAD, X, Y)                                                                                             \
    X = MAD(Y, X, Y);                                                                                                  \
    Y = MAD(X, Y, X);
#define CHAIN_8(MAD, X, Y) CHAIN_2(MAD, X, Y) CHAIN_2(MAD, X, Y) CHAIN_2(MAD, X, Y) CHAIN_2(MAD, X, Y)
#define CHAIN_16(MAD, X, Y) CHAIN_8(MAD, X, Y) CHAIN_8(MAD, X, Y)

/* Lane i of x starts as (i + 1) * step, each lane of y as local id * step; after `rounds` times 16 multiply-adds all
 * lanes of y are stored. */
#define COMPUTE(NAME, SCALAR, VECTOR, WIDTH, LANES, MAD)                                                               \
    kernel void compute_##NAME##WIDTH(global SCALAR *out, SCALAR step, int rounds)                                     \
    {                                                                                                                  \
        VECTOR x = (VECTOR)LANES * (VECTOR)(step);                                                                     \
        VECTOR y = (VECTOR)((SCALAR)get_local_id(0)) * (VECTOR)(step);                                                 \
        for (int round = 0; round < rounds; round++) {                                                                 \
            CHAIN_16(MAD, x, y)                                                                                        \
        }                                                                                                              \
        vstore##WIDTH(y, get_global_id(0), out);                                                                       \
    }

#define COMPUTE_WIDTHS(NAME, TYPE, MAD)                                                                                \
    COMPUTE(NAME, TYPE, TYPE, 1, (1), MAD)                                                                             \
    COMPUTE(NAME, TYPE, TYPE##2, 2, (1, 2), MAD)                                                                       \
    COMPUTE(NAME, TYPE, TYPE##4, 4, (1, 2, 3, 4), MAD)                                                                 \
    COMPUTE(NAME, TYPE, TYPE##8, 8, (1, 2, 3, 4, 5, 6, 7, 8), MAD)                                                     \
    COMPUTE(NAME, TYPE, TYPE##16, 16, (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16), MAD)

COMPUTE_WIDTHS(char, char, WRAP)
COMPUTE_WIDTHS(short, short, WRAP)
COMPUTE_WIDTHS(int, int, WRAP)
COMPUTE_WIDTHS(int24_, int, WRAP24)
COMPUTE_WIDTHS(long, long, WRAP)
COMPUTE_WIDTHS(float, float, REAL)
#ifdef cl_khr_fp16
COMPUTE_WIDTHS(half, half, REAL)
#endif
#ifdef cl_khr_fp64
COMPUTE_WIDTHS(double, double, REAL)
#endif

#define SUM_1(V) (V)
#define SUM_2(V) ((V).s0 + (V).s1)
#define SUM_4(V) (SUM_2((V).lo) + SUM_2((V).hi))
#define SUM_8(V) (SUM_4((V).lo) + SUM_4((V).hi))
#define SUM_16(V) (SUM_8((V).lo) + SUM_8((V).hi))

/* Each work item adds up 16 elements: `STEP` apart from element `FIRST` on. */
#define BANDWIDTH(NAME, TYPE, WIDTH, FIRST, STEP)                                                                      \
    kernel void bandwidth_##NAME##_##WIDTH(global const TYPE *in, global float *out)                                   \
    {                                                                                                                  \
        size_t at = FIRST;                                                                                             \
        TYPE sum = (TYPE)(0);                                                                                          \
        for (int i = 0; i < 16; i++) {                                                                                 \
            sum += in[at];                                                                                             \
            at += STEP;                                                                                                \
        }                                                                                                              \
        out[get_global_id(0)] = SUM_##WIDTH(sum);                                                                      \
    }

#define BANDWIDTH_BOTH(TYPE, WIDTH)                                                                                    \
    BANDWIDTH(local, TYPE, WIDTH, get_group_id(0) * get_local_size(0) * 16 + get_local_id(0), get_local_size(0))       \
    BANDWIDTH(global, TYPE, WIDTH, get_global_id(0), get_global_size(0))

BANDWIDTH_BOTH(float, 1)
BANDWIDTH_BOTH(float2, 2)
BANDWIDTH_BOTH(float4, 4)
BANDWIDTH_BOTH(float8, 8)
BANDWIDTH_BOTH(float16, 16)

/* For launches in a row. */
kernel void count(global uint *counter)
{
    counter[get_global_id(0)] += get_local_id(0) + 1;
}
