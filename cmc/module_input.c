/* Reads inputs that are modules: see module_input.h. */
#include "cmc/module_input.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <llvm-c/Core.h>
#include <llvm-c/IRReader.h>
#include "runtime/file.h"

/* LLVM's message begins with the file's name if it has a line. Its other lines show the source. A file of a later LLVM
 * has words that this one does not know, and LLVM does not say so. */
static bool parse_failed(const char *path, char *message)
{
    size_t length = strlen(path);
    unsigned major, minor, patch;
    LLVMGetVersion(&major, &minor, &patch);
    message[strcspn(message, "\n")] = '\0';
    if (strncmp(message, path, length) == 0 && message[length] == ':')
        fprintf(stderr, "%s (cmc reads what LLVM %u and earlier versions write)\n", message, major);
    else
        cmc_error("%s: %s (cmc reads what LLVM %u and earlier versions write)", path,
                  message + (strncmp(message, "error: ", 7) == 0 ? 7 : 0), major);
    LLVMDisposeMessage(message);
    return false;
}

static bool parse(const char *path, const void *bytes, size_t size, LLVMContextRef context, LLVMModuleRef *module)
{
    char *message = NULL;
    LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(bytes, size, path);
    return !LLVMParseIRInContext(context, buffer, module, &message) || parse_failed(path, message);
}

/* The input's bytes: standard input is in memory already. */
static bool read_input(const struct cmc_options *options, void **bytes, size_t *size)
{
    if (options->text) {
        *size = options->text_size;
        *bytes = cmc_checked(malloc(*size + 1));
        memcpy(*bytes, options->text, *size);
        return true;
    }
    if (file_read(options->input, bytes, size) == 0)
        return true;
    cmc_error("cannot read %s: %s", options->input, strerror(errno));
    return false;
}

bool cmc_read_module(const struct cmc_options *options, LLVMContextRef context, LLVMModuleRef *module)
{
    void *bytes = NULL, *bitcode = NULL;
    size_t size = 0;
    bool good = read_input(options, &bytes, &size);
    if (good && options->input_language == CMC_LANGUAGE_SPIRV_INPUT) {
        good = cmc_read_spirv(options->input, bytes, size, &bitcode, &size);
        free(bytes);
        bytes = bitcode;
    }
    good = good && parse(options->input, bytes, size, context, module);
    free(bytes);
    return good;
}
