// Finds the user's call that instantiated a function template of the CM headers.
#ifndef CMKIT_FRONTEND_DIAGNOSTICS_INSTANTIATIONS_H
#define CMKIT_FRONTEND_DIAGNOSTICS_INSTANTIATIONS_H

#include <memory>
#include <vector>
#include <clang/AST/ASTConsumer.h>
#include <clang/AST/Decl.h>

namespace cmkit
{

// Clang instantiates a function whose result need not be deduced after the function that calls it, when it no longer
// knows who called that one: its notes end at a line of the headers.
class Instantiations
{
  public:
    // Keeps the functions that are instantiated, in their order.
    std::unique_ptr<clang::ASTConsumer> create_recorder();

    // The place in the user's files where `callee`, or a function of the headers that calls it, is called; invalid if
    // none is known.
    clang::SourceLocation user_call(const clang::FunctionDecl *callee) const;

  private:
    std::vector<const clang::FunctionDecl *> functions_;
};

} // namespace cmkit

#endif
