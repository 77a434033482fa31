/* libcmrt: launch compiled kernels from C. A thin layer over the Level Zero API, with the same calls for kernels that
 * were compiled for the host (`cmc -march=host`), so that one program runs a kernel on a GPU and on the CPU.
 *
 *     cmrt_device_open -> cmrt_program_load -> cmrt_kernel_open -> cmrt_kernel_set_* -> cmrt_launch -> cmrt_wait
 *
 * Errors: every function that can fail returns a status; cmrt_message() then has one line that says what went wrong,
 * for people. A call that makes something stores it through its last argument, and stores NULL if it fails. A NULL
 * object, path, name or array, a number that is none of an enum's, and objects of different devices in one call are
 * CMRT_BAD_ARGUMENT. Functions without a status return NULL or 0 then. Every function may give CMRT_NO_MEMORY, and on a
 * GPU CMRT_DRIVER. Kernels are described by their file (`.ze_info`), and an argument of the wrong kind or size is
 * refused before it reaches the driver.
 *
 * Ownership: what an open, load, part or wrap function makes belongs to the caller, who closes it in the reverse order;
 * closing NULL does nothing. Memory, images and samplers are closed after the launches that use them have ended, as are
 * kernels and programs. Texts and descriptions that functions return belong to their object and end with it. What the
 * caller passes is copied, unless its function says otherwise.
 *
 * Threads: calls on different devices, programs, kernels, queues and buffers may run at the same time, also if they
 * belong to one device; several threads may open objects of one device. Calls on one object must not run at the same
 * time otherwise, and an object must not be closed while another thread uses it or what was opened from it.
 * cmrt_message() is the calling thread's own. Nothing here is safe in a signal handler.
 *
 * Versions: docs/guide/libcmrt.md says what stays the same within version 1. */
#ifndef CMRT_H
#define CMRT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this header: that of the library's interface, which is not cmkit's. cmrt_version() is the version of
 * the library that the program runs with, as MAJOR * 10000 + MINOR * 100 + PATCH. */
#define CMRT_VERSION_MAJOR 1
#define CMRT_VERSION_MINOR 0
#define CMRT_VERSION_PATCH 0
#define CMRT_VERSION       (CMRT_VERSION_MAJOR * 10000 + CMRT_VERSION_MINOR * 100 + CMRT_VERSION_PATCH)
unsigned cmrt_version(void);

/* Later versions may add a status: what a program does not know is a failure. */
enum cmrt_status {
    CMRT_OK = 0,
    CMRT_NO_DEVICE = 1,      /* Level Zero found no Intel GPU */
    CMRT_BAD_FILE = 2,       /* the program file cannot be read, or is no zebin, no SPIR-V and no host library */
    CMRT_WRONG_PLATFORM = 3, /* the program is for another GPU than the device */
    CMRT_NO_KERNEL = 4,      /* no kernel of that name in the program */
    CMRT_BAD_ARGUMENT = 5,   /* a kernel argument of the wrong kind or size, or missing; an impossible size or launch */
    CMRT_NO_MEMORY = 6,      /* host or device memory is used up */
    CMRT_DRIVER = 7,         /* a Level Zero call failed: the message has its name and result */
    CMRT_NOT_YET = 8,        /* the time to wait is over, and the event has not happened */
};

enum cmrt_target {
    CMRT_TARGET_GPU = 0, /* the first Intel GPU that Level Zero enumerates */
    CMRT_TARGET_CPU = 1, /* this process: for libraries made by cmc for the host */
};

enum cmrt_memory {
    CMRT_MEMORY_SHARED = 0, /* the driver moves it between host and device */
    CMRT_MEMORY_HOST = 1,   /* the host's, which the device reads and writes where it is */
    CMRT_MEMORY_DEVICE = 2, /* the device's, which the host only copies from and to */
};

/* Element formats of images: rows of image_formats.def. A name is channels, bits, then u (unsigned integer), i (signed
 * integer), f (float), s (signed bytes or words that mean -1..1) or nothing (unsigned ones that mean 0..1). Where the
 * channels of an element have different bits, the name has those of each channel, from the lowest bit on. */
enum cmrt_format {
    CMRT_FORMAT_NONE = -1,
#define IMAGE_FORMAT(ID, NAME, BYTES, CHANNELS, LAYOUT, TYPE) CMRT_FORMAT_##ID,
#include "image_formats.def"
#undef IMAGE_FORMAT
};

enum cmrt_argument_kind {
    CMRT_ARGUMENT_UNKNOWN = 0, /* the file does not describe it: anything is passed on */
    CMRT_ARGUMENT_VALUE = 1,   /* a scalar, vector or struct by value */
    CMRT_ARGUMENT_BUFFER = 2,  /* a pointer or a buffer surface */
    CMRT_ARGUMENT_IMAGE = 3,
    CMRT_ARGUMENT_SAMPLER = 4,
    CMRT_ARGUMENT_LOCAL = 5, /* shared local memory, given by its size */
};

enum cmrt_access { CMRT_READ = 1, CMRT_WRITE = 2, CMRT_READ_WRITE = 3 };

/* One argument of a kernel, as its file describes it. Later versions may name what is reserved, which is 0 until then.
 */
struct cmrt_argument {
    enum cmrt_argument_kind kind;
    enum cmrt_access access; /* buffers and images: how the kernel accesses it; 0: not known */
    const char *name;        /* as in the source, "" if the file does not say */
    const char *type;        /* the same */
    uint32_t bytes;          /* values: size */
    uint32_t dimensions;     /* images: 1 to 3; 0: not known */
    uint32_t media_block;    /* images: 1 if read and written by media block messages, x in bytes */
    uint32_t block_width;    /* ... bytes of the widest block, which an image must hold; 0: not known */
    uint32_t block_rows;     /* ... rows of the highest block; 0: not known */
    uint32_t reserved[9];
};

/* One kernel of a program. Later versions may add fields at the end: programs have pointers to it and make none. */
struct cmrt_kernel_info {
    const char *name;
    size_t argument_count;
    const struct cmrt_argument *arguments;
    uint32_t simd_size;         /* work items of a thread; CM: 1 */
    uint32_t grf_count;         /* registers of a thread */
    uint32_t slm_bytes;         /* shared local memory of a group, without that of arguments */
    uint32_t scratch_bytes;     /* memory of a thread for what does not fit into registers */
    uint32_t barriers;          /* of a group */
    uint32_t required_local[3]; /* the only group size that cmrt_launch takes (OpenCL C: reqd_work_group_size); all 0:
                                   any */
};

typedef struct cmrt_device cmrt_device;
typedef struct cmrt_program cmrt_program;
typedef struct cmrt_kernel cmrt_kernel;
typedef struct cmrt_buffer cmrt_buffer;
typedef struct cmrt_image cmrt_image;
typedef struct cmrt_sampler cmrt_sampler;
typedef struct cmrt_queue cmrt_queue;
typedef struct cmrt_event cmrt_event;

/* One line, without a newline, about the last failing call of this thread; "" before the first. It is valid until the
 * thread's next call. */
const char *cmrt_message(void);

/* The status's name, such as "CMRT_BAD_FILE". NULL: it is none. */
const char *cmrt_status_name(enum cmrt_status status);

/* Devices. CMRT_NO_DEVICE: there is no GPU, or no Level Zero driver. The name is the driver's, e.g. "Intel(R) Iris(R)
 * Plus Graphics". */
enum cmrt_status cmrt_device_open(enum cmrt_target target, cmrt_device **device);
const char *cmrt_device_name(const cmrt_device *device);
/* The driver and its version, in one phrase. */
const char *cmrt_device_driver(const cmrt_device *device);
/* The platform's name in compilers (ocloc's name). NULL for the CPU and for platforms that cmkit does not know. */
const char *cmrt_device_platform(const cmrt_device *device);
/* Does the device have the feature? Media blocks: platforms that tables/platforms.def lacks are assumed to have them.
 */
enum cmrt_feature { CMRT_FEATURE_DOUBLE = 1, CMRT_FEATURE_MEDIA_BLOCKS = 2 };
int cmrt_device_has(const cmrt_device *device, enum cmrt_feature feature);
/* Numbers of a device; 0 for one that is not known. Later versions may add some. */
enum cmrt_property {
    CMRT_PROPERTY_THREADS = 1,       /* hardware threads: how many run at the same time */
    CMRT_PROPERTY_GROUP_THREADS = 2, /* the most that share local memory and barriers, in one group of a CM kernel */
    CMRT_PROPERTY_GROUP_ITEMS = 3,   /* the most work items of a group */
    CMRT_PROPERTY_GROUP_BYTES = 4,   /* shared local memory of a group */
    CMRT_PROPERTY_BUFFER_BYTES = 5   /* the largest buffer */
};
uint64_t cmrt_device_property(const cmrt_device *device, enum cmrt_property property);
void cmrt_device_close(cmrt_device *device);

/* Level Zero's own handles of a device, for programs that use Level Zero beside libcmrt: ze_driver_handle_t,
 * ze_context_handle_t, ze_device_handle_t. cmrt_device_open_level_zero opens a device on handles of the caller's, who
 * keeps the context until the device is closed. CMRT_BAD_ARGUMENT: a handle is NULL, or the device is the CPU. This
 * struct stays as it is. */
struct cmrt_level_zero {
    void *driver, *context, *device;
};
enum cmrt_status cmrt_device_open_level_zero(const struct cmrt_level_zero *handles, cmrt_device **device);
enum cmrt_status cmrt_device_level_zero(const cmrt_device *device, struct cmrt_level_zero *handles);

/* Programs: a zebin or SPIR-V for a GPU, a shared library for the CPU. The file's contents decide which of them it is.
 * SPIR-V (`cmc -emit-spirv`) is compiled by the driver's vector back end for the device while it is loaded; what that
 * says about a program that it does not take is the message. Of a fat binary, the program for the device is loaded.
 * CMRT_BAD_FILE: no such file, a damaged one, or one that the driver does not take; libraries for the CPU are loaded
 * by their path. CMRT_WRONG_PLATFORM: it is for other GPUs, which the message names. cmrt_file_target returns the
 * target that can run a file, without a device. */
enum cmrt_status cmrt_file_target(const char *path, enum cmrt_target *target);
enum cmrt_status cmrt_program_load(cmrt_device *device, const char *path, cmrt_program **program);
enum cmrt_status cmrt_program_load_memory(cmrt_device *device, const void *bytes, size_t size, cmrt_program **program);
/* Reads a file's description of its kernels without a device. The result works with the two functions below and
 * cmrt_program_platform (the GPU it was compiled for, by ocloc's name; "cpu"; NULL if unknown). It cannot be launched.
 * SPIR-V has no such description before a driver compiles it: CMRT_NO_DEVICE. */
enum cmrt_status cmrt_program_inspect(const char *path, cmrt_program **program);
const char *cmrt_program_platform(const cmrt_program *program);
/* Kernels have the numbers 0 to count - 1; NULL beyond. */
size_t cmrt_program_kernel_count(const cmrt_program *program);
const struct cmrt_kernel_info *cmrt_program_kernel(const cmrt_program *program, size_t index);
void cmrt_program_close(cmrt_program *program);

/* Describes a zebin or a fat binary as JSON: {"file", "programs": [{"product", "sections": [{"name", "bytes"}],
 * "relocations", "debugInfo", "zeInfo"}]}. zeInfo is the file's own description of its kernels, with the names of
 * Intel's .ze_info: registers, shared memory, scratch, barriers, arguments with their offsets in the payload. The
 * caller frees *json with free(). CMRT_BAD_ARGUMENT: the file is of another kind. */
enum cmrt_status cmrt_program_describe(const char *path, char **json);

/* Memory that kernels access. Sizes and offsets are in bytes; a buffer has at least 1, and its contents are undefined
 * at first. The host may use the pointer of shared and host memory while no launch is running; the pointer of device
 * memory is NULL. The address is what kernels know it by, in all kinds of memory. Reads and writes go through `queue`,
 * behind what it was given before, and are complete on return; of 0 bytes they do nothing. CMRT_BAD_ARGUMENT: they
 * reach beyond the buffer's end. */
enum cmrt_status cmrt_buffer_open(cmrt_device *device, enum cmrt_memory memory, size_t bytes, cmrt_buffer **buffer);
void *cmrt_buffer_pointer(const cmrt_buffer *buffer);
uint64_t cmrt_buffer_address(const cmrt_buffer *buffer);
size_t cmrt_buffer_bytes(const cmrt_buffer *buffer);
enum cmrt_status cmrt_buffer_write(cmrt_queue *queue, cmrt_buffer *buffer, size_t offset, const void *from,
                                   size_t bytes);
enum cmrt_status cmrt_buffer_read(cmrt_queue *queue, cmrt_buffer *buffer, size_t offset, void *to, size_t bytes);
void cmrt_buffer_close(cmrt_buffer *buffer);
/* A part of a buffer as a buffer: its own memory ends with the whole one, which is to be closed after its parts. The
 * offset is a multiple of CMRT_PART_ALIGNMENT bytes, as surfaces begin there. CMRT_BAD_ARGUMENT: it is none, the part
 * is empty, or reaches beyond the end. */
#define CMRT_PART_ALIGNMENT 64
enum cmrt_status cmrt_buffer_part(cmrt_buffer *buffer, size_t offset, size_t bytes, cmrt_buffer **part);
/* Memory of somebody else's as a buffer, who frees it after the buffer is closed. On a GPU it is unified shared memory
 * of the device's context (zeMemAlloc...); on the CPU any memory, which counts as shared. It begins at a multiple of
 * CMRT_PART_ALIGNMENT bytes. CMRT_BAD_ARGUMENT: it does not, or is no such memory up to its last byte. */
enum cmrt_status cmrt_buffer_wrap(cmrt_device *device, void *pointer, size_t bytes, cmrt_buffer **buffer);

/* Formats. Numbers go from 0 up; cmrt_format_name returns NULL and the others 0 where there is no such format.
 * cmrt_image_bytes: the host's copy of an image of `width` elements and `height` rows without gaps, plane after plane.
 */
enum cmrt_format cmrt_format_find(const char *name); /* CMRT_FORMAT_NONE if there is none */
const char *cmrt_format_name(enum cmrt_format format);
size_t cmrt_format_bytes(enum cmrt_format format);    /* of one element */
size_t cmrt_format_channels(enum cmrt_format format); /* of one element */
size_t cmrt_format_planes(enum cmrt_format format);   /* 1 to 3; the two above are about the first */
size_t cmrt_image_bytes(enum cmrt_format format, size_t width, size_t height);

/* Images. Width in elements of `format`, height in rows, both at least 1. Host memory has rows without gaps. A
 * format with several planes, which only the CPU supports, has plane after plane; one whose channels have different
 * bits is for GPUs only. cmrt_image_open makes a 2D image, cmrt_image_open_shape one of 1 to 3 dimensions: extents of
 * dimensions that it does not have are 1, and host memory has slice after slice, cmrt_image_bytes(format, width,
 * height) bytes each. Kernels take images of the dimensions that their argument names (image1d_t, image2d_t,
 * image3d_t), and access them as `access` says. CMRT_BAD_ARGUMENT: an extent is 0, or larger than the device takes.
 * Reads and writes are of whole images, go through `queue`, behind what it was given before, and are complete on
 * return. The struct stays as it is. */
enum cmrt_status cmrt_image_open(cmrt_device *device, size_t width, size_t height, enum cmrt_format format,
                                 enum cmrt_access access, cmrt_image **image);
struct cmrt_image_shape {
    uint32_t dimensions;
    size_t width, height, depth;
};
enum cmrt_status cmrt_image_open_shape(cmrt_device *device, const struct cmrt_image_shape *shape,
                                       enum cmrt_format format, enum cmrt_access access, cmrt_image **image);
enum cmrt_status cmrt_image_write(cmrt_queue *queue, cmrt_image *image, const void *from);
enum cmrt_status cmrt_image_read(cmrt_queue *queue, cmrt_image *image, void *to);
void cmrt_image_close(cmrt_image *image);

/* Samplers: what a coordinate outside the image reads, in all directions. */
enum cmrt_sampler_address {
    CMRT_ADDRESS_NONE = 0,   /* undefined */
    CMRT_ADDRESS_CLAMP = 1,  /* the texel at the edge */
    CMRT_ADDRESS_BORDER = 2, /* zeros; alpha too, where the format has it */
    CMRT_ADDRESS_REPEAT = 3, /* the image again */
    CMRT_ADDRESS_MIRROR = 4  /* the image again, every second time mirrored */
};
enum cmrt_sampler_filter { CMRT_FILTER_NEAREST = 0, CMRT_FILTER_LINEAR = 1 };
/* normalized: not 0 if coordinates are fractions of the image's extents, 0 if they count texels. */
enum cmrt_status cmrt_sampler_open(cmrt_device *device, enum cmrt_sampler_address address,
                                   enum cmrt_sampler_filter filter, int normalized, cmrt_sampler **sampler);
void cmrt_sampler_close(cmrt_sampler *sampler);

/* Kernels and their arguments, which have the numbers 0 to argument_count - 1. CMRT_NO_KERNEL: the message names those
 * that there are. An argument stays set from launch to launch; a launch takes its value as it is then, so that it may
 * be set again while the launch runs. CMRT_BAD_ARGUMENT: no such argument, or one of another kind, size or shape. */
enum cmrt_status cmrt_kernel_open(cmrt_program *program, const char *name, cmrt_kernel **kernel);
const struct cmrt_kernel_info *cmrt_kernel_info(const cmrt_kernel *kernel);
enum cmrt_status cmrt_kernel_set_value(cmrt_kernel *kernel, size_t index, const void *value, size_t bytes);
enum cmrt_status cmrt_kernel_set_buffer(cmrt_kernel *kernel, size_t index, cmrt_buffer *buffer);
enum cmrt_status cmrt_kernel_set_image(cmrt_kernel *kernel, size_t index, cmrt_image *image);
enum cmrt_status cmrt_kernel_set_sampler(cmrt_kernel *kernel, size_t index, cmrt_sampler *sampler);
enum cmrt_status cmrt_kernel_set_local(cmrt_kernel *kernel, size_t index, size_t bytes);
/* Does the kernel also access memory of the device that is none of its arguments, by addresses that it finds in values
 * or in memory (cmrt_buffer_address, or unified shared memory of others)? 0 at first. */
enum cmrt_status cmrt_kernel_set_indirect(cmrt_kernel *kernel, int indirect);
/* A group size for a launch of total[0] x total[1] x total[2] threads (work items for OpenCL C kernels): the one that
 * the kernel requires, else the driver's suggestion; each total is a multiple of it. CMRT_BAD_ARGUMENT: a total is 0,
 * or no multiple of the required size. The CPU suggests 1 x 1 x 1. */
enum cmrt_status cmrt_kernel_suggest_local(cmrt_kernel *kernel, const uint32_t total[3], uint32_t local[3]);
void cmrt_kernel_close(cmrt_kernel *kernel);

/* Queues run in order; several queues of a device run concurrently. cmrt_launch starts groups[0] x groups[1] x
 * groups[2] groups of local[0] x local[1] x local[2] threads (work items for OpenCL C kernels) and may return before
 * they end; each launch may have another group size. On the CPU they have ended. CMRT_BAD_ARGUMENT: an argument is not
 * set, a count is 0, or the group is larger than the device or other than the kernel takes. cmrt_wait returns when
 * everything that the queue was given has ended. cmrt_elapsed returns the nanoseconds of the last launch by the
 * device's clock; call it after cmrt_wait. CMRT_BAD_ARGUMENT: there was no launch. */
enum cmrt_status cmrt_queue_open(cmrt_device *device, cmrt_queue **queue);
enum cmrt_status cmrt_launch(cmrt_queue *queue, cmrt_kernel *kernel, const uint32_t groups[3], const uint32_t local[3]);
enum cmrt_status cmrt_wait(cmrt_queue *queue);
enum cmrt_status cmrt_elapsed(cmrt_queue *queue, uint64_t *nanoseconds);
void cmrt_queue_close(cmrt_queue *queue); /* waits for what it was given */

/* Events: the end of everything that a queue was given before. cmrt_launch returns at once while fewer than
 * CMRT_LAUNCHES_AHEAD operations of the queue are unfinished (later versions may have more); an event tells when they
 * are. cmrt_event_wait waits for at most that many nanoseconds (UINT64_MAX: without limit) and gives CMRT_NOT_YET when
 * they are over. cmrt_queue_after returns at once: what `queue` is given from then on begins behind the event, which
 * may be another queue's of the same device. An event is closed before its queue, and after what waits for it has
 * ended. */
#define CMRT_LAUNCHES_AHEAD 8
enum cmrt_status cmrt_event_open(cmrt_queue *queue, cmrt_event **event);
enum cmrt_status cmrt_event_done(cmrt_event *event, int *done); /* *done: 1 or 0 */
enum cmrt_status cmrt_event_wait(cmrt_event *event, uint64_t nanoseconds);
enum cmrt_status cmrt_queue_after(cmrt_queue *queue, cmrt_event *event);
void cmrt_event_close(cmrt_event *event);

#ifdef __cplusplus
}
#endif
#endif
