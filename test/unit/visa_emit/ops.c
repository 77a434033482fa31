/* Checks every row of tables/visa_ops.def, on every platform: it is printed, the finalizer accepts it, and its listing
 * shows the instruction. A new row that no case below can write fails. */
#include "test/unit/visa_emit/check.h"
#include "visa_emit/finalize.h"

enum form {
    ALU,
    UNMASKED,
    BFN,
    CARRY,
    CMP,
    SEL,
    SETP,
    MOVS,
    ADDRADD,
    LABEL,
    BRANCH,
    SWITCH,
    RET,
    FUNCTION,
    CALL,
    FCALL,
    MEDIA,
    OWORD,
    SCALED,
    QUAD,
    TYPED,
    TYPEDATOMIC,
    SAMPLE,
    ATOMIC,
    SVMBLOCK,
    SVMSG,
    SVMQUAD,
    SVMATOMIC,
    RAWSEND,
    RAWSENDS,
    SYNC,
    SPLIT,
    SYNCSOURCE,
    FENCE,
    LIFETIME,
    DPAS,
    LSCACCESS,
    LSCATOMIC,
    LSCBLOCK2D,
    LSCQUAD,
    LSCFENCE,
    ASSEMBLY
};

static const struct {
    const char *name, *text;
    enum form form;
    unsigned sources;
} rows[] = {
#define VISA_OP(ID, TEXT, FORM, SOURCES, FLAGS) {#ID, TEXT, FORM, SOURCES},
#include "tables/visa_ops.def"
#undef VISA_OP
};

/* Types in which an arithmetic row is tried (default d), and the generations that lack it. */
struct need {
    enum visa_opcode op;
    enum visa_type type;
    unsigned from_generation, to_generation; /* 0: all */
};

static const struct need needs[] = {
    {VISA_OP_FRC, VISA_TYPE_F, 0, 0},
    {VISA_OP_RNDD, VISA_TYPE_F, 0, 0},
    {VISA_OP_RNDU, VISA_TYPE_F, 0, 0},
    {VISA_OP_RNDE, VISA_TYPE_F, 0, 0},
    {VISA_OP_RNDZ, VISA_TYPE_F, 0, 0},
    {VISA_OP_INV, VISA_TYPE_F, 0, 0},
    {VISA_OP_SQRT, VISA_TYPE_F, 0, 0},
    {VISA_OP_RSQRT, VISA_TYPE_F, 0, 0},
    {VISA_OP_LOG, VISA_TYPE_F, 0, 0},
    {VISA_OP_EXP, VISA_TYPE_F, 0, 0},
    {VISA_OP_SIN, VISA_TYPE_F, 0, 0},
    {VISA_OP_COS, VISA_TYPE_F, 0, 0},
    {VISA_OP_POW, VISA_TYPE_F, 0, 0},
    {VISA_OP_MAD, VISA_TYPE_F, 0, 0},
    {VISA_OP_DP2, VISA_TYPE_F, 0, 9},
    {VISA_OP_DP3, VISA_TYPE_F, 0, 9},
    {VISA_OP_DP4, VISA_TYPE_F, 0, 9},
    {VISA_OP_DPH, VISA_TYPE_F, 0, 9},
    {VISA_OP_LINE, VISA_TYPE_F, 0, 9},
    {VISA_OP_PLANE, VISA_TYPE_F, 0, 9},
    {VISA_OP_SAD2, VISA_TYPE_W, 0, 9},
    {VISA_OP_LRP, VISA_TYPE_F, 0, 9},
    {VISA_OP_CBIT, VISA_TYPE_UD, 0, 0},
    {VISA_OP_FBL, VISA_TYPE_UD, 0, 0},
    {VISA_OP_LZD, VISA_TYPE_UD, 0, 0},
    {VISA_OP_FBH, VISA_TYPE_UD, 0, 0},
    {VISA_OP_BFREV, VISA_TYPE_UD, 0, 0},
    {VISA_OP_MULH, VISA_TYPE_UD, 0, 0},
    {VISA_OP_ADDC, VISA_TYPE_UD, 0, 0},
    {VISA_OP_SUBB, VISA_TYPE_UD, 0, 0},
    {VISA_OP_BFE, VISA_TYPE_UD, 0, 0},
    {VISA_OP_BFI, VISA_TYPE_UD, 0, 0},
    {VISA_OP_ROL, VISA_TYPE_UD, 11, 0},
    {VISA_OP_ROR, VISA_TYPE_UD, 11, 0},
    {VISA_OP_DIVM, VISA_TYPE_F, 0, 9},
    {VISA_OP_SQRTM, VISA_TYPE_F, 0, 9},
    {VISA_OP_DP4A, VISA_TYPE_D, 12, 0},
    {VISA_OP_ADD3, VISA_TYPE_D, 125, 0},
    {VISA_OP_BFN, VISA_TYPE_UD, 125, 0},
    {VISA_OP_MOD, VISA_TYPE_UD, 0, 0},
    {VISA_OP_DIV, VISA_TYPE_UD, 0, 0},
    {VISA_OP_SHR, VISA_TYPE_UD, 0, 0},
    {VISA_OP_SRND, VISA_TYPE_F, 128, 0},
    {VISA_OP_DPAS, VISA_TYPE_D, 125, 0},
    {VISA_OP_LSC_LOAD, VISA_TYPE_D, 127, 0},
    {VISA_OP_LSC_STORE, VISA_TYPE_D, 127, 0},
    {VISA_OP_LSC_ATOMIC, VISA_TYPE_D, 127, 0},
    {VISA_OP_LSC_LOAD_2D, VISA_TYPE_D, 127, 0},
    {VISA_OP_LSC_STORE_2D, VISA_TYPE_D, 127, 0},
    {VISA_OP_LSC_FENCE, VISA_TYPE_D, 127, 0},
    {VISA_OP_NBARRIER_WAIT, VISA_TYPE_UB, 127, 0},
    {VISA_OP_SWITCHJMP, VISA_TYPE_D, 0, 11},
    {VISA_OP_LSC_LOAD_QUAD, VISA_TYPE_D, 200, 0},
    {VISA_OP_LSC_STORE_QUAD, VISA_TYPE_D, 200, 0},
};

static struct need need_of(enum visa_opcode op)
{
    for (size_t i = 0; i < sizeof needs / sizeof *needs; i++)
        if (needs[i].op == op)
            return needs[i];
    return (struct need){op, VISA_TYPE_D, 0, 0};
}

/* The kernel around the instruction: eight variables of 16 dwords that come from memory and go back to it, so that the
 * finalizer cannot drop what is computed between. */
struct bench {
    struct visa_program *program;
    struct visa_kernel *kernel;
    unsigned data[8], wide, predicate, address, surface, sampler, base;
    struct visa_operand parameters[2];
};

static unsigned declare(struct bench *b, enum visa_class class, enum visa_type type, unsigned elements, int input)
{
    struct visa_variable variable = {.class = class, .type = type, .elements = elements, .input_offset = input};
    return visa_add_variable(b->program, b->kernel, &variable);
}

static void add(struct bench *b, struct visa_instruction instruction)
{
    if (!instruction.exec_size)
        instruction.exec_size = 1;
    visa_add_instruction(b->program, b->kernel, &instruction);
}

static void set_surface(struct bench *b)
{
    add(b,
        (struct visa_instruction){.op = VISA_OP_MOVS, .dst = state(b->surface), .src = {immediate(VISA_TYPE_UD, 1)}});
}

static void load(struct bench *b, unsigned variable, unsigned owords, unsigned offset)
{
    add(b, (struct visa_instruction){.op = VISA_OP_OWORD_LD,
                                     .dst = raw(variable),
                                     .attr = {(int)owords},
                                     .src = {state(b->surface), immediate(VISA_TYPE_UD, offset)}});
}

static void store(struct bench *b, unsigned variable, unsigned owords, unsigned offset)
{
    add(b, (struct visa_instruction){.op = VISA_OP_OWORD_ST,
                                     .attr = {(int)owords},
                                     .src = {state(b->surface), immediate(VISA_TYPE_UD, offset), raw(variable)}});
}

static void begin(struct bench *b, const struct platform *platform)
{
    b->program = visa_program_create(platform);
    b->kernel = visa_add_kernel(b->program, "row");
    b->kernel->label_count = 1;
    b->kernel->has_barrier = true;
    for (unsigned i = 0; i < 8; i++)
        b->data[i] = declare(b, VISA_CLASS_GENERAL, VISA_TYPE_D, 16, -1);
    b->wide = declare(b, VISA_CLASS_GENERAL, VISA_TYPE_UQ, 16, -1);
    b->predicate = declare(b, VISA_CLASS_PREDICATE, VISA_TYPE_UD, 16, -1);
    b->address = declare(b, VISA_CLASS_ADDRESS, VISA_TYPE_UW, 8, -1);
    b->surface = declare(b, VISA_CLASS_SURFACE, VISA_TYPE_UD, 1, -1);
    b->sampler = declare(b, VISA_CLASS_SAMPLER, VISA_TYPE_UD, 1, -1);
    b->base = declare(b, VISA_CLASS_GENERAL, VISA_TYPE_UQ, 1, 64);
    set_surface(b);
    add(b,
        (struct visa_instruction){.op = VISA_OP_MOVS, .dst = state(b->sampler), .src = {immediate(VISA_TYPE_UD, 0)}});
    for (unsigned i = 0; i < 8; i++)
        load(b, b->data[i], 4, 4 * i);
    load(b, b->wide, 8, 32);
    add(b, (struct visa_instruction){.op = VISA_OP_CMP,
                                     .exec_size = 16,
                                     .condition = VISA_LT,
                                     .dst = named(VISA_OPERAND_PREDICATE, b->predicate),
                                     .src = {at(b->data[6], VISA_TYPE_D, 0, 8, 8, 1), immediate(VISA_TYPE_D, 3)}});
    add(b, (struct visa_instruction){.op = VISA_OP_ADDR_ADD,
                                     .dst = named(VISA_OPERAND_ADDRESS, b->address),
                                     .src = {{.kind = VISA_OPERAND_ADDRESS_OF, .variable = b->data[7], .offset = 4},
                                             immediate(VISA_TYPE_UW, 8)}});
}

static void end(struct bench *b)
{
    set_surface(b);
    for (unsigned i = 0; i < 8; i++)
        store(b, b->data[i], 4, 40 + 4 * i);
    add(b, (struct visa_instruction){.op = VISA_OP_RET});
}

static struct visa_instruction arithmetic(const struct bench *b, enum visa_opcode op, enum visa_type type)
{
    struct visa_instruction i = {.op = op, .exec_size = 8, .dst = to(b->data[0], type, 0, 1)};
    for (unsigned s = 0; s < rows[op].sources; s++)
        i.src[s] = at(b->data[s + 1], type, 0, 8, 8, 1);
    return i;
}

/* One instruction of the row. The switch has no default: a new form does not compile until it has its case. */
static void add_row(struct bench *b, enum visa_opcode op)
{
    bool stores = strstr(rows[op].text, "_st") || strstr(rows[op].text, "scatter");
    struct visa_instruction i = {.op = op, .exec_size = 8};
    struct visa_operand zero = immediate(VISA_TYPE_UD, 0), payload = raw(b->data[0]),
                        *last = stores ? &i.src[0] : &i.dst;
    struct visa_operand offset = raw(b->data[1]);
    switch (rows[op].form) {
    case ALU:
    case UNMASKED:
        i = arithmetic(b, op, need_of(op).type);
        if (op == VISA_OP_LINE || op == VISA_OP_PLANE)
            i.src[0] = at(b->data[1], VISA_TYPE_F, 0, 0, 4, 1);
        for (unsigned s = 0; op == VISA_OP_SAD2 && s < 2; s++)
            i.src[s] = at(b->data[s + 1], VISA_TYPE_B, 0, 8, 8, 1);
        break;
    case BFN:
        i = arithmetic(b, op, VISA_TYPE_UD);
        i.attr[0] = 0xca;
        break;
    case CARRY:
        i = arithmetic(b, op, VISA_TYPE_UD);
        i.src[0] = to(b->data[1], VISA_TYPE_UD, 0, 1);
        break;
    case CMP:
        i = arithmetic(b, op, VISA_TYPE_D);
        i.dst = named(VISA_OPERAND_PREDICATE, b->predicate);
        i.condition = VISA_GE;
        break;
    case SEL:
        i = arithmetic(b, op, VISA_TYPE_D);
        i.predicate = (struct visa_predicate){.variable = b->predicate};
        break;
    case SETP:
        i.exec_size = 16;
        i.dst = named(VISA_OPERAND_PREDICATE, b->predicate);
        i.src[0] = scalar(b->data[1], VISA_TYPE_UD, 0);
        break;
    case MOVS:
        i.exec_size = 1;
        i.dst = state(b->surface);
        i.src[0] = scalar(b->data[1], VISA_TYPE_UD, 4);
        break;
    case ADDRADD:
        i.dst = named(VISA_OPERAND_ADDRESS, b->address);
        i.src[0] = (struct visa_operand){.kind = VISA_OPERAND_ADDRESS_OF, .variable = b->data[7]};
        i.src[1] = at(b->data[1], VISA_TYPE_UW, 0, 8, 8, 1);
        break;
    case LABEL: break;
    case BRANCH:
        i.predicate = (struct visa_predicate){.variable = b->predicate, .inverse = true};
        i.predicate.control = op == VISA_OP_JMP ? VISA_PRED_ANY : VISA_PRED_EACH;
        i.exec_size = op == VISA_OP_JMP ? 1 : 16;
        break;
    case SWITCH:
        b->parameters[0] = b->parameters[1] = (struct visa_operand){.kind = VISA_OPERAND_IMMEDIATE};
        i = (struct visa_instruction){.op = op, .exec_size = 1, .parameters = b->parameters, .parameter_count = 2};
        i.src[0] = scalar(b->data[1], VISA_TYPE_UD, 0);
        break;
    case RET: /* of a function that is called on the stack it needs the call */
        i = (struct visa_instruction){.op = op, .exec_size = 1};
        if (op == VISA_OP_RET)
            break; /* FALLTHROUGH */
    case FCALL:    /* each needs the other: add_function() */
        i = (struct visa_instruction){.op = VISA_OP_FCALL, .exec_size = 32, .attr = {1, 2, 1}};
        break;
    case FUNCTION: /* each needs the other: add_subroutine() */
    case CALL: i = (struct visa_instruction){.op = VISA_OP_CALL, .exec_size = 1, .no_mask = true}; break;
    case MEDIA:
        i = (struct visa_instruction){.op = op,
                                      .exec_size = 1,
                                      .attr = {16, 4, 0, 0},
                                      .src = {state(b->surface), scalar(b->data[1], VISA_TYPE_UD, 0), zero}};
        last = stores ? &i.src[3] : &i.dst;
        *last = payload;
        break;
    case OWORD:
        i = (struct visa_instruction){
            .op = op, .exec_size = 1, .attr = {4}, .src = {state(b->surface), scalar(b->data[1], VISA_TYPE_UD, 0)}};
        last = stores ? &i.src[2] : &i.dst;
        *last = payload;
        break;
    case SCALED:
    case QUAD:
        i.src[0] = state(b->surface), i.src[1] = zero, i.src[2] = offset;
        i.attr[0] = rows[op].form == QUAD ? 1 : 4;
        last = stores ? &i.src[3] : &i.dst;
        *last = payload;
        break;
    case TYPED:
        i.attr[0] = 1;
        i.src[0] = state(b->surface), i.src[1] = offset, i.src[2] = raw(b->data[2]);
        i.src[3] = i.src[4] = raw(VISA_NULL);
        last = stores ? &i.src[5] : &i.dst;
        *last = payload;
        break;
    case TYPEDATOMIC:
        i.attr[0] = VISA_ATOMIC_ADD, i.attr[1] = 32;
        i.src[0] = state(b->surface), i.src[1] = offset, i.src[2] = raw(b->data[2]), i.src[5] = raw(b->data[3]);
        i.src[3] = i.src[4] = i.src[6] = raw(VISA_NULL);
        i.dst = payload;
        break;
    case SAMPLE:
        i.attr[0] = 3, i.attr[1] = op == VISA_OP_SAMPLE ? VISA_SAMPLE_ZERO : VISA_LOAD;
        i.attr[2] = gen_finalizer_is_recent(b->program->platform);
        i.src[0] = immediate(VISA_TYPE_UW, 0x120), i.src[1] = state(op == VISA_OP_SAMPLE ? b->sampler : b->surface);
        i.src[2] = op == VISA_OP_SAMPLE ? state(b->surface) : (struct visa_operand){0};
        b->parameters[0] = offset, b->parameters[1] = raw(b->data[2]);
        i.parameters = b->parameters, i.parameter_count = 2;
        i.dst = payload;
        break;
    case ATOMIC:
        i.attr[0] = VISA_ATOMIC_CMPXCHG, i.attr[1] = 32;
        i.src[0] = state(b->surface), i.src[1] = offset, i.src[2] = raw(b->data[2]), i.src[3] = raw(b->data[3]);
        i.dst = payload;
        break;
    case SVMBLOCK:
        i = (struct visa_instruction){.op = op, .exec_size = 1, .attr = {4}, .src = {scalar(b->base, VISA_TYPE_UQ, 0)}};
        last = stores ? &i.src[1] : &i.dst;
        *last = payload;
        break;
    case RAWSEND: /* A64 oword block read of 4 owords: header of one register, two come back */
        i = (struct visa_instruction){
            .op = op, .exec_size = 8, .no_mask = true, .attr = {0xc, 1, 2, 0x022d03ff}, .src = {raw(b->wide)}};
        i.dst = payload;
        break;
    case RAWSENDS: /* A64 oword block write of 4 owords: header of one register, two registers of data */
        i = (struct visa_instruction){.op = op, .exec_size = 8, .no_mask = true, .attr = {0xc, 1, 2, 0}};
        i.src[0] = raw(b->wide), i.src[1] = payload;
        i.src[2] = immediate(VISA_TYPE_UD, 0x8c), i.src[3] = immediate(VISA_TYPE_UD, 0x020d43ff);
        i.dst = raw(VISA_NULL);
        break;
    case SVMSG:
        i.attr[0] = 4, i.attr[1] = 1;
        i.src[0] = raw(b->wide);
        last = stores ? &i.src[1] : &i.dst;
        *last = payload;
        break;
    case SVMQUAD:
        i.attr[0] = 1;
        i.src[0] = scalar(b->base, VISA_TYPE_UQ, 0), i.src[1] = raw(b->wide);
        last = stores ? &i.src[2] : &i.dst;
        *last = payload;
        break;
    case SVMATOMIC:
        i.attr[0] = VISA_ATOMIC_ADD, i.attr[1] = 32;
        i.src[0] = raw(b->wide), i.src[1] = raw(b->data[2]), i.src[2] = raw(VISA_NULL);
        i.dst = payload;
        break;
    case SPLIT:
    case SYNC: i.exec_size = 1; break;
    case LIFETIME: i.dst = raw(b->data[0]); break;
    case SYNCSOURCE:
    case DPAS: /* through the compiler: test/cmc/later-platforms.test */
    case LSCACCESS:
    case LSCATOMIC:
    case LSCBLOCK2D:
    case LSCQUAD:
    case LSCFENCE: break;
    case ASSEMBLY: i.text = "mov (M1, 8) %null(0,0)<1> 0:d"; break;
    case FENCE: i.attr[0] = VISA_FENCE_COMMIT | VISA_FENCE_L1; break;
    }
    add(b, i);
    if (rows[op].form == BRANCH || rows[op].form == SWITCH) /* something to jump over, and the place to go on */
        add(b, arithmetic(b, VISA_OP_ADD, VISA_TYPE_D)), add(b, (struct visa_instruction){.op = VISA_OP_LABEL});
    if (rows[op].form == CMP || rows[op].form == SETP) { /* a user of the predicate */
        struct visa_instruction user = arithmetic(b, VISA_OP_SEL, VISA_TYPE_D);
        user.predicate = (struct visa_predicate){.variable = b->predicate};
        add(b, user);
    }
    if (rows[op].form == ADDRADD) { /* a user of the addresses */
        struct visa_instruction user = {.op = VISA_OP_MOV, .exec_size = 8, .dst = to(b->data[0], VISA_TYPE_D, 0, 1)};
        user.src[0] = (struct visa_operand){.kind = VISA_OPERAND_INDIRECT,
                                            .type = VISA_TYPE_D,
                                            .variable = b->address,
                                            .region = {0, 1, 0},
                                            .per_channel = true};
        add(b, user);
    }
}

/* The function that the call calls, after the kernel's end. */
static void add_subroutine(struct bench *b)
{
    add(b, (struct visa_instruction){.op = VISA_OP_FUNCTION});
    add(b, arithmetic(b, VISA_OP_ADD, VISA_TYPE_D));
    add(b, (struct visa_instruction){.op = VISA_OP_RET});
}

/* The same on the stack: a part of the kernel's text of its own, which moves an argument to its result. */
static void add_function(struct bench *b)
{
    struct visa_kernel *kernel = b->kernel;
    struct visa_instruction move = {.op = VISA_OP_MOV, .exec_size = 8};
    move.dst = to(VISA_RETVAL, VISA_TYPE_D, 0, 1);
    move.src[0] = at(VISA_ARG, VISA_TYPE_D, (int)b->program->platform->grf_bytes, 8, 8, 1);
    b->kernel = visa_add_function(b->program, kernel, "function");
    b->kernel->argument_registers = 2;
    b->kernel->result_registers = 1;
    add(b, move);
    add(b, (struct visa_instruction){.op = VISA_OP_FRET, .exec_size = 32});
    b->kernel = kernel;
}

static void try_row(enum visa_opcode op, const struct platform *platform)
{
    enum { FIRST_TESTED_THROUGH_COMPILER = 125 };
    struct need need = need_of(op);
    if (!platform->simulated || platform->needs_current ||
        platform->generation >=
            FIRST_TESTED_THROUGH_COMPILER) /* what they have instead of these messages is tested through the compiler */
        return;
    if (platform->generation < need.from_generation ||
        (need.to_generation && platform->generation > need.to_generation))
        return;
    struct bench b;
    struct gen_code code;
    char error[512] = "";
    begin(&b, platform);
    if (op != VISA_OP_RET)
        add_row(&b, op);
    end(&b);
    if (rows[op].form == FUNCTION || rows[op].form == CALL)
        add_subroutine(&b);
    if (op == VISA_OP_FCALL || op == VISA_OP_FRET)
        add_function(&b);
    char *text = text_of(b.program, b.kernel);
    bool accepted = gen_finalize(platform, "row", text, NULL, &code, error, sizeof error);
    CHECK(accepted, "%s on %s: %s\n%s", rows[op].name, platform->name, error, text);
    if (accepted) {
        CHECK(code.instructions > 20 && code.registers > 8, "%s on %s: %u instructions, %u registers", rows[op].name,
              platform->name, code.instructions, code.registers);
        gen_code_free(&code);
    }
    free(text);
    visa_program_destroy(b.program);
}

int main(void)
{
    for (unsigned op = 0; op < VISA_OP_COUNT; op++)
        for (unsigned p = 0; p < platform_count; p++)
            if (*platform_table[p].finalizer)
                try_row(op, &platform_table[p]);
    return checks_failed != 0;
}
