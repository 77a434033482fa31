/* Turns messages of the old data ports, and loads and stores through pointers, into messages of the load/store cache
 * (LSC), on platforms where cmc sends no others. */
#include <llvm-c/DebugInfo.h>
#include "lower/ir/ir.h"
#include "lower/ir/operation_info.h"
#include "lower/ir/region.h"
#include "lower/passes.h"
#include "tables/lsc.h"
#include "visa_emit/visa.h"

struct translation {
    LLVMModuleRef module;
    LLVMBuilderRef builder;
    unsigned grf_bytes;
};

/* A load or store. */
struct access {
    LLVMValueRef mask, address; /* a lane each; of a block, one */
    LLVMValueRef surface;       /* NULL: addresses are flat */
    LLVMValueRef data;          /* that is stored, or NULL */
    LLVMValueRef old;           /* that lanes which are off keep, or NULL */
    LLVMTypeRef result;         /* void of a store */
    enum visa_lsc_size size;
    unsigned elements; /* at each address, a row of the data each */
    bool block;
};

static LLVMTypeRef int_type(const struct translation *t, unsigned bits)
{
    return LLVMIntTypeInContext(LLVMGetModuleContext(t->module), bits);
}

static LLVMValueRef number8(const struct translation *t, unsigned number)
{
    return LLVMConstInt(int_type(t, 8), number, false);
}

static LLVMTypeRef dwords(const struct translation *t, unsigned lanes)
{
    return LLVMVectorType(int_type(t, 32), lanes);
}

/* Returns which of the three forms of an operation accesses the surface: rows of genx_intrinsics.def follow this order.
 */
static enum visa_lsc_memory memory_of(LLVMValueRef surface)
{
    int64_t handle;
    if (!surface)
        return VISA_LSC_FLAT;
    return constant_int(surface, &handle) && handle == SHARED_LOCAL_MEMORY ? VISA_LSC_SHARED : VISA_LSC_SURFACE;
}

static LLVMValueRef surface_operand(const struct translation *t, LLVMValueRef surface)
{
    return memory_of(surface) == VISA_LSC_SURFACE ? surface : constant_i32(t->module, 0);
}

/* lsc.load.*, lsc.load.merge.* and lsc.store.*: see codegen/select/select_lsc.c. */
static LLVMValueRef build_access(const struct translation *t, const struct access *a)
{
    enum { LOAD = 0, STORE = 4, PLAIN = 1, TRANSPOSED = 2 };
    bool merges = a->old && !constant_mask_is_full(a->mask);
    enum genx_id first = a->data  ? GENX_LSC_STORE_STATELESS
                         : merges ? GENX_LSC_LOAD_MERGE_STATELESS
                                  : GENX_LSC_LOAD_STATELESS;
    unsigned count = 11;
    LLVMValueRef operands[14] = {a->mask,
                                 number8(t, a->data ? STORE : LOAD),
                                 number8(t, 0),
                                 number8(t, 0),
                                 constant_i16(t->module, 1),
                                 constant_i32(t->module, 0),
                                 number8(t, a->size),
                                 number8(t, lsc_elements_code(a->elements)),
                                 number8(t, a->block ? TRANSPOSED : PLAIN),
                                 number8(t, 0),
                                 a->address};
    if (a->data)
        operands[count++] = a->data;
    operands[count++] = surface_operand(t, a->surface);
    if (merges)
        operands[count++] = a->old;
    return genx_build(t->builder, t->module, first + memory_of(a->surface), a->result, operands, count);
}

/* Adds a scalar to every address. */
static LLVMValueRef sum(const struct translation *t, LLVMValueRef addresses, LLVMValueRef more)
{
    int64_t number;
    if (constant_int(more, &number) && number == 0)
        return addresses;
    LLVMValueRef splat = LLVMGetTypeKind(LLVMTypeOf(addresses)) == LLVMVectorTypeKind
                             ? ir_build_splat(t->builder, more, type_lanes(LLVMTypeOf(addresses)))
                             : more;
    return LLVMBuildAdd(t->builder, addresses, splat, "");
}

/* Returns lanes first .. first + lanes - 1. Lanes beyond the vector are off in masks and undefined in others. */
static LLVMValueRef some_lanes(const struct translation *t, LLVMValueRef value, unsigned first, unsigned lanes)
{
    enum { MOST = 32 };
    LLVMTypeRef type = LLVMTypeOf(value);
    LLVMValueRef numbers[MOST];
    unsigned has = type_lanes(type);
    if (first == 0 && has == lanes)
        return value;
    for (unsigned k = 0; k < lanes; k++)
        numbers[k] = first + k < has      ? constant_i32(t->module, first + k)
                     : type_is_mask(type) ? constant_i32(t->module, has)
                                          : LLVMGetUndef(int_type(t, 32));
    return LLVMBuildShuffleVector(t->builder, value, LLVMConstNull(type), LLVMConstVector(numbers, lanes), "");
}

static LLVMValueRef one_lane(const struct translation *t)
{
    LLVMValueRef on = LLVMConstInt(int_type(t, 1), 1, false);
    return LLVMConstVector(&on, 1);
}

static LLVMTypeRef nothing(const struct translation *t)
{
    return LLVMVoidTypeInContext(LLVMGetModuleContext(t->module));
}

/* ---- blocks ---- */

/* `data`: that is stored, or NULL. Elements of other sizes travel as dwords. */
static LLVMValueRef build_block(const struct translation *t, LLVMValueRef call, LLVMValueRef surface,
                                LLVMValueRef address, LLVMValueRef data)
{
    LLVMTypeRef type = data ? LLVMTypeOf(data) : LLVMTypeOf(call);
    unsigned elements = type_lanes(type) * type_element_bytes(type) / 4;
    LLVMTypeRef carried = type_element_bytes(type) == 4 ? type : dwords(t, elements);
    struct access a = {.mask = one_lane(t),
                       .address = address,
                       .surface = surface,
                       .data = data ? LLVMBuildBitCast(t->builder, data, carried, "") : NULL,
                       .result = data ? nothing(t) : carried,
                       .size = VISA_LSC_U32,
                       .elements = elements,
                       .block = true};
    if (!lsc_elements_code(elements)) {
        lower_error(call, "a block of %u bytes: must be 16, 32, 64 or 128", 4 * elements);
        return NULL;
    }
    LLVMValueRef made = build_access(t, &a);
    return data ? made : LLVMBuildBitCast(t->builder, made, type, "");
}

enum { OWORD_BITS = 4 }; /* log2 of its bytes */

/* True for bytes that were divided to owords. */
static bool is_in_owords(LLVMValueRef value)
{
    int64_t distance;
    return LLVMIsABinaryOperator(value) && LLVMGetInstructionOpcode(value) == LLVMLShr &&
           constant_int(LLVMGetOperand(value, 1), &distance) && distance == OWORD_BITS;
}

/* Returns an offset in bytes: those that were divided, perhaps with a number of owords added. */
static LLVMValueRef from_owords(const struct translation *t, LLVMValueRef owords)
{
    enum { MASK = -(1 << OWORD_BITS) };
    LLVMOpcode op = LLVMIsABinaryOperator(owords) ? LLVMGetInstructionOpcode(owords) : LLVMRet;
    int64_t more;
    if (is_in_owords(owords)) {
        LLVMValueRef bytes = LLVMGetOperand(owords, 0);
        return LLVMGetExact(owords) ? bytes : LLVMBuildAnd(t->builder, bytes, constant_i32(t->module, MASK), "");
    }
    if ((op == LLVMAdd || op == LLVMOr) && is_in_owords(LLVMGetOperand(owords, 0)) &&
        constant_int(LLVMGetOperand(owords, 1), &more))
        return LLVMBuildBinOp(t->builder, op, from_owords(t, LLVMGetOperand(owords, 0)),
                              constant_i32(t->module, more << OWORD_BITS), "");
    return LLVMBuildShl(t->builder, owords, constant_i32(t->module, OWORD_BITS), "");
}

/* ---- lanes ---- */

/* gather.scaled, scatter.scaled: mask, log2 of the bytes, scale, surface, global offset, offsets, old or data. Bytes
 * and words take a dword a lane. */
static LLVMValueRef build_scaled(const struct translation *t, LLVMValueRef call, bool store)
{
    enum { MASK, LOG, SURFACE = 3, GLOBAL, OFFSETS, DATA };
    static const enum visa_lsc_size sizes[] = {VISA_LSC_U8_IN_U32, VISA_LSC_U16_IN_U32, VISA_LSC_U32};
    LLVMValueRef value = LLVMGetOperand(call, DATA);
    struct access a = {.mask = LLVMGetOperand(call, MASK),
                       .address = sum(t, LLVMGetOperand(call, OFFSETS), LLVMGetOperand(call, GLOBAL)),
                       .surface = LLVMGetOperand(call, SURFACE),
                       .data = store ? value : NULL,
                       .old = store ? NULL : ir_partly_overwritten(call),
                       .result = LLVMTypeOf(call),
                       .size = sizes[constant_of(call, LOG)],
                       .elements = 1};
    return build_access(t, &a);
}

/* svm.gather, svm.scatter: mask, log2 of the bytes, addresses, old or data. Elements of a byte stand for the four bytes
 * of a dword. */
static LLVMValueRef build_svm_scattered(const struct translation *t, LLVMValueRef call, bool store)
{
    enum { MASK, LOG, ADDRESSES, DATA };
    static const enum visa_lsc_size sizes[] = {VISA_LSC_U8_IN_U32, VISA_LSC_U16_IN_U32, VISA_LSC_U32};
    LLVMValueRef value = LLVMGetOperand(call, DATA), old = store ? NULL : ir_partly_overwritten(call);
    LLVMTypeRef type = LLVMTypeOf(value);
    unsigned bytes = type_element_bytes(type), lanes = type_lanes(LLVMTypeOf(LLVMGetOperand(call, MASK)));
    LLVMTypeRef carried = bytes == 1 ? dwords(t, lanes) : type;
    struct access a = {.mask = LLVMGetOperand(call, MASK),
                       .address = LLVMGetOperand(call, ADDRESSES),
                       .data = store ? LLVMBuildBitCast(t->builder, value, carried, "") : NULL,
                       .old = old ? LLVMBuildBitCast(t->builder, old, carried, "") : NULL,
                       .result = store ? nothing(t) : carried,
                       .size = bytes == 1   ? sizes[constant_of(call, LOG)]
                               : bytes == 8 ? VISA_LSC_U64
                                            : VISA_LSC_U32,
                       .elements = 1};
    LLVMValueRef made = build_access(t, &a);
    return store ? made : LLVMBuildBitCast(t->builder, made, type, "");
}

/* ---- several channels ---- */

/* An access of several channels: dwords that follow one another at each address, of which `channels` are moved. */
struct quad {
    LLVMValueRef mask, addresses, surface;
    LLVMValueRef data; /* that is stored, or NULL */
    LLVMTypeRef result;
    unsigned channels, lanes;
};

/* `count` rows of `lanes` lanes in rows of `pitch` lanes. */
static struct region rows_of(unsigned lanes, unsigned pitch, unsigned first_row, unsigned count)
{
    enum { DWORD = 4 };
    if (lanes == pitch)
        return (struct region){(int)(first_row * pitch * DWORD), count * lanes, 0, DWORD};
    return (struct region){(int)(first_row * pitch * DWORD), lanes, (int)(pitch * DWORD), DWORD};
}

/* Moves `count` channels from `first` on, which are the rows from `row` on. Each row fills whole registers: with fewer
 * lanes the others are off. Returns `loaded` with the rows of a load. */
static LLVMValueRef build_quad_part(const struct translation *t, const struct quad *q, unsigned first, unsigned count,
                                    unsigned row, LLVMValueRef loaded)
{
    unsigned least = t->grf_bytes / 4, lanes = q->lanes < least ? least : q->lanes;
    LLVMTypeRef element = type_element(q->data ? LLVMTypeOf(q->data) : q->result);
    LLVMTypeRef padded = type_with_lanes(element, count * lanes), packed = type_with_lanes(element, count * q->lanes);
    struct region wide = rows_of(q->lanes, lanes, 0, count), narrow = rows_of(q->lanes, q->lanes, row, count);
    LLVMValueRef moved = LLVMConstInt(type_element(LLVMTypeOf(q->addresses)), 4ull * first, false);
    struct access a = {.mask = some_lanes(t, q->mask, 0, lanes),
                       .address = some_lanes(t, sum(t, q->addresses, moved), 0, lanes),
                       .surface = q->surface,
                       .result = q->data ? q->result : padded,
                       .size = VISA_LSC_U32,
                       .elements = count};
    if (lanes == q->lanes && row == 0 && type_lanes(packed) == type_lanes(q->data ? LLVMTypeOf(q->data) : q->result)) {
        a.data = q->data;
        return build_access(t, &a);
    }
    if (q->data) {
        a.data = region_build_read(t->builder, t->module, packed, q->data, &narrow, NULL);
        if (lanes != q->lanes)
            a.data = region_build_write(t->builder, t->module, LLVMGetUndef(padded), a.data, &wide, NULL, NULL);
        return build_access(t, &a);
    }
    LLVMValueRef part = build_access(t, &a);
    if (lanes != q->lanes)
        part = region_build_read(t->builder, t->module, packed, part, &wide, NULL);
    return region_build_write(t->builder, t->module, loaded, part, &narrow, NULL, NULL);
}

static LLVMValueRef build_quad(const struct translation *t, const struct quad *q)
{
    enum { CHANNELS = 4 };
    LLVMValueRef value = q->data ? NULL : LLVMGetUndef(q->result);
    for (unsigned first = 0, row = 0; first < CHANNELS;) {
        unsigned count = 0;
        while (q->channels >> (first + count) & 1)
            count++;
        if (count)
            value = build_quad_part(t, q, first, count, row, value);
        row += count;
        first += count + 1;
    }
    return value;
}

/* gather4.scaled, scatter4.scaled: mask, channels, scale, surface, global offset, offsets, old or data. */
static LLVMValueRef build_surface_quad(const struct translation *t, LLVMValueRef call, bool store)
{
    enum { MASK, CHANNELS, SURFACE = 3, GLOBAL, OFFSETS, DATA };
    struct quad q = {.mask = LLVMGetOperand(call, MASK),
                     .addresses = sum(t, LLVMGetOperand(call, OFFSETS), LLVMGetOperand(call, GLOBAL)),
                     .surface = LLVMGetOperand(call, SURFACE),
                     .data = store ? LLVMGetOperand(call, DATA) : NULL,
                     .result = LLVMTypeOf(call),
                     .channels = (unsigned)constant_of(call, CHANNELS) & 15};
    q.lanes = type_lanes(LLVMTypeOf(q.addresses));
    return build_quad(t, &q);
}

/* svm.gather4.scaled, svm.scatter4.scaled: mask, channels, scale, base, addresses, old or data. */
static LLVMValueRef build_svm_quad(const struct translation *t, LLVMValueRef call, bool store)
{
    enum { MASK, CHANNELS, BASE = 3, ADDRESSES, DATA };
    struct quad q = {.mask = LLVMGetOperand(call, MASK),
                     .addresses = sum(t, LLVMGetOperand(call, ADDRESSES), LLVMGetOperand(call, BASE)),
                     .data = store ? LLVMGetOperand(call, DATA) : NULL,
                     .result = LLVMTypeOf(call),
                     .channels = (unsigned)constant_of(call, CHANNELS) & 15};
    q.lanes = type_lanes(LLVMTypeOf(q.addresses));
    return build_quad(t, &q);
}

/* ---- atomic operations ---- */

/* The load/store cache's operation for each row of visa_atomics.def. */
static const unsigned char atomic_operations[] = {
#define VISA_ATOMIC(ID, TEXT, SOURCES, TYPE, LSC) LSC,
#include "tables/visa_atomics.def"
#undef VISA_ATOMIC
};

/* lsc.xatomic.*: lanes `first` .. first + lanes - 1 of a dword.atomic or svm.atomic with the operands mask[, surface],
 * addresses, the operation's own, old. The operands of a comparison change places: what is compared with is first. */
static LLVMValueRef build_atomic_lanes(const struct translation *t, LLVMValueRef call, bool flat, unsigned first,
                                       unsigned lanes)
{
    enum { PLAIN = 1, MASK = 0 };
    unsigned number = genx_call_id(call) - (flat ? GENX_SVM_ATOMIC_ADD : GENX_DWORD_ATOMIC_ADD);
    unsigned address = flat ? 1 : 2, sources = lsc_atomic_sources(atomic_operations[number]);
    LLVMValueRef surface = flat ? NULL : LLVMGetOperand(call, 1);
    LLVMTypeRef type = type_with_lanes(type_element(LLVMTypeOf(call)), lanes);
    LLVMValueRef data[2] = {LLVMGetUndef(type), LLVMGetUndef(type)};
    for (unsigned k = 0; k < sources; k++)
        data[sources - 1 - k] = some_lanes(t, LLVMGetOperand(call, address + 1 + k), first, lanes);
    LLVMValueRef operands[] = {
        some_lanes(t, LLVMGetOperand(call, MASK), first, lanes),
        number8(t, atomic_operations[number]),
        number8(t, 0),
        number8(t, 0),
        constant_i16(t->module, 1),
        constant_i32(t->module, 0),
        number8(t, type_element_bytes(type) == 8 ? VISA_LSC_U64 : VISA_LSC_U32),
        number8(t, lsc_elements_code(1)),
        number8(t, PLAIN),
        number8(t, 0),
        some_lanes(t, LLVMGetOperand(call, address), first, lanes),
        data[0],
        data[1],
        surface_operand(t, surface),
        LLVMGetUndef(type),
    };
    return genx_build(t->builder, t->module, GENX_LSC_XATOMIC_STATELESS + memory_of(surface), type, operands,
                      sizeof operands / sizeof *operands);
}

/* A message has at most 16 lanes. */
static LLVMValueRef build_atomic(const struct translation *t, LLVMValueRef call, bool flat, unsigned first,
                                 unsigned lanes)
{
    enum { MOST = 16, ALL = 2 * MOST };
    LLVMValueRef half[2], numbers[ALL];
    if (lanes <= MOST)
        return build_atomic_lanes(t, call, flat, first, lanes);
    for (unsigned k = 0; k < 2; k++)
        half[k] = build_atomic(t, call, flat, first + k * (lanes / 2), lanes / 2);
    for (unsigned k = 0; k < lanes; k++)
        numbers[k] = constant_i32(t->module, k);
    return LLVMBuildShuffleVector(t->builder, half[0], half[1], LLVMConstVector(numbers, lanes), "");
}

/* ---- pointers ---- */

/* One number, alone or as a vector of one lane; anything else is an error that code generation reports. */
static bool is_pointer_access(LLVMValueRef i)
{
    if (!LLVMIsALoadInst(i) && !LLVMIsAStoreInst(i))
        return false;
    bool store = LLVMIsAStoreInst(i) != NULL;
    LLVMValueRef pointer = LLVMGetOperand(i, store ? 1 : 0);
    LLVMTypeRef type = store ? LLVMTypeOf(LLVMGetOperand(i, 0)) : LLVMTypeOf(i);
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    unsigned bits = type_element_bits(type);
    return type_is_global_address(LLVMTypeOf(pointer)) && !LLVMIsAAllocaInst(pointer) &&
           !LLVMIsAGlobalVariable(pointer) && kind != LLVMStructTypeKind && kind != LLVMArrayTypeKind &&
           type_lanes(type) == 1 && (bits == 8 || bits == 16 || bits == 32 || bits == 64);
}

/* Converts a number to the lane that is sent, and back. */
static LLVMValueRef carried(const struct translation *t, LLVMValueRef value)
{
    LLVMTypeRef type = type_element(LLVMTypeOf(value));
    unsigned bits = type_element_bits(type);
    value = LLVMBuildBitCast(t->builder, value, type, "");
    if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
        value = LLVMBuildPtrToInt(t->builder, value, int_type(t, bits), "");
    if (bits < 32)
        value =
            LLVMBuildZExt(t->builder, LLVMBuildBitCast(t->builder, value, int_type(t, bits), ""), int_type(t, 32), "");
    return LLVMBuildBitCast(t->builder, value, LLVMVectorType(LLVMTypeOf(value), 1), "");
}

static LLVMValueRef delivered(const struct translation *t, LLVMValueRef lane, LLVMTypeRef type)
{
    unsigned bits = type_element_bits(type);
    bool is_pointer = LLVMGetTypeKind(type_element(type)) == LLVMPointerTypeKind;
    LLVMValueRef value = LLVMBuildBitCast(t->builder, lane, type_element(LLVMTypeOf(lane)), "");
    if (bits < 32)
        value = LLVMBuildTrunc(t->builder, value, int_type(t, bits), "");
    if (is_pointer)
        value = LLVMBuildIntToPtr(t->builder, value, type_element(type), "");
    return LLVMBuildBitCast(t->builder, value, type, "");
}

/* One lane. */
static LLVMValueRef build_pointer_access(const struct translation *t, LLVMValueRef i)
{
    bool store = LLVMIsAStoreInst(i) != NULL;
    LLVMTypeRef type = store ? LLVMTypeOf(LLVMGetOperand(i, 0)) : LLVMTypeOf(i);
    unsigned bits = type_element_bits(type);
    LLVMValueRef address = LLVMBuildPtrToInt(t->builder, LLVMGetOperand(i, store ? 1 : 0), int_type(t, 64), "");
    struct access a = {.mask = one_lane(t),
                       .address = LLVMBuildBitCast(t->builder, address, LLVMVectorType(int_type(t, 64), 1), ""),
                       .data = store ? carried(t, LLVMGetOperand(i, 0)) : NULL,
                       .result = store ? nothing(t) : LLVMVectorType(int_type(t, bits < 32 ? 32 : bits), 1),
                       .size = bits == 8    ? VISA_LSC_U8_IN_U32
                               : bits == 16 ? VISA_LSC_U16_IN_U32
                               : bits == 32 ? VISA_LSC_U32
                                            : VISA_LSC_U64,
                       .elements = 1};
    LLVMValueRef made = build_access(t, &a);
    return store ? made : delivered(t, made, type);
}

/* ---- the pass ---- */

static bool is_old_atomic(LLVMValueRef i)
{
    return genx_is(genx_call_id(i), KIND_BUFFER_ATOMIC) || genx_is(genx_call_id(i), KIND_FLAT_ATOMIC);
}

static bool is_translated(LLVMValueRef i)
{
    switch (genx_call_id(i)) {
    case GENX_OWORD_LD:
    case GENX_OWORD_LD_UNALIGNED:
    case GENX_OWORD_ST:
    case GENX_GATHER_SCALED:
    case GENX_SCATTER_SCALED:
    case GENX_GATHER4_SCALED:
    case GENX_SCATTER4_SCALED:
    case GENX_SVM_BLOCK_LD:
    case GENX_SVM_BLOCK_LD_UNALIGNED:
    case GENX_SVM_BLOCK_ST:
    case GENX_SVM_GATHER:
    case GENX_SVM_SCATTER:
    case GENX_SVM_GATHER4_SCALED:
    case GENX_SVM_SCATTER4_SCALED: return true;
    default: return is_old_atomic(i) || is_pointer_access(i);
    }
}

/* Messages of the load/store cache to images, and blocks, which become such messages when they are selected. */
static bool is_cached_image_access(LLVMValueRef i)
{
    switch (genx_call_id(i)) {
    case GENX_MEDIA_LD:
    case GENX_MEDIA_ST:
    case GENX_LSC_LOAD_MERGE_QUAD_TYPED_BTI:
    case GENX_LSC_PREFETCH_QUAD_TYPED_BTI:
    case GENX_LSC_STORE_QUAD_TYPED_BTI: return true;
    default: return false;
    }
}

static bool is_old_image_access(LLVMValueRef i)
{
    enum genx_id id = genx_call_id(i);
    return id == GENX_GATHER4_TYPED || id == GENX_SCATTER4_TYPED || genx_is(id, KIND_TYPED_ATOMIC);
}

/* False after an error: an image where the platform has none, or a message of an old data port. */
static bool check(const struct lower_options *options, LLVMValueRef i)
{
    struct ir_called called;
    bool cached = platform_has(options->platform, FEATURE_LSC_TYPED);
    if (!is_old_image_access(i) && (cached || !is_cached_image_access(i)))
        return true;
    return lower_error(i, "%s is not available on %s, which has no %s; cm_load and cm_store are for buffers",
                       lower_called(i, "an access to an image", &called), options->platform->name,
                       cached ? "such messages" : "images");
}

/* Returns the message instead of `i`; NULL after an error. */
static LLVMValueRef translated(const struct translation *t, LLVMValueRef i)
{
    switch (genx_call_id(i)) {
    case GENX_OWORD_LD: /* modifier, surface, owords */
        return build_block(t, i, LLVMGetOperand(i, 1), from_owords(t, LLVMGetOperand(i, 2)), NULL);
    case GENX_OWORD_LD_UNALIGNED: return build_block(t, i, LLVMGetOperand(i, 1), LLVMGetOperand(i, 2), NULL);
    case GENX_OWORD_ST: /* surface, owords, data */
        return build_block(t, i, LLVMGetOperand(i, 0), from_owords(t, LLVMGetOperand(i, 1)), LLVMGetOperand(i, 2));
    case GENX_SVM_BLOCK_LD:
    case GENX_SVM_BLOCK_LD_UNALIGNED: return build_block(t, i, NULL, LLVMGetOperand(i, 0), NULL);
    case GENX_SVM_BLOCK_ST: return build_block(t, i, NULL, LLVMGetOperand(i, 0), LLVMGetOperand(i, 1));
    case GENX_GATHER_SCALED: return build_scaled(t, i, false);
    case GENX_SCATTER_SCALED: return build_scaled(t, i, true);
    case GENX_GATHER4_SCALED: return build_surface_quad(t, i, false);
    case GENX_SCATTER4_SCALED: return build_surface_quad(t, i, true);
    case GENX_SVM_GATHER: return build_svm_scattered(t, i, false);
    case GENX_SVM_SCATTER: return build_svm_scattered(t, i, true);
    case GENX_SVM_GATHER4_SCALED: return build_svm_quad(t, i, false);
    case GENX_SVM_SCATTER4_SCALED: return build_svm_quad(t, i, true);
    default: break;
    }
    if (is_pointer_access(i))
        return build_pointer_access(t, i);
    return build_atomic(t, i, genx_is(genx_call_id(i), KIND_FLAT_ATOMIC), 0, type_lanes(LLVMTypeOf(i)));
}

static bool replace(const struct translation *t, LLVMValueRef i)
{
    LLVMPositionBuilderBefore(t->builder, i);
    LLVMSetCurrentDebugLocation2(t->builder, LLVMInstructionGetDebugLoc(i));
    LLVMValueRef made = translated(t, i);
    if (!made)
        return false;
    if (LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMVoidTypeKind)
        LLVMReplaceAllUsesWith(i, made);
    LLVMInstructionEraseFromParent(i);
    return true;
}

bool pass_lsc_messages(LLVMModuleRef module, const struct lower_options *options)
{
    if (!platform_has(options->platform, FEATURE_LSC_ALONE) || options->for_intel)
        return true;
    struct translation t = {.module = module,
                            .builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module)),
                            .grf_bytes = options->platform->grf_bytes};
    bool ok = true;
    FOR_EACH_FUNCTION(f, module)
    FOR_EACH_BLOCK(block, f)
    FOR_EACH_REMOVABLE(i, block)
    ok = ok && check(options, i) && (!is_translated(i) || replace(&t, i));
    LLVMDisposeBuilder(t.builder);
    return ok;
}
