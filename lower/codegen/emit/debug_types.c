/* Describes types of the source for debuggers: see debug_types.h. */
#include "lower/codegen/emit/debug_types.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <llvm-c/DebugInfo.h>
#include "lower/ir/debug_metadata.h"

void *cg_debug_grown(struct visa_program *program, void *array, size_t count, size_t *capacity, size_t element)
{
    if (count < *capacity)
        return array;
    *capacity = *capacity ? 2 * *capacity : 8;
    void *larger = visa_alloc(program, *capacity * element);
    if (count)
        memcpy(larger, array, count * element);
    return larger;
}

static const char *name_of(struct cg_types *t, LLVMMetadataRef type)
{
    size_t length = 0;
    const char *name = LLVMDITypeGetName(type, &length);
    char *copy = name && length ? strndup(name, length) : NULL;
    const char *kept = copy ? visa_string(t->program, copy) : NULL;
    free(copy);
    return kept;
}

static unsigned add(struct cg_types *t, const struct debug_type *type)
{
    struct debug_unit *unit = t->unit;
    unit->types = cg_debug_grown(t->program, unit->types, unit->type_count, &unit->type_capacity, sizeof *unit->types);
    unit->types[unit->type_count++] = *type;
    return (unsigned)unit->type_count;
}

static void add_member(struct cg_types *t, struct debug_type *type, size_t *capacity, struct debug_member member)
{
    type->members = cg_debug_grown(t->program, type->members, type->member_count, capacity, sizeof *type->members);
    type->members[type->member_count++] = member;
}

/* Reads a number's encoding by its name in the metadata. */
static unsigned encoding_of(struct cg_types *t, LLVMMetadataRef type)
{
    static const struct {
        const char *name;
        unsigned number; /* DW_ATE_... */
    } all[] = {{"DW_ATE_boolean", 2},     {"DW_ATE_float", 4},    {"DW_ATE_signed", 5},
               {"DW_ATE_signed_char", 6}, {"DW_ATE_unsigned", 7}, {"DW_ATE_unsigned_char", 8}};
    char name[32];
    if (!debug_field(t->context, type, "encoding", name, sizeof name))
        return 0;
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        if (strcmp(all[k].name, name) == 0)
            return all[k].number;
    return 0;
}

/* An array of several dimensions is an array of arrays. */
static unsigned add_array(struct cg_types *t, LLVMMetadataRef array)
{
    LLVMMetadataRef dimensions = debug_operand(t->context, array, DEBUG_ELEMENTS);
    unsigned of = cg_debug_type(t, debug_operand(t->context, array, DEBUG_BASE_TYPE));
    for (unsigned k = dimensions ? debug_operand_count(t->context, dimensions) : 0; k-- > 0 && of;) {
        uint64_t count = debug_subrange_count(t->context, debug_operand(t->context, dimensions, k));
        struct debug_type type = {.kind = DEBUG_TYPE_ARRAY, .of = of, .count = count};
        type.bytes = (unsigned)count * t->unit->types[of - 1].bytes;
        of = add(t, &type);
    }
    return of;
}

static unsigned add_enumeration(struct cg_types *t, LLVMMetadataRef enumeration, struct debug_type type)
{
    LLVMMetadataRef list = debug_operand(t->context, enumeration, DEBUG_ELEMENTS);
    size_t capacity = 0;
    type.kind = DEBUG_TYPE_ENUMERATION;
    for (unsigned k = 0; list && k < debug_operand_count(t->context, list); k++) {
        LLVMMetadataRef enumerator = debug_operand(t->context, list, k);
        char value[32], name[256];
        if (!debug_field(t->context, enumerator, "value", value, sizeof value) ||
            !debug_field(t->context, enumerator, "name", name, sizeof name))
            continue;
        name[strlen(name) - 1] = 0; /* it is in quotes */
        add_member(
            t, &type, &capacity,
            (struct debug_member){.name = visa_string(t->program, name + 1), .at = (uint64_t)strtoll(value, NULL, 10)});
    }
    return add(t, &type);
}

/* The elements that a reference names: vector_ref<int, 8> has eight. */
static void add_named_elements(struct cg_types *t, LLVMMetadataRef type, struct debug_type *described)
{
    const char *first = strchr(described->name, '<'), *comma = first ? strchr(first, ',') : NULL;
    enum { PARAMETER_TYPE = 1 };
    LLVMMetadataRef list = debug_operand(t->context, type, DEBUG_TEMPLATE_PARAMETERS);
    LLVMMetadataRef element =
        list ? debug_operand(t->context, debug_operand(t->context, list, 0), PARAMETER_TYPE) : NULL;
    struct debug_type array = {.kind = DEBUG_TYPE_ARRAY, .of = element ? cg_debug_type(t, element) : 0, .count = 1};
    size_t capacity = 0;
    described->member_count = 0;
    while (comma) {
        array.count *= strtoull(comma + 1, NULL, 10);
        comma = strchr(comma + 1, ',');
    }
    if (!array.of || !array.count)
        return;
    described->bytes = array.bytes = (unsigned)array.count * t->unit->types[array.of - 1].bytes;
    add_member(t, described, &capacity, (struct debug_member){.name = "data_", .type = add(t, &array)});
}

/* Returns the tag of a member that objects have, DEBUG_MEMBER or DEBUG_INHERITANCE; 0: it is static, or a function. */
static unsigned tag_of_member(struct cg_types *t, LLVMMetadataRef member)
{
    char flags[160];
    unsigned tag = LLVMGetMetadataKind(member) == LLVMDIDerivedTypeMetadataKind ? LLVMGetDINodeTag(member) : 0;
    bool is_static =
        tag && debug_field(t->context, member, "flags", flags, sizeof flags) && strstr(flags, "StaticMember");
    return (tag == DEBUG_MEMBER || tag == DEBUG_INHERITANCE) && !is_static ? tag : 0;
}

/* True if objects of a class have members; the bases of vectors have none. */
static bool has_members(struct cg_types *t, LLVMMetadataRef type)
{
    LLVMMetadataRef plain = debug_plain_type(t->context, type),
                    members = plain ? debug_operand(t->context, plain, DEBUG_ELEMENTS) : NULL;
    for (unsigned k = 0; members && k < debug_operand_count(t->context, members); k++) {
        LLVMMetadataRef member = debug_operand(t->context, members, k);
        unsigned tag = tag_of_member(t, member);
        if (tag == DEBUG_MEMBER ||
            (tag == DEBUG_INHERITANCE && has_members(t, debug_operand(t->context, member, DEBUG_BASE_TYPE))))
            return true;
    }
    return false;
}

/* A pointer has its number before the type behind it is known, of which a pointer may be a member. */
static unsigned add_pointer_to(struct cg_types *t, LLVMMetadataRef type)
{
    struct debug_type pointer = {.kind = DEBUG_TYPE_POINTER, .bytes = 8};
    unsigned number = add(t, &pointer);
    pointer_map_set(&t->numbers, type, number);
    unsigned of = cg_debug_type(t, debug_operand(t->context, type, DEBUG_BASE_TYPE));
    t->unit->types[number - 1].of = of;
    return number;
}

/* A member that is a C++ reference is an address; a variable that is one is what it names. Returns the number of the
 * former's type; 0: it is no reference. */
static unsigned type_of_reference(struct cg_types *t, LLVMMetadataRef type)
{
    LLVMMetadataRef plain = debug_plain_type(t->context, type);
    unsigned tag = plain ? LLVMGetDINodeTag(plain) : 0;
    size_t known;
    if (tag != DEBUG_REFERENCE && tag != DEBUG_MOVED_REFERENCE)
        return 0;
    if (pointer_map_get(&t->member_references, plain, &known))
        return (unsigned)known;
    struct debug_type reference = {.kind = DEBUG_TYPE_POINTER, .bytes = 8, .is_reference = true};
    unsigned number = add(t, &reference);
    pointer_map_set(&t->member_references, plain, number);
    unsigned of = cg_debug_type(t, debug_operand(t->context, plain, DEBUG_BASE_TYPE));
    t->unit->types[number - 1].of = of;
    return number;
}

static void add_members(struct cg_types *t, LLVMMetadataRef type, struct debug_type *described)
{
    LLVMMetadataRef members = debug_operand(t->context, type, DEBUG_ELEMENTS);
    size_t capacity = 0;
    for (unsigned k = 0; members && k < debug_operand_count(t->context, members); k++) {
        LLVMMetadataRef member = debug_operand(t->context, members, k);
        unsigned tag = tag_of_member(t, member);
        LLVMMetadataRef of = tag ? debug_operand(t->context, member, DEBUG_BASE_TYPE) : NULL;
        if (!of || (tag == DEBUG_INHERITANCE && !has_members(t, of)))
            continue;
        struct debug_member m = {.name = name_of(t, member), .is_base = tag == DEBUG_INHERITANCE};
        m.type = type_of_reference(t, of);
        m.type = m.type ? m.type : cg_debug_type(t, of);
        m.bits = debug_bit_field_bits(t->context, member);
        m.at = LLVMDITypeGetOffsetInBits(member) / (m.bits ? 1 : 8);
        if (m.type)
            add_member(t, described, &capacity, m);
    }
}

/* A struct has its number before its members are known: pointers to it are members of some. */
static unsigned add_struct(struct cg_types *t, LLVMMetadataRef type, struct debug_type described)
{
    described.kind = DEBUG_TYPE_STRUCT;
    described.is_union = LLVMGetDINodeTag(type) == DEBUG_UNION;
    unsigned number = add(t, &described);
    pointer_map_set(&t->numbers, type, number);
    if (described.name && debug_is_reference_class(type))
        add_named_elements(t, type, &described);
    else
        add_members(t, type, &described);
    t->unit->types[number - 1] = described;
    return number;
}

static unsigned add_type(struct cg_types *t, LLVMMetadataRef type)
{
    struct debug_type described = {.name = name_of(t, type), .bytes = (unsigned)(LLVMDITypeGetSizeInBits(type) / 8)};
    switch (LLVMGetDINodeTag(type)) {
    case DEBUG_BASIC:
        described.encoding = encoding_of(t, type);
        return described.encoding && described.bytes ? add(t, &described) : 0;
    case DEBUG_ENUMERATION: return add_enumeration(t, type, described);
    case DEBUG_ARRAY: return add_array(t, type);
    case DEBUG_CLASS:
    case DEBUG_STRUCTURE:
    case DEBUG_UNION: return add_struct(t, type, described);
    case DEBUG_POINTER: return add_pointer_to(t, type);
    case DEBUG_TYPEDEF:
        described.kind = DEBUG_TYPE_NAME;
        described.of = cg_debug_type(t, debug_operand(t->context, type, DEBUG_BASE_TYPE));
        described.bytes = described.of ? t->unit->types[described.of - 1].bytes : 0;
        return described.of ? add(t, &described) : 0;
    case DEBUG_CONST:
    case DEBUG_VOLATILE:
    case DEBUG_RESTRICT:
    case DEBUG_REFERENCE:
    case DEBUG_MOVED_REFERENCE: return cg_debug_type(t, debug_operand(t->context, type, DEBUG_BASE_TYPE));
    default: return 0;
    }
}

unsigned cg_debug_type(struct cg_types *t, LLVMMetadataRef type)
{
    size_t known;
    if (!type)
        return 0;
    if (pointer_map_get(&t->numbers, type, &known))
        return (unsigned)known;
    unsigned number = add_type(t, type);
    pointer_map_set(&t->numbers, type, number);
    return number;
}
