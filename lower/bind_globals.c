/* Globals of subroutines in place. A global variable that a subroutine uses is one of its parameters, and where it is
 * changed one of its results; all subroutines of a kernel have them in one variable. Where the values that it has
 * before and behind calls may live in that variable too, nothing is copied. */
#include <stdlib.h>
#include "lower/functions.h"
#include "lower/liveness.h"

static void add_touch(struct touches *all, enum touch_kind kind, int global, LLVMValueRef value, LLVMValueRef call)
{
    if (global >= 0 && value)
        ARRAY_PUSH(all->list, all->count, all->capacity, ((struct touch){kind, (unsigned)global, value, call}));
}

static bool is_subroutine(LLVMValueRef function)
{
    return function && function_call_kind(function) == CALL_SUBROUTINE;
}

static void add_result(struct touches *all, LLVMValueRef result)
{
    LLVMValueRef function = LLVMIsAExtractValueInst(result) ? called_function(LLVMGetOperand(result, 0)) : NULL;
    for (unsigned k = 0; is_subroutine(function) && k < LLVMCountParams(function); k++)
        if (global_result(function, k) == (int)LLVMGetIndices(result)[0])
            add_touch(all, TOUCH_RESULT, global_of_parameter(function, k), result, LLVMGetOperand(result, 0));
}

static void add_arguments(struct touches *all, LLVMValueRef call)
{
    LLVMValueRef function = called_function(call);
    for (unsigned k = 0; is_subroutine(function) && k < LLVMCountParams(function); k++)
        add_touch(all, TOUCH_ARGUMENT, global_of_parameter(function, k), LLVMGetOperand(call, k), call);
}

static void add_left(struct touches *all, LLVMValueRef function, LLVMValueRef leave)
{
    for (unsigned k = 0; k < LLVMCountParams(function); k++) {
        int result = global_result(function, k);
        if (result >= 0)
            add_touch(all, TOUCH_LEFT, global_of_parameter(function, k), LLVMGetOperand(leave, (unsigned)result), NULL);
    }
}

struct touches find_touches(struct selection *s)
{
    struct touches all = {0};
    bool subroutine = is_subroutine(s->function);
    for (unsigned k = 0; subroutine && k < LLVMCountParams(s->function); k++)
        add_touch(&all, TOUCH_PARAMETER, global_of_parameter(s->function, k), LLVMGetParam(s->function, k), NULL);
    for (unsigned kind = TOUCH_RESULT; kind <= TOUCH_LEFT; kind++)
        FOR_EACH_BLOCK(block, s->function)
    FOR_EACH_INSTRUCTION(i, block)
    if (kind == TOUCH_RESULT)
        add_result(&all, i);
    else if (kind == TOUCH_ARGUMENT)
        add_arguments(&all, i);
    else if (subroutine && is_leave(i))
        add_left(&all, s->function, i);
    return all;
}

/* The value's number; VALUE_NONE: it has no variable of its own. */
static size_t number_of(const struct liveness *l, LLVMValueRef value)
{
    struct value *v = value_root(l->s, value);
    return v && !v->inlined ? (size_t)(v - l->s->values) : VALUE_NONE;
}

/* The first touch of the same global that lives in a variable: the one that the others join. */
static size_t first_of(const struct liveness *l, const struct touches *touches, unsigned global)
{
    for (size_t i = 0; i < touches->count; i++)
        if (touches->list[i].global == global && number_of(l, touches->list[i].value) != VALUE_NONE)
            return number_of(l, touches->list[i].value);
    return VALUE_NONE;
}

void join_touches(struct liveness *l, const struct touches *touches)
{
    for (size_t i = 0; i < touches->count; i++) {
        size_t value = number_of(l, touches->list[i].value), first = first_of(l, touches, touches->list[i].global);
        if (value != VALUE_NONE && may_share(l->s, &l->s->values[value]) && may_share(l->s, &l->s->values[first]))
            try_join(l, first, value);
    }
}

static bool is_in_class(const struct liveness *l, LLVMValueRef value, size_t class)
{
    size_t number = number_of(l, value);
    return number != VALUE_NONE && class_of(l->s, number) == class;
}

/* Whether a value of the class is needed behind the call. */
static bool lives_across(const struct liveness *l, size_t class, LLVMValueRef call)
{
    unsigned block = cfg_number(&l->s->cfg, LLVMGetInstructionParent(call)), position = 1;
    for (LLVMValueRef i = LLVMGetFirstInstruction(LLVMGetInstructionParent(call)); i != call;
         i = LLVMGetNextInstruction(i))
        position += !LLVMIsAPHINode(i);
    size_t member = class;
    do {
        if (live_after(l, member, block, position))
            return true;
        member = l->next_member[member];
    } while (member != class);
    return false;
}

/* Values that come out of calls, or into the subroutine, in another place than the global's: their copies would have to
 * be made in an order of their own. The thread's own inputs have places already. */
static bool comes_from_elsewhere(const struct liveness *l, size_t class, const struct touches *touches, unsigned global)
{
    size_t member = class;
    do {
        LLVMValueRef value = l->s->values[member].llvm;
        bool own =
            !LLVMIsAArgument(value) && !(LLVMIsAExtractValueInst(value) && called_function(LLVMGetOperand(value, 0)));
        for (size_t i = 0; i < touches->count && !own; i++)
            own = touches->list[i].value == value && touches->list[i].global == global &&
                  touches->list[i].kind <= TOUCH_RESULT;
        if (!own)
            return true;
        member = l->next_member[member];
    } while (member != class);
    return false;
}

/* Whether every call leaves the variable as the class's values need it: a subroutine that changes the global, or an
 * argument that must be copied to its variable, would destroy those that are needed behind the call. */
static bool may_bind(const struct liveness *l, size_t class, const struct touches *touches, unsigned global)
{
    if (l->s->values[class].variable || comes_from_elsewhere(l, class, touches, global))
        return false;
    for (size_t i = 0; i < touches->count; i++) {
        const struct touch *t = &touches->list[i];
        if (t->kind != TOUCH_ARGUMENT || t->global != global)
            continue;
        bool kept = is_in_class(l, t->value, class) && !changes_global(called_function(t->call), global);
        if (!kept && lives_across(l, class, t->call))
            return false;
    }
    return true;
}

void bind_globals(struct liveness *l, struct touches *touches)
{
    for (size_t i = 0; i < touches->count; i++) {
        const struct touch *t = &touches->list[i];
        size_t first = first_of(l, touches, t->global);
        if (first == VALUE_NONE || number_of(l, t->value) != first)
            continue;
        size_t class = class_of(l->s, first);
        if (may_bind(l, class, touches, t->global))
            l->s->values[class].variable = global_variable(l->s, t->global, LLVMTypeOf(t->value));
    }
    free(touches->list);
}
