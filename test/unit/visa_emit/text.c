/* Compares the text of vISA operands and instructions with lines written by hand from the finalizer's grammar, and the
 * bits of immediates with the finalizer's instruction words. */
#include <inttypes.h>
#include "test/unit/visa_emit/check.h"
#include "visa_emit/finalize.h"
#include "visa_emit/print.h"

/* A kernel with a variable of each class; numbers as vISA counts them. */
enum { V_BYTES = 32, V_FLOATS, V_ADDRESSES, P_LANES, S_SAMPLER, T_SURFACE, V_ARGUMENT };

static struct visa_program *program;
static struct visa_kernel *kernel;

static void declare(unsigned number, enum visa_class class, enum visa_type type, unsigned elements, int input,
                    const char *comment)
{
    struct visa_variable variable = {
        .class = class, .type = type, .elements = elements, .input_offset = input, .comment = comment};
    unsigned got = visa_add_variable(program, kernel, &variable);
    CHECK(got == number, "%u", got);
}

static void begin(const struct platform *platform)
{
    program = visa_program_create(platform);
    kernel = visa_add_kernel(program, "k");
    kernel->label_count = 3;
    declare(V_BYTES, VISA_CLASS_GENERAL, VISA_TYPE_UB, 144, -1, "in");
    declare(V_FLOATS, VISA_CLASS_GENERAL, VISA_TYPE_F, 8, -1, NULL);
    declare(V_ADDRESSES, VISA_CLASS_ADDRESS, VISA_TYPE_UW, 8, -1, NULL);
    declare(P_LANES, VISA_CLASS_PREDICATE, VISA_TYPE_UW, 16, -1, NULL);
    declare(S_SAMPLER, VISA_CLASS_SAMPLER, VISA_TYPE_UD, 1, -1, NULL);
    declare(T_SURFACE, VISA_CLASS_SURFACE, VISA_TYPE_UD, 1, -1, NULL);
    declare(V_ARGUMENT, VISA_CLASS_GENERAL, VISA_TYPE_UD, 1, 72, "h\nx");
}

/* True if the kernel's text has `line` as a whole line, its first blanks apart. */
static bool has_line(const char *text, const char *line)
{
    size_t length = strlen(line);
    for (const char *found = text; (found = strstr(found, line)); found++) {
        const char *before = found;
        while (before > text && before[-1] == ' ')
            before--;
        if ((before == text || before[-1] == '\n') && (found[length] == '\n' || !found[length]))
            return true;
    }
    return false;
}

static void expect_line(const char *line)
{
    char *text = text_of(program, kernel);
    CHECK(has_line(text, line), "'%s' is not in\n%s", line, text);
    free(text);
}

/* The instruction's line; the kernel is empty before and after. */
static void expect(struct visa_instruction instruction, const char *line)
{
    visa_add_instruction(program, kernel, &instruction);
    expect_line(line);
    kernel->instruction_count = 0;
}

#define I(OP, ...) ((struct visa_instruction){.op = VISA_OP_##OP, __VA_ARGS__})

static void arithmetic(void)
{
    expect(I(MOV, .exec_size = 16, .dst = to(V_FLOATS, VISA_TYPE_F, 0, 1),
             .src = {at(V_BYTES, VISA_TYPE_UB, 35, 16, 8, 1)}),
           "mov (M1, 16) V33(0,0)<1> V32(1,3)<16;8,1>");
    /* the type decides the name, and the element in the register */
    expect(I(ADD, .exec_size = 4, .channel = 8, .saturate = true, .dst = to(V_BYTES, VISA_TYPE_D, 68, 2),
             .src = {scalar(V_BYTES, VISA_TYPE_W, 34), at(V_FLOATS, VISA_TYPE_D, 16, 4, 4, 1)}),
           "add.sat (M3, 4) V32_d(2,1)<2> V32_w(1,1)<0;1,0> V33_d(0,4)<4;4,1>");
    struct visa_operand negative = scalar(V_FLOATS, VISA_TYPE_F, 0), magnitude = negative, both = negative;
    negative.modifier = VISA_MODIFIER_NEGATE;
    magnitude.modifier = VISA_MODIFIER_ABSOLUTE;
    both.modifier = VISA_MODIFIER_NEGATE | VISA_MODIFIER_ABSOLUTE;
    expect(I(MAD, .exec_size = 1, .no_mask = true, .dst = to(V_FLOATS, VISA_TYPE_F, 4, 1),
             .src = {negative, magnitude, both}),
           "mad (M1_NM, 1) V33(0,1)<1> (-)V33(0,0)<0;1,0> (abs)V33(0,0)<0;1,0> (-abs)V33(0,0)<0;1,0>");
    struct visa_operand inverted = scalar(V_FLOATS, VISA_TYPE_UD, 0);
    inverted.modifier = VISA_MODIFIER_NOT;
    expect(I(AND, .exec_size = 1, .dst = to(VISA_CR0, VISA_TYPE_UD, 0, 1),
             .src = {scalar(VISA_CR0, VISA_TYPE_UD, 0), inverted}),
           "and (M1, 1) %cr0(0,0)<1> %cr0(0,0)<0;1,0> (~)V33_ud(0,0)<0;1,0>");
    expect(I(ADDC, .exec_size = 8, .dst = to(V_BYTES, VISA_TYPE_UD, 0, 1),
             .src = {to(V_BYTES, VISA_TYPE_UD, 32, 1), at(V_FLOATS, VISA_TYPE_UD, 0, 8, 8, 1),
                     immediate(VISA_TYPE_UD, 1)}),
           "addc (M1, 8) V32_ud(0,0)<1> V32_ud(1,0)<1> V33_ud(0,0)<8;8,1> 0x1:ud");
}

static void predicates(void)
{
    struct visa_predicate lanes = {.variable = P_LANES}, none_of = {P_LANES, true, VISA_PRED_ANY},
                          all = {P_LANES, false, VISA_PRED_ALL};
    struct visa_operand p = named(VISA_OPERAND_PREDICATE, P_LANES), f = at(V_FLOATS, VISA_TYPE_F, 0, 8, 8, 1);
    expect(I(MOV, .exec_size = 8, .predicate = lanes, .dst = to(V_FLOATS, VISA_TYPE_F, 0, 1), .src = {f}),
           "(P35) mov (M1, 8) V33(0,0)<1> V33(0,0)<8;8,1>");
    expect(I(SEL, .exec_size = 8, .predicate = all, .dst = to(V_FLOATS, VISA_TYPE_F, 0, 1),
             .src = {f, immediate(VISA_TYPE_F, 0x3f800000)}),
           "(P35.all) sel (M1, 8) V33(0,0)<1> V33(0,0)<8;8,1> 0x3f800000:f");
    expect(I(CMP, .exec_size = 8, .condition = VISA_NE, .dst = p, .src = {f, f}),
           "cmp.ne (M1, 8) P35 V33(0,0)<8;8,1> V33(0,0)<8;8,1>");
    expect(I(XOR, .exec_size = 16, .dst = p, .src = {p, p}), "xor (M1, 16) P35 P35 P35");
    expect(I(SETP, .exec_size = 16, .no_mask = true, .dst = p, .src = {scalar(V_BYTES, VISA_TYPE_UW, 2)}),
           "setp (M1_NM, 16) P35 V32_uw(0,1)<0;1,0>");
    expect(I(GOTO, .exec_size = 16, .predicate = none_of, .attr = {2}), "(!P35.any) goto (M1, 16) L2");
    expect(I(JMP, .exec_size = 1, .attr = {0}), "jmp (M1, 1) L0");
}

static void assembly(void)
{
    struct visa_operand name = named(VISA_OPERAND_NAME, V_BYTES),
                        number = {.kind = VISA_OPERAND_NUMBER, .bits = UINT64_MAX};
    name.type = VISA_TYPE_UD;
    const struct visa_operand operands[] = {to(V_FLOATS, VISA_TYPE_F, 4, 1), at(V_FLOATS, VISA_TYPE_F, 0, 1, 1, 0),
                                            name, number, named(VISA_OPERAND_PREDICATE, P_LANES)};
    struct visa_instruction i = I(ASSEMBLY, .text = "($4) mov $0 $1 $2.0 ${3} $$1 $5 $", .parameters = operands,
                                  .parameter_count = 5, .attr = {1});
    expect(i, "(P35) mov  V33(0,1)<1>  V33(0,0)<1;1,0> V32_ud.0 -1 $1 $5 $");
    i.text = "// none\n\n  .decl V v_type=G type=d num_elts=1\nmov $0 $1\n  add $0 $1\n";
    CHECK(visa_assembly_length(&i) == 2, "%u instructions", visa_assembly_length(&i));
    expect(I(LABEL, .attr = {1}), "L1:");
    expect(I(RET, .exec_size = 1), "ret (M1, 1)");
}

static void addresses(void)
{
    struct visa_operand a = {.kind = VISA_OPERAND_ADDRESS, .variable = V_ADDRESSES, .element = 3, .region = {0, 1, 0}};
    struct visa_operand lanes = {.kind = VISA_OPERAND_ADDRESS, .variable = V_ADDRESSES};
    struct visa_operand of = {.kind = VISA_OPERAND_ADDRESS_OF, .variable = V_BYTES, .offset = 12};
    struct visa_operand indirect = {.kind = VISA_OPERAND_INDIRECT,
                                    .type = VISA_TYPE_F,
                                    .variable = V_ADDRESSES,
                                    .element = 3,
                                    .offset = -16,
                                    .region = {8, 8, 1}};
    struct visa_operand each = indirect;
    each.per_channel = true;
    each.region = (struct visa_region){0, 1, 0};
    expect(I(ADDR_ADD, .exec_size = 1, .dst = a, .src = {of, immediate(VISA_TYPE_UW, 2)}),
           "addr_add (M1, 1) A34(3)<1> &V32[12] 0x2:uw");
    expect(I(ADDR_ADD, .exec_size = 8, .dst = lanes, .src = {lanes, at(V_BYTES, VISA_TYPE_UW, 0, 8, 8, 1)}),
           "addr_add (M1, 8) A34(0)<8> A34(0)<8> V32_uw(0,0)<8;8,1>");
    expect(I(MOV, .exec_size = 8, .dst = to(V_FLOATS, VISA_TYPE_F, 0, 1), .src = {indirect}),
           "mov (M1, 8) V33(0,0)<1> r[A34(3),-16]<8;8,1>:f");
    expect(I(MOV, .exec_size = 8, .dst = to(V_FLOATS, VISA_TYPE_F, 0, 1), .src = {each}),
           "mov (M1, 8) V33(0,0)<1> r[A34(3),-16]<1,0>:f");
    indirect.region.hstride = 2;
    expect(I(MOV, .exec_size = 8, .dst = indirect, .src = {at(V_FLOATS, VISA_TYPE_F, 0, 8, 8, 1)}),
           "mov (M1, 8) r[A34(3),-16]<2>:f V33(0,0)<8;8,1>");
}

static void surfaces(void)
{
    struct visa_operand t = state(T_SURFACE), x = scalar(V_ARGUMENT, VISA_TYPE_UD, 0),
                        zero = immediate(VISA_TYPE_UD, 0);
    struct visa_operand data = raw(V_BYTES), offsets = raw(V_FLOATS);
    struct visa_predicate lanes = {.variable = P_LANES};
    expect(I(MOVS, .exec_size = 1, .no_mask = true, .dst = t, .src = {immediate(VISA_TYPE_UD, 1)}),
           "movs (M1_NM, 1) T37(0) 0x1:ud");
    expect(I(MEDIA_LD, .exec_size = 1, .attr = {32, 8, 0, 0}, .dst = data, .src = {t, x, zero}),
           "media_ld.nomod (32,8) T37 0 V38(0,0)<0;1,0> 0x0:ud V32.0");
    expect(I(MEDIA_ST, .exec_size = 1, .attr = {24, 6, 1, 3}, .src = {t, x, zero, data}),
           "media_st.bottom (24,6) T37 1 V38(0,0)<0;1,0> 0x0:ud V32.0");
    expect(I(OWORD_LD_UNALIGNED, .exec_size = 1, .attr = {4}, .dst = data, .src = {t, x}),
           "oword_ld_unaligned (4) T37 V38(0,0)<0;1,0> V32.0");
    data.offset = 32;
    expect(I(OWORD_ST, .exec_size = 1, .attr = {2}, .src = {t, x, data}), "oword_st (2) T37 V38(0,0)<0;1,0> V32.32");
    expect(I(GATHER_SCALED, .exec_size = 8, .predicate = lanes, .attr = {2}, .dst = data,
             .src = {state(VISA_SLM), zero, offsets}),
           "(P35) gather_scaled.2 (M1, 8) %slm 0x0:ud V33.0 V32_ud.32");
    expect(I(SCATTER_SCALED, .exec_size = 16, .attr = {1}, .src = {t, zero, offsets, data}),
           "scatter_scaled.1 (M1, 16) T37 0x0:ud V33.0 V32_ud.32");
    expect(I(GATHER4_SCALED, .exec_size = 8, .attr = {5}, .dst = data, .src = {t, zero, offsets}),
           "gather4_scaled.RB (M1, 8) T37 0x0:ud V33.0 V32_ud.32");
    expect(I(SCATTER4_TYPED, .exec_size = 8, .attr = {15},
             .src = {t, offsets, offsets, raw(VISA_NULL), raw(VISA_NULL), data}),
           "scatter4_typed.RGBA (M1, 8) T37 V33.0 V33.0 %null.0 %null.0 V32_ud.32");
    expect(I(DWORD_ATOMIC, .exec_size = 8, .attr = {VISA_ATOMIC_FMAX, 32}, .dst = data,
             .src = {t, offsets, offsets, raw(VISA_NULL)}),
           "dword_atomic.fmax (M1, 8) T37 V33_ud.0 V33.0 %null.0 V32_f.32");
}

static void flat_memory(void)
{
    struct visa_operand data = raw(V_BYTES), addresses64 = raw(V_FLOATS), base = scalar(V_FLOATS, VISA_TYPE_UQ, 8);
    expect(I(SVM_BLOCK_LD, .exec_size = 1, .attr = {8}, .dst = data, .src = {base}),
           "svm_block_ld (8) V33_uq(0,1)<0;1,0> V32.0");
    expect(I(SVM_BLOCK_ST, .exec_size = 1, .attr = {1}, .src = {base, data}),
           "svm_block_st (1) V33_uq(0,1)<0;1,0> V32.0");
    expect(I(SVM_GATHER, .exec_size = 8, .attr = {4, 2}, .dst = data, .src = {addresses64}),
           "svm_gather.4.2 (M1, 8) V33_uq.0 V32_ud.0");
    expect(I(SVM_SCATTER, .exec_size = 8, .attr = {8, 1}, .src = {addresses64, data}),
           "svm_scatter.8.1 (M1, 8) V33_uq.0 V32_uq.0");
    expect(I(SVM_ATOMIC, .exec_size = 8, .attr = {VISA_ATOMIC_CMPXCHG, 64}, .dst = raw(VISA_NULL),
             .src = {addresses64, data, data}),
           "svm_atomic.cmpxchg.64 (M1, 8) V33_uq.0 %null.0 V32_uq.0 V32_uq.0");
    expect(I(BARRIER, .exec_size = 1), "barrier");
    expect(I(FENCE, .attr = {VISA_FENCE_COMMIT}), "fence_global .E");
    expect(I(FENCE, .attr = {VISA_FENCE_LOCAL}), "fence_local");
    expect(I(FENCE, .attr = {VISA_FENCE_SOFTWARE}), "fence_sw");
}

static void declarations(void)
{
    visa_add_instruction(
        program, kernel,
        &I(MOV, .exec_size = 1, .dst = to(V_BYTES, VISA_TYPE_Q, 8, 1), .src = {scalar(VISA_R0, VISA_TYPE_UW, 4)}));
    visa_add_instruction(
        program, kernel,
        &I(OWORD_LD, .attr = {2}, .dst = raw(V_FLOATS), .src = {state(T_SURFACE), immediate(VISA_TYPE_UD, 0)}));
    static const char *const lines[] = {
        ".version 4.1",
        ".kernel \"k\"",
        ".decl V32 v_type=G type=ub num_elts=144 align=GRF // in",
        ".decl V32_q v_type=G type=q num_elts=18 alias=<V32, 0>",
        ".decl V33 v_type=G type=f num_elts=8 align=GRF",
        ".decl A34 v_type=A num_elts=8",
        ".decl P35 v_type=P num_elts=16",
        ".decl S36 v_type=S num_elts=1",
        ".decl T37 v_type=T num_elts=1",
        ".decl V38 v_type=G type=ud num_elts=1 align=dword // h x",
        ".decl r0_uw v_type=G type=uw num_elts=16 alias=<%r0, 0>",
        ".input V38 offset=72 size=4",
        ".kernel_attr Target=\"cm\"",
        ".kernel_attr SLMSize=0",
        ".kernel_attr NoBarrier",
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        expect_line(lines[i]);
    kernel->instruction_count = 0;
}

struct constant {
    enum visa_type type;
    uint64_t bits;
    const char *text;
};

/* Bits that a decimal text, a sign or a conversion on the way would lose. */
static const struct constant constants[] = {
    {VISA_TYPE_D, 0x80000000, "-0x80000000:d"},
    {VISA_TYPE_D, 0xffffffff, "-0x1:d"},
    {VISA_TYPE_UD, 0xffffffff, "0xffffffff:ud"},
    {VISA_TYPE_W, 0x8000, "-0x8000:w"},
    {VISA_TYPE_W, 0xffff8000, "-0x8000:w"},
    {VISA_TYPE_UW, 0xffff, "0xffff:uw"},
    {VISA_TYPE_B, 0x80, "-0x80:w"},
    {VISA_TYPE_UB, 0xff, "0xff:uw"},
    {VISA_TYPE_F, 0x3f99999a, "0x3f99999a:f"}, /* 1.2 */
    {VISA_TYPE_F, 0x80000000, "0x80000000:f"}, /* -0 */
    {VISA_TYPE_F, 0x7f800000, "0x7f800000:f"}, /* infinity */
    {VISA_TYPE_F, 0xffc12345, "0xffc12345:f"}, /* a NaN with a payload */
    {VISA_TYPE_F, 0x00000001, "0x1:f"},        /* the smallest denormal */
    {VISA_TYPE_HF, 0x8000, "0x8000:hf"},
    {VISA_TYPE_HF, 0x7e01, "0x7e01:hf"},
    {VISA_TYPE_DF, 0x8000000000000000, "0x8000000000000000:df"},
    {VISA_TYPE_DF, 0x3ff3333333333334, "0x3ff3333333333334:df"},
    {VISA_TYPE_Q, 0x8000000000000001, "-0x7fffffffffffffff:q"},
    {VISA_TYPE_UQ, 0xfedcba9876543210, "0xfedcba9876543210:uq"},
    {VISA_TYPE_V, 0x89abcdef, "0x89abcdef:v"},
    {VISA_TYPE_UV, 0x76543210, "0x76543210:uv"},
    {VISA_TYPE_VF, 0x48403000, "0x48403000:vf"},
};

/* The type that a packed immediate is spread into; others are moved as they are. */
static enum visa_type destination_type(enum visa_type type)
{
    switch (type) {
    case VISA_TYPE_V:
    case VISA_TYPE_B: return VISA_TYPE_W;
    case VISA_TYPE_UV:
    case VISA_TYPE_UB: return VISA_TYPE_UW;
    case VISA_TYPE_VF: return VISA_TYPE_F;
    default: return type;
    }
}

/* True if an instruction's immediate field (the last 4 or 8 of 16 bytes) holds the value as the type widens it. */
static bool holds(const struct gen_code *code, const struct constant *constant)
{
    unsigned bytes = visa_type_bytes(constant->type);
    uint64_t mask = bytes == 8 ? UINT64_MAX : bytes == 4 ? UINT32_MAX : bytes == 2 ? 0xffff : 0xff;
    for (size_t i = 0; i + 16 <= code->size; i += 16) {
        uint64_t low = 0, high = 0;
        memcpy(&high, code->code + i + 12, 4);
        memcpy(&low, code->code + i + 8, 8);
        uint64_t field = bytes == 8 ? low : high;
        /* Gen12 holds the two halves of 64 bits the other way round */
        if ((field & mask) == (constant->bits & mask) || (bytes == 8 && (field >> 32 | field << 32) == constant->bits))
            return true;
    }
    return false;
}

static void try_constant(const struct constant *constant, const struct platform *platform)
{
    char error[512] = "", line[64];
    struct gen_code code;
    begin(platform);
    enum visa_type type = destination_type(constant->type);
    unsigned lanes = visa_type_class(constant->type) == 'P' ? (constant->type == VISA_TYPE_VF ? 4 : 8) : 1;
    visa_add_instruction(program, kernel,
                         &I(MOVS, .exec_size = 1, .dst = state(T_SURFACE), .src = {immediate(VISA_TYPE_UD, 1)}));
    visa_add_instruction(program, kernel,
                         &I(MOV, .exec_size = (uint8_t)lanes, .dst = to(V_BYTES, type, 0, 1),
                            .src = {immediate(constant->type, constant->bits)}));
    visa_add_instruction(
        program, kernel,
        &I(OWORD_ST, .exec_size = 1, .attr = {4}, .src = {state(T_SURFACE), immediate(VISA_TYPE_UD, 0), raw(V_BYTES)}));
    visa_add_instruction(program, kernel, &I(RET, .exec_size = 1));
    char *text = text_of(program, kernel);
    snprintf(line, sizeof line, "<1> %s\n", constant->text);
    CHECK(strstr(text, line), "%s is not in\n%s", constant->text, text);
    if (gen_finalize(platform, "k", text, "-nocompaction", &code, error, sizeof error)) {
        CHECK(holds(&code, constant), "%s: 0x%" PRIx64 " is in no instruction:\n%s", constant->text, constant->bits,
              code.assembly);
        gen_code_free(&code);
    } else {
        CHECK(false, "%s on %s: %s", constant->text, platform->name, error);
    }
    free(text);
    visa_program_destroy(program);
}

int main(void)
{
    begin(&platform_table[PLATFORM_ICLLP]);
    arithmetic();
    predicates();
    assembly();
    addresses();
    surfaces();
    flat_memory();
    declarations();
    visa_program_destroy(program);
    for (size_t i = 0; i < sizeof constants / sizeof *constants; i++) /* SKL has every type */
        try_constant(&constants[i], &platform_table[PLATFORM_SKL]);
    return checks_failed != 0;
}
