/* Takes a module that the front end did not make: see input.h. */
#include "lower/input/input.h"

#include <stdio.h>
#include <string.h>
#include <llvm-c/Analysis.h>
#include <llvm-c/DebugInfo.h>
#include "lower/ir/ir.h"

#define STAGE "cmkit.genx" /* metadata: version, platform, registers */

/* That of the front end's modules: passes ask for the sizes of types. */
static const char layout[] = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-G1";

/* --- the mark of what lower_to_genx() made -------------------------------------------------------------------------
 */

/* VERSION PLATFORM REGISTERS */
static void stage_text(char *text, size_t size, const char *version, const struct lower_options *options)
{
    snprintf(text, size, "%s %s %u", version, options->platform->name, options->platform->grf_count);
}

void lower_mark_genx(LLVMModuleRef module, const char *version, const struct lower_options *options)
{
    char text[80];
    LLVMContextRef context = LLVMGetModuleContext(module);
    stage_text(text, sizeof text, version, options);
    LLVMMetadataRef word = LLVMMDStringInContext2(context, text, strlen(text));
    LLVMMetadataRef node = LLVMMDNodeInContext2(context, &word, 1);
    LLVMAddNamedMetadataOperand(module, STAGE, LLVMMetadataAsValue(context, node));
}

bool lower_is_genx(LLVMModuleRef module)
{
    return LLVMGetNamedMetadata(module, STAGE, sizeof STAGE - 1) != NULL;
}

/* Copies the mark's text. False: it has none, or is damaged. */
static bool read_stage(LLVMModuleRef module, char *text, size_t size)
{
    LLVMValueRef node, word;
    unsigned length = 0;
    if (LLVMGetNamedMetadataNumOperands(module, STAGE) != 1)
        return false;
    LLVMGetNamedMetadataOperands(module, STAGE, &node);
    if (LLVMGetMDNodeNumOperands(node) != 1)
        return false;
    LLVMGetMDNodeOperands(node, &word);
    const char *found = word ? LLVMGetMDString(word, &length) : NULL;
    snprintf(text, size, "%.*s", (int)length, found ? found : "");
    return found != NULL;
}

/* It is as the middle end of this version made it for this platform, or it is not taken. */
static bool check_stage(const struct input *in, const char *version, const struct lower_options *options)
{
    char found[80], wanted[80];
    if (!lower_is_genx(in->module))
        return true;
    stage_text(wanted, sizeof wanted, version, options);
    if (!read_stage(in->module, found, sizeof found))
        return input_error(in, NULL, "damaged metadata " STAGE);
    return strcmp(found, wanted) == 0 ||
           input_error(in, NULL, "written by cmc -emit-llvm for '%s', and this is '%s': compile the source again",
                       found, wanted);
}

/* --- what the module is for ----------------------------------------------------------------------------------------
 */

static bool check_target(const struct input *in)
{
    const char *triple = LLVMGetTarget(in->module), *data = LLVMGetDataLayoutStr(in->module);
    if (*triple && strncmp(triple, "spir64", 6) != 0 && strncmp(triple, "genx64", 6) != 0)
        return input_error(in, NULL, "a module for %s: one for a GPU is for spir64", triple);
    if (strstr(data, "p:32:32"))
        return input_error(in, NULL, "a module with addresses of 32 bits: they have 64");
    LLVMSetTarget(in->module, "spir64-unknown-unknown");
    LLVMSetDataLayout(in->module, layout);
    return true;
}

static bool verify(const struct input *in)
{
    char *message = NULL;
    bool good = !LLVMVerifyModule(in->module, LLVMReturnStatusAction, &message);
    if (!good) {
        message[strcspn(message, "\n")] = '\0';
        input_error(in, NULL, "not valid LLVM IR: %.300s", message);
    }
    LLVMDisposeMessage(message);
    return good;
}

static bool has_kernel(const struct input *in)
{
    FOR_EACH_FUNCTION(f, in->module)
    if (function_is_kernel(f))
        return true;
    return input_error(in, NULL, "no kernel: a function \"cm-kernel\", or one of the vector back end's dialect");
}

/* A module without positions may have none: LLVM demands them of calls that are inlined if a function has one. */
static void drop_partial_positions(LLVMModuleRef module)
{
    if (LLVMGetModuleDebugMetadataVersion(module) == 0)
        LLVMStripModuleDebugInfo(module);
}

bool lower_take_module(LLVMModuleRef module, const char *path, const char *version, const struct lower_options *options)
{
    struct ir_context *before = ir_context_enter(options);
    struct input in = {
        .module = module, .builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module)), .path = path};
    drop_partial_positions(module);
    bool good = verify(&in) && check_target(&in) && check_stage(&in, version, options) && input_kernels(&in) &&
                input_calls(&in) && has_kernel(&in) && input_check(&in) && verify(&in);
    LLVMDisposeBuilder(in.builder);
    ir_context_leave(before);
    return good;
}
