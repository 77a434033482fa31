#include "frontend/diagnostics/diag_text.h"
#include "frontend/syntax/overloads.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/Support/raw_ostream.h>

using namespace clang;

namespace cmkit
{

namespace
{

// Clang's names of scalar types, and CM's.
constexpr struct {
    const char *clang, *cm;
} scalar_names[] = {
    {"unsigned char", "uchar"}, {"unsigned short", "ushort"},  {"unsigned int", "uint"},           {"_Float16", "half"},
    {"signed char", "char"},    {"unsigned long", "uint64_t"}, {"unsigned long long", "uint64_t"}, {"long", "int64_t"},
    {"long long", "int64_t"},
};

// Collects the template parameters and arguments around a declaration, innermost first.
class Bindings
{
  public:
    explicit Bindings(const Decl *owner)
    {
        for (; owner; owner = Decl::castFromDeclContext(owner->getDeclContext())) {
            if (const auto *function = dyn_cast<FunctionDecl>(owner)) {
                if (const FunctionTemplateDecl *made_from = function->getPrimaryTemplate())
                    add(*made_from->getTemplateParameters(), *function->getTemplateSpecializationArgs());
            } else if (const auto *record = dyn_cast<ClassTemplateSpecializationDecl>(owner)) {
                QualType type = record->getASTContext().getRecordType(record);
                if (operand_of(type))
                    list_.emplace_back("this", TemplateArgument(type));
                add(*record->getSpecializedTemplate()->getTemplateParameters(), record->getTemplateArgs());
            }
            if (!owner->getDeclContext())
                break;
        }
    }

    const TemplateArgument *find(llvm::StringRef name) const
    {
        for (const auto &[parameter, argument] : list_)
            if (parameter == name)
                return &argument;
        return nullptr;
    }

    const std::vector<std::pair<std::string, TemplateArgument>> &list() const { return list_; }

  private:
    void add(const TemplateParameterList &parameters, const TemplateArgumentList &arguments)
    {
        for (unsigned i = 0; i < parameters.size() && i < arguments.size(); i++)
            list_.emplace_back(parameters.getParam(i)->getName().str(), arguments[i]);
    }

    std::vector<std::pair<std::string, TemplateArgument>> list_;
};

// Returns the number of elements of a vector or matrix; 1 for other types.
int64_t count_of(QualType type)
{
    type = type.getNonReferenceType();
    const ClassTemplateSpecializationDecl *record = operand_of(type);
    if (!record)
        return 1;
    int64_t count = 1;
    for (const TemplateArgument &argument : record->getTemplateArgs().asArray())
        if (argument.getKind() == TemplateArgument::Integral)
            count *= argument.getAsIntegral().getExtValue();
    return count;
}

int64_t bytes_of(QualType type, const ASTContext &context)
{
    type = type.getNonReferenceType();
    const ClassTemplateSpecializationDecl *record = operand_of(type);
    QualType element = record ? record->getTemplateArgs()[0].getAsType() : type;
    if (element->isDependentType() || element->isIncompleteType())
        return 0;
    return count_of(type) * context.getTypeSizeInChars(element).getQuantity();
}

// The element type of an invalid vector may have const or &.
std::string name_of_element(QualType type)
{
    QualType plain = type.getNonReferenceType();
    std::string qualifiers = plain.getLocalQualifiers().getAsString();
    return (qualifiers.empty() ? "" : qualifiers + " ") + name_of_type(type) +
           (type->isLValueReferenceType()   ? " &"
            : type->isRValueReferenceType() ? " &&"
                                            : "");
}

// Returns the value of a placeholder, the text between the braces; empty if it names nothing.
std::string value_of(llvm::StringRef words, const Bindings &bindings, const ASTContext &context)
{
    auto [name, member] = words.split('.');
    const TemplateArgument *argument = bindings.find(name.trim());
    if (argument && argument->getKind() == TemplateArgument::Type) {
        QualType type = argument->getAsType();
        if (member == "count")
            return std::to_string(count_of(type));
        if (member == "bytes")
            return std::to_string(bytes_of(type, context));
        return operand_of(type.getNonReferenceType()) ? name_of_type(type) : name_of_element(type);
    }
    if (argument && argument->getKind() == TemplateArgument::Integral)
        return llvm::toString(argument->getAsIntegral(), 10);

    llvm::SmallVector<llvm::StringRef, 4> factors;
    words.split(factors, '*');
    int64_t product = 1;
    for (llvm::StringRef factor : factors) {
        argument = bindings.find(factor.trim());
        if (!argument)
            return "";
        if (argument->getKind() == TemplateArgument::Type)
            product *= bytes_of(argument->getAsType(), context);
        else if (argument->getKind() == TemplateArgument::Integral)
            product *= argument->getAsIntegral().getExtValue();
    }
    return factors.size() > 1 ? std::to_string(product) : "";
}

void replace_all(std::string &text, llvm::StringRef old, llvm::StringRef with)
{
    for (size_t at = 0; (at = text.find(old, at)) != std::string::npos; at += with.size())
        text.replace(at, old.size(), with);
}

// Replaces 'cm_detail::alias' (aka 'vector<int, 8>') by 'vector<int, 8>'.
void drop_inner_aliases(std::string &text)
{
    static const llvm::StringRef aka = " (aka ";
    for (size_t at = 0; (at = text.find(aka, at)) != std::string::npos;) {
        size_t open = at ? text.rfind('\'', at - 2) : std::string::npos, close = text.find(')', at);
        bool inner =
            open != std::string::npos && close != std::string::npos &&
            (text.compare(open + 1, 11, "cm_detail::") == 0 || text.compare(open + 1, 12, "object_like<") == 0);
        size_t end = text.find("')", at);
        if (!inner || end == std::string::npos) {
            at += aka.size();
            continue;
        }
        std::string meant = text.substr(at + aka.size(), end + 1 - at - aka.size());
        text.replace(open, end + 2 - open, meant);
        at = open + meant.size();
    }
}

PrintingPolicy cpp_policy()
{
    LangOptions language;
    language.CPlusPlus = language.Bool = true;
    return PrintingPolicy(language);
}

} // namespace

std::string name_of_type(QualType type)
{
    type = type.getNonReferenceType().getUnqualifiedType();
    if (const ClassTemplateSpecializationDecl *record = operand_of(type)) {
        std::string name = record->getName().str() + "<";
        for (const TemplateArgument &argument : record->getTemplateArgs().asArray())
            name += argument.getKind() == TemplateArgument::Type ? name_of_element(argument.getAsType())
                                                                 : ", " + llvm::toString(argument.getAsIntegral(), 10);
        return name + ">";
    }
    std::string name = type.getCanonicalType().getAsString(cpp_policy());
    for (const auto &row : scalar_names)
        if (name == row.clang)
            return row.cm;
    return name;
}

std::string name_of_function(const FunctionDecl *function)
{
    const auto *method = dyn_cast_or_null<CXXMethodDecl>(function);
    if (!function)
        return "a function";
    if (method && method->getParent()->isLambda())
        return "a lambda";
    std::string name = function->getQualifiedNameAsString(), arguments;
    const FunctionTemplateDecl *made_from = function->getPrimaryTemplate();
    unsigned count = made_from ? users_parameters(*made_from->getTemplateParameters()) : 0;
    for (unsigned i = 0; i < count; i++) {
        const TemplateArgument &argument = function->getTemplateSpecializationArgs()->get(i);
        llvm::raw_string_ostream stream(arguments);
        stream << (i ? ", " : "");
        if (argument.getKind() == TemplateArgument::Type)
            stream << name_of_type(argument.getAsType());
        else
            argument.print(PrintingPolicy(LangOptions()), stream, /*IncludeType=*/false);
    }
    return "'" + name + (arguments.empty() ? "" : "<" + arguments + ">") + "'";
}

void name_sizes(std::string &text, QualType type)
{
    if (type.isNull() || !operand_of(type.getNonReferenceType()))
        return;
    size_t at = text.find("lane_count<");
    size_t open = text.rfind('\'', at), close = text.find('\'', at);
    if (at != std::string::npos && open != std::string::npos && close != std::string::npos)
        text.replace(open + 1, close - open - 1, name_of_type(type));
}

std::string with_article(const std::string &name)
{
    bool is_vowel = !name.empty() && llvm::StringRef("aeio").contains(name[0]); // u is pronounced like you
    bool is_letter_s = llvm::StringRef(name).starts_with("svm");
    return (is_vowel || is_letter_s ? "an " : "a ") + name;
}

std::string fill_placeholders(const std::string &text, const Decl *owner)
{
    Bindings bindings(owner);
    std::string result;
    llvm::StringRef rest = text;
    while (!rest.empty()) {
        auto [before, after] = rest.split('{');
        result += before;
        if (before.size() == rest.size())
            break;
        auto [words, tail] = after.split('}');
        std::string value = value_of(words, bindings, owner->getASTContext());
        result += value.empty() ? "{" + words.str() + "}" : value;
        rest = tail;
    }
    return result;
}

std::string operands_of(const Decl *owner)
{
    std::string result;
    Bindings bindings(owner);
    for (const auto &[name, argument] : bindings.list()) {
        if (argument.getKind() != TemplateArgument::Type || argument.getAsType().isNull())
            continue;
        QualType type = argument.getAsType().getNonReferenceType();
        std::string words = operand_of(type) ? name_of_type(type) : "";
        if (result.find(words) == std::string::npos)
            result += (result.empty() ? "" : " and ") + words;
    }
    return result;
}

std::string in_cm_terms(const std::string &text)
{
    llvm::StringRef rest = text;
    if (rest.consume_front("static assertion failed due to requirement ")) {
        size_t colon = rest.find("': ");
        if (colon != llvm::StringRef::npos)
            rest = rest.substr(colon + 3);
    }
    rest.consume_front("static assertion failed: ");
    std::string result = rest.str();
    drop_inner_aliases(result);
    for (const auto &row : scalar_names)
        for (const char *before : {"<", "'"})
            for (const char *after : {",", "'", " &'", " *'"})
                replace_all(result, std::string(before) + row.clang + after, std::string(before) + row.cm + after);
    for (size_t at = 0; (at = result.find(" (aka '", at)) != std::string::npos; at++) { // 'uchar' (aka 'uchar')
        size_t start = at + 7, end = result.find("')", at);
        size_t length = end - start;
        if (end != std::string::npos && length < at &&
            result.compare(at - 1 - length, length, result, start, length) == 0)
            result.erase(at, end + 2 - at);
    }
    return result;
}

} // namespace cmkit
