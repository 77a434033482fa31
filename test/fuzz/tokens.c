/* Generates random sources from tokens (see tokens.h). */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "generator.h"
#include "mutate.h"
#include "tokens.h"

enum { MOST_CHANGES = 8, MOST_STREAM = 60, MOST_LIST = 20000 };

/* Tokens of the random streams, which changed kernels get too. */
static const char *const vocabulary[] = {
    "vector",
    "matrix",
    "vector_ref",
    "matrix_ref",
    "select",
    "iselect",
    "replicate",
    "format",
    "merge",
    "any",
    "all",
    "row",
    "column",
    "select_all",
    "SurfaceIndex",
    "SamplerIndex",
    "svmptr_t",
    "int",
    "uint",
    "uchar",
    "short",
    "ushort",
    "half",
    "float",
    "double",
    "bool",
    "char",
    "void",
    "auto",
    "const",
    "constexpr",
    "static",
    "template",
    "typename",
    "struct",
    "class",
    "namespace",
    "using",
    "operator",
    "if",
    "else",
    "for",
    "while",
    "do",
    "switch",
    "case",
    "break",
    "continue",
    "return",
    "goto",
    "sizeof",
    "new",
    "delete",
    "throw",
    "this",
    "enum",
    "union",
    "typedef",
    "decltype",
    "static_assert",
    "_GENX_MAIN_",
    "_GENX_",
    "extern \"C\"",
    "[[type(\"buffer_t\")]]",
    "[[type(\"svmptr_t\")]]",
    "[[",
    "]]",
    "SIMD_IF_BEGIN",
    "SIMD_ELSEIF",
    "SIMD_ELSE",
    "SIMD_IF_END",
    "SIMD_DO_WHILE_BEGIN",
    "SIMD_DO_WHILE_END",
    "SIMD_BREAK",
    "SIMD_CONTINUE",
    "SAT",
    "read",
    "write",
    "cm_add",
    "cm_mul",
    "cm_max",
    "cm_abs",
    "cm_sum",
    "cm_shl",
    "cm_sqrt",
    "cm_inv",
    "cm_dp4",
    "cm_svm_block_read",
    "cm_svm_block_write",
    "cm_slm_read",
    "write_atomic",
    "ATOMIC_ADD",
    "cm_barrier",
    "cm_group_id",
    "cm_vector",
    "cm_detail",
    "DWALIGNED",
    "v",
    "w",
    "m",
    "n",
    "k",
    "i",
    "in",
    "out",
    "0",
    "1",
    "2",
    "3",
    "4",
    "8",
    "16",
    "32",
    "-1",
    "64",
    "100000",
    "4294967295",
    "0x7fffffffffffffff",
    "1.5f",
    "1e400",
    "\"text\"",
    "'c'",
    "(",
    ")",
    "{",
    "}",
    "<",
    ">",
    "[",
    "]",
    ",",
    ";",
    ":",
    "::",
    ".",
    "->",
    "=",
    "+=",
    "==",
    "+",
    "-",
    "*",
    "/",
    "%",
    "<<",
    ">>",
    "&",
    "|",
    "^",
    "~",
    "!",
    "&&",
    "||",
    "?",
    "...",
    "#",
    "##",
    "\\",
    "@",
    "\n",
    "\n#define",
    "\n#pragma unroll\n",
    "\n#if",
    "\n#endif\n",
    "\n#include <cm/cm.h>\n",
    "\n#include",
    "__attribute__",
    "asm",
    "__int128",
    "_BitInt",
    "\xc3\xa9",
    "\x01",
};
enum { WORDS = sizeof vocabulary / sizeof *vocabulary };

static const char *word(void)
{
    return vocabulary[random_below(WORDS)];
}

/* The end of the token at `at`: white space in a line, a comment, a literal, a name, a number or one character. */
static const char *token_end(const char *at)
{
    const char *end = at + 1;
    if (at[0] == '/' && at[1] == '/')
        return at + strcspn(at, "\n");
    if (at[0] == '/' && at[1] == '*') {
        end = strstr(at, "*/");
        return end ? end + 2 : at + strlen(at);
    }
    if (*at != '\n' && isspace((unsigned char)*at)) {
        while (*end != '\n' && isspace((unsigned char)*end))
            end++;
        return end;
    }
    if (*at == '"' || *at == '\'') {
        while (*end && *end != *at && *end != '\n')
            end += 1 + (*end == '\\' && end[1]);
        return end + (*end == *at);
    }
    if (isalnum((unsigned char)*at) || *at == '_')
        while (isalnum((unsigned char)*end) || *end == '_' || (*end == '.' && isdigit((unsigned char)*at)))
            end++;
    return end;
}

void tokens_cut(const char *text, struct token_list *list)
{
    *list = (struct token_list){calloc(MOST_LIST, sizeof *list->tokens), 0};
    while (list->tokens && *text && list->count < MOST_LIST) {
        const char *end = token_end(text);
        bool is_comment = text[0] == '/' && (text[1] == '/' || text[1] == '*');
        if (!is_comment)
            list->tokens[list->count++] = strndup(text, (size_t)(end - text));
        text = end;
    }
}

void tokens_free(struct token_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->tokens[i]);
    free(list->tokens);
}

static const char *token_of(const struct token_list *list)
{
    return list->count ? list->tokens[random_below((int)list->count)] : ";";
}

/* A kernel of the corpus in which some tokens are lost, doubled, swapped or others. */
static void print_changed(FILE *out, const struct token_list *corpus, size_t corpus_count)
{
    const struct token_list *kernel = &corpus[random_below((int)corpus_count)];
    const struct token_list *other = &corpus[random_below((int)corpus_count)];
    size_t place[MOST_CHANGES];
    int changes = 1 + random_below(chance(50) ? 2 : MOST_CHANGES);
    if (chance(65)) { /* what the parser lets through reaches the rest */
        mutate_print(out, kernel, other, 1 + changes / 3);
        return;
    }
    for (int c = 0; c < changes; c++)
        place[c] = kernel->count ? (size_t)random_below((int)kernel->count) : 0;
    for (size_t i = 0; i < kernel->count; i++) {
        const char *token = kernel->tokens[i];
        for (int c = 0; c < changes; c++) {
            if (place[c] != i)
                continue;
            switch (random_below(6)) {
            case 0: token = ""; break;
            case 1: fprintf(out, "%s ", token); break;
            case 2: token = token_of(kernel); break;
            case 3: token = token_of(other); break;
            case 4: fprintf(out, " %s ", word()), token = ""; break;
            default: fprintf(out, " %s %s ", word(), token_of(other)); break;
            }
        }
        fputs(token, out);
    }
}

/* Tokens in a kernel's body, or in none. */
static void print_stream(FILE *out)
{
    bool in_kernel = chance(80);
    if (in_kernel)
        fprintf(out, "_GENX_MAIN_ void k(svmptr_t in, SurfaceIndex out, int n)\n{\nvector<int, 16> v, w; matrix<float, "
                     "4, 4> m;\n");
    for (int i = random_below(MOST_STREAM); i > 0; i--)
        fprintf(out, chance(15) ? "%s;\n" : "%s ", word());
    if (in_kernel)
        fprintf(out, ";\n}\n");
}

char *tokens_source(unsigned long long seed, const struct token_list *corpus, size_t corpus_count)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    random_start(seed, PLAIN_KINDS);
    if (corpus_count && chance(90))
        print_changed(out, corpus, corpus_count);
    else
        print_stream(out);
    fclose(out);
    return text;
}
