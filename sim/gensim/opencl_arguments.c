/* Interposes the functions of OpenCL around arguments of kernels: see opencl_arguments.h. Programs that set arguments
 * through the loader are seen. A kernel that is cloned begins without known arguments. */
#include "sim/gensim/opencl_arguments.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include "sim/check/allocations.h"
#include "sim/check/locals.h"
#include "sim/gensim/freed_argument.h"
#include "sim/gensim/real.h"

#define LOADER(NAME) REAL_IN("libOpenCL.so.1", NAME)

struct argument {
    struct argument *next;
    cl_kernel kernel;
    cl_uint index;
    cl_mem memory;    /* a memory object, or a number that looks like one; NULL: it is a pointer */
    uint64_t address; /* of memory that a pointer points to; 0: to none */
    bool is_released; /* the memory object */
};

enum { BUCKETS = 256 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct argument *arguments[BUCKETS];
static atomic_bool follows;

static struct argument **bucket_of(cl_kernel kernel)
{
    return &arguments[(uintptr_t)kernel / 64 % BUCKETS];
}

void opencl_arguments_follow(void)
{
    atomic_store(&follows, true);
}

static void set(cl_kernel kernel, cl_uint index, cl_mem memory, uint64_t address)
{
    pthread_mutex_lock(&lock);
    struct argument **bucket = bucket_of(kernel), *each = *bucket;
    while (each && (each->kernel != kernel || each->index != index))
        each = each->next;
    if (!each && (memory || address) && (each = calloc(1, sizeof *each))) {
        each->next = *bucket;
        *bucket = each;
    }
    if (each)
        *each = (struct argument){each->next, kernel, index, memory, address, false};
    pthread_mutex_unlock(&lock);
}

void opencl_arguments_pointer(cl_kernel kernel, cl_uint index, const void *pointer)
{
    if (atomic_load(&follows))
        set(kernel, index, NULL, (uintptr_t)pointer & ((UINT64_C(1) << 48) - 1));
}

/* A kernel is new: an earlier one may have had its name. */
static void forget(cl_kernel kernel)
{
    if (!kernel || !atomic_load(&follows))
        return;
    pthread_mutex_lock(&lock);
    for (struct argument **each = bucket_of(kernel); *each;) {
        struct argument *gone = *each;
        if (gone->kernel != kernel) {
            each = &gone->next;
            continue;
        }
        *each = gone->next;
        free(gone);
    }
    pthread_mutex_unlock(&lock);
}

static void mark_released(cl_mem memory)
{
    pthread_mutex_lock(&lock);
    for (unsigned k = 0; k < BUCKETS; k++)
        for (struct argument *each = arguments[k]; each; each = each->next)
            each->is_released |= each->memory == memory;
    pthread_mutex_unlock(&lock);
}

/* ---- launches ---- */

static void check_launch(cl_kernel kernel)
{
    char name[128] = "";
    pthread_mutex_lock(&lock);
    for (const struct argument *each = *bucket_of(kernel); each; each = each->next) {
        if (each->kernel != kernel || !(each->memory ? each->is_released : check_allocation_is_freed(each->address)))
            continue;
        if (!name[0])
            LOADER(clGetKernelInfo)(kernel, CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL);
        freed_argument_report(name, each->index, each->address);
    }
    pthread_mutex_unlock(&lock);
}

/* ---- OpenCL's functions ---- */

EXPORT cl_kernel clCreateKernel(cl_program program, const char *name, cl_int *error)
{
    cl_kernel kernel = LOADER(clCreateKernel)(program, name, error);
    forget(kernel);
    return kernel;
}

EXPORT cl_int clCreateKernelsInProgram(cl_program program, cl_uint room, cl_kernel *kernels, cl_uint *count)
{
    cl_uint made = 0;
    cl_int error = LOADER(clCreateKernelsInProgram)(program, room, kernels, &made);
    for (cl_uint k = 0; error == CL_SUCCESS && kernels && k < made && k < room; k++)
        forget(kernels[k]);
    if (count)
        *count = made;
    return error;
}

EXPORT cl_kernel clCloneKernel(cl_kernel kernel, cl_int *error)
{
    cl_kernel copy = LOADER(clCloneKernel)(kernel, error);
    forget(copy);
    return copy;
}

EXPORT cl_int clSetKernelArg(cl_kernel kernel, cl_uint index, size_t size, const void *value)
{
    cl_int error = LOADER(clSetKernelArg)(kernel, index, size, value);
    if (error == CL_SUCCESS && atomic_load(&follows)) {
        cl_mem memory = NULL;
        if (size == sizeof memory && value)
            memcpy(&memory, value, sizeof memory);
        set(kernel, index, memory, 0);
        char name[256];
        if (size && !value &&
            LOADER(clGetKernelInfo)(kernel, CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL) == CL_SUCCESS)
            check_locals_set(name, index, size);
    }
    return error;
}

EXPORT cl_int clSetKernelArgSVMPointer(cl_kernel kernel, cl_uint index, const void *pointer)
{
    cl_int error = LOADER(clSetKernelArgSVMPointer)(kernel, index, pointer);
    if (error == CL_SUCCESS)
        opencl_arguments_pointer(kernel, index, pointer);
    return error;
}

EXPORT cl_int clReleaseMemObject(cl_mem memory)
{
    cl_uint count = 0;
    bool asks = atomic_load(&follows) && memory;
    if (asks && LOADER(clGetMemObjectInfo)(memory, CL_MEM_REFERENCE_COUNT, sizeof count, &count, NULL) == CL_SUCCESS &&
        count == 1)
        mark_released(memory);
    return LOADER(clReleaseMemObject)(memory);
}

EXPORT cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *offset,
                                     const size_t *size, const size_t *group, cl_uint count, const cl_event *list,
                                     cl_event *event)
{
    if (atomic_load(&follows))
        check_launch(kernel);
    return LOADER(clEnqueueNDRangeKernel)(queue, kernel, dimensions, offset, size, group, count, list, event);
}
