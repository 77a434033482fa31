#include "frontend/codegen/codegen.h"
#include "frontend/diagnostics/diag_text.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/DeclCXX.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Basic/TargetInfo.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Instructions.h>

using namespace clang;

namespace cmkit
{

// Makes the guard of a local static variable a variable of the thread, like the variable itself.
static void make_guards_private(llvm::Module &module)
{
    for (llvm::GlobalVariable &guard : llvm::make_early_inc_range(module.globals())) {
        if (!guard.getName().starts_with("_ZGV") || guard.getAddressSpace() == 0)
            continue;
        auto *own = new llvm::GlobalVariable(module, guard.getValueType(), false, llvm::GlobalValue::InternalLinkage,
                                             guard.getInitializer(), "", nullptr, llvm::GlobalValue::NotThreadLocal,
                                             /*AddressSpace=*/0);
        own->setAlignment(guard.getAlign());
        own->takeName(&guard);
        for (llvm::Use &use : llvm::make_early_inc_range(guard.uses()))
            use.set(own);
        guard.eraseFromParent();
    }
}

// Removes __attribute__((annotate)), which is for tools that read the source. Clang gives annotations with arguments a
// type that LLVM refuses on targets with an address space for constants.
static void drop_annotations(llvm::Module &module)
{
    if (llvm::GlobalVariable *annotations = module.getGlobalVariable("llvm.global.annotations"))
        annotations->eraseFromParent();
    for (llvm::Function &function : llvm::make_early_inc_range(module)) {
        if (!function.getName().starts_with("llvm.var.annotation") &&
            !function.getName().starts_with("llvm.ptr.annotation"))
            continue;
        for (llvm::User *user : llvm::make_early_inc_range(function.users())) {
            auto *call = llvm::cast<llvm::CallInst>(user);
            if (!call->getType()->isVoidTy())
                call->replaceAllUsesWith(call->getArgOperand(0));
            call->eraseFromParent();
        }
        function.eraseFromParent();
    }
}

// True for functions of the user's files, not of the headers or added by Clang.
static bool is_users(const Decl *declaration)
{
    return declaration && !declaration->getASTContext().getSourceManager().isInSystemHeader(declaration->getLocation());
}

std::vector<llvm::Function *> mark_kernels(llvm::Module &module, CodeGenerator &generator,
                                           const std::vector<Kernel> &kernels, bool host, bool keeps_calls)
{
    std::vector<llvm::Function *> functions(kernels.size());
    drop_annotations(module);
    make_guards_private(module);
    for (llvm::Function &function : module) {
        if (function.isDeclaration())
            continue;
        const Decl *declaration = generator.GetDeclForMangledName(function.getName());
        auto kernel = llvm::find_if(kernels, [&](const Kernel &k) { return k.declaration == declaration; });
        if (kernel != kernels.end()) {
            functions[kernel - kernels.begin()] = &function;
            continue;
        }
        if (keeps_calls && is_users(declaration)) {
            function.removeFnAttr(llvm::Attribute::AlwaysInline);
            function.addFnAttr(llvm::Attribute::NoInline);
        } else if (host || !mark_called(function, declaration, generator)) {
            function.removeFnAttr(llvm::Attribute::NoInline);
            function.addFnAttr(llvm::Attribute::AlwaysInline);
        }
        if (function.hasAddressTaken()) // for the middle end's errors about function pointers
            function.addFnAttr("cm-name", name_of_function(dyn_cast_or_null<FunctionDecl>(declaration)));
        function.setLinkage(llvm::GlobalValue::InternalLinkage);
        function.setComdat(nullptr);
    }

    llvm::LLVMContext &context = module.getContext();
    auto text = [&](const char *key, const std::string &value) { return llvm::Attribute::get(context, key, value); };
    for (size_t k = 0; k < kernels.size(); k++) {
        llvm::Function *function = functions[k] = take_records_by_value(functions[k], generator, kernels[k]);
        function->setName(kernels[k].name);
        function->addFnAttr("cm-kernel");
        if (kernels[k].float_control >= 0)
            function->addFnAttr("cm-float-control", std::to_string(kernels[k].float_control));
        unsigned p = 0;
        for (const Parameter &parameter : kernels[k].parameters)
            for (unsigned first = p; p < first + parameter.argument_count(); p++) {
                function->addParamAttr(p, text("cm-kind", parameter.kind));
                function->addParamAttr(p, text("cm-decl", parameter.declared));
                if (!parameter.type.empty())
                    function->addParamAttr(p, text("cm-type", parameter.type));
                if (parameter.is_handles())
                    function->addParamAttr(p, text("cm-first", std::to_string(first)));
            }
    }
    return functions;
}

} // namespace cmkit
