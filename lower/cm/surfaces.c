#include "lower/cm/surfaces.h"

#include <stdlib.h>
#include <string.h>
#include "lower/ir/function_info.h"

/* Finds the messages that access a surface. */
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
    if (genx_is(id, KIND_TYPED_ATOMIC))
        return TEXELS;
    for (size_t n = 0; n < sizeof messages / sizeof *messages; n++)
        if (id == messages[n].id && LLVMGetOperand(message, messages[n].surface) == handle)
            return messages[n].uses;
    return 0;
}

static bool is_buffer_message(LLVMValueRef message)
{
    return genx_is(genx_call_id(message), KIND_BUFFER);
}

unsigned surface_block_pitch(unsigned width)
{
    unsigned pitch = 4;
    while (pitch < width)
        pitch *= 2;
    return pitch;
}

static void note_block(struct surface_uses *uses, LLVMValueRef message)
{
    enum genx_id id = genx_call_id(message);
    if (id != GENX_MEDIA_LD && id != GENX_MEDIA_ST)
        return;
    LLVMTypeRef type = LLVMTypeOf(id == GENX_MEDIA_ST ? LLVMGetOperand(message, 6) : message);
    unsigned width = (unsigned)LLVMConstIntGetZExtValue(LLVMGetOperand(message, 3));
    unsigned rows = type_lanes(type) * type_element_bytes(type) / surface_block_pitch(width);
    uses->block_width = width > uses->block_width ? width : uses->block_width;
    uses->block_rows = rows > uses->block_rows ? rows : uses->block_rows;
}

/* True if the result of `user` is the handle, or holds it. */
static bool passes_on(LLVMValueRef user, LLVMValueRef handle)
{
    if (LLVMIsAPHINode(user) || LLVMIsASelectInst(user) || LLVMIsAFreezeInst(user))
        return true;
    if (LLVMIsAInsertElementInst(user) || LLVMIsAExtractElementInst(user) || LLVMIsAShuffleVectorInst(user))
        return true;
    if (genx_call_id(user) == GENX_WRREGIONI)
        return LLVMGetOperand(user, 0) == handle || LLVMGetOperand(user, 1) == handle;
    return genx_call_id(user) == GENX_RDREGIONI && LLVMGetOperand(user, 0) == handle;
}

static void follow_handle(struct surface_uses *f, struct pointer_map *seen, LLVMValueRef handle);

/* The handle is a result of its function: follows the results of the calls. */
static void follow_results(struct surface_uses *f, struct pointer_map *seen, LLVMValueRef leave, LLVMValueRef handle)
{
    LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(leave));
    for (LLVMUseRef call = LLVMGetFirstUse(function); call; call = LLVMGetNextUse(call)) {
        if (function_called(LLVMGetUser(call)) != function)
            continue;
        for (LLVMUseRef use = LLVMGetFirstUse(LLVMGetUser(call)); use; use = LLVMGetNextUse(use)) {
            LLVMValueRef result = LLVMGetUser(use);
            if (LLVMIsAExtractValueInst(result) && LLVMGetOperand(leave, LLVMGetIndices(result)[0]) == handle)
                follow_handle(f, seen, result);
        }
    }
}

/* Follows the uses of a handle. `seen`: values and parameters of functions that are the handle. */
static void follow_handle(struct surface_uses *f, struct pointer_map *seen, LLVMValueRef handle)
{
    size_t ignored;
    if (pointer_map_get(seen, handle, &ignored))
        return;
    pointer_map_set(seen, handle, 1);
    for (LLVMUseRef use = LLVMGetFirstUse(handle); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use), function = function_called(user);
        for (unsigned k = 0; function && k < LLVMCountParams(function); k++)
            if (LLVMGetOperand(user, k) == handle)
                follow_handle(f, seen, LLVMGetParam(function, k));
        if (passes_on(user, handle))
            follow_handle(f, seen, user);
        if (function_is_return_marker(user))
            follow_results(f, seen, user, handle);
        unsigned uses = uses_by_message(user, handle);
        f->uses |= uses;
        if (uses)
            note_block(f, user);
        if (uses && !f->on_image)
            f->on_image = user;
        else if (!uses && is_buffer_message(user) && !f->on_buffer)
            f->on_buffer = user;
    }
}

/* Returns the first parameter of the vector that the parameter is an element of; otherwise the parameter itself. */
static unsigned first_of_vector(LLVMValueRef kernel, unsigned parameter)
{
    char first[16];
    const char *text = ir_string_attribute(kernel, parameter + 1, "cm-first", first, sizeof first);
    return text ? (unsigned)strtoul(text, NULL, 10) : parameter;
}

struct surface_uses surface_uses_of(LLVMValueRef kernel, unsigned parameter)
{
    struct surface_uses uses = {0};
    struct pointer_map seen = {0};
    unsigned first = first_of_vector(kernel, parameter);
    for (unsigned k = first; k < LLVMCountParams(kernel) && first_of_vector(kernel, k) == first; k++)
        follow_handle(&uses, &seen, LLVMGetParam(kernel, k));
    pointer_map_free(&seen);
    return uses;
}

LLVMValueRef surface_misuse(const struct surface_uses *uses, const char *type)
{
    if (strncmp(type, "image", 5) == 0 || (!*type && uses->on_image))
        return uses->on_buffer;
    return *type ? uses->on_image : NULL;
}

enum visa_access surface_image_access(const char *type, unsigned uses)
{
    if (strstr(type, "read_only"))
        return VISA_ACCESS_READ;
    if (strstr(type, "write_only"))
        return VISA_ACCESS_WRITE;
    if (strstr(type, "read_write") || !(uses & READS) == !(uses & WRITES))
        return VISA_ACCESS_READ_WRITE;
    return uses & WRITES ? VISA_ACCESS_WRITE : VISA_ACCESS_READ;
}
