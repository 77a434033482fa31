#include "sim/eu/scoreboard.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include "sim/eu/dpas.h"
#include "sim/eu/operand.h"

enum { TOKENS = 32, DEPTH = 11, FILE_BYTES = 256 * 64, WORDS = FILE_BYTES / 64 };

/* In-order pipes. Gen12LP has one, Xe-HP three; on Xe-HPC math is in order too. */
enum pipe { PIPE_FLOAT, PIPE_INTEGER, PIPE_LONG, PIPE_MATH, PIPES };

/* Meanings of the software scoreboard bits, from bit 8 of an instruction on: how the low bits are decoded. */
enum meaning {
    OWN_DISTANCE, /* of the pipe that the instruction's operands belong to */
    ALL_DISTANCES,
    FLOAT_DISTANCE,
    INTEGER_DISTANCE,
    LONG_DISTANCE,
    MATH_DISTANCE,
    WAIT_DESTINATION,
    WAIT_SOURCE,
    SET_TOKEN,
    TOKEN_AND_DISTANCE,
    RESERVED
};

/* The encodings: IGC's visa/iga/IGALibrary/api/iga_types_swsb.cpp, SingleDistPipe, ThreeDistPipe, FourDistPipe. */
static const struct encoding {
    uint16_t mask, value;
    enum meaning meaning;
} one_pipe[] = {{0x80, 0x80, TOKEN_AND_DISTANCE}, {0xf0, 0x00, OWN_DISTANCE}, {0xf0, 0x20, WAIT_DESTINATION},
                {0xf0, 0x30, WAIT_SOURCE},        {0xf0, 0x40, SET_TOKEN},    {0, 0, RESERVED}},
  three_pipes[] = {{0x80, 0x80, TOKEN_AND_DISTANCE}, {0xf8, 0x00, OWN_DISTANCE},
                   {0xf8, 0x08, ALL_DISTANCES},      {0xf8, 0x10, FLOAT_DISTANCE},
                   {0xf8, 0x18, INTEGER_DISTANCE},   {0xf8, 0x50, LONG_DISTANCE},
                   {0xf0, 0x20, WAIT_DESTINATION},   {0xf0, 0x30, WAIT_SOURCE},
                   {0xf0, 0x40, SET_TOKEN},          {0, 0, RESERVED}},
  four_pipes[] = {{0x3f8, 0x000, OWN_DISTANCE},
                  {0x3f8, 0x008, ALL_DISTANCES},
                  {0x3f8, 0x010, FLOAT_DISTANCE},
                  {0x3f8, 0x018, INTEGER_DISTANCE},
                  {0x3f8, 0x020, LONG_DISTANCE},
                  {0x3f8, 0x028, MATH_DISTANCE},
                  {0x3e0, 0x080, WAIT_DESTINATION},
                  {0x3e0, 0x0a0, WAIT_SOURCE},
                  {0x3e0, 0x0c0, SET_TOKEN},
                  {0x300, 0x100, TOKEN_AND_DISTANCE},
                  {0x300, 0x200, TOKEN_AND_DISTANCE},
                  {0x300, 0x300, TOKEN_AND_DISTANCE},
                  {0, 0, RESERVED}};

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

struct in_order_pipe {
    struct in_order recent[DEPTH + 1]; /* a ring by position */
    uint64_t position;
    uint64_t done; /* its instructions before this position have written */
};

struct eu_scoreboard {
    const struct encoding *encodings;
    bool has_pipes, has_math; /* SCOREBOARD_PIPES, SCOREBOARD_MATH */
    unsigned words;           /* of struct bytes that the platform's registers fill */
    struct in_flight tokens[TOKENS];
    struct in_order_pipe pipes[PIPES];
    uint64_t issued;
    const struct eu_instruction *last;
};

static bool is_checked;

void eu_check_scoreboards(void)
{
    is_checked = true;
}

struct eu_scoreboard *eu_scoreboard_create(const struct platform *platform)
{
    unsigned bytes = platform->grf_bytes * platform->grf_count;
    if (!is_checked || !platform_has(platform, FEATURE_SCOREBOARD) || bytes > FILE_BYTES)
        return NULL;
    struct eu_scoreboard *board = calloc(1, sizeof *board);
    if (board != NULL) {
        board->has_pipes = platform_has(platform, FEATURE_SCOREBOARD_PIPES);
        board->has_math = platform_has(platform, FEATURE_SCOREBOARD_MATH);
        board->encodings = board->has_math ? four_pipes : board->has_pipes ? three_pipes : one_pipe;
        board->words = bytes / 64;
    }
    return board;
}

void eu_scoreboard_reset(struct eu_scoreboard *board)
{
    memset(board->tokens, 0, sizeof board->tokens);
    memset(board->pipes, 0, sizeof board->pipes);
    board->issued = 0;
    board->last = NULL;
}

static void mark(struct bytes *bytes, unsigned start, unsigned count)
{
    for (unsigned at = start; at < start + count && at < FILE_BYTES; at++)
        bytes->word[at / 64] |= UINT64_C(1) << at % 64;
}

static bool overlap(const struct eu_scoreboard *board, const struct bytes *a, const struct bytes *b)
{
    for (unsigned i = 0; i < board->words; i++)
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

static void mark_bytes(struct bytes *bytes, const struct eu_operand *x, unsigned count)
{
    if (x->place == EU_DIRECT && x->base >= EU_FILE_GENERAL)
        mark(bytes, (unsigned)x->base - EU_FILE_GENERAL, count);
}

/* The payload of a message, which s0 may name. */
static void mark_payload(struct bytes *bytes, const struct eu_thread *thread, const struct eu_operand *x,
                         unsigned count)
{
    unsigned size = thread->platform->grf_bytes;
    if (!eu_is_gathered(x)) {
        mark_bytes(bytes, x, count * size);
        return;
    }
    for (unsigned i = 0; i < count && x->base + i < EU_FILE_SCALAR + EU_SCALAR_BYTES; i++)
        if (thread->file[x->base + (int)i] < thread->platform->grf_count)
            mark(bytes, thread->file[x->base + (int)i] * size, size);
}

/* Returns the descriptor of a message. If it comes from a0, the current value counts. */
static uint32_t descriptor_of(const struct eu_thread *thread, unsigned reg, uint32_t immediate)
{
    if (reg != EU_DESCRIPTOR_IMMEDIATE)
        memcpy(&immediate, thread->file + EU_FILE_ADDRESS + 4 * (reg % 8), sizeof immediate);
    return immediate;
}

/* False: what the instruction reads is not used. IGC reads registers into null for PVC, to fill its buffer of read
 * registers (insertPVCWA()), and does not wait for them. */
static bool has_result(const struct eu_instruction *in)
{
    return in->dst.place != EU_NOWHERE || in->condition != EU_ALWAYS || in->write_accumulator;
}

static void footprint(const struct eu_thread *thread, const struct eu_instruction *in, struct bytes *sources,
                      struct bytes *destination)
{
    memset(sources, 0, sizeof *sources);
    memset(destination, 0, sizeof *destination);
    if (in->op->execute == EU_EXECUTE_send) {
        uint32_t descriptor = descriptor_of(thread, in->descriptor_register, in->descriptor);
        uint32_t extended = descriptor_of(thread, in->extended_register, in->extended);
        struct eu_lengths lengths = eu_message_lengths(thread->platform, in, descriptor, extended);
        mark_payload(sources, thread, &in->src[0], lengths.src0);
        mark_bytes(sources, &in->src[1], lengths.src1 * thread->platform->grf_bytes);
        mark_bytes(destination, &in->dst, lengths.dst * thread->platform->grf_bytes);
        return;
    }
    if (in->op->execute == EU_EXECUTE_dpas) {
        for (int s = 0; s < EU_MAX_SOURCES; s++)
            mark_bytes(sources, &in->src[s], eu_dpas_bytes(thread->platform, in, s));
        mark_bytes(destination, &in->dst, eu_dpas_bytes(thread->platform, in, -1));
    }
    if (in->op->execute != EU_EXECUTE_alu || !has_result(in))
        return;
    for (unsigned s = 0; s < in->op->sources; s++)
        mark_operand(sources, thread, in, &in->src[s], false);
    mark_operand(destination, thread, in, &in->dst, true);
}

static bool is_math(const struct eu_instruction *in)
{
    return in->op == &eu_op_table[EU_OP_MATH];
}

static bool is_out_of_order(const struct eu_scoreboard *board, const struct eu_instruction *in)
{
    return in->op->execute == EU_EXECUTE_send || in->op->execute == EU_EXECUTE_dpas ||
           (is_math(in) && !board->has_math);
}

static bool is_real_type(unsigned type)
{
    return eu_type_table[type].domain != EU_INTEGER;
}

/* True if an operand, of type `written` in the code, makes an instruction one of the long pipe: on Xe-HPC only doubles
 * do. Moves may have other types by now. */
static bool is_long(const struct eu_scoreboard *board, const struct eu_operand *x, unsigned written)
{
    if (board->has_math)
        return written != EU_NO_TYPE && eu_type_table[written].bytes == 8 && is_real_type(written);
    return x->place != EU_NOWHERE && eu_type_table[x->type].bytes == 8;
}

/* The pipe that executes an in-order instruction: by the destination's type, and where one operand is of 64 bits, the
 * long one. On Xe-HPC the destination alone decides. */
static enum pipe pipe_of(const struct eu_scoreboard *board, const struct eu_instruction *in)
{
    if (!board->has_pipes)
        return PIPE_FLOAT;
    if (board->has_math && is_math(in))
        return PIPE_MATH;
    if (in->op->execute != EU_EXECUTE_alu)
        return PIPE_INTEGER;
    unsigned type = in->written_type[0] == EU_NO_TYPE ? in->written_type[1] : in->written_type[0];
    bool wide = is_long(board, &in->dst, type);
    for (unsigned s = 0; s < in->op->sources && !board->has_math; s++)
        wide = wide || is_long(board, &in->src[s], in->written_type[1 + s]);
    return wide ? PIPE_LONG : type != EU_NO_TYPE && is_real_type(type) ? PIPE_FLOAT : PIPE_INTEGER;
}

/* The pipe that a distance without a letter counts: that of the sources' types. */
static enum pipe waited_pipe(const struct eu_scoreboard *board, const struct eu_instruction *in)
{
    bool has_integers = false;
    for (unsigned s = 0; s < in->op->sources && board->has_pipes; s++) {
        if (in->written_type[1 + s] == EU_NO_TYPE)
            continue;
        if (is_long(board, &in->src[s], in->written_type[1 + s]))
            return PIPE_LONG;
        has_integers |= !is_real_type(in->written_type[1 + s]);
    }
    return has_integers ? PIPE_INTEGER : PIPE_FLOAT;
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
        MATRIX_UNIT = 1 << 18,
        LOCAL_MEMORY_INDEX = 0xfe
    };
    if (in->op->execute != EU_EXECUTE_send)
        return in->op->execute == EU_EXECUTE_dpas ? MATRIX_UNIT : MATH_UNIT;
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

static void wait_for_distance(struct in_order_pipe *pipe, unsigned distance)
{
    if (distance > 0 && pipe->position >= distance && pipe->position - distance + 1 > pipe->done)
        pipe->done = pipe->position - distance + 1;
}

static void wait_for_distances(struct eu_scoreboard *board, unsigned distance)
{
    for (unsigned p = 0; p < PIPES; p++)
        wait_for_distance(&board->pipes[p], distance);
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

static enum meaning meaning_of(const struct eu_scoreboard *board, unsigned bits)
{
    const struct encoding *encoding = board->encodings;
    while ((bits & encoding->mask) != encoding->value)
        encoding++;
    return encoding->meaning;
}

/* A token and a distance: instructions that take a token take that one, others wait for it. Messages wait for all
 * pipes. */
static int apply_both(struct eu_scoreboard *board, const struct eu_instruction *in)
{
    unsigned distance = in->scoreboard >> 4 & 7, token = in->scoreboard & 0xf;
    if (in->op->execute == EU_EXECUTE_send)
        wait_for_distances(board, distance);
    else
        wait_for_distance(&board->pipes[waited_pipe(board, in)], distance);
    if (is_out_of_order(board, in))
        return (int)token;
    wait_for_token(board, &board->tokens[token], true);
    return -1;
}

/* The same on Xe-HPC, where bits 9:8 say more: of messages, which pipes they wait for; of others, whether they take the
 * token or wait for its destination or source. */
static int apply_both_math(struct eu_scoreboard *board, const struct eu_instruction *in)
{
    enum { TAKES_OR_DESTINATION = 1, SOURCE = 2, DESTINATION_OR_ALL = 3 };
    unsigned distance = in->scoreboard >> 5 & 7, token = in->scoreboard & 0x1f, which = in->scoreboard >> 8 & 3;
    bool is_send = in->op->execute == EU_EXECUTE_send, is_dpas = in->op->execute == EU_EXECUTE_dpas;
    if (is_send ? which == TAKES_OR_DESTINATION : !is_dpas && which == DESTINATION_OR_ALL)
        wait_for_distances(board, distance);
    else if (is_send)
        wait_for_distance(&board->pipes[which == SOURCE ? PIPE_FLOAT : PIPE_INTEGER], distance);
    else
        wait_for_distance(&board->pipes[waited_pipe(board, in)], distance);
    if (is_send || (is_dpas && which == TAKES_OR_DESTINATION))
        return (int)token;
    wait_for_token(board, &board->tokens[token], which != SOURCE);
    return -1;
}

/* Returns the token that the instruction allocates, or -1. */
static int apply_waits(struct eu_scoreboard *board, const struct eu_instruction *in)
{
    unsigned bits = in->scoreboard, token = bits & (board->has_math ? 0x1f : 0xf), distance = bits & 7;
    switch (meaning_of(board, bits)) {
    case OWN_DISTANCE:
        wait_for_distance(&board->pipes[waited_pipe(board, in)], board->has_pipes ? distance : token);
        break;
    case ALL_DISTANCES: wait_for_distances(board, distance); break;
    case FLOAT_DISTANCE: wait_for_distance(&board->pipes[PIPE_FLOAT], distance); break;
    case INTEGER_DISTANCE: wait_for_distance(&board->pipes[PIPE_INTEGER], distance); break;
    case MATH_DISTANCE: wait_for_distance(&board->pipes[PIPE_MATH], distance); break;
    case LONG_DISTANCE: wait_for_distance(&board->pipes[PIPE_LONG], distance); break;
    case WAIT_DESTINATION: wait_for_token(board, &board->tokens[token], true); break;
    case WAIT_SOURCE: wait_for_token(board, &board->tokens[token], false); break;
    case SET_TOKEN: return (int)token;
    case TOKEN_AND_DISTANCE: return board->has_math ? apply_both_math(board, in) : apply_both(board, in);
    case RESERVED: break;
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
        if ((token->channels & thread->active) && overlap(board, &token->destination, sources))
            return fault(thread, in, "reads a register", token->in);
        if (overlap(board, &token->destination, destination))
            return fault(thread, in, "writes a register", token->in);
        bool in_order = is_out_of_order(board, in) && unit_of(thread, in) == token->unit;
        if (!token->sources_read && !in_order && overlap(board, &token->sources, destination))
            return fault(thread, in, "overwrites a register", token->in);
    }
    return true;
}

/* True if the instruction may still write its registers: it is not waited for, and the pipeline is not known to be
 * through with it. */
static bool is_under_way(const struct eu_scoreboard *board, const struct in_order_pipe *pipe,
                         const struct in_order *recent)
{
    if (recent->in == NULL || recent->position < pipe->done)
        return false;
    return board->has_pipes ? pipe->position - recent->position < DEPTH : board->issued - recent->issued < DEPTH;
}

/* In-order instructions of a pipe write in order: only one that goes elsewhere can write before them. */
static bool check_distances(const struct eu_scoreboard *board, struct eu_thread *thread,
                            const struct eu_instruction *in, const struct bytes *sources,
                            const struct bytes *destination)
{
    enum pipe own = pipe_of(board, in);
    for (unsigned p = 0; p < PIPES; p++)
        for (unsigned i = 0; i <= DEPTH; i++) {
            const struct in_order *recent = &board->pipes[p].recent[i];
            if (!is_under_way(board, &board->pipes[p], recent))
                continue;
            if ((recent->channels & thread->active) && overlap(board, &recent->destination, sources))
                return fault(thread, in, "reads a register", recent->in);
            if ((is_out_of_order(board, in) || p != own) && overlap(board, &recent->destination, destination))
                return fault(thread, in, "writes a register", recent->in);
        }
    return true;
}

bool eu_scoreboard_step(struct eu_scoreboard *board, struct eu_thread *thread, const struct eu_instruction *in)
{
    assert(thread->program && thread->scoreboard == board);
    struct bytes sources, destination;
    for (unsigned p = 0; p < PIPES && in != board->last + 1; p++) /* a jump that is taken empties the pipelines */
        board->pipes[p].done = board->pipes[p].position;
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
    if (taken >= 0 && is_out_of_order(board, in)) {
        board->tokens[taken] =
            (struct in_flight){in, board->issued, unit_of(thread, in), thread->active, false, sources, destination};
    } else if (!is_out_of_order(board, in) && in->op->execute != EU_EXECUTE_nop && in->op->execute != EU_EXECUTE_sync) {
        struct in_order_pipe *pipe = &board->pipes[pipe_of(board, in)];
        pipe->recent[pipe->position % (DEPTH + 1)] =
            (struct in_order){in, pipe->position, board->issued, thread->active, destination};
        pipe->position++;
    }
    return true;
}
