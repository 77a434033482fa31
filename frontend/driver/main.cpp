// cm-frontend: the front end alone. Prints the module as LLVM IR: cm-frontend [-host] [-march=NAME] [-O0..3]
// [-include-dir=FOLDER] [options] FILE
#include "frontend/frontend.h"

#include <cstdio>
#include <cstring>
#include <vector>
#include <llvm-c/Core.h>

int main(int count, char **words)
{
    frontend_options options = {};
    options.platform = &platform_table[PLATFORM_ICLLP];
    std::vector<const char *> arguments;
    for (int i = 1; i < count; i++) {
        if (!strcmp(words[i], "-host"))
            options.target = FRONTEND_HOST;
        else if (!strncmp(words[i], "-march=", 7)) {
            options.platform = platform_find(words[i] + 7);
            if (!options.platform) {
                fprintf(stderr, "cm-frontend: error: unknown platform %s\n", words[i] + 7);
                return 1;
            }
        } else if (!strncmp(words[i], "-include-dir=", 13)) // this folder has no precompiled headers
            options.include_dir = words[i] + 13;
        else if (!strcmp(words[i], "-fsyntax-only"))
            options.syntax_only = true;
        else if (!strncmp(words[i], "-O", 2))
            options.optimization = words[i][2] - '0';
        else if (words[i][0] == '-' && words[i][1])
            arguments.push_back(words[i]);
        else
            options.input = words[i];
    }
    if (!options.input) {
        fprintf(stderr, "cm-frontend: error: no input file\n");
        return 1;
    }
    options.optimize = true;
    options.arguments = arguments.data();
    options.argument_count = arguments.size();

    LLVMContextRef context = LLVMContextCreate();
    LLVMModuleRef module = nullptr;
    bool good = frontend_compile(context, &options, &module);
    if (module) {
        char *text = LLVMPrintModuleToString(module);
        fputs(text, stdout);
        LLVMDisposeMessage(text);
        LLVMDisposeModule(module);
    }
    LLVMContextDispose(context);
    return good ? 0 : 1;
}
