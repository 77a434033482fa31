#include "frontend/diagnostics/signatures.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>

namespace cmkit
{

// Returns a comment's text in one line, without the stars.
static std::string one_line(llvm::StringRef comment)
{
    std::string result;
    while (!comment.empty()) {
        auto [line, rest] = comment.split('\n');
        line = line.trim();
        line.consume_front("*");
        result += (result.empty() ? "" : " ") + line.trim().str();
        comment = rest;
    }
    return result;
}

// Returns the length from an opening bracket at the beginning of `text` to its closing bracket; 0 if there is none.
static size_t bracketed(llvm::StringRef text, char open, char close)
{
    int depth = 0;
    for (size_t i = 0; i < text.size(); i++) {
        depth += (text[i] == open) - (text[i] == close);
        if (depth == 0)
            return i + 1;
    }
    return 0;
}

// Returns the length of "NAME<...>(...)" or "NAME(...)" at the beginning of `text`, which starts with the name; 0 if it
// is no call.
static size_t call_length(llvm::StringRef text, size_t name)
{
    size_t end = name;
    if (text.substr(end).starts_with("<")) {
        size_t arguments = bracketed(text.substr(end), '<', '>');
        if (arguments == 0)
            return 0;
        end += arguments;
    }
    if (!text.substr(end).starts_with("("))
        return 0;
    size_t arguments = bracketed(text.substr(end), '(', ')');
    return arguments ? end + arguments : 0;
}

// Adds the calls of `name` in `words`. Returns false if there are none.
static bool add_forms(std::vector<std::string> &forms, llvm::StringRef words, llvm::StringRef name)
{
    bool found = false;
    for (size_t at = 0; (at = words.find(name, at)) != llvm::StringRef::npos; at += name.size()) {
        bool inside_word = at > 0 && (llvm::isAlnum(words[at - 1]) || words[at - 1] == '_');
        size_t length = inside_word ? 0 : call_length(words.substr(at), name.size());
        if (length == 0)
            continue;
        found = true;
        size_t object = at >= 2 && words[at - 1] == '.' ? 2 : 0; // v.select, m.row
        std::string form = words.substr(at - object, object + length).str();
        if (!llvm::is_contained(forms, form))
            forms.push_back(form);
    }
    return found;
}

void add_signatures_in_comment(std::vector<std::string> &forms, llvm::StringRef header, size_t offset,
                               llvm::StringRef name)
{
    llvm::StringRef before = header.substr(0, offset);
    for (;;) {
        size_t end = before.rfind("*/");
        size_t begin = end == llvm::StringRef::npos ? end : before.substr(0, end).rfind("/*");
        if (begin == llvm::StringRef::npos)
            return;
        llvm::StringRef comment = before.substr(begin + 2, end - begin - 2);
        if (comment.contains("Source: ") && add_forms(forms, one_line(comment), name))
            return;
        before = before.substr(0, begin);
    }
}

} // namespace cmkit
