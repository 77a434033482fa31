// Checks calls of Clang's builtins (__builtin_popcount, __atomic_load_n ...) against clang_builtins.def.
#ifndef CMKIT_FRONTEND_DIAGNOSTICS_CLANG_BUILTINS_H
#define CMKIT_FRONTEND_DIAGNOSTICS_CLANG_BUILTINS_H

#include <optional>
#include <llvm/ADT/StringRef.h>
#include "frontend/diagnostics/clang_errors.h"

namespace cmkit
{

enum class BuiltinUse { works, of_constants, refused };

// What kernels may do with a builtin of this name.
BuiltinUse use_of_builtin(llvm::StringRef name);

// The words for one that is refused; none: a name of which nothing is known. `is_builtin`: Clang has it.
std::optional<DiagText> refused_builtin(llvm::StringRef name, bool is_builtin);

} // namespace cmkit

#endif
