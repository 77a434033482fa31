/* Defines the interface of a kernel library for this machine (cmc -march=host): its exports, and the functions that the
 * loading program provides.
 *
 * A library exports `cm_host_kernels`, an array of pointers to descriptors that ends with NULL. One call of a
 * descriptor's entry runs one thread of the launch from start to end; calls on different host threads may run at the
 * same time. Kernel globals are thread_local, so threads of a group that meet at a barrier need host threads of their
 * own. include/cm/detail/host/host.h declares the same structures for kernels; test/unit/frontend compares the two. */
#ifndef CMKIT_TABLES_HOST_ABI_H
#define CMKIT_TABLES_HOST_ABI_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CM_HOST_ABI_VERSION 6

/* Memory of a surface argument. A buffer has width, height, pitch and pixel 0. Reads of a buffer outside `size` return
 * 0 and writes there are dropped. An image clamps reads to its edge and drops writes outside. */
struct cm_host_surface {
    void *base;
    uint64_t size;   /* bytes */
    uint32_t width;  /* bytes in a row that belong to the image */
    uint32_t height; /* rows */
    uint32_t pitch;  /* bytes from row to row, at least width */
    uint32_t pixel;  /* bytes in a pixel, which a clamped read repeats */
    uint32_t texel;  /* bytes in a texel, the unit of typed accesses and the sampler; 0: the format is not known */
    uint32_t channels, encoding; /* of a texel: 1 to 4 of the same size; enum cm_host_encoding */
    uint32_t further_count; /* an image with several planes: number of planes after this one, which has no texels */
    const struct cm_host_surface *further;
    uint32_t dimensions, depth; /* of an image with texels: 1 to 3; slices, 1 without a third dimension */
    uint64_t slice;             /* bytes from slice to slice */
};

enum cm_host_encoding { CM_HOST_UNORM, CM_HOST_SNORM, CM_HOST_UINT, CM_HOST_SINT, CM_HOST_FLOAT };

/* How a sampler reads images: enum cmrt_sampler_address, enum cmrt_sampler_filter, and whether coordinate 1 is the
 * image's size. */
struct cm_host_sampler {
    uint32_t address, filter, normalized;
};

/* One thread of a launch. */
struct cm_host_thread {
    uint32_t group_id[3], group_count[3];
    uint32_t local_id[3], local_size[3];
    const struct cm_host_surface *surfaces;
    uint64_t surface_count;
    const struct cm_host_sampler *samplers; /* as many as surfaces; only entries of sampler arguments are set */
    struct cm_host_surface shared;          /* local memory of the group, at least 128 KB: surface 254 */
    uint64_t serial;                        /* number of the group in its launch: distinguishes runs of a thread */
    /* Waits for the other threads of the group. */
    void (*barrier)(void *context);
    /* The kernel cannot go on (a surface handle that does not exist); must not return. */
    void (*fail)(void *context, const char *reason);
    void *context;
};

enum cm_host_kind {
    CM_HOST_SURFACE, /* 4 bytes: index into surfaces */
    CM_HOST_SAMPLER, /* 4 bytes: index into samplers */
    CM_HOST_SVMPTR,  /* 8 bytes: an address in this process */
    CM_HOST_POINTER, /* 8 bytes: the same, declared as T* */
    CM_HOST_VALUE,   /* `bytes` bytes */
    CM_HOST_LOCAL,   /* 8 bytes: an offset in cm_host_thread.shared, after its first 128 KB */
};

struct cm_host_argument {
    uint32_t kind;
    uint32_t bytes;
    const char *type;     /* text of [[type("...")]], "" if it has none. For a surface: "buffer_t",
                           * "image2d_media_block_t" if accessed in blocks, "image2d_t ..." or the like if accessed by
                           * texels; "": not known */
    const char *declared; /* the C++ type as written */
    const char *name;
};

struct cm_host_kernel {
    uint32_t version; /* CM_HOST_ABI_VERSION */
    uint32_t argument_count;
    const char *name;
    const struct cm_host_argument *arguments;
    /* arguments[i] points to the value of argument i; also exported as cm_host_entry_NAME */
    void (*entry)(void **arguments, const struct cm_host_thread *thread);
};

#ifdef __cplusplus
}
#endif
#endif
