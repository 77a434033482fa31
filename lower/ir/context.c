/* Creates and destroys the caches of the middle end: see context.h. */
#include "lower/ir/context.h"

#include <stdlib.h>
#include <string.h>
#include "lower/ir/ir.h"

_Thread_local struct ir_context *ir_context;

void ir_forget_numbers(struct ir_small_numbers *small)
{
    for (unsigned i = 0; i < SMALL_NUMBERS / SMALL_PAGE; i++)
        free(small->pages[i]);
    memset(small, 0, sizeof *small);
}

static unsigned attribute_kind(const char *name)
{
    return LLVMGetEnumAttributeKindForName(name, strlen(name));
}

struct ir_context *ir_context_enter(const struct lower_options *options)
{
    struct ir_context *before = ir_context;
    ir_context = ir_calloc(1, sizeof *ir_context);
    ir_context->options = options;
    ir_context->epoch = 1; /* no entry is of it */
    ir_context->made_functions = ir_realloc(NULL, MADE_FUNCTIONS * sizeof *ir_context->made_functions);
    ir_context->memory_kind = attribute_kind("memory");
    ir_context->nounwind_kind = attribute_kind("nounwind");
    ir_context->willreturn_kind = attribute_kind("willreturn");
    ir_context->convergent_kind = attribute_kind("convergent");
    return before;
}

void ir_context_leave(struct ir_context *before)
{
    free(ir_context->constants.lanes);
    pointer_map_free(&ir_context->constants.first);
    free(ir_context->made_functions);
    ir_forget_numbers(&ir_context->words);
    ir_forget_numbers(&ir_context->dwords);
    free(ir_context);
    ir_context = before;
}
