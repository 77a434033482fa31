// Finds the user's call that instantiated a function template of the CM headers.
#ifndef CMKIT_FRONTEND_DIAGNOSTICS_INSTANTIATIONS_H
#define CMKIT_FRONTEND_DIAGNOSTICS_INSTANTIATIONS_H

#include <memory>
#include <vector>
#include <clang/AST/ASTConsumer.h>
#include <clang/AST/Decl.h>

namespace cmkit
{

// Clang instantiates a function without a deduced result type after the function that calls it. By then Clang has
// forgotten who called that function, and its notes end at a line of the headers.
class Instantiations
{
  public:
    // Records the instantiated functions in order.
    std::unique_ptr<clang::ASTConsumer> create_recorder();

    // Returns the position in the user's files of a call of `callee`, or of a headers' function that calls it; invalid
    // if none is known.
    clang::SourceLocation user_call(const clang::FunctionDecl *callee) const;

  private:
    std::vector<const clang::FunctionDecl *> functions_;
};

} // namespace cmkit

#endif
