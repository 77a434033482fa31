/* Implements the dispatcher of `gensim --execute none`, which completes kernels without decoding or running them.
 * Device discovery, memory and command streamer are the same as in a full run, so the difference in time is the cost of
 * the EUs. It is in a library of its own, which therefore loads no decoder. */
#include <stdlib.h>
#include "sim/report/fidelity.h"
#include "sim/stream/dispatcher.h"

struct dispatcher {
    struct platform platform;
};

struct eu_program {
    int unused;
};

struct dispatcher *dispatcher_create(const struct platform *platform, unsigned threads, uint64_t max_instructions)
{
    (void)threads, (void)max_instructions;
    struct dispatcher *dispatcher = calloc(1, sizeof *dispatcher);
    if (dispatcher)
        dispatcher->platform = *platform;
    return dispatcher;
}

/* No kernel is decoded: the number of registers makes no difference. */
const struct platform *dispatcher_with_registers(const struct dispatcher *dispatcher, unsigned count)
{
    (void)count;
    return &dispatcher->platform;
}

/* gensim refuses --timing here. */
const char *dispatcher_time(struct dispatcher *dispatcher, const struct sim_options *options)
{
    (void)dispatcher, (void)options;
    return NULL;
}

/* gensim refuses --gdb here. */
const char *dispatcher_debug(const struct platform *platform, const char *connection)
{
    (void)platform, (void)connection;
    return NULL;
}

bool dispatcher_is_timed(const struct dispatcher *dispatcher)
{
    (void)dispatcher;
    return false;
}

/* gensim refuses --check, --plugin and --gdb here. */
bool dispatcher_is_watched(void)
{
    return false;
}

void dispatcher_destroy(struct dispatcher *dispatcher)
{
    free(dispatcher);
}

const struct eu_program *dispatcher_program(struct dispatcher *dispatcher, const struct platform *platform,
                                            uint64_t address, const uint8_t *code, size_t available, uint64_t *hash,
                                            struct sim_fault *fault)
{
    static const struct eu_program any;
    (void)dispatcher, (void)platform, (void)address, (void)code, (void)available, (void)fault;
    *hash = 0;
    return &any;
}

void dispatcher_release(struct dispatcher *dispatcher, const struct eu_program *program)
{
    (void)dispatcher, (void)program;
}

int dispatcher_run(struct dispatcher *dispatcher, const struct dispatch *dispatch, uint64_t *instructions,
                   struct sim_fault *fault, struct dispatch_position *position)
{
    (void)dispatcher, (void)fault;
    *instructions = 0;
    *position = (struct dispatch_position){.active = 0, .kernel = dispatch->kernel};
    return 1;
}

bool eu_program_reads_clock(const struct eu_program *program)
{
    (void)program;
    return false;
}

size_t eu_program_bytes(const struct eu_program *program)
{
    (void)program;
    return 0;
}

int dispatcher_count_command(struct dispatcher *dispatcher)
{
    (void)dispatcher;
    return 1;
}

/* Does nothing, because no instruction accesses memory. */
void dispatcher_check(unsigned checks)
{
    (void)checks;
}

/* Does nothing, because no instruction is executed. */
void eu_check_scoreboards(void) {}

void sim_fidelity_start(void) {}

int sim_fidelity_wanted(void)
{
    return 0;
}

void sim_fidelity_print(void) {}

/* Refused by gensim before. */
const char *dispatcher_show(const struct platform *platform, const char *plugin)
{
    (void)platform, (void)plugin;
    return "nothing is executed";
}

void dispatcher_finish(void) {}
