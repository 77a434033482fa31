/* Makes numbers of watched pointers (cmc -O0 -g), once pointer variables are values.
 *
 * A pointer to global or shared local memory is an address, which a debugger can follow. One that may point to a
 * private variable is none: private variables live in registers. Its variable is not shown at all. */
#include <stdlib.h>
#include <string.h>
#include "lower/debug/watch_parts.h"
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

/* The key of the part of a variable that a watch is for. */
static const void *part_of(LLVMValueRef watch)
{
    enum { GRAIN = 16, PARTS = 2 * WATCH_MOST_BYTES };
    return (const void *)(((uintptr_t)constant_of(watch, WATCH_VARIABLE) * PARTS +
                           (unsigned)constant_of(watch, WATCH_OFFSET) + 1) *
                          GRAIN);
}

static void note(LLVMValueRef watch, struct pointer_map *hidden)
{
    struct seen seen = {.count = 0};
    if (!is_address(&seen, LLVMGetOperand(watch, WATCH_VALUE)))
        pointer_map_set(hidden, part_of(watch), 1);
}

static void convert(struct watch_parts *w, LLVMValueRef watch, const struct pointer_map *hidden)
{
    size_t is_hidden = 0;
    w->number = (unsigned)constant_of(watch, WATCH_VARIABLE);
    w->facts = (unsigned)constant_of(watch, WATCH_FACTS);
    LLVMPositionBuilderBefore(w->builder, watch);
    LLVMSetCurrentDebugLocation2(w->builder, LLVMInstructionGetDebugLoc(watch));
    pointer_map_get(hidden, part_of(watch), &is_hidden);
    if (!is_hidden)
        watch_address(w, LLVMGetOperand(watch, WATCH_VALUE), (unsigned)constant_of(watch, WATCH_OFFSET));
    LLVMInstructionEraseFromParent(watch);
}

bool pass_watch_pointers(LLVMModuleRef module, const struct lower_options *options)
{
    if (!options->watch_variables)
        return true;
    LLVMContextRef context = LLVMGetModuleContext(module);
    struct watch_parts w = {.module = module, .context = context, .builder = LLVMCreateBuilderInContext(context)};
    struct pointer_map hidden = {0}; /* parts of variables */
    FOR_EACH_FUNCTION(f, module)
    FOR_EACH_BLOCK(block, f)
    FOR_EACH_INSTRUCTION(i, block)
    if (is_pointer_watch(i))
        note(i, &hidden);
    FOR_EACH_FUNCTION(f, module)
    FOR_EACH_BLOCK(block, f)
    FOR_EACH_REMOVABLE(i, block)
    {
        if (is_pointer_watch(i))
            convert(&w, i, &hidden);
    }
    pointer_map_free(&hidden);
    LLVMDisposeBuilder(w.builder);
    ir_forget_functions();
    return true;
}
