/* Generates random expressions. Every value of an expression is defined in every lane. */
#include <stdio.h>
#include <string.h>
#include "generator.h"

const struct element_facts element_facts[] = {
    [CHAR] = {"char", 1, true},      [UCHAR] = {"uchar", 1, false},    [SHORT] = {"short", 2, true},
    [USHORT] = {"ushort", 2, false}, [INT] = {"int", 4, true},         [UINT] = {"uint", 4, false},
    [LONG] = {"int64_t", 8, true},   [ULONG] = {"uint64_t", 8, false}, [FLOAT] = {"float", 4, true},
};
#define NAME(T)  element_facts[T].name
#define BYTES(T) element_facts[T].bytes

int count_of(const struct lvalue *place)
{
    return place->rows * place->columns;
}

/* The type in which C++ computes with two integers. */
static enum element common(enum element a, enum element b)
{
    if (a < INT)
        a = INT;
    if (b < INT)
        b = INT;
    return a > b ? a : b; /* the order of the enumeration is that of C++'s ranks */
}

static enum element any_integer(void)
{
    static const enum element likely[] = {CHAR, UCHAR, SHORT, USHORT, INT, INT, UINT, INT, UCHAR, SHORT, USHORT, UINT};
    return chance(6) ? (chance(50) ? LONG : ULONG) : likely[random_below(sizeof likely / sizeof *likely)];
}

/* The largest power of two that divides both. */
static int common_unit(int unit, int bytes)
{
    while (bytes % unit)
        unit /= 2;
    return unit;
}

/* An offset less than `below`; known at compile time or not. */
const char *index_below(const struct scope *scope, int below, bool *is_constant)
{
    *is_constant = below == 1 || scope->scalars == 0 || chance(60);
    if (*is_constant)
        return text("%d", random_below(below));
    const char *from = scope->scalar[random_below(scope->scalars)].name;
    return chance(50) && (below & (below - 1)) == 0 ? text("%s & %d", from, below - 1)
                                                    : text("(uint)%s %% %du", from, below);
}

/* --- parts of variables --- */

struct lvalue random_variable(const struct scope *scope)
{
    struct lvalue place = scope->variable[random_below(scope->variables)];
    bool is_constant;
    if (place.elements) {
        place.text = text("%s[%s]", place.text, index_below(scope, place.elements, &is_constant));
        place.elements = 0;
    }
    return place;
}

static int size_step(int count, int most) /* a stride with which `count` elements fit into `most` */
{
    return count > 1 ? 1 + random_below((most - 1) / (count - 1)) : 1;
}

static void select_row_part(const struct scope *scope, struct lvalue *place, int count)
{
    bool is_constant;
    int stride = chance(50) ? 1 : size_step(count, place->columns);
    const char *at = index_below(scope, place->columns - (count - 1) * stride, &is_constant);
    int bytes = BYTES(place->type);
    place->text = text("%s.select<%d, %d>(%s)", place->text, count, stride, at);
    if (stride > 1 || !is_constant)
        place->unit = bytes;
    else
        place->unit = common_unit(common_unit(place->unit, count * bytes), (at[0] - '0') * bytes);
    if (stride == 1 && is_constant && at[1])
        place->unit = bytes; /* two digits: not looked into */
    place->columns = count;
    place->is_dense = false;
}

static void select_grid_part(const struct scope *scope, struct lvalue *place, int rows, int columns)
{
    bool row_constant, column_constant;
    int down = chance(50) ? 1 : size_step(rows, place->rows),
        right = chance(50) ? 1 : size_step(columns, place->columns);
    const char *i = index_below(scope, place->rows - (rows - 1) * down, &row_constant);
    const char *j = index_below(scope, place->columns - (columns - 1) * right, &column_constant);
    int bytes = BYTES(place->type);
    place->text = text("%s.select<%d, %d, %d, %d>(%s, %s)", place->text, rows, down, columns, right, i, j);
    if (right > 1 || !column_constant || j[1])
        place->unit = bytes;
    else
        place->unit = common_unit(common_unit(common_unit(place->unit, columns * bytes), place->columns * bytes),
                                  (j[0] - '0') * bytes);
    place->rows = rows;
    place->columns = columns;
    place->is_dense = false;
}

static void pick_row(const struct scope *scope, struct lvalue *place)
{
    bool is_constant;
    const char *i = index_below(scope, place->rows, &is_constant);
    place->text = chance(70) ? text("%s.row(%s)", place->text, i) : text("%s[%s]", place->text, i);
    place->unit = common_unit(place->unit, place->columns * BYTES(place->type));
    place->rows = 1;
    place->is_matrix = place->is_dense = false;
}

static void pick_column(const struct scope *scope, struct lvalue *place)
{
    bool is_constant;
    place->text = text("%s.column(%s)", place->text, index_below(scope, place->columns, &is_constant));
    place->columns = 1;
    place->unit = BYTES(place->type);
    place->is_dense = false;
}

static bool format_to(struct lvalue *place, enum element type)
{
    int bytes = count_of(place) * BYTES(place->type);
    if (BYTES(type) > place->unit || bytes % BYTES(type))
        return false;
    int count = bytes / BYTES(type), rows = 1 << random_below(4);
    if (chance(35) && count % rows == 0) {
        place->text = text("%s.format<%s, %d, %d>()", place->text, NAME(type), rows, count / rows);
        place->rows = rows;
        place->columns = count / rows;
        place->is_matrix = true;
    } else {
        place->text = text("%s.format<%s>()", place->text, NAME(type));
        place->rows = 1;
        place->columns = count;
        place->is_matrix = false;
    }
    place->type = type;
    place->is_dense = false;
    return true;
}

/* One step into a place that keeps at least `count` elements. */
static void narrow(const struct scope *scope, struct lvalue *place, int count)
{
    if (place->is_matrix && chance(20) && place->columns >= count) {
        pick_row(scope, place);
    } else if (place->is_matrix && chance(20) && place->rows >= count) {
        pick_column(scope, place);
    } else if (place->is_matrix) {
        int rows = 1 + random_below(place->rows), columns = 1 + random_below(place->columns);
        if (rows * columns >= count)
            select_grid_part(scope, place, rows, columns);
    } else {
        select_row_part(scope, place, count + random_below(place->columns - count + 1));
    }
}

/* The step that leaves exactly `count` elements. */
static bool narrow_to(const struct scope *scope, struct lvalue *place, int count)
{
    if (count_of(place) == count)
        return true;
    if (!place->is_matrix) {
        select_row_part(scope, place, count);
        return true;
    }
    for (int tries = 0; tries < 8; tries++) {
        int rows = 1 + random_below(place->rows);
        if (count % rows == 0 && count / rows <= place->columns) {
            select_grid_part(scope, place, rows, count / rows);
            return true;
        }
    }
    return false;
}

bool random_place(const struct scope *scope, int count, int type, bool to_write, struct lvalue *found)
{
    for (int tries = 0; tries < 40; tries++) {
        struct lvalue place = random_variable(scope);
        if (tries > 30 && place.type != (enum element)type)
            continue;
        if (count_of(&place) * BYTES(place.type) < count)
            continue;
        for (int steps = random_below(3); steps > 0 && count_of(&place) > count; steps--)
            narrow(scope, &place, count);
        enum element wanted = type >= 0 ? (enum element)type : any_integer();
        bool may_stay = type >= 0 ? place.type == (enum element)type : place.type != FLOAT;
        if (!may_stay || (wanted != FLOAT && chance(15))) {
            if (wanted == FLOAT || (place.is_float && to_write) || !format_to(&place, wanted))
                continue;
        }
        if (count_of(&place) < count || !narrow_to(scope, &place, count))
            continue;
        *found = place;
        return true;
    }
    return false;
}

/* --- scalars --- */

static struct value literal(void)
{
    static const char *const odd[] = {"0", "1", "-1", "127", "-128", "255", "32767", "65535", "0x7fffffff", "2"};
    enum element type = chance(60) ? INT : any_integer();
    if (type >= LONG)
        type = INT;
    const char *number = chance(40) ? odd[random_below(sizeof odd / sizeof *odd)] : text("%d", random_below(400) - 100);
    return (struct value){
        type == INT ? number[0] == '-' ? text("(%s)", number) : number : text("(%s)%s", NAME(type), number), type, 0};
}

static struct value element_of(const struct scope *scope)
{
    if (scope->arrays && chance(30)) {
        const struct array *array = &scope->array[random_below(scope->arrays)];
        return (struct value){text("%s[%s & %d]", array->name, scalar(scope, 0).text, array->count - 1), INT, 0};
    }
    struct lvalue place = random_variable(scope);
    bool is_constant;
    if (place.type == FLOAT)
        return literal();
    const char *at = index_below(scope, place.columns, &is_constant);
    if (place.is_matrix)
        at = text("%s, %s", index_below(scope, place.rows, &is_constant), at);
    return (struct value){text("%s(%s)", place.text, at), place.type, 0};
}

/* One scalar of all lanes. Inside SIMD control flow only any and all are defined: they see live lanes. */
static struct value reduction(const struct scope *scope)
{
    static const int sizes[] = {2, 3, 7, 8, 16, 32};
    static const char *const folds[] = {"cm_sum", "cm_reduced_min", "cm_reduced_max"};
    int width = scope->simd_width;
    int count = width ? width : sizes[random_below(sizeof sizes / sizeof *sizes)];
    if (width || chance(50))
        return (struct value){text("(int)(%s).%s()", condition(scope, count), chance(50) ? "any" : "all"), INT, 0};
    struct lvalue place;
    if (!random_place(scope, count, -1, false, &place) || place.type >= LONG)
        return literal();
    if (count >= 8 && chance(30))
        return (struct value){text("cm_pack_mask(%s)", place.text), UINT, 0};
    const char *fold = folds[random_below(3)];
    enum element type = fold[3] == 's' ? INT : place.type;
    return (struct value){text("%s<%s>(%s)", fold, NAME(type), place.text), type, 0};
}

struct value scalar(const struct scope *scope, int depth)
{
    static const char *const operation[] = {"+", "-", "*", "&", "|", "^", "<", "==", ">="};
    if (depth > 0 && chance(50)) {
        struct value a = scalar(scope, depth - 1), b = scalar(scope, depth - 1);
        int which = random_below(sizeof operation / sizeof *operation);
        /* Comparisons are made ints: C++ would take them for bools, which are no elements. */
        if (which >= 6)
            return (struct value){text("(int)(%s %s %s)", a.text, operation[which], b.text), INT, 0};
        return (struct value){text("(%s %s %s)", a.text, operation[which], b.text), common(a.type, b.type), 0};
    }
    if (depth > 0 && rich_chance(8))
        return (struct value){text("(%s ? %s : %s)", scalar(scope, depth - 1).text,
                                   text("(int)%s", scalar(scope, depth - 1).text),
                                   text("(int)%s", scalar(scope, 0).text)),
                              INT, 0};
    int kind = random_below(10);
    if (kind < 4 && scope->scalars) {
        const struct scalar_variable *from = &scope->scalar[random_below(scope->scalars)];
        return (struct value){from->name, from->type, 0};
    }
    if (kind < 6)
        return element_of(scope);
    return kind < 7 && depth > 0 ? reduction(scope) : literal();
}

/* --- vectors --- */

static struct value converted(enum element type, int count, const char *from, bool saturates)
{
    return (struct value){text("vector<%s, %d>(%s%s)", NAME(type), count, from, saturates ? ", SAT" : ""), type, count};
}

/* A whole variable of any integer type: to replicate and iselect. */
static bool whole(const struct scope *scope, struct lvalue *place)
{
    for (int tries = 0; tries < 10; tries++) {
        *place = random_variable(scope);
        if (place->type != FLOAT && (place->is_dense || !scope->simd_width))
            return true;
    }
    return false;
}

static bool replicated(const struct scope *scope, int count, struct value *value)
{
    struct lvalue place;
    bool found = whole(scope, &place);
    int width = 1 << random_below(4);
    bool is_constant;
    if (!found || count % width)
        return false;
    int groups = count / width, size = count_of(&place);
    int down = random_below(3), right = random_below(3), last = (groups - 1) * down + (width - 1) * right;
    if (last >= size)
        return false;
    *value = (struct value){text("%s.replicate<%d, %d, %d, %d>(%s)", place.text, groups, down, width, right,
                                 index_below(scope, size - last, &is_constant)),
                            place.type, count};
    return true;
}

static int power_of_two_up_to(int n)
{
    int power = 1;
    while (power * 2 <= n)
        power *= 2;
    return power;
}

/* vector<ushort, N> of an index up to `most`, a power of two less one. "(vector<T, N>(vector<U, N>(v))) &" would be a
 * cast to a type of functions. */
static const char *index_vector(const char *index, int count, int most)
{
    bool is_conversion = strncmp(index, "vector<", 7) == 0;
    return is_conversion ? text("vector<ushort, %d>(%d & (%s))", count, most, index)
                         : text("vector<ushort, %d>((%s) & %d)", count, index, most);
}

static bool indexed(const struct scope *scope, int count, int depth, struct value *value)
{
    struct lvalue place;
    if (!whole(scope, &place))
        return false;
    const char *index = integers(scope, count, depth - 1).text;
    int most = power_of_two_up_to(count_of(&place)) - 1;
    if (place.is_matrix && chance(50)) {
        const char *columns = integers(scope, count, depth - 1).text;
        *value = (struct value){text("%s.iselect(%s, %s)", place.text,
                                     index_vector(index, count, power_of_two_up_to(place.rows) - 1),
                                     index_vector(columns, count, power_of_two_up_to(place.columns) - 1)),
                                place.type, count};
    } else {
        *value =
            (struct value){text("%s.iselect(%s)", place.text, index_vector(index, count, most)), place.type, count};
    }
    return true;
}

static struct value source(const struct scope *scope, int count, int depth)
{
    struct value value;
    struct lvalue place;
    int kind = random_below(10);
    if (kind == 0 && replicated(scope, count, &value))
        return value;
    if (kind == 1 && depth > 0 && indexed(scope, count, depth, &value))
        return value;
    if (kind == 2 && random_place(scope, count, FLOAT, false, &place)) {
        static const enum element to[] = {INT, LONG, UCHAR, SHORT, USHORT, UINT, INT, LONG, ULONG};
        int which = random_below(sizeof to / sizeof *to); /* unsaturated only to what holds the value */
        return converted(to[which], count, place.text, which > 1);
    }
    if (random_place(scope, count, -1, false, &place))
        return (struct value){place.text, place.type, count};
    return converted(any_integer(), count, scalar(scope, 0).text, false);
}

const char *condition(const struct scope *scope, int count)
{
    static const char *const comparison[] = {"<", "<=", ">", ">=", "==", "!="};
    const char *compare = comparison[random_below(6)];
    struct lvalue a, b;
    if (chance(10) && random_place(scope, count, FLOAT, false, &a) && random_place(scope, count, FLOAT, false, &b))
        return text("%s %s %s", a.text, compare, b.text);
    struct value left = integers(scope, count, 1), right = chance(50) ? integers(scope, count, 1) : scalar(scope, 0);
    if (chance(20)) /* often equal, often different */
        return text("(%s & 3) %s %d", left.text, compare, random_below(4));
    return text("%s %s %s", left.text, compare, right.text);
}

static struct value shift(struct value a, struct value b)
{
    enum element type = a.type < INT ? INT : a.type;
    return (struct value){text("(%s %s (%s & %d))", a.text, chance(50) ? "<<" : ">>", b.text, BYTES(type) * 8 - 1),
                          type, a.count};
}

/* Intrinsics, on integers of at most 32 bits. */
static struct value call(struct value a, struct value b)
{
    static const char *const two[] = {"cm_min", "cm_max", "cm_add", "cm_mul"}, *const bits[] = {
                                                                                   "cm_cbit", "cm_fbl", "cm_lzd",
                                                                                   "cm_bf_reverse", "cm_fbh"};
    static const char *const shifts[] = {"cm_shl", "cm_lsr", "cm_asr"};
    enum element type = (enum element)random_below(LONG);
    int kind = random_below(10);
    const char *flag = chance(40) ? ", SAT" : "";
    if (kind < 6)
        return (struct value){text("%s<%s>(%s, %s%s)", two[random_below(4)], NAME(type), a.text, b.text, flag), type,
                              a.count};
    if (kind < 7)
        return (struct value){text("cm_abs<%s>(%s)", NAME(type), a.text), type, a.count};
    if (kind < 8)
        return (struct value){text("%s<%s>(%s, %s & 31)", shifts[random_below(3)], NAME(type), a.text, b.text), type,
                              a.count};
    return (struct value){text("%s(%s)", bits[random_below(5)], a.text), UINT, a.count};
}

/* Intrinsics of rich programs; `a` and `b` of at most 32 bits, `a` a vector. */
static struct value rich_call(const struct scope *scope, struct value a, struct value b)
{
    enum element type = (enum element)random_below(LONG), dword = chance(50) ? INT : UINT;
    const char *x = converted(dword, a.count, a.text, false).text;
    switch (random_below(6)) {
    case 0:
        return (struct value){text("cm_avg<%s>(%s, %s%s)", NAME(type), a.text, b.text, chance(30) ? ", SAT" : ""), type,
                              a.count};
    case 1:
        return (struct value){
            text("cm_%s<%s>(%s, (%s & 127) | 1)", chance(50) ? "quot" : "mod", NAME(type), a.text, b.text), type,
            a.count};
    case 2: return (struct value){text("cm_bf_extract(%s & 15, %d, %s)", b.text, random_below(16), x), dword, a.count};
    case 3:
        return (struct value){text("cm_bf_insert(%d, %s & 15, %s, %s)", random_below(16), b.text, x,
                                   converted(UINT, a.count, b.text, false).text),
                              UINT, a.count};
    case 4: /* a rotation */
        x = converted(UINT, a.count, a.text, false).text;
        b = scalar(scope, 0);
        return (struct value){text("((%s << (%s & 31)) | (%s >> ((32 - %s) & 31)))", x, b.text, x, b.text), UINT,
                              a.count};
    default:
        if (a.count == 8 || a.count == 16 || a.count == 32)
            return (struct value){text("cm_unpack_mask<%s, %d>((uint)%s)", NAME(type), a.count, scalar(scope, 0).text),
                                  type, a.count};
        return (struct value){text("cm_abs<%s>(%s)", NAME(type), a.text), type, a.count};
    }
}

/* Floats of 16 bits, on small integers: exact, also where a product and a sum are one operation. */
static struct value halves(struct value a, struct value b)
{
    static const char *const comparison[] = {"<", "<=", ">", ">=", "==", "!="};
    const char *x = text("vector<half, %d>(vector<int, %d>(%s & 31) - 16)", a.count, a.count, a.text);
    const char *y = text("vector<half, %d>(vector<int, %d>(%s) & 31)", a.count, a.count, b.text);
    static const char *const form[] = {"(%s * %s)", "(%s - %s)", "cm_min<half>(%s, %s)", "cm_max<half>(%s, %s)"};
    enum element type = chance(50) ? INT : chance(50) ? SHORT : CHAR;
    switch (random_below(4)) {
    case 0: return (struct value){text("(%s %s %s)", x, comparison[random_below(6)], y), USHORT, a.count};
    case 1: return (struct value){text("vector<int, %d>(%s * %s + %s)", a.count, x, y, x), INT, a.count};
    case 2: return converted(type, a.count, text("cm_abs(%s) * half(0.5f) + %s", x, y), true);
    default: return converted(type, a.count, text(form[random_below(4)], x, y), true);
    }
}

/* Intrinsics of wide programs; `a` and `b` of at most 32 bits, `a` a vector. */
static struct value wide_call(struct value a, struct value b)
{
    const char *x = converted(UINT, a.count, a.text, false).text, *y = converted(UINT, a.count, b.text, false).text;
    switch (random_below(6)) { /* few dot products: of most IGC makes code that is none */
    case 0: return (struct value){text("dotted(%s, %s, %s)", x, x, y), UINT, a.count};
    case 1:
    case 2: return (struct value){text("turned(%s, %s & 31)", x, b.text), UINT, a.count};
    default: return halves(a, b);
    }
}

static struct value binary(struct value a, struct value b)
{
    static const char *const operation[] = {"+", "-", "*", "&", "|", "^"};
    if (b.count == 0 && chance(30)) { /* the scalar to the left */
        struct value swap = a;
        a = b;
        b = swap;
    }
    int count = a.count ? a.count : b.count;
    return (struct value){text("(%s %s %s)", a.text, operation[random_below(6)], b.text), common(a.type, b.type),
                          count};
}

struct value integers(const struct scope *scope, int count, int depth)
{
    if (depth <= 0 || chance(15))
        return source(scope, count, depth);
    struct value a = integers(scope, count, depth - 1);
    struct value b = chance(70) ? integers(scope, count, depth - 1) : scalar(scope, 0);
    bool is_small = a.type < LONG && b.type < LONG;
    if (is_small && a.count && rich_chance(8))
        return rich_call(scope, a, b);
    if (is_small && a.count && wide_chance(12))
        return wide_call(a, b);
    int kind = random_below(20);
    if (kind < 9)
        return binary(a, b);
    if (kind < 11)
        return shift(a, b);
    if (kind < 14 && is_small)
        return call(a, b);
    if (kind < 15)
        return (struct value){text("(%s)", condition(scope, count)), USHORT, count};
    if (kind < 16 && !is_small)
        return (struct value){
            text("(%s %c ((%s & 0x%xfffffff) | 1))", a.text, chance(50) ? '/' : '%', b.text, random_below(4096)),
            common(common(a.type, b.type), LONG), count};
    if (kind < 16)
        return (struct value){text("(%s %c ((%s & 127) | 1))", a.text, chance(50) ? '/' : '%', b.text),
                              common(a.type, b.type < INT ? INT : b.type), count};
    if (kind < 17)
        return (struct value){text("(%s%s)", chance(50) ? "-" : "~", a.text), a.type < INT ? INT : a.type, count};
    if (kind < 18)
        return (struct value){text("(!%s)", a.text), USHORT, count};
    return converted(any_integer(), count, a.text, is_small && chance(40));
}

/* A 64-bit integer, rounded to a float, as a number of the size of the other floats. */
static struct value rounded_long(const struct scope *scope, int count)
{
    enum element type = chance(50) ? LONG : ULONG;
    struct value wide = converted(type, count, integers(scope, count, 2).text, false);
    const char *rounded = converted(FLOAT, count, wide.text, false).text;
    return (struct value){text("(%s * %s)", rounded, type == LONG ? "0x1p-47f" : "0x1p-48f"), FLOAT, count};
}

/* Floats of at most 17 bits before the point and one after it, or more after it. */
struct value floats(const struct scope *scope, int count)
{
    struct lvalue place;
    if (chance(25) && random_place(scope, count, FLOAT, false, &place)) {
        int which = random_below(3);
        return (struct value){which == 0   ? place.text
                              : which == 1 ? text("(-%s)", place.text)
                                           : text("cm_abs(%s)", place.text),
                              FLOAT, count};
    }
    if (chance(20))
        return rounded_long(scope, count);
    const char *small[3];
    for (int i = 0; i < 3; i++)
        small[i] =
            converted(FLOAT, count,
                      converted(chance(50) ? CHAR : UCHAR, count, integers(scope, count, 1).text, false).text, false)
                .text;
    static const char *const literals[] = {"2.0f", "0.5f", "-3.0f", "100.0f"};
    switch (random_below(4)) {
    case 0: return (struct value){text("(%s * %s + %s)", small[0], small[1], small[2]), FLOAT, count};
    case 1: return (struct value){text("(%s - %s * %s)", small[0], small[1], literals[random_below(4)]), FLOAT, count};
    case 2:
        return (struct value){text("cm_%s<float>(%s, %s)", chance(50) ? "min" : "max", small[0], small[1]), FLOAT,
                              count};
    default: return (struct value){small[0], FLOAT, count};
    }
}
