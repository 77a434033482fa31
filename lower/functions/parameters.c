/* See parameters.h.
 *
 * The lanes of a reference parameter are copied back only if the function may write them: two references to the same
 * lanes would otherwise undo each other's changes. The analysis follows addresses through memory, because values are
 * not in registers yet. */
#include "lower/functions/parameters.h"

#include <stdlib.h>
#include <string.h>
#include <llvm-c/Target.h>

static bool has_pointer(LLVMTypeRef type)
{
    switch (LLVMGetTypeKind(type)) {
    case LLVMPointerTypeKind: return true;
    case LLVMArrayTypeKind:
    case LLVMVectorTypeKind: return has_pointer(LLVMGetElementType(type));
    case LLVMStructTypeKind:
        for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++)
            if (has_pointer(LLVMStructGetTypeAtIndex(type, i)))
                return true;
        return false;
    default: return false;
    }
}

/* Returns the one scalar type that `type` consists of; NULL: there are several. */
static LLVMTypeRef only_leaf(LLVMTypeRef type)
{
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    if (kind == LLVMArrayTypeKind || kind == LLVMVectorTypeKind)
        return only_leaf(LLVMGetElementType(type));
    if (kind != LLVMStructTypeKind)
        return type;
    LLVMTypeRef leaf = NULL;
    for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++) {
        LLVMTypeRef inner = only_leaf(LLVMStructGetTypeAtIndex(type, i));
        if (!inner || (leaf && inner != leaf))
            return NULL;
        leaf = inner;
    }
    return leaf;
}

LLVMTypeRef signature_copied_type(LLVMModuleRef module, LLVMTypeRef memory)
{
    if (has_pointer(memory) || !LLVMTypeIsSized(memory))
        return NULL;
    LLVMContextRef context = LLVMGetModuleContext(module);
    unsigned bytes = type_bytes(module, memory), step = LLVMABIAlignmentOfType(LLVMGetModuleDataLayout(module), memory);
    if (!bytes)
        return NULL;
    LLVMTypeRef leaf = only_leaf(memory);
    if (leaf == memory && type_element_bits(leaf) >= 8)
        return leaf;
    if (!leaf || type_element_bits(leaf) < 8 || bytes % type_element_bytes(leaf))
        leaf = LLVMIntTypeInContext(context, 8 * (step < 4 ? step : 4));
    return LLVMVectorType(leaf, bytes / type_element_bytes(leaf));
}

/* ---- from the front end's attributes ---- */

static LLVMTypeRef element_type(LLVMContextRef context, const char *text)
{
    if (strcmp(text, "bfloat") == 0) /* its bits: arithmetic on it is arithmetic on floats by now */
        return LLVMInt16TypeInContext(context);
    if (text[0] == 'i')
        return LLVMIntTypeInContext(context, (unsigned)strtoul(text + 1, NULL, 10));
    if (strcmp(text, "half") == 0)
        return LLVMHalfTypeInContext(context);
    return strcmp(text, "float") == 0 ? LLVMFloatTypeInContext(context) : LLVMDoubleTypeInContext(context);
}

static bool describe_pointer(LLVMModuleRef module, LLVMValueRef function, unsigned index, struct signature_parameter *p)
{
    char element[32];
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMTypeRef result = ir_attribute_type(function, index, "sret"),
                object = ir_attribute_type(function, index, "byref");
    *p = (struct signature_parameter){.memory = result ? result : object, .in = !result, .out = true};
    if (!p->memory) { /* an address in global memory */
        *p = (struct signature_parameter){.type = LLVMInt64TypeInContext(context), .in = true};
        return true;
    }
    if (object && ir_string_attribute(function, index + 1, "cm-element", element, sizeof element)) {
        p->passing = PASS_LANES;
        p->type = LLVMVectorType(element_type(context, element), type_lanes(LLVMStructGetTypeAtIndex(object, 1)));
        return true;
    }
    p->passing = PASS_COPY;
    p->type = signature_copied_type(module, p->memory);
    p->out = result || !LLVMGetStringAttributeAtIndex(function, index + 1, "cm-in", 5);
    return p->type != NULL;
}

/* Accepts numbers and vectors of numbers; a bit is passed as a byte. */
static bool describe_value(LLVMModuleRef module, LLVMTypeRef type, LLVMTypeRef *out)
{
    LLVMTypeKind kind = LLVMGetTypeKind(type_element(type));
    if (kind != LLVMIntegerTypeKind && kind != LLVMHalfTypeKind && kind != LLVMFloatTypeKind &&
        kind != LLVMDoubleTypeKind)
        return false;
    *out = type_is_mask(type) ? LLVMInt8TypeInContext(LLVMGetModuleContext(module)) : type;
    return !type_is_mask(type) || LLVMGetTypeKind(type) != LLVMVectorTypeKind;
}

bool signature_describe(LLVMModuleRef module, LLVMValueRef function, struct signature *out)
{
    LLVMTypeRef result = LLVMGetReturnType(LLVMGlobalGetValueType(function)), ignored;
    *out = (struct signature){.function = function, .count = LLVMCountParams(function)};
    out->parameters = ir_calloc(out->count, sizeof *out->parameters);
    if (LLVMGetTypeKind(result) != LLVMVoidTypeKind && !describe_value(module, result, &ignored))
        return false;
    for (unsigned i = 0; i < out->count; i++) {
        struct signature_parameter *p = &out->parameters[i];
        LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(function, i));
        if (LLVMGetTypeKind(type) == LLVMPointerTypeKind) {
            if (!describe_pointer(module, function, i, p))
                return false;
        } else {
            *p = (struct signature_parameter){.passing = PASS_VALUE, .in = true};
            if (!describe_value(module, type, &p->type))
                return false;
        }
    }
    return true;
}

void signature_free(struct signature *signature)
{
    free(signature->parameters);
    free(signature->globals);
}

struct signature *signature_of(const struct signatures *signatures, LLVMValueRef function)
{
    size_t number;
    return function && pointer_map_get(&signatures->numbers, function, &number) ? &signatures->all[number] : NULL;
}

void signatures_free(struct signatures *signatures)
{
    for (size_t i = 0; i < signatures->count; i++)
        signature_free(&signatures->all[i]);
    free(signatures->all);
    pointer_map_free(&signatures->numbers);
}

/* ---- written parameters ---- */

struct flow {
    const struct signatures *signatures;
    LLVMValueRef *values; /* addresses that may lead to the object, and variables that hold them */
    size_t count, capacity;
    struct pointer_map seen;
    bool written;
};

static void follow(struct flow *f, LLVMValueRef value)
{
    size_t ignored;
    if (pointer_map_get(&f->seen, value, &ignored))
        return;
    pointer_map_set(&f->seen, value, 1);
    ARRAY_PUSH(f->values, f->count, f->capacity, value);
}

/* The address is passed to a function that stays a function. */
static void follow_argument(struct flow *f, LLVMValueRef call, LLVMValueRef value)
{
    const struct signature *callee = signature_of(f->signatures, function_called(call));
    for (unsigned k = 0; k < LLVMGetNumArgOperands(call); k++)
        if (LLVMGetOperand(call, k) == value && (!callee || callee->parameters[k].out))
            f->written = true;
}

static bool copies_memory(LLVMValueRef call)
{
    return ir_calls_named(call, "llvm.memcpy.") || ir_calls_named(call, "llvm.memmove.");
}

static void follow_call(struct flow *f, LLVMValueRef call, LLVMValueRef value)
{
    enum builtin_id id = builtin_call_id(call);
    bool into = LLVMGetNumArgOperands(call) && LLVMGetOperand(call, 0) == value;
    if (id == BUILTIN_wrref || id == BUILTIN_wrnew)
        f->written |= into;
    else if (id != BUILTIN_NONE)
        return; /* reads, or accesses memory that is not a variable */
    else if (copies_memory(call) && !into)
        follow(f, ir_address_root(LLVMGetOperand(call, 0)));
    else if (!ir_calls_named(call, "llvm.lifetime."))
        function_called(call) ? follow_argument(f, call, value)
                              : (void)(f->written |= !LLVMIsAAllocaInst(ir_address_root(value)));
}

static void follow_use(struct flow *f, LLVMValueRef user, LLVMValueRef value)
{
    if (LLVMIsALoadInst(user)) {
        if (LLVMGetTypeKind(LLVMTypeOf(user)) == LLVMPointerTypeKind)
            follow(f, user);
    } else if (LLVMIsAStoreInst(user)) {
        if (LLVMGetOperand(user, 0) == value)
            follow(f, ir_address_root(LLVMGetOperand(user, 1)));
        else if (!LLVMIsAAllocaInst(ir_address_root(value)))
            f->written = true;
    } else if (LLVMIsACallInst(user)) {
        follow_call(f, user, value);
    } else if (LLVMIsAInstruction(user) && LLVMGetTypeKind(LLVMTypeOf(user)) == LLVMPointerTypeKind) {
        follow(f, user);
    } else if (LLVMIsAConstantExpr(user)) {
        follow(f, user);
    }
}

static bool in_function(LLVMValueRef user, LLVMValueRef function)
{
    return !LLVMIsAInstruction(user) || LLVMGetBasicBlockParent(LLVMGetInstructionParent(user)) == function;
}

/* True if `function` may write the object behind `address`, one of its parameters or a global. */
static bool may_write(const struct signatures *signatures, LLVMValueRef function, LLVMValueRef address)
{
    struct flow f = {.signatures = signatures};
    follow(&f, address);
    for (size_t n = 0; n < f.count && !f.written; n++)
        for (LLVMUseRef use = LLVMGetFirstUse(f.values[n]); use; use = LLVMGetNextUse(use))
            if (in_function(LLVMGetUser(use), function))
                follow_use(&f, LLVMGetUser(use), f.values[n]);
    free(f.values);
    pointer_map_free(&f.seen);
    return f.written;
}

/* ---- globals ---- */

/* Returns an instruction of the function that uses the value, also through constants; NULL: there is none. */
static LLVMValueRef user_in(LLVMValueRef value, LLVMValueRef function)
{
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsAConstantExpr(user))
            user = user_in(user, function);
        else if (!LLVMIsAInstruction(user) || !in_function(user, function))
            user = NULL;
        if (user)
            return user;
    }
    return NULL;
}

static bool add_global(LLVMModuleRef module, struct signature *signature, LLVMValueRef variable, bool out,
                       bool *changed)
{
    for (size_t i = 0; i < signature->global_count; i++)
        if (signature->globals[i].variable == variable) {
            *changed |= out && !signature->globals[i].out;
            signature->globals[i].out |= out;
            return true;
        }
    LLVMTypeRef type = signature_copied_type(module, LLVMGlobalGetValueType(variable));
    if (!type)
        return lower_error(user_in(variable, signature->function),
                           "variable '%s', which a function that is not inlined uses, holds pointers to variables, or "
                           "structures of pointers",
                           LLVMGetValueName2(variable, &(size_t){0}));
    struct signature_global global = {variable, type, out};
    ARRAY_PUSH(signature->globals, signature->global_count, signature->global_capacity, global);
    *changed = true;
    return true;
}

static bool add_own_globals(LLVMModuleRef module, struct signatures *signatures, struct signature *signature)
{
    bool ignored;
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
        if (function_is_private_global(g) && user_in(g, signature->function) &&
            !add_global(module, signature, g, may_write(signatures, signature->function, g), &ignored))
            return false;
    return true;
}

/* Adds the globals of callees to the function's own. */
static bool add_globals_of_callees(LLVMModuleRef module, struct signatures *signatures, struct signature *signature,
                                   bool *changed)
{
    FOR_EACH_BLOCK(block, signature->function)
    FOR_EACH_INSTRUCTION(i, block)
    {
        const struct signature *callee = signature_of(signatures, function_called(i));
        for (size_t k = 0; callee && k < callee->global_count; k++)
            if (!add_global(module, signature, callee->globals[k].variable, callee->globals[k].out, changed))
                return false;
    }
    return true;
}

static bool refine(const struct signatures *signatures, struct signature *signature)
{
    bool changed = false;
    for (unsigned i = 0; i < signature->count; i++) {
        struct signature_parameter *p = &signature->parameters[i];
        if (!p->out || !p->in || may_write(signatures, signature->function, LLVMGetParam(signature->function, i)))
            continue;
        p->out = false;
        changed = true;
    }
    return changed;
}

bool signatures_find(LLVMModuleRef module, struct signatures *out)
{
    *out = (struct signatures){0};
    FOR_EACH_FUNCTION(f, module)
    {
        if (function_call_kind(f) == CALL_INLINED)
            continue;
        struct signature signature;
        bool good = signature_describe(module, f, &signature);
        pointer_map_set(&out->numbers, f, out->count);
        ARRAY_PUSH(out->all, out->count, out->capacity, signature);
        if (!good)
            return lower_error(function_start(f),
                               "a function that is called on a stack takes and returns numbers, vectors, matrices, "
                               "structures of them and references to them");
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < out->count; i++)
            changed |= refine(out, &out->all[i]);
    }
    for (size_t i = 0; i < out->count; i++)
        if (!add_own_globals(module, out, &out->all[i]))
            return false;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < out->count; i++)
            if (!add_globals_of_callees(module, out, &out->all[i], &changed))
                return false;
    }
    return true;
}
