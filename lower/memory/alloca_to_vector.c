/* Converts private arrays and structs to LLVM vectors (as IGC's GenXLowerPrivate does for arrays).
 *
 * A vector, matrix or C array arrives as an alloca whose accesses are loads, stores and the builtins rdref and wrref at
 * constant lane offsets (plus, perhaps, one run-time offset). Here each becomes one alloca of <M x E> that is only
 * loaded and stored as a whole, and each access a read or write of a region of that vector; LLVM's sroa then makes SSA
 * values of it. Lanes that form no region are read and written in several pieces. */
#include <limits.h>
#include <stdlib.h>
#include <llvm-c/Target.h>
#include <llvm-c/DebugInfo.h>
#include "lower/ir/function_info.h"
#include "lower/ir/gep_offset.h"
#include "lower/ir/ir.h"
#include "lower/ir/region.h"
#include "lower/memory/load_of_choice.h"
#include "lower/memory/phi_of_gep.h"
#include "lower/passes.h"

struct access {
    struct variable *variable;
    LLVMValueRef instruction;
    int64_t offset;       /* constant bytes from the variable's start */
    LLVMValueRef dynamic; /* i32 bytes to add, or NULL */
};

/* Lanes with constant offsets. Most accesses share theirs with many others. */
struct shape {
    bool is_region;       /* one region is all of them */
    struct region region; /* from offset 0 of the reference on */
    int first, end;       /* where its lanes begin; the last of them, too */
};

struct shapes {
    struct pointer_map numbers; /* constant vectors to list[] */
    struct shape *list;
    size_t count, capacity;
};

struct variable {
    LLVMModuleRef module;
    LLVMBuilderRef builder;
    struct shapes *shapes; /* NULL: no cache */
    LLVMValueRef root;     /* the alloca, or a constant global */
    LLVMValueRef constant; /* its value as a vector, for constant globals */
    LLVMValueRef storage;  /* alloca of `type` */
    LLVMTypeRef type;      /* <M x E> */
    LLVMValueRef current;  /* its value at the end of the rewritten code of `block` */
    LLVMBasicBlockRef block;
    bool is_changed; /* there: `current` has to be stored */
    unsigned bytes;
    struct access *accesses;
    size_t count, capacity;
};

/* ---- finding the accesses ---- */

static LLVMTypeRef first_leaf(LLVMTypeRef type)
{
    switch (LLVMGetTypeKind(type)) {
    case LLVMArrayTypeKind: return first_leaf(LLVMGetElementType(type));
    case LLVMStructTypeKind:
        return LLVMCountStructElementTypes(type) ? first_leaf(LLVMStructGetTypeAtIndex(type, 0)) : NULL;
    case LLVMVectorTypeKind: return LLVMGetElementType(type);
    case LLVMIntegerTypeKind:
    case LLVMHalfTypeKind:
    case LLVMFloatTypeKind:
    case LLVMDoubleTypeKind: return type;
    case LLVMPointerTypeKind: return LLVMInt64TypeInContext(LLVMGetTypeContext(type));
    default: return NULL;
    }
}

static bool is_reference_access(enum builtin_id id)
{
    return id == BUILTIN_rdref || id == BUILTIN_wrref || id == BUILTIN_wrnew;
}

static bool is_access(LLVMValueRef user, LLVMValueRef address)
{
    enum builtin_id id = builtin_call_id(user);
    if (is_reference_access(id))
        return LLVMGetOperand(user, 0) == address;
    if (LLVMIsALoadInst(user))
        return true;
    return LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == address;
}

/* True for a literal, or a select of literals, that only printf uses: it stays in memory, where the host reads it. */
static bool is_only_printed(LLVMValueRef user)
{
    if (builtin_call_id(user) == BUILTIN_string)
        return true;
    if (!LLVMIsASelectInst(user))
        return false;
    for (LLVMUseRef use = LLVMGetFirstUse(user); use; use = LLVMGetNextUse(use))
        if (!is_only_printed(LLVMGetUser(use)))
            return false;
    return true;
}

static bool find_accesses(struct variable *v, LLVMValueRef address, int64_t constant, LLVMValueRef dynamic)
{
    for (LLVMUseRef use = LLVMGetFirstUse(address); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        bool gep = LLVMIsAGetElementPtrInst(user) ||
                   (LLVMIsAConstantExpr(user) && LLVMGetConstOpcode(user) == LLVMGetElementPtr);
        if (gep || LLVMIsABitCastInst(user) || LLVMIsAAddrSpaceCastInst(user)) {
            int64_t c = constant;
            LLVMValueRef d = dynamic;
            if (gep)
                gep_add(v->module, v->builder, user, &c, &d);
            if (!find_accesses(v, user, c, d))
                return false;
        } else if (is_access(user, address)) {
            ARRAY_PUSH(v->accesses, v->count, v->capacity, ((struct access){v, user, constant, dynamic}));
        } else if (ir_calls_named(user, "llvm.lifetime.")) {
            ARRAY_PUSH(v->accesses, v->count, v->capacity, ((struct access){v, user, -1, NULL}));
        } else if (is_only_printed(user)) {
            continue;
        } else if (!LLVMIsAInstruction(user)) {
            continue; /* a table entry or annotation that mentions the address: no access */
        } else if (LLVMIsAPHINode(user) || LLVMIsASelectInst(user)) {
            return lower_error(
                user,
                "a write to one of several variables, or an access to a variable or memory, through one reference "
                "or pointer: choose between values, c ? a(i) : b(i), or access each variable by its own name");
        } else {
            return lower_error(
                user, "the address of a vector, matrix or array is taken in a way that registers do not allow: use its "
                      "name, select() or a reference to it");
        }
    }
    return true;
}

/* ---- reading and writing lanes ---- */

/* Returns the variable's value as a vector of `element`; NULL: its size is not a multiple. */
static LLVMValueRef view_as(struct variable *v, LLVMValueRef value, LLVMTypeRef element)
{
    unsigned bytes = type_element_bytes(element);
    if (LLVMGetElementType(LLVMTypeOf(value)) == element)
        return value;
    if (v->bytes % bytes != 0)
        return NULL;
    return LLVMBuildBitCast(v->builder, value, LLVMVectorType(element, v->bytes / bytes), "");
}

static LLVMValueRef load_variable(struct variable *v)
{
    LLVMBasicBlockRef block = LLVMGetInsertBlock(v->builder);
    if (v->constant)
        return v->constant;
    if (v->block != block)
        v->current = LLVMBuildLoad2(v->builder, v->type, v->storage, "");
    v->block = block;
    return v->current;
}

/* Sets the variable's value, a vector of any type, until the end of the block. */
static void change_variable(struct variable *v, LLVMValueRef value)
{
    v->current = LLVMBuildBitCast(v->builder, value, v->type, "");
    v->block = LLVMGetInsertBlock(v->builder);
    v->is_changed = true;
}

static LLVMTypeRef int_type(struct variable *v, unsigned bits)
{
    return LLVMIntTypeInContext(LLVMGetModuleContext(v->module), bits);
}

static LLVMValueRef region_offset(struct variable *v, const struct region *region, LLVMValueRef dynamic)
{
    if (!dynamic)
        return NULL;
    LLVMTypeRef i32 = int_type(v, 32), i16 = int_type(v, 16);
    LLVMValueRef sum =
        LLVMBuildAdd(v->builder, dynamic, LLVMConstInt(i32, (uint64_t)(int64_t)region->offset, true), "");
    return LLVMBuildTrunc(v->builder, sum, i16, "");
}

/* Returns the length of the longest prefix of lanes that forms one region. */
static unsigned region_prefix(const int *offsets, unsigned lanes, struct region *region)
{
    if (region_from_offsets(offsets, lanes, region))
        return lanes;
    unsigned best = 1;
    struct region trial;
    region_from_offsets(offsets, 1, region);
    for (unsigned n = 2; n < lanes; n++)
        if (region_from_offsets(offsets, n, &trial) && (n & (n - 1)) == 0) {
            best = n;
            *region = trial;
        }
    return best;
}

static LLVMValueRef take_lanes(struct variable *v, LLVMValueRef value, unsigned first, unsigned count)
{
    unsigned bytes = type_element_bytes(LLVMTypeOf(value));
    struct region r = {(int)(first * bytes), count, 0, (int)bytes};
    return region_build_read(v->builder, v->module, LLVMVectorType(type_element(LLVMTypeOf(value)), count), value, &r,
                             NULL);
}

static LLVMValueRef take_mask(struct variable *v, LLVMValueRef mask, unsigned first, unsigned count)
{
    LLVMValueRef index[64];
    if (count > 64)
        return NULL;
    for (unsigned i = 0; i < count; i++)
        index[i] = constant_i32(v->module, first + i);
    return LLVMBuildShuffleVector(v->builder, mask, LLVMGetUndef(LLVMTypeOf(mask)), LLVMConstVector(index, count), "");
}

static bool is_whole(const struct region *r, unsigned lanes, unsigned element_bytes, unsigned total)
{
    return r->offset == 0 && r->width == lanes && (lanes == 1 || r->hstride == (int)element_bytes) &&
           lanes * element_bytes == total;
}

/* Reads the lanes at offsets[] (+ dynamic) of `base`, a vector of `element`, as <lanes x element>. */
static LLVMValueRef read_lanes(struct variable *v, LLVMValueRef base, LLVMTypeRef element, const int *offsets,
                               unsigned lanes, LLVMValueRef dynamic)
{
    LLVMTypeRef result = LLVMVectorType(element, lanes);
    struct region region;
    unsigned n = region_prefix(offsets, lanes, &region), bytes = type_element_bytes(element);
    if (n == lanes) {
        if (!dynamic && is_whole(&region, lanes, bytes, v->bytes))
            return base;
        return region_build_read(v->builder, v->module, result, base, &region, region_offset(v, &region, dynamic));
    }
    LLVMValueRef sum = LLVMGetUndef(result);
    for (unsigned first = 0; first < lanes; first += n) {
        n = region_prefix(offsets + first, lanes - first, &region);
        LLVMValueRef piece = region_build_read(v->builder, v->module, LLVMVectorType(element, n), base, &region,
                                               region_offset(v, &region, dynamic));
        struct region to = {(int)(first * bytes), n, 0, (int)bytes};
        sum = region_build_write(v->builder, v->module, sum, piece, &to, NULL, NULL);
    }
    return sum;
}

static LLVMValueRef write_lanes(struct variable *v, LLVMValueRef base, LLVMValueRef value, const int *offsets,
                                unsigned lanes, LLVMValueRef dynamic, LLVMValueRef mask)
{
    unsigned bytes = type_element_bytes(LLVMTypeOf(value)), n;
    for (unsigned first = 0; first < lanes; first += n) {
        struct region region;
        n = region_prefix(offsets + first, lanes - first, &region);
        if (n == lanes && !dynamic && !mask && is_whole(&region, lanes, bytes, v->bytes))
            return value;
        LLVMValueRef piece = n == lanes ? value : take_lanes(v, value, first, n);
        LLVMValueRef part = mask && n != lanes ? take_mask(v, mask, first, n) : mask;
        base =
            region_build_write(v->builder, v->module, base, piece, &region, region_offset(v, &region, dynamic), part);
    }
    return base;
}

static bool aligned(const int *offsets, unsigned lanes, unsigned bytes)
{
    for (unsigned i = 0; i < lanes; i++)
        if (offsets[i] % (int)bytes != 0)
            return false;
    return true;
}

/* Returns byte offsets, for lanes that are not aligned to their size. */
static int *byte_offsets(const int *offsets, unsigned lanes, unsigned bytes)
{
    int *out = ir_calloc((size_t)lanes * bytes, sizeof *out);
    for (unsigned i = 0; i < lanes * bytes; i++)
        out[i] = offsets[i / bytes] + (int)(i % bytes);
    return out;
}

static LLVMValueRef read_vector(struct variable *v, LLVMTypeRef element, const int *offsets, unsigned lanes,
                                LLVMValueRef dynamic)
{
    LLVMValueRef whole = load_variable(v);
    unsigned bytes = type_element_bytes(element);
    LLVMValueRef base = aligned(offsets, lanes, bytes) ? view_as(v, whole, element) : NULL;
    if (base)
        return read_lanes(v, base, element, offsets, lanes, dynamic);
    int *single = byte_offsets(offsets, lanes, bytes);
    LLVMTypeRef i8 = int_type(v, 8);
    LLVMValueRef value = read_lanes(v, view_as(v, whole, i8), i8, single, lanes * bytes, dynamic);
    free(single);
    return LLVMBuildBitCast(v->builder, value, LLVMVectorType(element, lanes), "");
}

static bool write_vector(struct variable *v, LLVMValueRef at, LLVMValueRef value, const int *offsets, unsigned lanes,
                         LLVMValueRef dynamic, LLVMValueRef mask)
{
    LLVMTypeRef element = LLVMGetElementType(LLVMTypeOf(value)), i8 = int_type(v, 8);
    unsigned bytes = type_element_bytes(element);
    struct region region;
    if (!dynamic && !mask && lanes * bytes == v->bytes && region_from_offsets(offsets, lanes, &region) &&
        is_whole(&region, lanes, bytes, v->bytes)) {
        change_variable(v, value);
        return true;
    }
    LLVMValueRef whole = load_variable(v);
    LLVMValueRef base = aligned(offsets, lanes, bytes) ? view_as(v, whole, element) : NULL;
    if (base) {
        base = write_lanes(v, base, value, offsets, lanes, dynamic, mask);
    } else {
        if (mask)
            return lower_error(
                at, "a write under SIMD control flow to lanes that are not aligned to their size: write a vector of "
                    "its own there, and copy it behind SIMD_IF_END");
        int *single = byte_offsets(offsets, lanes, bytes);
        LLVMValueRef split = LLVMBuildBitCast(v->builder, value, LLVMVectorType(i8, lanes * bytes), "");
        base = write_lanes(v, view_as(v, whole, i8), split, single, lanes * bytes, dynamic, NULL);
        free(single);
    }
    change_variable(v, base);
    return true;
}

/* ---- rewriting one access ---- */

static int *contiguous(unsigned lanes, unsigned bytes, int64_t offset)
{
    int *out = ir_calloc(lanes, sizeof *out);
    for (unsigned i = 0; i < lanes; i++)
        out[i] = (int)(offset + (int64_t)i * bytes);
    return out;
}

static bool in_bounds(struct variable *v, const struct access *a, const int *offsets, unsigned lanes, unsigned bytes)
{
    for (unsigned i = 0; i < lanes && !a->dynamic; i++)
        if (offsets[i] < 0 || offsets[i] + (int)bytes > (int)v->bytes)
            return lower_error(a->instruction, "access beyond the vector, matrix or array: byte %d of its %u",
                               offsets[i], v->bytes);
    return true;
}

static LLVMTypeRef lane_type(LLVMTypeRef type)
{
    LLVMTypeRef element = type_element(type);
    return LLVMGetTypeKind(element) == LLVMPointerTypeKind ? LLVMInt64TypeInContext(LLVMGetTypeContext(type)) : element;
}

static LLVMValueRef to_vector(struct variable *v, LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
        value = LLVMBuildPtrToInt(v->builder, value, int_type(v, 64), "");
    if (LLVMGetTypeKind(type) == LLVMVectorTypeKind)
        return value;
    return LLVMBuildInsertElement(v->builder, LLVMGetUndef(LLVMVectorType(LLVMTypeOf(value), 1)), value,
                                  constant_i32(v->module, 0), "");
}

static LLVMValueRef from_vector(struct variable *v, LLVMValueRef value, LLVMTypeRef type)
{
    if (LLVMGetTypeKind(type) == LLVMVectorTypeKind)
        return value;
    value = LLVMBuildExtractElement(v->builder, value, constant_i32(v->module, 0), "");
    return LLVMGetTypeKind(type) == LLVMPointerTypeKind ? LLVMBuildIntToPtr(v->builder, value, type, "") : value;
}

static bool rewrite_load(struct variable *v, const struct access *a)
{
    LLVMTypeRef type = LLVMTypeOf(a->instruction), element = lane_type(type);
    unsigned lanes = type_lanes(type), bits = type_element_bits(element), bytes = type_element_bytes(element);
    if (bits == 0)
        return lower_error(
            a->instruction,
            "a value of a type that registers do not hold is read from a variable: read its members or elements");
    int *offsets = contiguous(lanes, bytes, a->offset);
    bool ok = in_bounds(v, a, offsets, lanes, bytes);
    if (ok) {
        LLVMTypeRef stored = bits < 8 ? int_type(v, 8) : element;
        LLVMValueRef value = read_vector(v, stored, offsets, lanes, a->dynamic);
        value = from_vector(v, value, bits < 8 ? stored : type);
        if (bits < 8)
            value = LLVMBuildTrunc(v->builder, value, type, "");
        LLVMReplaceAllUsesWith(a->instruction, value);
    }
    free(offsets);
    return ok;
}

/* Converts a constant array or struct with one element size to the lanes of a constant vector of `element`. */
static unsigned flatten(LLVMValueRef constant, LLVMValueRef *out, unsigned count, unsigned limit)
{
    LLVMTypeRef type = LLVMTypeOf(constant);
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    if (kind != LLVMArrayTypeKind && kind != LLVMStructTypeKind && kind != LLVMVectorTypeKind) {
        if (count < limit) /* a function pointer, which is a number */
            out[count] = kind == LLVMPointerTypeKind ? LLVMConstPtrToInt(constant, first_leaf(type)) : constant;
        return count + 1;
    }
    unsigned n = kind == LLVMArrayTypeKind    ? (unsigned)LLVMGetArrayLength2(type)
                 : kind == LLVMStructTypeKind ? LLVMCountStructElementTypes(type)
                                              : LLVMGetVectorSize(type);
    for (unsigned i = 0; i < n; i++)
        count = flatten(LLVMGetAggregateElement(constant, i), out, count, limit);
    return count;
}

static LLVMValueRef constant_as_vector(LLVMValueRef constant)
{
    LLVMTypeRef leaf = first_leaf(LLVMTypeOf(constant));
    unsigned count = leaf ? flatten(constant, NULL, 0, 0) : 0;
    if (!count)
        return NULL;
    LLVMValueRef *lanes = ir_calloc(count, sizeof *lanes);
    flatten(constant, lanes, 0, count);
    LLVMValueRef vector = NULL;
    bool same = true;
    for (unsigned i = 0; i < count; i++)
        same = same && LLVMTypeOf(lanes[i]) == leaf;
    if (same)
        vector = LLVMConstVector(lanes, count);
    free(lanes);
    return vector;
}

static bool rewrite_store(struct variable *v, const struct access *a)
{
    LLVMValueRef value = LLVMGetOperand(a->instruction, 0);
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(value));
    if (kind == LLVMArrayTypeKind || kind == LLVMStructTypeKind) {
        value = LLVMIsConstant(value) ? constant_as_vector(value) : NULL;
        if (!value)
            return lower_error(a->instruction, "a structure is written to a variable as one value: write its members");
    } else if (type_element_bits(LLVMTypeOf(value)) < 8) {
        LLVMTypeRef i8 = int_type(v, 8);
        unsigned lanes = type_lanes(LLVMTypeOf(value));
        bool vector = LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMVectorTypeKind;
        value = LLVMBuildZExt(v->builder, value, vector ? LLVMVectorType(i8, lanes) : i8, "");
    }
    value = to_vector(v, value);
    unsigned lanes = type_lanes(LLVMTypeOf(value)), bytes = type_element_bytes(LLVMTypeOf(value));
    int *offsets = contiguous(lanes, bytes, a->offset);
    bool ok = in_bounds(v, a, offsets, lanes, bytes) &&
              write_vector(v, a->instruction, value, offsets, lanes, a->dynamic, NULL);
    free(offsets);
    return ok;
}

/* Returns the offsets of a reference, also those that SIMD control flow would set to 0 in inactive lanes. */
static LLVMValueRef offsets_of_access(LLVMValueRef access)
{
    LLVMValueRef offsets = LLVMGetOperand(access, 1);
    return builtin_call_id(offsets) == BUILTIN_distance ? LLVMGetOperand(offsets, 0) : offsets;
}

enum { NOWHERE = INT_MIN }; /* the offset of a lane that a reference takes from beyond its parent */

/* Returns the constant offsets of a reference; NULL: computed at run time. */
static int *reference_offsets(LLVMValueRef vector, unsigned lanes, int64_t add)
{
    int *out = ir_calloc(lanes, sizeof *out);
    if (constant_words(vector, lanes, add, NOWHERE, out))
        return out;
    free(out);
    return NULL;
}

static bool is_inside(const struct variable *v, const struct access *a, int offset, unsigned bytes)
{
    return offset != NOWHERE && (a->dynamic || (offset >= 0 && offset + (int)bytes <= (int)v->bytes));
}

/* Reads of lanes beyond the variable are undefined: they return the first lane inside it. */
static LLVMValueRef read_inside(struct variable *v, const struct access *a, LLVMTypeRef element, int *offsets,
                                unsigned lanes)
{
    unsigned bytes = type_element_bytes(element), first = 0;
    while (first < lanes && !is_inside(v, a, offsets[first], bytes))
        first++;
    if (first == lanes)
        return LLVMGetUndef(LLVMVectorType(element, lanes));
    for (unsigned i = 0; i < lanes; i++)
        if (!is_inside(v, a, offsets[i], bytes))
            offsets[i] = offsets[first];
    return read_vector(v, element, offsets, lanes, a->dynamic);
}

/* Drops writes of lanes beyond the variable. */
static bool write_inside(struct variable *v, const struct access *a, LLVMValueRef value, const int *offsets,
                         unsigned lanes, LLVMValueRef mask)
{
    unsigned bytes = type_element_bytes(LLVMTypeOf(value)), n;
    for (unsigned first = 0; first < lanes; first += n ? n : 1) {
        for (n = 0; first + n < lanes && is_inside(v, a, offsets[first + n], bytes);)
            n++;
        if (n == lanes)
            return write_vector(v, a->instruction, value, offsets, lanes, a->dynamic, mask);
        if (n > 0 && !write_vector(v, a->instruction, take_lanes(v, value, first, n), offsets + first, n, a->dynamic,
                                   mask ? take_mask(v, mask, first, n) : NULL))
            return false;
    }
    return true;
}

static LLVMValueRef total_offsets(struct variable *v, const struct access *a, LLVMValueRef offsets, unsigned lanes)
{
    LLVMTypeRef i16 = int_type(v, 16), i32 = int_type(v, 32);
    LLVMValueRef add = LLVMConstInt(i32, (uint64_t)a->offset, true);
    if (a->dynamic)
        add = LLVMBuildAdd(v->builder, a->dynamic, add, "");
    add = LLVMBuildTrunc(v->builder, add, i16, "");
    return LLVMBuildAdd(v->builder, offsets, ir_build_splat(v->builder, add, lanes), "");
}

/* Reads with one address per lane (iselect). */
static bool read_indirect(struct variable *v, const struct access *a, unsigned lanes)
{
    LLVMTypeRef element = LLVMGetElementType(LLVMTypeOf(a->instruction));
    LLVMValueRef base = view_as(v, load_variable(v), element);
    if (!base)
        return lower_error(
            a->instruction,
            "an indexed read of elements whose size does not divide the variable's: declare it with as many bytes "
            "as whole elements have");
    struct region region = {0, 1, 0, 0};
    LLVMValueRef offsets = total_offsets(v, a, LLVMGetOperand(a->instruction, 1), lanes);
    LLVMReplaceAllUsesWith(
        a->instruction, region_build_read(v->builder, v->module, LLVMTypeOf(a->instruction), base, &region, offsets));
    return true;
}

static bool write_indirect(struct variable *v, const struct access *a, unsigned lanes, LLVMValueRef mask)
{
    LLVMValueRef value = LLVMGetOperand(a->instruction, 2);
    LLVMValueRef base = view_as(v, load_variable(v), LLVMGetElementType(LLVMTypeOf(value)));
    LLVMValueRef offsets = total_offsets(v, a, LLVMGetOperand(a->instruction, 1), lanes);
    if (!base)
        return lower_error(
            a->instruction,
            "an indexed write of elements whose size does not divide the variable's: declare it with as many bytes "
            "as whole elements have");
    struct region region = {0, 1, 0, 0};
    for (unsigned i = 0; i < lanes; i++) {
        LLVMValueRef offset = LLVMBuildExtractElement(v->builder, offsets, constant_i32(v->module, i), "");
        LLVMValueRef part = mask ? take_mask(v, mask, i, 1) : NULL;
        base = region_build_write(v->builder, v->module, base, take_lanes(v, value, i, 1), &region, offset, part);
    }
    change_variable(v, base);
    return true;
}

static struct shape shape_of(LLVMValueRef vector, unsigned lanes)
{
    struct shape shape = {0};
    int *offsets = reference_offsets(vector, lanes, 0);
    for (unsigned k = 0; offsets && k < lanes; k++) {
        shape.is_region = (k == 0 || shape.is_region) && offsets[k] != NOWHERE;
        shape.first = k == 0 || offsets[k] < shape.first ? offsets[k] : shape.first;
        shape.end = k == 0 || offsets[k] > shape.end ? offsets[k] : shape.end;
    }
    shape.is_region = shape.is_region && region_from_offsets(offsets, lanes, &shape.region);
    free(offsets);
    return shape;
}

/* True if an access is one region inside the variable, of aligned elements. *region starts at the variable if no
 * run-time offset is added. */
static bool is_one_region(struct variable *v, const struct access *a, unsigned lanes, unsigned bytes,
                          struct region *region)
{
    LLVMValueRef offsets = offsets_of_access(a->instruction);
    size_t number;
    if (!v->shapes || !LLVMIsConstant(offsets) || type_lanes(LLVMTypeOf(offsets)) != lanes)
        return false;
    if (!pointer_map_get(&v->shapes->numbers, offsets, &number)) {
        pointer_map_set(&v->shapes->numbers, offsets, number = v->shapes->count);
        ARRAY_PUSH(v->shapes->list, v->shapes->count, v->shapes->capacity, shape_of(offsets, lanes));
    }
    const struct shape *shape = &v->shapes->list[number];
    *region = shape->region;
    region->offset += (int)a->offset;
    int size = (int)bytes;
    return shape->is_region && region->offset % size == 0 && region->hstride % size == 0 &&
           region->vstride % size == 0 && v->bytes % bytes == 0 &&
           (a->dynamic || (shape->first + a->offset >= 0 && shape->end + a->offset + size <= (int64_t)v->bytes));
}

static void read_region(struct variable *v, const struct access *a, LLVMTypeRef type, const struct region *region)
{
    LLVMTypeRef element = lane_type(type);
    unsigned lanes = type_lanes(type), bytes = type_element_bytes(element);
    LLVMValueRef value = view_as(v, load_variable(v), element);
    if (a->dynamic || !is_whole(region, lanes, bytes, v->bytes))
        value = region_build_read(v->builder, v->module, LLVMVectorType(element, lanes), value, region,
                                  region_offset(v, region, a->dynamic));
    LLVMReplaceAllUsesWith(a->instruction, from_vector(v, value, type));
}

static void write_region(struct variable *v, const struct access *a, LLVMValueRef value, LLVMValueRef mask,
                         const struct region *region)
{
    LLVMTypeRef element = LLVMGetElementType(LLVMTypeOf(value));
    if (a->dynamic || mask || !is_whole(region, type_lanes(LLVMTypeOf(value)), type_element_bytes(element), v->bytes))
        value = region_build_write(v->builder, v->module, view_as(v, load_variable(v), element), value, region,
                                   region_offset(v, region, a->dynamic), mask);
    change_variable(v, value);
}

/* Rewrites an access of arbitrary lanes, of which some may be beyond the variable. */
static bool rewrite_lanes(struct variable *v, const struct access *a, LLVMValueRef written, LLVMTypeRef type,
                          LLVMValueRef mask)
{
    unsigned lanes = type_lanes(type);
    int *offsets = reference_offsets(offsets_of_access(a->instruction), lanes, a->offset);
    if (!offsets)
        return written ? write_indirect(v, a, lanes, mask) : read_indirect(v, a, lanes);
    bool ok = true;
    if (written)
        ok = write_inside(v, a, written, offsets, lanes, mask);
    else
        LLVMReplaceAllUsesWith(a->instruction,
                               from_vector(v, read_inside(v, a, lane_type(type), offsets, lanes), type));
    free(offsets);
    return ok;
}

static bool rewrite_reference(struct variable *v, const struct access *a, bool write)
{
    LLVMValueRef call = a->instruction;
    LLVMTypeRef type = write ? LLVMTypeOf(LLVMGetOperand(call, 2)) : LLVMTypeOf(call);
    LLVMValueRef mask = write && LLVMGetNumArgOperands(call) == 4 ? LLVMGetOperand(call, 3) : NULL;
    if (mask && constant_mask_is_full(mask))
        mask = NULL;
    LLVMValueRef written = write ? to_vector(v, LLVMGetOperand(call, 2)) : NULL;
    struct region region;
    if (!is_one_region(v, a, type_lanes(type), type_element_bytes(lane_type(type)), &region))
        return rewrite_lanes(v, a, written, type, mask);
    if (write)
        write_region(v, a, written, mask, &region);
    else
        read_region(v, a, type, &region);
    return true;
}

static bool rewrite_access(const struct access *a)
{
    struct variable *v = a->variable;
    LLVMValueRef i = a->instruction;
    LLVMPositionBuilderBefore(v->builder, i);
    LLVMSetCurrentDebugLocation2(v->builder, LLVMInstructionGetDebugLoc(i));
    bool ok = true;
    if (LLVMIsALoadInst(i))
        ok = rewrite_load(v, a);
    else if (LLVMIsAStoreInst(i))
        ok = rewrite_store(v, a);
    else if (!ir_calls_named(i, "llvm.lifetime."))
        ok = rewrite_reference(v, a, builtin_call_id(i) != BUILTIN_rdref);
    if (ok)
        LLVMInstructionEraseFromParent(i);
    return ok;
}

/* ---- variables ---- */

static bool set_type(struct variable *v, LLVMTypeRef type)
{
    LLVMTypeRef leaf = first_leaf(type);
    v->bytes = type_bytes(v->module, type);
    if (!leaf || v->bytes == 0)
        return false;
    if (type_element_bits(leaf) < 8 || v->bytes % type_element_bytes(leaf) != 0)
        leaf = int_type(v, 8);
    v->type = LLVMVectorType(leaf, v->bytes / type_element_bytes(leaf));
    return true;
}

/* Erases an unused address and the addresses computed from it. */
static void erase_dead_address(LLVMValueRef address)
{
    for (LLVMUseRef next, use = LLVMGetFirstUse(address); use; use = next) {
        LLVMValueRef user = LLVMGetUser(use);
        next = LLVMGetNextUse(use);
        if (LLVMIsAGetElementPtrInst(user) || LLVMIsABitCastInst(user) || LLVMIsAAddrSpaceCastInst(user))
            erase_dead_address(user);
    }
    if (LLVMIsAInstruction(address) && !LLVMGetFirstUse(address))
        LLVMInstructionEraseFromParent(address);
}

static bool rewrite_constant(struct variable *v)
{
    bool ok = find_accesses(v, v->root, 0, NULL);
    for (size_t i = 0; ok && i < v->count; i++)
        ok = rewrite_access(&v->accesses[i]);
    free(v->accesses);
    if (ok)
        erase_dead_address(v->root);
    return ok;
}

static bool give_storage(struct variable *v)
{
    LLVMPositionBuilderBefore(v->builder, v->root);
    v->storage = LLVMBuildAlloca(v->builder, v->type, LLVMGetValueName2(v->root, &(size_t){0}));
    return find_accesses(v, v->root, 0, NULL);
}

static bool is_private_memory(LLVMValueRef address)
{
    while (LLVMIsAGetElementPtrInst(address) || LLVMIsABitCastInst(address))
        address = LLVMGetOperand(address, 0);
    return LLVMIsAAllocaInst(address) || LLVMIsAGlobalVariable(address) || LLVMIsAConstantExpr(address);
}

/* Returns the largest integer size, up to dwords, that divides `bytes` at such an alignment. */
static unsigned largest_unit(unsigned alignment, unsigned bytes)
{
    unsigned unit = alignment > 4 ? 4 : alignment ? alignment : 1;
    while (bytes % unit)
        unit /= 2;
    return unit;
}

/* Returns the alignment that a copy declares for operand `k`. */
static unsigned copied_alignment(LLVMValueRef copy, unsigned k)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("align", 5);
    LLVMAttributeRef align = LLVMGetCallSiteEnumAttribute(copy, k + 1, kind);
    return align ? (unsigned)LLVMGetEnumAttributeValue(align) : 1;
}

/* Returns the address of element `n` of `type` behind a pointer. */
static LLVMValueRef behind(LLVMBuilderRef builder, LLVMTypeRef type, LLVMValueRef pointer, unsigned n)
{
    LLVMValueRef index = LLVMConstInt(LLVMInt64TypeInContext(LLVMGetTypeContext(type)), n, false);
    return LLVMBuildGEP2(builder, type, pointer, &index, 1, "");
}

/* Accesses of memory behind a pointer are split into numbers, like members. */
static LLVMValueRef load_vector(LLVMBuilderRef builder, LLVMTypeRef vector, LLVMValueRef source, unsigned alignment)
{
    if (is_private_memory(source))
        return LLVMBuildLoad2(builder, vector, source, "");
    LLVMContextRef context = LLVMGetTypeContext(vector);
    unsigned bytes = type_lanes(vector) * type_element_bytes(vector), unit = largest_unit(alignment, bytes);
    LLVMTypeRef type = LLVMIntTypeInContext(context, 8 * unit);
    LLVMValueRef all = LLVMGetUndef(LLVMVectorType(type, bytes / unit));
    for (unsigned n = 0; n < bytes / unit; n++) {
        LLVMValueRef number = LLVMBuildLoad2(builder, type, behind(builder, type, source, n), "");
        all = LLVMBuildInsertElement(builder, all, number, LLVMConstInt(LLVMInt32TypeInContext(context), n, false), "");
    }
    return LLVMBuildBitCast(builder, all, vector, "");
}

static void store_vector(LLVMBuilderRef builder, LLVMValueRef value, LLVMValueRef to, unsigned alignment)
{
    if (is_private_memory(to)) {
        LLVMBuildStore(builder, value, to);
        return;
    }
    LLVMTypeRef vector = LLVMTypeOf(value);
    LLVMContextRef context = LLVMGetTypeContext(vector);
    unsigned bytes = type_lanes(vector) * type_element_bytes(vector), unit = largest_unit(alignment, bytes);
    LLVMTypeRef type = LLVMIntTypeInContext(context, 8 * unit);
    LLVMValueRef all = LLVMBuildBitCast(builder, value, LLVMVectorType(type, bytes / unit), "");
    for (unsigned n = 0; n < bytes / unit; n++) {
        LLVMValueRef lane = LLVMConstInt(LLVMInt32TypeInContext(context), n, false);
        LLVMBuildStore(builder, LLVMBuildExtractElement(builder, all, lane, ""), behind(builder, type, to, n));
    }
}

/* Splits vector accesses of memory behind a pointer, which LLVM creates from copies of vector parameters. */
static void split_vector_accesses(LLVMBuilderRef builder, LLVMValueRef kernel)
{
    FOR_EACH_BLOCK(block, kernel)
    FOR_EACH_REMOVABLE(i, block)
    {
        bool store = LLVMIsAStoreInst(i) != NULL;
        if (!store && !LLVMIsALoadInst(i))
            continue;
        LLVMValueRef pointer = LLVMGetOperand(i, store ? 1 : 0), value = store ? LLVMGetOperand(i, 0) : i;
        LLVMTypeRef type = LLVMTypeOf(value);
        if (LLVMGetTypeKind(type) != LLVMVectorTypeKind || type_element_bits(type) < 8 || is_private_memory(pointer))
            continue;
        LLVMPositionBuilderBefore(builder, i);
        if (store)
            store_vector(builder, value, pointer, LLVMGetAlignment(i));
        else
            LLVMReplaceAllUsesWith(i, load_vector(builder, type, pointer, LLVMGetAlignment(i)));
        LLVMInstructionEraseFromParent(i);
    }
}

/* Lowers memcpy and memset to a load and a store of bytes, which the rewriting of variables handles for private memory.
 * `early`: skips copies whose size may still become constant. */
static bool lower_copies(LLVMModuleRef module, LLVMBuilderRef builder, LLVMValueRef kernel, bool early)
{
    enum { MOST = 65536, MOST_IN_MEMORY = 1024 };
    LLVMTypeRef i8 = LLVMInt8TypeInContext(LLVMGetModuleContext(module));
    if (!ir_module_calls(module, "llvm.mem"))
        return true;
    FOR_EACH_BLOCK(block, kernel)
    FOR_EACH_REMOVABLE(i, block)
    {
        bool copy = ir_calls_named(i, "llvm.memcpy.") || ir_calls_named(i, "llvm.memmove.");
        if (!copy && !ir_calls_named(i, "llvm.memset."))
            continue;
        int64_t length;
        bool known = constant_int(LLVMGetOperand(i, 2), &length);
        if (!known && early)
            continue;
        if (!known || length <= 0 || length > MOST)
            return lower_error(i, "copy of memory whose size is not a constant");
        bool in_memory = !is_private_memory(LLVMGetOperand(i, 0)) || (copy && !is_private_memory(LLVMGetOperand(i, 1)));
        if (in_memory && length > MOST_IN_MEMORY)
            return lower_error(i, "copy of %lld bytes through a pointer: at most %d; read and write blocks of vectors",
                               (long long)length, MOST_IN_MEMORY);
        LLVMPositionBuilderBefore(builder, i);
        LLVMTypeRef bytes = LLVMVectorType(i8, (unsigned)length);
        LLVMValueRef source = LLVMGetOperand(i, 1), value;
        if (copy) {
            value = load_vector(builder, bytes, source, copied_alignment(i, 1));
        } else {
            LLVMTypeRef i32 = LLVMInt32TypeInContext(LLVMGetModuleContext(module));
            value = LLVMBuildInsertElement(builder, LLVMGetUndef(bytes), source, LLVMConstNull(i32), "");
            value = LLVMBuildShuffleVector(builder, value, LLVMGetUndef(bytes),
                                           LLVMConstNull(LLVMVectorType(i32, (unsigned)length)), "");
        }
        store_vector(builder, value, LLVMGetOperand(i, 0), copied_alignment(i, 0));
        LLVMInstructionEraseFromParent(i);
    }
    return true;
}

/* True if every access through `address` is at an offset that is known now. */
static bool is_accessed_at_constants(LLVMValueRef address)
{
    for (LLVMUseRef use = LLVMGetFirstUse(address); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        enum builtin_id id = builtin_call_id(user);
        if (LLVMIsAGetElementPtrInst(user)) {
            for (int k = 1; k < LLVMGetNumOperands(user); k++)
                if (!LLVMIsAConstantInt(LLVMGetOperand(user, (unsigned)k)))
                    return false;
            if (!is_accessed_at_constants(user))
                return false;
        } else if (is_reference_access(id)) {
            if (LLVMGetOperand(user, 0) != address || !LLVMIsConstant(offsets_of_access(user)))
                return false;
        } else if (!LLVMIsALoadInst(user) && !(LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == address) &&
                   !ir_calls_named(user, "llvm.lifetime.")) {
            return false;
        }
    }
    return true;
}

/* The variables of a kernel, rewritten together block by block, so that an access sees the value that the one before
 * left. */
struct variables {
    LLVMModuleRef module;
    LLVMBuilderRef builder;
    struct variable *list;
    size_t count;
    struct pointer_map accesses; /* instruction to its struct access */
    struct shapes shapes;
};

static LLVMTypeRef type_of_alloca(LLVMValueRef alloca)
{
    int64_t elements = 1;
    constant_int(LLVMGetOperand(alloca, 0), &elements);
    LLVMTypeRef type = LLVMGetAllocatedType(alloca);
    return elements > 1 ? LLVMArrayType2(type, (uint64_t)elements) : type;
}

/* True for lane masks of SIMD control flow, which are already accessed as a whole. */
static bool is_lane_mask(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind && type_is_mask(type);
}

static bool add_variable(struct variables *all, LLVMValueRef root)
{
    LLVMTypeRef type = type_of_alloca(root);
    struct variable *v = &all->list[all->count++];
    *v = (struct variable){.module = all->module, .builder = all->builder, .shapes = &all->shapes, .root = root};
    if (!set_type(v, type))
        return lower_error(root, "a variable of a type that registers do not hold: they hold numbers, pointers, and "
                                 "vectors, arrays and structures "
                                 "of them");
    if (!give_storage(v))
        return false;
    for (size_t i = 0; i < v->count; i++)
        pointer_map_set(&all->accesses, v->accesses[i].instruction, (size_t)&v->accesses[i]);
    return true;
}

static bool find_variables(struct variables *all, LLVMValueRef kernel, bool early)
{
    LLVMValueRef *roots = NULL;
    size_t count = 0, capacity = 0;
    FOR_EACH_BLOCK(block, kernel)
    FOR_EACH_INSTRUCTION(i, block)
    if (LLVMIsAAllocaInst(i))
        ARRAY_PUSH(roots, count, capacity, i);
    all->list = ir_calloc(count, sizeof *all->list);
    bool ok = true;
    for (size_t i = 0; ok && i < count; i++) {
        if ((early && !is_accessed_at_constants(roots[i])) || is_lane_mask(type_of_alloca(roots[i])))
            continue;
        if (!LLVMGetFirstUse(roots[i]))
            LLVMInstructionEraseFromParent(roots[i]);
        else
            ok = add_variable(all, roots[i]);
    }
    free(roots);
    return ok;
}

/* Stores changed variables at the end of the block; later passes remove stores that are never loaded. */
static void store_changed(struct variables *all, struct variable **changed, size_t count, LLVMBasicBlockRef block)
{
    LLVMPositionBuilderBefore(all->builder, LLVMGetBasicBlockTerminator(block));
    for (size_t n = 0; n < count; n++) {
        LLVMBuildStore(all->builder, changed[n]->current, changed[n]->storage);
        changed[n]->is_changed = false;
    }
}

static bool rewrite_accesses(struct variables *all, LLVMValueRef kernel)
{
    struct variable **changed = NULL;
    size_t count = 0, capacity = 0, found;
    bool ok = true;
    FOR_EACH_BLOCK(block, kernel)
    {
        count = 0;
        FOR_EACH_REMOVABLE(i, block)
        {
            if (!ok || !pointer_map_get(&all->accesses, i, &found))
                continue;
            struct variable *v = ((const struct access *)found)->variable;
            bool before = v->is_changed;
            ok = rewrite_access((const struct access *)found);
            if (v->is_changed && !before)
                ARRAY_PUSH(changed, count, capacity, v);
        }
        if (ok && count)
            store_changed(all, changed, count, block);
    }
    free(changed);
    return ok;
}

static bool rewrite_kernel(LLVMModuleRef module, LLVMBuilderRef builder, LLVMValueRef kernel, bool early)
{
    struct variables all = {.module = module, .builder = builder};
    if (!early) {
        load_from_each_choice(module, builder, kernel);
        gep_to_offsets(module, builder, kernel);
    }
    split_vector_accesses(builder, kernel);
    bool ok = lower_copies(module, builder, kernel, early) && find_variables(&all, kernel, early) &&
              rewrite_accesses(&all, kernel);
    for (size_t n = 0; n < all.count; n++) {
        if (ok)
            erase_dead_address(all.list[n].root);
        free(all.list[n].accesses);
    }
    pointer_map_free(&all.accesses);
    pointer_map_free(&all.shapes.numbers);
    free(all.shapes.list);
    free(all.list);
    return ok;
}

static bool has_instruction_user(LLVMValueRef value)
{
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsAInstruction(user) || (LLVMIsAConstantExpr(user) && has_instruction_user(user)))
            return true;
    }
    return false;
}

/* Converts constant tables with run-time indices to constant vectors (constant indices were folded before). */
static bool rewrite_constants(LLVMModuleRef module, LLVMBuilderRef builder)
{
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g)) {
        LLVMValueRef initial = LLVMGetInitializer(g);
        if (!LLVMGetFirstUse(g) || !LLVMIsGlobalConstant(g) || !initial || ir_is_named(g, "llvm."))
            continue;
        struct variable v = {.module = module, .builder = builder, .root = g};
        if (!has_instruction_user(g))
            continue;
        v.constant = constant_as_vector(initial);
        if (!v.constant || !set_type(&v, LLVMGlobalGetValueType(g)) || LLVMTypeOf(v.constant) != v.type)
            return lower_error(LLVMGetUser(LLVMGetFirstUse(g)),
                               "a constant table of a type that registers do not hold: they hold numbers, and arrays "
                               "and structures of them");
        if (!rewrite_constant(&v))
            return false;
    }
    return true;
}

static bool rewrite_kernels(LLVMModuleRef module, bool early)
{
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    bool ok = true;
    FOR_EACH_FUNCTION(f, module)
    if (ok && function_is_lowered(f))
        ok = rewrite_kernel(module, builder, f, early);
    ok = ok && (early || rewrite_constants(module, builder));
    LLVMDisposeBuilder(builder);
    return ok;
}

bool pass_alloca_to_vector_early(LLVMModuleRef module, const struct lower_options *options)
{
    (void)options;
    return rewrite_kernels(module, true);
}

bool pass_alloca_to_vector(LLVMModuleRef module, const struct lower_options *options)
{
    (void)options;
    return rewrite_kernels(module, false);
}
