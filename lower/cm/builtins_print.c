/* Lowers printf for Intel's vector back end, which expands it itself (FUNCTION_PRINT): strings go to constant memory,
 * and the arguments must be those that its reading of the format asks for. */
#include "lower/cm/builtins.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "lower/ir/function_info.h"

enum { GLOBAL_SPACE = 1, CONSTANT_SPACE = 2 };

/* A literal's text up to its first zero, which the caller frees. */
static char *text_of(LLVMValueRef literal)
{
    LLVMValueRef first = LLVMGetInitializer(literal);
    size_t size = 0;
    const char *text = LLVMIsNull(first) ? "" : LLVMGetAsString(first, &size);
    return strndup(text, size);
}

/* The literal whose address faddr takes, or NULL. */
static LLVMValueRef literal_of(LLVMValueRef address)
{
    return LLVMIsACallInst(address) && genx_call_id(address) == GENX_FADDR ? LLVMGetOperand(address, 0) : NULL;
}

static bool is_text(LLVMValueRef value)
{
    return literal_of(value) || (LLVMIsASelectInst(value) && is_text(LLVMGetOperand(value, 1)));
}

/* The copy of a literal in constant memory. */
static LLVMValueRef in_constant_memory(const struct cm_call *c, LLVMValueRef literal)
{
    char name[64];
    char *text = text_of(literal);
    snprintf(name, sizeof name, FUNCTION_PRINT "%.40s", LLVMGetValueName2(literal, &(size_t){0}));
    LLVMValueRef made = LLVMGetNamedGlobal(c->module, name);
    LLVMValueRef bytes = LLVMConstStringInContext2(LLVMGetModuleContext(c->module), text, strlen(text), false);
    free(text);
    if (made && LLVMGetInitializer(made) == bytes)
        return made;
    made = LLVMAddGlobalInAddressSpace(c->module, LLVMTypeOf(bytes), name, CONSTANT_SPACE);
    LLVMSetInitializer(made, bytes);
    LLVMSetGlobalConstant(made, true);
    LLVMSetLinkage(made, LLVMPrivateLinkage);
    return made;
}

/* A literal or a choice of literals in constant memory; NULL after an error. */
static LLVMValueRef text_argument(const struct cm_call *c, LLVMValueRef address)
{
    LLVMValueRef literal = literal_of(address);
    if (literal)
        return in_constant_memory(c, literal);
    if (!LLVMIsASelectInst(address)) {
        lower_error(c->instruction,
                    "an argument of printf for %%s must be a string literal, or a choice of them by ?:");
        return NULL;
    }
    LLVMValueRef yes = text_argument(c, LLVMGetOperand(address, 1));
    LLVMValueRef no = yes ? text_argument(c, LLVMGetOperand(address, 2)) : NULL;
    return no ? LLVMBuildSelect(c->builder, LLVMGetOperand(address, 0), yes, no, "") : NULL;
}

/* The argument that a conversion of this letter takes; NULL after an error. */
static LLVMValueRef argument(const struct cm_call *c, unsigned number, char letter)
{
    LLVMValueRef value = operand(c, number);
    if (letter == 's' && is_text(value))
        return text_argument(c, value);
    if (letter == 's' || is_text(value)) {
        lower_error(c->instruction,
                    "argument %u of printf is %s string literal and its conversion is %%%c: Intel's "
                    "compiler takes literals for %%s, and nothing else",
                    number, letter == 's' ? "no" : "a", letter);
        return NULL;
    }
    if (letter != 'p')
        return value;
    if (LLVMTypeOf(value) != int_type(c, 64)) {
        lower_error(c->instruction, "argument %u of printf is no address and its conversion is %%p: %%x prints numbers",
                    number);
        return NULL;
    }
    LLVMTypeRef address = LLVMPointerTypeInContext(LLVMGetModuleContext(c->module), GLOBAL_SPACE);
    return LLVMBuildIntToPtr(c->builder, value, address, "");
}

/* Finds the next conversion as IGC does: the text from % to the first letter of these. Returns the letter and moves
 * `format` behind it; '\0': there is none; '*': its width is an argument. */
static char next_conversion(const char **format)
{
    static const char letters[] = "%csdioxXufFeEaAgGp";
    for (const char *at = *format; (at = strchr(at, '%'));) {
        const char *end = strpbrk(at + 1, letters);
        if (!end)
            break;
        bool starred = memchr(at, '*', (size_t)(end - at));
        at = *end == '%' && end != at + 1 ? end : end + 1;
        if (*end == '%')
            continue;
        *format = at;
        return starred ? '*' : *end;
    }
    return '\0';
}

/* Puts the arguments behind the format; false after an error. */
static bool take_arguments(const struct cm_call *c, const char *format, LLVMValueRef *out, unsigned count)
{
    unsigned found = 0;
    for (char letter; (letter = next_conversion(&format)); found++) {
        if (letter == '*')
            return lower_error(c->instruction, "a width or precision of printf by argument (*): write the number");
        if (found + 1 < count && !(out[found + 1] = argument(c, found + 1, letter)))
            return false;
    }
    return found + 1 == count ||
           lower_error(c->instruction,
                       "printf with %u conversions in its format and %u arguments: Intel's compiler "
                       "needs one for each (%%%% prints a percent sign)",
                       found, count - 1);
}

/* Two calls must not become one with a choice of formats (nomerge). */
static LLVMValueRef print_function(LLVMModuleRef module, LLVMTypeRef type)
{
    static const char *const attributes[] = {"nomerge", "nounwind"};
    LLVMValueRef function = LLVMGetNamedFunction(module, FUNCTION_PRINT);
    if (function)
        return function;
    function = LLVMAddFunction(module, FUNCTION_PRINT, type);
    for (size_t n = 0; n < sizeof attributes / sizeof *attributes; n++) {
        unsigned kind = LLVMGetEnumAttributeKindForName(attributes[n], strlen(attributes[n]));
        LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex,
                                LLVMCreateEnumAttribute(LLVMGetModuleContext(module), kind, 0));
    }
    return function;
}

LLVMValueRef cm_lower_print(const struct cm_call *c)
{
    enum { MOST = 65 }; /* cm_detail::print_most_arguments and the format */
    LLVMValueRef operands[MOST], literal = literal_of(operand(c, 0));
    unsigned count = LLVMGetNumArgOperands(c->instruction);
    if (!literal || count > MOST) {
        lower_error(c->instruction, "printf with a choice of formats: Intel's compiler takes one literal; choose "
                                    "between calls of printf");
        return NULL;
    }
    char *format = text_of(literal);
    operands[0] = in_constant_memory(c, literal);
    bool good = take_arguments(c, format, operands, count);
    free(format);
    if (!good)
        return NULL;
    LLVMTypeRef first = LLVMTypeOf(operands[0]), type = LLVMFunctionType(c->result, &first, 1, true);
    return LLVMBuildCall2(c->builder, type, print_function(c->module, type), operands, count, "");
}
