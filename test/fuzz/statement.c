/* Generates random statements, a line each; a block's first line ends in "{" and its last one starts with "}". */
#include <stdio.h>
#include "generator.h"

void print_line(const struct scope *scope, const char *line)
{
    printf("%*s%s\n", 4 * scope->depth, "", line);
}

static int any_count(const struct scope *scope)
{
    static const int likely[] = {1, 2, 3, 4, 7, 8, 8, 12, 16, 16, 16, 24, 32, 32, 64};
    return scope->simd_width ? scope->simd_width : likely[random_below(sizeof likely / sizeof *likely)];
}

/* A place to write; its type may be float. */
static bool target(const struct scope *scope, struct lvalue *place)
{
    int type = chance(12) ? FLOAT : -1;
    for (int tries = 0; tries < 10; tries++) {
        if (random_place(scope, any_count(scope), type, true, place))
            return true;
    }
    return false;
}

static const char *right_side(const struct scope *scope, const struct lvalue *to)
{
    if (to->type == FLOAT)
        return floats(scope, count_of(to)).text;
    if (chance(10))
        return scalar(scope, 1).text;
    return integers(scope, count_of(to), 2 + random_below(2)).text;
}

static void assignment(struct scope *scope)
{
    static const char *const operation[] = {"=", "=", "=", "+=", "-=", "*=", "&=", "|=", "^="};
    struct lvalue to;
    if (!target(scope, &to))
        return;
    const char *assign = to.type == FLOAT ? "=" : operation[random_below(sizeof operation / sizeof *operation)];
    if (to.type != FLOAT && chance(8)) {
        int bits = element_facts[to.type].bytes * 8;
        print_line(scope, text("%s %s %s & %d;", to.text, chance(50) ? "<<=" : ">>=",
                               integers(scope, count_of(&to), 1).text, (bits < 32 ? 32 : bits) - 1));
        return;
    }
    print_line(scope, text("%s %s %s;", to.text, assign, right_side(scope, &to)));
}

static void merge(struct scope *scope)
{
    struct lvalue to;
    if (!target(scope, &to))
        return;
    int count = count_of(&to);
    const char *mask = count <= 32 && chance(25) ? scalar(scope, 0).text
                       : chance(60)              ? condition(scope, count)
                                                 : integers(scope, count, 1).text;
    const char *x = right_side(scope, &to);
    if (chance(50))
        print_line(scope, text("%s.merge(%s, %s, %s);", to.text, x, right_side(scope, &to), mask));
    else
        print_line(scope, text("%s.merge(%s, %s);", to.text, x, mask));
}

static void scalar_assignment(struct scope *scope)
{
    static const char *const operation[] = {"=", "+=", "-=", "^="};
    const struct scalar_variable *to = &scope->scalar[random_below(scope->scalars)];
    if (scope->arrays && rich_chance(40)) {
        const struct array *array = &scope->array[random_below(scope->arrays)];
        print_line(scope, text("%s[%s & %d] %s %s;", array->name, scalar(scope, 0).text, array->count - 1,
                               operation[random_below(4)], scalar(scope, 1).text));
    } else if (to->is_assignable)
        print_line(scope, text("%s %s %s;", to->name, operation[random_below(4)], scalar(scope, 2).text));
}

static void element_assignment(struct scope *scope)
{
    struct lvalue to = random_variable(scope);
    bool is_constant;
    if (to.type == FLOAT)
        return;
    const char *at = index_below(scope, to.columns, &is_constant);
    if (to.is_matrix)
        at = text("%s, %s", index_below(scope, to.rows, &is_constant), at);
    print_line(scope, text("%s(%s) %s %s;", to.text, at, chance(60) ? "=" : "+=", scalar(scope, 1).text));
}

static void block(struct scope *scope, int count)
{
    scope->depth++;
    statements(scope, count);
    scope->depth--;
}

static void branch(struct scope *scope)
{
    print_line(scope, text("if (%s) {", scalar(scope, 2).text));
    block(scope, 1 + random_below(3));
    if (chance(50)) {
        print_line(scope, "} else {");
        block(scope, 1 + random_below(3));
    }
    print_line(scope, "}");
}

static void scalar_loop(struct scope *scope)
{
    if (scope->scalars == MOST_SCALARS)
        return;
    const char *name = text("i%d", scope->depth);
    int turns = 1 + random_below(5);
    bool was_in_loop = scope->in_loop;
    const char *more = rich_chance(20) ? text(" && (%s) != %d", scalar(scope, 1).text, random_below(4)) : "";
    print_line(scope, text("for (int %s = 0; %s < %d%s; %s++) {", name, name, turns, more, name));
    scope->scalar[scope->scalars++] = (struct scalar_variable){name, false, INT};
    scope->in_loop = true;
    block(scope, 1 + random_below(2));
    scope->in_loop = was_in_loop;
    scope->scalars--;
    print_line(scope, "}");
}

/* Rich programs only, outside SIMD control flow. */
static void choice(struct scope *scope)
{
    bool was_in_loop = scope->in_loop;
    scope->in_loop = false; /* a break would leave the switch */
    print_line(scope, text("switch (%s & 3) {", scalar(scope, 1).text));
    for (int label = 0, labels = 1 + random_below(4); label < labels; label++) {
        print_line(scope, text("case %d: {", label));
        block(scope, 1 + random_below(2));
        print_line(scope, chance(80) ? "} break;" : "}");
    }
    print_line(scope, "}");
    scope->in_loop = was_in_loop;
}

static void leave(const struct scope *scope)
{
    const char *how = scope->in_loop ? (chance(50) ? "break" : "continue") : "return";
    if (scope->in_loop || scope->may_return)
        print_line(scope, text("if ((%s & 3) == %d) %s;", scalar(scope, 1).text, random_below(4), how));
}

/* Sums and products of twice as many bits. */
static void two_results(struct scope *scope)
{
    struct lvalue to;
    static int number;
    if (!random_place(scope, any_count(scope), UINT, true, &to))
        return;
    int count = count_of(&to), kind = random_below(3), n = number++;
    const char *a = integers(scope, count, 1).text, *b = integers(scope, count, 1).text;
    static const char *const form[] = {"cm_addc(%s, %s, w%d)", "cm_subb(%s, %s, w%d)"};
    const char *x = text("vector<uint, %d>(%s)", count, a), *y = text("vector<uint, %d>(%s)", count, b);
    const char *high = kind < 2 ? text(form[kind], x, y, n) : text("cm_imul(w%d, %s, %s)", n, x, y);
    print_line(scope, text("{ vector<uint, %d> w%d = 0; %s = %s; %s ^= w%d; }", count, n, to.text, high, to.text, n));
}

/* Wide programs only, outside SIMD control flow: through shared local memory, which one thread sees in order. */
static void shared_memory(struct scope *scope)
{
    static int number;
    struct lvalue to;
    int n = number++, count = 4 << random_below(3);
    if (!random_place(scope, count, -1, true, &to))
        return;
    print_line(scope, text("{ vector<int, 16> w%d; w%d = vector<int, 16>(%s); cm_slm_block_write(shared, ((uint)%s & "
                           "3) * 64, w%d); cm_slm_fence(); }",
                           n, n, integers(scope, 16, 2).text, scalar(scope, 0).text, n));
    print_line(scope,
               text("{ vector<int, %d> w%d; cm_slm_block_read(shared, ((uint)%s %% 13u) * 16, w%d); %s %s w%d; }",
                    count, n, scalar(scope, 0).text, n, to.text, chance(50) ? "=" : "+=", n));
}

/* A reference that is a local variable until the block ends. */
static void reference(struct scope *scope)
{
    struct lvalue place;
    static int number;
    if (scope->variables == MOST_VARIABLES || !target(scope, &place))
        return;
    const char *type = element_facts[place.type].name, *name = text("r%d", number++);
    if (place.is_matrix)
        print_line(scope, text("matrix_ref<%s, %d, %d> %s = %s;", type, place.rows, place.columns, name, place.text));
    else
        print_line(scope, text("vector_ref<%s, %d> %s = %s;", type, place.columns, name, place.text));
    place.text = name;
    place.is_dense = false;
    scope->variable[scope->variables++] = place;
}

static void call(struct scope *scope)
{
    const struct function *function = &scope->function[random_below(scope->functions)];
    if (scope->simd_width && scope->simd_width != function->simd_width)
        return;
    const char *arguments = "", *line = NULL;
    bool copies = false;
    int used[2];
    for (int i = 0; i < function->parameters; i++) {
        const struct lvalue *parameter = &function->parameter[i];
        struct lvalue place;
        if (!random_place(scope, count_of(parameter), (int)parameter->type, true, &place))
            return;
        if (parameter->is_matrix && (!place.is_matrix || place.rows != parameter->rows))
            return;
        used[i] = place.variable;
        copies = copies || parameter->is_dense;
        if (function->is_called && (place.is_global || (i && used[0] == used[1])))
            return;
        arguments = text("%s%s, ", arguments, place.text);
    }
    const char *x = scalar(scope, 1).text;
    if (function->changes_scalar) {
        const struct scalar_variable *changed = &scope->scalar[random_below(scope->scalars)];
        if (!scope->scalars || !changed->is_assignable || changed->type != INT)
            return;
        x = changed->name;
    }
    struct lvalue to;
    if (!function->result)
        line = text("%s(%s%s);", function->name, arguments, x);
    else if (random_place(scope, function->result, function->result_type, true, &to))
        line = text("%s = %s(%s%s);", to.text, function->name, arguments, x);
    /* what SIMD control flow copies has values in live lanes only, and the function reads the others */
    if (line && !(copies && scope->simd_width))
        print_line(scope, line);
}

static void simd_if(struct scope *scope)
{
    int width = scope->simd_width;
    print_line(scope, text("SIMD_IF_BEGIN (%s) {", chance(90) ? condition(scope, width) : scalar(scope, 1).text));
    block(scope, 1 + random_below(3));
    if (scope->in_simd_loop && chance(40))
        printf("%*s%s;\n", 4 * scope->depth + 4, "", chance(60) ? "SIMD_BREAK" : "SIMD_CONTINUE");
    while (chance(15)) {
        print_line(scope, text("} SIMD_ELSEIF (%s) {", condition(scope, width)));
        block(scope, 1 + random_below(2));
    }
    if (chance(50)) {
        print_line(scope, "} SIMD_ELSE {");
        block(scope, 1 + random_below(3));
    }
    print_line(scope, "} SIMD_IF_END;");
}

/* Each lane counts its turns, so that it ends. */
static void simd_loop(struct scope *scope)
{
    static int number;
    int width = scope->simd_width, turns = 1 + random_below(6);
    const char *counter = text("turn%d", number++);
    bool was_in_loop = scope->in_simd_loop;
    print_line(scope, text("vector<int, %d> %s; %s = 0;", width, counter, counter));
    print_line(scope, "SIMD_DO_WHILE_BEGIN {");
    scope->in_simd_loop = true;
    printf("%*s%s += 1;\n", 4 * scope->depth + 4, "", counter);
    block(scope, 1 + random_below(3));
    scope->in_simd_loop = was_in_loop;
    if (chance(50))
        print_line(scope, text("} SIMD_DO_WHILE_END (%s < %d);", counter, turns));
    else
        print_line(scope, text("} SIMD_DO_WHILE_END ((%s < %d) & (%s));", counter, turns, condition(scope, width)));
}

static void simd(struct scope *scope)
{
    static const int widths[] = {2, 4, 8, 8, 16, 16, 16, 32};
    int outer = scope->simd_width;
    bool was_in_loop = scope->in_loop, could_return = scope->may_return;
    scope->in_loop = scope->may_return = false;
    if (!outer)
        scope->simd_width = widths[random_below(sizeof widths / sizeof *widths)];
    if (chance(65))
        simd_if(scope);
    else
        simd_loop(scope);
    scope->simd_width = outer;
    scope->in_loop = was_in_loop;
    scope->may_return = could_return;
}

void statements(struct scope *scope, int count)
{
    int variables = scope->variables;
    for (int i = 0; i < count; i++) {
        bool may_nest = scope->depth < 4;
        if (rich_chance(10)) {
            int which = random_below(3);
            if (which == 0 && may_nest && !scope->simd_width)
                choice(scope);
            else if (which == 1)
                leave(scope);
            else
                two_results(scope);
            continue;
        }
        if (scope->has_shared_memory && !scope->simd_width && wide_chance(15)) {
            shared_memory(scope);
            continue;
        }
        if (may_nest && !scope->simd_width && full_chance(30)) {
            full_statement(scope);
            continue;
        }
        int kind = random_below(100);
        if (kind < 45)
            assignment(scope);
        else if (kind < 57)
            merge(scope);
        else if (kind < 62 && scope->scalars)
            scalar_assignment(scope);
        else if (kind < 67)
            element_assignment(scope);
        else if (kind < 72 && may_nest && !scope->simd_width)
            branch(scope);
        else if (kind < 76 && may_nest && !scope->simd_width)
            scalar_loop(scope);
        else if (kind < 80)
            reference(scope);
        else if (kind < 84 && scope->functions)
            call(scope);
        else if (kind < 96 && may_nest)
            simd(scope);
        else
            assignment(scope);
    }
    scope->variables = variables;
}
