/* Checks every row of tables/messages.def: a message of the right lengths is performed. A register more or less, an
 * extra or missing header, or a missing surface is a fault that names the message. Platforms before or after the row's
 * generations lack the message. */
#include "world.h"

enum {
    FUNCTION_FIRST = 0,
#define SHARED_FUNCTION(ID, NUMBER, NAME, HEADER_BIT) FUNCTION_##ID = NUMBER,
#include "tables/messages.def"
};
enum address { NONE, A32, A64, COORDINATES, PARAMETERS };

static const struct row {
    unsigned from, to;
    uint32_t sfid, mask, value;
    char header; /* R required, F forbidden, O optional, I ignored */
    enum address address;
    const char *channels, *direction, *name;
} rows[] = {
#define MESSAGE(FROM, TO, FUNCTION, MASK, VALUE, HEADER, CHANNELS, ADDRESS, DATA, DIRECTION, HANDLER, NAME)            \
    {FROM, TO, FUNCTION_##FUNCTION, MASK, VALUE, #HEADER[0], ADDRESS, #CHANNELS, #DIRECTION, NAME},
#include "tables/messages.def"
};

/* A surface that the row's messages accept at index 1, a sampler, addresses and a header that stay inside. */
static void prepare(struct world *world, const struct row *row)
{
    struct image_shape shape = {.type = 1, .format = 0xd7, .width = 8, .height = 8, .pitch = 64};
    bool is_image = row->address >= COORDINATES || strstr(row->name, "media");
    if (strstr(row->name, "sampler"))
        shape.format = 0xd8;
    if (strstr(row->name, "typed half"))
        shape.format = 0x10d;
    if (is_image)
        world_bind_image(world, 1, 0, &shape);
    else
        world_bind_buffer(world, 1, 0, 4096);
    world->state.scratch_bytes = 0x20000;
    world->state.general_base = DATA_AT;
    memset(world->heap + SAMPLERS_AT, 0, 64);
    for (unsigned i = 0; i < 32; i++)
        for (unsigned j = 0; j < 8; j++) {
            world->send[i][j] = row->address == A64 ? (j % 2 ? 0 : DATA_AT + 64) : 0;
            world->send1[i][j] = 0;
        }
    if (strstr(row->name, "media"))
        world->send[0][2] = 3; /* four bytes in one row */
    if (strstr(row->name, "a64") && row->header == 'R')
        world->send[0][0] = DATA_AT + 64;
}

/* The row's descriptor; a block of hwords has a size from 1 on. */
static uint32_t descriptor_of(const struct row *row)
{
    return row->value | (strstr(row->name, "a64 hword") ? 1u << 8 : 0);
}

/* Fills `descriptor` with lengths that the row accepts, taken from the messages of faults. False if there are none. */
static bool find_lengths(struct world *world, const struct row *row, uint32_t *descriptor, unsigned exec_size)
{
    unsigned sent = 1 + (row->header == 'R') + (row->address == COORDINATES), returned = 0;
    for (unsigned attempt = 0; attempt < 12; attempt++) {
        uint32_t full = *descriptor | sent << 25 | returned << 20;
        if (world_send(world, row->sfid, full, 0, exec_size, 0xffff) != MESSAGE_FAULT) {
            *descriptor = full;
            return true;
        }
        const char *needs = strstr(world->fault.what, "needs ");
        if (needs && strstr(world->fault.what, ": returns"))
            returned = (unsigned)atoi(needs + 6);
        else if (needs)
            sent = (unsigned)atoi(needs + 6);
        else
            sent++;
    }
    fprintf(stderr, "%s: %s\n", row->name, world->fault.what);
    return false;
}

static void check_named(struct world *world, const struct row *row, const char *what)
{
    if (world->effect == MESSAGE_FAULT && strncmp(world->fault.what, row->name, strlen(row->name)) == 0)
        return;
    failures++;
    fprintf(stderr, "%s with %s: effect %d, \"%s\"\n", row->name, what, world->effect, world->fault.what);
}

static void wrong_lengths(struct world *world, const struct row *row, uint32_t descriptor, unsigned exec_size)
{
    unsigned sent = descriptor >> 25 & 15, returned = descriptor >> 20 & 31;
    uint32_t rest = descriptor & ~(15u << 25 | 31u << 20);
    bool any_count = row->address >= COORDINATES; /* the length tells the number of coordinates */
    if (!any_count && sent < 15) {
        world_send(world, row->sfid, rest | (sent + 1) << 25 | returned << 20, 0, exec_size, 0xffff);
        check_named(world, row, "a register more");
    }
    world_send(world, row->sfid, rest | returned << 20, 0, exec_size, 0xffff);
    check_named(world, row, "nothing sent");
    world_send(world, row->sfid, rest | sent << 25 | (returned + 2) << 20, 0, exec_size, 0xffff);
    check_named(world, row, "two more registers returned");
    if (returned > 0 && strcmp(row->direction, "READ") == 0) {
        world_send(world, row->sfid, rest | sent << 25, 0, exec_size, 0xffff);
        check_named(world, row, "nothing returned");
    }
    /* the registers that the instruction has are not those of the descriptor */
    if (row->header != 'I' && sent > 1) {
        world_send(world, row->sfid, descriptor, 0, exec_size, 0xffff);
        world->message.src0_regs = sent - 1;
        memset(&world->fault, 0, sizeof world->fault);
        world->effect = message_send(&world->message, &world->fault);
        check_named(world, row, "a register that is not there");
    }
}

static void check_row(struct world *world, const struct row *row, unsigned generation)
{
    bool sampler = strstr(row->name, "sampler") != NULL, is_typed = strstr(row->name, " typed ") != NULL;
    unsigned exec_size = strcmp(row->channels, "BLOCK") == 0 ? 1 : 8;
    uint32_t descriptor = descriptor_of(row);
    prepare(world, row);
    if (row->header == 'R')
        descriptor |= 1u << 19;
    if (sampler)
        descriptor |= 1u << 17;
    else if (strcmp(row->channels, "MODE_12") == 0)
        descriptor |= 2u << 12;
    else if (strcmp(row->channels, "AT_12R") == 0 || is_typed)
        descriptor |= 1u << 12;
    if (strcmp(row->direction, "ATOMIC") == 0) /* exchange for integers, maximum for floats */
        descriptor |= 1u << 13 | (strstr(row->name, "float") ? 1u : 4u) << 8;
    bool has_index = row->header != 'I' && !strstr(row->name, "scratch") && !strstr(row->name, "fence") &&
                     !strstr(row->name, "flush");
    if (has_index)
        descriptor |= strstr(row->name, "a64") ? 255 : 1;
    if (generation < row->from || generation > row->to) {
        world_send(world, row->sfid, descriptor | 2u << 25, 0, exec_size, 1);
        CHECK_FAULT(world, "has no message");
        return;
    }
    world->message.end_of_thread = strstr(row->name, "end of thread") != NULL;
    if (!find_lengths(world, row, &descriptor, exec_size)) {
        failures++;
        return;
    }
    wrong_lengths(world, row, descriptor, exec_size);
    if (row->header == 'R' || row->header == 'F') {
        world_send(world, row->sfid, descriptor ^ 1u << 19, 0, exec_size, 0xffff);
        check_named(world, row, "the wrong header bit");
    }
    if (has_index) {
        world_send(world, row->sfid, (descriptor & ~255u) | 40, 0, exec_size, 0xffff);
        check_named(world, row, "an index where nothing is bound");
    }
    world->message.end_of_thread = false;
}

/* Messages that are not modelled end in a fault that names them. */
static void check_refused(struct world *world)
{
    static const struct {
        uint32_t sfid, value;
        const char *name;
    } refused[] = {
#define MESSAGE_REFUSED(FUNCTION, MASK, VALUE, NAME) {FUNCTION_##FUNCTION, VALUE, NAME},
#include "tables/messages.def"
    };
    for (unsigned i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        world_send(world, refused[i].sfid, refused[i].value | 1u << 25 | 1u << 20, 0, 8, 0xff);
        CHECK_FAULT(world, refused[i].name);
        CHECK_FAULT(world, "is not implemented");
    }
}

int main(void)
{
    static const struct {
        const char *name;
        unsigned generation;
    } platforms[] = {{"SKL", 9}, {"ICLLP", 11}, {"TGLLP", 12}};
    for (unsigned p = 0; p < 3; p++)
        for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
            struct world *world = world_create(platforms[p].name);
            check_row(world, &rows[i], platforms[p].generation);
            world_destroy(world);
        }
    for (unsigned p = 0; p < 3; p++) {
        struct world *world = world_create(platforms[p].name);
        check_refused(world);
        world_destroy(world);
    }
    return failures != 0;
}
