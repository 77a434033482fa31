/* The stages of a compilation, in order. */
#ifndef CMKIT_CMC_PHASES_H
#define CMKIT_CMC_PHASES_H

#include "cmc/options.h"
#include "visa_emit/finalize.h"

/* Compiles as the options say. False after an error line; then no output file was written or changed. */
bool cmc_compile_gpu(const struct cmc_options *options);
bool cmc_compile_host(const struct cmc_options *options);

/* What others wrote: all other stages are the middle end and the emission, which the report adds up. */
#define CMC_STAGE_FRONT_END "front end"
#define CMC_STAGE_FINALIZER "finalizer"

/* Seconds per stage: the time since the last call goes to the stage named. */
void cmc_stage_begin(void);
void cmc_stage_end(const char *name);
void cmc_pass_end(const char *name); /* part of the stage that ends next */
void cmc_stage_report(void);

/* A place in the source: as in struct visa_instruction; column 0: not known. */
struct cmc_place {
    unsigned file, line, column;
};

/* Prints `path:line:column: severity: `, the path as the kernel's writer gave it; without a known place that of the program. */
void cmc_print_place(const struct visa_program *program, struct cmc_place place, const char *severity);

/* Warns if the kernel's code spills registers. False: the options say that this is an error. */
bool cmc_check_spills(const struct cmc_options *options, const struct visa_program *program,
                      const struct visa_kernel *kernel, const struct gen_code *code);

/* Prints what each kernel costs, to standard error. */
void cmc_report(const struct visa_program *program, const struct gen_code *codes);

/* Writes memory to the output file; false after an error line. */
bool cmc_write(const char *path, const void *data, size_t size);

#endif
