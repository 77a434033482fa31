/* Prints a kernel's arguments in the vector back end's dialect (vc.h): opaque types represent surfaces and samplers. */
#include "lower/cm/surfaces.h"
#include "lower/vc/vc.h"

#include <string.h>

/* The opaque types by the first word of [[type("...")]]; DIMENSION is SPIR-V's number, -1 of buffers. */
static const struct {
    const char *word, *name;
    int dimension;
} surface_types[] = {
    {"buffer_t", "intel.buffer", -1},
    {"image1d_t", "opencl.image1d", 0},
    {"image1d_buffer_t", "opencl.image1d_buffer", 5},
    {"image2d_t", "opencl.image2d", 1},
    {"image2d_media_block_t", "opencl.image2d", 1},
    {"image3d_t", "opencl.image3d", 2},
};

/* "ro", "wo" or "rw". */
static const char *access_word(enum visa_access access)
{
    return access == VISA_ACCESS_READ ? "ro" : access == VISA_ACCESS_WRITE ? "wo" : "rw";
}

/* A surface without a declared type is an image if blocks are read or written, else a buffer. */
static void describe_surface(struct vc_writer *w, LLVMValueRef parameter, struct vc_argument *out)
{
    char type[128] = "", word[64] = "";
    LLVMValueRef kernel = LLVMGetParamParent(parameter);
    unsigned index = vc_parameter_index(parameter), uses = surface_uses_of(kernel, index).uses;
    ir_string_attribute(kernel, 1 + index, "cm-type", type, sizeof type);
    snprintf(word, sizeof word, "%.*s", (int)strcspn(type, " "), type);
    if (!*word)
        strcpy(word, uses & BLOCKS ? "image2d_t" : "buffer_t");
    for (size_t n = 0; n < sizeof surface_types / sizeof *surface_types; n++)
        if (strcmp(word, surface_types[n].word) == 0) {
            out->dimension = surface_types[n].dimension;
            bool buffer = out->dimension < 0;
            out->access = buffer ? VISA_ACCESS_READ_WRITE : surface_image_access(type, uses);
            snprintf(out->type, sizeof out->type, "%s_%s_t", surface_types[n].name, access_word(out->access));
            out->media = !buffer && ((uses & BLOCKS) || strcmp(word, "image2d_media_block_t") == 0);
            return;
        }
    vc_fail(w, "a kernel argument of type '%s'", word);
}

struct vc_argument vc_argument_of(struct vc_writer *w, LLVMValueRef parameter)
{
    struct vc_argument a = {.kind = vc_kind_of(parameter), .dimension = -1};
    LLVMTypeRef type = LLVMTypeOf(parameter);
    if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
        a.space = vc_space(type);
    else
        a.space = a.kind == VC_SAMPLER ? 2 : 1;
    if (a.kind == VC_SURFACE)
        describe_surface(w, parameter, &a);
    else if (a.kind == VC_SAMPLER)
        strcpy(a.type, "opencl.sampler_t");
    if (*a.type)
        snprintf(a.convert, sizeof a.convert, "llvm.genx.address.convert.i32.p%u%s", a.space, a.type);
    return a;
}
