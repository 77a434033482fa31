// Names of vectors and matrices in Clang's diagnostics.
#ifndef CMKIT_FRONTEND_DIAGNOSTICS_OPERAND_NAMES_H
#define CMKIT_FRONTEND_DIAGNOSTICS_OPERAND_NAMES_H

#include <string>
#include <vector>
#include <clang/AST/Type.h>

namespace cmkit
{

// Replaces vectors and matrices as the headers write them (vector<U, 8>, vector<ushort, vector<int, 8>::columns_>) by
// those of `types` that are meant. Clang 21 prints such names where 19 prints the types.
void name_operands(std::string &text, const std::vector<clang::QualType> &types);

} // namespace cmkit

#endif
