/* Checks what gen_finalize() reads from the finalizer: registers, spills, instructions, and its complaints, from the
 * real one.
 */
#include "test/unit/visa_emit/check.h"
#include "visa_emit/finalize.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { GRF = 32 };

static struct visa_operand surface;

static void add(struct visa_program *program, struct visa_instruction instruction)
{
    if (!instruction.exec_size)
        instruction.exec_size = 1;
    visa_add_instruction(program, &program->kernels[0], &instruction);
}

static unsigned declare(struct visa_program *program, enum visa_class class, unsigned elements)
{
    struct visa_variable variable = {.class = class, .type = VISA_TYPE_UD, .elements = elements, .input_offset = -1};
    return visa_add_variable(program, &program->kernels[0], &variable);
}

/* Loads `count` registers from a buffer, then stores them in the opposite order: all of them live at once. */
static char *many_live(const struct platform *platform, unsigned count)
{
    struct visa_program *program = visa_program_create(platform);
    visa_add_kernel(program, "k");
    surface = state(declare(program, VISA_CLASS_SURFACE, 1));
    unsigned first = declare(program, VISA_CLASS_GENERAL, GRF / 4);
    for (unsigned i = 1; i < count; i++)
        declare(program, VISA_CLASS_GENERAL, GRF / 4);
    add(program, (struct visa_instruction){.op = VISA_OP_MOVS, .dst = surface, .src = {immediate(VISA_TYPE_UD, 1)}});
    for (unsigned i = 0; i < count; i++)
        add(program, (struct visa_instruction){.op = VISA_OP_OWORD_LD,
                                               .attr = {2},
                                               .dst = raw(first + i),
                                               .src = {surface, immediate(VISA_TYPE_UD, 2 * i)}});
    for (unsigned i = count; i-- > 0;)
        add(program,
            (struct visa_instruction){.op = VISA_OP_OWORD_ST,
                                      .attr = {2},
                                      .src = {surface, immediate(VISA_TYPE_UD, 2 * (count + i)), raw(first + i)}});
    add(program, (struct visa_instruction){.op = VISA_OP_RET});
    char *text = text_of(program, &program->kernels[0]);
    visa_program_destroy(program);
    return text;
}

static void counts(const struct platform *platform)
{
    char error[512];
    struct gen_code few, many;
    char *small = many_live(platform, 20), *large = many_live(platform, 200);
    bool done = gen_finalize(platform, "k", small, NULL, &few, error, sizeof error);
    if (!done && platform->newest_finalizer && strstr(error, "./dev deps --current")) {
        printf("not tried: %s\n", error);
        free(small);
        free(large);
        return;
    }
    CHECK(done, "%s", error);
    CHECK(few.registers >= 20 && few.registers <= 128 && few.spill_bytes == 0, "%u registers, %u bytes", few.registers,
          few.spill_bytes);
    /* a send for each load and store, and the end of the thread at least */
    CHECK(few.instructions > 40 && few.instructions < 200, "%u", few.instructions);
    /* of 200 registers of data at least 72 do not fit; each takes 32 bytes of scratch */
    CHECK(gen_finalize(platform, "k", large, NULL, &many, error, sizeof error), "%s", error);
    CHECK(many.spill_bytes >= 72 * GRF && many.spill_bytes % GRF == 0, "%u bytes", many.spill_bytes);
    CHECK(many.size > few.size && many.assembly && strstr(many.assembly, "//.kernel k"), "listing");
    gen_code_free(&few);
    gen_code_free(&many);
    free(small);
    free(large);
}

/* `text` must be rejected, with an error that contains `expected`. */
static void refused(const char *text, const char *expected)
{
    char error[512] = "";
    struct gen_code code;
    CHECK(!gen_finalize(&platform_table[PLATFORM_ICLLP], "k", text, NULL, &code, error, sizeof error), "%s", text);
    CHECK(strstr(error, expected) && !strchr(error, '\n'), "'%s' does not say '%s'", error, expected);
    CHECK(!code.code && !code.assembly, "something is left");
}

#define HEAD                                                                                                           \
    ".version 4.1\n.kernel \"k\"\n.decl V32 v_type=G type=d num_elts=8 align=GRF\n.kernel_attr Target=\"cm\"\n"        \
    ".function \"k\"\n"

static void refusals(void)
{
    refused(HEAD "    mov (M1, 3) V32(0,0)<1> 0x1:d\n    ret (M1, 1)\n", "vISA line 6: invalid execution size");
    refused(HEAD "    mov (M1, 1) V99(0,0)<1> 0x1:d\n    ret (M1, 1)\n", "vISA line 6: V99: unbound identifier");
    refused(HEAD "    moov (M1, 1) V32(0,0)<1> 0x1:d\n    ret (M1, 1)\n", "vISA line 6: syntax error");
    refused(HEAD "    mov (M1, 1) V32(9,0)<1> 0x1:d\n    ret (M1, 1)\n", "out of bounds byte access");
    refused(HEAD "    goto (M1, 1) L7\n", "undefined label: L7");
    refused(HEAD "    mov (M1, 1) V32(0,0)<1> 0x1:d\n", "never ends the thread");
    refused("", "GenX_IR");
    refused("\x01\xff garbage", "GenX_IR");
}

/* A finalizer without end of its memory use is stopped, and the reason says so. */
static void hungry(void)
{
    char script[] = "/tmp/hungry-XXXXXX", error[512] = "";
    static const char text[] = "#!/usr/bin/perl\nmy @all; push @all, 'x' x (1 << 20) while 1;\n";
    struct gen_code code;
    int fd = mkstemp(script);
    CHECK(fd >= 0 && write(fd, text, sizeof text - 1) == sizeof text - 1 && fchmod(fd, 0700) == 0, "no script");
    close(fd);
    setenv("CMKIT_FINALIZER", script, 1);
    setenv("CMKIT_FINALIZER_MEMORY", "256", 1);
    CHECK(!gen_finalize(&platform_table[PLATFORM_ICLLP], "k", "", NULL, &code, error, sizeof error), "no failure");
    CHECK(strstr(error, "it used up 256 MB of memory") && !strchr(error, '\n'), "'%s'", error);
    unsetenv("CMKIT_FINALIZER");
    unsetenv("CMKIT_FINALIZER_MEMORY");
    unlink(script);
}

int main(void)
{
    for (unsigned p = 0; p < platform_count; p++)
        if (*platform_table[p].finalizer)
            counts(&platform_table[p]);
    refusals();
    hungry();
    return checks_failed != 0;
}
