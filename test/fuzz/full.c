/* Generates statements of full programs: those with high register pressure, and those that read what they change. */
#include <stdio.h>
#include "generator.h"

static int number;

/* A matrix that is no array, or whatever is none where that is enough; false: none was found. */
static bool any_whole(const struct scope *scope, bool matrix, struct lvalue *place)
{
    for (int tries = 0; tries < 10; tries++) {
        *place = scope->variable[random_below(scope->variables)];
        if (!place->elements && place->is_dense && (place->is_matrix || !matrix))
            return true;
    }
    return false;
}

static const char *type_of(const struct lvalue *place)
{
    const char *element = element_facts[place->type].name;
    return place->is_matrix ? text("matrix<%s, %d, %d>", element, place->rows, place->columns)
                            : text("vector<%s, %d>", element, place->columns);
}

/* Lanes that change with others like them: on floats only what makes no new numbers. */
static const char *changed(const struct lvalue *place, const char *to, const char *by)
{
    static const char *const operation[] = {"+", "-", "^", "&", "|"};
    const char *element = element_facts[place->type].name;
    if (place->type < LONG ? chance(30) : place->type == FLOAT)
        return text("%s = %s<%s>(%s, %s);", to, chance(50) ? "cm_min" : "cm_max", element, to, by);
    return text("%s %s= %s;", to, operation[random_below(sizeof operation / sizeof *operation)], by);
}

/* An older value that lives as long as a block. */
static void keep(struct scope *scope)
{
    struct lvalue place, old;
    if (scope->variables == MOST_VARIABLES || !any_whole(scope, false, &place))
        return;
    old = place;
    old.text = text("old%d", number++);
    old.is_global = false;
    old.variable = 2 * MOST_VARIABLES + number;
    print_line(scope, "{");
    scope->depth++;
    print_line(scope, text("%s %s = %s;", type_of(&place), old.text, place.text));
    int variables = scope->variables;
    scope->variable[scope->variables++] = old;
    statements(scope, 1 + random_below(3));
    scope->variables = variables;
    print_line(scope, changed(&place, place.text, old.text));
    scope->depth--;
    print_line(scope, "}");
}

/* All rows of a matrix change by one of its rows and the numbers of one of its columns, a few times. */
static void sweep(struct scope *scope)
{
    struct lvalue m;
    if (scope->scalars == MOST_SCALARS || !any_whole(scope, true, &m))
        return;
    int n = number++, turns = 1 + random_below(m.rows < m.columns ? m.rows : m.columns);
    const char *element = element_facts[m.type].name, *i = text("k%d", n), *row = text("row%d", n),
               *at = text("column%d(j)", n);
    bool constant, was_in_loop = scope->in_loop;
    print_line(scope, text("for (int %s = 0; %s < %d; %s++) {", i, i, turns, i));
    scope->depth++;
    scope->scalar[scope->scalars++] = (struct scalar_variable){i, false, INT};
    scope->in_loop = true;
    print_line(scope, text("vector<%s, %d> %s = %s.row(%s); vector<%s, %d> column%d = %s.column(%s);", element,
                           m.columns, row, m.text, chance(70) ? i : index_below(scope, m.rows, &constant), element,
                           m.rows, n, m.text, chance(70) ? i : index_below(scope, m.columns, &constant)));
    const char *by = m.type == FLOAT ? row : chance(50) ? text("%s + %s", row, at) : text("%s ^ %s", row, at);
    print_line(scope, text("%sfor (int j = 0; j < %d; j++) %s", chance(60) ? "_Pragma(\"unroll\") " : "", m.rows,
                           changed(&m, text("%s.row(j)", m.text), by)));
    statements(scope, random_below(2));
    scope->in_loop = was_in_loop;
    scope->scalars--;
    scope->depth--;
    print_line(scope, "}");
}

/* Two rows change places. */
static void exchange(const struct scope *scope)
{
    struct lvalue m;
    bool constant;
    if (!any_whole(scope, true, &m))
        return;
    const char *a = text("%s.row(%s)", m.text, index_below(scope, m.rows, &constant));
    const char *b = text("%s.row(%s)", m.text, index_below(scope, m.rows, &constant));
    print_line(scope,
               text("{ vector<%s, %d> t = %s; %s = %s; %s = t; }", element_facts[m.type].name, m.columns, a, a, b, b));
}

void full_statement(struct scope *scope)
{
    int kind = random_below(10);
    if (kind < 4)
        keep(scope);
    else if (kind < 8)
        sweep(scope);
    else
        exchange(scope);
}
