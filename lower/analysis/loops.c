/* Finds loops and counts their iterations. See loops.h. */
#include "lower/analysis/loops.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include "lower/ir/watch.h"

/* ---- finding loops ---- */

static void add_member(const struct loops *l, struct loop *loop, unsigned block)
{
    if (loop->members[block])
        return;
    loop->members[block] = true;
    for (unsigned k = 0; k < l->cfg.predecessor_count[block]; k++)
        if (l->cfg.dominator[l->cfg.predecessors[block][k]] != CFG_NONE)
            add_member(l, loop, l->cfg.predecessors[block][k]);
}

static bool is_branch(const struct loops *l, unsigned block)
{
    return LLVMIsABranchInst(LLVMGetBasicBlockTerminator(l->cfg.blocks[block])) != NULL;
}

static bool stays_inside(const struct loops *l, const struct loop *loop, unsigned block)
{
    for (unsigned k = 0; k < l->cfg.successor_count[block]; k++)
        if (!loop->members[l->cfg.successors[block][k]])
            return false;
    return is_branch(l, block);
}

/* Sets .body, .exit and .simple. */
static void find_shape(const struct loops *l, struct loop *loop)
{
    const struct cfg *cfg = &l->cfg;
    loop->simple = loop->ways_back == 1 && cfg->predecessor_count[loop->header] == 2 && is_branch(l, loop->header) &&
                   cfg->successor_count[loop->header] == 2;
    if (!loop->simple)
        return;
    bool first_inside = loop->members[cfg->successors[loop->header][0]];
    loop->body = cfg->successors[loop->header][first_inside ? 0 : 1];
    loop->exit = cfg->successors[loop->header][first_inside ? 1 : 0];
    loop->simple = loop->members[loop->body] && !loop->members[loop->exit];
    for (unsigned b = 0; b < cfg->count && loop->simple; b++) {
        if (!loop->members[b])
            continue;
        loop->simple = b == loop->header || stays_inside(l, loop, b);
        FOR_EACH_INSTRUCTION(i, cfg->blocks[b])
        if (LLVMIsAAllocaInst(i))
            loop->simple = false;
    }
}

/* Reads the source's unroll pragmas, which are metadata of the back edge. */
static void read_pragmas(const struct loops *l, struct loop *loop)
{
    enum { MOST_WORDS = 16 };
    LLVMValueRef terminator = LLVMGetBasicBlockTerminator(l->cfg.blocks[loop->latch]), words[MOST_WORDS], first;
    LLVMValueRef all = LLVMGetMetadata(
        terminator, LLVMGetMDKindIDInContext(LLVMGetTypeContext(LLVMTypeOf(terminator)), "llvm.loop", 9));
    unsigned count = all ? (unsigned)LLVMGetMDNodeNumOperands(all) : 0;
    if (!all || count > MOST_WORDS)
        return;
    LLVMGetMDNodeOperands(all, words);
    for (unsigned k = 1; k < count; k++) { /* the first is the node itself */
        unsigned length = 0;
        if (!words[k] || !LLVMIsAMDNode(words[k]) || LLVMGetMDNodeNumOperands(words[k]) < 1 ||
            LLVMGetMDNodeNumOperands(words[k]) > 2)
            continue;
        LLVMValueRef parts[2];
        LLVMGetMDNodeOperands(words[k], parts);
        first = parts[0];
        const char *word = first ? LLVMGetMDString(first, &length) : NULL;
        if (!word || length < 17 || memcmp(word, "llvm.loop.unroll.", 17) != 0)
            continue;
        loop->asked = loop->asked || (length == 23 && memcmp(word + 17, "enable", 6) == 0) ||
                      (length == 21 && memcmp(word + 17, "full", 4) == 0);
        loop->refused = loop->refused || (length == 24 && memcmp(word + 17, "disable", 7) == 0) ||
                        (length == 22 && memcmp(word + 17, "count", 5) == 0);
    }
}

static void list_inside(const struct loops *l, struct loop *loop)
{
    size_t count = 0, capacity = 0;
    for (unsigned n = 0; n < l->reached; n++)
        if (loop->members[l->order[n]] && l->order[n] != loop->header)
            ARRAY_PUSH(loop->inside, count, capacity, l->order[n]);
    loop->inside_count = (unsigned)count;
}

static void find_loop(struct loops *l, unsigned header)
{
    const struct cfg *cfg = &l->cfg;
    struct loop loop = {.header = header, .members = ir_calloc(cfg->count, sizeof(bool))};
    loop.members[header] = true;
    for (unsigned k = 0; k < cfg->predecessor_count[header]; k++) {
        unsigned from = cfg->predecessors[header][k];
        if (cfg->dominator[from] == CFG_NONE || !cfg_dominates(cfg, header, from))
            continue;
        loop.latch = from;
        loop.ways_back++;
        add_member(l, &loop, from);
    }
    if (!loop.ways_back) {
        free(loop.members);
        return;
    }
    ARRAY_PUSH(l->list, l->count, l->capacity, loop);
    l->of_header[header] = l->count;
}

/* True for what is there for debuggers only. */
static bool is_watched(LLVMValueRef i)
{
    LLVMUseRef use = LLVMIsALoadInst(i) ? LLVMGetFirstUse(i) : NULL;
    return ir_is_watch(i) || (use && !LLVMGetNextUse(use) && ir_is_watch(LLVMGetUser(use)));
}

/* Counts instructions like LLVM's cost model: a call costs its operands. */
static unsigned block_size(LLVMBasicBlockRef block)
{
    unsigned size = 0;
    FOR_EACH_INSTRUCTION(i, block)
    {
        if (is_watched(i))
            continue;
        if (LLVMIsACallInst(i))
            size += LLVMGetNumArgOperands(i) + 1;
        else if (!LLVMIsAPHINode(i) && !LLVMIsABitCastInst(i))
            size++;
    }
    return size;
}

static bool has_choice(LLVMBasicBlockRef block)
{
    FOR_EACH_INSTRUCTION(i, block)
    {
        if (LLVMIsASelectInst(i) && LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMPointerTypeKind)
            return true;
    }
    return false;
}

/* Computes the sizes of all loops, innermost first. */
static void find_sizes(struct loops *l)
{
    unsigned *weight = ir_calloc(l->cfg.count, sizeof *weight);
    for (unsigned b = 0; b < l->cfg.count; b++)
        weight[b] = block_size(l->cfg.blocks[b]);
    for (size_t n = l->count; n-- > 0;) {
        struct loop *loop = &l->list[n];
        for (unsigned b = 0; b < l->cfg.count; b++)
            if (loop->members[b]) {
                loop->size += weight[b];
                loop->chooses = loop->chooses || has_choice(l->cfg.blocks[b]);
            }
        int rounds = loop->rounds = loop->simple ? loop_rounds(l, loop, NULL) : -1;
        for (unsigned b = 0; b < l->cfg.count; b++)
            if (loop->members[b] && rounds > 1 && loop_is_wanted(loop, rounds) && weight[b] < 1u << 20)
                weight[b] *= (unsigned)rounds;
    }
    free(weight);
}

void loops_find_members(struct loops *l, LLVMValueRef function)
{
    *l = (struct loops){.reducible = true};
    cfg_build(&l->cfg, function);
    l->order = ir_calloc(l->cfg.count, sizeof *l->order);
    l->reached = cfg_order(&l->cfg, l->order);
    l->of_header = ir_calloc(l->cfg.count, sizeof *l->of_header);
    unsigned *place = ir_calloc(l->cfg.count, sizeof *place);
    for (unsigned n = 0; n < l->reached; n++)
        place[l->order[n]] = n;
    for (unsigned n = 0; n < l->reached; n++) {
        unsigned b = l->order[n];
        for (unsigned k = 0; k < l->cfg.successor_count[b]; k++)
            if (place[l->cfg.successors[b][k]] <= n && !cfg_dominates(&l->cfg, l->cfg.successors[b][k], b))
                l->reducible = false;
        find_loop(l, b);
    }
    free(place);
}

void loops_find(struct loops *l, LLVMValueRef function)
{
    loops_find_members(l, function);
    for (size_t n = 0; n < l->count; n++) {
        list_inside(l, &l->list[n]);
        find_shape(l, &l->list[n]);
        read_pragmas(l, &l->list[n]);
    }
    find_sizes(l);
}

void loops_free(struct loops *l)
{
    for (size_t n = 0; n < l->count; n++)
        free(l->list[n].members), free(l->list[n].inside);
    free(l->list);
    free(l->order);
    free(l->of_header);
    cfg_free(&l->cfg);
}

/* ---- counting iterations ---- */

/* The phis of a header and their values in one iteration, if they are known numbers. */
enum { MOST_COUNTERS = 16 };
struct counters {
    const struct loops *loops;
    const struct loop *loop;
    const struct replay *values; /* outside of the loop */
    unsigned count;
    struct counter {
        LLVMValueRef phi;
        bool known;
        uint64_t number;
    } all[MOST_COUNTERS];
};

static bool is_inside(const struct counters *c, LLVMValueRef value)
{
    if (!LLVMIsAInstruction(value))
        return false;
    unsigned block = cfg_number(&c->loops->cfg, LLVMGetInstructionParent(value));
    return block != CFG_NONE && c->loop->members[block];
}

/* Returns the number that a value outside the loop is. */
static bool outside_number(const struct counters *c, LLVMValueRef value, uint64_t *number)
{
    if (LLVMIsAConstantInt(value) && type_element_bits(LLVMTypeOf(value)) <= 64) {
        *number = LLVMConstIntGetZExtValue(value);
        return true;
    }
    return c->values && replay_number(c->values, value, number);
}

/* Computes `value` in this iteration. False: not known. */
static bool evaluate(const struct counters *c, LLVMValueRef value, unsigned depth, uint64_t *number)
{
    enum { DEEPEST = 8 };
    for (unsigned k = 0; k < c->count; k++)
        if (c->all[k].phi == value) {
            *number = c->all[k].number;
            return c->all[k].known;
        }
    if (!is_inside(c, value))
        return outside_number(c, value, number);
    struct arithmetic arithmetic;
    uint64_t left, right = 0;
    if (depth == DEEPEST)
        return false;
    if (LLVMIsASelectInst(value))
        return evaluate(c, LLVMGetOperand(value, 0), depth + 1, &left) &&
               evaluate(c, LLVMGetOperand(value, left ? 1 : 2), depth + 1, number);
    return arithmetic_of(value, &arithmetic) && evaluate(c, LLVMGetOperand(value, 0), depth + 1, &left) &&
           (arithmetic_is_conversion(&arithmetic) || evaluate(c, LLVMGetOperand(value, 1), depth + 1, &right)) &&
           arithmetic_result(&arithmetic, left, right, number);
}

static LLVMValueRef incoming(LLVMValueRef phi, LLVMBasicBlockRef latch, bool from_latch)
{
    for (unsigned k = 0; k < LLVMCountIncoming(phi); k++)
        if ((LLVMGetIncomingBlock(phi, k) == latch) == from_latch)
            return LLVMGetIncomingValue(phi, k);
    return NULL;
}

static void begin_counters(struct counters *c)
{
    const struct cfg *cfg = &c->loops->cfg;
    FOR_EACH_INSTRUCTION(phi, cfg->blocks[c->loop->header])
    {
        if (!LLVMIsAPHINode(phi) || c->count == MOST_COUNTERS)
            break;
        struct counter counter = {.phi = phi};
        counter.known = outside_number(c, incoming(phi, cfg->blocks[c->loop->latch], false), &counter.number);
        c->all[c->count++] = counter;
    }
}

static void advance_counters(struct counters *c)
{
    LLVMBasicBlockRef latch = c->loops->cfg.blocks[c->loop->latch];
    struct counters before = *c;
    for (unsigned k = 0; k < c->count; k++)
        c->all[k].known =
            before.all[k].known && evaluate(&before, incoming(c->all[k].phi, latch, true), 0, &c->all[k].number);
}

int loop_rounds(const struct loops *l, const struct loop *loop, const struct replay *values)
{
    assert(loop->header < l->cfg.count && loop->simple);
    struct counters c = {.loops = l, .loop = loop, .values = values};
    LLVMValueRef branch = LLVMGetBasicBlockTerminator(l->cfg.blocks[loop->header]);
    uint64_t condition;
    if (!LLVMIsABranchInst(branch) || !LLVMIsConditional(branch)) /* a switch, in a module of others */
        return -1;
    bool body_first = LLVMGetSuccessor(branch, 0) == l->cfg.blocks[loop->body];
    begin_counters(&c);
    for (int round = 0; round <= LOOPS_MOST_ROUNDS; round++) {
        if (!evaluate(&c, LLVMGetCondition(branch), 0, &condition))
            return -1;
        if ((condition != 0) != body_first)
            return round;
        advance_counters(&c);
    }
    return -1;
}

bool loop_is_wanted(const struct loop *loop, int rounds)
{
    /* LLVM's limits: for pragmas, and pipeline.c's unroll threshold. A loop that does not compile otherwise may be
     * larger. */
    enum { MOST_CHOOSING = 65536, MOST_ASKED = 16384, MOST = 1000 };
    unsigned most = !loop->asked ? MOST : loop->chooses ? MOST_CHOOSING : MOST_ASKED;
    return rounds >= 0 && !loop->refused && (uint64_t)loop->size * (unsigned)rounds <= most;
}
