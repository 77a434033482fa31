/* Internal interface of the vISA printer: names of variables, text of operands and instructions. */
#ifndef CMKIT_VISA_EMIT_PRINT_H
#define CMKIT_VISA_EMIT_PRINT_H

#include "visa_emit/visa.h"

/* Requirements of a variable's uses on its declaration. */
struct visa_uses {
    uint32_t types; /* bit set of enum visa_type: the types of its operands */
    uint32_t far;   /* of those that begin behind VISA_MOST_ROWS registers of it */
    bool message;   /* used as a message payload, which starts on a GRF */
    bool copied;    /* moved to such a payload */
};

/* vISA has a byte for the register of an operand in its variable. Operands behind these have an alias that begins
 * there. */
enum { VISA_MOST_ROWS = 256 };

struct visa_printer {
    const struct visa_program *program;
    const struct visa_kernel *kernel;
    struct visa_uses *uses; /* by variable number, predefined ones included */
    FILE *out;
    uint32_t string_base;  /* visa_string_base() */
    visa_printed *printed; /* called after each instruction, or NULL */
    void *user;
};

/* Ends the process: the middle end built an instruction that has no text. This is a bug of cmkit, never of the user. */
_Noreturn void visa_print_bug(const struct visa_printer *printer, const char *what, unsigned number);

/* Output functions without printf formats and without a lock per call: most of the text is names and small numbers. */
static inline void visa_put(const struct visa_printer *printer, const char *text)
{
    fputs_unlocked(text, printer->out);
}

static inline void visa_put_char(const struct visa_printer *printer, char c)
{
    putc_unlocked(c, printer->out);
}

static inline void visa_put_number(const struct visa_printer *printer, unsigned number)
{
    char digits[10];
    size_t at = sizeof digits;
    do
        digits[--at] = (char)('0' + number % 10);
    while (number /= 10);
    fwrite_unlocked(digits + at, 1, sizeof digits - at, printer->out);
}

/* names.c: declarations and names of operands */
void visa_collect_uses(struct visa_printer *printer);
void visa_print_declarations(const struct visa_printer *printer);
void visa_print_name(const struct visa_printer *printer, unsigned variable);
enum visa_type visa_own_type(const struct visa_printer *printer, unsigned variable);
void visa_print_typed_name(const struct visa_printer *printer, unsigned variable, enum visa_type type);

/* Prints the name of the variable that a general operand is in, or of its alias behind VISA_MOST_ROWS registers.
 * Returns the byte of the variable where that begins. */
unsigned visa_print_general_name(const struct visa_printer *printer, const struct visa_operand *operand);
void visa_print_label(const struct visa_printer *printer, int label);

/* Prints an address operand, a lane or an immediate. It has no region: V32(0,4). */
void visa_print_scalar(const struct visa_printer *printer, const struct visa_operand *operand);

/* operand.c: each prints a leading blank */
void visa_print_source(const struct visa_printer *printer, const struct visa_instruction *instruction,
                       const struct visa_operand *operand);
void visa_print_destination(const struct visa_printer *printer, const struct visa_instruction *instruction,
                            const struct visa_operand *operand);
void visa_print_payload(const struct visa_printer *printer, const struct visa_operand *operand, enum visa_type type);

/* assembly.c: the number of instructions that the finalizer counts in the text */
unsigned visa_assembly_length(const struct visa_instruction *instruction);
void visa_print_assembly(const struct visa_printer *printer, const struct visa_instruction *instruction);

/* instruction.c: the type that the finalizer requires for a message payload; VISA_TYPE_COUNT: any */
enum visa_type visa_payload_type(const struct visa_printer *printer, const struct visa_instruction *instruction,
                                 const struct visa_operand *operand);

/* print.c: computes the numbers that the finalizer's listing gives the kernel's instructions. `numbers` has room for
 * all. The finalizer counts the lines that visa_print() writes after `.function`. */
void visa_number(const struct visa_program *program, const struct visa_kernel *kernel, unsigned *numbers);

/* instruction.c: prints one line without its end. The user's assembly may have several lines. */
void visa_print_instruction(const struct visa_printer *printer, const struct visa_instruction *instruction);

/* The mnemonic of an operation, as instructions begin with it. */
const char *visa_operation_text(enum visa_opcode op);

#endif
