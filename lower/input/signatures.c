/* Compares declarations of llvm.genx intrinsics with tables/genx_signatures.def. */
#include "lower/input/input.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "lower/ir/ir.h"

static const char *const signatures[GENX_COUNT] = {
#define GENX_SIGNATURE(ID, TYPES) [GENX_##ID] = TYPES,
#include "tables/genx_signatures.def"
#undef GENX_SIGNATURE
};

const char *input_signature(const char *name)
{
    for (enum genx_id id = GENX_NONE + 1; id < GENX_COUNT; id++)
        if (strcmp(genx_name(id), name) == 0)
            return signatures[id];
    return NULL;
}

/* The types that overloads of the name stand for, as far as they are known. */
struct overloads {
    LLVMTypeRef types[GENX_MOST_OPERANDS + 1];
    unsigned count;
};

static bool is_vector(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind;
}

static bool is_of_class(LLVMTypeRef type, char letter)
{
    LLVMTypeKind element = LLVMGetTypeKind(type_element(type));
    switch (letter) {
    case 'I': return element == LLVMIntegerTypeKind;
    case 'F': return type_is_float(type);
    case 'V': return is_vector(type);
    case 'P': return element == LLVMPointerTypeKind;
    default: return true;
    }
}

/* A type that the table names: [LANES]i32, [LANES]f32. */
static bool is_named(LLVMTypeRef type, const char *word)
{
    char *kind;
    unsigned lanes = (unsigned)strtoul(word, &kind, 10);
    if (*kind == 'v')
        return LLVMGetTypeKind(type) == LLVMVoidTypeKind;
    return is_vector(type) == (lanes != 0) && (!lanes || type_lanes(type) == lanes) &&
           is_of_class(type, (char)toupper((unsigned char)*kind)) &&
           type_element_bits(type) == strtoul(kind + 1, NULL, 10);
}

static bool fits(LLVMTypeRef type, const char *word, struct overloads *known)
{
    word += *word == '#';
    if (*word == '=')
        return strtoul(word + 1, NULL, 10) < known->count && known->types[strtoul(word + 1, NULL, 10)] == type;
    if (!strchr("AIFVP", *word))
        return is_named(type, word);
    if (known->count == sizeof known->types / sizeof *known->types || !is_of_class(type, *word))
        return false;
    known->types[known->count++] = type;
    return true;
}

static const char *next_word(const char *word)
{
    word += strcspn(word, " ");
    return word + strspn(word, " ");
}

const char *input_wrong_types(LLVMValueRef function, struct input_message *message)
{
    enum genx_id id = known_function_of(function)->genx;
    LLVMTypeRef type = LLVMGlobalGetValueType(function), operands[GENX_MOST_OPERANDS];
    unsigned count = LLVMCountParamTypes(type);
    struct overloads known = {.count = 0};
    const char *word = id == GENX_NONE ? NULL : signatures[id];
    if (!word)
        return "cmc does not know it";
    if (count > GENX_MOST_OPERANDS || LLVMIsFunctionVarArg(type))
        return "it has another number of operands";
    LLVMGetParamTypes(type, operands);
    if (!fits(LLVMGetReturnType(type), word, &known))
        return "its result is of another type";
    for (unsigned i = 0; i < count; i++) {
        word = next_word(word);
        if (!*word)
            return "it has another number of operands";
        if (!fits(operands[i], word, &known)) {
            snprintf(message->text, sizeof message->text, "its operand %u is of another type", i);
            return message->text;
        }
    }
    return *next_word(word) ? "it has another number of operands" : NULL;
}

bool input_wants_constant(LLVMValueRef function, unsigned number)
{
    enum genx_id id = known_function_of(function)->genx;
    const char *word = id == GENX_NONE ? NULL : signatures[id];
    for (unsigned i = 0; word && *word && i <= number; i++)
        word = next_word(word);
    return word && *word == '#';
}
