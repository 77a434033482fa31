/* Writes debug information in SPIR-V (spirv.h): the line of each instruction, and the functions that lines belong to,
 * by the instruction set OpenCL.DebugInfo.100. Instructions of inlined calls get the line of the call in the function's
 * file. */
#include "lower/vc/spirv.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

enum { DEBUG_VERSION = 100 << 16, DWARF_VERSION = 4, LANGUAGE_OPENCL_CPP = 4, NO_FLAGS = 0, IS_DEFINITION = 8 };

static uint32_t string_id(struct spirv_writer *w, const char *text, size_t length)
{
    struct spirv_words words = {0};
    spirv_put(&words, 0);
    spirv_put_text(&words, text, length);
    uint32_t id = spirv_once(w, SPIRV_STRINGS, OP_STRING, 0, words.words, words.count);
    free(words.words);
    return id;
}

static uint32_t file_id(struct spirv_writer *w, LLVMMetadataRef scope)
{
    unsigned length = 0;
    LLVMMetadataRef file = LLVMDIScopeGetFile(scope);
    const char *name = file ? LLVMDIFileGetFilename(file, &length) : "";
    return string_id(w, name, length);
}

static uint32_t describe(struct spirv_writer *w, enum spirv_debug_instruction what, const uint32_t *operands,
                         size_t count)
{
    struct spirv_words words = {0};
    if (!w->debug_set) {
        struct spirv_words set = {0};
        w->debug_set = w->next++;
        spirv_put(&set, w->debug_set);
        spirv_put_text(&set, "OpenCL.DebugInfo.100", strlen("OpenCL.DebugInfo.100"));
        spirv_emit(w, SPIRV_IMPORTS, OP_EXT_INST_IMPORT, set.words, set.count);
        free(set.words);
    }
    spirv_put(&words, SPIRV_ONCE(w, SPIRV_TYPES, OP_TYPE_VOID, 0, 0));
    spirv_put(&words, 0);
    spirv_put(&words, w->debug_set);
    spirv_put(&words, what);
    for (size_t n = 0; n < count; n++)
        spirv_put(&words, operands[n]);
    uint32_t id;
    if (what == DEBUG_SCOPE) {
        id = words.words[1] = w->next++;
        spirv_emit(w, SPIRV_FUNCTIONS, OP_EXT_INST, words.words, words.count);
    } else {
        id = spirv_once(w, SPIRV_TYPES, OP_EXT_INST, 1, words.words, words.count);
    }
    free(words.words);
    return id;
}
#define DESCRIBE(W, WHAT, ...)                                                                                         \
    describe(W, WHAT, (uint32_t[]){__VA_ARGS__}, sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

void spirv_debug_function(struct spirv_writer *w, LLVMValueRef function, uint32_t id)
{
    size_t length;
    LLVMMetadataRef program = w->debug ? LLVMGetSubprogram(function) : NULL;
    w->scope = 0;
    if (!program)
        return;
    const char *name = LLVMGetValueName2(function, &length);
    uint32_t text = string_id(w, name, length), line = LLVMDISubprogramGetLine(program);
    uint32_t nothing = SPIRV_ONCE(w, SPIRV_TYPES, OP_TYPE_VOID, 0, 0);
    uint32_t source = DESCRIBE(w, DEBUG_SOURCE, file_id(w, program), string_id(w, "", 0)); /* without its text */
    uint32_t unit = DESCRIBE(w, DEBUG_COMPILATION_UNIT, DEBUG_VERSION, DWARF_VERSION, source, LANGUAGE_OPENCL_CPP);
    uint32_t type = DESCRIBE(w, DEBUG_TYPE_FUNCTION, NO_FLAGS, nothing);
    w->scope = DESCRIBE(w, DEBUG_FUNCTION, text, type, source, line, 0, unit, text, IS_DEFINITION, line, id);
}

void spirv_debug_block(struct spirv_writer *w)
{
    w->last_line = 0; /* lines end with their block */
    if (w->scope)
        DESCRIBE(w, DEBUG_SCOPE, w->scope);
}

/* Returns the location in the function itself: the outermost call of those that were inlined. */
static LLVMMetadataRef outermost(LLVMMetadataRef location)
{
    for (LLVMMetadataRef at; (at = LLVMDILocationGetInlinedAt(location)) != NULL;)
        location = at;
    return location;
}

void spirv_debug_line(struct spirv_writer *w, LLVMValueRef i)
{
    LLVMMetadataRef location = w->scope ? LLVMInstructionGetDebugLoc(i) : NULL;
    if (!location)
        return;
    location = outermost(location);
    unsigned line = LLVMDILocationGetLine(location), column = LLVMDILocationGetColumn(location);
    uint32_t file = file_id(w, LLVMDILocationGetScope(location));
    if (line == 0 || (line == w->last_line && column == w->last_column))
        return;
    w->last_line = line;
    w->last_column = column;
    SPIRV_EMIT(w, SPIRV_FUNCTIONS, OP_LINE, file, line, column);
}
