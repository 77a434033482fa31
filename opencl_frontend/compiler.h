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

// options: words for cmc, the source's file among them, whose text is `source` unless that is empty.
Compiled compile(const std::vector<std::string> &options, const std::string &source);

} // namespace cmkit

#endif
