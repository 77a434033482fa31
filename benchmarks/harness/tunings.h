/* Declares the database of `cmbench tune`: a file of JSON lines, to which one line is added for each point.
 *
 * The first line says what was measured and with what; a point has one line. Each line is written at once. A process
 * that is stopped leaves at most one incomplete line, the last one, which the next one cuts off. */
#ifndef CMKIT_BENCHMARKS_HARNESS_TUNINGS_H
#define CMKIT_BENCHMARKS_HARNESS_TUNINGS_H

#include <stddef.h>
#include <stdint.h>

/* OPEN: not measured yet; SPILLS: built, and left out for its spills; UNBUILT: the compiler refused it. */
enum tuned { TUNED_OPEN, TUNED_RIGHT, TUNED_SPILLS, TUNED_UNBUILT, TUNED_FAILED, TUNED_SKIPPED, TUNED_COUNT };
extern const char *const tuned_names[TUNED_COUNT];

struct tuning {
    char point[160];
    enum tuned outcome;
    double time_ns, cycles; /* cycles: 0 without gensim's model */
    uint64_t instructions;  /* 0: not counted */
    int registers, spills;  /* -1: not known */
    char reason[512];       /* unless right */
};

/* What was measured. Two files fit together if all of these are equal. */
enum { TUNINGS_WORKLOAD, TUNINGS_INPUT, TUNINGS_MACHINE, TUNINGS_BUILD, TUNINGS_WITH, TUNINGS_WORDS };
struct tunings_head {
    char word[TUNINGS_WORDS][512]; /* BUILD: a hash of compilers, kernels and constants; WITH: the same in words */
};

struct tunings {
    const char *path;
    int file;
    struct tunings_head head;
    struct tuning *items;
    size_t count, room;
};

/* Opens or creates `path` for measurements described by `head`, and reads what it has. Another process that has it open
 * is an error. Returns 0, or -1 after a message; then the file is as it was. */
int tunings_open(struct tunings *tunings, const char *path, const struct tunings_head *head);
/* Reads a file without changing it, whatever it was measured with. */
int tunings_read(struct tunings *tunings, const char *path);
void tunings_close(struct tunings *tunings);

/* Returns the point's line; NULL: it has none. */
const struct tuning *tunings_find(const struct tunings *tunings, const char *point);

/* Adds a line to the file. Returns 0, or -1 after a message; then the file is as it was. */
int tunings_add(struct tunings *tunings, const struct tuning *tuning);

/* Adds a line in memory only. Returns 0, or -1 after a message. */
int tunings_keep(struct tunings *tunings, const struct tuning *tuning);

/* Returns the text of a database of these; NULL without memory. The caller frees it. */
char *tunings_text(const struct tunings *tunings, size_t *size);

/* Returns a word for a part of the head that two files do not have in common; NULL: they fit. */
const char *tunings_difference(const struct tunings_head *one, const struct tunings_head *other);

#endif
