/* Shows the forms of a kernel side by side for --explain: source, LLVM IR, vISA and Gen, with the lines of each that
 * belong together, the registers that are live along the program, and what the instructions are. */
#ifndef CMKIT_CMC_EXPLAIN_EXPLAIN_H
#define CMKIT_CMC_EXPLAIN_EXPLAIN_H

#include <stdbool.h>
#include <stdio.h>
#include <llvm-c/Core.h>
#include "binaries/binaries.h"
#include "cmc/gen_classes.h"
#include "cmc/remarks.h"
#include "runtime/cmrt.h"
#include "visa_emit/finalize.h"
#include "visa_emit/pressure.h"

enum explain_form { EXPLAIN_SOURCE, EXPLAIN_LLVM, EXPLAIN_VISA, EXPLAIN_GEN, EXPLAIN_FORMS };

struct explain_line {
    char *text;          /* without its end */
    unsigned file, line; /* of the source, as in struct visa_instruction; 0: not known */
    size_t visa;   /* of a vISA or Gen line: number of the vISA instruction that it is or comes from, from 1; 0: none */
    unsigned gen;  /* of a source or vISA line: Gen instructions that come from it */
    size_t offset; /* of a Gen line: bytes from the kernel's start */
    uint64_t executed, cycles; /* --with, of a Gen line; of a source line their sums */
    enum gen_class class;      /* of a Gen line that is an instruction */
};

struct explain_listing {
    struct explain_line *lines;
    size_t count;
};

/* The LLVM IR of a module's functions with the source line of each instruction. */
struct explain_ir;

/* Copies the text of the functions that are defined. Never NULL; free it with explain_ir_free(), which takes NULL. */
struct explain_ir *explain_ir_take(LLVMModuleRef module);
void explain_ir_free(struct explain_ir *ir);

/* Appends the lines of a kernel's function and of the functions that it calls, with the files as the program numbers
 * them. */
void explain_ir_list(const struct explain_ir *ir, struct visa_program *program, const char *kernel,
                     struct explain_listing *out);

/* What a run has counted of a kernel, --with. */
struct explain_run {
    bool is_known, has_lines;                /* the file has the kernel; its instructions, too */
    uint64_t launches, instructions, cycles; /* cycles of all EU threads */
};

struct explain_kernel {
    const struct visa_program *program;
    const struct visa_kernel *kernel;
    const struct gen_code *code;
    struct explain_listing forms[EXPLAIN_FORMS];
    struct pressure_profile pressure;
    const struct cmc_remarks *remarks; /* of all kernels */
    struct explain_run run;
    const struct cmrt_kernel_info *info; /* what a binary says of the kernel; NULL: it was compiled here */
    unsigned classes[GEN_CLASSES];
    unsigned bank_conflicts,
        waits; /* as the finalizer counts them; Gen lines that name a scoreboard entry or distance */
};

/* What is known of a compilation beside the program and its code. */
struct explain_input {
    struct explain_ir *ir; /* taken before code generation */
    const struct cmc_remarks *remarks;
    const char *name, *text; /* of a source from standard input: the name in the program's files. NULL: from a file */
};

/* Collects the forms. The program and the code must outlive them. A source file that cannot be read is a line that says
 * so. False: the finalizer's listing does not describe the code, or out of memory. Call explain_kernel_free() in either
 * case. */
bool explain_kernel_collect(struct explain_kernel *out, const struct explain_input *input, struct visa_program *program,
                            const struct visa_kernel *kernel, const struct gen_code *code);
void explain_kernel_free(struct explain_kernel *explain);

/* Collects the forms of a kernel of a zebin, of which there are Gen and source lines: `listing` is what iga64 makes of
 * its code, with the offsets of instructions. `kernel` is an empty one of `program`, which gets the source files. Call
 * explain_kernel_free(). */
struct explain_binary {
    const uint8_t *bytes; /* the file */
    size_t size;
    struct zebin_code code;
    const struct cmrt_kernel_info *info;
    const char *listing;
};
void explain_binary_collect(struct explain_kernel *out, const struct explain_binary *binary,
                            struct visa_program *program, struct visa_kernel *kernel, struct gen_code *code);

/* Adds the source files that lines of Gen code come from: first the one that defines the kernel. A file that cannot be
 * read is a line that says so. */
void explain_add_sources(struct explain_kernel *explain, const struct explain_input *input);

/* True if an instruction of this text waits for the scoreboard. */
bool explain_waits(const char *text);

/* What the bytes of memory are that a thread of the kernel needs: "spilled", "of stack", "of scratch memory". */
struct explain_memory_kind {
    const char *words, *key; /* the key is for JSON */
};
struct explain_memory_kind explain_memory_kind(const struct explain_kernel *explain);

/* The word that fits a number of things. */
static inline const char *explain_word(uint64_t count, const char *one, const char *many)
{
    return count == 1 ? one : many;
}

/* A word for the kind of an argument: "buffer", "image", "value", ... */
const char *explain_argument_kind(const struct cmrt_argument *argument);

/* Adds what a run has counted, from the JSON file of `gensim --profile` or `--stats`. A kernel that did not run has
 * nothing. False after an error line. */
bool explain_run_read(struct explain_kernel *explain, const char *path);

/* Print the forms. The HTML page needs no other file. The JSON has Compiler Explorer's shape (`asm`: an array of
 * {text, source: {file, line}}); the other forms are its `devices`. */
void explain_print_html(const struct explain_kernel *explain, FILE *out);
void explain_print_json(const struct explain_kernel *explain, FILE *out);
void explain_print_text(const struct explain_kernel *explain, FILE *out);

/* Appends a line. Takes over its text. Ends the program if there is no memory. */
void explain_add(struct explain_listing *listing, struct explain_line line);

/* A name of the form for readers, and the name of a variable: V, its number, and its source name; without one, what
 * writes it first. */
const char *explain_form_name(enum explain_form form);
void explain_variable_name(const struct explain_kernel *explain, const struct pressure_variable *variable, char *text,
                           size_t size);

#endif
