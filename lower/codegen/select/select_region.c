/* Selects regions: reads that could not be baled, writes, single elements, shuffles. */
#include <stdlib.h>
#include "lower/codegen/operands/scattered.h"
#include "lower/codegen/select/select.h"
#include "lower/ir/fault.h"

struct search {
    unsigned variable;
    bool found;
};

static void look_for(struct selection *s, struct value *v, LLVMValueRef reader, void *context)
{
    (void)reader;
    struct search *search = context;
    struct value *class = value_class(s, v);
    search->found = search->found || (!v->is_mask && class->variable == search->variable);
}

static bool reads_variable(struct selection *s, LLVMValueRef i, unsigned variable)
{
    struct search search = {variable, false};
    for_each_source(s, i, look_for, &search);
    return search.found;
}

/* Copies all of `from` (a value, or a constant) to a variable, in the widest elements that divide its size. */
static void copy_value(struct selection *s, unsigned to, LLVMValueRef from)
{
    LLVMTypeRef type = LLVMTypeOf(from);
    unsigned lanes = type_lanes(type), bytes = lanes * type_element_bytes(type);
    struct wide_operand src = source(s, from, 'U');
    if (src.kind == WIDE_REGION && bytes % 4 == 0) {
        wide_move(s, bytes / 4, wide_region(to, VISA_TYPE_UD, 0, bytes / 4),
                  wide_region(src.variable, VISA_TYPE_UD, 0, bytes / 4));
        return;
    }
    wide_move(s, lanes, wide_region(to, visa_type_of(type_element(type), 'U'), 0, lanes), src);
}

/* Returns the u16 byte offset of an element with a run-time index. */
static unsigned offset_variable(struct selection *s, LLVMValueRef index, unsigned scale)
{
    unsigned out = new_variable(s, VISA_TYPE_UW, 1, 0, NULL);
    struct wide w = {.op = VISA_OP_MUL, .lanes = 1, .sources = 2, .dst = wide_scalar(out, VISA_TYPE_UW, 0)};
    w.src[0] = source(s, index, 'U');
    if (visa_type_bytes(w.src[0].type) > 2)
        w.src[0].type = VISA_TYPE_UW; /* registers are smaller than that, and there is no product of dwords in a word */
    w.src[1] = wide_immediate(VISA_TYPE_UW, scale);
    wide_emit(s, &w);
    return out;
}

static struct wide_operand element_by_number(struct selection *s, unsigned base, LLVMTypeRef element,
                                             LLVMValueRef index)
{
    return (struct wide_operand){.kind = WIDE_ADDRESS,
                                 .type = visa_type_of(element, 'U'),
                                 .address = base,
                                 .offset = offset_variable(s, index, type_element_bytes(element)),
                                 .region = {0, 1, 0, 0}};
}

static bool select_read(struct selection *s, LLVMValueRef i)
{
    LLVMTypeRef type = LLVMTypeOf(i), element = type_element(type);
    LLVMValueRef offset = LLVMGetOperand(i, 4);
    unsigned base = value_variable(s, LLVMGetOperand(i, 0)), lanes = type_lanes(type);
    struct region region;
    struct wide_operand from;
    if (region_of_call(i, &region) && LLVMIsAConstantInt(offset)) {
        from = wide_scalar(base, visa_type_of(element, 'U'), 0);
        from.region = region;
    } else {
        bool per_lane = type_lanes(LLVMTypeOf(offset)) > 1 && lanes > 1;
        from = address_operand(s, base, element, per_lane ? (struct region){0, 1, 0, 0} : region, offset, lanes);
        if (!per_lane)
            address_scattered_lanes(s, &from, lanes);
    }
    wide_move(s, lanes, destination(s, i, 'U'), from);
    return true;
}

/* Common to all writes: writes `value` to lanes `region` of a copy of the old vector, at `offset` (i16, bytes) or, if
 * that is NULL and `index` is not, at element `index`. */
static bool write_region(struct selection *s, LLVMValueRef i, LLVMValueRef value, struct region region,
                         LLVMValueRef offset, LLVMValueRef index, LLVMValueRef mask)
{
    LLVMValueRef old = partly_overwritten(i);
    LLVMTypeRef type = LLVMTypeOf(i), element = type_element(type);
    unsigned lanes = type_lanes(LLVMTypeOf(value)), result = value_variable(s, i), target = result;
    if (old && (!value_root(s, old) || value_variable(s, old) != result)) {
        if (reads_variable(s, i, result)) /* a source sits where the result will: build the result elsewhere */
            target = new_variable(s, visa_type_of(element, 'U'), type_lanes(type), s->platform->grf_bytes, NULL);
        copy_value(s, target, old);
    }
    struct wide_operand dst = wide_scalar(target, visa_type_of(element, 'U'), 0), predicate = {.kind = WIDE_NONE};
    dst.region = region;
    if (offset)
        dst = address_operand(s, target, element, region, offset, lanes);
    else if (index)
        dst = element_by_number(s, target, element, index);
    if (mask && !LLVMIsAConstantInt(mask))
        predicate = mask_operand(s, mask, lanes);
    struct value *v = value_of(s, value);
    if (v && v->inlined && is_landing(s, value)) {
        s->landing.variable = target;
        s->landing.offset = region.offset;
        if (!select_message(s, value) && !select_lsc(s, value))
            select_matrix(s, value);
    } else if (v && v->inlined && LLVMIsAInstruction(value) && is_writer(s, value)) {
        if (!select_arithmetic(s, value, dst, predicate))
            select_fail(s, value, LOWER_FAULT("an operation that writes a part of a vector"));
    } else {
        struct wide w = {.op = VISA_OP_MOV, .lanes = lanes, .dst = dst, .predicate = predicate, .sources = 1};
        w.src[0] = source(s, value, 'U');
        w.dst.type = type_is_float(element) ? visa_type_of(element, 'U') : w.dst.type;
        wide_emit(s, &w);
    }
    if (target != result)
        wide_move(s, type_lanes(type), wide_region(result, visa_type_of(element, 'U'), 0, type_lanes(type)),
                  wide_region(target, visa_type_of(element, 'U'), 0, type_lanes(type)));
    return true;
}

static bool select_write(struct selection *s, LLVMValueRef i)
{
    struct region region;
    LLVMValueRef offset = LLVMGetOperand(i, 5);
    bool constant = region_of_call(i, &region);
    return write_region(s, i, LLVMGetOperand(i, 1), region, constant ? NULL : offset, NULL, LLVMGetOperand(i, 7));
}

static bool select_extract(struct selection *s, LLVMValueRef i)
{
    LLVMValueRef from = LLVMGetOperand(i, 0), index = LLVMGetOperand(i, 1);
    LLVMTypeRef element = LLVMTypeOf(i);
    unsigned bytes = type_element_bytes(element);
    int64_t lane;
    if (genx_call_id(from) == GENX_LOCAL_ID) {
        if (!constant_int(index, &lane) || lane < 0 || lane > 2)
            return select_fail(s, i,
                               "a thread id of a dimension chosen at run time: it must be the constant 0, 1 or 2");
        wide_move(s, 1, destination(s, i, 'U'), wide_scalar(local_ids_variable(s), VISA_TYPE_UW, (int)(2 * lane)));
        return true;
    }
    unsigned base = value_variable(s, from);
    struct wide_operand src = wide_scalar(base, visa_type_of(element, 'U'), 0);
    if (constant_int(index, &lane))
        src.region.offset = (int)lane * (int)bytes;
    else
        src = element_by_number(s, base, element, index);
    wide_move(s, 1, destination(s, i, 'U'), src);
    return true;
}

static bool select_insert(struct selection *s, LLVMValueRef i)
{
    LLVMValueRef index = LLVMGetOperand(i, 2);
    unsigned bytes = type_element_bytes(LLVMTypeOf(i));
    int64_t lane = 0;
    bool constant = constant_int(index, &lane);
    return write_region(s, i, LLVMGetOperand(i, 1), (struct region){(int)lane * (int)bytes, 1, 0, 0}, NULL,
                        constant ? NULL : index, NULL);
}

/* Returns the longest run of result lanes from `first` on that is one region of one operand; *operand is 2 for
 * undefined lanes. */
static unsigned shuffle_run(LLVMValueRef i, unsigned first, unsigned *operand, struct region *out)
{
    unsigned lanes = LLVMGetNumMaskElements(i), inputs = type_lanes(LLVMTypeOf(LLVMGetOperand(i, 0))), best = 1;
    int bytes = (int)type_element_bytes(LLVMTypeOf(i)), *offsets = checked_calloc(lanes, sizeof *offsets);
    int lane = LLVMGetMaskValue(i, first);
    *operand = lane < 0 ? 2 : (unsigned)lane / inputs;
    for (unsigned n = 1; first + n <= lanes && lane >= 0; n++) {
        lane = LLVMGetMaskValue(i, first + n - 1);
        struct region trial;
        if (lane < 0 || (unsigned)lane / inputs != *operand)
            break;
        offsets[n - 1] = lane % (int)inputs * bytes;
        if (region_from_offsets(offsets, n, &trial) && (trial.width == n || n % trial.width == 0)) {
            best = n;
            *out = trial;
        }
    }
    free(offsets);
    return best;
}

static bool select_shuffle(struct selection *s, LLVMValueRef i)
{
    LLVMTypeRef element = type_element(LLVMTypeOf(i));
    LLVMValueRef a = LLVMGetOperand(i, 0);
    unsigned lanes = LLVMGetNumMaskElements(i), bytes = type_element_bytes(element), n;
    struct value *v = value_of(s, a);
    if (v && v->inlined) { /* a scalar for every lane */
        wide_move(s, lanes, destination(s, i, 'U'), source(s, a, 'U'));
        return true;
    }
    unsigned to = value_variable(s, i), result = to;
    if (reads_variable(s, i, result))
        to = new_variable(s, visa_type_of(element, 'U'), lanes, 0, NULL);
    for (unsigned first = 0; first < lanes; first += n) {
        unsigned operand;
        struct region region = {0, 1, 0, 0};
        n = shuffle_run(i, first, &operand, &region);
        if (operand > 1)
            continue;
        struct wide_operand src = source(s, LLVMGetOperand(i, operand), 'U');
        if (src.kind == WIDE_REGION)
            src.region = region;
        wide_move(s, n, wide_region(to, visa_type_of(element, 'U'), (int)(first * bytes), n), src);
    }
    if (to != result)
        wide_move(s, lanes, wide_region(result, visa_type_of(element, 'U'), 0, lanes),
                  wide_region(to, visa_type_of(element, 'U'), 0, lanes));
    return true;
}

bool select_region(struct selection *s, LLVMValueRef i)
{
    if (LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMVoidTypeKind || type_is_mask(LLVMTypeOf(i)))
        return false;
    if (is_rdregion(i))
        return select_read(s, i);
    if (is_wrregion(i))
        return select_write(s, i);
    if (LLVMIsAExtractElementInst(i) && !type_is_mask(LLVMTypeOf(LLVMGetOperand(i, 0))))
        return select_extract(s, i);
    if (LLVMIsAInsertElementInst(i))
        return select_insert(s, i);
    return LLVMIsAShuffleVectorInst(i) && select_shuffle(s, i);
}
