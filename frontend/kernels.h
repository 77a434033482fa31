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
    std::string kind;     // surface, sampler, svmptr, pointer, local, value
    std::string type;     // text of [[type("...")]], or empty
    std::string declared; // the type as written
    std::string surface;  // what a surface is, a word of argument_types.def; empty: neither type nor uses tell
    unsigned bytes;       // size of the argument
    unsigned alignment;   // of a vector, matrix or structure, which is passed as so many integers; 0: anything else
    clang::QualType record;
    unsigned rows = 0, columns = 0; // of a matrix of handles, each of which is an argument; a vector's have no rows
    bool is_handles() const { return columns != 0; }
    unsigned argument_count() const { return is_handles() ? bytes / alignment : 1; }
};

struct Kernel {
    const clang::FunctionDecl *declaration;
    std::string name;
    std::vector<Parameter> parameters;
    int float_control; // bits of CmFloatControl; -1: not stated
};

// A variable that _GENX_VOLATILE_BINDING_ puts at a byte of the space that such variables share.
struct Binding {
    const clang::VarDecl *variable;
    int64_t offset;
};

// Collects the definitions marked _GENX_MAIN_ and takes the marks off the AST, so that code generation does not see
// them.
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

// A kernel's vectors, matrices and structures arrive as LLVM vectors of integers as large as their alignment, on every
// target, bool as a byte, each element of a vector or matrix of handles as a parameter of its own: the function with
// such parameters instead of what the target's convention makes of them.
llvm::Function *take_records_by_value(llvm::Function *function, clang::CodeGenerator &generator, const Kernel &kernel);

// Whether it is a function with _GENX_STACKCALL_.
bool is_stack_call(const clang::Decl *declaration);

// A function with __attribute__((noinline)) or _GENX_STACKCALL_ is marked "cm-call"; false: it is neither, or has parameters
// that code generation left out.
bool mark_called(llvm::Function &function, const clang::Decl *declaration, clang::CodeGenerator &generator);

// The function of each kernel, in the same order, renamed to the kernel's plain name and marked; everything else
// becomes internal and, but for functions that are called on the GPU, is to be inlined. `keeps_calls`: the user's own
// functions are not, for debuggers.
std::vector<llvm::Function *> mark_kernels(llvm::Module &module, clang::CodeGenerator &generator,
                                           const std::vector<Kernel> &kernels, bool host,
                                           bool keeps_calls);

// Puts the bound variables into one.
void place_bindings(llvm::Module &module, clang::CodeGenerator &generator, const std::vector<Binding> &bindings);

// FRONTEND_HOST: the pointer to the cm_host_thread that runs: host.h's, or a new one where no builtin asks for it.
llvm::GlobalVariable *current_thread_on_host(llvm::Module &module);

// FRONTEND_HOST: calls through pointers ask whether they are null. Before the entries are added, which set what that needs.
void check_pointers_on_host(llvm::Module &module);

// FRONTEND_HOST: shifts, divisions and conversions of floats to integers, whatever their operands are, as on the GPU.
void compute_as_gen_on_host(llvm::Module &module);

// FRONTEND_HOST: accesses of what is __local to accesses of the memory that a group's threads share.
void share_memory_on_host(llvm::Module &module);

// FRONTEND_HOST: the entry and the descriptor of each kernel (tables/host_abi.h).
void add_host_entries(llvm::Module &module, const std::vector<Kernel> &kernels,
                      const std::vector<llvm::Function *> &functions);

} // namespace cmkit

#endif
