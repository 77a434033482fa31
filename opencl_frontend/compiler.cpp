#include "opencl_frontend/compiler.h"
#include "opencl_frontend/child.h"

#include <climits>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fstream>
#include <sstream>
#include <unistd.h>

namespace cmkit
{

namespace
{

enum { MOST_SOURCE = 16 << 20, SECONDS = 300, MOST_SECONDS = 86400 };

Compiled failed(const std::string &why)
{
    return {false, {}, "error: " + why + "\n"};
}

// Returns the path that $CMKIT_CMC names, or PREFIX/bin/cmc of the prefix whose lib/ (or lib/MACHINE/ on Debian) holds
// this library.
std::string path_of_cmc()
{
    const char *chosen = getenv("CMKIT_CMC");
    if (chosen && *chosen)
        return chosen;
    Dl_info self;
    char real[PATH_MAX];
    if (!dladdr((const void *)&compile, &self) || !realpath(self.dli_fname, real))
        return "";
    std::string folder(real), first;
    for (int level = 0; level < 3; level++) {
        folder.erase(folder.rfind('/') == std::string::npos ? 0 : folder.rfind('/'));
        std::string path = folder + "/bin/cmc";
        if (level > 0 && access(path.c_str(), X_OK) == 0)
            return path;
        first = level == 1 ? path : first;
    }
    return first;
}

unsigned time_limit()
{
    const char *chosen = getenv("CMKIT_COMPILE_SECONDS");
    long seconds = chosen ? strtol(chosen, nullptr, 10) : 0;
    return seconds > 0 && seconds <= MOST_SECONDS ? (unsigned)seconds : (unsigned)SECONDS;
}

bool is_option_with_value(const std::string &word)
{
    static const char *const separate[] = {"-D", "-U", "-I", "-isystem", "-include", "-print-after"};
    for (const char *option : separate)
        if (word == option)
            return true;
    return false;
}

// Returns the index of the source file among the words; words.size() if there is none.
size_t find_source(const std::vector<std::string> &words)
{
    for (size_t n = 0; n < words.size(); n++)
        if (is_option_with_value(words[n]))
            n++;
        else if (words[n].empty() || words[n][0] != '-')
            return n;
    return words.size();
}

// IGC writes a program's source to src.cm in a folder in the temporary folder, and deletes neither.
void remove_igcs_copy(const std::string &path)
{
    size_t slash = path.rfind('/');
    if (slash == std::string::npos || path.substr(slash) != "/src.cm")
        return;
    std::string folder = path.substr(0, slash);
    size_t above = folder.rfind('/');
    if (folder.compare(above == std::string::npos ? 0 : above + 1, strlen("tmp_cm_to_spv"), "tmp_cm_to_spv") != 0)
        return;
    unlink(path.c_str());
    rmdir(folder.c_str());
}

bool read_file(const std::string &path, std::string &text)
{
    std::ifstream file(path, std::ios::binary);
    std::ostringstream bytes;
    bytes << file.rdbuf();
    text = bytes.str();
    return file.good() || (file.eof() && !file.bad() && !text.empty());
}

Compiled judge(const std::string &cmc, ChildResult &child)
{
    static const unsigned char magic[] = {0x03, 0x02, 0x23, 0x07};
    if (!child.failure.empty())
        return failed(child.failure);
    if (child.signal)
        return failed(cmc + " ended by signal " + std::to_string(child.signal) + " (" + strsignal(child.signal) +
                      "): the fault is the compiler's, not the program's\n" + child.errors);
    bool spirv = child.output.size() > sizeof magic && memcmp(child.output.data(), magic, sizeof magic) == 0;
    if (child.known && child.status == 0 && !spirv)
        return failed(cmc + " wrote no SPIR-V: it is no cmc of cmkit " CMKIT_VERSION);
    if (!spirv || (child.known && child.status != 0))
        return {false, {}, child.errors.empty() ? "error: " + cmc + " failed and says nothing\n" : child.errors};
    return {true, std::move(child.output), std::move(child.errors)};
}

} // namespace

Compiled compile(const std::vector<std::string> &options, const std::string &given)
{
    std::string source = given, cmc = path_of_cmc();
    std::vector<std::string> words = {cmc, "-emit-spirv", "-o", "-", ("--caller-version=" CMKIT_VERSION)};
    size_t file = find_source(options);
    if (file == options.size())
        return failed("no source");
    std::string name = options[file];
    if (given.empty()) {
        bool good = read_file(name, source);
        remove_igcs_copy(name);
        if (!good)
            return failed("cannot read " + name + ", and the program gives no source");
        name = name.substr(name.rfind('/') + 1);
    }
    source.erase(source.find_last_not_of('\0') + 1); // OpenCL's strings may end with null bytes
    if (source.size() > MOST_SOURCE)
        return failed("the source has " + std::to_string(source.size()) + " bytes; the most is " +
                      std::to_string(MOST_SOURCE));
    words.push_back("--input-name=" + name);
    for (size_t n = 0; n < options.size(); n++)
        words.push_back(n == file ? "-" : options[n]);
    if (access(cmc.c_str(), X_OK) != 0)
        return failed("no compiler at '" + cmc +
                      "': install cmkit " CMKIT_VERSION " there, or name its cmc in $CMKIT_CMC");
    ChildResult child = run_child(words, source, time_limit());
    return judge(cmc, child);
}

} // namespace cmkit
