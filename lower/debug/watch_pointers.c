/* Makes numbers of watched pointers (cmc -O0 -g), once pointer variables are values.
 *
 * A pointer to global or shared local memory is an address, which a debugger can follow. Private variables live in
 * registers and have none: a pointer into one of them is where in it the pointer points, and debug information says
 * which one it is (watch_private.c). A pointer that may be neither, or to several variables, is not shown at all. */
#include <stdlib.h>
#include <string.h>
#include "lower/debug/watch_parts.h"
#include "lower/debug/watch_private.h"
#include "lower/ir/debug_metadata.h"
#include "lower/ir/function_info.h"
#include "lower/ir/watch.h"
#include "lower/passes.h"

enum { MOST_SEEN = 32 };

/* Phis, selects and private variables that a pointer is seen through. */
struct seen {
    LLVMValueRef list[MOST_SEEN];
    unsigned count;
};

static bool is_pointer_watch(LLVMValueRef i)
{
    return ir_is_watch(i) && LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(i, WATCH_VALUE))) == LLVMPointerTypeKind;
}

/* True if what the pointer comes from is known, and is no private variable. A parameter of a function that is called
 * could be anything. */
static bool is_address(struct seen *seen, LLVMValueRef pointer);
static bool keeps_addresses(struct seen *seen, LLVMValueRef variable); /* the pointers in a private one */

/* Returns 1: `value` was seen; 0: it was not; -1: too many were. */
static int note_seen(struct seen *seen, LLVMValueRef value)
{
    for (unsigned k = 0; k < seen->count; k++)
        if (seen->list[k] == value)
            return 1;
    if (seen->count == MOST_SEEN)
        return -1;
    seen->list[seen->count++] = value;
    return 0;
}

/* The same of all that a phi or select joins. A phi may join itself, by way of others. */
static bool joins_addresses(struct seen *seen, LLVMValueRef joined)
{
    int known = note_seen(seen, joined);
    if (known != 0)
        return known > 0;
    for (int k = LLVMIsASelectInst(joined) ? 1 : 0; k < LLVMGetNumOperands(joined); k++)
        if (!is_address(seen, LLVMGetOperand(joined, (unsigned)k)))
            return false;
    return true;
}

/* True if what is written to a private variable by way of `address` holds only pointers that are addresses. */
static bool gets_addresses(struct seen *seen, LLVMValueRef address)
{
    for (LLVMUseRef use = LLVMGetFirstUse(address); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        bool good = true;
        if (LLVMIsAGetElementPtrInst(user))
            good = gets_addresses(seen, user);
        else if (LLVMIsAStoreInst(user)) {
            LLVMValueRef stored = LLVMGetOperand(user, 0);
            bool is_pointer = LLVMGetTypeKind(LLVMTypeOf(stored)) == LLVMPointerTypeKind;
            good = stored != address && (!is_pointer || is_address(seen, stored));
        } else if (ir_calls_named(user, "llvm.mem")) {
            LLVMValueRef from = LLVMGetOperand(user, 1), root = ir_address_root(from);
            bool copies =
                LLVMGetOperand(user, 0) == address && LLVMGetTypeKind(LLVMTypeOf(from)) == LLVMPointerTypeKind;
            good = !copies || (LLVMIsAAllocaInst(root) ? keeps_addresses(seen, root) : is_address(seen, root));
        } else {
            good = LLVMIsALoadInst(user) || ir_is_watch(user) || ir_calls_named(user, "llvm.lifetime.");
        }
        if (!good)
            return false;
    }
    return true;
}

static bool keeps_addresses(struct seen *seen, LLVMValueRef variable)
{
    int known = note_seen(seen, variable);
    return known > 0 || (known == 0 && gets_addresses(seen, variable));
}

static bool is_address(struct seen *seen, LLVMValueRef pointer)
{
    LLVMValueRef root = ir_address_root(pointer);
    if (LLVMGetPointerAddressSpace(LLVMTypeOf(root)) == SHARED_ADDRESS_SPACE || LLVMIsNull(root))
        return true;
    if (LLVMIsAPHINode(root) || LLVMIsASelectInst(root))
        return joins_addresses(seen, root);
    if (LLVMIsALoadInst(root)) {
        LLVMValueRef memory = ir_address_root(LLVMGetOperand(root, 0));
        return LLVMIsAAllocaInst(memory) ? keeps_addresses(seen, memory) : is_address(seen, memory);
    }
    if (LLVMIsAArgument(root))
        return function_is_kernel(LLVMGetParamParent(root));
    return LLVMIsAIntToPtrInst(root) || LLVMIsUndef(root);
}

/* Watches the address, the part of a variable at `at`. Shared local memory begins where a debugger has its window; the
 * null pointer stays zero. */
static void watch_address(struct watch_parts *w, LLVMValueRef pointer, unsigned at)
{
    enum { LOCAL_WINDOW = 0x0a000000, DWORD = 4 }; /* bits 63:32 */
    LLVMTypeRef i32 = LLVMInt32TypeInContext(w->context), i64 = LLVMInt64TypeInContext(w->context);
    if (LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)) != SHARED_ADDRESS_SPACE) {
        watch_build(w, LLVMBuildPtrToInt(w->builder, pointer, i64, ""), at);
        return;
    }
    LLVMValueRef zero = LLVMConstNull(i32), offset = LLVMBuildPtrToInt(w->builder, pointer, i32, "");
    LLVMValueRef is_null = LLVMBuildICmp(w->builder, LLVMIntEQ, offset, zero, "");
    watch_build(w, offset, at);
    watch_build(w, LLVMBuildSelect(w->builder, is_null, zero, LLVMConstInt(i32, LOCAL_WINDOW, false), ""), at + DWORD);
}

/* A part of a variable, in one copy of its function. */
struct pointer_part {
    LLVMMetadataRef inlined_at;
    bool is_address, is_private; /* all pointers that are written there */
    struct watch_target target;  /* what they point into, if they are private */
    size_t next;                 /* part with the same key, plus 1 */
};

/* A watch of a pointer, and what it becomes. */
struct pointer_watch {
    LLVMValueRef watch, offset; /* offset: of one that is private, else NULL */
    size_t part;
};

struct converting {
    struct watch_parts parts;
    struct watch_private private;
    struct pointer_map first; /* part_of() to a part, plus 1 */
    struct pointer_part *list;
    size_t count, capacity;
    struct pointer_watch *watches;
    size_t watch_count, watch_capacity;
};

/* The key of the part of a variable that a watch is for. */
static const void *part_of(LLVMValueRef watch)
{
    enum { GRAIN = 16, PARTS = 2 * WATCH_MOST_BYTES };
    return (const void *)(((uintptr_t)constant_of(watch, WATCH_VARIABLE) * PARTS +
                           (unsigned)constant_of(watch, WATCH_OFFSET) + 1) *
                          GRAIN);
}

static size_t find_part(struct converting *c, LLVMValueRef watch)
{
    size_t first = 0;
    LLVMMetadataRef place = LLVMInstructionGetDebugLoc(watch);
    struct pointer_part wanted = {place ? LLVMDILocationGetInlinedAt(place) : NULL, true, true, {0}, 0};
    pointer_map_get(&c->first, part_of(watch), &first);
    for (size_t k = first; k; k = c->list[k - 1].next)
        if (c->list[k - 1].inlined_at == wanted.inlined_at)
            return k - 1;
    wanted.next = first;
    ARRAY_PUSH(c->list, c->count, c->capacity, wanted);
    pointer_map_set(&c->first, part_of(watch), c->count);
    return c->count - 1;
}

static void note(struct converting *c, LLVMValueRef watch)
{
    struct seen seen = {.count = 0};
    struct pointer_watch noted = {watch, NULL, find_part(c, watch)};
    struct pointer_part *part = &c->list[noted.part];
    part->is_address = part->is_address && is_address(&seen, LLVMGetOperand(watch, WATCH_VALUE));
    part->is_private = part->is_private && watch_private_find(&c->private, watch, &part->target);
    ARRAY_PUSH(c->watches, c->watch_count, c->watch_capacity, noted);
}

static void convert(struct converting *c, const struct pointer_watch *w)
{
    const struct pointer_part *part = &c->list[w->part];
    LLVMBuilderRef builder = c->parts.builder;
    c->parts.number = (unsigned)constant_of(w->watch, WATCH_VARIABLE);
    c->parts.facts = (unsigned)constant_of(w->watch, WATCH_FACTS);
    LLVMPositionBuilderBefore(builder, w->watch);
    LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(w->watch));
    if (part->is_address)
        watch_address(&c->parts, LLVMGetOperand(w->watch, WATCH_VALUE), (unsigned)constant_of(w->watch, WATCH_OFFSET));
    else if (w->offset && !part->target.variable) /* null wherever it is known */
        watch_build(&c->parts, LLVMConstNull(LLVMInt64TypeInContext(c->parts.context)),
                    (unsigned)constant_of(w->watch, WATCH_OFFSET));
    else if (w->offset)
        watch_private_note(&c->private,
                           watch_build(&c->parts, w->offset, (unsigned)constant_of(w->watch, WATCH_OFFSET)),
                           &part->target);
    LLVMInstructionEraseFromParent(w->watch);
}

bool pass_watch_pointers(LLVMModuleRef module, const struct lower_options *options)
{
    if (!options->watch_variables)
        return true;
    LLVMContextRef context = LLVMGetModuleContext(module);
    struct converting c = {
        .parts = {.module = module, .context = context, .builder = LLVMCreateBuilderInContext(context)}};
    watch_private_open(&c.private, module, c.parts.builder);
    FOR_EACH_FUNCTION(f, module)
    FOR_EACH_BLOCK(block, f)
    FOR_EACH_INSTRUCTION(i, block)
    if (is_pointer_watch(i))
        note(&c, i);
    for (size_t k = 0; k < c.watch_count; k++) {
        const struct pointer_part *part = &c.list[c.watches[k].part];
        if (!part->is_address && part->is_private)
            c.watches[k].offset = watch_private_offset(&c.private, c.watches[k].watch);
    }
    for (size_t k = 0; k < c.watch_count; k++)
        convert(&c, &c.watches[k]);
    watch_private_close(&c.private);
    pointer_map_free(&c.first);
    free(c.list);
    free(c.watches);
    LLVMDisposeBuilder(c.parts.builder);
    ir_forget_functions();
    return true;
}
