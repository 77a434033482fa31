// Checks calls of Clang's builtins (__builtin_popcount, __atomic_load_n ...) against clang_builtins.def.
#ifndef CMKIT_FRONTEND_DIAGNOSTICS_CLANG_BUILTINS_H
#define CMKIT_FRONTEND_DIAGNOSTICS_CLANG_BUILTINS_H

#include <optional>
#include <llvm/ADT/StringRef.h>
#include "frontend/diagnostics/clang_errors.h"

namespace cmkit
{

enum class BuiltinUse { works, of_constants, refused };

// Says whether kernels may use a builtin of this name.
BuiltinUse use_of_builtin(llvm::StringRef name);

// Returns the error for a builtin that is refused; none for an unknown name. `is_builtin`: Clang has a builtin of that
// name.
std::optional<DiagText> refused_builtin(llvm::StringRef name, bool is_builtin);

} // namespace cmkit

#endif
