// Finds the kernels of a file in the AST and checks their parameters.
#ifndef CMKIT_FRONTEND_RULES_KERNEL_COLLECTOR_H
#define CMKIT_FRONTEND_RULES_KERNEL_COLLECTOR_H

#include <clang/AST/ASTConsumer.h>
#include "frontend/base/kernel.h"

namespace cmkit
{

// Collects the definitions marked _GENX_MAIN_ and removes the annotations from the AST before code generation.
class KernelCollector : public clang::ASTConsumer
{
  public:
    KernelCollector(std::vector<Kernel> &kernels, std::vector<Binding> &bindings)
        : kernels_(kernels), bindings_(bindings)
    {
    }
    void Initialize(clang::ASTContext &context) override { context_ = &context; }
    bool HandleTopLevelDecl(clang::DeclGroupRef group) override;

  private:
    void visit(clang::Decl *declaration);
    void add(clang::FunctionDecl *function, int float_control);
    void check_handles(const Kernel &kernel);
    void bind(clang::VarDecl *variable);
    int64_t constant_of_annotation(clang::Decl *declaration, llvm::StringRef name, int64_t missing);
    Parameter describe(clang::ParmVarDecl *parameter);

    std::vector<Kernel> &kernels_;
    std::vector<Binding> &bindings_;
    clang::ASTContext *context_ = nullptr;
};

} // namespace cmkit

#endif
