/* Keeps comparisons and the instructions that their predicates guard together, if more predicates would be live at once
 * than there are flag registers. A comparison of 128 lanes sets four predicates before the first one is used; two flag
 * registers hold two of them, and the finalizer moves the others to general registers and back. Comparisons move down
 * to the first instruction that their predicate guards. The other instructions that it guards move up to that one.
 *
 *     cmp P1 ..            cmp P1 ..              cmp P1 ..
 *     cmp P2 ..            (P1) add V1 ..         (P1) add V1 ..
 *     (P1) add V1 ..       cmp P2 ..              (P1) add V3 ..
 *     (P2) add V2 ..       (P2) add V2 ..         cmp P2 ..
 *     (P1) add V3 ..       (P1) add V3 ..         (P2) add V2 ..
 *     (P2) add V4 ..       (P2) add V4 ..         (P2) add V4 .. */
#include <assert.h>
#include <string.h>
#include "lower/codegen/repair/repair.h"
#include "visa_emit/place.h"

enum { FARTHEST = 64, FARTHEST_USER = 512, MOST_PREDICATES = 16, MOST_MOVED = 2 };

/* Flag registers have two halves, of 16 lanes. */
enum { HALF_LANES = 16, TWO_FLAGS = 4, FOUR_FLAGS = 8 };

static bool is_comparison(const struct visa_instruction *i)
{
    return i->op == VISA_OP_CMP && i->dst.kind == VISA_OPERAND_PREDICATE && i->predicate.variable == VISA_NULL &&
           visa_place_is_simple(&i->src[0]) && visa_place_is_simple(&i->src[1]);
}

static bool uses_predicate(const struct visa_instruction *i, unsigned predicate)
{
    if (i->predicate.variable == predicate)
        return true;
    for (unsigned k = 0; k < VISA_MAX_SOURCES; k++)
        if (i->src[k].kind == VISA_OPERAND_PREDICATE && i->src[k].variable == predicate)
            return true;
    return false;
}

/* True for instructions that do nothing but write their destination. */
static bool is_plain(const struct visa_instruction *i)
{
    return i->op == VISA_OP_CMP || i->op == VISA_OP_SEL || (i->op <= VISA_OP_DP4A && !visa_has_carry(i));
}

/* Predicates that are written from a comparison up to the use of its result. */
struct written {
    unsigned predicates[MOST_PREDICATES], count, halves;
};

static void note_predicate(const struct visa_kernel *out, unsigned predicate, struct written *written)
{
    for (unsigned k = 0; k < written->count; k++)
        if (written->predicates[k] == predicate)
            return;
    if (written->count == MOST_PREDICATES)
        return;
    written->predicates[written->count++] = predicate;
    written->halves += visa_variable(out, predicate)->elements > HALF_LANES ? 2 : 1;
}

/* Returns the place of the first instruction that uses the predicate of comparisons [first, end), if they may be moved
 * there; otherwise `end`. *written: their predicate and those in between. */
static size_t find_use(const struct visa_kernel *out, size_t first, size_t end, struct written *written)
{
    unsigned predicate = out->instructions[first].dst.variable;
    note_predicate(out, predicate, written);
    for (size_t at = end; at < out->instruction_count && at - end < FARTHEST; at++) {
        const struct visa_instruction *i = &out->instructions[at];
        if (uses_predicate(i, predicate))
            return at;
        if (!is_plain(i) || (i->dst.kind == VISA_OPERAND_PREDICATE && i->dst.variable == predicate) ||
            (i->dst.kind != VISA_OPERAND_PREDICATE && !visa_place_is_simple(&i->dst)))
            return end;
        for (size_t k = first; k < end; k++)
            if (visa_place_is_read(&out->instructions[k], visa_place_of_result(i)))
                return end;
        if (i->dst.kind == VISA_OPERAND_PREDICATE)
            note_predicate(out, i->dst.variable, written);
    }
    return end;
}

/* Moves instructions [first, end) to just before `to`. */
static void move_down(struct visa_instruction *instructions, size_t first, size_t end, size_t to)
{
    struct visa_instruction moved[MOST_MOVED];
    assert(end - first <= MOST_MOVED);
    memcpy(moved, instructions + first, (end - first) * sizeof *moved);
    memmove(instructions + first, instructions + end, (to - end) * sizeof *moved);
    memcpy(instructions + first + (to - end), moved, (end - first) * sizeof *moved);
}

/* Moves instruction `from` up to `to`. */
static void move_up(struct visa_instruction *instructions, size_t from, size_t to)
{
    struct visa_instruction moved = instructions[from];
    memmove(instructions + to + 1, instructions + to, (from - to) * sizeof *instructions);
    instructions[to] = moved;
}

/* Returns the last instruction in [to, from) that must stay in front of instruction `from`; `from`: none. */
static size_t last_dependence(const struct visa_kernel *out, size_t from, size_t to)
{
    for (size_t at = from; at-- > to;)
        if (visa_must_stay(&out->instructions[from], &out->instructions[at]))
            return at;
    return from;
}

static bool is_constant(const struct visa_instruction *i)
{
    return i->op == VISA_OP_MOV && i->src[0].kind == VISA_OPERAND_IMMEDIATE && i->predicate.variable == VISA_NULL &&
           visa_place_is_simple(&i->dst);
}

/* True if the instruction reads or writes through addresses, or sets them. */
static bool has_addresses(const struct visa_instruction *i)
{
    bool found =
        i->op == VISA_OP_ADDR_ADD || i->dst.kind == VISA_OPERAND_INDIRECT || i->dst.kind == VISA_OPERAND_ADDRESS;
    for (unsigned k = 0; k < VISA_MAX_SOURCES; k++)
        found |= i->src[k].kind == VISA_OPERAND_INDIRECT || i->src[k].kind == VISA_OPERAND_ADDRESS;
    return found;
}

/* Moves instruction `from` up to `to`, with the constant that it may need. Returns how many instructions moved. */
static size_t bring_up(struct visa_kernel *out, size_t from, size_t to)
{
    if (!visa_computes(&out->instructions[from]))
        return 0;
    size_t needed = last_dependence(out, from, to);
    if (needed == from) {
        move_up(out->instructions, from, to);
        return 1;
    }
    if (!is_constant(&out->instructions[needed]) || last_dependence(out, needed, to) != needed)
        return 0;
    move_up(out->instructions, needed, to);
    if (last_dependence(out, from, to + 1) != from)
        return 1;
    move_up(out->instructions, from, to + 1);
    return 2;
}

/* Brings what the predicate of comparison `at` guards up to the first such instruction, over comparisons that need more
 * flags than there are. */
static void gather_users(struct visa_kernel *out, size_t at, unsigned halves)
{
    unsigned predicate = out->instructions[at].dst.variable;
    struct written written = {.count = 0};
    note_predicate(out, predicate, &written);
    size_t behind = 0; /* the last user that is where it should be */
    for (size_t k = at + 1; k < out->instruction_count && k - at < FARTHEST_USER; k++) {
        const struct visa_instruction *i = &out->instructions[k];
        bool writes = i->dst.kind == VISA_OPERAND_PREDICATE;
        if (visa_ends_block(i) || has_addresses(i) || (writes && i->dst.variable == predicate && behind))
            return;
        if (writes)
            note_predicate(out, i->dst.variable, &written);
        if (!uses_predicate(i, predicate))
            continue;
        if (behind && k > behind + 1 && written.halves > halves)
            behind += bring_up(out, k, behind + 1);
        else
            behind = k;
    }
}

void fixup_late_compares(const struct platform *platform, struct visa_kernel *out)
{
    unsigned halves = platform_has(platform, FEATURE_FOUR_FLAGS) ? FOUR_FLAGS : TWO_FLAGS;
    for (size_t first = 0; first < out->instruction_count;) {
        const struct visa_instruction *i = &out->instructions[first];
        if (!is_comparison(i)) {
            first++;
            continue;
        }
        size_t end = first + 1;
        if (end < out->instruction_count && is_comparison(i + 1) && i[1].dst.variable == i->dst.variable)
            end++; /* the other half of its lanes */
        struct written written = {.count = 0};
        size_t use = find_use(out, first, end, &written);
        if (use > end && written.halves > halves)
            move_down(out->instructions, first, end, use);
        else
            first = end;
    }
    for (size_t at = 0; at < out->instruction_count; at++)
        if (is_comparison(&out->instructions[at]))
            gather_users(out, at, halves);
}
