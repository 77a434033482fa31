// Rewrites Clang's errors in the terms of CM.
#ifndef CMKIT_FRONTEND_DIAGNOSTICS_CLANG_ERRORS_H
#define CMKIT_FRONTEND_DIAGNOSTICS_CLANG_ERRORS_H

#include <string>
#include <vector>
#include <llvm/ADT/StringRef.h>

namespace cmkit
{

// Information from Clang's notes about a refused call; each member may be empty.
struct Refusal {
    std::string subject;            // the function that was called
    std::string why;                // why a candidate in the CM headers does not match
    std::vector<std::string> forms; // call forms, from the doc comments of the candidates in the CM headers
};

struct DiagText {
    std::string text; // of the error
    std::string note; // empty: none
};

// True if C++ would copy an object in shared memory, or bind a reference to it.
bool in_shared_memory(const Refusal &refusal);

// Returns CM's text for Clang's diagnostic `id`, whose text has passed in_cm_terms(). `in_user_files`: one of Clang's
// notes names a declaration in the user's files.
DiagText diag_text(unsigned id, const std::string &text, const Refusal &refusal, bool in_user_files);

// Returns CM's name for a name of another language or library; nullptr if there is none. *whose: the language or
// library.
const char *cm_name_for(llvm::StringRef name, const char **whose = nullptr);

// Explains __int128 and other types that are too wide.
DiagText too_wide_integer(llvm::StringRef type);

// Explains an included header that kernels cannot use.
DiagText refused_header(llvm::StringRef name);

// True if a call is refused because it would change a constant object.
bool changes_constant(llvm::StringRef why);

} // namespace cmkit

#endif
