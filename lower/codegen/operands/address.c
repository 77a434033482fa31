/* Builds indirect operands: lanes chosen at run time.
 *
 * An operand whose lanes are not constant is read through a word of a0, which holds a variable's address plus an
 * offset. Addresses are reused: all accesses with one offset share an address, and their constant parts become
 * displacements in the operand; if several lanes of one vector are offsets, one instruction computes the addresses of
 * up to eight. Registers and limits: vISA, "indirect register access" and ADDR_ADD; PRM volume 7, "address register".
 */
#include <assert.h>
#include <string.h>
#include "lower/analysis/range.h"
#include "lower/codegen/bale/bale.h"
#include "lower/codegen/emit/emit.h"
#include "lower/codegen/legalize/legalize.h"
#include "lower/codegen/operands/operands.h"
#include "lower/ir/remarks.h"

enum { DISPLACEMENT_LEAST = -512, DISPLACEMENT_MOST = 511 };

/* Returns the offset of a region access without its constant part. */
static LLVMValueRef without_displacement(struct selection *s, LLVMValueRef offset, int *displacement)
{
    *displacement = 0;
    for (struct cg_value *v = bale_value(s, offset); v && v->inlined && ir_is_displaced(offset);
         v = bale_value(s, offset)) {
        uint64_t bits;
        bool undefined;
        constant_lane(LLVMGetOperand(offset, 1), 0, &bits, &undefined);
        *displacement += (int16_t)bits;
        offset = LLVMGetOperand(offset, 0);
    }
    return offset;
}

/* Returns the vector of which `offset` is one lane, looking through a truncation, and that lane; NULL: none. */
static LLVMValueRef vector_of_lane(LLVMValueRef offset, unsigned *lane)
{
    enum { OFFSET = 4 };
    int64_t index;
    if (LLVMIsATruncInst(offset))
        offset = LLVMGetOperand(offset, 0);
    if (type_lanes(LLVMTypeOf(offset)) != 1)
        return NULL;
    if (region_is_read(offset) && constant_int(LLVMGetOperand(offset, OFFSET), &index)) {
        *lane = (unsigned)(index & 0xffff) / type_element_bytes(LLVMTypeOf(offset));
        return LLVMGetOperand(offset, 0);
    }
    if (LLVMIsAExtractElementInst(offset) && constant_int(LLVMGetOperand(offset, 1), &index)) {
        *lane = (unsigned)index;
        return LLVMGetOperand(offset, 0);
    }
    return NULL;
}

/* True if a region access of block `block` has `offset`, or a truncation or displacement of it, as its offset. */
static bool addresses_in_block(LLVMValueRef offset, LLVMBasicBlockRef block, unsigned depth)
{
    for (LLVMUseRef use = LLVMGetFirstUse(offset); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMGetInstructionParent(user) != block)
            continue;
        if ((region_is_read(user) && LLVMGetOperand(user, 4) == offset) ||
            (region_is_write(user) && LLVMGetOperand(user, 5) == offset))
            return true;
        if (depth && (LLVMIsATruncInst(user) || ir_is_displaced(user)) && addresses_in_block(user, block, depth - 1))
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

/* Returns the lanes of a vector's group of eight that are offsets in the current block, as bits. Each lane queries it.
 */
static unsigned lanes_that_address(struct selection *s, LLVMValueRef vector, unsigned group)
{
    struct cg_address_group *known = &s->groups[((uintptr_t)vector / 16 + group) % KNOWN_GROUPS];
    LLVMBasicBlockRef block = LLVMGetInstructionParent(s->current);
    if (known->vector != vector || known->block != block || known->group != group)
        *known = (struct cg_address_group){vector, block, group, find_lanes_that_address(vector, group, block)};
    return known->lanes;
}

/* Decides whether lanes of a vector that are offsets are computed together, and which. */
static void find_group(struct selection *s, LLVMValueRef offset, struct macro_operand *o)
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

/* Returns offsets as words in a variable: in place if they are words there, otherwise a copy. */
static struct macro_operand offset_words(struct selection *s, LLVMValueRef offset)
{
    unsigned lanes = type_lanes(LLVMTypeOf(offset));
    struct macro_operand words = operand_source(s, offset, 'U');
    bool in_place = words.kind == MACRO_REGION && words.type == VISA_TYPE_UW && !words.modifier &&
                    words.variable >= VISA_FIRST_VARIABLE;
    if (in_place &&
        (lanes == 1 || (words.region.offset == 0 && words.region.width >= lanes && words.region.hstride == 2)))
        return words;
    unsigned copy = cg_new_variable(s, VISA_TYPE_UW, lanes, 0, NULL);
    legalize_move(s, lanes, macro_region(copy, VISA_TYPE_UW, 0, lanes), words);
    return macro_region(copy, VISA_TYPE_UW, 0, lanes);
}

/* Returns a power of two that divides the number, at most 256. */
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

struct macro_operand operand_address(struct selection *s, unsigned base, LLVMTypeRef element, struct region region,
                                     LLVMValueRef offset, unsigned lanes)
{
    assert(type_lanes(LLVMTypeOf(offset)) == 1 || type_lanes(LLVMTypeOf(offset)) == lanes);
    assert(base && lanes >= 1 && type_element_bits(LLVMTypeOf(offset)) == 16);
    int displacement;
    if (LLVMIsAInstruction(offset))
        remark_at(offset, REMARK_INDIRECT);
    offset = without_displacement(s, offset, &displacement);
    struct macro_operand words = offset_words(s, offset);
    struct macro_operand o = {
        .kind = MACRO_ADDRESS, .type = cg_visa_type(element, 'U'), .address = base, .region = region};
    o.region.offset += displacement;
    o.offset = words.variable;
    o.offset_at = words.region.offset;
    o.offsets = type_lanes(LLVMTypeOf(offset));
    o.per_lane = o.offsets > 1;
    o.extent = region_lane(&region, lanes - 1) - region.offset;
    o.multiple = known_multiple(offset, 4);
    struct range places = range_of_integer(offset);
    o.most = range_within(places, 0, INT16_MAX) ? (unsigned)places.high : 0;
    struct cg_value *v = bale_value(s, offset);
    if (!o.per_lane && v && v->inlined)
        find_group(s, offset, &o);
    return o;
}

/* ---- contents of address registers ---- */
