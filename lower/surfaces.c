#include "lower/surfaces.h"

#include <string.h>
#include "lower/functions.h"

/* Messages on images. */
static const struct {
    enum genx_id id;
    unsigned surface, uses;
} messages[] = {
#define IMAGE_MESSAGE(GENX, SURFACE, USES) {GENX_##GENX, SURFACE, USES},
#include "tables/image_messages.def"
#undef IMAGE_MESSAGE
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

static bool is_buffer_message(LLVMValueRef message)
{
    enum genx_id id = genx_call_id(message);
    return (id >= GENX_OWORD_LD && id <= GENX_SCATTER4_SCALED) ||
           (id >= GENX_DWORD_ATOMIC_ADD && id <= GENX_DWORD_ATOMIC_FCMPWR) || id == GENX_LSC_LOAD_BTI ||
           id == GENX_LSC_PREFETCH_BTI || id == GENX_LSC_STORE_BTI || id == GENX_LSC_XATOMIC_BTI;
}

struct followed {
    struct pointer_map seen; /* handles, and parameters of functions that they are */
    unsigned uses;
    LLVMValueRef on_image, on_buffer; /* the first message of each kind */
};

static void follow_handle(struct followed *f, LLVMValueRef handle)
{
    size_t ignored;
    if (pointer_map_get(&f->seen, handle, &ignored))
        return;
    pointer_map_set(&f->seen, handle, 1);
    for (LLVMUseRef use = LLVMGetFirstUse(handle); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use), function = called_function(user);
        for (unsigned k = 0; function && k < LLVMCountParams(function); k++)
            if (LLVMGetOperand(user, k) == handle)
                follow_handle(f, LLVMGetParam(function, k));
        unsigned uses = uses_by_message(user, handle);
        f->uses |= uses;
        if (uses && !f->on_image)
            f->on_image = user;
        else if (!uses && is_buffer_message(user) && !f->on_buffer)
            f->on_buffer = user;
    }
}

static struct followed follow(LLVMValueRef handle)
{
    struct followed f = {0};
    follow_handle(&f, handle);
    pointer_map_free(&f.seen);
    return f;
}

unsigned uses_of_surface(LLVMValueRef handle)
{
    return follow(handle).uses;
}

LLVMValueRef misuse_of_surface(LLVMValueRef handle, const char *type)
{
    struct followed f = follow(handle);
    return strncmp(type, "image", 5) == 0 ? f.on_buffer : *type ? f.on_image : NULL;
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
