/* Builds watches of a variable part by part: a number, a row of numbers, the elements that a reference names. */
#include "lower/debug/watch_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <llvm-c/DebugInfo.h>
#include "lower/ir/watch.h"
#include "lower/ir/debug_metadata.h"

enum { MOST_ELEMENTS = 64 }; /* of an array of structs */

/* The LLVM type that a number of the source has in memory; NULL: it is no number. */
static LLVMTypeRef number_type(struct watch_parts *w, LLVMMetadataRef type)
{
    char encoding[32];
    if (LLVMGetDINodeTag(type) == DEBUG_ENUMERATION) {
        unsigned bits = (unsigned)LLVMDITypeGetSizeInBits(type);
        return bits == 8 || bits == 16 || bits == 32 || bits == 64 ? LLVMIntTypeInContext(w->context, bits) : NULL;
    }
    if (LLVMGetDINodeTag(type) != DEBUG_BASIC || !debug_field(w->context, type, "encoding", encoding, sizeof encoding))
        return NULL;
    unsigned bits = (unsigned)LLVMDITypeGetSizeInBits(type);
    if (strcmp(encoding, "DW_ATE_float") == 0)
        return bits == 16   ? LLVMHalfTypeInContext(w->context)
               : bits == 32 ? LLVMFloatTypeInContext(w->context)
               : bits == 64 ? LLVMDoubleTypeInContext(w->context)
                            : NULL;
    return bits == 8 || bits == 16 || bits == 32 || bits == 64 ? LLVMIntTypeInContext(w->context, bits) : NULL;
}

LLVMValueRef watch_build(struct watch_parts *w, LLVMValueRef value, uint64_t offset)
{
    char name[64];
    LLVMTypeRef type = LLVMTypeOf(value), i32 = LLVMInt32TypeInContext(w->context);
    if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
        snprintf(name, sizeof name, WATCH_PREFIX "p%u", LLVMGetPointerAddressSpace(type));
    else
        snprintf(name, sizeof name, WATCH_PREFIX "%u%c%u", type_lanes(type), type_is_float(type) ? 'f' : 'i',
                 type_element_bits(type));
    LLVMTypeRef types[WATCH_OPERANDS] = {i32, i32, i32, type};
    LLVMTypeRef signature = LLVMFunctionType(LLVMVoidTypeInContext(w->context), types, WATCH_OPERANDS, false);
    LLVMValueRef function = LLVMGetNamedFunction(w->module, name);
    if (!function) {
        enum { CHANGES_NO_VARIABLE = 3 << 2 }; /* reads and writes memory that the module does not see */
        function = LLVMAddFunction(w->module, name, signature);
        unsigned memory = LLVMGetEnumAttributeKindForName("memory", 6),
                 no_unwind = LLVMGetEnumAttributeKindForName("nounwind", 8);
        LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex,
                                LLVMCreateEnumAttribute(w->context, memory, CHANGES_NO_VARIABLE));
        LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex,
                                LLVMCreateEnumAttribute(w->context, no_unwind, 0));
    }
    LLVMValueRef operands[WATCH_OPERANDS] = {constant_i32(w->module, w->number), constant_i32(w->module, (int)offset),
                                             constant_i32(w->module, w->facts), value};
    return LLVMBuildCall2(w->builder, signature, function, operands, WATCH_OPERANDS, "");
}

LLVMValueRef watch_behind(struct watch_parts *w, LLVMValueRef address, uint64_t offset)
{
    LLVMValueRef index = LLVMConstInt(LLVMInt64TypeInContext(w->context), offset, false);
    return offset ? LLVMBuildGEP2(w->builder, LLVMInt8TypeInContext(w->context), address, &index, 1, "") : address;
}

static void watch_numbers(struct watch_parts *w, LLVMTypeRef element, unsigned lanes, LLVMValueRef address,
                          uint64_t offset)
{
    LLVMTypeRef type = lanes == 1 ? element : LLVMVectorType(element, lanes);
    LLVMValueRef value = LLVMBuildLoad2(w->builder, type, watch_behind(w, address, offset), "");
    LLVMSetAlignment(value, type_element_bytes(element));
    watch_build(w, value, offset);
}

/* Returns the elements of all dimensions of an array; 0: not known. */
static uint64_t count_elements(struct watch_parts *w, LLVMMetadataRef array)
{
    LLVMMetadataRef dimensions = debug_operand(w->context, array, DEBUG_ELEMENTS);
    unsigned count = dimensions ? debug_operand_count(w->context, dimensions) : 0;
    uint64_t elements = count > 0;
    for (unsigned k = 0; k < count; k++)
        elements *= debug_subrange_count(w->context, debug_operand(w->context, dimensions, k));
    return elements;
}

static void watch_type(struct watch_parts *w, LLVMMetadataRef type, LLVMValueRef address, uint64_t offset);

static void watch_array(struct watch_parts *w, LLVMMetadataRef array, LLVMValueRef address, uint64_t offset)
{
    uint64_t elements = count_elements(w, array);
    LLVMMetadataRef type = debug_plain_type(w->context, debug_operand(w->context, array, DEBUG_BASE_TYPE));
    LLVMTypeRef number = type ? number_type(w, type) : NULL;
    if (number && elements > 0 && elements <= WATCH_MOST_BYTES)
        watch_numbers(w, number, (unsigned)elements, address, offset);
    uint64_t bytes = type ? LLVMDITypeGetSizeInBits(type) / 8 : 0;
    for (uint64_t k = 0; !number && type && elements <= MOST_ELEMENTS && k < elements; k++)
        watch_type(w, type, address, offset + k * bytes);
}

/* Watches the bytes that a bit-field has bits in. */
static void watch_bit_field(struct watch_parts *w, LLVMMetadataRef member, unsigned bits, LLVMValueRef address,
                            uint64_t offset)
{
    enum { BITS = 8 };
    uint64_t first = LLVMDITypeGetOffsetInBits(member) / BITS;
    uint64_t end = (LLVMDITypeGetOffsetInBits(member) + bits - 1) / BITS + 1;
    if (w->all)
        watch_numbers(w, LLVMInt8TypeInContext(w->context), (unsigned)(end - first), address, offset + first);
}

static void watch_members(struct watch_parts *w, LLVMMetadataRef type, LLVMValueRef address, uint64_t offset)
{
    char flags[160];
    LLVMMetadataRef members = debug_operand(w->context, type, DEBUG_ELEMENTS);
    for (unsigned k = 0; members && k < debug_operand_count(w->context, members); k++) {
        LLVMMetadataRef member = debug_operand(w->context, members, k);
        LLVMMetadataKind kind = LLVMGetMetadataKind(member);
        unsigned tag = kind == LLVMDIDerivedTypeMetadataKind ? LLVMGetDINodeTag(member) : 0;
        if (tag != DEBUG_MEMBER && tag != DEBUG_INHERITANCE)
            continue;
        if (debug_field(w->context, member, "flags", flags, sizeof flags) && strstr(flags, "StaticMember"))
            continue;
        LLVMMetadataRef base = debug_operand(w->context, member, DEBUG_BASE_TYPE);
        unsigned bits = debug_bit_field_bits(w->context, member);
        if (bits)
            watch_bit_field(w, member, bits, address, offset);
        else
            watch_type(w, base, address, offset + LLVMDITypeGetOffsetInBits(member) / 8);
    }
}

/* The number type of the elements of vector_ref<T, N> and matrix_ref<T, R, C>, and their number. */
static LLVMTypeRef element_of_reference(struct watch_parts *w, LLVMMetadataRef type, unsigned *lanes)
{
    enum { PARAMETER_TYPE = 1 };
    LLVMMetadataRef list = debug_operand(w->context, type, DEBUG_TEMPLATE_PARAMETERS);
    unsigned count = list ? debug_operand_count(w->context, list) : 0;
    LLVMMetadataRef element =
        count ? debug_operand(w->context, debug_operand(w->context, list, 0), PARAMETER_TYPE) : NULL;
    element = debug_plain_type(w->context, element);
    *lanes = count > 1;
    for (unsigned k = 1; k < count; k++) {
        char number[32];
        LLVMMetadataRef parameter = debug_operand(w->context, list, k);
        if (!debug_field(w->context, parameter, "value", number, sizeof number))
            return NULL;
        const char *digits = strchr(number, ' ');
        unsigned factor = 0;
        if (!digits || sscanf(digits, "%u", &factor) != 1)
            return NULL;
        *lanes *= factor;
    }
    return element && *lanes ? number_type(w, element) : NULL;
}

/* Reads a reference's elements as its own function does: its first member is an address, its second has offsets. */
static void watch_reference(struct watch_parts *w, LLVMMetadataRef type, LLVMValueRef address)
{
    char name[64];
    unsigned lanes;
    LLVMTypeRef number = element_of_reference(w, type, &lanes);
    LLVMMetadataRef members = debug_operand(w->context, type, DEBUG_ELEMENTS);
    uint64_t at = 0;
    for (unsigned k = 0; members && k < debug_operand_count(w->context, members); k++) {
        LLVMMetadataRef member = debug_operand(w->context, members, k);
        size_t length = 0;
        if (LLVMGetMetadataKind(member) != LLVMDIDerivedTypeMetadataKind || LLVMGetDINodeTag(member) != DEBUG_MEMBER)
            continue;
        const char *member_name = LLVMDITypeGetName(member, &length);
        if (member_name && length == 5 && strncmp(member_name, "lane_", 5) == 0)
            at = LLVMDITypeGetOffsetInBits(member) / 8;
    }
    if (!number || !at)
        return;
    LLVMTypeRef pointer = LLVMPointerTypeInContext(w->context, 0),
                offsets = LLVMVectorType(LLVMInt16TypeInContext(w->context), lanes),
                value = LLVMVectorType(number, lanes), types[] = {pointer, offsets};
    LLVMTypeRef signature = LLVMFunctionType(value, types, 2, false);
    snprintf(name, sizeof name, "_Z10__cm_rdref.watch.%u%c%u", lanes, type_is_float(number) ? 'f' : 'i',
             type_element_bits(number));
    LLVMValueRef function = LLVMGetNamedFunction(w->module, name);
    if (!function)
        function = LLVMAddFunction(w->module, name, signature);
    LLVMValueRef operands[] = {LLVMBuildLoad2(w->builder, pointer, address, ""),
                               LLVMBuildLoad2(w->builder, offsets, watch_behind(w, address, at), "")};
    watch_build(w, LLVMBuildCall2(w->builder, signature, function, operands, 2, ""), 0);
}

/* Watches a pointer or C++ reference in a structure or an array, or behind a reference; pass_watch_pointers() makes a
 * number of it. */
static void watch_inner_pointer(struct watch_parts *w, LLVMMetadataRef type, LLVMValueRef address, uint64_t offset)
{
    enum { BITS = 64 };
    char space[16] = "0"; /* another one: a pointer to shared local memory, an offset */
    debug_field(w->context, type, "dwarfAddressSpace", space, sizeof space);
    if (!w->all || LLVMDITypeGetSizeInBits(type) != BITS || strcmp(space, "0") != 0)
        return;
    LLVMTypeRef pointer = LLVMPointerTypeInContext(w->context, 0);
    watch_build(w, LLVMBuildLoad2(w->builder, pointer, watch_behind(w, address, offset), ""), offset);
}

/* The same of a variable that is a pointer. */
static void watch_pointer(struct watch_parts *w, LLVMMetadataRef type, LLVMValueRef variable)
{
    LLVMTypeRef kind = LLVMIsAAllocaInst(variable) ? LLVMGetAllocatedType(variable) : NULL;
    if (!kind)
        watch_inner_pointer(w, type, variable, 0);
    else if (w->all && LLVMGetTypeKind(kind) == LLVMPointerTypeKind)
        watch_build(w, LLVMBuildLoad2(w->builder, kind, variable, ""), 0);
}

/* Watches the bytes of a union: which member was written last is not known. */
static void watch_union(struct watch_parts *w, LLVMMetadataRef type, LLVMValueRef address, uint64_t offset)
{
    uint64_t bytes = LLVMDITypeGetSizeInBits(type) / 8;
    if (w->all && bytes > 0 && bytes <= WATCH_MOST_BYTES)
        watch_numbers(w, LLVMInt8TypeInContext(w->context), (unsigned)bytes, address, offset);
}

static void watch_type(struct watch_parts *w, LLVMMetadataRef type, LLVMValueRef address, uint64_t offset)
{
    type = debug_plain_type(w->context, type);
    LLVMTypeRef number = type ? number_type(w, type) : NULL;
    if (!type)
        return;
    if (number) {
        watch_numbers(w, number, 1, address, offset);
        return;
    }
    switch (LLVMGetDINodeTag(type)) {
    case DEBUG_ARRAY: watch_array(w, type, address, offset); break;
    case DEBUG_UNION: watch_union(w, type, address, offset); break;
    case DEBUG_REFERENCE:
    case DEBUG_MOVED_REFERENCE:
    case DEBUG_POINTER: watch_inner_pointer(w, type, address, offset); break;
    case DEBUG_CLASS:
    case DEBUG_STRUCTURE:
        if (!debug_is_reference_class(type))
            watch_members(w, type, address, offset);
        break;
    default: break;
    }
}

void watch_parts_build(struct watch_parts *w, LLVMMetadataRef type, LLVMValueRef address)
{
    if (debug_is_reference_class(type))
        watch_reference(w, type, address);
    else if (LLVMGetDINodeTag(type) == DEBUG_POINTER)
        watch_pointer(w, type, address);
    else
        watch_type(w, type, address, 0);
}

unsigned watch_value_bytes(LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    return type_lanes(type) * type_element_bytes(type);
}

LLVMMetadataRef *watch_variables_of(LLVMModuleRef module, unsigned *count)
{
    *count = LLVMGetNamedMetadataNumOperands(module, WATCH_LIST);
    LLVMValueRef *list = ir_calloc(*count, sizeof *list);
    LLVMMetadataRef *variables = ir_calloc(*count, sizeof *variables);
    LLVMGetNamedMetadataOperands(module, WATCH_LIST, list);
    for (unsigned k = 0; k < *count; k++)
        variables[k] = LLVMValueAsMetadata(list[k]);
    free(list);
    return variables;
}

unsigned watch_variable_bytes(LLVMContextRef context, LLVMMetadataRef variable)
{
    LLVMMetadataRef type = debug_plain_type(context, debug_operand(context, variable, DEBUG_VARIABLE_TYPE));
    return type ? (unsigned)(LLVMDITypeGetSizeInBits(type) / 8) : 0;
}

LLVMMetadataRef watch_expression(LLVMContextRef context, LLVMDIBuilderRef builder, LLVMMetadataRef variable,
                                 unsigned offset, unsigned bytes)
{
    enum { FRAGMENT = 0x1000, BITS = 8, OPERANDS = 3 }; /* DW_OP_LLVM_fragment */
    uint64_t fragment[OPERANDS] = {FRAGMENT, (uint64_t)BITS * offset, (uint64_t)BITS * bytes};
    bool whole = watch_variable_bytes(context, variable) == bytes;
    return LLVMDIBuilderCreateExpression(builder, fragment, whole ? 0 : OPERANDS);
}
