/* Copies the LLVM IR of a module's functions, line by line, with each instruction's source line. */
#include <stdlib.h>
#include <string.h>
#include <llvm-c/DebugInfo.h>
#include "cmc/explain/explain.h"
#include "cmc/options.h"

struct ir_line {
    char *text, *file, *folder; /* file: NULL if the line has no source line */
    unsigned line;
};

struct ir_function {
    char *name;
    struct ir_line *lines;
    size_t count;
    char **calls; /* names of defined functions */
    size_t call_count;
};

struct explain_ir {
    struct ir_function *functions;
    size_t count;
};

/* True if the line of LLVM's text begins an instruction: it is indented by two blanks. Lines that continue one (the
 * cases of a switch) are indented further, or are its bracket. Debug records begin with '#'. */
static bool begins_instruction(const char *line)
{
    return strncmp(line, "  ", 2) == 0 && line[2] != ' ' && line[2] != ']';
}

static bool is_debug_record(const char *line)
{
    return line[strspn(line, " ")] == '#';
}

/* Copies a line without the numbers of metadata, which nothing explains here. */
static char *readable(const char *line, size_t length)
{
    const char *metadata = memmem(line, length, ", !dbg !", 8);
    return cmc_checked(strndup(line, metadata ? (size_t)(metadata - line) : length));
}

static LLVMValueRef next_instruction(LLVMValueRef i)
{
    LLVMValueRef next = LLVMGetNextInstruction(i);
    LLVMBasicBlockRef block = LLVMGetInstructionParent(i);
    while (!next && (block = LLVMGetNextBasicBlock(block)))
        next = LLVMGetFirstInstruction(block);
    return next;
}

static void set_place(struct ir_line *line, LLVMValueRef i)
{
    LLVMMetadataRef location = LLVMInstructionGetDebugLoc(i), file;
    unsigned name_length = 0, folder_length = 0;
    if (!location || !(file = LLVMDIScopeGetFile(LLVMDILocationGetScope(location))))
        return;
    const char *name = LLVMDIFileGetFilename(file, &name_length);
    const char *folder = LLVMDIFileGetDirectory(file, &folder_length);
    line->line = LLVMDILocationGetLine(location);
    line->file = cmc_checked(strndup(name, name_length));
    line->folder = cmc_checked(strndup(folder_length ? folder : "", folder_length));
}

static void note_call(struct ir_function *f, LLVMValueRef i)
{
    LLVMValueRef callee = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
    size_t length;
    if (callee && LLVMIsAFunction(callee) && !LLVMIsDeclaration(callee))
        CMC_APPEND(f->calls, f->call_count, cmc_checked(strdup(LLVMGetValueName2(callee, &length))));
}

static void take_lines(struct ir_function *f, LLVMValueRef function)
{
    char *text = LLVMPrintValueToString(function);
    LLVMValueRef i = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function));
    for (const char *at = text; *at;) {
        size_t length = strcspn(at, "\n");
        struct ir_line line = {0};
        if (i && begins_instruction(at)) {
            set_place(&line, i);
            note_call(f, i);
            i = next_instruction(i);
        }
        if (!is_debug_record(at)) {
            line.text = readable(at, length);
            CMC_APPEND(f->lines, f->count, line);
        }
        at += length + (at[length] != 0);
    }
    LLVMDisposeMessage(text);
}

struct explain_ir *explain_ir_take(LLVMModuleRef module)
{
    struct explain_ir *ir = cmc_checked(calloc(1, sizeof *ir));
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        size_t length;
        if (LLVMIsDeclaration(f))
            continue;
        struct ir_function taken = {.name = cmc_checked(strdup(LLVMGetValueName2(f, &length)))};
        take_lines(&taken, f);
        CMC_APPEND(ir->functions, ir->count, taken);
    }
    return ir;
}

static void free_function(struct ir_function *f)
{
    for (size_t i = 0; i < f->count; i++) {
        free(f->lines[i].text);
        free(f->lines[i].file);
        free(f->lines[i].folder);
    }
    for (size_t i = 0; i < f->call_count; i++)
        free(f->calls[i]);
    free(f->calls);
    free(f->lines);
    free(f->name);
}

void explain_ir_free(struct explain_ir *ir)
{
    for (size_t i = 0; ir && i < ir->count; i++)
        free_function(&ir->functions[i]);
    if (ir)
        free(ir->functions);
    free(ir);
}

static size_t function_named(const struct explain_ir *ir, const char *name)
{
    size_t i = 0;
    while (i < ir->count && strcmp(ir->functions[i].name, name) != 0)
        i++;
    return i;
}

static void list_function(const struct explain_ir *ir, struct visa_program *program, size_t number, bool *listed,
                          struct explain_listing *out)
{
    if (number == ir->count || listed[number])
        return;
    const struct ir_function *f = &ir->functions[number];
    listed[number] = true;
    for (size_t i = 0; i < f->count; i++) {
        const struct ir_line *l = &f->lines[i];
        explain_add(out, (struct explain_line){.text = cmc_checked(strdup(l->text)),
                                               .file = l->file ? visa_add_file(program, l->file, l->folder) : 0,
                                               .line = l->line});
    }
    for (size_t i = 0; i < f->call_count; i++)
        list_function(ir, program, function_named(ir, f->calls[i]), listed, out);
}

void explain_ir_list(const struct explain_ir *ir, struct visa_program *program, const char *kernel,
                     struct explain_listing *out)
{
    bool *listed = cmc_checked(calloc(ir->count + 1, sizeof *listed));
    list_function(ir, program, function_named(ir, kernel), listed, out);
    free(listed);
}
