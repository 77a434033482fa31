/* Vector decomposition (paper, section V): splits a vector whose accesses fall into disjoint parts into a vector for
 * each.
 *
 * The versions of one vector, through writes, phis and bitcasts, form a web. Every region that is read or written
 * connects the bytes from its first to its last. The connected pieces are the parts; bytes without accesses belong to
 * none. A web that is used as a whole by anything but a region access is not split. */
#include <stdlib.h>
#include <llvm-c/DebugInfo.h>
#include "lower/debug/watch_records.h"
#include "lower/ir/ir.h"
#include "lower/ir/region.h"
#include "lower/passes.h"
#include "lower/ir/remarks.h"

struct member {
    LLVMValueRef value;  /* a region write, a phi or a bitcast; NULL: it was removed */
    size_t next;         /* of the web, NONE: the last */
    size_t web;          /* its first member; of that one, itself */
    size_t older;        /* of a write or bitcast: the member that it was made from; NONE: there is none */
    LLVMValueRef *parts; /* value of each part after this member; NULL: not computed yet */
    size_t written;      /* of a write, while it is rewritten: the part whose older version it needs; NONE: none */
};

struct part {
    unsigned first, bytes;
};

struct webs {
    LLVMModuleRef module;
    LLVMBuilderRef builder;
    struct member *members;
    size_t count, capacity;
    struct pointer_map numbers;
    struct watch_records records; /* of source variables; cmc -g */
};

/* The web under analysis. */
struct web {
    struct webs *all;
    size_t first, members;
    unsigned bytes, alignment; /* of the whole vector; of its largest element */
    struct part *parts;
    size_t count;
};

static const size_t NONE = (size_t)-1;

static bool is_vector(LLVMValueRef value)
{
    return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMVectorTypeKind && !type_is_mask(LLVMTypeOf(value));
}

static bool is_member(LLVMValueRef value)
{
    bool format = LLVMIsABitCastInst(value) && is_vector(LLVMGetOperand(value, 0));
    return is_vector(value) && (region_is_write(value) || LLVMIsAPHINode(value) || format);
}

/* A new instruction may be where a removed member was in memory; it is none. */
static struct member *member_of(struct webs *w, LLVMValueRef value)
{
    size_t number;
    bool known = pointer_map_get(&w->numbers, value, &number) && w->members[number].value;
    return known ? &w->members[number] : NULL;
}

static size_t find_web(struct webs *w, size_t n)
{
    while (w->members[n].web != n)
        n = w->members[n].web = w->members[w->members[n].web].web;
    return n;
}

static void find_members(struct webs *w, LLVMValueRef kernel)
{
    FOR_EACH_BLOCK(block, kernel)
    FOR_EACH_INSTRUCTION(i, block)
    if (is_member(i)) {
        struct member m = {.value = i, .next = NONE, .web = w->count};
        pointer_map_set(&w->numbers, i, w->count);
        ARRAY_PUSH(w->members, w->count, w->capacity, m);
    }
}

static unsigned older_versions(LLVMValueRef member)
{
    return LLVMIsAPHINode(member) ? LLVMCountIncoming(member) : 1;
}

static LLVMValueRef older_version(LLVMValueRef member, unsigned k)
{
    return LLVMIsAPHINode(member) ? LLVMGetIncomingValue(member, k) : LLVMGetOperand(member, 0);
}

static void join_members(struct webs *w)
{
    for (size_t n = 0; n < w->count; n++)
        for (unsigned k = 0; k < older_versions(w->members[n].value); k++) {
            struct member *older = member_of(w, older_version(w->members[n].value, k));
            w->members[n].older = older ? (size_t)(older - w->members) : NONE;
            if (older)
                w->members[find_web(w, (size_t)(older - w->members))].web = find_web(w, n);
        }
    for (size_t n = w->count; n-- > 0;) {
        size_t first = find_web(w, n);
        if (first != n) {
            w->members[n].next = w->members[first].next;
            w->members[first].next = n;
        }
    }
}

/* ---- the parts of a web ---- */

/* Finds the first and last byte of a read, or of a write of `value`. False: not known. */
static bool find_extent(LLVMValueRef access, LLVMValueRef value, unsigned bytes, struct region *r, unsigned *first,
                        unsigned *end)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    int low, high, element = (int)type_element_bytes(type);
    if (!region_of_call(access, r))
        return false;
    region_extent(r, type_lanes(type), (unsigned)element, &low, &high);
    *first = (unsigned)low;
    *end = (unsigned)high;
    return low >= 0 && high <= (int)bytes && low < high && low % element == 0 && high % element == 0;
}

/* Records an access. joins[b] is the difference array of the number of accesses that have both byte b - 1 and byte b.
 */
static bool add_access(const struct web *web, LLVMValueRef access, LLVMValueRef value, int *joins, int *touched)
{
    struct region r;
    unsigned first, end;
    if (!find_extent(access, value, web->bytes, &r, &first, &end))
        return false;
    first -= first % web->alignment;
    end += (web->alignment - end % web->alignment) % web->alignment;
    joins[first + 1]++;
    joins[end]--;
    touched[first]++;
    touched[end]--;
    return true;
}

/* Records the accesses of one member. False: it is used as a whole, or starts as a value that cannot be split. */
static bool add_member(const struct web *web, const struct member *m, int *joins, int *touched)
{
    struct webs *w = web->all;
    for (unsigned k = 0; k < older_versions(m->value); k++) {
        LLVMValueRef older = older_version(m->value, k);
        if (!member_of(w, older) && !LLVMIsConstant(older))
            return false;
    }
    if (region_is_write(m->value) && !add_access(web, m->value, LLVMGetOperand(m->value, 1), joins, touched))
        return false;
    for (LLVMUseRef use = LLVMGetFirstUse(m->value); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        bool chain = member_of(w, user) && (!region_is_write(user) || LLVMGetOperand(user, 1) != m->value);
        if (chain)
            continue;
        bool read = region_is_read(user) && LLVMGetOperand(user, 0) == m->value;
        if (!read || !add_access(web, user, user, joins, touched))
            return false;
    }
    return true;
}

#define FOR_EACH_MEMBER(m, web)                                                                                        \
    for (struct member *m = &(web)->all->members[(web)->first]; m;                                                     \
         m = m->next == NONE ? NULL : &(web)->all->members[m->next])

/* Fills in web->parts. False: splitting gains nothing. */
static bool find_parts(struct web *web)
{
    unsigned bytes = web->bytes;
    int *joins = ir_calloc(bytes + 2, sizeof *joins), *touched = ir_calloc(bytes + 2, sizeof *touched);
    bool ok = bytes % web->alignment == 0;
    FOR_EACH_MEMBER(m, web)
    {
        ok = ok && add_member(web, m, joins, touched);
        web->members++;
    }
    size_t capacity = 0;
    int joined = 0, used = 0;
    for (unsigned at = 0; ok && at < bytes; at++) {
        joined += joins[at];
        used += touched[at];
        if (used && joined && web->count)
            web->parts[web->count - 1].bytes++;
        else if (used)
            ARRAY_PUSH(web->parts, web->count, capacity, ((struct part){at, 1}));
    }
    free(joins);
    free(touched);
    return ok && web->count > 0 && (web->count > 1 || web->parts[0].bytes < bytes);
}

/* ---- the rewriting ---- */

/* Returns the type of a part of `whole`. */
static LLVMTypeRef part_type(const struct web *web, size_t p, LLVMTypeRef whole)
{
    return LLVMVectorType(type_element(whole), web->parts[p].bytes / type_element_bytes(whole));
}

static size_t part_at(const struct web *web, unsigned byte)
{
    size_t low = 0, high = web->count;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (web->parts[middle].first <= byte)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Returns the part of an access, and its region in the part. */
static size_t part_of_access(const struct web *web, LLVMValueRef access, LLVMValueRef value, struct region *r)
{
    unsigned first, end;
    find_extent(access, value, web->bytes, r, &first, &end);
    size_t p = part_at(web, first);
    r->offset -= (int)web->parts[p].first;
    return p;
}

/* True if the region is the whole part, lane by lane. */
static bool is_whole(const struct web *web, size_t p, const struct region *r, LLVMTypeRef type)
{
    unsigned lanes = type_lanes(type), bytes = type_element_bytes(type);
    return r->offset == 0 && lanes * bytes == web->parts[p].bytes &&
           (lanes == 1 || (r->width == lanes && r->hstride == (int)bytes));
}

static LLVMValueRef constant_part(const struct web *web, size_t p, LLVMValueRef constant)
{
    unsigned bytes = type_element_bytes(LLVMTypeOf(constant));
    unsigned lanes = web->parts[p].bytes / bytes, from = web->parts[p].first / bytes;
    if (LLVMIsUndef(constant) || LLVMIsPoison(constant))
        return LLVMGetUndef(part_type(web, p, LLVMTypeOf(constant)));
    LLVMValueRef *all = ir_calloc(lanes, sizeof *all);
    for (unsigned k = 0; k < lanes; k++)
        all[k] = LLVMGetAggregateElement(constant, from + k);
    LLVMValueRef part = LLVMConstVector(all, lanes);
    free(all);
    return part;
}

/* Returns the value of part p in a version of the vector: the last write of the part before it, in that write's type.
 * Bitcasts and writes of other parts in between are skipped; phis have all parts. */
static LLVMValueRef find_version(struct web *web, LLVMValueRef version, size_t p)
{
    struct member *first = member_of(web->all, version), *m = first;
    LLVMValueRef found = NULL;
    while (m && !(found = m->parts[p])) {
        version = m->older == NONE ? LLVMGetOperand(m->value, 0) : NULL;
        m = m->older == NONE ? NULL : &web->all->members[m->older];
    }
    if (!found)
        found = constant_part(web, p, version);
    for (m = first; m && !m->parts[p]; m = m->older == NONE ? NULL : &web->all->members[m->older])
        m->parts[p] = found;
    return found;
}

/* The same in the type of a part of `whole`; a bitcast goes before the builder's position. */
static LLVMValueRef version_of_part(struct web *web, LLVMValueRef version, size_t p, LLVMTypeRef whole)
{
    return LLVMBuildBitCast(web->all->builder, find_version(web, version, p), part_type(web, p, whole), "");
}

static void position_at(struct web *web, LLVMValueRef i)
{
    LLVMPositionBuilderBefore(web->all->builder, i);
    LLVMSetCurrentDebugLocation2(web->all->builder, LLVMInstructionGetDebugLoc(i));
}

/* Starts the rewriting of a write: the written value itself if it covers the whole part and is not a read of this web,
 * which will be deleted; otherwise a write into the result of version_of_part(). */
static void begin_write(struct web *web, struct member *m)
{
    struct region r;
    LLVMValueRef value = LLVMGetOperand(m->value, 1);
    size_t p = part_of_access(web, m->value, value, &r);
    LLVMValueRef mask = region_writes_all_lanes(m->value) ? NULL : LLVMGetOperand(m->value, 7);
    bool all = !mask && is_whole(web, p, &r, LLVMTypeOf(value)) && !region_is_read(value) &&
               LLVMTypeOf(value) == part_type(web, p, LLVMTypeOf(m->value));
    m->written = all ? NONE : p;
    if (all) {
        m->parts[p] = value;
        return;
    }
    position_at(web, m->value);
    m->parts[p] = region_build_write(web->all->builder, web->all->module,
                                     LLVMGetUndef(part_type(web, p, LLVMTypeOf(m->value))), value, &r, NULL, mask);
}

static void begin_join(struct web *web, struct member *m)
{
    position_at(web, m->value);
    for (size_t p = 0; p < web->count; p++)
        m->parts[p] = LLVMBuildPhi(web->all->builder, part_type(web, p, LLVMTypeOf(m->value)), "");
}

static void end_write(struct web *web, struct member *m)
{
    size_t p = m->written;
    if (p == NONE)
        return;
    position_at(web, m->parts[p]);
    LLVMSetOperand(m->parts[p], 0, version_of_part(web, LLVMGetOperand(m->value, 0), p, LLVMTypeOf(m->value)));
}

static void end_join(struct web *web, struct member *m)
{
    for (size_t p = 0; p < web->count; p++)
        for (unsigned k = 0; k < LLVMCountIncoming(m->value); k++) {
            LLVMBasicBlockRef block = LLVMGetIncomingBlock(m->value, k);
            position_at(web, LLVMGetBasicBlockTerminator(block));
            LLVMValueRef from = version_of_part(web, LLVMGetIncomingValue(m->value, k), p, LLVMTypeOf(m->value));
            LLVMAddIncoming(m->parts[p], &from, &block, 1);
        }
}

/* Rewrites reads of the old versions to reads of parts. */
static void rewrite_reads(struct web *web, LLVMValueRef version)
{
    for (LLVMUseRef use = LLVMGetFirstUse(version), next; use; use = next) {
        LLVMValueRef read = LLVMGetUser(use), part;
        struct region r;
        next = LLVMGetNextUse(use);
        if (!region_is_read(read))
            continue;
        size_t p = part_of_access(web, read, read, &r);
        position_at(web, read);
        part = version_of_part(web, version, p, LLVMTypeOf(version));
        if (!is_whole(web, p, &r, LLVMTypeOf(read)) || LLVMTypeOf(read) != LLVMTypeOf(part))
            part = region_build_read(web->all->builder, web->all->module, LLVMTypeOf(read), part, &r, NULL);
        LLVMReplaceAllUsesWith(read, part);
        LLVMInstructionEraseFromParent(read);
    }
}

/* Source variables that are a version of the vector get the parts of it. */
static void rewrite_records(struct web *web, LLVMValueRef version)
{
    struct watch_records *records = &web->all->records;
    for (size_t r = watch_records_first(records, version); r; r = watch_records_next(records, r))
        for (size_t p = 0; p < web->count; p++)
            watch_records_add_part(records, r, find_version(web, version, p), web->parts[p].first, web->parts[p].bytes);
}

static void rewrite(struct web *web)
{
    FOR_EACH_MEMBER(m, web)
    m->parts = ir_calloc(web->count, sizeof *m->parts);
    FOR_EACH_MEMBER(m, web)
    if (LLVMIsAPHINode(m->value))
        begin_join(web, m);
    else if (region_is_write(m->value))
        begin_write(web, m);
    FOR_EACH_MEMBER(m, web)
    if (LLVMIsAPHINode(m->value))
        end_join(web, m);
    else if (region_is_write(m->value))
        end_write(web, m);
    FOR_EACH_MEMBER(m, web)
    rewrite_reads(web, m->value);
    FOR_EACH_MEMBER(m, web)
    rewrite_records(web, m->value);
    FOR_EACH_MEMBER(m, web)
    LLVMReplaceAllUsesWith(m->value, LLVMGetUndef(LLVMTypeOf(m->value))); /* the others of the web */
    FOR_EACH_MEMBER(m, web)
    {
        LLVMInstructionEraseFromParent(m->value);
        m->value = NULL;
        free(m->parts);
    }
}

static void decompose(struct webs *w, size_t first)
{
    enum { MOST = 1 << 22 }; /* limit of recorded parts of versions */
    LLVMTypeRef type = LLVMTypeOf(w->members[first].value);
    struct web web = {.all = w, .first = first, .bytes = type_lanes(type) * type_element_bytes(type), .alignment = 1};
    FOR_EACH_MEMBER(m, &web)
    if (type_element_bytes(LLVMTypeOf(m->value)) > web.alignment)
        web.alignment = type_element_bytes(LLVMTypeOf(m->value));
    if (find_parts(&web) && web.count * web.members <= MOST) {
        if (LLVMIsAInstruction(w->members[first].value) && web.count > 1)
            remark_at(w->members[first].value, REMARK_DECOMPOSED, web.bytes, (unsigned)web.count);
        rewrite(&web);
    }
    free(web.parts);
}

bool pass_decompose(LLVMModuleRef module, const struct lower_options *options)
{
    struct webs w = {.module = module, .builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module))};
    watch_records_open(&w.records, module, options->track_values);
    FOR_EACH_FUNCTION(kernel, module)
    {
        find_members(&w, kernel);
        join_members(&w);
        for (size_t n = 0; n < w.count; n++)
            if (w.members[n].web == n)
                decompose(&w, n);
        pointer_map_free(&w.numbers);
        w.numbers = (struct pointer_map){0};
        w.count = 0;
    }
    free(w.members);
    watch_records_close(&w.records);
    LLVMDisposeBuilder(w.builder);
    return true;
}
