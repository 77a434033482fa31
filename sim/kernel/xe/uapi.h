/* Declares the requests of Linux's xe driver: numbers, and the layout of each structure. Debian 12's headers have none
 * of them. Facts: include/uapi/drm/xe_drm.h of Linux 6.8 and later. Fields named `reserved` and `pad` must be zero. */
#ifndef CMKIT_SIM_KERNEL_XE_UAPI_H
#define CMKIT_SIM_KERNEL_XE_UAPI_H

#include <stdint.h>

/* From DRM_COMMAND_BASE on */
enum {
    XE_DEVICE_QUERY,
    XE_GEM_CREATE,
    XE_GEM_MMAP_OFFSET,
    XE_VM_CREATE,
    XE_VM_DESTROY,
    XE_VM_BIND,
    XE_EXEC_QUEUE_CREATE,
    XE_EXEC_QUEUE_DESTROY,
    XE_EXEC_QUEUE_GET_PROPERTY,
    XE_EXEC,
    XE_WAIT_USER_FENCE,
    XE_OBSERVATION,
    XE_MADVISE,
    XE_VM_QUERY_MEM_RANGE_ATTRS,
    XE_EXEC_QUEUE_SET_PROPERTY,
    XE_VM_GET_PROPERTY
};

struct xe_device_query {
    uint64_t extensions;
    uint32_t query, size; /* size 0: how many bytes the answer has */
    uint64_t data;
    uint64_t reserved[2];
};

enum {
    XE_QUERY_ENGINES,
    XE_QUERY_MEM_REGIONS,
    XE_QUERY_CONFIG,
    XE_QUERY_GT_LIST,
    XE_QUERY_HWCONFIG,
    XE_QUERY_GT_TOPOLOGY,
    XE_QUERY_ENGINE_CYCLES
};

enum xe_engine_class { XE_CLASS_RENDER, XE_CLASS_COPY, XE_CLASS_COMPUTE = 4 };

struct xe_engine_name {
    uint16_t engine_class, engine_instance, gt, pad;
};

struct xe_engine {
    struct xe_engine_name name;
    uint64_t reserved[3];
};

struct xe_engines {
    uint32_t count, pad;
    struct xe_engine rows[];
};

enum { XE_REGION_SYSTEM, XE_REGION_VRAM };

struct xe_region {
    uint16_t region_class, instance;
    uint32_t page;
    uint64_t bytes, used, visible_bytes, visible_used;
    uint64_t reserved[6];
};

struct xe_regions {
    uint32_t count, pad;
    struct xe_region rows[];
};

enum {
    XE_CONFIG_REVISION_AND_DEVICE,
    XE_CONFIG_FLAGS,
    XE_CONFIG_ALIGNMENT,
    XE_CONFIG_ADDRESS_BITS,
    XE_CONFIG_MOST_PRIORITY,
    XE_CONFIG_COUNT
};
enum { XE_CONFIG_HAS_VRAM = 1 };

struct xe_config {
    uint32_t count, pad;
    uint64_t values[XE_CONFIG_COUNT];
};

struct xe_gt {
    uint16_t type, tile, gt, pad[3]; /* type 0: the main one */
    uint32_t reference_clock;        /* Hz */
    uint64_t near_regions, far_regions;
    uint16_t version_major, version_minor, version_revision, pad2;
    uint64_t reserved[7];
};

struct xe_gt_list {
    uint32_t count, pad;
    struct xe_gt rows[];
};

enum { XE_TOPOLOGY_DSS_GEOMETRY = 1, XE_TOPOLOGY_DSS_COMPUTE, XE_TOPOLOGY_L3_BANKS, XE_TOPOLOGY_EUS_PER_DSS };

struct xe_topology {
    uint16_t gt, type;
    uint32_t bytes; /* of the mask after it */
};

struct xe_engine_cycles {
    struct xe_engine_name engine;
    int32_t clock; /* clockid_t */
    uint32_t width;
    uint64_t cycles, host_time, host_delta; /* ns */
};

struct xe_gem_create {
    uint64_t extensions, size;
    uint32_t placement; /* mask of regions */
    uint32_t flags, vm, handle;
    uint16_t cpu_caching; /* 1 write back, 2 write combined */
    uint16_t pad[3];
    uint64_t reserved[2];
};

struct xe_gem_mmap_offset {
    uint64_t extensions;
    uint32_t handle, flags;
    uint64_t offset;
    uint64_t reserved[2];
};

enum { XE_VM_SCRATCH_PAGE = 1, XE_VM_LONG_RUNNING = 2, XE_VM_FAULT_MODE = 4 };

struct xe_vm_create {
    uint64_t extensions;
    uint32_t flags, vm;
    uint64_t reserved[2];
};

struct xe_vm_destroy {
    uint32_t vm, pad;
    uint64_t reserved[2];
};

enum { XE_BIND_MAP, XE_BIND_UNMAP, XE_BIND_MAP_USER, XE_BIND_UNMAP_ALL, XE_BIND_PREFETCH };
enum { XE_BIND_READONLY = 1, XE_BIND_IMMEDIATE = 2, XE_BIND_NULL = 4, XE_BIND_DUMPABLE = 8 };

struct xe_bind_operation {
    uint64_t extensions;
    uint32_t object;
    uint16_t pat_index, pad;
    uint64_t source; /* offset in the object, or address in the program */
    uint64_t range, address;
    uint32_t operation, flags;
    uint32_t prefetch_region, pad2;
    uint64_t reserved[3];
};

struct xe_vm_bind {
    uint64_t extensions;
    uint32_t vm, queue, pad, count;
    union {
        struct xe_bind_operation one; /* count 1 */
        uint64_t list;                /* address of an array */
    };
    uint32_t pad2, sync_count;
    uint64_t syncs;
    uint64_t reserved[2];
};

enum { XE_SYNC_OBJECT, XE_SYNC_TIMELINE, XE_SYNC_USER_FENCE };
enum { XE_SYNC_SIGNAL = 1 };

struct xe_sync {
    uint64_t extensions;
    uint32_t type, flags;
    uint64_t address; /* of a user fence: on the GPU for EXEC, in the program for VM_BIND */
    uint64_t value;
    uint64_t reserved[2];
};

enum { XE_EXTENSION_SET_PROPERTY = 0 };
enum { XE_QUEUE_PRIORITY, XE_QUEUE_TIMESLICE };

struct xe_extension {
    uint64_t next;
    uint32_t name, pad;
};

struct xe_set_property {
    struct xe_extension base;
    uint32_t property, pad;
    uint64_t value;
    uint64_t reserved[2];
};

struct xe_queue_create {
    uint64_t extensions;
    uint16_t width, placements;
    uint32_t vm, flags, queue;
    uint64_t instances; /* address of width x placements engine names */
    uint64_t reserved[2];
};

struct xe_queue_destroy {
    uint32_t queue, pad;
    uint64_t reserved[2];
};

enum { XE_QUEUE_IS_BANNED = 0 };

struct xe_queue_get_property {
    uint64_t extensions;
    uint32_t queue, property;
    uint64_t value;
    uint64_t reserved[2];
};

struct xe_exec {
    uint64_t extensions;
    uint32_t queue, sync_count;
    uint64_t syncs, address;
    uint16_t batches, pad[3];
    uint64_t reserved[2];
};

enum { XE_WAIT_EQUAL, XE_WAIT_NOT_EQUAL, XE_WAIT_ABOVE, XE_WAIT_AT_LEAST, XE_WAIT_BELOW, XE_WAIT_AT_MOST };
enum { XE_WAIT_ABSOLUTE = 1 };

struct xe_wait_user_fence {
    uint64_t extensions, address;
    uint16_t operation, flags;
    uint32_t pad;
    uint64_t value, mask;
    int64_t timeout; /* ns; relative ones are counted down */
    uint32_t queue, pad2;
    uint64_t reserved[2];
};

_Static_assert(sizeof(struct xe_device_query) == 40, "as in Linux");
_Static_assert(sizeof(struct xe_engine) == 32 && sizeof(struct xe_region) == 88, "as in Linux");
_Static_assert(sizeof(struct xe_gt) == 96 && sizeof(struct xe_engine_cycles) == 40, "as in Linux");
_Static_assert(sizeof(struct xe_gem_create) == 56 && sizeof(struct xe_gem_mmap_offset) == 40, "as in Linux");
_Static_assert(sizeof(struct xe_bind_operation) == 80 && sizeof(struct xe_vm_bind) == 136, "as in Linux");
_Static_assert(sizeof(struct xe_sync) == 48 && sizeof(struct xe_set_property) == 48, "as in Linux");
_Static_assert(sizeof(struct xe_queue_create) == 48 && sizeof(struct xe_exec) == 56, "as in Linux");
_Static_assert(sizeof(struct xe_wait_user_fence) == 72, "as in Linux");

#endif
