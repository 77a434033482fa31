/* Sinks instructions of a kernel that spills to the first use of their results, which are then live for a shorter time.
 *
 *     mov (8) V1.0 = V3.0                             mov (8) V1.0 = V3.0
 *     mov (8) V1.32 = V4.0                            mov (8) V1.32 = V4.0
 *     mov (8) V2.0 = V3.32                            store V1
 *     mov (8) V2.32 = V4.32                           mov (8) V2.0 = V3.32
 *     store V1                                        mov (8) V2.32 = V4.32
 *     store V2                                        store V2
 *
 * An instruction stays if it is the last one that reads a variable as large as its result: that variable would be live
 * for longer instead. Only instructions that compute without a predicate move, each within its basic block. */
#include <stdlib.h>
#include "visa_emit/debug_rewrite.h"
#include "visa_emit/place.h"
#include "visa_emit/visa.h"

enum { FARTHEST = 1000 };

struct use {
    size_t block; /* the number of the first block that names the variable, from 1 on */
    bool shared;  /* other blocks name it, too */
    bool fixed;   /* its address is taken */
};

static void note(const struct visa_kernel *kernel, struct use *uses, const struct visa_operand *o, size_t block)
{
    if (o->kind == VISA_OPERAND_NONE || o->kind == VISA_OPERAND_IMMEDIATE || o->variable < VISA_FIRST_VARIABLE ||
        o->variable - VISA_FIRST_VARIABLE >= kernel->variable_count)
        return;
    struct use *use = &uses[o->variable - VISA_FIRST_VARIABLE];
    if (!use->block)
        use->block = block;
    use->shared |= use->block != block;
    use->fixed |= o->kind != VISA_OPERAND_GENERAL && o->kind != VISA_OPERAND_RAW;
}

static void note_uses(const struct visa_kernel *kernel, struct use *uses)
{
    for (size_t at = 0, block = 1; at < kernel->instruction_count; at++) {
        const struct visa_instruction *i = &kernel->instructions[at];
        block += visa_ends_block(i);
        note(kernel, uses, &i->dst, block);
        for (unsigned k = 0; k < VISA_MAX_SOURCES; k++)
            note(kernel, uses, &i->src[k], block);
        for (unsigned k = 0; k < i->parameter_count; k++)
            note(kernel, uses, &i->parameters[k], block);
    }
}

/* True if an instruction from `at` on, in the block, reads the variable. */
static bool is_read_later(const struct visa_kernel *kernel, size_t at, unsigned variable)
{
    struct visa_place whole = {.variable = variable, .from = 0, .to = INT32_MAX};
    for (size_t n = 0; at < kernel->instruction_count && !visa_ends_block(&kernel->instructions[at]) && n < FARTHEST;
         at++, n++)
        if (visa_place_may_be_read(&kernel->instructions[at], whole))
            return true;
    return false;
}

/* Bytes of the variables that an instruction would keep live if it stood at `at`. */
static int kept_bytes(const struct visa_kernel *kernel, const struct use *uses, const struct visa_instruction *i,
                      size_t at)
{
    int bytes = 0;
    for (unsigned k = 0; k < VISA_MAX_SOURCES; k++) {
        const struct visa_operand *source = &i->src[k];
        if (source->kind != VISA_OPERAND_GENERAL || uses[source->variable - VISA_FIRST_VARIABLE].shared ||
            is_read_later(kernel, at, source->variable))
            continue;
        const struct visa_variable *v = visa_variable(kernel, source->variable);
        bytes += (int)(v->elements * visa_type_bytes(v->type));
    }
    return bytes;
}

static bool is_fixed(const struct use *uses, const struct visa_instruction *i)
{
    bool fixed = uses[i->dst.variable - VISA_FIRST_VARIABLE].fixed;
    for (unsigned k = 0; k < VISA_MAX_SOURCES; k++)
        if (i->src[k].kind == VISA_OPERAND_GENERAL)
            fixed |= uses[i->src[k].variable - VISA_FIRST_VARIABLE].fixed;
    return fixed;
}

/* Moves the instruction down to the first one that it must precede, if less is live then. */
static bool sink(struct visa_kernel *kernel, const struct use *uses, size_t from)
{
    struct visa_instruction moved = kernel->instructions[from];
    if (!visa_computes(&moved) || moved.predicate.variable != VISA_NULL || is_fixed(uses, &moved))
        return false;
    size_t to = from + 1;
    while (to < kernel->instruction_count && to - from < FARTHEST && !visa_ends_block(&kernel->instructions[to]) &&
           !visa_must_stay(&moved, &kernel->instructions[to]))
        to++;
    struct visa_place result = visa_place_of_result(&moved);
    if (to == from + 1 || kept_bytes(kernel, uses, &moved, to) >= result.to - result.from)
        return false;
    for (size_t at = from; at + 1 < to; at++)
        kernel->instructions[at] = kernel->instructions[at + 1];
    kernel->instructions[to - 1] = moved;
    debug_rewrite_moved(kernel, moved.dst.variable, from, to - 1);
    return true;
}

bool visa_sink_instructions(struct visa_program *program, struct visa_kernel *kernel)
{
    struct use *uses = calloc(kernel->variable_count + 1, sizeof *uses);
    bool sinks = false;
    if (!uses || program->watched || kernel->function_count > 0) { /* as visa_split_variables() */
        free(uses);
        return false;
    }
    note_uses(kernel, uses);
    debug_rewrite_begin(program, kernel);
    for (size_t at = kernel->instruction_count; at-- > 0;)
        sinks |= sink(kernel, uses, at);
    free(uses);
    return sinks;
}
