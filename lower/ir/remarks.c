/* Makes remarks: fills in the row's format and the place in the user's source. */
#include "lower/ir/remarks.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <llvm-c/DebugInfo.h>
#include "lower/ir/ir.h"

static const struct {
    enum lower_remark_kind kind;
    const char *pass, *name, *format;
} remarks[] = {
#define REMARK(ID, KIND, PASS, NAME, FORMAT) {LOWER_REMARK_##KIND, PASS, NAME, FORMAT},
#include "lower/ir/remarks.def"
#undef REMARK
};

static void copy_text(char *out, size_t size, const char *text, unsigned length)
{
    snprintf(out, size, "%.*s", (int)length, text ? text : "");
}

bool remark_is_wanted(void)
{
    return ir_context->options && ir_context->options->remark;
}

static void make_remark(LLVMValueRef at, enum remark_id id, va_list values)
{
    char text[512], file[4096] = "", folder[4096] = "", function[256];
    const struct lower_options *options = ir_context->options;
    vsnprintf(text, sizeof text, remarks[id].format, values);
    LLVMMetadataRef place = LLVMInstructionGetDebugLoc(at);
    LLVMMetadataRef user = place ? ir_user_location(place) : NULL;
    LLVMMetadataRef scope = user ? LLVMDIScopeGetFile(LLVMDILocationGetScope(user)) : NULL;
    if (scope) {
        unsigned length = 0;
        const char *name = LLVMDIFileGetFilename(scope, &length);
        copy_text(file, sizeof file, name, length);
        name = LLVMDIFileGetDirectory(scope, &length);
        copy_text(folder, sizeof folder, name, length);
    }
    size_t length;
    const char *name = LLVMGetValueName2(LLVMGetBasicBlockParent(LLVMGetInstructionParent(at)), &length);
    copy_text(function, sizeof function, name, (unsigned)length);
    options->remark(options->remark_user, &(struct lower_remark){.kind = remarks[id].kind,
                                                                 .pass = remarks[id].pass,
                                                                 .name = remarks[id].name,
                                                                 .text = text,
                                                                 .function = function,
                                                                 .file = *file ? file : NULL,
                                                                 .folder = folder,
                                                                 .line = scope ? LLVMDILocationGetLine(user) : 0,
                                                                 .column = scope ? LLVMDILocationGetColumn(user) : 0});
}

void remark_at(LLVMValueRef at, enum remark_id id, ...)
{
    if (!remark_is_wanted())
        return;
    va_list values;
    va_start(values, id);
    make_remark(at, id, values);
    va_end(values);
}
