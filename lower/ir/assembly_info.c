/* Parses the constraints of inline assembly: see assembly_info.h. */
#include "lower/ir/assembly_info.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <llvm-c/DebugInfo.h>
#include "tables/assembly.h"

bool assembly_is(LLVMValueRef value)
{
    return LLVMIsACallInst(value) && LLVMIsAInlineAsm(LLVMGetCalledValue(value));
}

static const struct {
    const char *word;
    enum assembly_kind kind;
} constraints[] = {
    {"r", ASSEMBLY_REGION},     {"a", ASSEMBLY_REGION},    {"rw", ASSEMBLY_NAME},
    {"cr", ASSEMBLY_PREDICATE}, {"i", ASSEMBLY_IMMEDIATE}, {"F", ASSEMBLY_IMMEDIATE},
    {"n", ASSEMBLY_NUMBER},     {"ar", ASSEMBLY_REGION} /* an output's a: frontend/rules/assembly.cpp */};

/* One constraint, as "=&r": an output, "rw", or "0". */
static bool read_constraint(LLVMValueRef call, const char *word, struct assembly *out)
{
    bool output = *word == '=';
    word += strspn(word, "=&^");
    if (strncmp(word, "~{", 2) == 0) {
        if (strcmp(word, "~{memory}") == 0)
            return true;
        return lower_error(call, "asm clobbers %.40s: the compiler gives names to registers, not places", word + 2);
    }
    if (out->count == ASSEMBLY_MOST)
        return lower_error(call, "asm has more than %d operands", ASSEMBLY_MOST);
    struct assembly_operand *operand = &out->operands[out->count++];
    operand->tied = -1;
    operand->in_place = output && strcmp(word, "ar") == 0;
    if (*word >= '0' && *word <= '9') {
        unsigned long tied = strtoul(word, NULL, 10);
        if (tied >= out->outputs)
            return lower_error(call, "constraint '%.40s' of asm: there are %u outputs", word, out->outputs);
        operand->tied = (int)tied;
        operand->kind = out->operands[tied].kind;
        out->operands[operand->tied].in_place = false; /* its old value comes in already */
        return true;
    }
    out->outputs += output;
    for (size_t i = 0; i < sizeof constraints / sizeof *constraints; i++)
        if (strcmp(word, constraints[i].word) == 0) {
            operand->kind = constraints[i].kind;
            bool constant = operand->kind == ASSEMBLY_IMMEDIATE || operand->kind == ASSEMBLY_NUMBER;
            return !(output && constant) ||
                   lower_error(call, "constraint '=%s' of asm: an output is no constant", word);
        }
    return lower_error(
        call,
        "constraint '%.40s' of asm: there are r (a region), rw (a name), a (r, or indirect), cr (a predicate), "
        "i, n and F (constants)",
        word);
}

/* Removes the letters that the front end appended for the operands' signs. */
static void take_signs(struct assembly *out)
{
    size_t length = strlen(CMKIT_ASSEMBLY_SIGNS);
    for (size_t at = out->length; at-- > 0;) {
        if (at + length > out->length || memcmp(out->text + at, CMKIT_ASSEMBLY_SIGNS, length) != 0)
            continue;
        for (size_t k = 0; k < out->count && at + length + k < out->length; k++)
            out->operands[k].is_unsigned = out->text[at + length + k] == 'U';
        out->length = at;
        return;
    }
}

bool assembly_of(LLVMValueRef call, struct assembly *out)
{
    LLVMValueRef called = LLVMGetCalledValue(call);
    size_t length;
    const char *list = LLVMGetInlineAsmConstraintString(called, &length);
    *out = (struct assembly){0};
    out->text = LLVMGetInlineAsmAsmString(called, &out->length);
    while (length) {
        const char *comma = memchr(list, ',', length);
        size_t size = comma ? (size_t)(comma - list) : length;
        char word[64];
        snprintf(word, sizeof word, "%.*s", (int)size, list);
        if (!read_constraint(call, word, out))
            return false;
        list += size + (comma != NULL);
        length -= size + (comma != NULL);
    }
    take_signs(out);
    return true;
}
