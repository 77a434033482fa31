/* Repeats the kernels of the published figures in checks.def, in the same form at small sizes. */
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif

/* clpeak: two chains of multiply-adds that feed each other. */
#define REAL(A, B, C) mad(A, B, C)
#define WRAP(A, B, C) ((A) * (B) + (C))
#define SUM(A, B, C)  ((A) + (B))
#define CHAIN_2(MAD, X, Y)                                                                                             \
    X = MAD(Y, X, Y);                                                                                                  \
    Y = MAD(X, Y, X);
#define CHAIN_8(MAD, X, Y)  CHAIN_2(MAD, X, Y) CHAIN_2(MAD, X, Y) CHAIN_2(MAD, X, Y) CHAIN_2(MAD, X, Y)
#define CHAIN_16(MAD, X, Y) CHAIN_8(MAD, X, Y) CHAIN_8(MAD, X, Y)
#define COMPUTE(NAME, TYPE, MAD, ROUNDS)                                                                               \
    kernel void NAME(global TYPE *out, int step)                                                                       \
    {                                                                                                                  \
        TYPE x = (TYPE)step, y = (TYPE)get_local_id(0);                                                                \
        for (int round = 0; round < ROUNDS; round++) {                                                                 \
            CHAIN_16(MAD, x, y)                                                                                        \
        }                                                                                                              \
        out[get_global_id(0)] = y;                                                                                     \
    }
COMPUTE(mad_float, float, REAL, 128)
COMPUTE(mad_half, half, REAL, 128)
COMPUTE(mad_char, char, WRAP, 32)
COMPUTE(mad_short, short, WRAP, 128)
COMPUTE(mad_int, int, WRAP, 64)
COMPUTE(mad_long, long, WRAP, 16)
COMPUTE(add_float, float, SUM, 128)
COMPUTE(add_int, int, SUM, 128)
COMPUTE(add_half, half, SUM, 128)
#ifdef cl_khr_fp64
COMPUTE(mad_double, double, REAL, 64)
#endif

/* ProjectPhysX's integers: two or four elements at a time. One factor starts from the local id, whose upper half is 0,
 * so a compiler that sees this computes half of the elements; the published rates count all. */
#define PAIRS(NAME, TYPE, START, ROUNDS, RESULT)                                                                       \
    kernel void NAME(global float *out, int step)                                                                      \
    {                                                                                                                  \
        TYPE x = START((uint)get_global_id(0)), y = START((uint)get_local_id(0));                                      \
        for (uint i = 0; i < ROUNDS; i++) {                                                                            \
            CHAIN_2(WRAP, x, y)                                                                                        \
        }                                                                                                              \
        out[get_global_id(0)] = RESULT(y);                                                                             \
    }
#define LOW_FLOAT(Y) as_float((int)(Y))
PAIRS(pairs_short, short2, as_short2, 128, as_float)
PAIRS(pairs_char, char4, as_char4, 64, as_float)
PAIRS(pairs_long, long, (long), 8, LOW_FLOAT)

/* clpeak issue 202: other chains of multiply-adds, of one variable and of four. */
kernel void mad_square(global float *out, float c)
{
    float x = get_local_id(0) * c;
    for (int i = 0; i < 128; i++) {
        x = mad(x, x, c), x = mad(x, x, c), x = mad(x, x, c), x = mad(x, x, c);
        x = mad(x, x, c), x = mad(x, x, c), x = mad(x, x, c), x = mad(x, x, c);
    }
    out[get_global_id(0)] = x;
}
kernel void mad_four(global float *out, float c)
{
    float a = c * 0.5f, w = get_local_id(0) * c, x = w + 1, y = w + 2, z = w + 3;
    for (int i = 0; i < 256; i++) {
        w = mad(a, w, c), x = mad(a, x, c), y = mad(a, y, c), z = mad(a, z, c);
    }
    out[get_global_id(0)] = w + x + y + z;
}

/* clpeak's bandwidth and copies: each work item moves 16 vectors of four floats. */
kernel void stream_read(global const float4 *in, global float *out)
{
    size_t at = get_group_id(0) * get_local_size(0) * 16 + get_local_id(0);
    float4 sum = 0;
    for (int i = 0; i < 16; i++)
        sum += in[at + i * get_local_size(0)];
    out[get_global_id(0)] = sum.s0 + sum.s1 + sum.s2 + sum.s3;
}

kernel void stream_write(global float4 *out)
{
    out[get_global_id(0)] = (float4)(get_local_id(0));
}

kernel void stream_copy(global const float *in, global float *out)
{
    out[get_global_id(0)] = in[get_global_id(0)] * 2.0f;
}

/* The same small piece again and again: it stays in L3. */
kernel void l3_read(global const float4 *in, global float *out, int rounds)
{
    float4 sum = 0;
    for (int i = 0; i < rounds; i++)
        sum += in[(get_global_id(0) + i * 4099) & 16383];
    out[get_global_id(0)] = sum.s0 + sum.s1 + sum.s2 + sum.s3;
}

/* The same by block messages, of two lines each: what comes nearest to the path's ceiling. */
#pragma OPENCL EXTENSION cl_intel_subgroups : enable
__attribute__((intel_reqd_sub_group_size(16))) kernel void l3_blocks(global const uint *in, global uint *out,
                                                                     int rounds)
{
    uint8 sum = 0;
    uint at = (get_global_id(0) / 16) * 128;
    for (int i = 0; i < rounds; i++)
        sum += intel_sub_group_block_read8(in + ((at + i * 4096) & 0xff80));
    out[get_global_id(0)] = sum.s0 + sum.s1 + sum.s2 + sum.s3 + sum.s4 + sum.s5 + sum.s6 + sum.s7;
}

/* perftest: loads of one to four dwords of a small buffer, side by side or at the work item's own place; `first` is 1
 * where they are not aligned. The places are those of perftest's hash: sixteen neighbours in another order. */
#define RAW(NAME, TYPE, LOAD, PLACE)                                                                                   \
    kernel void NAME(global const uint *in, global uint *out, uint mask, uint first)                                   \
    {                                                                                                                  \
        local uint sums[256];                                                                                          \
        uint sum = 0, start = PLACE;                                                                                   \
        for (uint i = 0; i < 256; i++) {                                                                               \
            uint at = ((start + i) | mask) * (sizeof(TYPE) / 4) + first;                                               \
            sum += LOAD;                                                                                               \
        }                                                                                                              \
        sums[get_local_id(0)] = sum;                                                                                   \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                                  \
        if (sums[(get_local_id(0) + 1) & 255] == 0x12345678)                                                           \
            out[get_global_id(0)] = sum;                                                                               \
    }
#define LINEAR    ((uint)get_local_id(0))
#define SCATTERED ((uint)get_local_id(0) * 0x3504f333u & 0xf)
RAW(raw1_linear, uint, in[at], LINEAR)
RAW(raw1_random, uint, in[at], SCATTERED)
RAW(raw2_linear, uint2, vload2(0, in + at).s0 + vload2(0, in + at).s1, LINEAR)
RAW(raw2_random, uint2, vload2(0, in + at).s0 + vload2(0, in + at).s1, SCATTERED)
typedef struct {
    uint a, b, c;
} three;
RAW(raw3_linear, three, in[at] + in[at + 1] + in[at + 2], LINEAR)
RAW(raw3_random, three, in[at] + in[at + 1] + in[at + 2], SCATTERED)
uint sum_4(uint4 v)
{
    return v.s0 + v.s1 + v.s2 + v.s3;
}
RAW(raw4_linear, uint4, sum_4(vload4(0, in + at)), LINEAR)
RAW(raw4_random, uint4, sum_4(vload4(0, in + at)), SCATTERED)

/* perftest: loads of a texture by groups of 16 x 16. Integers: OpenCL flushes denormals of floats from images. */
kernel void texture_linear(read_only image2d_t in, global uint *out, uint mask)
{
    local uint sums[16][16];
    uint4 sum = 0;
    uint left = get_local_id(0), top = get_local_id(1);
    for (uint y = 0; y < 16; y++)
        for (uint x = 0; x < 16; x++)
            sum += read_imageui(in, (int2)((left + x) | mask, (top + y) | mask));
    sums[top][left] = sum.s0 + sum.s1 + sum.s2 + sum.s3;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (sums[(top + 1) & 15][left] == 0x12345678)
        out[get_global_id(0)] = sum.s0;
}

/* azhirnov: a copy of an image of four floats. */
kernel void copy_image(read_only image2d_t in, write_only image2d_t out)
{
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    write_imagef(out, at, read_imagef(in, at));
}

/* pti-gpu: the naive product. */
kernel void gemm_naive(global const float *a, global const float *b, global float *c, int size)
{
    int j = get_global_id(0), i = get_global_id(1);
    float sum = 0;
    for (int k = 0; k < size; k++)
        sum += a[i * size + k] * b[k * size + j];
    c[i * size + j] = sum;
}

/* All lanes add to one dword. */
kernel void atomic_same(global uint *counter)
{
    for (int i = 0; i < 16; i++)
        atomic_xchg(counter, (uint)get_local_id(0) + i); /* the compiler joins the lanes' sums, but not these */
}

/* HeCBench bitonic sort: one pass. */
kernel void bitonic_pass(global int *data, int distance, int length)
{
    int i = get_global_id(0), other = i ^ distance;
    if (other > i) {
        int a = data[i], b = data[other];
        if ((i & length) ? a < b : a > b) {
            data[i] = b;
            data[other] = a;
        }
    }
}

/* HeCBench iso2dfd: a step of a wave equation, radius 1. */
kernel void iso2dfd(global float *next, global const float *prev, global const float *vel, float dxy, int rows,
                    int columns)
{
    int x = get_global_id(0), y = get_global_id(1), at = y * columns + x;
    if (x < 1 || x >= columns - 1 || y < 1 || y >= rows - 1)
        return;
    float value = prev[at + 1] - 2.0f * prev[at] + prev[at - 1];
    value += prev[at + columns] - 2.0f * prev[at] + prev[at - columns];
    value *= dxy * vel[at];
    next[at] = 2.0f * prev[at] - next[at] + value;
}

/* HeCBench haccmk: one thread's loop over positions and masses. */
kernel void haccmk(global const float *xx, global const float *yy, global const float *zz, global const float *mass,
                   global float *vx, global float *vy, global float *vz, float fsrmax, float mp_rsm, float fcoeff,
                   int n)
{
    const float ma0 = 0.269327f, ma1 = -0.0750978f, ma2 = 0.0114808f, ma3 = -0.00109313f, ma4 = 0.0000605491f,
                ma5 = -0.00000147177f;
    int i = get_global_id(0);
    float xi = 0, yi = 0, zi = 0, x0 = xx[i], y0 = yy[i], z0 = zz[i];
    for (int j = 0; j < n; j++) {
        float dxc = xx[j] - x0, dyc = yy[j] - y0, dzc = zz[j] - z0;
        float r2 = dxc * dxc + dyc * dyc + dzc * dzc;
        float m = (r2 < fsrmax) ? mass[j] : 0.0f;
        float f = r2 + mp_rsm;
        f = m * (1.0f / (f * sqrt(f)) - (ma0 + r2 * (ma1 + r2 * (ma2 + r2 * (ma3 + r2 * (ma4 + r2 * ma5))))));
        xi += f * dxc;
        yi += f * dyc;
        zi += f * dzc;
    }
    vx[i] += xi * fcoeff;
    vy[i] += yi * fcoeff;
    vz[i] += zi * fcoeff;
}

/* HeCBench nbody: particles of ten floats. */
typedef struct {
    float pos[3], vel[3], acc[3], mass;
} particle;
kernel void nbody(global particle *p, int n)
{
    int i = get_global_id(0);
    float a0 = 0, a1 = 0, a2 = 0;
    for (int j = 0; j < n; j++) {
        float dx = p[j].pos[0] - p[i].pos[0], dy = p[j].pos[1] - p[i].pos[1], dz = p[j].pos[2] - p[i].pos[2];
        float square = dx * dx + dy * dy + dz * dz + 1e-3f;
        float inverse = 1.0f / sqrt(square);
        float force = 6.67259e-11f * p[j].mass * inverse * inverse * inverse;
        a0 += dx * force;
        a1 += dy * force;
        a2 += dz * force;
    }
    p[i].acc[0] = a0;
    p[i].acc[1] = a1;
    p[i].acc[2] = a2;
}

/* HeCBench gamma correction: three bytes in, the luminance's power, four bytes out. */
kernel void gamma_correction(global uchar *pixels)
{
    size_t at = get_global_id(0) * 4;
    float v = (0.3f * pixels[at] + 0.59f * pixels[at + 1] + 0.11f * pixels[at + 2]) / 255.0f;
    uchar result = (uchar)(255.0f * v * v);
    result = result > 255.0f ? 255.0f : result;
    pixels[at] = result;
    pixels[at + 1] = result;
    pixels[at + 2] = result;
    pixels[at + 3] = 255;
}

/* HeCBench Lomb-Scargle: sines and cosines of each frequency over all samples. */
kernel void lombscargle(global const float *x, global const float *y, global const float *freqs, global float *pgram,
                        int samples)
{
    int f = get_global_id(0);
    float freq = freqs[f], xc = 0, xs = 0, cc = 0, ss = 0, cs = 0;
    for (int j = 0; j < samples; j++) {
        float c, s = sincos(freq * x[j], &c);
        xc += y[j] * c;
        xs += y[j] * s;
        cc += c * c;
        ss += s * s;
        cs += c * s;
    }
    float tau = atan2(2.0f * cs, cc - ss) / (2.0f * freq), c, s = sincos(freq * tau, &c);
    pgram[f] = 0.5f * ((c * xc + s * xs) * (c * xc + s * xs) / (c * c * cc + 2.0f * c * s * cs + s * s * ss));
}

/* HeCBench mandelbrot: 100 x 100 points, 100 iterations. */
kernel void mandelbrot(global int *counts)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x >= 100 || y >= 100)
        return;
    float cr = 1.5f / 100 * x - 1.5f + 0.25f, ci = 2.0f / 100 * y - 1.0f, zr = 0, zi = 0;
    int i = 0;
    for (; i < 100 && zr * zr + zi * zi < 4.0f; i++) {
        float t = zr * zr - zi * zi + cr;
        zi = 2.0f * zr * zi + ci;
        zr = t;
    }
    counts[y * 100 + x] = i;
}

/* HeCBench Black-Scholes: structures in, one price out. */
typedef struct {
    int type;
    float strike, spot, q, r, t, vol, value, tol;
} option_data;
float normal_cdf(float x)
{
    return 0.5f * (1.0f + erf(x * 0.70710678f));
}
kernel void blackscholes(global const option_data *options, global float *prices)
{
    option_data o = options[get_global_id(0)];
    float sd = o.vol * sqrt(o.t), forward = o.spot * exp((o.r - o.q) * o.t);
    float d1 = log(forward / o.strike) / sd + 0.5f * sd, d2 = d1 - sd, discount = exp(-o.r * o.t);
    float sign = o.type == 0 ? 1.0f : -1.0f;
    prices[get_global_id(0)] = discount * sign * (forward * normal_cdf(sign * d1) - o.strike * normal_cdf(sign * d2));
}

/* HeCBench popcount: its five methods. */
ulong byte_sums(ulong x)
{
    x -= (x >> 1) & 0x5555555555555555ul;
    x = (x & 0x3333333333333333ul) + ((x >> 2) & 0x3333333333333333ul);
    return (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0ful;
}
kernel void popcount_shifts(global const ulong *in, global int *out)
{
    ulong x = byte_sums(in[get_global_id(0)]);
    x += x >> 8;
    x += x >> 16;
    x += x >> 32;
    out[get_global_id(0)] = x & 0x7f;
}
kernel void popcount_product(global const ulong *in, global int *out)
{
    out[get_global_id(0)] = (byte_sums(in[get_global_id(0)]) * 0x0101010101010101ul) >> 56;
}
kernel void popcount_lowest(global const ulong *in, global int *out)
{
    char count = 0;
    for (ulong x = in [get_global_id(0)]; x; x &= x - 1)
        count++;
    out[get_global_id(0)] = count;
}
kernel void popcount_bits(global const ulong *in, global int *out)
{
    ulong x = in[get_global_id(0)];
    char count = 0;
    for (char i = 0; i < 64; i++) {
        count += x & 1;
        x >>= 1;
    }
    out[get_global_id(0)] = count;
}
kernel void popcount_table(global const ulong *in, global int *out, constant uchar *counts)
{
    ulong x = in[get_global_id(0)];
    int sum = 0;
    for (int i = 0; i < 64; i += 8)
        sum += counts[x >> i & 0xff];
    out[get_global_id(0)] = sum;
}

/* HeCBench pathfinder: five rows of a grid for each group, through local memory. */
kernel void pathfinder(global const int *wall, global const int *from, global int *to, int columns, int rows)
{
    local int before[250], after[250];
    int lane = get_local_id(0), size = get_local_size(0), first = (size - 2 * rows) * (int)get_group_id(0) - rows;
    int column = first + lane, last = first + size - 1;
    int least = first < 0 ? -first : 0, most = last > columns - 1 ? size - 1 - (last - columns + 1) : size - 1;
    int left = max(lane - 1, least), right = min(lane + 1, most);
    bool valid = lane >= least && lane <= most, computed = false;
    if (column >= 0 && column < columns)
        before[lane] = from[column];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < rows; i++) {
        computed = lane > i && lane < size - 1 - i && valid;
        if (computed)
            after[lane] = min(min(before[left], before[lane]), before[right]) + wall[columns * i + column];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (i == rows - 1)
            break;
        if (computed)
            before[lane] = after[lane];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (computed)
        to[column] = after[lane];
}

/* HeCBench affine: a rotated picture of 16-bit gray, four neighbours interpolated. */
kernel void affine(global const ushort *in, global ushort *out)
{
    const int size = 512;
    const float a = 0.5f * 0.8660254f, c = 0.5f * 0.5f, d = 0.5f, determinant = a * d;
    int y = get_global_id(1), x = get_global_id(0);
    float fx = d / determinant * (x - size / 2) + size / 2;
    float fy = (-c * (x - size / 2) + a * (y - size / 2)) / determinant + size / 2;
    int m = (int)floor(fx), n = (int)floor(fy);
    float u = fx - m, v = fy - n, gray = 0;
    if (m >= 0 && m + 1 < size && n >= 0 && n + 1 < size)
        gray = (1 - v) * ((1 - u) * in[n * size + m] + u * in[n * size + m + 1]) +
               v * ((1 - u) * in[(n + 1) * size + m] + u * in[(n + 1) * size + m + 1]);
    out[y * size + x] = (ushort)gray;
}

/* FluidX3D: a step of a lattice of 19 densities a cell, each in an array of its own, and a byte of flags. Densities
 * come from neighbours and go to the cell. */
kernel void lattice(global const float *from, global float *to, global const uchar *flags, uint cells, uint row,
                    uint plane)
{
    const int dx[19] = {0, 1, -1, 0, 0, 0, 0, 1, -1, 1, -1, 0, 0, 1, -1, 1, -1, 0, 0};
    const int dy[19] = {0, 0, 0, 1, -1, 0, 0, 1, -1, 0, 0, 1, -1, -1, 1, 0, 0, 1, -1};
    const int dz[19] = {0, 0, 0, 0, 0, 1, -1, 0, 0, 1, -1, 1, -1, 0, 0, -1, 1, -1, 1};
    uint cell = get_global_id(0);
    if (flags[cell])
        return;
    float f[19], density = 0, ux = 0, uy = 0, uz = 0;
#pragma unroll
    for (int i = 0; i < 19; i++) {
        f[i] = from[i * cells + (cell + dx[i] + dy[i] * (int)row + dz[i] * (int)plane) % cells];
        density += f[i];
        ux += dx[i] * f[i];
        uy += dy[i] * f[i];
        uz += dz[i] * f[i];
    }
    float inverse = 1.0f / (density + 1.0f);
    ux *= inverse, uy *= inverse, uz *= inverse;
    float square = 1.5f * (ux * ux + uy * uy + uz * uz);
#pragma unroll
    for (int i = 0; i < 19; i++) {
        float along = 3.0f * (dx[i] * ux + dy[i] * uy + dz[i] * uz);
        float weight = i == 0 ? 1.0f / 3 : i < 7 ? 1.0f / 18 : 1.0f / 36;
        to[i * cells + cell] = 0.5f * f[i] + 0.5f * weight * (density * (1 + along + 0.5f * along * along - square));
    }
}

/* HeCBench maxpool3d: 2 x 2 windows of each channel. */
kernel void maxpool(global const float *in, global float *out, int width, int height)
{
    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    int wide = width * 2, base = z * wide * height * 2 + y * 2 * wide + x * 2;
    float a = max(in[base], in[base + 1]), b = max(in[base + wide], in[base + wide + 1]);
    out[(z * height + y) * width + x] = max(max(a, b), -1e30f);
}

/* oneAPI-samples sepia filter: three bytes in, three out. */
kernel void sepia(global const uchar *in, global uchar *out)
{
    size_t at = get_global_id(0) * 3;
    float r = 0.393f * in[at] + 0.769f * in[at + 1] + 0.189f * in[at + 2];
    float g = 0.349f * in[at] + 0.686f * in[at + 1] + 0.168f * in[at + 2];
    float b = 0.272f * in[at] + 0.534f * in[at + 1] + 0.131f * in[at + 2];
    out[at] = r > 255 ? 255 : r;
    out[at + 1] = g > 255 ? 255 : g;
    out[at + 2] = b > 255 ? 255 : b;
}

/* azhirnov: a select against a branch; the condition is the same for a group, or for each work item another. */
#define WORK(V) V = ((V * 1.1f + 0.2f) * V + 0.3f) * V + 0.1f;
#define BRANCHING(NAME, CONDITION, BODY)                                                                               \
    kernel void NAME(global float *out, int groups)                                                                    \
    {                                                                                                                  \
        float a = get_local_id(0) * 0.001f, b = a + 0.5f;                                                              \
        for (int i = 0; i < 128; i++) {                                                                                \
            bool condition = CONDITION;                                                                                \
            BODY                                                                                                       \
        }                                                                                                              \
        out[get_global_id(0)] = a + b;                                                                                 \
    }
#define SELECT                                                                                                         \
    float c = a, d = b, s = condition ? 1.0f : 0.0f;                                                                   \
    WORK(c)                                                                                                            \
    WORK(d)                                                                                                            \
    a = a + (c - a) * s;                                                                                               \
    b = b + (d - b) * (1.0f - s);
#define BRANCH                                                                                                         \
    if (condition) {                                                                                                   \
        WORK(a)                                                                                                        \
    } else {                                                                                                           \
        WORK(b)                                                                                                        \
    }
#define UNIFORM   (((int)get_group_id(0) + i) & groups)
#define DIVERGENT (((int)get_local_id(0) + i) & 1)
BRANCHING(select_uniform, UNIFORM, SELECT)
BRANCHING(branch_uniform, UNIFORM, BRANCH)
BRANCHING(select_divergent, DIVERGENT, SELECT)
BRANCHING(branch_divergent, DIVERGENT, BRANCH)

/* merklize-sha: SHA-1 of two digests of 20 bytes. */
kernel void sha1(global const uint *in, global uint *out)
{
    size_t id = get_global_id(0);
    uint w[80], h[5] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
    for (int i = 0; i < 10; i++)
        w[i] = in[id * 10 + i];
    w[10] = 0x80000000;
    for (int i = 11; i < 15; i++)
        w[i] = 0;
    w[15] = 320;
#pragma unroll
    for (int i = 16; i < 80; i++)
        w[i] = rotate(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1u);
    uint a = h[0], b = h[1], c = h[2], d = h[3], e = h[4];
#pragma unroll
    for (int i = 0; i < 80; i++) {
        uint f = i < 20 ? (b & c) | (~b & d) : i < 40 ? b ^ c ^ d : i < 60 ? (b & c) | (b & d) | (c & d) : b ^ c ^ d;
        uint k = i < 20 ? 0x5a827999 : i < 40 ? 0x6ed9eba1 : i < 60 ? 0x8f1bbcdc : 0xca62c1d6;
        uint t = rotate(a, 5u) + f + e + k + w[i];
        e = d;
        d = c;
        c = rotate(b, 30u);
        b = a;
        a = t;
    }
    out[id * 5] = h[0] + a;
    out[id * 5 + 1] = h[1] + b;
    out[id * 5 + 2] = h[2] + c;
    out[id * 5 + 3] = h[3] + d;
    out[id * 5 + 4] = h[4] + e;
}

/* The end of a round of SHA-2: the state moves on by a word. */
#define SHA_SHIFT(S, T1, T2)                                                                                           \
    S[7] = S[6];                                                                                                       \
    S[6] = S[5];                                                                                                       \
    S[5] = S[4];                                                                                                       \
    S[4] = S[3] + T1;                                                                                                  \
    S[3] = S[2];                                                                                                       \
    S[2] = S[1];                                                                                                       \
    S[1] = S[0];                                                                                                       \
    S[0] = T1 + T2

/* merklize-sha: the 64-bit hashes, one block. The constants' values do not matter to the time. */
kernel void sha512(global const ulong *in, global ulong *out, ulong k0)
{
    size_t id = get_global_id(0);
    ulong w[16], s[8];
    for (int i = 0; i < 12; i++)
        w[i] = in[id * 12 + i];
    w[12] = 0x8000000000000000ul;
    w[13] = w[14] = 0;
    w[15] = 768;
    for (int i = 0; i < 8; i++)
        s[i] = k0 * (i + 1);
    for (int round = 0; round < 5; round++) {
#pragma unroll
        for (int i = 0; i < 16; i++) {
            ulong s1 = rotate(s[4], 50ul) ^ rotate(s[4], 46ul) ^ rotate(s[4], 23ul);
            ulong ch = (s[4] & s[5]) ^ (~s[4] & s[6]);
            ulong t1 = s[7] + s1 + ch + (k0 + i) + w[i];
            ulong s0 = rotate(s[0], 36ul) ^ rotate(s[0], 30ul) ^ rotate(s[0], 25ul);
            ulong t2 = s0 + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
            SHA_SHIFT(s, t1, t2);
            ulong a = w[(i + 1) & 15], b = w[(i + 14) & 15];
            w[i] += w[(i + 9) & 15] + (rotate(a, 63ul) ^ rotate(a, 56ul) ^ (a >> 7)) +
                    (rotate(b, 45ul) ^ rotate(b, 3ul) ^ (b >> 6));
        }
    }
    for (int i = 0; i < 6; i++)
        out[id * 6 + i] = s[i];
}

/* hashcat's inner loops: candidates that differ in one word, no memory. */
kernel void sha256(global uint *out, uint k0, int candidates)
{
    uint found = 0;
    for (int n = 0; n < candidates; n++) {
        uint w[16], s[8];
        for (int i = 0; i < 16; i++)
            w[i] = i ? k0 * i : (uint)get_global_id(0) + n;
        for (int i = 0; i < 8; i++)
            s[i] = k0 * (i + 3);
#pragma unroll
        for (int i = 0; i < 64; i++) {
            uint s1 = rotate(s[4], 26u) ^ rotate(s[4], 21u) ^ rotate(s[4], 7u);
            uint t1 = s[7] + s1 + bitselect(s[6], s[5], s[4]) + (k0 + i) + w[i & 15];
            uint s0 = rotate(s[0], 30u) ^ rotate(s[0], 19u) ^ rotate(s[0], 10u);
            uint t2 = s0 + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
            SHA_SHIFT(s, t1, t2);
            uint a = w[(i + 1) & 15], b = w[(i + 14) & 15];
            w[i & 15] += w[(i + 9) & 15] + (rotate(a, 25u) ^ rotate(a, 14u) ^ (a >> 3)) +
                         (rotate(b, 15u) ^ rotate(b, 13u) ^ (b >> 10));
        }
        found |= s[0] == 0x12345678;
    }
    out[get_global_id(0)] = found;
}

/* merklize-sha: SHA3-224 of two digests of 28 bytes, one permutation. The constants' values do not matter to the time.
 */
kernel void sha3(global const ulong *in, global ulong *out, global const ulong *constants)
{
    size_t id = get_global_id(0);
    ulong s[25];
    const uchar turn[24] = {1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 2, 14, 27, 41, 56, 8, 25, 43, 62, 18, 39, 61, 20, 44};
    const uchar next[24] = {10, 7, 11, 17, 18, 3, 5, 16, 8, 21, 24, 4, 15, 23, 19, 13, 12, 2, 20, 14, 22, 9, 6, 1};
#pragma unroll
    for (int i = 0; i < 25; i++)
        s[i] = i < 7 ? in[id * 7 + i] : i == 7 ? 6ul : i == 17 ? 0x8000000000000000ul : 0;
    for (int round = 0; round < 24; round++) {
        ulong column[5];
#pragma unroll
        for (int x = 0; x < 5; x++)
            column[x] = s[x] ^ s[x + 5] ^ s[x + 10] ^ s[x + 15] ^ s[x + 20];
#pragma unroll
        for (int x = 0; x < 5; x++) {
            ulong mixed = column[(x + 4) % 5] ^ rotate(column[(x + 1) % 5], 1ul);
#pragma unroll
            for (int y = 0; y < 25; y += 5)
                s[x + y] ^= mixed;
        }
        ulong carried = s[1];
#pragma unroll
        for (int i = 0; i < 24; i++) {
            ulong here = s[next[i]];
            s[next[i]] = rotate(carried, (ulong)turn[i]);
            carried = here;
        }
#pragma unroll
        for (int y = 0; y < 25; y += 5) {
            ulong row[5] = {s[y], s[y + 1], s[y + 2], s[y + 3], s[y + 4]};
#pragma unroll
            for (int x = 0; x < 5; x++)
                s[y + x] = row[x] ^ (~row[(x + 1) % 5] & row[(x + 2) % 5]);
        }
        s[0] ^= constants[round];
    }
#pragma unroll
    for (int i = 0; i < 4; i++)
        out[id * 4 + i] = s[i];
}

/* hashcat: MD5 of four candidates at a time. */
kernel void md5(global uint *out, uint k0, int candidates)
{
    const uchar turn[16] = {7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21};
    uint4 found = 0;
    for (int n = 0; n < candidates; n++) {
        uint4 w0 = (uint)get_global_id(0) * 4 + (uint4)(0, 1, 2, 3) + n * 0x10001u;
        uint4 a = k0, b = k0 * 3, c = k0 * 5, d = k0 * 7;
#pragma unroll
        for (int i = 0; i < 64; i++) {
            int word = i < 16 ? i : i < 32 ? (5 * i + 1) & 15 : i < 48 ? (3 * i + 5) & 15 : (7 * i) & 15;
            uint4 f = i < 16 ? bitselect(d, c, b) : i < 32 ? bitselect(c, b, d) : i < 48 ? b ^ c ^ d : c ^ (b | ~d);
            uint4 sum = a + f + k0 * (uint)(i + 11);
            sum = word ? sum + k0 * (uint)(word + 99) : sum + w0;
            a = d;
            d = c;
            c = b;
            b += rotate(sum, (uint4)turn[i / 16 * 4 + i % 4]);
        }
        found |= convert_uint4(a == 0x12345678u);
    }
    out[get_global_id(0)] = found.s0 | found.s1 | found.s2 | found.s3;
}

/* hashcat: SHA-512, as sha256. */
kernel void sha512_candidates(global uint *out, ulong k0, int candidates)
{
    uint found = 0;
    for (int n = 0; n < candidates; n++) {
        ulong w[16], s[8];
        for (int i = 0; i < 16; i++)
            w[i] = i ? k0 * i : (ulong)get_global_id(0) + n;
        for (int i = 0; i < 8; i++)
            s[i] = k0 * (i + 3);
#pragma unroll
        for (int i = 0; i < 80; i++) {
            ulong s1 = rotate(s[4], 50ul) ^ rotate(s[4], 46ul) ^ rotate(s[4], 23ul);
            ulong t1 = s[7] + s1 + bitselect(s[6], s[5], s[4]) + (k0 + i) + w[i & 15];
            ulong s0 = rotate(s[0], 36ul) ^ rotate(s[0], 30ul) ^ rotate(s[0], 25ul);
            ulong t2 = s0 + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
            SHA_SHIFT(s, t1, t2);
            ulong a = w[(i + 1) & 15], b = w[(i + 14) & 15];
            w[i & 15] += w[(i + 9) & 15] + (rotate(a, 63ul) ^ rotate(a, 56ul) ^ (a >> 7)) +
                         (rotate(b, 45ul) ^ rotate(b, 3ul) ^ (b >> 6));
        }
        found |= s[0] == 0x12345678;
    }
    out[get_global_id(0)] = found;
}

/* azhirnov: eight bilinear samples a pixel, around a place that its coordinates' hash gives. */
constant sampler_t wrapped = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_LINEAR;
float fraction(float x)
{
    return x - floor(x);
}
kernel void texture_random(read_only image2d_t in, global uint *out)
{
    float x = get_global_id(0), y = get_global_id(1);
    float a = fraction(x * 0.1031f), b = fraction(y * 0.1030f), c = fraction(x * 0.0973f);
    float sum = a * (b + 33.33f) + b * (c + 33.33f) + c * (a + 33.33f);
    a += sum, b += sum, c += sum;
    float u = fraction((a + b) * c) + x / get_global_size(0) * 0.1f;
    float v = fraction((a + c) * b) + y / get_global_size(1) * 0.1f;
    float4 color = read_imagef(in, wrapped, (float2)(u, v));
    color += read_imagef(in, wrapped, (float2)(u + 0.1f, v + 0.5f));
    color += read_imagef(in, wrapped, (float2)(u + 0.2f, v + 0.6f));
    color += read_imagef(in, wrapped, (float2)(u + 0.3f, v + 0.7f));
    color += read_imagef(in, wrapped, (float2)(u + 0.4f, v + 0.8f));
    color += read_imagef(in, wrapped, (float2)(u + 0.5f, v + 0.9f));
    color += read_imagef(in, wrapped, (float2)(u + 0.6f, v + 0.1f));
    color += read_imagef(in, wrapped, (float2)(u + 0.7f, v + 0.2f));
    uchar4 written = convert_uchar4_sat(color * (0.001f * 255 / 8));
    out[get_global_id(1) * get_global_size(0) + get_global_id(0)] = as_uint(written);
}

#ifdef cl_khr_fp64
/* HeCBench su3: products of 3 x 3 complex matrices, 36 work items for the four of a site, which fills 640 bytes. */
typedef struct {
    double2 link[4][3][3];
    int rest[16];
} lattice_site;
kernel void su3(global const lattice_site *a, global const double2 *b, global lattice_site *c, uint sites)
{
    size_t id = get_global_id(0), i = id / 36;
    if (i >= sites)
        return;
    int j = (id % 36) / 9, k = (id % 9) / 3, l = id % 3;
    double2 sum = 0;
    for (int m = 0; m < 3; m++) {
        double2 x = a[i].link[j][k][m], y = b[(j * 3 + m) * 3 + l];
        sum += (double2)(x.s0 * y.s0 - x.s1 * y.s1, x.s0 * y.s1 + x.s1 * y.s0);
    }
    c[i].link[j][k][l] = sum;
}

/* HeCBench transpose: 1,2,3,4,5,6 to 2,3,4,6,1,5 of 41 x 13 x 11 x 9 x 76 x 50. `zero` stands for the tables of shapes
 * and strides, which the published kernel reads from memory: its words are added to the numbers. */
#define TABLE(I, A, B, C) ((I == 0 ? A : I == 1 ? B : C) + zero[I])
kernel void transpose(global const double *in, global double *out, global const int *zero, int blocks)
{
    local double tile[5900];
    const int count = 41 * 13 * 11;
    for (int block = get_group_id(0); block < blocks; block += get_num_groups(0)) {
        int it = block, from = 0;
        for (int i = 0; i < 3; i++) {
            int im = it * (1.0f / (i == 0 ? 9 : i == 1 ? 76 : 50) + as_float(zero[i]));
            from += TABLE(i, 13 * 11, 13 * 11 * 9 * 50 * 41, 13 * 11 * 9) * (it - im * TABLE(i, 9, 76, 50));
            it = im;
        }
        for (int i = get_local_id(0); i < count; i += get_local_size(0))
            tile[i] = in[i + block * count];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int i = get_local_id(0); i < count; i += get_local_size(0)) {
            int to = 0, at = 0;
            it = i;
            for (int j = 0; j < 3; j++) {
                int im = it * (1.0f / (j == 0 ? 13 : j == 1 ? 11 : 41) + as_float(zero[j]));
                int part = it - im * TABLE(j, 13, 11, 41);
                to += TABLE(j, 1, 13, 13 * 11 * 9 * 50) * part;
                at += TABLE(j, 41, 41 * 13, 1) * part;
                it = im;
            }
            out[from + to] = tile[at];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
#endif

/* HeCBench murmurhash3: keys of 0 to 9999 bytes, 5000 in the mean, taken byte by byte. */
ulong eight_bytes(global const uchar *p)
{
    ulong sum = 0;
    for (int n = 0; n < 8; n++)
        sum |= (ulong)p[n] << 8 * n;
    return sum;
}
kernel void murmur(global const uchar *keys, global ulong *out)
{
    uint id = get_global_id(0), length = (id * 2654435761u >> 8) % 10000;
    global const uchar *key = keys + id * 5000;
    const ulong c1 = 0x87c37b91114253d5ul, c2 = 0x4cf5ad432745937ful;
    ulong h1 = id, h2 = id;
    for (uint i = 0; i < length / 16; i++) {
        ulong k1 = eight_bytes(key + 16 * i), k2 = eight_bytes(key + 16 * i + 8);
        h1 ^= rotate(k1 * c1, 31ul) * c2;
        h1 = (rotate(h1, 27ul) + h2) * 5 + 0x52dce729;
        h2 ^= rotate(k2 * c2, 33ul) * c1;
        h2 = (rotate(h2, 31ul) + h1) * 5 + 0x38495ab5;
    }
    out[2 * id] = h1 ^ length;
    out[2 * id + 1] = h2 ^ length;
}

/* azhirnov: four octaves of value noise in three dimensions, each point from the hashes of its cell's corners. */
float corner(float x, float y, float z)
{
    float a = fraction(x * 0.1031f), b = fraction(y * 0.1031f), c = fraction(z * 0.1031f);
    float sum = a * (c + 33.33f) + b * (b + 33.33f) + c * (a + 33.33f);
    return fraction((a + sum + b + sum) * (c + sum)) * 2.0f - 1.0f;
}
float value_noise(float x, float y, float z)
{
    float left = floor(x), top = floor(y), front = floor(z), u = x - left, v = y - top, w = z - front;
    u *= u * (3.0f - 2.0f * u), v *= v * (3.0f - 2.0f * v), w *= w * (3.0f - 2.0f * w);
    float side[2];
    for (int i = 0; i < 2; i++) {
        float near = mix(corner(left, top + i, front), corner(left + 1, top + i, front), u);
        float far = mix(corner(left, top + i, front + 1), corner(left + 1, top + i, front + 1), u);
        side[i] = mix(near, far, w);
    }
    return mix(side[0], side[1], v);
}
kernel void fbm(global uint *out, float scale)
{
    float x = (get_global_id(0) * 2.0f / get_global_size(0) - 1.0f) * scale, sum = 0, size = 1;
    float y = (get_global_id(1) * 2.0f / get_global_size(1) - 1.0f) * scale, z = scale;
    for (int octave = 0; octave < 4; octave++) {
        sum += value_noise(x, y, z) * size;
        x *= 5, y *= 5, z *= 5;
        size *= 1.0f;
    }
    out[get_global_id(1) * get_global_size(0) + get_global_id(0)] = as_uint(convert_uchar4_sat((float4)(sum * 255.0f)));
}
