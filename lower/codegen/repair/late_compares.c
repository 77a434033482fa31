/* Moves comparisons down to the first instruction that their predicate guards, if more predicates would be live there
 * than there are flag registers. A comparison of 128 lanes sets four predicates before the first one is used; two flag
 * registers hold two of them, and the finalizer moves the others to general registers and back. */
#include <assert.h>
#include <string.h>
#include "lower/codegen/repair/repair.h"
#include "visa_emit/place.h"

enum { FARTHEST = 64, MOST_PREDICATES = 16, MOST_MOVED = 2 };

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
    return i->op == VISA_OP_CMP || i->op == VISA_OP_SEL ||
           (i->op <= VISA_OP_DP4A && i->op != VISA_OP_ADDC && i->op != VISA_OP_SUBB);
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
}
