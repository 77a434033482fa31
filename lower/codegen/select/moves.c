/* Moves whole values between variables: see moves.h. */
#include "lower/codegen/select/moves.h"

#include <assert.h>

#include "lower/codegen/select/select.h"

void select_move_lanes(struct selection *s, LLVMTypeRef type, struct cg_location to, struct cg_location from)
{
    assert(!type_is_mask(type) && to.variable && from.variable);
    unsigned lanes = type_lanes(type);
    enum visa_type t = cg_visa_type(type_element(type), 'U');
    if (visa_type_bytes(t) == 8) { /* every platform has dwords */
        lanes *= 2;
        t = VISA_TYPE_UD;
    }
    legalize_move(s, lanes, macro_region(to.variable, t, to.offset, lanes),
                  macro_region(from.variable, t, from.offset, lanes));
}

void select_move_value(struct selection *s, LLVMValueRef like, unsigned to, unsigned from)
{
    assert(to && from);
    LLVMTypeRef type = LLVMTypeOf(like);
    if (type_is_mask(type))
        select_mask_copy(s, type_lanes(type), to, from);
    else
        select_move_lanes(s, type, (struct cg_location){to, 0}, (struct cg_location){from, 0});
}
