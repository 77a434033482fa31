/* Inline assembly: vISA text whose operands are values. */
#ifndef CMKIT_LOWER_IR_ASSEMBLY_INFO_H
#define CMKIT_LOWER_IR_ASSEMBLY_INFO_H

#include "lower/ir/ir.h"

enum assembly_kind {
    ASSEMBLY_REGION,    /* r, a: a variable with its region */
    ASSEMBLY_NAME,      /* rw: a variable's name */
    ASSEMBLY_PREDICATE, /* cr: a predicate's name */
    ASSEMBLY_IMMEDIATE, /* i, F: a constant with its type */
    ASSEMBLY_NUMBER     /* n: its digits */
};

struct assembly_operand {
    enum assembly_kind kind;
    bool is_unsigned;
    bool in_place; /* an output: what the text does not write of it stays */
    int tied; /* an input: number of the output that it is the old value of; -1: none */
};

enum { ASSEMBLY_MOST = 30 };

/* Operands are numbered as in the text: outputs, then inputs. Input k is operand k - outputs of the call. */
struct assembly {
    const char *text; /* LLVM's: $0, ${0}, $$ */
    size_t length;
    unsigned outputs, count;
    struct assembly_operand operands[ASSEMBLY_MOST];
};

/* Whether `value` is a call of assembly. */
bool is_assembly(LLVMValueRef value);

/* What such a call consists of; false after an error that names the constraint that does not exist. */
bool assembly_of(LLVMValueRef call, struct assembly *out);

#endif
