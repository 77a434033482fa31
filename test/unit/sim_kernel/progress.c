/* Checks the progress line of a long kernel: it is written to a terminal only, and erased at the end. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "check.h"
#include "sim/stream/progress.h"

static const char *kernel_name;

static const char *name_of(const struct dispatch *dispatch)
{
    CHECK(!dispatch);
    return kernel_name;
}

static void run_kernel(unsigned patience)
{
    struct progress progress;
    progress_set_patience(patience);
    progress_start(&progress, name_of, NULL, 0x1234, 8);
    progress_advance(&progress, 5000, 0);
    progress_advance(&progress, 5000, 3);
    progress_end(&progress);
}

/* Returns what the kernel's run writes to standard error (`descriptor`), up to a mark that follows it. */
static size_t output_of(int descriptor, int reader, unsigned patience, char *text, size_t size)
{
    int before = dup(STDERR_FILENO);
    size_t length = 0;
    dup2(descriptor, STDERR_FILENO);
    run_kernel(patience);
    dup2(before, STDERR_FILENO);
    close(before);
    CHECK(write(descriptor, "@", 1) == 1);
    do {
        CHECK(length < size && read(reader, text + length, 1) == 1);
    } while (text[length++] != '@');
    text[--length] = 0;
    return length;
}

int main(void)
{
    char text[1024];
    int terminal = posix_openpt(O_RDWR | O_NOCTTY), pipes[2];
    if (terminal < 0 || grantpt(terminal) != 0 || unlockpt(terminal) != 0 || pipe(pipes) != 0) {
        printf("no terminal to be had here\n");
        return 77;
    }
    int other = open(ptsname(terminal), O_RDWR | O_NOCTTY);
    CHECK(other >= 0);
    kernel_name = "blur";
    CHECK(output_of(other, terminal, 0, text, sizeof text) > 0);
    CHECK(strstr(text, "kernel blur: 0 of 8 groups, ") != NULL);
    kernel_name = "";
    CHECK(output_of(other, terminal, 0, text, sizeof text) > 0);
    CHECK(strstr(text, "kernel 0000000000001234: 0 of 8 groups, ") != NULL);
    CHECK(strlen(text) > 4 && strcmp(text + strlen(text) - 4, "\r\033[K") == 0);
    CHECK(output_of(other, terminal, 60000, text, sizeof text) == 0); /* a short kernel */
    CHECK(output_of(pipes[1], pipes[0], 0, text, sizeof text) == 0);  /* no terminal */
    return 0;
}
