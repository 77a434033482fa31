/* Runs a program with its standard input, output and errors in memory. */
#ifndef CMKIT_OPENCL_FRONTEND_CHILD_H
#define CMKIT_OPENCL_FRONTEND_CHILD_H

#include <string>
#include <vector>

namespace cmkit
{

struct ChildResult {
    std::string failure; // why it could not be started, or that it ran too long; else empty
    bool known;          // its exit status is known: another thread may have waited for it
    int signal, status;
    std::vector<char> output;
    std::string errors;
};

// Runs the program words[0], a path, without a shell or temporary files. The caller's signals, SIGCHLD handler and
// threads have no influence.
ChildResult run_child(const std::vector<std::string> &words, const std::string &input, unsigned seconds);

} // namespace cmkit

#endif
