// Ends the program with a result code's name and libcmrt's words: what the host programs of Intel's tutorial check
// calls with.
#ifndef CMKIT_CM_RT_HELPERS_H
#define CMKIT_CM_RT_HELPERS_H

#include <cstdio>
#include <cstdlib>
#include "../cm_rt.h"

#define cm_result_check(...) ::cmkit::cm_rt::check_result((__VA_ARGS__), #__VA_ARGS__, __FILE__, __LINE__)

namespace cmkit
{
namespace cm_rt
{

inline void check_result(int code, const char *call, const char *file, int line)
{
    if (code == CM_SUCCESS)
        return;
    std::fprintf(stderr, "%s:%d: error: %s: %s: %s\n", file, line, call, GetCmErrorString(code), cmrt_message());
    std::exit(1);
}

} // namespace cm_rt
} // namespace cmkit

#endif
