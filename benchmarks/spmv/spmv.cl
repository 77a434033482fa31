/* y = A * x for a sparse matrix of floats in compressed rows. */
#pragma OPENCL EXTENSION cl_intel_subgroups : enable

/* A row a work item. */
kernel void scalar_rows(global const uint *starts, global const uint *columns, global const float *values,
                        global const float *x, global float *y, uint rows)
{
    uint row = get_global_id(0);
    if (row >= rows)
        return;
    float sum = 0;
    uint end = starts[row + 1];
    for (uint i = starts[row]; i < end; i++)
        sum = mad(values[i], x[columns[i]], sum);
    y[row] = sum;
}

/* Sum of elements first, first + step ... before end. */
float strided_sum(global const uint *columns, global const float *values, global const float *x, uint first, uint end,
                  uint step)
{
    float sum = 0;
    for (uint i = first; i < end; i += step)
        sum = mad(values[i], x[columns[i]], sum);
    return sum;
}

/* A row a sub-group: its lanes take every sixteenth element, 64 at a time by sub-group reads while there are so many.
 */
__attribute__((intel_reqd_sub_group_size(16))) __attribute__((reqd_work_group_size(16, 1, 1))) kernel void
subgroup_rows(global const uint *starts, global const uint *columns, global const float *values, global const float *x,
              global float *y, uint rows)
{
    uint row = get_group_id(0), lane = get_sub_group_local_id(), i = starts[row], end = starts[row + 1];
    float sum = 0;
    for (; i + 64 <= end; i += 64) {
        uint4 column = intel_sub_group_block_read4(columns + i);
        float4 value = as_float4(intel_sub_group_block_read4((global const uint *)values + i));
        sum = mad(value.x, x[column.x], sum);
        sum = mad(value.y, x[column.y], sum);
        sum = mad(value.z, x[column.z], sum);
        sum = mad(value.w, x[column.w], sum);
    }
    sum = sub_group_reduce_add(sum + strided_sum(columns, values, x, i + lane, end, 16));
    if (lane == 0)
        y[row] = sum;
}

/* Rows in blocks of at most TILE elements ("Efficient sparse matrix-vector multiplication on GPUs using the CSR storage
 * format", Greathouse and Daga, 2014): a group multiplies a block's elements into local memory, then a work item adds
 * up each row. A block of a single row may be longer: the group's sub-groups share it. */
#define TILE  512
#define ITEMS 128

__attribute__((intel_reqd_sub_group_size(16))) __attribute__((reqd_work_group_size(ITEMS, 1, 1))) kernel void
slm_blocks(global const uint *starts, global const uint *columns, global const float *values, global const float *x,
           global float *y, global const uint *blocks)
{
    local float tile[TILE];
    uint item = get_local_id(0), row = blocks[get_group_id(0)], last = blocks[get_group_id(0) + 1];
    uint first = starts[row], end = starts[last];
    if (last - row > 1) {
        for (uint i = first + item; i < end; i += ITEMS)
            tile[i - first] = values[i] * x[columns[i]];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint r = row + item; r < last; r += ITEMS) {
            float sum = 0;
            for (uint i = starts[r] - first; i < starts[r + 1] - first; i++)
                sum += tile[i];
            y[r] = sum;
        }
        return;
    }
    float sum = sub_group_reduce_add(strided_sum(columns, values, x, first + item, end, ITEMS));
    if (get_sub_group_local_id() == 0)
        tile[get_sub_group_id()] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item == 0) {
        for (uint i = 1; i < ITEMS / 16; i++)
            sum += tile[i];
        y[row] = sum;
    }
}
