#include "frontend/syntax/overloads.h"

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>
#include <clang/Basic/IdentifierTable.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/MacroInfo.h>
#include <llvm/ADT/STLExtras.h>

using namespace clang;

namespace cmkit
{
// The prefix of the template parameters that overloads add after the user's.
static constexpr char operand_parameter[] = "__cm_operand";

unsigned users_parameters(const TemplateParameterList &parameters)
{
    auto added = llvm::find_if(
        parameters, [](const NamedDecl *parameter) { return parameter->getName().starts_with(operand_parameter); });
    return unsigned(added - parameters.begin());
}

namespace
{

using Tokens = std::vector<Token>;

bool is_word(const Token &token, llvm::StringRef word)
{
    return token.is(tok::identifier) && token.getIdentifierInfo()->getName() == word;
}

// Returns +1 or -1 if a token opens or closes a bracket. Angle brackets count, because only declarations are read.
int depth_change(const Token &token)
{
    switch (token.getKind()) {
    case tok::l_paren:
    case tok::l_square:
    case tok::l_brace:
    case tok::less: return 1;
    case tok::r_paren:
    case tok::r_square:
    case tok::r_brace:
    case tok::greater: return -1;
    case tok::greatergreater: return -2;
    default: return 0;
    }
}

// Splits tokens at the commas outside brackets.
std::vector<Tokens> split(const Tokens &tokens)
{
    std::vector<Tokens> parts(1);
    int depth = 0;
    for (const Token &token : tokens) {
        depth += depth_change(token);
        if (depth == 0 && token.is(tok::comma))
            parts.emplace_back();
        else
            parts.back().push_back(token);
    }
    if (parts.back().empty())
        parts.pop_back();
    return parts;
}

// Returns the tokens before a default value.
Tokens without_default(const Tokens &tokens)
{
    int depth = 0;
    for (size_t i = 0; i < tokens.size(); i++) {
        depth += depth_change(tokens[i]);
        if (depth == 0 && tokens[i].is(tok::equal))
            return Tokens(tokens.begin(), tokens.begin() + i);
    }
    return tokens;
}

// Returns the tokens without __attribute__((...)): the template has the attributes, and string literals cannot be
// moved.
Tokens without_attributes(const Tokens &tokens)
{
    Tokens kept;
    for (size_t i = 0; i < tokens.size(); i++) {
        if (tokens[i].isNot(tok::kw___attribute)) {
            kept.push_back(tokens[i]);
            continue;
        }
        int depth = 0;
        do
            depth += i + 1 < tokens.size() ? depth_change(tokens[++i]) : 0;
        while (depth > 0 && i + 1 < tokens.size());
    }
    return kept;
}

// Kernels are never called.
bool marks_kernel(Preprocessor &preprocessor, const Token &token)
{
    bool invalid = false; // of its text: the token may be in a macro of the precompiled headers
    return token.is(tok::string_literal) && preprocessor.getSpelling(token, &invalid) == "\"cm-kernel\"" && !invalid;
}

struct Parameter {
    Tokens written; // with its default value
    Token name;     // of the parameter
    bool pack = false;
    // vector_ref<...> or matrix_ref<...> with sizes or types to deduce, or such a vector or matrix; else empty
    Tokens reference;
    bool is_size = false; // of the template: a number of elements, of any integer type

    bool is_row() const { return is_word(reference[0], "vector_ref") || is_word(reference[0], "vector"); }
};

// True if a parameter of this type accepts what a reference refers to: references and vectors, by value or by constant
// reference.
bool is_operand(const Tokens &type)
{
    return type.size() > 3 && type[1].is(tok::less) && type.back().is(tok::greater) &&
           (is_word(type[0], "vector_ref") || is_word(type[0], "matrix_ref") || is_word(type[0], "vector") ||
            is_word(type[0], "matrix"));
}

bool is_object(const Tokens &type)
{
    return is_word(type[0], "vector") || is_word(type[0], "matrix");
}

// True if a parameter's tokens end with its name.
bool has_name(const Tokens &tokens)
{
    bool is_type_alone = tokens.size() < 2 || (tokens.size() == 2 && tokens[0].is(tok::kw_const));
    return !is_type_alone && tokens.back().is(tok::identifier) && tokens[tokens.size() - 2].isNot(tok::coloncolon);
}

// Reads a parameter of the template or function; none if it has no name.
std::optional<Parameter> read_parameter(const Tokens &written)
{
    Tokens tokens = without_default(written);
    Parameter result;
    if (!has_name(tokens))
        return {};
    result.written = written;
    result.name = tokens.back();
    result.pack = tokens[tokens.size() - 2].is(tok::ellipsis);
    return result;
}

// Collects the tokens of a function template up to its end, and builds the overload.
class Builder
{
  public:
    // `where`: the beginning of a CM header of `size` bytes.
    Builder(Preprocessor &preprocessor, SourceLocation where, unsigned size)
        : preprocessor_(preprocessor), where_(where), size_(size)
    {
    }

    // Receives the next token. Returns false if this is no such template, or if the overload is complete.
    bool add(const Token &token);
    bool in_body() const { return state_ == State::body; }
    // Returns the overload without its body, when the template's body begins: calls in that body must find it.
    Tokens declare();
    Tokens overload;

  private:
    enum class State { template_parameters, before_name, parameters, before_body, body };

    bool read_signature();
    const Tokens &give_name(Tokens &written);
    void put_template_parameters();
    void put_signature();
    void make();
    Token word(llvm::StringRef text, tok::TokenKind kind = tok::identifier);
    SourceLocation next_place();
    void put(tok::TokenKind kind);
    void put_word(llvm::StringRef text);
    void put_all(const Tokens &tokens);
    void put_operand(size_t number) { put_word(operand_parameter + std::to_string(number)); }

    Preprocessor &preprocessor_;
    SourceLocation where_;
    unsigned size_, places_ = 0;
    State state_ = State::template_parameters;
    int depth_ = 0;
    Tokens template_tokens_, head_, parameter_tokens_, tail_;
    std::vector<Parameter> template_parameters_, parameters_;
    size_t references_ = 0;
    bool objects_ = false;  // some are objects, not references
    bool declared_ = false; // declared before, with the default values
};

bool Builder::add(const Token &token)
{
    int before = depth_;
    depth_ += depth_change(token);
    switch (state_) {
    case State::template_parameters: // from '<' on
        if (before == 0)
            return token.is(tok::less);
        if (depth_ <= 0)
            state_ = State::before_name;
        else
            template_tokens_.push_back(token);
        return depth_ >= 0;
    case State::before_name:
        if (before == 0 &&
            token.isOneOf(tok::semi, tok::l_brace, tok::equal, tok::kw_class, tok::kw_struct, tok::kw_union,
                          tok::kw_using, tok::kw_template, tok::kw_operator, tok::kw_friend, tok::eof))
            return false;
        if (marks_kernel(preprocessor_, token))
            return false;
        if (before == 0 && token.is(tok::l_paren) && !head_.empty() && head_.back().is(tok::identifier))
            state_ = State::parameters;
        else
            head_.push_back(token); // attributes have parentheses of their own here
        return true;
    case State::parameters:
        if (depth_ == 0) {
            state_ = State::before_body;
            return read_signature();
        }
        parameter_tokens_.push_back(token);
        return true;
    case State::before_body:
        if (token.is(tok::l_brace))
            state_ = State::body;
        else
            tail_.push_back(token);
        return token.isOneOf(tok::l_brace, tok::kw_const, tok::kw_noexcept);
    case State::body:
        depth_ = before + (token.is(tok::l_brace) ? 1 : token.is(tok::r_brace) ? -1 : 0); // here '<' is an operator
        if (depth_ > 0)
            return true;
        make();
        return false;
    }
    return false;
}

bool Builder::read_signature()
{
    std::set<const IdentifierInfo *> deduced, used;
    for (const Tokens &part : split(template_tokens_)) {
        std::optional<Parameter> parameter = read_parameter(part);
        if (!parameter)
            return false;
        deduced.insert(parameter->name.getIdentifierInfo());
        template_parameters_.push_back(*parameter);
    }
    for (Tokens part : split(parameter_tokens_)) {
        int depth = 0;
        for (const Token &token : without_default(part)) { // arrays, functions, attributes; not sizes in parentheses
            if (depth == 0 && token.isOneOf(tok::l_square, tok::l_paren))
                return false;
            depth += depth_change(token);
        }
        std::optional<Parameter> parameter = read_parameter(give_name(part));
        if (!parameter)
            return false;
        Tokens type = without_default(part);
        type.pop_back();
        if (!type.empty() && type.front().is(tok::kw_const)) {
            type.erase(type.begin());
            if (!type.empty() && type.back().is(tok::amp))
                type.pop_back();
        }
        bool depends = false;
        for (const Token &token : type)
            depends = depends || (token.is(tok::identifier) && deduced.count(token.getIdentifierInfo()));
        for (const Token &token : type)
            if (is_operand(type) && token.is(tok::identifier))
                used.insert(token.getIdentifierInfo());
        if (depends && is_operand(type)) {
            parameter->reference = type;
            references_++;
            objects_ = objects_ || is_object(type);
        }
        parameters_.push_back(*parameter);
    }
    for (Parameter &parameter : template_parameters_)
        parameter.is_size =
            used.count(parameter.name.getIdentifierInfo()) && !parameter.pack &&
            !parameter.written.front().isOneOf(tok::kw_typename, tok::kw_class, tok::kw_template, tok::kw_auto);
    return references_ > 0;
}

// Makes sizes ints in the overload: C++ deduces a number only for a parameter of the same type, and the sizes of vector
// and matrix are ints.
void Builder::put_template_parameters()
{
    for (const Parameter &parameter : template_parameters_) {
        if (&parameter != &template_parameters_.front())
            put(tok::comma);
        Tokens written = declared_ ? without_default(parameter.written) : parameter.written;
        if (!parameter.is_size) {
            put_all(written);
            continue;
        }
        put(tok::kw_int);
        auto has_name = [&](const Token &token) { return token.getLocation() == parameter.name.getLocation(); };
        put_all(Tokens(llvm::find_if(written, has_name), written.end()));
    }
}

// Names a parameter that has no name; the name comes before its default value.
const Tokens &Builder::give_name(Tokens &written)
{
    Tokens type = without_default(written);
    if (!has_name(type)) {
        Token name = word("__cm_parameter" + std::to_string(parameters_.size()));
        written.insert(written.begin() + static_cast<long>(type.size()), name);
    }
    return written;
}

// Gives each token a new position: Clang's parser finds tokens again by position.
SourceLocation Builder::next_place()
{
    return where_.getLocWithOffset(static_cast<SourceLocation::IntTy>(places_++ % size_));
}

Token Builder::word(llvm::StringRef text, tok::TokenKind kind)
{
    Token token;
    token.startToken();
    token.setKind(kind);
    token.setLocation(next_place());
    if (!text.empty())
        token.setIdentifierInfo(preprocessor_.getIdentifierInfo(text));
    return token;
}

void Builder::put(tok::TokenKind kind)
{
    const char *keyword = tok::getKeywordSpelling(kind);
    overload.push_back(word(keyword ? keyword : "", kind));
}

void Builder::put_word(llvm::StringRef text)
{
    overload.push_back(word(text));
}

// Positions in the CM headers: Clang's messages about the overload are not for the user.
void Builder::put_all(const Tokens &tokens)
{
    for (Token token : tokens) {
        if (!token.isAnnotation())
            token.setLocation(next_place());
        overload.push_back(token);
    }
}

void Builder::put_signature()
{
    put(tok::kw_template);
    put(tok::less);
    put_template_parameters();
    for (size_t i = 0; i < references_; i++) {
        put(tok::comma);
        put(tok::kw_typename);
        put_operand(i);
    }
    if (objects_) { // another signature than that of a template with references
        put(tok::comma);
        put(tok::kw_typename);
        if (!declared_) {
            put(tok::equal);
            put(tok::kw_void);
        }
    }
    put(tok::greater);
    put_all(without_attributes(head_));
    put(tok::l_paren);
    size_t number = 0;
    for (const Parameter &parameter : parameters_) {
        if (&parameter != &parameters_.front())
            put(tok::comma);
        if (parameter.reference.empty()) {
            put_all(declared_ ? without_default(parameter.written) : parameter.written);
            continue;
        }
        put(tok::kw_const);
        put_word("cm_detail");
        put(tok::coloncolon);
        put_word(parameter.is_row() ? "row_operand" : "grid_operand");
        put(tok::less);
        put_operand(number++);
        put(tok::comma);
        put_all(Tokens(parameter.reference.begin() + 2, parameter.reference.end())); // with the '>'
        put(tok::amp);
        put_all({parameter.name});
    }
    put(tok::r_paren);
    put_all(tail_);
}

Tokens Builder::declare()
{
    put_signature();
    put(tok::semi);
    declared_ = true;
    return std::move(overload);
}

void Builder::make()
{
    overload.clear();
    put_signature();
    put(tok::l_brace);
    put(tok::kw_return);
    put_all({head_.back()});
    put(tok::less);
    for (const Parameter &parameter : template_parameters_) {
        if (&parameter != &template_parameters_.front())
            put(tok::comma);
        put_all({parameter.name});
        if (parameter.pack)
            put(tok::ellipsis);
    }
    put(tok::greater);
    put(tok::l_paren);
    size_t number = 0;
    for (const Parameter &parameter : parameters_) {
        if (&parameter != &parameters_.front())
            put(tok::comma);
        if (parameter.reference.empty()) {
            put_all({parameter.name});
            if (parameter.pack)
                put(tok::ellipsis);
            continue;
        }
        put_all(parameter.reference);
        put(tok::l_paren);
        put(tok::kw_static_cast);
        put(tok::less);
        put(tok::kw_const);
        put_operand(number++);
        put(tok::amp);
        put(tok::greater);
        put(tok::l_paren);
        put_all({parameter.name});
        put(tok::r_paren);
        put(tok::r_paren);
    }
    put(tok::r_paren);
    put(tok::semi);
    put(tok::r_brace);
}

// Receives each token on its way to the parser.
class Watcher
{
  public:
    Watcher(Preprocessor &preprocessor, std::function<bool()> in_class)
        : preprocessor_(preprocessor), in_class_(std::move(in_class))
    {
    }

    bool see(const Token &token)
    {
        if (looks_ahead_)
            return false;
        if (builder_) {
            if (builder_->add(token))
                return true;
            Tokens overload = std::move(builder_->overload);
            builder_.reset();
            if (!overload.empty())
                put(overload, /*seen=*/true);
            // the token may begin another template: a class template's member
        }
        if (token.is(tok::kw_template) &&
            !previous_.isOneOf(tok::period, tok::arrow, tok::coloncolon, tok::kw_extern) &&
            !preprocessor_.getSourceManager().isInSystemHeader(token.getLocation()))
            begin(token);
        previous_ = token;
        return true;
    }

  private:
    // The overload is placed in the CM header that defines SAT.
    void begin(const Token &token)
    {
        const MacroInfo *macro = preprocessor_.getMacroInfo(preprocessor_.getIdentifierInfo("SAT"));
        SourceManager &manager = preprocessor_.getSourceManager();
        FileID header = macro ? manager.getFileID(macro->getDefinitionLoc()) : FileID();
        if (header.isInvalid())
            return;
        builder_.emplace(preprocessor_, manager.getLocForStartOfFile(header), manager.getFileIDSize(header));
        // the body of a class's member sees the members after it
        if (!preprocessor_.isBacktrackEnabled() && !in_class_())
            declare(token);
    }

    // Reads up to the body and puts the tokens back, after a declaration of the overload if there will be one.
    void declare(const Token &first)
    {
        Tokens tokens;
        looks_ahead_ = true;
        do {
            tokens.emplace_back();
            preprocessor_.Lex(tokens.back());
        } while (tokens.back().isNot(tok::eof) && builder_->add(tokens.back()) && !builder_->in_body());
        looks_ahead_ = false;
        bool found = builder_->in_body();
        if (found) {
            Tokens declaration = builder_->declare(); // its first token is the current one
            tokens.insert(tokens.begin(), first);
            tokens.insert(tokens.begin(), declaration.begin() + 1, declaration.end());
        } else {
            builder_.reset();
        }
        put(tokens, found);
    }

    void put(const Tokens &tokens, bool seen)
    {
        auto copy = std::make_unique<Token[]>(tokens.size());
        std::copy(tokens.begin(), tokens.end(), copy.get());
        preprocessor_.EnterTokenStream(std::move(copy), tokens.size(), /*DisableMacroExpansion=*/true,
                                       /*IsReinject=*/seen);
    }

    Preprocessor &preprocessor_;
    std::function<bool()> in_class_;
    std::optional<Builder> builder_;
    Token previous_ = Token();
    bool looks_ahead_ = false;
};

} // namespace

std::function<bool(const Token &)> add_reference_overloads(Preprocessor &preprocessor, std::function<bool()> in_class)
{
    auto watcher = std::make_shared<Watcher>(preprocessor, std::move(in_class));
    return [watcher](const Token &token) { return watcher->see(token); };
}

} // namespace cmkit
