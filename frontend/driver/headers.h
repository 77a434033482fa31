// Finds the CM headers, parsed or precompiled, and builds Clang's command line.
#ifndef CMKIT_FRONTEND_DRIVER_HEADERS_H
#define CMKIT_FRONTEND_DRIVER_HEADERS_H

#include <string>
#include <vector>
#include <clang/Frontend/CompilerInstance.h>
#include "frontend/frontend.h"

namespace cmkit
{

struct Headers {
    std::string folder;      // holds cm/cm.h
    std::string precompiled; // file with the parsed headers, empty if there is none
};

// Finds the folder that the options name; else include/ beside the program's folder; else that of the source tree.
// Looks for precompiled headers where the build or the installation puts those of that folder.
Headers find_headers(const frontend_options &options);

// Returns the folder of Clang's own headers.
std::string clang_headers(const frontend_options &options);

// True if the target has __bf16; the CPU has all types.
bool has_short_floats(const frontend_options &options);

bool is_standard_input(const frontend_options &options);

// Prepares a compilation; false after a diagnostic about the options. Macros of the command line are defined after the
// headers, so that the headers never see them. `standard_input`: the text of the input "-".
bool set_up(clang::CompilerInstance &compiler, const frontend_options &options, const Headers &headers,
            llvm::StringRef standard_input = "");

// Returns the command line of Clang's driver with which an editor's clangd understands the file, program first.
std::vector<std::string> editor_arguments(const frontend_options &options, const Headers &headers);

// Prints the arguments of set_up(), each in quotes, and a newline.
void print_arguments(const frontend_options &options, const Headers &headers, llvm::raw_ostream &out);

} // namespace cmkit

#endif
