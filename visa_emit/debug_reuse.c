/* Finds homes that are used for something else: see debug_reuse.h. */
#include "visa_emit/debug_reuse.h"

#include <stdlib.h>
#include <string.h>
#include "visa_emit/gen_spills.h"
#include "visa_emit/gen_writes.h"
#include "visa_emit/place.h"

static bool writes_home(const struct visa_instruction *i, unsigned home)
{
    return i && i->dst.kind == VISA_OPERAND_GENERAL && i->dst.variable == home;
}

static size_t line_bytes(const struct debug_point *p)
{
    return strcspn(p->text, "\n");
}

bool debug_home_is_shared(const struct debug_code *code, const struct visa_kernel *unit, unsigned home,
                          const struct debug_place *place, unsigned bytes, unsigned register_bytes)
{
    if (!place->is_in_scratch)
        return false;
    for (size_t k = 0; k + 1 < code->count; k++) {
        const struct debug_point *p = &code->points[k];
        struct gen_spill spill = gen_spill_of(p->text, line_bytes(p), register_bytes);
        if (place->frame && p->unit != unit) /* each function on the stack has a frame of its own */
            continue;
        if (spill.kind == GEN_SPILL_WRITE && spill.is_in_frame == (place->frame != 0) &&
            spill.low < place->byte + bytes && spill.high > place->byte &&
            (p->unit != unit || !writes_home(p->from, home)))
            return true;
    }
    return false;
}

/* What is searched. */
struct reuse {
    const struct debug_code *code;
    const struct visa_kernel *unit;
    const struct debug_variable *variable;
    unsigned low, high, register_bytes; /* bytes of the register file */
    bool *written;                      /* per byte of the home: some instruction writes it */
    bool *left;                         /* the same, room */
    bool *uncertain;                    /* per Gen instruction */
};

static bool is_in_scope(const struct reuse *r, const struct debug_point *p)
{
    unsigned scope = p->scope;
    while (scope && scope != r->variable->scope)
        scope = r->unit->debug->scopes[scope - 1].parent;
    return scope != 0;
}

/* True if a register gets back what it had before a call of a function on the stack: debug_home_ranges() knows it. */
static bool is_read_back(const struct reuse *r, const struct debug_point *p)
{
    if (p->from->op != VISA_OP_FCALL)
        return false;
    struct gen_spill spill = gen_spill_of(p->text, line_bytes(p), r->register_bytes);
    return spill.kind == GEN_SPILL_READ && spill.is_in_frame;
}

/* True if an instruction writes bytes of the home for another variable, while the home should have its value. */
static bool reuses(const struct reuse *r, const struct debug_point *p)
{
    if (p->unit != r->unit || !p->from || writes_home(p->from, r->variable->home) || !is_in_scope(r, p) ||
        is_read_back(r, p))
        return false;
    struct gen_write w = gen_write_of(p->text, line_bytes(p), r->register_bytes);
    return w.kind == GEN_WRITES_BYTES && w.low < r->high && w.high > r->low;
}

static bool begins_block(const struct visa_instruction *i)
{
    return i->op == VISA_OP_LABEL || i->op == VISA_OP_FUNCTION;
}

/* True if control may come to `to` from elsewhere, or leaves before it, counted from `from`: two instructions of the
 * text, one behind the other. */
static bool is_other_block(const struct visa_instruction *from, const struct visa_instruction *to)
{
    if (to < from)
        return true;
    for (const struct visa_instruction *i = from; i < to; i++)
        if (visa_ends_block(i) || begins_block(i + 1))
            return true;
    return false;
}

/* Returns the first instruction of the outermost loop around `at` that begins behind `first`; `at` itself: none. */
static const struct visa_instruction *loop_around(const struct visa_kernel *unit, const struct visa_instruction *at,
                                                  const struct visa_instruction *first)
{
    const struct visa_instruction *all = unit->instructions, *start = at;
    for (const struct visa_instruction *jump = at; jump < all + unit->instruction_count; jump++) {
        if (jump->op != VISA_OP_JMP && jump->op != VISA_OP_GOTO)
            continue;
        for (const struct visa_instruction *label = first; label < start; label++)
            if (label->op == VISA_OP_LABEL && label->attr[0] == jump->attr[0])
                start = label;
    }
    return start;
}

/* Returns the Gen instruction behind which the home has its value again, in the same block as instruction `k`, which
 * has taken its registers. 0: there is none. */
static size_t find_end(const struct reuse *r, size_t k)
{
    unsigned bytes = r->high - r->low;
    memcpy(r->left, r->written, bytes);
    for (size_t n = k + 1; n + 1 < r->code->count; n++) {
        const struct debug_point *p = &r->code->points[n];
        if (!p->from || p->unit != r->unit || is_other_block(r->code->points[k].from, p->from))
            return 0;
        if (writes_home(p->from, r->variable->home))
            debug_home_written_by(p->from, r->left, bytes);
        if (!memchr(r->left, true, bytes))
            return n + 1;
    }
    return 0;
}

/* Finds the Gen instructions at which the home is not certain. Returns the vISA instruction behind which it is so only
 * where it is written in the same block. NULL: there is none. */
static const struct visa_instruction *find_reuse(const struct reuse *r, const struct visa_instruction *first)
{
    const struct visa_instruction *from = NULL;
    for (size_t k = 0; k + 1 < r->code->count; k++) {
        const struct debug_point *p = &r->code->points[k];
        if (!reuses(r, p) || p->from < first)
            continue;
        size_t end = find_end(r, k);
        for (size_t n = k; n < end; n++)
            r->uncertain[n] = true;
        const struct visa_instruction *start = end ? NULL : loop_around(r->unit, p->from, first);
        from = start && (!from || start < from) ? start : from;
    }
    return from;
}

/* True if the home is certain at a Gen instruction: it was written in the block before it, and is not being written. */
static bool is_written_before(const struct reuse *r, size_t k)
{
    const struct debug_point *at = &r->code->points[k];
    if (writes_home(at->from, r->variable->home))
        return false;
    for (size_t n = k; n-- > 0;) {
        const struct debug_point *p = &r->code->points[n];
        if (!p->from || p->unit != r->unit || is_other_block(p->from, at->from) || reuses(r, p))
            return false;
        if (writes_home(p->from, r->variable->home))
            return true;
    }
    return false;
}

static size_t without_uncertain(const struct reuse *r, struct debug_range **ranges, size_t count,
                                const struct visa_instruction *from)
{
    const struct debug_code *code = r->code;
    struct debug_range *certain = calloc(code->count + 1, sizeof *certain);
    size_t kept = 0;
    for (size_t k = 0; certain && k + 1 < code->count; k++) {
        const struct debug_point *p = &code->points[k];
        bool is_late = from && (!p->from || p->from >= from);
        if (p->unit != r->unit || r->uncertain[k] || (is_late && (!p->from || !is_written_before(r, k))))
            continue;
        if (kept && certain[kept - 1].end == p->offset)
            certain[kept - 1].end = p[1].offset;
        else
            certain[kept++] = (struct debug_range){p->offset, p[1].offset};
    }
    count = debug_ranges_meet(ranges, count, certain, kept);
    free(certain);
    return count;
}

size_t debug_ranges_without_reuse(struct debug_range **ranges, size_t count, const struct debug_code *code,
                                  const struct visa_kernel *unit, const struct debug_variable *variable,
                                  const struct debug_place *place, unsigned bytes, unsigned register_bytes)
{
    struct reuse r = {code, unit, variable, place->byte, place->byte + bytes, register_bytes, NULL, NULL, NULL};
    const struct visa_instruction *first = unit->instructions, *end = first + unit->instruction_count;
    if (place->is_in_scratch || !count)
        return count;
    while (first < end && !writes_home(first, variable->home))
        first++;
    r.written = calloc(bytes + 1, sizeof *r.written);
    r.left = calloc(bytes + 1, sizeof *r.left);
    r.uncertain = calloc(code->count + 1, sizeof *r.uncertain);
    if (r.written && r.left && r.uncertain) {
        memset(r.left, true, bytes);
        debug_home_written(unit, variable->home, r.left, bytes);
        for (unsigned k = 0; k < bytes; k++)
            r.written[k] = !r.left[k];
        const struct visa_instruction *from = find_reuse(&r, first);
        if (from || memchr(r.uncertain, true, code->count))
            count = without_uncertain(&r, ranges, count, from);
    } else {
        free(*ranges);
        *ranges = NULL;
        count = 0;
    }
    free(r.written);
    free(r.left);
    free(r.uncertain);
    return count;
}
