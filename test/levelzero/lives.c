/* The lives of processes that use the GPU: usage lives MODULE WHAT [COMMAND...]. Each of WHAT ends with status 0,
 * unless it says otherwise. */
#include "level_zero.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORDS = 64 };

static const char *module_path;

/* add_one: each element becomes one more. */
static void add_one(const struct level_zero *z, uint32_t first)
{
    ze_module_handle_t module = level_zero_load(z, module_path);
    ze_kernel_handle_t kernel = level_zero_kernel(module, "add_one");
    uint32_t *data = level_zero_shared(z, WORDS * sizeof *data);
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

/* Forks while a kernel runs, which ends in the parent only: the child does not wait for it. */
static void fork_busy(void)
{
    struct level_zero z = level_zero_open();
    add_one(&z, 20);
    ze_module_handle_t module = level_zero_load(&z, module_path);
    ze_kernel_handle_t answer = level_zero_kernel(module, "answer");
    uint32_t *flags = level_zero_shared(&z, 4096);
    flags[0] = flags[1] = 0;
    ze_command_queue_handle_t queue = level_zero_queue(&z);
    ze_command_list_handle_t list = level_zero_list(&z);
    ze_group_count_t one = {1, 1, 1};
    ZE(zeKernelSetArgumentValue(answer, 0, sizeof flags, &flags));
    ZE(zeKernelSetGroupSize(answer, 1, 1, 1));
    ZE(zeCommandListAppendLaunchKernel(list, answer, &one, NULL, 0, NULL));
    ZE(zeCommandListClose(list));
    ZE(zeCommandQueueExecuteCommandLists(queue, 1, &list, NULL));
    while (__atomic_load_n(&flags[1], __ATOMIC_SEQ_CST) == 0)
        usleep(1000);
    pid_t child = fork();
    if (!child) {
        add_one(&z, 30);
        _exit(0);
    }
    expect_exit(child, 0);
    __atomic_store_n(&flags[0], 1, __ATOMIC_SEQ_CST);
    ZE(zeCommandQueueSynchronize(queue, UINT64_MAX));
    add_one(&z, 40);
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
            descriptors = count_entries("/proc/self/fd");
            threads = count_entries("/proc/self/task");
            maps = count_maps();
        }
    }
    REQUIRE(count_entries("/proc/self/fd") == descriptors, "%u descriptors, then more", descriptors);
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
    uint32_t *stop = level_zero_shared(&z, 4096);
    *stop = 0;
    ZE(zeKernelSetArgumentValue(spin, 0, sizeof stop, &stop));
    printf("running\n");
    fflush(stdout);
    alarm(getenv("LIVES_ALARM") ? 1 : 0); /* its default action ends the process */
    level_zero_launch(&z, spin, 1, 1);
}

int main(int count, char **arguments)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } lives[] = {{"fork-first", fork_first}, {"fork-later", fork_later}, {"fork-busy", fork_busy},
                 {"fork-close", fork_close}, {"repeat", repeat},         {"die", die}};
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
