/* Converts the facts about messages of the load/store cache to C tables. */
#ifndef CMKIT_TABLES_LSC_H
#define CMKIT_TABLES_LSC_H

/* Elements per address, indexed by their code in llvm.genx.lsc.* (LSC_DATA_ELEMS of vISA); 0: no such code. */
enum { LSC_ELEMENT_CODES = 9 };
static const unsigned char lsc_element_counts[LSC_ELEMENT_CODES] = {0, 1, 2, 3, 4, 8, 16, 32, 64};

static inline unsigned lsc_elements(unsigned code)
{
    return code < LSC_ELEMENT_CODES ? lsc_element_counts[code] : 0;
}

/* Returns the code for `count` elements; 0: a message cannot have that count. */
static inline unsigned lsc_elements_code(unsigned count)
{
    unsigned code = LSC_ELEMENT_CODES - 1;
    while (code && lsc_element_counts[code] != count)
        code--;
    return code;
}

/* Returns the number of data operands of an atomic operation. */
static inline unsigned lsc_atomic_sources(unsigned operation)
{
    static const unsigned char sources[] = {
#define LSC_ATOMIC(NUMBER, TEXT, SOURCES) [NUMBER] = SOURCES,
#include "tables/lsc_atomics.def"
#undef LSC_ATOMIC
    };
    return operation < sizeof sources ? sources[operation] : 0;
}

#endif
