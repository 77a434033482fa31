/* C = A * B for row-major matrices of floats: rows and columns are multiples of 64, the depth one of 16.
 *
 * The textbook's tiled form, the load for `./dev bench sim`: a group of 16 x 16 work-items computes a 64 x 64 tile of
 * C. It brings a 64 x 16 tile of A and a 16 x 64 tile of B into local memory, and each work-item multiplies them into 4
 * x 4 sums that it keeps in registers. */
#define TILE 64
#define DEPTH 16
#define SIDE 16 /* work-items along a side of the group */
#define EACH 4  /* sums along a side of a work-item's block */

__attribute__((reqd_work_group_size(SIDE, SIDE, 1)))
__attribute__((intel_reqd_sub_group_size(16)))
kernel void sgemm(global const float *a, global const float *b, global float *c, uint columns, uint depth)
{
    local float tile_a[DEPTH][TILE]; /* transposed: a work-item's four rows lie side by side */
    local float tile_b[DEPTH][TILE];
    uint x = get_local_id(0), y = get_local_id(1);
    uint row = get_group_id(1) * TILE, column = get_group_id(0) * TILE;
    float sum[EACH][EACH] = {{0}};

    for (uint k = 0; k < depth; k += DEPTH) {
        for (uint i = 0; i < EACH; i++) {
            tile_a[x][y + SIDE * i] = a[(row + y + SIDE * i) * depth + k + x];
            tile_b[y][x + SIDE * i] = b[(k + y) * columns + column + x + SIDE * i];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint n = 0; n < DEPTH; n++) {
            float4 rows = vload4(y, tile_a[n]);
            float4 of_b;
            for (uint j = 0; j < EACH; j++)
                of_b[j] = tile_b[n][x + SIDE * j];
            for (uint i = 0; i < EACH; i++)
                for (uint j = 0; j < EACH; j++)
                    sum[i][j] = fma(rows[i], of_b[j], sum[i][j]);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (uint i = 0; i < EACH; i++)
        for (uint j = 0; j < EACH; j++)
            c[(row + EACH * y + i) * columns + column + x + SIDE * j] = sum[i][j];
}
