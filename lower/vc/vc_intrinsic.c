/* Prints calls of intrinsics in the vector back end's dialect (vc.h): their names there, and their declarations. */
#include "lower/vc/vc.h"

#include <string.h>

/* LLVM's own intrinsics. Those with a genx twin become it, as the back end would make of them: SPIR-V, through which
 * the module goes, has the generic ones for 1, 2, 3, 4, 8 and 16 lanes only.
 *   genx         the twin, or GENX_NONE: printed as it is
 *   operands     how many of them the text has
 *   least, most  bits of an element that IGC 1.0.12504 takes
 *   few          the lanes must be one of SPIR-V's numbers
 *   plain        what it is without a twin
 */
static const struct generic {
    const char *name;
    enum genx_id genx;
    unsigned operands, least, most;
    bool few;
    enum vc_plain plain;
} generics[] = {
    {"abs", GENX_ABSI, 1, 8, 32, false, VC_NO_PLAIN},
    {"bitreverse", GENX_NONE, 1, 8, 32, false, VC_BITREVERSE},
    {"ceil", GENX_RNDU, 1, 32, 32, false, VC_NO_PLAIN},
    {"ctpop", GENX_NONE, 1, 8, 64, false, VC_CTPOP},
    {"fabs", GENX_ABSF, 1, 16, 64, false, VC_NO_PLAIN},
    {"floor", GENX_RNDD, 1, 32, 32, false, VC_NO_PLAIN},
    {"fma", GENX_NONE, 3, 16, 64, true, VC_FMA},
    {"fmuladd", GENX_NONE, 3, 16, 64, false, VC_FMULADD},
    {"fshl", GENX_NONE, 3, 16, 64, false, VC_FSHL},
    {"fshr", GENX_NONE, 3, 16, 64, false, VC_FSHR},
    {"maxnum", GENX_FMAX, 2, 16, 64, false, VC_NO_PLAIN},
    {"minnum", GENX_FMIN, 2, 16, 64, false, VC_NO_PLAIN},
    {"nearbyint", GENX_RNDE, 1, 32, 32, false, VC_NO_PLAIN},
    {"rint", GENX_RNDE, 1, 32, 32, false, VC_NO_PLAIN},
    {"roundeven", GENX_RNDE, 1, 32, 32, false, VC_NO_PLAIN},
    {"smax", GENX_SMAX, 2, 8, 64, false, VC_NO_PLAIN},
    {"smin", GENX_SMIN, 2, 8, 64, false, VC_NO_PLAIN},
    {"trunc", GENX_RNDZ, 1, 32, 32, false, VC_NO_PLAIN},
    {"umax", GENX_UMAX, 2, 8, 64, false, VC_NO_PLAIN},
    {"umin", GENX_UMIN, 2, 8, 64, false, VC_NO_PLAIN},
};

static const char *const overloads[GENX_COUNT] = {
    [GENX_NONE] = "",
#define GENX(ID, NAME, OVERLOADS, EFFECT, SELECT, OP, WHOLE, KIND, OLD, MASK) [GENX_##ID] = OVERLOADS,
#include "tables/genx_intrinsics.def"
#undef GENX
};

/* The row whose name `name` is, before the type suffix. */
static const struct generic *find_generic(const char *name)
{
    if (strncmp(name, "llvm.", 5) != 0)
        return NULL;
    for (size_t n = 0; n < sizeof generics / sizeof *generics; n++) {
        size_t length = strlen(generics[n].name);
        if (strncmp(name + 5, generics[n].name, length) == 0 && name[5 + length] == '.' &&
            name[5 + length + 1] != '\0' && strchr("ifv", name[5 + length + 1]))
            return &generics[n];
    }
    return NULL;
}

/* ".v1f32" becomes ".f32", like the operand's type. */
static void copy_without_one_lane(char *to, size_t size, const char *from)
{
    size_t length = 0;
    for (; *from && length + 1 < size; from++) {
        to[length++] = *from;
        if (strncmp(from, ".v1", 3) == 0 && (from[3] == 'i' || from[3] == 'f'))
            from += 2;
    }
    to[length] = '\0';
}

static bool spirv_has_lanes(unsigned lanes)
{
    return lanes <= 4 || lanes == 8 || lanes == 16;
}

static bool describe_generic(struct vc_intrinsic *out, const char *name, LLVMTypeRef type)
{
    const struct generic *row = find_generic(name);
    unsigned bits = type_element_bits(type);
    if (!row || bits < row->least || bits > row->most || (row->few && !spirv_has_lanes(type_lanes(type))))
        return false;
    out->operands = row->operands;
    out->plain = row->plain;
    if (row->genx == GENX_NONE) {
        copy_without_one_lane(out->name, sizeof out->name, name);
        return true;
    }
    char suffix[32]; /* operands and result of all twins have one type */
    copy_without_one_lane(suffix, sizeof suffix, name + 5 + strlen(row->name));
    snprintf(out->name, sizeof out->name, "llvm.genx.%s", genx_name(row->genx));
    for (const char *o = overloads[row->genx]; *o; o++)
        strncat(out->name, suffix, sizeof out->name - strlen(out->name) - 1);
    return true;
}

/* False if the call has no equivalent. */
static bool describe_call(struct vc_intrinsic *out, LLVMValueRef call)
{
    LLVMValueRef function = LLVMIsAFunction(LLVMGetCalledValue(call));
    if (!function)
        return false;
    out->function = function;
    out->plain = VC_NO_PLAIN;
    out->operands = LLVMGetNumArgOperands(call);
    if (genx_call_id(call) == GENX_NONE)
        return describe_generic(out, LLVMGetValueName(function), LLVMTypeOf(call));
    /* Intel's own intrinsics keep .v1: their declarations mark vectors of one lane. */
    snprintf(out->name, sizeof out->name, "%s", LLVMGetValueName(function));
    return true;
}

/* Functions that differ in LLVM may have the same name in the text: each name is declared once. */
static void remember(struct vc_writer *w, const struct vc_intrinsic *called)
{
    size_t seen;
    if (pointer_map_get(&w->declared, called->function, &seen))
        return;
    pointer_map_set(&w->declared, called->function, 1);
    for (size_t n = 0; n < w->called_count; n++)
        if (strcmp(called->name, w->called[n].name) == 0)
            return;
    ARRAY_PUSH(w->called, w->called_count, w->called_capacity, *called);
}

bool vc_intrinsic_of(struct vc_writer *w, LLVMValueRef call, struct vc_intrinsic *out)
{
    if (!describe_call(out, call)) {
        LLVMValueRef function = LLVMIsAFunction(LLVMGetCalledValue(call));
        vc_fail(w, "a call of %s", function ? LLVMGetValueName(function) : "an address");
        return false;
    }
    if (genx_call_id(call) == GENX_PRINT_BUFFER) {
        vc_fail(w, "printf that was lowered for another back end (-emit-llvm): give the source; it");
        return false;
    }
    remember(w, out);
    return true;
}

bool vc_marks_one_lane(const struct vc_intrinsic *called, LLVMTypeRef type)
{
    return known_function_of(called->function)->genx != GENX_NONE && LLVMGetTypeKind(type) == LLVMVectorTypeKind &&
           LLVMGetVectorSize(type) == 1;
}

/* Prints a type of the declaration with the attribute that restores a vector of one lane behind SPIR-V. */
static void declared_type(struct vc_writer *w, const struct vc_intrinsic *called, LLVMTypeRef type, bool is_result)
{
    const char *mark = vc_marks_one_lane(called, type) ? "\"VCSingleElementVector\"=\"0\"" : "";
    if (*mark && is_result)
        fprintf(w->out, "%s ", mark);
    vc_type(w, type);
    if (*mark && !is_result)
        fprintf(w->out, " %s", mark);
}

static void declare(struct vc_writer *w, const struct vc_intrinsic *called)
{
    LLVMTypeRef type = LLVMGlobalGetValueType(called->function), parameters[GENX_MOST_OPERANDS];
    if (LLVMCountParamTypes(type) > sizeof parameters / sizeof *parameters) {
        vc_fail(w, "%s with %u operands", called->name, LLVMCountParamTypes(type));
        return;
    }
    LLVMGetParamTypes(type, parameters);
    fputs("declare ", w->out);
    declared_type(w, called, LLVMGetReturnType(type), true);
    fprintf(w->out, " @%s(", called->name);
    for (unsigned i = 0; i < called->operands; i++) {
        if (i)
            fputs(", ", w->out);
        declared_type(w, called, parameters[i], false);
    }
    fputs(")\n", w->out);
}

void vc_declarations(struct vc_writer *w)
{
    w->at = NULL;
    for (size_t n = 0; n < w->called_count; n++)
        declare(w, &w->called[n]);
}
