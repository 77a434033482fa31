/* The CM runtime's C++ interface over libcmrt: host programs that were written for Intel's cm_rt.h compile unchanged
 * and load what cmc makes (a zebin or SPIR-V in place of the .isa file). Names, argument lists and result codes are
 * those of Intel's CM runtime for Linux. docs/guide/cm-rt.md says what is there and what is not.
 *
 * Objects belong to their device: those that were not destroyed end with it. Like Intel's, this interface is for one
 * thread at a time. Link with libcmrt (-lcmrt). */
#ifndef CMKIT_CM_RT_H
#define CMKIT_CM_RT_H

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iostream> /* programs rely on this and on the four below */
#include <math.h>
#include <memory>
#include <stdio.h>
#include <stdlib.h>
#include <string>
#include <string.h>
#include <vector>
#include <cmkit/cmrt.h>

typedef int INT;
typedef unsigned int UINT;
typedef unsigned int DWORD;
typedef unsigned char BYTE;
typedef unsigned long long UINT64;
typedef unsigned long long ULONGLONG;

#define CM_RT_API
#define CM_1_0                             100
#define CM_2_0                             200
#define CM_3_0                             300
#define CM_4_0                             400
#define CM_5_0                             500
#define CM_6_0                             600
#define CM_7_0                             700
#define CURRENT_CM_VERSION                 CM_7_0
#define CM_MAX_TIMEOUT_MS                  2000
#define CM_KERNEL_FUNCTION(...)            #__VA_ARGS__
#define CM_ALIGNED_MALLOC(SIZE, ALIGNMENT) ::cmkit::cm_rt::aligned(SIZE, ALIGNMENT)
#define CM_ALIGNED_FREE(POINTER)           ::std::free(POINTER)

/* Result codes, as Intel numbers them. */
enum CM_RETURN_CODE {
    CM_SUCCESS = 0,
    CM_FAILURE = -1,
    CM_NOT_IMPLEMENTED = -2,
    CM_SURFACE_ALLOCATION_FAILURE = -3,
    CM_OUT_OF_HOST_MEMORY = -4,
    CM_SURFACE_FORMAT_NOT_SUPPORTED = -5,
    CM_EXCEED_SURFACE_AMOUNT = -6,
    CM_EXCEED_KERNEL_ARG_AMOUNT = -7,
    CM_EXCEED_KERNEL_ARG_SIZE_IN_BYTE = -8,
    CM_INVALID_ARG_INDEX = -9,
    CM_INVALID_ARG_VALUE = -10,
    CM_INVALID_ARG_SIZE = -11,
    CM_INVALID_THREAD_INDEX = -12,
    CM_INVALID_WIDTH = -13,
    CM_INVALID_HEIGHT = -14,
    CM_INVALID_DEPTH = -15,
    CM_INVALID_COMMON_ISA = -16,
    CM_EXCEED_SAMPLER_AMOUNT = -20,
    CM_EXCEED_MAX_KERNEL_PER_ENQUEUE = -21,
    CM_INVALID_THREAD_SPACE = -25,
    CM_EXCEED_MAX_TIMEOUT = -26,
    CM_INVALID_THREAD_GROUP_SPACE = -30,
    CM_INTEL_GFX_NOTFOUND = -40,
    CM_INVALID_GENX_BINARY = -50,
    CM_NULL_POINTER = -90
};

enum CM_STATUS {
    CM_STATUS_QUEUED = 0,
    CM_STATUS_FLUSHED = 1,
    CM_STATUS_FINISHED = 2,
    CM_STATUS_STARTED = 3,
    CM_STATUS_RESET = 4
};

/* Formats that kernels read here; the numbers are Intel's for Linux. */
enum CM_SURFACE_FORMAT {
    CM_SURFACE_FORMAT_UNKNOWN = 0,
    CM_SURFACE_FORMAT_A8R8G8B8 = 21,
    CM_SURFACE_FORMAT_X8R8G8B8 = 22,
    CM_SURFACE_FORMAT_A8 = 28,
    CM_SURFACE_FORMAT_A8B8G8R8 = 32,
    CM_SURFACE_FORMAT_R32_SINT = 42,
    CM_SURFACE_FORMAT_R32_UINT = 43,
    CM_SURFACE_FORMAT_P8 = 41,
    CM_SURFACE_FORMAT_L8 = 50,
    CM_SURFACE_FORMAT_R16_UINT = 57,
    CM_SURFACE_FORMAT_R8_UINT = 62,
    CM_SURFACE_FORMAT_L16 = 81,
    CM_SURFACE_FORMAT_R16_UNORM = 82,
    CM_SURFACE_FORMAT_A16B16G16R16 = 36,
    CM_SURFACE_FORMAT_R32F = 114
};

enum CM_SVM_ACCESS_FLAG { CM_SVM_ACCESS_FLAG_COARSE_GRAINED = 0, CM_SVM_ACCESS_FLAG_FINE_GRAINED = 1 };
#define CM_SVM_ACCESS_FLAG_DEFAULT CM_SVM_ACCESS_FLAG_COARSE_GRAINED

/* Names as Intel orders them. Those without a number of libcmrt's are refused. */
enum CM_DEVICE_CAP_NAME {
    CAP_KERNEL_COUNT_PER_TASK,
    CAP_KERNEL_BINARY_SIZE,
    CAP_SAMPLER_COUNT,
    CAP_SAMPLER_COUNT_PER_KERNEL,
    CAP_BUFFER_COUNT,
    CAP_SURFACE2D_COUNT,
    CAP_SURFACE3D_COUNT,
    CAP_SURFACE_COUNT_PER_KERNEL,
    CAP_ARG_COUNT_PER_KERNEL,
    CAP_ARG_SIZE_PER_KERNEL,
    CAP_USER_DEFINED_THREAD_COUNT_PER_TASK,
    CAP_HW_THREAD_COUNT,
    CAP_SURFACE2D_FORMAT_COUNT,
    CAP_SURFACE2D_FORMATS,
    CAP_SURFACE3D_FORMAT_COUNT,
    CAP_SURFACE3D_FORMATS,
    CAP_VME_STATE_COUNT,
    CAP_GPU_PLATFORM,
    CAP_GT_PLATFORM,
    CAP_MIN_FREQUENCY,
    CAP_MAX_FREQUENCY,
    CAP_L3_CONFIG,
    CAP_GPU_CURRENT_FREQUENCY,
    CAP_USER_DEFINED_THREAD_COUNT_PER_TASK_NO_THREAD_ARG,
    CAP_USER_DEFINED_THREAD_COUNT_PER_MEDIA_WALKER,
    CAP_USER_DEFINED_THREAD_COUNT_PER_THREAD_GROUP
};

enum CM_DEPENDENCY_PATTERN {
    CM_NONE_DEPENDENCY = 0,
    CM_WAVEFRONT = 1,
    CM_WAVEFRONT26 = 2,
    CM_VERTICAL_WAVE = 3,
    CM_HORIZONTAL_WAVE = 4
};

/* Of samplers. */
enum CM_TEXTURE_ADDRESS_TYPE {
    CM_TEXTURE_ADDRESS_WRAP = 1,
    CM_TEXTURE_ADDRESS_MIRROR = 2,
    CM_TEXTURE_ADDRESS_CLAMP = 3,
    CM_TEXTURE_ADDRESS_BORDER = 4,
    CM_TEXTURE_ADDRESS_MIRRORONCE = 5
};
enum CM_TEXTURE_FILTER_TYPE {
    CM_TEXTURE_FILTER_TYPE_NONE = 0,
    CM_TEXTURE_FILTER_TYPE_POINT = 1,
    CM_TEXTURE_FILTER_TYPE_LINEAR = 2,
    CM_TEXTURE_FILTER_TYPE_ANISOTROPIC = 3
};
struct CM_SAMPLER_STATE {
    CM_TEXTURE_FILTER_TYPE minFilterType, magFilterType;
    CM_TEXTURE_ADDRESS_TYPE addressU, addressV, addressW;
};

class CmDevice;
class CmProgram;
class CmKernel;
class CmTask;
class CmQueue;
class CmEvent;
class CmThreadSpace;
class CmThreadGroupSpace;

/* What kernels know a surface by. */
class SurfaceIndex
{
  public:
    explicit SurfaceIndex(unsigned its_number = 0) : number(its_number) {}
    unsigned get_data() const { return number; }

  private:
    unsigned number;
};

/* What kernels know a sampler by. */
class SamplerIndex
{
  public:
    explicit SamplerIndex(unsigned its_number = 0) : number(its_number) {}
    unsigned get_data() const { return number; }

  private:
    unsigned number;
};

namespace cmkit
{
namespace cm_rt
{

inline void *aligned(std::size_t size, std::size_t alignment)
{
    void *memory = nullptr;
    return posix_memalign(&memory, alignment < sizeof(void *) ? sizeof(void *) : alignment, size) ? nullptr : memory;
}

/* libcmrt's status as a result code; cmrt_message() has the words. */
inline INT result(cmrt_status status, INT otherwise = CM_FAILURE)
{
    switch (status) {
    case CMRT_OK: return CM_SUCCESS;
    case CMRT_NO_DEVICE: return CM_INTEL_GFX_NOTFOUND;
    case CMRT_BAD_FILE: return CM_INVALID_COMMON_ISA;
    case CMRT_WRONG_PLATFORM: return CM_INVALID_GENX_BINARY;
    case CMRT_NO_MEMORY: return CM_OUT_OF_HOST_MEMORY;
    default: return otherwise;
    }
}

/* Memory or an image that kernels access; `host`: the caller's memory that it stands for, which is copied in before a
 * launch and out behind it. */
struct surface {
    SurfaceIndex index;
    cmrt_buffer *buffer = nullptr;
    cmrt_image *image = nullptr;
    void *host = nullptr;
    std::size_t bytes = 0;

    virtual ~surface()
    {
        cmrt_buffer_close(buffer);
        cmrt_image_close(image);
    }

    INT copy_in(cmrt_queue *queue)
    {
        if (!host)
            return CM_SUCCESS;
        return result(buffer ? cmrt_buffer_write(queue, buffer, 0, host, bytes) : cmrt_image_write(queue, image, host));
    }

    INT copy_out(cmrt_queue *queue)
    {
        if (!host)
            return CM_SUCCESS;
        return result(buffer ? cmrt_buffer_read(queue, buffer, 0, host, bytes) : cmrt_image_read(queue, image, host));
    }
};

struct format_row {
    CM_SURFACE_FORMAT format;
    const char *name;
};

/* libcmrt's format of Intel's. */
inline cmrt_format format_of(CM_SURFACE_FORMAT format)
{
    static const format_row rows[] = {
        {CM_SURFACE_FORMAT_A8R8G8B8, "rgba8"}, {CM_SURFACE_FORMAT_X8R8G8B8, "rgba8"},
        {CM_SURFACE_FORMAT_A8B8G8R8, "rgba8"}, {CM_SURFACE_FORMAT_A8, "r8"},
        {CM_SURFACE_FORMAT_P8, "r8"},          {CM_SURFACE_FORMAT_L8, "r8"},
        {CM_SURFACE_FORMAT_R8_UINT, "r8u"},    {CM_SURFACE_FORMAT_R16_UINT, "r16u"},
        {CM_SURFACE_FORMAT_L16, "r16"},        {CM_SURFACE_FORMAT_R16_UNORM, "r16"},
        {CM_SURFACE_FORMAT_R32_SINT, "r32i"},  {CM_SURFACE_FORMAT_R32_UINT, "r32u"},
        {CM_SURFACE_FORMAT_R32F, "r32f"},      {CM_SURFACE_FORMAT_A16B16G16R16, "rgba16"}};
    for (const format_row &row : rows)
        if (row.format == format)
            return cmrt_format_find(row.name);
    return CMRT_FORMAT_NONE;
}

/* Intel's samplers have one filter and address mode for each direction, libcmrt's one for all. CMRT_ADDRESS_NONE: it
 * has no such sampler. */
inline cmrt_sampler_address address_of(const CM_SAMPLER_STATE &state)
{
    if (state.addressU != state.addressV || state.addressU != state.addressW)
        return CMRT_ADDRESS_NONE;
    switch (state.addressU) {
    case CM_TEXTURE_ADDRESS_WRAP: return CMRT_ADDRESS_REPEAT;
    case CM_TEXTURE_ADDRESS_MIRROR: return CMRT_ADDRESS_MIRROR;
    case CM_TEXTURE_ADDRESS_CLAMP: return CMRT_ADDRESS_CLAMP;
    case CM_TEXTURE_ADDRESS_BORDER: return CMRT_ADDRESS_BORDER;
    default: return CMRT_ADDRESS_NONE;
    }
}

/* Owns objects of one class; an object is removed by its address. */
template <class T> class owner
{
  public:
    T *add(T *object)
    {
        objects.emplace_back(object);
        return object;
    }
    INT remove(T *&object)
    {
        auto found = std::find_if(objects.begin(), objects.end(), [&](auto &each) { return each.get() == object; });
        if (found == objects.end())
            return object ? CM_FAILURE : CM_NULL_POINTER;
        objects.erase(found);
        object = nullptr;
        return CM_SUCCESS;
    }
    auto begin() { return objects.begin(); }
    auto end() { return objects.end(); }
    void clear() { objects.clear(); }

  private:
    std::vector<std::unique_ptr<T>> objects;
};

} // namespace cm_rt
} // namespace cmkit

/* The end of one enqueued task. */
class CmEvent
{
  public:
    INT GetStatus(CM_STATUS &status)
    {
        status = finished ? CM_STATUS_FINISHED : CM_STATUS_STARTED;
        return CM_SUCCESS;
    }
    /* A simulated GPU is slow: the time-out is not applied, and a launch that does not end is waited for. */
    INT WaitForTaskFinished(DWORD milliseconds = CM_MAX_TIMEOUT_MS)
    {
        (void)milliseconds;
        return finish();
    }
    /* Nanoseconds by the GPU's clock, of all kernels of the task. */
    INT GetExecutionTime(UINT64 &nanoseconds)
    {
        INT status = finish();
        nanoseconds = time;
        return status;
    }

  private:
    friend class CmQueue;
    INT finish();

    cmrt_queue *queue = nullptr;
    std::vector<cmkit::cm_rt::surface *> used; /* to be copied out */
    UINT64 time = 0;
    INT status = CM_SUCCESS;
    bool finished = false;
};

inline INT CmEvent::finish()
{
    if (finished)
        return status;
    finished = true;
    status = cmkit::cm_rt::result(cmrt_wait(queue));
    for (auto *each : used)
        if (status == CM_SUCCESS)
            status = each->copy_out(queue);
    return status;
}

#define CM_NO_EVENT ((CmEvent *)-1)

/* Memory as a surface. */
class CmBuffer : public cmkit::cm_rt::surface
{
  public:
    INT GetIndex(SurfaceIndex *&out)
    {
        out = &index;
        return CM_SUCCESS;
    }
    /* size: bytes to copy, or none given: all of the buffer. */
    INT WriteSurface(const unsigned char *from, CmEvent *event, UINT64 size = ~UINT64(0))
    {
        INT status = ready(event, from);
        return status ? status
                      : cmkit::cm_rt::result(cmrt_buffer_write(queue, buffer, 0, from, (std::size_t)limited(size)));
    }
    INT ReadSurface(unsigned char *to, CmEvent *event, UINT64 size = ~UINT64(0))
    {
        INT status = ready(event, to);
        return status ? status
                      : cmkit::cm_rt::result(cmrt_buffer_read(queue, buffer, 0, to, (std::size_t)limited(size)));
    }
    INT InitSurface(const DWORD value, CmEvent *event)
    {
        std::vector<DWORD> words((bytes + 3) / 4, value);
        return WriteSurface(reinterpret_cast<const unsigned char *>(words.data()), event);
    }

  private:
    friend class CmDevice;
    UINT64 limited(UINT64 size) const { return size < bytes ? size : bytes; }
    static INT ready(CmEvent *event, const void *memory)
    {
        if (!memory)
            return CM_NULL_POINTER;
        return event && event != CM_NO_EVENT ? event->WaitForTaskFinished() : CM_SUCCESS;
    }
    cmrt_queue *queue = nullptr;
};

/* The caller's memory as a surface, and memory that kernels reach by its address. */
class CmBufferUP : public cmkit::cm_rt::surface
{
  public:
    INT GetIndex(SurfaceIndex *&out)
    {
        out = &index;
        return CM_SUCCESS;
    }
};

class CmBufferSVM : public CmBufferUP
{
  public:
    INT GetAddress(void *&out)
    {
        out = address;
        return CM_SUCCESS;
    }

  private:
    friend class CmDevice;
    friend class CmKernel;
    void *address = nullptr; /* as the host program knows it */
};

/* An image. */
class CmSurface2D : public cmkit::cm_rt::surface
{
  public:
    INT GetIndex(SurfaceIndex *&out)
    {
        out = &index;
        return CM_SUCCESS;
    }
    INT WriteSurface(const unsigned char *from, CmEvent *event, UINT64 size = ~UINT64(0))
    {
        return WriteSurfaceStride(from, event, row, size);
    }
    INT ReadSurface(unsigned char *to, CmEvent *event, UINT64 size = ~UINT64(0))
    {
        return ReadSurfaceStride(to, event, row, size);
    }
    /* stride: bytes from one row to the next in the caller's memory. */
    INT WriteSurfaceStride(const unsigned char *from, CmEvent *event, const UINT stride, UINT64 size = ~UINT64(0))
    {
        INT status = ready(event, from, stride, size);
        if (status)
            return status;
        std::vector<unsigned char> rows(bytes);
        for (UINT y = 0; y < height; y++)
            std::memcpy(&rows[std::size_t(y) * row], from + std::size_t(y) * stride, row);
        return cmkit::cm_rt::result(cmrt_image_write(queue, image, rows.data()));
    }
    INT ReadSurfaceStride(unsigned char *to, CmEvent *event, const UINT stride, UINT64 size = ~UINT64(0))
    {
        INT status = ready(event, to, stride, size);
        if (status)
            return status;
        std::vector<unsigned char> rows(bytes);
        status = cmkit::cm_rt::result(cmrt_image_read(queue, image, rows.data()));
        for (UINT y = 0; !status && y < height; y++)
            std::memcpy(to + std::size_t(y) * stride, &rows[std::size_t(y) * row], row);
        return status;
    }
    INT InitSurface(const DWORD value, CmEvent *event)
    {
        std::vector<DWORD> words((bytes + 3) / 4, value);
        return WriteSurface(reinterpret_cast<const unsigned char *>(words.data()), event);
    }

  private:
    friend class CmDevice;
    INT ready(CmEvent *event, const void *memory, UINT stride, UINT64 size) const
    {
        if (!memory)
            return CM_NULL_POINTER;
        if (stride < row)
            return CM_INVALID_WIDTH;
        if (size < UINT64(stride) * (height - 1) + row)
            return CM_INVALID_ARG_SIZE;
        return event && event != CM_NO_EVENT ? event->WaitForTaskFinished() : CM_SUCCESS;
    }
    cmrt_queue *queue = nullptr;
    UINT row = 0, height = 0; /* bytes, rows */
};

/* The caller's memory as an image: rows without gaps. */
class CmSurface2DUP : public cmkit::cm_rt::surface
{
  public:
    INT GetIndex(SurfaceIndex *&out)
    {
        out = &index;
        return CM_SUCCESS;
    }
};

/* An image of three dimensions: slice after slice, rows without gaps. */
class CmSurface3D : public cmkit::cm_rt::surface
{
  public:
    INT GetIndex(SurfaceIndex *&out)
    {
        out = &index;
        return CM_SUCCESS;
    }
    INT WriteSurface(const unsigned char *from, CmEvent *event, UINT64 size = ~UINT64(0))
    {
        INT status = ready(event, from, size);
        return status ? status : cmkit::cm_rt::result(cmrt_image_write(queue, image, from));
    }
    INT ReadSurface(unsigned char *to, CmEvent *event, UINT64 size = ~UINT64(0))
    {
        INT status = ready(event, to, size);
        return status ? status : cmkit::cm_rt::result(cmrt_image_read(queue, image, to));
    }
    INT InitSurface(const DWORD value, CmEvent *event)
    {
        std::vector<DWORD> words((bytes + 3) / 4, value);
        return WriteSurface(reinterpret_cast<const unsigned char *>(words.data()), event);
    }

  private:
    friend class CmDevice;
    INT ready(CmEvent *event, const void *memory, UINT64 size) const
    {
        if (!memory)
            return CM_NULL_POINTER;
        if (size < bytes)
            return CM_INVALID_ARG_SIZE;
        return event && event != CM_NO_EVENT ? event->WaitForTaskFinished() : CM_SUCCESS;
    }
    cmrt_queue *queue = nullptr;
};

/* How kernels read images with filtered reads. */
class CmSampler
{
  public:
    ~CmSampler() { cmrt_sampler_close(sampler); }
    INT GetIndex(SamplerIndex *&out)
    {
        out = &index;
        return CM_SUCCESS;
    }

  private:
    friend class CmDevice;
    friend class CmKernel;
    SamplerIndex index;
    cmrt_sampler *sampler = nullptr;
};

class CmProgram
{
  public:
    ~CmProgram() { cmrt_program_close(program); }
    INT GetKernelCount(UINT &count)
    {
        count = (UINT)cmrt_program_kernel_count(program);
        return CM_SUCCESS;
    }

  private:
    friend class CmDevice;
    cmrt_program *program = nullptr;
};

/* Threads in a rectangle, each a group of its own. */
class CmThreadSpace
{
  public:
    INT SelectThreadDependencyPattern(CM_DEPENDENCY_PATTERN pattern)
    {
        return pattern == CM_NONE_DEPENDENCY ? CM_SUCCESS : CM_NOT_IMPLEMENTED;
    }
    INT AssociateThread(UINT, UINT, CmKernel *, UINT) { return CM_NOT_IMPLEMENTED; }

  private:
    friend class CmDevice;
    friend class CmQueue;
    std::uint32_t groups[3] = {1, 1, 1};
};

class CmThreadGroupSpace
{
  private:
    friend class CmDevice;
    friend class CmQueue;
    std::uint32_t groups[3] = {1, 1, 1}, local[3] = {1, 1, 1};
};

class CmKernel
{
  public:
    ~CmKernel() { cmrt_kernel_close(kernel); }

    /* value: a SurfaceIndex for surfaces; for an address, one that CreateBufferSVM() gave. */
    INT SetKernelArg(UINT number, std::size_t size, const void *value);
    INT SetThreadCount(UINT threads)
    {
        thread_count = threads;
        return threads ? CM_SUCCESS : CM_INVALID_ARG_VALUE;
    }
    INT SetThreadArg(UINT, UINT, std::size_t, const void *) { return CM_NOT_IMPLEMENTED; }
    INT AssociateThreadSpace(CmThreadSpace *&space)
    {
        thread_space = space;
        return space ? CM_SUCCESS : CM_INVALID_THREAD_SPACE;
    }
    INT AssociateThreadGroupSpace(CmThreadGroupSpace *&space)
    {
        group_space = space;
        return space ? CM_SUCCESS : CM_INVALID_THREAD_GROUP_SPACE;
    }

  private:
    friend class CmDevice;
    friend class CmQueue;
    INT set_surface(UINT number, cmkit::cm_rt::surface *surface);
    INT set_sampler(UINT number, std::size_t size, const void *value);
    INT reach_shared_memory();

    CmDevice *device = nullptr;
    cmrt_kernel *kernel = nullptr;
    std::vector<cmkit::cm_rt::surface *> bound; /* by argument */
    UINT thread_count = 0;
    CmThreadSpace *thread_space = nullptr;
    CmThreadGroupSpace *group_space = nullptr;
};

/* Kernels that are launched one after the other. */
class CmTask
{
  public:
    INT AddKernel(CmKernel *kernel)
    {
        if (!kernel)
            return CM_NULL_POINTER;
        kernels.push_back(kernel);
        return CM_SUCCESS;
    }
    INT AddSync() { return CM_SUCCESS; } /* each kernel begins behind the end of the one before it */
    INT Reset()
    {
        kernels.clear();
        return CM_SUCCESS;
    }

  private:
    friend class CmQueue;
    std::vector<CmKernel *> kernels;
};

class CmQueue
{
  public:
    ~CmQueue()
    {
        finish_last();
        events.clear();
        cmrt_queue_close(queue);
    }
    INT Enqueue(CmTask *task, CmEvent *&event, const CmThreadSpace *space = nullptr)
    {
        return enqueue(task, event, space, nullptr);
    }
    INT EnqueueWithGroup(CmTask *task, CmEvent *&event, const CmThreadGroupSpace *space = nullptr)
    {
        return enqueue(task, event, nullptr, space);
    }
    INT DestroyEvent(CmEvent *&event)
    {
        if (event && event != CM_NO_EVENT)
            event->finish();
        if (event == last)
            last = nullptr;
        return events.remove(event);
    }

  private:
    friend class CmDevice;
    INT enqueue(CmTask *task, CmEvent *&event, const CmThreadSpace *space, const CmThreadGroupSpace *group_space);
    INT launch(CmKernel *kernel, CmEvent *event, const CmThreadSpace *space, const CmThreadGroupSpace *group_space,
               bool is_last);
    void finish_last()
    {
        if (last)
            last->finish();
    }

    cmrt_queue *queue = nullptr;
    cmkit::cm_rt::owner<CmEvent> events;
    CmEvent *last = nullptr;
};

inline INT CmQueue::launch(CmKernel *kernel, CmEvent *event, const CmThreadSpace *space,
                           const CmThreadGroupSpace *group_space, bool is_last)
{
    static const std::uint32_t one[3] = {1, 1, 1};
    const std::uint32_t line[3] = {kernel->thread_count ? kernel->thread_count : 1, 1, 1};
    if (!space)
        space = kernel->thread_space;
    if (!group_space)
        group_space = kernel->group_space;
    const std::uint32_t *groups = group_space ? group_space->groups : space ? space->groups : line;
    for (auto *surface : kernel->bound) {
        INT status = surface ? surface->copy_in(queue) : CM_SUCCESS;
        if (status)
            return status;
        if (surface && surface->host)
            event->used.push_back(surface);
    }
    INT status = kernel->reach_shared_memory();
    if (status)
        return status;
    status = cmkit::cm_rt::result(cmrt_launch(queue, kernel->kernel, groups, group_space ? group_space->local : one),
                                  CM_INVALID_ARG_VALUE);
    if (status)
        return status;
    std::uint64_t nanoseconds = 0;
    status = cmkit::cm_rt::result(cmrt_wait(queue));
    if (!status)
        status = cmkit::cm_rt::result(cmrt_elapsed(queue, &nanoseconds));
    event->time += nanoseconds;
    for (std::size_t i = 0; !status && !is_last && i < event->used.size(); i++) /* the next kernel may read it */
        status = event->used[i]->copy_out(queue);
    return status;
}

inline INT CmQueue::enqueue(CmTask *task, CmEvent *&event, const CmThreadSpace *space,
                            const CmThreadGroupSpace *group_space)
{
    if (!task || task->kernels.empty())
        return task ? CM_FAILURE : CM_NULL_POINTER;
    finish_last();
    bool wanted = event != CM_NO_EVENT;
    CmEvent *made = events.add(new CmEvent);
    made->queue = queue;
    INT status = CM_SUCCESS;
    for (std::size_t i = 0; status == CM_SUCCESS && i < task->kernels.size(); i++)
        status = launch(task->kernels[i], made, space, group_space, i + 1 == task->kernels.size());
    if (status) {
        made->finished = true;
        made->status = status;
        events.remove(made);
        return status;
    }
    last = made;
    if (wanted)
        event = made;
    return CM_SUCCESS;
}

class CmDevice
{
  public:
    ~CmDevice()
    {
        queues.clear();
        kernels.clear();
        programs.clear();
        surfaces.clear();
        samplers.clear();
        cmrt_queue_close(copies);
        cmrt_device_close(device);
    }

    /* code: the file of cmc, where Intel's has .isa. Options are for Intel's compiler inside the driver. */
    INT LoadProgram(void *code, const UINT size, CmProgram *&program, const char *options = nullptr)
    {
        (void)options;
        std::unique_ptr<CmProgram> made(new CmProgram);
        if (!code)
            return CM_NULL_POINTER;
        INT status =
            cmkit::cm_rt::result(cmrt_program_load_memory(device, code, size, &made->program), CM_INVALID_COMMON_ISA);
        if (!status)
            program = programs.add(made.release());
        return status;
    }
    INT DestroyProgram(CmProgram *&program) { return programs.remove(program); }

    /* name: the kernel's, or the text of CM_KERNEL_FUNCTION(name). */
    INT CreateKernel(CmProgram *program, const char *name, CmKernel *&kernel, const char *options = nullptr)
    {
        (void)options;
        if (!program || !name)
            return CM_NULL_POINTER;
        std::string plain(name, std::strcspn(name, "<( "));
        std::unique_ptr<CmKernel> made(new CmKernel);
        INT status = cmkit::cm_rt::result(cmrt_kernel_open(program->program, plain.c_str(), &made->kernel));
        if (status)
            return status;
        made->device = this;
        made->bound.resize(cmrt_kernel_info(made->kernel)->argument_count);
        kernel = kernels.add(made.release());
        return CM_SUCCESS;
    }
    INT DestroyKernel(CmKernel *&kernel) { return kernels.remove(kernel); }

    INT CreateBuffer(UINT size, CmBuffer *&buffer)
    {
        CmBuffer *made = new CmBuffer;
        INT status = add(made, size, nullptr);
        if (!status) {
            made->queue = copies;
            buffer = made;
        }
        return status;
    }
    INT CreateBufferUP(UINT size, void *memory, CmBufferUP *&buffer)
    {
        CmBufferUP *made = new CmBufferUP;
        INT status = memory ? add(made, size, memory) : (delete made, CM_NULL_POINTER);
        if (!status)
            buffer = made;
        return status;
    }
    /* address: memory of the caller's, or null for memory that the device shares. */
    INT CreateBufferSVM(UINT size, void *&address, UINT flags, CmBufferSVM *&buffer)
    {
        (void)flags;
        CmBufferSVM *made = new CmBufferSVM;
        INT status = add(made, size, address);
        if (status)
            return status;
        if (!address)
            address = cmrt_buffer_pointer(made->buffer);
        made->address = address;
        shared.push_back(made);
        buffer = made;
        return CM_SUCCESS;
    }
    INT CreateSurface2D(UINT width, UINT height, CM_SURFACE_FORMAT format, CmSurface2D *&surface)
    {
        CmSurface2D *made = new CmSurface2D;
        INT status = add_image(made, {2, width, height, 1}, format, nullptr);
        if (status)
            return status;
        made->queue = copies;
        made->height = height;
        made->row = (UINT)(made->bytes / height);
        surface = made;
        return CM_SUCCESS;
    }
    INT CreateSurface2DUP(UINT width, UINT height, CM_SURFACE_FORMAT format, void *memory, CmSurface2DUP *&surface)
    {
        CmSurface2DUP *made = new CmSurface2DUP;
        INT status = memory ? add_image(made, {2, width, height, 1}, format, memory) : (delete made, CM_NULL_POINTER);
        if (!status)
            surface = made;
        return status;
    }
    INT CreateSurface3D(UINT width, UINT height, UINT depth, CM_SURFACE_FORMAT format, CmSurface3D *&surface)
    {
        CmSurface3D *made = new CmSurface3D;
        INT status = add_image(made, {3, width, height, depth}, format, nullptr);
        if (status)
            return status;
        made->queue = copies;
        surface = made;
        return CM_SUCCESS;
    }
    /* Coordinates of samplers are normalized. CM_NOT_IMPLEMENTED: a state that differs between directions, or one that
     * libcmrt does not have. */
    INT CreateSampler(const CM_SAMPLER_STATE &state, CmSampler *&sampler)
    {
        cmrt_sampler_address address = cmkit::cm_rt::address_of(state);
        bool linear = state.minFilterType == CM_TEXTURE_FILTER_TYPE_LINEAR;
        if (address == CMRT_ADDRESS_NONE || state.minFilterType != state.magFilterType ||
            (!linear && state.minFilterType != CM_TEXTURE_FILTER_TYPE_POINT))
            return CM_NOT_IMPLEMENTED;
        std::unique_ptr<CmSampler> made(new CmSampler);
        INT status = cmkit::cm_rt::result(
            cmrt_sampler_open(device, address, linear ? CMRT_FILTER_LINEAR : CMRT_FILTER_NEAREST, 1, &made->sampler));
        if (status)
            return status;
        made->index = SamplerIndex(next_sampler++);
        sampler = samplers.add(made.release());
        return CM_SUCCESS;
    }
    INT DestroySampler(CmSampler *&sampler) { return samplers.remove(sampler); }
    /* The index with which a kernel samples the surface: the surface's own. */
    INT CreateSamplerSurface2D(CmSurface2D *surface, SurfaceIndex *&index)
    {
        return surface ? surface->GetIndex(index) : CM_NULL_POINTER;
    }
    INT CreateSamplerSurface3D(CmSurface3D *surface, SurfaceIndex *&index)
    {
        return surface ? surface->GetIndex(index) : CM_NULL_POINTER;
    }
    INT DestroySamplerSurface(SurfaceIndex *&index)
    {
        index = nullptr;
        return CM_SUCCESS;
    }
    /* Bytes of a row and of the whole that the caller's memory of such an image has. */
    INT GetSurface2DInfo(UINT width, UINT height, CM_SURFACE_FORMAT format, UINT &pitch, UINT &size)
    {
        cmrt_format known = cmkit::cm_rt::format_of(format);
        if (known == CMRT_FORMAT_NONE)
            return CM_SURFACE_FORMAT_NOT_SUPPORTED;
        pitch = (UINT)cmrt_image_bytes(known, width, 1);
        size = (UINT)cmrt_image_bytes(known, width, height);
        return CM_SUCCESS;
    }
    INT DestroySurface(CmBuffer *&surface) { return destroy(surface); }
    INT DestroySurface(CmSurface2D *&surface) { return destroy(surface); }
    INT DestroySurface(CmSurface3D *&surface) { return destroy(surface); }
    INT DestroyBufferUP(CmBufferUP *&surface) { return destroy(surface); }
    INT DestroySurface2DUP(CmSurface2DUP *&surface) { return destroy(surface); }
    INT DestroyBufferSVM(CmBufferSVM *&surface)
    {
        shared.erase(std::remove(shared.begin(), shared.end(), surface), shared.end());
        return destroy(surface);
    }

    INT CreateTask(CmTask *&task)
    {
        task = tasks.add(new CmTask);
        return CM_SUCCESS;
    }
    INT DestroyTask(CmTask *&task) { return tasks.remove(task); }
    INT CreateThreadSpace(UINT width, UINT height, CmThreadSpace *&space)
    {
        if (!width || !height)
            return CM_INVALID_THREAD_SPACE;
        space = spaces.add(new CmThreadSpace);
        space->groups[0] = width;
        space->groups[1] = height;
        return CM_SUCCESS;
    }
    INT DestroyThreadSpace(CmThreadSpace *&space) { return spaces.remove(space); }
    INT CreateThreadGroupSpace(UINT local_width, UINT local_height, UINT width, UINT height, CmThreadGroupSpace *&space)
    {
        return CreateThreadGroupSpaceEx(local_width, local_height, 1, width, height, 1, space);
    }
    INT CreateThreadGroupSpaceEx(UINT local_width, UINT local_height, UINT local_depth, UINT width, UINT height,
                                 UINT depth, CmThreadGroupSpace *&space)
    {
        if (!local_width || !local_height || !local_depth || !width || !height || !depth)
            return CM_INVALID_THREAD_GROUP_SPACE;
        space = group_spaces.add(new CmThreadGroupSpace);
        const std::uint32_t groups[] = {width, height, depth}, local[] = {local_width, local_height, local_depth};
        std::copy(groups, groups + 3, space->groups);
        std::copy(local, local + 3, space->local);
        return CM_SUCCESS;
    }
    INT DestroyThreadGroupSpace(CmThreadGroupSpace *&space) { return group_spaces.remove(space); }

    INT CreateQueue(CmQueue *&queue)
    {
        std::unique_ptr<CmQueue> made(new CmQueue);
        INT status = cmkit::cm_rt::result(cmrt_queue_open(device, &made->queue));
        if (!status)
            queue = queues.add(made.release());
        return status;
    }

    /* size: in, bytes at value; out, bytes of the number, which is a UINT. */
    INT GetCaps(CM_DEVICE_CAP_NAME name, std::size_t &size, void *value)
    {
        UINT number = 0;
        if (name == CAP_HW_THREAD_COUNT)
            number = (UINT)cmrt_device_property(device, CMRT_PROPERTY_THREADS);
        else if (name == CAP_USER_DEFINED_THREAD_COUNT_PER_THREAD_GROUP)
            number = (UINT)cmrt_device_property(device, CMRT_PROPERTY_GROUP_THREADS);
        if (!number)
            return CM_NOT_IMPLEMENTED;
        if (!value)
            return CM_NULL_POINTER;
        if (size < sizeof number)
            return CM_FAILURE;
        size = sizeof number;
        std::memcpy(value, &number, sizeof number);
        return CM_SUCCESS;
    }
    INT InitPrintBuffer(std::size_t size = 0) /* kernels print without being asked for */
    {
        (void)size;
        return CM_SUCCESS;
    }
    INT FlushPrintBuffer() { return CM_SUCCESS; }

  private:
    friend INT CreateCmDevice(CmDevice *&, UINT &);
    friend class CmKernel;
    CmDevice() = default;

    INT add(cmkit::cm_rt::surface *made, UINT size, void *host)
    {
        std::unique_ptr<cmkit::cm_rt::surface> owned(made);
        INT status =
            cmkit::cm_rt::result(cmrt_buffer_open(device, CMRT_MEMORY_SHARED, size, &made->buffer), CM_INVALID_WIDTH);
        if (!status)
            take(owned.release(), size, host);
        return status;
    }
    INT add_image(cmkit::cm_rt::surface *made, const cmrt_image_shape &shape, CM_SURFACE_FORMAT format, void *host)
    {
        std::unique_ptr<cmkit::cm_rt::surface> owned(made);
        cmrt_format known = cmkit::cm_rt::format_of(format);
        if (known == CMRT_FORMAT_NONE)
            return CM_SURFACE_FORMAT_NOT_SUPPORTED;
        INT otherwise = !shape.width ? CM_INVALID_WIDTH : !shape.depth ? CM_INVALID_DEPTH : CM_INVALID_HEIGHT;
        INT status = cmkit::cm_rt::result(cmrt_image_open_shape(device, &shape, known, CMRT_READ_WRITE, &made->image),
                                          otherwise);
        if (!status)
            take(owned.release(), cmrt_image_bytes(known, shape.width, shape.height) * shape.depth, host);
        return status;
    }
    void take(cmkit::cm_rt::surface *made, std::size_t size, void *host)
    {
        made->index = SurfaceIndex(next_surface++);
        made->bytes = size;
        made->host = host;
        surfaces.add(made);
    }
    template <class T> INT destroy(T *&surface)
    {
        cmkit::cm_rt::surface *plain = surface;
        for (auto &kernel : kernels)
            std::replace(kernel->bound.begin(), kernel->bound.end(), plain, (cmkit::cm_rt::surface *)nullptr);
        INT status = surfaces.remove(plain);
        surface = nullptr;
        return status;
    }

    cmrt_device *device = nullptr;
    cmrt_queue *copies = nullptr; /* of WriteSurface and ReadSurface */
    unsigned next_surface = 1, next_sampler = 1;
    std::vector<CmBufferSVM *> shared;
    cmkit::cm_rt::owner<cmkit::cm_rt::surface> surfaces;
    cmkit::cm_rt::owner<CmSampler> samplers;
    cmkit::cm_rt::owner<CmProgram> programs;
    cmkit::cm_rt::owner<CmKernel> kernels;
    cmkit::cm_rt::owner<CmTask> tasks;
    cmkit::cm_rt::owner<CmThreadSpace> spaces;
    cmkit::cm_rt::owner<CmThreadGroupSpace> group_spaces;
    cmkit::cm_rt::owner<CmQueue> queues;
};

inline INT CmKernel::set_surface(UINT number, cmkit::cm_rt::surface *surface)
{
    cmrt_status status = surface->buffer ? cmrt_kernel_set_buffer(kernel, number, surface->buffer)
                                         : cmrt_kernel_set_image(kernel, number, surface->image);
    if (status == CMRT_OK)
        bound[number] = surface;
    return cmkit::cm_rt::result(status, CM_INVALID_ARG_VALUE);
}

inline INT CmKernel::set_sampler(UINT number, std::size_t size, const void *value)
{
    if (size != sizeof(SamplerIndex))
        return CM_INVALID_ARG_SIZE;
    unsigned wanted = static_cast<const SamplerIndex *>(value)->get_data();
    for (auto &each : device->samplers)
        if (each->index.get_data() == wanted)
            return cmkit::cm_rt::result(cmrt_kernel_set_sampler(kernel, number, each->sampler), CM_INVALID_ARG_VALUE);
    return CM_INVALID_ARG_VALUE;
}

/* Addresses of shared memory may be in memory, too. */
inline INT CmKernel::reach_shared_memory()
{
    return cmkit::cm_rt::result(cmrt_kernel_set_indirect(kernel, !device->shared.empty()));
}

inline INT CmKernel::SetKernelArg(UINT number, std::size_t size, const void *value)
{
    const struct cmrt_kernel_info *info = cmrt_kernel_info(kernel);
    if (number >= info->argument_count)
        return CM_INVALID_ARG_INDEX;
    if (!value)
        return CM_NULL_POINTER;
    cmrt_argument_kind kind = info->arguments[number].kind;
    if (kind == CMRT_ARGUMENT_SAMPLER)
        return set_sampler(number, size, value);
    if (kind != CMRT_ARGUMENT_BUFFER && kind != CMRT_ARGUMENT_IMAGE)
        return cmkit::cm_rt::result(cmrt_kernel_set_value(kernel, number, value, size), CM_INVALID_ARG_SIZE);
    if (size == sizeof(SurfaceIndex)) {
        unsigned wanted = static_cast<const SurfaceIndex *>(value)->get_data();
        for (auto &surface : device->surfaces)
            if (surface->index.get_data() == wanted)
                return set_surface(number, surface.get());
        return CM_INVALID_ARG_VALUE;
    }
    void *address;
    if (size != sizeof address)
        return CM_INVALID_ARG_SIZE;
    std::memcpy(&address, value, sizeof address);
    for (CmBufferSVM *each : device->shared)
        if (each->address == address)
            return set_surface(number, each);
    return CM_INVALID_ARG_VALUE;
}

/* Opens the first Intel GPU. version: of this interface. */
inline INT CreateCmDevice(CmDevice *&device, UINT &version)
{
    std::unique_ptr<CmDevice> made(new CmDevice);
    INT status = cmkit::cm_rt::result(cmrt_device_open(CMRT_TARGET_GPU, &made->device));
    if (!status)
        status = cmkit::cm_rt::result(cmrt_queue_open(made->device, &made->copies));
    if (status)
        return status;
    version = CURRENT_CM_VERSION;
    device = made.release();
    return CM_SUCCESS;
}

inline INT DestroyCmDevice(CmDevice *&device)
{
    delete device;
    device = nullptr;
    return CM_SUCCESS;
}

/* The name of a result code. */
inline const char *GetCmErrorString(int code)
{
    switch (code) {
    case CM_SUCCESS: return "CM_SUCCESS";
    case CM_FAILURE: return "CM_FAILURE";
    case CM_NOT_IMPLEMENTED: return "CM_NOT_IMPLEMENTED";
    case CM_OUT_OF_HOST_MEMORY: return "CM_OUT_OF_HOST_MEMORY";
    case CM_SURFACE_FORMAT_NOT_SUPPORTED: return "CM_SURFACE_FORMAT_NOT_SUPPORTED";
    case CM_INVALID_ARG_INDEX: return "CM_INVALID_ARG_INDEX";
    case CM_INVALID_ARG_VALUE: return "CM_INVALID_ARG_VALUE";
    case CM_INVALID_ARG_SIZE: return "CM_INVALID_ARG_SIZE";
    case CM_INVALID_WIDTH: return "CM_INVALID_WIDTH";
    case CM_INVALID_HEIGHT: return "CM_INVALID_HEIGHT";
    case CM_INVALID_COMMON_ISA: return "CM_INVALID_COMMON_ISA";
    case CM_INVALID_THREAD_SPACE: return "CM_INVALID_THREAD_SPACE";
    case CM_INVALID_THREAD_GROUP_SPACE: return "CM_INVALID_THREAD_GROUP_SPACE";
    case CM_INTEL_GFX_NOTFOUND: return "CM_INTEL_GFX_NOTFOUND";
    case CM_INVALID_GENX_BINARY: return "CM_INVALID_GENX_BINARY";
    case CM_NULL_POINTER: return "CM_NULL_POINTER";
    default: return "another CM result";
    }
}

#endif
