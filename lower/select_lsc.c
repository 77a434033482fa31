/* Messages to the load/store cache: lsc.load, store, prefetch and fence of vc-intrinsics.
 * Operands: predicate, operation, level 1, level 3, scale, immediate offset, size, elements, transposed, channels, addresses[, data],
 * surface. */
#include "lower/select.h"

enum { PREDICATE, LEVEL_1 = 2, LEVEL_3 = 3, SIZE = 6, ELEMENTS = 7, ORDER = 8, ADDRESS = 10, DATA = 11 };

static unsigned constant_of(LLVMValueRef i, unsigned k)
{
    int64_t number = 0;
    constant_int(LLVMGetOperand(i, k), &number);
    return (unsigned)number;
}

/* The binding table index of a surface that is a kernel argument. */
static bool binding_of(struct selection *s, LLVMValueRef i, LLVMValueRef handle, int *binding)
{
    for (size_t k = 0; k < s->out->argument_count; k++) {
        const struct visa_argument *a = &s->out->arguments[k];
        if (a->binding >= 0 && a->index >= 0 && LLVMGetParam(s->kernel, (unsigned)a->index) == handle) {
            *binding = a->binding;
            return true;
        }
    }
    return select_fail(s, i, "the surface of an LSC access must be a kernel argument");
}

static enum visa_lsc_memory memory_of(enum genx_id id)
{
    switch (id) {
    case GENX_LSC_LOAD_SLM: case GENX_LSC_STORE_SLM: return VISA_LSC_SHARED;
    case GENX_LSC_LOAD_BTI: case GENX_LSC_STORE_BTI: case GENX_LSC_PREFETCH_BTI: return VISA_LSC_SURFACE;
    default: return VISA_LSC_FLAT;
    }
}

/* A scalar address alone in its register. */
static struct visa_operand block_address(struct selection *s, LLVMValueRef address, bool flat)
{
    unsigned to = new_variable(s, flat ? VISA_TYPE_UQ : VISA_TYPE_UD, 1, s->platform->grf_bytes, "address");
    if (flat)
        wide_move(s, 2, wide_region(to, VISA_TYPE_UD, 0, 2), wide_region(value_variable(s, address), VISA_TYPE_UD, 0, 2));
    else
        wide_move(s, 1, wide_scalar(to, VISA_TYPE_UD, 0), source(s, address, 'U'));
    return raw_operand(s, to, 0);
}

static bool select_access(struct selection *s, LLVMValueRef i, enum genx_id id, bool store, bool reads)
{
    bool block = constant_of(i, ORDER) == 2, flat = memory_of(id) == VISA_LSC_FLAT;
    struct visa_instruction m = {.op = store ? VISA_OP_LSC_STORE : VISA_OP_LSC_LOAD, .exec_size = block ? 1 : 16, .no_mask = block};
    m.attr[0] = (int)memory_of(id);
    m.attr[1] = (int)(constant_of(i, LEVEL_1) | constant_of(i, LEVEL_3) << 4);
    m.attr[2] = (int)(constant_of(i, SIZE) | (unsigned)block << 4 | constant_of(i, ELEMENTS) << 8);
    if (memory_of(id) == VISA_LSC_SURFACE && !binding_of(s, i, LLVMGetOperand(i, store ? DATA + 1 : DATA), &m.attr[3]))
        return true;
    if (!block && !mask_is_full(LLVMGetOperand(i, PREDICATE)))
        m.predicate.variable = mask_variable(s, LLVMGetOperand(i, PREDICATE));
    LLVMValueRef address = LLVMGetOperand(i, ADDRESS);
    m.src[0] = block ? block_address(s, address, flat) : raw_operand(s, value_variable(s, address), 0);
    if (store)
        m.src[1] = raw_operand(s, value_variable(s, LLVMGetOperand(i, DATA)), 0);
    else
        m.dst = raw_operand(s, reads ? value_variable(s, i) : VISA_NULL, 0);
    s->out->uses_stateless = s->out->uses_stateless || flat;
    emit(s, &m);
    return true;
}

bool select_lsc(struct selection *s, LLVMValueRef i)
{
    struct visa_instruction fence = {.op = VISA_OP_LSC_FENCE, .exec_size = 1};
    enum genx_id id = genx_call_id(i);
    switch (id) {
    case GENX_LSC_LOAD_STATELESS: case GENX_LSC_LOAD_BTI: case GENX_LSC_LOAD_SLM: return select_access(s, i, id, false, true);
    case GENX_LSC_PREFETCH_STATELESS: case GENX_LSC_PREFETCH_BTI: return select_access(s, i, id, false, false);
    case GENX_LSC_STORE_STATELESS: case GENX_LSC_STORE_BTI: case GENX_LSC_STORE_SLM: return select_access(s, i, id, true, false);
    case GENX_LSC_FENCE:
        for (unsigned k = 0; k < 3; k++)
            fence.attr[k] = (int)constant_of(i, 1 + k);
        emit(s, &fence);
        return true;
    default: return false;
    }
}
