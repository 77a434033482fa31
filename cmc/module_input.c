/* Reads inputs that are modules: see module_input.h. */
#include "cmc/module_input.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <llvm-c/IRReader.h>
#include "runtime/file.h"

/* LLVM's message begins with the file's name if it has a line. Its other lines show the source. */
static bool parse_failed(const char *path, char *message)
{
    size_t length = strlen(path);
    message[strcspn(message, "\n")] = '\0';
    if (strncmp(message, path, length) == 0 && message[length] == ':')
        fprintf(stderr, "%s\n", message);
    else
        cmc_error("%s: %s", path, message + (strncmp(message, "error: ", 7) == 0 ? 7 : 0));
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
