/* The command line of cmc: the parsed options and the parser. */
#ifndef CMKIT_CMC_OPTIONS_H
#define CMKIT_CMC_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include "tables/products.h"

enum cmc_output {
    CMC_BINARY, /* zebin, or a shared library for the host */
    CMC_LLVM,   /* LLVM IR with llvm.genx.* */
    CMC_VC,     /* the same in the dialect of IGC's vector back end */
    CMC_SPIRV,  /* the same as SPIR-V */
    CMC_VISA,   /* vISA text */
    CMC_NOTHING /* check the syntax only */
};

/* Handling of kernels that spill registers, as set by -W. The default is a warning. */
enum cmc_spills { CMC_SPILLS_DEFAULT, CMC_SPILLS_IGNORED, CMC_SPILLS_ERROR, CMC_SPILLS_NO_ERROR };

/* Requests that replace compiling. */
enum cmc_request { CMC_COMPILE, CMC_HELP, CMC_VERSION, CMC_PRINT_PASSES };

struct cmc_options {
    enum cmc_request request;
    enum cmc_output output_kind;
    const char *input;               /* "-": standard input */
    char *output;                    /* -o, or made from the input's name; "-": standard output */
    const struct platform *platform; /* NULL with host */
    struct platform changed;         /* the table's row with -Qxcm_register_file_size's registers */
    struct product product;          /* of the platform: what -march= names */
    const char *input_name;          /* what messages call standard input, NULL: <stdin> */
    unsigned registers;              /* 0: not given */
    const char *registers_word;      /* the option that set it */
    enum cmc_spills spills;
    bool no_warnings, warnings_are_errors; /* -w, -Werror */
    bool host;
    const char *sanitize; /* host only: the option -fsanitize=..., NULL without */
    bool sanitize_address;
    unsigned optimization;
    bool dump_assembly, time_report, report, debug_info, verify_each, verbose;
    const char *print_after;       /* pass name, or NULL */
    const char *only_kernel;       /* its name, or NULL: all of the file */
    const char *finalizer_options; /* -Xfinalizer: passed on as it is, or NULL */
    const char **front_end;        /* options for the front end, in order */
    size_t front_end_count;
    size_t front_end_capacity;
};

/* True for outputs of the first half of the middle end. They need neither vISA nor the finalizer. */
static inline bool cmc_ends_before_visa(enum cmc_output kind)
{
    return kind == CMC_LLVM || kind == CMC_VC || kind == CMC_SPIRV;
}

/* Parses the command line. False after `cmc: error: ...`; exit with status 2 then. */
bool cmc_options_parse(int count, char **words, struct cmc_options *options);
void cmc_options_free(struct cmc_options *options);
void cmc_options_help(void);

/* The largest register file of a thread, and whether a platform supports a register count. */
enum { CMC_MOST_REGISTERS = 256 };
bool cmc_may_have_registers(const struct platform *platform, unsigned registers);

/* Where -mdump_asm writes: beside the output, or in the current folder when that is standard output. The caller frees
 * it. */
char *cmc_assembly_path(const struct cmc_options *options);

/* `path` with the suffix of its last component replaced, in memory that the caller frees. */
char *cmc_with_suffix(const char *path, const char *suffix);

void cmc_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
