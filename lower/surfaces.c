#include "lower/surfaces.h"

#include <string.h>
#include "lower/functions.h"

/* Messages on images, the operand that is the surface, and what they do with it. */
static const struct {
    enum genx_id id;
    unsigned surface, uses;
} messages[] = {
    {GENX_MEDIA_LD, 1, READS_BLOCKS},        {GENX_MEDIA_ST, 1, WRITES_BLOCKS}, {GENX_GATHER4_TYPED, 2, READS_TEXELS},
    {GENX_SCATTER4_TYPED, 2, WRITES_TEXELS}, {GENX_SAMPLE_3D, 5, READS_TEXELS}, {GENX_LOAD_3D, 4, READS_TEXELS},
};

static unsigned uses_by_message(LLVMValueRef message, LLVMValueRef handle)
{
    enum genx_id id = genx_call_id(message);
    if (id >= GENX_TYPED_ATOMIC_ADD && id <= GENX_TYPED_ATOMIC_IMAX)
        return TEXELS;
    for (size_t n = 0; n < sizeof messages / sizeof *messages; n++)
        if (id == messages[n].id && LLVMGetOperand(message, messages[n].surface) == handle)
            return messages[n].uses;
    return 0;
}

/* `seen`: handles, and parameters of functions that they are, that were followed. */
static unsigned follow_handle(LLVMValueRef handle, struct pointer_map *seen)
{
    unsigned uses = 0;
    size_t ignored;
    if (pointer_map_get(seen, handle, &ignored))
        return 0;
    pointer_map_set(seen, handle, 1);
    for (LLVMUseRef use = LLVMGetFirstUse(handle); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use), function = called_function(user);
        for (unsigned k = 0; function && k < LLVMCountParams(function); k++)
            if (LLVMGetOperand(user, k) == handle)
                uses |= follow_handle(LLVMGetParam(function, k), seen);
        uses |= uses_by_message(user, handle);
    }
    return uses;
}

unsigned uses_of_surface(LLVMValueRef handle)
{
    struct pointer_map seen = {0};
    unsigned uses = follow_handle(handle, &seen);
    pointer_map_free(&seen);
    return uses;
}

enum visa_access image_access(const char *type, unsigned uses)
{
    if (strstr(type, "read_only"))
        return VISA_ACCESS_READ;
    if (strstr(type, "write_only"))
        return VISA_ACCESS_WRITE;
    if (strstr(type, "read_write") || !(uses & READS) == !(uses & WRITES))
        return VISA_ACCESS_READ_WRITE;
    return uses & WRITES ? VISA_ACCESS_WRITE : VISA_ACCESS_READ;
}
