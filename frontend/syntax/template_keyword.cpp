#include "frontend/syntax/template_keyword.h"

#include <memory>
#include <llvm/ADT/STLExtras.h>

using namespace clang;

namespace cmkit
{

namespace
{

// Members of vectors and matrices that are called without template arguments.
constexpr const char *plain_members[] = {"any", "all",    "n_elems", "n_rows", "n_cols",
                                         "row", "column", "iselect", "merge",  "select_all"};

class Watcher
{
  public:
    explicit Watcher(Preprocessor &preprocessor) : preprocessor_(preprocessor) {}

    bool see(const Token &token)
    {
        if (looks_ahead_)
            return false;
        bool is_member = previous_ == tok::period || previous_ == tok::arrow;
        previous_ = token.getKind();
        if (is_member && token.is(tok::kw_template))
            drop(const_cast<Token &>(token)); // the preprocessor's own token, which it will give to the parser
        return true;
    }

  private:
    void drop(Token &word)
    {
        Token name = next(), rest = next();
        bool is_plain = name.is(tok::identifier) && rest.is(tok::l_paren) &&
                        llvm::is_contained(plain_members, name.getIdentifierInfo()->getName());
        put(rest);
        if (is_plain)
            word = name;
        else
            put(name);
    }

    Token next()
    {
        Token token;
        looks_ahead_ = true;
        preprocessor_.Lex(token);
        looks_ahead_ = false;
        return token;
    }

    void put(const Token &token)
    {
        auto copy = std::make_unique<Token[]>(1);
        copy[0] = token;
        preprocessor_.EnterTokenStream(std::move(copy), 1, /*DisableMacroExpansion=*/true, /*IsReinject=*/false);
    }

    Preprocessor &preprocessor_;
    tok::TokenKind previous_ = tok::unknown;
    bool looks_ahead_ = false;
};

} // namespace

std::function<bool(const Token &)> drop_template_keywords(Preprocessor &preprocessor)
{
    auto watcher = std::make_shared<Watcher>(preprocessor);
    return [watcher](const Token &token) { return watcher->see(token); };
}

} // namespace cmkit
