#include "frontend/driver/preprocess.h"
#include "frontend/diagnostics/diagnostics.h"

#include <cstring>
#include <set>
#include <clang/Frontend/CompilerInstance.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/raw_ostream.h>

using namespace clang;

namespace cmkit
{

void PreprocessAction::ExecuteAction()
{
    CompilerInstance &compiler = getCompilerInstance();
    llvm::raw_string_ostream out(text_);
    if (writes_text_)
        return DoPrintPreprocessedInput(compiler.getPreprocessor(), &out, compiler.getPreprocessorOutputOpts());
    Preprocessor &preprocessor = compiler.getPreprocessor();
    preprocessor.IgnorePragmas();
    preprocessor.EnterMainSourceFile();
    Token token;
    do
        preprocessor.Lex(token);
    while (token.isNot(tok::eof));
}

bool PreprocessAction::take(char **text) const
{
    if (!writes_text_)
        return true;
    *text = strdup(text_.c_str());
    return *text;
}

bool DependencyRecorder::sawDependency(llvm::StringRef path, bool, bool is_system, bool is_module_file, bool is_missing)
{
    bool is_made_up = path == command_line_file || (path.starts_with("<") && path.ends_with(">")) ||
                      path.ends_with("/cmkit/precompiled.h"); // it includes the headers, which are listed themselves
    if (!is_made_up && !is_module_file && !is_missing)
        files_.push_back({path.str(), is_system});
    return true;
}

bool has_line_markers(llvm::StringRef text)
{
    while (!text.empty()) {
        auto [line, rest] = text.split('\n');
        if (line.consume_front("# ") && !line.empty() && llvm::isDigit(line.front()))
            return true;
        text = rest;
    }
    return false;
}

void DependencyRecorder::report(const frontend_options &options) const
{
    std::set<std::string> seen;
    for (const File &file : files_) {
        llvm::SmallString<256> path(file.path);
        llvm::sys::path::remove_dots(path);
        if (seen.insert(path.str().str()).second)
            options.depends(options.depends_user, path.c_str(), file.is_system);
    }
}

} // namespace cmkit
