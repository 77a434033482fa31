/* Inline assembly: its constraints are those of Intel's vector back end. Operands in predicates become masks here. */
#include <stdlib.h>
#include <string.h>
#include <llvm-c/DebugInfo.h>
#include "lower/assembly.h"
#include "lower/passes.h"
#include "tables/assembly.h"

bool is_assembly(LLVMValueRef value)
{
    return LLVMIsACallInst(value) && LLVMIsAInlineAsm(LLVMGetCalledValue(value));
}

static const struct {
    const char *word;
    enum assembly_kind kind;
} constraints[] = {{"r", ASSEMBLY_REGION},     {"a", ASSEMBLY_REGION},    {"rw", ASSEMBLY_NAME},
                   {"cr", ASSEMBLY_PREDICATE}, {"i", ASSEMBLY_IMMEDIATE}, {"F", ASSEMBLY_IMMEDIATE},
                   {"n", ASSEMBLY_NUMBER}};

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
    if (*word >= '0' && *word <= '9') {
        operand->tied = atoi(word);
        if (operand->tied >= (int)out->outputs)
            return lower_error(call, "constraint '%.40s' of asm: there are %u outputs", word, out->outputs);
        operand->kind = out->operands[operand->tied].kind;
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

/* The text without the signs of operands that the front end put behind it. */
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

/* ---- predicates ---- */

static LLVMTypeRef mask_like(LLVMTypeRef type)
{
    return type_like(type, LLVMInt1TypeInContext(LLVMGetTypeContext(type)));
}

/* The type of operand k: masks for those in predicates. NULL after an error. */
static LLVMTypeRef operand_type(LLVMValueRef call, const struct assembly *a, unsigned k, LLVMTypeRef type)
{
    enum { MOST_LANES = 32 };
    if (a->operands[k].kind != ASSEMBLY_PREDICATE)
        return type;
    if (!type_is_float(type) && LLVMGetTypeKind(type) != LLVMPointerTypeKind && type_lanes(type) <= MOST_LANES)
        return mask_like(type);
    lower_error(call, "an operand of asm in a predicate (cr) must be an integer or at most %d of them", MOST_LANES);
    return NULL;
}

static LLVMTypeRef output_type(LLVMValueRef call, const struct assembly *a, unsigned k)
{
    LLVMTypeRef type = LLVMTypeOf(call);
    return operand_type(call, a, k, a->outputs > 1 ? LLVMStructGetTypeAtIndex(type, k) : type);
}

/* What used output k of the old call uses that of the new one: zeros and ones where that is a mask. */
static void take_output(LLVMBuilderRef builder, LLVMValueRef user, LLVMValueRef output)
{
    LLVMPositionBuilderBefore(builder, LLVMGetNextInstruction(user));
    if (LLVMTypeOf(output) != LLVMTypeOf(user))
        output = LLVMBuildZExt(builder, output, LLVMTypeOf(user), "");
    LLVMReplaceAllUsesWith(user, output);
}

static void replace_call(LLVMBuilderRef builder, LLVMValueRef old, LLVMValueRef call, unsigned outputs)
{
    if (outputs == 1)
        take_output(builder, old, call);
    for (LLVMUseRef use = LLVMGetFirstUse(old); outputs > 1 && use; use = LLVMGetFirstUse(old)) {
        LLVMValueRef user = LLVMGetUser(use); /* an extractvalue */
        LLVMPositionBuilderBefore(builder, user);
        take_output(builder, user, LLVMBuildExtractValue(builder, call, LLVMGetIndices(user)[0], ""));
        LLVMInstructionEraseFromParent(user);
    }
    LLVMInstructionEraseFromParent(old);
}

/* The call with masks in place of the operands that are in predicates. */
static bool use_masks(LLVMBuilderRef builder, LLVMValueRef call, const struct assembly *a)
{
    LLVMTypeRef types[ASSEMBLY_MOST], results[ASSEMBLY_MOST];
    LLVMValueRef operands[ASSEMBLY_MOST], old = LLVMGetCalledValue(call);
    unsigned inputs = LLVMGetNumArgOperands(call);
    LLVMPositionBuilderBefore(builder, call);
    LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(call));
    for (unsigned k = 0; k < a->outputs; k++)
        if (!(results[k] = output_type(call, a, k)))
            return false;
    for (unsigned k = 0; k < inputs; k++) {
        operands[k] = LLVMGetOperand(call, k);
        if (!(types[k] = operand_type(call, a, a->outputs + k, LLVMTypeOf(operands[k]))))
            return false;
        if (types[k] != LLVMTypeOf(operands[k]))
            operands[k] = LLVMBuildTrunc(builder, operands[k], types[k], "");
    }
    LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(call));
    LLVMTypeRef result = a->outputs > 1    ? LLVMStructTypeInContext(context, results, a->outputs, false)
                         : a->outputs == 1 ? results[0]
                                           : LLVMVoidTypeInContext(context);
    LLVMTypeRef type = LLVMFunctionType(result, types, inputs, false);
    size_t length, size;
    const char *text = LLVMGetInlineAsmAsmString(old, &length), *list = LLVMGetInlineAsmConstraintString(old, &size);
    LLVMValueRef assembly = LLVMGetInlineAsm(type, text, length, list, size, LLVMGetInlineAsmHasSideEffects(old), false,
                                             LLVMInlineAsmDialectATT, false);
    replace_call(builder, call, LLVMBuildCall2(builder, type, assembly, operands, inputs, ""), a->outputs);
    return true;
}

static bool has_predicates(const struct assembly *a)
{
    bool has = false;
    for (unsigned k = 0; k < a->count; k++)
        has = has || a->operands[k].kind == ASSEMBLY_PREDICATE;
    return has;
}

bool pass_assembly(LLVMModuleRef module, const struct lower_options *options)
{
    (void)options;
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    LLVMValueRef *calls = NULL;
    size_t count = 0, capacity = 0;
    FOR_EACH_FUNCTION(f, module)
    FOR_EACH_BLOCK(block, f)
    FOR_EACH_INSTRUCTION(i, block)
    if (is_assembly(i))
        ARRAY_PUSH(calls, count, capacity, i);
    bool ok = true;
    for (size_t n = 0; ok && n < count; n++) {
        struct assembly a;
        ok = assembly_of(calls[n], &a) && (!has_predicates(&a) || use_masks(builder, calls[n], &a));
    }
    free(calls);
    LLVMDisposeBuilder(builder);
    return ok;
}
