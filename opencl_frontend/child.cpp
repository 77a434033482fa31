#include "opencl_frontend/child.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

namespace cmkit
{

namespace
{

class File
{
  public:
    explicit File(int number = -1) : number_(number) {}
    File(const File &) = delete;
    ~File()
    {
        if (number_ >= 0)
            close(number_);
    }
    void take(int number) { number_ = number; }
    void drop()
    {
        close(number_);
        number_ = -1;
    }
    int number() const { return number_; }

  private:
    int number_;
};

// Returns the environment without libraries that are preloaded into the caller, such as a simulator.
std::vector<char *> environment()
{
    std::vector<char *> result;
    for (char **variable = environ; *variable; variable++)
        if (strncmp(*variable, "LD_PRELOAD=", 11) != 0)
            result.push_back(*variable);
    result.push_back(nullptr);
    return result;
}

bool write_all(int file, const std::string &text)
{
    for (size_t done = 0; done < text.size();) {
        ssize_t written = write(file, text.data() + done, text.size() - done);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        done += (size_t)written;
    }
    return lseek(file, 0, SEEK_SET) == 0;
}

template <typename Bytes> Bytes read_all(int file)
{
    struct stat status;
    Bytes bytes;
    if (fstat(file, &status) != 0)
        return bytes;
    bytes.resize((size_t)status.st_size);
    size_t done = 0;
    while (done < bytes.size()) {
        ssize_t got = pread(file, bytes.data() + done, bytes.size() - done, (off_t)done);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        done += (size_t)got;
    }
    bytes.resize(done);
    return bytes;
}

long long milliseconds()
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

// Only the child has the other end of the pipe and never writes to it: the pipe is closed when the child ends.
bool ends_in_time(int pipe_end, unsigned seconds)
{
    long long deadline = milliseconds() + 1000LL * seconds;
    for (;;) {
        long long left = deadline - milliseconds();
        struct pollfd ended = {pipe_end, POLLIN, 0};
        int ready = left > 0 ? poll(&ended, 1, (int)left) : 0;
        if (ready >= 0 || errno != EINTR)
            return ready > 0;
    }
}

enum { ALIVE = 3 }; // the child's descriptor of its end of the pipe

int start(const std::vector<std::string> &words, const int (&streams)[3], int alive, pid_t *pid)
{
    std::vector<char *> argv, variables = environment();
    for (const std::string &word : words)
        argv.push_back(const_cast<char *>(word.c_str()));
    argv.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    for (int number = 0; number < 3; number++)
        posix_spawn_file_actions_adddup2(&actions, streams[number], number);
    posix_spawn_file_actions_adddup2(&actions, alive, ALIVE);
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    int failure = posix_spawn(pid, argv[0], &actions, &attributes, argv.data(), variables.data());
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return failure;
}

// Opens a file without a name, with a descriptor above those of the child's streams.
int memory_file(const char *name)
{
    int low = memfd_create(name, MFD_CLOEXEC);
    int high = low >= 0 && low <= ALIVE ? fcntl(low, F_DUPFD_CLOEXEC, ALIVE + 1) : low;
    if (high != low)
        close(low);
    return high;
}

void wait_for(pid_t pid, ChildResult &result)
{
    int status = 0;
    pid_t waited;
    while ((waited = waitpid(pid, &status, 0)) < 0 && errno == EINTR)
        ;
    result.known = waited == pid;
    result.signal = result.known && WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    result.status = result.known && WIFEXITED(status) ? WEXITSTATUS(status) : 0;
}

} // namespace

ChildResult run_child(const std::vector<std::string> &words, const std::string &input, unsigned seconds)
{
    ChildResult result = {};
    File in(memory_file("source")), out(memory_file("output")), errors(memory_file("errors")), waits, alive;
    int ends[2];
    bool ready = in.number() >= 0 && out.number() >= 0 && errors.number() >= 0 && write_all(in.number(), input) &&
                 pipe2(ends, O_CLOEXEC) == 0;
    if (!ready) {
        result.failure = std::string("no memory for the source and what comes of it: ") + strerror(errno);
        return result;
    }
    waits.take(ends[0]);
    alive.take(ends[1] <= ALIVE ? fcntl(ends[1], F_DUPFD_CLOEXEC, ALIVE + 1) : ends[1]);
    if (alive.number() != ends[1])
        close(ends[1]);
    pid_t pid;
    int failure = start(words, {in.number(), out.number(), errors.number()}, alive.number(), &pid);
    alive.drop();
    if (failure) {
        result.failure = "cannot run " + words[0] + ": " + strerror(failure);
        return result;
    }
    if (!ends_in_time(waits.number(), seconds)) {
        kill(pid, SIGKILL);
        result.failure = words[0] + " was stopped after " + std::to_string(seconds) + " seconds";
    }
    wait_for(pid, result);
    result.output = read_all<std::vector<char>>(out.number());
    result.errors = read_all<std::string>(errors.number());
    return result;
}

} // namespace cmkit
