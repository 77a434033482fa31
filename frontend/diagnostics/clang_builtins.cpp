#include "frontend/diagnostics/clang_builtins.h"
#include "frontend/diagnostics/diag_text.h"

namespace cmkit
{

// A pattern may begin or end with *.
static bool fits(llvm::StringRef name, llvm::StringRef pattern)
{
    bool any_before = pattern.consume_front("*"), any_behind = pattern.consume_back("*");
    return any_before ? name.ends_with(pattern) : any_behind ? name.starts_with(pattern) : name == pattern;
}

// __sync_fetch_and_add_4 is __sync_fetch_and_add on an int.
static llvm::StringRef plain(llvm::StringRef name)
{
    name.consume_front("__builtin_");
    if (name.starts_with("__sync_"))
        name = name.rtrim("0123456789").rtrim('_');
    return name;
}

// Each math function has a builtin per type, and one for vectors.
static llvm::StringRef without_type(llvm::StringRef name)
{
    name = plain(name);
    if (name.consume_front("elementwise_"))
        return name;
    for (llvm::StringRef suffix : {"f16", "f128", "f", "l"})
        if (llvm::StringRef stem = name; stem.consume_back(suffix) && cm_name_for(stem))
            return stem;
    return name;
}

BuiltinUse use_of_builtin(llvm::StringRef name)
{
    static const char *const works[] = {
#define WORKS(NAME) NAME,
#include "frontend/diagnostics/clang_builtins.def"
    };
    static const char *const computed[] = {
#define COMPUTED(NAME) NAME,
#include "frontend/diagnostics/clang_builtins.def"
    };
    for (const char *pattern : works)
        if (fits(plain(name), pattern))
            return BuiltinUse::works;
    for (const char *known : computed)
        if (without_type(name) == known)
            return BuiltinUse::of_constants;
    return BuiltinUse::refused;
}

std::optional<DiagText> refused_builtin(llvm::StringRef name, bool is_builtin)
{
    static constexpr char stops[] = "a kernel cannot be stopped",
                          stops_note[] = "return ends a thread; write an error code to a buffer instead",
                          atomics[] = "atomic operations are messages, of a lane or of many",
                          fences[] = "accesses of memory are ordered by messages",
                          fences_note[] = "cm_fence() is for memory, cm_slm_fence() for shared memory",
                          processor[] = "an instruction of another processor",
                          processor_note[] = "operators and CM's functions take vectors",
                          heap[] = "kernels have no heap", heap_note[] = "variables, vectors and matrices are declared",
                          reduced[] = "CM has functions for it",
                          reduced_note[] = "cm_sum<T>(v), cm_prod<T>(v), cm_reduced_max<T>(v), cm_reduced_min<T>(v)";
    static const struct {
        const char *pattern, *what, *right;
    } table[] = {
#define INSTEAD(NAME, WHAT, RIGHT) {NAME, WHAT, RIGHT},
#include "frontend/diagnostics/clang_builtins.def"
    };
    for (const auto &row : table)
        if (fits(plain(name), row.pattern))
            return DiagText{(name.starts_with("__sync_") ? plain(name) : name).str() + ": " + row.what, row.right};
    if (!is_builtin)
        return std::nullopt;
    const char *right = cm_name_for(without_type(name));
    return DiagText{name.str() + ": kernels do not have this builtin of Clang",
                    right ? right : "docs/language/reference.md has the functions of CM"};
}

} // namespace cmkit
