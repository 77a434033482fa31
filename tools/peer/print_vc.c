/* cm-print-vc FILE.ll: a module of llvm.genx.* intrinsics, as `cmc -emit-llvm` writes it, in the dialect of IGC's
 * vector back end on standard output. For modules that were written or changed by hand; `cmc -emit-vc` does it for CM.
 */
#include <stdio.h>
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
    if (count != 2) {
        fputs("usage: cm-print-vc FILE.ll\n", stderr);
        return 2;
    }
    LLVMContextRef context = LLVMContextCreate();
    LLVMMemoryBufferRef buffer;
    LLVMModuleRef module;
    char *message;
    if (LLVMCreateMemoryBufferWithContentsOfFile(words[1], &buffer, &message))
        return fail(message);
    if (LLVMParseIRInContext(context, buffer, &module, &message)) /* takes the buffer */
        return fail(message);
    bool good = lower_print_vc(module, stdout) && fflush(stdout) == 0;
    LLVMDisposeModule(module);
    LLVMContextDispose(context);
    return good ? 0 : 1;
}
