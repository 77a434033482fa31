/* Computes the live ranges of values that have registers: from the definition to the last emitted instruction that
 * reads them. An instruction that is baled into its users reads its operands at the users' positions. */
#include <stdlib.h>
#include "lower/codegen/bale/liveness.h"
#include "lower/codegen/bale/bale.h"
#include "lower/ir/function_info.h"

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

/* Collects uses at the positions of emitted instructions; a phi's operands are used at the end of their predecessors.
 */
static void collect_uses(struct liveness *l)
{
    struct selection *s = l->s;
    for (unsigned b = 0; b < s->cfg.count; b++) {
        unsigned position = 1;
        FOR_EACH_INSTRUCTION(i, s->cfg.blocks[b])
        {
            l->block = b;
            if (LLVMIsAPHINode(i)) {
                for (unsigned k = 0; k < LLVMCountIncoming(i); k++) {
                    struct cg_value *v = bale_value_root(s, LLVMGetIncomingValue(i, k));
                    l->block = cfg_number(&s->cfg, LLVMGetIncomingBlock(i, k));
                    l->position = ~0u;
                    if (v)
                        record_use(s, v, i, l);
                }
                continue;
            }
            l->position = position++;
            if (bale_is_emitted(s, i))
                bale_for_each_source(s, i, record_use, l);
        }
        l->length[b] = position;
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
    free(l->uses);
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
        if (u->position == ~0u)
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

void liveness_free(struct liveness *l)
{
    for (unsigned b = 0; b < l->s->cfg.count; b++) {
        free(l->in[b]);
        free(l->out[b]);
    }
    free(l->in);
    free(l->out);
    free(l->length);
    free(l->uses);
    free(l->first_use);
}
