/* generate SEED [small|rich|wide|full]: prints a random CM kernel, `fuzz`, which reads up to 4096 bytes, computes with
 * what it has read, and writes all its variables, at most 8192 bytes. A small one is of the same statements, but fewer,
 * and reads and writes whole blocks of 16 bytes, which IGC's vector back end takes too: its messages of single lanes do
 * not pass SPIR-V. A rich one is as small, and has globals, arrays, functions that are called, with results and values,
 * switches, loops that end early, and more intrinsics. A wide one is a rich one with rotations, dot products of bytes,
 * floats of 16 bits and shared local memory. A full one is a wide one whose variables take most of a GPU's registers,
 * or more than there are, with loops that change whole matrices. See generator.h for what all programs have in common.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "generator.h"

enum {
    INPUT_BYTES = 4096,
    OUTPUT_BYTES = 8192,
    REGISTER_BYTES = 1400,
    FULL_BYTES = 1536,
    FULL_STEP = 512,
    MOST_BYTES = 2048
};

/* Sizes of programs: random numbers from `least` to `least + more - 1`. */
struct size {
    int least_variables, more_variables, least_statements, more_statements, more_functions, more_function_statements;
    bool whole_blocks;
};
static const struct size usual_size = {4, 9, 4, 14, MOST_FUNCTIONS, 3, false}, small_size = {3, 3, 2, 4, 2, 2, true},
                         full_size = {3, 6, 2, 4, 2, 2, true};
static const struct size *size = &usual_size;

static struct lvalue new_variable(const char *name)
{
    static const int counts[] = {1, 2, 3, 4, 7, 8, 12, 16, 24, 32, 64, 8, 16, 32, 16};
    static const struct {
        int rows, columns;
    } shapes[] = {{2, 4}, {4, 4}, {2, 8}, {4, 8}, {3, 4}, {8, 8}, {2, 16}, {6, 4}, {8, 4}, {4, 2}, {3, 8}, {5, 5}};
    static const enum element types[] = {CHAR, UCHAR, SHORT, USHORT, INT, UINT, INT,   UINT,
                                         INT,  SHORT, UCHAR, FLOAT,  INT, INT,  USHORT};
    static const struct {
        int rows, columns;
    } large[] = {{16, 16}, {8, 32}, {32, 8}, {16, 32}, {32, 16}, {24, 24}, {8, 64}, {64, 8}, {32, 32}};
    static int number;
    struct lvalue place = {.text = name, .rows = 1, .is_dense = true, .unit = 8, .variable = number++};
    place.is_matrix = chance(40);
    if (place.is_matrix) {
        int shape = random_below(sizeof shapes / sizeof *shapes);
        place.rows = shapes[shape].rows;
        place.columns = shapes[shape].columns;
    } else {
        place.columns = counts[random_below(sizeof counts / sizeof *counts)];
    }
    if (full_chance(60)) {
        int shape = random_below(sizeof large / sizeof *large);
        place.is_matrix = chance(80);
        place.rows = place.is_matrix ? large[shape].rows : 1;
        place.columns = place.is_matrix ? large[shape].columns : 64 << random_below(4);
    }
    place.type = chance(6) ? (chance(50) ? LONG : ULONG) : types[random_below(sizeof types / sizeof *types)];
    while (count_of(&place) * element_facts[place.type].bytes > MOST_BYTES)
        place.type = count_of(&place) * element_facts[USHORT].bytes <= MOST_BYTES ? USHORT : UCHAR;
    place.is_float = place.type == FLOAT;
    if (!place.is_float && count_of(&place) <= 16 && rich_chance(15))
        place.elements = 2 << random_below(2);
    else if (count_of(&place) <= 32 && rich_chance(15))
        place.is_global = true;
    return place;
}

static int bytes_of(const struct lvalue *place)
{
    return count_of(place) * element_facts[place->type].bytes;
}

static int all_bytes_of(const struct lvalue *place)
{
    return bytes_of(place) * (place->elements ? place->elements : 1);
}

static const char *declaration(const struct lvalue *place, const char *suffix)
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

/* Declares a variable, unless that has been done outside, and defines every lane of it, on one line, so that a reduced
 * program has no undefined lanes. */
static void print_variable(const struct scope *scope, const struct lvalue *place)
{
    int from = random_below((INPUT_BYTES - bytes_of(place)) / 16) * 16, count = count_of(place);
    const char *line = place->is_global ? "" : text("%s; ", declaration(place, "")), *name = place->text;
    if (place->elements) {
        line = place->is_global ? "" : text("%s[%d]; ", declaration(place, ""), place->elements);
        for (int k = 0; k < place->elements; k++, from = random_below((INPUT_BYTES - bytes_of(place)) / 16) * 16)
            line = text("%s %s", line, transfer(false, text("%s[%d]", name, k), bytes_of(place), from));
        print_line(scope, line);
    } else if (place->type == FLOAT) {
        print_line(scope, text("%s{ vector<%s, %d> raw; %s %s = raw; }", line, chance(50) ? "char" : "uchar", count,
                               transfer(false, "raw", count, from), name));
    } else if (!place->is_matrix && count > 2 && count % 2 == 0 && chance(20)) { /* in two parts */
        print_line(scope, text("%s%s.select<%d, 2>(1) = %d; { vector<char, %d> raw; %s %s.select<%d, 2>(0) = raw; }",
                               line, name, count / 2, random_below(100), count / 2,
                               transfer(false, "raw", count / 2, from), name, count / 2));
    } else {
        print_line(scope, text("%s%s%s", line, transfer(false, name, bytes_of(place), from),
                               chance(30) ? text(" %s &= %d;", name, (1 << (2 + random_below(10))) - 1) : ""));
    }
}

static void copy_globals(struct scope *to, const struct scope *kernel)
{
    for (int i = 0; i < kernel->variables; i++)
        if (kernel->variable[i].is_global)
            to->variable[to->variables++] = kernel->variable[i];
}

/* Parameters of functions that are called name parts of different variables; those of others may overlap, and name
 * globals. */
static const char *add_parameter(struct function *function, int number, const struct scope *kernel)
{
    struct lvalue *parameter = &function->parameter[number];
    *parameter = kernel->variable[random_below(kernel->variables)];
    bool by_value = rich_chance(20), has_globals = false;
    for (int i = 0; i < kernel->variables; i++)
        has_globals = has_globals || kernel->variable[i].is_global;
    parameter->text = text("p%d", number);
    parameter->unit = element_facts[parameter->type].bytes;
    parameter->is_dense = by_value;
    parameter->elements = 0;
    parameter->is_global = !function->is_called && !by_value && has_globals;
    parameter->variable = MOST_VARIABLES + (function->is_called || by_value ? number : 0);
    return declaration(parameter, by_value ? "" : "_ref");
}

/* On the stack: at most 384 bytes come back. */
static const char *linkage(struct function *function, const struct scope *scope)
{
    int bytes = 64;
    for (int i = 0; i < scope->variables; i++)
        bytes += all_bytes_of(&scope->variable[i]);
    return !function->is_called ? "_GENX_" : bytes <= 384 && chance(40) ? "_GENX_STACKCALL_" : "CM_NOINLINE";
}

static void print_function(struct function *function, const struct scope *kernel, int others)
{
    struct scope scope = {.depth = 1, .function = function - others, .functions = rich_chance(50) ? others : 0};
    function->is_called = rich_chance(50);
    function->changes_scalar = rich_chance(20);
    function->parameters = 1 + random_below(2);
    const char *parameters = "";
    for (int i = 0; i < function->parameters; i++) {
        parameters = text("%s%s, ", parameters, add_parameter(function, i, kernel));
        scope.variable[scope.variables++] = function->parameter[i];
    }
    copy_globals(&scope, kernel);
    scope.scalar[scope.scalars++] = (struct scalar_variable){"x", true, INT};
    int width = count_of(&function->parameter[0]);
    if (function->parameters == 1 && width > 1 && width <= 32 && (width & (width - 1)) == 0)
        scope.simd_width = function->simd_width = width;
    if (rich_chance(30)) {
        function->result = scope.simd_width ? scope.simd_width : 4 << random_below(3);
        function->result_type = (enum element)random_below(LONG);
    }
    scope.may_return = !function->result && !scope.simd_width;
    const char *result =
        function->result ? text("vector<%s, %d>", element_facts[function->result_type].name, function->result) : "void";
    printf("%s %s %s(%sint %sx)\n{\n", linkage(function, &scope), result, function->name, parameters,
           function->changes_scalar ? "&" : "");
    statements(&scope, 1 + random_below(size->more_function_statements));
    if (function->result)
        print_line(&scope, text("return %s(%s);", result, integers(&scope, function->result, 2).text));
    printf("}\n");
}

static void print_array(struct scope *scope)
{
    struct array array = {text("a%d", scope->arrays), 4 << random_below(3)};
    int from = random_below(INPUT_BYTES / 16 - 4) * 16;
    print_line(scope,
               text("int %s[%d]; { vector<int, %d> raw; %s for (int k = 0; k < %d; k++) %s[k] = raw(k); }", array.name,
                    array.count, array.count, transfer(false, "raw", 4 * array.count, from), array.count, array.name));
    scope->array[scope->arrays++] = array;
}

static void print_scalars(struct scope *scope)
{
    for (int i = 0; i < 3; i++) {
        const char *name = text("s%d", i);
        const struct lvalue *from = &scope->variable[i % scope->variables];
        const char *object = from->elements ? text("%s[0]", from->text) : from->text;
        print_line(scope, text("int %s = %s;", name,
                               from->type == FLOAT ? text("%d", random_below(1000))
                               : from->is_matrix   ? text("(int)%s(1, 1)", object)
                                                   : text("(int)%s(0)", object)));
        scope->scalar[scope->scalars++] = (struct scalar_variable){name, true, INT};
    }
    for (int i = 3; rich_chance(40) && i < 6; i++) {
        enum element type = (enum element)random_below(LONG);
        const char *name = text("s%d", i);
        print_line(scope, text("%s %s = (%s)(s%d * %d);", element_facts[type].name, name, element_facts[type].name,
                               i - 3, random_below(100)));
        scope->scalar[scope->scalars++] = (struct scalar_variable){name, true, type};
    }
}

static void print_results(const struct scope *scope)
{
    int at = 0;
    for (int i = 0; i < scope->variables; i++)
        for (int k = 0; k < 1 || k < scope->variable[i].elements; k++) {
            const char *name = scope->variable[i].text;
            name = scope->variable[i].elements ? text("%s[%d]", name, k) : name;
            print_line(scope, transfer(true, name, bytes_of(&scope->variable[i]), at));
            at += (bytes_of(&scope->variable[i]) + 15) / 16 * 16;
        }
    for (int i = 0; i < scope->scalars; i++, at += 16)
        print_line(scope, text("cm_svm_block_write(out + %d, vector<int, 4>(%s));", at, scope->scalar[i].name));
    for (int i = 0; i < scope->arrays; i++, at += 64)
        print_line(scope, text("{ vector<int, %d> raw; for (int k = 0; k < %d; k++) raw(k) = %s[k]; %s }",
                               scope->array[i].count, scope->array[i].count, scope->array[i].name,
                               transfer(true, "raw", 4 * scope->array[i].count, at)));
}

static void print_kernel(struct scope *scope)
{
    printf("extern \"C\" _GENX_MAIN_ void fuzz(svmptr_t in [[type(\"svmptr_t\")]], svmptr_t out "
           "[[type(\"svmptr_t\")]])\n{\n");
    scope->depth = 1;
    for (int i = 0; i < scope->variables; i++)
        print_variable(scope, &scope->variable[i]);
    print_scalars(scope);
    while (scope->arrays < MOST_ARRAYS && rich_chance(40))
        print_array(scope);
    if (wide_chance(40)) {
        print_line(scope, "cm_slm_init(256); uint shared = cm_slm_alloc(256);");
        print_line(scope,
                   "{ vector<int, 64> raw; cm_svm_block_read(in + 512, raw); cm_slm_block_write(shared, 0, raw); }");
        scope->has_shared_memory = true;
    }
    int variables = scope->variables, scalars = scope->scalars;
    statements(scope, size->least_statements + random_below(size->more_statements));
    scope->variables = variables;
    scope->scalars = scalars;
    print_results(scope);
    printf("}\n");
}

/* Features that some platforms lack, by name or by what they do. */
static void print_emulations(void)
{
    puts("template <typename A, typename N> _GENX_ auto turned(const A &a, const N &n)\n{\n"
         "#if defined(CM_GENX) && CM_GENX < 1150\n"
         "    return (a << (n & 31)) | (a >> ((32 - (n & 31)) & 31));\n"
         "#else\n"
         "    return cm_rol(a, n);\n"
         "#endif\n}\n"
         "template <typename S, typename A> _GENX_ S dotted(const S &sum, const A &a, const A &b)\n{\n"
         "#if defined(CM_GENX) && CM_GENX < 1200\n"
         "    S all = sum;\n"
         "    for (int k = 0; k < 32; k += 8)\n"
         "        all += ((a >> k) & 255) * ((b >> k) & 255);\n"
         "    return all;\n"
         "#else\n"
         "    return cm_dp4a(sum, a, b);\n"
         "#endif\n}");
}

int main(int argc, char **argv)
{
    char *end = NULL;
    errno = 0;
    static const struct {
        const char *name;
        enum kinds kinds;
    } sizes[] = {{"small", PLAIN_KINDS}, {"rich", RICH_KINDS}, {"wide", WIDE_KINDS}, {"full", FULL_KINDS}};
    enum kinds kinds = PLAIN_KINDS;
    for (size_t i = 0; argc == 3 && i < sizeof sizes / sizeof *sizes; i++)
        if (strcmp(argv[2], sizes[i].name) == 0) {
            kinds = sizes[i].kinds;
            size = kinds == FULL_KINDS ? &full_size : &small_size;
        }
    unsigned long long seed = argc >= 2 ? strtoull(argv[1], &end, 10) : 0;
    if (argc < 2 || argc > 2 + (size != &usual_size) || *argv[1] < '0' || *argv[1] > '9' || *end || errno) {
        fputs("usage: generate SEED [small|rich|wide|full]\n", stderr);
        return 2;
    }
    random_start(seed, kinds);
    printf("// generate %llu%s%s\n", seed, argc == 3 ? " " : "", argc == 3 ? argv[2] : "");
    if (kinds >= WIDE_KINDS)
        print_emulations();

    static struct scope kernel;
    int most = kinds == FULL_KINDS ? FULL_BYTES + FULL_STEP * random_below(5) : REGISTER_BYTES;
    int bytes = 0, wanted = size->least_variables + random_below(size->more_variables);
    for (int i = 0; i < wanted && bytes < most; i++) {
        kernel.variable[kernel.variables++] = new_variable(text("v%d", i));
        bytes += all_bytes_of(&kernel.variable[i]);
    }
    for (int i = 0; i < kernel.variables; i++)
        if (kernel.variable[i].is_global)
            printf("%s;\n", declaration(&kernel.variable[i], ""));
    static struct function function[MOST_FUNCTIONS];
    int functions = random_below(size->more_functions);
    for (int i = 0; i < functions; i++) {
        function[i].name = text("f%d", i);
        print_function(&function[i], &kernel, i);
    }
    kernel.function = function;
    kernel.functions = functions;
    print_kernel(&kernel);
    return ferror(stdout) || fflush(stdout) ? 1 : 0;
}
