/* Splits a program's build options into those for cmc and those for the back end. */
#ifndef CMKIT_OPENCL_FRONTEND_OPTIONS_H
#define CMKIT_OPENCL_FRONTEND_OPTIONS_H

#include <string>
#include <vector>

namespace cmkit
{

struct SortedOptions {
    std::vector<std::string> front_end; // for cmc; the last word that is no option is the source file
    std::vector<std::string> back_end;
    std::string api; // options of IGC's vector back end, each after a blank
    std::string platform, input;
};

SortedOptions sort_options(int count, const char *const *words);

} // namespace cmkit

#endif
