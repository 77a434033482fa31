// Kernels: found in the AST, checked, and marked in the LLVM module (the attributes are described in frontend.h).
#ifndef CMKIT_FRONTEND_KERNELS_H
#define CMKIT_FRONTEND_KERNELS_H

#include <string>
#include <vector>
#include <clang/AST/ASTConsumer.h>
#include <clang/AST/Decl.h>
#include <clang/CodeGen/ModuleBuilder.h>
#include <llvm/IR/Module.h>

namespace cmkit
{

struct Parameter {
    std::string kind;     // surface, sampler, svmptr, pointer, value
    std::string type;     // text of [[type("...")]], or empty
    std::string declared; // the type as written
    unsigned bytes;       // size of the argument
};

struct Kernel {
    const clang::FunctionDecl *declaration;
    std::string name;
    std::vector<Parameter> parameters;
};

// Collects the definitions marked _GENX_MAIN_ and takes the marks off the AST, so that code generation does not see
// them.
class KernelCollector : public clang::ASTConsumer
{
  public:
    explicit KernelCollector(std::vector<Kernel> &kernels) : kernels_(kernels) {}
    void Initialize(clang::ASTContext &context) override { context_ = &context; }
    bool HandleTopLevelDecl(clang::DeclGroupRef group) override;

  private:
    void visit(clang::Decl *declaration);
    void add(clang::FunctionDecl *function);
    Parameter describe(clang::ParmVarDecl *parameter);

    std::vector<Kernel> &kernels_;
    clang::ASTContext *context_ = nullptr;
};

// The function of each kernel, in the same order, renamed to the kernel's plain name and marked; everything else
// becomes internal and is to be inlined.
std::vector<llvm::Function *> mark_kernels(llvm::Module &module, clang::CodeGenerator &generator,
                                           const std::vector<Kernel> &kernels);

// FRONTEND_HOST: the entry and the descriptor of each kernel (runtime/host_abi.h).
void add_host_entries(llvm::Module &module, const std::vector<Kernel> &kernels,
                      const std::vector<llvm::Function *> &functions);

} // namespace cmkit

#endif
