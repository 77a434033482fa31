/* Counts messages by kind and the bytes that they move, for `gensim --stats`. */
#ifndef CMKIT_SIM_MESSAGE_TALLY_H
#define CMKIT_SIM_MESSAGE_TALLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "sim/base/count.h"

/* Surfaces 0 to 255 are counted by binding table index; other memory has numbers above. */
enum { TALLY_SCRATCH = 256, TALLY_SURFACES };

/* The counts of one host thread while it runs, or a sum of such counts. */
struct message_tally {
    uint64_t read[TALLY_SURFACES], written[TALLY_SURFACES]; /* bytes */
    uint64_t kinds[]; /* messages, by row of tables/messages.def; then, by row again, the approximate ones */
};

size_t message_tally_bytes(void);

/* Adds the numbers of `from` to those of `to`, which is another tally. */
void message_tally_merge(struct message_tally *to, const struct message_tally *from);

/* Returns the tally as named counts that are not zero, `room` at most, and their number. For surfaces, the two values
 * are bytes read and bytes written. */
size_t message_tally_kinds(const struct message_tally *tally, struct sim_count *counts, size_t room);
size_t message_tally_surfaces(const struct message_tally *tally, struct sim_count *counts, size_t room);

/* Calls `visit` for each kind of message that was sent, with its count; `is_exact`: real hardware gives the same bits.
 */
typedef void message_tally_visit(const char *name, bool is_exact, uint64_t count);
void message_tally_each(const struct message_tally *tally, message_tally_visit *visit);

#endif
