/* Compiles a vISA program to Gen code with the finalizer (GenX_IR, one subprocess per kernel) and packs it into a
 * zebin. */
#ifndef CMKIT_VISA_EMIT_FINALIZE_H
#define CMKIT_VISA_EMIT_FINALIZE_H

#include "visa_emit/visa.h"

/* Option for other estimates of what to spill. Often fewer instructions access the memory of spilled variables. */
#define GEN_OTHER_SPILLS "-newspillcost"

/* Option for an order of instructions that takes few registers, also where the finalizer would not look for one. */
#define GEN_OTHER_ORDER "-presched"

/* The reason where the finalizer gives none. */
#define GEN_NO_REASON "it wrote no code and gave no reason: recent ones do so if a kernel needs too many registers"

/* Options with which the code has the order of the vISA text, and each variable one place of its own, also in scratch
 * memory: for visa_program.watched. */
#define GEN_IN_ORDER                                                                                                   \
    "-noschedule -nopresched -nocopyprop -nodefhoist -noregrenaming -nomergescalar -nolvn -noremat -noreassoc "        \
    "-noifcvt -noAccSub -noAccSubBRA -noLocalSplit -no4GRFSplit -nosplitGRFalignedscalar -nospillcompression"

/* Results of finalizing one kernel. */
struct gen_code {
    uint8_t *code; /* Gen instructions */
    size_t size;
    char *assembly;        /* the finalizer's listing, NUL-terminated */
    unsigned registers;    /* GRFs used */
    unsigned spill_bytes;  /* per thread: spilled registers and the stack of functions; 0: none */
    bool spills;           /* true: `spill_bytes` has spilled registers */
    uint64_t stack_bytes;  /* largest depth of the stack, counted in spill_bytes; 0: no stack functions, or not known */
    unsigned instructions; /* in the listing */
    bool refused;          /* true: no code, because the finalizer refused the vISA text; `error` has its message */
    unsigned local_id_load_bytes; /* size of the code at the start of `code` that loads the local ids; 0: none */
};

/* Runs the finalizer ($CMKIT_FINALIZER, else GenX_IR on the path) on vISA text. False: `error` (at least 512 bytes) has
 * the reason in one line, with the vISA line if it is known; out->refused is true if the text is the finalizer's own
 * message. Needs a writable temporary folder ($TMPDIR). */
bool gen_finalize(const struct platform *platform, const char *kernel_name, const char *visa_text,
                  const char *extra_options, struct gen_code *out, char *error, size_t error_size);

/* Prints the command that gen_finalize() would run, each word in quotes, and a newline. */
void gen_print_command(const struct platform *platform, const char *extra_options, FILE *out);

/* Returns the finalizer's name: $CMKIT_FINALIZER, else GenX_IR. */
const char *gen_finalizer(void);

/* True if the platform's finalizer is a recent one, such as that of Debian's testing (IGC 1.0.17791). The text of
 * sampler messages has one operand more then, a paired surface, and both places of a 2D block are numbers, or both
 * registers. */
bool gen_finalizer_is_recent(const struct platform *platform);

/* Looks the finalizer up on the path. False: not found, and `path` has its name. */
bool gen_finalizer_path(char *path, size_t size);
void gen_code_free(struct gen_code *code);

/* Builds a zebin in memory that holds every kernel of `program` (codes[i] belongs to kernels[i]). The caller frees
 * *data. */
bool zebin_build(const struct visa_program *program, const struct gen_code *codes, uint8_t **data, size_t *size,
                 char *error, size_t error_size);

/* Writes `size` bytes to `path` atomically: the file holds all of them or does not change ("-" is standard output). */
bool output_write(const char *path, const void *data, size_t size, char *error, size_t error_size);

#endif
