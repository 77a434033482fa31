/* Selects regions: reads that could not be baled, writes, single elements, shuffles. */
#include <stdlib.h>
#include "lower/codegen/operands/scattered.h"
#include "lower/codegen/select/select.h"
#include "lower/ir/fault.h"

struct search {
    unsigned variable;
    bool found;
};

static void look_for(struct selection *s, struct cg_value *v, LLVMValueRef reader, void *context)
{
    (void)reader;
    struct search *search = context;
    struct cg_value *class = interference_value_class(s, v);
    search->found = search->found || (!v->is_mask && class->variable == search->variable);
}

static bool reads_variable(struct selection *s, LLVMValueRef i, unsigned variable)
{
    struct search search = {variable, false};
    bale_for_each_source(s, i, look_for, &search);
    return search.found;
}

/* Copies all of `from` (a value, or a constant) to a variable, in the widest elements that divide its size. */
static void copy_value(struct selection *s, unsigned to, LLVMValueRef from)
{
    LLVMTypeRef type = LLVMTypeOf(from);
    unsigned lanes = type_lanes(type), bytes = lanes * type_element_bytes(type);
    if (operand_build_constant(s, from, to))
        return;
    struct macro_operand src = operand_source(s, from, 'U');
    if (src.kind == MACRO_REGION && bytes % 4 == 0) {
        legalize_move(s, bytes / 4, macro_region(to, VISA_TYPE_UD, 0, bytes / 4),
                      macro_region(src.variable, VISA_TYPE_UD, 0, bytes / 4));
        return;
    }
    legalize_move(s, lanes, macro_region(to, cg_visa_type(type_element(type), 'U'), 0, lanes), src);
}

/* Returns the u16 byte offset of an element with a run-time index. */
static unsigned offset_variable(struct selection *s, LLVMValueRef index, unsigned scale)
{
    unsigned out = cg_new_variable(s, VISA_TYPE_UW, 1, 0, NULL);
    struct macro w = {.op = VISA_OP_MUL, .lanes = 1, .sources = 2, .dst = macro_scalar(out, VISA_TYPE_UW, 0)};
    w.src[0] = operand_source(s, index, 'U');
    if (visa_type_bytes(w.src[0].type) > 2)
        w.src[0].type = VISA_TYPE_UW; /* registers are smaller than that, and there is no product of dwords in a word */
    w.src[1] = macro_immediate(VISA_TYPE_UW, scale);
    legalize_macro(s, &w);
    return out;
}

static struct macro_operand element_by_number(struct selection *s, unsigned base, LLVMTypeRef element,
                                              LLVMValueRef index)
{
    return (struct macro_operand){.kind = MACRO_ADDRESS,
                                  .type = cg_visa_type(element, 'U'),
                                  .address = base,
                                  .offset = offset_variable(s, index, type_element_bytes(element)),
                                  .region = {0, 1, 0, 0}};
}

static bool select_read(struct selection *s, LLVMValueRef i)
{
    LLVMTypeRef type = LLVMTypeOf(i), element = type_element(type);
    LLVMValueRef offset = LLVMGetOperand(i, 4);
    unsigned base = operand_value_variable(s, LLVMGetOperand(i, 0)), lanes = type_lanes(type);
    struct region region;
    struct macro_operand from;
    if (region_of_call(i, &region) && LLVMIsAConstantInt(offset)) {
        from = macro_scalar(base, cg_visa_type(element, 'U'), 0);
        from.region = region;
    } else {
        bool per_lane = type_lanes(LLVMTypeOf(offset)) > 1 && lanes > 1;
        from = operand_address(s, base, element, per_lane ? (struct region){0, 1, 0, 0} : region, offset, lanes);
        if (!per_lane)
            operand_address_scattered_lanes(s, &from, lanes);
    }
    legalize_move(s, lanes, operand_destination(s, i, 'U'), from);
    return true;
}

/* Prepares a write of lanes under a mask that are far apart, or no region, from a run-time offset on. A destination has
 * one address, so that each lane would be an instruction under a predicate of its own. All lanes are read to contiguous
 * ones instead, which `dst` becomes; write_region() changes these and moves them back. */
static bool reads_lanes_first(struct selection *s, struct macro_operand *dst, const struct macro_operand *predicate,
                              unsigned lanes)
{
    struct macro_operand from = *dst;
    bool masked = dst->kind == MACRO_ADDRESS && !dst->per_lane && predicate->kind == MACRO_MASK && !predicate->uniform;
    if (!masked || (predicate->channels && goto_loops_counts(&s->channels, s->current)))
        return false; /* other lanes may be overwritten */
    operand_address_scattered_lanes(s, &from, lanes);
    if (!from.per_lane)
        return false;
    s->lanes_first = cg_new_variable(s, from.type, lanes, s->platform->grf_bytes, "lanes");
    *dst = macro_region(s->lanes_first, from.type, 0, lanes);
    legalize_move(s, lanes, *dst, from);
    return true;
}

/* Common to all writes: writes `value` to lanes `region` of a copy of the old vector, at `offset` (i16, bytes) or, if
 * that is NULL and `index` is not, at element `index`. */
static bool write_region(struct selection *s, LLVMValueRef i, LLVMValueRef value, struct region region,
                         LLVMValueRef offset, LLVMValueRef index, LLVMValueRef mask)
{
    LLVMValueRef old = ir_partly_overwritten(i);
    LLVMTypeRef type = LLVMTypeOf(i), element = type_element(type);
    unsigned lanes = type_lanes(LLVMTypeOf(value)), result = operand_value_variable(s, i), target = result;
    if (old && (!bale_value_root(s, old) || operand_value_variable(s, old) != result)) {
        if (reads_variable(s, i, result)) /* a source sits where the result will: build the result elsewhere */
            target = cg_new_variable(s, cg_visa_type(element, 'U'), type_lanes(type), s->platform->grf_bytes, NULL);
        copy_value(s, target, old);
    }
    struct macro_operand dst = macro_scalar(target, cg_visa_type(element, 'U'), 0), predicate = {.kind = MACRO_NONE};
    dst.region = region;
    if (offset)
        dst = operand_address(s, target, element, region, offset, lanes);
    else if (index)
        dst = element_by_number(s, target, element, index);
    if (mask && !LLVMIsAConstantInt(mask))
        predicate = operand_mask(s, mask, lanes);
    struct macro_operand place = dst;
    bool read_first = reads_lanes_first(s, &dst, &predicate, lanes);
    LLVMValueRef message = bale_replied(value);
    struct cg_value *v = bale_value(s, value), *reply = bale_value(s, message);
    if (reply && reply->inlined && bale_is_in_place_reply(s, message)) {
        s->reply_target.variable = target;
        s->reply_target.offset = region.offset;
        if (!select_message(s, message) && !select_lsc(s, message))
            select_matrix(s, message);
    } else if (v && v->inlined && LLVMIsAInstruction(value) && bale_is_writer(s, value)) {
        if (!select_arithmetic(s, value, dst, predicate))
            cg_fail(s, value, LOWER_FAULT("an operation that writes a part of a vector"));
    } else {
        struct macro w = {.op = VISA_OP_MOV, .lanes = lanes, .dst = dst, .predicate = predicate, .sources = 1};
        w.src[0] = operand_source(s, value, 'U');
        w.dst.type = type_is_float(element) ? cg_visa_type(element, 'U') : w.dst.type;
        legalize_macro(s, &w);
    }
    s->lanes_first = 0;
    if (read_first)
        legalize_move(s, lanes, place, dst);
    if (target != result)
        legalize_move(s, type_lanes(type), macro_region(result, cg_visa_type(element, 'U'), 0, type_lanes(type)),
                      macro_region(target, cg_visa_type(element, 'U'), 0, type_lanes(type)));
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
            return cg_fail(s, i, "a thread id of a dimension chosen at run time: it must be the constant 0, 1 or 2");
        legalize_move(s, 1, operand_destination(s, i, 'U'),
                      macro_scalar(select_local_ids_variable(s), VISA_TYPE_UW, (int)(2 * lane)));
        return true;
    }
    unsigned base = operand_value_variable(s, from);
    struct macro_operand src = macro_scalar(base, cg_visa_type(element, 'U'), 0);
    if (constant_int(index, &lane))
        src.region.offset = (int)lane * (int)bytes;
    else
        src = element_by_number(s, base, element, index);
    legalize_move(s, 1, operand_destination(s, i, 'U'), src);
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

/* Returns the region of the operand's lanes in the vector that it is read from. */
static struct region lanes_of_operand(struct selection *s, LLVMValueRef operand)
{
    int bytes = (int)type_element_bytes(LLVMTypeOf(operand));
    struct region r = {0, type_lanes(LLVMTypeOf(operand)), 0, bytes};
    const struct cg_value *v = bale_value(s, operand);
    if (v && v->inlined && region_is_read(operand))
        region_of_call(operand, &r);
    return r;
}

/* Returns the longest run of result lanes from `first` on that is one region of one operand; *operand is 2 for
 * undefined lanes. `from`: the operands' lanes. */
static unsigned shuffle_run(LLVMValueRef i, unsigned first, const struct region *from, unsigned *operand,
                            struct region *out)
{
    unsigned lanes = LLVMGetNumMaskElements(i), inputs = type_lanes(LLVMTypeOf(LLVMGetOperand(i, 0))), best = 1;
    int *offsets = ir_calloc(lanes, sizeof *offsets), lane = LLVMGetMaskValue(i, first);
    *operand = lane < 0 ? 2 : (unsigned)lane / inputs;
    for (unsigned n = 1; first + n <= lanes && lane >= 0; n++) {
        lane = LLVMGetMaskValue(i, first + n - 1);
        struct region trial;
        if (lane < 0 || (unsigned)lane / inputs != *operand)
            break;
        offsets[n - 1] = region_lane(&from[*operand], (unsigned)lane % inputs);
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
    struct cg_value *v = bale_value(s, a);
    if (v && v->inlined && !region_is_read(a)) { /* a scalar for every lane */
        legalize_move(s, lanes, operand_destination(s, i, 'U'), operand_source(s, a, 'U'));
        return true;
    }
    unsigned to = operand_value_variable(s, i), result = to;
    if (reads_variable(s, i, result))
        to = cg_new_variable(s, cg_visa_type(element, 'U'), lanes, 0, NULL);
    struct region from[] = {lanes_of_operand(s, a), lanes_of_operand(s, LLVMGetOperand(i, 1))};
    for (unsigned first = 0; first < lanes; first += n) {
        unsigned operand;
        struct region region = {0, 1, 0, 0};
        n = shuffle_run(i, first, from, &operand, &region);
        if (operand > 1)
            continue;
        struct macro_operand src = operand_source(s, LLVMGetOperand(i, operand), 'U');
        if (src.kind == MACRO_REGION)
            src.region = region;
        legalize_move(s, n, macro_region(to, cg_visa_type(element, 'U'), (int)(first * bytes), n), src);
    }
    if (to != result)
        legalize_move(s, lanes, macro_region(result, cg_visa_type(element, 'U'), 0, lanes),
                      macro_region(to, cg_visa_type(element, 'U'), 0, lanes));
    return true;
}

bool select_region(struct selection *s, LLVMValueRef i)
{
    if (LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMVoidTypeKind || type_is_mask(LLVMTypeOf(i)))
        return false;
    if (region_is_read(i))
        return select_read(s, i);
    if (region_is_write(i))
        return select_write(s, i);
    if (LLVMIsAExtractElementInst(i) && !type_is_mask(LLVMTypeOf(LLVMGetOperand(i, 0))))
        return select_extract(s, i);
    if (LLVMIsAInsertElementInst(i))
        return select_insert(s, i);
    return LLVMIsAShuffleVectorInst(i) && select_shuffle(s, i);
}
