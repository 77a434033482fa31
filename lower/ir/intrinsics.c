/* Maps functions to intrinsic and builtin numbers. See ir.h. The cache is keyed by function address and is valid as
 * long as no function is deleted. */
#include "lower/ir/ir.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name, *overloads;
    size_t length; /* of the name */
    char effect;
    const char *whole, *kind;
    char old, mask;
} genx_table[GENX_COUNT] = {
    [GENX_NONE] = {"", "", 0, 'N', "", "", '-', '-'},
#define GENX(ID, NAME, OVERLOADS, EFFECT, SELECT, OP, WHOLE, KIND, OLD, MASK)                                          \
    [GENX_##ID] = {NAME, OVERLOADS, sizeof(NAME) - 1, EFFECT, WHOLE, KIND, OLD, MASK},
#include "tables/genx_intrinsics.def"
#undef GENX
};

const struct builtin_row builtin_table[BUILTIN_COUNT] = {
    [BUILTIN_NONE] = {"", "", '-', -1, FEATURE_ALL, 0},
#define CM_BUILTIN(NAME, OPERANDS, RESULT, MASK, FEATURE, ...)                                                         \
    [BUILTIN_##NAME] = {#NAME, OPERANDS, RESULT, MASK, FEATURE_##FEATURE, sizeof(#NAME) - 1},
#include "tables/builtins.def"
#undef CM_BUILTIN
};

/* Parses "llvm.genx.NAME" followed by ".type" suffixes or the end; the longest matching NAME wins. */
static enum genx_id find_genx(const char *name)
{
    static const char prefix[] = "llvm.genx.";
    if (strncmp(name, prefix, sizeof prefix - 1) != 0)
        return GENX_NONE;
    name += sizeof prefix - 1;
    enum genx_id best = GENX_NONE;
    size_t best_length = 0;
    for (enum genx_id id = GENX_NONE + 1; id < GENX_COUNT; id++) {
        size_t n = genx_table[id].length;
        if (n > best_length && name[0] == genx_table[id].name[0] && strncmp(name, genx_table[id].name, n) == 0 &&
            (name[n] == '\0' || name[n] == '.')) {
            best = id;
            best_length = n;
        }
    }
    return best;
}

const char *genx_name(enum genx_id id)
{
    assert(id < GENX_COUNT);
    return genx_table[id].name;
}

/* Parses the Itanium mangling of a global function or template: _Z <length> __cm_<name> ... */
static enum builtin_id find_builtin(const char *name)
{
    if (strncmp(name, "_Z", 2) != 0)
        return BUILTIN_NONE;
    char *end;
    size_t n = strtoul(name + 2, &end, 10);
    if (n <= 5 || strlen(end) < n || strncmp(end, "__cm_", 5) != 0)
        return BUILTIN_NONE;
    for (enum builtin_id id = BUILTIN_NONE + 1; id < BUILTIN_COUNT; id++)
        if (builtin_table[id].length == n - 5 && memcmp(builtin_table[id].name, end + 5, n - 5) == 0)
            return id;
    return BUILTIN_NONE;
}

void ir_forget_functions(void)
{
    ir_context->epoch++;
}

const struct ir_known_function *ir_find_known_function(LLVMValueRef function)
{
    enum { TRIED = 8 }; /* several probes, because two hot entries with one hash would evict each other */
    static const struct ir_known_function none;
    struct ir_known_function *free = NULL;
    size_t home = KNOWN_FUNCTION_SLOT(function);
    for (size_t k = 0; k < TRIED; k++) {
        struct ir_known_function *known = &ir_context->functions[(home + k) % KNOWN_FUNCTIONS];
        bool is_current = known->epoch == ir_context->epoch;
        if (is_current && known->function == function)
            return known;
        if (!is_current && !free)
            free = known;
    }
    if (!LLVMIsAFunction(function)) /* a call through a pointer */
        return &none;
    const char *name = LLVMGetValueName2(function, &(size_t){0});
    if (!free)
        free = &ir_context->functions[home];
    *free = (struct ir_known_function){.function = function,
                                       .genx = (uint16_t)find_genx(name),
                                       .builtin = (uint16_t)find_builtin(name),
                                       .epoch = ir_context->epoch};
    return free;
}

enum builtin_id builtin_of_function(LLVMValueRef function)
{
    return known_function_of(function)->builtin;
}

enum builtin_id builtin_call_id(LLVMValueRef value)
{
    return LLVMIsACallInst(value) ? known_function_of(LLVMGetCalledValue(value))->builtin : BUILTIN_NONE;
}

/* Appends the type's suffix as LLVM's overloaded intrinsics spell it: v16i32, f32, i64. */
static void append_type(char *text, size_t size, LLVMTypeRef type)
{
    size_t used = strlen(text);
    if (LLVMGetTypeKind(type) == LLVMVectorTypeKind) {
        snprintf(text + used, size - used, "v%u", LLVMGetVectorSize(type));
        append_type(text, size, LLVMGetElementType(type));
        return;
    }
    switch (LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind: snprintf(text + used, size - used, "i%u", LLVMGetIntTypeWidth(type)); break;
    case LLVMHalfTypeKind: snprintf(text + used, size - used, "f16"); break;
    case LLVMFloatTypeKind: snprintf(text + used, size - used, "f32"); break;
    case LLVMDoubleTypeKind: snprintf(text + used, size - used, "f64"); break;
    default: snprintf(text + used, size - used, "p0"); break;
    }
}

char genx_effect(enum genx_id id)
{
    return genx_table[id].effect;
}

bool genx_is_payload(LLVMValueRef user, unsigned operand)
{
    return strchr(genx_table[genx_call_id(user)].whole, (int)('0' + operand)) != NULL;
}

bool genx_is(enum genx_id id, enum genx_kind kind)
{
    for (const char *k = genx_table[id].kind; *k; k++) /* none to three letters */
        if (*k == (char)kind)
            return true;
    return false;
}

/* An operand's number in the table; -1: none. */
static int operand_number(char letter)
{
    return letter == '-' ? -1 : letter - '0';
}

int genx_old_operand(enum genx_id id)
{
    return operand_number(genx_table[id].old);
}

int genx_mask_operand(enum genx_id id)
{
    return operand_number(genx_table[id].mask);
}

static void mark_attribute(LLVMContextRef context, LLVMValueRef function, const char *name, uint64_t value)
{
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex, LLVMCreateEnumAttribute(context, kind, value));
}

/* Declares memory effects, so that LLVM combines equal calls and deletes unused ones. `memory` has two bits per
 * location (argument, inaccessible, other): 0 none, 1 read, 2 write, 3 both. */
static void mark_effects(LLVMContextRef context, LLVMValueRef function, char effect)
{
    mark_attribute(context, function, "nounwind", 0);
    mark_attribute(context, function, "willreturn", 0);
    if (effect == 'N')
        mark_attribute(context, function, "memory", 0);
    else if (effect == 'R')
        mark_attribute(context, function, "memory", 0x15);
}

/* types[]: the result's, then those of `count` operands. */
static LLVMValueRef declare_intrinsic(LLVMModuleRef module, enum genx_id id, LLVMTypeRef type, const LLVMTypeRef *types)
{
    char name[GENX_NAME_SIZE];
    snprintf(name, sizeof name, "llvm.genx.%s", genx_table[id].name);
    for (const char *o = genx_table[id].overloads; *o; o++) {
        strncat(name, ".", sizeof name - strlen(name) - 1);
        append_type(name, sizeof name, types[*o == 'R' ? 0 : *o - '0' + 1]);
    }
    LLVMValueRef function = LLVMGetNamedFunction(module, name);
    if (!function) {
        function = LLVMAddFunction(module, name, type);
        mark_effects(LLVMGetModuleContext(module), function, genx_table[id].effect);
    }
    return function;
}

static unsigned slot_of(enum genx_id id, const LLVMTypeRef *types, unsigned count)
{
    uintptr_t hash = id;
    for (unsigned i = 0; i < count; i++)
        hash = (hash ^ (uintptr_t)types[i] >> 3) * 0x9e3779b97f4a7c15ull;
    return hash >> 32 & (MADE_FUNCTIONS - 1);
}

/* Returns the slot of such a declaration, or the one to make it in. Several are tried, because two hot declarations
 * with one hash would evict each other. */
static unsigned find_slot(LLVMModuleRef module, enum genx_id id, const LLVMTypeRef *types, unsigned count, bool *found)
{
    enum { TRIED = 4 };
    unsigned home = slot_of(id, types, count + 1), stale = home;
    for (unsigned k = 0; k < TRIED; k++) {
        unsigned slot = home ^ k;
        const struct ir_made_function *made = &ir_context->made_functions[slot];
        bool is_current = ir_context->made_epochs[slot] == ir_context->epoch;
        *found = is_current && made->module == module && made->id == id && made->count == count &&
                 memcmp(made->types, types, (count + 1) * sizeof *types) == 0;
        if (*found)
            return slot;
        if (!is_current && stale == home)
            stale = slot;
    }
    return stale;
}

LLVMValueRef genx_build(LLVMBuilderRef builder, LLVMModuleRef module, enum genx_id id, LLVMTypeRef result,
                        LLVMValueRef *operands, unsigned count)
{
    LLVMTypeRef types[GENX_MOST_OPERANDS + 1];
    types[0] = result;
    for (unsigned i = 0; i < count; i++)
        types[i + 1] = LLVMTypeOf(operands[i]);
    bool found;
    unsigned slot = find_slot(module, id, types, count, &found);
    struct ir_made_function *made = &ir_context->made_functions[slot];
    if (!found) {
        made->module = module, made->id = id, made->count = count;
        ir_context->made_epochs[slot] = ir_context->epoch;
        made->type = LLVMFunctionType(result, types + 1, count, false);
        memcpy(made->types, types, (count + 1) * sizeof *types);
        made->function = declare_intrinsic(module, id, made->type, types);
    }
    return LLVMBuildCall2(builder, made->type, made->function, operands, count, "");
}
