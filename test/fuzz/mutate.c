/* Exchanges tokens of one kind (see mutate.h). */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "generator.h"
#include "mutate.h"

enum { TRIES = 300, MOST_ARGUMENTS = 16 };

/* The kernel while it is changed. */
struct draft {
    const char **tokens;
    int count, capacity;
};

/* Tokens from `first` to before `end`. */
struct span {
    int first, end;
};

static const char *const types[] = {"char", "uchar",  "short", "ushort", "int",  "uint",
                                    "half", "double", "float", "bool",   "auto", "uint64_t"};
static const char *const shapes[] = {"vector", "matrix", "vector_ref", "matrix_ref"};
static const char *const sizes[] = {"0", "1", "2", "3", "4", "7", "8", "16", "17", "32", "64", "128", "-1", "0.5f"};
static const char *const operators[] = {"+", "-", "*", "/", "%", "&", "|", "^"};
static const char *const words[] = {"const", "constexpr", "static",   "if",      "else",      "for",      "while",
                                    "do",    "switch",    "case",     "default", "break",     "continue", "return",
                                    "goto",  "template",  "typename", "struct",  "namespace", "using",    "extern",
                                    "void",  "sizeof",    "decltype", "define",  "include"};
#define COUNT(list) ((int)(sizeof(list) / sizeof *(list)))

static bool is_one_of(const char *token, const char *const *list, int count)
{
    for (int i = 0; i < count; i++)
        if (strcmp(token, list[i]) == 0)
            return true;
    return false;
}

static bool is_space(const char *token)
{
    return isspace((unsigned char)*token);
}

static bool is_name(const char *token)
{
    return isalpha((unsigned char)*token) || *token == '_';
}

static bool is_variable(const char *token)
{
    return is_name(token) && !is_one_of(token, types, COUNT(types)) && !is_one_of(token, shapes, COUNT(shapes)) &&
           !is_one_of(token, words, COUNT(words));
}

/* The next token in a direction that is not white space; "" after the last one. */
static const char *neighbour(const struct draft *draft, int at, int step)
{
    for (at += step; at >= 0 && at < draft->count; at += step)
        if (!is_space(draft->tokens[at]))
            return draft->tokens[at];
    return "";
}

static bool is_operand(const char *token)
{
    return isalnum((unsigned char)*token) || *token == '_' || *token == '(' || *token == ')' || *token == ']';
}

/* Uses of a name: called, called with template arguments, as a member, or as a value. */
static int use_of(const struct draft *draft, int at)
{
    const char *next = neighbour(draft, at, 1);
    bool is_member = *neighbour(draft, at, -1) == '.';
    return 2 * (*next == '(' || *next == '<') + is_member;
}

static bool is_type(const struct draft *draft, int at)
{
    return is_one_of(draft->tokens[at], types, COUNT(types));
}

static bool is_shape(const struct draft *draft, int at)
{
    return is_one_of(draft->tokens[at], shapes, COUNT(shapes));
}

static bool is_number(const struct draft *draft, int at)
{
    return isdigit((unsigned char)*draft->tokens[at]);
}

static bool is_operator(const struct draft *draft, int at)
{
    return is_one_of(draft->tokens[at], operators, COUNT(operators)) && is_operand(neighbour(draft, at, 1)) &&
           is_operand(neighbour(draft, at, -1));
}

static bool is_used_name(const struct draft *draft, int at)
{
    return is_variable(draft->tokens[at]);
}

static bool is_library_function(const struct draft *draft, int at)
{
    return strncmp(draft->tokens[at], "cm_", 3) == 0;
}

static bool opens_arguments(const struct draft *draft, int at)
{
    return *draft->tokens[at] == '(' && is_name(neighbour(draft, at, -1));
}

static bool ends_statement(const struct draft *draft, int at)
{
    return *draft->tokens[at] == ';';
}

/* A token of a kind in a part of the kernel, or -1. */
static int find(const struct draft *draft, struct span in, bool (*is)(const struct draft *, int))
{
    for (int tries = 0; tries < TRIES && in.first < in.end; tries++) {
        int at = in.first + random_below(in.end - in.first);
        if (is(draft, at))
            return at;
    }
    return -1;
}

static struct span whole(const struct draft *draft)
{
    return (struct span){0, draft->count};
}

static bool is_brace_of_file(const struct draft *draft, int at)
{
    return *draft->tokens[at] == '}' && (at == 0 || *draft->tokens[at - 1] == '\n');
}

/* The function that contains a token, with its signature: the text between two braces at the beginning of a line. */
static struct span function_around(const struct draft *draft, int at)
{
    struct span span = {at, at};
    while (span.first > 0 && !is_brace_of_file(draft, span.first - 1))
        span.first--;
    while (span.end < draft->count && !is_brace_of_file(draft, span.end))
        span.end++;
    return span;
}

/* Returns the end of the argument that begins at `at`: a comma, or the closing bracket. */
static struct span argument_at(const struct draft *draft, int at)
{
    struct span span = {at, at};
    for (int depth = 0; span.end < draft->count; span.end++) {
        char sign = *draft->tokens[span.end];
        depth += (sign == '(' || sign == '[' || sign == '{') - (sign == ')' || sign == ']' || sign == '}');
        if (depth < 0 || (depth == 0 && sign == ','))
            break;
    }
    return span;
}

static int find_arguments(const struct draft *draft, int bracket, struct span arguments[MOST_ARGUMENTS])
{
    int count = 0;
    for (int at = bracket + 1; count < MOST_ARGUMENTS && at < draft->count; at = arguments[count++].end + 1) {
        arguments[count] = argument_at(draft, at);
        if (arguments[count].end >= draft->count || *draft->tokens[arguments[count].end] != ',')
            return count + 1;
    }
    return count;
}

/* Puts copies of the tokens of `from` in the place of those of `to`. */
static void put(struct draft *draft, struct span to, struct span from)
{
    int length = from.end - from.first, grows = length - (to.end - to.first);
    const char **copy = malloc((size_t)(length + 1) * sizeof *copy);
    if (copy && draft->count + grows <= draft->capacity) {
        memcpy(copy, draft->tokens + from.first, (size_t)length * sizeof *copy);
        memmove(draft->tokens + to.end + grows, draft->tokens + to.end, (size_t)(draft->count - to.end) * sizeof *copy);
        memcpy(draft->tokens + to.first, copy, (size_t)length * sizeof *copy);
        draft->count += grows;
    }
    free(copy);
}

static void change_word(struct draft *draft, bool (*is)(const struct draft *, int), const char *const *list, int count)
{
    int at = find(draft, whole(draft), is);
    if (at >= 0)
        draft->tokens[at] = list[random_below(count)];
}

/* A name becomes another that its function uses in the same way. */
static void change_name(struct draft *draft)
{
    int at = find(draft, whole(draft), is_used_name);
    if (at < 0)
        return;
    struct span function = function_around(draft, at);
    for (int tries = 0; tries < TRIES; tries++) {
        int other = find(draft, function, is_used_name);
        if (other >= 0 && use_of(draft, other) == use_of(draft, at) &&
            strcmp(draft->tokens[at], draft->tokens[other]) != 0) {
            draft->tokens[at] = draft->tokens[other];
            return;
        }
    }
}

static void change_library_function(struct draft *draft, const struct token_list *other)
{
    const struct draft source = {(const char **)other->tokens, (int)other->count, 0};
    int at = find(draft, whole(draft), is_library_function);
    int from = find(&source, whole(&source), is_library_function);
    if (at >= 0 && from >= 0)
        draft->tokens[at] = source.tokens[from];
}

/* An argument is lost, or becomes another one of this call or of a call in the same function. */
static void change_argument(struct draft *draft)
{
    struct span arguments[MOST_ARGUMENTS], others[MOST_ARGUMENTS];
    int call = find(draft, whole(draft), opens_arguments);
    if (call < 0)
        return;
    int count = find_arguments(draft, call, arguments);
    struct span to = arguments[random_below(count)];
    int other = chance(50) ? call : find(draft, function_around(draft, call), opens_arguments);
    if (chance(10) && count > 1) {
        bool is_last = *draft->tokens[to.end] != ',';
        put(draft, (struct span){to.first - is_last, to.end + !is_last}, (struct span){0, 0});
    } else if (other >= 0) {
        put(draft, to, others[random_below(find_arguments(draft, other, others))]);
    }
}

/* The statement that a semicolon ends. */
static struct span statement_before(const struct draft *draft, int semicolon)
{
    struct span span = {semicolon, semicolon + 1};
    while (span.first > 0 && !strchr(";{}\n", *draft->tokens[span.first - 1]))
        span.first--;
    return span;
}

/* Deletes a statement, or copies it to another place in its function. */
static void change_statement(struct draft *draft)
{
    int at = find(draft, whole(draft), ends_statement);
    if (at < 0)
        return;
    struct span statement = statement_before(draft, at);
    int to = find(draft, function_around(draft, at), ends_statement);
    if (chance(40))
        put(draft, statement, (struct span){0, 0});
    else if (to >= 0)
        put(draft, (struct span){to + 1, to + 1}, statement);
}

static void change(struct draft *draft, const struct token_list *other)
{
    switch (random_below(10)) {
    case 0: change_word(draft, is_type, types, COUNT(types)); break;
    case 1: change_word(draft, is_shape, shapes, COUNT(shapes)); break;
    case 2:
    case 3: change_word(draft, is_number, sizes, COUNT(sizes)); break;
    case 4: change_word(draft, is_operator, operators, COUNT(operators)); break;
    case 5: change_name(draft); break;
    case 6: change_library_function(draft, other); break;
    case 7:
    case 8: change_argument(draft); break;
    default: change_statement(draft); break;
    }
}

void mutate_print(FILE *out, const struct token_list *kernel, const struct token_list *other, int changes)
{
    struct draft draft = {.count = (int)kernel->count, .capacity = 2 * (int)kernel->count};
    draft.tokens = malloc((size_t)(draft.capacity + 1) * sizeof *draft.tokens);
    if (!draft.tokens)
        return;
    memcpy(draft.tokens, kernel->tokens, kernel->count * sizeof *draft.tokens);
    while (changes-- > 0)
        change(&draft, other);
    for (int i = 0; i < draft.count; i++)
        fputs(draft.tokens[i], out);
    free(draft.tokens);
}
