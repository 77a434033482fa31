/* Rewrites a kernel that spills so that its spilled variables keep their inactive lanes. The finalizer writes the
 * register of a spilled variable to memory without having read it, if a whole register of dwords is written, by a
 * message with the execution mask (IGC, G4_INST::isPartialWriteForSpill()). This is right for lanes from 0 on. In this
 * version it does so for lanes from 8 or 16 on too, and for replies, which later versions read before. Here such an
 * instruction gets a destination of its own, and its lanes are moved as words, for which the finalizer reads the
 * register first. A message gets a predicate of all lanes instead, for which it does so too. */
#include <stdlib.h>
#include "visa_emit/place.h"
#include "visa_emit/visa.h"

enum { DWORD = 4, HIGH_WORD = 2, FIRST_LANES = 8 };

static bool writes_dwords(const struct visa_program *program, const struct visa_instruction *i)
{
    unsigned grf = program->platform->grf_bytes;
    return i->dst.kind == VISA_OPERAND_GENERAL && i->dst.variable >= VISA_FIRST_VARIABLE &&
           visa_type_bytes(i->dst.type) == DWORD && i->dst.region.hstride <= 1 && (unsigned)i->dst.offset % grf == 0 &&
           i->exec_size * DWORD >= grf && (i->exec_size > FIRST_LANES || i->channel != 0);
}

static bool is_message(const struct visa_instruction *i)
{
    return i->op >= VISA_OP_MEDIA_LD;
}

/* A predicate or a destination of its own, or nothing. */
enum change { UNCHANGED, PREDICATED, MOVED };

static enum change change_of(const struct visa_program *program, const struct visa_instruction *i)
{
    bool predicated = i->predicate.variable != VISA_NULL && i->op != VISA_OP_SEL;
    if (!i->by_channel || i->no_mask || predicated)
        return UNCHANGED;
    if (is_message(i))
        return PREDICATED;
    if (!writes_dwords(program, i))
        return UNCHANGED;
    return visa_has_carry(i) ? PREDICATED : MOVED;
}

static void add_predicated(struct visa_program *program, struct visa_kernel *kernel, struct visa_instruction i)
{
    struct visa_variable all = {.class = VISA_CLASS_PREDICATE, .elements = 32, .input_offset = -1};
    struct visa_instruction set = {
        .op = VISA_OP_SETP, .exec_size = 32, .no_mask = true, .file = i.file, .line = i.line, .scope = i.scope};
    i.predicate.variable = visa_add_variable(program, kernel, &all);
    set.dst = (struct visa_operand){.kind = VISA_OPERAND_PREDICATE, .variable = i.predicate.variable};
    set.src[0] = (struct visa_operand){.kind = VISA_OPERAND_IMMEDIATE, .type = VISA_TYPE_UD, .bits = UINT32_MAX};
    visa_add_instruction(program, kernel, &set);
    visa_add_instruction(program, kernel, &i);
}

static struct visa_operand words_of(struct visa_operand dwords, int offset, struct visa_region region)
{
    dwords.type = VISA_TYPE_UW;
    dwords.offset += offset;
    dwords.region = region;
    return dwords;
}

static void add_moved(struct visa_program *program, struct visa_kernel *kernel, struct visa_instruction i)
{
    struct visa_variable own = {.class = VISA_CLASS_GENERAL,
                                .type = i.dst.type,
                                .elements = i.exec_size,
                                .align = program->platform->grf_bytes,
                                .input_offset = -1};
    struct visa_operand result = i.dst;
    unsigned mark = i.mark; /* true behind the last one */
    i.mark = 0;
    i.dst.variable = visa_add_variable(program, kernel, &own);
    i.dst.offset = 0;
    visa_add_instruction(program, kernel, &i);
    struct visa_instruction move = {.op = VISA_OP_MOV,
                                    .exec_size = i.exec_size,
                                    .channel = i.channel,
                                    .by_channel = true,
                                    .file = i.file,
                                    .line = i.line,
                                    .column = i.column,
                                    .scope = i.scope,
                                    .state = i.state};
    for (int half = 0; half <= HIGH_WORD; half += HIGH_WORD) {
        move.dst = words_of(result, half, (struct visa_region){.hstride = 2});
        move.src[0] = words_of(i.dst, half, (struct visa_region){2, 1, 0});
        move.mark = half ? mark : 0;
        visa_add_instruction(program, kernel, &move);
    }
}

bool visa_keep_inactive_lanes(struct visa_program *program, struct visa_kernel *kernel)
{
    struct visa_instruction *old = kernel->instructions;
    size_t count = kernel->instruction_count;
    bool changed = false;
    for (size_t k = 0; k < count && !changed; k++)
        changed = change_of(program, &old[k]) != UNCHANGED;
    if (!changed)
        return false;
    kernel->instructions = NULL;
    kernel->instruction_count = kernel->instruction_capacity = 0;
    for (size_t k = 0; k < count; k++)
        switch (change_of(program, &old[k])) {
        case UNCHANGED: visa_add_instruction(program, kernel, &old[k]); break;
        case PREDICATED: add_predicated(program, kernel, old[k]); break;
        case MOVED: add_moved(program, kernel, old[k]); break;
        }
    return true;
}
