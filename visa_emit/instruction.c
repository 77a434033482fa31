/* Prints vISA instructions: one function per form of tables/visa_ops.def, which describes the lines. */
#include "visa_emit/print.h"

static const struct {
    const char *text;
    unsigned sources;
} operations[] = {
#define VISA_OP(ID, TEXT, FORM, SOURCES, FLAGS) {TEXT, SOURCES},
#include "tables/visa_ops.def"
#undef VISA_OP
};

const char *visa_operation_text(enum visa_opcode op)
{
    return operations[op].text;
}

static const char *const condition_text[] = {
    [VISA_EQ] = "eq", [VISA_NE] = "ne", [VISA_GT] = "gt", [VISA_GE] = "ge", [VISA_LT] = "lt", [VISA_LE] = "le"};

static const char *const predicate_control_text[] = {
    [VISA_PRED_EACH] = "", [VISA_PRED_ANY] = ".any", [VISA_PRED_ALL] = ".all"};

static const struct {
    const char *text;
    char type;
} atomics[] = {
#define VISA_ATOMIC(ID, TEXT, SOURCES, TYPE, LSC) {TEXT, TYPE},
#include "tables/visa_atomics.def"
#undef VISA_ATOMIC
};

static void print_predicate(const struct visa_printer *p, const struct visa_instruction *i)
{
    if (i->predicate.variable == VISA_NULL)
        return;
    fprintf(p->out, "(%s", i->predicate.inverse ? "!" : "");
    visa_print_name(p, i->predicate.variable);
    fprintf(p->out, "%s) ", predicate_control_text[i->predicate.control]);
}

/* Prints (M1, 16): first channel M1 + channel / 4, number of lanes. M1_NM: the execution mask is ignored. */
static void print_execution(const struct visa_printer *p, const struct visa_instruction *i)
{
    if (i->channel % 4 || i->channel > 28)
        visa_print_bug(p, "no mask starts at channel", i->channel);
    visa_put(p, " (M");
    visa_put_number(p, i->channel / 4 + 1);
    visa_put(p, i->no_mask ? "_NM, " : ", ");
    visa_put_number(p, i->exec_size);
    visa_put_char(p, ')');
}

static void print_source_range(const struct visa_printer *p, const struct visa_instruction *i, unsigned first,
                               unsigned end)
{
    for (unsigned s = first; s < end; s++)
        visa_print_source(p, i, &i->src[s]);
}

static void print_sources(const struct visa_printer *p, const struct visa_instruction *i)
{
    print_source_range(p, i, 0, operations[i->op].sources);
}

/* Prints [pred] op[.sat], the start of most forms. */
static void print_head(const struct visa_printer *p, const struct visa_instruction *i)
{
    print_predicate(p, i);
    visa_put(p, operations[i->op].text);
    if (i->saturate)
        visa_put(p, ".sat");
}

/* Message forms print their sources, then the destination if they read. */
static void print_payload(const struct visa_printer *p, const struct visa_instruction *i)
{
    print_sources(p, i);
    if (i->dst.kind != VISA_OPERAND_NONE)
        visa_print_destination(p, i, &i->dst);
}

static void print_ALU(const struct visa_printer *p, const struct visa_instruction *i)
{
    print_head(p, i);
    print_execution(p, i);
    visa_print_destination(p, i, &i->dst);
    print_sources(p, i);
}

static void print_UNMASKED(const struct visa_printer *p, const struct visa_instruction *i)
{
    struct visa_instruction all = *i;
    all.no_mask = true;
    print_ALU(p, &all);
}

static void print_BFN(const struct visa_printer *p, const struct visa_instruction *i)
{
    print_predicate(p, i);
    fprintf(p->out, "%s.x%02X", operations[i->op].text, (unsigned)i->attr[0]);
    print_execution(p, i);
    visa_print_destination(p, i, &i->dst);
    print_sources(p, i);
}

static void print_CARRY(const struct visa_printer *p, const struct visa_instruction *i)
{
    print_head(p, i);
    print_execution(p, i);
    visa_print_destination(p, i, &i->dst);
    visa_print_destination(p, i, &i->src[0]);
    print_source_range(p, i, 1, operations[i->op].sources);
}

static void print_CMP(const struct visa_printer *p, const struct visa_instruction *i)
{
    if (i->condition == VISA_COND_NONE || i->predicate.variable != VISA_NULL)
        visa_print_bug(p, "cmp takes a condition and no predicate; condition", i->condition);
    fprintf(p->out, "%s.%s", operations[i->op].text, condition_text[i->condition]);
    print_execution(p, i);
    visa_print_destination(p, i, &i->dst);
    print_sources(p, i);
}

static void print_SEL(const struct visa_printer *p, const struct visa_instruction *i)
{
    print_ALU(p, i);
}
static void print_SETP(const struct visa_printer *p, const struct visa_instruction *i)
{
    print_ALU(p, i);
}
static void print_MOVS(const struct visa_printer *p, const struct visa_instruction *i)
{
    print_ALU(p, i);
}
static void print_ADDRADD(const struct visa_printer *p, const struct visa_instruction *i)
{
    print_ALU(p, i);
}

static void print_LABEL(const struct visa_printer *p, const struct visa_instruction *i)
{
    visa_print_label(p, i->attr[0]);
    fputc(':', p->out);
}

static void print_BRANCH(const struct visa_printer *p, const struct visa_instruction *i)
{
    print_head(p, i);
    print_execution(p, i);
    fputc(' ', p->out);
    visa_print_label(p, i->attr[0]);
}

static void print_SWITCH(const struct visa_printer *p, const struct visa_instruction *i)
{
    print_head(p, i);
    print_execution(p, i);
    print_sources(p, i);
    for (unsigned k = 0; k < i->parameter_count; k++) {
        fputs(k ? ", " : " (", p->out);
        visa_print_label(p, (int)i->parameters[k].bits);
    }
    fputc(')', p->out);
}

/* Prints the start of a subroutine, a line like a label. */
static void print_FUNCTION(const struct visa_printer *p, const struct visa_instruction *i)
{
    fprintf(p->out, "%s \"F%d\"", operations[i->op].text, i->attr[0]);
}

static void print_CALL(const struct visa_printer *p, const struct visa_instruction *i)
{
    print_head(p, i);
    print_execution(p, i);
    fprintf(p->out, " F%d", i->attr[0]);
}

static void print_FCALL(const struct visa_printer *p, const struct visa_instruction *i)
{
    print_head(p, i);
    print_execution(p, i);
    fprintf(p->out, " S%d %d %d", i->attr[0], i->attr[1], i->attr[2]);
}

static void print_RET(const struct visa_printer *p, const struct visa_instruction *i)
{
    print_head(p, i);
    print_execution(p, i);
}

static void print_MEDIA(const struct visa_printer *p, const struct visa_instruction *i)
{
    static const char *const modifier[] = {"nomod", "modified", "top", "bottom", "top_mod", "bottom_mod"};
    if (i->attr[3] < 0 || (size_t)i->attr[3] >= sizeof modifier / sizeof *modifier)
        visa_print_bug(p, "no media block modifier", (unsigned)i->attr[3]);
    fprintf(p->out, "%s.%s (%d,%d)", operations[i->op].text, modifier[i->attr[3]], i->attr[0], i->attr[1]);
    visa_print_source(p, i, &i->src[0]);
    fprintf(p->out, " %d", i->attr[2]);
    print_source_range(p, i, 1, operations[i->op].sources);
    if (i->dst.kind != VISA_OPERAND_NONE)
        visa_print_destination(p, i, &i->dst);
}

static void print_OWORD(const struct visa_printer *p, const struct visa_instruction *i)
{
    fprintf(p->out, "%s (%d)", operations[i->op].text, i->attr[0]);
    print_payload(p, i);
}

static void print_SVMBLOCK(const struct visa_printer *p, const struct visa_instruction *i)
{
    print_OWORD(p, i);
}

static void print_SCALED(const struct visa_printer *p, const struct visa_instruction *i)
{
    print_head(p, i);
    fprintf(p->out, ".%d", i->attr[0]);
    print_execution(p, i);
    print_payload(p, i);
}

static void print_SVMSG(const struct visa_printer *p, const struct visa_instruction *i)
{
    print_head(p, i);
    fprintf(p->out, ".%d.%d", i->attr[0], i->attr[1]);
    print_execution(p, i);
    print_payload(p, i);
}

static void print_channels(const struct visa_printer *p, const struct visa_instruction *i)
{
    if (i->attr[0] <= 0 || i->attr[0] > 15)
        visa_print_bug(p, "no channel mask", (unsigned)i->attr[0]);
    fputc('.', p->out);
    for (int channel = 0; channel < 4; channel++)
        if (i->attr[0] >> channel & 1)
            fputc("RGBA"[channel], p -> out);
}

static void print_QUAD(const struct visa_printer *p, const struct visa_instruction *i)
{
    print_head(p, i);
    print_channels(p, i);
    print_execution(p, i);
    print_payload(p, i);
}

static void print_TYPED(const struct visa_printer *p, const struct visa_instruction *i)
{
    print_QUAD(p, i);
}

/* Sampler forms: the operation is the instruction's name. Disabled channels take no registers in dst. */
static void print_SAMPLE(const struct visa_printer *p, const struct visa_instruction *i)
{
    static const char *const operation[] = {[VISA_SAMPLE] = "sample_3d",
                                            [VISA_SAMPLE_BIAS] = "sample_b",
                                            [VISA_SAMPLE_LOD] = "sample_l",
                                            [VISA_SAMPLE_COMPARE] = "sample_c",
                                            [VISA_SAMPLE_DERIVATIVES] = "sample_d",
                                            [VISA_SAMPLE_BIAS_COMPARE] = "sample_b_c",
                                            [VISA_SAMPLE_LOD_COMPARE] = "sample_l_c",
                                            [VISA_LOAD] = "load_3d",
                                            [VISA_SAMPLE_DERIVATIVES_COMPARE] = "sample_d_c",
                                            [VISA_SAMPLE_ZERO] = "sample_lz",
                                            [VISA_SAMPLE_COMPARE_ZERO] = "sample_c_lz",
                                            [VISA_LOAD_ZERO] = "load_lz"};
    size_t count = sizeof operation / sizeof *operation;
    if (i->attr[1] < 0 || (size_t)i->attr[1] >= count || !operation[i->attr[1]])
        visa_print_bug(p, "no sampler operation", (unsigned)i->attr[1]);
    fputs(operation[i->attr[1]], p->out);
    print_channels(p, i);
    print_execution(p, i);
    print_sources(p, i);
    visa_print_destination(p, i, &i->dst);
    if (i->attr[2]) /* a paired surface */
        fputs(" %null.0", p->out);
    for (unsigned k = 0; k < i->parameter_count; k++)
        visa_print_source(p, i, &i->parameters[k]);
}

static void print_SVMQUAD(const struct visa_printer *p, const struct visa_instruction *i)
{
    print_QUAD(p, i);
}

static void print_atomic_head(const struct visa_printer *p, const struct visa_instruction *i)
{
    if (i->attr[0] < 0 || i->attr[0] >= VISA_ATOMIC_COUNT)
        visa_print_bug(p, "no atomic operation", (unsigned)i->attr[0]);
    print_head(p, i);
    fprintf(p->out, ".%s", atomics[i->attr[0]].text);
    if (i->attr[1] != 32)
        fprintf(p->out, ".%d", i->attr[1]);
    print_execution(p, i);
}

/* Returns the bytes per lane of a payload whose registers the finalizer counts by its type. 0: the message gives the
 * number of registers. */
static unsigned payload_lane_bytes(const struct visa_instruction *i, const struct visa_operand *operand)
{
    enum { DWORD = 4, QWORD = 8 };
    switch (i->op) {
    case VISA_OP_SVM_GATHER:
    case VISA_OP_SVM_SCATTER: return operand == &i->src[0] || i->attr[0] == QWORD ? QWORD : DWORD;
    case VISA_OP_SVM_GATHER4_SCALED:
    case VISA_OP_SVM_SCATTER4_SCALED: return operand == &i->src[1] ? QWORD : DWORD;
    case VISA_OP_GATHER_SCALED:
    case VISA_OP_SCATTER_SCALED:
    case VISA_OP_GATHER4_SCALED:
    case VISA_OP_SCATTER4_SCALED:
    case VISA_OP_GATHER4_TYPED:
    case VISA_OP_SCATTER4_TYPED:
    case VISA_OP_SAMPLE:
    case VISA_OP_LOAD_TEXEL: return DWORD;
    default: return 0;
    }
}

enum visa_type visa_payload_type(const struct visa_printer *printer, const struct visa_instruction *instruction,
                                 const struct visa_operand *operand)
{
    unsigned lane = payload_lane_bytes(instruction, operand);
    if (lane)
        return lane == visa_type_bytes(visa_own_type(printer, operand->variable)) ? VISA_TYPE_COUNT
               : lane == 8                                                        ? VISA_TYPE_UQ
                                                                                  : VISA_TYPE_UD;
    if (instruction->op == VISA_OP_DPAS) /* packed numbers, whatever they were before */
        return operand == &instruction->src[1] || operand == &instruction->src[2] ? VISA_TYPE_D : VISA_TYPE_COUNT;
    bool flat = instruction->op == VISA_OP_SVM_ATOMIC, wide = instruction->attr[1] == 64;
    bool typed = instruction->op == VISA_OP_TYPED_ATOMIC;
    if (instruction->op != VISA_OP_DWORD_ATOMIC && !flat && !typed)
        return VISA_TYPE_COUNT;
    if (typed && operand >= &instruction->src[1] && operand <= &instruction->src[4]) /* u, v, r, lod */
        return VISA_TYPE_UD;
    if (operand == &instruction->src[flat ? 0 : 1]) /* the addresses, the offsets */
        return flat ? VISA_TYPE_UQ : VISA_TYPE_UD;
    unsigned operation = (unsigned)instruction->attr[0];
    char type = operation < VISA_ATOMIC_COUNT ? atomics[operation].type : 'U';
    if (type == 'F')
        return VISA_TYPE_F;
    return type == 'S' ? (wide ? VISA_TYPE_Q : VISA_TYPE_D) : (wide ? VISA_TYPE_UQ : VISA_TYPE_UD);
}

static void print_ATOMIC(const struct visa_printer *p, const struct visa_instruction *i)
{
    print_atomic_head(p, i);
    visa_print_source(p, i, &i->src[0]);
    for (unsigned s = 1; s < operations[i->op].sources; s++)
        visa_print_payload(p, &i->src[s], visa_payload_type(p, i, &i->src[s]));
    visa_print_payload(p, &i->dst, visa_payload_type(p, i, &i->dst));
}

static void print_TYPEDATOMIC(const struct visa_printer *p, const struct visa_instruction *i)
{
    print_ATOMIC(p, i);
}

static void print_SVMATOMIC(const struct visa_printer *p, const struct visa_instruction *i)
{
    print_atomic_head(p, i);
    visa_print_payload(p, &i->src[0], visa_payload_type(p, i, &i->src[0]));
    visa_print_payload(p, &i->dst, visa_payload_type(p, i, &i->dst));
    for (unsigned s = 1; s < operations[i->op].sources; s++)
        visa_print_payload(p, &i->src[s], visa_payload_type(p, i, &i->src[s]));
}

static void print_RAWSEND(const struct visa_printer *p, const struct visa_instruction *i)
{
    print_head(p, i);
    print_execution(p, i);
    fprintf(p->out, " 0x%x %d %d", (unsigned)i->attr[0], i->attr[1], i->attr[2]);
    if (i->src[1].kind == VISA_OPERAND_NONE)
        fprintf(p->out, " 0x%x:ud", (unsigned)i->attr[3]);
    else
        visa_print_source(p, i, &i->src[1]);
    visa_print_source(p, i, &i->src[0]);
    visa_print_destination(p, i, &i->dst);
}

static void print_RAWSENDS(const struct visa_printer *p, const struct visa_instruction *i)
{
    print_head(p, i);
    fprintf(p->out, ".%d.%d.%d.%d", i->attr[0], i->attr[1], i->attr[2], i->attr[3]);
    print_execution(p, i);
    visa_print_source(p, i, &i->src[2]);
    visa_print_source(p, i, &i->src[3]);
    print_source_range(p, i, 0, 2);
    visa_print_destination(p, i, &i->dst);
}

static void print_DPAS(const struct visa_printer *p, const struct visa_instruction *i)
{
    static const char *const kind[] = {
        [VISA_PACKED_U2] = "u2",   [VISA_PACKED_S2] = "s2",   [VISA_PACKED_U4] = "u4",
        [VISA_PACKED_S4] = "s4",   [VISA_PACKED_U8] = "u8",   [VISA_PACKED_S8] = "s8",
        [VISA_PACKED_BF16] = "bf", [VISA_PACKED_HALF] = "hf", [VISA_PACKED_TF32] = "tf32"};
    for (int k = 0; k < 2; k++)
        if (i->attr[k] < 0 || i->attr[k] > VISA_PACKED_TF32 || !kind[i->attr[k]])
            visa_print_bug(p, "no kind of packed numbers", (unsigned)i->attr[k]);
    fprintf(p->out, "dpas%s.%s.%s.8.%d", i->attr[3] ? "w" : "", kind[i->attr[0]], kind[i->attr[1]], i->attr[2]);
    print_execution(p, i);
    visa_print_destination(p, i, &i->dst);
    visa_print_source(p, i, &i->src[0]);
    visa_print_payload(p, &i->src[1], visa_payload_type(p, i, &i->src[1]));
    fputc(' ', p->out);
    visa_print_typed_name(p, i->src[2].variable, visa_payload_type(p, i, &i->src[2]));
    fprintf(p->out, "(%d,0)", i->src[2].offset / (int)p->program->platform->grf_bytes);
}

/* Returns the word for an attribute's vISA number. An unknown number is a bug of cmkit. */
static const char *word_of(const struct visa_printer *p, const char *const *words, size_t count, int number)
{
    if (number < 0 || (size_t)number >= count || !words[number])
        visa_print_bug(p, "no word for the LSC attribute", (unsigned)number);
    return words[number];
}
#define WORD_OF(P, WORDS, NUMBER) word_of(P, WORDS, sizeof(WORDS) / sizeof *(WORDS), NUMBER)

/* Prints registers from the start of a variable, or from one of its later registers. */
static void print_lsc_registers(const struct visa_printer *p, const struct visa_operand *registers)
{
    visa_print_name(p, registers->variable);
    if (registers->offset && registers->variable != VISA_NULL)
        fprintf(p->out, ".%d", registers->offset);
}

static void print_lsc_data(const struct visa_printer *p, const struct visa_instruction *i,
                           const struct visa_operand *data)
{
    static const char *const size[] = {[VISA_LSC_U32] = "d32",
                                       [VISA_LSC_U64] = "d64",
                                       [VISA_LSC_U8_IN_U32] = "d8c32",
                                       [VISA_LSC_U16_IN_U32] = "d16c32"};
    fputc(' ', p->out);
    print_lsc_registers(p, data);
    fprintf(p->out, ":%sx%d%s", WORD_OF(p, size, i->attr[2] & 15), i->attr[2] >> 8, i->attr[2] & 16 ? "t" : "");
}

static const char *const lsc_memory[] = {"ugm", "ugm", "slm", "tgm"};
static const char *const lsc_cache[] = {"df", "uc", "ca", "wb", "wt", "st", "ri"};

/* Prints .memory[.level1.level3] (M1, n). */
static void print_lsc_head(const struct visa_printer *p, const struct visa_instruction *i)
{
    fprintf(p->out, ".%s", WORD_OF(p, lsc_memory, i->attr[0]));
    if (i->attr[1])
        fprintf(p->out, ".%s.%s", WORD_OF(p, lsc_cache, i->attr[1] & 15), WORD_OF(p, lsc_cache, i->attr[1] >> 4));
    print_execution(p, i);
}

static void print_lsc_surface(const struct visa_printer *p, const struct visa_instruction *i)
{
    const struct visa_operand *surface = &i->src[VISA_LSC_SURFACE_SOURCE];
    if (surface->kind == VISA_OPERAND_NONE) {
        fprintf(p->out, " bti(%d)[", i->attr[3]);
        return;
    }
    fputs(" bti(", p->out);
    visa_print_name(p, surface->variable);
    fputs(")[", p->out);
}

static void print_lsc_addresses(const struct visa_printer *p, const struct visa_instruction *i)
{
    if (i->attr[0] != VISA_LSC_SURFACE)
        fputs(" flat[", p->out);
    else
        print_lsc_surface(p, i);
    print_lsc_registers(p, &i->src[0]);
    fputs(i->attr[0] == VISA_LSC_FLAT ? "]:a64" : "]:a32", p->out);
}

static void print_LSCATOMIC(const struct visa_printer *p, const struct visa_instruction *i)
{
    static const char *const operation[] = {
#define LSC_ATOMIC(NUMBER, TEXT, SOURCES) [NUMBER] = TEXT,
#include "tables/lsc_atomics.def"
#undef LSC_ATOMIC
    };
    print_predicate(p, i);
    fprintf(p->out, "lsc_atomic_%s", WORD_OF(p, operation, i->attr[2] >> 16));
    print_lsc_head(p, i);
    struct visa_instruction access = *i;
    access.attr[2] &= 0xffff;
    print_lsc_data(p, &access, &i->dst);
    print_lsc_addresses(p, i);
    visa_print_source(p, i, &i->src[1]);
    visa_print_source(p, i, &i->src[2]);
}

static void print_LSCBLOCK2D(const struct visa_printer *p, const struct visa_instruction *i)
{
    static const char *const size[] = {[1] = "d8", [2] = "d16", [3] = "d32", [4] = "d64"};
    struct visa_instruction flat = *i;
    bool store = i->op == VISA_OP_LSC_STORE_2D;
    const struct visa_operand *data = store ? &i->src[6] : &i->dst;
    flat.attr[1] = i->attr[0];
    flat.attr[0] = VISA_LSC_FLAT;
    fputs(operations[i->op].text, p->out);
    print_lsc_head(p, &flat);
    for (int part = 0; part < 2; part++) {
        if ((part == 0) == store) { /* the matrix: first of a store, last of a load */
            fputs(" flat[", p->out);
            for (unsigned k = 0; k < 6; k++) {
                fputs(k ? "," : "", p->out);
                visa_print_scalar(p, &i->src[k]);
            }
            fputc(']', p->out);
        } else {
            fputc(' ', p->out);
            print_lsc_registers(p, data);
            fprintf(p->out, ":%s.%dx%dx%d%s%s", WORD_OF(p, size, i->attr[1]), i->attr[2] >> 16, i->attr[2] & 255,
                    i->attr[2] >> 8 & 255, i->attr[3] & 1 ? "t" : "n", i->attr[3] & 2 ? "t" : "n");
        }
    }
}

static void print_LSCACCESS(const struct visa_printer *p, const struct visa_instruction *i)
{
    bool store = i->op == VISA_OP_LSC_STORE;
    print_head(p, i);
    print_lsc_head(p, i);
    if (!store)
        print_lsc_data(p, i, &i->dst);
    print_lsc_addresses(p, i);
    if (store)
        print_lsc_data(p, i, &i->src[1]);
}

static void print_quad_data(const struct visa_printer *p, const struct visa_instruction *i,
                            const struct visa_operand *data)
{
    fputc(' ', p->out);
    print_lsc_registers(p, data);
    fputs(":d32.", p->out);
    for (int channel = 0; channel < 4; channel++)
        if (i->attr[0] >> channel & 1)
            fputc("xyzw"[channel], p -> out);
}

static void print_LSCQUAD(const struct visa_printer *p, const struct visa_instruction *i)
{
    bool store = i->op == VISA_OP_LSC_STORE_QUAD;
    struct visa_instruction head = *i;
    head.attr[0] = VISA_LSC_IMAGE;
    print_head(p, i);
    print_lsc_head(p, &head);
    if (!store)
        print_quad_data(p, i, &i->dst);
    print_lsc_surface(p, i);
    for (unsigned k = 0; k < 3 && (k == 0 || i->src[k].variable != VISA_NULL); k++) {
        fputs(k ? "," : "", p->out);
        print_lsc_registers(p, &i->src[k]);
    }
    fputs("]:a32", p->out);
    if (store)
        print_quad_data(p, i, &i->src[VISA_LSC_DATA_SOURCE]);
}

static void print_LSCFENCE(const struct visa_printer *p, const struct visa_instruction *i)
{
    static const char *const memory[] = {"ugm", "ugml", "tgm", "slm"};
    static const char *const operation[] = {"none", "evict", "invalidate", "discard", "clean", "flushl3"};
    static const char *const scope[] = {"group", "local", "tile", "gpu", "gpus", "system", "sysacq"};
    fprintf(p->out, "lsc_fence.%s.%s.%s", WORD_OF(p, memory, i->attr[0]), WORD_OF(p, operation, i->attr[1]),
            WORD_OF(p, scope, i->attr[2]));
}

static void print_ASSEMBLY(const struct visa_printer *p, const struct visa_instruction *i)
{
    visa_print_assembly(p, i);
}

static void print_SYNC(const struct visa_printer *p, const struct visa_instruction *i)
{
    fputs(operations[i->op].text, p->out);
}

static void print_SYNCSOURCE(const struct visa_printer *p, const struct visa_instruction *i)
{
    fputs(operations[i->op].text, p->out);
    visa_print_source(p, i, &i->src[0]);
}

static void print_LIFETIME(const struct visa_printer *p, const struct visa_instruction *i)
{
    fprintf(p->out, "%s ", operations[i->op].text);
    visa_print_name(p, i->dst.variable);
}

static void print_SPLIT(const struct visa_printer *p, const struct visa_instruction *i)
{
    fprintf(p->out, "%s.%s", operations[i->op].text, i->attr[0] ? "signal" : "wait");
}

static void print_FENCE(const struct visa_printer *p, const struct visa_instruction *i)
{
    static const struct {
        unsigned bit;
        const char *text;
    } flags[] = {{VISA_FENCE_COMMIT, "E"},   {VISA_FENCE_INSTRUCTIONS, "I"}, {VISA_FENCE_SAMPLER, "S"},
                 {VISA_FENCE_CONSTANT, "C"}, {VISA_FENCE_DATA, "R"},         {VISA_FENCE_L1, "L1"}};
    unsigned mask = (unsigned)i->attr[0];
    const char *where = mask & VISA_FENCE_SOFTWARE ? "sw" : mask & VISA_FENCE_LOCAL ? "local" : "global";
    fprintf(p->out, "%s_%s", operations[i->op].text, where);
    mask &= ~(unsigned)VISA_FENCE_LOCAL;
    if (mask == 0 || mask & VISA_FENCE_SOFTWARE)
        return;
    fputs(" .", p->out);
    for (size_t f = 0; f < sizeof flags / sizeof *flags; f++)
        if (mask & flags[f].bit)
            fputs(flags[f].text, p->out);
}

typedef void print_form(const struct visa_printer *p, const struct visa_instruction *i);

static print_form *const forms[] = {
#define VISA_OP(ID, TEXT, FORM, SOURCES, FLAGS) print_##FORM,
#include "tables/visa_ops.def"
#undef VISA_OP
};

void visa_print_instruction(const struct visa_printer *printer, const struct visa_instruction *instruction)
{
    if ((unsigned)instruction->op >= VISA_OP_COUNT)
        visa_print_bug(printer, "no such operation:", instruction->op);
    bool labels =
        instruction->op == VISA_OP_LABEL || instruction->op == VISA_OP_FUNCTION || instruction->op == VISA_OP_ASSEMBLY;
    if (!labels) /* these forms begin in the first column */
        visa_put(printer, "    ");
    forms[instruction->op](printer, instruction);
}
