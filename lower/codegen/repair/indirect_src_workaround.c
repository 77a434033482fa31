/* Works around a fault of Intel's finalizer with per-lane indirect operands. It folds moves of up to four such lanes
 * into the operations that read their result. The hardware has such an operand as first source only (PRM volume 7,
 * "indirect addressing"). In another position the finalizer swaps the sources if it may, or moves the operand first, to
 * a signed number (IGC, HWConformity.cpp, fixOpnds()): unsigned numbers were compared, multiplied and saturated as
 * negative ones. After this rewriting, such operands are results of an operation that changes nothing, which is not a
 * move and is not folded. */
#include <stdlib.h>
#include "lower/codegen/repair/repair.h"
#include "lower/ir/operation_info.h"

enum { MOST_LANES = 4 };
#define NO_MOVE ((size_t)-1)

/* The lanes from byte `offset` of a variable on that instruction `move` reads. */
struct chosen {
    int offset;
    size_t move, next; /* next: of the same variable */
};

struct chosen_lanes {
    struct visa_kernel *out;
    size_t *first; /* per variable, in `list`; NO_MOVE: none */
    struct chosen *list;
    size_t count, capacity;
};

static bool is_chosen(const struct visa_operand *o)
{
    return o->kind == VISA_OPERAND_INDIRECT && o->per_channel;
}

/* Returns the link to the record of the lanes at `o`, or its position; NULL: they are not in a variable of ours. */
static size_t *link_to(struct chosen_lanes *c, const struct visa_operand *o)
{
    if (o->kind != VISA_OPERAND_GENERAL || o->variable < VISA_FIRST_VARIABLE)
        return NULL;
    size_t *link = &c->first[o->variable - VISA_FIRST_VARIABLE];
    while (*link != NO_MOVE && c->list[*link].offset != o->offset)
        link = &c->list[*link].next;
    return link;
}

/* Returns the move that the finalizer folds into an operation of `lanes` lanes that reads `o`. */
static size_t move_behind(struct chosen_lanes *c, const struct visa_operand *o, unsigned lanes)
{
    size_t *link = link_to(c, o), move = link && *link != NO_MOVE ? c->list[*link].move : NO_MOVE;
    return move != NO_MOVE && c->out->instructions[move].exec_size == lanes ? move : NO_MOVE;
}

static void note_result(struct chosen_lanes *c, size_t i)
{
    const struct visa_instruction *at = &c->out->instructions[i];
    size_t move = NO_MOVE, *link = link_to(c, &at->dst);
    if (!link)
        return;
    if (at->op == VISA_OP_MOV && !at->saturate && at->exec_size <= MOST_LANES)
        move = is_chosen(&at->src[0]) ? i : move_behind(c, &at->src[0], at->exec_size);
    if (*link != NO_MOVE) {
        c->list[*link].move = move;
    } else if (move != NO_MOVE) {
        *link = c->count;
        ARRAY_PUSH(c->list, c->count, c->capacity, ((struct chosen){at->dst.offset, move, NO_MOVE}));
    }
}

/* True if the finalizer would misread the integers that `move` reads at their addresses, and `i` makes floats of. Where
 * floats have a pipe of their own, it reads bytes as words, and these as if they were packed bytes
 * (legalize/rewrite_types.c avoids the same in one move); doubles it makes lane by lane, all of them of the first one.
 */
static bool misreads_integers(const struct platform *platform, const struct visa_instruction *i,
                              const struct visa_instruction *move)
{
    enum visa_type from = move->src[0].type, to = i->dst.type;
    return platform_has(platform, FEATURE_SCOREBOARD_PIPES) && i->op == VISA_OP_MOV && visa_type_class(to) == 'F' &&
           visa_type_class(move->dst.type) != 'F' && (visa_type_bytes(from) == 1 || visa_type_bytes(to) == 8);
}

static void make_or(struct visa_instruction *move)
{
    move->op = VISA_OP_OR;
    move->src[1] = (struct visa_operand){.kind = VISA_OPERAND_IMMEDIATE, .type = VISA_TYPE_UW};
}

/* Bytes that are read as words keep their value. A move of floats to other floats or to integers is not folded. */
static void keep_lanes(struct visa_instruction *move)
{
    struct visa_operand *from = &move->src[0], *to = &move->dst;
    bool floats = visa_type_class(to->type) == 'F' || visa_type_class(from->type) == 'F';
    unsigned bytes = visa_type_bytes(to->type);
    if (bytes == 1 || from->modifier || move->op == VISA_OP_OR || (floats && (to->type != from->type || bytes == 8)))
        return;
    if (floats)
        to->type = from->type = bytes == 2 ? VISA_TYPE_UW : VISA_TYPE_UD;
    make_or(move);
}

/* A product of two such sources is swapped all the same, and then the first one is moved: bytes, which fit a word. */
static void put_bytes_first(struct visa_instruction *product)
{
    struct visa_operand second = product->src[1];
    if (visa_type_bytes(second.type) > 1)
        return;
    product->src[1] = product->src[0];
    product->src[0] = second;
}

static void keep_sources(const struct platform *platform, struct chosen_lanes *c, struct visa_instruction *i)
{
    size_t moves[4];
    bool three = i->src[2].kind != VISA_OPERAND_NONE, chosen[2];
    for (unsigned k = 0; k < 4; k++)
        moves[k] = move_behind(c, &i->src[k], i->exec_size);
    for (unsigned k = 0; k < 2; k++)
        chosen[k] = is_chosen(&i->src[k]) || moves[k] != NO_MOVE;
    bool both = chosen[0] && chosen[1];
    for (unsigned k = 0; k < 4; k++) {
        bool moved = three || (k == 0 ? is_chosen(&i->src[1]) : both || !ir_exchanges_sources(i->op));
        if (moves[k] != NO_MOVE && moved)
            keep_lanes(&c->out->instructions[moves[k]]);
    }
    if (both && i->op == VISA_OP_MUL)
        put_bytes_first(i);
    if (moves[0] != NO_MOVE && misreads_integers(platform, i, &c->out->instructions[moves[0]]))
        make_or(&c->out->instructions[moves[0]]);
}

void fixup_indirect_sources(const struct platform *platform, struct visa_kernel *out)
{
    struct chosen_lanes c = {.out = out, .first = ir_calloc(out->variable_count, sizeof *c.first)};
    for (size_t v = 0; v < out->variable_count; v++)
        c.first[v] = NO_MOVE;
    for (size_t i = 0; i < out->instruction_count; i++) {
        struct visa_instruction *at = &out->instructions[i];
        if (at->op <= VISA_OP_DP4A || at->op == VISA_OP_CMP || at->op == VISA_OP_SEL)
            keep_sources(platform, &c, at);
        note_result(&c, i);
    }
    free(c.first);
    free(c.list);
}
