/* Defines how the front end passes inline assembly to the middle end. */
#ifndef CMKIT_TABLES_ASSEMBLY_H
#define CMKIT_TABLES_ASSEMBLY_H

/* Marks the end of an asm's text. Behind it is one letter for each operand, outputs first: U unsigned, S others. */
#define CMKIT_ASSEMBLY_SIGNS "//cm-signs:"

#endif
