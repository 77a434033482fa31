/* Compiles a program's source by running cmc. */
#ifndef CMKIT_OPENCL_FRONTEND_COMPILER_H
#define CMKIT_OPENCL_FRONTEND_COMPILER_H

#include <string>
#include <vector>

namespace cmkit
{

struct Compiled {
    bool good;
    std::vector<char> spirv;
    std::string log; // errors and warnings
};

// options: words for cmc, with the name of the source file. `source` is the file's text; if it is empty, cmc reads the
// file.
Compiled compile(const std::vector<std::string> &options, const std::string &source);

} // namespace cmkit

#endif
