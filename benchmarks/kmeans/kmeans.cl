/* K-means: each point of two coordinates belongs to the nearest of K centroids, which then move to the mean of their
 * points. A round is two kernels: assign, whose groups write sums for each centroid, and update, which adds these. */

#ifndef POINTS      /* `cmbench tune` chooses others */
#define POINTS 2048 /* of a group */
#define GROUP  64
#endif

/* The nearest centroid c has the greatest x c.x + y c.y - |c|^2 / 2. */
#define NEAREST(K, POINT)                                                                                              \
    int best = 0;                                                                                                      \
    float most = -INFINITY;                                                                                            \
    _Pragma("unroll") for (int k = 0; k < K; k++)                                                                      \
    {                                                                                                                  \
        float score = mad((POINT).y, centre[k].y, mad((POINT).x, centre[k].x, -half_norm[k]));                         \
        best = score > most ? k : best;                                                                                \
        most = fmax(score, most);                                                                                      \
    }

/* Centroids are the same for all lanes, so they are loaded once and stay in registers; each work item has sums of its
 * own in local memory, a column of an array, which nobody else touches until the barrier. Groups of GROUP, POINTS
 * points each. */
#define ASSIGN_SLM(K)                                                                                                  \
    __attribute__((reqd_work_group_size(GROUP, 1, 1))) __kernel void assign_slm_##K(                                   \
        const __global float2 *points, const __global float2 *centroids, __global float4 *sums, uint count)            \
    {                                                                                                                  \
        __local float x[K][GROUP], y[K][GROUP], many[K][GROUP];                                                        \
        float2 centre[K];                                                                                              \
        float half_norm[K];                                                                                            \
        int lane = get_local_id(0);                                                                                    \
        _Pragma("unroll") for (int k = 0; k < K; k++)                                                                  \
        {                                                                                                              \
            centre[k] = centroids[k];                                                                                  \
            half_norm[k] = 0.5f * (centre[k].x * centre[k].x + centre[k].y * centre[k].y);                             \
            x[k][lane] = y[k][lane] = many[k][lane] = 0;                                                               \
        }                                                                                                              \
        uint first = get_group_id(0) * POINTS + lane, end = min(first - lane + POINTS, count);                         \
        for (uint i = first; i < end; i += GROUP) {                                                                    \
            float2 point = points[i];                                                                                  \
            NEAREST(K, point)                                                                                          \
            x[best][lane] += point.x;                                                                                  \
            y[best][lane] += point.y;                                                                                  \
            many[best][lane] += 1;                                                                                     \
        }                                                                                                              \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                                  \
        if (lane < K) {                                                                                                \
            float4 sum = 0;                                                                                            \
            for (int i = 0; i < GROUP; i++) {                                                                          \
                int column = (i + lane) & (GROUP - 1); /* another bank each */                                         \
                sum += (float4)(x[lane][column], y[lane][column], many[lane][column], 0);                              \
            }                                                                                                          \
            sums[get_group_id(0) * K + lane] = sum;                                                                    \
        }                                                                                                              \
    }

/* The same with each work item's sums in private memory: registers, if they fit. Groups of GROUP, POINTS points each.
 */
#define ASSIGN_PRIVATE(K)                                                                                              \
    __attribute__((reqd_work_group_size(GROUP, 1, 1))) __kernel void assign_private_##K(                               \
        const __global float2 *points, const __global float2 *centroids, __global float4 *sums, uint count)            \
    {                                                                                                                  \
        __local float4 parts[K][GROUP];                                                                                \
        float2 centre[K];                                                                                              \
        float half_norm[K], x[K], y[K], many[K];                                                                       \
        int lane = get_local_id(0);                                                                                    \
        _Pragma("unroll") for (int k = 0; k < K; k++)                                                                  \
        {                                                                                                              \
            centre[k] = centroids[k];                                                                                  \
            half_norm[k] = 0.5f * (centre[k].x * centre[k].x + centre[k].y * centre[k].y);                             \
            x[k] = y[k] = many[k] = 0;                                                                                 \
        }                                                                                                              \
        uint first = get_group_id(0) * POINTS + lane, end = min(first - lane + POINTS, count);                         \
        for (uint i = first; i < end; i += GROUP) {                                                                    \
            float2 point = points[i];                                                                                  \
            NEAREST(K, point)                                                                                          \
            _Pragma("unroll") for (int k = 0; k < K; k++)                                                              \
            {                                                                                                          \
                x[k] += best == k ? point.x : 0;                                                                       \
                y[k] += best == k ? point.y : 0;                                                                       \
                many[k] += best == k ? 1 : 0;                                                                          \
            }                                                                                                          \
        }                                                                                                              \
        _Pragma("unroll") for (int k = 0; k < K; k++) parts[k][lane] = (float4)(x[k], y[k], many[k], 0);               \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                                  \
        if (lane < K) {                                                                                                \
            float4 sum = 0;                                                                                            \
            for (int i = 0; i < GROUP; i++)                                                                            \
                sum += parts[lane][(i + lane) & (GROUP - 1)];                                                          \
            sums[get_group_id(0) * K + lane] = sum;                                                                    \
        }                                                                                                              \
    }

#if defined FAMILY_slm /* N1: the input's k */
#define ASSIGN_OF(K) ASSIGN_SLM(K)
ASSIGN_OF(N1)
#elif defined FAMILY_private
#define ASSIGN_OF(K) ASSIGN_PRIVATE(K)
ASSIGN_OF(N1)
#else
ASSIGN_SLM(8)
ASSIGN_SLM(16)
ASSIGN_SLM(24)
ASSIGN_PRIVATE(8)
ASSIGN_PRIVATE(16)
ASSIGN_PRIVATE(24)
#endif

/* A work item for each centroid, which reads 16 sums before it waits for them. A centroid without points stays. */
__kernel void update_centroids(__global float2 *centroids, const __global float4 *sums, uint groups, uint k)
{
    uint mine = get_global_id(0);
    float4 sum = 0;
    if (mine >= k)
        return;
    uint i = 0;
    for (; i + 16 <= groups; i += 16) {
        float4 part[16];
#pragma unroll
        for (uint j = 0; j < 16; j++)
            part[j] = sums[(i + j) * k + mine];
#pragma unroll
        for (uint j = 0; j < 16; j++)
            sum += part[j];
    }
    for (; i < groups; i++)
        sum += sums[i * k + mine];
    if (sum.z > 0)
        centroids[mine] = sum.xy / sum.z;
}
