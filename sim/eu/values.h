/* Follows unwritten values through the registers of a thread: gensim --check=init (sim/check/init.h). */
#ifndef CMKIT_SIM_EU_VALUES_H
#define CMKIT_SIM_EU_VALUES_H

#include "sim/check/init.h"
#include "sim/eu/thread.h"

/* Beside each byte of the register file: which of its bits are uninitialized, and where they come from. The origin
 * counts only where such bits are. */
struct eu_values {
    uint32_t file_bytes;
    check_origin *origins;
    uint8_t bits[];
};

/* Returns NULL if values are not followed, or without memory. Free it with free(). */
struct eu_values *eu_values_create(uint32_t file_bytes);

/* Says that the thread starts: only the payload and the registers of its state have values. */
void eu_values_start(struct eu_thread *thread, size_t payload_bytes);

/* Computes the shadow of what `in` is about to write, and reports what it decides. Messages: eu_values_message(). */
void eu_values_step(struct eu_thread *thread, const struct eu_instruction *in);

/* The origin of an uninitialized value, of `bytes` from `at` of the register file on; 0: all are written. */
check_origin eu_values_origin(struct eu_thread *thread, uint32_t at, unsigned bytes);

/* Copies the shadow of `bytes` of the register file, as their values were copied. */
void eu_values_copy(struct eu_thread *thread, uint32_t to, uint32_t from, uint32_t bytes);

/* Gives the message the shadow of its payload. */
void eu_values_message(struct eu_thread *thread, const struct eu_instruction *in, struct message *message,
                       struct message_values *values);

/* values_alu.c: one lane of a source or a result. */
struct eu_value {
    uint64_t unknown;    /* uninitialized bits, extended like the value in the instruction's domain */
    uint64_t value;      /* the value, as far as it is known; its bits if it is a real number */
    check_origin origin; /* of a bit of `unknown` */
};

/* Returns the unknown bits of a lane's result, of which there are 64 in the instruction's domain. `chosen`: the source
 * that sel or csel selects. */
uint64_t eu_values_result(const struct eu_instruction *in, const struct eu_value source[EU_MAX_SOURCES],
                          unsigned chosen);

/* True if the instruction copies bits from a source to its destination. */
bool eu_values_is_copy(const struct eu_instruction *in, unsigned source);

#endif
