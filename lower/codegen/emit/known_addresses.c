/* Caches the words of the address register that the block has computed (see known_addresses.h). */
#include "lower/codegen/emit/known_addresses.h"

#include <string.h>
#include "lower/codegen/emit/emit.h"

/* Limits of the immediate in r[a0.0, immediate], a signed 10-bit number. Larger offsets are split into an address and a
 * rest below STEP, so that nearby accesses share the address. */
enum { DISPLACEMENT_LEAST = -512, DISPLACEMENT_MOST = 511, DISPLACEMENT_STEP = 512 };

void cg_forget_addresses(struct selection *s)
{
    s->address_count = 0;
}

void cg_forget_addresses_of(struct selection *s, unsigned variable)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < s->address_count; i++)
        if (s->addresses[i].offset != variable)
            s->addresses[kept++] = s->addresses[i];
    s->address_count = kept;
}

/* a0 has sixteen words; with more, the finalizer would save and restore some. The oldest are recomputed instead. */
static void remember(struct selection *s, const struct cg_known_address *address)
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

/* True if &variable[displacement] is inside the variable: vISA has no other address, and encodes 13 bits of it. */
static bool is_inside(const struct selection *s, const struct cg_known_address *a)
{
    const struct visa_variable *v = visa_variable(s->out, a->base);
    return a->displacement >= 0 && a->displacement < (int)(v->elements * visa_type_bytes(v->type));
}

static struct visa_operand offsets_of(const struct cg_known_address *a)
{
    return (struct visa_operand){.kind = VISA_OPERAND_GENERAL,
                                 .type = VISA_TYPE_UW,
                                 .variable = a->offset,
                                 .offset = a->at,
                                 .region = {(uint16_t)(a->lanes > 1 ? a->stride / 2 : 0), 1, 0}};
}

/* Returns the same addresses without displacement: it is added to a copy of the offsets. */
static struct cg_known_address displaced(struct selection *s, const struct cg_known_address *a)
{
    struct cg_known_address moved = *a;
    moved.offset = cg_new_variable(s, VISA_TYPE_UW, a->lanes, 0, NULL);
    moved.at = moved.displacement = 0;
    moved.stride = 2;
    struct visa_instruction i = {.op = VISA_OP_ADD, .exec_size = (uint8_t)a->lanes};
    i.dst = (struct visa_operand){
        .kind = VISA_OPERAND_GENERAL, .type = VISA_TYPE_UW, .variable = moved.offset, .region = {0, 0, 1}};
    i.src[0] = offsets_of(a);
    i.src[1] = (struct visa_operand){
        .kind = VISA_OPERAND_IMMEDIATE, .type = VISA_TYPE_UW, .bits = (uint64_t)a->displacement & UINT16_MAX};
    cg_emit(s, &i);
    return moved;
}

static unsigned load_address(struct selection *s, const struct cg_known_address *wanted)
{
    struct cg_known_address moved = is_inside(s, wanted) ? *wanted : displaced(s, wanted), *a = &moved;
    struct visa_variable variable = {
        .class = VISA_CLASS_ADDRESS, .type = VISA_TYPE_UW, .elements = a->lanes, .input_offset = -1};
    unsigned address = visa_add_variable(s->program, s->out, &variable);
    struct visa_instruction i = {.op = VISA_OP_ADDR_ADD, .exec_size = (uint8_t)a->lanes};
    i.dst = (struct visa_operand){
        .kind = VISA_OPERAND_ADDRESS, .type = VISA_TYPE_UW, .variable = address, .region = {0, 0, 1}};
    i.src[0] = (struct visa_operand){
        .kind = VISA_OPERAND_ADDRESS_OF, .type = VISA_TYPE_UW, .variable = a->base, .offset = a->displacement};
    i.src[1] = offsets_of(a);
    cg_emit(s, &i);
    return address;
}

static bool same_address(const struct cg_known_address *a, const struct cg_known_address *b)
{
    return a->base == b->base && a->offset == b->offset && a->at == b->at && a->stride == b->stride &&
           a->displacement == b->displacement && a->lanes == b->lanes;
}

static unsigned known_or_loaded(struct selection *s, struct cg_known_address *a)
{
    for (unsigned i = 0; i < s->address_count; i++)
        if (same_address(&s->addresses[i], a))
            return s->addresses[i].variable;
    a->variable = load_address(s, a);
    remember(s, a);
    return a->variable;
}

static bool reaches(int displacement)
{
    return displacement >= DISPLACEMENT_LEAST && displacement <= DISPLACEMENT_MOST;
}

/* Chooses the displacement of a new address for lanes from `first` to `last`. If an operand cannot reach them all from
 * the variable's start, the address is in the middle, so that operands reach lanes on both sides. */
static int new_displacement(const struct selection *s, unsigned base, int first, int last)
{
    if (reaches(first) && reaches(last))
        return 0;
    const struct visa_variable *v = visa_variable(s->out, base);
    int end = (int)(v->elements * visa_type_bytes(v->type)) - 1, middle = first - DISPLACEMENT_LEAST;
    if (first < 0 || first > end)
        return first & -DISPLACEMENT_STEP;
    return (middle < end ? middle : end) & -(int)s->platform->grf_bytes;
}

/* Splits the displacement `first` into the operand's part and the address's part. An existing address is used if it is
 * near enough. */
static void split_displacement(struct selection *s, struct cg_known_address *a, int first, int last,
                               struct visa_operand *out)
{
    a->displacement = new_displacement(s, a->base, first, last);
    for (unsigned i = 0; i < s->address_count; i++) {
        struct cg_known_address near = *a;
        near.displacement = s->addresses[i].displacement;
        if (same_address(&s->addresses[i], &near) && reaches(first - near.displacement))
            a->displacement = near.displacement;
    }
    out->offset = first - a->displacement;
}

void cg_use_address(struct selection *s, const struct macro_operand *o, unsigned first, unsigned n, int displacement,
                    struct visa_operand *out)
{
    struct cg_known_address a = {.base = o->address, .offset = o->offset, .at = o->offset_at, .lanes = 1};
    out->kind = VISA_OPERAND_INDIRECT;
    out->per_channel = o->per_lane;
    if (o->per_lane && o->group_step) {
        a.at += (int)(2 * (first % ADDRESS_GROUP));
        a.stride = 2;
        a.lanes = n;
        displacement += (int)(first / ADDRESS_GROUP) * o->group_step;
        split_displacement(s, &a, displacement, o->region.offset + o->extent, out);
    } else if (o->per_lane) {
        /* pieces that start elsewhere, after smaller ones, are not halves of sixteen */
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
        split_displacement(s, &a, displacement, o->region.offset + o->extent, out);
    }
    out->variable = known_or_loaded(s, &a);
}
