/* Runs a program with its standard input, output and errors in memory. */
#ifndef CMKIT_OPENCL_FRONTEND_CHILD_H
#define CMKIT_OPENCL_FRONTEND_CHILD_H

#include <string>
#include <vector>

namespace cmkit
{

struct ChildResult {
    std::string failure; // it could not be started, or ran too long: why; else empty
    bool known;          // how it ended is known: another thread may have waited for it
    int signal, status;
    std::vector<char> output;
    std::string errors;
};

// No shell, no temporary file. The caller's signals, SIGCHLD's handler and threads do not matter. words[0] is a path.
ChildResult run_child(const std::vector<std::string> &words, const std::string &input, unsigned seconds);

} // namespace cmkit

#endif
