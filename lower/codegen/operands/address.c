/* Address registers: lanes chosen at run time.
 *
 * An operand whose lanes are not known before the kernel runs is reached through a word of a0 that holds a variable's
 * place plus an offset. What has been computed once is used again: for all accesses at one offset, whose constant parts
 * are displacements in the operand; and where several lanes of one vector serve as offsets, a single instruction
 * computes the addresses of up to eight. Registers and limits: vISA, "indirect register access" and ADDR_ADD; PRM
 * volume 7, "address register". */
#include <string.h>
#include "lower/codegen/select/select.h"

enum { DISPLACEMENT_LEAST = -512, DISPLACEMENT_MOST = 511 };

/* What the operand of a region access adds to its variable's place, with its constant part taken off. */
static LLVMValueRef without_displacement(struct selection *s, LLVMValueRef offset, int *displacement)
{
    *displacement = 0;
    for (struct value *v = value_of(s, offset); v && v->inlined && is_displaced(offset); v = value_of(s, offset)) {
        uint64_t bits;
        bool undefined;
        constant_lane(LLVMGetOperand(offset, 1), 0, &bits, &undefined);
        *displacement += (int16_t)bits;
        offset = LLVMGetOperand(offset, 0);
    }
    return offset;
}

/* The vector of which `offset` is one lane, seen through a narrowing, and that lane; NULL: none. */
static LLVMValueRef vector_of_lane(LLVMValueRef offset, unsigned *lane)
{
    enum { OFFSET = 4 };
    int64_t index;
    if (LLVMIsATruncInst(offset))
        offset = LLVMGetOperand(offset, 0);
    if (type_lanes(LLVMTypeOf(offset)) != 1)
        return NULL;
    if (is_rdregion(offset) && constant_int(LLVMGetOperand(offset, OFFSET), &index)) {
        *lane = (unsigned)(index & 0xffff) / type_element_bytes(LLVMTypeOf(offset));
        return LLVMGetOperand(offset, 0);
    }
    if (LLVMIsAExtractElementInst(offset) && constant_int(LLVMGetOperand(offset, 1), &index)) {
        *lane = (unsigned)index;
        return LLVMGetOperand(offset, 0);
    }
    return NULL;
}

/* Whether a region access of block `block` has `offset`, or what is narrowed or displaced from it, as its offset. */
static bool addresses_in_block(LLVMValueRef offset, LLVMBasicBlockRef block, unsigned depth)
{
    for (LLVMUseRef use = LLVMGetFirstUse(offset); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMGetInstructionParent(user) != block)
            continue;
        if ((is_rdregion(user) && LLVMGetOperand(user, 4) == offset) ||
            (is_wrregion(user) && LLVMGetOperand(user, 5) == offset))
            return true;
        if (depth && (LLVMIsATruncInst(user) || is_displaced(user)) && addresses_in_block(user, block, depth - 1))
            return true;
    }
    return false;
}

static unsigned find_lanes_that_address(LLVMValueRef vector, unsigned group, LLVMBasicBlockRef block)
{
    unsigned lanes = 0, looked = 0;
    for (LLVMUseRef use = LLVMGetFirstUse(vector); use && looked < 1000; use = LLVMGetNextUse(use), looked++) {
        unsigned lane;
        LLVMValueRef user = LLVMGetUser(use);
        if (vector_of_lane(user, &lane) == vector && lane / ADDRESS_GROUP == group &&
            addresses_in_block(user, block, 2))
            lanes |= 1u << lane % ADDRESS_GROUP;
    }
    return lanes;
}

/* The lanes of a vector's group of eight that are offsets in the block being selected: bits. Each of them asks. */
static unsigned lanes_that_address(struct selection *s, LLVMValueRef vector, unsigned group)
{
    struct address_group *known = &s->groups[((uintptr_t)vector / 16 + group) % KNOWN_GROUPS];
    LLVMBasicBlockRef block = LLVMGetInstructionParent(s->current);
    if (known->vector != vector || known->block != block || known->group != group)
        *known = (struct address_group){vector, block, group, find_lanes_that_address(vector, group, block)};
    return known->lanes;
}

/* Whether lanes of a vector that serve as offsets should be computed together, and with them which. */
static void find_group(struct selection *s, LLVMValueRef offset, struct wide_operand *o)
{
    unsigned lane;
    LLVMValueRef vector = vector_of_lane(offset, &lane);
    if (!vector)
        return;
    unsigned used = lanes_that_address(s, vector, lane / ADDRESS_GROUP), count = 0;
    for (unsigned i = 0; i < ADDRESS_GROUP; i++)
        count += used >> i & 1;
    if (count < 2)
        return;
    unsigned rest = type_lanes(LLVMTypeOf(vector)) - lane / ADDRESS_GROUP * ADDRESS_GROUP, size = ADDRESS_GROUP;
    while (size > rest)
        size /= 2;
    while (size > 1 && !(used >> size / 2))
        size /= 2;
    if (lane % ADDRESS_GROUP >= size)
        return;
    o->group = size;
    o->group_lane = lane % ADDRESS_GROUP;
    o->group_stride = (int)type_element_bytes(LLVMTypeOf(vector));
}

/* Words of offsets in a variable: where they are if they are words there, otherwise a copy. */
static struct wide_operand offset_words(struct selection *s, LLVMValueRef offset)
{
    unsigned lanes = type_lanes(LLVMTypeOf(offset));
    struct wide_operand words = source(s, offset, 'U');
    bool in_place = words.kind == WIDE_REGION && words.type == VISA_TYPE_UW && !words.modifier &&
                    words.variable >= VISA_FIRST_VARIABLE;
    if (in_place &&
        (lanes == 1 || (words.region.offset == 0 && words.region.width >= lanes && words.region.hstride == 2)))
        return words;
    unsigned copy = new_variable(s, VISA_TYPE_UW, lanes, 0, NULL);
    wide_move(s, lanes, wide_region(copy, VISA_TYPE_UW, 0, lanes), words);
    return wide_region(copy, VISA_TYPE_UW, 0, lanes);
}

/* A power of two that divides the number, at most 256. */
static unsigned known_multiple(LLVMValueRef number, unsigned depth)
{
    enum { MOST = 256 };
    int64_t by;
    if (!depth || type_lanes(LLVMTypeOf(number)) > 1)
        return 1;
    if (LLVMIsATruncInst(number))
        return known_multiple(LLVMGetOperand(number, 0), depth - 1);
    if (!LLVMIsABinaryOperator(number) || !constant_int(LLVMGetOperand(number, 1), &by) || by == 0)
        return 1;
    unsigned of = known_multiple(LLVMGetOperand(number, 0), depth - 1), bits = (unsigned)__builtin_ctzll((uint64_t)by);
    unsigned divides = bits < 8 ? 1u << bits : MOST;
    switch (LLVMGetInstructionOpcode(number)) {
    case LLVMShl: of = by < 8 ? of << by : MOST; break;
    case LLVMMul: of *= divides; break;
    case LLVMAnd: of = of > divides ? of : divides; break;
    case LLVMAdd: of = of < divides ? of : divides; break;
    default: return 1;
    }
    return of < MOST ? of : MOST;
}

struct wide_operand address_operand(struct selection *s, unsigned base, LLVMTypeRef element, struct region region,
                                    LLVMValueRef offset)
{
    int displacement;
    offset = without_displacement(s, offset, &displacement);
    struct wide_operand words = offset_words(s, offset);
    struct wide_operand o = {
        .kind = WIDE_ADDRESS, .type = visa_type_of(element, 'U'), .address = base, .region = region};
    o.region.offset += displacement;
    o.offset = words.variable;
    o.offset_at = words.region.offset;
    o.offsets = type_lanes(LLVMTypeOf(offset));
    o.per_lane = o.offsets > 1;
    o.multiple = known_multiple(offset, 4);
    struct value *v = value_of(s, offset);
    if (!o.per_lane && v && v->inlined)
        find_group(s, offset, &o);
    return o;
}

/* ---- what address registers hold ---- */

void forget_addresses(struct selection *s)
{
    s->address_count = 0;
}

void forget_addresses_of(struct selection *s, unsigned variable)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < s->address_count; i++)
        if (s->addresses[i].offset != variable)
            s->addresses[kept++] = s->addresses[i];
    s->address_count = kept;
}

/* a0 has sixteen words; the finalizer would save and restore what goes beyond. The oldest are computed again instead.
 */
static void remember(struct selection *s, const struct known_address *address)
{
    unsigned words = address->lanes, drop = 0;
    for (unsigned i = 0; i < s->address_count; i++)
        words += s->addresses[i].lanes;
    while (drop < s->address_count && (words > ADDRESS_WORDS || s->address_count - drop == ADDRESS_WORDS))
        words -= s->addresses[drop++].lanes;
    s->address_count -= drop;
    memmove(s->addresses, s->addresses + drop, s->address_count * sizeof *s->addresses);
    s->addresses[s->address_count++] = *address;
}

static unsigned load_address(struct selection *s, const struct known_address *a)
{
    struct visa_variable variable = {
        .class = VISA_CLASS_ADDRESS, .type = VISA_TYPE_UW, .elements = a->lanes, .input_offset = -1};
    unsigned address = visa_add_variable(s->program, s->out, &variable);
    struct visa_instruction i = {.op = VISA_OP_ADDR_ADD, .exec_size = (uint8_t)a->lanes};
    i.dst = (struct visa_operand){
        .kind = VISA_OPERAND_ADDRESS, .type = VISA_TYPE_UW, .variable = address, .region = {0, 0, 1}};
    i.src[0] = (struct visa_operand){
        .kind = VISA_OPERAND_ADDRESS_OF, .type = VISA_TYPE_UW, .variable = a->base, .offset = a->displacement};
    i.src[1] = (struct visa_operand){.kind = VISA_OPERAND_GENERAL,
                                     .type = VISA_TYPE_UW,
                                     .variable = a->offset,
                                     .offset = a->at,
                                     .region = {(uint16_t)(a->lanes > 1 ? a->stride / 2 : 0), 1, 0}};
    emit(s, &i);
    return address;
}

static bool same_address(const struct known_address *a, const struct known_address *b)
{
    return a->base == b->base && a->offset == b->offset && a->at == b->at && a->stride == b->stride &&
           a->displacement == b->displacement && a->lanes == b->lanes;
}

static unsigned known_or_loaded(struct selection *s, struct known_address *a)
{
    for (unsigned i = 0; i < s->address_count; i++)
        if (same_address(&s->addresses[i], a))
            return s->addresses[i].variable;
    a->variable = load_address(s, a);
    remember(s, a);
    return a->variable;
}

void use_address(struct selection *s, const struct wide_operand *o, unsigned first, unsigned n, int displacement,
                 struct visa_operand *out)
{
    struct known_address a = {.base = o->address, .offset = o->offset, .at = o->offset_at, .lanes = 1};
    out->kind = VISA_OPERAND_INDIRECT;
    out->per_channel = o->per_lane;
    if (o->per_lane) {
        /* pieces that start elsewhere, behind smaller ones, are none of the halves of sixteen */
        bool all = n == ADDRESS_GROUP && first % ADDRESS_GROUP == 0 &&
                   first / ADDRESS_WORDS * ADDRESS_WORDS + ADDRESS_WORDS <= o->offsets;
        out->element = all ? first % ADDRESS_WORDS : 0;
        a.at += (int)(2 * (first - out->element));
        a.stride = 2;
        a.lanes = all ? ADDRESS_WORDS : n;
        a.displacement = displacement;
    } else {
        if (o->group > 1) {
            a.at -= (int)o->group_lane * o->group_stride;
            a.stride = o->group_stride;
            a.lanes = o->group;
            out->element = o->group_lane;
        }
        bool fits = displacement >= DISPLACEMENT_LEAST && displacement <= DISPLACEMENT_MOST;
        out->offset = fits ? displacement : 0;
        a.displacement = fits ? 0 : displacement;
    }
    out->variable = known_or_loaded(s, &a);
}
