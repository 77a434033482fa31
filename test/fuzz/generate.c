/* generate SEED [small]: prints a random CM kernel, `fuzz`, which reads up to 4096 bytes, computes with what it has read, and
 * writes all its variables, at most 8192 bytes. A small one is of the same statements, but fewer, and reads and writes whole
 * blocks of 16 bytes, which IGC's vector back end takes too: its messages of single lanes do not pass SPIR-V. See generator.h for what all programs have in common. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "generator.h"

enum { INPUT_BYTES = 4096, OUTPUT_BYTES = 8192, REGISTER_BYTES = 1400 };

/* How large programs are: from `least` on, `more` different numbers of each. */
struct size {
    int least_variables, more_variables, least_statements, more_statements, more_functions, more_function_statements;
    bool whole_blocks;
};
static const struct size usual_size = {4, 9, 4, 14, MOST_FUNCTIONS, 3, false}, small_size = {3, 3, 2, 4, 2, 2, true};
static const struct size *size = &usual_size;

static struct place random_variable(const char *name)
{
    static const int counts[] = {1, 2, 3, 4, 7, 8, 12, 16, 24, 32, 64, 8, 16, 32, 16};
    static const struct {
        int rows, columns;
    } shapes[] = {{2, 4}, {4, 4}, {2, 8}, {4, 8}, {3, 4}, {8, 8}, {2, 16}, {6, 4}, {8, 4}, {4, 2}, {3, 8}, {5, 5}};
    static const enum element types[] = {CHAR, UCHAR, SHORT, USHORT, INT, UINT, INT,   UINT,
                                         INT,  SHORT, UCHAR, FLOAT,  INT, INT,  USHORT};
    struct place place = {.text = name, .rows = 1, .is_dense = true, .unit = 8};
    place.is_matrix = chance(40);
    if (place.is_matrix) {
        int shape = random_below(sizeof shapes / sizeof *shapes);
        place.rows = shapes[shape].rows;
        place.columns = shapes[shape].columns;
    } else {
        place.columns = counts[random_below(sizeof counts / sizeof *counts)];
    }
    place.type = chance(6) ? (chance(50) ? LONG : ULONG) : types[random_below(sizeof types / sizeof *types)];
    place.is_float = place.type == FLOAT;
    return place;
}

static int bytes_of(const struct place *place)
{
    return count_of(place) * element_facts[place->type].bytes;
}

static const char *declaration(const struct place *place, const char *suffix)
{
    const char *type = element_facts[place->type].name;
    if (place->is_matrix)
        return text("matrix%s<%s, %d, %d> %s", suffix, type, place->rows, place->columns, place->text);
    return text("vector%s<%s, %d> %s", suffix, type, place->columns, place->text);
}

/* Statement that reads or writes `name`, so many bytes, at that offset. */
static const char *transfer(bool write, const char *name, int bytes, int at)
{
    const char *message = write ? "cm_svm_block_write(out" : "cm_svm_block_read(in";
    if (!size->whole_blocks || bytes % 16 == 0)
        return text("%s + %d, %s);", message, at, name);
    const char *part = text("block.select<%d, 1>(0)", bytes), *all = text("%s.format<uchar>()", name);
    const char *send = text("%s + %d, block);", message, at);
    return text("{ vector<uchar, %d> block = 0; %s %s = %s; %s }", (bytes + 15) / 16 * 16, write ? "" : send,
                write ? part : all, write ? all : part, write ? send : "");
}

/* Declares a variable and defines every lane of it, on one line, so that a reduced program has no undefined lanes. */
static void print_variable(const struct scope *scope, const struct place *place)
{
    int from = random_below((INPUT_BYTES - bytes_of(place)) / 16) * 16, count = count_of(place);
    const char *line = declaration(place, ""), *name = place->text;
    if (place->type == FLOAT) {
        print_line(scope, text("%s; { vector<%s, %d> raw; %s %s = raw; }", line, chance(50) ? "char" : "uchar", count,
                               transfer(false, "raw", count, from), name));
    } else if (!place->is_matrix && count > 2 && count % 2 == 0 && chance(20)) { /* in two parts */
        print_line(scope, text("%s; %s.select<%d, 2>(1) = %d; { vector<char, %d> raw; %s %s.select<%d, 2>(0) = raw; }",
                               line, name, count / 2, random_below(100), count / 2,
                               transfer(false, "raw", count / 2, from), name, count / 2));
    } else {
        print_line(scope, text("%s; %s%s", line, transfer(false, name, bytes_of(place), from),
                               chance(30) ? text(" %s &= %d;", name, (1 << (2 + random_below(10))) - 1) : ""));
    }
}

static void print_function(struct function *function, const struct scope *kernel)
{
    struct scope scope = {.depth = 1};
    function->parameters = 1 + random_below(2);
    const char *parameters = "";
    for (int i = 0; i < function->parameters; i++) {
        struct place *parameter = &function->parameter[i];
        *parameter = kernel->variable[random_below(kernel->variables)];
        parameter->text = text("p%d", i);
        parameter->unit = element_facts[parameter->type].bytes;
        parameter->is_dense = false;
        parameters = text("%s%s, ", parameters, declaration(parameter, "_ref"));
        scope.variable[scope.variables++] = *parameter;
    }
    scope.scalar[scope.scalars++] = (struct scalar_variable){"x", true};
    int width = count_of(&function->parameter[0]);
    if (function->parameters == 1 && width > 1 && width <= 32 && (width & (width - 1)) == 0)
        scope.simd_width = function->simd_width = width;
    printf("_GENX_ void %s(%sint x)\n{\n", function->name, parameters);
    statements(&scope, 1 + random_below(size->more_function_statements));
    printf("}\n");
}

static void print_kernel(struct scope *scope)
{
    printf("extern \"C\" _GENX_MAIN_ void fuzz(svmptr_t in [[type(\"svmptr_t\")]], svmptr_t out [[type(\"svmptr_t\")]])\n{\n");
    scope->depth = 1;
    for (int i = 0; i < scope->variables; i++)
        print_variable(scope, &scope->variable[i]);
    for (int i = 0; i < 3; i++) {
        const char *name = text("s%d", i);
        const struct place *from = &scope->variable[i];
        print_line(scope, text("int %s = %s;", name,
                               from->type == FLOAT   ? text("%d", random_below(1000))
                               : from->is_matrix ? text("(int)%s(1, 1)", from->text)
                                                 : text("(int)%s(0)", from->text)));
        scope->scalar[scope->scalars++] = (struct scalar_variable){name, true};
    }
    statements(scope, size->least_statements + random_below(size->more_statements));
    int at = 0;
    for (int i = 0; i < scope->variables; i++) {
        print_line(scope, transfer(true, scope->variable[i].text, bytes_of(&scope->variable[i]), at));
        at += (bytes_of(&scope->variable[i]) + 15) / 16 * 16;
    }
    for (int i = 0; i < 3; i++, at += 16)
        print_line(scope, text("cm_svm_block_write(out + %d, vector<int, 4>(s%d));", at, i));
    printf("}\n");
}

int main(int argc, char **argv)
{
    char *end = NULL;
    errno = 0;
    bool is_small = argc == 3 && strcmp(argv[2], "small") == 0;
    size = is_small ? &small_size : &usual_size;
    unsigned long long seed = argc >= 2 ? strtoull(argv[1], &end, 10) : 0;
    if (argc < 2 || argc > 2 + is_small || *argv[1] < '0' || *argv[1] > '9' || *end || errno) {
        fputs("usage: generate SEED [small]\n", stderr);
        return 2;
    }
    random_start(seed);
    printf("// generate %llu%s\n", seed, is_small ? " small" : "");

    static struct scope kernel;
    int bytes = 0, wanted = size->least_variables + random_below(size->more_variables);
    for (int i = 0; i < wanted && bytes < REGISTER_BYTES; i++) {
        kernel.variable[kernel.variables++] = random_variable(text("v%d", i));
        bytes += bytes_of(&kernel.variable[i]);
    }
    static struct function function[MOST_FUNCTIONS];
    int functions = random_below(size->more_functions);
    for (int i = 0; i < functions; i++) {
        function[i].name = text("f%d", i);
        print_function(&function[i], &kernel);
    }
    kernel.function = function;
    kernel.functions = functions;
    print_kernel(&kernel);
    return ferror(stdout) || fflush(stdout) ? 1 : 0;
}
