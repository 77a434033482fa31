/* Prints the command line's help, from the tables of options, languages and platforms. */
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include "cmc/options.h"

/* A row of options.def for help. `separator`: the text between the option and its value. */
static const struct row {
    const char *text, *separator, *meta, *help;
} rows[] = {
#define EXACT                                              ""
#define JOINED                                             ""
#define EITHER                                             ""
#define SEPARATE                                           " "
#define CMC_OPTION(TEXT, SHAPE, ACTION, VALUE, META, HELP) {TEXT, SHAPE, META, HELP},
#include "cmc/options.def"
#undef CMC_OPTION
#undef EXACT
#undef JOINED
#undef EITHER
#undef SEPARATE
};

static void print_options(void)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (!*rows[i].help)
            continue;
        char left[64];
        snprintf(left, sizeof left, "%s%s%s", rows[i].text, rows[i].separator, rows[i].meta);
        printf("  %-22s %s\n", left, rows[i].help);
    }
}

static const struct {
    const char *name, *suffixes, *help;
} languages[] = {
#define CMC_LANGUAGE(ID, NAME, SUFFIXES, HELP) {NAME, SUFFIXES, HELP},
#include "cmc/languages.def"
#undef CMC_LANGUAGE
};

static void print_languages(void)
{
    for (size_t i = 0; i < sizeof languages / sizeof *languages; i++)
        if (*languages[i].help)
            printf("  %-22s %s: %s\n", languages[i].name, languages[i].suffixes, languages[i].help);
}

/* Names of products that are not platforms' own, a line for each platform that has any. */
static void print_products(void)
{
    for (size_t i = 0; i < platform_count; i++) {
        const char *before = "";
        for (size_t k = 0; k < product_count; k++) {
            bool own = strcasecmp(product_table[k].name, platform_table[i].name) == 0;
            if (product_table[k].platform != platform_table[i].id || own)
                continue;
            if (!*before)
                printf("  %-22s ", platform_table[i].name);
            printf("%s%s", before, product_table[k].name);
            before = ", ";
        }
        if (*before)
            puts("");
    }
    puts("  MAJOR.MINOR.REVISION   a platform by the version of its graphics, such as 12.55.8 or 20.4.4");
}

void cmc_options_help(void)
{
    puts("cmc -march=NAME[,NAME]... [options] FILE...\n\nCompiles C for Metal for an Intel GPU to a zebin, which Level "
         "Zero and OpenCL load. Each file has an output of\nits own. @FILE on the command line stands for the words in "
         "that file.\n");
    print_options();
    puts("\nLanguages of -x, and their file names (all other files are C for Metal):");
    print_languages();
    puts("\nPlatforms:");
    for (size_t i = 0; i < platform_count; i++)
        printf("  %-22s %s\n", platform_table[i].name, platform_table[i].label);
    puts("Also, with their own macros:");
    print_products();
    puts("\nThe finalizer is the program GenX_IR on the path, or $CMKIT_FINALIZER;\n"
         "$CMKIT_FINALIZER_MEMORY is the memory that it may use, in MB (default 8192).\n"
         "Exit status: 0 success, 1 a file does not compile or cannot be written, 2 wrong command line.");
}

static void print_values(const struct row *row)
{
    if (strcmp(row->text, "-march=") == 0) {
        for (size_t i = 0; i < platform_count; i++)
            printf("%s|", platform_table[i].name);
        fputs("host", stdout);
    } else if (strcmp(row->text, "-x") == 0) {
        for (size_t i = 0; i < sizeof languages / sizeof *languages; i++)
            printf("%s|", languages[i].name);
        fputs("none", stdout);
    } else {
        fputs(row->meta, stdout);
    }
}

void cmc_options_print(void)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (!*rows[i].help)
            continue;
        printf("%s\t%s\t", rows[i].text, rows[i].separator);
        print_values(&rows[i]);
        printf("\t%s\n", rows[i].help);
    }
}
