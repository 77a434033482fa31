/* Lowers builtins that access texels of images: typed accesses and the sampler. */
#include "lower/cm/builtins.h"
#include "lower/ir/region.h"

int cm_atomic_source_count(const struct cm_call *c, unsigned op)
{
    static const int sources[] = {
#define VISA_ATOMIC(ID, TEXT, SOURCES, TYPE, LSC) SOURCES,
#include "tables/visa_atomics.def"
#undef VISA_ATOMIC
    };
    if (op < sizeof sources / sizeof *sources)
        return sources[op];
    lower_error(c->instruction, "there is no atomic operation of number %u", op);
    return -1;
}

/* ---- typed accesses ---- */

enum { FEW_LANES = 8, MOST_LANES = 16, X = 3 };

static unsigned lanes_of_call(const struct cm_call *c)
{
    return type_lanes(LLVMTypeOf(operand(c, X)));
}

/* Returns the lanes of a message: eight of the old data port, sixteen of the load/store cache, whose rows fill
 * registers. Lanes that the call lacks are off. */
static unsigned message_lanes(const struct cm_call *c)
{
    unsigned lanes = lanes_of_call(c);
    if (platform_has(c->platform, FEATURE_LSC_TYPED))
        return MOST_LANES;
    return lanes < FEW_LANES ? lanes : FEW_LANES;
}

/* Returns the region of consecutive lanes of a wide value. */
static struct region lanes_at(LLVMTypeRef type, unsigned first, unsigned count)
{
    int bytes = (int)type_element_bytes(type);
    return (struct region){(int)first * bytes, count, 0, bytes};
}

/* Returns `count` lanes from `first` on. Masks are not bytes of a register: they are shuffled. */
static LLVMValueRef slice(const struct cm_call *c, LLVMValueRef value, unsigned first, unsigned count)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    LLVMValueRef numbers[MOST_LANES];
    if (type_lanes(type) == count)
        return value;
    if (LLVMIsConstant(value) || type_is_mask(type)) {
        for (unsigned k = 0; k < count; k++)
            numbers[k] = constant_i32(c->module, first + k);
        return LLVMBuildShuffleVector(c->builder, value, LLVMGetUndef(type), LLVMConstVector(numbers, count), "");
    }
    struct region r = lanes_at(type, first, count);
    return region_build_read(c->builder, c->module, type_with_lanes(type_element(type), count), value, &r,
                             constant_i16(c->module, r.offset));
}

/* Returns all lanes of a value and others up to `count`: off in masks, undefined in others. */
static LLVMValueRef padded(const struct cm_call *c, LLVMValueRef value, unsigned count)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    LLVMValueRef numbers[MOST_LANES];
    unsigned has = type_lanes(type);
    struct region r = lanes_at(type, 0, has);
    if (!LLVMIsConstant(value) && !type_is_mask(type))
        return region_build_write(c->builder, c->module, LLVMGetUndef(type_with_lanes(type_element(type), count)),
                                  value, &r, constant_i16(c->module, 0), NULL);
    for (unsigned k = 0; k < count; k++)
        numbers[k] = constant_i32(c->module, k < has ? k : has);
    return LLVMBuildShuffleVector(c->builder, value, LLVMConstNull(type), LLVMConstVector(numbers, count), "");
}

/* Returns lanes `first` .. first + m - 1 for a message of `m` lanes. */
static LLVMValueRef message_part(const struct cm_call *c, LLVMValueRef value, unsigned first, unsigned m)
{
    return type_lanes(LLVMTypeOf(value)) < m ? padded(c, value, m) : slice(c, value, first, m);
}

static LLVMValueRef put(const struct cm_call *c, LLVMValueRef into, LLVMValueRef value, unsigned first)
{
    struct region r = lanes_at(LLVMTypeOf(into), first, type_lanes(LLVMTypeOf(value)));
    if (type_lanes(LLVMTypeOf(into)) == type_lanes(LLVMTypeOf(value)))
        return value;
    return region_build_write(c->builder, c->module, into, value, &r, constant_i16(c->module, r.offset), NULL);
}

/* channels, mask, image, x, y, z of one message. */
static void typed_operands(const struct cm_call *c, unsigned first, LLVMValueRef operands[6])
{
    unsigned m = message_lanes(c);
    operands[0] = constant_i32(c->module, constant_operand(c, 0) & 15);
    operands[1] = mask_bits(c, message_part(c, operand(c, 1), first, m));
    operands[2] = operand(c, 2);
    for (unsigned k = 0; k < 3; k++)
        operands[X + k] = message_part(c, operand(c, X + k), first, m);
}

/* Builds the message of the operands above and a value, which prefetches lack. Those of the load/store cache have hints
 * for its levels, after the channels in the constant, and a level of detail after the coordinates. */
static LLVMValueRef build_typed(const struct cm_call *c, enum genx_id older, enum genx_id lsc, LLVMTypeRef result,
                                LLVMValueRef operands[7])
{
    LLVMTypeRef byte = int_type(c, 8);
    unsigned how = constant_operand(c, 0);
    if (!platform_has(c->platform, FEATURE_LSC_TYPED))
        return build(c, older, result, operands, 7);
    LLVMValueRef all[] = {operands[1],
                          LLVMConstInt(byte, how >> 4 & 15, false),
                          LLVMConstInt(byte, how >> 8 & 15, false),
                          LLVMConstInt(byte, how & 15, false),
                          operands[2],
                          operands[3],
                          operands[4],
                          operands[5],
                          LLVMConstNull(LLVMTypeOf(operands[5])),
                          operands[6]};
    return build(c, lsc, result, all, sizeof all / sizeof *all - (operands[6] == NULL));
}

LLVMValueRef cm_lower_typed_read(const struct cm_call *c)
{
    unsigned m = message_lanes(c), lanes = lanes_of_call(c), channels = type_lanes(c->result) / lanes;
    LLVMTypeRef part = type_with_lanes(type_element(c->result), channels * m);
    LLVMValueRef value = LLVMGetUndef(c->result), operands[7];
    for (unsigned first = 0; first < lanes; first += m) {
        typed_operands(c, first, operands);
        operands[6] = LLVMGetUndef(part);
        LLVMValueRef read = build_typed(c, GENX_GATHER4_TYPED, GENX_LSC_LOAD_MERGE_QUAD_TYPED_BTI, part, operands);
        if (lanes == m)
            return read;
        for (unsigned k = 0; k < channels; k++)
            value = put(c, value, slice(c, read, k * m, lanes < m ? lanes : m), k * lanes + first);
    }
    return value;
}

LLVMValueRef cm_lower_typed_write(const struct cm_call *c)
{
    enum { VALUE = 6 };
    LLVMTypeRef type = LLVMTypeOf(operand(c, VALUE));
    unsigned m = message_lanes(c), lanes = lanes_of_call(c), channels = type_lanes(type) / lanes;
    LLVMTypeRef part = type_with_lanes(type_element(type), channels * m);
    LLVMValueRef operands[7], last = NULL;
    for (unsigned first = 0; first < lanes; first += m) {
        typed_operands(c, first, operands);
        operands[VALUE] = LLVMGetUndef(part);
        for (unsigned k = 0; k < channels; k++)
            operands[VALUE] =
                put(c, operands[VALUE], slice(c, operand(c, VALUE), k * lanes + first, lanes < m ? lanes : m), k * m);
        last = build_typed(c, GENX_SCATTER4_TYPED, GENX_LSC_STORE_QUAD_TYPED_BTI, c->result, operands);
    }
    return last;
}

LLVMValueRef cm_lower_typed_prefetch(const struct cm_call *c)
{
    unsigned m = message_lanes(c), lanes = lanes_of_call(c);
    LLVMValueRef operands[7], last = NULL;
    for (unsigned first = 0; first < lanes; first += m) {
        typed_operands(c, first, operands);
        operands[6] = NULL;
        last = build_typed(c, GENX_NONE, GENX_LSC_PREFETCH_QUAD_TYPED_BTI, c->result, operands);
    }
    return last;
}

LLVMValueRef cm_lower_typed_atomic(const struct cm_call *c)
{
    enum { OPERATION = 0, COORDINATES = 4, DATA = X + COORDINATES };
    unsigned m = message_lanes(c), lanes = lanes_of_call(c), op = constant_operand(c, OPERATION);
    int sources = cm_atomic_source_count(c, op);
    LLVMTypeRef part = type_with_lanes(type_element(c->result), m);
    LLVMValueRef value = LLVMGetUndef(c->result), operands[8];
    if (sources < 0)
        return NULL;
    if (GENX_TYPED_ATOMIC_ADD + op > GENX_TYPED_ATOMIC_IMAX) {
        lower_error(c->instruction, "write_typed_atomic has no operations on floats");
        return NULL;
    }
    for (unsigned first = 0; first < lanes; first += m) {
        unsigned count = 0;
        operands[count++] = mask_bits(c, slice(c, operand(c, 1), first, m));
        operands[count++] = operand(c, 2);
        for (unsigned k = 0; k < (unsigned)sources; k++)
            operands[count++] = slice(c, operand(c, DATA + k), first, m);
        for (unsigned k = 0; k < COORDINATES; k++)
            operands[count++] = slice(c, operand(c, X + k), first, m);
        value = put(c, value, build(c, GENX_TYPED_ATOMIC_ADD + op, part, operands, count), first);
    }
    return value;
}

/* ---- the sampler ---- */

/* Returns the lanes of a message to the sampler: parameters fill registers on Xe2. */
static unsigned sampler_lanes(const struct cm_call *c, unsigned lanes)
{
    unsigned least = c->platform->grf_bytes / 4;
    return lanes < least ? least : lanes;
}

static LLVMValueRef parameter(const struct cm_call *c, LLVMValueRef parameters, unsigned number, unsigned lanes)
{
    LLVMTypeRef part = type_with_lanes(type_element(LLVMTypeOf(parameters)), lanes);
    struct region r = lanes_at(part, number * lanes, lanes);
    if (type_lanes(LLVMTypeOf(parameters)) == lanes)
        return parameters;
    return region_build_read(c->builder, c->module, part, parameters, &r, constant_i16(c->module, r.offset));
}

/* Lowers a sampler builtin: operation, mask, channels, offsets, [sampler,] image, and `most` parameters of which the
 * last are 0: Intel's compiler (IGC) counts them up to the last that is not. */
static LLVMValueRef cm_lower_sampler(const struct cm_call *c, enum genx_id id, unsigned handles, unsigned most)
{
    enum { OPERATION, CHANNELS, OFFSETS, HANDLES, MOST_OPERANDS = 24 };
    LLVMValueRef parameters = operand(c, HANDLES + handles), operands[MOST_OPERANDS], on[MOST_LANES];
    unsigned channels = (unsigned)__builtin_popcount(constant_operand(c, CHANNELS) & 15), count = 0;
    unsigned lanes = channels ? type_lanes(c->result) / channels : 0, m = sampler_lanes(c, lanes);
    if (lanes != 8 && lanes != 16) {
        lower_error(c->instruction, "the sampler has 8 or 16 lanes, not %u", lanes);
        return NULL;
    }
    unsigned given = type_lanes(LLVMTypeOf(parameters)) / lanes;
    for (unsigned k = 0; k < m; k++)
        on[k] = LLVMConstInt(int_type(c, 1), k < lanes, false);
    operands[count++] = constant_i32(c->module, constant_operand(c, OPERATION));
    operands[count++] = LLVMConstVector(on, m);
    operands[count++] = constant_i32(c->module, constant_operand(c, CHANNELS));
    operands[count++] = constant_i16(c->module, constant_operand(c, OFFSETS));
    for (unsigned k = 0; k < handles; k++)
        operands[count++] = operand(c, HANDLES + k);
    LLVMTypeRef element = type_element(LLVMTypeOf(parameters));
    for (unsigned k = 0; k < most; k++)
        operands[count++] = k >= given ? LLVMConstNull(type_with_lanes(element, m))
                                       : message_part(c, parameter(c, parameters, k, lanes), 0, m);
    if (lanes == m)
        return build(c, id, c->result, operands, count);
    LLVMValueRef value = LLVMGetUndef(c->result);
    LLVMValueRef wide = build(c, id, type_with_lanes(type_element(c->result), channels * m), operands, count);
    for (unsigned k = 0; k < channels; k++)
        value = put(c, value, slice(c, wide, k * m, lanes), k * lanes);
    return value;
}

LLVMValueRef cm_lower_sample(const struct cm_call *c)
{
    return cm_lower_sampler(c, GENX_SAMPLE_3D, 2, 15);
}
LLVMValueRef cm_lower_load_texel(const struct cm_call *c)
{
    return cm_lower_sampler(c, GENX_LOAD_3D, 1, 15);
}

/* ---- blocks of images ---- */

/* Where the old data port's messages are gone, Intel's compiler (IGC) makes blocks of the load/store cache of these:
 * there are none of a field or a plane. */
static LLVMValueRef cm_lower_media(const struct cm_call *c, LLVMValueRef value)
{
    enum { MODIFIER = 0, PLANE = 2, OPERANDS = 6 };
    LLVMValueRef operands[OPERANDS + 1];
    if (!platform_has(c->platform, FEATURE_OLD_DATA_PORTS) &&
        (constant_operand(c, MODIFIER) || constant_operand(c, PLANE))) {
        lower_error(c->instruction, "%s has no blocks of one %s of an image", c->platform->name,
                    constant_operand(c, PLANE) ? "plane" : "field");
        return NULL;
    }
    for (unsigned k = 0; k < OPERANDS; k++)
        operands[k] = operand(c, k);
    operands[OPERANDS] = value;
    return build(c, c->intrinsic, c->result, operands, OPERANDS + (value != NULL));
}

LLVMValueRef cm_lower_media_read(const struct cm_call *c)
{
    return cm_lower_media(c, NULL);
}
LLVMValueRef cm_lower_media_write(const struct cm_call *c)
{
    return cm_lower_media(c, operand(c, 6));
}
