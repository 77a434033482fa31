/* Checks printf from kernels: every work item's line appears once, complete, as C's printf would write it. */
#include "level_zero.h"

#include <string.h>
#include <unistd.h>

enum { ITEMS = 24 };

int main(int count, char **arguments)
{
    REQUIRE(count == 2, "usage: print MODULE");
    struct level_zero z = level_zero_open();
    ze_module_handle_t module = level_zero_load(&z, arguments[1]);
    ze_kernel_handle_t kernel = level_zero_kernel(module, "say");
    int *values = level_zero_shared(&z, ITEMS * sizeof *values);
    for (int i = 0; i < ITEMS; i++)
        values[i] = i * 1000 - 7000;
    ZE(zeKernelSetArgumentValue(kernel, 0, sizeof values, &values));

    FILE *caught = tmpfile();
    int terminal = dup(1);
    REQUIRE(caught && terminal >= 0, "cannot catch the output");
    fflush(stdout);
    dup2(fileno(caught), 1);
    level_zero_launch(&z, kernel, 8, ITEMS / 8);
    fflush(stdout);
    dup2(terminal, 1);

    static char text[64 * ITEMS * 2];
    fseek(caught, 0, SEEK_SET);
    size_t length = fread(text, 1, sizeof text - 1, caught), expected_length = 0;
    for (int i = 0; i < ITEMS; i++) {
        char line[128];
        snprintf(line, sizeof line, "item %d: %d %x %s %.2f %d,%d,%d,%d\n", i, values[i], (unsigned)values[i],
                 i % 2 ? "odd" : "even", i * 0.25, values[i], values[i] + 1, values[i] + 2, values[i] + 3);
        const char *found = strstr(text, line);
        REQUIRE(found && !strstr(found + 1, line), "item %d's line is missing or there twice in:\n%s", i, text);
        expected_length += strlen(line);
    }
    REQUIRE(length == expected_length, "%zu characters, expected %zu:\n%s", length, expected_length, text);
    return 0;
}
