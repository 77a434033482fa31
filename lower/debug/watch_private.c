/* Follows pointers to private variables: see watch_private.h.
 *
 * A private variable is an alloca here, or several ones. Which variable it is, and which part of it, say the watches
 * that read it. */
#include "lower/debug/watch_private.h"

#include <stdlib.h>
#include <string.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>
#include "lower/debug/watch_parts.h"
#include "lower/ir/debug_metadata.h"
#include "lower/ir/gep_offset.h"
#include "lower/ir/watch.h"

void watch_private_open(struct watch_private *p, LLVMModuleRef module, LLVMBuilderRef builder)
{
    unsigned count;
    *p = (struct watch_private){.module = module, .context = LLVMGetModuleContext(module), .builder = builder};
    p->variables = watch_variables_of(module, &count);
}

void watch_private_close(struct watch_private *p)
{
    pointer_map_free(&p->offsets);
    free(p->shadows);
    free(p->variables);
    *p = (struct watch_private){0};
}

/* ---- which variable ---- */

/* The type of a watched variable, without typedef and const. */
static LLVMMetadataRef type_of(const struct watch_private *p, LLVMMetadataRef variable)
{
    return debug_plain_type(p->context, debug_operand(p->context, variable, DEBUG_VARIABLE_TYPE));
}

/* True if the home of a variable of this type has what its memory has. What a reference names is not its own. */
static bool has_memory(LLVMMetadataRef type)
{
    unsigned tag = type ? LLVMGetDINodeTag(type) : DEBUG_REFERENCE;
    return tag != DEBUG_REFERENCE && tag != DEBUG_MOVED_REFERENCE && !debug_is_reference_class(type);
}

/* True for a structure or class whose home has what its memory has, and that is no union itself. */
static bool has_members(LLVMMetadataRef type)
{
    unsigned tag = LLVMGetDINodeTag(type);
    return (tag == DEBUG_STRUCTURE || tag == DEBUG_CLASS) && has_memory(type);
}

/* What the watches that read an alloca say. */
struct owner {
    struct watch_target target;
    int64_t delta;     /* from an offset in the alloca to one in the variable */
    bool is_ambiguous; /* there are several variables; one that is in the same copy of a function as `near` is taken */
    LLVMMetadataRef near;
};

static void add_owner(const struct watch_private *p, struct owner *o, LLVMValueRef watch, int64_t offset)
{
    struct watch_target found = {p->variables[constant_of(watch, WATCH_VARIABLE)], LLVMInstructionGetDebugLoc(watch)};
    int64_t delta = constant_of(watch, WATCH_OFFSET) - offset;
    if (!found.place || !has_memory(type_of(p, found.variable)))
        return;
    LLVMMetadataRef copy = LLVMDILocationGetInlinedAt(found.place);
    bool is_near = copy == o->near;
    if (o->target.variable) {
        LLVMMetadataRef known = LLVMDILocationGetInlinedAt(o->target.place);
        if (o->target.variable == found.variable && known == copy) {
            o->is_ambiguous |= delta != o->delta;
            return;
        }
        bool was_near = known == o->near;
        if (is_near == was_near)
            o->is_ambiguous = true;
        if (is_near <= was_near)
            return;
        o->is_ambiguous = false;
    }
    o->target = found;
    o->delta = delta;
}

static void find_owner(const struct watch_private *p, struct owner *o, LLVMValueRef address, int64_t offset)
{
    for (LLVMUseRef use = LLVMGetFirstUse(address); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use), dynamic = NULL;
        int64_t at = offset;
        if (LLVMIsAGetElementPtrInst(user) && gep_is_constant(user)) {
            gep_add(p->module, p->builder, user, &at, &dynamic);
            find_owner(p, o, user, at);
        } else if (LLVMIsALoadInst(user)) {
            for (LLVMUseRef read = LLVMGetFirstUse(user); read; read = LLVMGetNextUse(read))
                if (ir_is_watch(LLVMGetUser(read)))
                    add_owner(p, o, LLVMGetUser(read), offset);
        }
    }
}

/* Finds the variable of an alloca. False: there is none, or there are several. */
static bool owner_of(const struct watch_private *p, LLVMValueRef slot, LLVMMetadataRef near, struct owner *o)
{
    *o = (struct owner){.near = near};
    find_owner(p, o, slot, 0);
    return o->target.variable && !o->is_ambiguous;
}

/* ---- what a pointer may be ---- */

enum { MOST_SEEN = 32 };

struct following {
    const struct watch_private *private;
    struct watch_target *target;
    LLVMMetadataRef near;
    struct {
        LLVMValueRef value; /* a phi or select, or a private variable */
        int64_t at;         /* of a pointer in that variable */
    } seen[MOST_SEEN];
    unsigned count;
};

static bool follow(struct following *f, LLVMValueRef pointer);

/* Returns 1: it was seen; 0: it was not; -1: too many were. */
static int note_seen(struct following *f, LLVMValueRef value, int64_t at)
{
    for (unsigned k = 0; k < f->count; k++)
        if (f->seen[k].value == value && f->seen[k].at == at)
            return 1;
    if (f->count == MOST_SEEN)
        return -1;
    f->seen[f->count].value = value;
    f->seen[f->count++].at = at;
    return 0;
}

/* Finds the private variable and the byte of it that an address is; NULL: none, or at an offset of run time. */
static LLVMValueRef slot_of(const struct watch_private *p, LLVMValueRef address, int64_t *at)
{
    LLVMValueRef dynamic = NULL;
    for (*at = 0; LLVMIsAGetElementPtrInst(address); address = LLVMGetOperand(address, 0)) {
        if (!gep_is_constant(address))
            return NULL;
        gep_add(p->module, p->builder, address, at, &dynamic);
    }
    return LLVMIsAAllocaInst(address) ? address : NULL;
}

static bool is_pointer(LLVMValueRef value)
{
    return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind;
}

enum { POINTER_BYTES = 8 };

/* The bytes that an instruction writes to an address; 0: none; INT64_MAX: not known. */
static int64_t bytes_written(const struct watch_private *p, LLVMValueRef i, LLVMValueRef address)
{
    if (LLVMIsALoadInst(i) || ir_is_watch(i) || ir_calls_named(i, "llvm.lifetime."))
        return 0;
    if (LLVMIsAStoreInst(i) && LLVMGetOperand(i, 0) != address)
        return (int64_t)LLVMABISizeOfType(LLVMGetModuleDataLayout(p->module), LLVMTypeOf(LLVMGetOperand(i, 0)));
    if (!ir_calls_named(i, "llvm.mem"))
        return INT64_MAX;
    LLVMValueRef size = LLVMGetOperand(i, 2);
    if (LLVMGetOperand(i, 0) != address)
        return 0;
    return LLVMIsAConstantInt(size) ? (int64_t)LLVMConstIntGetZExtValue(size) : INT64_MAX;
}

/* Follows what is written to the pointer at byte `wanted` of a private variable, by way of `address`, its byte `at`. */
static bool follow_writes(struct following *f, LLVMValueRef address, int64_t at, int64_t wanted)
{
    for (LLVMUseRef use = LLVMGetFirstUse(address); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use), dynamic = NULL;
        int64_t inside = at;
        if (LLVMIsAGetElementPtrInst(user)) {
            if (!gep_is_constant(user))
                return false;
            gep_add(f->private->module, f->private->builder, user, &inside, &dynamic);
            if (!follow_writes(f, user, inside, wanted))
                return false;
            continue;
        }
        int64_t bytes = bytes_written(f->private, user, address);
        if (bytes == 0 || at >= wanted + POINTER_BYTES || (bytes != INT64_MAX && at + bytes <= wanted))
            continue;
        bool is_whole = LLVMIsAStoreInst(user) && at == wanted && is_pointer(LLVMGetOperand(user, 0));
        if (!is_whole || !follow(f, LLVMGetOperand(user, 0)))
            return false;
    }
    return true;
}

/* The same of a pointer that is read from a private variable. */
static bool follow_load(struct following *f, LLVMValueRef load)
{
    int64_t at;
    LLVMValueRef slot = slot_of(f->private, LLVMGetOperand(load, 0), &at);
    int seen = slot ? note_seen(f, slot, at) : -1;
    return seen > 0 || (seen == 0 && follow_writes(f, slot, 0, at));
}

static bool follow_all(struct following *f, LLVMValueRef joined)
{
    int seen = note_seen(f, joined, 0);
    if (seen != 0)
        return seen > 0;
    for (int k = LLVMIsASelectInst(joined) ? 1 : 0; k < LLVMGetNumOperands(joined); k++)
        if (!follow(f, LLVMGetOperand(joined, (unsigned)k)))
            return false;
    return true;
}

static bool follow(struct following *f, LLVMValueRef pointer)
{
    struct owner o;
    if (LLVMIsNull(pointer) || LLVMIsUndef(pointer) || LLVMIsPoison(pointer))
        return true;
    if (LLVMIsAGetElementPtrInst(pointer))
        return follow(f, LLVMGetOperand(pointer, 0));
    if (LLVMIsAPHINode(pointer) || LLVMIsASelectInst(pointer))
        return follow_all(f, pointer);
    if (LLVMIsALoadInst(pointer))
        return follow_load(f, pointer);
    if (!LLVMIsAAllocaInst(pointer) || !owner_of(f->private, pointer, f->near, &o))
        return false;
    if (!f->target->variable)
        *f->target = o.target;
    return f->target->variable == o.target.variable &&
           LLVMDILocationGetInlinedAt(f->target->place) == LLVMDILocationGetInlinedAt(o.target.place);
}

/* The copy of a function that a watch is in. */
static LLVMMetadataRef copy_of(LLVMValueRef watch)
{
    LLVMMetadataRef place = LLVMInstructionGetDebugLoc(watch);
    return place ? LLVMDILocationGetInlinedAt(place) : NULL;
}

bool watch_private_find(const struct watch_private *p, LLVMValueRef watch, struct watch_target *target)
{
    struct following f = {.private = p, .target = target, .near = copy_of(watch)};
    LLVMMetadataRef type = type_of(p, p->variables[constant_of(watch, WATCH_VARIABLE)]);
    bool is_variable = type && LLVMGetDINodeTag(type) == DEBUG_POINTER && constant_of(watch, WATCH_OFFSET) == 0;
    if (!is_variable && !(type && (LLVMGetDINodeTag(type) == DEBUG_ARRAY || has_members(type))))
        return false;
    return follow(&f, LLVMGetOperand(watch, WATCH_VALUE));
}

/* ---- where it points ---- */

static LLVMValueRef offset_of(struct watch_private *p, LLVMValueRef pointer, LLVMMetadataRef near);

static LLVMValueRef join(struct watch_private *p, LLVMValueRef phi, LLVMMetadataRef near)
{
    LLVMTypeRef i32 = LLVMInt32TypeInContext(p->context);
    LLVMValueRef joined = LLVMBuildPhi(p->builder, i32, "");
    pointer_map_set(&p->offsets, phi, (size_t)joined);
    for (unsigned k = 0; k < LLVMCountIncoming(phi); k++) {
        LLVMValueRef offset = offset_of(p, LLVMGetIncomingValue(phi, k), near);
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, k);
        LLVMAddIncoming(joined, &offset, &from, 1);
    }
    return joined;
}

static LLVMValueRef add_offset(struct watch_private *p, LLVMValueRef gep, LLVMMetadataRef near)
{
    int64_t constant = 0;
    LLVMTypeRef i32 = LLVMInt32TypeInContext(p->context);
    LLVMValueRef dynamic = NULL, base = offset_of(p, LLVMGetOperand(gep, 0), near);
    LLVMPositionBuilderBefore(p->builder, gep);
    gep_add(p->module, p->builder, gep, &constant, &dynamic);
    LLVMPositionBuilderBefore(p->builder, gep);
    if (dynamic)
        base = LLVMBuildAdd(p->builder, base, dynamic, "");
    return LLVMBuildAdd(p->builder, base, LLVMConstInt(i32, (uint64_t)constant, true), "");
}

/* Writes the offset of each pointer that is written to byte `wanted` of a private variable to its shadow. */
static void shadow_writes(struct watch_private *p, LLVMValueRef address, int64_t at, const struct watch_shadow *shadow,
                          LLVMMetadataRef near)
{
    for (LLVMUseRef use = LLVMGetFirstUse(address); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use), dynamic = NULL;
        int64_t inside = at;
        if (LLVMIsAGetElementPtrInst(user)) {
            gep_add(p->module, p->builder, user, &inside, &dynamic);
            shadow_writes(p, user, inside, shadow, near);
        } else if (LLVMIsAStoreInst(user) && at == shadow->at && LLVMGetOperand(user, 1) == address) {
            LLVMValueRef offset = offset_of(p, LLVMGetOperand(user, 0), near);
            LLVMPositionBuilderBefore(p->builder, user);
            LLVMBuildStore(p->builder, offset, shadow->offset);
        }
    }
}

/* The offset of a pointer in a private variable is in another variable, its shadow. */
static LLVMValueRef loaded_offset(struct watch_private *p, LLVMValueRef load, LLVMMetadataRef near)
{
    LLVMTypeRef i32 = LLVMInt32TypeInContext(p->context);
    struct watch_shadow made = {0};
    made.slot = slot_of(p, LLVMGetOperand(load, 0), &made.at);
    size_t k = 0;
    while (k < p->shadow_count && (p->shadows[k].slot != made.slot || p->shadows[k].at != made.at))
        k++;
    if (k == p->shadow_count) {
        LLVMPositionBuilderBefore(p->builder, made.slot);
        made.offset = LLVMBuildAlloca(p->builder, i32, "");
        ARRAY_PUSH(p->shadows, p->shadow_count, p->shadow_capacity, made);
        shadow_writes(p, made.slot, 0, &made, near);
    }
    LLVMPositionBuilderBefore(p->builder, load);
    return LLVMBuildLoad2(p->builder, i32, p->shadows[k].offset, "");
}

/* The offset is computed where the pointer is. */
static LLVMValueRef offset_of(struct watch_private *p, LLVMValueRef pointer, LLVMMetadataRef near)
{
    struct owner o;
    size_t known;
    LLVMTypeRef i32 = LLVMInt32TypeInContext(p->context);
    if (LLVMIsUndef(pointer) || LLVMIsPoison(pointer))
        return LLVMGetUndef(i32);
    if (LLVMIsNull(pointer))
        return LLVMConstNull(i32);
    if (pointer_map_get(&p->offsets, pointer, &known))
        return (LLVMValueRef)known;
    if (LLVMIsAAllocaInst(pointer)) {
        owner_of(p, pointer, near, &o);
        return LLVMConstInt(i32, (uint64_t)(o.delta + WATCH_TARGET_BIAS), true);
    }
    LLVMPositionBuilderBefore(p->builder, pointer);
    LLVMSetCurrentDebugLocation2(p->builder, LLVMInstructionGetDebugLoc(pointer));
    if (LLVMIsAPHINode(pointer))
        return join(p, pointer, near);
    LLVMValueRef offset;
    if (LLVMIsALoadInst(pointer)) {
        offset = loaded_offset(p, pointer, near);
    } else if (LLVMIsASelectInst(pointer)) {
        LLVMValueRef a = offset_of(p, LLVMGetOperand(pointer, 1), near),
                     b = offset_of(p, LLVMGetOperand(pointer, 2), near);
        LLVMPositionBuilderBefore(p->builder, pointer);
        offset = LLVMBuildSelect(p->builder, LLVMGetOperand(pointer, 0), a, b, "");
    } else {
        offset = add_offset(p, pointer, near);
    }
    pointer_map_set(&p->offsets, pointer, (size_t)offset);
    return offset;
}

LLVMValueRef watch_private_offset(struct watch_private *p, LLVMValueRef watch)
{
    /* Of one alloca, another copy of a function may see another variable. */
    pointer_map_free(&p->offsets);
    p->offsets = (struct pointer_map){0};
    p->shadow_count = 0;
    return offset_of(p, LLVMGetOperand(watch, WATCH_VALUE), copy_of(watch));
}

void watch_private_note(const struct watch_private *p, LLVMValueRef watch, const struct watch_target *target)
{
    if (!target->variable)
        return; /* it is null wherever it is known */
    LLVMMetadataRef node[] = {target->variable, target->place};
    LLVMValueRef number = LLVMConstInt(LLVMInt32TypeInContext(p->context),
                                       LLVMGetNamedMetadataNumOperands(p->module, WATCH_TARGETS), false);
    LLVMAddNamedMetadataOperand(p->module, WATCH_TARGETS,
                                LLVMMetadataAsValue(p->context, LLVMMDNodeInContext2(p->context, node, 2)));
    LLVMMetadataRef reference = LLVMValueAsMetadata(number);
    unsigned kind = LLVMGetMDKindIDInContext(p->context, WATCH_TARGET, sizeof WATCH_TARGET - 1);
    LLVMSetMetadata(watch, kind, LLVMMetadataAsValue(p->context, LLVMMDNodeInContext2(p->context, &reference, 1)));
}
