#include "frontend/base/shapes.h"

#include <clang/AST/DeclCXX.h>

using namespace clang;

namespace cmkit
{

// The elements of one lane (cm_detail::by_lane) count as a vector too.
const ClassTemplateSpecializationDecl *operand_of(QualType type)
{
    const auto *record = dyn_cast_or_null<ClassTemplateSpecializationDecl>(type->getAsCXXRecordDecl());
    if (!record || !record->getIdentifier())
        return nullptr;
    llvm::StringRef name = record->getName();
    if (name == "by_lane" && record->getNumBases() == 1)
        return operand_of(record->bases_begin()->getType());
    bool is_operand = name == "vector" || name == "vector_ref" || name == "matrix" || name == "matrix_ref";
    return is_operand && record->getDeclContext()->isTranslationUnit() ? record : nullptr;
}

std::optional<Shape> shape_of(QualType type)
{
    const ClassTemplateSpecializationDecl *record = operand_of(type.getNonReferenceType());
    if (!record)
        return std::nullopt;
    llvm::StringRef name = record->getName();
    const TemplateArgumentList &arguments = record->getTemplateArgs();
    bool is_matrix = name.starts_with("matrix");
    int64_t first = arguments[1].getAsIntegral().getExtValue();
    int64_t rows = is_matrix ? first : 1, columns = is_matrix ? arguments[2].getAsIntegral().getExtValue() : first;
    if (rows <= 0 || columns <= 0) // the headers have reported it
        return std::nullopt;
    return Shape{rows, columns, is_matrix, name.ends_with("_ref"), arguments[0].getAsType()};
}

} // namespace cmkit
