/* Decodes a kernel into instructions: follows control flow from the first instruction, decodes each instruction
 * that can be reached once, in a kernel view of its own, and resolves jump targets to indices. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "sim/eu/iga_c.h"
#include "sim/eu/operand_decode.h"
#include "sim/eu/thread.h"

enum { MAX_KERNEL_BYTES = 16 << 20, UNSEEN = 0, QUEUED = 1, DECODED = 2 };

/* A decoding in progress. Targets are byte offsets until all instructions are known. */
struct decoder {
    const struct platform *platform;
    const uint8_t *code;
    size_t available;
    struct sim_fault *fault;
    struct eu_instruction *instructions;
    size_t count, capacity;
    uint8_t *seen; /* per 8 bytes */
    size_t seen_size;
    uint32_t *queue; /* offsets still to follow */
    size_t queued, queue_capacity;
    uint32_t *behind; /* offsets after jumps through registers */
    size_t behind_count, behind_capacity;
};

static bool fail(struct decoder *d, uint32_t offset, const char *why)
{
    if (!d->fault->has_ip) {
        d->fault->ip = offset;
        d->fault->has_ip = 1;
        if (offset < d->available)
            eu_disassemble(d->platform, d->code + offset, d->available - offset, d->fault->instruction,
                           sizeof d->fault->instruction);
    }
    return sim_fault_raise(d->fault, "decoding %s kernel: %s", d->platform->name, why);
}

/* Grows an array of `size`-byte elements so that index `needed - 1` exists; new bytes are zero. */
static bool grow(void **array, size_t *capacity, size_t needed, size_t size)
{
    if (needed <= *capacity)
        return true;
    size_t wanted = *capacity ? *capacity * 2 : 64;
    while (wanted < needed)
        wanted *= 2;
    void *bigger = realloc(*array, wanted * size);
    if (bigger == NULL)
        return false;
    memset((char *)bigger + *capacity * size, 0, (wanted - *capacity) * size);
    *array = bigger;
    *capacity = wanted;
    return true;
}

/* Queues the instruction at `offset` unless it is known already. */
static bool follow(struct decoder *d, uint32_t from, int64_t offset)
{
    if (offset < 0 || offset >= MAX_KERNEL_BYTES || offset % 8 != 0 || (size_t)offset >= d->available)
        return fail(d, from, "control leaves the kernel's memory");
    if (!grow((void **)&d->seen, &d->seen_size, (size_t)offset / 8 + 1, 1) ||
        !grow((void **)&d->queue, &d->queue_capacity, d->queued + 1, sizeof *d->queue))
        return fail(d, from, "out of memory");
    if (d->seen[offset / 8] != UNSEEN)
        return true;
    d->seen[offset / 8] = QUEUED;
    d->queue[d->queued++] = (uint32_t)offset;
    return true;
}

static const struct eu_op *find_op(uint32_t iga, const struct platform *platform)
{
    const char *mnemonic = iga_mnemonic(platform, iga);
    for (size_t i = 0; i < EU_OPS; i++)
        if ((mnemonic ? strcmp(mnemonic, eu_op_table[i].mnemonic) == 0 : eu_op_table[i].iga == iga) &&
            platform_between(platform, eu_op_table[i].first_generation, eu_op_table[i].last_generation))
            return &eu_op_table[i];
    return NULL;
}

/* The offset beside a register that names a surface: bits 31:19 and 15:12 are bits 16:4 and 3:0 of a signed number. */
static int32_t surface_offset(const kv_t *kv, const struct eu_instruction *in)
{
    uint32_t field = 0;
    if (in->extended_register == EU_DESCRIPTOR_IMMEDIATE || !iga_library_now->kv_get_send_exdesc_immoff ||
        kv_get_send_exdesc_immoff(kv, 0, &field) != 0)
        return 0;
    return (int32_t)((field >> 19 << 4 | (field >> 12 & 0xf)) << 15) >> 15;
}

static void decode_send(const kv_t *kv, struct eu_instruction *in)
{
    enum { LENGTH_MOST = 31 };
    uint8_t extended_reg, extended_sub, reg, sub;
    uint32_t function, lengths[3] = {0};
    kv_get_message_len(kv, 0, &lengths[0], &lengths[1], &lengths[2]);
    in->src1_registers = lengths[1] > LENGTH_MOST ? EU_LENGTH_IN_DESCRIPTOR : (uint8_t)lengths[1];
    if (eu_is_gathered(&in->src[0]))
        in->src1_registers = 0;
    in->wide_offset = kv_has_inst_opt(kv, 0, IGA_OPTION_EXBSO);
    kv_get_send_descs(kv, 0, &in->extended, &in->descriptor);
    kv_get_send_indirect_descs(kv, 0, &extended_reg, &extended_sub, &reg, &sub);
    in->extended_register = extended_reg == IGA_NO_DESCRIPTOR_REGISTER ? EU_DESCRIPTOR_IMMEDIATE : extended_sub;
    in->descriptor_register = reg == IGA_NO_DESCRIPTOR_REGISTER ? EU_DESCRIPTOR_IMMEDIATE : sub;
    in->surface_offset = surface_offset(kv, in);
    in->end_of_thread = kv_has_inst_opt(kv, 0, IGA_OPTION_EOT);
    in->sfid = kv_get_subfunction(kv, 0, &function) == 0 ? (uint16_t)function : IGA_FUNCTION_A0;
}

static bool is_send(const struct eu_op *op)
{
    return op->execute == EU_EXECUTE_send;
}

/* Fields that every instruction has. */
static void decode_common(const kv_t *kv, struct eu_instruction *in)
{
    uint32_t condition = kv_get_flag_modifier(kv, 0);
    int32_t flag = kv_get_flag_register(kv, 0), subflag = kv_get_flag_sub_register(kv, 0);
    in->exec_size = (uint8_t)kv_get_execution_size(kv, 0);
    in->channel_offset = (uint8_t)(4 * kv_get_channel_offset(kv, 0));
    in->no_mask = kv_get_mask_control(kv, 0) != 0;
    in->predicate = (uint8_t)kv_get_predicate(kv, 0);
    in->inverse = kv_get_is_inverse_predicate(kv, 0) != 0;
    in->condition = condition == IGA_CONDITION_EO ? EU_EARLY_OUT : (uint8_t)condition;
    in->flag_register = flag < 0 ? 0 : (uint8_t)flag;
    in->flag_subregister = subflag < 0 ? 0 : (uint8_t)subflag;
    in->saturate = kv_get_destination_modifier(kv, 0) != 0;
    in->lanes_mask = in->exec_size == 32 ? UINT32_MAX : (1u << in->exec_size) - 1;
}

static void decode_function(const kv_t *kv, struct eu_instruction *in)
{
    uint32_t function;
    if (in->op == &eu_op_table[EU_OP_SYNC])
        in->function = (uint16_t)kv_get_syncfc(kv, 0);
    else if (kv_get_subfunction(kv, 0, &function) == 0 && !is_send(in->op))
        in->function = (uint16_t)function;
}

/* Reads the types of a product's elements, which no other instruction has, and where they begin in a register. */
static void decode_elements(const kv_t *kv, unsigned source, struct eu_instruction *in)
{
    static const uint8_t in_a_byte[IGA_TYPE_UB] = {
        [IGA_TYPE_U2] = 4, [IGA_TYPE_S2] = 4, [IGA_TYPE_U4] = 2, [IGA_TYPE_S4] = 2};
    uint32_t type = kv_get_source_data_type(kv, 0, source);
    int32_t first = kv_get_source_sub_register(kv, 0, source);
    in->precision[source - 1] = (uint8_t)type;
    if (type < IGA_TYPE_UB && in_a_byte[type] != 0 && first > 0)
        in->src[source].base += first / in_a_byte[type] - first * (int32_t)eu_type_table[in->src[source].type].bytes;
}

static bool decode_operands(struct decoder *d, const kv_t *kv, struct eu_instruction *in)
{
    bool is_product = in->op->execute == EU_EXECUTE_dpas;
    bool payload = is_send(in->op) || is_product || (in->op->properties & EU_PROPERTY_BRANCH);
    if (kv_get_has_destination(kv, 0) == 1 && !eu_decode_destination(d->platform, kv, payload, &in->dst))
        return fail(d, in->offset, "destination operand that the platform does not have");
    unsigned sources = (unsigned)kv_get_number_sources(kv, 0);
    if (sources > in->op->sources)
        sources = in->op->sources;
    for (unsigned s = 0; s < sources; s++) {
        if (kv_get_source_register_kind(kv, 0, s) == IGA_KIND_LABEL ||
            kv_get_source_register_kind(kv, 0, s) == IGA_KIND_INVALID)
            continue;
        if (!eu_decode_source(d->platform, kv, s, in->exec_size, payload, &in->src[s]))
            return fail(d, in->offset, "source operand that the platform does not have");
        if (is_product && s > 0)
            decode_elements(kv, s, in);
    }
    return true;
}

/* Returns the domain in which lanes are computed: the widest floating-point type of the sources, or integers. */
static uint8_t lane_domain(const struct eu_instruction *in)
{
    enum eu_domain domain = EU_INTEGER;
    for (unsigned s = 0; s < EU_MAX_SOURCES; s++)
        if (in->src[s].place != EU_NOWHERE && eu_type_table[in->src[s].type].domain > domain)
            domain = eu_type_table[in->src[s].type].domain;
    return (uint8_t)domain;
}

/* Jump targets are byte offsets from the instruction (calla: from the kernel's start). They are stored as absolute
 * offsets. */
static bool decode_targets(struct decoder *d, const kv_t *kv, struct eu_instruction *in)
{
    int32_t targets[IGA_ANY_TARGETS];
    uint32_t count = kv_get_inst_targets(kv, 0, targets);
    int64_t base = in->op == &eu_op_table[EU_OP_CALLA] ? 0 : in->offset;
    in->jip = in->uip = EU_NO_TARGET;
    if (count > 0) {
        if (!follow(d, in->offset, base + targets[0]))
            return false;
        in->jip = (uint32_t)(base + targets[0]);
    }
    if (count > 1) {
        if (!follow(d, in->offset, base + targets[1]))
            return false;
        in->uip = (uint32_t)(base + targets[1]);
    }
    return true;
}

/* True if the decoder's only complaint is that a branch's target lies outside. That always happens if a branch is
 * decoded alone. */
static bool only_targets(const char *errors)
{
    while (*errors) {
        const char *end = strchr(errors, '\n');
        const char *word = strstr(errors, " targets ");
        if (word == NULL || (end != NULL && word > end))
            return false;
        if (end == NULL)
            break;
        errors = end + 1;
    }
    return true;
}

/* The software scoreboard's bits, of compacted instructions too. */
static uint16_t scoreboard_bits(const struct decoder *d, unsigned offset)
{
    enum { TEN_BITS = 0x3ff };
    if (!platform_has(d->platform, FEATURE_SCOREBOARD))
        return 0;
    if (!platform_has(d->platform, FEATURE_SCOREBOARD_MATH))
        return d->code[offset + 1];
    return (uint16_t)((d->code[offset + 1] | d->code[offset + 2] << 8) & TEN_BITS);
}

static bool decode_from_view(struct decoder *d, const kv_t *kv, struct eu_instruction *in)
{
    in->op = find_op(kv_get_opcode(kv, 0), d->platform);
    if (in->op == NULL)
        return fail(d, in->offset, "instruction that is not implemented");
    in->execute = eu_handler(in->op);
    in->semantics = eu_handler_semantics(in->op);
    in->jip = in->uip = EU_NO_TARGET;
    in->scoreboard = scoreboard_bits(d, in->offset);
    if (in->op == &eu_op_table[EU_OP_ILLEGAL] || in->op == &eu_op_table[EU_OP_NOP])
        return true;
    decode_common(kv, in);
    decode_function(kv, in);
    in->write_accumulator =
        !is_send(in->op) && !(in->op->properties & EU_PROPERTY_BRANCH) && kv_has_inst_opt(kv, 0, IGA_OPTION_ACCWREN);
    in->is_atomic = in->op->execute == EU_EXECUTE_dpas && kv_has_inst_opt(kv, 0, IGA_OPTION_ATOMIC);
    if (is_send(in->op))
        decode_send(kv, in);
    if (!decode_operands(d, kv, in))
        return false;
    in->domain = lane_domain(in);
    return !(in->op->properties & EU_PROPERTY_BRANCH) || decode_targets(d, kv, in);
}

static bool copies_bits(const struct eu_instruction *in, const struct eu_operand *source)
{
    return source->type == in->dst.type && !source->negate && !source->absolute && source->special != EU_ACCUMULATOR;
}

/* Turns a mov between equal floating-point types without modifiers, or a sel by a predicate, into an integer move of
 * that size: it copies bits, NaNs and denormals included, and compilers move integers that way. */
static void make_raw_move(struct eu_instruction *in)
{
    static const enum eu_type raw[] = {[EU_HF] = EU_UW, [EU_F] = EU_UD, [EU_DF] = EU_UQ};
    bool selects = in->op == &eu_op_table[EU_OP_SEL];
    if ((in->op != &eu_op_table[EU_OP_MOV] && !selects) || in->saturate || in->condition != EU_ALWAYS ||
        in->write_accumulator || in->dst.special == EU_ACCUMULATOR || !copies_bits(in, &in->src[0]) ||
        (selects && !copies_bits(in, &in->src[1])))
        return;
    if (in->dst.type != EU_HF && in->dst.type != EU_F && in->dst.type != EU_DF)
        return;
    in->src[0].type = in->dst.type = (uint8_t)raw[in->dst.type];
    if (selects)
        in->src[1].type = in->dst.type;
    in->domain = EU_INTEGER;
}

static void note_written_types(struct eu_instruction *in)
{
    in->written_type[0] = in->dst.place == EU_NOWHERE && in->dst.step == 0 ? EU_NO_TYPE : in->dst.type;
    for (unsigned s = 0; s < EU_MAX_SOURCES; s++)
        in->written_type[1 + s] = in->src[s].place == EU_NOWHERE ? EU_NO_TYPE : in->src[s].type;
    if (in->op == &eu_op_table[EU_OP_SYNC] && in->src[0].place != EU_IMMEDIATE) /* null: its type means nothing */
        in->written_type[1] = EU_NO_TYPE;
}

static bool decode_one(struct decoder *d, uint32_t offset, struct eu_instruction *in)
{
    char errors[512];
    int status = IGA_STATUS_SUCCESS;
    memset(in, 0, sizeof *in);
    in->offset = offset;
    in->size = (uint8_t)eu_instruction_bytes(d->code + offset, d->available - offset);
    if (in->size == 0)
        return fail(d, offset, "instruction runs past the end of the kernel's memory");
    if (!iga_library_is_there(d->platform)) {
        snprintf(errors, sizeof errors, "the decoder %s is not there (gensim --driver current brings it)",
                 iga_library_name(d->platform));
        return fail(d, offset, errors);
    }
    kv_t *kv = iga_view_create(d->platform, d->code + offset, in->size, &status, errors, sizeof errors);
    bool is_decoded = kv != NULL && (status == IGA_STATUS_SUCCESS || only_targets(errors));
    bool done;
    if (is_decoded) {
        done = decode_from_view(d, kv, in);
    } else {
        errors[strcspn(errors, "\n")] = 0;
        done = fail(d, offset, kv != NULL ? errors : "undecodable instruction");
    }
    if (kv != NULL)
        kv_delete(kv);
    if (!done || !(eu_check(d->platform, in, d->fault) || fail(d, offset, "bad encoding"))) /* sets the position */
        return false;
    const char *field = eu_check_fields(d->platform, d->code + offset, in);
    if (field != NULL)
        return fail(d, offset, field);
    note_written_types(in);
    if (in->dst.place == EU_DIRECT && in->dst.base >= EU_FILE_GENERAL)
        in->accumulator_offset = (uint8_t)((in->dst.base - EU_FILE_GENERAL) % d->platform->grf_bytes);
    make_raw_move(in);
    return true;
}

/* True for instructions after which control never continues with the next one. */
static bool ends_flow(const struct eu_instruction *in)
{
    if (in->op == &eu_op_table[EU_OP_ILLEGAL] || in->end_of_thread)
        return true;
    return (in->op == &eu_op_table[EU_OP_JMPI] || in->op == &eu_op_table[EU_OP_RET]) &&
           in->predicate == EU_NO_PREDICATE;
}

/* Records the offset after an indirect jump, and after each jump of a jump table there. */
static bool note_behind(struct decoder *d, const struct eu_instruction *in)
{
    bool is_noted = in->jip == EU_NO_TARGET;
    if (in->op != &eu_op_table[EU_OP_JMPI])
        return true;
    for (size_t i = 0; i < d->behind_count; i++)
        is_noted |= d->behind[i] == in->offset;
    if (!is_noted)
        return true;
    if (!grow((void **)&d->behind, &d->behind_capacity, d->behind_count + 1, sizeof *d->behind))
        return fail(d, in->offset, "out of memory");
    d->behind[d->behind_count++] = in->offset + in->size;
    return true;
}

static bool decode_reachable(struct decoder *d)
{
    while (d->queued > 0) {
        uint32_t offset = d->queue[--d->queued];
        if (d->seen[offset / 8] == DECODED)
            continue;
        if (!grow((void **)&d->instructions, &d->capacity, d->count + 1, sizeof *d->instructions))
            return fail(d, offset, "out of memory");
        struct eu_instruction *in = &d->instructions[d->count];
        d->seen[offset / 8] = DECODED;
        if (!decode_one(d, offset, in))
            return false;
        d->count++;
        if (!note_behind(d, in))
            return false;
        if (!ends_flow(in) && !follow(d, offset, (int64_t)offset + in->size))
            return false;
    }
    return true;
}

/* Decodes the code that is reachable from `offset`. If it is not code, nothing changes. False: out of memory. */
static bool try_from(struct decoder *d, uint32_t offset)
{
    struct sim_fault *fault = d->fault, ignored = {0};
    size_t count = d->count, behind = d->behind_count, seen_size = d->seen_size;
    uint8_t *seen = malloc(seen_size);
    if (seen == NULL)
        return fail(d, offset, "out of memory");
    memcpy(seen, d->seen, seen_size);
    d->fault = &ignored;
    if (!follow(d, offset, offset) || !decode_reachable(d)) {
        memcpy(d->seen, seen, seen_size);
        memset(d->seen + seen_size, UNSEEN, d->seen_size - seen_size);
        d->count = count;
        d->behind_count = behind;
        d->queued = 0;
    }
    d->fault = fault;
    free(seen);
    return true;
}

/* Decodes the bytes after an indirect jump. The jump is a call (up to Gen11), which returns there, a return, a jump
 * into the jump table there, or a jump to anywhere. So those bytes are code or data. */
static bool decode_behind(struct decoder *d)
{
    for (size_t i = 0; i < d->behind_count; i++)
        if (!try_from(d, d->behind[i]))
            return false;
    return true;
}

static int by_offset(const void *a, const void *b)
{
    uint32_t x = ((const struct eu_instruction *)a)->offset, y = ((const struct eu_instruction *)b)->offset;
    return (x > y) - (x < y);
}

/* Marks the instructions at which waiting channels may resume: after every jump, and at every target. */
static void mark_resume_points(struct eu_program *program)
{
    for (size_t i = 0; i < program->count; i++) {
        struct eu_instruction *in = &program->instructions[i];
        if (!(in->op->properties & EU_PROPERTY_BRANCH))
            continue;
        in->resume_point = true;
        if (i + 1 < program->count)
            program->instructions[i + 1].resume_point = true;
        if (in->jip != EU_NO_TARGET)
            program->instructions[in->jip].resume_point = true;
        if (in->uip != EU_NO_TARGET)
            program->instructions[in->uip].resume_point = true;
    }
}

/* Sorts instructions, resolves targets to indices and selects the functions that execute them. */
static bool finish(struct decoder *d, struct eu_program *program)
{
    qsort(d->instructions, d->count, sizeof *d->instructions, by_offset);
    const struct eu_instruction *last = &d->instructions[d->count - 1];
    program->platform = d->platform;
    program->extent = last->offset + last->size;
    program->instructions = d->instructions;
    program->count = d->count;
    program->code = malloc(program->extent);
    program->index = malloc(program->extent / 8 * sizeof *program->index);
    d->instructions = NULL;
    if (program->code == NULL || program->index == NULL)
        return fail(d, 0, "out of memory");
    memcpy(program->code, d->code, program->extent);
    memset(program->index, 0xff, program->extent / 8 * sizeof *program->index);
    for (size_t i = 0; i < program->count; i++) {
        struct eu_instruction *in = &program->instructions[i];
        if (i > 0 && in[-1].offset + in[-1].size > in->offset)
            return fail(d, in->offset, "jump into the middle of an instruction");
        program->index[in->offset / 8] = (uint32_t)i;
    }
    for (size_t i = 0; i < program->count; i++) {
        struct eu_instruction *in = &program->instructions[i];
        if (in->jip != EU_NO_TARGET)
            in->jip = program->index[in->jip / 8];
        if (in->uip != EU_NO_TARGET)
            in->uip = program->index[in->uip / 8];
        in->execute = is_send(in->op) ? eu_plan_send(program->platform, in) : eu_fast_execute(program->platform, in);
    }
    mark_resume_points(program);
    return true;
}

struct eu_program *eu_program_decode(const struct platform *platform, const uint8_t *code, size_t available,
                                     struct sim_fault *fault)
{
    assert(platform && code && fault);
    struct decoder d = {.platform = platform, .code = code, .available = available, .fault = fault};
    struct eu_program *program = calloc(1, sizeof *program);
    bool done = false;
    if (program == NULL)
        fail(&d, 0, "out of memory");
    else
        done = follow(&d, 0, 0) && decode_reachable(&d) && decode_behind(&d) && finish(&d, program);
    free(d.instructions);
    free(d.seen);
    free(d.queue);
    free(d.behind);
    if (done)
        return program;
    eu_program_destroy(program);
    return NULL;
}

void eu_program_destroy(struct eu_program *program)
{
    if (program == NULL)
        return;
    for (size_t i = 0; i < program->count; i++)
        free(program->instructions[i].plan);
    free(program->instructions);
    free(program->index);
    free(program->code);
    free(program);
}

int eu_program_matches(const struct eu_program *program, const uint8_t *code, size_t available)
{
    assert(code);
    return available >= program->extent && memcmp(program->code, code, program->extent) == 0;
}

size_t eu_program_instructions(const struct eu_program *program)
{
    return program->count;
}

size_t eu_program_bytes(const struct eu_program *program)
{
    return program->extent;
}

bool eu_reads_clock(const struct eu_instruction *in)
{
    for (unsigned s = 0; s < in->op->sources; s++)
        if (in->src[s].special == EU_TIMESTAMP)
            return true;
    return false;
}

bool eu_program_reads_clock(const struct eu_program *program)
{
    for (size_t i = 0; i < program->count; i++)
        if (eu_reads_clock(&program->instructions[i]))
            return true;
    return false;
}

void eu_program_avoid_fast(struct eu_program *program)
{
    for (size_t i = 0; i < program->count; i++)
        program->instructions[i].execute = eu_handler(program->instructions[i].op);
}
