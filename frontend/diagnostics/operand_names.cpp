#include "frontend/diagnostics/operand_names.h"
#include "frontend/diagnostics/diag_text.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringRef.h>

using namespace clang;

namespace cmkit
{

namespace
{

// Splits "vector<U, a<int, 8>::b>" into its name and its arguments.
std::vector<llvm::StringRef> parts_of(llvm::StringRef type)
{
    auto [name, rest] = type.split('<');
    std::vector<llvm::StringRef> parts = {name};
    rest.consume_back(">");
    int depth = 0;
    size_t begin = 0;
    for (size_t at = 0; at <= rest.size(); at++) {
        char c = at < rest.size() ? rest[at] : ',';
        depth += (c == '<') - (c == '>');
        if (c != ',' || depth > 0)
            continue;
        parts.push_back(rest.slice(begin, at).trim());
        begin = at + 1;
    }
    return parts;
}

// Returns the only type that can be meant by one as the headers write it, with names instead of types and sizes; empty
// if there is none, or `written` is plain.
std::string meant_by(llvm::StringRef written, const std::vector<QualType> &types)
{
    std::vector<llvm::StringRef> wanted = parts_of(written);
    std::string found;
    bool names = false; // some part is a name
    for (size_t k = 1; k < wanted.size(); k++)
        names = names || (k > 1 ? !llvm::all_of(wanted[k], llvm::isDigit)
                                : (!wanted[k].empty() && llvm::isUpper(wanted[k].front())));
    for (QualType type : types) {
        std::string name = type.isNull() || !operand_of(type.getNonReferenceType()) ? "" : name_of_type(type);
        std::vector<llvm::StringRef> parts = parts_of(name);
        bool fits = names && parts.size() == wanted.size() && parts[0] == wanted[0];
        for (size_t k = 2; fits && k < parts.size(); k++)
            fits = parts[k] == wanted[k] || !llvm::all_of(wanted[k], llvm::isDigit);
        if (!fits || name == found)
            continue;
        if (!found.empty())
            return "";
        found = name;
    }
    return found;
}

} // namespace

void name_operands(std::string &text, const std::vector<QualType> &types)
{
    for (const char *kind :
         {"'vector<", "'vector_ref<", "'matrix<", "'matrix_ref<", "'const vector<", "'const matrix<"})
        for (size_t at = 0; (at = text.find(kind, at)) != std::string::npos; at++) {
            size_t begin = at + (text.compare(at, 7, "'const ") == 0 ? 7 : 1), end = text.find('\'', begin);
            llvm::StringRef written = llvm::StringRef(text).slice(begin, end).rtrim("& ");
            std::string meant = meant_by(written, types);
            if (!meant.empty())
                text.replace(begin, written.size(), meant);
        }
}

} // namespace cmkit
