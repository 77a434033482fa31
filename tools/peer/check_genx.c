/* cm-check-genx [FILE.ll]...: compares tables/genx_intrinsics.def, and every llvm.genx.* function that the modules
 * declare, with the definitions of Intel's vc-intrinsics: name, operands, types, type suffixes. It also checks the
 * operands of each call (genx_values.c). Status 1 if anything differs. */
#include <stdio.h>
#include <string.h>
#include <llvm-c/Core.h>
#include <llvm-c/IRReader.h>
#include "lower/ir/ir.h"
#include "tools/peer/genx_signatures.h"
#include "tools/peer/genx_values.h"

static unsigned errors;

static bool wrong(const char *where, const char *what)
{
    fprintf(stderr, "cm-check-genx: error: %s: %s\n", where, what);
    errors++;
    return false;
}

/* --- rows of the table -------------------------------------------------------------------------------------------- */

/* Computes the OVERLOADS column of a signature: result or operand of each overload's first use. */
static bool overload_letters(const struct genx_signature *s, char *letters, size_t size)
{
    unsigned seen = 0, length = 0, slot = 0;
    for (unsigned i = 0; i < s->count && i < SIG_TYPES; i++, slot++) {
        const struct genx_type *type = &s->types[i];
        if (type->kind == SIG_STRUCT || type->kind == SIG_UNKNOWN)
            return false; /* not in our table */
        if (type->kind != SIG_OVERLOAD || type->class == CLASS_SAME || type->overload < seen)
            continue;
        seen++;
        if (length + 1 < size)
            letters[length++] = slot == 0 ? 'R' : (char)('0' + slot - 1);
    }
    letters[length] = '\0';
    return true;
}

static void check_table(void)
{
    static const struct {
        const char *name, *overloads;
    } rows[] = {
#define GENX(ID, NAME, OVERLOADS, EFFECT, SELECT, OP, WHOLE, KIND, OLD, MASK) {NAME, OVERLOADS},
#include "tables/genx_intrinsics.def"
#undef GENX
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct genx_signature s;
        char letters[GENX_MOST_OPERANDS], message[120];
        bool later = strstr(rows[i].name, "quad.typed") != NULL; /* Xe2's: vc-intrinsics has them since 2023 */
        if (!genx_signature_find(rows[i].name, &s)) {
            if (later)
                continue;
            wrong(rows[i].name, "not in vc-intrinsics");
        } else if (!overload_letters(&s, letters, sizeof letters)) {
            wrong(rows[i].name, "its signature has a kind of type that this check does not know");
        } else if (strcmp(letters, rows[i].overloads) != 0) {
            snprintf(message, sizeof message, "overloads \"%s\", vc-intrinsics: \"%s\"", rows[i].overloads, letters);
            wrong(rows[i].name, message);
        }
    }
}

/* --- functions of modules ----------------------------------------------------------------------------------------- */

struct overloads {
    LLVMTypeRef type[GENX_MOST_OPERANDS];
    unsigned count;
};

static bool in_class(LLVMTypeRef type, enum genx_class class)
{
    LLVMTypeKind element = LLVMGetTypeKind(type_element(type));
    switch (class) {
    case CLASS_INTEGER: return element == LLVMIntegerTypeKind;
    case CLASS_FLOAT: return type_is_float(type);
    case CLASS_VECTOR: return LLVMGetTypeKind(type) == LLVMVectorTypeKind;
    case CLASS_POINTER: return element == LLVMPointerTypeKind;
    default: return true;
    }
}

static bool matches(LLVMTypeRef type, const struct genx_type *wanted, struct overloads *bound)
{
    bool vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
    switch (wanted->kind) {
    case SIG_VOID: return LLVMGetTypeKind(type) == LLVMVoidTypeKind;
    case SIG_INTEGER:
    case SIG_FLOAT:
        return vector == (wanted->lanes != 0) && (!vector || type_lanes(type) == wanted->lanes) &&
               type_is_float(type) == (wanted->kind == SIG_FLOAT) && type_element_bits(type) == wanted->bits;
    case SIG_OVERLOAD:
        if (wanted->overload < bound->count)
            return bound->type[wanted->overload] == type;
        if (bound->count == GENX_MOST_OPERANDS || !in_class(type, wanted->class))
            return false;
        bound->type[bound->count++] = type;
        return true;
    default: return false;
    }
}

static void append_suffix(char *name, size_t size, LLVMTypeRef type)
{
    size_t used = strlen(name);
    used += (size_t)snprintf(name + used, size - used, ".");
    if (LLVMGetTypeKind(type) == LLVMVectorTypeKind)
        used += (size_t)snprintf(name + used, size - used, "v%u", type_lanes(type));
    snprintf(name + used, size - used, "%c%u", type_is_float(type) ? 'f' : 'i', type_element_bits(type));
}

/* Returns the longest known name that `full` begins with. */
static bool find_signature(const char *full, char *name, size_t size, struct genx_signature *out)
{
    snprintf(name, size, "%s", full);
    while (!genx_signature_find(name, out)) {
        char *dot = strrchr(name, '.');
        if (!dot)
            return false;
        *dot = '\0';
    }
    return true;
}

static bool check_function(LLVMValueRef function)
{
    static const char prefix[] = "llvm.genx.";
    const char *full = LLVMGetValueName(function);
    char name[GENX_NAME_SIZE], expected[400];
    struct genx_signature s;
    struct overloads bound = {.count = 0};
    LLVMTypeRef type = LLVMGlobalGetValueType(function), operands[SIG_TYPES];
    if (strncmp(full, prefix, sizeof prefix - 1) != 0)
        return true;
    if (!find_signature(full + sizeof prefix - 1, name, sizeof name, &s))
        return wrong(full, "not in vc-intrinsics");
    unsigned count = LLVMCountParamTypes(type);
    if (count + 1 != s.count || s.count > SIG_TYPES)
        return wrong(full, "wrong number of operands");
    LLVMGetParamTypes(type, operands);
    if (!matches(LLVMGetReturnType(type), &s.types[0], &bound))
        return wrong(full, "wrong type of result");
    for (unsigned i = 0; i < count; i++) {
        char message[40];
        snprintf(message, sizeof message, "wrong type of operand %u", i);
        if (!matches(operands[i], &s.types[i + 1], &bound))
            return wrong(full, message);
    }
    snprintf(expected, sizeof expected, "%s%s", prefix, name);
    for (unsigned i = 0; i < bound.count; i++)
        append_suffix(expected, sizeof expected, bound.type[i]);
    return strcmp(expected, full) == 0 ? true : wrong(full, expected);
}

static void check_values(LLVMValueRef function)
{
    static const char prefix[] = "llvm.genx.";
    const char *name = LLVMGetValueName(function);
    if (strncmp(name, prefix, sizeof prefix - 1) != 0)
        return;
    for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef call = LLVMGetUser(use);
        const char *message = LLVMIsACallInst(call) ? genx_wrong_value(call, name + sizeof prefix - 1) : NULL;
        if (message)
            wrong(name, message);
    }
}

static void check_module(LLVMContextRef context, const char *path)
{
    LLVMMemoryBufferRef buffer;
    LLVMModuleRef module;
    char *message;
    if (LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &message) ||
        LLVMParseIRInContext(context, buffer, &module, &message)) {
        wrong(path, message);
        LLVMDisposeMessage(message);
        return;
    }
    FOR_EACH_FUNCTION(function, module)
    if (check_function(function))
        check_values(function);
    LLVMDisposeModule(module);
}

int main(int count, char **words)
{
    LLVMContextRef context = LLVMContextCreate();
    struct ir_context *before = ir_context_enter(NULL);
    check_table();
    for (int i = 1; i < count; i++)
        check_module(context, words[i]);
    ir_context_leave(before);
    LLVMContextDispose(context);
    return errors != 0;
}
