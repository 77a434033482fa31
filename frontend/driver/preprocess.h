// Runs the preprocessor without the parser, and lists the files that a compilation reads.
#ifndef CMKIT_FRONTEND_DRIVER_PREPROCESS_H
#define CMKIT_FRONTEND_DRIVER_PREPROCESS_H

#include "frontend/frontend.h"

#include <string>
#include <vector>
#include <clang/Frontend/FrontendActions.h>
#include <clang/Frontend/Utils.h>

namespace cmkit
{

// Runs the preprocessor alone. It keeps CM's pragmas and keywords: the compiler of its output handles them.
class PreprocessAction : public clang::PreprocessorFrontendAction
{
  public:
    explicit PreprocessAction(const frontend_options &options) : writes_text_(options.preprocess) {}

    // Passes the text to the caller, in memory from malloc, if there is one. Returns false if memory runs out.
    bool take(char **text) const;

  protected:
    void ExecuteAction() override;

  private:
    bool writes_text_;
    std::string text_;
};

// True if the text names the files of its lines, as that of -E without -P does.
bool has_line_markers(llvm::StringRef text);

// The files that a compilation reads, each once, in order, with those of the precompiled headers.
class DependencyRecorder : public clang::DependencyCollector
{
  public:
    void report(const frontend_options &options) const;

  protected:
    bool sawDependency(llvm::StringRef path, bool from_module, bool is_system, bool is_module_file,
                       bool is_missing) override;
    bool needSystemDependencies() override { return true; }

  private:
    struct File {
        std::string path;
        bool is_system;
    };
    std::vector<File> files_;
};

} // namespace cmkit

#endif
