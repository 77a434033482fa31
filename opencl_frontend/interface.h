/* Declares the interface between Intel's graphics compiler (IGC) and a front end for CM, libclangFEWrapper.so.
 *
 * OpenCL's compiler interface of IGC, libigdfcl.so.1 or .2, loads the library when a program is built with -cmc: from
 * the folder that $CM_FE_DIR names, else through the loader's search path. For each program it calls
 *
 *   IntelCMClangFEGetInterfaceVersion     must return IGC's own number: 10 (IGC 1.0.12504 to 1.0.17791), 11 (IGC 2)
 *   IntelCMClangFEBuildDriverInvocation   parses the command line; returns an object with the results
 *   IntelCMClangFECompile                 compiles the source with the words that getFEArgs() returned; SPIR-V or a log
 *   IntelCMClangFEGetVCApiOptions         returns options for the vector back end, which drops the program's own
 *
 * IGC returns objects through discard(). Only the order of the virtual functions and the standard library's strings and
 * vectors are binding. They are the same in versions 10 and 11. The versions differ in the values of two enumerations
 * that IGC does not read. Source: IGC, IGC/CMFE/AdaptorCM. */
#ifndef CMKIT_OPENCL_FRONTEND_INTERFACE_H
#define CMKIT_OPENCL_FRONTEND_INTERFACE_H

#include <string>
#include <vector>

namespace cmkit
{

struct NamedText {
    std::string name, text;
};

// The input of a compilation. IGC's object.
struct Input {
    virtual const std::string &source() const = 0; // empty: the options name a file with it
    virtual const std::vector<std::string> &options() const = 0;
    virtual const std::vector<NamedText> &extra_files() const = 0;
    virtual ~Input() = default;
};

enum class Status { success = 0, failure = -15 }; // CL_COMPILE_PROGRAM_FAILURE

struct Output {
    virtual Status status() const = 0;
    virtual const std::vector<char> &binary() const = 0; // SPIR-V
    virtual const std::string &log() const = 0;
    virtual void discard() = 0;
    virtual ~Output() = default;
};

enum class InputKind { cm, llvm, spirv, none, other };
enum class OutputKind { assembly, spirv, llvm, bitcode, preprocessed, other };
enum class Runtime { first, second, third };   // 10: CM, OpenCL, Level Zero; 11: OpenCL, Level Zero
enum class Container { first, opencl, zebin }; // 10: CM's; 11: the default

// The results of parsing a command line.
struct Invocation {
    virtual const std::vector<std::string> &front_end_options() const = 0;
    virtual const std::vector<std::string> &back_end_options() const = 0; // "-finalizer-opts=X", or LLVM's
    virtual const InputKind &input_kind() const = 0;
    virtual const OutputKind &output_kind() const = 0;
    virtual const Runtime &runtime() const = 0;
    virtual Container container() const = 0;
    virtual bool times_passes() const = 0;
    virtual const std::string &platform() const = 0;
    virtual const std::string &input_file() const = 0;
    virtual const std::string &output_file() const = 0;
    virtual const std::string &target_features() const = 0;
    virtual bool is_help() const = 0;
    virtual void discard() = 0;
    virtual ~Invocation() = default;
};

} // namespace cmkit

extern "C" {
int IntelCMClangFEGetInterfaceVersion();
cmkit::Invocation *IntelCMClangFEBuildDriverInvocation(int count, const char *words[]);
cmkit::Output *IntelCMClangFECompile(const cmkit::Input *input);
const char *IntelCMClangFEGetVCApiOptions(const cmkit::Invocation *invocation);
bool IntelCMClangFEIsShowVersionInvocation(const cmkit::Invocation *invocation);
int IntelCMClangFEGetRevId(const cmkit::Invocation *invocation);
bool IntelCMClangFEGetPrintStats(const cmkit::Invocation *invocation);
const char *IntelCMClangFEGetStatsFile(const cmkit::Invocation *invocation);
}

#endif
