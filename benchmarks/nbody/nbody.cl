/* One step of n bodies that attract each other: (x, y, z, mass) in a float4, velocities likewise. */
#pragma OPENCL EXTENSION cl_intel_subgroups : enable

/* force += what a body at `other` does to one at `at` */
float3 attract(float4 at, float4 other, float softening, float3 force)
{
    float3 d = other.xyz - at.xyz;
    float inverse = native_rsqrt(mad(d.z, d.z, mad(d.y, d.y, mad(d.x, d.x, softening))));
    float pull = inverse * inverse * (inverse * other.w);
    return mad(d, (float3)pull, force);
}

void move(global const float4 *velocities, global float4 *new_places, global float4 *new_velocities, uint i, float4 at,
          float3 force, float step)
{
    float4 speed = velocities[i];
    speed.xyz = mad(force, (float3)step, speed.xyz);
    at.xyz = mad(speed.xyz, (float3)step, at.xyz);
    new_velocities[i] = speed;
    new_places[i] = at;
}

/* A body a work item. */
kernel void naive(global const float4 *places, global const float4 *velocities, global float4 *new_places,
                  global float4 *new_velocities, uint count, float softening, float step)
{
    uint i = get_global_id(0);
    float4 at = places[i];
    float3 force = 0;
    for (uint j = 0; j < count; j++)
        force = attract(at, places[j], softening, force);
    move(velocities, new_places, new_velocities, i, at, force, step);
}

/* The same; the group brings 256 bodies at a time to local memory. */
#define TILE 256

__attribute__((reqd_work_group_size(TILE, 1, 1))) kernel void
slm(global const float4 *places, global const float4 *velocities, global float4 *new_places,
    global float4 *new_velocities, uint count, float softening, float step)
{
    local float4 tile[TILE];
    uint i = get_global_id(0), item = get_local_id(0);
    float4 at = places[i];
    float3 force = 0;
    for (uint j = 0; j < count; j += TILE) {
        barrier(CLK_LOCAL_MEM_FENCE);
        tile[item] = places[j + item];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint k = 0; k < TILE; k++)
            force = attract(at, tile[k], softening, force);
    }
    move(velocities, new_places, new_velocities, i, at, force, step);
}

/* EACH bodies a work item; the sub-group has sixteen others in its lanes at a time. */
#define SUBGROUP(NAME, EACH)                                                                                           \
    __attribute__((intel_reqd_sub_group_size(16))) __attribute__((reqd_work_group_size(16, 1, 1))) kernel void NAME(   \
        global const float4 *places, global const float4 *velocities, global float4 *new_places,                       \
        global float4 *new_velocities, uint count, float softening, float step)                                        \
    {                                                                                                                  \
        uint lane = get_sub_group_local_id(), first = get_group_id(0) * 16 * EACH + lane;                              \
        float4 at[EACH];                                                                                               \
        float3 force[EACH];                                                                                            \
        for (uint e = 0; e < EACH; e++) {                                                                              \
            at[e] = places[first + e * 16];                                                                            \
            force[e] = 0;                                                                                              \
        }                                                                                                              \
        for (uint j = 0; j < count; j += 16) {                                                                         \
            float4 others = places[j + lane];                                                                          \
            __attribute__((opencl_unroll_hint)) for (uint k = 0; k < 16; k++) {                                        \
                float4 other = (float4)(sub_group_broadcast(others.x, k), sub_group_broadcast(others.y, k),            \
                                        sub_group_broadcast(others.z, k), sub_group_broadcast(others.w, k));           \
                for (uint e = 0; e < EACH; e++)                                                                        \
                    force[e] = attract(at[e], other, softening, force[e]);                                             \
            }                                                                                                          \
        }                                                                                                              \
        for (uint e = 0; e < EACH; e++)                                                                                \
            move(velocities, new_places, new_velocities, first + e * 16, at[e], force[e], step);                       \
    }

SUBGROUP(subgroup, 1)
SUBGROUP(subgroup_64, 4)
