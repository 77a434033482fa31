/* Selection: one kernel from LLVM values to vISA. Operands and the walk over the blocks are here; what an instruction
 * becomes is in select_arithmetic.c, emulate_int64.c, select_mask.c, select_region.c, select_message.c and
 * select_control.c. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <llvm-c/DebugInfo.h>
#include "lower/codegen/select/select.h"

bool select_fail(struct selection *s, LLVMValueRef at, const char *format, ...)
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

static void read_shared_part(struct visa_instruction *i, const struct shared_part *part)
{
    if (i->predicate.variable == part->predicate)
        i->predicate.variable = part->first;
    for (size_t k = 0; k < sizeof i->src / sizeof *i->src; k++)
        if (i->src[k].kind == VISA_OPERAND_PREDICATE && i->src[k].variable == part->predicate)
            i->src[k].variable = part->first;
}

void forget_same(struct selection *s)
{
    s->same[0] = s->same[1] = 0;
}

/* The variable is about to be written. */
static void forget_bits(struct selection *s, unsigned variable)
{
    forget_addresses_of(s, variable);
    if (variable == s->same[0] || variable == s->same[1])
        forget_same(s);
}

struct visa_instruction *emit(struct selection *s, const struct visa_instruction *instruction)
{
    struct visa_instruction *out = visa_add_instruction(s->program, s->out, instruction);
    out->file = s->file;
    out->line = s->line;
    out->no_mask = out->no_mask || (s->channels.any && s->channels.live[s->block] && !s->by_channel);
    for (size_t k = 0; k < s->shared_part_count; k++)
        read_shared_part(out, &s->shared_parts[k]);
    if (instruction->dst.kind == VISA_OPERAND_GENERAL)
        forget_bits(s, instruction->dst.variable);
    else if (instruction->dst.kind == VISA_OPERAND_INDIRECT || instruction->op == VISA_OP_ASSEMBLY)
        forget_same(s); /* it may write anything */
    for (size_t k = 0; k < sizeof instruction->src / sizeof *instruction->src; k++)
        if (instruction->src[k].kind == VISA_OPERAND_RAW) /* a reply, perhaps */
            forget_bits(s, instruction->src[k].variable);
    return out;
}

unsigned new_variable(struct selection *s, enum visa_type type, unsigned elements, unsigned align, const char *comment)
{
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

unsigned new_predicate(struct selection *s, unsigned lanes)
{
    unsigned size = lanes == 1 ? 1 : lanes <= 8 ? 8 : lanes <= 16 ? 16 : 32;
    struct visa_variable v = {.class = VISA_CLASS_PREDICATE, .elements = size, .input_offset = -1};
    return visa_add_variable(s->program, s->out, &v);
}

unsigned mask_parts(unsigned lanes)
{
    return (lanes + MASK_PART_LANES - 1) / MASK_PART_LANES;
}

enum visa_type visa_type_of(LLVMTypeRef element, char sign)
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

/* ---- variables of values ---- */

unsigned value_variable(struct selection *s, LLVMValueRef llvm)
{
    struct value *v = value_root(s, llvm);
    if (!v)
        return constant_variable(s, llvm);
    struct value *class = value_class(s, v);
    if (!class->variable) {
        LLVMTypeRef element = type_element(LLVMTypeOf(v->llvm));
        enum visa_type type = visa_type_of(element, 'S');
        size_t length;
        const char *name = LLVMGetValueName2(v->llvm, &length);
        class->variable = new_variable(s, type, (v->bytes + visa_type_bytes(type) - 1) / visa_type_bytes(type), 0,
                                       length ? visa_string(s->program, name) : NULL);
    }
    return class->variable;
}

void set_constant_mask(struct selection *s, unsigned first, LLVMValueRef mask, unsigned lanes)
{
    for (unsigned part = 0; part < mask_parts(lanes); part++) {
        uint64_t bits = 0, lane;
        bool undefined;
        for (unsigned i = part * MASK_PART_LANES; i < lanes && i < (part + 1) * MASK_PART_LANES; i++)
            if (constant_lane(mask, i, &lane, &undefined))
                bits |= (lane & 1) << (i % MASK_PART_LANES);
        bits_to_mask(s, first + part,
                     (struct visa_operand){.kind = VISA_OPERAND_IMMEDIATE, .type = VISA_TYPE_UD, .bits = bits});
    }
}

static unsigned new_mask(struct selection *s, unsigned lanes)
{
    unsigned first = 0;
    for (unsigned part = 0; part < mask_parts(lanes); part++) {
        unsigned rest = lanes - part * MASK_PART_LANES,
                 p = new_predicate(s, rest < MASK_PART_LANES ? rest : MASK_PART_LANES);
        first = part ? first : p;
    }
    return first;
}

/* A mask that is the same for neighbours in a block, as in a run of merges, is set once. (Nothing writes to constants.) */
static unsigned constant_mask(struct selection *s, LLVMValueRef mask, unsigned lanes)
{
    if (s->last_mask.constant != mask) {
        s->last_mask.constant = mask;
        s->last_mask.variable = new_mask(s, lanes);
        set_constant_mask(s, s->last_mask.variable, mask, lanes);
    }
    return s->last_mask.variable;
}

unsigned mask_variable(struct selection *s, LLVMValueRef mask)
{
    struct value *v = value_root(s, mask);
    unsigned lanes = type_lanes(LLVMTypeOf(mask));
    if (!v)
        return constant_mask(s, mask, lanes);
    struct value *class = value_class(s, v);
    if (!class->variable)
        class->variable = new_mask(s, lanes);
    return class->variable;
}

bool share_mask_parts(struct selection *s, LLVMValueRef mask)
{
    const struct value *class = value_class(s, value_root(s, mask));
    unsigned members = 0, first = mask_variable(s, mask);
    for (size_t k = 0; k < s->value_count; k++)
        members += value_class(s, &s->values[k]) == class;
    if (members > 1)
        return false;
    for (unsigned part = 1; part < mask_parts(type_lanes(LLVMTypeOf(mask))); part++) {
        struct shared_part shared = {first + part, first};
        ARRAY_PUSH(s->shared_parts, s->shared_part_count, s->shared_part_capacity, shared);
    }
    return true;
}

/* One lane copied to all: 0 or all ones through a general register. */
static unsigned broadcast_mask(struct selection *s, unsigned one, unsigned lanes)
{
    unsigned bits = new_variable(s, VISA_TYPE_UD, 1, 0, NULL), first = new_mask(s, lanes);
    struct wide sel = {.op = VISA_OP_SEL, .lanes = 1, .dst = wide_scalar(bits, VISA_TYPE_UD, 0), .sources = 2};
    sel.predicate = (struct wide_operand){.kind = WIDE_MASK, .variable = one};
    sel.src[0] = wide_immediate(VISA_TYPE_UD, 0xffffffff);
    sel.src[1] = wide_immediate(VISA_TYPE_UD, 0);
    wide_emit(s, &sel);
    struct wide_operand from = wide_scalar(bits, VISA_TYPE_UD, 0);
    for (unsigned part = 0; part < mask_parts(lanes); part++)
        bits_to_mask(s, first + part, general_operand(&from));
    return first;
}

struct wide_operand mask_operand(struct selection *s, LLVMValueRef mask, unsigned lanes)
{
    if (is_channel_mask(&s->channels, mask))
        return channel_operand(s, mask);
    struct value *v = value_of(s, mask);
    struct said_mask said;
    if (v && v->inlined && say_mask(mask, &said)) {
        struct wide_operand o = mask_operand(s, said.by, lanes);
        o.lane += said.first;
        o.variable += o.lane / MASK_PART_LANES;
        o.lane %= MASK_PART_LANES;
        o.inverse = o.inverse != said.inverse;
        return o;
    }
    if (v && v->inlined)
        return combined_mask(s, mask);
    unsigned variable = mask_variable(s, mask);
    if (type_lanes(LLVMTypeOf(mask)) == 1 && lanes > 1)
        variable = broadcast_mask(s, variable, lanes);
    return (struct wide_operand){.kind = WIDE_MASK, .variable = variable};
}

struct wide_operand combined_mask(struct selection *s, LLVMValueRef combination)
{
    LLVMValueRef mask = LLVMGetOperand(combination, 0);
    struct value *v = value_of(s, mask);
    struct said_mask said;
    bool any = genx_call_id(combination) == GENX_ANY, is_said = v && v->inlined && say_mask(mask, &said);
    struct wide_operand o = {.kind = WIDE_MASK};
    if (is_said)
        o = mask_operand(s, mask, type_lanes(LLVMTypeOf(mask)));
    else
        o.variable = mask_variable(s, mask);
    o.control =
        any != o.inverse
            ? VISA_PRED_ANY
            : VISA_PRED_ALL; /* the lanes are combined first, the outcome inverted: any of those off, not all on */
    return o;
}

struct visa_operand general_operand(const struct wide_operand *o)
{
    if (o->kind == WIDE_IMMEDIATE)
        return (struct visa_operand){.kind = VISA_OPERAND_IMMEDIATE, .type = o->type, .bits = o->bits};
    return (struct visa_operand){.kind = VISA_OPERAND_GENERAL,
                                 .type = o->type,
                                 .modifier = o->modifier,
                                 .variable = o->variable,
                                 .offset = o->region.offset,
                                 .region = {0, 1, 0}};
}

/* ---- operands ---- */

/* The operand that an inlined value is. */
static struct wide_operand inlined_source(struct selection *s, LLVMValueRef i, char sign)
{
    enum genx_id id = genx_call_id(i);
    if (id >= GENX_GROUP_ID_X && id <= GENX_GROUP_ID_Z)
        return wide_scalar(VISA_GROUP_ID_X + (id - GENX_GROUP_ID_X), VISA_TYPE_UD, 0);
    LLVMValueRef inner = LLVMGetOperand(i, 0);
    LLVMTypeRef element = type_element(LLVMTypeOf(i));
    unsigned bytes = type_element_bytes(element);
    struct region r;
    if (is_rdregion(i) || LLVMIsAExtractElementInst(i) || LLVMIsAShuffleVectorInst(i)) {
        int64_t lane = 0;
        struct value *v = value_of(s, inner);
        if (LLVMIsAShuffleVectorInst(i) && v && v->inlined) /* a scalar put into lane 0 */
            return source(s, inner, sign);
        if (is_rdregion(i) && !region_of_call(i, &r)) {
            bool per_lane = type_lanes(LLVMTypeOf(LLVMGetOperand(i, 4))) > 1;
            struct wide_operand o = address_operand(s, value_variable(s, inner), element,
                                                    per_lane ? (struct region){0, 1, 0, 0} : r, LLVMGetOperand(i, 4));
            o.type = visa_type_of(element, sign);
            return o;
        }
        if (is_rdregion(i))
            region_of_call(i, &r);
        else if (LLVMIsAShuffleVectorInst(i))
            shuffle_region(i, &r);
        else if (constant_int(LLVMGetOperand(i, 1), &lane))
            r = (struct region){(int)(lane * bytes), 1, 0, 0};
        struct wide_operand o = wide_scalar(value_variable(s, inner), visa_type_of(element, sign), 0);
        o.region = r;
        return o;
    }
    if (LLVMIsAInsertElementInst(i)) {
        struct wide_operand o = source(s, LLVMGetOperand(i, 1), sign);
        o.region = (struct region){o.region.offset, 1, 0, 0};
        return o;
    }
    bool known = LLVMIsAZExtInst(i) || LLVMIsASExtInst(i) || LLVMIsATruncInst(i) || LLVMIsAUnaryOperator(i) ||
                 id == GENX_ABSF || id == GENX_ABSI;
    if (!known)
        select_fail(s, i, "internal: an inlined value that is no operand");
    char from = LLVMIsAZExtInst(i) ? 'U' : LLVMIsASExtInst(i) || id == GENX_ABSI ? 'S' : sign;
    struct wide_operand o = source(s, inner, from);
    if (LLVMIsATruncInst(i))
        o.type = visa_type_of(element, sign);
    else if (LLVMIsAUnaryOperator(i))
        o.modifier ^= VISA_MODIFIER_NEGATE;
    else if (id == GENX_ABSF || id == GENX_ABSI)
        make_absolute(&o);
    return o;
}

void make_absolute(struct wide_operand *o)
{
    if (o->kind != WIDE_IMMEDIATE) {
        o->modifier = VISA_MODIFIER_ABSOLUTE;
        return;
    }
    unsigned bits = 8 * visa_type_bytes(o->type);
    uint64_t sign = 1ull << (bits - 1), mask = sign | (sign - 1);
    if (visa_type_class(o->type) == 'F')
        o->bits &= ~sign;
    else if (o->bits & sign)
        o->bits = (0 - o->bits) & mask;
}

struct wide_operand source(struct selection *s, LLVMValueRef value, char sign)
{
    LLVMTypeRef type = LLVMTypeOf(value), element = type_element(type);
    struct value *v = value_of(s, value);
    uint64_t bits;
    if (!v && splat_bits(value, &bits))
        return immediate_of(element, bits, sign);
    if (v && v->inlined)
        return inlined_source(s, value, sign);
    struct value *root = value_root(s, value);
    if (root && root->inlined) /* a renamed value takes no inlined operand: bale.c sees to it */
        select_fail(s, value, "internal: a renamed value without a variable");
    return wide_region(value_variable(s, value), visa_type_of(element, sign), 0, type_lanes(type));
}

struct wide_operand destination(struct selection *s, LLVMValueRef value, char sign)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    return wide_region(value_variable(s, value), visa_type_of(type_element(type), sign), 0, type_lanes(type));
}

/* ---- the walk ---- */

/* The number of the file that a scope is in, 0 if it is in none. */
unsigned file_of_scope(struct visa_program *program, LLVMMetadataRef scope)
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

static void set_position(struct selection *s, LLVMValueRef i)
{
    LLVMMetadataRef location = LLVMInstructionGetDebugLoc(i),
                    scope = location ? LLVMDILocationGetScope(location) : NULL;
    s->line = location ? LLVMDILocationGetLine(location) : 0;
    if (scope != s->scope)
        s->file = file_of_scope(s->program, scope);
    s->scope = scope;
}

static void select_instruction(struct selection *s, LLVMValueRef i, unsigned block)
{
    s->current = i;
    set_position(s, i);
    if (LLVMIsAPHINode(i) || !is_emitted(s, i))
        return;
    struct wide_operand none = {.kind = WIDE_NONE};
    if (LLVMIsATerminatorInst(i)
            ? select_control(s, i, block)
            : select_mask(s, i) || select_region(s, i) || select_message(s, i) || select_image(s, i) ||
                  select_matrix(s, i) || select_group(s, i) || select_lsc(s, i) || select_send(s, i) || select_call(s, i) ||
                  select_assembly(s, i) || select_wide_integer(s, i) || select_arithmetic(s, i, none, none))
        return;
    char *text = LLVMPrintValueToString(i);
    select_fail(s, i, "not implemented: %.300s", text);
    LLVMDisposeMessage(text);
}

static void emit_label(struct selection *s, unsigned block)
{
    struct visa_instruction label = {.op = VISA_OP_LABEL, .exec_size = 1, .attr = {(int)(s->label_base + block)}};
    emit(s, &label);
}

/* cr0 = cr0 OP bits */
static void change_control(struct selection *s, enum visa_opcode op, uint32_t bits)
{
    struct visa_instruction i = {.op = op, .exec_size = 1};
    i.dst = (struct visa_operand){
        .kind = VISA_OPERAND_GENERAL, .type = VISA_TYPE_UD, .variable = VISA_CR0, .region = {0, 0, 1}};
    i.src[0] = (struct visa_operand){
        .kind = VISA_OPERAND_GENERAL, .type = VISA_TYPE_UD, .variable = VISA_CR0, .region = {0, 1, 0}};
    i.src[1] = (struct visa_operand){.kind = VISA_OPERAND_IMMEDIATE, .type = VISA_TYPE_UD, .bits = bits};
    emit(s, &i);
}

/* Rounding to nearest even, denormals and exceptions as Intel's vector back end starts its kernels; then what the kernel
 * asks for (CmFloatControl has the register's bits). */
static void emit_float_control(struct selection *s)
{
    enum { CLEARED = 0x4f1 };
    char text[16];
    change_control(s, VISA_OP_AND, ~(uint32_t)CLEARED);
    const char *asked = string_attribute(s->kernel, LLVMAttributeFunctionIndex, "cm-float-control", text, sizeof text);
    uint32_t modes = asked ? (uint32_t)strtoul(asked, NULL, 10) : 0;
    if (modes & ~(uint32_t)CLEARED)
        select_fail(s, NULL, "kernel '%s': there is no float control 0x%x", s->out->name, modes);
    if (modes)
        change_control(s, VISA_OP_OR, modes);
}

static void select_blocks(struct selection *s)
{
    for (unsigned b = 0; b < s->cfg.count && !s->failed; b++) {
        if (s->leads_to[b] != b)
            continue;
        if (b)
            emit_label(s, b);
        forget_addresses(s);
        forget_same(s);
        forget_constants(s);
        s->block = b;
        s->told_count = 0;
        s->unmasked_is_slow = platform_has(s->platform, FEATURE_FUSED_EU_NOMASK) &&
                              (s->function != s->kernel || !cfg_runs_once(&s->cfg, b));
        FOR_EACH_INSTRUCTION(i, s->cfg.blocks[b])
        if (!s->failed)
            select_instruction(s, i, b);
    }
    s->out->label_count = s->label_base + s->cfg.count;
    free(s->leads_to);
}

void select_kernel_body(struct selection *s)
{
    find_empty_blocks(s);
    emit_label(s, 0);
    emit_float_control(s);
    select_blocks(s);
}

void select_subroutine_body(struct selection *s, struct callee *callee)
{
    struct visa_instruction start = {.op = VISA_OP_FUNCTION, .exec_size = 1, .attr = {(int)callee->number}};
    emit(s, &start);
    find_empty_blocks(s);
    emit_label(s, 0);
    copy_globals(s, callee);
    select_blocks(s);
}

void select_stack_body(struct selection *s, struct callee *callee)
{
    find_empty_blocks(s);
    emit_label(s, 0);
    take_parameters(s, callee);
    select_blocks(s);
}
