/* Interposes OpenCL's allocation functions, so that --check knows where the program's buffers end and who writes them.
 * The calls go on to the loader. They are seen where the program is linked with the loader. */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include "sim/check/allocations.h"
#include "sim/check/buffers.h"
#include "sim/check/init.h"
#include "sim/gensim/opencl_arguments.h"
#include "sim/gensim/real.h"

#define LOADER(NAME) REAL_IN("libOpenCL.so.1", NAME)

/* --- buffers ------------------------------------------------------------------------------------------------------ */

struct owned {
    struct owned *next;
    cl_mem memory;
    struct check_buffer *buffer;
};

enum { BUCKETS = 1024 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct owned *owned[BUCKETS];

static struct owned **bucket_of(cl_mem memory)
{
    return &owned[(uintptr_t)memory / 64 % BUCKETS];
}

/* Makes `buffer` that of a new memory object, whose name an earlier one may have had. NULL: it is not known. */
static void own(cl_mem memory, struct check_buffer *buffer)
{
    pthread_mutex_lock(&lock);
    struct owned **bucket = bucket_of(memory), *each = *bucket;
    while (each && each->memory != memory)
        each = each->next;
    if (!each && buffer && (each = calloc(1, sizeof *each))) {
        each->next = *bucket;
        *bucket = each;
    }
    if (each) {
        check_buffer_release(each->buffer);
        each->memory = memory;
        each->buffer = buffer;
    } else {
        check_buffer_release(buffer);
    }
    pthread_mutex_unlock(&lock);
}

/* The program writes the memory object, or may. */
static void writes(cl_mem memory)
{
    pthread_mutex_lock(&lock);
    for (const struct owned *each = *bucket_of(memory); each; each = each->next)
        if (each->memory == memory && each->buffer)
            check_buffer_has_values(each->buffer);
    pthread_mutex_unlock(&lock);
}

static void begin(cl_mem_flags flags, size_t size, void *host, const char *function)
{
    int is_private = !(flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR));
    check_buffer_begin(size, flags & CL_MEM_USE_HOST_PTR ? host : NULL, function, is_private,
                       (flags & CL_MEM_READ_ONLY) != 0);
}

static cl_mem end(cl_mem memory)
{
    struct check_buffer *buffer = check_buffer_end();
    if (memory)
        own(memory, buffer);
    else
        check_buffer_release(buffer);
    return memory;
}

EXPORT cl_mem clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size, void *host, cl_int *error)
{
    begin(flags, size, host, "clCreateBuffer");
    return end(LOADER(clCreateBuffer)(context, flags, size, host, error));
}

EXPORT cl_mem clCreateBufferWithProperties(cl_context context, const cl_mem_properties *properties, cl_mem_flags flags,
                                           size_t size, void *host, cl_int *error)
{
    begin(flags, size, host, "clCreateBufferWithProperties");
    return end(LOADER(clCreateBufferWithProperties)(context, properties, flags, size, host, error));
}

/* Parts are written through names of their own: the whole is taken for written. */
EXPORT cl_mem clCreateSubBuffer(cl_mem memory, cl_mem_flags flags, cl_buffer_create_type type, const void *information,
                                cl_int *error)
{
    writes(memory);
    return LOADER(clCreateSubBuffer)(memory, flags, type, information, error);
}

EXPORT cl_int clEnqueueWriteBuffer(cl_command_queue queue, cl_mem memory, cl_bool waits, size_t offset, size_t size,
                                   const void *from, cl_uint count, const cl_event *list, cl_event *event)
{
    writes(memory);
    return LOADER(clEnqueueWriteBuffer)(queue, memory, waits, offset, size, from, count, list, event);
}

EXPORT cl_int clEnqueueWriteBufferRect(cl_command_queue queue, cl_mem memory, cl_bool waits, const size_t *origin,
                                       const size_t *host_origin, const size_t *region, size_t row, size_t slice,
                                       size_t host_row, size_t host_slice, const void *from, cl_uint count,
                                       const cl_event *list, cl_event *event)
{
    writes(memory);
    return LOADER(clEnqueueWriteBufferRect)(queue, memory, waits, origin, host_origin, region, row, slice, host_row,
                                            host_slice, from, count, list, event);
}

EXPORT cl_int clEnqueueFillBuffer(cl_command_queue queue, cl_mem memory, const void *pattern, size_t pattern_size,
                                  size_t offset, size_t size, cl_uint count, const cl_event *list, cl_event *event)
{
    writes(memory);
    return LOADER(clEnqueueFillBuffer)(queue, memory, pattern, pattern_size, offset, size, count, list, event);
}

EXPORT cl_int clEnqueueCopyBuffer(cl_command_queue queue, cl_mem from, cl_mem to, size_t from_offset, size_t to_offset,
                                  size_t size, cl_uint count, const cl_event *list, cl_event *event)
{
    writes(to);
    return LOADER(clEnqueueCopyBuffer)(queue, from, to, from_offset, to_offset, size, count, list, event);
}

EXPORT cl_int clEnqueueCopyBufferRect(cl_command_queue queue, cl_mem from, cl_mem to, const size_t *from_origin,
                                      const size_t *to_origin, const size_t *region, size_t from_row, size_t from_slice,
                                      size_t to_row, size_t to_slice, cl_uint count, const cl_event *list,
                                      cl_event *event)
{
    writes(to);
    return LOADER(clEnqueueCopyBufferRect)(queue, from, to, from_origin, to_origin, region, from_row, from_slice,
                                           to_row, to_slice, count, list, event);
}

EXPORT cl_int clEnqueueCopyImageToBuffer(cl_command_queue queue, cl_mem from, cl_mem to, const size_t *origin,
                                         const size_t *region, size_t offset, cl_uint count, const cl_event *list,
                                         cl_event *event)
{
    writes(to);
    return LOADER(clEnqueueCopyImageToBuffer)(queue, from, to, origin, region, offset, count, list, event);
}

EXPORT void *clEnqueueMapBuffer(cl_command_queue queue, cl_mem memory, cl_bool waits, cl_map_flags flags, size_t offset,
                                size_t size, cl_uint count, const cl_event *list, cl_event *event, cl_int *error)
{
    if (flags != CL_MAP_READ)
        writes(memory);
    return LOADER(clEnqueueMapBuffer)(queue, memory, waits, flags, offset, size, count, list, event, error);
}

/* An image over a buffer is written as an image. */
EXPORT cl_mem clCreateImage(cl_context context, cl_mem_flags flags, const cl_image_format *format,
                            const cl_image_desc *description, void *host, cl_int *error)
{
    if (description && description->mem_object)
        writes(description->mem_object);
    return LOADER(clCreateImage)(context, flags, format, description, host, error);
}

/* --- pointers ----------------------------------------------------------------------------------------------------- */

static uint64_t gpu_address(const void *pointer)
{
    return (uintptr_t)pointer & ((UINT64_C(1) << 48) - 1);
}

static void *note(void *pointer, size_t size, const char *function, unsigned properties)
{
    if (pointer)
        check_allocation_add(gpu_address(pointer), size, function, properties, NULL);
    if (pointer && properties & CHECK_PRIVATE)
        check_memory_is_fresh(gpu_address(pointer), size);
    return pointer;
}

EXPORT void *clSVMAlloc(cl_context context, cl_svm_mem_flags flags, size_t size, cl_uint alignment)
{
    return note(LOADER(clSVMAlloc)(context, flags, size, alignment), size, "clSVMAlloc", 0);
}

EXPORT void clSVMFree(cl_context context, void *pointer)
{
    LOADER(clSVMFree)(context, pointer);
    if (pointer)
        check_allocation_free(gpu_address(pointer));
}

/* The driver's functions for unified memory, which programs look up by name. */
typedef void *allocate_host(cl_context, const cl_properties *, size_t, cl_uint, cl_int *);
typedef void *allocate_device(cl_context, cl_device_id, const cl_properties *, size_t, cl_uint, cl_int *);
typedef cl_int free_memory(cl_context, void *);
typedef cl_int copy_memory(cl_command_queue, cl_bool, void *, const void *, size_t, cl_uint, const cl_event *,
                           cl_event *);
typedef cl_int fill_memory(cl_command_queue, void *, const void *, size_t, size_t, cl_uint, const cl_event *,
                           cl_event *);

static allocate_host *real_host;
static allocate_device *real_device, *real_shared;
static free_memory *real_free, *real_blocking_free;
typedef cl_int set_pointer(cl_kernel, cl_uint, const void *);
static set_pointer *real_pointer;
static copy_memory *real_copy;
static fill_memory *real_fill;

static void *host_memory(cl_context context, const cl_properties *properties, size_t size, cl_uint alignment,
                         cl_int *error)
{
    return note(real_host(context, properties, size, alignment, error), size, "clHostMemAllocINTEL", 0);
}

static void *device_memory(cl_context context, cl_device_id device, const cl_properties *properties, size_t size,
                           cl_uint alignment, cl_int *error)
{
    return note(real_device(context, device, properties, size, alignment, error), size, "clDeviceMemAllocINTEL",
                CHECK_PRIVATE);
}

static void *shared_memory(cl_context context, cl_device_id device, const cl_properties *properties, size_t size,
                           cl_uint alignment, cl_int *error)
{
    return note(real_shared(context, device, properties, size, alignment, error), size, "clSharedMemAllocINTEL", 0);
}

static cl_int freed(cl_int error, const void *pointer)
{
    if (error == CL_SUCCESS && pointer)
        check_allocation_free(gpu_address(pointer));
    return error;
}

static cl_int free_now(cl_context context, void *pointer)
{
    return freed(real_free(context, pointer), pointer);
}

static cl_int free_after_use(cl_context context, void *pointer)
{
    return freed(real_blocking_free(context, pointer), pointer);
}

/* The driver may copy on the host. */
static cl_int copy(cl_command_queue queue, cl_bool waits, void *to, const void *from, size_t size, cl_uint count,
                   const cl_event *list, cl_event *event)
{
    check_memory_has_values(gpu_address(to), size);
    return real_copy(queue, waits, to, from, size, count, list, event);
}

static cl_int fill(cl_command_queue queue, void *to, const void *pattern, size_t pattern_size, size_t size,
                   cl_uint count, const cl_event *list, cl_event *event)
{
    check_memory_has_values(gpu_address(to), size);
    return real_fill(queue, to, pattern, pattern_size, size, count, list, event);
}

static cl_int pointer_argument(cl_kernel kernel, cl_uint index, const void *pointer)
{
    cl_int error = real_pointer(kernel, index, pointer);
    if (error == CL_SUCCESS)
        opencl_arguments_pointer(kernel, index, pointer);
    return error;
}

/* Returns our function in place of the driver's, which it calls. */
static void *replace(const char *name, void *real)
{
    static const struct {
        const char *name;
        void *real, *own;
    } functions[] = {{"clHostMemAllocINTEL", &real_host, (void *)host_memory},
                     {"clDeviceMemAllocINTEL", &real_device, (void *)device_memory},
                     {"clSharedMemAllocINTEL", &real_shared, (void *)shared_memory},
                     {"clMemFreeINTEL", &real_free, (void *)free_now},
                     {"clMemBlockingFreeINTEL", &real_blocking_free, (void *)free_after_use},
                     {"clSetKernelArgMemPointerINTEL", &real_pointer, (void *)pointer_argument},
                     {"clEnqueueMemcpyINTEL", &real_copy, (void *)copy},
                     {"clEnqueueMemFillINTEL", &real_fill, (void *)fill}};
    for (size_t i = 0; real && name && i < sizeof functions / sizeof *functions; i++)
        if (strcmp(functions[i].name, name) == 0) {
            memcpy(functions[i].real, &real, sizeof real);
            return functions[i].own;
        }
    return real;
}

EXPORT void *clGetExtensionFunctionAddressForPlatform(cl_platform_id platform, const char *name)
{
    char vendor[64] = "";
    void *real = LOADER(clGetExtensionFunctionAddressForPlatform)(platform, name);
    LOADER(clGetPlatformInfo)(platform, CL_PLATFORM_VENDOR, sizeof vendor, vendor, NULL);
    return strncmp(vendor, "Intel", 5) == 0 ? replace(name, real) : real;
}
