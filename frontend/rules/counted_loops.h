// Recognises `for` loops with a constant number of iterations. They may stand inside SIMD control flow: all active
// lanes take the same way.
#ifndef CMKIT_FRONTEND_RULES_COUNTED_LOOPS_H
#define CMKIT_FRONTEND_RULES_COUNTED_LOOPS_H

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>
#include <vector>

namespace cmkit
{

class CountedLoops
{
  public:
    explicit CountedLoops(const clang::ASTContext &context) : context_(context) {}

    // Every variable in the expression is a constant or the counter of a loop around it.
    bool is_known(const clang::Expr *value) const;

    // Its counters start, end and change by known numbers.
    bool is_counted(const clang::ForStmt &loop);

    // Adds the counters of a counted loop, and takes them off again.
    void enter(const clang::ForStmt &loop);
    void leave();

  private:
    bool add_counters(const clang::Stmt *init);

    const clang::ASTContext &context_;
    std::vector<const clang::VarDecl *> counters_;
    std::vector<size_t> outer_; // counters before each loop
};

} // namespace cmkit

#endif
