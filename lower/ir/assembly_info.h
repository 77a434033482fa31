/* Describes inline assembly: vISA text with values as operands. */
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
    bool in_place; /* an output: lanes that the text does not write keep their values */
    int tied;      /* an input: number of the output whose old value it is; -1: none */
};

enum { ASSEMBLY_MOST = 30 };

/* Operands are numbered as in the text: outputs, then inputs. Input k is operand k - outputs of the call. */
struct assembly {
    const char *text; /* LLVM's: $0, ${0}, $$ */
    size_t length;
    unsigned outputs, count;
    struct assembly_operand operands[ASSEMBLY_MOST];
};

/* True if `value` is a call of inline assembly. */
bool assembly_is(LLVMValueRef value);

/* Parses the constraints of such a call. False after an error that names the invalid constraint. */
bool assembly_of(LLVMValueRef call, struct assembly *out);

#endif
