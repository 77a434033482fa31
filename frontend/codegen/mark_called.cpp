// Marks functions that are called instead of inlined, and records the parameter types that Clang's code generation
// drops.
#include "frontend/codegen/codegen.h"

#include <clang/AST/Attr.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/CodeGen/CodeGenABITypes.h>

using namespace clang;

namespace cmkit
{

// Returns T of a vector_ref<T, N> or matrix_ref<T, R, C>; none for other types.
static QualType element_of_reference(QualType type)
{
    const auto *record = dyn_cast_or_null<ClassTemplateSpecializationDecl>(type->getAsCXXRecordDecl());
    if (!record || (record->getName() != "vector_ref" && record->getName() != "matrix_ref"))
        return {};
    return record->getTemplateArgs()[0].getAsType();
}

static std::string text_of(llvm::Type *type)
{
    std::string text;
    llvm::raw_string_ostream(text) << *type;
    return text;
}

// Marks a pointer parameter that stands for an object of `type`: byref(the object's type), and "cm-in" if the caller
// sees no change, "cm-element" if the object is a reference to lanes.
static void describe_object(llvm::Function &function, unsigned index, QualType type, bool constant,
                            CodeGen::CodeGenModule &generator)
{
    llvm::LLVMContext &context = function.getContext();
    if (!function.getArg(index)->getType()->isPointerTy())
        return;
    llvm::Type *memory = CodeGen::convertTypeForMemory(generator, type);
    function.removeParamAttr(index, llvm::Attribute::ByVal);
    function.addParamAttr(index, llvm::Attribute::getWithByRefType(context, memory));
    if (constant)
        function.addParamAttr(index, llvm::Attribute::get(context, "cm-in"));
    QualType element = element_of_reference(type);
    if (!element.isNull())
        function.addParamAttr(index, llvm::Attribute::get(context, "cm-element",
                                                          text_of(CodeGen::convertTypeForMemory(generator, element))));
}

static void describe_parameter(llvm::Function &function, unsigned index, const ParmVarDecl *parameter,
                               CodeGen::CodeGenModule &generator)
{
    QualType type = parameter->getOriginalType().getCanonicalType();
    if (const auto *reference = dyn_cast<ReferenceType>(type)) {
        QualType object = reference->getPointeeType();
        if (!object->isFunctionType())
            describe_object(function, index, object.getUnqualifiedType(), object.isConstQualified(), generator);
    } else if (type->isConstantArrayType()) {
        describe_object(function, index, type, false, generator);
    } else if (type->isRecordType()) {
        describe_object(function, index, type.getUnqualifiedType(), true, generator);
    }
}

bool is_stack_call(const Decl *declaration)
{
    return declaration && llvm::any_of(declaration->specific_attrs<AnnotateAttr>(), [](const AnnotateAttr *mark) {
               return mark->getAnnotation() == "cm-stackcall";
           });
}

bool mark_called(llvm::Function &function, const Decl *declaration, CodeGenerator &generator)
{
    const auto *called = dyn_cast_or_null<FunctionDecl>(declaration);
    if (!called || !(called->hasAttr<NoInlineAttr>() || is_stack_call(called)))
        return false;
    const auto *method = dyn_cast<CXXMethodDecl>(called);
    bool has_object = method && method->isInstance();
    unsigned first = function.hasStructRetAttr() ? 1 : 0, count = called->getNumParams() + (has_object ? 1 : 0);
    if (function.arg_size() != first + count)
        return false;
    if (has_object)
        describe_object(function, first++, method->getThisType()->getPointeeType().getUnqualifiedType(),
                        method->isConst(), generator.CGM());
    for (unsigned p = 0; p < called->getNumParams(); p++)
        describe_parameter(function, first + p, called->getParamDecl(p), generator.CGM());
    function.addFnAttr("cm-call", is_stack_call(called) ? "stack" : "subroutine");
    function.removeFnAttr(llvm::Attribute::AlwaysInline);
    function.addFnAttr(llvm::Attribute::NoInline);
    return true;
}

} // namespace cmkit
