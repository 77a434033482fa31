// Rewrites Clang's errors in the terms of CM.
#ifndef CMKIT_FRONTEND_DIAGNOSTICS_CLANG_ERRORS_H
#define CMKIT_FRONTEND_DIAGNOSTICS_CLANG_ERRORS_H

#include <string>
#include <vector>
#include <llvm/ADT/StringRef.h>

namespace cmkit
{

// What Clang's notes tell about a refused call; all may be empty.
struct Refusal {
    std::string subject;            // the function that was called
    std::string why;                // what a candidate in the CM headers lacks
    std::vector<std::string> forms; // calls of it, as the comments of its candidates in the CM headers write them
};

struct DiagText {
    std::string text; // of the error
    std::string note; // empty: none
};

// C++ would copy an object in shared memory, or bind a reference to it.
bool in_shared_memory(const Refusal &refusal);

// The words for Clang's diagnostic `id` with this text (in_cm_words() was applied). `in_user_files`: a note of Clang's
// names a declaration of the user's.
DiagText diag_text(unsigned id, const std::string &text, const Refusal &refusal, bool in_user_files);

// What CM has instead of a name of another language or library; nullptr: it is none. `whose`: what has the name.
const char *right_instead(llvm::StringRef name, const char **whose = nullptr);

// Of __int128 and the like.
DiagText wide_number(llvm::StringRef type);

// Of an included file that is not for kernels.
DiagText refused_header(llvm::StringRef name);

// Whether a call is refused because it would change a constant object.
bool changes_constant(llvm::StringRef why);

} // namespace cmkit

#endif
