/* eu_undefined_encodings IGA64   checks, for each simulated platform, every instruction of tables/eu_ops.def in a valid
 * form, and in forms that differ in one property: a modifier, an execution size, a region, the destination. Defined
 * forms must decode, undefined ones must be refused; the same for the functions of math. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "case_file.h"
#include "sim/eu/thread.h"

enum { MOST_FORMS = 512, ABSOLUTE_SOURCE = 77, ABSOLUTE_SOURCE_OF_THREE = 37 };

/* Differences of an invalid form from the valid one beside it. Fields that are not set are equal. */
struct variation {
    const char *what;
    unsigned needs;     /* enum eu_modifier of the instruction, 0: any has it */
    bool refused;       /* no instruction has it */
    unsigned grf;       /* refused where registers have so many bytes; 0: everywhere */
    bool not_logic;     /* and, or, xor and not lack it */
    const char *prefix; /* before the instruction */
    const char *condition, *saturation, *modifier;
    unsigned lanes;
    const char *dst, *region; /* destination with its stride; where sources begin, and their region */
    unsigned bit, bit_12;     /* modifiers: a bit of the encoding that stands for it, of Gen12LP */
    unsigned moved;           /* how much further it lies where channels are counted by eights */
};

static const struct variation modifiers[] = {
    {.what = "as it should be"},
    {.what = "predicate", .bit = 16, .bit_12 = 24, .moved = 2, .needs = EU_MODIFIER_PRED, .prefix = "(f0.0) "},
    {.what = "condition", .bit = 26, .bit_12 = 94, .needs = EU_MODIFIER_COND, .condition = "(lt)f0.0 "},
    {.what = "saturation", .bit = 31, .bit_12 = 34, .needs = EU_MODIFIER_SAT, .saturation = "(sat)"},
    {.what = "negated source", .needs = EU_MODIFIER_SRCMOD, .modifier = "-"},
    {.what = "absolute source",
     .bit = ABSOLUTE_SOURCE,
     .bit_12 = 44,
     .needs = EU_MODIFIER_SRCMOD,
     .not_logic = true,
     .modifier = "(abs)"},
};

static const struct variation shapes[] = {
    {.what = "1 lane", .lanes = 1, .region = "0<0;1,0>"},
    {.what = "2 lanes", .lanes = 2, .region = "0<2;2,1>"},
    {.what = "4 lanes", .lanes = 4, .region = "0<4;4,1>"},
    {.what = "16 lanes", .lanes = 16},
    {.what = "32 lanes", .lanes = 32, .refused = true, .grf = 32},
    {.what = "16 lanes that begin in the middle", .lanes = 16, .region = "4<8;8,1>", .refused = true, .grf = 32},
    {.what = "16 lanes into the middle", .lanes = 16, .dst = "r20.4<1>", .refused = true, .grf = 32},
    {.what = "32 lanes that begin in the middle", .lanes = 32, .region = "4<8;8,1>", .refused = true},
    {.what = "32 lanes into the middle", .lanes = 32, .dst = "r20.4<1>", .refused = true},
    {.what = "16 lanes beyond the last register", .lanes = 16, .dst = "r127.4<1>", .refused = true},
    {.what = "8 lanes in two registers", .region = "4<8;8,1>"},
    {.what = "8 lanes into two registers", .dst = "r20.4<1>"},
    {.what = "into the last register", .dst = "r127.0<1>"},
    {.what = "beyond the last register", .dst = "r127.4<1>", .refused = true, .grf = 32},
    {.what = "every second element", .dst = "r20.0<2>"},
    {.what = "every fourth element", .dst = "r20.0<4>", .refused = true, .grf = 32},
    {.what = "a scalar", .region = "0<0;1,0>"},
    {.what = "a stride", .region = "0<16;8,2>"},
    {.what = "rows", .region = "0<8;4,2>"},
    {.what = "the same row again", .region = "0<0;4,1>"},
    {.what = "rows of one", .region = "0<2;1,0>"},
    {.what = "rows too far apart", .region = "0<32;1,0>", .refused = true},
    {.what = "a row with another vertical stride", .region = "0<4;8,1>", .refused = true},
    {.what = "a row wider than the lanes", .region = "0<16;16,1>", .refused = true},
    {.what = "rows of one with a stride, as Intel's finalizer writes them", .region = "0<2;1,1>"},
    {.what = "rows without strides", .region = "0<0;4,0>", .refused = true},
};

static const struct {
    unsigned op, first, last, destination, source;
} rows[] = {
#define UB                                             1 << EU_UB
#define B                                              1 << EU_B
#define UW                                             1 << EU_UW
#define W                                              1 << EU_W
#define UD                                             1 << EU_UD
#define D                                              1 << EU_D
#define UQ                                             1 << EU_UQ
#define Q                                              1 << EU_Q
#define HF                                             1 << EU_HF
#define F                                              1 << EU_F
#define DF                                             1 << EU_DF
#define BF                                             1 << EU_BF
#define BYTES                                          (UB | B)
#define WORDS                                          (UW | W)
#define DWORDS                                         (UD | D)
#define QWORDS                                         (UQ | Q)
#define INTEGERS                                       (BYTES | WORDS | DWORDS)
#define FLOATS                                         (HF | F)
#define EU_TYPES(OP, FIRST, LAST, DESTINATION, SOURCE) {EU_OP_##OP, FIRST, LAST, DESTINATION, SOURCE},
#include "tables/eu_op_types.def"
#undef EU_TYPES
};

/* A type of 32 bits that the instruction computes in, from that type; NULL if it has none. */
static const char *dword_type(unsigned op, const struct platform *platform)
{
    static const unsigned types[] = {EU_D, EU_UD, EU_F};
    for (size_t t = 0; t < sizeof types / sizeof *types; t++)
        for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
            if (rows[r].op == op && platform_between(platform, rows[r].first, rows[r].last) &&
                (rows[r].destination >> types[t] & 1) && (rows[r].source >> types[t] & 1))
                return eu_type_table[types[t]].name;
    return NULL;
}

/* The regions of instructions with three sources have a notation of their own: only modifiers are tried with them. */
static const char *ternary_source(const struct platform *platform, unsigned source)
{
    if (source == 2)
        return "0<1>";
    return platform_has(platform, FEATURE_TERNARY_ALIGN16) ? "0<2;1>" : "0<8;1>";
}

static const char *or_else(const char *text, const char *right)
{
    return text != NULL ? text : right;
}

static void write_text(const struct variation *v, unsigned op, const struct platform *platform, const char *type,
                       char *text)
{
    const struct eu_op *o = &eu_op_table[op];
    bool compares = o->properties & EU_PROPERTY_COMPARE || op == EU_OP_CSEL;
    bool negates = v->modifier != NULL && v->modifier[0] == '-';
    const char *modifier = o->properties & EU_PROPERTY_LOGIC && negates ? "~" : or_else(v->modifier, "");
    int used = snprintf(text, CASE_LINE_TEXT, "%s%s%s (%u|M0) %s%s%s:%s", or_else(v->prefix, ""), o->mnemonic,
                        op == EU_OP_BFN ? ".0xCA" : "", v->lanes ? v->lanes : 8,
                        compares ? "(lt)f0.0 " : or_else(v->condition, ""), or_else(v->saturation, ""),
                        or_else(v->dst, "r20.0<1>"), type);
    for (unsigned s = 0; s < o->sources; s++)
        used += snprintf(text + used, CASE_LINE_TEXT - (size_t)used, " %sr%u.%s:%s", s == 0 ? modifier : "", 60 + 4 * s,
                         o->sources == 3 ? ternary_source(platform, s) : or_else(v->region, "0<8;8,1>"), type);
}

static bool has(const struct variation *v, unsigned op, const struct platform *platform)
{
    const struct eu_op *o = &eu_op_table[op];
    unsigned modifiers_here = eu_modifiers(o, platform);
    bool logic = o->properties & EU_PROPERTY_LOGIC;
    bool fits = v->lanes == 0 || v->lanes >= eu_lane_group(o);
    bool refused = v->refused && (v->grf == 0 || v->grf == platform->grf_bytes);
    return !refused && fits && (modifiers_here & v->needs) == v->needs && !(v->not_logic && logic);
}

struct totals {
    unsigned decoded, refused, failed;
};

static void check(const struct platform *platform, const char *text, const uint8_t *code, size_t size, bool wanted,
                  const char *what, struct totals *totals)
{
    struct sim_fault fault = {0};
    struct eu_program *program = size > 0 ? eu_program_decode(platform, code, size, &fault) : NULL;
    if ((program != NULL) != wanted) {
        printf("%s: %s: %s is %s: %s\n", platform->name, what, text, wanted ? "refused" : "accepted",
               size == 0 ? "by the assembler" : fault.what);
        totals->failed++;
    }
    totals->decoded += wanted;
    totals->refused += !wanted;
    eu_program_destroy(program);
}

static char texts[MOST_FORMS][CASE_LINE_TEXT];
static uint8_t code[MOST_FORMS][CASE_LINE_CODE];
static size_t sizes[MOST_FORMS];
static const char *whats[MOST_FORMS];
static bool wanted[MOST_FORMS];
static unsigned bits[MOST_FORMS]; /* 0, or the bit that makes the first form this one */

static void check_all(const char *iga64, const struct platform *platform, size_t count, struct totals *totals)
{
    case_assemble_lines(iga64, platform->generation, texts, count, code, sizes);
    for (size_t i = 1; i < count; i++)
        if (bits[i] != 0 && (sizes[i] == 0 || memcmp(code[i], code[0], CASE_INSTRUCTION) == 0)) {
            memcpy(code[i], code[0], CASE_LINE_CODE); /* the assembler has no such form, or left the modifier out */
            sizes[i] = sizes[0];
            code[i][bits[i] / 8] |= (uint8_t)(1 << bits[i] % 8);
        }
    for (size_t i = 0; i < count; i++)
        check(platform, texts[i], code[i], sizes[i], wanted[i], whats[i], totals);
}

static size_t add_forms(const struct variation *variations, size_t number, unsigned op, const struct platform *platform,
                        const char *type, size_t count)
{
    for (size_t v = 0; v < number; v++, count++) {
        write_text(&variations[v], op, platform, type, texts[count]);
        whats[count] = variations[v].what;
        wanted[count] = has(&variations[v], op, platform);
        bits[count] = platform_has(platform, FEATURE_XE_ENCODING) ? variations[v].bit_12 : variations[v].bit;
        if (platform_has(platform, FEATURE_XE_ENCODING) && !platform_has(platform, FEATURE_NIBBLE_CONTROL))
            bits[count] += variations[v].moved;
        if (op == EU_OP_BFN && variations[v].needs == EU_MODIFIER_SRCMOD)
            bits[count] = 0; /* these bits are the function there */
        if (bits[count] == ABSOLUTE_SOURCE && eu_op_table[op].sources == 3)
            bits[count] = ABSOLUTE_SOURCE_OF_THREE;
    }
    return count;
}

static void check_op(const char *iga64, const struct platform *platform, unsigned op, struct totals *totals)
{
    const struct eu_op *o = &eu_op_table[op];
    const char *type = dword_type(op, platform);
    if (o->execute != EU_EXECUTE_alu || type == NULL || op == EU_OP_MATH || op == EU_OP_SMOV || op == EU_OP_MOVI ||
        op == EU_OP_MADM || (o->properties & EU_PROPERTY_VECTOR) ||
        !platform_between(platform, o->first_generation, o->last_generation))
        return; /* cases/ and eu_groups have those */
    size_t count = add_forms(modifiers, sizeof modifiers / sizeof *modifiers, op, platform, type, 0);
    if (o->sources < 3)
        count = add_forms(shapes, sizeof shapes / sizeof *shapes, op, platform, type, count);
    check_all(iga64, platform, count, totals);
}

static const char *const math_names[EU_MATH_FUNCTIONS] = {
#define EU_MATH(ID, NAME, NUMBER, ...) [NUMBER] = NAME,
#include "tables/eu_math.def"
#undef EU_MATH
};

/* All functions with every type, except those of macros, whose operands have another notation. */
static void check_math(const char *iga64, const struct platform *platform, struct totals *totals)
{
    static const unsigned types[] = {EU_W, EU_D, EU_UD, EU_HF, EU_F};
    size_t count = 0;
    for (unsigned f = 0; f < EU_MATH_INVM; f++)
        for (size_t t = 0; math_names[f] != NULL && t < sizeof types / sizeof *types; t++)
            for (unsigned saturate = 0; saturate < 2; saturate++, count++) {
                const struct eu_math_function *function = &eu_math_table[f];
                const char *type = eu_type_table[types[t]].name;
                snprintf(texts[count], CASE_LINE_TEXT, "math.%s (8|M0) %sr20.0<1>:%s r60.0<8;8,1>:%s%s%s",
                         math_names[f], saturate ? "(sat)" : "", type, type,
                         function->sources == 2 ? " r64.0<8;8,1>:" : "", function->sources == 2 ? type : "");
                whats[count] = "type of the function";
                bits[count] = 0;
                wanted[count] = (function->types >> types[t] & 1) && platform->generation <= function->last_generation;
            }
    check_all(iga64, platform, count, totals);
}

int main(int argc, char **argv)
{
    struct totals totals = {0};
    if (argc != 2) {
        fprintf(stderr, "usage: eu_undefined_encodings IGA64\n");
        return 2;
    }
    for (size_t p = 0; p < platform_count; p++) {
        for (unsigned op = 0; platform_table[p].simulated && !platform_table[p].needs_current && op < EU_OPS; op++)
            check_op(argv[1], &platform_table[p], op, &totals);
        if (platform_table[p].simulated && !platform_table[p].needs_current)
            check_math(argv[1], &platform_table[p], &totals);
    }
    printf("%u forms decoded, %u refused, %u failed\n", totals.decoded, totals.refused, totals.failed);
    return totals.failed > 0 || totals.decoded == 0 || totals.refused == 0;
}
