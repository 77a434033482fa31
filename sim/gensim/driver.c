/* Finds a driver by name, and starts programs with a driver that is not installed. */
#include "sim/gensim/driver.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char LIBRARIES[] = "usr/lib/x86_64-linux-gnu";

static const struct {
    const char *path, *package;
} files[] = {
#define DRIVER_FILE(PATH, PACKAGE) {PATH, PACKAGE},
#include "sim/gensim/driver.def"
};

static const struct {
    const char *library;
    unsigned long build;
} current[] = {
#define DRIVER_CURRENT(LIBRARY, BUILD) {LIBRARY, BUILD},
#include "sim/gensim/driver.def"
};

/* Writes the sentence; returns 0, which its callers return. */
static int say(char *problem, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));

static int say(char *problem, size_t size, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(problem, size, format, arguments);
    va_end(arguments);
    return 0;
}

/* Whether the installed driver is new enough to be the current one. */
static int is_installed(void)
{
    char target[PATH_MAX];
    for (size_t i = 0; i < sizeof current / sizeof current[0]; i++) {
        const char *dot = realpath(current[i].library, target) ? strrchr(target, '.') : NULL;
        if (dot && strtoul(dot + 1, NULL, 10) >= current[i].build)
            return 1;
    }
    return 0;
}

int driver_is_current(const struct driver *driver)
{
    return driver->root[0] || is_installed();
}

/* Where ./dev deps --current puts the packages: 1, or 0 if the path is too long or no variable has it. */
static int name_folder(char *root)
{
    const char *folder = getenv("CMKIT_CURRENT"), *home = getenv("HOME");
    int length = folder && *folder ? snprintf(root, PATH_MAX, "%s/root", folder)
                                   : snprintf(root, PATH_MAX, "%s/.cache/cmkit/current/root", home ? home : "");
    return length > 0 && length < PATH_MAX;
}

/* `advice` says how to get what is missing. */
static int check_folder(const char *name, struct driver *driver, const char *advice, char *problem, size_t size)
{
    char path[PATH_MAX + 64], root[PATH_MAX];
    if (!realpath(driver->root, root))
        return say(problem, size, "--driver %s: there is no folder %s%s", name, driver->root, advice);
    strcpy(driver->root, root);
    if (strpbrk(root, ": \t\n"))
        return say(problem, size, "--driver %s: the dynamic loader takes no folder with spaces or colons: %s", name,
                   root);
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        snprintf(path, sizeof path, "%s/%s/%s", root, LIBRARIES, files[i].path);
        if (access(path, R_OK) != 0)
            return say(problem, size, "--driver %s: %s lacks %s/%s of the package %s%s", name, root, LIBRARIES,
                       files[i].path, files[i].package, advice);
    }
    return 1;
}

int driver_find(const char *name, struct driver *driver, char *problem, size_t size)
{
    driver->root[0] = 0;
    if (strcmp(name, "installed") == 0 || (strcmp(name, "current") == 0 && is_installed()))
        return 1;
    if (strcmp(name, "current") == 0)
        return name_folder(driver->root)
                   ? check_folder(name, driver, ": ./dev deps --current downloads it", problem, size)
                   : say(problem, size, "--driver current: the name of the folder in CMKIT_CURRENT is too long");
    if (!strchr(name, '/') || strlen(name) >= sizeof driver->root)
        return say(problem, size, "--driver: '%s' is neither installed nor current nor a folder's path", name);
    strcpy(driver->root, name);
    return check_folder(name, driver, "", problem, size);
}

/* Finds a program as a shell does: in $PATH, if its name has no '/'. 1, or 0 with errno set. */
static int find_program(const char *name, char *path, size_t size)
{
    const char *folder = getenv("PATH");
    if (strchr(name, '/') || !folder) {
        snprintf(path, size, "%s", name);
        return access(path, X_OK) == 0;
    }
    for (size_t length; *folder; folder += length + (folder[length] == ':')) {
        struct stat status;
        length = strcspn(folder, ":");
        snprintf(path, size, "%.*s/%s", length ? (int)length : 1, length ? folder : ".", name);
        if (access(path, X_OK) == 0 && stat(path, &status) == 0 && S_ISREG(status.st_mode))
            return 1;
    }
    errno = ENOENT;
    return 0;
}

/* Whether the ELF file names a dynamic loader. */
static int names_loader(int file, const Elf64_Ehdr *header)
{
    Elf64_Phdr segment;
    for (unsigned i = 0; i < header->e_phnum; i++)
        if (pread(file, &segment, sizeof segment, (off_t)(header->e_phoff + i * sizeof segment)) == sizeof segment &&
            segment.p_type == PT_INTERP)
            return 1;
    return 0;
}

/* What the folder's loader cannot run, or NULL: scripts, programs for other processors or without a dynamic loader. */
static const char *find_obstacle(const char *path)
{
    Elf64_Ehdr header;
    const char *obstacle = NULL;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (pread(file, &header, sizeof header, 0) != sizeof header || memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
        header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_machine != EM_X86_64)
        obstacle = "is no program for x86-64 (in a script, put gensim before the programs)";
    else if (!names_loader(file, &header))
        obstacle = "is linked statically: it loads no driver";
    if (file >= 0)
        close(file);
    return obstacle;
}

/* OpenCL's loader reads the names of drivers from files in /etc; those of the folder name places in "/". Khronos'
 * loader, which programs bring with them, takes drivers by another variable. */
static void name_open_cl_driver(const char *libraries)
{
    char path[PATH_MAX + 64];
    const char *vendors = getenv("OCL_ICD_VENDORS");
    if (vendors && strchr(vendors, '/'))
        return;
    snprintf(path, sizeof path, "%s/intel-opencl/libigdrcl.so", libraries);
    setenv("OCL_ICD_VENDORS", path, 1);
    setenv("OCL_ICD_FILENAMES", path, 0);
}

/* Becomes `loader --library-path PATH --argv0 NAME PROGRAM ARGUMENT...`. */
static void run_under_loader(const char *libraries, const char *program, char **arguments)
{
    char loader[PATH_MAX + 64];
    const char *others = getenv("LD_LIBRARY_PATH");
    size_t count = 0, room = strlen(libraries) + (others ? strlen(others) : 0) + 2;
    while (arguments[count])
        count++;
    char *search = malloc(room);
    const char **all = calloc(count + 6, sizeof *all);
    if (!search || !all) {
        errno = ENOMEM;
        return;
    }
    snprintf(loader, sizeof loader, "%s/ld-linux-x86-64.so.2", libraries);
    snprintf(search, room, "%s%s%s", libraries, others && *others ? ":" : "", others ? others : "");
    const char *first[] = {loader, "--library-path", search, "--argv0", arguments[0], program};
    memcpy(all, first, sizeof first);
    memcpy(all + sizeof first / sizeof first[0], arguments + 1, (count - 1) * sizeof *all);
    execv(loader, (char **)all);
    free(all);
    free(search);
}

void driver_run(const struct driver *driver, char **arguments, char *problem, size_t size)
{
    char program[PATH_MAX], libraries[PATH_MAX + 32];
    if (!driver->root[0]) {
        execvp(arguments[0], arguments);
    } else if (find_program(arguments[0], program, sizeof program)) {
        const char *obstacle = find_obstacle(program);
        if (obstacle) {
            say(problem, size, "cannot run %s with another driver: it %s", arguments[0], obstacle);
            return;
        }
        snprintf(libraries, sizeof libraries, "%s/%s", driver->root, LIBRARIES);
        name_open_cl_driver(libraries);
        run_under_loader(libraries, program, arguments);
    }
    say(problem, size, "cannot run %s: %s", arguments[0], strerror(errno));
}
