/* Union-find of values that share a variable: see interference.h. */
#include "lower/codegen/bale/interference.h"

size_t interference_class(struct selection *s, size_t v)
{
    while (s->values[v].parent != v)
        v = s->values[v].parent = s->values[s->values[v].parent].parent;
    return v;
}

struct cg_value *interference_value_class(struct selection *s, struct cg_value *value)
{
    return &s->values[interference_class(s, (size_t)(value - s->values))];
}

static bool interfere(const struct liveness *l, size_t a, size_t b)
{
    const struct cg_value *va = &l->s->values[a], *vb = &l->s->values[b];
    return liveness_after(l, a, vb->block, vb->position) || liveness_after(l, b, va->block, va->position);
}

void interference_try_join(struct liveness *l, size_t a, size_t b)
{
    struct selection *s = l->s;
    size_t ra = interference_class(s, a), rb = interference_class(s, b);
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
