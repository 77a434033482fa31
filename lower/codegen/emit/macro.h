/* Macro instructions and their operands: one vISA operation on any number of lanes, with any regions.
 * Example: add of 48 floats, whose first source is every third element of a variable. legalize/ splits it into vISA
 * instructions. */
#ifndef CMKIT_LOWER_CODEGEN_EMIT_MACRO_H
#define CMKIT_LOWER_CODEGEN_EMIT_MACRO_H

#include "lower/ir/ir.h"
#include "lower/ir/region.h"
#include "visa_emit/visa.h"

enum macro_kind { MACRO_NONE, MACRO_REGION, MACRO_IMMEDIATE, MACRO_MASK, MACRO_ADDRESS };

struct macro_operand {
    enum macro_kind kind;
    enum visa_type type;
    unsigned modifier;
    unsigned variable; /* REGION; MASK: first part */
    unsigned lane;     /* MASK: the lane of the variable's that the first lane of the operation goes by */
    bool channels;     /* MASK: of the channels that are on; VISA_NULL: all of these */
    bool uniform;      /* MASK: all lanes are those of `variable`'s first part, which are equal */
    bool inverse;      /* MASK: the complement of the predicate's lanes */
    enum visa_predicate_control control; /* MASK: each lane for itself, or any or all of them for one lane */
    struct region region;                /* bytes */
    uint64_t bits;                       /* IMMEDIATE: the same in all lanes */
    unsigned address;                    /* ADDRESS: variable whose lanes are read indirectly */
    unsigned offset;                     /* ADDRESS: variable that holds u16 byte offsets: one, or one per lane */
    int offset_at;                       /* ADDRESS: byte in that variable where the first is */
    bool per_lane;                       /* ADDRESS: an address per lane */
    unsigned offsets;                    /* ADDRESS: how many there are: one, or one per lane */
    int group_step; /* ADDRESS: bytes from each eight lanes to the next, which have the same offsets; 0: they have not
                     */
    int extent;     /* ADDRESS: bytes from the first lane that one address reaches to the last one */
    unsigned multiple;          /* ADDRESS: bytes that the offset is known to be a multiple of */
    unsigned most;              /* ADDRESS: the largest that the offset can be; 0: not known, and it may be negative */
    unsigned group, group_lane; /* ADDRESS: lanes of a group to compute together, 0: none; index in the group */
    int group_stride;           /* bytes from one of them to the next */
};

/* A macro instruction: one vISA operation on any number of lanes, with any regions. legalize/ splits it. */
struct macro {
    enum visa_opcode op;
    unsigned lanes;
    bool saturate;
    bool packed; /* bytes that are packed already, not fresh results that the finalizer could leave in words */
    enum visa_condition condition;
    unsigned table;                 /* bfn: see fused_terms.h */
    struct macro_operand predicate; /* MASK or NONE */
    bool inverse;
    struct macro_operand dst;
    struct macro_operand src[4];
    unsigned sources;
};

/* Operands: `lanes` contiguous elements of `variable` from byte `offset` on; one element for all lanes; a number for
 * all lanes. */
struct macro_operand macro_region(unsigned variable, enum visa_type type, int offset, unsigned lanes);
struct macro_operand macro_scalar(unsigned variable, enum visa_type type, int offset);
struct macro_operand macro_immediate(enum visa_type type, uint64_t bits);
static inline struct macro_operand macro_nothing(void)
{
    return (struct macro_operand){.kind = MACRO_NONE};
}

/* A constant of an element's type as immediate. vISA has no immediate bytes: bytes become words of the same value. */
struct macro_operand macro_immediate_of(LLVMTypeRef element, uint64_t bits, char sign);

/* Takes the operand's absolute value: by a source modifier, or in the immediate. */
void macro_make_absolute(struct macro_operand *o);

/* The vISA operand of one lane. */
struct visa_operand macro_general_operand(const struct macro_operand *o);

#endif
