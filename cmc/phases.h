/* Declares the stages of a compilation, in order. */
#ifndef CMKIT_CMC_PHASES_H
#define CMKIT_CMC_PHASES_H

#include "cmc/explain/explain.h"
#include "cmc/options.h"
#include "visa_emit/finalize.h"

/* Compiles one file for one platform, or for this machine, as the options say. False after an error line; then no
 * output file was written or changed. */
bool cmc_compile_gpu(const struct cmc_options *options);
bool cmc_compile_host(const struct cmc_options *options);

/* The same for a text behind the middle end: vISA, Gen assembly, or Gen instructions. */
bool cmc_compile_text(const struct cmc_options *options);

/* Writes the zebin of the program, and its assembly if that was asked for. False after an error line. */
bool cmc_write_zebin(const struct cmc_options *options, const struct visa_program *program,
                     const struct gen_code *codes);

/* Runs the preprocessor for -E and -M. False after an error line. */
bool cmc_preprocess(const struct cmc_options *options);

/* Calls `take` for each word of the command with which an editor's clangd understands the file. */
void cmc_editor_command(const struct cmc_options *options, void (*take)(void *user, const char *word), void *user);

/* Prints what would be run, for -###, or is about to be, for -v. */
void cmc_print_commands(const struct cmc_options *options);

/* Names of stages that run other programs' code (Clang, the finalizer). The report sums the other stages as the middle
 * end and the emission. */
#define CMC_STAGE_FRONT_END "front end"
#define CMC_STAGE_FINALIZER "finalizer"

/* Measures seconds per stage: the time since the last call is charged to the named stage. */
void cmc_stage_begin(void);
void cmc_stage_end(const char *name);
void cmc_pass_end(const char *name); /* time of a pass inside the stage that ends next */
void cmc_stage_report(void);

/* A source position as in struct visa_instruction. Column 0: not known. */
struct cmc_location {
    unsigned file, line, column;
};

/* Prints `path:line:column: severity: `, with the path as the user gave it. Without a known position it prints
 * `cmc: severity: `. */
void cmc_print_location(const struct visa_program *program, struct cmc_location place, const char *severity);

/* Warns if the kernel's code spills registers. False: -Werror makes it an error. */
bool cmc_check_spills(const struct cmc_options *options, const struct visa_program *program,
                      const struct visa_kernel *kernel, const struct gen_code *code);

/* Writes the files of --explain. False after an error line. */
bool cmc_explain(const struct cmc_options *options, const struct explain_input *input, struct visa_program *program,
                 const struct gen_code *codes);

/* The same for a zebin of any compiler: each kernel's Gen code, source lines and arguments. */
bool cmc_explain_binary(const struct cmc_options *options);

/* Writes one kernel's file of --explain. False after an error line. */
bool cmc_explain_write(const struct cmc_options *options, const struct explain_kernel *explain);

/* Returns the listing that iga64, which is `program`, makes of the code; the caller frees it. NULL: `error` says why.
 */
char *cmc_disassemble(const char *program, const struct platform *platform, const void *code, size_t size, char *error,
                      size_t error_size);

/* Prints the cost of each kernel to standard error. */
void cmc_report(const struct visa_program *program, const struct gen_code *codes);

#endif
