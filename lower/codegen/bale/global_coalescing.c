/* Coalesces global variables of subroutines. A global that a subroutine uses is one of its parameters, and one of its
 * results if it changes it. All subroutines of a kernel keep the global in one variable. If the values before and
 * after calls can live in that variable too, nothing is copied. */
#include <stdlib.h>
#include "lower/codegen/bale/global_coalescing.h"
#include "lower/codegen/bale/bale.h"
#include "lower/codegen/bale/interference.h"
#include "lower/codegen/emit/argument_layout.h"
#include "lower/functions/functions.h"

static void add_access(struct global_accesses *all, struct global_access access, int global)
{
    access.global = (unsigned)global;
    if (global >= 0 && access.value)
        ARRAY_PUSH(all->list, all->count, all->capacity, access);
}

static bool is_subroutine(LLVMValueRef function)
{
    return function && function_call_kind(function) == CALL_SUBROUTINE;
}

static void add_result(struct global_accesses *all, struct global_access at)
{
    LLVMValueRef function = LLVMIsAExtractValueInst(at.value) ? function_called(LLVMGetOperand(at.value, 0)) : NULL;
    at.call = function ? LLVMGetOperand(at.value, 0) : NULL;
    for (unsigned k = 0; is_subroutine(function) && k < LLVMCountParams(function); k++)
        if (function_global_result(function, k) == (int)LLVMGetIndices(at.value)[0])
            add_access(all, at, function_global_of_parameter(function, k));
}

static void add_arguments(struct global_accesses *all, struct global_access at, LLVMValueRef call)
{
    LLVMValueRef function = function_called(call);
    at.call = call;
    for (unsigned k = 0; is_subroutine(function) && k < LLVMCountParams(function); k++) {
        at.value = LLVMGetOperand(call, k);
        add_access(all, at, function_global_of_parameter(function, k));
    }
}

static void add_returned(struct global_accesses *all, struct global_access at, LLVMValueRef function,
                         LLVMValueRef leave)
{
    for (unsigned k = 0; k < LLVMCountParams(function); k++) {
        int result = function_global_result(function, k);
        at.value = result >= 0 ? LLVMGetOperand(leave, (unsigned)result) : NULL;
        add_access(all, at, function_global_of_parameter(function, k));
    }
}

struct global_accesses global_accesses_find(struct selection *s)
{
    struct global_accesses all = {0};
    bool subroutine = is_subroutine(s->function);
    for (unsigned k = 0; subroutine && k < LLVMCountParams(s->function); k++)
        add_access(&all, (struct global_access){.kind = GLOBAL_ACCESS_PARAMETER, .value = LLVMGetParam(s->function, k)},
                   function_global_of_parameter(s->function, k));
    for (unsigned kind = GLOBAL_ACCESS_RESULT; kind <= GLOBAL_ACCESS_RETURN; kind++)
        for (unsigned b = 0; b < s->cfg.count; b++) {
            struct global_access at = {.kind = kind, .block = b};
            FOR_EACH_INSTRUCTION(i, s->cfg.blocks[b])
            {
                at.position += !LLVMIsAPHINode(i);
                at.value = i;
                if (kind == GLOBAL_ACCESS_RESULT)
                    add_result(&all, at);
                else if (kind == GLOBAL_ACCESS_ARGUMENT)
                    add_arguments(&all, at, i);
                else if (subroutine && function_is_return_marker(i))
                    add_returned(&all, at, s->function, i);
            }
        }
    return all;
}

/* Returns the value's number; VALUE_NONE: it has no variable of its own. */
static size_t number_of(const struct liveness *l, LLVMValueRef value)
{
    struct cg_value *v = bale_value_root(l->s, value);
    return v && !v->inlined ? (size_t)(v - l->s->values) : VALUE_NONE;
}

/* True if no call changes the global while the value is live. */
static bool is_unchanged_while_live(const struct liveness *l, size_t value, const struct global_accesses *accesses,
                                    unsigned global)
{
    for (size_t i = 0; i < accesses->count; i++) {
        const struct global_access *t = &accesses->list[i];
        if (t->kind == GLOBAL_ACCESS_ARGUMENT && t->global == global &&
            liveness_after(l, value, t->block, t->position) &&
            function_changes_global(function_called(t->call), global))
            return false;
    }
    return true;
}

/* Joins the value with the first earlier one with which it can share a variable. */
static void join_access(struct liveness *l, const struct global_accesses *accesses, size_t i)
{
    size_t value = accesses->list[i].number;
    for (size_t k = 0; k < i; k++) {
        size_t earlier = accesses->list[k].number;
        if (accesses->list[k].global != accesses->list[i].global || earlier == VALUE_NONE ||
            !interference_may_share(l->s, &l->s->values[earlier]))
            continue;
        interference_try_join(l, earlier, value);
        if (interference_class(l->s, earlier) == interference_class(l->s, value))
            return;
    }
}

void global_accesses_join(struct liveness *l, struct global_accesses *accesses)
{
    for (size_t i = 0; i < accesses->count; i++) {
        struct global_access *t = &accesses->list[i];
        t->number = number_of(l, t->value);
        if (t->number == VALUE_NONE)
            continue;
        if (!is_unchanged_while_live(l, t->number, accesses, t->global))
            t->number = VALUE_NONE;
        else if (interference_may_share(l->s, &l->s->values[t->number]))
            join_access(l, accesses, i);
    }
}

static bool is_in_class(const struct liveness *l, LLVMValueRef value, size_t class)
{
    size_t number = number_of(l, value);
    return number != VALUE_NONE && interference_class(l->s, number) == class;
}

/* True if a value of the class is live after the call whose argument `t` is. */
static bool is_live_across(const struct liveness *l, size_t class, const struct global_access *t)
{
    size_t member = class;
    do {
        if (liveness_after(l, member, t->block, t->position))
            return true;
        member = l->next_member[member];
    } while (member != class);
    return false;
}

/* True for values that leave calls, or enter the subroutine, in another variable than the global's: their copies would
 * have to be made in a certain order. The thread's own inputs have registers already. */
static bool comes_from_other_variable(const struct liveness *l, size_t class, const struct global_accesses *accesses,
                                      unsigned global)
{
    size_t member = class;
    do {
        LLVMValueRef value = l->s->values[member].llvm;
        bool own =
            !LLVMIsAArgument(value) && !(LLVMIsAExtractValueInst(value) && function_called(LLVMGetOperand(value, 0)));
        for (size_t i = 0; i < accesses->count && !own; i++)
            own = accesses->list[i].value == value && accesses->list[i].global == global &&
                  accesses->list[i].kind <= GLOBAL_ACCESS_RESULT;
        if (!own)
            return true;
        member = l->next_member[member];
    } while (member != class);
    return false;
}

/* True if every call leaves the variable as the class's values need it: a subroutine that changes the global, or an
 * argument that is copied to its variable, would destroy values that are live after the call. */
static bool may_bind(const struct liveness *l, size_t class, const struct global_accesses *accesses, unsigned global)
{
    if (l->s->values[class].variable || comes_from_other_variable(l, class, accesses, global))
        return false;
    for (size_t i = 0; i < accesses->count; i++) {
        const struct global_access *t = &accesses->list[i];
        if (t->kind != GLOBAL_ACCESS_ARGUMENT || t->global != global)
            continue;
        bool kept = is_in_class(l, t->value, class) && !function_changes_global(function_called(t->call), global);
        if (!kept && is_live_across(l, class, t))
            return false;
    }
    return true;
}

static size_t count_accesses(struct liveness *l, const struct global_accesses *accesses, unsigned global, size_t class)
{
    size_t count = 0;
    for (size_t i = 0; i < accesses->count; i++) {
        const struct global_access *t = &accesses->list[i];
        count += t->global == global && t->number != VALUE_NONE && interference_class(l->s, t->number) == class;
    }
    return count;
}

/* Binds the class with the most accesses of the global that may be bound: two would be live at once. */
static void bind_global(struct liveness *l, const struct global_accesses *accesses, unsigned global, LLVMTypeRef type)
{
    size_t best = VALUE_NONE, most = 0;
    for (size_t i = 0; i < accesses->count; i++) {
        const struct global_access *t = &accesses->list[i];
        size_t class =
            t->global == global && t->number != VALUE_NONE ? interference_class(l->s, t->number) : VALUE_NONE;
        if (class == VALUE_NONE || class == best)
            continue;
        size_t count = count_accesses(l, accesses, global, class);
        if (count > most && may_bind(l, class, accesses, global)) {
            best = class;
            most = count;
        }
    }
    if (best != VALUE_NONE)
        l->s->values[best].variable = cg_global_variable(l->s, global, type);
}

void coalesce_globals(struct liveness *l, struct global_accesses *accesses)
{
    for (size_t i = 0; i < accesses->count; i++) {
        const struct global_access *t = &accesses->list[i];
        size_t k = 0;
        while (accesses->list[k].global != t->global)
            k++;
        if (k == i) /* the first of its global */
            bind_global(l, accesses, t->global, LLVMTypeOf(t->value));
    }
    free(accesses->list);
}
