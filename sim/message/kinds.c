/* Finds the row of tables/messages.def for a descriptor. */
#include "sim/message/handlers.h"

#include <assert.h>
#include "sim/message/request.h"

#define COUNT(ARRAY) (sizeof(ARRAY) / sizeof((ARRAY)[0]))

enum {
#define SHARED_FUNCTION(ID, NUMBER, NAME, HEADER_BIT) SFID_##ID = NUMBER,
#include "tables/messages.def"
};

static const struct {
    uint32_t sfid;
    const char *name;
    int header_bit;
} shared_functions[] = {
#define SHARED_FUNCTION(ID, NUMBER, NAME, HEADER_BIT) {NUMBER, NAME, HEADER_BIT},
#include "tables/messages.def"
};

static const struct message_kind message_kinds[] = {
#define ROW(FROM, TO, FUNCTION, MASK, VALUE, HEADER, CHANNELS, ADDRESS, DATA, DIRECTION, HANDLER, NAME, ...)           \
    {.first_generation = FROM,                                                                                         \
     .last_generation = TO,                                                                                            \
     .sfid = SFID_##FUNCTION,                                                                                          \
     .mask = MASK,                                                                                                     \
     .value = VALUE,                                                                                                   \
     .header = HEADER_##HEADER,                                                                                        \
     .channels = CHANNELS_##CHANNELS,                                                                                  \
     .address = ADDRESS_##ADDRESS,                                                                                     \
     .data = DATA_##DATA,                                                                                              \
     .direction = DIRECTION_##DIRECTION,                                                                               \
     .perform = message_##HANDLER,                                                                                     \
     .name = NAME __VA_ARGS__},
#define MESSAGE(FROM, TO, FUNCTION, MASK, VALUE, HEADER, CHANNELS, ADDRESS, DATA, DIRECTION, HANDLER, NAME)            \
    ROW(FROM, TO, FUNCTION, MASK, VALUE, HEADER, CHANNELS, ADDRESS, DATA, DIRECTION, HANDLER, NAME, )
#define SAMPLER_TYPE(NUMBER) (((NUMBER) & 31u) << 12 | ((NUMBER) >> 5 & 1u) << 31)
#define SAMPLER_MESSAGE(FROM, TO, TYPE, HANDLER, NAME, ORDER)                                                          \
    ROW(FROM, TO, SAMPLER, SAMPLER_TYPE(0x3f), SAMPLER_TYPE(TYPE), OPTIONAL, SAMPLER, PARAMETERS, TEXEL, READ,         \
        HANDLER, "sampler " NAME, , .parameters = ORDER)
#include "tables/messages.def"
#define LSC_ROW(FROM, FUNCTION, NUMBER, ADDRESS, DIRECTION, HANDLER, NAME)                                             \
    ROW(FROM, 300, FUNCTION, 0x3f, NUMBER, IGNORED, LSC, ADDRESS, LSC, DIRECTION, HANDLER, NAME, )
#define LSC_MESSAGE(NUMBER, DIRECTION, HANDLER, NAME)                                                                  \
    LSC_ROW(127, UGM, NUMBER, LSC, DIRECTION, HANDLER, "ugm " NAME)                                                    \
    LSC_ROW(127, SLM, NUMBER, LSC_SLM, DIRECTION, HANDLER, "slm " NAME)
#define LSC_BLOCK(NUMBER, DIRECTION, HANDLER, NAME) LSC_ROW(128, UGM, NUMBER, LSC, DIRECTION, HANDLER, "ugm " NAME)
#define LSC_TYPED(NUMBER, DIRECTION, HANDLER, NAME)                                                                    \
    LSC_ROW(200, TGM, NUMBER, LSC_TYPED, DIRECTION, HANDLER, "tgm " NAME)
#define LSC_INTEGER(NUMBER, OPERANDS, NAME, NEW) LSC_MESSAGE(NUMBER, ATOMIC, lsc_atomic, NAME)
#define LSC_REAL(NUMBER, OPERANDS, NAME, NEW)    LSC_MESSAGE(NUMBER, ATOMIC, lsc_atomic, NAME)
#include "tables/lsc.def"
    LSC_ROW(127, TGM, 0x1f, LSC, NOTHING, fence, "tgm fence")};

const struct message_kind *message_kind_find(const struct platform *platform, uint32_t sfid, uint32_t descriptor)
{
    for (size_t i = 0; i < COUNT(message_kinds); i++) {
        const struct message_kind *kind = &message_kinds[i];
        if (kind->sfid == sfid && (descriptor & kind->mask) == kind->value &&
            platform_between(platform, kind->first_generation, kind->last_generation) &&
            (kind->channels != CHANNELS_SAMPLER || platform_has(platform, FEATURE_SAMPLER)))
            return kind;
    }
    return NULL;
}

size_t message_kind_count(void)
{
    return COUNT(message_kinds);
}

size_t message_kind_index(const struct message_kind *kind)
{
    assert(kind >= message_kinds && kind < message_kinds + COUNT(message_kinds));
    return (size_t)(kind - message_kinds);
}

const char *message_kind_name(size_t index)
{
    assert(index < message_kind_count());
    return message_kinds[index].name;
}

bool message_kind_is_exact(size_t index)
{
    assert(index < message_kind_count());
    return message_kinds[index].perform != message_sampler_sample;
}

const char *message_function_name(uint32_t sfid)
{
    for (size_t i = 0; i < COUNT(shared_functions); i++)
        if (shared_functions[i].sfid == sfid)
            return shared_functions[i].name;
    return "unknown shared function";
}

bool message_has_header(uint32_t sfid, uint32_t descriptor)
{
    for (size_t i = 0; i < COUNT(shared_functions); i++)
        if (shared_functions[i].sfid == sfid && shared_functions[i].header_bit >= 0)
            return descriptor >> shared_functions[i].header_bit & 1;
    return false;
}

static const struct {
    uint32_t sfid, mask, value;
    const char *name;
} refused_messages[] = {
#define MESSAGE_REFUSED(FUNCTION, MASK, VALUE, NAME) {SFID_##FUNCTION, MASK, VALUE, NAME},
#include "tables/messages.def"
#define LSC_REFUSED(NUMBER, NAME) {SFID_UGM, 0x3f, NUMBER, "ugm " NAME}, {SFID_SLM, 0x3f, NUMBER, "slm " NAME},
#include "tables/lsc.def"
};

const char *message_refused_name(uint32_t sfid, uint32_t descriptor)
{
    for (size_t i = 0; i < COUNT(refused_messages); i++)
        if (refused_messages[i].sfid == sfid && (descriptor & refused_messages[i].mask) == refused_messages[i].value)
            return refused_messages[i].name;
    return NULL;
}
