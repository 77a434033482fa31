/* Follows pointers to private variables: see watch_private.h.
 *
 * A private variable is an alloca here, or several ones. Which variable it is, and which part of it, say the watches
 * that read it. */
#include "lower/debug/watch_private.h"

#include <stdlib.h>
#include <string.h>
#include <llvm-c/DebugInfo.h>
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
    free(p->variables);
    *p = (struct watch_private){0};
}

/* ---- which variable ---- */

/* The type of a watched variable, without typedef and const. */
static LLVMMetadataRef type_of(const struct watch_private *p, LLVMMetadataRef variable)
{
    return debug_plain_type(p->context, debug_operand(p->context, variable, DEBUG_VARIABLE_TYPE));
}

/* True if the home of a variable of this type has what its memory has. What a reference names is not its own, and a
 * pointer may be to a private variable itself. */
static bool has_memory(LLVMMetadataRef type)
{
    unsigned tag = type ? LLVMGetDINodeTag(type) : DEBUG_POINTER;
    return tag != DEBUG_REFERENCE && tag != DEBUG_MOVED_REFERENCE && tag != DEBUG_POINTER &&
           !debug_is_reference_class(type);
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
    LLVMValueRef seen[MOST_SEEN]; /* phis and selects */
    unsigned count;
};

static bool follow(struct following *f, LLVMValueRef pointer);

static bool follow_all(struct following *f, LLVMValueRef joined)
{
    for (unsigned k = 0; k < f->count; k++)
        if (f->seen[k] == joined)
            return true;
    if (f->count == MOST_SEEN)
        return false;
    f->seen[f->count++] = joined;
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
    if (LLVMIsASelectInst(pointer)) {
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
