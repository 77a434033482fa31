/* eu_types IGA64   checks, for each simulated generation, every instruction of tables/eu_ops.def with every destination
 * and source type: it must decode if tables/eu_op_types.def has a row, and be refused otherwise. If one lane can be
 * computed alone, its result is compared with reference_model.c for corner values. The assembler refuses some forms
 * that the platform cannot encode. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "case_file.h"
#include "sim/eu/thread.h"
#include "sim/eu/type_sets.h"
#include "reference_model.h"

enum { TYPES = EU_DF + 1, BUDGET = 100 };

static const struct {
    unsigned op, first, last, destination, source;
} rows[] = {
#define EU_TYPES(OP, FIRST, LAST, DESTINATION, SOURCE) {EU_OP_##OP, FIRST, LAST, DESTINATION, SOURCE},
#include "tables/eu_op_types.def"
#undef EU_TYPES
};

/* One instruction of one lane: everything about it that is not its op. */
struct form {
    const struct platform *platform;
    unsigned op, dst, src;
    bool saturate;
};

static bool has_row(const struct form *form)
{
    if (!eu_platform_has_type(form->platform, form->dst) || !eu_platform_has_type(form->platform, form->src))
        return false;
    if (form->op == EU_OP_DP4A && (1 << form->src & WORDS)) /* only as an immediate */
        return false;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].op == form->op && platform_between(form->platform, rows[i].first, rows[i].last) &&
            (rows[i].destination >> form->dst & 1) && (rows[i].source >> form->src & 1))
            return true;
    return false;
}

/* Instructions of the arithmetic pipeline whose values are checked elsewhere than with reference_model.c. */
static bool has_values_elsewhere(unsigned op)
{
    switch (op) {
    case EU_OP_SMOV:
    case EU_OP_MOVI: return true; /* cases/regions.case */
    case EU_OP_MATH:
    case EU_OP_MADM: return true; /* eu_functions.c */
    case EU_OP_DPAS:
    case EU_OP_DPASW: return true; /* eu_dpas.c */
    case EU_OP_DP2:
    case EU_OP_DP3:
    case EU_OP_DP4:
    case EU_OP_DPH:
    case EU_OP_LINE:
    case EU_OP_PLN:
    case EU_OP_LRP:
    case EU_OP_SAD2:
    case EU_OP_SADA2: return true; /* eu_groups.c */
    default: return eu_op_table[op].execute != EU_EXECUTE_alu;
    }
}

/* The text of the instruction; false for those whose shape is not lane by lane. */
static bool write_text(const struct form *form, char *text, size_t size)
{
    const struct eu_op *op = &eu_op_table[form->op];
    const char *dst = eu_type_table[form->dst].name, *src = eu_type_table[form->src].name;
    const char *condition = op->properties & (EU_PROPERTY_COMPARE | EU_PROPERTY_SELECT) ? "(lt)f0.0 " : "";
    const char *saturation = form->saturate ? "(sat)" : "";
    bool align16 = op->sources == 3 && platform_has(form->platform, FEATURE_TERNARY_ALIGN16);
    if (op->execute != EU_EXECUTE_alu || form->op == EU_OP_SMOV || form->op == EU_OP_MOVI || form->op == EU_OP_MATH ||
        form->op == EU_OP_MADM || (op->properties & EU_PROPERTY_VECTOR) ||
        !platform_between(form->platform, op->first_generation, op->last_generation))
        return false;
    int used = snprintf(text, size, "(W) %s%s (%u|M0) %s%sr20.0<1>:%s r10.0<0;%s>:%s", op->mnemonic,
                        form->op == EU_OP_BFN ? ".0xCA" : "", eu_lane_group(op), condition, saturation, dst,
                        align16 || op->sources == 3 ? "0" : "1,0", src);
    if (op->sources == 2)
        used += snprintf(text + used, size - (size_t)used, " r11.0<0;1,0>:%s", src);
    else if (op->sources == 3)
        used += snprintf(text + used, size - (size_t)used, " r11.0<0;0>:%s r12.0<0>:%s", src, src);
    return (size_t)used < size;
}

static void set_control(struct eu_thread *thread)
{
    uint32_t control = EU_CR0_DOUBLE_DENORMALS | EU_CR0_SINGLE_DENORMALS | EU_CR0_HALF_DENORMALS;
    memcpy(thread->file + EU_FILE_CONTROL, &control, sizeof control);
}

/* Runs the instruction on three values and the accumulator's; its result's bits. */
static uint64_t run_lane(struct eu_thread *thread, const struct eu_program *program, const uint64_t values[4])
{
    struct sim_fault fault = {0};
    uint64_t executed = 0, result = 0;
    eu_thread_start(thread, program, NULL, NULL, 0, UINT32_MAX, 0);
    set_control(thread);
    for (unsigned s = 0; s < 3; s++)
        memcpy(eu_thread_grf(thread, 10 + s), &values[s], sizeof values[s]);
    memcpy(thread->file + EU_FILE_ACCUMULATOR, &values[3], sizeof values[3]);
    eu_thread_run(thread, BUDGET, &executed, &fault);
    memcpy(&result, eu_thread_grf(thread, 20), sizeof result);
    return fault.raised ? ~result : result;
}

/* Compares with the reference model for every combination of corner values; the number of differences, each printed
 * once. */
static unsigned compare_values(const struct form *form, const struct eu_program *program, const char *text)
{
    const struct eu_op *op = &eu_op_table[form->op];
    uint64_t values[4] = {0, 0, 0, model_accumulator((enum eu_type)form->dst)};
    unsigned compared = 0;
    struct eu_thread *thread = eu_thread_create(form->platform);
    for (unsigned a = 0; model_corner((enum eu_type)form->src, a, &values[0]); a++)
        for (unsigned b = 0; model_corner((enum eu_type)form->src, b, &values[1]); b++) {
            for (unsigned c = 0; model_corner((enum eu_type)form->src, c, &values[2]); c++) {
                uint64_t wanted;
                if (!model_value(op->mnemonic, (enum eu_type)form->dst, (enum eu_type)form->src, form->saturate, values,
                                 &wanted))
                    continue;
                uint64_t got = run_lane(thread, program, values);
                compared++;
                if (!model_agrees((enum eu_type)form->dst, wanted, got)) {
                    printf("%s: %s of 0x%llx 0x%llx 0x%llx is 0x%llx, not 0x%llx\n", form->platform->name, text,
                           (unsigned long long)values[0], (unsigned long long)values[1], (unsigned long long)values[2],
                           (unsigned long long)got, (unsigned long long)wanted);
                    eu_thread_destroy(thread);
                    return UINT32_MAX;
                }
                if (op->sources < 3)
                    break;
            }
            if (op->sources < 2)
                break;
        }
    eu_thread_destroy(thread);
    return compared;
}

struct totals {
    unsigned decoded, refused, compared, failed;
    bool has_values[EU_OPS];
};

static void check_form(const struct form *form, const uint8_t *code, size_t size, const char *text,
                       struct totals *totals)
{
    struct sim_fault fault = {0};
    struct eu_program *program = size > 0 ? eu_program_decode(form->platform, code, size, &fault) : NULL;
    bool wanted = has_row(form);
    totals->decoded += wanted;
    totals->refused += !wanted;
    if ((program != NULL) != wanted) {
        printf("%s: %s is %s: %s\n", form->platform->name, text, wanted ? "refused" : "accepted",
               size == 0 ? "by the assembler" : fault.what);
        totals->failed++;
    } else if (program != NULL) {
        unsigned compared = compare_values(form, program, text);
        totals->failed += compared == UINT32_MAX;
        totals->compared += compared == UINT32_MAX ? 0 : compared;
        totals->has_values[form->op] |= compared > 0;
    }
    eu_program_destroy(program);
}

static void check_op(const char *iga64, const struct platform *platform, unsigned op, struct totals *totals)
{
    enum { FORMS = 2 * TYPES * TYPES };
    static char texts[FORMS][CASE_LINE_TEXT];
    static uint8_t code[FORMS][CASE_LINE_CODE];
    static size_t sizes[FORMS];
    static struct form forms[FORMS];
    size_t count = 0;
    /* With MACL, mach reads the accumulator's upper half, which these forms do not set; macl is checked instead. */
    if (op == EU_OP_MACH && platform_has(platform, FEATURE_MACL))
        return;
    for (unsigned form = 0; form < FORMS; form++) {
        struct form *f = &forms[count];
        *f = (struct form){platform, op, form / 2 / TYPES, form / 2 % TYPES, form & 1};
        if ((!f->saturate || (eu_modifiers(&eu_op_table[op], platform) & EU_MODIFIER_SAT)) &&
            write_text(f, texts[count], sizeof texts[count]) && eu_platform_has_type(platform, f->dst) &&
            eu_platform_has_type(platform, f->src))
            count++;
    }
    case_assemble_lines(iga64, platform->generation, texts, count, code, sizes);
    for (size_t i = 0; i < count; i++)
        check_form(&forms[i], code[i], sizes[i], texts[i], totals);
}

int main(int argc, char **argv)
{
    struct totals totals = {0};
    if (argc != 2) {
        fprintf(stderr, "usage: eu_types IGA64\n");
        return 2;
    }
    for (size_t p = 0; p < platform_count; p++)
        for (unsigned op = 0; platform_table[p].simulated && !platform_table[p].needs_current && op < EU_OPS; op++)
            check_op(argv[1], &platform_table[p], op, &totals);
    for (unsigned op = 0; op < EU_OPS; op++)
        if (!totals.has_values[op] && !has_values_elsewhere(op)) {
            printf("no value of %s was compared\n", eu_op_table[op].mnemonic);
            totals.failed++;
        }
    printf("%u forms decoded, %u refused, %u values compared, %u failed\n", totals.decoded, totals.refused,
           totals.compared, totals.failed);
    return totals.failed > 0 || totals.decoded == 0 || totals.refused == 0 || totals.compared == 0;
}
