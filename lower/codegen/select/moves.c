/* Moves whole values between variables: see moves.h. */
#include "lower/codegen/select/moves.h"

#include "lower/codegen/select/select.h"

void move_lanes(struct selection *s, LLVMTypeRef type, struct place to, struct place from)
{
    unsigned lanes = type_lanes(type);
    enum visa_type t = visa_type_of(type_element(type), 'U');
    if (visa_type_bytes(t) == 8) { /* every platform has dwords */
        lanes *= 2;
        t = VISA_TYPE_UD;
    }
    wide_move(s, lanes, wide_region(to.variable, t, to.offset, lanes),
              wide_region(from.variable, t, from.offset, lanes));
}

void move_value(struct selection *s, LLVMValueRef like, unsigned to, unsigned from)
{
    LLVMTypeRef type = LLVMTypeOf(like);
    if (type_is_mask(type))
        mask_copy(s, type_lanes(type), to, from);
    else
        move_lanes(s, type, (struct place){to, 0}, (struct place){from, 0});
}
