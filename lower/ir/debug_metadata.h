/* Reads debug metadata for which LLVM-C has no functions. The operands' numbers are those of LLVM's classes: of LLVM
 * 21, where types have two more, and of earlier releases. */
#ifndef CMKIT_LOWER_IR_DEBUG_METADATA_H
#define CMKIT_LOWER_IR_DEBUG_METADATA_H

#include <stdbool.h>
#include <stdint.h>
#include <llvm-c/Core.h>
#include <llvm/Config/llvm-config.h>

/* Operands of nodes. */
enum {
    DEBUG_SCOPE = 1, /* of types, functions and blocks */
    DEBUG_NAME = 2,  /* of types and functions */
    DEBUG_BASE_TYPE = LLVM_VERSION_MAJOR >= 21 ? 5 : 3,
    DEBUG_ELEMENTS = DEBUG_BASE_TYPE + 1,
    DEBUG_TEMPLATE_PARAMETERS = DEBUG_BASE_TYPE + 3,
    DEBUG_RETAINED = 7,       /* variables of a function */
    DEBUG_VARIABLE_SCOPE = 0, /* of variables */
    DEBUG_VARIABLE_NAME = 1,
    DEBUG_VARIABLE_TYPE = 3
};

/* Tags of types (DWARF 5, section 7.5.3). */
enum debug_tag {
    DEBUG_ARRAY = 0x01,
    DEBUG_CLASS = 0x02,
    DEBUG_ENUMERATION = 0x04,
    DEBUG_MEMBER = 0x0d,
    DEBUG_POINTER = 0x0f,
    DEBUG_REFERENCE = 0x10,
    DEBUG_STRUCTURE = 0x13,
    DEBUG_TYPEDEF = 0x16,
    DEBUG_UNION = 0x17,
    DEBUG_INHERITANCE = 0x1c,
    DEBUG_BASIC = 0x24,
    DEBUG_CONST = 0x26,
    DEBUG_VOLATILE = 0x35,
    DEBUG_RESTRICT = 0x37,
    DEBUG_MOVED_REFERENCE = 0x42
};

/* Returns operand `k` of a node; NULL: it has none, or it is a constant. */
LLVMMetadataRef debug_operand(LLVMContextRef context, LLVMMetadataRef node, unsigned k);
unsigned debug_operand_count(LLVMContextRef context, LLVMMetadataRef node);

/* Returns the text of a string operand; NULL: there is none. It is not terminated. */
const char *debug_text(LLVMContextRef context, LLVMMetadataRef node, unsigned k, unsigned *length);

/* Copies what the printed node has behind `field: `, up to a comma. False: the node has no such field. */
bool debug_field(LLVMContextRef context, LLVMMetadataRef node, const char *field, char *out, size_t size);

/* Returns a type without its names by typedef, const and volatile. NULL: void. */
LLVMMetadataRef debug_plain_type(LLVMContextRef context, LLVMMetadataRef type);

/* The elements of one dimension of an array; 0: not known. */
uint64_t debug_subrange_count(LLVMContextRef context, LLVMMetadataRef subrange);

/* Returns the function that a scope is in, or is; NULL: none. */
LLVMMetadataRef debug_function_of(LLVMContextRef context, LLVMMetadataRef scope);

/* Reads the expression of a debug record: the first byte and the bytes of the part that it is about; 0 bytes: the whole
 * variable. False: it computes something besides. */
bool debug_read_fragment(LLVMValueRef expression, unsigned *offset, unsigned *bytes);

/* Returns the bits of a member that is a bit-field; 0: it is none. */
unsigned debug_bit_field_bits(LLVMContextRef context, LLVMMetadataRef member);

/* True for vector_ref and matrix_ref. */
bool debug_is_reference_class(LLVMMetadataRef type);

#endif
