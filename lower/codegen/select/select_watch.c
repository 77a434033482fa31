/* Selects watches: copies the value that a source variable has from now on to its home, for debuggers. */
#include <llvm-c/DebugInfo.h>
#include "lower/codegen/emit/debug_info.h"
#include "lower/codegen/select/select.h"
#include "lower/ir/watch.h"

/* Parameters of a function that is inlined get their values at its call: they are there where the function begins. */
static void take_place_of_call(struct selection *s, LLVMValueRef watch)
{
    LLVMMetadataRef place = LLVMInstructionGetDebugLoc(watch), call = LLVMDILocationGetInlinedAt(place);
    if (!call || !(constant_of(watch, WATCH_FACTS) & WATCH_IS_PASSED))
        return;
    s->line = LLVMDILocationGetLine(call);
    s->column = LLVMDILocationGetColumn(call);
    s->scope = LLVMDILocationGetScope(call);
    s->file = cg_file_of_scope(s->program, s->scope);
    s->debug_scope = cg_debug_scope(s, call);
}

bool select_watch(struct selection *s, LLVMValueRef i)
{
    if (!ir_is_watch(i))
        return false;
    LLVMValueRef value = LLVMGetOperand(i, WATCH_VALUE);
    unsigned home = LLVMIsUndef(value) || LLVMIsPoison(value) ? 0 : cg_debug_home(s, i);
    int offset = constant_of(i, WATCH_OFFSET);
    if (!home || !cg_debug_writes(s, home, offset, value))
        return true;
    take_place_of_call(s, i);
    LLVMTypeRef type = LLVMTypeOf(value);
    unsigned lanes = type_lanes(type);
    enum visa_type as = cg_visa_type(type_element(type), 'U');
    struct macro_operand from = operand_source(s, value, type_is_float(type) ? 'F' : 'U');
    legalize_move(s, lanes, macro_region(home, as, offset, lanes), from);
    return true;
}
