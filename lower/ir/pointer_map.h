/* Hash map from an LLVM value, type or block to a number: open addressing on the pointer. A zeroed map is empty. */
#ifndef CMKIT_LOWER_IR_POINTER_MAP_H
#define CMKIT_LOWER_IR_POINTER_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pointer_map {
    struct {
        const void *key;
        size_t value;
    } *slots;
    size_t count, capacity;
};
void pointer_map_set(struct pointer_map *map, const void *key, size_t value);

static inline size_t pointer_map_hash(const void *key)
{
    return ((uintptr_t)key >> 4) * 0x9e3779b97f4a7c15ull >> 16;
}

static inline bool pointer_map_get(const struct pointer_map *map, const void *key, size_t *value)
{
    if (!map->capacity)
        return false;
    for (size_t i = pointer_map_hash(key) & (map->capacity - 1); map->slots[i].key; i = (i + 1) & (map->capacity - 1))
        if (map->slots[i].key == key) {
            *value = map->slots[i].value;
            return true;
        }
    return false;
}
void pointer_map_free(struct pointer_map *map);

#endif
