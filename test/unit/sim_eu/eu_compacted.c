/* eu_compacted IGA64   checks modifiers of compacted instructions. The assembler compacts a mov, add or mad with each
 * modifier. With another opcode in its place, the same bits must decode if tables/eu_ops.def has the modifier for that
 * instruction, and must be refused otherwise. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "case_file.h"
#include "sim/eu/thread.h"
#include "sim/eu/type_sets.h"

enum { COMPACTED_BYTES = 8, FORMS = 6, SHAPES = 3, TYPES = 3, CODE_BYTES = 64, OPCODE_MASK = 0x7f };

static const struct form {
    const char *what;
    unsigned needs;
    const char *prefix, *condition, *saturation, *modifier;
} forms[FORMS] = {
    {"without modifiers", 0, "", "", "", ""},
    {"predicate", EU_MODIFIER_PRED, "(f0.0) ", "", "", ""},
    {"condition", EU_MODIFIER_COND, "", "(eq)f0.0 ", "", ""},
    {"saturation", EU_MODIFIER_SAT, "", "", "(sat)", ""},
    {"negated source", EU_MODIFIER_SRCMOD, "", "", "", "-"},
    {"absolute source", EU_MODIFIER_SRCMOD, "", "", "", "(abs)"},
};

static const unsigned types[TYPES] = {EU_D, EU_UD, EU_F};

static const struct {
    unsigned op, first, last, destination, source;
} rows[] = {
#define EU_TYPES(OP, FIRST, LAST, DESTINATION, SOURCE) {EU_OP_##OP, FIRST, LAST, DESTINATION, SOURCE},
#include "tables/eu_op_types.def"
#undef EU_TYPES
};

static bool has_type(unsigned op, const struct platform *platform, unsigned type)
{
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
        if (rows[r].op == op && platform_between(platform, rows[r].first, rows[r].last) &&
            (rows[r].destination >> type & 1) && (rows[r].source >> type & 1))
            return true;
    return false;
}

/* Compacted instructions for the replacement, each with an end of thread; no bytes if there is no such form. */
struct stand_ins {
    uint8_t code[SHAPES][TYPES][FORMS][CODE_BYTES];
    size_t bytes[SHAPES][TYPES][FORMS];
};

/* True if iga64 requires the width in the region of a scalar. */
static bool spells_widths(const struct platform *platform)
{
    return !platform_has(platform, FEATURE_SEND_LENGTHS);
}

static void write_form(char *text, const struct platform *platform, const char *mnemonic, unsigned sources,
                       const char *type, const struct form *f, const char *options)
{
    const char *ternary = platform_has(platform, FEATURE_TERNARY_ALIGN16) ? "0<2;1>"
                          : spells_widths(platform)                       ? "0<8;1>"
                                                                          : "0<1;0>";
    int used = snprintf(text, CASE_LINE_TEXT, "%s%s (8|M0) %s%sr20.0<1>:%s", f->prefix, mnemonic, f->condition,
                        f->saturation, type);
    for (unsigned s = 0; s < sources; s++)
        used +=
            snprintf(text + used, CASE_LINE_TEXT - (size_t)used, " %sr%u.%s:%s", s == 0 ? f->modifier : "", 60 + 4 * s,
                     sources < 3 ? (spells_widths(platform) ? "0<8;8,1>" : "0<1;1,0>")
                     : s == 2    ? "0<1>"
                                 : ternary,
                     type);
    snprintf(text + used, CASE_LINE_TEXT - (size_t)used, " %s\n", options);
}

static void make_stand_ins(const char *iga64, const struct platform *platform, size_t end_bytes, struct stand_ins *all)
{
    static const char *const mnemonics[SHAPES] = {"mov", "add", "mad"};
    for (unsigned s = 0; s < SHAPES; s++)
        for (unsigned t = 0; t < TYPES; t++)
            for (unsigned f = 0; f < FORMS; f++) {
                char text[CASE_LINE_TEXT];
                write_form(text, platform, mnemonics[s], s + 1, eu_type_table[types[t]].name, &forms[f], "{Compacted}");
                size_t bytes = case_assemble(iga64, platform->generation, text, all->code[s][t][f], CODE_BYTES);
                all->bytes[s][t][f] = bytes == COMPACTED_BYTES + end_bytes ? bytes : 0;
            }
}

struct totals {
    unsigned decoded, refused, failed;
};

static void check_form(const struct platform *platform, unsigned op, uint8_t opcode, const uint8_t *code, size_t bytes,
                       const struct form *form, struct totals *totals)
{
    const struct eu_op *o = &eu_op_table[op];
    uint8_t changed[CODE_BYTES];
    struct sim_fault fault = {0};
    memcpy(changed, code, bytes);
    changed[0] = (uint8_t)((changed[0] & ~OPCODE_MASK) | opcode);
    bool wanted = (eu_modifiers(o, platform) & form->needs) == form->needs;
    if ((o->properties & EU_PROPERTY_LOGIC) && strcmp(form->modifier, "(abs)") == 0)
        wanted = false;
    struct eu_program *program = eu_program_decode(platform, changed, bytes, &fault);
    if ((program != NULL) != wanted) {
        printf("%s: compacted %s with %s is %s: %s\n", platform->name, o->mnemonic, form->what,
               program ? "accepted" : "refused", fault.what);
        totals->failed++;
    }
    totals->decoded += wanted;
    totals->refused += !wanted;
    eu_program_destroy(program);
}

static void check_op(const char *iga64, const struct platform *platform, unsigned op, const struct stand_ins *all,
                     struct totals *totals)
{
    const struct eu_op *o = &eu_op_table[op];
    if (o->execute != EU_EXECUTE_alu || op == EU_OP_MATH || op == EU_OP_SMOV || op == EU_OP_MOVI || op == EU_OP_MADM ||
        op == EU_OP_CSEL || (o->properties & (EU_PROPERTY_VECTOR | EU_PROPERTY_COMPARE)) ||
        !platform_between(platform, o->first_generation, o->last_generation))
        return;
    for (unsigned t = 0; t < TYPES; t++) {
        char text[CASE_LINE_TEXT];
        uint8_t native[CODE_BYTES];
        if (!has_type(op, platform, types[t]) || all->bytes[o->sources - 1][t][0] == 0)
            continue;
        write_form(text, platform, o->mnemonic, o->sources, eu_type_table[types[t]].name, &forms[0], "");
        if (case_assemble(iga64, platform->generation, text, native, sizeof native) == 0)
            continue;
        for (unsigned f = 0; f < FORMS; f++)
            if (all->bytes[o->sources - 1][t][f] > 0)
                check_form(platform, op, native[0] & OPCODE_MASK, all->code[o->sources - 1][t][f],
                           all->bytes[o->sources - 1][t][f], &forms[f], totals);
        return;
    }
}

int main(int argc, char **argv)
{
    static struct stand_ins all;
    unsigned failed = 0;
    if (argc != 2) {
        fprintf(stderr, "usage: eu_compacted IGA64\n");
        return 2;
    }
    for (size_t p = 0; p < platform_count; p++) {
        const struct platform *platform = &platform_table[p];
        struct totals totals = {0};
        uint8_t end[CODE_BYTES];
        if (!platform->simulated || platform->needs_current)
            continue;
        size_t end_bytes = case_assemble(argv[1], platform->generation, "", end, sizeof end);
        make_stand_ins(argv[1], platform, end_bytes, &all);
        for (unsigned op = 0; op < EU_OPS; op++)
            check_op(argv[1], platform, op, &all, &totals);
        printf("%s: %u compacted forms decoded, %u refused, %u failed\n", platform->name, totals.decoded,
               totals.refused, totals.failed);
        failed += totals.failed + (totals.decoded == 0) + (totals.refused == 0);
    }
    return failed > 0;
}
