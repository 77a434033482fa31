/* contexts A.cm B.cm: checks that the middle end keeps no state between modules. Two modules are compiled in turns, one
 * inside the other's passes, in one LLVM context and in two, and in two threads; the vISA text must be that of each
 * compiled alone. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "frontend/frontend.h"
#include "lower/lower.h"
#include "test/unit/visa_emit/check.h"

struct unit {
    const char *path;
    const struct platform *platform;
    char *alone; /* vISA text of the unit compiled by itself */
};
enum { UNITS = 2, THREAD_ROUNDS = 4 };
static struct unit units[UNITS];

static LLVMModuleRef parse(const struct unit *u, LLVMContextRef context)
{
    struct frontend_options options = {.input = u->path, .target = FRONTEND_GPU, .platform = u->platform};
    LLVMModuleRef module = NULL;
    if (!frontend_compile(context, &options, &module))
        exit(1);
    return module;
}

static struct lower_options options_of(const struct unit *u)
{
    return (struct lower_options){.platform = u->platform, .optimization = 2, .verify_each = true};
}

static void to_genx(const struct unit *u, LLVMModuleRef module)
{
    struct lower_options options = options_of(u);
    if (!lower_to_genx(module, &options))
        exit(1);
}

/* The vISA text of a module that to_genx() made; the module is gone afterwards. */
static char *to_text(const struct unit *u, LLVMModuleRef module)
{
    struct lower_options options = options_of(u);
    struct visa_program *program = lower_to_visa(module, &options);
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!program || !out)
        exit(1);
    for (size_t k = 0; k < program->kernel_count; k++)
        visa_print(program, &program->kernels[k], out);
    fclose(out);
    visa_program_destroy(program);
    LLVMDisposeModule(module);
    return text;
}

static void check_text(const struct unit *u, char *text, const char *how)
{
    CHECK(strcmp(text, u->alone) == 0, "%s, %s: other vISA than alone", u->path, how);
    free(text);
}

static char *compile(const struct unit *u)
{
    LLVMContextRef context = LLVMContextCreate();
    LLVMModuleRef module = parse(u, context);
    to_genx(u, module);
    char *text = to_text(u, module);
    LLVMContextDispose(context);
    return text;
}

/* Runs both halves of the middle end in turns. */
static void check_turns(LLVMContextRef a, LLVMContextRef b, const char *how)
{
    LLVMModuleRef first = parse(&units[0], a), second = parse(&units[1], b);
    to_genx(&units[0], first);
    to_genx(&units[1], second);
    check_text(&units[0], to_text(&units[0], first), how);
    check_text(&units[1], to_text(&units[1], second), how);
}

static void compile_other(const char *pass)
{
    if (strcmp(pass, "unroll") == 0 || strcmp(pass, "cse") == 0 || strcmp(pass, "decompose") == 0)
        check_text(&units[1], compile(&units[1]), "inside a pass of another module");
}

static void check_inside(void)
{
    LLVMContextRef context = LLVMContextCreate();
    LLVMModuleRef module = parse(&units[0], context);
    struct lower_options options = options_of(&units[0]);
    options.pass_done = compile_other;
    CHECK(lower_to_genx(module, &options), "%s", units[0].path);
    check_text(&units[0], to_text(&units[0], module), "with another module compiled inside");
    LLVMContextDispose(context);
}

struct round {
    const struct unit *unit;
    LLVMContextRef context;
    LLVMModuleRef module;
    char *text;
};

static void *run_round(void *word)
{
    struct round *r = word;
    to_genx(r->unit, r->module);
    r->text = to_text(r->unit, r->module);
    return NULL;
}

/* Clang is not tested here: the modules exist before the threads start. */
static void check_threads(void)
{
    for (unsigned n = 0; n < THREAD_ROUNDS; n++) {
        struct round rounds[UNITS];
        pthread_t threads[UNITS];
        for (unsigned k = 0; k < UNITS; k++) {
            rounds[k] = (struct round){.unit = &units[k], .context = LLVMContextCreate()};
            rounds[k].module = parse(&units[k], rounds[k].context);
        }
        for (unsigned k = 0; k < UNITS; k++)
            CHECK(pthread_create(&threads[k], NULL, run_round, &rounds[k]) == 0, "thread %u", k);
        for (unsigned k = 0; k < UNITS; k++) {
            pthread_join(threads[k], NULL);
            check_text(rounds[k].unit, rounds[k].text, "in a thread");
            LLVMContextDispose(rounds[k].context);
        }
    }
}

int main(int count, char **words)
{
    if (count != 1 + UNITS)
        return 2;
    units[0] = (struct unit){.path = words[1], .platform = platform_find("SKL")};
    units[1] = (struct unit){.path = words[2], .platform = platform_find("TGLLP")};
    for (unsigned k = 0; k < UNITS; k++) {
        units[k].alone = compile(&units[k]);
        CHECK(strstr(units[k].alone, ".kernel"), "%s", units[k].path);
    }
    CHECK(strcmp(units[0].alone, units[1].alone) != 0, "two kernels are one");
    LLVMContextRef a = LLVMContextCreate(), b = LLVMContextCreate();
    check_turns(a, b, "in turns, two LLVM contexts");
    check_turns(a, a, "in turns, one LLVM context");
    check_inside();
    check_threads();
    LLVMContextDispose(a);
    LLVMContextDispose(b);
    for (unsigned k = 0; k < UNITS; k++)
        free(units[k].alone);
    return checks_failed != 0;
}
