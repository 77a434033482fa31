/* Writes SPIR-V instructions into the sections of a module (spirv.h). */
#include "lower/vc/spirv.h"

#include <stdlib.h>
#include <string.h>

void spirv_put(struct spirv_words *out, uint32_t word)
{
    ARRAY_PUSH(out->words, out->count, out->capacity, word);
}

/* Writes a literal string: bytes from the low end of words on, padded with at least one zero. */
void spirv_put_text(struct spirv_words *out, const char *text, size_t length)
{
    for (size_t n = 0; n <= length; n += 4) {
        uint32_t word = 0;
        for (size_t k = n; k < n + 4 && k < length; k++)
            word |= (uint32_t)(unsigned char)text[k] << (k - n) * 8;
        spirv_put(out, word);
    }
}

void spirv_emit(struct spirv_writer *w, enum spirv_section section, enum spirv_op op, const uint32_t *operands,
                size_t count)
{
    struct spirv_words *out = &w->sections[section];
    if (count + 1 > 0xffff) {
        vc_fail(&w->vc, "an instruction of %zu operands", count);
        return;
    }
    spirv_put(out, (uint32_t)(count + 1) << 16 | op);
    for (size_t n = 0; n < count; n++)
        spirv_put(out, operands[n]);
}

static uint32_t hash_words(enum spirv_op op, unsigned result, const uint32_t *operands, size_t count)
{
    uint32_t hash = (uint32_t)op * 0x9e3779b9u;
    for (size_t n = 0; n < count; n++)
        hash = ((n == result ? 0 : operands[n]) ^ hash >> 15 ^ hash << 7) * 0x85ebca6bu;
    return hash;
}

static bool is_same(const struct spirv_writer *w, const struct spirv_once *o, enum spirv_section section,
                    enum spirv_op op, unsigned result, const uint32_t *operands, size_t count)
{
    const uint32_t *words = w->sections[o->section].words + o->at;
    if (o->section != section || o->words != count + 1 || (words[0] & 0xffff) != op)
        return false;
    for (size_t n = 0; n < count; n++)
        if (n != result && words[1 + n] != operands[n])
            return false;
    return true;
}

static void grow_once(struct spirv_writer *w)
{
    size_t old_capacity = w->once_capacity, capacity = old_capacity ? 2 * old_capacity : 1024;
    struct spirv_once *old = w->once;
    w->once = ir_calloc(capacity, sizeof *w->once);
    w->once_capacity = capacity;
    for (size_t n = 0; n < old_capacity; n++) {
        size_t at = old[n].hash & (capacity - 1);
        if (old[n].words == 0)
            continue;
        while (w->once[at].words)
            at = (at + 1) & (capacity - 1);
        w->once[at] = old[n];
    }
    free(old);
}

uint32_t spirv_once(struct spirv_writer *w, enum spirv_section section, enum spirv_op op, unsigned result,
                    const uint32_t *operands, size_t count)
{
    if (2 * (w->once_count + 1) > w->once_capacity)
        grow_once(w);
    uint32_t hash = hash_words(op, result, operands, count);
    size_t at = hash & (w->once_capacity - 1);
    for (; w->once[at].words; at = (at + 1) & (w->once_capacity - 1))
        if (w->once[at].hash == hash && is_same(w, &w->once[at], section, op, result, operands, count))
            return w->once[at].id;
    struct spirv_words *out = &w->sections[section];
    uint32_t id = result < count ? w->next++ : 0;
    w->once[at] = (struct spirv_once){hash, id, section, out->count, count + 1};
    w->once_count++;
    size_t begin = out->count;
    spirv_emit(w, section, op, operands, count);
    if (result < count && out->count > begin)
        out->words[begin + 1 + result] = id;
    return id;
}

enum { NO_RESULT = ~0u };

void spirv_capability(struct spirv_writer *w, enum spirv_capability capability)
{
    SPIRV_ONCE(w, SPIRV_CAPABILITIES, OP_CAPABILITY, NO_RESULT, capability);
}

void spirv_extension(struct spirv_writer *w, const char *name)
{
    struct spirv_words text = {0};
    spirv_put_text(&text, name, strlen(name));
    spirv_once(w, SPIRV_EXTENSIONS, OP_EXTENSION, NO_RESULT, text.words, text.count);
    free(text.words);
}

void spirv_name(struct spirv_writer *w, uint32_t id, const char *name, size_t length)
{
    struct spirv_words text = {0};
    spirv_put(&text, id);
    spirv_put_text(&text, name, length);
    spirv_emit(w, SPIRV_NAMES, OP_NAME, text.words, text.count);
    free(text.words);
}

uint32_t spirv_compute(struct spirv_writer *w, enum spirv_op op, uint32_t type, const uint32_t *operands, size_t count)
{
    struct spirv_words *out = &w->sections[SPIRV_FUNCTIONS];
    uint32_t id = w->next++;
    if (count + 3 > 0xffff) {
        vc_fail(&w->vc, "an instruction of %zu operands", count);
        return id;
    }
    spirv_put(out, (uint32_t)(count + 3) << 16 | op);
    spirv_put(out, type);
    spirv_put(out, id);
    for (size_t n = 0; n < count; n++)
        spirv_put(out, operands[n]);
    return id;
}

void spirv_define(struct spirv_writer *w, LLVMValueRef i, enum spirv_op op, const uint32_t *operands, size_t count)
{
    uint32_t id = spirv_result(w, i), type = spirv_type(w, LLVMTypeOf(i)); /* may write types: before the instruction */
    struct spirv_words *out = &w->sections[SPIRV_FUNCTIONS];
    spirv_put(out, (uint32_t)(count + 3) << 16 | op);
    spirv_put(out, type);
    spirv_put(out, id);
    for (size_t n = 0; n < count; n++)
        spirv_put(out, operands[n]);
}

void spirv_import(struct spirv_writer *w, uint32_t id, const char *name)
{
    struct spirv_words link = {0};
    spirv_put(&link, id);
    spirv_put(&link, DECORATION_LINKAGE);
    spirv_put_text(&link, name, strlen(name));
    spirv_put(&link, LINKAGE_IMPORT);
    spirv_emit(w, SPIRV_DECORATIONS, OP_DECORATE, link.words, link.count);
    spirv_name(w, id, name, strlen(name));
    free(link.words);
}

uint32_t spirv_opencl(struct spirv_writer *w)
{
    if (!w->opencl) {
        struct spirv_words words = {0};
        w->opencl = w->next++;
        spirv_put(&words, w->opencl);
        spirv_put_text(&words, "OpenCL.std", strlen("OpenCL.std"));
        spirv_emit(w, SPIRV_IMPORTS, OP_EXT_INST_IMPORT, words.words, words.count);
        free(words.words);
    }
    return w->opencl;
}
