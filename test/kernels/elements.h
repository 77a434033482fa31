/* Reads and writes elements of the buffers, for the references. */
#ifndef CMKIT_TEST_KERNELS_ELEMENTS_H
#define CMKIT_TEST_KERNELS_ELEMENTS_H

#include <stdint.h>
#include <string.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef int16_t i16;
typedef int32_t i32;

/* Elements of a buffer from byte `offset` on. */
#define IN(TYPE, NAME, COUNT, OFFSET)                                                                                  \
    TYPE NAME[COUNT];                                                                                                  \
    memcpy(NAME, (const u8 *)in + (OFFSET), sizeof NAME)
#define OUT(OFFSET, NAME) memcpy((u8 *)out + (OFFSET), NAME, sizeof NAME)
#define EACH(I, COUNT)    for (int I = 0; I < (COUNT); I++)

/* Reads and writes of small elements inside an array of bytes. */
static inline u16 get16(const u8 *at)
{
    u16 value;
    memcpy(&value, at, sizeof value);
    return value;
}
static inline u32 get32(const u8 *at)
{
    u32 value;
    memcpy(&value, at, sizeof value);
    return value;
}
static inline void put16(u8 *at, u16 value)
{
    memcpy(at, &value, sizeof value);
}
static inline void put32(u8 *at, u32 value)
{
    memcpy(at, &value, sizeof value);
}

#endif
