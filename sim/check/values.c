#include "sim/check/values.h"

#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>

/* Regions are mapped when they are touched. The kernel gives them pages when bits are set. */
enum { REGION_LOG2 = 30, SLOTS = 4096 };
static const uint64_t REGION = UINT64_C(1) << REGION_LOG2;

static struct {
    atomic_uint_fast64_t number; /* 1 + address / REGION; 0: the slot is free */
    _Atomic(uint8_t *) bytes;
} regions[SLOTS];

static uint8_t *map_region(void)
{
    void *bytes = mmap(NULL, REGION, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return bytes == MAP_FAILED ? NULL : bytes;
}

/* Returns the bytes of a slot that is taken; the first who needs them maps them. */
static uint8_t *bytes_of(size_t slot)
{
    uint8_t *bytes = atomic_load(&regions[slot].bytes), *none = NULL;
    if (bytes)
        return bytes;
    bytes = map_region();
    if (bytes && !atomic_compare_exchange_strong(&regions[slot].bytes, &none, bytes)) {
        munmap(bytes, REGION);
        bytes = none;
    }
    return bytes;
}

static uint8_t *find_region(uint64_t number)
{
    for (size_t i = 0; i < SLOTS; i++) {
        size_t slot = (number + i) % SLOTS;
        uint_fast64_t found = atomic_load(&regions[slot].number);
        if (found == 0 && atomic_compare_exchange_strong(&regions[slot].number, &found, number + 1))
            found = number + 1;
        if (found == number + 1)
            return bytes_of(slot);
    }
    return NULL;
}

uint8_t *check_bits_at(uint64_t address, uint64_t size)
{
    uint64_t inside = address % REGION;
    if (size > REGION - inside)
        return NULL;
    uint8_t *region = find_region(address / REGION);
    return region ? region + inside : NULL;
}

void check_bits_fill(uint64_t address, uint64_t size, uint8_t byte)
{
    while (size) {
        uint64_t left = REGION - address % REGION, part = size < left ? size : left;
        uint8_t *bytes = check_bits_at(address, part);
        if (bytes)
            memset(bytes, byte, part);
        address += part;
        size -= part;
    }
}
