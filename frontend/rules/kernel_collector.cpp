#include "frontend/rules/kernel_collector.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/DeclCXX.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Basic/TargetInfo.h>
#include <llvm/ADT/STLExtras.h>
#include "frontend/base/report.h"
#include "frontend/base/shapes.h"
#include "frontend/diagnostics/diag_text.h"
#include "frontend/syntax/attributes.h"

using namespace clang;

namespace cmkit
{

/* CL_DEVICE_MAX_PARAMETER_SIZE, and maxArgumentsSize of Level Zero. */
static constexpr int64_t most_argument_bytes = 2048;

/* The number of handles that a kernel's messages can address: surfaces have numbers from 1, and those above 239 mean
 * other memory; samplers have four bits. */
static constexpr struct {
    const char *kind, *name;
    unsigned most;
} handle_limits[] = {{"surface", "surfaces", 239}, {"sampler", "samplers", 16}};

static void error(ASTContext &context, SourceLocation where, const std::string &text)
{
    report(context.getDiagnostics(), where, DiagnosticsEngine::Error, text);
}

// Removes the annotation that starts with `prefix` from the declaration; false if there is none. *rest: the text after
// the prefix.
static bool take_annotation(Decl *declaration, llvm::StringRef prefix, std::string *rest)
{
    for (const AnnotateAttr *mark : declaration->specific_attrs<AnnotateAttr>())
        if (mark->getAnnotation().starts_with(prefix)) {
            if (rest)
                *rest = mark->getAnnotation().substr(prefix.size()).str();
            declaration->dropAttr<AnnotateAttr>();
            return true;
        }
    return false;
}

static void note(ASTContext &context, SourceLocation where, const std::string &text)
{
    report(context.getDiagnostics(), where, DiagnosticsEngine::Note, text);
}

// Returns the type of a parameter of this kind.
static std::string declared_type_of_kind(llvm::StringRef kind)
{
    if (kind == "surface")
        return "SurfaceIndex";
    if (kind == "sampler")
        return "SamplerIndex";
    return "svmptr_t, a pointer or an integer of 64 bits";
}

static const char *kind_of(QualType type)
{
    QualType bare = type.getCanonicalType().getUnqualifiedType();
    if (const auto *enumeration = bare->getAs<EnumType>()) {
        if (enumeration->getDecl()->getName() == "SurfaceIndex")
            return "surface";
        if (enumeration->getDecl()->getName() == "SamplerIndex")
            return "sampler";
        return "value";
    }
    if (bare->isPointerType())
        return is_shared(bare->getPointeeType()) ? "local" : "pointer";
    // svmptr_t is a plain integer: only the alias identifies it.
    for (QualType step = type; const auto *alias = step->getAs<TypedefType>(); step = alias->desugar())
        if (alias->getDecl()->getName() == "svmptr_t")
            return "svmptr";
    return "value";
}

static bool is_handle(QualType type)
{
    return type->isEnumeralType() && std::string(kind_of(type)) != "value";
}

// Returns the shape; none if the type is no vector or matrix of handles.
static std::optional<Shape> shape_of_handles(QualType type)
{
    std::optional<Shape> shape = shape_of(type);
    bool by_value = shape && !shape->is_reference && !type->isReferenceType();
    return by_value && is_handle(shape->element) ? shape : std::nullopt;
}

// True for integers and floats of at most 64 bits.
static bool is_number(QualType type, const ASTContext &context)
{
    return (type->isIntegralOrEnumerationType() || type->isRealFloatingType()) && context.getTypeSize(type) <= 64;
}

// True for an integer that can hold an address; [[type("svmptr_t")]] says that it does.
static bool is_address_number(QualType type, const ASTContext &context)
{
    return type->isIntegerType() && !type->isEnumeralType() && context.getTypeSize(type) == 64;
}

// True if the bytes of a type have the same meaning on the host: numbers, and arrays and classes of numbers. A pointer
// in them would be a number to the driver, which would not make its memory accessible to the kernel.
static bool is_plain_data(QualType type, const ASTContext &context)
{
    type = type.getCanonicalType();
    if (const auto *array = dyn_cast<ConstantArrayType>(type))
        return is_plain_data(array->getElementType(), context);
    if (type->isEnumeralType())
        return !is_handle(type);
    const CXXRecordDecl *record = type->getAsCXXRecordDecl();
    if (!record)
        return is_number(type, context);
    if (record->isInvalidDecl()) // it may contain itself
        return false;
    std::optional<Shape> shape = shape_of(type);
    if (shape && shape->element->isPointerType()) // its class contains numbers
        return false;
    if (!record->isCompleteDefinition() || record->isPolymorphic() || record->getNumVBases())
        return false;
    if (!shape && (record->hasUserDeclaredCopyConstructor() || record->hasUserDeclaredDestructor()))
        return false; // the launch copies its bytes
    auto is_plain_base = [&](const CXXBaseSpecifier &base) { return is_plain_data(base.getType(), context); };
    auto is_plain_field = [&](const FieldDecl *field) { return is_plain_data(field->getType(), context); };
    return llvm::all_of(record->bases(), is_plain_base) && llvm::all_of(record->fields(), is_plain_field);
}

// If the precompiled headers do not fit, classes have no definitions until the file is read again without them.
static bool is_complete(QualType type)
{
    const CXXRecordDecl *record = type->getAsCXXRecordDecl();
    return record->isCompleteDefinition() && !record->isInvalidDecl();
}

static bool can_be_passed(QualType type, const ASTContext &context)
{
    if (type->isRecordType())
        return is_plain_data(type, context) || (shape_of_handles(type) && is_complete(type));
    if (type->isPointerType()) {
        QualType pointee = type->getPointeeType();
        return !pointee->isFunctionType() && !is_handle(pointee) && !shape_of_handles(pointee);
    }
    return is_number(type, context);
}

// Adds the note about a parameter that cannot be passed.
static std::string what_is_passed_instead(QualType type)
{
    std::optional<Shape> shape = shape_of(type);
    if (shape && (shape->is_reference || type->isReferenceType())) {
        std::string name = name_of_type(type);
        size_t reference = name.find("_ref<");
        return (reference == std::string::npos ? name : name.erase(reference, 4)) + " is passed by value";
    }
    QualType element = QualType(type->getPointeeOrArrayElementType(), 0);
    if (is_handle(element) || shape_of_handles(element))
        return "several of them are a vector<" +
               name_of_type(is_handle(element) ? element : shape_of(element)->element) + ", N>, passed by value";
    if (type->isRecordType())
        return "structures of kernels hold numbers, vectors and matrices, are copied byte by byte and have no "
               "destructor: pass each pointer and each surface as a parameter of its own";
    return "kernels take SurfaceIndex, SamplerIndex, svmptr_t, pointers, numbers of at most 64 bits, vectors and "
           "structures";
}

Parameter KernelCollector::describe(ParmVarDecl *parameter)
{
    QualType type = parameter->getOriginalType();
    Parameter result;
    result.declared = type.getAsString(context_->getPrintingPolicy());
    take_annotation(parameter, type_annotation, &result.type);
    std::optional<Shape> handles = shape_of_handles(type);
    result.kind = kind_of(handles ? handles->element : type);
    result.bytes = result.alignment = 0;
    std::string name = parameter->getNameAsString();
    SourceLocation where = parameter->getLocation();

    for (const char *space : {"private", "generic"})
        if (take_annotation(parameter, std::string("cm-") + space, nullptr)) {
            error(*context_, where, "kernel parameter '" + name + "' is a __" + space + " pointer");
            note(*context_, where, "pointers of kernels are plain or __global");
            return result;
        }
    if (!can_be_passed(type, *context_)) {
        error(*context_, where,
              "kernel parameter '" + name + "' of type '" + name_of_type(type) + (type->isReferenceType() ? " &" : "") +
                  "' cannot be passed to a kernel");
        note(*context_, where, what_is_passed_instead(type));
        return result;
    }
    bool is_record = type->isRecordType();
    if (parameter->hasDefaultArg()) {
        error(*context_, where, "kernel parameter '" + name + "' has a default value");
        note(*context_, where, "a launch sets every argument");
    }
    result.bytes = context_->getTypeSizeInChars(type).getQuantity();
    if (is_record) {
        result.alignment = context_->getTypeAlignInChars(type).getQuantity();
        result.record = type;
    }
    const char *wanted = result.type.empty() ? nullptr : kind_of_argument_type(result.type);
    if (wanted && wanted == std::string("svmptr") && result.kind == "pointer")
        wanted = nullptr; // T* [[type("svmptr_t")]]
    if (wanted && wanted == std::string("svmptr") && is_address_number(type, *context_))
        result.kind = "svmptr"; // uint64_t, size_t, uintptr_t
    if (wanted && result.kind != wanted) {
        error(*context_, where,
              "kernel parameter '" + name + "' of type '" + result.declared + "' cannot be " +
                  with_article(result.type));
        note(*context_, where, with_article(result.type) + " is declared as " + declared_type_of_kind(wanted));
    }
    if (handles) {
        result.declared = name_of_type(handles->element);
        result.rows = handles->is_matrix ? unsigned(handles->rows) : 0;
        result.columns = unsigned(handles->columns);
    }
    return result;
}

// Returns the number in the annotation `name`; `missing` if there is none.
int64_t KernelCollector::constant_of_annotation(Decl *declaration, llvm::StringRef name, int64_t missing)
{
    for (const AnnotateAttr *mark : declaration->specific_attrs<AnnotateAttr>()) {
        Expr::EvalResult value;
        if (mark->getAnnotation() != name || mark->args_size() == 0)
            continue;
        if ((*mark->args_begin())->EvaluateAsInt(value, *context_))
            return value.Val.getInt().getExtValue();
        error(*context_, mark->getLocation(), "the number must be a constant");
    }
    return missing;
}

void KernelCollector::bind(VarDecl *variable)
{
    bool is_bound = llvm::any_of(variable->specific_attrs<AnnotateAttr>(),
                                 [](const auto *mark) { return mark->getAnnotation() == "cm-binding"; });
    if (!is_bound || variable->isInvalidDecl() || variable->getType()->isIncompleteType())
        return;
    int64_t offset = constant_of_annotation(variable, "cm-binding", -1);
    int64_t alignment = context_->getTypeAlignInChars(variable->getType()).getQuantity();
    if (offset < 0 || offset % alignment != 0) {
        if (offset >= 0) // rules.cpp reports offsets outside the file
            error(*context_, variable->getLocation(),
                  "'" + variable->getNameAsString() + "' cannot be bound to byte " + std::to_string(offset) +
                      ", only to multiples of " + std::to_string(alignment));
        return;
    }
    bindings_.push_back({variable, offset});
}

void KernelCollector::check_handles(const Kernel &kernel)
{
    for (const auto &limit : handle_limits) {
        unsigned count = 0;
        for (const Parameter &parameter : kernel.parameters)
            count += parameter.kind == limit.kind ? parameter.argument_count() : 0;
        if (count <= limit.most)
            continue;
        error(*context_, kernel.declaration->getLocation(),
              "kernel '" + kernel.name + "' has " + std::to_string(count) + " " + limit.name);
        note(*context_, kernel.declaration->getLocation(),
             "messages can name " + std::to_string(limit.most) + " of them");
    }
}

void KernelCollector::add(FunctionDecl *function, int float_control)
{
    Kernel kernel = {function, function->getNameAsString(), {}, float_control};
    if (!function->getReturnType()->isVoidType())
        error(*context_, function->getLocation(), "kernel '" + kernel.name + "' must return void");
    if (!function->isExternallyVisible()) {
        error(*context_, function->getLocation(),
              "kernel '" + kernel.name + "' is static or in a namespace without a name");
        note(*context_, function->getLocation(), "kernels are found by their names: they are visible outside");
    }
    if (function->isVariadic())
        error(*context_, function->getLocation(), "kernel '" + kernel.name + "' has no fixed number of parameters");
    for (const Kernel &other : kernels_)
        if (other.name == kernel.name)
            error(*context_, function->getLocation(), "two kernels are named '" + kernel.name + "'");
    for (ParmVarDecl *parameter : function->parameters())
        kernel.parameters.push_back(describe(parameter));
    check_handles(kernel);
    int64_t bytes = 0;
    for (const Parameter &parameter : kernel.parameters)
        bytes += parameter.bytes;
    if (bytes > most_argument_bytes) {
        error(*context_, function->getLocation(),
              "the arguments of kernel '" + kernel.name + "' take " + std::to_string(bytes) + " bytes");
        note(*context_, function->getLocation(),
             "Intel's driver passes at most " + std::to_string(most_argument_bytes) +
                 "; larger objects go through memory: a "
                 "pointer or a surface");
    }
    // Sets the calling convention with one LLVM parameter per kernel parameter, also where x86 would split a structure.
    if (llvm::any_of(kernel.parameters, [](const Parameter &p) { return p.alignment != 0; }) &&
        context_->getTargetInfo().getTriple().isX86()) {
        const auto *type = function->getType()->castAs<FunctionType>();
        const FunctionType *adjusted = context_->adjustFunctionType(type, type->getExtInfo().withCallingConv(CC_Win64));
        function->setType(QualType(adjusted, 0));
    }
    kernels_.push_back(kernel);
}

void KernelCollector::visit(Decl *declaration)
{
    if (auto *function = dyn_cast<FunctionDecl>(declaration)) {
        int float_control = (int)constant_of_annotation(function, "cm-float-control", -1);
        bool is_kernel = take_annotation(function, "cm-kernel", nullptr);
        if (is_kernel && function->isThisDeclarationADefinition())
            add(function, float_control);
        else // [[type]] is ignored elsewhere
            for (ParmVarDecl *parameter : function->parameters())
                take_annotation(parameter, type_annotation, nullptr);
    } else if (auto *variable = dyn_cast<VarDecl>(declaration)) {
        bind(variable);
    } else if (isa<NamespaceDecl>(declaration) || isa<LinkageSpecDecl>(declaration)) {
        for (Decl *inner : cast<DeclContext>(declaration)->decls())
            visit(inner);
    }
}

bool KernelCollector::HandleTopLevelDecl(DeclGroupRef group)
{
    for (Decl *declaration : group)
        if (!context_->getSourceManager().isInSystemHeader(declaration->getLocation()))
            visit(declaration);
    return true;
}

} // namespace cmkit
