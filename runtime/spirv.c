#include "runtime/spirv.h"
#include "runtime/status.h"

#include <string.h>

enum { HEADER_WORDS = 5, OP_ENTRY_POINT = 15, OP_CAPABILITY = 17, CAPABILITY_VECTOR_COMPUTE = 5617 };

static uint32_t word_at(const void *bytes, size_t number)
{
    uint32_t word;
    memcpy(&word, (const char *)bytes + number * sizeof word, sizeof word);
    return word;
}

int spirv_recognise(const void *bytes, size_t size)
{
    enum { MAGIC = 0x07230203 };
    return size >= HEADER_WORDS * sizeof(uint32_t) && word_at(bytes, 0) == MAGIC;
}

enum cmrt_status spirv_check(const void *bytes, size_t size)
{
    size_t count = size / sizeof(uint32_t), kernels = 0, vector = 0, length;
    if (size % sizeof(uint32_t))
        return cmrt_fail(CMRT_BAD_FILE, "damaged SPIR-V: %zu bytes are no whole words", size);
    for (size_t at = HEADER_WORDS; at < count; at += length) {
        uint32_t first = word_at(bytes, at);
        length = first >> 16;
        if (!length || length > count - at)
            return cmrt_fail(CMRT_BAD_FILE, "damaged SPIR-V: the instruction at byte %zu lies outside the file",
                             4 * at);
        uint32_t operation = first & 0xffff;
        kernels += operation == OP_ENTRY_POINT;
        vector += operation == OP_CAPABILITY && length == 2 && word_at(bytes, at + 1) == CAPABILITY_VECTOR_COMPUTE;
    }
    if (!vector)
        return cmrt_fail(CMRT_BAD_FILE, "SPIR-V of work items, not of CM: it lacks the capability VectorComputeINTEL");
    return kernels ? CMRT_OK : cmrt_fail(CMRT_BAD_FILE, "SPIR-V without a kernel");
}
