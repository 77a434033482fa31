/* Checks lifetimes of processes that use the GPU: usage: lifetimes MODULE WHAT [COMMAND...]. Each WHAT ends with status
 * 0, unless it says otherwise. */
#include "level_zero.h"

#include <dirent.h>
#include <drm.h>
#include <errno.h>
#include <fcntl.h>
#include <i915_drm.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORDS = 64 };

static const char *module_path;

/* add_one: each element becomes one more. */
static void add_one(const struct level_zero *z, uint32_t first)
{
    ze_module_handle_t module = level_zero_load(z, module_path);
    ze_kernel_handle_t kernel = level_zero_kernel(module, "add_one");
    uint32_t *data = level_zero_host(z, WORDS * sizeof *data);
    for (uint32_t i = 0; i < WORDS; i++)
        data[i] = first + i;
    ZE(zeKernelSetArgumentValue(kernel, 0, sizeof data, &data));
    level_zero_launch(z, kernel, 16, WORDS / 16);
    for (uint32_t i = 0; i < WORDS; i++)
        REQUIRE(data[i] == first + i + 1, "element %u is %u", i, data[i]);
    ZE(zeMemFree(z->context, data));
    ZE(zeKernelDestroy(kernel));
    ZE(zeModuleDestroy(module));
}

/* Waits for a child that must end with `status`. */
static void expect_exit(pid_t child, int status)
{
    int seen;
    REQUIRE(child > 0 && waitpid(child, &seen, 0) == child, "no child");
    REQUIRE(WIFEXITED(seen) && WEXITSTATUS(seen) == status, "the child ended with 0x%x", seen);
}

/* A child that is forked before its parent uses the GPU has one of its own. */
static void fork_first(void)
{
    pid_t child = fork();
    struct level_zero z = level_zero_open();
    add_one(&z, child ? 10 : 20);
    if (!child)
        exit(0);
    expect_exit(child, 0);
}

/* Children go on with what their parent has opened, one after the other and both at once, and their children too. */
static void fork_later(void)
{
    struct level_zero z = level_zero_open();
    add_one(&z, 1);
    for (uint32_t round = 0; round < 3; round++) {
        pid_t child = fork();
        if (!child) {
            add_one(&z, 100 * round);
            pid_t grandchild = fork();
            if (!grandchild) {
                add_one(&z, 1000 * round);
                _exit(0);
            }
            expect_exit(grandchild, 0);
            _exit(7);
        }
        add_one(&z, 5);
        expect_exit(child, 7);
    }
    add_one(&z, 6);
}

/* A kernel at work, which ends when flags[0] is set. */
struct busy {
    ze_command_queue_handle_t queue;
    uint32_t *flags;
};

static struct busy start_busy(const struct level_zero *z)
{
    struct busy busy = {.queue = level_zero_queue(z), .flags = level_zero_host(z, 4096)};
    ze_module_handle_t module = level_zero_load(z, module_path);
    ze_kernel_handle_t answer = level_zero_kernel(module, "answer");
    ze_command_list_handle_t list = level_zero_list(z);
    ze_group_count_t one = {1, 1, 1};
    busy.flags[0] = busy.flags[1] = 0;
    ZE(zeKernelSetArgumentValue(answer, 0, sizeof busy.flags, &busy.flags));
    ZE(zeKernelSetGroupSize(answer, 1, 1, 1));
    ZE(zeCommandListAppendLaunchKernel(list, answer, &one, NULL, 0, NULL));
    ZE(zeCommandListClose(list));
    ZE(zeCommandQueueExecuteCommandLists(busy.queue, 1, &list, NULL));
    while (__atomic_load_n(&busy.flags[1], __ATOMIC_SEQ_CST) == 0)
        usleep(1000);
    return busy;
}

static void end_busy(const struct busy *busy)
{
    __atomic_store_n(&busy->flags[0], 1, __ATOMIC_SEQ_CST);
    ZE(zeCommandQueueSynchronize(busy->queue, UINT64_MAX));
}

/* Forks while a kernel runs, which ends in the parent only: the child does not wait for it. */
static void fork_busy(void)
{
    struct level_zero z = level_zero_open();
    add_one(&z, 20);
    struct busy busy = start_busy(&z);
    pid_t child = fork();
    if (!child) {
        add_one(&z, 30);
        _exit(0);
    }
    expect_exit(child, 0);
    end_busy(&busy);
    add_one(&z, 40);
}

/* Starts other programs while a kernel runs, in the ways that do not copy the process. */
static void spawn_busy(void)
{
    char text[16] = "", *words[] = {(char *)"sh", (char *)"-c", (char *)"exit 5", NULL};
    struct level_zero z = level_zero_open();
    struct busy busy = start_busy(&z);
    int status = system("exit 3");
    REQUIRE(WIFEXITED(status) && WEXITSTATUS(status) == 3, "system() gives 0x%x", status);
    FILE *pipe = popen("echo heard", "r");
    REQUIRE(pipe && fgets(text, sizeof text, pipe) && strcmp(text, "heard\n") == 0, "popen() reads %s", text);
    pclose(pipe);
    pid_t child;
    REQUIRE(posix_spawnp(&child, "sh", NULL, NULL, words, environ) == 0, "posix_spawn()");
    expect_exit(child, 5);
    end_busy(&busy);
}

/* Ends in the usual way while a kernel runs, which the driver waits for. */
static void exit_busy(void)
{
    struct level_zero z = level_zero_open();
    struct busy busy = start_busy(&z);
    __atomic_store_n(&busy.flags[0], 1, __ATOMIC_SEQ_CST);
}

/* Ends at once while a kernel runs that never does. */
static void quit_busy(void)
{
    struct level_zero z = level_zero_open();
    start_busy(&z);
    _exit(0);
}

/* A child that closes all descriptors at once and opens the device again: nothing of the old file is left. */
static void close_all(void)
{
    struct level_zero z = level_zero_open();
    add_one(&z, 1);
    pid_t child = fork();
    if (!child) {
        closefrom(3);
        int id = 0, file = open("/dev/dri/renderD128", O_RDWR);
        struct drm_i915_getparam get = {.param = I915_PARAM_CHIPSET_ID, .value = &id};
        struct drm_gem_close close_one = {.handle = 1};
        if (file != 3 || ioctl(file, DRM_IOCTL_I915_GETPARAM, &get) != 0 || id == 0)
            _exit(1);
        if (ioctl(file, DRM_IOCTL_GEM_CLOSE, &close_one) == 0) /* the parent's first object */
            _exit(2);
        _exit(close_range(3, ~0u, 0) == 0 && ioctl(file, DRM_IOCTL_I915_GETPARAM, &get) == -1 && errno == EBADF ? 0
                                                                                                                : 3);
    }
    expect_exit(child, 0);
    add_one(&z, 2);
}

/* Batches by hand, without a driver: the file, and objects in its address space at 1, 2 and 3 MB. */
struct raw {
    int file;
    uint32_t *batch, *result, *data; /* the last one is the program's own memory */
    struct drm_i915_gem_exec_object2 objects[3];
};

static uint32_t *create_mapped(int file, uint32_t *handle)
{
    struct drm_i915_gem_create create = {.size = 4096};
    REQUIRE(ioctl(file, DRM_IOCTL_I915_GEM_CREATE, &create) == 0, "GEM_CREATE");
    struct drm_i915_gem_mmap_offset map = {.handle = create.handle, .flags = I915_MMAP_OFFSET_WB};
    if (ioctl(file, DRM_IOCTL_I915_GEM_MMAP_OFFSET, &map) != 0) { /* parts with memory of their own */
        map.flags = I915_MMAP_OFFSET_FIXED;
        REQUIRE(ioctl(file, DRM_IOCTL_I915_GEM_MMAP_OFFSET, &map) == 0, "GEM_MMAP_OFFSET");
    }
    uint32_t *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, (off_t)map.offset);
    REQUIRE(memory != MAP_FAILED, "mmap of an object");
    *handle = create.handle;
    return memory;
}

static void raw_execute(struct raw *raw)
{
    const struct drm_i915_gem_exec_object2 in_order[3] = {raw->objects[1], raw->objects[2], raw->objects[0]};
    struct drm_i915_gem_execbuffer2 execute = {
        .buffers_ptr = (uintptr_t)in_order, .buffer_count = 3, .batch_len = 4096, .flags = I915_EXEC_RENDER};
    REQUIRE(ioctl(raw->file, DRM_IOCTL_I915_GEM_EXECBUFFER2, &execute) == 0, "GEM_EXECBUFFER2");
}

static void *release_later(void *data)
{
    usleep(200000);
    __atomic_store_n((uint32_t *)data, 1, __ATOMIC_SEQ_CST);
    return NULL;
}

/* The file with the three objects; the batch waits until the data's first dword is 1, then copies the first dword of
 * its second page, 77, to the result. It is running. */
static struct raw start_raw(void)
{
    struct raw raw = {.file = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC)};
    raw.batch = create_mapped(raw.file, &raw.objects[0].handle);
    raw.result = create_mapped(raw.file, &raw.objects[1].handle);
    raw.data = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    struct drm_i915_gem_userptr user = {.user_ptr = (uintptr_t)raw.data, .user_size = 8192};
    REQUIRE(ioctl(raw.file, DRM_IOCTL_I915_GEM_USERPTR, &user) == 0, "GEM_USERPTR");
    raw.objects[2].handle = user.handle;
    for (unsigned i = 0; i < 3; i++) {
        raw.objects[i].offset = (i + 1) * 0x100000;
        raw.objects[i].flags = EXEC_OBJECT_PINNED;
    }
    const uint32_t commands[] = {0x0e00c002, 1, 0x300000, 0, 0x17000003, 0x200000, 0, 0x301000, 0, 0x05000000};
    memcpy(raw.batch, commands, sizeof commands);
    raw.data[1024] = 77;
    raw_execute(&raw);
    return raw;
}

/* Unmaps memory that a batch waits for and reads: the memory stays until the batch is done, as in Linux. */
static void unmap_busy(void)
{
    struct raw raw = start_raw();
    struct drm_gem_close close_data = {.handle = raw.objects[2].handle};
    REQUIRE(ioctl(raw.file, DRM_IOCTL_GEM_CLOSE, &close_data) == 0, "GEM_CLOSE"); /* in flight */
    pthread_t thread;
    REQUIRE(pthread_create(&thread, NULL, release_later, raw.data) == 0, "no thread");
    REQUIRE(munmap(raw.data + 1024, 4096) == 0 && __atomic_load_n(raw.result, __ATOMIC_SEQ_CST) == 77,
            "unmapped before the batch ended: %u", *raw.result);
    pthread_join(thread, NULL);
    close(raw.file);
    REQUIRE(*raw.result == 77, "a mapping that went with its file");
}

/* The same with memory that goes without munmap(), as free() has it: the run stops with a report. */
static void vanish_busy(void)
{
    struct raw raw = start_raw();
    REQUIRE(mprotect(raw.data + 1024, 4096, PROT_NONE) == 0, "mprotect");
    release_later(raw.data);
    usleep(10000000);
}

/* A bad access of the program's own, with the device open: nothing changes for it. */
static void crash(void)
{
    struct raw raw = start_raw();
    REQUIRE(mprotect(raw.data + 1024, 4096, PROT_NONE) == 0, "mprotect");
    raw.data[1024] = 1;
}

static void *open_and_end(void *z)
{
    *(struct level_zero *)z = level_zero_open();
    add_one(z, 1);
    return NULL;
}

/* The thread that opened the device is gone when others use it. */
static void threads(void)
{
    struct level_zero z;
    pthread_t thread;
    for (int round = 0; round < 3; round++) {
        REQUIRE(pthread_create(&thread, NULL, open_and_end, &z) == 0, "no thread");
        pthread_join(thread, NULL);
        add_one(&z, 2);
    }
}

static unsigned count_entries(const char *path);

/* A child that closes everything and becomes another program starts no threads of the simulator first. */
static void fork_close(void)
{
    struct level_zero z = level_zero_open();
    add_one(&z, 1);
    pid_t child = fork();
    if (!child) {
        for (int descriptor = 3; descriptor < 1024; descriptor++)
            close(descriptor);
        if (count_entries("/proc/self/task") != 3) /* ".", ".." and the one thread */
            _exit(1);
        execl("/bin/true", "true", (char *)NULL);
        _exit(2);
    }
    expect_exit(child, 0);
    add_one(&z, 2);
}

static unsigned count_entries(const char *path)
{
    unsigned count = 0;
    DIR *directory = opendir(path);
    REQUIRE(directory, "cannot list %s", path);
    while (readdir(directory))
        count++;
    closedir(directory);
    return count;
}

static unsigned count_maps(void)
{
    unsigned lines = 0;
    FILE *maps = fopen("/proc/self/maps", "r");
    REQUIRE(maps, "cannot read /proc/self/maps");
    for (int c; (c = getc(maps)) != EOF;)
        lines += c == '\n';
    fclose(maps);
    return lines;
}

/* The entries of /proc/self/fd; not those that another thread opens and closes just now. */
static unsigned count_descriptors(void)
{
    unsigned least = count_entries("/proc/self/fd");
    for (int i = 0; i < 20; i++) {
        usleep(1000);
        unsigned now = count_entries("/proc/self/fd");
        least = now < least ? now : least;
    }
    return least;
}

/* Device files that are opened and closed, and work that is done again, leave no descriptors, threads or mappings. */
static void repeat(void)
{
    struct level_zero z = level_zero_open();
    unsigned descriptors = 0, threads = 0, maps = 0;
    for (unsigned round = 0; round < 60; round++) {
        int file = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC), copy = dup(file);
        REQUIRE(file >= 0 && copy >= 0, "the device file opens");
        close(file);
        close(copy);
        add_one(&z, round);
        if (round == 9) {
            descriptors = count_descriptors();
            threads = count_entries("/proc/self/task");
            maps = count_maps();
        }
    }
    REQUIRE(count_descriptors() == descriptors, "%u descriptors, then %u", descriptors, count_descriptors());
    REQUIRE(count_entries("/proc/self/task") <= threads, "%u threads, then more", threads);
    REQUIRE(count_maps() <= maps + 8, "%u mappings, then %u", maps, count_maps());
}

/* Dies in the middle of a launch. */
static void die(void)
{
    struct level_zero z = level_zero_open();
    add_one(&z, 1);
    ze_module_handle_t module = level_zero_load(&z, module_path);
    ze_kernel_handle_t spin = level_zero_kernel(module, "spin");
    uint32_t *stop = level_zero_host(&z, 4096);
    *stop = 0;
    ZE(zeKernelSetArgumentValue(spin, 0, sizeof stop, &stop));
    printf("running\n");
    fflush(stdout);
    alarm(getenv("LIFETIMES_ALARM") ? 1 : 0); /* its default action ends the process */
    level_zero_launch(&z, spin, 1, 1);
}

int main(int count, char **arguments)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } lives[] = {{"fork-first", fork_first},   {"fork-later", fork_later},
                 {"fork-busy", fork_busy},     {"fork-close", fork_close},
                 {"repeat", repeat},           {"die", die},
                 {"spawn-busy", spawn_busy},   {"exit-busy", exit_busy},
                 {"quit-busy", quit_busy},     {"close-all", close_all},
                 {"threads", threads},         {"unmap-busy", unmap_busy},
                 {"vanish-busy", vanish_busy}, {"crash", crash}};
    REQUIRE(count >= 3, "usage: lives MODULE WHAT [COMMAND...]");
    module_path = arguments[1];
    for (size_t i = 0; i < sizeof lives / sizeof *lives; i++)
        if (strcmp(arguments[2], lives[i].name) == 0) {
            lives[i].run();
            return 0;
        }
    REQUIRE(strcmp(arguments[2], "exec") == 0 && count > 3, "no life is called %s", arguments[2]);
    struct level_zero z = level_zero_open(); /* becomes another program that uses the GPU */
    add_one(&z, 1);
    execv(arguments[3], arguments + 3);
    return 1;
}
