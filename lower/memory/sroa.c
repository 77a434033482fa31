/* Splits private structs into one variable per field. References (an address and its lanes' offsets) are such structs,
 * several in each statement. A large kernel has tens of thousands, for which the time of LLVM's SROA grows with their
 * square. Structs that are not only loaded and stored field by field are left to LLVM's SROA. */
#include <llvm-c/Target.h>
#include "lower/ir/ir.h"
#include "lower/memory/sroa.h"
#include "lower/passes.h"

enum { MOST_FIELDS = 16 };

struct field {
    uint64_t offset;
    LLVMTypeRef type;
    LLVMValueRef variable;
};

struct split {
    LLVMModuleRef module;
    LLVMBuilderRef builder;
    LLVMTypeRef type; /* the struct's */
    struct field fields[MOST_FIELDS];
    unsigned count;
};

/* Returns the byte offset of a constant getelementptr; false: a form that this pass does not support. */
static bool constant_offset(const struct split *s, LLVMValueRef address, uint64_t *offset)
{
    int64_t first, field;
    LLVMTypeRef type = LLVMGetGEPSourceElementType(address);
    int operands = LLVMGetNumOperands(address);
    if (!constant_int(LLVMGetOperand(address, 1), &first) || first < 0)
        return false;
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(s->module);
    *offset = (uint64_t)first * LLVMABISizeOfType(layout, type);
    if (operands == 2)
        return true;
    if (operands != 3 || LLVMGetTypeKind(type) != LLVMStructTypeKind ||
        !constant_int(LLVMGetOperand(address, 2), &field))
        return false;
    *offset += LLVMOffsetOfElement(layout, type, (unsigned)field);
    return true;
}

/* Records that `type` is accessed at `offset`. False: it overlaps another field, or exceeds the struct. */
static bool note_field(struct split *s, uint64_t offset, LLVMTypeRef type)
{
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(s->module);
    uint64_t end = offset + LLVMStoreSizeOfType(layout, type);
    if (LLVMGetTypeKind(type) == LLVMStructTypeKind || LLVMGetTypeKind(type) == LLVMArrayTypeKind)
        return false;
    for (unsigned k = 0; k < s->count; k++) {
        const struct field *f = &s->fields[k];
        if (f->offset == offset && f->type == type)
            return true;
        if (f->offset < end && offset < f->offset + LLVMStoreSizeOfType(layout, f->type))
            return false;
    }
    if (s->count == MOST_FIELDS || end > LLVMABISizeOfType(layout, s->type))
        return false;
    s->fields[s->count++] = (struct field){offset, type, NULL};
    return true;
}

/* True if all accesses through `address`, `offset` bytes into the struct, are of single fields. */
static bool uses_fields(struct split *s, LLVMValueRef address, uint64_t offset)
{
    for (LLVMUseRef use = LLVMGetFirstUse(address); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        uint64_t more;
        if (LLVMIsAGetElementPtrInst(user)) {
            if (!constant_offset(s, user, &more) || !uses_fields(s, user, offset + more))
                return false;
        } else if (LLVMIsALoadInst(user)) {
            if (LLVMGetVolatile(user) || !note_field(s, offset, LLVMTypeOf(user)))
                return false;
        } else if (LLVMIsAStoreInst(user)) {
            LLVMValueRef value = LLVMGetOperand(user, 0);
            if (value == address || LLVMGetVolatile(user) || !note_field(s, offset, LLVMTypeOf(value)))
                return false;
        } else if (!ir_calls_named(user, "llvm.lifetime.")) {
            return false;
        }
    }
    return true;
}

static LLVMValueRef field_variable(struct split *s, uint64_t offset)
{
    for (unsigned k = 0; k < s->count; k++)
        if (s->fields[k].offset == offset)
            return s->fields[k].variable;
    return NULL;
}

static void rewrite_uses(struct split *s, LLVMValueRef address, uint64_t offset)
{
    LLVMUseRef next;
    for (LLVMUseRef use = LLVMGetFirstUse(address); use; use = next) {
        LLVMValueRef user = LLVMGetUser(use);
        uint64_t more = 0;
        next = LLVMGetNextUse(use);
        if (LLVMIsAGetElementPtrInst(user)) {
            constant_offset(s, user, &more);
            rewrite_uses(s, user, offset + more);
            LLVMInstructionEraseFromParent(user);
        } else if (LLVMIsALoadInst(user)) {
            LLVMSetOperand(user, 0, field_variable(s, offset));
        } else if (LLVMIsAStoreInst(user)) {
            LLVMSetOperand(user, 1, field_variable(s, offset));
        } else {
            LLVMInstructionEraseFromParent(user);
        }
    }
}

static void split_variable(struct split *s, LLVMValueRef variable)
{
    s->type = LLVMGetAllocatedType(variable);
    s->count = 0;
    if (LLVMGetTypeKind(s->type) != LLVMStructTypeKind || !uses_fields(s, variable, 0))
        return;
    LLVMPositionBuilderBefore(s->builder, variable);
    for (unsigned k = 0; k < s->count; k++)
        s->fields[k].variable = LLVMBuildAlloca(s->builder, s->fields[k].type, "");
    rewrite_uses(s, variable, 0);
    LLVMInstructionEraseFromParent(variable);
}

/* The first alloca from `instruction` on, in its block. */
static LLVMValueRef alloca_from(LLVMValueRef instruction)
{
    while (instruction && !LLVMIsAAllocaInst(instruction))
        instruction = LLVMGetNextInstruction(instruction);
    return instruction;
}

void sroa_function(LLVMModuleRef module, LLVMBuilderRef builder, LLVMValueRef function)
{
    struct split s = {.module = module, .builder = builder};
    LLVMValueRef next, i = alloca_from(LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)));
    for (; i; i = next) {
        next = alloca_from(LLVMGetNextInstruction(i)); /* splitting erases users, which may follow the alloca */
        split_variable(&s, i);
    }
}

bool pass_sroa(LLVMModuleRef module, const struct lower_options *options)
{
    (void)options;
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    FOR_EACH_FUNCTION(f, module)
    if (!LLVMIsDeclaration(f))
        sroa_function(module, builder, f);
    LLVMDisposeBuilder(builder);
    return true;
}
