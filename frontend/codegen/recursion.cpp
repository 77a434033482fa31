#include "frontend/codegen/recursion.h"
#include "frontend/codegen/codegen.h"
#include "frontend/base/report.h"
#include "frontend/diagnostics/diag_text.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Basic/SourceManager.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Instructions.h>

using namespace clang;

namespace cmkit
{

namespace
{

// Finds the first call of a function in the body of another.
class CallFinder : public RecursiveASTVisitor<CallFinder>
{
  public:
    explicit CallFinder(const Decl *callee) : callee_(callee->getCanonicalDecl()) {}

    bool shouldVisitImplicitCode() const { return true; }
    bool VisitCallExpr(CallExpr *call) { return look(call->getCalleeDecl(), call->getExprLoc()); }
    bool VisitCXXConstructExpr(CXXConstructExpr *call) { return look(call->getConstructor(), call->getExprLoc()); }

    SourceLocation where;

  private:
    bool look(const Decl *called, SourceLocation place)
    {
        if (!called || called->getCanonicalDecl() != callee_)
            return true;
        where = place;
        return false;
    }

    const Decl *callee_;
};

class RecursionChecker
{
  public:
    RecursionChecker(CodeGenerator &generator, DiagnosticsEngine &diagnostics)
        : generator_(generator), diagnostics_(diagnostics)
    {
    }

    // Follows the calls in `caller`, except calls of stack functions. A call of a function that is being followed is
    // recursion.
    bool follow(const llvm::Function &caller)
    {
        visits_[&caller] = Visit::entered;
        for (const llvm::BasicBlock &block : caller)
            for (const llvm::Instruction &instruction : block) {
                const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
                const llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
                if (!callee || callee->isDeclaration() || is_stack_call(declaration_of(*callee)))
                    continue;
                Visit visit = visits_.lookup(callee);
                if (visit == Visit::entered)
                    return refuse(caller, *callee);
                if (visit == Visit::none && !follow(*callee))
                    return false;
            }
        visits_[&caller] = Visit::left;
        return true;
    }

    const Decl *declaration_of(const llvm::Function &function)
    {
        return generator_.GetDeclForMangledName(function.getName());
    }

  private:
    enum class Visit { none, entered, left };

    bool refuse(const llvm::Function &caller, const llvm::Function &callee)
    {
        const auto *from = dyn_cast_or_null<FunctionDecl>(declaration_of(caller));
        const auto *to = dyn_cast_or_null<FunctionDecl>(declaration_of(callee));
        SourceLocation where;
        if (from && to) {
            CallFinder finder(to);
            finder.TraverseStmt(from->getBody());
            const SourceManager &manager = to->getASTContext().getSourceManager();
            bool in_file = finder.where.isValid() && !manager.isInSystemHeader(manager.getExpansionLoc(finder.where));
            where = in_file ? finder.where : to->getLocation();
        }
        report(diagnostics_, where, DiagnosticsEngine::Error,
               "recursive call of " + name_of_function(to) + ": it must be called on the stack (_GENX_STACKCALL_)");
        return false;
    }

    CodeGenerator &generator_;
    DiagnosticsEngine &diagnostics_;
    llvm::DenseMap<const llvm::Function *, Visit> visits_;
};

} // namespace

bool check_recursion(llvm::Module &module, CodeGenerator &generator, const std::vector<Kernel> &kernels,
                     DiagnosticsEngine &diagnostics)
{
    RecursionChecker checker(generator, diagnostics);
    if (const llvm::GlobalVariable *constructors = module.getNamedGlobal("llvm.global_ctors")) // kernels call them
        for (const llvm::Use &row : constructors->getInitializer()->operands())
            if (!checker.follow(*llvm::cast<llvm::Function>(llvm::cast<llvm::Constant>(row)->getOperand(1))))
                return false;
    for (const llvm::Function &function : module) {
        const Decl *declaration = checker.declaration_of(function);
        auto is_kernel = [&](const Kernel &kernel) { return kernel.declaration == declaration; };
        bool starts = declaration && (is_stack_call(declaration) || llvm::any_of(kernels, is_kernel));
        if (starts && !function.isDeclaration() && !checker.follow(function))
            return false;
    }
    return true;
}

} // namespace cmkit
