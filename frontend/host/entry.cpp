// Generates the entry point and descriptor of each kernel for the CPU, as tables/host_abi.h declares them.
#include "frontend/host/host.h"
#include "tables/host_abi.h"

#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/TargetParser/Triple.h>

using namespace llvm;

namespace cmkit
{

static uint32_t kind_number(const std::string &kind)
{
    return StringSwitch<uint32_t>(kind)
        .Case("surface", CM_HOST_SURFACE)
        .Case("sampler", CM_HOST_SAMPLER)
        .Case("svmptr", CM_HOST_SVMPTR)
        .Case("pointer", CM_HOST_POINTER)
        .Case("local", CM_HOST_LOCAL)
        .Default(CM_HOST_VALUE);
}

// Makes global variables of a kernel file thread_local, since they belong to one thread of the launch. Those of host.h
// are already. Returns the variables of the file.
static std::vector<GlobalVariable *> make_globals_private(Module &module)
{
    std::vector<GlobalVariable *> variables;
    for (GlobalVariable &variable : module.globals()) {
        if (variable.isConstant() || variable.isDeclaration() || variable.getName().starts_with("llvm."))
            continue;
        if (!variable.isThreadLocal())
            variables.push_back(&variable);
        variable.setThreadLocal(true);
        variable.setLinkage(GlobalValue::InternalLinkage);
        variable.setComdat(nullptr);
    }
    return variables;
}

// Generates void cm_host_begin(): resets the variables to their first values, because a host thread runs many threads
// of a launch.
static Function *add_beginning(Module &module, const std::vector<GlobalVariable *> &variables)
{
    LLVMContext &context = module.getContext();
    auto *type = FunctionType::get(Type::getVoidTy(context), false);
    auto *begin = Function::Create(type, GlobalValue::InternalLinkage, "cm_host_begin", module);
    IRBuilder<> builder(BasicBlock::Create(context, "entry", begin));
    for (GlobalVariable *variable : variables) {
        Constant *value = variable->getInitializer();
        Value *address = builder.CreateThreadLocalAddress(variable);
        uint64_t bytes = module.getDataLayout().getTypeAllocSize(value->getType());
        if (value->isNullValue() || isa<UndefValue>(value)) {
            builder.CreateMemSet(address, builder.getInt8(0), bytes, variable->getAlign());
            continue;
        }
        auto *first = new GlobalVariable(module, value->getType(), true, GlobalValue::PrivateLinkage, value);
        builder.CreateMemCpy(address, variable->getAlign(), first, first->getAlign(), bytes);
    }
    if (GlobalVariable *constructors = module.getNamedGlobal("llvm.global_ctors")) {
        for (const Use &row : cast<ConstantArray>(constructors->getInitializer())->operands())
            builder.CreateCall(type, cast<ConstantStruct>(row)->getOperand(1));
        constructors->eraseFromParent();
    }
    builder.CreateRetVoid();
    return begin;
}

// Sets the kernel's modes, bits of CmFloatControl, in the x86 control register; the mode of float also serves half and
// double. Returns the storage of the old modes.
static Value *set_float_control(IRBuilder<> &builder, int modes)
{
    enum { ROUNDING_SHIFT = 4, KEEP_DENORMALS = 1 << 7, X86_DENORMALS_ARE_ZEROS = 1 << 6, X86_ROUNDING_SHIFT = 13 };
    enum { X86_FLUSH = 1 << 15, X86_MASKED = 0x1f80 };
    static const unsigned x86_rounding[] = {0, 2, 1, 3}; // nearest, up, down, zero
    Type *word = builder.getInt32Ty();
    Value *old = builder.CreateAlloca(word), *wanted = builder.CreateAlloca(word);
    unsigned control = X86_MASKED | x86_rounding[modes >> ROUNDING_SHIFT & 3] << X86_ROUNDING_SHIFT |
                       (modes & KEEP_DENORMALS ? 0 : X86_FLUSH | X86_DENORMALS_ARE_ZEROS);
    builder.CreateStore(builder.getInt32(control), wanted);
    builder.CreateIntrinsic(Intrinsic::x86_sse_stmxcsr, {}, {old});
    builder.CreateIntrinsic(Intrinsic::x86_sse_ldmxcsr, {}, {wanted});
    return old;
}

// Generates void cm_host_entry_NAME(void **arguments, const struct cm_host_thread *thread).
static Function *add_entry(Module &module, const Kernel &kernel, Function *function, Function *begin)
{
    LLVMContext &context = module.getContext();
    Type *pointer = PointerType::getUnqual(context);
    auto *type = FunctionType::get(Type::getVoidTy(context), {pointer, pointer}, false);
    auto *entry = Function::Create(type, GlobalValue::ExternalLinkage, "cm_host_entry_" + kernel.name, module);
    IRBuilder<> builder(BasicBlock::Create(context, "entry", entry));

    // host.h's variable; absent if no builtin of this file uses it
    if (GlobalVariable *current = module.getNamedGlobal("cm_host_current"))
        builder.CreateStore(entry->getArg(1), builder.CreateThreadLocalAddress(current));
    builder.CreateCall(begin);
    std::vector<Value *> values;
    for (unsigned i = 0; i < function->arg_size(); i++) {
        Value *slot = builder.CreateConstInBoundsGEP1_64(pointer, entry->getArg(0), i);
        values.push_back(
            builder.CreateAlignedLoad(function->getArg(i)->getType(), builder.CreateLoad(pointer, slot),
                                      Align(1))); // an argument slot has less alignment than an LLVM vector wants
    }
    bool has_modes = Triple(module.getTargetTriple()).isX86();
    Value *old_modes = has_modes ? set_float_control(builder, std::max(kernel.float_control, 0)) : nullptr;
    CallInst *call = builder.CreateCall(function, values);
    call->setAttributes(function->getAttributes());
    if (has_modes)
        builder.CreateIntrinsic(Intrinsic::x86_sse_ldmxcsr, {}, {old_modes});
    builder.CreateRetVoid();
    return entry;
}

// Defines the struct cm_host_kernel.
static GlobalVariable *add_descriptor(Module &module, const Kernel &kernel, Function *function, Function *entry)
{
    LLVMContext &context = module.getContext();
    IRBuilder<> builder(context);
    Type *word = Type::getInt32Ty(context), *pointer = PointerType::getUnqual(context);
    auto string = [&](const std::string &text) { return builder.CreateGlobalString(text, "", 0, &module); };

    auto *row_type = StructType::get(context, {word, word, pointer, pointer, pointer});
    std::vector<Constant *> rows;
    Argument *argument = function->arg_begin();
    for (const Parameter &parameter : kernel.parameters) {
        unsigned count = parameter.argument_count();
        Constant *kind = ConstantInt::get(word, kind_number(parameter.kind)),
                 *bytes = ConstantInt::get(word, parameter.bytes / count),
                 *type = string(parameter.kind == "surface" ? parameter.surface : parameter.type),
                 *declared = string(parameter.declared);
        for (unsigned n = 0; n < count; n++, argument++)
            rows.push_back(
                ConstantStruct::get(row_type, {kind, bytes, type, declared, string(argument->getName().str())}));
    }
    auto *table_type = ArrayType::get(row_type, rows.size());
    auto *table =
        new GlobalVariable(module, table_type, true, GlobalValue::PrivateLinkage, ConstantArray::get(table_type, rows));

    Constant *fields[] = {ConstantInt::get(word, CM_HOST_ABI_VERSION), ConstantInt::get(word, rows.size()),
                          string(kernel.name), table, entry};
    Constant *value = ConstantStruct::getAnon(context, fields);
    return new GlobalVariable(module, value->getType(), true, GlobalValue::ExternalLinkage, value,
                              "cm_host_kernel_" + kernel.name);
}

void add_host_entries(Module &module, const std::vector<Kernel> &kernels, const std::vector<Function *> &functions)
{
    Function *begin = add_beginning(module, make_globals_private(module));
    Type *pointer = PointerType::getUnqual(module.getContext());
    std::vector<Constant *> list;
    for (size_t k = 0; k < kernels.size(); k++) {
        functions[k]->setLinkage(
            GlobalValue::InternalLinkage); // its name belongs to the kernel file, not to the process
        Function *entry = add_entry(module, kernels[k], functions[k], begin);
        list.push_back(add_descriptor(module, kernels[k], functions[k], entry));
    }
    list.push_back(Constant::getNullValue(pointer));
    auto *type = ArrayType::get(pointer, list.size());
    new GlobalVariable(module, type, true, GlobalValue::ExternalLinkage, ConstantArray::get(type, list),
                       "cm_host_kernels");
}

} // namespace cmkit
