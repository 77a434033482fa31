// cm-precompile: parses the CM headers once, at build time. cm-precompile gpu|host OUTPUT
#include "frontend/diagnostics.h"
#include "frontend/headers.h"
#include "frontend/simd_pragmas.h"

#include <cstdio>
#include <cstring>
#include <clang/Frontend/FrontendActions.h>
#include <clang/Lex/PreprocessorOptions.h>

class PrecompileAction : public clang::GeneratePCHAction
{
  public:
    explicit PrecompileAction(bool host) : host_(host) {}

  protected:
    bool BeginSourceFileAction(clang::CompilerInstance &compiler) override
    {
        cmkit::add_simd_pragmas(compiler.getPreprocessor(), host_);
        return clang::GeneratePCHAction::BeginSourceFileAction(compiler);
    }

  private:
    bool host_;
};

int main(int count, char **words)
{
    if (count != 3 || (strcmp(words[1], "gpu") && strcmp(words[1], "host"))) {
        fprintf(stderr, "usage: cm-precompile gpu|host OUTPUT\n");
        return 1;
    }
    frontend_options options = {};
    options.target = strcmp(words[1], "host") ? FRONTEND_GPU : FRONTEND_HOST;
    cmkit::Headers headers = cmkit::find_headers(options);
    headers.precompiled.clear();
    std::string input = headers.folder + "/cm/cm.h";
    options.input = input.c_str();

    cmkit::Diagnostics consumer;
    clang::CompilerInstance compiler;
    compiler.createDiagnostics(&consumer, /*ShouldOwnClient=*/false);
    if (!cmkit::set_up(compiler, options, headers))
        return 1;
    compiler.getPreprocessorOpts().Includes.clear(); // the header is the input; macros come with each kernel
    compiler.getFrontendOpts().OutputFile = words[2];
    PrecompileAction action(options.target == FRONTEND_HOST);
    bool good = compiler.ExecuteAction(action);
    consumer.flush();
    return good ? 0 : 1;
}
