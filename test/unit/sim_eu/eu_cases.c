/* eu_cases IGA64 FILE.case        runs the cases of a file on every generation that they name, with and without the
 *                                 interpreter's fast paths; after --check-scoreboard: with the waits of Gen12's
 *                                 software scoreboard checked
 * eu_cases --coverage FILE.case…  checks that every instruction of tables/eu_ops.def appears in some case */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "case_file.h"
#include "sim/eu/instruction.h"

enum { CODE_BYTES = 1 << 16, BUDGET = 100000 };

/* Runs until the end of the thread, through barriers. */
static enum eu_stop run_through(struct eu_thread *thread, unsigned *barriers, struct sim_fault *fault)
{
    uint64_t executed = 0;
    enum eu_stop stop;
    *barriers = 0;
    while ((stop = eu_thread_run(thread, BUDGET, &executed, fault)) == EU_BARRIER)
        ++*barriers;
    return stop;
}

static bool fault_agrees(const struct test_case *test, const struct sim_fault *fault, char *report, size_t size)
{
    if (test->fault[0] == 0 && !fault->raised)
        return true;
    if (test->fault[0] != 0 && fault->raised && strstr(fault->what, test->fault) != NULL && fault->instruction[0] != 0)
        return true;
    snprintf(report, size, "fault \"%s\" (%s) where \"%s\" is expected", fault->what, fault->instruction, test->fault);
    return false;
}

static bool run_decoded(const struct test_case *test, const struct platform *platform, const struct eu_program *program,
                        char *report, size_t size)
{
    struct sim_fault fault = {0};
    struct eu_thread *thread = eu_thread_create(platform);
    uint8_t *registers = eu_thread_grf(thread, 0);
    size_t register_bytes = (size_t)platform->grf_bytes * platform->grf_count;
    unsigned barriers;
    bool passed = true;
    static const struct message_state state; /* faults are not left out */
    eu_thread_start(thread, program, &state, NULL, 0, test->mask, 5);
    for (unsigned i = 0; i < test->set_count; i++)
        if (!case_set(test->sets[i], registers, register_bytes)) {
            snprintf(report, size, "malformed: set %s", test->sets[i]);
            passed = false;
        }
    enum eu_stop stop = run_through(thread, &barriers, &fault);
    passed = passed && fault_agrees(test, &fault, report, size);
    if (passed && test->fault[0] == 0 && (stop != EU_END || barriers != test->barriers)) {
        snprintf(report, size, "stopped with %d after %u barriers", (int)stop, barriers);
        passed = false;
    }
    for (unsigned i = 0; passed && i < test->expect_count; i++)
        passed = case_check(test->expects[i], registers, register_bytes, report, size);
    eu_thread_destroy(thread);
    return passed;
}

static bool run_case(const char *iga64, const struct test_case *test, unsigned generation, char *report, size_t size)
{
    static uint8_t code[CODE_BYTES];
    const struct platform *platform = case_platform(generation);
    size_t bytes = case_assemble(iga64, generation, test->assembly, code, sizeof code);
    if (bytes == 0) {
        snprintf(report, size, "iga64 does not assemble it");
        return false;
    }
    if (test->expect_count == 0 && test->fault[0] == 0) {
        snprintf(report, size, "the case expects nothing");
        return false;
    }
    struct sim_fault fault = {0};
    struct eu_program *program = eu_program_decode(platform, code, bytes, &fault);
    if (program == NULL)
        return fault_agrees(test, &fault, report, size);
    bool passed = run_decoded(test, platform, program, report, size);
    eu_program_avoid_fast(program);
    passed = passed && run_decoded(test, platform, program, report, size);
    eu_program_destroy(program);
    return passed;
}

static int run_file(const char *iga64, const char *path)
{
    unsigned line = 0, failed = 0, runs = 0;
    char *text = case_read(path), *position = text, report[1024];
    static struct test_case test;
    while (case_next(path, &position, &line, &test))
        for (unsigned generation = 0; generation < CASE_GENERATIONS; generation++) {
            if (!test.on[generation])
                continue;
            runs++;
            if (!run_case(iga64, &test, generation, report, sizeof report)) {
                printf("%s:%u: %s on Gen%u: %s\n", path, test.line, test.name, generation, report);
                failed++;
            }
        }
    free(text);
    printf("%u cases run, %u failed\n", runs, failed);
    return failed > 0 || runs == 0;
}

/* True if `mnemonic` is an instruction of the assembly: at the beginning of a line, or after a predicate or a label. */
static bool uses(const char *assembly, const char *mnemonic)
{
    size_t length = strlen(mnemonic);
    for (const char *at = assembly; (at = strstr(at, mnemonic)) != NULL; at++)
        if ((at == assembly || at[-1] == ' ' || at[-1] == '\n') &&
            (at[length] == ' ' || at[length] == '.' || at[length] == '\n'))
            return true;
    return false;
}

static int check_coverage(int files, char **paths)
{
    static const char *const mnemonics[] = {
#define EU_OP(ID, MNEMONIC, ...) MNEMONIC,
#include "tables/eu_ops.def"
#undef EU_OP
    };
    bool covered[sizeof mnemonics / sizeof *mnemonics] = {false};
    static struct test_case test;
    int missing = 0;
    for (int f = 0; f < files; f++) {
        unsigned line = 0;
        char *text = case_read(paths[f]), *position = text;
        while (case_next(paths[f], &position, &line, &test))
            for (size_t i = 0; i < sizeof mnemonics / sizeof *mnemonics; i++)
                covered[i] |= uses(test.assembly, mnemonics[i]);
        free(text);
    }
    for (size_t i = 0; i < sizeof mnemonics / sizeof *mnemonics; i++)
        if (!covered[i]) {
            printf("no case uses %s\n", mnemonics[i]);
            missing++;
        }
    return missing > 0;
}

int main(int argc, char **argv)
{
    if (argc >= 3 && strcmp(argv[1], "--coverage") == 0)
        return check_coverage(argc - 2, argv + 2);
    if (argc == 4 && strcmp(argv[1], "--check-scoreboard") == 0) {
        eu_check_scoreboards();
        return run_file(argv[2], argv[3]);
    }
    if (argc != 3) {
        fprintf(stderr, "usage: eu_cases [--check-scoreboard] IGA64 FILE.case | eu_cases --coverage FILE.case...\n");
        return 2;
    }
    return run_file(argv[1], argv[2]);
}
