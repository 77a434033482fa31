/* Assigns offsets to arguments and globals: see argument_layout.h. */
#include "lower/codegen/emit/argument_layout.h"

#include <assert.h>

#include "lower/codegen/emit/emit.h"
#include "lower/ir/ir.h"

unsigned cg_align_up(unsigned n, unsigned to)
{
    assert(to >= 1);
    return (n + to - 1) / to * to;
}

unsigned cg_next_offset(const struct selection *s, unsigned from, unsigned bytes, unsigned alignment)
{
    assert(bytes >= 1 && alignment >= 1);
    unsigned grf = s->platform->grf_bytes, at = cg_align_up(from, alignment);
    return at / grf != (at + bytes - 1) / grf ? cg_align_up(at, grf) : at;
}

unsigned cg_value_bytes(LLVMTypeRef type)
{
    return type_lanes(type) * type_element_bytes(type);
}

/* Creates a variable for a value that crosses a subroutine's calls. */
struct cg_location cg_new_location(struct selection *s, LLVMTypeRef type)
{
    enum visa_type t = cg_visa_type(type_element(type), 'S');
    return (struct cg_location){cg_new_variable(s, t, cg_value_bytes(type) / visa_type_bytes(t), 0, NULL), 0};
}

unsigned cg_global_variable(struct selection *s, unsigned global, LLVMTypeRef type)
{
    struct cg_kernel_inputs *in = s->inputs;
    for (size_t i = 0; i < in->global_count; i++)
        if (in->globals[i].global == global)
            return in->globals[i].variable;
    struct cg_used_global used = {global, cg_new_location(s, type).variable};
    ARRAY_PUSH(in->globals, in->global_count, in->global_capacity, used);
    return used.variable;
}
