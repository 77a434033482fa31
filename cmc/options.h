/* The command line of cmc: the parsed options and the parser. */
#ifndef CMKIT_CMC_OPTIONS_H
#define CMKIT_CMC_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include "tables/products.h"

enum cmc_output {
    CMC_BINARY,          /* zebin, a fat binary of several, or a shared library for the host */
    CMC_LLVM,            /* LLVM IR with llvm.genx.* */
    CMC_VC,              /* the same in the dialect of IGC's vector back end */
    CMC_SPIRV,           /* the same as SPIR-V */
    CMC_VISA,            /* vISA text */
    CMC_NOTHING,         /* check the syntax only */
    CMC_PREPROCESSED,    /* -E */
    CMC_DEPENDENCIES,    /* -M */
    CMC_COMPILE_COMMANDS /* --compile-commands */
};

/* Handling of kernels that spill registers, as set by -W. The default is a warning. */
enum cmc_spills { CMC_SPILLS_DEFAULT, CMC_SPILLS_IGNORED, CMC_SPILLS_ERROR, CMC_SPILLS_NO_ERROR };

/* Formats of --explain. */
enum cmc_explain { CMC_EXPLAIN_NOTHING, CMC_EXPLAIN_HTML, CMC_EXPLAIN_JSON, CMC_EXPLAIN_TEXT, CMC_EXPLAIN_FORMATS };

/* Requests that replace compiling. */
enum cmc_request { CMC_COMPILE, CMC_HELP, CMC_VERSION, CMC_PRINT_PASSES, CMC_PRINT_OPTIONS };

/* Kinds of inputs: rows of languages.def, and what their suffix says. */
enum cmc_language {
    CMC_LANGUAGE_BY_SUFFIX,
#define CMC_LANGUAGE(ID, NAME, SUFFIXES, HELP) CMC_LANGUAGE_##ID,
#include "cmc/languages.def"
#undef CMC_LANGUAGE
};

struct cmc_input {
    const char *path; /* "-": standard input */
    enum cmc_language language;
};

/* True for inputs that the front end reads. */
static inline bool cmc_is_source(enum cmc_language language)
{
    return language < CMC_LANGUAGE_MODULE;
}

/* The kind of an input: what -x says, else what its suffix says, else C for Metal. */
enum cmc_language cmc_language_of(const struct cmc_input *input);

/* How messages are written. */
enum cmc_messages { CMC_MESSAGES_TEXT, CMC_MESSAGES_JSON, CMC_MESSAGES_SARIF };
enum cmc_colours { CMC_COLOURS_ON_TERMINALS, CMC_COLOURS_ALWAYS, CMC_COLOURS_NEVER };

struct cmc_options {
    enum cmc_request request;
    enum cmc_output output_kind;
    struct cmc_input *inputs;
    size_t input_count;
    struct product *products; /* of -march=, empty with host */
    size_t product_count;
    enum cmc_language language; /* of inputs that follow */
    const char *output_name;    /* -o, or NULL; "-": standard output */

    /* The file and the platform that are being compiled: driver.c sets them. */
    const char *input;
    enum cmc_language input_language;
    const char *output;
    const struct platform *platform; /* NULL with host */
    struct platform changed;         /* the table's row with -Qxcm_register_file_size's registers */
    struct product product;          /* of the platform that -march= names */
    struct cmc_fat *fat;             /* takes the binaries of several platforms, else NULL */
    struct cmc_dependencies *dependencies;

    const char *text; /* of standard input, where that is the input */
    size_t text_size;

    const char *input_name;     /* what messages call standard input, NULL: <stdin> */
    unsigned registers;         /* 0: not given */
    const char *registers_word; /* the option that set it */
    enum cmc_spills spills;
    bool no_warnings, warnings_are_errors; /* -w, -Werror */
    bool host;
    const char *sanitize; /* host only: the option -fsanitize=..., NULL without */
    bool sanitize_address;
    unsigned optimization;
    bool dump_assembly, time_report, report, remarks, debug_info, verify_each, verbose;
    bool print_commands;     /* -###: and run none */
    bool no_line_markers;    /* -P */
    const char *print_after; /* pass name, or NULL */
    enum cmc_explain explain;
    const char *explain_with;      /* --with: what a run has counted, or NULL */
    const char *only_kernel;       /* its name, or NULL: all of the file */
    const char *finalizer_options; /* -Xfinalizer: passed on as it is, or NULL */
    enum cmc_messages messages;
    enum cmc_colours colours;
    bool no_carets;

    bool write_dependencies;     /* -MD, -MMD: beside compiling */
    bool no_system_dependencies; /* -MM, -MMD */
    bool phony_targets;          /* -MP */
    const char *dependency_file; /* -MF, or NULL */
    const char **targets;        /* -MT, -MQ; those of the latter are marked by quoted_targets */
    bool *quoted_targets;
    size_t target_count;

    const char **front_end; /* options for the front end, in order */
    size_t front_end_count;
    char **owned; /* words that the options made */
    size_t owned_count;
};

/* True for outputs of the first half of the middle end. They need neither vISA nor the finalizer. */
static inline bool cmc_ends_before_visa(enum cmc_output kind)
{
    return kind == CMC_LLVM || kind == CMC_VC || kind == CMC_SPIRV;
}

/* True for outputs of the front end. */
static inline bool cmc_is_source_output(enum cmc_output kind)
{
    return kind == CMC_NOTHING || kind == CMC_PREPROCESSED || kind == CMC_DEPENDENCIES || kind == CMC_COMPILE_COMMANDS;
}

/* Parses the command line. False after `cmc: error: ...`; exit with status 2 then. */
bool cmc_options_parse(int count, char **words, struct cmc_options *options);
void cmc_options_free(struct cmc_options *options);
void cmc_options_help(void);

/* Prints the options of --help for programs (tools/manual): a line each, with tabs between the option, what stands
 * between it and its value, the value's name or what it can be, and the sentence. */
void cmc_options_print(void);

/* Checks combinations of options. False after an error. */
bool cmc_options_check(struct cmc_options *options);

/* Sets the platform that is compiled for, the product's, with the register file that was asked for. False after an
 * error: it has none so large. */
bool cmc_set_product(struct cmc_options *options, const struct product *product);

/* The largest register file of a thread, and whether a platform supports a register count. */
enum { CMC_MOST_REGISTERS = 256 };
bool cmc_may_have_registers(const struct platform *platform, unsigned registers);

/* Where -mdump_asm writes: beside the output, or in the current folder when that is standard output. The caller frees
 * it. */
char *cmc_assembly_path(const struct cmc_options *options);

/* `path` with the suffix of its last component replaced by `suffix`, which begins with a dot, in memory that the caller
 * frees. */
char *cmc_with_suffix(const char *path, const char *suffix);

/* `path` without its folders. */
const char *cmc_file_name(const char *path);

/* Ends the program with an error if there is no memory. */
void *cmc_checked(void *memory);

/* Appends an item to an array that grows by doubling. */
#define CMC_APPEND(ARRAY, COUNT, ITEM)                                                                                 \
    ((ARRAY) = cmc_grown((ARRAY), (COUNT), sizeof *(ARRAY)), (ARRAY)[(COUNT)++] = (ITEM))
void *cmc_grown(void *array, size_t count, size_t item_bytes);

void cmc_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The error for an unknown platform, or (NULL) for a missing -march=. Returns false. */
bool cmc_no_platform(const char *name);

#endif
