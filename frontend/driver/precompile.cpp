// cm-precompile: parses the CM headers once, at build time. Usage: cm-precompile gpu|host INPUT OUTPUT.
// INPUT is a file that includes <cm/cm.h> through the search path, so that its contents count as a system header.
#include "frontend/base/clang_versions.h"
#include "frontend/syntax/attributes.h"
#include "frontend/diagnostics/diagnostics.h"
#include "frontend/driver/headers.h"
#include "frontend/syntax/simd_pragmas.h"

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
    static const char usage[] = "usage: cm-precompile gpu|host INPUT OUTPUT\n";
    if (count == 2 && (strcmp(words[1], "--help") == 0 || strcmp(words[1], "--version") == 0)) {
        fputs(words[1][2] == 'h' ? usage : "cm-precompile (cmkit) " CMKIT_VERSION "\n", stdout);
        return 0;
    }
    if (count != 4 || (strcmp(words[1], "gpu") != 0 && strcmp(words[1], "host") != 0)) {
        fputs(usage, stderr);
        return 2;
    }
    frontend_options options = {};
    options.target = strcmp(words[1], "host") != 0 ? FRONTEND_GPU : FRONTEND_HOST;
    cmkit::register_attributes();
    cmkit::Headers headers = cmkit::find_headers(options);
    headers.precompiled.clear();
    options.input = words[2];

    cmkit::Diagnostics consumer;
    clang::CompilerInstance compiler;
    cmkit::create_diagnostics(compiler, &consumer);
    if (!cmkit::set_up(compiler, options, headers)) {
        consumer.publish();
        return 1;
    }
    compiler.getPreprocessorOpts().Includes.clear(); // the input includes them; macros come with each kernel
    compiler.getFrontendOpts().OutputFile = words[3];
    PrecompileAction action(options.target == FRONTEND_HOST);
    bool good = compiler.ExecuteAction(action);
    consumer.publish();
    return good ? 0 : 1;
}
