/* Case files: short Gen programs with registers before and after. One file per topic.
 *
 *   # comment
 *   case NAME 9 11 12 127             a case, and the generations that it runs on
 *   mask 0x00ff                       channels that the thread is dispatched with (all 32 by default)
 *   set r10:f = 1 -2.5 3*6            register contents from r10 on: 3*6 is six threes
 *     add (8|M0) r20.0<1>:f ...       indented: assembly, in iga64's syntax; the end of thread is added
 *   expect r20.2:ud = 0x10 ? nan ~0.5 contents afterwards: ? anything, nan any NaN, ~ to 1e-5 of the value
 *   fault text                        instead: decoding or running must fault and say `text`
 *   barriers 1                        how often the thread must stop at a barrier
 *
 * Numbers that begin with 0x are bit patterns, also for real types. */
#ifndef CMKIT_TEST_CASE_FILE_H
#define CMKIT_TEST_CASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "tables/platforms.h"

enum { CASE_LINES = 32, CASE_TEXT = 8192, CASE_GENERATIONS = 130 };

struct test_case {
    char name[80];
    unsigned line; /* of the case in its file */
    bool on[CASE_GENERATIONS];
    uint32_t mask;
    unsigned barriers;
    char fault[128];
    char assembly[CASE_TEXT];
    char *sets[CASE_LINES], *expects[CASE_LINES]; /* the text after the keyword */
    unsigned set_count, expect_count;
};

/* Reads the next case of `text` from *position on; false at the end. Exits with a message on a malformed file. */
bool case_next(const char *path, char **position, unsigned *line, struct test_case *out);

/* The file's text, or an exit with a message. */
char *case_read(const char *path);

/* Returns the first simulated platform of a generation. Ends the program if there is none. */
const struct platform *case_platform(unsigned generation);

/* Assembles `text` and an end of thread for a generation with the program `iga64`. Writes the bytes to `code`; returns
 * their number, 0 on failure. */
size_t case_assemble(const char *iga64, unsigned generation, const char *text, uint8_t *code, size_t capacity);

/* Assembles each of `count` lines as a program of its own, with an end of thread, into `code`; sizes[i] is 0 if the
 * assembler rejects the line. Lines are assembled together if all of them are accepted. */
enum { CASE_LINE_TEXT = 128, CASE_LINE_CODE = 64, CASE_INSTRUCTION = 16 };
void case_assemble_lines(const char *iga64, unsigned generation, char lines[][CASE_LINE_TEXT], size_t count,
                         uint8_t code[][CASE_LINE_CODE], size_t sizes[]);

/* "r10.2:ud = 1 2 3" applied to registers. */
bool case_set(const char *text, uint8_t *registers, size_t size);
/* Compares; on a difference writes what into `report` and returns false. */
bool case_check(const char *text, const uint8_t *registers, size_t size, char *report, size_t report_size);

#endif
