#include "frontend/syntax/attributes.h"
#include "frontend/base/report.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/Expr.h>
#include <clang/Sema/ParsedAttr.h>
#include <clang/Sema/Sema.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/Registry.h>

using namespace clang;

namespace cmkit
{

const char *kind_of_argument_type(llvm::StringRef text)
{
    static const struct {
        const char *word, *kind;
    } table[] = {
#define ARGUMENT_TYPE(WORD, KIND) {WORD, KIND},
#include "frontend/syntax/argument_types.def"
    };
    llvm::StringRef word = text.trim().split(' ').first;
    for (const auto &row : table)
        if (word == row.word)
            return row.kind;
    return nullptr;
}

static std::string argument_type_words()
{
    std::string words;
#define ARGUMENT_TYPE(WORD, KIND) words += std::string(words.empty() ? "" : ", ") + WORD;
#include "frontend/syntax/argument_types.def"
    return words;
}

// Returns the first word after the kind that is no access, no qualifier and no element type; "" if there is none.
static llvm::StringRef unknown_qualifier(llvm::StringRef text)
{
    static const char *const known[] = {
#define ARGUMENT_QUALIFIER(WORD) WORD,
#include "frontend/syntax/argument_types.def"
    };
    llvm::SmallVector<llvm::StringRef> words;
    text.trim().split(' ').second.split(words, ' ', -1, /*KeepEmpty=*/false);
    for (llvm::StringRef word : words) {
        llvm::StringRef plain = word.rtrim("*,");
        bool of_bits = plain.ends_with("_t") && (plain.starts_with("int") || plain.starts_with("uint"));
        if (!plain.empty() && !of_bits && !llvm::is_contained(known, plain))
            return word;
    }
    return "";
}

bool is_shared(QualType type)
{
    return type.getAddressSpace() == LangAS::opencl_local;
}

namespace
{

class TypeAttribute : public ParsedAttrInfo
{
  public:
    TypeAttribute()
    {
        static constexpr Spelling spellings[] = {{ParsedAttr::AS_CXX11, "type"}};
        Spellings = spellings;
        NumArgs = 1;
    }

    bool diagAppertainsToDecl(Sema &sema, const ParsedAttr &attribute, const Decl *declaration) const override
    {
        if (isa<ParmVarDecl>(declaration))
            return true;
        report(sema, attribute.getLoc(), "[[type]] belongs to a parameter of a kernel");
        return false;
    }

    AttrHandling handleDeclAttribute(Sema &sema, Decl *declaration, const ParsedAttr &attribute) const override
    {
        const auto *text =
            attribute.isArgExpr(0) ? dyn_cast<StringLiteral>(attribute.getArgAsExpr(0)->IgnoreParenCasts()) : nullptr;
        if (!text) {
            report(sema, attribute.getLoc(), "[[type]] takes a string");
            note(sema, attribute.getLoc(), "[[type(\"buffer_t\")]]: there are " + argument_type_words());
            return AttributeNotApplied;
        }
        if (!kind_of_argument_type(text->getString())) {
            report(sema, attribute.getLoc(), "unknown argument type \"" + text->getString().str() + "\"");
            note(sema, attribute.getLoc(), "there are " + argument_type_words());
            return AttributeNotApplied;
        }
        for (const AnnotateAttr *mark : declaration->specific_attrs<AnnotateAttr>())
            if (mark->getAnnotation().starts_with(type_annotation)) {
                report(sema, attribute.getLoc(), "a second [[type]] of one parameter");
                note(sema, attribute.getLoc(), "use one string: [[type(\"image2d_t read_only\")]]");
                return AttributeNotApplied;
            }
        if (llvm::StringRef word = unknown_qualifier(text->getString()); !word.empty())
            warn(sema.getDiagnostics(), attribute.getLoc(),
                 "argument type \"" + text->getString().str() + "\": '" + word.str() + "' means nothing",
                 "after the kind: read_only, write_only or read_write, or the type of the elements");
        declaration->addAttr(AnnotateAttr::Create(sema.Context, type_annotation + text->getString().str(), nullptr, 0,
                                                  attribute.getRange()));
        return AttributeApplied;
    }

  private:
    static void report(Sema &sema, SourceLocation where, const std::string &text)
    {
        cmkit::report(sema.getDiagnostics(), where, DiagnosticsEngine::Error, text);
    }
    static void note(Sema &sema, SourceLocation where, const std::string &text)
    {
        cmkit::report(sema.getDiagnostics(), where, DiagnosticsEngine::Note, text);
    }
};

// Implements a part of __local: a variable in shared memory inside a function has one place for all threads, like a
// static variable. Clang knows such variables in OpenCL only.
class SharedAttribute : public ParsedAttrInfo
{
  public:
    SharedAttribute()
    {
        static constexpr Spelling spellings[] = {{ParsedAttr::AS_GNU, "cm_shared"}};
        Spellings = spellings;
    }

    bool diagAppertainsToDecl(Sema &, const ParsedAttr &, const Decl *) const override { return true; }

    AttrHandling handleDeclAttribute(Sema &sema, Decl *declaration, const ParsedAttr &) const override
    {
        auto *variable = dyn_cast<VarDecl>(declaration);
        if (!variable || isa<ParmVarDecl>(variable) || !is_shared(variable->getType()))
            return AttributeApplied;
        if (variable->hasLocalStorage())
            variable->setStorageClass(SC_Static);
        // Suppresses constructors: for structures, Clang would look for a constructor that takes an object in shared
        // memory.
        variable->addAttr(LoaderUninitializedAttr::CreateImplicit(sema.Context));
        return AttributeApplied;
    }
};

ParsedAttrInfoRegistry::Add<TypeAttribute> registration("type", "kind of a kernel argument");
ParsedAttrInfoRegistry::Add<SharedAttribute> shared_registration("cm_shared", "variable in shared memory");

} // namespace

void register_attributes()
{
    (void)registration;
    (void)shared_registration;
}

} // namespace cmkit
