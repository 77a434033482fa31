#include "frontend/kernels.h"
#include "frontend/attributes.h"
#include "frontend/wording.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/DeclCXX.h>
#include <clang/Basic/SourceManager.h>
#include <llvm/ADT/STLExtras.h>

using namespace clang;

namespace cmkit
{

static void error(ASTContext &context, SourceLocation where, const std::string &text)
{
    DiagnosticsEngine &engine = context.getDiagnostics();
    engine.Report(where, engine.getCustomDiagID(DiagnosticsEngine::Error, "%0")) << text;
}

// Takes the annotation that starts with `prefix` off the declaration; false if there is none. *rest: what follows the
// prefix.
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
    DiagnosticsEngine &engine = context.getDiagnostics();
    engine.Report(where, engine.getCustomDiagID(DiagnosticsEngine::Note, "%0")) << text;
}

// The type that a parameter of this kind is declared with.
static std::string declared_type_of_kind(llvm::StringRef kind)
{
    if (kind == "surface")
        return "SurfaceIndex";
    if (kind == "sampler")
        return "SamplerIndex";
    return "svmptr_t or a pointer";
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
        return "pointer";
    // svmptr_t is a plain integer: the alias is what tells.
    for (QualType step = type; const auto *alias = step->getAs<TypedefType>(); step = alias->desugar())
        if (alias->getDecl()->getName() == "svmptr_t")
            return "svmptr";
    return "value";
}

Parameter KernelCollector::describe(ParmVarDecl *parameter)
{
    QualType type = parameter->getOriginalType();
    Parameter result;
    result.declared = type.getAsString(context_->getPrintingPolicy());
    take_annotation(parameter, type_annotation, &result.type);
    result.kind = kind_of(type);
    result.bytes = 0;
    std::string name = parameter->getNameAsString();
    SourceLocation where = parameter->getLocation();

    for (const char *space : {"private", "generic"})
        if (take_annotation(parameter, std::string("cm-") + space, nullptr)) {
            error(*context_, where, "kernel parameter '" + name + "' is a __" + space + " pointer");
            note(*context_, where, "pointers of kernels are plain or __global");
            return result;
        }
    if (type->isReferenceType() || type->isRecordType() || type->isFunctionPointerType()) {
        error(*context_, where,
              "kernel parameter '" + name + "' of type '" + name_of_type(type) + (type->isReferenceType() ? " &" : "") +
                  "' cannot be passed to a kernel");
        note(*context_, where, "kernels take SurfaceIndex, SamplerIndex, svmptr_t, pointers, integers and floats");
        return result;
    }
    result.bytes = context_->getTypeSizeInChars(type).getQuantity();
    const char *wanted = result.type.empty() ? nullptr : kind_of_argument_type(result.type);
    if (wanted && wanted == std::string("svmptr") && result.kind == "pointer")
        wanted = nullptr; // T* [[type("svmptr_t")]]
    if (wanted && result.kind != wanted) {
        error(*context_, where,
              "kernel parameter '" + name + "' of type '" + result.declared + "' cannot be a " + result.type);
        note(*context_, where, "a " + result.type + " is declared as " + declared_type_of_kind(wanted));
    }
    return result;
}

void KernelCollector::add(FunctionDecl *function)
{
    Kernel kernel = {function, function->getNameAsString(), {}};
    if (!function->getReturnType()->isVoidType())
        error(*context_, function->getLocation(), "kernel '" + kernel.name + "' must return void");
    for (const Kernel &other : kernels_)
        if (other.name == kernel.name)
            error(*context_, function->getLocation(), "two kernels are named '" + kernel.name + "'");
    for (ParmVarDecl *parameter : function->parameters())
        kernel.parameters.push_back(describe(parameter));
    kernels_.push_back(kernel);
}

void KernelCollector::visit(Decl *declaration)
{
    if (auto *function = dyn_cast<FunctionDecl>(declaration)) {
        bool is_kernel = take_annotation(function, "cm-kernel", nullptr);
        if (is_kernel && function->isThisDeclarationADefinition())
            add(function);
        else // [[type]] is tolerated elsewhere and means nothing
            for (ParmVarDecl *parameter : function->parameters())
                take_annotation(parameter, type_annotation, nullptr);
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

std::vector<llvm::Function *> mark_kernels(llvm::Module &module, CodeGenerator &generator,
                                           const std::vector<Kernel> &kernels)
{
    std::vector<llvm::Function *> functions(kernels.size());
    for (llvm::Function &function : module) {
        if (function.isDeclaration())
            continue;
        const Decl *declaration = generator.GetDeclForMangledName(function.getName());
        auto kernel = llvm::find_if(kernels, [&](const Kernel &k) { return k.declaration == declaration; });
        if (kernel != kernels.end()) {
            functions[kernel - kernels.begin()] = &function;
            continue;
        }
        function.removeFnAttr(llvm::Attribute::NoInline);
        function.addFnAttr(llvm::Attribute::AlwaysInline);
        function.setLinkage(llvm::GlobalValue::InternalLinkage);
        function.setComdat(nullptr);
    }

    llvm::LLVMContext &context = module.getContext();
    auto text = [&](const char *key, const std::string &value) { return llvm::Attribute::get(context, key, value); };
    for (size_t k = 0; k < kernels.size(); k++) {
        llvm::Function *function = functions[k];
        function->setName(kernels[k].name);
        function->addFnAttr("cm-kernel");
        for (unsigned p = 0; p < kernels[k].parameters.size(); p++) {
            const Parameter &parameter = kernels[k].parameters[p];
            function->addParamAttr(p, text("cm-kind", parameter.kind));
            function->addParamAttr(p, text("cm-decl", parameter.declared));
            if (!parameter.type.empty())
                function->addParamAttr(p, text("cm-type", parameter.type));
        }
    }
    return functions;
}

} // namespace cmkit
