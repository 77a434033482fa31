// Reads the call forms of CM functions from the doc comments of the headers.
#ifndef CMKIT_FRONTEND_DIAGNOSTICS_SIGNATURES_H
#define CMKIT_FRONTEND_DIAGNOSTICS_SIGNATURES_H

#include <string>
#include <vector>
#include <llvm/ADT/StringRef.h>

namespace cmkit
{

// "cm_max<T>(a, b[, SAT])": adds the calls of the function `name` that the last comment before byte `offset` of a
// header's text writes out, each once; comments that write none are passed over, and those without a source, which are
// of single forms: the one before them has all.
void add_signatures_in_comment(std::vector<std::string> &forms, llvm::StringRef header, size_t offset,
                               llvm::StringRef name);

} // namespace cmkit

#endif
