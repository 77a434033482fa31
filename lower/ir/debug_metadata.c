/* Reads debug metadata: see debug_metadata.h. */
#include "lower/ir/debug_metadata.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <llvm-c/DebugInfo.h>
#include "lower/ir/ir.h"

static LLVMValueRef operand_value(LLVMContextRef context, LLVMMetadataRef node, unsigned k)
{
    LLVMValueRef value = LLVMMetadataAsValue(context, node);
    unsigned count = LLVMGetMDNodeNumOperands(value);
    if (k >= count)
        return NULL;
    LLVMValueRef *operands = ir_calloc(count, sizeof *operands);
    LLVMGetMDNodeOperands(value, operands);
    LLVMValueRef found = operands[k];
    free(operands);
    return found;
}

LLVMMetadataRef debug_operand(LLVMContextRef context, LLVMMetadataRef node, unsigned k)
{
    LLVMValueRef found = operand_value(context, node, k);
    return found && !LLVMIsAConstantInt(found) ? LLVMValueAsMetadata(found) : NULL;
}

unsigned debug_operand_count(LLVMContextRef context, LLVMMetadataRef node)
{
    return LLVMGetMDNodeNumOperands(LLVMMetadataAsValue(context, node));
}

const char *debug_text(LLVMContextRef context, LLVMMetadataRef node, unsigned k, unsigned *length)
{
    LLVMValueRef found = operand_value(context, node, k);
    return found ? LLVMGetMDString(found, length) : NULL;
}

bool debug_field(LLVMContextRef context, LLVMMetadataRef node, const char *field, char *out, size_t size)
{
    char wanted[32];
    char *text = LLVMPrintValueToString(LLVMMetadataAsValue(context, node));
    snprintf(wanted, sizeof wanted, "%s: ", field);
    const char *found = strstr(text, wanted);
    if (found) {
        found += strlen(wanted);
        snprintf(out, size, "%.*s", (int)strcspn(found, ",)"), found);
    }
    LLVMDisposeMessage(text);
    return found != NULL;
}

LLVMMetadataRef debug_plain_type(LLVMContextRef context, LLVMMetadataRef type)
{
    while (type) {
        unsigned tag = LLVMGetDINodeTag(type);
        if (tag != DEBUG_TYPEDEF && tag != DEBUG_CONST && tag != DEBUG_VOLATILE && tag != DEBUG_RESTRICT)
            break;
        type = debug_operand(context, type, DEBUG_BASE_TYPE);
    }
    return type;
}

uint64_t debug_subrange_count(LLVMContextRef context, LLVMMetadataRef subrange)
{
    LLVMValueRef count = operand_value(context, subrange, 0);
    return count && LLVMIsAConstantInt(count) ? LLVMConstIntGetZExtValue(count) : 0;
}

unsigned debug_bit_field_bits(LLVMContextRef context, LLVMMetadataRef member)
{
    char flags[160];
    bool is_one = debug_field(context, member, "flags", flags, sizeof flags) && strstr(flags, "BitField");
    return is_one ? (unsigned)LLVMDITypeGetSizeInBits(member) : 0;
}

bool debug_is_reference_class(LLVMMetadataRef type)
{
    size_t length = 0;
    const char *name = LLVMDITypeGetName(type, &length);
    return name && ((length > 11 && strncmp(name, "vector_ref<", 11) == 0) ||
                    (length > 11 && strncmp(name, "matrix_ref<", 11) == 0));
}

LLVMMetadataRef debug_function_of(LLVMContextRef context, LLVMMetadataRef scope)
{
    while (scope && LLVMGetMetadataKind(scope) != LLVMDISubprogramMetadataKind)
        scope = debug_operand(context, scope, DEBUG_SCOPE);
    return scope;
}

bool debug_read_fragment(LLVMValueRef expression, unsigned *offset, unsigned *bytes)
{
    enum { BITS = 8 };
    char *text = LLVMPrintValueToString(expression);
    const char *part = strstr(text, "DW_OP_LLVM_fragment, ");
    unsigned from = 0, bits = 0;
    if (part)
        sscanf(part, "DW_OP_LLVM_fragment, %u, %u", &from, &bits);
    bool plain = strstr(text, "!DIExpression()") || strstr(text, "!DIExpression(DW_OP_LLVM_fragment, ");
    LLVMDisposeMessage(text);
    *offset = from / BITS;
    *bytes = bits / BITS;
    return plain;
}
