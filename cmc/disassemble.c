/* Disassembles Gen instructions with iga64. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cmc/phases.h"
#include "visa_emit/process.h"

enum { DISASSEMBLER_SECONDS = 60 };

/* What iga64 says, in one line: the first line of its output. */
static void take_message(const struct process_result *ran, char *error, size_t error_size)
{
    snprintf(error, error_size, "iga64: %.*s", (int)strcspn(ran->output, "\n"), ran->output);
}

char *cmc_disassemble(const char *program, const struct platform *platform, const void *code, size_t size, char *error,
                      size_t error_size)
{
    char option[64], *listing = NULL;
    struct scratch scratch;
    struct process_result ran = {.output = NULL};
    if (!scratch_create(&scratch, error, error_size))
        return NULL;
    snprintf(option, sizeof option, "-p=%s", platform->assembler);
    const char *argv[] = {program, "-d", option, "-Xprint-pc", "-o", "out.asm", "in.krn", NULL};
    if (scratch_write_bytes(&scratch, "in.krn", code, size, error, error_size) &&
        process_run(argv, scratch.folder, process_seconds(DISASSEMBLER_SECONDS), &ran, error, error_size)) {
        listing = ran.signal || ran.timed_out || ran.status ? NULL : scratch_read(&scratch, "out.asm", &size);
        if (!listing)
            take_message(&ran, error, error_size);
    }
    free(ran.output);
    scratch_remove(&scratch);
    return listing;
}
