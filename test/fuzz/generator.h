/* Declares the generator of random CM programs. A program is a function of its seed alone. It has no undefined
 * behaviour, so that every compiler and every machine must give the same bytes:
 * - offsets are in range, known at compile time or reduced at run time;
 * - shift counts are less than the width, divisors positive; signed integers wrap in CM;
 * - floats are small integers and halves of them; 16-bit floats are small integers; all operations on them are exact.
 * 64-bit integers that are rounded to a float are only multiplied by powers of two;
 * - inside SIMD control flow, operations have as many lanes as the condition, and nothing is copied into functions. */
#ifndef CMKIT_TEST_FUZZ_GENERATOR_H
#define CMKIT_TEST_FUZZ_GENERATOR_H

#include <stdbool.h>

enum element { CHAR, UCHAR, SHORT, USHORT, INT, UINT, LONG, ULONG, FLOAT };

struct element_facts {
    const char *name;
    int bytes;
    bool is_signed;
};
extern const struct element_facts element_facts[];

/* A variable, or the part of one that `text` names. */
struct lvalue {
    const char *text;
    enum element type;
    int rows, columns; /* a vector has one row */
    bool is_matrix;
    bool is_dense;  /* a whole object, not a reference */
    bool is_float;  /* the object's elements are floats, whatever it is formatted to */
    int unit;       /* bytes that lie side by side, aligned to their number: the largest element to format to */
    int elements;   /* of an array of such objects, before one is chosen; 0: none */
    int variable;   /* which one it is a part of, counted over all scopes: parts of two do not overlap */
    bool is_global; /* functions reach it by its name too */
};

/* An expression. count is 0 for a scalar. */
struct value {
    const char *text;
    enum element type;
    int count;
};

struct scalar_variable {
    const char *name;
    bool is_assignable;
    enum element type;
};

struct function {
    const char *name;
    struct lvalue parameter[2];
    int parameters;
    int simd_width;      /* all operations are that wide; 0: any width */
    bool is_called;      /* not inlined: arguments are copied to it and back */
    bool changes_scalar; /* x is a reference */
    int result;          /* lanes of what it returns, 0: nothing */
    enum element result_type;
};

/* A C array of ints in the kernel, of a power of two. */
struct array {
    const char *name;
    int count;
};

enum { MOST_VARIABLES = 40, MOST_SCALARS = 16, MOST_FUNCTIONS = 4, MOST_ARRAYS = 2 };

/* Objects that a statement may use, and the statement's context. */
struct scope {
    struct lvalue variable[MOST_VARIABLES];
    int variables;
    struct scalar_variable scalar[MOST_SCALARS];
    int scalars;
    const struct function *function;
    int functions;
    int simd_width; /* lanes of the enclosing SIMD control flow; 0 outside */
    struct array array[MOST_ARRAYS];
    int arrays;
    bool has_shared_memory; /* 256 bytes of it, all defined */
    bool in_simd_loop;
    bool in_loop;    /* of scalars, and not in SIMD control flow in it */
    bool may_return; /* from a function without result, and not in SIMD control flow */
    int depth;       /* of blocks, for indentation */
};

/* random.c: numbers from 0 to below-1; yes in `percent` of 100; text that lives until the end. What came later is for
 * other kinds of programs, so that the seeds of the older ones keep their meaning: rich_chance(), wide_chance() and
 * full_chance() are no in those, and take no number. */
enum kinds { PLAIN_KINDS, RICH_KINDS, WIDE_KINDS, FULL_KINDS };
void random_start(unsigned long long seed, enum kinds kinds);
int random_below(int below);
bool chance(int percent);
bool rich_chance(int percent);
bool wide_chance(int percent);
bool full_chance(int percent);
const char *text(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* expression.c */
int count_of(const struct lvalue *place);
struct lvalue random_variable(const struct scope *scope);
/* A place of `count` lanes: of type `type`, or of any integer type if that is -1. False if none was found. */
bool random_place(const struct scope *scope, int count, int type, bool to_write, struct lvalue *place);
struct value integers(const struct scope *scope, int count, int depth);
struct value floats(const struct scope *scope, int count);
struct value scalar(const struct scope *scope, int depth);
const char *condition(const struct scope *scope, int count);
const char *index_below(const struct scope *scope, int below, bool *is_constant);

/* statement.c: prints `count` statements. */
void statements(struct scope *scope, int count);
void print_line(const struct scope *scope, const char *line);

/* full.c: prints one, outside SIMD control flow. */
void full_statement(struct scope *scope);

#endif
