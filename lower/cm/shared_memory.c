/* Lowers shared local memory: assigns offsets to sizes and __local variables, and turns accesses through __local
 * pointers, which are such offsets, into messages. */
#include "lower/cm/shared_memory.h"

#include <llvm-c/DebugInfo.h>
#include "lower/analysis/global_uses.h"
#include "lower/ir/function_info.h"
#include "lower/memory/pointers.h"

enum { ALIGNMENT = 16 };

/* ---- offsets ---- */

static LLVMValueRef copy_of(LLVMModuleRef module, LLVMValueRef global)
{
    LLVMTypeRef type = LLVMGlobalGetValueType(global);
    LLVMValueRef copy = LLVMAddGlobalInAddressSpace(module, type, "", SHARED_ADDRESS_SPACE);
    LLVMSetLinkage(copy, LLVMInternalLinkage);
    LLVMSetInitializer(copy, LLVMGetUndef(type));
    return copy;
}

/* Finds a constant table that holds the address of `variable` and that `function` uses; NULL: there is none. */
static LLVMValueRef table_of(LLVMModuleRef module, LLVMValueRef function, LLVMValueRef variable)
{
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g)) {
        LLVMValueRef first = LLVMGetInitializer(g);
        if (first && global_used_in_constant(first, variable) && global_used_in(function, g))
            return g;
    }
    return NULL;
}
static bool used_in(LLVMModuleRef module, LLVMValueRef function, LLVMValueRef variable)
{
    return global_used_in(function, variable) || table_of(module, function, variable);
}

/* Replaces the variable by `copy` in the function, and copies the tables that refer to it there. */
static bool replace_in(LLVMModuleRef module, LLVMBuilderRef builder, LLVMValueRef function, LLVMValueRef variable,
                       LLVMValueRef copy)
{
    for (LLVMValueRef table; (table = table_of(module, function, variable));) {
        LLVMValueRef first = global_replaced_in_constant(builder, LLVMGetInitializer(table), variable, copy);
        if (!first)
            return lower_error(function_start(function),
                               "a constant table of addresses in shared memory, of a kind that "
                               "two kernels cannot use");
        unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(table));
        LLVMValueRef own = LLVMAddGlobalInAddressSpace(module, LLVMTypeOf(first), "", space);
        LLVMSetLinkage(own, LLVMInternalLinkage);
        LLVMSetAlignment(own, LLVMGetAlignment(table));
        LLVMSetGlobalConstant(own, LLVMIsGlobalConstant(table));
        LLVMSetInitializer(own, first);
        if (!global_replace_in(builder, function, table, own))
            return false;
    }
    return global_replace_in(builder, function, variable, copy);
}

bool shared_memory_by_kernel(LLVMModuleRef module, LLVMBuilderRef builder)
{
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g)) {
        bool taken = false;
        if (!ir_is_shared_variable(g))
            continue;
        FOR_EACH_FUNCTION(f, module)
        {
            if (!function_is_kernel(f) || !used_in(module, f, g))
                continue;
            if (taken && !replace_in(module, builder, f, g, copy_of(module, g)))
                return false;
            taken = true;
        }
    }
    return true;
}

static uint64_t aligned(uint64_t bytes)
{
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static bool bytes_of(LLVMValueRef call, unsigned most, uint64_t *bytes)
{
    int64_t number;
    if (!constant_int(LLVMGetOperand(call, 0), &number) || (number & 0xffffffff) > most)
        return lower_error(call, "a size of shared local memory must be a constant of at most %u bytes%s", most,
                           builtin_call_id(call) == BUILTIN_slm_alloc && !LLVMIsAConstantInt(LLVMGetOperand(call, 0))
                               ? "; after cm_slm_init(), cm_slm_alloc() takes any size"
                               : "");
    *bytes = (uint64_t)number & 0xffffffff;
    return true;
}

struct layout {
    uint64_t stated, allocated;
    uint64_t bytes; /* in all */
    bool is_stated, is_used;
    LLVMValueRef end;        /* the offset behind what is allocated, once a size is known at run time only */
    LLVMBasicBlockRef block; /* of the first such size */
};

/* Gives the call the end of what is allocated, and moves that by the size. */
static bool allocate_at_run_time(const struct cm_call *c, LLVMValueRef call, struct layout *l)
{
    LLVMValueRef size = LLVMGetOperand(call, 0), masks = constant_i32(c->module, -ALIGNMENT);
    if (l->end && l->block != LLVMGetInstructionParent(call))
        return lower_error(call, "cm_slm_alloc after one whose size is no constant: both must be called in one place "
                                 "without a branch or loop between them");
    LLVMPositionBuilderBefore(c->builder, call);
    LLVMValueRef start = l->end ? l->end : constant_i32(c->module, (int64_t)l->allocated);
    LLVMValueRef end = LLVMBuildAdd(c->builder, start, size, "");
    end = LLVMBuildAdd(c->builder, end, constant_i32(c->module, ALIGNMENT - 1), "");
    l->end = LLVMBuildAnd(c->builder, end, masks, "");
    l->block = LLVMGetInstructionParent(call);
    LLVMReplaceAllUsesWith(call, start);
    return true;
}

/* True for cm_slm_alloc of a size that is known at run time only, or after such a one: what cm_slm_init states holds
 * all of them, which nothing can check before the launch. */
static bool is_at_run_time(LLVMValueRef call, const struct layout *l)
{
    return builtin_call_id(call) == BUILTIN_slm_alloc && l->is_stated &&
           (l->end || !LLVMIsAConstantInt(LLVMGetOperand(call, 0)));
}

/* The size given to cm_slm_init must hold all allocations; without it, the sum of allocations counts. */
static bool lay_out_calls(const struct cm_call *c, LLVMValueRef kernel, struct layout *l)
{
    unsigned most = c->platform->slm_kilobytes * 1024;
    uint64_t bytes = 0;
    FOR_EACH_BLOCK(block, kernel)
    FOR_EACH_REMOVABLE(i, block)
    {
        enum builtin_id id = builtin_call_id(i);
        if (id != BUILTIN_slm_init && id != BUILTIN_slm_alloc)
            continue;
        bool late = is_at_run_time(i, l);
        if (late ? !allocate_at_run_time(c, i, l) : !bytes_of(i, most, &bytes))
            return false;
        if (id == BUILTIN_slm_init) {
            l->stated = bytes > l->stated ? bytes : l->stated;
            l->is_stated = true;
        } else if (!late) {
            LLVMReplaceAllUsesWith(i, constant_i32(c->module, (int64_t)l->allocated));
            l->allocated += aligned(bytes);
        }
        if (l->allocated > most || (l->is_stated && l->allocated > aligned(l->stated)))
            return lower_error(i, "cm_slm_alloc: %u bytes in all, but there are %u", (unsigned)l->allocated,
                               l->is_stated ? (unsigned)l->stated : most);
        LLVMInstructionEraseFromParent(i);
        l->is_used = true;
    }
    return true;
}

/* Places __local variables after the given size or the allocations, whose offsets the kernel may choose freely. */
static bool lay_out_variables(const struct cm_call *c, LLVMValueRef kernel, struct layout *l)
{
    unsigned most = c->platform->slm_kilobytes * 1024;
    LLVMTypeRef number = int_type(c, 64);
    for (LLVMValueRef g = LLVMGetFirstGlobal(c->module); g; g = LLVMGetNextGlobal(g)) {
        if (!ir_is_shared_variable(g) || !used_in(c->module, kernel, g))
            continue;
        uint64_t start = aligned(l->bytes ? l->bytes : 1); /* 0 is the null pointer */
        l->bytes = start + type_bytes(c->module, LLVMGlobalGetValueType(g));
        l->is_used = true;
        if (l->bytes > most)
            return lower_error(function_start(kernel),
                               "__local variables and what cm_slm_init and cm_slm_alloc ask for: %u bytes in all, but "
                               "there are %u",
                               (unsigned)l->bytes, most);
        LLVMReplaceAllUsesWith(g, LLVMConstIntToPtr(LLVMConstInt(number, start, false), LLVMTypeOf(g)));
    }
    return true;
}

static bool is_shared_pointer(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMPointerTypeKind && LLVMGetPointerAddressSpace(type) == SHARED_ADDRESS_SPACE;
}

static bool compares_pointers(LLVMValueRef kernel)
{
    FOR_EACH_BLOCK(block, kernel)
    FOR_EACH_INSTRUCTION(i, block)
    if (LLVMIsAICmpInst(i) && is_shared_pointer(LLVMTypeOf(LLVMGetOperand(i, 0))))
        return true;
    return false;
}

/* Moves the offsets of arguments. The driver counts them from 0 on and adds their sizes to the kernel's memory. They
 * are placed after the kernel's own memory, and after the null pointer if pointers are compared; otherwise a launch
 * may give them all the memory that there is. */
static void move_arguments(const struct cm_call *c, LLVMValueRef kernel, struct layout *l)
{
    LLVMTypeRef number = int_type(c, 64);
    if (l->bytes == 0 && !compares_pointers(kernel))
        return;
    LLVMPositionBuilderBefore(c->builder, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(kernel)));
    LLVMSetCurrentDebugLocation2(c->builder, NULL);
    for (LLVMValueRef p = LLVMGetFirstParam(kernel); p; p = LLVMGetNextParam(p)) {
        LLVMTypeRef type = LLVMTypeOf(p);
        if (!is_shared_pointer(type))
            continue;
        l->bytes = aligned(l->bytes ? l->bytes : 1);
        l->is_used = true;
        LLVMValueRef offset = LLVMBuildPtrToInt(c->builder, p, number, "");
        LLVMValueRef sum = LLVMBuildAdd(c->builder, offset, LLVMConstInt(number, l->bytes, false), "");
        LLVMReplaceAllUsesWith(p, LLVMBuildIntToPtr(c->builder, sum, type, ""));
        LLVMSetOperand(offset, 0, p);
    }
}

bool shared_memory_layout(const struct cm_call *c, LLVMValueRef kernel)
{
    struct layout l = {0};
    if (!lay_out_calls(c, kernel, &l))
        return false;
    l.bytes = l.is_stated ? l.stated : l.allocated;
    if (!lay_out_variables(c, kernel, &l))
        return false;
    pointers_fold_constants(c->module, c->builder, kernel);
    move_arguments(c, kernel, &l);
    if (!l.is_used)
        return true;
    LLVMValueRef size = constant_i32(c->module, (int64_t)l.bytes);
    LLVMPositionBuilderBefore(c->builder, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(kernel)));
    LLVMSetCurrentDebugLocation2(c->builder, NULL);
    build(c, GENX_SLM_INIT, LLVMVoidTypeInContext(LLVMGetModuleContext(c->module)), &size, 1);
    return true;
}

/* ---- accesses ---- */

static LLVMValueRef address_of(LLVMValueRef access)
{
    return LLVMGetOperand(access, LLVMIsAStoreInst(access) ? 1 : 0);
}

bool shared_memory_is_access(LLVMValueRef i)
{
    return (LLVMIsALoadInst(i) || LLVMIsAStoreInst(i)) &&
           LLVMGetPointerAddressSpace(LLVMTypeOf(address_of(i))) == SHARED_ADDRESS_SPACE;
}

/* Returns <1 x T> for a number of at most 32 bits, <2 x i32> for one of 64. */
static LLVMTypeRef lanes_of(const struct cm_call *c, LLVMTypeRef type)
{
    bool is_pointer = LLVMGetTypeKind(type) == LLVMPointerTypeKind;
    unsigned bytes = is_pointer ? 8 : type_bytes(c->module, type);
    return bytes == 8 ? LLVMVectorType(int_type(c, 32), 2) : LLVMVectorType(type, 1);
}

/* Accesses one lane, or two dwords: messages of all platforms have elements of at most 32 bits. */
bool shared_memory_access(const struct cm_call *c)
{
    LLVMValueRef access = c->instruction, zero[] = {constant_i32(c->module, 0), constant_i32(c->module, 4)};
    bool store = LLVMIsAStoreInst(access) != NULL;
    LLVMTypeRef type = store ? LLVMTypeOf(operand(c, 0)) : c->result, lanes = lanes_of(c, type);
    bool is_pointer = LLVMGetTypeKind(type) == LLVMPointerTypeKind;
    if (!is_pointer && (type_lanes(type) != 1 || LLVMGetTypeKind(type) == LLVMVectorTypeKind))
        return lower_error(access, "shared memory is read and written number by number through pointers; "
                                   "cm_slm_block_read and cm_slm_block_write copy vectors");
    unsigned count = type_lanes(lanes);
    LLVMValueRef on[] = {LLVMConstInt(int_type(c, 1), 1, false), LLVMConstInt(int_type(c, 1), 1, false)};
    LLVMValueRef address = LLVMBuildPtrToInt(c->builder, address_of(access), int_type(c, 64), ""), narrow;
    int64_t place;
    if (constant_int(address, &place)) /* LLVM keeps such casts of constants */
        narrow = constant_i32(c->module, place);
    else
        narrow = LLVMBuildTrunc(c->builder, address, int_type(c, 32), "");
    LLVMValueRef value = LLVMConstNull(lanes);
    if (store) {
        value = is_pointer ? LLVMBuildPtrToInt(c->builder, operand(c, 0), int_type(c, 64), "") : operand(c, 0);
        value = LLVMBuildBitCast(c->builder, value, lanes, "");
    }
    value = cm_widen_lanes(c, value);
    LLVMValueRef operands[] = {LLVMConstVector(on, count),
                               constant_i32(c->module, cm_log2(type_element_bytes(lanes))),
                               constant_i16(c->module, 0),
                               constant_i32(c->module, SHARED_LOCAL_MEMORY),
                               narrow,
                               LLVMConstVector(zero, count),
                               value};
    LLVMTypeRef result = store ? LLVMVoidTypeInContext(LLVMGetModuleContext(c->module)) : LLVMTypeOf(value);
    value = build(c, store ? GENX_SCATTER_SCALED : GENX_GATHER_SCALED, result, operands, 7);
    if (!store) {
        value = cm_narrow_lanes(c, value, lanes);
        value = LLVMBuildBitCast(c->builder, value, is_pointer ? int_type(c, 64) : type, "");
        if (is_pointer)
            value = LLVMBuildIntToPtr(c->builder, value, type, "");
        LLVMReplaceAllUsesWith(access, value);
    }
    LLVMInstructionEraseFromParent(access);
    return true;
}
