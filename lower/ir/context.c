/* Creates and destroys the caches of the middle end: see context.h. */
#include "lower/ir/context.h"

#include <stdlib.h>
#include <string.h>
#include "lower/ir/ir.h"

_Thread_local struct lower_context *lower_context;

static unsigned attribute_kind(const char *name)
{
    return LLVMGetEnumAttributeKindForName(name, strlen(name));
}

struct lower_context *lower_context_enter(void)
{
    struct lower_context *before = lower_context;
    lower_context = checked_calloc(1, sizeof *lower_context);
    lower_context->memory_kind = attribute_kind("memory");
    lower_context->nounwind_kind = attribute_kind("nounwind");
    lower_context->willreturn_kind = attribute_kind("willreturn");
    lower_context->convergent_kind = attribute_kind("convergent");
    return before;
}

void lower_context_leave(struct lower_context *before)
{
    free(lower_context->constants.lanes);
    pointer_map_free(&lower_context->constants.first);
    free(lower_context);
    lower_context = before;
}
