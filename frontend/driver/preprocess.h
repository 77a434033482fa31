// Runs without the parser, and the list of files that a run reads.
#ifndef CMKIT_FRONTEND_DRIVER_PREPROCESS_H
#define CMKIT_FRONTEND_DRIVER_PREPROCESS_H

#include "frontend/frontend.h"

#include <string>
#include <vector>
#include <clang/Frontend/FrontendActions.h>
#include <clang/Frontend/Utils.h>

namespace cmkit
{

// Runs the preprocessor alone. CM's pragmas and words stay as they are: whoever compiles the text handles them.
class PreprocessAction : public clang::PreprocessorFrontendAction
{
  public:
    explicit PreprocessAction(const frontend_options &options) : writes_text_(options.preprocess) {}

    // Hands the text over, in memory from malloc, where there is one. False: no memory.
    bool take(char **text) const;

  protected:
    void ExecuteAction() override;

  private:
    bool writes_text_;
    std::string text_;
};

// The files of a run, once each, in the order in which they were read. Those of precompiled headers are among them.
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
