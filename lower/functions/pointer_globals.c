/* Converts global variables that hold addresses to numbers, so that they can be passed to functions. Addresses of
 * functions are numbers already; those of global memory are 64-bit integers. Addresses of private variables cannot be
 * numbers. */
#include <stdlib.h>
#include "lower/functions/functions.h"
#include "lower/functions/parameters.h"
#include "lower/functions/pointer_globals.h"
#include "lower/ir/ir.h"

/* Loads and stores of addresses in one variable. */
struct accesses {
    LLVMValueRef *all;
    size_t count, capacity;
};

/* Returns the number type for an address or an array of addresses; NULL: another type. */
static LLVMTypeRef number_type(LLVMTypeRef type)
{
    if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
        return LLVMInt64TypeInContext(LLVMGetTypeContext(type));
    if (LLVMGetTypeKind(type) != LLVMArrayTypeKind)
        return NULL;
    LLVMTypeRef element = number_type(LLVMGetElementType(type));
    return element ? LLVMArrayType2(element, LLVMGetArrayLength2(type)) : NULL;
}

/* Converts the variable's initializer; NULL: it is not a number. */
static LLVMValueRef number_constant(LLVMValueRef value, LLVMTypeRef type)
{
    if (LLVMIsUndef(value))
        return LLVMGetUndef(type);
    if (LLVMIsNull(value))
        return LLVMConstNull(type);
    if (LLVMGetTypeKind(type) != LLVMArrayTypeKind)
        return LLVMIsAConstantExpr(value) && LLVMGetConstOpcode(value) == LLVMIntToPtr ? LLVMGetOperand(value, 0)
                                                                                       : NULL;
    unsigned count = (unsigned)LLVMGetArrayLength2(type);
    LLVMValueRef *elements = ir_calloc(count + 1, sizeof *elements), array = NULL;
    bool known = true;
    for (unsigned k = 0; known && k < count; k++) {
        elements[k] = number_constant(LLVMGetAggregateElement(value, k), LLVMGetElementType(type));
        known = elements[k] != NULL;
    }
    if (known)
        array = LLVMConstArray2(LLVMGetElementType(type), elements, count);
    free(elements);
    return array;
}

/* Finds the accesses. False: the address has other uses, or the variable holds the address of a private variable. */
static bool find_accesses(LLVMValueRef place, struct accesses *found)
{
    enum { DEPTH = 4 };
    for (LLVMUseRef use = LLVMGetFirstUse(place); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        bool load = LLVMIsALoadInst(user), store = LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == place;
        LLVMValueRef value = load ? user : store ? LLVMGetOperand(user, 0) : NULL;
        if (value) {
            if (LLVMGetTypeKind(LLVMTypeOf(value)) != LLVMPointerTypeKind ||
                (store && function_may_be_private(value, DEPTH)))
                return false;
            ARRAY_PUSH(found->all, found->count, found->capacity, user);
        } else if (ir_address_root(user) == user || !find_accesses(user, found)) {
            return false;
        }
    }
    return true;
}

static void access_number(LLVMBuilderRef builder, LLVMValueRef access)
{
    LLVMTypeRef number = LLVMInt64TypeInContext(LLVMGetTypeContext(LLVMTypeOf(access)));
    LLVMPositionBuilderBefore(builder, access);
    if (LLVMIsAStoreInst(access)) {
        LLVMValueRef value = LLVMBuildPtrToInt(builder, LLVMGetOperand(access, 0), number, "");
        LLVMBuildStore(builder, value, LLVMGetOperand(access, 1));
    } else {
        LLVMValueRef value = LLVMBuildLoad2(builder, number, LLVMGetOperand(access, 0), "");
        LLVMReplaceAllUsesWith(access, LLVMBuildIntToPtr(builder, value, LLVMTypeOf(access), ""));
    }
    LLVMInstructionEraseFromParent(access);
}

/* Replaces `global` by a variable of numbers, if possible. */
static void make_numbers(LLVMModuleRef module, LLVMBuilderRef builder, LLVMValueRef global)
{
    LLVMTypeRef type = number_type(LLVMGlobalGetValueType(global));
    LLVMValueRef initial = LLVMGetInitializer(global);
    LLVMValueRef numbers = type && initial ? number_constant(initial, type) : NULL;
    struct accesses found = {0};
    if (numbers && find_accesses(global, &found)) {
        size_t length;
        const char *name = LLVMGetValueName2(global, &length);
        LLVMValueRef variable = LLVMAddGlobalInAddressSpace(module, type, "", 0);
        LLVMSetInitializer(variable, numbers);
        LLVMSetLinkage(variable, LLVMInternalLinkage);
        for (size_t k = 0; k < found.count; k++)
            access_number(builder, found.all[k]);
        LLVMSetValueName2(variable, name, length);
        LLVMReplaceAllUsesWith(global, variable);
        LLVMDeleteGlobal(global);
    }
    free(found.all);
}

void pointer_globals_by_number(LLVMModuleRef module)
{
    bool any_called = false;
    FOR_EACH_FUNCTION(f, module)
    any_called = any_called || function_call_kind(f) != CALL_INLINED;
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    for (LLVMValueRef g = any_called ? LLVMGetFirstGlobal(module) : NULL, next; g; g = next) {
        next = LLVMGetNextGlobal(g);
        if (function_is_private_global(g))
            make_numbers(module, builder, g);
    }
    LLVMDisposeBuilder(builder);
}
