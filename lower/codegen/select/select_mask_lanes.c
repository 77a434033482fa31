/* Selects operations on lanes of masks: shuffles, single lanes, and bitcasts between masks and integers.
 *
 * A shuffle is computed in one of two ways, whichever takes fewer instructions. On the masks' bits in general
 * registers: lanes that keep their distance, or come in reverse order, are shifted together. Or lane by lane: each lane
 * becomes a word of 0 or 1, regions move the words, and a compare makes a mask of them. */
#include <stdlib.h>
#include "lower/codegen/select/select_mask.h"

enum { MOST_TERMS = 32, WORD = 2 };

/* A lane of a shuffle: a lane of the operands (those of the second follow those of the first), or a constant. */
enum { LANE_ANY = -1, LANE_OFF = -2, LANE_ON = -3 };

struct lanes {
    LLVMValueRef operands[2];
    unsigned inputs; /* lanes of an operand */
    unsigned count;  /* of the result */
    int *from;       /* of each lane of the result */
};

/* Lanes of predicate `part` of an operand that one shift moves to their positions. */
struct term {
    unsigned operand, part;
    bool reversed;
    int shift;     /* to the left */
    uint32_t bits; /* of the result */
};

struct terms {
    struct term list[MOST_TERMS];
    unsigned count;
    uint32_t ones, known; /* bits of the result that are 1, and that are 0 or 1 */
};

static struct macro_operand new_dword(struct selection *s)
{
    return macro_scalar(cg_new_variable(s, VISA_TYPE_UD, 1, 0, NULL), VISA_TYPE_UD, 0);
}

static void dword_op(struct selection *s, enum visa_opcode op, struct macro_operand dst, struct macro_operand a,
                     struct macro_operand b)
{
    struct macro w = {.op = op, .lanes = 1, .sources = b.kind == MACRO_NONE ? 1 : 2, .dst = dst, .src = {a, b}};
    legalize_macro(s, &w);
}

static struct macro_operand dword(uint64_t bits)
{
    return macro_immediate(VISA_TYPE_UD, bits & 0xffffffffu);
}

/* Returns part `number` of a mask as a dword in a variable of its own. Bits above the lanes are undefined. */
static struct macro_operand bits_of_part(struct selection *s, LLVMValueRef mask, unsigned number)
{
    return macro_scalar(cg_mask_to_bits(s, operand_mask_variable(s, mask) + number), VISA_TYPE_UD, 0);
}

/* The same with zeros there. */
static struct macro_operand clean_bits_of_part(struct selection *s, LLVMValueRef mask, unsigned number)
{
    uint32_t lanes = select_mask_part_bits(type_lanes(LLVMTypeOf(mask)), number);
    struct macro_operand o = bits_of_part(s, mask, number);
    if (lanes != 0xffffffffu && lanes != 0xffff) /* predicates have 16 or 32 lanes: none of these bits is undefined */
        dword_op(s, VISA_OP_AND, o, o, dword(lanes));
    return o;
}

/* ---- the lanes of a shuffle ---- */

static int lane_of_shuffle(LLVMValueRef i, unsigned k)
{
    unsigned inputs = type_lanes(LLVMTypeOf(LLVMGetOperand(i, 0)));
    int lane = LLVMGetMaskValue(i, k);
    if (lane < 0)
        return LANE_ANY;
    LLVMValueRef operand = LLVMGetOperand(i, (unsigned)lane / inputs);
    uint64_t bit;
    bool undefined;
    if (!constant_lane(operand, (unsigned)lane % inputs, &bit, &undefined))
        return lane;
    return undefined ? LANE_ANY : bit & 1 ? LANE_ON : LANE_OFF;
}

static struct lanes lanes_of_shuffle(LLVMValueRef i)
{
    struct lanes l = {.operands = {LLVMGetOperand(i, 0), LLVMGetOperand(i, 1)}, .count = LLVMGetNumMaskElements(i)};
    l.inputs = type_lanes(LLVMTypeOf(l.operands[0]));
    l.from = ir_calloc(l.count, sizeof *l.from);
    bool same = l.operands[1] == l.operands[0];
    for (unsigned k = 0; k < l.count; k++) {
        l.from[k] = lane_of_shuffle(i, k);
        if (l.from[k] >= (int)l.inputs && same)
            l.from[k] -= (int)l.inputs;
    }
    if (same)
        l.operands[1] = LLVMGetPoison(LLVMTypeOf(l.operands[0]));
    return l;
}

/* Returns the least power of two, up to 32, with which the lanes repeat. */
static unsigned period_of(const struct lanes *l)
{
    for (unsigned period = 1; period < MASK_PART_LANES && period < l->count; period *= 2) {
        int round[MASK_PART_LANES];
        bool repeats = true;
        for (unsigned k = 0; k < period; k++)
            round[k] = LANE_ANY;
        for (unsigned k = 0; k < l->count && repeats; k++) {
            int *lane = &round[k % period];
            repeats = *lane == LANE_ANY || l->from[k] == LANE_ANY || *lane == l->from[k];
            *lane = *lane == LANE_ANY ? l->from[k] : *lane;
        }
        for (unsigned k = 0; k < period && repeats; k++)
            l->from[k] = round[k];
        if (repeats)
            return period;
    }
    return MASK_PART_LANES;
}

/* ---- by bits ---- */

/* Returns the term that moves lane `at` (of the operands) to bit `bit`, with all other lanes of the `count` lanes of
 * `from` that the same shift moves to their positions. */
static struct term term_of(const struct lanes *l, const int *from, unsigned count, unsigned bit, bool reversed)
{
    unsigned at = (unsigned)from[bit] % l->inputs;
    struct term t = {.operand = (unsigned)from[bit] / l->inputs, .part = at / MASK_PART_LANES, .reversed = reversed};
    int in_part = (int)(at % MASK_PART_LANES), first = (int)(t.part * MASK_PART_LANES);
    t.shift = (int)bit - (reversed ? MASK_PART_LANES - 1 - in_part : in_part);
    for (unsigned k = 0; k < count; k++) {
        int place = (int)k - t.shift, lane = first + (reversed ? MASK_PART_LANES - 1 - place : place);
        bool is_there = place >= 0 && place < MASK_PART_LANES && lane < (int)l->inputs;
        if (is_there && from[k] >= 0 && from[k] == (int)(t.operand * l->inputs) + lane)
            t.bits |= 1u << k;
    }
    return t;
}

/* Finds the terms of `count` lanes of the result from lane `first` on; false: too many. */
static bool find_terms(const struct lanes *l, unsigned first, unsigned count, struct terms *out)
{
    const int *from = l->from + first;
    *out = (struct terms){.count = 0};
    for (unsigned k = 0; k < count; k++) {
        out->ones |= from[k] == LANE_ON ? 1u << k : 0;
        out->known |= from[k] == LANE_ON || from[k] == LANE_OFF ? 1u << k : 0;
    }
    uint32_t done = out->known;
    for (unsigned k = 0; k < count; k++) {
        if (from[k] == LANE_ANY || done >> k & 1)
            continue;
        struct term straight = term_of(l, from, count, k, false), reversed = term_of(l, from, count, k, true);
        bool turn = __builtin_popcount(reversed.bits & ~done) > __builtin_popcount(straight.bits & ~done) + 1;
        if (out->count == MOST_TERMS)
            return false;
        out->list[out->count] = turn ? reversed : straight;
        out->list[out->count].bits &= ~done;
        done |= out->list[out->count++].bits;
    }
    return true;
}

/* True if the shifted part has result bits that are not in the term. */
static bool needs_cut(const struct lanes *l, unsigned first, unsigned count, const struct term *t, bool alone)
{
    if (!alone)
        return true;
    for (unsigned k = 0; k < count; k++)
        if (l->from[first + k] != LANE_ANY && !(t->bits >> k & 1))
            return true;
    return false;
}

/* Counts the instructions of sum_of_terms(). */
static unsigned cost_of_terms(const struct terms *terms)
{
    unsigned cost = terms->count + (terms->ones != 0);
    for (unsigned k = 0; k < terms->count; k++)
        cost += 2u + (terms->list[k].shift != 0) + terms->list[k].reversed;
    return cost;
}

/* Computes the bits of `count` lanes of the result from `first` on. Others are undefined. */
static struct macro_operand sum_of_terms(struct selection *s, const struct lanes *l, unsigned first, unsigned count,
                                         const struct terms *terms)
{
    struct macro_operand sum = macro_nothing();
    for (unsigned k = 0; k < terms->count; k++) {
        const struct term *t = &terms->list[k];
        struct macro_operand o = bits_of_part(s, l->operands[t->operand], t->part);
        if (t->reversed)
            dword_op(s, VISA_OP_BFREV, o, o, macro_nothing());
        if (t->shift)
            dword_op(s, t->shift > 0 ? VISA_OP_SHL : VISA_OP_SHR, o, o, dword((uint64_t)abs(t->shift)));
        if (needs_cut(l, first, count, t, terms->count == 1))
            dword_op(s, VISA_OP_AND, o, o, dword(t->bits));
        if (k)
            dword_op(s, VISA_OP_OR, sum, sum, o);
        else
            sum = o;
    }
    if (sum.kind == MACRO_NONE) {
        sum = new_dword(s);
        legalize_move(s, 1, sum, dword(terms->ones));
    } else if (terms->ones) {
        dword_op(s, VISA_OP_OR, sum, sum, dword(terms->ones));
    }
    return sum;
}

/* Copies the lowest `period` bits, the only ones that may be set, to all others. */
static void repeat_bits(struct selection *s, struct macro_operand bits, unsigned period)
{
    if (period == 1) { /* 1 to all ones, 0 to 0 */
        struct macro_operand minus = bits;
        minus.modifier = VISA_MODIFIER_NEGATE;
        minus.type = VISA_TYPE_D;
        legalize_move(s, 1, macro_scalar(bits.variable, VISA_TYPE_D, 0), minus);
        return;
    }
    struct macro_operand copy = new_dword(s);
    for (; period < MASK_PART_LANES; period *= 2) {
        dword_op(s, VISA_OP_SHL, copy, bits, dword(period));
        dword_op(s, VISA_OP_OR, bits, bits, copy);
    }
}

static bool shuffle_repeats(struct selection *s, const struct lanes *l, unsigned period, unsigned mask)
{
    struct terms terms;
    if (!find_terms(l, 0, period, &terms))
        return false;
    struct macro_operand bits = sum_of_terms(s, l, 0, period, &terms);
    dword_op(s, VISA_OP_AND, bits, bits, dword(select_mask_part_bits(period, 0)));
    repeat_bits(s, bits, period);
    for (unsigned part = 0; part < cg_mask_parts(l->count); part++)
        cg_bits_to_mask(s, mask + part, macro_general_operand(&bits));
    return true;
}

static unsigned lanes_in_part(const struct lanes *l, unsigned part)
{
    unsigned rest = l->count - part * MASK_PART_LANES;
    return rest < MASK_PART_LANES ? rest : MASK_PART_LANES;
}

/* Counts instructions; ~0u: not possible. */
static unsigned cost_by_bits(const struct lanes *l)
{
    unsigned cost = 0;
    struct terms terms;
    for (unsigned part = 0; part < cg_mask_parts(l->count); part++) {
        if (!find_terms(l, part * MASK_PART_LANES, lanes_in_part(l, part), &terms))
            return ~0u;
        cost += 1 + cost_of_terms(&terms);
    }
    return cost;
}

static void shuffle_bits(struct selection *s, const struct lanes *l, unsigned mask)
{
    struct macro_operand *sums =
        ir_calloc(cg_mask_parts(l->count), sizeof *sums); /* `mask` may also be an operand's variable */
    for (unsigned part = 0; part < cg_mask_parts(l->count); part++) {
        struct terms terms;
        unsigned first = part * MASK_PART_LANES;
        if (find_terms(l, first, lanes_in_part(l, part), &terms))
            sums[part] = sum_of_terms(s, l, first, lanes_in_part(l, part), &terms);
    }
    for (unsigned part = 0; part < cg_mask_parts(l->count); part++)
        cg_bits_to_mask(s, mask + part, macro_general_operand(&sums[part]));
    free(sums);
}

/* ---- by words ---- */

/* Each part of an operand takes this many words, which are written by one instruction: of a move of words that several
 * instructions wrote, the finalizer may redirect one of the writes, and the others' words are lost. */
static unsigned words_of_operand(const struct lanes *l)
{
    return cg_mask_parts(l->inputs) * MASK_PART_LANES;
}

/* Returns the word of a lane of the operands. */
static unsigned word_of_lane(const struct lanes *l, int lane)
{
    unsigned operand = (unsigned)lane / l->inputs;
    return operand * words_of_operand(l) + (unsigned)lane % l->inputs;
}

/* Returns the longest run of result lanes first, first + step, ... that is one region of one part's words. */
static unsigned run_of_lanes(const struct lanes *l, const bool *done, unsigned first, unsigned step, struct region *out)
{
    int offsets[MASK_PART_LANES];
    unsigned best = 0, part = word_of_lane(l, l->from[first]) / MASK_PART_LANES;
    for (unsigned n = 0; n < MASK_PART_LANES && first + n * step < l->count; n++) {
        unsigned lane = first + n * step;
        if (done[lane] || l->from[lane] < 0 || word_of_lane(l, l->from[lane]) / MASK_PART_LANES != part)
            break;
        offsets[n] = (int)(WORD * word_of_lane(l, l->from[lane]));
        struct region trial;
        if (region_from_offsets(offsets, n + 1, &trial) && trial.hstride >= 0 && trial.vstride >= 0 &&
            (trial.width == n + 1 || (n + 1) % trial.width == 0)) {
            best = n + 1;
            *out = trial;
        }
    }
    return best;
}

/* Calls `visit` for each run that shuffle_words() moves; returns their number. */
static unsigned for_each_run(const struct lanes *l,
                             void (*visit)(void *context, unsigned first, unsigned step, unsigned lanes,
                                           const struct region *region),
                             void *context)
{
    bool *done = ir_calloc(l->count, sizeof *done);
    unsigned runs = 0;
    for (unsigned first = 0; first < l->count; first++) {
        unsigned best = 0, best_step = 1;
        struct region region = {0, 1, 0, 0};
        if (done[first] || l->from[first] < 0)
            continue;
        for (unsigned step = 1; step <= 4; step *= 2) {
            struct region trial;
            unsigned n = run_of_lanes(l, done, first, step, &trial);
            if (n > best) {
                best = n;
                best_step = step;
                region = trial;
            }
        }
        for (unsigned k = 0; k < best; k++)
            done[first + k * best_step] = true;
        if (visit)
            visit(context, first, best_step, best, &region);
        runs++;
    }
    free(done);
    return runs;
}

static unsigned known_lanes(const struct lanes *l, int what)
{
    unsigned lanes = 0;
    for (unsigned k = 0; k < l->count; k++)
        lanes += l->from[k] == what;
    return lanes;
}

static unsigned cost_by_words(const struct lanes *l)
{
    unsigned operands = !LLVMIsConstant(l->operands[0]) + !LLVMIsConstant(l->operands[1]);
    unsigned known = known_lanes(l, LANE_ON) + (known_lanes(l, LANE_OFF) != 0);
    return operands * 2 * cg_mask_parts(l->inputs) + known + for_each_run(l, NULL, NULL) + cg_mask_parts(l->count);
}

struct words {
    struct selection *s;
    unsigned from, to;
};

static void move_run(void *context, unsigned first, unsigned step, unsigned lanes, const struct region *region)
{
    struct words *words = context;
    struct macro_operand to = macro_scalar(words->to, VISA_TYPE_UW, 0),
                         from = macro_scalar(words->from, VISA_TYPE_UW, 0);
    to.region = (struct region){(int)(WORD * first), lanes, 0, (int)(WORD * step)};
    from.region = *region;
    legalize_move(words->s, lanes, to, from);
}

/* Writes words of 0 and 1 for a mask's lanes, and undefined ones up to the size of its predicates. */
static void write_words(struct selection *s, LLVMValueRef mask, unsigned variable, unsigned at)
{
    unsigned lanes = type_lanes(LLVMTypeOf(mask)), first = operand_mask_variable(s, mask);
    for (unsigned part = 0; part < cg_mask_parts(lanes); part++) {
        unsigned size = visa_variable(s->out, first + part)->elements;
        unsigned count = size < 8 && lanes > 1 ? 8 : size;
        struct macro_operand words =
            macro_region(variable, VISA_TYPE_UW, (int)(WORD * (at + part * MASK_PART_LANES)), count);
        legalize_move(s, count, words, macro_immediate(VISA_TYPE_UW, 0));
        select_set_words(s, words, count, first + part, false, 1);
    }
}

static void shuffle_words(struct selection *s, const struct lanes *l, unsigned mask)
{
    unsigned all = 2 * words_of_operand(l);
    struct words words = {.s = s, .from = cg_new_variable(s, VISA_TYPE_UW, all, s->platform->grf_bytes, NULL)};
    words.to = cg_new_variable(s, VISA_TYPE_UW, l->count, s->platform->grf_bytes, NULL);
    struct macro_operand to = macro_region(words.to, VISA_TYPE_UW, 0, l->count);
    for (unsigned k = 0; k < 2; k++)
        if (!LLVMIsConstant(l->operands[k]))
            write_words(s, l->operands[k], words.from, k * words_of_operand(l));
    if (known_lanes(l, LANE_OFF))
        legalize_move(s, l->count, to, macro_immediate(VISA_TYPE_UW, 0));
    for (unsigned k = 0; k < l->count; k++)
        if (l->from[k] == LANE_ON)
            legalize_move(s, 1, macro_scalar(words.to, VISA_TYPE_UW, (int)(WORD * k)),
                          macro_immediate(VISA_TYPE_UW, 1));
    for_each_run(l, move_run, &words);
    select_compare_to_mask(s, VISA_NE, l->count, mask, to, macro_immediate(VISA_TYPE_UW, 0));
}

bool select_mask_shuffle(struct selection *s, LLVMValueRef i)
{
    struct lanes l = lanes_of_shuffle(i);
    unsigned mask = operand_mask_variable(s, i), period = period_of(&l);
    if (period < MASK_PART_LANES && shuffle_repeats(s, &l, period, mask))
        ; /* done */
    else if (cost_by_bits(&l) <= cost_by_words(&l))
        shuffle_bits(s, &l, mask);
    else
        shuffle_words(s, &l, mask);
    free(l.from);
    return true;
}

/* ---- single lanes ---- */

/* Returns a lane's number as a dword in a variable of its own. */
static struct macro_operand lane_number(struct selection *s, LLVMValueRef index)
{
    struct macro_operand number = new_dword(s), from = operand_source(s, index, 'U');
    if (visa_type_bytes(from.type) == 8)
        from.type = VISA_TYPE_UD;
    legalize_move(s, 1, number, from);
    return number;
}

/* Copies all parts of a mask as dwords to one variable. */
static unsigned parts_in_memory(struct selection *s, LLVMValueRef mask)
{
    unsigned parts = cg_mask_parts(type_lanes(LLVMTypeOf(mask)));
    unsigned all = cg_new_variable(s, VISA_TYPE_UD, parts, s->platform->grf_bytes, NULL);
    for (unsigned part = 0; part < parts && !LLVMIsUndef(mask); part++)
        legalize_move(s, 1, macro_scalar(all, VISA_TYPE_UD, (int)(4 * part)), bits_of_part(s, mask, part));
    return all;
}

/* Returns the dword of `all` that holds lane `number`. */
static struct macro_operand part_by_number(struct selection *s, unsigned all, struct macro_operand number)
{
    struct macro_operand offset = new_dword(s),
                         word = macro_scalar(cg_new_variable(s, VISA_TYPE_UW, 1, 0, NULL), VISA_TYPE_UW, 0);
    dword_op(s, VISA_OP_SHR, offset, number, dword(5));
    dword_op(s, VISA_OP_SHL, offset, offset, dword(2));
    offset.type = VISA_TYPE_UW;
    legalize_move(s, 1, word, offset);
    return (struct macro_operand){
        .kind = MACRO_ADDRESS, .type = VISA_TYPE_UD, .address = all, .offset = word.variable, .region = {0, 1, 0, 0}};
}

bool select_mask_extract(struct selection *s, LLVMValueRef i)
{
    LLVMValueRef from = LLVMGetOperand(i, 0), index = LLVMGetOperand(i, 1);
    unsigned lanes = type_lanes(LLVMTypeOf(from));
    struct macro_operand o, bit = dword(1);
    int64_t lane;
    if (constant_int(index, &lane)) {
        unsigned in_range = lane >= 0 && lane < (int64_t)lanes ? (unsigned)lane : 0; /* otherwise undefined */
        o = bits_of_part(s, from, in_range / MASK_PART_LANES);
        bit = dword(1ull << in_range % MASK_PART_LANES);
    } else {
        struct macro_operand number = lane_number(s, index);
        if (lanes <= MASK_PART_LANES) {
            o = bits_of_part(s, from, 0);
        } else {
            o = new_dword(s);
            legalize_move(s, 1, o, part_by_number(s, parts_in_memory(s, from), number));
        }
        dword_op(s, VISA_OP_SHR, o, o, number); /* by the lowest five bits */
    }
    dword_op(s, VISA_OP_AND, o, o, bit);
    select_compare_to_mask(s, VISA_NE, 1, operand_mask_variable(s, i), o, dword(0));
    return true;
}

/* dst = (old without `bit`) with it if the new lane is set. */
static void replace_bit(struct selection *s, LLVMValueRef i, struct macro_operand dst, struct macro_operand old,
                        struct macro_operand bit, struct macro_operand others)
{
    dword_op(s, VISA_OP_AND, dst, old, others);
    struct macro set = {.op = VISA_OP_OR, .lanes = 1, .sources = 2, .dst = dst, .src = {dst, bit}};
    set.predicate = operand_mask(s, LLVMGetOperand(i, 1), 1);
    legalize_macro(s, &set);
}

static void insert_by_number(struct selection *s, LLVMValueRef i)
{
    LLVMValueRef old = LLVMGetOperand(i, 0);
    unsigned parts = cg_mask_parts(type_lanes(LLVMTypeOf(old))), all = parts_in_memory(s, old),
             mask = operand_mask_variable(s, i);
    struct macro_operand number = lane_number(s, LLVMGetOperand(i, 2)), bit = new_dword(s), others = new_dword(s);
    struct macro_operand place = part_by_number(s, all, number), changed = new_dword(s);
    legalize_move(s, 1, bit, dword(1));
    dword_op(s, VISA_OP_SHL, bit, bit, number);
    dword_op(s, VISA_OP_NOT, others, bit, macro_nothing());
    legalize_move(s, 1, changed, place);
    replace_bit(s, i, changed, changed, bit, others);
    legalize_move(s, 1, place, changed);
    for (unsigned part = 0; part < parts; part++) {
        struct macro_operand o = macro_scalar(all, VISA_TYPE_UD, (int)(4 * part));
        cg_bits_to_mask(s, mask + part, macro_general_operand(&o));
    }
}

bool select_mask_insert(struct selection *s, LLVMValueRef i)
{
    LLVMValueRef old = LLVMGetOperand(i, 0);
    unsigned lanes = type_lanes(LLVMTypeOf(old));
    int64_t lane;
    if (!constant_int(LLVMGetOperand(i, 2), &lane)) {
        insert_by_number(s, i);
        return true;
    }
    if (lane < 0 || lane >= (int64_t)lanes) /* undefined */
        lane = 0;
    unsigned part = (unsigned)lane / MASK_PART_LANES;
    struct macro_operand bit = dword(1ull << lane % MASK_PART_LANES), r = new_dword(s);
    if (LLVMIsUndef(old) || LLVMIsPoison(old)) {
        legalize_move(s, 1, r, dword(0));
        replace_bit(s, i, r, r, bit, dword(~bit.bits));
    } else {
        replace_bit(s, i, r, bits_of_part(s, old, part), bit, dword(~bit.bits));
        if (lanes > MASK_PART_LANES)
            select_mask_copy(s, lanes, operand_mask_variable(s, i), operand_mask_variable(s, old));
    }
    cg_bits_to_mask(s, operand_mask_variable(s, i) + part, macro_general_operand(&r));
    return true;
}

/* ---- masks as integers ---- */

/* Whole words and dwords are written at once: of a second move, the finalizer would keep one. */
static bool bits_of_mask(struct selection *s, LLVMValueRef i)
{
    LLVMValueRef from = LLVMGetOperand(i, 0);
    unsigned lanes = type_lanes(LLVMTypeOf(from)), to = operand_value_variable(s, i);
    for (unsigned part = 0; part < cg_mask_parts(lanes); part++) {
        unsigned here = lanes - part * MASK_PART_LANES, bytes = (here + 7) / 8;
        enum visa_type type = bytes == 1 ? VISA_TYPE_UB : bytes == 2 ? VISA_TYPE_UW : VISA_TYPE_UD;
        if (here == 16 || here >= MASK_PART_LANES) {
            struct visa_operand dst = cg_scalar_destination(to);
            dst.type = type;
            dst.offset = (int)(4 * part);
            cg_mask_to_operand(s, operand_mask_variable(s, from) + part, dst);
            continue;
        }
        struct macro_operand o = bytes < 2 ? clean_bits_of_part(s, from, part) : bits_of_part(s, from, part);
        o.type = type;
        legalize_move(s, 1, macro_scalar(to, type, (int)(4 * part)), o);
    }
    return true;
}

static bool mask_of_bits(struct selection *s, LLVMValueRef i)
{
    unsigned lanes = type_lanes(LLVMTypeOf(i)), from = operand_value_variable(s, LLVMGetOperand(i, 0)),
             mask = operand_mask_variable(s, i);
    for (unsigned part = 0; part < cg_mask_parts(lanes); part++) {
        unsigned bytes = (lanes - part * MASK_PART_LANES + 7) / 8;
        enum visa_type type = bytes == 1 ? VISA_TYPE_UB : bytes == 2 ? VISA_TYPE_UW : VISA_TYPE_UD;
        struct macro_operand o = new_dword(s);
        legalize_move(s, 1, o, macro_scalar(from, type, (int)(4 * part)));
        cg_bits_to_mask(s, mask + part, macro_general_operand(&o));
    }
    return true;
}

bool select_mask_bitcast(struct selection *s, LLVMValueRef i)
{
    if (!LLVMIsABitCastInst(i))
        return false;
    bool from = type_is_mask(LLVMTypeOf(LLVMGetOperand(i, 0))), to = type_is_mask(LLVMTypeOf(i));
    if (from == to)
        return false;
    return to ? mask_of_bits(s, i) : bits_of_mask(s, i);
}
