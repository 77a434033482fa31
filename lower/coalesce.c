/* Which values share a variable. A region write's result takes the variable of the vector it changes, a product of matrices
 * that of its sum, a phi that of the values it joins, wherever the two are never live at the same time; otherwise selection
 * copies. Arithmetic on large vectors works in place: the pieces that it is made of would otherwise keep source and result in
 * registers at once. */
#include <stdlib.h>
#include <string.h>
#include "lower/functions.h"
#include "lower/liveness.h"

static bool has(const uint64_t *set, size_t n) { return set[n / 64] >> (n % 64) & 1; }
static void put(uint64_t *set, size_t n) { set[n / 64] |= 1ull << (n % 64); }

static void record_use(struct selection *s, struct value *v, void *context)
{
    struct liveness *l = context;
    ARRAY_PUSH(l->uses, l->use_count, l->use_capacity, ((struct use){(size_t)(v - s->values), l->block, l->position}));
}

/* Uses where instructions are emitted; a phi's operands are used at the end of the block they come from. */
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
                    struct value *v = value_root(s, LLVMGetIncomingValue(i, k));
                    l->block = cfg_number(&s->cfg, LLVMGetIncomingBlock(i, k));
                    l->position = ~0u;
                    if (v)
                        record_use(s, v, l);
                }
                continue;
            }
            l->position = position++;
            if (is_emitted(s, i))
                for_each_source(s, i, record_use, l);
        }
        l->length[b] = position;
    }
}

/* Sorts the uses by their values. */
static void index_uses(struct liveness *l)
{
    size_t values = l->s->value_count;
    struct use *sorted = checked_calloc(l->use_count, sizeof *sorted);
    l->first_use = checked_calloc(values + 2, sizeof *l->first_use);
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
    unsigned *stack = checked_calloc(l->s->cfg.count + 1, sizeof *stack), top = 0;
    if (!has(l->in[b], v)) {
        put(l->in[b], v);
        stack[top++] = b;
    }
    while (top) {
        unsigned at = stack[--top];
        for (unsigned i = 0; i < l->s->cfg.predecessor_count[at]; i++) {
            unsigned p = l->s->cfg.predecessors[at][i];
            put(l->out[p], v);
            if (p != l->s->values[v].block && !has(l->in[p], v)) {
                put(l->in[p], v);
                stack[top++] = p;
            }
        }
    }
    free(stack);
}

static void find_live_blocks(struct liveness *l)
{
    for (size_t i = 0; i < l->use_count; i++) {
        const struct use *u = &l->uses[i];
        const struct value *v = &l->s->values[u->value];
        if (u->position == ~0u)
            put(l->out[u->block], u->value);
        if (v->block != u->block)
            mark_live(l, u->value, u->block);
    }
}

bool live_after(const struct liveness *l, size_t v, unsigned b, unsigned position)
{
    const struct value *value = &l->s->values[v];
    bool defined = value->block == b ? value->position <= position : has(l->in[b], v);
    if (!defined)
        return false;
    if (has(l->out[b], v))
        return true;
    for (size_t i = l->first_use[v]; i < l->first_use[v + 1]; i++)
        if (l->uses[i].block == b && l->uses[i].position > position)
            return true;
    return false;
}

static bool interfere(const struct liveness *l, size_t a, size_t b)
{
    const struct value *va = &l->s->values[a], *vb = &l->s->values[b];
    return live_after(l, a, vb->block, vb->position) || live_after(l, b, va->block, va->position);
}

size_t class_of(struct selection *s, size_t v)
{
    while (s->values[v].parent != v)
        v = s->values[v].parent = s->values[s->values[v].parent].parent;
    return v;
}

struct value *value_class(struct selection *s, struct value *value)
{
    return &s->values[class_of(s, (size_t)(value - s->values))];
}

void try_join(struct liveness *l, size_t a, size_t b)
{
    struct selection *s = l->s;
    size_t ra = class_of(s, a), rb = class_of(s, b);
    if (ra == rb || s->values[a].is_mask != s->values[b].is_mask || s->values[a].bytes != s->values[b].bytes)
        return;
    if (s->values[a].is_mask && type_lanes(LLVMTypeOf(s->values[a].llvm)) != type_lanes(LLVMTypeOf(s->values[b].llvm)))
        return;
    size_t x = ra;
    do {
        size_t y = rb;
        do {
            if (interfere(l, x, y))
                return;
            y = l->next_member[y];
        } while (y != rb);
        x = l->next_member[x];
    } while (x != ra);
    size_t swap = l->next_member[ra];
    l->next_member[ra] = l->next_member[rb];
    l->next_member[rb] = swap;
    s->values[rb].parent = ra;
}

bool may_share(const struct selection *s, const struct value *v)
{
    enum genx_id id = v ? genx_call_id(v->llvm) : GENX_NONE;
    bool own = v && (LLVMIsAInstruction(v->llvm) || (s->function != s->kernel && !is_global_that_is_read(v->llvm)));
    return own && !v->inlined && id != GENX_LOCAL_SIZE && id != GENX_GROUP_COUNT;
}

static void join_writes(struct liveness *l)
{
    struct selection *s = l->s;
    for (size_t n = 0; n < s->value_count; n++) {
        LLVMValueRef i = s->values[n].llvm;
        LLVMValueRef old = LLVMIsAInstruction(i) && !LLVMIsAPHINode(i) ? partly_overwritten(i) : NULL;
        struct value *v = old ? value_root(s, old) : matrix_sum(s, i);
        if (may_share(s, v))
            try_join(l, (size_t)(v - s->values), n);
    }
}

static void join_phis(struct liveness *l)
{
    struct selection *s = l->s;
    for (size_t n = 0; n < s->value_count; n++) {
        LLVMValueRef i = s->values[n].llvm;
        if (!LLVMIsAPHINode(i))
            continue;
        for (unsigned k = 0; k < LLVMCountIncoming(i); k++) {
            struct value *v = value_root(s, LLVMGetIncomingValue(i, k));
            if (may_share(s, v))
                try_join(l, (size_t)(v - s->values), n);
        }
    }
}

static void join_operand(struct liveness *l, LLVMValueRef operand, size_t result)
{
    struct selection *s = l->s;
    struct value *v = value_root(s, operand);
    LLVMTypeRef type = LLVMTypeOf(s->values[result].llvm);
    if (may_share(s, v) && type_lanes(LLVMTypeOf(v->llvm)) == type_lanes(type) && type_lanes(LLVMTypeOf(operand)) == type_lanes(type))
        try_join(l, (size_t)(v - s->values), result);
}

static void join_results(struct liveness *l)
{
    enum { LARGE = 4 * INSTRUCTION_BYTES };
    struct selection *s = l->s;
    for (size_t n = 0; n < s->value_count; n++) {
        LLVMValueRef i = s->values[n].llvm;
        if (s->values[n].bytes <= LARGE || s->values[n].inlined || !LLVMIsAInstruction(i) || !is_lane_wise(i) || LLVMIsACmpInst(i))
            continue;
        int product = fused_product(i);
        for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(i); k++)
            if ((int)k == product) {
                join_operand(l, LLVMGetOperand(LLVMGetOperand(i, k), 0), n);
                join_operand(l, LLVMGetOperand(LLVMGetOperand(i, k), 1), n);
            } else {
                join_operand(l, LLVMGetOperand(i, k), n);
            }
    }
}

static uint64_t **block_sets(const struct liveness *l)
{
    uint64_t **sets = checked_calloc(l->s->cfg.count, sizeof *sets);
    for (unsigned b = 0; b < l->s->cfg.count; b++)
        sets[b] = checked_calloc(l->words, sizeof **sets);
    return sets;
}

void coalesce_kernel(struct selection *s)
{
    struct liveness l = {.s = s, .words = (s->value_count + 63) / 64};
    l.in = block_sets(&l);
    l.out = block_sets(&l);
    l.length = checked_calloc(s->cfg.count, sizeof *l.length);
    l.next_member = checked_calloc(s->value_count, sizeof *l.next_member);
    for (size_t v = 0; v < s->value_count; v++)
        l.next_member[v] = v;
    collect_uses(&l);
    index_uses(&l);
    find_live_blocks(&l);
    struct touches touches = find_touches(s);
    join_touches(&l, &touches);
    join_writes(&l);
    join_phis(&l);
    join_results(&l);
    bind_globals(&l, &touches);
    for (unsigned b = 0; b < s->cfg.count; b++) {
        free(l.in[b]);
        free(l.out[b]);
    }
    free(l.in);
    free(l.out);
    free(l.length);
    free(l.next_member);
    free(l.uses);
    free(l.first_use);
}
