#include "frontend/driver/headers.h"
#include "frontend/base/clang_versions.h"
#include "frontend/diagnostics/diagnostics.h"

#include <cstring>
#include <unistd.h>
#include <vector>
#include <clang/Lex/PreprocessorOptions.h>
#include <llvm/ADT/SmallString.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/Path.h>
#include <llvm/TargetParser/Host.h>

using namespace clang;

namespace cmkit
{

// Returns PROGRAM/../relative; empty if the program's own path is unknown.
static std::string beside_program(llvm::StringRef relative)
{
    char program[4096];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program);
    if (length <= 0)
        return "";
    llvm::SmallString<256> path(llvm::StringRef(program, length));
    llvm::sys::path::remove_filename(path);
    llvm::sys::path::append(path, "..", relative);
    return path.str().str();
}

Headers find_headers(const frontend_options &options)
{
    const char *name = options.target == FRONTEND_HOST ? "cm-host.pch" : "cm-gpu.pch";
    if (options.include_dir)
        return {options.include_dir, ""};
    if (options.is_preprocessed || options.preprocess || options.only_dependencies)
        name = "none"; // precompiled headers have no text to write
    Headers headers = {beside_program("include"), beside_program(std::string("lib/cmkit/") + name)};
    if (!llvm::sys::fs::exists(headers.folder + "/cm/cm.h"))
        headers = {CMKIT_INCLUDE_DIR, std::string(CMKIT_PRECOMPILED_DIR) + "/" + name};
    if (!llvm::sys::fs::exists(headers.precompiled))
        headers.precompiled.clear();
    return headers;
}

bool is_standard_input(const frontend_options &options)
{
    return strcmp(options.input, "-") == 0;
}

static const struct platform *platform_of(const frontend_options &options)
{
    return options.platform ? options.platform : &platform_table[PLATFORM_TGLLP];
}

bool has_short_floats(const frontend_options &options)
{
    return options.target == FRONTEND_HOST || platform_has(platform_of(options), FEATURE_BF16);
}

static std::vector<std::string> platform_macros(const frontend_options &options)
{
    const struct platform *platform = platform_of(options);
    const struct product *product = options.product ? options.product : product_of_platform(platform);
    std::vector<std::string> macros = {
        "-DCM_GENX=" + std::to_string(product->genx),
        "-DCM_GENX_REVID=" + std::to_string(product->revision),
        std::string("-D") + product->macro + "=",
        "-D__CM_INTEL_TARGET_MAJOR=" + std::to_string(product->major),
        "-D__CM_INTEL_TARGET_MINOR=" + std::to_string(product->minor),
        "-D__CM_INTEL_TARGET_REVISION=" + std::to_string(product->revision),
        "-DCM_MAX_SLM_SIZE=" + std::to_string(platform->slm_kilobytes),
        "-DCM_GRF_WIDTH=" + std::to_string(platform->grf_bytes * 8),
        "-DCM_GRF_COUNT=" + std::to_string(platform->grf_count),
    };
    for (int feature = FEATURE_ALL + 1; feature < FEATURES_WITH_MACRO; feature++)
        if (platform_has(platform, (feature_id)feature))
            macros.push_back(std::string("-DCM_HAS_") + feature_table[feature].name + "=1");
    if (!platform_has(platform, FEATURE_OLD_DATA_PORTS))
        macros.push_back("-DCM_REQUIRES_LEGACY_TRANSLATION=1");
    if (has_short_floats(options))
        macros.push_back("-Dbfloat16=__bf16");
    return macros;
}

std::string clang_headers(const frontend_options &options)
{
    return std::string(options.resource_dir ? options.resource_dir : CMKIT_CLANG_RESOURCES) + "/include";
}

// Builds the command line of Clang's compiler proper (clang -cc1).
static std::vector<std::string> clang_arguments(const frontend_options &options, const Headers &headers)
{
    bool host = options.target == FRONTEND_HOST;
    std::vector<std::string> words = {
        "-triple",
        host ? llvm::sys::getDefaultTargetTriple() : "spir64-unknown-unknown",
        "-x",
        "c++",
        "-std=c++17",
        "-ffreestanding",
        "-fno-rtti",
        "-fno-threadsafe-statics",
        // Generates code for optimization (no optnone), but runs no pass: the middle end starts from Clang's output.
        "-O1",
        "-disable-llvm-passes",
        "-disable-lifetime-markers",
        "-fpch-instantiate-templates", // once, in the precompiled headers, not in every kernel
        "-mconstructor-aliases",
        "-relaxed-aliasing",           // format() reads one type's bytes as another's
        "-no-enable-noundef-analysis", // a vector may be undefined in part
#if CLANG_VERSION_MAJOR < 21
        "-fpreserve-vec3-type", // asm: a vector of three elements has three in memory
#endif
        "-funroll-loops", // otherwise Clang marks every loop as not to be unrolled
        "-fwrapv",        // integers wrap, in vectors and scalars alike
#if CLANG_VERSION_MAJOR >= 20
        "-fwrapv-pointer", // addresses, too; before, -fwrapv said so of both
#endif
        // Contracts products and sums to one rounding, as Intel's compilers do by default; the host rounds each.
        host ? "-ffp-contract=off" : "-ffp-contract=fast",
        "-ffloat16-excess-precision=none",
        "-Wno-psabi",
        "-Wno-return-type-c-linkage", // a kernel that returns a value is an error of its own
        "-Wno-ignored-attributes",    // attributes of a kernel that is defined twice
        "-fno-elide-type",            // print both types in full
        "-Werror=invalid-pp-token",   // a string without an end
        "-Wno-vla-cxx-extension",     // an error explains it
        "-Wunknown-pragmas",          // a misspelt pragma
        "-Werror=array-bounds",       // arrays are in registers: otherwise the middle end would have to report it
        "-nostdsysteminc",            // the host's headers are not for kernels
        "-internal-isystem",
        headers.folder,
        "-internal-isystem",
        clang_headers(options),
    };
    if (host)
        words.insert(words.end(),
                     {"-DCMKIT_HOST=1", "-mrelocation-model", "pic", "-pic-level", "2", "-ffake-address-space-map"});
    if (options.is_preprocessed)
        words[3] = "c++-cpp-output";
    else if (headers.precompiled.empty())
        words.insert(words.end(), {"-include", "cm/cm.h", "-include", "cm/cmtl.h"});
    else
        words.insert(words.end(), {"-include-pch", headers.precompiled});
    if (options.only_file)
        words.push_back("-disable-free");
    if (host && options.debug_info)
        words.push_back("-mframe-pointer=all"); // otherwise gdb does not find the end of the prologue
    if (options.debug_info)
        words.push_back(
            "-debug-info-kind=limited"); // debuggers show references, although their constructors are inlined
    else if (!host)
        words.push_back("-debug-info-kind=line-tables-only"); // positions for the middle end's errors
    for (const std::string &macro : platform_macros(options))
        words.push_back(macro);
    for (size_t i = 0; i < options.argument_count; i++)
        words.push_back(options.arguments[i]);
    bool like_option = options.input[0] == '-' && options.input[1];
    words.push_back(std::string(like_option ? "./" : "") + options.input);
    return words;
}

std::vector<std::string> editor_arguments(const frontend_options &options, const Headers &headers)
{
    bool host = options.target == FRONTEND_HOST;
    // Plain Clang has no __bf16 on spir64; cmc enables it there. The host has it, and pointers of the same size.
    std::string target = has_short_floats(options) ? llvm::sys::getDefaultTargetTriple() : "spir64-unknown-unknown";
    llvm::SmallString<256> folder(headers.folder);
    llvm::sys::path::remove_dots(folder, /*remove_dot_dot=*/true);
    std::vector<std::string> words = {
        "clang++",
        "-xc++",
        "-std=c++17",
        "--target=" + target,
        "-ffreestanding",
        "-nostdlibinc",
        "-fno-exceptions",
        "-fno-rtti",
        "-isystem",
        folder.str().str(),
        "-include",
        "cm/cm.h",
        "-include",
        "cm/cmtl.h",
        "-Wno-unknown-attributes", // cmc registers [[type]] and pragmas of its own
        "-Wno-unknown-pragmas",
        "-Wno-psabi",
    };
    if (host)
        words.push_back("-DCMKIT_HOST=1");
    for (const std::string &macro : platform_macros(options))
        words.push_back(macro);
    for (size_t i = 0; i < options.argument_count; i++)
        words.push_back(options.arguments[i]);
    words.push_back("-fsyntax-only");
    words.push_back(options.input);
    return words;
}

void print_arguments(const frontend_options &options, const Headers &headers, llvm::raw_ostream &out)
{
    for (const std::string &word : clang_arguments(options, headers)) {
        out << " \"";
        llvm::printEscapedString(word, out);
        out << '"';
    }
    out << '\n';
}

// Moves macro definitions from the command line to a file that is included after the CM headers.
static void define_macros_late(PreprocessorOptions &options)
{
    const char *name = command_line_file;
    std::string text;
    std::vector<std::pair<std::string, bool>> early;
    for (const auto &[macro, is_undefined] : options.Macros) {
        llvm::StringRef word = macro;
        if (word.starts_with("CMKIT_HOST="))
            early.push_back({macro, is_undefined});
        else if (is_undefined)
            text += "#undef " + macro + "\n";
        else if (size_t equals = word.find('='); equals != llvm::StringRef::npos)
            text += ("#define " + word.substr(0, equals) + " " + word.substr(equals + 1) + "\n").str();
        else
            text += "#define " + macro + " 1\n";
    }
    options.Macros = early;
    options.addRemappedFile(name, llvm::MemoryBuffer::getMemBufferCopy(text, name).release());
    // Includes it before the user's files, and after cm/cm.h and cm/cmtl.h if these are not precompiled.
    size_t at = !options.Includes.empty() && options.Includes.front() == "cm/cm.h" ? 2 : 0;
    options.Includes.insert(options.Includes.begin() + at, name);
}

// Standard input can be read only once, but is compiled twice if the precompiled headers do not fit.
static void read_from_memory(CompilerInstance &compiler, llvm::StringRef text, const char *name)
{
    FrontendInputFile &input = compiler.getFrontendOpts().Inputs.front();
    input = FrontendInputFile(name, input.getKind());
    compiler.getPreprocessorOpts().addRemappedFile(name, llvm::MemoryBuffer::getMemBufferCopy(text, name).release());
}

bool set_up(CompilerInstance &compiler, const frontend_options &options, const Headers &headers,
            llvm::StringRef standard_input)
{
    std::vector<std::string> words = clang_arguments(options, headers);
    std::vector<const char *> pointers;
    for (const std::string &word : words)
        pointers.push_back(word.c_str());
    if (!CompilerInvocation::CreateFromArgs(compiler.getInvocation(), pointers, compiler.getDiagnostics(), "cmc"))
        return false;
    process_warning_options(compiler);
    compiler.getDiagnosticOpts().ShowCarets = false; // this also suppresses "1 error generated."
    if (!options.is_preprocessed)
        define_macros_late(compiler.getPreprocessorOpts());
    compiler.getPreprocessorOutputOpts().ShowCPP = true;
    compiler.getPreprocessorOutputOpts().ShowLineMarkers = !options.no_line_markers;
    if (is_standard_input(options))
        read_from_memory(compiler, standard_input, options.input_name ? options.input_name : "<stdin>");
    return true;
}

} // namespace cmkit
