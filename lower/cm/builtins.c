/* Lowers builtins, except references and control flow, to llvm.genx.* calls and plain LLVM IR. tables/builtins.def has
 * the builtins that become one intrinsic with the same operands; the others have a function here. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <llvm-c/DebugInfo.h>
#include "lower/cm/builtins.h"
#include "lower/cm/shared_memory.h"
#include "lower/ir/function_info.h"
#include "lower/ir/region.h"
#include "lower/passes.h"
#include "tables/lsc.h"

static LLVMValueRef cm_lower_reduction(const struct cm_call *c)
{
    LLVMValueRef bits = mask_bits(c, operand(c, 0));
    LLVMValueRef one = build(c, c->intrinsic, int_type(c, 1), &bits, 1);
    return LLVMBuildZExt(c->builder, one, c->result, "");
}

static LLVMValueRef cm_lower_any(const struct cm_call *c)
{
    return cm_lower_reduction(c);
}
static LLVMValueRef cm_lower_all(const struct cm_call *c)
{
    return cm_lower_reduction(c);
}

static LLVMValueRef cm_lower_merge(const struct cm_call *c)
{
    LLVMTypeRef type = LLVMTypeOf(operand(c, 2));
    unsigned lanes = type_lanes(type);
    LLVMValueRef bits = LLVMBuildTrunc(c->builder, operand(c, 2), LLVMVectorType(int_type(c, 1), lanes), "");
    return LLVMBuildSelect(c->builder, bits, operand(c, 0), operand(c, 1), "");
}

/* SIMD control flow has added the active lanes; elsewhere it has removed the call. */
static LLVMValueRef cm_lower_distance(const struct cm_call *c)
{
    return LLVMBuildSelect(c->builder, operand(c, 1), operand(c, 0), LLVMConstNull(c->result), "");
}

/* SIMD control flow has narrowed the operand. */
static LLVMValueRef cm_lower_live(const struct cm_call *c)
{
    return operand(c, 0);
}
static LLVMValueRef cm_lower_narrowed(const struct cm_call *c)
{
    return operand(c, 0);
}

static LLVMValueRef cm_lower_dp4a(const struct cm_call *c)
{
    unsigned how = constant_operand(c, 0), kind = (how & 1 ? 0 : 2) + (how & 2 ? 0 : 1);
    LLVMValueRef operands[] = {operand(c, 1), operand(c, 2), operand(c, 3)};
    return build(c, (how & 4 ? GENX_SSDP4A_SAT : GENX_SSDP4A) + kind, c->result, operands, 3);
}

/* Builds a sum of products from the truth table: it has bit x + 2 y + 4 z for each combination of input bits. */
static LLVMValueRef cm_lower_bfn(const struct cm_call *c)
{
    unsigned table = constant_operand(c, 0);
    LLVMValueRef value = LLVMConstNull(c->result);
    for (unsigned row = 0; row < 8; row++) {
        LLVMValueRef product = NULL;
        for (unsigned k = 0; k < 3 && table >> row & 1; k++) {
            LLVMValueRef x = operand(c, 1 + k), factor = row >> k & 1 ? x : LLVMBuildNot(c->builder, x, "");
            product = product ? LLVMBuildAnd(c->builder, product, factor, "") : factor;
        }
        value = product ? LLVMBuildOr(c->builder, value, product, "") : value;
    }
    return value;
}

/* The precisions of Intel's intrinsics are IGC's GenPrecision, unsigned before signed, as vISA's: vc-intrinsics' table
 * has them the other way round. */
static LLVMValueRef cm_lower_dpas(const struct cm_call *c)
{
    enum { TF32 = 12 };
    unsigned how = constant_operand(c, 0), b = how & 15, a = how >> 4 & 15, repeat = how >> 12 & 15,
             sign = how >> 16 & 1;
    unsigned columns = type_lanes(c->result) / repeat, grf = c->platform->grf_bytes;
    if (b == TF32 && !platform_has(c->platform, FEATURE_TF32)) {
        lower_error(c->instruction, "cm_dpas of tf32 is not available on %s; %s is the first platform that has it",
                    c->platform->name, feature_first(FEATURE_TF32));
        return NULL;
    }
    LLVMTypeKind kind = LLVMGetTypeKind(type_element(c->result));
    enum feature_id sums = kind == LLVMHalfTypeKind             ? FEATURE_DPAS_ACC_HALF
                           : type_element_bits(c->result) == 16 ? FEATURE_DPAS_ACC_BF16
                                                                : FEATURE_ALL;
    if (!platform_has(c->platform, sums)) {
        lower_error(c->instruction, "cm_dpas into %s (%s) is not available on %s; %s is the first platform that has it",
                    kind == LLVMHalfTypeKind ? "half" : "short", feature_table[sums].meaning, c->platform->name,
                    feature_first(sums));
        return NULL;
    }
    if (columns != grf / 4) {
        lower_error(c->instruction, "cm_dpas with %u columns: %s has %u", columns, c->platform->name, grf / 4);
        return NULL;
    }
    if (how >> 17 & 1 && !platform_has(c->platform, FEATURE_DPASW)) {
        lower_error(c->instruction, "cm_dpasw is not available on %s", c->platform->name);
        return NULL;
    }
    if (how >> 17 & 1) {
        LLVMValueRef all = constant_i32(c->module, b | a << 8 | (how >> 8 & 15) << 16 | repeat << 24);
        LLVMValueRef shared[] = {operand(c, 1), operand(c, 2), operand(c, 3), all};
        return build(c, GENX_DPASW, c->result, shared, 4);
    }
    LLVMValueRef operands[] = {operand(c, 1),
                               operand(c, 2),
                               operand(c, 3),
                               constant_i32(c->module, b),
                               constant_i32(c->module, a),
                               constant_i32(c->module, how >> 8 & 15),
                               constant_i32(c->module, repeat),
                               constant_i32(c->module, sign),
                               constant_i32(c->module, sign)};
    return build(c, GENX_DPAS2, c->result, operands, 9);
}

static LLVMValueRef constant_i8(const struct cm_call *c, unsigned number)
{
    return LLVMConstInt(int_type(c, 8), number, false);
}

/* The access of a load/store cache message. */
struct lsc_access {
    LLVMValueRef mask, address;
    LLVMValueRef value; /* that is stored, or NULL */
    LLVMTypeRef result; /* void of stores and prefetches */
    unsigned elements;  /* for each address */
    bool block;         /* one address */
    int surface;        /* number of the builtin's operand, or -1 */
};

/* False after an error: the platform's loads lack this pair of hints. Which pairs there are at all the headers check.
 */
static bool check_hints(const struct cm_call *c, unsigned level1, unsigned level3)
{
    enum { CACHED = 2, READ_INVALIDATE = 6, CONST_CACHED = 7 };
    enum feature_id needed = level1 == CONST_CACHED      ? FEATURE_LSC_L1L3CC_HINT
                             : level1 != READ_INVALIDATE ? FEATURE_ALL
                             : level3 == CACHED          ? FEATURE_LSC_LOAD_L1RI_L3CA_HINT
                                                         : FEATURE_LSC_LOAD_L1RI_L3RI_HINT;
    return platform_has(c->platform, needed) ||
           lower_error(c->instruction, "%s has no %s", c->platform->name, feature_table[needed].meaning);
}

/* Builds lsc.*: the operands that all forms share (codegen/select/select_lsc.c). */
static LLVMValueRef build_lsc(const struct cm_call *c, const struct lsc_access *access)
{
    enum { LOAD = 0, STORE = 4, PLAIN = 1, TRANSPOSED = 2 };
    unsigned how = constant_operand(c, 0), count = 11;
    int surface = access->surface;
    LLVMValueRef operands[13] = {access->mask,
                                 constant_i8(c, access->value ? STORE : LOAD),
                                 constant_i8(c, how & 15),
                                 constant_i8(c, how >> 4 & 15),
                                 constant_i16(c->module, 1),
                                 constant_i32(c->module, 0),
                                 constant_i8(c, how >> 8 & 15),
                                 constant_i8(c, lsc_elements_code(access->elements)),
                                 constant_i8(c, access->block ? TRANSPOSED : PLAIN),
                                 constant_i8(c, 0),
                                 access->address};
    int64_t handle;
    bool shared = surface >= 0 && constant_int(operand(c, (unsigned)surface), &handle) && handle == SHARED_LOCAL_MEMORY;
    if (access->value)
        operands[count++] = access->value;
    operands[count++] = surface >= 0 && !shared ? operand(c, (unsigned)surface) : constant_i32(c->module, 0);
    return build(c, shared ? c->intrinsic + 1 : c->intrinsic, access->result, operands, count); /* rows for shared
                                                                                                 * memory follow those
                                                                                                 * for surfaces */
}

/* Accesses `n` elements per address from element `first` on; a load puts them into `loaded`. */
static LLVMValueRef build_lsc_part(const struct cm_call *c, struct lsc_access part, unsigned first, unsigned n,
                                   LLVMValueRef loaded)
{
    static const unsigned bytes_in_memory[] = {[3] = 4, [4] = 8, [5] = 1, [6] = 2}; /* by size of the message */
    LLVMTypeRef address = LLVMTypeOf(part.address);
    unsigned lanes = type_lanes(address), size = constant_operand(c, 0) >> 8 & 15;
    part.address = LLVMBuildAdd(c->builder, part.address, constant_number(address, first * bytes_in_memory[size]), "");
    part.elements = n;
    LLVMTypeRef all = part.value ? LLVMTypeOf(part.value) : part.result;
    if (LLVMGetTypeKind(all) == LLVMVoidTypeKind)
        return build_lsc(c, &part);
    LLVMTypeRef type = type_with_lanes(type_element(all), lanes * n);
    unsigned bytes = type_element_bytes(type);
    struct region region = {(int)(lanes * first * bytes), lanes * n, 0, (int)bytes};
    if (part.value) {
        part.value = region_build_read(c->builder, c->module, type, part.value, &region, NULL);
        return build_lsc(c, &part);
    }
    part.result = type;
    return region_build_write(c->builder, c->module, loaded, build_lsc(c, &part), &region, NULL, NULL);
}

/* A message moves at most eight registers: more elements per address take several messages. */
static LLVMValueRef build_lsc_parts(const struct cm_call *c, const struct lsc_access *access)
{
    enum { MOST_REGISTERS = 8, QUADWORDS = 4 };
    unsigned bytes = (constant_operand(c, 0) >> 8 & 15) == QUADWORDS ? 8 : 4; /* of an element in a register */
    unsigned most = MOST_REGISTERS * c->platform->grf_bytes / (type_lanes(LLVMTypeOf(access->address)) * bytes);
    if (!check_hints(c, constant_operand(c, 0) & 15, constant_operand(c, 0) >> 4 & 15))
        return NULL;
    if (access->elements <= most)
        return build_lsc(c, access);
    bool is_load = !access->value && LLVMGetTypeKind(access->result) != LLVMVoidTypeKind;
    LLVMValueRef result = is_load ? LLVMGetUndef(access->result) : NULL;
    for (unsigned first = 0; first < access->elements; first += most) {
        unsigned left = access->elements - first;
        result = build_lsc_part(c, *access, first, left < most ? left : most, result);
    }
    return result;
}

static LLVMValueRef one_lane(const struct cm_call *c)
{
    LLVMValueRef on = LLVMConstInt(int_type(c, 1), 1, false);
    return LLVMConstVector(&on, 1);
}

/* `value`, `surface`: numbers of builtin operands, or -1. */
static struct lsc_access lsc_access(const struct cm_call *c, unsigned address, int value, int surface)
{
    return (struct lsc_access){.address = operand(c, address),
                               .value = value >= 0 ? operand(c, (unsigned)value) : NULL,
                               .result = c->result,
                               .elements = constant_operand(c, 0) >> 12,
                               .surface = surface};
}

static LLVMValueRef lsc_lanes(const struct cm_call *c, unsigned address, int value, int surface)
{
    struct lsc_access access = lsc_access(c, address, value, surface);
    access.mask = mask_bits(c, operand(c, 1));
    return build_lsc_parts(c, &access);
}
static LLVMValueRef lsc_block(const struct cm_call *c, unsigned address, int value, int surface)
{
    struct lsc_access access = lsc_access(c, address, value, surface);
    access.mask = one_lane(c);
    access.block = true;
    return build_lsc_parts(c, &access);
}

/* The builtins of the load/store cache: which operands are the address, the value and the surface; -1: there is none.
 */
#define LSC_BUILTIN(NAME, LANES, ADDRESS, VALUE, SURFACE)                                                              \
    static LLVMValueRef cm_lower_##NAME(const struct cm_call *c)                                                       \
    {                                                                                                                  \
        return LANES(c, ADDRESS, VALUE, SURFACE);                                                                      \
    }
LSC_BUILTIN(lsc_load, lsc_lanes, 3, -1, 2)
LSC_BUILTIN(lsc_load_flat, lsc_lanes, 2, -1, -1)
LSC_BUILTIN(lsc_store, lsc_lanes, 3, 4, 2)
LSC_BUILTIN(lsc_store_flat, lsc_lanes, 2, 3, -1)
LSC_BUILTIN(lsc_prefetch, lsc_lanes, 3, -1, 2)
LSC_BUILTIN(lsc_prefetch_flat, lsc_lanes, 2, -1, -1)
LSC_BUILTIN(lsc_block_load, lsc_block, 2, -1, 1)
LSC_BUILTIN(lsc_block_load_flat, lsc_block, 1, -1, -1)
LSC_BUILTIN(lsc_block_store, lsc_block, 2, 3, 1)
LSC_BUILTIN(lsc_block_store_flat, lsc_block, 1, 2, -1)
LSC_BUILTIN(lsc_block_prefetch, lsc_block, 2, -1, 1)
LSC_BUILTIN(lsc_block_prefetch_flat, lsc_block, 1, -1, -1)
#undef LSC_BUILTIN

static LLVMValueRef cm_lower_lsc_fence(const struct cm_call *c)
{
    unsigned how = constant_operand(c, 0);
    LLVMValueRef operands[] = {one_lane(c), constant_i8(c, how & 15), constant_i8(c, how >> 4 & 15),
                               constant_i8(c, how >> 8)};
    return build(c, GENX_LSC_FENCE, c->result, operands, 4);
}

static LLVMValueRef owords(const struct cm_call *c, LLVMValueRef bytes)
{
    return LLVMBuildLShr(c->builder, bytes, constant_i32(c->module, 4), "");
}

static LLVMValueRef cm_lower_oword_read(const struct cm_call *c)
{
    LLVMValueRef operands[] = {constant_i32(c->module, 0), operand(c, 0), owords(c, operand(c, 1))};
    return build(c, GENX_OWORD_LD, c->result, operands, 3);
}

static LLVMValueRef cm_lower_oword_read_unaligned(const struct cm_call *c)
{
    LLVMValueRef operands[] = {constant_i32(c->module, 0), operand(c, 0), operand(c, 1)};
    return build(c, GENX_OWORD_LD_UNALIGNED, c->result, operands, 3);
}

static LLVMValueRef cm_lower_oword_write(const struct cm_call *c)
{
    LLVMValueRef operands[] = {operand(c, 0), owords(c, operand(c, 1)), operand(c, 2)};
    return build(c, GENX_OWORD_ST, c->result, operands, 3);
}

static LLVMValueRef cm_lower_gather(const struct cm_call *c)
{
    LLVMValueRef old = cm_widen_lanes(c, operand(c, 4));
    LLVMValueRef operands[] = {mask_bits(c, operand(c, 0)),
                               constant_i32(c->module, cm_log2(type_element_bytes(c->result))),
                               constant_i16(c->module, 0),
                               operand(c, 1),
                               operand(c, 2),
                               operand(c, 3),
                               old};
    return cm_narrow_lanes(c, build(c, GENX_GATHER_SCALED, LLVMTypeOf(old), operands, 7), c->result);
}

static LLVMValueRef cm_lower_scatter(const struct cm_call *c)
{
    LLVMTypeRef type = LLVMTypeOf(operand(c, 4));
    LLVMValueRef operands[] = {mask_bits(c, operand(c, 0)),
                               constant_i32(c->module, cm_log2(type_element_bytes(type))),
                               constant_i16(c->module, 0),
                               operand(c, 1),
                               operand(c, 2),
                               operand(c, 3),
                               cm_widen_lanes(c, operand(c, 4))};
    return build(c, GENX_SCATTER_SCALED, c->result, operands, 7);
}

/* The channels that a message moves. According to Intel's table of intrinsics it is those that it skips, but Intel's
 * compiler (IGC) expects these. */
static LLVMValueRef channels(const struct cm_call *c)
{
    return constant_i32(c->module, constant_operand(c, 0) & 15);
}

static LLVMValueRef cm_lower_gather4(const struct cm_call *c)
{
    LLVMValueRef operands[] = {mask_bits(c, operand(c, 1)),
                               channels(c),
                               constant_i16(c->module, 0),
                               operand(c, 2),
                               operand(c, 3),
                               operand(c, 4),
                               LLVMGetUndef(c->result)};
    return build(c, GENX_GATHER4_SCALED, c->result, operands, 7);
}

/* Rows of a quad store that one message moves: `count` channels from channel `first` on; the value's rows start at
 * `row`. */
struct quad_part {
    unsigned first, count, row;
};

/* Finds the next channels that follow one another after those of `part`; false if there are none. Where the old data
 * ports are there, one message moves any. */
static bool next_part(const struct cm_call *c, struct quad_part *part)
{
    unsigned mask = constant_operand(c, 0) & 15, first = part->first + part->count, count = 0;
    if (platform_has(c->platform, FEATURE_OLD_DATA_PORTS)) {
        bool begin = part->count == 0;
        *part = (struct quad_part){0, 4, 0};
        return begin;
    }
    while (first < 4 && !(mask >> first & 1))
        first++;
    while (mask >> (first + count) & 1)
        count++;
    *part = (struct quad_part){first, count, part->row + part->count};
    return count > 0;
}

/* Returns the channels of the message, and in `bytes` the offset of the part from its addresses. */
static LLVMValueRef part_channels(const struct cm_call *c, const struct quad_part *part, unsigned *bytes)
{
    *bytes = part->first * 4;
    return constant_i32(c->module, (constant_operand(c, 0) & 15) >> part->first & ((1u << part->count) - 1));
}

/* Returns the rows of the value, of as many lanes as there are addresses, that the part moves. */
static LLVMValueRef part_rows(const struct cm_call *c, const struct quad_part *part, LLVMValueRef value, unsigned lanes)
{
    unsigned has = type_lanes(LLVMTypeOf(value)), bytes = type_element_bytes(LLVMTypeOf(value)),
             count = part->count * lanes;
    if (count >= has)
        return value;
    struct region region = {(int)(part->row * lanes * bytes), count, 0, (int)bytes};
    return region_build_read(c->builder, c->module, type_with_lanes(type_element(LLVMTypeOf(value)), count), value,
                             &region, NULL);
}

static LLVMValueRef cm_lower_scatter4(const struct cm_call *c)
{
    enum { MASK = 1, SURFACE, GLOBAL, OFFSETS, VALUE };
    LLVMValueRef last = NULL;
    for (struct quad_part part = {0}; next_part(c, &part);) {
        unsigned bytes;
        LLVMValueRef channels = part_channels(c, &part, &bytes);
        LLVMValueRef operands[] = {
            mask_bits(c, operand(c, MASK)),
            channels,
            constant_i16(c->module, 0),
            operand(c, SURFACE),
            bytes ? LLVMBuildAdd(c->builder, operand(c, GLOBAL), constant_i32(c->module, bytes), "")
                  : operand(c, GLOBAL),
            operand(c, OFFSETS),
            part_rows(c, &part, operand(c, VALUE), type_lanes(LLVMTypeOf(operand(c, OFFSETS))))};
        last = build(c, GENX_SCATTER4_SCALED, c->result, operands, 7);
    }
    return last;
}

/* Returns `lanes` lanes of a vector from lane `start` on. Lanes beyond the vector are off in masks and undefined in
 * others. */
static LLVMValueRef some_lanes(const struct cm_call *c, LLVMValueRef value, unsigned start, unsigned lanes)
{
    enum { MOST = 32 };
    LLVMValueRef numbers[MOST], off = LLVMConstNull(LLVMTypeOf(value));
    LLVMValueRef missing =
        type_is_mask(LLVMTypeOf(value)) ? NULL : LLVMGetUndef(LLVMInt32TypeInContext(LLVMGetModuleContext(c->module)));
    unsigned has = type_lanes(LLVMTypeOf(value));
    if (has == lanes || lanes > MOST)
        return value;
    for (unsigned k = start; k < start + lanes; k++)
        numbers[k - start] = k >= has && missing ? missing : constant_i32(c->module, k < has ? k : has);
    return LLVMBuildShuffleVector(c->builder, value, off, LLVMConstVector(numbers, lanes), "");
}

/* Kind of memory of an atomic operation: the row of its intrinsic ADD, the builtin operands between the mask and the
 * operation's own (a surface and offsets, or addresses), and the number of lanes of the intrinsics. `lsc`: the
 * operation of the load/store cache that does it instead, or 0. */
struct atomic_kind {
    enum genx_id add;
    unsigned place, most, lsc;
};

/* operands: mask, surface, offsets, the operation's own: of a comparison and exchange the new value first, which is the
 * cache's last. */
static LLVMValueRef build_lsc_float_atomic(const struct cm_call *c, unsigned operation, LLVMValueRef *operands,
                                           unsigned sources, LLVMTypeRef type)
{
    enum { DWORDS = 3, FIRST = 3 };
    struct cm_lsc_atomic a = {.operation = operation,
                              .size = DWORDS,
                              .mask = operands[0],
                              .surface = operands[1],
                              .addresses = operands[2],
                              .intrinsic = GENX_LSC_XATOMIC_BTI};
    for (unsigned k = 0; k < sources; k++)
        a.sources[sources - 1 - k] = operands[FIRST + k];
    return cm_build_lsc_atomic(c, &a, type);
}

/* Pads too few lanes to 8, the others off; splits too many lanes in two halves. */
static LLVMValueRef cm_lower_atomic_lanes(const struct cm_call *c, struct atomic_kind kind, unsigned sources,
                                          unsigned start, unsigned has)
{
    enum { LEAST = 8, MOST = 32, OPERATION = 0, MASK = 1 };
    if (has > kind.most) {
        LLVMValueRef half[2], numbers[MOST];
        for (unsigned k = 0; k < 2; k++)
            half[k] = cm_lower_atomic_lanes(c, kind, sources, start + k * (has / 2), has / 2);
        for (unsigned k = 0; k < has; k++)
            numbers[k] = constant_i32(c->module, k);
        return LLVMBuildShuffleVector(c->builder, half[0], half[1], LLVMConstVector(numbers, has), "");
    }
    unsigned lanes = has < LEAST ? LEAST : has, count = 0;
    LLVMTypeRef type = LLVMVectorType(type_element(c->result), lanes);
    LLVMValueRef operands[6] = {some_lanes(c, mask_bits(c, operand(c, MASK)), start, lanes)};
    for (unsigned k = 0; k < kind.place + sources; k++) {
        LLVMValueRef value = operand(c, MASK + 1 + k);
        operands[++count] = k + 1 < kind.place ? value : some_lanes(c, value, start, lanes);
    }
    if (kind.lsc)
        return some_lanes(c, build_lsc_float_atomic(c, kind.lsc, operands, sources, type), 0, has);
    operands[++count] = LLVMGetUndef(type);
    LLVMValueRef old = build(c, kind.add + constant_operand(c, OPERATION), type, operands, count + 1);
    return some_lanes(c, old, 0, has);
}

static LLVMValueRef cm_lower_atomic_at(const struct cm_call *c, struct atomic_kind kind)
{
    int sources = cm_atomic_source_count(c, constant_operand(c, 0));
    return sources < 0 ? NULL : cm_lower_atomic_lanes(c, kind, (unsigned)sources, 0, type_lanes(c->result));
}

/* The load/store cache's number of an operation on floats where the old data ports are gone; 0: the operation is on
 * integers, which Intel's compiler (IGC) turns into one of the load/store cache. */
static unsigned lsc_float_atomic(const struct cm_call *c)
{
    enum { FMIN = 21, FMAX = 22, FCAS = 23 };
    static const unsigned char numbers[] = {
        [GENX_DWORD_ATOMIC_FMAX - GENX_DWORD_ATOMIC_ADD] = FMAX,
        [GENX_DWORD_ATOMIC_FMIN - GENX_DWORD_ATOMIC_ADD] = FMIN,
        [GENX_DWORD_ATOMIC_FCMPWR - GENX_DWORD_ATOMIC_ADD] = FCAS,
    };
    unsigned operation = constant_operand(c, 0);
    return platform_has(c->platform, FEATURE_OLD_DATA_PORTS) || operation >= sizeof numbers ? 0 : numbers[operation];
}

static LLVMValueRef cm_lower_atomic(const struct cm_call *c)
{
    enum { MOST = 32, LSC_MOST = 16 };
    unsigned lsc = lsc_float_atomic(c);
    return cm_lower_atomic_at(c, (struct atomic_kind){GENX_DWORD_ATOMIC_ADD, 2, lsc ? LSC_MOST : MOST, lsc});
}
static LLVMValueRef cm_lower_svm_atomic(const struct cm_call *c)
{
    return cm_lower_atomic_at(c, (struct atomic_kind){GENX_SVM_ATOMIC_ADD, 1, 8, 0});
}

static LLVMValueRef zero_address(const struct cm_call *c)
{
    return LLVMConstInt(int_type(c, 64), 0, false);
}

/* With registers of 64 bytes a message has at least 16 lanes (with eight, the finalizer never ends); the others are
 * off. */
static LLVMValueRef cm_lower_svm_gather4(const struct cm_call *c)
{
    enum { LEAST = 16, WIDE = 64, MOST = 4 * LEAST };
    unsigned has = type_lanes(LLVMTypeOf(operand(c, 2))), rows = type_lanes(c->result) / has;
    unsigned lanes = c->platform->grf_bytes == WIDE && has < LEAST ? LEAST : has;
    LLVMTypeRef type = LLVMVectorType(type_element(c->result), rows * lanes);
    LLVMValueRef operands[] = {some_lanes(c, mask_bits(c, operand(c, 1)), 0, lanes),
                               channels(c),
                               constant_i16(c->module, 0),
                               zero_address(c),
                               some_lanes(c, operand(c, 2), 0, lanes),
                               LLVMGetUndef(type)};
    LLVMValueRef all = build(c, GENX_SVM_GATHER4_SCALED, type, operands, 6), numbers[MOST];
    if (lanes == has)
        return all;
    for (unsigned k = 0; k < rows * has; k++)
        numbers[k] = constant_i32(c->module, k / has * lanes + k % has);
    return LLVMBuildShuffleVector(c->builder, all, LLVMGetUndef(type), LLVMConstVector(numbers, rows * has), "");
}

static LLVMValueRef cm_lower_svm_scatter4(const struct cm_call *c)
{
    enum { MASK = 1, ADDRESSES, VALUE };
    LLVMValueRef last = NULL;
    for (struct quad_part part = {0}; next_part(c, &part);) {
        unsigned bytes;
        LLVMValueRef channels = part_channels(c, &part, &bytes);
        LLVMValueRef operands[] = {
            mask_bits(c, operand(c, MASK)),
            channels,
            constant_i16(c->module, 0),
            LLVMConstInt(int_type(c, 64), bytes, false),
            operand(c, ADDRESSES),
            part_rows(c, &part, operand(c, VALUE), type_lanes(LLVMTypeOf(operand(c, ADDRESSES))))};
        last = build(c, GENX_SVM_SCATTER4_SCALED, c->result, operands, 6);
    }
    return last;
}

/* Builds vISA's SVM gather and scatter of bytes: 1, 2 or 4 one-byte blocks per address, four bytes per lane in the
 * register. */
static LLVMValueRef cm_lower_svm_gather(const struct cm_call *c)
{
    LLVMTypeRef type = c->result, i8 = int_type(c, 8);
    unsigned lanes = type_lanes(type), bytes = type_element_bytes(type);
    LLVMValueRef old = cm_widen_lanes(c, operand(c, 2));
    LLVMTypeRef wide = LLVMTypeOf(old), data = bytes < 4 ? LLVMVectorType(i8, 4 * lanes) : wide;
    LLVMValueRef operands[] = {mask_bits(c, operand(c, 0)), constant_i32(c->module, bytes < 4 ? cm_log2(bytes) : 0),
                               operand(c, 1), LLVMBuildBitCast(c->builder, old, data, "")};
    LLVMValueRef value = build(c, GENX_SVM_GATHER, data, operands, 4);
    return cm_narrow_lanes(c, LLVMBuildBitCast(c->builder, value, wide, ""), type);
}

static LLVMValueRef cm_lower_svm_scatter(const struct cm_call *c)
{
    LLVMTypeRef type = LLVMTypeOf(operand(c, 2)), i8 = int_type(c, 8);
    unsigned lanes = type_lanes(type), bytes = type_element_bytes(type);
    LLVMValueRef value = cm_widen_lanes(c, operand(c, 2));
    LLVMTypeRef data = bytes < 4 ? LLVMVectorType(i8, 4 * lanes) : LLVMTypeOf(value);
    LLVMValueRef operands[] = {mask_bits(c, operand(c, 0)), constant_i32(c->module, bytes < 4 ? cm_log2(bytes) : 0),
                               operand(c, 1), LLVMBuildBitCast(c->builder, value, data, "")};
    return build(c, GENX_SVM_SCATTER, c->result, operands, 4);
}

static bool dimension(const struct cm_call *c, unsigned *out)
{
    int64_t number;
    if (!constant_int(operand(c, 0), &number) || number < 0 || number > 2)
        return lower_error(c->instruction, "the dimension of a thread or group id must be the constant 0, 1 or 2");
    *out = (unsigned)number;
    return true;
}

static LLVMValueRef cm_lower_group_id(const struct cm_call *c)
{
    unsigned d;
    return dimension(c, &d) ? build(c, GENX_GROUP_ID_X + d, c->result, NULL, 0) : NULL;
}

static LLVMValueRef cm_lower_triple(const struct cm_call *c, enum genx_id id)
{
    unsigned d;
    if (!dimension(c, &d))
        return NULL;
    LLVMValueRef all = build(c, id, LLVMVectorType(int_type(c, 32), 3), NULL, 0);
    return LLVMBuildExtractElement(c->builder, all, constant_i32(c->module, d), "");
}

static LLVMValueRef cm_lower_group_count(const struct cm_call *c)
{
    return cm_lower_triple(c, GENX_GROUP_COUNT);
}
static LLVMValueRef cm_lower_local_id(const struct cm_call *c)
{
    return cm_lower_triple(c, GENX_LOCAL_ID);
}
static LLVMValueRef cm_lower_local_size(const struct cm_call *c)
{
    return cm_lower_triple(c, GENX_LOCAL_SIZE);
}

static LLVMValueRef cm_lower_sbarrier(const struct cm_call *c)
{
    LLVMValueRef signal = LLVMBuildTrunc(c->builder, operand(c, 0), int_type(c, 8), "");
    return build(c, GENX_SBARRIER, c->result, &signal, 1);
}

/* The kernel's attribute is IGC's, by which the dialect and selection know the number. */
static LLVMValueRef cm_lower_nbarrier_init(const struct cm_call *c)
{
    LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(c->instruction));
    unsigned count = constant_operand(c, 0);
    char text[16];
    if (!function_is_kernel(function)) {
        lower_error(c->instruction, "cm_nbarrier_init in a function that is not a part of its kernel: call it there");
        return NULL;
    }
    if (count > 32) {
        lower_error(c->instruction, "cm_nbarrier_init(%u): a kernel has at most 32 named barriers", count);
        return NULL;
    }
    snprintf(text, sizeof text, "%u", count);
    LLVMAttributeRef attribute =
        LLVMCreateStringAttribute(LLVMGetModuleContext(c->module), IR_NAMED_BARRIERS,
                                  (unsigned)strlen(IR_NAMED_BARRIERS), text, (unsigned)strlen(text));
    LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex, attribute);
    return LLVMGetUndef(int_type(c, 32));
}

static LLVMValueRef cm_lower_nbarrier_wait(const struct cm_call *c)
{
    LLVMTypeRef byte = int_type(c, 8);
    LLVMValueRef operands[] = {LLVMConstInt(byte, 0, false), LLVMBuildTrunc(c->builder, operand(c, 0), byte, ""),
                               LLVMConstInt(byte, 0, false)};
    return build(c, GENX_NBARRIER, c->result, operands, 3);
}

static LLVMValueRef cm_lower_slm_block(const struct cm_call *c)
{
    return LLVMGetUndef(int_type(c, 32));
}

static LLVMValueRef cm_lower_pause(const struct cm_call *c)
{
    LLVMValueRef length = LLVMBuildTrunc(c->builder, operand(c, 0), int_type(c, 16), "");
    return build(c, GENX_SET_PAUSE, c->result, &length, 1);
}

static LLVMValueRef cm_lower_timestamp(const struct cm_call *c)
{
    return build(c, GENX_TIMESTAMP, c->result, NULL, 0);
}

/* Returns the address of a whole string literal, or of one of several. The host cannot read other memory. */
static LLVMValueRef string_address(const struct cm_call *c, LLVMValueRef literal)
{
    if (LLVMIsASelectInst(literal)) {
        LLVMValueRef one = string_address(c, LLVMGetOperand(literal, 1));
        LLVMValueRef other = one ? string_address(c, LLVMGetOperand(literal, 2)) : NULL;
        return other ? LLVMBuildSelect(c->builder, LLVMGetOperand(literal, 0), one, other, "") : NULL;
    }
    LLVMValueRef text = LLVMIsAGlobalVariable(literal) ? LLVMGetInitializer(literal) : NULL;
    if (!text || !(LLVMIsConstantString(text) || LLVMIsNull(text)) || !LLVMIsGlobalConstant(literal)) {
        lower_error(c->instruction, "the format of printf and its arguments for %%s must be string literals");
        return NULL;
    }
    return build(c, GENX_FADDR, c->result, &literal, 1);
}

static LLVMValueRef cm_lower_string(const struct cm_call *c)
{
    return string_address(c, operand(c, 0));
}

static LLVMValueRef cm_lower_fence(const struct cm_call *c)
{
    LLVMValueRef mask = LLVMBuildTrunc(c->builder, operand(c, 0), int_type(c, 8), "");
    return build(c, GENX_FENCE, c->result, &mask, 1);
}

/* Builds the intrinsic of the row with the builtin's operands. */
static LLVMValueRef cm_lower_same(const struct cm_call *c)
{
    enum { MOST = 8 };
    LLVMValueRef operands[MOST];
    unsigned count = LLVMGetNumArgOperands(c->instruction);
    for (unsigned i = 0; i < count && i < MOST; i++)
        operands[i] = operand(c, i);
    return build(c, c->intrinsic, c->result, operands, count);
}

/* Functions for LOWER of tables/builtins.def; NULL: another pass has lowered it. */
static const struct {
    LLVMValueRef (*lower)(const struct cm_call *c);
    enum genx_id intrinsic;
} rules[BUILTIN_COUNT] = {
#define LOWER_same(NAME)      cm_lower_same
#define LOWER_own(NAME)       cm_lower_##NAME
#define LOWER_elsewhere(NAME) NULL
#define CM_BUILTIN(NAME, OPERANDS, RESULT, MASK, FEATURE, LOWER, GENX, DOC)                                            \
    [BUILTIN_##NAME] = {LOWER_##LOWER(NAME), GENX_##GENX},
#include "tables/builtins.def"
#undef CM_BUILTIN
};

/* What to write instead of what newer platforms lack. */
static const char *instead_of(enum feature_id feature)
{
    switch (feature) {
    case FEATURE_MEDIA_BLOCKS: return "; cm_ptr_load and cm_ptr_store move a rectangle of memory";
    case FEATURE_TYPED_MESSAGES: return "; cm_load and cm_store move elements of a buffer";
    default: return "";
    }
}

/* Reports an operation that the platform lacks; newer platforms may lack what older ones have. */
static bool lacks(const struct cm_call *c, const char *name, enum feature_id feature)
{
    const struct platform *first = platform_find(feature_first(feature));
    const struct platform *last = &platform_table[c->platform->id];
    if (!first || first > last)
        return lower_error(c->instruction, "%s (%s) is not available on %s; %s is the first platform that has it", name,
                           feature_table[feature].meaning, c->platform->name, feature_first(feature));
    while (last > first && !platform_has(last, feature))
        last--;
    return lower_error(
        c->instruction, "%s (%s) is not available on %s: this platform has none, platforms from %s to %s have it%s",
        name, feature_table[feature].meaning, c->platform->name, first->name, last->name, instead_of(feature));
}

static bool cm_lower_call(struct cm_call *c, enum builtin_id id)
{
    enum feature_id feature = builtin_table[id].feature;
    if (!platform_has(c->platform, feature))
        return lacks(c, lower_called(c->instruction, builtin_table[id].name, &(struct ir_called){0}), feature);
    if (id == BUILTIN_rdref || id == BUILTIN_wrref) /* accesses of variables are gone by now: alloca_to_vector.c */
        return lower_error(c->instruction, "a vector or matrix behind a pointer to memory: they are in registers; "
                                           "cm_svm_block_read and cm_svm_block_write copy from and to memory");
    if (!rules[id].lower)
        return lower_error(c->instruction, "builtin __cm_%s is not implemented on this target", builtin_table[id].name);
    c->intrinsic = rules[id].intrinsic;
    LLVMValueRef value = rules[id].lower(c);
    if (!value)
        return false;
    if (LLVMGetTypeKind(c->result) != LLVMVoidTypeKind)
        LLVMReplaceAllUsesWith(c->instruction, value);
    LLVMInstructionEraseFromParent(c->instruction);
    return true;
}

bool pass_builtins(LLVMModuleRef module, const struct lower_options *options)
{
    struct cm_call c = {.module = module,
                        .platform = options->platform,
                        .builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module))};
    bool ok = true;
    FOR_EACH_FUNCTION(f, module)
    {
        if (!function_is_lowered(f))
            continue;
        ok = ok && shared_memory_layout(&c, f);
        FOR_EACH_BLOCK(block, f)
        for (LLVMValueRef i = LLVMGetFirstInstruction(block), next; ok && i; i = next) {
            next = LLVMGetNextInstruction(i);
            enum builtin_id id = builtin_call_id(i);
            bool is_access = shared_memory_is_access(i);
            if (id == BUILTIN_NONE && !is_access)
                continue;
            c.instruction = i;
            c.result = LLVMTypeOf(i);
            LLVMPositionBuilderBefore(c.builder, i);
            LLVMSetCurrentDebugLocation2(c.builder, LLVMInstructionGetDebugLoc(i));
            ok = is_access ? shared_memory_access(&c) : cm_lower_call(&c, id);
        }
    }
    LLVMDisposeBuilder(c.builder);
    return ok;
}

/* Answers __cm_has (tables/builtins.def). */
static bool has(int64_t number, const struct lower_options *options)
{
    switch (number) {
    case 0: return platform_has(options->platform, FEATURE_IEEE_DIV_SQRT);
    case 1: return platform_has(options->platform, FEATURE_LINEAR);
    case 2: return options->for_intel;
    default: return false;
    }
}

bool pass_platform(LLVMModuleRef module, const struct lower_options *options)
{
    LLVMTypeRef boolean = LLVMInt1TypeInContext(LLVMGetModuleContext(module));
    FOR_EACH_FUNCTION(f, module)
    FOR_EACH_BLOCK(block, f)
    FOR_EACH_REMOVABLE(i, block)
    {
        int64_t feature;
        if (builtin_call_id(i) != BUILTIN_has)
            continue;
        bool answer = constant_int(LLVMGetOperand(i, 0), &feature) && has(feature, options);
        LLVMReplaceAllUsesWith(i, LLVMConstInt(boolean, answer, false));
        LLVMInstructionEraseFromParent(i);
    }
    return true;
}
