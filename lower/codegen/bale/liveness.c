/* Computes the live ranges of values that have registers: from the definition to the last emitted instruction that
 * reads them. An instruction that is baled into its users reads its operands at the users' positions. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include "lower/codegen/bale/liveness.h"
#include "lower/codegen/bale/bale.h"
#include "lower/ir/function_info.h"

static const unsigned AT_END = ~0u; /* the position of what successors read */

static void put(uint64_t *set, size_t n)
{
    set[n / 64] |= 1ull << (n % 64);
}

static void record_use(struct selection *s, struct cg_value *v, LLVMValueRef reader, void *context)
{
    struct liveness *l = context;
    ARRAY_PUSH(l->uses, l->use_count, l->use_capacity,
               ((struct use){(size_t)(v - s->values), l->block, l->position, reader}));
}

static void collect_phi(struct liveness *l, LLVMValueRef phi)
{
    struct selection *s = l->s;
    for (unsigned k = 0; k < LLVMCountIncoming(phi); k++) {
        struct cg_value *v = bale_value_root(s, LLVMGetIncomingValue(phi, k));
        l->block = cfg_number(&s->cfg, LLVMGetIncomingBlock(phi, k));
        l->position = AT_END;
        if (v)
            record_use(s, v, phi, l);
    }
}

/* Collects uses at the positions of emitted instructions; a phi's operands are used at the end of their predecessors.
 */
static void collect_uses(struct liveness *l)
{
    struct selection *s = l->s;
    for (unsigned b = 0; b < s->cfg.count; b++) {
        unsigned position = 1;
        FOR_EACH_INSTRUCTION(i, s->cfg.blocks[b])
        {
            if (LLVMIsAPHINode(i)) {
                collect_phi(l, i);
                continue;
            }
            l->block = b;
            l->position = position++;
            if (bale_is_emitted(s, i))
                bale_for_each_source(s, i, record_use, l);
        }
        l->length[b] = position;
    }
}

/* Collects them again: those of instructions that are not marked are `old`, in the same order. */
static void collect_stale_uses(struct liveness *l, const struct use *old, size_t count)
{
    struct selection *s = l->s;
    size_t next = 0;
    for (unsigned b = 0; b < s->cfg.count; b++) {
        unsigned position = 1;
        for (; next < count && old[next].position == AT_END; next++) /* of the block's phis */
            ARRAY_PUSH(l->uses, l->use_count, l->use_capacity, old[next]);
        if (!l->stale[b]) {
            for (; next < count && old[next].block == b && old[next].position != AT_END; next++)
                ARRAY_PUSH(l->uses, l->use_count, l->use_capacity, old[next]);
            continue;
        }
        FOR_EACH_INSTRUCTION(i, s->cfg.blocks[b])
        {
            if (LLVMIsAPHINode(i))
                continue;
            bool stale = l->stale[b][position];
            l->block = b;
            l->position = position++;
            for (; next < count && old[next].block == b && old[next].position == l->position; next++)
                if (!stale)
                    ARRAY_PUSH(l->uses, l->use_count, l->use_capacity, old[next]);
            if (stale && bale_is_emitted(s, i))
                bale_for_each_source(s, i, record_use, l);
        }
    }
}

/* Sorts the uses by value. */
static void index_uses(struct liveness *l)
{
    size_t values = l->s->value_count;
    struct use *sorted = ir_calloc(l->use_count, sizeof *sorted);
    l->first_use = ir_calloc(values + 2, sizeof *l->first_use);
    for (size_t i = 0; i < l->use_count; i++)
        l->first_use[l->uses[i].value + 2]++;
    for (size_t v = 2; v <= values; v++)
        l->first_use[v] += l->first_use[v - 1];
    for (size_t i = 0; i < l->use_count; i++)
        sorted[l->first_use[l->uses[i].value + 1]++] = l->uses[i]; /* the next value's start, when all are there */
    l->collected = l->uses;
    l->uses = sorted;
}

/* Marks `v` live from its definition to a use in block `b`. A phi's value is defined at its block's start. */
static void mark_live(struct liveness *l, size_t v, unsigned b)
{
    unsigned *stack = l->stack, top = 0;
    if (!liveness_has(l->in[b], v)) {
        put(l->in[b], v);
        stack[top++] = b;
    }
    while (top) {
        unsigned at = stack[--top];
        for (unsigned i = 0; i < l->s->cfg.predecessor_count[at]; i++) {
            unsigned p = l->s->cfg.predecessors[at][i];
            put(l->out[p], v);
            if (p != l->s->values[v].block && !liveness_has(l->in[p], v)) {
                put(l->in[p], v);
                stack[top++] = p;
            }
        }
    }
}

static void find_live_blocks(struct liveness *l)
{
    l->stack = ir_calloc(l->s->cfg.count + 1, sizeof *l->stack);
    for (size_t i = 0; i < l->use_count; i++) {
        const struct use *u = &l->uses[i];
        const struct cg_value *v = &l->s->values[u->value];
        if (u->position == AT_END)
            put(l->out[u->block], u->value);
        if (v->block != u->block)
            mark_live(l, u->value, u->block);
    }
    free(l->stack);
    l->stack = NULL;
}

bool liveness_after(const struct liveness *l, size_t v, unsigned b, unsigned position)
{
    const struct cg_value *value = &l->s->values[v];
    bool defined = value->block == b ? value->position <= position : liveness_has(l->in[b], v);
    if (!defined)
        return false;
    if (liveness_has(l->out[b], v))
        return true;
    for (size_t i = l->first_use[v]; i < l->first_use[v + 1]; i++)
        if (l->uses[i].block == b && l->uses[i].position > position)
            return true;
    return false;
}

bool interference_may_share(const struct selection *s, const struct cg_value *v)
{
    enum genx_id id = v ? genx_call_id(v->llvm) : GENX_NONE;
    bool own = v && (LLVMIsAInstruction(v->llvm) || (s->function != s->kernel && !function_is_read_global(v->llvm)));
    return own && !v->inlined && id != GENX_LOCAL_SIZE && id != GENX_GROUP_COUNT;
}

static uint64_t **block_sets(const struct liveness *l)
{
    uint64_t **sets = ir_calloc(l->s->cfg.count, sizeof *sets);
    for (unsigned b = 0; b < l->s->cfg.count; b++)
        sets[b] = ir_calloc(l->words, sizeof **sets);
    return sets;
}

void liveness_find(struct liveness *l, struct selection *s)
{
    *l = (struct liveness){.s = s, .words = (s->value_count + 63) / 64};
    l->in = block_sets(l);
    l->out = block_sets(l);
    l->length = ir_calloc(s->cfg.count, sizeof *l->length);
    collect_uses(l);
    index_uses(l);
    find_live_blocks(l);
}

void liveness_mark(struct liveness *l, unsigned block, unsigned position)
{
    if (!l->stale)
        l->stale = ir_calloc(l->s->cfg.count, sizeof *l->stale);
    if (!l->stale[block])
        l->stale[block] = ir_calloc(l->length[block] + 1, sizeof **l->stale);
    assert(position <= l->length[block]);
    l->stale[block][position] = true;
}

void liveness_update(struct liveness *l)
{
    struct use *old = l->collected;
    size_t count = l->use_count;
    assert(l->stale);
    for (unsigned b = 0; b < l->s->cfg.count; b++) {
        memset(l->in[b], 0, l->words * sizeof *l->in[b]);
        memset(l->out[b], 0, l->words * sizeof *l->out[b]);
    }
    free(l->uses);
    free(l->first_use);
    l->uses = NULL;
    l->use_count = l->use_capacity = 0;
    collect_stale_uses(l, old, count);
    free(old);
    index_uses(l);
    find_live_blocks(l);
}

void liveness_free(struct liveness *l)
{
    for (unsigned b = 0; b < l->s->cfg.count; b++) {
        free(l->in[b]);
        free(l->out[b]);
        free(l->stale ? l->stale[b] : NULL);
    }
    free(l->stale);
    free(l->in);
    free(l->out);
    free(l->length);
    free(l->uses);
    free(l->collected);
    free(l->first_use);
}
