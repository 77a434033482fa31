/* Defines the functions that IGC calls (interface.h). */
#include "opencl_frontend/interface.h"
#include "opencl_frontend/compiler.h"
#include "opencl_frontend/options.h"

#include <cstring>
#include <dlfcn.h>
#include <exception>

namespace
{

using namespace cmkit;

enum { OLDER = 10, NEWER = 11 };

// Returns the interface version of the calling library: 10 for libigdfcl.so.1, 11 for later ones.
int version_of_caller(const void *return_address)
{
    Dl_info caller;
    bool known = dladdr(return_address, &caller) && caller.dli_fname;
    return known && strstr(caller.dli_fname, "libigdfcl.so.1") ? OLDER : NEWER;
}

class Asked final : public Invocation
{
  public:
    explicit Asked(SortedOptions sorted) : sorted_(std::move(sorted)) {}
    const std::string &api() const { return sorted_.api; }

    const std::vector<std::string> &front_end_options() const override { return sorted_.front_end; }
    const std::vector<std::string> &back_end_options() const override { return sorted_.back_end; }
    const InputKind &input_kind() const override { return input_kind_; }
    const OutputKind &output_kind() const override { return output_kind_; }
    const Runtime &runtime() const override { return runtime_; }
    Container container() const override { return Container::zebin; }
    bool times_passes() const override { return false; }
    const std::string &platform() const override { return sorted_.platform; }
    const std::string &input_file() const override { return sorted_.input; }
    const std::string &output_file() const override { return nothing_; }
    const std::string &target_features() const override { return nothing_; }
    bool is_help() const override { return false; }
    void discard() override { delete this; }

  private:
    SortedOptions sorted_;
    InputKind input_kind_ = InputKind::cm;
    OutputKind output_kind_ = OutputKind::spirv;
    Runtime runtime_ = Runtime::second;
    std::string nothing_;
};

class Result final : public Output
{
  public:
    explicit Result(Compiled compiled) : compiled_(std::move(compiled)) {}

    Status status() const override { return compiled_.good ? Status::success : Status::failure; }
    const std::vector<char> &binary() const override { return compiled_.spirv; }
    const std::string &log() const override { return compiled_.log; }
    void discard() override { delete this; }

  private:
    Compiled compiled_;
};

} // namespace

int IntelCMClangFEGetInterfaceVersion()
{
    return version_of_caller(__builtin_return_address(0));
}

Invocation *IntelCMClangFEBuildDriverInvocation(int count, const char *words[])
{
    try {
        return new Asked(sort_options(count, words));
    } catch (const std::exception &) { // out of memory: IGC reports a null object
        return nullptr;
    }
}

Output *IntelCMClangFECompile(const Input *input)
{
    try {
        return new Result(compile(input->options(), input->source()));
    } catch (const std::exception &) {
        return nullptr;
    }
}

const char *IntelCMClangFEGetVCApiOptions(const Invocation *invocation)
{
    return static_cast<const Asked *>(invocation)->api().c_str();
}

bool IntelCMClangFEIsShowVersionInvocation(const Invocation *)
{
    return false;
}

int IntelCMClangFEGetRevId(const Invocation *)
{
    return 0;
}

bool IntelCMClangFEGetPrintStats(const Invocation *)
{
    return false;
}

const char *IntelCMClangFEGetStatsFile(const Invocation *)
{
    return "";
}
