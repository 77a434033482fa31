#include "sim/gensim/listen.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>
#include "sim/base/options.h"
#include "sim/base/process.h"

enum { FIRST_DESCRIPTOR = 190 }; /* out of the way of the program's own */

/* Moves a descriptor; it stays open over exec. */
static int keep(int descriptor)
{
    int kept = fcntl(descriptor, F_DUPFD, FIRST_DESCRIPTOR);
    if (kept < 0)
        kept = fcntl(descriptor, F_DUPFD, 3);
    close(descriptor);
    return kept;
}

/* Listens at an address. The descriptor, or -1 with errno. */
static int listen_at(const struct sockaddr *address, socklen_t size)
{
    int one = 1, descriptor = socket(address->sa_family, SOCK_STREAM, 0);
    if (descriptor < 0)
        return -1;
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (bind(descriptor, address, size) != 0 || listen(descriptor, 1) != 0) {
        int error = errno;
        close(descriptor);
        errno = error;
        return -1;
    }
    return keep(descriptor);
}

static int open_port(const char *text, char *connection, size_t room, char *problem, size_t problem_room)
{
    uint64_t port = 0;
    if (*text && !sim_options_number(text, 1, UINT16_MAX, &port)) {
        snprintf(problem, problem_room, "'%.100s' is neither a port, unix:PATH nor pipe", text);
        return 0;
    }
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    int descriptor = listen_at((const struct sockaddr *)&address, sizeof address);
    if (descriptor < 0 || getsockname(descriptor, (struct sockaddr *)&address, &size) != 0) {
        snprintf(problem, problem_room, "cannot listen at port %u: %s", (unsigned)port, strerror(errno));
        return 0;
    }
    snprintf(connection, room, "listen %d localhost:%u", descriptor, (unsigned)ntohs(address.sin_port));
    return 1;
}

static int open_path(const char *path, char *connection, size_t room, char *problem, size_t problem_room)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    char absolute[sizeof address.sun_path], folder[sizeof address.sun_path];
    int length = *path == '/' || !getcwd(folder, sizeof folder)
                     ? snprintf(absolute, sizeof absolute, "%s", path)
                     : snprintf(absolute, sizeof absolute, "%s/%s", folder, path);
    if (!*path || length < 0 || (size_t)length >= sizeof absolute) {
        snprintf(problem, problem_room, "the name of the socket is %s", *path ? "too long" : "empty");
        return 0;
    }
    memcpy(address.sun_path, absolute, sizeof absolute);
    int descriptor = listen_at((const struct sockaddr *)&address, sizeof address);
    if (descriptor < 0) {
        snprintf(problem, problem_room, "cannot listen at '%s': %s", absolute, strerror(errno));
        return 0;
    }
    snprintf(connection, room, "listen %d %s", descriptor, absolute);
    return 1;
}

/* Returns the parent of a process, 0 if it is not known. */
static pid_t parent_of(pid_t process)
{
    char path[64], line[64];
    long parent = 0;
    snprintf(path, sizeof path, "/proc/%ld/status", (long)process);
    FILE *file = fopen(path, "re");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "PPid: %ld", &parent) == 1)
            break;
    if (file)
        fclose(file);
    return (pid_t)parent;
}

/* Opens the standard error of another process: the same open file, so that a file's position is shared. -1: no right.
 */
static int error_output_of(pid_t process, mode_t kind, const char *path)
{
    int handle = (int)syscall(SYS_pidfd_open, process, 0);
    int output = handle < 0 ? -1 : (int)syscall(SYS_pidfd_getfd, handle, STDERR_FILENO, 0);
    if (handle >= 0)
        close(handle);
    if (output < 0 && (S_ISCHR(kind) || S_ISFIFO(kind)))
        output = open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC);
    return output;
}

/* Gives the program gdb's own standard error. gdb makes a socket the standard error of what it starts. It reads that
 * only together with packets, and as a debug adapter never: what the program prints behind the last one is lost. */
static void share_output_of_gdb(void)
{
    struct stat own, other;
    char path[64];
    if (fstat(STDERR_FILENO, &own) != 0 || !S_ISSOCK(own.st_mode))
        return; /* the user has redirected it */
    pid_t process = getppid();
    for (int shells = 0; shells < 4 && process > 1; shells++, process = parent_of(process)) {
        snprintf(path, sizeof path, "/proc/%ld/fd/2", (long)process);
        if (stat(path, &other) != 0)
            return;
        if (other.st_dev == own.st_dev && other.st_ino == own.st_ino)
            continue;
        int output = error_output_of(process, other.st_mode, path);
        if (output >= 0) {
            dup2(output, STDERR_FILENO);
            close(output);
        }
        return;
    }
}

/* Goes on in a child: a gdb that leaves ends what it has started with SIGTERM, 5 s later, and the program goes on. */
static void become_child(void)
{
    int status;
    pid_t child = fork();
    if (child <= 0)
        return; /* without a child, gdb's signal ends the program */
    close(STDIN_FILENO);
    close(STDOUT_FILENO); /* gdb sees the end of the connection when the program has ended */
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            _exit(SIM_EXIT_USAGE);
    _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
}

/* The program gets no input, and its output goes to standard error. */
static int open_pipe(char *connection, size_t room, char *problem, size_t problem_room)
{
    become_child();
    share_output_of_gdb();
    int in = fcntl(STDIN_FILENO, F_DUPFD, FIRST_DESCRIPTOR), out = fcntl(STDOUT_FILENO, F_DUPFD, FIRST_DESCRIPTOR);
    int null = open("/dev/null", O_RDONLY);
    if (in < 0 || out < 0 || null < 0 || dup2(null, STDIN_FILENO) < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {
        snprintf(problem, problem_room, "standard input or output cannot carry gdb's packets: %s", strerror(errno));
        return 0;
    }
    close(null);
    snprintf(connection, room, "pipe %d %d", in, out);
    return 1;
}

int listen_open(const char *text, char *connection, size_t room, char *problem, size_t problem_room)
{
    if (strcmp(text, "pipe") == 0)
        return open_pipe(connection, room, problem, problem_room);
    if (strncmp(text, "unix:", 5) == 0)
        return open_path(text + 5, connection, room, problem, problem_room);
    return open_port(text, connection, room, problem, problem_room);
}
