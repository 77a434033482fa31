/* Defines kernels by hand in the form in which cmc compiles them for the host (tables/host_abi.h). */
#include "tables/host_abi.h"

#include <stddef.h>
#include <string.h>

extern const struct cm_host_kernel *const cm_host_kernels[];

static uint32_t group_number(const struct cm_host_thread *t)
{
    return t->group_id[0] + t->group_count[0] * (t->group_id[1] + t->group_count[1] * t->group_id[2]);
}

static uint32_t local_number(const struct cm_host_thread *t)
{
    return t->local_id[0] + t->local_size[0] * (t->local_id[1] + t->local_size[1] * t->local_id[2]);
}

/* out[thread] = scale * thread; arguments: address, value */
static void number(void **arguments, const struct cm_host_thread *t)
{
    uint32_t *out, scale, size = t->local_size[0] * t->local_size[1] * t->local_size[2];
    uint32_t index = group_number(t) * size + local_number(t);
    memcpy(&out, arguments[0], sizeof out);
    memcpy(&scale, arguments[1], sizeof scale);
    out[index] = scale * index;
}

/* Each thread writes its number, and after a barrier reads its neighbour's, twice; arguments: address, address */
static void neighbours(void **arguments, const struct cm_host_thread *t)
{
    uint32_t *shared, *out, me = local_number(t), size = t->local_size[0], base = group_number(t) * size;
    memcpy(&shared, arguments[0], sizeof shared);
    memcpy(&out, arguments[1], sizeof out);
    for (uint32_t round = 1; round <= 2; round++) {
        shared[base + me] = round * 100 + me;
        t->barrier(t->context);
        out[base + me] += shared[base + (me + 1) % size];
        t->barrier(t->context);
    }
}

/* Row by row from one image to another; arguments: image, image */
static void copy(void **arguments, const struct cm_host_thread *t)
{
    uint32_t from, to;
    memcpy(&from, arguments[0], sizeof from);
    memcpy(&to, arguments[1], sizeof to);
    if (from >= t->surface_count || to >= t->surface_count)
        t->fail(t->context, "no such surface");
    const struct cm_host_surface *source = &t->surfaces[from], *target = &t->surfaces[to];
    memcpy((char *)target->base + t->group_id[0] * target->pitch, (char *)source->base + t->group_id[0] * source->pitch,
           source->width);
}

/* One thread of a group exits while the others wait for it at a barrier; argument: value */
static void give_up(void **arguments, const struct cm_host_thread *t)
{
    (void)arguments;
    if (local_number(t) == 1)
        t->fail(t->context, "gave up");
    t->barrier(t->context);
}

static const struct cm_host_argument pointer_and_value[] = {{CM_HOST_SVMPTR, 8, "svmptr_t", "svmptr_t", "to"},
                                                            {CM_HOST_VALUE, 4, "", "unsigned", "n"}};
static const struct cm_host_argument two_pointers[] = {{CM_HOST_POINTER, 8, "", "unsigned *", "from"},
                                                       {CM_HOST_POINTER, 8, "", "unsigned *", "to"}};
static const struct cm_host_argument two_images[] = {
    {CM_HOST_SURFACE, 4, "image2d_media_block_t", "SurfaceIndex", "from"},
    {CM_HOST_SURFACE, 4, "image2d_media_block_t", "SurfaceIndex", "to"}};

static const struct cm_host_kernel kernels[] = {
    {CM_HOST_ABI_VERSION, 2, "number", pointer_and_value, number},
    {CM_HOST_ABI_VERSION, 2, "neighbours", two_pointers, neighbours},
    {CM_HOST_ABI_VERSION, 2, "copy", two_images, copy},
    {CM_HOST_ABI_VERSION, 1, "give_up", pointer_and_value + 1, give_up},
};
const struct cm_host_kernel *const cm_host_kernels[] = {&kernels[0], &kernels[1], &kernels[2], &kernels[3], NULL};
