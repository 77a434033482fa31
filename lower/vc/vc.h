/* Prints the LLVM 14 dialect that IGC's vector back end reads: typed pointers, opaque structs for surfaces, no newer
 * flags.
 *
 *   print_vc.c        the module: kernels, declarations, metadata
 *   vc_argument.c     a kernel's arguments: opaque types
 *   vc_instruction.c  one instruction
 *   vc_intrinsic.c    calls: names, declarations
 *   vc_print.c        printf, and the texts that it prints
 *   vc_text.c         types, names, constants
 *
 * Every pointer value is `i8 addrspace(N)*`; loads, stores and address arithmetic cast to the type that they need on
 * the spot. A vector of one lane, which SPIR-V lacks, is its element; declarations of Intel's intrinsics mark it. */
#ifndef CMKIT_LOWER_VC_VC_H
#define CMKIT_LOWER_VC_VC_H

#include <stdbool.h>
#include <stdio.h>
#include <llvm-c/Core.h>
#include "lower/ir/ir.h"
#include "visa_emit/visa.h"

/* LLVM intrinsics without a genx equivalent. */
enum vc_plain { VC_NO_PLAIN, VC_BITREVERSE, VC_CTPOP, VC_FMA, VC_FMULADD, VC_FSHL, VC_FSHR };

/* An intrinsic as named in the text. */
struct vc_intrinsic {
    char name[GENX_NAME_SIZE];
    LLVMValueRef function; /* the function that the module calls */
    unsigned operands;     /* the first of the call's, that the text has too */
    enum vc_plain plain;
};

struct vc_writer {
    FILE *out;
    struct pointer_map numbers;  /* instructions and blocks of the kernel being printed */
    struct vc_intrinsic *called; /* intrinsics of the text, in order of first use */
    size_t called_count, called_capacity;
    struct pointer_map declared; /* LLVM's functions for them: several may have one name in the text */
    unsigned temporaries;        /* of the kernel being printed */
    LLVMValueRef at;             /* the instruction being printed, for messages */
    bool failed;                 /* an error was printed; later output is not used */
};

/* Prints `cmc: error: ...` for the first failure only. */
void vc_fail(struct vc_writer *w, const char *format, ...) __attribute__((format(printf, 2, 3)));

unsigned vc_space(LLVMTypeRef pointer); /* number of the address space in the dialect */
void vc_type(struct vc_writer *w, LLVMTypeRef type);
void vc_name(struct vc_writer *w, char sigil, const char *prefix, const char *name, size_t length);
void vc_block(struct vc_writer *w, LLVMBasicBlockRef block); /* %b3 */
void vc_operand(struct vc_writer *w, LLVMValueRef value);    /* %v7, 12, <i32 1, i32 2> */
void vc_typed(struct vc_writer *w, LLVMValueRef value);      /* type and operand */

uint64_t vc_float_bits(LLVMValueRef constant); /* of a scalar */

/* Returns the value that represents `value` in the text: through freeze and casts between T and <1 x T>. */
LLVMValueRef vc_value(LLVMValueRef value);

/* Name of a kernel's parameter: as passed ('p') or as a number after ptrtoint ('h'), which is what the body uses. */
void vc_parameter(struct vc_writer *w, LLVMValueRef parameter, char stage);
enum vc_kind { VC_VALUE, VC_SURFACE, VC_SAMPLER, VC_ADDRESS };
enum vc_kind vc_kind_of(LLVMValueRef parameter);
unsigned vc_parameter_index(LLVMValueRef parameter);

struct vc_argument {
    enum vc_kind kind;
    unsigned space;          /* of a pointer; surfaces are in global memory, samplers in constant memory */
    char type[64];           /* the opaque type's name of a surface or sampler, or empty */
    char convert[128];       /* the function that makes a number of it */
    int dimension;           /* of an image: SPIR-V's number; -1: a buffer */
    enum visa_access access; /* of a surface */
    bool media;              /* an image that is read or written in blocks: the driver needs to know */
};
struct vc_argument vc_argument_of(struct vc_writer *w, LLVMValueRef parameter);

void vc_instruction(struct vc_writer *w, LLVMValueRef instruction);

/* Finds the intrinsic that a call becomes in the text; false after an error. vc_declarations() prints its declaration.
 */
bool vc_intrinsic_of(struct vc_writer *w, LLVMValueRef call, struct vc_intrinsic *out);
void vc_declarations(struct vc_writer *w);

/* True if an intrinsic's declaration marks its result or operand of this type: a vector of one lane that the back end
 * must keep. */
bool vc_marks_one_lane(const struct vc_intrinsic *called, LLVMTypeRef type);

/* Prints the constraints of inline assembly in IGC's spelling: two-letter ones are marked ("=^rw"), clobbers are left
 * out. */
void vc_constraints(FILE *out, const char *list, size_t length);

/* printf (FUNCTION_PRINT). A text is an array in constant memory. */
bool vc_is_text(LLVMValueRef value);
bool vc_check_printf(struct vc_writer *w, LLVMValueRef call); /* false: IGC does not see the literals in the call */
void vc_text_address(struct vc_writer *w, LLVMValueRef text); /* of the first byte */
void vc_texts(struct vc_writer *w, LLVMModuleRef module);     /* all, and the declaration of printf */
void vc_print_printf(struct vc_writer *w, LLVMValueRef call);
LLVMValueRef vc_converted(LLVMValueRef value); /* the constant number whose address an operand is, or NULL */

/* True for instructions without text: debug and lifetime marks, aliases of vc_value(). */
bool vc_is_silent(LLVMValueRef instruction);

/* Changes a module so that IGC takes it (prepare.c); printers call it first. */
void vc_prepare(LLVMModuleRef module);

#endif
