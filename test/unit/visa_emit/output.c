/* Checks output_write(), which writes the whole file or none, and limits and cleanup of process_run() and the scratch
 * folder. */
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>
#include "test/unit/visa_emit/check.h"
#include "visa_emit/finalize.h"
#include "visa_emit/process.h"

static char error[512];

static void files(const struct scratch *scratch)
{
    char path[4096];
    size_t size;
    struct stat status;
    snprintf(path, sizeof path, "%s/out", scratch->folder);
    umask(022);
    CHECK(output_write(path, "first", 5, error, sizeof error), "%s", error);
    CHECK(output_write(path, "second\0x", 8, error, sizeof error), "%s", error);
    char *read = scratch_read(scratch, "out", &size);
    CHECK(read && size == 8 && memcmp(read, "second\0x", 8) == 0, "%zu bytes", size);
    free(read);
    CHECK(stat(path, &status) == 0 && (status.st_mode & 0777) == 0644, "mode %o", status.st_mode);
    CHECK(!output_write("/nowhere/at/all", "x", 1, error, sizeof error), "written");
    CHECK(strcmp(error, "cannot write /nowhere/at/all: No such file or directory") == 0, "%s", error);
    CHECK(!output_write("/dev/full", "x", 1, error, sizeof error), "written");
    CHECK(strcmp(error, "cannot write /dev/full: No space left on device") == 0, "%s", error);
    CHECK(output_write("/dev/null", "x", 1, error, sizeof error), "%s", error);
}

static void processes(const struct scratch *scratch)
{
    struct process_result ran;
    const char *both[] = {"sh", "-c", "echo out; echo err >&2; pwd; exit 3", NULL};
    CHECK(process_run(both, scratch->folder, process_seconds(60), &ran, error, sizeof error), "%s", error);
    CHECK(ran.status == 3 && !ran.signal && !ran.timed_out, "%d %d", ran.status, ran.signal);
    CHECK(strncmp(ran.output, "out\nerr\n", 8) == 0 && strstr(ran.output, strrchr(scratch->folder, '/')), "%s",
          ran.output);
    free(ran.output);

    const char *crash[] = {"sh", "-c", "kill -SEGV $$", NULL};
    CHECK(process_run(crash, scratch->folder, process_seconds(60), &ran, error, sizeof error), "%s", error);
    CHECK(ran.signal == SIGSEGV, "%d", ran.signal);
    free(ran.output);

    const char *endless[] = {"sleep", "1000", NULL};
    CHECK(process_run(endless, scratch->folder, process_seconds(1), &ran, error, sizeof error), "%s", error);
    CHECK(ran.timed_out && ran.signal == SIGKILL, "%d", ran.signal);
    free(ran.output);

    const char *flood[] = {"sh", "-c", "yes | head -c 5000000", NULL};
    CHECK(process_run(flood, scratch->folder, process_seconds(60), &ran, error, sizeof error), "%s", error);
    CHECK(ran.status == 0 && strlen(ran.output) == 1 << 20, "%zu bytes kept", strlen(ran.output));
    free(ran.output);

    const char *absent[] = {"/nowhere/program", NULL};
    CHECK(!process_run(absent, scratch->folder, process_seconds(60), &ran, error, sizeof error), "started");
    CHECK(strcmp(error, "cannot run /nowhere/program: No such file or directory") == 0, "%s", error);
}

/* A signal that arrives while the folder exists is delivered when it is gone. */
static volatile sig_atomic_t folder_was_gone = -1;
static char watched[4096];

static void on_signal(int number)
{
    (void)number;
    folder_was_gone = access(watched, F_OK) != 0;
}

static void signals(void)
{
    struct scratch scratch;
    signal(SIGTERM, on_signal);
    CHECK(scratch_create(&scratch, error, sizeof error), "%s", error);
    snprintf(watched, sizeof watched, "%s", scratch.folder);
    raise(SIGTERM);
    CHECK(folder_was_gone == -1, "delivered too early");
    scratch_remove(&scratch);
    CHECK(folder_was_gone == 1, "%d", folder_was_gone);
}

int main(void)
{
    struct scratch scratch;
    CHECK(scratch_create(&scratch, error, sizeof error), "%s", error);
    files(&scratch);
    processes(&scratch);
    scratch_remove(&scratch);
    signals();
    return checks_failed != 0;
}
