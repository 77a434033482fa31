/* The command line of cmc. */
#ifndef CMKIT_CMC_OPTIONS_H
#define CMKIT_CMC_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include "tables/platforms.h"

enum cmc_output {
    CMC_BINARY, /* zebin, or a shared library for the host */
    CMC_LLVM,   /* LLVM IR with llvm.genx.* */
    CMC_VC,     /* the same in the dialect of IGC's vector back end */
    CMC_SPIRV,  /* the same as SPIR-V */
    CMC_VISA,   /* vISA text */
    CMC_NOTHING /* check the syntax only */
};

/* What -W says of kernels that spill registers; else they are worth a warning. */
enum cmc_spills { CMC_SPILLS_DEFAULT, CMC_SPILLS_IGNORED, CMC_SPILLS_ERROR, CMC_SPILLS_NO_ERROR };

/* What to do instead of compiling. */
enum cmc_request { CMC_COMPILE, CMC_HELP, CMC_VERSION, CMC_PRINT_PASSES };

struct cmc_options {
    enum cmc_request request;
    enum cmc_output output_kind;
    const char *input;               /* "-": standard input */
    char *output;                    /* -o, or made from the input's name; "-": standard output */
    const struct platform *platform; /* NULL with host */
    struct platform changed;         /* the table's row with -Qxcm_register_file_size's registers */
    unsigned registers;              /* 0: not said */
    const char *registers_word;      /* the option that said it */
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

/* The outputs that the first half of the middle end ends with: neither vISA nor the finalizer takes part. */
static inline bool cmc_ends_before_visa(enum cmc_output kind)
{
    return kind == CMC_LLVM || kind == CMC_VC || kind == CMC_SPIRV;
}

/* Reads the command line. False after `cmc: error: ...`: exit with status 2. */
bool cmc_options_parse(int count, char **words, struct cmc_options *options);
void cmc_options_free(struct cmc_options *options);
void cmc_options_help(void);

/* Whether a thread of the platform may be given so many registers. */
enum { CMC_MOST_REGISTERS = 256 };
bool cmc_may_have_registers(const struct platform *platform, unsigned registers);

/* Where -mdump_asm writes: beside the output, or in the current folder when that is standard output. The caller frees
 * it. */
char *cmc_assembly_path(const struct cmc_options *options);

/* `path` with the suffix of its last component replaced, in memory that the caller frees. */
char *cmc_with_suffix(const char *path, const char *suffix);

void cmc_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
