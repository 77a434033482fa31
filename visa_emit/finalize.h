/* From a vISA program to Gen code (GenX_IR as a subprocess, one per kernel) and to a zebin. */
#ifndef CMKIT_VISA_EMIT_FINALIZE_H
#define CMKIT_VISA_EMIT_FINALIZE_H

#include "visa_emit/visa.h"

/* What the finalizer made of one kernel. */
struct gen_code {
    uint8_t *code; /* Gen instructions */
    size_t size;
    char *assembly;        /* the finalizer's listing, NUL-terminated */
    unsigned registers;    /* GRFs used */
    unsigned spill_bytes;  /* per thread, and the stack of functions; 0: none */
    bool spills;           /* registers, to such memory */
    uint64_t stack_bytes;  /* what of them functions on the stack take at the deepest; 0: there are none, or it is not known */
    unsigned instructions; /* in the listing */
    bool refused;          /* there is none: the finalizer did not take the vISA text, and `error` has its words */
    unsigned local_id_load_bytes; /* of the load of the local ids at the start of `code`; 0: there is none */
};

/* Runs the finalizer ($CMKIT_FINALIZER, else GenX_IR on the path) on vISA text. False: `error` (at least 512 bytes)
 * holds one line that says why, with the vISA line where it is known; out->refused tells whether the words are the finalizer's own.
 * Needs a writable temporary folder ($TMPDIR). */
bool gen_finalize(const struct platform *platform, const char *kernel_name, const char *visa_text,
                  const char *extra_options, struct gen_code *out, char *error, size_t error_size);

/* The finalizer that will be run: $CMKIT_FINALIZER, else GenX_IR. */
const char *gen_finalizer(void);

/* Where that program lies, looked up on the path; false (and its name in `path`) if it is nowhere. */
bool gen_finalizer_path(char *path, size_t size);
void gen_code_free(struct gen_code *code);

/* A zebin holding every kernel of `program` (codes[i] belongs to kernels[i]) in memory; caller frees *data. */
bool zebin_build(const struct visa_program *program, const struct gen_code *codes, uint8_t **data, size_t *size,
                 char *error, size_t error_size);

/* Writes `size` bytes to `path` so that the file either holds all of them or does not change ("-" is standard output).
 */
bool output_write(const char *path, const void *data, size_t size, char *error, size_t error_size);

#endif
