// Recognizes `for` loops with a constant number of iterations. They are allowed inside SIMD control flow, since all
// active lanes take the same path.
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

    // True if every variable in the expression is a constant or the counter of an enclosing counted loop.
    bool is_known(const clang::Expr *value) const;

    // True if its counters start, end and change by known numbers.
    bool is_counted(const clang::ForStmt &loop);

    // Adds the counters of a counted loop, and removes them.
    void enter(const clang::ForStmt &loop);
    void leave();

  private:
    bool add_counters(const clang::Stmt *init);

    const clang::ASTContext &context_;
    std::vector<const clang::VarDecl *> counters_;
    std::vector<size_t> outer_; // number of counters before each loop
};

} // namespace cmkit

#endif
