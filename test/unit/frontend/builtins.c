/* Compares tables/builtins.def with its users: docs/compiler/builtins.md must be the table as text, and the CM headers
 * may call only builtins of the table (test/frontend/builtins.cm checks the other direction).
 *
 * Without arguments this prints the document: build/bin/test_frontend_builtins > docs/compiler/builtins.md */
#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tables/platforms.h"

static const struct builtin {
    const char *name, *operands, *text, *lower, *genx;
    char result;
    int mask;
    enum feature_id feature;
} table[] = {
#define CM_BUILTIN(NAME, OPERANDS, RESULT, MASK, FEATURE, LOWER, GENX, DOC)                                            \
    {#NAME, OPERANDS, DOC, #LOWER, #GENX, RESULT, MASK, FEATURE_##FEATURE},
#include "tables/builtins.def"
#undef CM_BUILTIN
};
enum { COUNT = sizeof table / sizeof table[0] };

static const struct {
    char letter;
    const char *type;
} operand_types[] = {
    {'p', "private address"},
    {'o', "`<N x u16>` byte offsets"},
    {'v', "`<N x T>`"},
    {'m', "`<N x u16>` mask"},
    {'a', "`<N x u32>` byte offsets"},
    {'A', "`<N x u64>` addresses"},
    {'s', "surface"},
    {'S', "sampler"},
    {'x', "`<N x u32>` coordinates"},
    {'u', "`u32`"},
    {'c', "constant `u32`"},
    {'P', "`u64` address"},
    {'t', "string literal"},
    {'n', "scalars"},
};
static const struct {
    char letter;
    const char *type;
} result_types[] = {
    {'v', "`<N x T>`"},
    {'w', "`<N x R>`"},
    {'h', "`u16`"},
    {'b', "`bool`"},
    {'m', "`<N x u16>` mask"},
    {'u', "`u32`"},
    {'P', "`u64` address"},
    {'-', ""},
    {'o', "`<N x u16>` byte offsets"},
};

static const char *operand_type(char letter)
{
    for (size_t i = 0; i < sizeof operand_types / sizeof operand_types[0]; i++)
        if (operand_types[i].letter == letter)
            return operand_types[i].type;
    fprintf(stderr, "builtins.def: operand letter '%c' is unknown\n", letter);
    exit(1);
}

static const char *result_type(char letter)
{
    for (size_t i = 0; i < sizeof result_types / sizeof result_types[0]; i++)
        if (result_types[i].letter == letter)
            return result_types[i].type;
    fprintf(stderr, "builtins.def: result letter '%c' is unknown\n", letter);
    exit(1);
}

/* Returns the intrinsic's name after `llvm.genx.`. */
static const char *genx_name(const char *id)
{
    static const struct {
        const char *id, *name;
    } rows[] = {
#define GENX(ID, NAME, ...) {#ID, NAME},
#include "tables/genx_intrinsics.def"
#undef GENX
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (strcmp(rows[i].id, id) == 0)
            return rows[i].name;
    return "";
}

static const char *mask_text(int mask)
{
    return mask == -1   ? "runs for all lanes"
           : mask == -2 ? "writes live lanes"
           : mask == -3 ? "not allowed"
                        : "live lanes";
}

static void print_document(FILE *out)
{
    fputs(
        "# Builtins\n\n"
        "The CM headers (`include/cm/detail/`) say what C++ cannot by calling undefined functions; `lower/` turns "
        "the calls\n"
        "into `llvm.genx.*`, and `include/cm/detail/host/host.h` defines them for the CPU. The functions are templates "
        "over the\n"
        "element type `T` and the number of lanes `N` of the value, in that order; a result of another element type "
        "`R` comes\n"
        "first. `becomes` is the intrinsic after `llvm.genx.`: the first of those that types or a constant choose "
        "from; "
        "with `*` its\n"
        "operands are not the builtin's. The last but one column says what happens inside SIMD control flow, the "
        "last the first part that has "
        "it\n"
        "(the CPU has all).\n\n"
        "This page is `tables/builtins.def` printed by `test_frontend_builtins`; a test compares the two.\n\n"
        "| function | operands | result | meaning | becomes | in SIMD control flow | since |\n"
        "| --- | --- | --- | --- | --- | --- | --- |\n",
        out);
    for (size_t i = 0; i < COUNT; i++) {
        fprintf(out, "| `__cm_%s` | ", table[i].name);
        for (const char *letter = table[i].operands; *letter; letter++)
            fprintf(out, "%s%s", letter == table[i].operands ? "" : ", ", operand_type(*letter));
        fprintf(out, " | %s | %s | %s%s | %s | %s |\n", result_type(table[i].result), table[i].text,
                genx_name(table[i].genx), strcmp(table[i].lower, "own") == 0 && *genx_name(table[i].genx) ? " *" : "",
                mask_text(table[i].mask), feature_first(table[i].feature));
    }
}

/* The whole file as a string that the caller frees; exits when it cannot be read. */
static char *read_file(const char *path)
{
    FILE *file = fopen(path, "r");
    char *text = NULL;
    size_t size = 0;
    if (!file || (getdelim(&text, &size, '\0', file) < 0 && ferror(file))) {
        perror(path);
        exit(1);
    }
    fclose(file);
    return text ? text : calloc(1, 1);
}

static bool document_is_current(const char *path)
{
    char *expected = NULL, *found = read_file(path);
    size_t size = 0;
    FILE *out = open_memstream(&expected, &size);
    if (!out)
        exit(1);
    print_document(out);
    fclose(out);
    bool same = strcmp(expected, found) == 0;
    if (!same)
        fprintf(stderr, "%s is not what tables/builtins.def says: print it anew with this program\n", path);
    free(expected);
    free(found);
    return same;
}

static bool is_in_table(const char *name, size_t length)
{
    for (size_t i = 0; i < COUNT; i++)
        if (strlen(table[i].name) == length && strncmp(table[i].name, name, length) == 0)
            return true;
    return false;
}

/* True if every __cm_NAME in the file is in the table. A name that a macro completes (__cm_##NAME) ends at once.
 * __cm_builtin_NAME is a built-in of Intel's compiler, which a header defines. */
static bool calls_are_in_table(const char *path)
{
    char *text = read_file(path);
    bool good = true;
    for (const char *at = text; (at = strstr(at, "__cm_"));) {
        at += strlen("__cm_");
        size_t length = strspn(at, "abcdefghijklmnopqrstuvwxyz0123456789_");
        if (length > 0 && strncmp(at, "builtin_", 8) != 0 && !is_in_table(at, length)) {
            fprintf(stderr, "%s calls __cm_%.*s, which tables/builtins.def does not have\n", path, (int)length, at);
            good = false;
        }
    }
    free(text);
    return good;
}

/* Checks every header of the folder and of those in it; counts them. */
static bool check_headers(const char *path, int *headers)
{
    DIR *folder = opendir(path);
    bool good = true;
    if (!folder) {
        perror(path);
        return false;
    }
    for (struct dirent *entry; (entry = readdir(folder));) {
        char inside[4096];
        snprintf(inside, sizeof inside, "%s/%s", path, entry->d_name);
        if (entry->d_type == DT_DIR && entry->d_name[0] != '.') {
            good = check_headers(inside, headers) && good;
        } else if (strstr(entry->d_name, ".h")) {
            good = calls_are_in_table(inside) && good;
            ++*headers;
        }
    }
    closedir(folder);
    return good;
}

int main(int count, char **words)
{
    if (count != 3) {
        print_document(stdout);
        return 0;
    }
    int headers = 0;
    bool good = document_is_current(words[1]);
    good = check_headers(words[2], &headers) && good;
    if (headers == 0)
        fprintf(stderr, "%s holds no headers\n", words[2]);
    return good && headers > 0 ? 0 : 1;
}
