/* See unroll_clone.h. */
#include "lower/analysis/unroll_clone.h"

#include <assert.h>
#include <stdlib.h>
#include "lower/ir/clone.h"

static struct replay_stand_in stand_in_of(LLVMValueRef value)
{
    struct replay_stand_in now = {.value = value};
    now.is_number = LLVMIsAConstantInt(value) && type_element_bits(LLVMTypeOf(value)) <= 64;
    now.number = now.is_number ? LLVMConstIntGetZExtValue(value) : 0;
    return now;
}

static unsigned place_of(struct replay *r, LLVMValueRef original)
{
    size_t place;
    if (pointer_map_get(&r->places, original, &place))
        return (unsigned)place;
    pointer_map_set(&r->places, original, r->value_count);
    ARRAY_PUSH(r->values, r->value_count, r->value_capacity,
               ((struct replay_value){.original = original, .now = stand_in_of(original)}));
    return (unsigned)r->value_count - 1;
}

static void set(struct replay *r, unsigned place, struct replay_stand_in now)
{
    r->values[place].now = now;
    r->values[place].changed = true;
}

static LLVMValueRef made(struct replay *r, unsigned place)
{
    struct replay_value *v = &r->values[place];
    if (!v->now.value)
        v->now.value = LLVMConstInt(LLVMTypeOf(v->original), v->now.number, false);
    return v->now.value;
}

void replay_free(struct replay *r)
{
    pointer_map_free(&r->places);
    free(r->values);
    free(r->steps);
    free(r->operands);
    *r = (struct replay){.builder = r->builder};
}

/* ---- reading ---- */

void replay_read(struct replay *r, LLVMBasicBlockRef block, size_t *first, size_t *count)
{
    *first = r->step_count;
    FOR_EACH_INSTRUCTION(i, block)
    {
        if (LLVMIsAPHINode(i) || LLVMIsATerminatorInst(i))
            continue;
        struct replay_step step = {.i = i, .op = LLVMGetInstructionOpcode(i), .count = (unsigned)LLVMGetNumOperands(i)};
        step.is_arithmetic = arithmetic_of(i, &step.arithmetic);
        step.result = place_of(r, i);
        step.operands = (unsigned)r->operand_count;
        for (unsigned k = 0; k < step.count; k++)
            ARRAY_PUSH(r->operands, r->operand_count, r->operand_capacity, place_of(r, LLVMGetOperand(i, k)));
        ARRAY_PUSH(r->steps, r->step_count, r->step_capacity, step);
    }
    *count = r->step_count - *first;
}

/* ---- copying ---- */

/* True for a result that is a known number, without looking at the instruction. */
static bool is_known(struct replay *r, const struct replay_step *step)
{
    const unsigned *operands = &r->operands[step->operands];
    const struct replay_stand_in *first = &r->values[operands[0]].now,
                                 *second = step->count > 1 ? &r->values[operands[1]].now : first;
    struct replay_stand_in now = {.is_number = true};
    if (!first->is_number || !second->is_number ||
        !arithmetic_result(&step->arithmetic, first->number, second->number, &now.number))
        return false;
    set(r, step->result, now);
    return true;
}

static void copy_with_operands(struct replay *r, const struct replay_step *step)
{
    LLVMValueRef copy = LLVMInstructionClone(step->i);
    for (unsigned k = 0; k < step->count; k++)
        if (r->values[r->operands[step->operands + k]].changed)
            LLVMSetOperand(copy, k, replay_operand(r, step, k));
    LLVMInsertIntoBuilder(r->builder, copy);
    set(r, step->result, (struct replay_stand_in){.value = copy});
}

void replay_copy(struct replay *r, const struct replay_step *step)
{
    enum { FEW = 16 };
    LLVMValueRef operands[FEW], folded = NULL;
    uint64_t condition;
    if (step->is_arithmetic && is_known(r, step))
        return;
    if (step->op == LLVMSelect && replay_operand_number(r, step, 0, &condition)) {
        set(r, step->result, r->values[r->operands[step->operands + (condition ? 1 : 2)]].now);
        return;
    }
    if (step->op != LLVMCall && step->count <= FEW) {
        for (unsigned k = 0; k < step->count; k++)
            operands[k] = replay_operand(r, step, k);
        folded = clone_folded(r->builder, step->i, operands);
    }
    if (folded)
        set(r, step->result, stand_in_of(folded));
    else
        copy_with_operands(r, step);
}

LLVMValueRef replay_operand(struct replay *r, const struct replay_step *step, unsigned operand)
{
    return made(r, r->operands[step->operands + operand]);
}

bool replay_operand_number(const struct replay *r, const struct replay_step *step, unsigned operand, uint64_t *number)
{
    assert(operand < step->count);
    const struct replay_stand_in *now = &r->values[r->operands[step->operands + operand]].now;
    *number = now->number;
    return now->is_number;
}

/* ---- values ---- */

LLVMValueRef replay_of(struct replay *r, LLVMValueRef original)
{
    size_t place;
    return pointer_map_get(&r->places, original, &place) ? made(r, (unsigned)place) : original;
}

bool replay_number(const struct replay *r, LLVMValueRef original, uint64_t *number)
{
    size_t place;
    struct replay_stand_in now =
        pointer_map_get(&r->places, original, &place) ? r->values[place].now : stand_in_of(original);
    *number = now.number;
    return now.is_number;
}

bool replay_is_changed(const struct replay *r, LLVMValueRef original)
{
    size_t place;
    return pointer_map_get(&r->places, original, &place) && r->values[place].changed;
}

void replay_set(struct replay *r, LLVMValueRef original, LLVMValueRef value)
{
    set(r, place_of(r, original), stand_in_of(value));
}

struct replay_stand_in replay_stand_in(struct replay *r, LLVMValueRef original)
{
    unsigned place = place_of(r, original);
    return r->values[place].now;
}

void replay_set_stand_in(struct replay *r, LLVMValueRef original, struct replay_stand_in now)
{
    set(r, place_of(r, original), now);
}
