/* Reports a failure on code that cmc should compile: a fault of cmkit, not of the user. The message says what to do. */
#ifndef CMKIT_LOWER_IR_FAULT_H
#define CMKIT_LOWER_IR_FAULT_H

#define LOWER_FAULT(WHAT)                                                                                              \
    "cmc cannot compile this (" WHAT                                                                                   \
    "): this is a fault of cmkit, not of the kernel; another way to write it, -O1 or "                                 \
    "-O0 may avoid it; please report it with the source"

#endif
