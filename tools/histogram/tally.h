/* Counts by label and device, and writes the page with the counts. */
#ifndef CMKIT_TOOLS_TALLY_H
#define CMKIT_TOOLS_TALLY_H

#include <stdbool.h>
#include <stdint.h>

enum tally_section {
    TALLY_OPCODES,
    TALLY_MESSAGES,
    TALLY_SIZES,
    TALLY_MODIFIERS,
    TALLY_REGIONS,
    TALLY_TYPES,
    TALLY_SECTIONS
};

struct tally;

struct tally *tally_create(void);

/* Adds `count` to `label`'s column of device `device` (its index in platform_table). `state` is shown beside the label:
 * one per label. Ends the program without memory. */
void tally_add(struct tally *tally, const char *label, const char *state, unsigned device, uint64_t count);

/* Writes the page to the file `output`, or to standard output if NULL: false, after a message, when that fails. */
bool tally_report(const char *output, const char *command, struct tally *kernels, struct tally *refused,
                  struct tally *const sections[TALLY_SECTIONS]);

#endif
