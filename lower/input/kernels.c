/* Makes kernels of the vector back end's dialect those of the front end's modules (frontend/frontend.h): surfaces and
 * samplers become numbers, and attributes say what each argument is. Three forms exist: a module's `genx.kernels`,
 * attributes of the arguments ("VCArgumentKind"), and types whose values llvm.genx.address.convert makes numbers. */
#include "lower/input/input.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "lower/functions/functions.h"
#include "lower/ir/ir.h"

enum { SPIR_KERNEL = 76 /* calling convention */, GLOBAL_SPACE = 1 };

struct argument {
    const char *kind; /* "cm-kind" */
    char type[64];    /* "cm-type" */
};

/* What a kernel's description says of its arguments; NULL: it has none. */
struct description {
    LLVMValueRef kinds, types; /* nodes */
    int64_t shared_bytes;
};

static void set_text(LLVMValueRef function, unsigned index, const char *name, const char *text)
{
    LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
    LLVMAddAttributeAtIndex(
        function, index,
        LLVMCreateStringAttribute(context, name, (unsigned)strlen(name), text, (unsigned)strlen(text)));
}

/* --- genx.kernels --------------------------------------------------------------------------------------------------
 */

/* Operand `number` of a node, or NULL. */
static LLVMValueRef node_operand(LLVMValueRef node, unsigned number)
{
    if (!node || !LLVMIsAMDNode(node) || number >= LLVMGetMDNodeNumOperands(node))
        return NULL;
    LLVMValueRef *operands = ir_calloc(LLVMGetMDNodeNumOperands(node), sizeof *operands);
    LLVMGetMDNodeOperands(node, operands);
    LLVMValueRef found = operands[number];
    free(operands);
    return found;
}

/* Finds the kernel's row: function, name, kinds, bytes of shared memory, offsets, access, types. */
static bool find_description(LLVMModuleRef module, LLVMValueRef kernel, struct description *out)
{
    enum { KINDS = 2, SHARED = 3, TYPES = 6 };
    unsigned count = LLVMGetNamedMetadataNumOperands(module, "genx.kernels");
    LLVMValueRef *rows = ir_calloc(count + 1, sizeof *rows), row = NULL;
    LLVMGetNamedMetadataOperands(module, "genx.kernels", rows);
    for (unsigned i = 0; i < count && !row; i++)
        if (node_operand(rows[i], 0) == kernel)
            row = rows[i];
    free(rows);
    LLVMValueRef shared = node_operand(row, SHARED);
    *out = (struct description){.kinds = node_operand(row, KINDS), .types = node_operand(row, TYPES)};
    if (shared && LLVMIsAConstantInt(shared))
        constant_int(shared, &out->shared_bytes);
    return row != NULL;
}

/* --- one argument --------------------------------------------------------------------------------------------------
 */

/* Numbers of Intel's argument kinds: the low three bits. */
static const char *const kinds[] = {"value", "sampler", "surface"};

/* Reads "VCArgumentKind", or the number in genx.kernels. False: neither is there. */
static bool written_number(LLVMValueRef kernel, unsigned index, const struct description *d, int64_t *number)
{
    char text[16];
    LLVMValueRef listed = node_operand(d->kinds, index);
    if (!ir_string_attribute(kernel, index + 1, "VCArgumentKind", text, sizeof text))
        return listed && constant_int(listed, number);
    *number = strtol(text, NULL, 10);
    return true;
}

static bool is_known_kind(int64_t number)
{
    return number >= 0 && number < (int64_t)(sizeof kinds / sizeof *kinds);
}

static void written_type(LLVMValueRef kernel, unsigned index, const struct description *d, char *type, size_t size)
{
    unsigned length = 0;
    LLVMValueRef listed = node_operand(d->types, index);
    const char *text = listed ? LLVMGetMDString(listed, &length) : NULL;
    if (!ir_string_attribute(kernel, index + 1, "VCArgumentDesc", type, size))
        snprintf(type, size, "%.*s", text ? (int)length : 0, text ? text : "");
}

/* True for a call of llvm.genx.address.convert, which makes a number of a surface or sampler. */
static bool converts(LLVMValueRef user)
{
    LLVMValueRef function = LLVMIsACallInst(user) ? LLVMGetCalledValue(user) : NULL;
    return function && LLVMIsAFunction(function) && ir_is_named(function, "llvm.genx.address.convert.");
}

/* The name of the opaque type that LLVM 14's modules have: it is left in the name of the conversion. */
static const char *opaque_name(LLVMValueRef parameter)
{
    for (LLVMUseRef use = LLVMGetFirstUse(parameter); use; use = LLVMGetNextUse(use))
        if (converts(LLVMGetUser(use)))
            return LLVMGetValueName2(LLVMGetCalledValue(LLVMGetUser(use)), &(size_t){0});
    return NULL;
}

static void name_image(struct argument *a, const char *word, const char *access, bool media)
{
    if (media && strcmp(word, "image2d_t") == 0)
        word = "image2d_media_block_t";
    snprintf(a->type, sizeof a->type, "%s%s%s", word, *access ? " " : "", access);
}

static bool by_opaque_name(struct argument *a, const char *name, bool media)
{
    static const struct {
        const char *part, *kind, *word;
    } rows[] = {
        {"intel.buffer_", "surface", "buffer_t"},    {"opencl.image1d_buffer_", "surface", "image1d_buffer_t"},
        {"opencl.image1d_", "surface", "image1d_t"}, {"opencl.image2d_", "surface", "image2d_t"},
        {"opencl.image3d_", "surface", "image3d_t"}, {"opencl.sampler_t", "sampler", "sampler_t"},
    };
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        if (!strstr(name, rows[n].part))
            continue;
        const char *access = strstr(name, "_ro_t") ? "read_only" : strstr(name, "_wo_t") ? "write_only" : "";
        a->kind = rows[n].kind;
        name_image(a, rows[n].word, access, media);
        return true;
    }
    return false;
}

/* target("spirv.Image", void, DIMENSION, ..., ACCESS), as newer LLVM has it. */
static bool by_target_type(struct argument *a, LLVMTypeRef type, bool media)
{
    static const char *const images[] = {"image1d_t", "image2d_t", "image3d_t", NULL, NULL, "image1d_buffer_t"};
    static const char *const accesses[] = {"read_only", "write_only", ""};
    char *text = LLVMPrintTypeToString(type);
    const char *numbers = strstr(text, "void, "), *last = strrchr(text, ' ');
    unsigned long dimension = numbers ? strtoul(numbers + 6, NULL, 10) : 0, access = last ? strtoul(last, NULL, 10) : 0;
    bool known = true;
    if (strstr(text, "\"spirv.BufferSurfaceINTEL\"")) {
        a->kind = "surface";
        name_image(a, "buffer_t", "", false);
    } else if (strstr(text, "\"spirv.Sampler\"")) {
        a->kind = "sampler";
    } else if (strstr(text, "\"spirv.Image\"") && dimension < sizeof images / sizeof *images && images[dimension]) {
        a->kind = "surface";
        name_image(a, images[dimension], access < 3 ? accesses[access] : "", media);
    } else {
        known = false;
    }
    LLVMDisposeMessage(text);
    return known;
}

static bool by_type(LLVMValueRef parameter, bool media, struct argument *a)
{
    enum { SHARED_SPACE = 3 };
    LLVMTypeRef type = LLVMTypeOf(parameter);
    const char *name = opaque_name(parameter);
    a->kind = "value";
    switch (LLVMGetTypeKind(type)) {
    case LLVMTargetExtTypeKind: return by_target_type(a, type, media);
    case LLVMPointerTypeKind:
        if (name)
            return by_opaque_name(a, name, media);
        a->kind = LLVMGetPointerAddressSpace(type) == SHARED_SPACE ? "local" : "svmptr";
        return true;
    default: return true;
    }
}

static bool describe(const struct input *in, LLVMValueRef kernel, unsigned index, const struct description *d,
                     struct argument *a)
{
    LLVMValueRef parameter = LLVMGetParam(kernel, index);
    bool media = LLVMGetStringAttributeAtIndex(kernel, index + 1, "VCMediaBlockIO", 14) != NULL;
    int64_t number = 0;
    *a = (struct argument){0};
    if (!written_number(kernel, index, d, &number)) {
        if (by_type(parameter, media, a))
            return true;
    } else if (is_known_kind(number)) {
        a->kind = kinds[number];
        written_type(kernel, index, d, a->type, sizeof a->type);
        if (strncmp(a->type, "svmptr_t", 8) == 0)
            a->kind = "svmptr";
        return true;
    }
    return number == 0 ? input_error(in, NULL, "kernel '%s': argument %u is of a type that cmc does not know",
                                     LLVMGetValueName(kernel), index)
                       : input_error(in, NULL,
                                     "kernel '%s': argument %u is of kind %" PRId64
                                     ", which is none of value (0), sampler (1) and "
                                     "surface (2): kinds that IGC's passes add are not a front end's",
                                     LLVMGetValueName(kernel), index, number);
}

/* --- a kernel ------------------------------------------------------------------------------------------------------
 */

/* True for a surface or sampler that is passed as an address or an opaque object. */
static bool becomes_number(const struct argument *a, LLVMTypeRef type)
{
    return (strcmp(a->kind, "surface") == 0 || strcmp(a->kind, "sampler") == 0) &&
           LLVMGetTypeKind(type) != LLVMIntegerTypeKind;
}

/* Replaces what makes a number of `old` by `number`. */
static bool replace_conversions(const struct input *in, LLVMValueRef old, LLVMValueRef number)
{
    for (LLVMUseRef use; (use = LLVMGetFirstUse(old));) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!converts(user) && !LLVMIsAPtrToIntInst(user))
            return input_error(in, user, "a surface or sampler is used as something else than its number");
        LLVMPositionBuilderBefore(in->builder, user);
        LLVMTypeRef type = LLVMTypeOf(user);
        if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind)
            return input_error(in, user, "the number of a surface or sampler is no integer");
        LLVMReplaceAllUsesWith(user, LLVMBuildIntCast2(in->builder, number, type, false, ""));
        LLVMInstructionEraseFromParent(user);
    }
    return true;
}

static bool move_parameters(const struct input *in, LLVMValueRef old, LLVMValueRef kernel,
                            const struct argument *arguments)
{
    for (unsigned k = 0; k < LLVMCountParams(old); k++) {
        size_t length;
        LLVMValueRef from = LLVMGetParam(old, k), to = LLVMGetParam(kernel, k);
        const char *name = LLVMGetValueName2(from, &length);
        char plain[24];
        if (length > 2 && strncmp(name, "p.", 2) == 0) /* as cmc -emit-vc writes it */
            LLVMSetValueName2(to, name + 2, length - 2);
        else if (length)
            LLVMSetValueName2(to, name, length);
        else
            LLVMSetValueName2(to, plain, (size_t)snprintf(plain, sizeof plain, "arg%u", k));
        if (!becomes_number(&arguments[k], LLVMTypeOf(from)))
            LLVMReplaceAllUsesWith(from, to);
        else if (!replace_conversions(in, from, to))
            return false;
        char *declared = LLVMPrintTypeToString(LLVMTypeOf(from));
        set_text(kernel, k + 1, "cm-kind", arguments[k].kind);
        set_text(kernel, k + 1, "cm-decl", *arguments[k].type ? arguments[k].type : declared);
        if (*arguments[k].type && strcmp(arguments[k].kind, "surface") == 0)
            set_text(kernel, k + 1, "cm-type", arguments[k].type);
        LLVMDisposeMessage(declared);
    }
    return true;
}

static LLVMTypeRef kernel_type(const struct input *in, LLVMValueRef old, const struct argument *arguments)
{
    unsigned count = LLVMCountParams(old);
    LLVMTypeRef *types = ir_calloc(count + 1, sizeof *types), number;
    number = LLVMInt32TypeInContext(LLVMGetModuleContext(in->module));
    for (unsigned k = 0; k < count; k++) {
        types[k] = LLVMTypeOf(LLVMGetParam(old, k));
        if (becomes_number(&arguments[k], types[k]))
            types[k] = number;
    }
    LLVMTypeRef type = LLVMFunctionType(LLVMGetReturnType(LLVMGlobalGetValueType(old)), types, count, false);
    free(types);
    return type;
}

/* The front end's marks of a kernel; shared memory of a given size becomes a call. */
static void mark_kernel(const struct input *in, LLVMValueRef kernel, int64_t shared)
{
    char text[24];
    LLVMContextRef context = LLVMGetModuleContext(in->module);
    LLVMSetFunctionCallConv(kernel, LLVMCCallConv);
    LLVMSetLinkage(kernel, LLVMExternalLinkage);
    set_text(kernel, (unsigned)LLVMAttributeFunctionIndex, "cm-kernel", "");
    if (ir_string_attribute(kernel, (unsigned)LLVMAttributeFunctionIndex, "VCFloatControl", text, sizeof text) &&
        strcmp(text, "0") != 0)
        set_text(kernel, (unsigned)LLVMAttributeFunctionIndex, "cm-float-control", text);
    if (ir_string_attribute(kernel, (unsigned)LLVMAttributeFunctionIndex, "VCSLMSize", text, sizeof text))
        shared = strtol(text, NULL, 10);
    if (shared <= 0 || shared > INT32_MAX)
        return;
    LLVMValueRef bytes = LLVMConstInt(LLVMInt32TypeInContext(context), (unsigned long long)shared, false);
    LLVMPositionBuilderBefore(in->builder, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(kernel)));
    genx_build(in->builder, in->module, GENX_SLM_INIT, LLVMVoidTypeInContext(context), &bytes, 1);
}

static bool translate_kernel(const struct input *in, LLVMValueRef old)
{
    struct description d;
    find_description(in->module, old, &d);
    unsigned count = LLVMCountParams(old);
    struct argument *arguments = ir_calloc(count + 1, sizeof *arguments);
    bool good = true;
    if (LLVMGetFirstUse(old) && LLVMIsACallInst(LLVMGetUser(LLVMGetFirstUse(old))))
        good = input_error(in, NULL, "kernel '%s' is called", LLVMGetValueName(old));
    for (unsigned k = 0; good && k < count; k++)
        good = describe(in, old, k, &d, &arguments[k]);
    if (good) {
        LLVMValueRef kernel = functions_move(in->module, old, kernel_type(in, old, arguments));
        good = move_parameters(in, old, kernel, arguments);
        if (good) {
            LLVMReplaceAllUsesWith(old, LLVMGetPoison(LLVMTypeOf(old))); /* rows of genx.kernels */
            functions_replace(old, kernel);
            mark_kernel(in, kernel, d.shared_bytes);
        }
    }
    free(arguments);
    return good;
}

/* --- the module ----------------------------------------------------------------------------------------------------
 */

static bool is_foreign_kernel(LLVMModuleRef module, LLVMValueRef function)
{
    struct description d;
    return !LLVMIsDeclaration(function) && !function_is_kernel(function) &&
           (LLVMGetStringAttributeAtIndex(function, LLVMAttributeFunctionIndex, "CMGenxMain", 10) ||
            LLVMGetFunctionCallConv(function) == SPIR_KERNEL || find_description(module, function, &d));
}

/* Functions keep their way of being called; the others are inlined. */
static void mark_function(LLVMValueRef function)
{
    LLVMSetFunctionCallConv(function, LLVMCCallConv);
    if (LLVMIsDeclaration(function) || function_is_kernel(function))
        return;
    LLVMSetLinkage(function, LLVMInternalLinkage);
    LLVMTypeKind result = LLVMGetTypeKind(LLVMGetReturnType(LLVMGlobalGetValueType(function)));
    if (LLVMGetStringAttributeAtIndex(function, LLVMAttributeFunctionIndex, "VCStackCall", 11) &&
        result != LLVMStructTypeKind)
        set_text(function, (unsigned)LLVMAttributeFunctionIndex, "cm-call", "stack");
}

/* Functions that cannot be inlined, and that the dialect does not call on a stack as ours do. */
static bool check_function(const struct input *in, LLVMValueRef function)
{
    if (LLVMIsDeclaration(function) || function_is_kernel(function) || function_call_kind(function) != CALL_INLINED)
        return true;
    for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!LLVMIsAInstruction(user)) /* a table, such as that of constructors */
            continue;
        if (function_called(user) != function)
            return input_error(in, user, "function '%s' is called by its address, and cannot be inlined",
                               LLVMGetValueName(function));
        if (LLVMGetBasicBlockParent(LLVMGetInstructionParent(user)) == function)
            return input_error(in, user, "function '%s' calls itself, and cannot be inlined",
                               LLVMGetValueName(function));
    }
    return true;
}

/* Calls have the convention of what they call. */
static void plain_calls(LLVMValueRef function)
{
    FOR_EACH_BLOCK(block, function)
    FOR_EACH_INSTRUCTION(i, block)
    if (LLVMIsACallInst(i))
        LLVMSetInstructionCallConv(i, LLVMCCallConv);
}

bool input_kernels(const struct input *in)
{
    bool good = true;
    for (LLVMValueRef next, f = LLVMGetFirstFunction(in->module); f && good; f = next) {
        next = LLVMGetNextFunction(f);
        if (is_foreign_kernel(in->module, f))
            good = translate_kernel(in, f);
    }
    for (LLVMValueRef f = LLVMGetFirstFunction(in->module); f; f = LLVMGetNextFunction(f)) {
        mark_function(f);
        plain_calls(f);
        good = good && check_function(in, f);
    }
    return good;
}
