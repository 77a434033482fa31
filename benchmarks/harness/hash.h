/* Hashes bytes: FNV-1a of 64 bits. */
#ifndef CMKIT_BENCHMARKS_HARNESS_HASH_H
#define CMKIT_BENCHMARKS_HARNESS_HASH_H

#include <stdint.h>

static const uint64_t HASH_START = 0xcbf29ce484222325;

static inline uint64_t hash_byte(uint64_t hash, unsigned char byte)
{
    return (hash ^ byte) * 0x100000001b3;
}

static inline uint64_t hash_text(uint64_t hash, const char *text)
{
    for (; *text; text++)
        hash = hash_byte(hash, (unsigned char)*text);
    return hash;
}

#endif
