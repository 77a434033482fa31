#include "sim/eu/scoreboard.h"

#include <stdlib.h>
#include <string.h>
#include "sim/eu/operand.h"

enum { TOKENS = 16, DEPTH = 11, FILE_BYTES = 128 * 32, WORDS = FILE_BYTES / 64 };

/* The fields of Gen12LP's software scoreboard byte: bits 15:8 of an instruction. */
enum { WAIT_DESTINATION = 0x20, WAIT_SOURCE = 0x30, SET_TOKEN = 0x40, TOKEN_AND_DISTANCE = 0x80 };

/* General registers, a bit for each byte. */
struct bytes {
    uint64_t word[WORDS];
};

struct in_flight {
    const struct eu_instruction *in; /* NULL: free */
    uint64_t issued;                 /* among all */
    unsigned unit;                   /* unit_of() */
    uint32_t channels;               /* that were active */
    bool sources_read;
    struct bytes sources, destination;
};

struct in_order {
    const struct eu_instruction *in;
    uint64_t position; /* among in-order instructions */
    uint64_t issued;   /* among all */
    uint32_t channels; /* that were active */
    struct bytes destination;
};

struct eu_scoreboard {
    struct in_flight tokens[TOKENS];
    struct in_order recent[DEPTH + 1]; /* a ring by position */
    uint64_t position, issued;
    uint64_t done; /* in-order instructions before this position have written */
    const struct eu_instruction *last;
};

static bool is_checked;

void eu_check_scoreboards(void)
{
    is_checked = true;
}

struct eu_scoreboard *eu_scoreboard_create(const struct platform *platform)
{
    bool fits = platform->grf_bytes * platform->grf_count == FILE_BYTES;
    return is_checked && platform->generation == 12 && fits ? calloc(1, sizeof(struct eu_scoreboard)) : NULL;
}

void eu_scoreboard_reset(struct eu_scoreboard *board)
{
    memset(board, 0, sizeof *board);
}

static void mark(struct bytes *bytes, unsigned start, unsigned count)
{
    for (unsigned at = start; at < start + count && at < FILE_BYTES; at++)
        bytes->word[at / 64] |= UINT64_C(1) << at % 64;
}

static bool overlap(const struct bytes *a, const struct bytes *b)
{
    for (unsigned i = 0; i < WORDS; i++)
        if (a->word[i] & b->word[i])
            return true;
    return false;
}

/* Returns the offset of a lane of an indirect operand. Outside the registers the instruction will fault. */
static int64_t indirect_place(const struct eu_thread *thread, const struct eu_operand *x, bool is_destination,
                              unsigned lane)
{
    unsigned width = 1u << x->width_log2, word = x->address + (x->row_addresses ? lane / width : 0);
    uint16_t address;
    memcpy(&address, thread->file + EU_FILE_ADDRESS + sizeof address * (word % 16), sizeof address);
    if (x->row_addresses)
        return (int64_t)address + x->base + lane % width * x->hstride;
    return (int64_t)address + x->base + (is_destination ? lane * x->step : eu_region_offset(x, lane));
}

static void mark_operand(struct bytes *bytes, const struct eu_thread *thread, const struct eu_instruction *in,
                         const struct eu_operand *x, bool is_destination)
{
    bool is_indirect = x->place == EU_INDIRECT;
    if (!is_indirect && (x->place != EU_DIRECT || x->base < EU_FILE_GENERAL))
        return;
    unsigned size = eu_type_table[x->type].bytes;
    uint32_t named = is_indirect ? eu_enabled_lanes(thread, in) : in->lanes_mask; /* others may have no address */
    for (unsigned lane = 0; lane < in->exec_size; lane++) {
        int64_t at = is_indirect      ? indirect_place(thread, x, is_destination, lane)
                     : is_destination ? x->base - EU_FILE_GENERAL + (int64_t)lane * x->step
                                      : x->base - EU_FILE_GENERAL + (int64_t)eu_region_offset(x, lane);
        if ((named >> lane & 1) && at >= 0 && at < FILE_BYTES)
            mark(bytes, (unsigned)at, size);
    }
}

static void mark_payload(struct bytes *bytes, const struct eu_operand *x, unsigned registers)
{
    if (x->place == EU_DIRECT && x->base >= EU_FILE_GENERAL)
        mark(bytes, (unsigned)x->base - EU_FILE_GENERAL, registers * 32);
}

/* Returns the descriptor of a message. If it comes from a0, the current value counts. */
static uint32_t descriptor_of(const struct eu_thread *thread, unsigned reg, uint32_t immediate)
{
    if (reg != EU_DESCRIPTOR_IMMEDIATE)
        memcpy(&immediate, thread->file + EU_FILE_ADDRESS + 4 * (reg % 8), sizeof immediate);
    return immediate;
}

static void footprint(const struct eu_thread *thread, const struct eu_instruction *in, struct bytes *sources,
                      struct bytes *destination)
{
    memset(sources, 0, sizeof *sources);
    memset(destination, 0, sizeof *destination);
    if (in->op->execute == EU_EXECUTE_send) {
        uint32_t descriptor = descriptor_of(thread, in->descriptor_register, in->descriptor);
        uint32_t extended = descriptor_of(thread, in->extended_register, in->extended);
        mark_payload(sources, &in->src[0], descriptor >> 25 & 0xf);
        mark_payload(sources, &in->src[1], extended >> 6 & 0x1f);
        mark_payload(destination, &in->dst, descriptor >> 20 & 0x1f);
        return;
    }
    if (in->op->execute != EU_EXECUTE_alu)
        return;
    for (unsigned s = 0; s < in->op->sources; s++)
        mark_operand(sources, thread, in, &in->src[s], false);
    mark_operand(destination, thread, in, &in->dst, true);
}

static bool is_out_of_order(const struct eu_instruction *in)
{
    return in->op->execute == EU_EXECUTE_send || in->op == &eu_op_table[EU_OP_MATH];
}

/* Returns the unit that executes an out-of-order instruction: the math unit or a shared function (local memory is one
 * of its own). A unit reads the sources of its instructions in the order of their issue. */
static unsigned unit_of(const struct eu_thread *thread, const struct eu_instruction *in)
{
    enum {
#define SHARED_FUNCTION(ID, NUMBER, NAME, HEADER_BIT) FUNCTION_##ID = NUMBER,
#include "tables/messages.def"
        MATH_UNIT = 1 << 16,
        LOCAL_MEMORY = 1 << 17,
        LOCAL_MEMORY_INDEX = 0xfe
    };
    if (in->op->execute != EU_EXECUTE_send)
        return MATH_UNIT;
    uint32_t descriptor = descriptor_of(thread, in->descriptor_register, in->descriptor);
    bool is_data_port = in->sfid == FUNCTION_DATA0 || in->sfid == FUNCTION_DATA1;
    return in->sfid | (is_data_port && (descriptor & 0xff) == LOCAL_MEMORY_INDEX ? LOCAL_MEMORY : 0);
}

/* If the unit has read the sources of this token's instruction, it has read those of all earlier instructions too. */
static void wait_for_token(struct eu_scoreboard *board, struct in_flight *token, bool destination)
{
    if (token->in == NULL)
        return;
    for (unsigned t = 0; t < TOKENS; t++)
        if (board->tokens[t].unit == token->unit && board->tokens[t].issued <= token->issued)
            board->tokens[t].sources_read = true;
    if (destination)
        token->in = NULL;
}

static void wait_for_distance(struct eu_scoreboard *board, unsigned distance)
{
    if (distance > 0 && board->position >= distance && board->position - distance + 1 > board->done)
        board->done = board->position - distance + 1;
}

/* sync.allrd, sync.allwr: all tokens, or those in the immediate's low bits. */
static void wait_for_all(struct eu_scoreboard *board, const struct eu_instruction *in)
{
    uint32_t tokens = in->src[0].place == EU_IMMEDIATE ? (uint32_t)in->src[0].immediate : UINT32_MAX;
    if (in->function != EU_SYNC_ALLRD && in->function != EU_SYNC_ALLWR)
        return;
    for (unsigned t = 0; t < TOKENS; t++)
        if (tokens >> t & 1)
            wait_for_token(board, &board->tokens[t], in->function == EU_SYNC_ALLWR);
}

/* Returns the token that the instruction allocates, or -1. */
static int apply_waits(struct eu_scoreboard *board, const struct eu_instruction *in)
{
    unsigned bits = in->scoreboard, token = bits & 0xf;
    if (bits & TOKEN_AND_DISTANCE) {
        wait_for_distance(board, bits >> 4 & 7);
        if (!is_out_of_order(in))
            wait_for_token(board, &board->tokens[token], true);
        else
            return (int)token;
    } else if ((bits & 0xf0) == 0) {
        wait_for_distance(board, token);
    } else if ((bits & 0xf0) == SET_TOKEN) {
        return (int)token;
    } else {
        wait_for_token(board, &board->tokens[token], (bits & 0xf0) == WAIT_DESTINATION);
    }
    return -1;
}

static bool fault(struct eu_thread *thread, const struct eu_instruction *in, const char *what,
                  const struct eu_instruction *owner)
{
    eu_thread_fault(thread, in, "%s that the instruction at 0x%x is still to %s: the software scoreboard lacks a wait",
                    what, owner->offset, strcmp(what, "overwrites a register") == 0 ? "read" : "write");
    return false;
}

/* Reading too early matters only for channels that executed both instructions: in divergent code the other channels'
 * registers are not read. Code need not wait for them, but it must keep writes in order. */
static bool check_tokens(const struct eu_scoreboard *board, struct eu_thread *thread, const struct eu_instruction *in,
                         const struct bytes *sources, const struct bytes *destination)
{
    for (unsigned t = 0; t < TOKENS; t++) {
        const struct in_flight *token = &board->tokens[t];
        if (token->in == NULL)
            continue;
        if ((token->channels & thread->active) && overlap(&token->destination, sources))
            return fault(thread, in, "reads a register", token->in);
        if (overlap(&token->destination, destination))
            return fault(thread, in, "writes a register", token->in);
        bool in_order = is_out_of_order(in) && unit_of(thread, in) == token->unit;
        if (!token->sources_read && !in_order && overlap(&token->sources, destination))
            return fault(thread, in, "overwrites a register", token->in);
    }
    return true;
}

/* In-order instructions write in order: only an instruction in another pipeline can write before them. */
static bool check_distances(const struct eu_scoreboard *board, struct eu_thread *thread,
                            const struct eu_instruction *in, const struct bytes *sources,
                            const struct bytes *destination)
{
    for (unsigned i = 0; i <= DEPTH; i++) {
        const struct in_order *recent = &board->recent[i];
        if (recent->in == NULL || recent->position < board->done || board->issued - recent->issued >= DEPTH)
            continue;
        if ((recent->channels & thread->active) && overlap(&recent->destination, sources))
            return fault(thread, in, "reads a register", recent->in);
        if (is_out_of_order(in) && overlap(&recent->destination, destination))
            return fault(thread, in, "writes a register", recent->in);
    }
    return true;
}

bool eu_scoreboard_step(struct eu_scoreboard *board, struct eu_thread *thread, const struct eu_instruction *in)
{
    struct bytes sources, destination;
    if (in != board->last + 1) /* a jump that is taken empties the pipeline */
        board->done = board->position;
    board->last = in;
    int taken = apply_waits(board, in);
    if (in->op == &eu_op_table[EU_OP_SYNC])
        wait_for_all(board, in);
    if (taken >= 0) /* hardware waits until the token is free */
        wait_for_token(board, &board->tokens[taken], true);
    footprint(thread, in, &sources, &destination);
    if (!check_tokens(board, thread, in, &sources, &destination) ||
        !check_distances(board, thread, in, &sources, &destination))
        return false;
    board->issued++;
    if (taken >= 0 && is_out_of_order(in)) {
        board->tokens[taken] =
            (struct in_flight){in, board->issued, unit_of(thread, in), thread->active, false, sources, destination};
    } else if (!is_out_of_order(in) && in->op->execute != EU_EXECUTE_nop && in->op->execute != EU_EXECUTE_sync) {
        board->recent[board->position % (DEPTH + 1)] =
            (struct in_order){in, board->position, board->issued, thread->active, destination};
        board->position++;
    }
    return true;
}
