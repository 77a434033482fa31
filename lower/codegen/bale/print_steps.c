/* Prints a function with the decisions of baling and coalescing as comments, and the result of selection and
 * legalization: `cmc -print-after=bale`, `coalesce`, `legalize`. */
#include <string.h>
#include "lower/codegen/bale/print_steps.h"
#include "lower/codegen/bale/bale.h"
#include "lower/codegen/bale/interference.h"

static const struct {
    const char *name, *does;
} steps[STEP_COUNT] = {
#define STEP(ID, NAME, SENTENCE) [STEP_##ID] = {NAME, SENTENCE},
#include "lower/passes.def"
};

void lower_print_steps(FILE *out)
{
    for (size_t i = 0; i < STEP_COUNT; i++)
        fprintf(out, "%-23s %s\n", steps[i].name, steps[i].does);
}

bool lower_is_step(const char *name)
{
    bool found = false;
    for (size_t i = 0; i < STEP_COUNT; i++)
        found = found || strcmp(steps[i].name, name) == 0;
    return found;
}

bool step_is_printed(const struct lower_options *options, enum step step)
{
    return options->print_after && strcmp(options->print_after, steps[step].name) == 0;
}

static void print_bale(struct selection *s, struct cg_value *v)
{
    if (v->same_as != (size_t)(v - s->values))
        fputs(" ; another name of its operand", stderr);
    else
        fputs(v->inlined ? " ; baled into its user" : " ; root", stderr);
}

static void print_variable(struct selection *s, struct cg_value *v)
{
    struct cg_value *root = bale_value_root(s, v->llvm);
    if (!root->inlined)
        fprintf(stderr, " ; in %s %zu", root->is_mask ? "predicate" : "variable",
                (size_t)(interference_value_class(s, root) - s->values));
}

/* True if a line of a function's text begins an instruction; a switch takes several lines. */
static bool begins_instruction(const char *line)
{
    return strncmp(line, "  ", 2) == 0 && line[2] != ' ' && line[2] != ']';
}

/* Prints the function's text with a comment after each instruction that has a result. */
static void print_function(struct selection *s, void (*print)(struct selection *, struct cg_value *))
{
    char *text = LLVMPrintValueToString(s->function);
    LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(s->function);
    LLVMValueRef i = LLVMGetFirstInstruction(block);
    for (char *rest, *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        fputs(line, stderr);
        if (i && begins_instruction(line)) {
            struct cg_value *v = bale_value(s, i);
            if (v)
                print(s, v);
            LLVMValueRef next = LLVMGetNextInstruction(i);
            if (!next && (block = LLVMGetNextBasicBlock(block)))
                next = LLVMGetFirstInstruction(block);
            i = next;
        }
        fputc('\n', stderr);
    }
    LLVMDisposeMessage(text);
}

void step_print(struct selection *s, enum step step)
{
    if (step_is_printed(s->options, step))
        print_function(s, step == STEP_BALE ? print_bale : print_variable);
}
