/* Selects messages on texels of images: typed reads, writes and atomics, and the sampler. */
#include "lower/codegen/select/select.h"
#include "visa_emit/finalize.h"

static LLVMValueRef operand(LLVMValueRef i, unsigned k)
{
    return LLVMGetOperand(i, k);
}

static struct visa_operand no_payload(void)
{
    return (struct visa_operand){.kind = VISA_OPERAND_RAW, .variable = VISA_NULL};
}

static bool is_zero(LLVMValueRef value)
{
    return LLVMIsConstant(value) && (LLVMIsNull(value) || LLVMIsUndef(value));
}

/* Collects `count` coordinates from operand `first` on. Trailing zeros are not sent: images have no such dimension. */
static void coordinates(struct selection *s, LLVMValueRef i, unsigned first, unsigned count, struct visa_operand *out)
{
    unsigned sent = count;
    while (sent > 1 && is_zero(operand(i, first + sent - 1)))
        sent--;
    for (unsigned k = 0; k < count; k++)
        out[k] = k < sent ? select_payload_value(s, operand(i, first + k)) : no_payload();
}

static void predicate_of(struct selection *s, LLVMValueRef mask, struct visa_instruction *m)
{
    if (!constant_mask_is_full(mask))
        m->predicate.variable = operand_mask_variable(s, mask);
}

/* gather4.typed, scatter4.typed: channels, mask, image, u, v, r, old or data. */
static bool select_typed(struct selection *s, LLVMValueRef i, bool store)
{
    struct visa_instruction m = {.op = store ? VISA_OP_SCATTER4_TYPED : VISA_OP_GATHER4_TYPED, .exec_size = 8};
    m.attr[0] = constant_of(i, 0) & 15;
    predicate_of(s, operand(i, 1), &m);
    coordinates(s, i, 3, 3, &m.src[1]);
    m.src[4] = no_payload();
    if (store)
        m.src[5] = select_payload_value(s, operand(i, 6));
    else
        m.dst = cg_raw_operand(s, operand_value_variable(s, i), 0);
    m.src[0] = select_message_surface(s, operand(i, 2));
    cg_emit(s, &m);
    return true;
}

/* lsc.*.quad.typed.bti: mask, level 1, level 3, channels, image, u, v, r, level of detail, old or data. */
static bool select_lsc_quad(struct selection *s, LLVMValueRef i, enum genx_id id)
{
    enum { MASK, LEVEL_1, LEVEL_3, CHANNELS, IMAGE, U, DATA = U + 4, COORDINATES = 3 };
    bool store = id == GENX_LSC_STORE_QUAD_TYPED_BTI, fetch = id == GENX_LSC_PREFETCH_QUAD_TYPED_BTI;
    unsigned channels = (unsigned)constant_of(i, CHANNELS) & 15;
    struct visa_instruction m = {.op = store ? VISA_OP_LSC_STORE_QUAD : VISA_OP_LSC_LOAD_QUAD};
    m.exec_size = (uint8_t)type_lanes(LLVMTypeOf(operand(i, MASK)));
    m.attr[0] = (int)channels;
    m.attr[1] = constant_of(i, LEVEL_1) | constant_of(i, LEVEL_3) << 4;
    if (store && (channels & (channels + 1)) != 0)
        return cg_fail(s, i, "channels of a write to an image must be R, GR, BGR or ABGR on %s", s->platform->name);
    predicate_of(s, operand(i, MASK), &m);
    coordinates(s, i, U, COORDINATES, &m.src[0]);
    if (store)
        m.src[VISA_LSC_DATA_SOURCE] = select_payload_value(s, operand(i, DATA));
    else
        m.dst = fetch ? no_payload() : cg_raw_operand(s, operand_value_variable(s, i), 0);
    select_lsc_surface(s, operand(i, IMAGE), &m);
    cg_emit(s, &m);
    return true;
}

/* typed.atomic.*: mask, image, operands of the operation, u, v, r, lod. */
static bool select_typed_atomic(struct selection *s, LLVMValueRef i, enum genx_id id)
{
    unsigned sources = LLVMGetNumArgOperands(i) - 6;
    struct visa_instruction m = {.op = VISA_OP_TYPED_ATOMIC, .exec_size = 8};
    m.attr[0] = VISA_ATOMIC_ADD + (int)(id - GENX_TYPED_ATOMIC_ADD);
    m.attr[1] = 32;
    predicate_of(s, operand(i, 0), &m);
    coordinates(s, i, 2 + sources, 4, &m.src[1]);
    for (unsigned k = 0; k < 2; k++)
        m.src[5 + k] = k < sources ? select_payload_value(s, operand(i, 2 + k)) : no_payload();
    m.dst = cg_raw_operand(s, operand_value_variable(s, i), 0);
    m.src[0] = select_message_surface(s, operand(i, 1));
    cg_emit(s, &m);
    return true;
}

/* Returns a sampler variable with the parameter's index among the kernel's samplers. */
static struct visa_operand sampler(struct selection *s, LLVMValueRef handle)
{
    struct visa_variable v = {.class = VISA_CLASS_SAMPLER, .elements = 1, .input_offset = -1};
    struct visa_instruction move = {.op = VISA_OP_MOVS, .exec_size = 1, .no_mask = true};
    uint64_t number = 0;
    for (size_t k = 0; k < s->out->argument_count; k++) {
        const struct visa_argument *a = &s->out->arguments[k];
        if (a->kind != VISA_ARG_SAMPLER)
            continue;
        if (LLVMGetParam(s->kernel, (unsigned)a->index) == handle)
            move.src[0] = (struct visa_operand){.kind = VISA_OPERAND_IMMEDIATE, .type = VISA_TYPE_UD, .bits = number};
        number++;
    }
    if (move.src[0].kind == VISA_OPERAND_NONE) /* chosen at run time */
        move.src[0] = select_message_scalar(s, handle);
    if (!s->inputs->sampler)
        s->inputs->sampler = visa_add_variable(s->program, s->out, &v);
    move.dst = (struct visa_operand){.kind = VISA_OPERAND_STATE, .variable = s->inputs->sampler};
    cg_emit(s, &move);
    return move.dst;
}

/* 3d.sample, 3d.load: operation, mask, channels, offsets, [sampler,] image, parameters; the last ones that are 0 are
 * left out. */
static bool select_sampler(struct selection *s, LLVMValueRef i, bool load)
{
    enum { OPERATION, MASK, CHANNELS, OFFSETS, HANDLES, MOST_PARAMETERS = 15 };
    unsigned first = load ? HANDLES + 1 : HANDLES + 2, image = load ? 1 : 2;
    struct visa_operand *parameters = visa_alloc(s->program, MOST_PARAMETERS * sizeof *parameters);
    struct visa_instruction m = {.op = load ? VISA_OP_LOAD_TEXEL : VISA_OP_SAMPLE, .parameters = parameters};
    m.exec_size = (uint8_t)type_lanes(LLVMTypeOf(operand(i, MASK)));
    m.attr[0] = constant_of(i, CHANNELS) & 15;
    m.attr[1] = constant_of(i, OPERATION);
    unsigned end = LLVMGetNumArgOperands(i);
    while (end > first + 1 && is_zero(operand(i, end - 1)))
        end--;
    for (unsigned k = first; k < end; k++)
        parameters[m.parameter_count++] = select_payload_value(s, operand(i, k));
    m.attr[2] = gen_finalizer_is_recent(s->platform); /* the text has one operand more */
    m.dst = cg_raw_operand(s, operand_value_variable(s, i), 0);
    m.src[0] = (struct visa_operand){
        .kind = VISA_OPERAND_IMMEDIATE, .type = VISA_TYPE_UW, .bits = (unsigned)constant_of(i, OFFSETS) & 0xffff};
    if (!load)
        m.src[1] = sampler(s, operand(i, HANDLES));
    m.src[image] = select_message_surface(s, operand(i, first - 1));
    cg_emit(s, &m);
    return true;
}

bool select_image(struct selection *s, LLVMValueRef i)
{
    enum genx_id id = genx_call_id(i);
    if (genx_is(id, KIND_TYPED_ATOMIC))
        return select_typed_atomic(s, i, id);
    switch (id) {
    case GENX_GATHER4_TYPED: return select_typed(s, i, false);
    case GENX_SCATTER4_TYPED: return select_typed(s, i, true);
    case GENX_LSC_LOAD_MERGE_QUAD_TYPED_BTI:
    case GENX_LSC_PREFETCH_QUAD_TYPED_BTI:
    case GENX_LSC_STORE_QUAD_TYPED_BTI: return select_lsc_quad(s, i, id);
    case GENX_SAMPLE_3D: return select_sampler(s, i, false);
    case GENX_LOAD_3D: return select_sampler(s, i, true);
    default: return false;
    }
}
