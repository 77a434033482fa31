// Reads the call forms of CM functions from the doc comments of the headers.
#ifndef CMKIT_FRONTEND_DIAGNOSTICS_SIGNATURES_H
#define CMKIT_FRONTEND_DIAGNOSTICS_SIGNATURES_H

#include <string>
#include <vector>
#include <llvm/ADT/StringRef.h>

namespace cmkit
{

// Adds the calls of the function `name`, such as "cm_max<T>(a, b[, SAT])", from a doc comment of the header, each once.
// Takes the last comment before byte `offset` that has calls and a source. Comments without a source describe single
// forms and are skipped: the comment before them has all forms.
void add_signatures_in_comment(std::vector<std::string> &forms, llvm::StringRef header, size_t offset,
                               llvm::StringRef name);

} // namespace cmkit

#endif
