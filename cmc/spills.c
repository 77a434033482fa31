/* Warns about kernels that spill registers: where register pressure is highest, which lines cause it, and what helps.
 */
#include <assert.h>
#include <stdio.h>
#include "cmc/phases.h"
#include "visa_emit/pressure.h"

static bool is_error(const struct cmc_options *options)
{
    return options->spills == CMC_SPILLS_ERROR ||
           (options->warnings_are_errors && options->spills != CMC_SPILLS_NO_ERROR);
}

/* Prints ` (2048 from line 4, 128 from line 9)`: the bytes of live variables by the line that writes them first. */
static void print_lines(const struct pressure *peak)
{
    for (unsigned k = 0; k < peak->count; k++) {
        fprintf(stderr, "%s%u from line %u", k == 0 ? " (" : ", ", peak->lines[k].bytes, peak->lines[k].line);
        if (peak->lines[k].file != peak->at->file)
            fputs(" of another file", stderr);
    }
    fputs(peak->count ? ")" : "", stderr);
}

static void print_amount(const struct visa_kernel *kernel, const struct gen_code *code)
{
    fprintf(stderr, "kernel %s keeps ", kernel->name);
    if (kernel->function_count) /* with stack functions the finalizer's count of bytes includes the stack */
        fputs("some of its variables", stderr);
    else
        fprintf(stderr, "%u bytes of its variables", code->spill_bytes);
    fputs(" in memory (it spills), which takes time", stderr);
}

static void print_advice(const struct platform *platform)
{
    fputs("; smaller vectors and matrices, or fewer that are needed at once, take fewer registers", stderr);
    if (cmc_may_have_registers(platform, CMC_MOST_REGISTERS) && platform->grf_count < CMC_MOST_REGISTERS)
        fprintf(stderr, "; -Qxcm_register_file_size=%u gives a thread more", CMC_MOST_REGISTERS);
    fputs(" [-Wregister-spills]\n", stderr);
}

bool cmc_check_spills(const struct cmc_options *options, const struct visa_program *program,
                      const struct visa_kernel *kernel, const struct gen_code *code)
{
    assert(program && kernel && code);
    const struct platform *platform = program->platform;
    struct pressure peak;
    if (!code->spills || options->no_warnings || options->spills == CMC_SPILLS_IGNORED)
        return true;
    bool known = pressure_find(program, kernel, &peak);
    struct cmc_location place = {kernel->file, kernel->line, 0};
    if (known)
        place = (struct cmc_location){peak.at->file, peak.at->line, peak.at->column};
    cmc_print_location(program, place, is_error(options) ? "error" : "warning");
    print_amount(kernel, code);
    if (known) {
        fprintf(stderr, "; here it needs %u bytes at once", peak.bytes);
        print_lines(&peak);
        fprintf(stderr, ", and the registers of %s hold %u", platform->name, platform->grf_count * platform->grf_bytes);
    }
    print_advice(platform);
    return !is_error(options);
}
