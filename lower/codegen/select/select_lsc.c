/* Selects messages to the load/store cache: lsc.load, store, prefetch and fence of vc-intrinsics.
 * Operands: predicate, operation, level 1, level 3, scale, immediate offset, size, elements (tables/lsc.h), transposed,
 * channels, addresses[, data], surface. */
#include "lower/codegen/select/select.h"
#include "tables/lsc.h"
#include "visa_emit/finalize.h"

enum { PREDICATE, LEVEL_1 = 2, LEVEL_3 = 3, SIZE = 6, ELEMENTS = 7, ADDRESS = 10, DATA = 11 };

/* Returns the binding table index of a kernel argument, -1 of other handles. */
static int binding_of(const struct selection *s, LLVMValueRef handle)
{
    for (size_t k = 0; k < s->out->argument_count; k++) {
        const struct visa_argument *a = &s->out->arguments[k];
        if (a->binding >= 0 && a->index >= 0 && LLVMGetParam(s->kernel, (unsigned)a->index) == handle)
            return a->binding;
    }
    return -1;
}

/* Copies a handle that is chosen at run time. */
static unsigned run_time_surface(struct selection *s, LLVMValueRef handle)
{
    unsigned number = cg_new_variable(s, VISA_TYPE_UD, 1, s->platform->grf_bytes, "surface");
    legalize_move(s, 1, macro_scalar(number, VISA_TYPE_UD, 0), operand_source(s, handle, 'U'));
    return number;
}

void select_lsc_surface(struct selection *s, LLVMValueRef handle, struct visa_instruction *m)
{
    int binding = binding_of(s, handle);
    if (binding >= 0)
        m->attr[3] = binding;
    else
        m->src[VISA_LSC_SURFACE_SOURCE] = cg_raw_operand(s, run_time_surface(s, handle), 0);
}

struct visa_operand select_lsc_descriptor(struct selection *s, LLVMValueRef handle)
{
    enum { BINDING = 24 };
    int binding = binding_of(s, handle);
    if (binding >= 0)
        return (struct visa_operand){
            .kind = VISA_OPERAND_IMMEDIATE, .type = VISA_TYPE_UD, .bits = (uint32_t)binding << BINDING};
    unsigned number = run_time_surface(s, handle);
    struct macro_operand it = macro_scalar(number, VISA_TYPE_UD, 0);
    struct macro shift = {.op = VISA_OP_SHL, .lanes = 1, .dst = it, .sources = 2};
    shift.src[0] = it;
    shift.src[1] = macro_immediate(VISA_TYPE_UD, BINDING);
    legalize_macro(s, &shift);
    return macro_general_operand(&it);
}

static enum visa_lsc_memory memory_of(enum genx_id id)
{
    switch (id) {
    case GENX_LSC_LOAD_SLM:
    case GENX_LSC_LOAD_MERGE_SLM:
    case GENX_LSC_XATOMIC_SLM:
    case GENX_LSC_STORE_SLM: return VISA_LSC_SHARED;
    case GENX_LSC_LOAD_BTI:
    case GENX_LSC_LOAD_MERGE_BTI:
    case GENX_LSC_XATOMIC_BTI:
    case GENX_LSC_STORE_BTI:
    case GENX_LSC_PREFETCH_BTI: return VISA_LSC_SURFACE;
    default: return VISA_LSC_FLAT;
    }
}

/* True for a number that begins a register, or may: the message can read it there. The thread starts with its arguments
 * at fixed places. */
static bool may_begin_register(struct selection *s, LLVMValueRef number)
{
    const struct cg_value *v = bale_value(s, number);
    if (!v || v->inlined)
        return false;
    int input_offset = visa_variable(s->out, operand_value_variable(s, number))->input_offset;
    return input_offset < 0 || input_offset % (int)s->platform->grf_bytes == 0;
}

/* Returns a scalar address that begins a register: copies it if it does not. */
static struct visa_operand block_address(struct selection *s, LLVMValueRef address, bool flat)
{
    if (may_begin_register(s, address))
        return cg_raw_operand(s, operand_value_variable(s, address), 0);
    unsigned to = cg_new_variable(s, flat ? VISA_TYPE_UQ : VISA_TYPE_UD, 1, s->platform->grf_bytes, "address");
    if (flat && platform_has(s->platform, FEATURE_INT64_ADD))
        legalize_move(s, 1, macro_scalar(to, VISA_TYPE_UQ, 0), operand_source(s, address, 'U'));
    else if (flat)
        legalize_move(s, 2, macro_region(to, VISA_TYPE_UD, 0, 2),
                      macro_region(operand_value_variable(s, address), VISA_TYPE_UD, 0, 2));
    else
        legalize_move(s, 1, macro_scalar(to, VISA_TYPE_UD, 0), operand_source(s, address, 'U'));
    return cg_raw_operand(s, to, 0);
}

/* Emits a message for each 16 lanes. Payloads are registers, so that more lanes have one element each. */
static bool emit_lanes(struct selection *s, LLVMValueRef i, const struct visa_instruction *message,
                       unsigned address_bytes)
{
    enum { MOST = 16 };
    unsigned lanes = type_lanes(LLVMTypeOf(LLVMGetOperand(i, PREDICATE)));
    unsigned bytes = (message->attr[2] & 15) == VISA_LSC_U64 ? 8 : 4;
    struct visa_instruction m = *message;
    if (lanes > 2 * MOST || (lanes & (lanes - 1)) != 0)
        return cg_fail(s, i, "access of %u lanes: must be 1, 2, 4, 8, 16 or 32", lanes);
    if (lanes > MOST && lsc_element_counts[constant_of(i, ELEMENTS)] > 1)
        return cg_fail(s, i, "access of several elements in %u lanes: must be at most 16", lanes);
    m.exec_size = (uint8_t)(lanes < MOST ? lanes : MOST);
    for (unsigned first = 0; first < lanes; first += MOST) {
        m.channel = (uint8_t)first;
        select_emit_masked(s, &m, LLVMGetOperand(i, PREDICATE));
        m.src[0].offset += (int)(MOST * address_bytes);
        m.src[1].offset += (int)(MOST * bytes);
        m.dst.offset += (int)(MOST * bytes);
    }
    return true;
}

static bool select_access(struct selection *s, LLVMValueRef i, enum genx_id id, bool store, bool reads)
{
    bool block = ir_is_lsc_block(i), flat = memory_of(id) == VISA_LSC_FLAT;
    struct visa_instruction m = {.op = store ? VISA_OP_LSC_STORE : VISA_OP_LSC_LOAD, .exec_size = 1, .no_mask = block};
    m.attr[0] = (int)memory_of(id);
    m.attr[1] = constant_of(i, LEVEL_1) | constant_of(i, LEVEL_3) << 4;
    m.attr[2] = constant_of(i, SIZE) | block << 4 | (int)lsc_elements((unsigned)constant_of(i, ELEMENTS)) << 8;
    if (memory_of(id) == VISA_LSC_SURFACE)
        select_lsc_surface(s, LLVMGetOperand(i, store ? DATA + 1 : DATA), &m);
    if (!block)
        select_keep_old_lanes(s, i, LLVMGetOperand(i, PREDICATE));
    LLVMValueRef address = LLVMGetOperand(i, ADDRESS);
    m.src[0] = block ? block_address(s, address, flat) : select_payload_value(s, address);
    if (store)
        m.src[1] = select_payload_value(s, LLVMGetOperand(i, DATA));
    else
        m.dst = reads ? select_payload_value(s, i) : cg_raw_operand(s, VISA_NULL, 0);
    s->out->uses_stateless = s->out->uses_stateless || flat;
    if (!block)
        return emit_lanes(s, i, &m, flat ? 8 : 4);
    cg_emit(s, &m);
    return true;
}

/* lsc.xatomic.*: predicate, operation, level 1, level 3, scale, offset, size, elements, order, channels, addresses, two
 * operands, surface, old. */
static bool select_atomic(struct selection *s, LLVMValueRef i, enum genx_id id)
{
    enum { OPERATION = 1, FIRST = 11, SURFACE = 13 };
    unsigned operation = (unsigned)constant_of(i, OPERATION), sources = lsc_atomic_sources(operation);
    unsigned lanes = type_lanes(LLVMTypeOf(i));
    struct visa_instruction m = {.op = VISA_OP_LSC_ATOMIC, .exec_size = (uint8_t)lanes};
    if (lanes > 16 || (lanes & (lanes - 1)) != 0)
        return cg_fail(s, i, "atomic operation on %u lanes: must be 1, 2, 4, 8 or 16", lanes);
    m.attr[0] = (int)memory_of(id);
    m.attr[1] = constant_of(i, LEVEL_1) | constant_of(i, LEVEL_3) << 4;
    m.attr[2] = (int)(constant_of(i, SIZE) | 1u << 8 | operation << 16);
    if (m.attr[0] == VISA_LSC_SURFACE)
        select_lsc_surface(s, LLVMGetOperand(i, SURFACE), &m);
    m.src[0] = select_payload_value(s, LLVMGetOperand(i, ADDRESS));
    for (unsigned k = 0; k < 2; k++)
        m.src[1 + k] =
            k < sources ? select_payload_value(s, LLVMGetOperand(i, FIRST + k)) : cg_raw_operand(s, VISA_NULL, 0);
    m.dst = cg_raw_operand(s, operand_value_variable(s, i), 0);
    s->out->uses_stateless = s->out->uses_stateless || m.attr[0] == VISA_LSC_FLAT;
    select_emit_masked(s, &m, LLVMGetOperand(i, PREDICATE));
    return true;
}

/* The text of recent finalizers has x and y of a block both as numbers or both in registers. */
static void match_places(struct selection *s, struct visa_operand places[2])
{
    for (unsigned k = 0; k < 2; k++)
        if (places[k].kind == VISA_OPERAND_IMMEDIATE && places[!k].kind != VISA_OPERAND_IMMEDIATE) {
            struct macro_operand copy = macro_scalar(cg_new_variable(s, VISA_TYPE_UD, 1, 4, "place"), VISA_TYPE_UD, 0);
            legalize_move(s, 1, copy, macro_immediate(VISA_TYPE_UD, places[k].bits));
            places[k] = macro_general_operand(&copy);
        }
}

/* lsc.*2d.stateless: predicate, level 1, level 3, size, order, blocks, width, height, VNNI, and the matrix: base,
 * width, height, pitch, x, y; what is stored. */
static bool select_block_2d(struct selection *s, LLVMValueRef i, enum genx_id id)
{
    enum { HINTS = 1, ELEMENT = 3, TRANSPOSED = 4, BLOCKS, WIDTH, HEIGHT, VNNI, MATRIX, COORDINATES = 6 };
    bool store = id == GENX_LSC_STORE2D_STATELESS;
    struct visa_instruction m = {.op = store ? VISA_OP_LSC_STORE_2D : VISA_OP_LSC_LOAD_2D, .exec_size = 1};
    m.attr[0] = constant_of(i, HINTS) | constant_of(i, HINTS + 1) << 4;
    m.attr[1] = constant_of(i, ELEMENT);
    m.attr[2] = constant_of(i, WIDTH) | constant_of(i, HEIGHT) << 8 | constant_of(i, BLOCKS) << 16;
    m.attr[3] = (constant_of(i, TRANSPOSED) == 2) | (constant_of(i, VNNI) == 1) << 1;
    struct macro_operand base = macro_scalar(operand_value_variable(s, LLVMGetOperand(i, MATRIX)), VISA_TYPE_UQ, 0);
    m.src[0] = macro_general_operand(&base);
    for (unsigned k = 1; k < COORDINATES; k++)
        m.src[k] = select_message_scalar(s, LLVMGetOperand(i, MATRIX + k));
    if (gen_finalizer_is_recent(s->platform))
        match_places(s, &m.src[COORDINATES - 2]);
    if (store)
        m.src[COORDINATES] = select_payload_value(s, LLVMGetOperand(i, MATRIX + COORDINATES));
    else
        m.dst = id == GENX_LSC_LOAD2D_STATELESS ? select_payload_value(s, i) : cg_raw_operand(s, VISA_NULL, 0);
    s->out->uses_stateless = true;
    cg_emit(s, &m);
    return true;
}

bool select_lsc(struct selection *s, LLVMValueRef i)
{
    struct visa_instruction fence = {.op = VISA_OP_LSC_FENCE, .exec_size = 1};
    enum genx_id id = genx_call_id(i);
    switch (id) {
    case GENX_LSC_LOAD_STATELESS:
    case GENX_LSC_LOAD_BTI:
    case GENX_LSC_LOAD_SLM:
    case GENX_LSC_LOAD_MERGE_STATELESS:
    case GENX_LSC_LOAD_MERGE_BTI:
    case GENX_LSC_LOAD_MERGE_SLM: return select_access(s, i, id, false, true);
    case GENX_LSC_PREFETCH_STATELESS:
    case GENX_LSC_PREFETCH_BTI: return select_access(s, i, id, false, false);
    case GENX_LSC_STORE_STATELESS:
    case GENX_LSC_STORE_BTI:
    case GENX_LSC_STORE_SLM: return select_access(s, i, id, true, false);
    case GENX_LSC_XATOMIC_STATELESS:
    case GENX_LSC_XATOMIC_BTI:
    case GENX_LSC_XATOMIC_SLM: return select_atomic(s, i, id);
    case GENX_LSC_LOAD2D_STATELESS:
    case GENX_LSC_STORE2D_STATELESS:
    case GENX_LSC_PREFETCH2D_STATELESS: return select_block_2d(s, i, id);
    case GENX_LSC_FENCE:
        for (unsigned k = 0; k < 3; k++)
            fence.attr[k] = constant_of(i, 1 + k);
        cg_emit(s, &fence);
        return true;
    default: return false;
    }
}
