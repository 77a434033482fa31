/* Checks values of operands (genx_values.h). A rule says which operand holds a number and how it must agree with other
 * operands. Sources: IGC 1.0.12504, GenXCisaBuilder.cpp (convertChannelMaskToVisaType, LSC operands); vISA's
 * specification (LSC_DATA_ELEMS). */
#include "tools/peer/genx_values.h"

#include <string.h>
#include "lower/ir/ir.h"
#include "tables/lsc.h"

enum { RESULT = -1, NONE = -2 };

enum rule {
    CHANNELS, /* a mask of the channels that are moved: as many as the data has lanes for each address */
    ELEMENTS, /* a number of LSC_DATA_ELEMS: as many as the data has lanes for each address */
    SOURCES,  /* an atomic operation: of its two own operands, those that it does not use are undefined, the others are
                 not */
};

/* The intrinsics whose names begin like this; operands by number. */
static const struct row {
    const char *name;
    enum rule rule;
    unsigned number, addresses;
    int data; /* SOURCES: the first of its own operands */
} rows[] = {
    {"gather4.scaled", CHANNELS, 1, 5, RESULT},
    {"scatter4.scaled", CHANNELS, 1, 5, 6},
    {"svm.gather4.scaled", CHANNELS, 1, 4, RESULT},
    {"svm.scatter4.scaled", CHANNELS, 1, 4, 5},
    {"lsc.load.stateless", ELEMENTS, 7, 10, RESULT},
    {"lsc.load.bti", ELEMENTS, 7, 10, RESULT},
    {"lsc.load.slm", ELEMENTS, 7, 10, RESULT},
    {"lsc.store.stateless", ELEMENTS, 7, 10, 11},
    {"lsc.store.bti", ELEMENTS, 7, 10, 11},
    {"lsc.store.slm", ELEMENTS, 7, 10, 11},
    {"lsc.prefetch.", ELEMENTS, 7, 10, NONE},
    {"lsc.xatomic.", ELEMENTS, 7, 10, RESULT},
    {"lsc.xatomic.", SOURCES, 1, 10, 11},
};

static unsigned data_lanes(LLVMValueRef call, int data)
{
    return type_lanes(LLVMTypeOf(data == RESULT ? call : LLVMGetOperand(call, (unsigned)data)));
}

static bool undefined(LLVMValueRef value)
{
    return LLVMIsUndef(value) || LLVMIsPoison(value);
}

static const char *wrong_channels(LLVMValueRef call, const struct row *row, unsigned mask, unsigned addresses)
{
    if (mask == 0 || mask > 15)
        return "its channel mask moves none of the four channels, or more";
    return (unsigned)__builtin_popcount(mask) * addresses == data_lanes(call, row->data)
               ? NULL
               : "its data has not the lanes of the channels that its mask moves";
}

static const char *wrong_elements(LLVMValueRef call, const struct row *row, unsigned code, unsigned addresses)
{
    unsigned count = lsc_elements(code);
    if (count == 0)
        return "its number of elements is none of LSC_DATA_ELEMS";
    return row->data == NONE || count * addresses == data_lanes(call, row->data)
               ? NULL
               : "its data has not the lanes of its number of elements (LSC_DATA_ELEMS)";
}

static const char *wrong_sources(LLVMValueRef call, const struct row *row, unsigned operation)
{
    for (unsigned k = 0; k < 2; k++) {
        bool wanted = k < lsc_atomic_sources(operation);
        if (!wanted && !undefined(LLVMGetOperand(call, (unsigned)row->data + k)))
            return "a source that its atomic operation lacks is not undef";
    }
    return NULL;
}

const char *genx_wrong_value(LLVMValueRef call, const char *name)
{
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        const struct row *row = &rows[n];
        int64_t number;
        if (strncmp(name, row->name, strlen(row->name)) != 0)
            continue;
        if (!constant_int(LLVMGetOperand(call, row->number), &number))
            return "an operand that must be a constant is none";
        unsigned addresses = type_lanes(LLVMTypeOf(LLVMGetOperand(call, row->addresses)));
        const char *wrong = row->rule == CHANNELS   ? wrong_channels(call, row, (unsigned)number, addresses)
                            : row->rule == ELEMENTS ? wrong_elements(call, row, (unsigned)number, addresses)
                                                    : wrong_sources(call, row, (unsigned)number);
        if (wrong)
            return wrong;
    }
    return NULL;
}
