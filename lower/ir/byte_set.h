/* Implements sets of bytes of a vector as bit sets, e.g. the bytes that are read or written. */
#ifndef CMKIT_LOWER_IR_BYTE_SET_H
#define CMKIT_LOWER_IR_BYTE_SET_H

#include <stdbool.h>
#include <stdint.h>

static inline unsigned byte_set_words(unsigned bytes)
{
    return (bytes + 63) / 64;
}

/* Returns the bits of bytes first..end-1 in their first word. *next: the first byte of the next word. */
static inline uint64_t byte_set_bits(unsigned first, unsigned end, unsigned *next)
{
    unsigned word_end = (first / 64 + 1) * 64;
    *next = end < word_end ? end : word_end;
    unsigned count = *next - first;
    return (count == 64 ? ~0ull : (1ull << count) - 1) << (first % 64);
}

/* Adds bytes first..end-1; true if one of them is new. */
static inline bool byte_set_add(uint64_t *set, unsigned first, unsigned end)
{
    uint64_t added = 0;
    for (unsigned next; first < end; first = next) {
        uint64_t *word = &set[first / 64], bits = byte_set_bits(first, end, &next);
        added |= bits & ~*word;
        *word |= bits;
    }
    return added != 0;
}

static inline void byte_set_remove(uint64_t *set, unsigned first, unsigned end)
{
    for (unsigned next; first < end; first = next)
        set[first / 64] &= ~byte_set_bits(first, end, &next);
}

/* True if one of the bytes first..end-1 is in the set. */
static inline bool byte_set_has_any(const uint64_t *set, unsigned first, unsigned end)
{
    for (unsigned next; first < end; first = next)
        if (set[first / 64] & byte_set_bits(first, end, &next))
            return true;
    return false;
}

/* True if all of the bytes first..end-1 are in the set. */
static inline bool byte_set_has_all(const uint64_t *set, unsigned first, unsigned end)
{
    for (unsigned next; first < end; first = next)
        if (~set[first / 64] & byte_set_bits(first, end, &next))
            return false;
    return true;
}

#endif
