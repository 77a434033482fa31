/* Implements the engine's registers from tables/gpu_registers.def. */
#include "sim/stream/internal.h"

#include <assert.h>
#include <inttypes.h>
#include "sim/base/clock.h"

enum kind { VALUE, SETTING, CLOCK };

static const struct row {
    uint32_t offset, dwords;
    const char *name;
    enum kind kind;
} rows[] = {
#define GPU_REGISTER(OFFSET, DWORDS, NAME, KIND) {OFFSET, DWORDS, NAME, KIND},
#include "tables/gpu_registers.def"
#undef GPU_REGISTER
};

#define GPU_REGISTER(OFFSET, DWORDS, NAME, KIND) +(DWORDS)
_Static_assert(0
#include "tables/gpu_registers.def"
                   <= STREAM_REGISTER_DWORDS,
               "every register has a place");
#undef GPU_REGISTER

/* Finds the row of the register and its index in stream->registers. NULL with the fault raised. */
static const struct row *find_register(struct stream *stream, uint32_t offset, uint32_t *place)
{
    uint32_t first = 0;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; first += rows[i++].dwords)
        if (offset >= rows[i].offset && offset - rows[i].offset < 4 * rows[i].dwords && offset % 4 == 0) {
            *place = first + (offset - rows[i].offset) / 4;
            return &rows[i];
        }
    sim_fault_raise(stream->fault, "%s: register 0x%" PRIx32 " is not known", stream->command, offset);
    return NULL;
}

int stream_register_read(struct stream *stream, uint32_t offset, uint32_t *value)
{
    assert(stream->fault && value);
    uint32_t place;
    const struct row *row = find_register(stream, offset, &place);
    if (!row)
        return 0;
    if (row->kind == CLOCK)
        *value = (uint32_t)(sim_clock_advance(0) >> (offset == row->offset ? 0 : 32));
    else
        *value = stream->registers[place];
    return 1;
}

int stream_register_write(struct stream *stream, uint32_t offset, uint32_t value)
{
    assert(stream->fault);
    uint32_t place;
    const struct row *row = find_register(stream, offset, &place);
    if (!row)
        return 0;
    if (row->kind == CLOCK)
        return sim_fault_raise(stream->fault, "%s: register %s cannot be written", stream->command, row->name);
    stream->registers[place] = value;
    return 1;
}
