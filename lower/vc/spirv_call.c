/* Writes calls in SPIR-V (spirv.h). Intel's intrinsics are imported functions with their names; LLVM intrinsics without
 * such a function are instructions. */
#include "lower/ir/assembly_info.h"
#include "lower/ir/function_info.h"
#include "lower/vc/spirv.h"

#include <stdlib.h>
#include <string.h>

static void operands_of(struct spirv_writer *w, LLVMValueRef call, unsigned count, struct spirv_words *out)
{
    for (unsigned n = 0; n < count; n++)
        spirv_put(out, spirv_value(w, LLVMGetOperand(call, n)));
}

/* Writes OpFunctionCall or OpAsmCallINTEL; `words`: the callee and its operands. */
static void put_call(struct spirv_writer *w, LLVMValueRef call, enum spirv_op op, const struct spirv_words *words)
{
    if (LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMVoidTypeKind)
        spirv_compute(w, op, spirv_type(w, LLVMTypeOf(call)), words->words, words->count);
    else
        spirv_define(w, call, op, words->words, words->count);
}

/* --- intrinsics
 * -------------------------------------------------------------------------------------------------------- */

static void single_element(struct spirv_writer *w, const struct vc_intrinsic *called, LLVMTypeRef type, uint32_t id)
{
    if (vc_marks_one_lane(called, type))
        SPIRV_EMIT(w, SPIRV_DECORATIONS, OP_DECORATE, id, DECORATION_SINGLE_ELEMENT);
}

static uint32_t declare(struct spirv_writer *w, const struct vc_intrinsic *called)
{
    LLVMTypeRef type = LLVMGlobalGetValueType(called->function), parameters[GENX_MOST_OPERANDS];
    struct spirv_words types = {0};
    if (LLVMCountParamTypes(type) > GENX_MOST_OPERANDS) {
        vc_fail(&w->vc, "%s with %u operands", called->name, LLVMCountParamTypes(type));
        return 0;
    }
    LLVMGetParamTypes(type, parameters);
    spirv_put(&types, spirv_type(w, LLVMGetReturnType(type)));
    for (unsigned n = 0; n < called->operands; n++)
        spirv_put(&types, spirv_type(w, parameters[n]));
    uint32_t function_type = spirv_function_type(w, types.words, types.count), id = w->next++;
    SPIRV_EMIT(w, SPIRV_DECLARATIONS, OP_FUNCTION, types.words[0], id, 0, function_type);
    single_element(w, called, LLVMGetReturnType(type), id);
    for (unsigned n = 0; n < called->operands; n++) {
        uint32_t parameter = w->next++;
        SPIRV_EMIT(w, SPIRV_DECLARATIONS, OP_FUNCTION_PARAMETER, types.words[1 + n], parameter);
        single_element(w, called, parameters[n], parameter);
    }
    spirv_emit(w, SPIRV_DECLARATIONS, OP_FUNCTION_END, NULL, 0);
    spirv_import(w, id, called->name);
    free(types.words);
    return id;
}

/* Functions that differ in LLVM may have the same name: each name is declared once. */
static uint32_t declared(struct spirv_writer *w, const struct vc_intrinsic *called)
{
    size_t known;
    if (pointer_map_get(&w->functions, called->function, &known))
        return (uint32_t)known;
    uint32_t id = 0;
    for (size_t n = 0; n < w->declared_count && !id; n++)
        if (strcmp(w->declared[n].name, called->name) == 0)
            id = w->declared[n].id;
    if (!id) {
        id = declare(w, called);
        struct spirv_declared new = {strdup(called->name), id};
        ARRAY_PUSH(w->declared, w->declared_count, w->declared_capacity, new);
    }
    pointer_map_set(&w->functions, called->function, id);
    return id;
}

static void write_extended(struct spirv_writer *w, LLVMValueRef call, uint32_t number)
{
    struct spirv_words words = {0};
    spirv_put(&words, spirv_opencl(w));
    spirv_put(&words, number);
    operands_of(w, call, 3, &words);
    spirv_define(w, call, OP_EXT_INST, words.words, words.count);
    free(words.words);
}

/* fshl and fshr: two words, shifted by a count below their width, so that no shift is as wide as a word. */
static void write_funnel(struct spirv_writer *w, LLVMValueRef call, bool left)
{
    LLVMTypeRef type = LLVMTypeOf(call);
    uint32_t id = spirv_type(w, type), high = spirv_value(w, LLVMGetOperand(call, 0)),
             low = spirv_value(w, LLVMGetOperand(call, 1));
    uint32_t one = spirv_splat(w, type, 1), most = spirv_splat(w, type, type_element_bits(type) - 1);
    uint32_t count = SPIRV_COMPUTE(w, OP_BITWISE_AND, id, spirv_value(w, LLVMGetOperand(call, 2)), most);
    uint32_t rest = SPIRV_COMPUTE(w, OP_BITWISE_XOR, id, count, most); /* width - 1 - count */
    if (left)
        low = SPIRV_COMPUTE(w, OP_SHIFT_RIGHT_LOGICAL, id, low, one);
    else
        high = SPIRV_COMPUTE(w, OP_SHIFT_LEFT, id, high, one);
    high = SPIRV_COMPUTE(w, OP_SHIFT_LEFT, id, high, left ? count : rest);
    low = SPIRV_COMPUTE(w, OP_SHIFT_RIGHT_LOGICAL, id, low, left ? rest : count);
    SPIRV_DEFINE(w, call, OP_BITWISE_OR, high, low);
}

static void write_intrinsic(struct spirv_writer *w, LLVMValueRef call)
{
    struct vc_intrinsic called;
    if (!vc_intrinsic_of(&w->vc, call, &called))
        return;
    switch (called.plain) {
    case VC_BITREVERSE: SPIRV_DEFINE(w, call, OP_BIT_REVERSE, spirv_value(w, LLVMGetOperand(call, 0))); return;
    case VC_CTPOP: SPIRV_DEFINE(w, call, OP_BIT_COUNT, spirv_value(w, LLVMGetOperand(call, 0))); return;
    case VC_FMA: write_extended(w, call, OPENCL_FMA); return;
    case VC_FMULADD: write_extended(w, call, OPENCL_MAD); return;
    case VC_FSHL: write_funnel(w, call, true); return;
    case VC_FSHR: write_funnel(w, call, false); return;
    case VC_NO_PLAIN: break;
    }
    struct spirv_words words = {0};
    spirv_put(&words, declared(w, &called));
    operands_of(w, call, called.operands, &words);
    put_call(w, call, OP_FUNCTION_CALL, &words);
    free(words.words);
}

/* --- functions and assembly
 * -------------------------------------------------------------------------------------------- */

/* Builds the struct of a function's results, which it returns. */
static void write_return_marker(struct spirv_writer *w, LLVMValueRef i)
{
    LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(i));
    uint32_t type = spirv_type(w, LLVMGetReturnType(LLVMGlobalGetValueType(function)));
    w->left = spirv_undef(w, type);
    for (unsigned n = 0; n < LLVMGetNumArgOperands(i); n++)
        w->left = SPIRV_COMPUTE(w, OP_COMPOSITE_INSERT, type, spirv_value(w, LLVMGetOperand(i, n)), w->left, n);
}

static void write_function_call(struct spirv_writer *w, LLVMValueRef i)
{
    struct spirv_words words = {0};
    spirv_put(&words, spirv_function(w, function_called(i)));
    operands_of(w, i, LLVMGetNumArgOperands(i), &words);
    put_call(w, i, OP_FUNCTION_CALL, &words);
    free(words.words);
}

static uint32_t assembly_target(struct spirv_writer *w)
{
    static const char triple[] = "spirv64-unknown-unknown";
    struct spirv_words words = {0};
    spirv_put(&words, 0);
    spirv_put_text(&words, triple, sizeof triple - 1);
    uint32_t id = spirv_once(w, SPIRV_TYPES, OP_ASM_TARGET, 0, words.words, words.count);
    free(words.words);
    return id;
}

/* Writes the text's id, by its type, with its operands' constraints. */
static uint32_t assembly_text(struct spirv_writer *w, LLVMValueRef i, const struct assembly *a)
{
    struct spirv_words types = {0}, words = {0};
    size_t length, spelt_length = 0;
    char *spelt = NULL;
    const char *list = LLVMGetInlineAsmConstraintString(LLVMGetCalledValue(i), &length);
    FILE *out = open_memstream(&spelt, &spelt_length);
    if (!out) {
        vc_fail(&w->vc, "assembly without memory");
        return 0;
    }
    vc_constraints(out, list, length);
    fclose(out);
    spirv_put(&types, spirv_type(w, LLVMTypeOf(i)));
    for (unsigned n = 0; n < LLVMGetNumArgOperands(i); n++)
        spirv_put(&types, spirv_type(w, LLVMTypeOf(LLVMGetOperand(i, n))));
    spirv_put(&words, types.words[0]);
    spirv_put(&words, 0);
    spirv_put(&words, spirv_function_type(w, types.words, types.count));
    spirv_put(&words, assembly_target(w));
    spirv_put_text(&words, a->text, a->length);
    spirv_put_text(&words, spelt, spelt_length);
    words.words[1] = w->next++;
    spirv_emit(w, SPIRV_TYPES, OP_ASM, words.words, words.count);
    uint32_t id = words.words[1];
    free(spelt);
    free(types.words);
    free(words.words);
    return id;
}

static void write_assembly(struct spirv_writer *w, LLVMValueRef i)
{
    struct assembly a;
    struct spirv_words words = {0};
    if (!assembly_of(i, &a)) {
        vc_fail(&w->vc, "this assembly");
        return;
    }
    spirv_capability(w, CAPABILITY_ASM);
    spirv_extension(w, "SPV_INTEL_inline_assembly");
    uint32_t text = assembly_text(w, i, &a);
    if (LLVMGetInlineAsmHasSideEffects(LLVMGetCalledValue(i)))
        SPIRV_EMIT(w, SPIRV_DECORATIONS, OP_DECORATE, text, DECORATION_SIDE_EFFECTS);
    spirv_put(&words, text);
    operands_of(w, i, LLVMGetNumArgOperands(i), &words);
    put_call(w, i, OP_ASM_CALL, &words);
    free(words.words);
}

void spirv_call(struct spirv_writer *w, LLVMValueRef i)
{
    if (assembly_is(i))
        write_assembly(w, i);
    else if (function_is_return_marker(i))
        write_return_marker(w, i);
    else if (function_is_print(i))
        spirv_printf(w, i);
    else if (function_called(i))
        write_function_call(w, i);
    else
        write_intrinsic(w, i);
}
