/* Sorts a program's build options: what cmc gets, what the back end gets. */
#ifndef CMKIT_OPENCL_FRONTEND_OPTIONS_H
#define CMKIT_OPENCL_FRONTEND_OPTIONS_H

#include <string>
#include <vector>

namespace cmkit
{

struct SortedOptions {
    std::vector<std::string> front_end; // for cmc; the last that is no option is the source
    std::vector<std::string> back_end;
    std::string api; // options of IGC's vector back end, each with a blank before it
    std::string platform, input;
};

// version: of the interface that the caller has.
SortedOptions sort_options(int count, const char *const *words, int version);

} // namespace cmkit

#endif
