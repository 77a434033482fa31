/* Answers questions about functions, calls, globals and addresses: see function_info.h. */
#include "lower/ir/function_info.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <llvm-c/DebugInfo.h>

enum function_call_kind function_call_kind(LLVMValueRef function)
{
    char text[16];
    if (!function || LLVMIsDeclaration(function) ||
        !ir_string_attribute(function, LLVMAttributeFunctionIndex, "cm-call", text, sizeof text))
        return CALL_INLINED;
    return strcmp(text, "stack") == 0 ? CALL_STACK : CALL_SUBROUTINE;
}

bool function_is_lowered(LLVMValueRef function)
{
    return function_is_kernel(function) || function_call_kind(function) != CALL_INLINED;
}

LLVMValueRef function_called(LLVMValueRef value)
{
    LLVMValueRef function = LLVMIsACallInst(value) ? LLVMIsAFunction(LLVMGetCalledValue(value)) : NULL;
    return function && !LLVMIsDeclaration(function) ? function : NULL;
}

bool function_is_return_marker(LLVMValueRef call)
{
    return ir_calls_named(call, FUNCTION_RETURN_MARKER);
}

bool function_is_print(LLVMValueRef call)
{
    return ir_calls_named(call, FUNCTION_PRINT);
}

static int number_attribute(LLVMValueRef function, unsigned parameter, const char *name)
{
    char text[16];
    return ir_string_attribute(function, parameter + 1, name, text, sizeof text) ? (int)strtoul(text, NULL, 10) : -1;
}

int function_global_of_parameter(LLVMValueRef function, unsigned parameter)
{
    return number_attribute(function, parameter, "cm-global");
}

int function_global_result(LLVMValueRef function, unsigned parameter)
{
    return number_attribute(function, parameter, "cm-global-result");
}

bool function_changes_global(LLVMValueRef function, unsigned global)
{
    for (unsigned k = 0; k < LLVMCountParams(function); k++)
        if (function_global_of_parameter(function, k) == (int)global)
            return function_global_result(function, k) >= 0;
    return false;
}

bool function_is_read_global(LLVMValueRef value)
{
    if (!LLVMIsAArgument(value))
        return false;
    LLVMValueRef function = LLVMGetParamParent(value);
    for (unsigned k = 0; function_call_kind(function) == CALL_SUBROUTINE && k < LLVMCountParams(function); k++)
        if (LLVMGetParam(function, k) == value)
            return function_global_of_parameter(function, k) >= 0 && function_global_result(function, k) < 0;
    return false;
}

#define DEFINITION "cm.definition" /* kind of metadata */

static unsigned definition_kind(LLVMValueRef function)
{
    return LLVMGetMDKindIDInContext(LLVMGetModuleContext(LLVMGetGlobalParent(function)), DEFINITION,
                                    sizeof DEFINITION - 1);
}

LLVMMetadataRef function_definition(LLVMValueRef function)
{
    LLVMMetadataRef definition = LLVMGetSubprogram(function);
    unsigned kind = definition_kind(function);
    size_t count;
    LLVMValueMetadataEntry *all = LLVMGlobalCopyAllMetadata(function, &count);
    for (unsigned k = 0; k < count; k++)
        if (LLVMValueMetadataEntriesGetKind(all, k) == kind)
            definition = LLVMValueMetadataEntriesGetMetadata(all, k);
    LLVMDisposeValueMetadataEntries(all);
    return definition;
}

const char *function_definition_name(LLVMContextRef context, LLVMMetadataRef definition)
{
    enum { NAME = 2, OPERANDS = 16 }; /* of a DISubprogram: file, scope, name ... */
    LLVMValueRef node = LLVMMetadataAsValue(context, definition), operands[OPERANDS];
    unsigned count = (unsigned)LLVMGetMDNodeNumOperands(node), length;
    if (count <= NAME || count > OPERANDS)
        return NULL;
    LLVMGetMDNodeOperands(node, operands);
    return operands[NAME] ? LLVMGetMDString(operands[NAME], &length) : NULL;
}

void function_untrace(LLVMValueRef function)
{
    LLVMMetadataRef definition = LLVMGetSubprogram(function);
    if (definition)
        LLVMGlobalSetMetadata(function, definition_kind(function), definition);
    LLVMGlobalEraseMetadata(function,
                            LLVMGetMDKindIDInContext(LLVMGetModuleContext(LLVMGetGlobalParent(function)), "dbg", 3));
}

void function_copy_definition(LLVMValueRef from, LLVMValueRef to)
{
    assert(LLVMIsAFunction(from) && LLVMIsAFunction(to));
    LLVMMetadataRef definition = function_definition(from);
    if (LLVMGetSubprogram(from))
        LLVMSetSubprogram(to, definition);
    else if (definition)
        LLVMGlobalSetMetadata(to, definition_kind(to), definition);
}

bool function_may_be_private(LLVMValueRef address, unsigned depth)
{
    LLVMValueRef root = ir_address_root(address);
    if (LLVMGetPointerAddressSpace(LLVMTypeOf(root)) == SHARED_ADDRESS_SPACE)
        return false;
    if (LLVMIsAAllocaInst(root) || LLVMIsAGlobalVariable(root) || depth == 0)
        return true;
    if (LLVMIsAPHINode(root) || LLVMIsASelectInst(root)) {
        for (int k = 0; k < LLVMGetNumOperands(root); k++)
            if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(root, (unsigned)k))) == LLVMPointerTypeKind &&
                function_may_be_private(LLVMGetOperand(root, (unsigned)k), depth - 1))
                return true;
        return false;
    }
    LLVMValueRef variable = LLVMIsALoadInst(root) ? ir_address_root(LLVMGetOperand(root, 0)) : NULL;
    if (!variable || !LLVMIsAAllocaInst(variable))
        return false; /* a parameter, or a pointer out of memory */
    for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsAStoreInst(user)
                ? LLVMGetOperand(user, 0) == variable || function_may_be_private(LLVMGetOperand(user, 0), depth - 1)
                : !LLVMIsALoadInst(user))
            return true;
    }
    return false;
}

LLVMTypeRef ir_attribute_type(LLVMValueRef function, unsigned parameter, const char *name)
{
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    LLVMAttributeRef attribute = LLVMGetEnumAttributeAtIndex(function, parameter + 1, kind);
    return attribute ? LLVMGetTypeAttributeValue(attribute) : NULL;
}

LLVMValueRef ir_address_root(LLVMValueRef address)
{
    for (;;) {
        bool gep = LLVMIsAGetElementPtrInst(address) ||
                   (LLVMIsAConstantExpr(address) && LLVMGetConstOpcode(address) == LLVMGetElementPtr);
        if (!gep && !LLVMIsABitCastInst(address) && !LLVMIsAAddrSpaceCastInst(address))
            return address;
        address = LLVMGetOperand(address, 0);
    }
}

bool function_is_private_global(LLVMValueRef global)
{
    return LLVMIsAGlobalVariable(global) && !LLVMIsGlobalConstant(global) &&
           LLVMGetPointerAddressSpace(LLVMTypeOf(global)) == 0 && !ir_is_named(global, "llvm.");
}

bool ir_is_shared_variable(LLVMValueRef global)
{
    return LLVMIsAGlobalVariable(global) && LLVMGetPointerAddressSpace(LLVMTypeOf(global)) == SHARED_ADDRESS_SPACE;
}
