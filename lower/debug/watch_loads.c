/* Hides loads of watches: see watch_loads.h. */
#include "lower/debug/watch_loads.h"

#include <stdio.h>
#include <string.h>
#include "lower/ir/debug_metadata.h"
#include "lower/ir/effects.h"
#include "lower/ir/function_info.h"
#include "lower/ir/gep_offset.h"
#include "lower/ir/watch.h"

#define NOT_MARKED (~0u)

/* The operands of a record's expression, each behind DW_OP_plus_uconst. */
enum {
    HIDDEN_OFFSET,
    HIDDEN_WRITE,
    HIDDEN_WRITES,
    HIDDEN_OTHER_WRITES,
    HIDDEN_LANES,
    HIDDEN_BITS,
    HIDDEN_FLOAT,
    HIDDEN
};

static unsigned mark_kind(const struct watch_loads *h)
{
    static const char name[] = "cm.write";
    return LLVMGetMDKindIDInContext(h->parts->context, name, sizeof name - 1);
}

/* True for instructions that may write memory, other than notes for LLVM. */
static bool may_write(LLVMValueRef i)
{
    if (LLVMIsAStoreInst(i))
        return true;
    return LLVMIsACallInst(i) && !ir_is_watch(i) && !ir_calls_named(i, "llvm.dbg.") &&
           !ir_calls_named(i, "llvm.lifetime.") && builtin_call_id(i) != BUILTIN_rdref &&
           ir_effect_of(i, LLVMCall) == EFFECT_WRITES;
}

/* Returns the variable in memory that an instruction writes; NULL: any memory. */
static LLVMValueRef written_variable(LLVMValueRef i)
{
    enum builtin_id id = builtin_call_id(i);
    bool is_first = id == BUILTIN_wrref || id == BUILTIN_wrnew || ir_calls_named(i, "llvm.mem");
    LLVMValueRef address = LLVMIsAStoreInst(i) ? LLVMGetOperand(i, 1) : is_first ? LLVMGetOperand(i, 0) : NULL;
    LLVMValueRef root = address ? ir_address_root(address) : NULL;
    return root && LLVMIsAAllocaInst(root) ? root : NULL;
}

static size_t writes_of(const struct watch_loads *h, LLVMValueRef variable)
{
    size_t count = 0;
    pointer_map_get(&h->writes, variable, &count);
    return count;
}

void watch_loads_begin(struct watch_loads *h, struct watch_parts *parts, LLVMValueRef function, bool marks)
{
    LLVMContextRef context = parts->context;
    unsigned number = 0;
    *h = (struct watch_loads){.parts = parts, .function = function};
    FOR_EACH_BLOCK(block, function)
    FOR_EACH_INSTRUCTION(i, block)
    {
        if (!may_write(i))
            continue;
        LLVMValueRef variable = written_variable(i);
        if (variable)
            pointer_map_set(&h->writes, variable, writes_of(h, variable) + 1);
        else
            h->other_writes++;
        if (!marks)
            continue;
        LLVMMetadataRef mark = LLVMValueAsMetadata(LLVMConstInt(LLVMInt32TypeInContext(context), ++number, false));
        LLVMSetMetadata(i, mark_kind(h), LLVMMetadataAsValue(context, LLVMMDNodeInContext2(context, &mark, 1)));
    }
}

void watch_loads_end(struct watch_loads *h, bool unmarks)
{
    if (unmarks)
        FOR_EACH_BLOCK(block, h->function)
    FOR_EACH_INSTRUCTION(i, block)
    if (LLVMGetMetadata(i, mark_kind(h)))
        LLVMSetMetadata(i, mark_kind(h), NULL);
    pointer_map_free(&h->writes);
}

void watch_loads_visit(struct watch_loads *h, LLVMValueRef i)
{
    if (LLVMGetFirstInstruction(LLVMGetInstructionParent(i)) == i)
        h->last = 0;
    if (!may_write(i))
        return;
    LLVMValueRef mark = LLVMGetMetadata(i, mark_kind(h)), number = NULL;
    if (mark)
        LLVMGetMDNodeOperands(mark, &number);
    h->last = number ? (unsigned)LLVMConstIntGetZExtValue(number) : NOT_MARKED;
}

/* Finds the variable and the constant offset of an address. */
static LLVMValueRef find_place(struct watch_loads *h, LLVMValueRef address, int64_t *offset)
{
    LLVMValueRef dynamic = NULL;
    for (*offset = 0; LLVMIsAGetElementPtrInst(address); address = LLVMGetOperand(address, 0)) {
        if (!gep_is_constant(address))
            return NULL;
        gep_add(h->parts->module, h->parts->builder, address, offset, &dynamic);
    }
    return LLVMIsAAllocaInst(address) && *offset >= 0 ? address : NULL;
}

LLVMValueRef watch_loads_expression(struct watch_loads *h, LLVMDIBuilderRef builder, LLVMValueRef load,
                                    LLVMMetadataRef variable, unsigned offset, LLVMMetadataRef *expression)
{
    enum { PLUS = 0x23, FRAGMENT = 0x1000, BITS = 8 }; /* DW_OP_plus_uconst, DW_OP_LLVM_fragment */
    int64_t place;
    LLVMTypeRef type = LLVMTypeOf(load);
    LLVMValueRef address = find_place(h, LLVMGetOperand(load, 0), &place);
    if (!address || h->last == NOT_MARKED)
        return NULL;
    uint64_t numbers[HIDDEN] = {[HIDDEN_OFFSET] = (uint64_t)place,
                                [HIDDEN_WRITE] = h->last,
                                [HIDDEN_WRITES] = writes_of(h, address),
                                [HIDDEN_OTHER_WRITES] = h->other_writes,
                                [HIDDEN_LANES] = LLVMGetTypeKind(type) == LLVMVectorTypeKind ? type_lanes(type) : 0,
                                [HIDDEN_BITS] = type_element_bits(type),
                                [HIDDEN_FLOAT] = type_is_float(type)};
    uint64_t ops[2 * HIDDEN + 3];
    size_t count = 0;
    for (size_t k = 0; k < HIDDEN; k++) {
        ops[count++] = PLUS;
        ops[count++] = numbers[k];
    }
    unsigned bytes = watch_value_bytes(load);
    if (watch_variable_bytes(h->parts->context, variable) != bytes) {
        ops[count++] = FRAGMENT;
        ops[count++] = (uint64_t)BITS * offset;
        ops[count++] = (uint64_t)BITS * bytes;
    }
    *expression = LLVMDIBuilderCreateExpression(builder, ops, count);
    return address;
}

/* Reads the numbers of an expression. */
static bool read_numbers(LLVMValueRef expression, unsigned *numbers)
{
    char *text = LLVMPrintValueToString(expression);
    const char *at = strstr(text, "!DIExpression(");
    size_t count = 0;
    int used = 0;
    at = at ? at + strlen("!DIExpression(") : text;
    while (count < HIDDEN && sscanf(at, "DW_OP_plus_uconst, %u%n", &numbers[count], &used) == 1) {
        at += used;
        at += strncmp(at, ", ", 2) == 0 ? 2 : 0;
        count++;
    }
    bool plain = *at == ')' || strncmp(at, "DW_OP_LLVM_fragment", strlen("DW_OP_LLVM_fragment")) == 0;
    LLVMDisposeMessage(text);
    return count == HIDDEN && plain;
}

bool watch_loads_is_one(LLVMValueRef expression)
{
    unsigned numbers[HIDDEN];
    return read_numbers(expression, numbers);
}

static LLVMTypeRef type_of(LLVMContextRef context, const unsigned *numbers)
{
    unsigned bits = numbers[HIDDEN_BITS];
    LLVMTypeRef element = !numbers[HIDDEN_FLOAT] ? LLVMIntTypeInContext(context, bits)
                          : bits == 16           ? LLVMHalfTypeInContext(context)
                          : bits == 32           ? LLVMFloatTypeInContext(context)
                                                 : LLVMDoubleTypeInContext(context);
    return numbers[HIDDEN_LANES] ? LLVMVectorType(element, numbers[HIDDEN_LANES]) : element;
}

LLVMValueRef watch_loads_build(struct watch_loads *h, LLVMValueRef address, LLVMValueRef expression)
{
    unsigned numbers[HIDDEN];
    if (!LLVMIsAAllocaInst(address) || !read_numbers(expression, numbers) || numbers[HIDDEN_WRITE] != h->last ||
        numbers[HIDDEN_WRITES] != writes_of(h, address) || numbers[HIDDEN_OTHER_WRITES] != h->other_writes)
        return NULL;
    LLVMTypeRef type = type_of(h->parts->context, numbers);
    LLVMValueRef value =
        LLVMBuildLoad2(h->parts->builder, type, watch_behind(h->parts, address, numbers[HIDDEN_OFFSET]), "");
    LLVMSetAlignment(value, type_element_bytes(type_element(type)));
    return value;
}
