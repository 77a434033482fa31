/* What the front end and the middle end say to each other about inline assembly. */
#ifndef CMKIT_TABLES_ASSEMBLY_H
#define CMKIT_TABLES_ASSEMBLY_H

/* Ends the text of an asm; behind it stands a letter for each operand, outputs first: U numbers without sign, S others. */
#define CMKIT_ASSEMBLY_SIGNS "//cm-signs:"

#endif
