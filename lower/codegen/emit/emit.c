/* Appends one vISA instruction, variable or label to the kernel that is being selected: see emit.h. */
#include "lower/codegen/emit/emit.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <llvm-c/DebugInfo.h>
#include "lower/codegen/emit/known_addresses.h"
#include "lower/ir/ir.h"

bool cg_fail(struct selection *s, LLVMValueRef at, const char *format, ...)
{
    char message[400];
    va_list list;
    va_start(list, format);
    vsnprintf(message, sizeof message, format, list);
    va_end(list);
    if (!s->failed)
        lower_error(at, "%s", message);
    s->failed = true;
    return true; /* the instruction is dealt with */
}

static void read_shared_part(struct visa_instruction *i, const struct cg_shared_part *part)
{
    if (i->predicate.variable == part->predicate)
        i->predicate.variable = part->first;
    for (size_t k = 0; k < sizeof i->src / sizeof *i->src; k++)
        if (i->src[k].kind == VISA_OPERAND_PREDICATE && i->src[k].variable == part->predicate)
            i->src[k].variable = part->first;
}

void cg_forget_same(struct selection *s)
{
    s->same[0] = s->same[1] = 0;
}

/* Call it before the variable is written. */
static void forget_bits(struct selection *s, unsigned variable)
{
    cg_forget_addresses_of(s, variable);
    if (variable == s->same[0] || variable == s->same[1])
        cg_forget_same(s);
}

struct visa_instruction *cg_emit(struct selection *s, const struct visa_instruction *instruction)
{
    struct visa_instruction *out = visa_add_instruction(s->program, s->out, instruction);
    out->file = s->file;
    out->line = s->line;
    out->column = s->column;
    out->scope = s->debug_scope;
    out->state = s->debug_state;
    out->by_channel = s->by_channel;
    out->no_mask = out->no_mask || (s->channels.any && s->channels.live[s->block] && !s->by_channel);
    for (size_t k = 0; k < s->shared_part_count; k++)
        read_shared_part(out, &s->shared_parts[k]);
    if (instruction->dst.kind == VISA_OPERAND_GENERAL)
        forget_bits(s, instruction->dst.variable);
    else if (instruction->dst.kind == VISA_OPERAND_INDIRECT || instruction->op == VISA_OP_ASSEMBLY)
        cg_forget_same(s); /* it may write anything */
    for (size_t k = 0; k < sizeof instruction->src / sizeof *instruction->src; k++)
        if (instruction->src[k].kind == VISA_OPERAND_RAW) /* a reply, perhaps */
            forget_bits(s, instruction->src[k].variable);
    return out;
}

unsigned cg_new_variable(struct selection *s, enum visa_type type, unsigned elements, unsigned align,
                         const char *comment)
{
    assert(elements >= 1);
    struct visa_variable v = {.class = VISA_CLASS_GENERAL,
                              .type = type,
                              .elements = elements,
                              .align = align,
                              .input_offset = -1,
                              .comment = comment};
    if (elements * visa_type_bytes(type) >= s->platform->grf_bytes && v.align < s->platform->grf_bytes)
        v.align = s->platform->grf_bytes;
    return visa_add_variable(s->program, s->out, &v);
}

unsigned cg_new_predicate(struct selection *s, unsigned lanes)
{
    assert(lanes >= 1);
    unsigned size = lanes == 1 ? 1 : lanes <= 8 ? 8 : lanes <= 16 ? 16 : 32;
    struct visa_variable v = {.class = VISA_CLASS_PREDICATE, .elements = size, .input_offset = -1};
    return visa_add_variable(s->program, s->out, &v);
}

unsigned cg_mask_parts(unsigned lanes)
{
    return (lanes + MASK_PART_LANES - 1) / MASK_PART_LANES;
}

unsigned cg_new_mask(struct selection *s, unsigned lanes)
{
    unsigned first = 0;
    for (unsigned part = 0; part < cg_mask_parts(lanes); part++) {
        unsigned rest = lanes - part * MASK_PART_LANES,
                 p = cg_new_predicate(s, rest < MASK_PART_LANES ? rest : MASK_PART_LANES);
        first = part ? first : p;
    }
    return first;
}

enum visa_type cg_visa_type(LLVMTypeRef element, char sign)
{
    switch (LLVMGetTypeKind(element)) {
    case LLVMHalfTypeKind: return VISA_TYPE_HF;
    case LLVMFloatTypeKind: return VISA_TYPE_F;
    case LLVMDoubleTypeKind: return VISA_TYPE_DF;
    case LLVMPointerTypeKind: return VISA_TYPE_UQ;
    default: break;
    }
    bool u = sign == 'U';
    switch (type_element_bits(element)) {
    case 8: return u ? VISA_TYPE_UB : VISA_TYPE_B;
    case 16: return u ? VISA_TYPE_UW : VISA_TYPE_W;
    case 64: return u ? VISA_TYPE_UQ : VISA_TYPE_Q;
    default: return u ? VISA_TYPE_UD : VISA_TYPE_D;
    }
}

/* Returns the number of a scope's file, 0: it has none. */
unsigned cg_file_of_scope(struct visa_program *program, LLVMMetadataRef scope)
{
    LLVMMetadataRef file = scope ? LLVMDIScopeGetFile(scope) : NULL;
    unsigned name_length = 0, folder_length = 0;
    const char *name = file ? LLVMDIFileGetFilename(file, &name_length) : NULL;
    const char *folder = file ? LLVMDIFileGetDirectory(file, &folder_length) : NULL;
    if (!name_length)
        return 0;
    char *name_text = strndup(name, name_length), *folder_text = strndup(folder_length ? folder : "", folder_length);
    unsigned number = name_text && folder_text ? visa_add_file(program, name_text, folder_text) : 0;
    free(name_text);
    free(folder_text);
    return number;
}

void cg_refuse_doubles(struct selection *s, LLVMValueRef at)
{
    cg_fail(s, at, "double arithmetic is not available on %s (%s has it): 0.5 is a double, 0.5f a float",
            s->platform->name, feature_first(FEATURE_DOUBLE));
}

struct visa_operand cg_raw_operand(struct selection *s, unsigned variable, int offset)
{
    if (variable >= VISA_FIRST_VARIABLE && visa_variable(s->out, variable)->align < s->platform->grf_bytes)
        visa_variable(s->out, variable)->align = s->platform->grf_bytes;
    return (struct visa_operand){.kind = VISA_OPERAND_RAW, .variable = variable, .offset = offset};
}
