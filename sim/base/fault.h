/* A fault stops the simulated program with one report. The code that finds it records what it knows. Every layer above
 * adds its own facts (the EU the instruction, the walker the group and thread), and then the process ends with status
 * 126. With gensim --on-fault=continue, a bad access of a thread is reported and skipped, and the thread continues. */
#ifndef CMKIT_SIM_FAULT_H
#define CMKIT_SIM_FAULT_H

#include <stdint.h>
#include <stdio.h>

struct sim_fault {
    int raised;       /* 0: no fault */
    char what[256];   /* one sentence, no newline: "oword block read: surface 3 is not bound" */
    uint64_t address; /* GPU address concerned, if has_address */
    int has_address;
    uint32_t ip; /* byte offset of the instruction in the kernel, if has_ip */
    int has_ip;
    char instruction[160]; /* its disassembly */
    char source[192];      /* "scale.cl:7", "" if not known */
    int dropped;           /* the access was left out: the thread may go on */
};

/* Raises the fault, unless one is raised already (the first is the cause). Always returns 0, so that a handler can say
 * `return sim_fault_raise(f, ...)`. */
int sim_fault_raise(struct sim_fault *fault, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Like sim_fault_raise(), for an access of `size` bytes at `address` that no submitted object covers. */
int sim_fault_raise_address(struct sim_fault *fault, uint64_t address, uint64_t size, const char *what);

/* Copies the text of the source line "FILE:LINE", without indentation; "" where the file cannot be read. */
void sim_source_text(const char *source, char *text, size_t room);
/* The same of line `number` of an open file, which it closes; NULL: "". */
void sim_line_text(FILE *file, long number, char *text, size_t room);

/* Prints the report to `out`: one line starting "gensim: fault: ", then indented detail lines. */
void sim_fault_print(const struct sim_fault *fault, const char *where, FILE *out);

#endif
