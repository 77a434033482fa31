/* A nine-point stencil, one step, in OpenCL C; beyond the image its edge counts again. */

#ifdef FAMILY_stencil
#undef HEIGHT /* of the plain kernel's groups, which the host makes */
#endif
#ifndef ROWS /* `cmbench tune` compiles one kernel with others */
#define ROWS    16
#define SIZE    16
#define COLUMNS 16
#define HEIGHT  8
#endif

#define RESULT(SELF, SIDES, CORNERS) ((SELF) * centre + (SIDES) * side + (CORNERS) * corner)

/* A pixel a work item, nine loads. Groups of 16x16. */
__kernel void stencil(const __global float *in, __global float *out, int width, int height, float centre, float side,
                      float corner)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x >= width || y >= height)
        return;
    int left = max(x - 1, 0), right = min(x + 1, width - 1);
    const __global float *above = in + max(y - 1, 0) * width, *here = in + y * width,
                         *below = in + min(y + 1, height - 1) * width;
    out[y * width + x] = RESULT(here[x], here[left] + here[right] + above[x] + below[x],
                                above[left] + above[right] + below[left] + below[right]);
}

#if !defined FAMILY_stencil_subgroup && !defined FAMILY_stencil_media_block
#ifdef FAMILY_stencil_slm
#define ITEM ROWS
#else
#define ITEM 8
#endif
/* Tiles of 16 x 64 pixels and their border in local memory, a work item computes eight rows of a column, as SHOC's
 * stencil does. Groups of 16x8. */
__attribute__((reqd_work_group_size(COLUMNS, HEIGHT, 1))) __kernel void stencil_slm(const __global float *in,
                                                                                    __global float *out, int width,
                                                                                    int height, float centre,
                                                                                    float side, float corner)
{
    enum { TILE = ITEM * HEIGHT, PITCH = COLUMNS + 2 };
    __local float tile[TILE + 2][PITCH];
    int column = get_local_id(0), lane = get_local_id(1) * COLUMNS + column, x0 = get_group_id(0) * COLUMNS,
        y0 = get_group_id(1) * TILE;
    for (int i = lane; i < (TILE + 2) * PITCH; i += COLUMNS * HEIGHT)
        tile[i / PITCH][i % PITCH] =
            in[clamp(y0 - 1 + i / PITCH, 0, height - 1) * width + clamp(x0 - 1 + i % PITCH, 0, width - 1)];
    barrier(CLK_LOCAL_MEM_FENCE);
    int row = get_local_id(1) * ITEM, x = x0 + column;
    float above = tile[row][column + 1], above_sides = tile[row][column] + tile[row][column + 2];
    float here = tile[row + 1][column + 1], here_sides = tile[row + 1][column] + tile[row + 1][column + 2];
#pragma unroll
    for (int i = 0; i < ITEM; i++) {
        float below = tile[row + i + 2][column + 1],
              below_sides = tile[row + i + 2][column] + tile[row + i + 2][column + 2];
        int y = y0 + row + i;
        if (x < width && y < height)
            out[y * width + x] = RESULT(here, here_sides + above + below, above_sides + below_sides);
        above = here;
        above_sides = here_sides;
        here = below;
        here_sides = below_sides;
    }
}

#endif

#if !defined FAMILY_stencil_slm && !defined FAMILY_stencil_media_block
/* A sub-group computes 16 columns and 16 rows. Each row is one block read, and the two pixels beside it are read by two
 * lanes; neighbours come by shuffles. Rows at the left and right edge of the image take the slow way. Groups of 16x1.
 */
__attribute__((intel_reqd_sub_group_size(SIZE))) __attribute__((reqd_work_group_size(SIZE, 1, 1))) __kernel void
stencil_subgroup(const __global float *in, __global float *out, int width, int height, float centre, float side,
                 float corner)
{
    int lane = get_sub_group_local_id(), x0 = get_group_id(0) * SIZE, y0 = get_group_id(1) * ROWS, x = x0 + lane;
    int inner = x0 > 0 && x0 + SIZE + 1 <= width;
    float row[ROWS + 2], sides[ROWS + 2];
#pragma unroll
    for (int i = 0; i < ROWS + 2; i++) {
        const __global float *from = in + clamp(y0 - 1 + i, 0, height - 1) * width;
        if (inner) {
            row[i] = as_float(intel_sub_group_block_read((const __global uint *)(from + x0)));
            float edge = from[lane < SIZE / 2 ? x0 - 1 : x0 + SIZE];
            sides[i] = intel_sub_group_shuffle_up(edge, row[i], 1) + intel_sub_group_shuffle_down(row[i], edge, 1);
            /* shuffle_up takes the last lane of its first operand, shuffle_down the first of its second */
            sides[i] = lane == 0 ? intel_sub_group_shuffle(edge, 0) + intel_sub_group_shuffle(row[i], 1)
                       : lane == SIZE - 1
                           ? intel_sub_group_shuffle(row[i], SIZE - 2) + intel_sub_group_shuffle(edge, SIZE - 1)
                           : sides[i];
        } else {
            row[i] = from[min(x, width - 1)];
            sides[i] = from[clamp(x - 1, 0, width - 1)] + from[min(x + 1, width - 1)];
        }
    }
#pragma unroll
    for (int i = 0; i < ROWS; i++)
        if (x < width && y0 + i < height)
            out[(y0 + i) * width + x] = RESULT(row[i + 1], sides[i + 1] + row[i] + row[i + 2], sides[i] + sides[i + 2]);
}
#endif

#if !defined FAMILY_stencil_slm && !defined FAMILY_stencil_subgroup

/* cl_intel_media_block_io; Debian's ocloc has the functions but not their declarations. */
uint8 __attribute__((overloadable)) intel_sub_group_media_block_read_ui8(int2 at, int width, int rows,
                                                                         read_only image2d_t image);
void __attribute__((overloadable)) intel_sub_group_media_block_write_ui8(int2 at, int width, int rows, uint8 pixels,
                                                                         write_only image2d_t image);

/* Media block reads: a sub-group of 8, because blocks are 32 bytes wide at most, computes 8 columns and 16 rows from
 * three images of the rows, as they are and shifted by one to either side. The hardware repeats the edge and cuts the
 * writes. Groups of 8x1. */
__attribute__((intel_reqd_sub_group_size(8))) __attribute__((reqd_work_group_size(8, 1, 1))) __kernel void
stencil_media_block(__read_only image2d_t in, __write_only image2d_t out, float centre, float side, float corner)
{
    int x = get_group_id(0) * 32, y = get_group_id(1) * ROWS;
    float row[ROWS + 8], sides[ROWS + 8];
#pragma unroll
    for (int i = 0; i < ROWS + 8; i += 8) {
        float8 here = as_float8(intel_sub_group_media_block_read_ui8((int2)(x, y - 1 + i), 8, 8, in));
        float8 both = as_float8(intel_sub_group_media_block_read_ui8((int2)(x - 4, y - 1 + i), 8, 8, in)) +
                      as_float8(intel_sub_group_media_block_read_ui8((int2)(x + 4, y - 1 + i), 8, 8, in));
        vstore8(here, 0, row + i);
        vstore8(both, 0, sides + i);
    }
#pragma unroll
    for (int i = 0; i < ROWS; i += 8) {
        float result[8];
#pragma unroll
        for (int k = i; k < i + 8; k++)
            result[k - i] = RESULT(row[k + 1], sides[k + 1] + row[k] + row[k + 2], sides[k] + sides[k + 2]);
        intel_sub_group_media_block_write_ui8((int2)(x, y + i), 8, 8, as_uint8(vload8(0, result)), out);
    }
}
#endif
