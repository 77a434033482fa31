/* Forwards stored values to loads. See load_forwarding.h. */
#include "lower/scalar/load_forwarding.h"

#include <stdlib.h>
#include <string.h>
#include "lower/ir/effects.h"
#include "lower/passes.h"

struct known_read {
    LLVMValueRef address, offsets, value; /* offsets: NULL for loads */
    LLVMTypeRef type;
    unsigned block;
    size_t next; /* index + 1 */
};

/* ---- the variables ---- */

static bool is_read(LLVMValueRef i)
{
    return LLVMIsALoadInst(i) ? !LLVMGetVolatile(i) : builtin_call_id(i) == BUILTIN_rdref;
}

static bool is_write(LLVMValueRef i)
{
    enum builtin_id id = builtin_call_id(i);
    return LLVMIsAStoreInst(i) ? !LLVMGetVolatile(i) : id == BUILTIN_wrref || id == BUILTIN_wrnew;
}

static LLVMValueRef address_of(LLVMValueRef i)
{
    return LLVMGetOperand(i, LLVMIsAStoreInst(i) ? 1 : 0);
}

static bool is_only_accessed(LLVMValueRef address)
{
    for (LLVMUseRef use = LLVMGetFirstUse(address); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsAGetElementPtrInst(user) ? !is_only_accessed(user)
                                           : (!is_read(user) && !is_write(user)) || address_of(user) != address ||
                                                 (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == address))
            return false;
    }
    return true;
}

/* Stands for all memory behind parameters, which may alias: one variable, numbered after those of the function. */
#define OUTSIDE ((size_t)1 << 32)

static void note_addresses(struct reads *r, LLVMValueRef address, size_t variable)
{
    pointer_map_set(&r->of_address, address, variable);
    for (LLVMUseRef use = LLVMGetFirstUse(address); use; use = LLVMGetNextUse(use))
        if (LLVMIsAGetElementPtrInst(LLVMGetUser(use)))
            note_addresses(r, LLVMGetUser(use), variable);
}

void reads_begin(struct reads *r, const struct cfg *cfg, LLVMValueRef function, bool parameters)
{
    *r = (struct reads){.cfg = cfg, .entered = ir_calloc(cfg->count, sizeof *r->entered), .parameters = parameters};
    for (unsigned k = 0; parameters && k < LLVMCountParams(function); k++)
        if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetParam(function, k))) == LLVMPointerTypeKind)
            note_addresses(r, LLVMGetParam(function, k), OUTSIDE);
    FOR_EACH_INSTRUCTION(i, LLVMGetEntryBasicBlock(function))
    if (LLVMIsAAllocaInst(i) && is_only_accessed(i)) {
        note_addresses(r, i, r->count);
        ARRAY_PUSH(r->variables, r->count, r->capacity, i);
    }
}

/* ---- versions ---- */

/* Map keys that are not addresses but are spaced like addresses. */
enum { GRAIN = 16 };

static const void *place(const struct reads *r, size_t variable, unsigned block)
{
    return (const void *)((variable * r->cfg->count + block + 1) * GRAIN);
}

static size_t version_in(struct reads *r, size_t variable, unsigned block, unsigned depth);

/* Returns the version at the end of all predecessors of `block`; a new version if they differ or one is not visited
 * yet. */
static size_t joined_version(struct reads *r, size_t variable, unsigned block, unsigned depth)
{
    enum { DEEPEST = 1000 };
    size_t own = ++r->last_version, joined = 0;
    pointer_map_set(&r->versions, place(r, variable, block), own); /* found by a back edge */
    for (unsigned k = 0; k < r->cfg->predecessor_count[block]; k++) {
        unsigned from = r->cfg->predecessors[block][k];
        size_t version = r->entered[from] && depth < DEEPEST ? version_in(r, variable, from, depth + 1) : own;
        if (version == own || (k && version != joined))
            return own;
        joined = version;
    }
    return joined ? joined : own;
}

static size_t version_in(struct reads *r, size_t variable, unsigned block, unsigned depth)
{
    unsigned at = block;
    size_t version;
    while (!pointer_map_get(&r->versions, place(r, variable, at), &version)) {
        if (r->cfg->predecessor_count[at] != 1) {
            version = joined_version(r, variable, at, depth);
            pointer_map_set(&r->versions, place(r, variable, at), version);
            break;
        }
        at = r->cfg->predecessors[at][0];
    }
    for (; block != at; block = r->cfg->predecessors[block][0])
        pointer_map_set(&r->versions, place(r, variable, block), version);
    return version;
}

static void remember(struct reads *r, size_t version, struct known_read known)
{
    const void *key = (const void *)(version * GRAIN);
    pointer_map_get(&r->last_known, key, &known.next);
    ARRAY_PUSH(r->known, r->known_count, r->known_capacity, known);
    pointer_map_set(&r->last_known, key, r->known_count);
}

static const struct known_read *find(const struct reads *r, size_t version, const struct known_read *like)
{
    enum { MOST_TRIED = 64 };
    size_t n = 0, tried = 0;
    for (pointer_map_get(&r->last_known, (const void *)(version * GRAIN), &n); n && tried < MOST_TRIED; tried++) {
        const struct known_read *known = &r->known[n - 1];
        if (known->address == like->address && known->offsets == like->offsets && known->type == like->type &&
            cfg_dominates(r->cfg, known->block, like->block))
            return known;
        n = known->next;
    }
    return NULL;
}

/* ---- reads and writes ---- */

void reads_enter(struct reads *r, unsigned block)
{
    r->entered[block] = true;
}

/* True for a write that is the exact inverse of a read: of an unnamed result, without a run-time mask. */
static bool is_whole(LLVMValueRef write)
{
    return LLVMIsAStoreInst(write) || builtin_call_id(write) == BUILTIN_wrnew;
}

/* True for the address or lane offsets of a reference: writes through references never change these. */
static bool is_field_of_reference(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMPointerTypeKind || (type_lanes(type) > 1 && type_element_bits(type) == 16);
}

/* True if `i` may store such a field through a parameter, or wait for another thread that does; false for builtins that
 * only compute. */
static bool may_store_outside(LLVMValueRef i)
{
    const struct builtin_row *row = &builtin_table[builtin_call_id(i)];
    if (row == &builtin_table[BUILTIN_NONE])
        return !ir_is_without_effect(i);
    return !strchr(row->operands, 'p') && (row->result == '-' || strpbrk(row->operands, "sPA"));
}

LLVMValueRef reads_find(struct reads *r, LLVMValueRef i, unsigned block)
{
    size_t variable;
    bool plain = LLVMIsALoadInst(i) || LLVMIsAStoreInst(i);
    if (!r->of_address.count || (!plain && !LLVMIsACallInst(i)))
        return NULL;
    bool read = is_read(i);
    if ((!read && !is_write(i)) || !pointer_map_get(&r->of_address, address_of(i), &variable)) {
        if (r->parameters && !LLVMIsALoadInst(i) && may_store_outside(i))
            pointer_map_set(&r->versions, place(r, OUTSIDE, block), ++r->last_version);
        return NULL;
    }
    if (variable == OUTSIDE &&
        !(plain && is_field_of_reference(LLVMTypeOf(LLVMIsALoadInst(i) ? i : LLVMGetOperand(i, 0))))) {
        if (LLVMIsAStoreInst(i))
            pointer_map_set(&r->versions, place(r, OUTSIDE, block), ++r->last_version);
        return NULL;
    }
    struct known_read known = {
        .address = address_of(i), .offsets = plain ? NULL : LLVMGetOperand(i, 1), .block = block};
    if (!read) {
        pointer_map_set(&r->versions, place(r, variable, block), ++r->last_version);
        known.value = LLVMGetOperand(i, plain ? 0 : 2);
        known.type = LLVMTypeOf(known.value);
        if (is_whole(i))
            remember(r, r->last_version, known);
        return NULL;
    }
    known.value = i;
    known.type = LLVMTypeOf(i);
    size_t version = version_in(r, variable, block, 0);
    const struct known_read *before = find(r, version, &known);
    if (!before)
        remember(r, version, known);
    return before ? before->value : NULL;
}

/* ---- variables that are never read ---- */

static bool is_ever_read(LLVMValueRef address)
{
    for (LLVMUseRef use = LLVMGetFirstUse(address); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsAGetElementPtrInst(user) ? is_ever_read(user) : is_read(user))
            return true;
    }
    return false;
}

static void erase_with_uses(LLVMValueRef address)
{
    for (LLVMUseRef use; (use = LLVMGetFirstUse(address));)
        erase_with_uses(LLVMGetUser(use));
    LLVMInstructionEraseFromParent(address);
}

void reads_end(struct reads *r)
{
    for (size_t n = 0; n < r->count; n++)
        if (!is_ever_read(r->variables[n]))
            erase_with_uses(r->variables[n]);
    free(r->variables);
    free(r->entered);
    free(r->known);
    pointer_map_free(&r->of_address);
    pointer_map_free(&r->versions);
    pointer_map_free(&r->last_known);
}
