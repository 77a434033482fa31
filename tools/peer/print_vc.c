/* cm-print-vc [--spirv] FILE.ll: prints a module of llvm.genx.* intrinsics, as `cmc -emit-llvm` writes it, in the
 * dialect of IGC's vector back end, as text or as SPIR-V. For modules that were written or changed by hand; `cmc
 * -emit-vc` and `cmc -emit-spirv` do the same for CM. */
#include <stdio.h>
#include <string.h>
#include <llvm-c/Core.h>
#include <llvm-c/IRReader.h>
#include "lower/lower.h"

static int fail(char *message)
{
    fprintf(stderr, "cm-print-vc: error: %s\n", message);
    LLVMDisposeMessage(message);
    return 1;
}

int main(int count, char **words)
{
    bool spirv = count == 3 && strcmp(words[1], "--spirv") == 0;
    if (count != 2 && !spirv) {
        fputs("usage: cm-print-vc [--spirv] FILE.ll\n", stderr);
        return 2;
    }
    LLVMContextRef context = LLVMContextCreate();
    LLVMMemoryBufferRef buffer;
    LLVMModuleRef module;
    char *message;
    if (LLVMCreateMemoryBufferWithContentsOfFile(words[count - 1], &buffer, &message))
        return fail(message);
    if (LLVMParseIRInContext(context, buffer, &module, &message)) /* takes the buffer */
        return fail(message);
    bool good = spirv ? lower_write_spirv(module, false, stdout) : lower_print_vc(module, stdout);
    good = good && fflush(stdout) == 0;
    LLVMDisposeModule(module);
    LLVMContextDispose(context);
    return good ? 0 : 1;
}
