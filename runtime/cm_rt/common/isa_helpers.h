// Reads a file of kernels: what the host programs of Intel's tutorial load programs with.
#ifndef CMKIT_ISA_HELPERS_H
#define CMKIT_ISA_HELPERS_H

#include <fstream>
#include <iostream> // programs rely on it
#include <iterator>
#include <string>

namespace cm
{
namespace util
{
namespace isa
{

/* The file's bytes; empty if it cannot be read. */
inline std::string loadFile(const char *path)
{
    std::ifstream file(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
}

inline std::string loadFile(const std::string &path)
{
    return loadFile(path.c_str());
}

} // namespace isa
} // namespace util
} // namespace cm

#endif
