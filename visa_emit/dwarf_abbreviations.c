/* Writes the table of abbreviations: one for each kind of entry in dwarf_variables.h. */
#include "visa_emit/dwarf_abbreviations.h"

#include "visa_emit/dwarf_variables.h"

/* Tags, attributes and forms (section 7). */
enum {
    TAG_ARRAY = 0x01,
    TAG_ENUMERATION = 0x04,
    TAG_PARAMETER = 0x05,
    TAG_BLOCK = 0x0b,
    TAG_MEMBER = 0x0d,
    TAG_POINTER = 0x0f,
    TAG_REFERENCE = 0x10,
    TAG_COMPILE_UNIT = 0x11,
    TAG_STRUCT = 0x13,
    TAG_TYPEDEF = 0x16,
    TAG_UNION = 0x17,
    TAG_INHERITANCE = 0x1c,
    TAG_INLINED = 0x1d,
    TAG_SUBRANGE = 0x21,
    TAG_BASE_TYPE = 0x24,
    TAG_ENUMERATOR = 0x28,
    TAG_SUBPROGRAM = 0x2e,
    TAG_VARIABLE = 0x34
};
enum {
    AT_LOCATION = 0x02,
    AT_NAME = 0x03,
    AT_BYTE_SIZE = 0x0b,
    AT_BIT_SIZE = 0x0d,
    AT_STATEMENTS = 0x10,
    AT_LOW_PC = 0x11,
    AT_HIGH_PC = 0x12,
    AT_LANGUAGE = 0x13,
    AT_FOLDER = 0x1b,
    AT_CONST_VALUE = 0x1c,
    AT_INLINE = 0x20,
    AT_PRODUCER = 0x25,
    AT_ORIGIN = 0x31,
    AT_COUNT = 0x37,
    AT_MEMBER_LOCATION = 0x38,
    AT_FILE = 0x3a,
    AT_LINE = 0x3b,
    AT_ENCODING = 0x3e,
    AT_EXTERNAL = 0x3f,
    AT_TYPE = 0x49,
    AT_RANGES = 0x55,
    AT_CALL_FILE = 0x58,
    AT_CALL_LINE = 0x59,
    AT_DATA_BIT_OFFSET = 0x6b
};
enum {
    FORM_ADDRESS = 0x01,
    FORM_DATA2 = 0x05,
    FORM_DATA8 = 0x07,
    FORM_STRING = 0x08,
    FORM_DATA1 = 0x0b,
    FORM_SDATA = 0x0d,
    FORM_UDATA = 0x0f,
    FORM_REFERENCE4 = 0x13,
    FORM_OFFSET = 0x17,
    FORM_PRESENT = 0x19
};

enum { MOST_ATTRIBUTES = 8 };

static const struct abbreviation {
    enum dwarf_entry number;
    unsigned tag;
    bool children;
    uint8_t attributes[MOST_ATTRIBUTES][2]; /* up to one of zeros */
} abbreviations[] = {
    {DWARF_UNIT,
     TAG_COMPILE_UNIT,
     true,
     {{AT_PRODUCER, FORM_STRING},
      {AT_LANGUAGE, FORM_DATA2},
      {AT_NAME, FORM_STRING},
      {AT_FOLDER, FORM_STRING},
      {AT_LOW_PC, FORM_ADDRESS},
      {AT_HIGH_PC, FORM_DATA8},
      {AT_STATEMENTS, FORM_OFFSET}}},
    {DWARF_KERNEL,
     TAG_SUBPROGRAM,
     true,
     {{AT_NAME, FORM_STRING},
      {AT_FILE, FORM_UDATA},
      {AT_LINE, FORM_UDATA},
      {AT_EXTERNAL, FORM_PRESENT},
      {AT_LOW_PC, FORM_ADDRESS},
      {AT_HIGH_PC, FORM_DATA8}}},
    {DWARF_FUNCTION,
     TAG_SUBPROGRAM,
     true,
     {{AT_NAME, FORM_STRING},
      {AT_FILE, FORM_UDATA},
      {AT_LINE, FORM_UDATA},
      {AT_LOW_PC, FORM_ADDRESS},
      {AT_HIGH_PC, FORM_DATA8}}},
    {DWARF_NUMBER,
     TAG_BASE_TYPE,
     false,
     {{AT_NAME, FORM_STRING}, {AT_BYTE_SIZE, FORM_UDATA}, {AT_ENCODING, FORM_DATA1}}},
    {DWARF_ENUMERATION, TAG_ENUMERATION, true, {{AT_NAME, FORM_STRING}, {AT_BYTE_SIZE, FORM_UDATA}}},
    {DWARF_ENUMERATOR, TAG_ENUMERATOR, false, {{AT_NAME, FORM_STRING}, {AT_CONST_VALUE, FORM_SDATA}}},
    {DWARF_ARRAY, TAG_ARRAY, true, {{AT_TYPE, FORM_REFERENCE4}}},
    {DWARF_DIMENSION, TAG_SUBRANGE, false, {{AT_COUNT, FORM_UDATA}}},
    {DWARF_STRUCT, TAG_STRUCT, true, {{AT_NAME, FORM_STRING}, {AT_BYTE_SIZE, FORM_UDATA}}},
    {DWARF_STRUCT_WITHOUT_NAME, TAG_STRUCT, true, {{AT_BYTE_SIZE, FORM_UDATA}}},
    {DWARF_UNION, TAG_UNION, true, {{AT_NAME, FORM_STRING}, {AT_BYTE_SIZE, FORM_UDATA}}},
    {DWARF_UNION_WITHOUT_NAME, TAG_UNION, true, {{AT_BYTE_SIZE, FORM_UDATA}}},
    {DWARF_MEMBER,
     TAG_MEMBER,
     false,
     {{AT_NAME, FORM_STRING}, {AT_TYPE, FORM_REFERENCE4}, {AT_MEMBER_LOCATION, FORM_UDATA}}},
    {DWARF_BIT_FIELD,
     TAG_MEMBER,
     false,
     {{AT_NAME, FORM_STRING}, {AT_TYPE, FORM_REFERENCE4}, {AT_BIT_SIZE, FORM_UDATA}, {AT_DATA_BIT_OFFSET, FORM_UDATA}}},
    {DWARF_BASE, TAG_INHERITANCE, false, {{AT_TYPE, FORM_REFERENCE4}, {AT_MEMBER_LOCATION, FORM_UDATA}}},
    {DWARF_NAME_OF_TYPE, TAG_TYPEDEF, false, {{AT_NAME, FORM_STRING}, {AT_TYPE, FORM_REFERENCE4}}},
    {DWARF_POINTER, TAG_POINTER, false, {{AT_BYTE_SIZE, FORM_UDATA}}},
    {DWARF_POINTER_TO, TAG_POINTER, false, {{AT_TYPE, FORM_REFERENCE4}, {AT_BYTE_SIZE, FORM_UDATA}}},
    {DWARF_REFERENCE_TO, TAG_REFERENCE, false, {{AT_TYPE, FORM_REFERENCE4}, {AT_BYTE_SIZE, FORM_UDATA}}},
    {DWARF_PARAMETER,
     TAG_PARAMETER,
     false,
     {{AT_NAME, FORM_STRING},
      {AT_FILE, FORM_UDATA},
      {AT_LINE, FORM_UDATA},
      {AT_TYPE, FORM_REFERENCE4},
      {AT_LOCATION, FORM_OFFSET}}},
    {DWARF_PARAMETER_ELSEWHERE,
     TAG_PARAMETER,
     false,
     {{AT_NAME, FORM_STRING}, {AT_FILE, FORM_UDATA}, {AT_LINE, FORM_UDATA}, {AT_TYPE, FORM_REFERENCE4}}},
    {DWARF_VARIABLE,
     TAG_VARIABLE,
     false,
     {{AT_NAME, FORM_STRING},
      {AT_FILE, FORM_UDATA},
      {AT_LINE, FORM_UDATA},
      {AT_TYPE, FORM_REFERENCE4},
      {AT_LOCATION, FORM_OFFSET}}},
    {DWARF_VARIABLE_ELSEWHERE,
     TAG_VARIABLE,
     false,
     {{AT_NAME, FORM_STRING}, {AT_FILE, FORM_UDATA}, {AT_LINE, FORM_UDATA}, {AT_TYPE, FORM_REFERENCE4}}},
    {DWARF_BLOCK, TAG_BLOCK, true, {{AT_RANGES, FORM_OFFSET}}},
    {DWARF_INLINED,
     TAG_INLINED,
     true,
     {{AT_ORIGIN, FORM_REFERENCE4}, {AT_RANGES, FORM_OFFSET}, {AT_CALL_FILE, FORM_UDATA}, {AT_CALL_LINE, FORM_UDATA}}},
    {DWARF_ORIGIN,
     TAG_SUBPROGRAM,
     false,
     {{AT_NAME, FORM_STRING}, {AT_FILE, FORM_UDATA}, {AT_LINE, FORM_UDATA}, {AT_INLINE, FORM_DATA1}}},
};

void dwarf_put_abbreviations(struct dwarf_writer *w)
{
    for (size_t i = 0; i < sizeof abbreviations / sizeof *abbreviations; i++) {
        const struct abbreviation *a = &abbreviations[i];
        dwarf_put_unsigned(w, a->number);
        dwarf_put_unsigned(w, a->tag);
        dwarf_put(w, a->children, 1);
        for (unsigned k = 0; k < MOST_ATTRIBUTES && a->attributes[k][0]; k++) {
            dwarf_put_unsigned(w, a->attributes[k][0]);
            dwarf_put_unsigned(w, a->attributes[k][1]);
        }
        dwarf_put_unsigned(w, 0);
        dwarf_put_unsigned(w, 0);
    }
    dwarf_put_unsigned(w, 0);
}
