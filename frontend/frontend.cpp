#include "frontend/frontend.h"
#include "frontend/attributes.h"
#include "frontend/diagnostics.h"
#include "frontend/kernels.h"
#include "frontend/lanes.h"
#include "frontend/simd_pragmas.h"

#include <memory>
#include <string>
#include <unistd.h>
#include <vector>

#include <clang/Basic/TargetInfo.h>
#include <clang/CodeGen/ModuleBuilder.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendAction.h>
#include <clang/Frontend/MultiplexConsumer.h>
#include <clang/Lex/Preprocessor.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/TargetParser/Host.h>

using namespace clang;

namespace cmkit
{

// Parses, collects the kernels, generates code. Keeps the generator: it knows which function came from which declaration.
class CompileAction : public ASTFrontendAction
{
  public:
    CompileAction(llvm::LLVMContext &context, bool host, bool syntax_only)
        : context_(context), host_(host), syntax_only_(syntax_only)
    {
    }

    std::vector<Kernel> kernels;
    CodeGenerator *generator = nullptr;

  protected:
    bool BeginSourceFileAction(CompilerInstance &compiler) override
    {
        add_simd_pragmas(compiler.getPreprocessor(), host_);
        return true;
    }

    std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &compiler, llvm::StringRef file) override
    {
        std::vector<std::unique_ptr<ASTConsumer>> consumers;
        consumers.push_back(std::make_unique<KernelCollector>(kernels)); // first: it takes marks off
        if (!syntax_only_) {
            generator = CreateLLVMCodeGen(compiler.getDiagnostics(), file, &compiler.getVirtualFileSystem(),
                                          compiler.getHeaderSearchOpts(), compiler.getPreprocessorOpts(),
                                          compiler.getCodeGenOpts(), context_);
            consumers.emplace_back(generator);
        }
        return std::make_unique<MultiplexConsumer>(std::move(consumers));
    }

    // The generator must outlive the file: the module is taken from it while declarations are still there.
    void EndSourceFileAction() override
    {
        if (!generator || getCompilerInstance().getDiagnostics().hasErrorOccurred())
            return;
        module.reset(generator->ReleaseModule());
        if (!module)
            return;
        if (!host_)
            expand_lane_patterns(*module, *generator);
        functions = mark_kernels(*module, *generator, kernels);
    }

  public:
    std::unique_ptr<llvm::Module> module;
    std::vector<llvm::Function *> functions;

  private:
    llvm::LLVMContext &context_;
    bool host_, syntax_only_;
};

// Folder that holds cm/cm.h: include/ beside the program's folder, else the one of the source tree.
static std::string include_folder()
{
    char program[4096];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program);
    if (length > 0) {
        llvm::SmallString<256> path(llvm::StringRef(program, length));
        llvm::sys::path::remove_filename(path);
        llvm::sys::path::append(path, "..", "include");
        if (llvm::sys::fs::exists(path + "/cm/cm.h"))
            return path.str().str();
    }
    return CMKIT_INCLUDE_DIR;
}

static std::vector<std::string> platform_macros(const frontend_options &options)
{
    const struct platform *platform = options.platform ? options.platform : &platform_table[PLATFORM_COUNT - 1];
    std::vector<std::string> macros = {
        "-DCM_GENX=" + std::to_string(platform->genx),
        "-DCM_GRF_WIDTH=" + std::to_string(platform->grf_bytes * 8),
        "-DCM_HAS_LONG_LONG=1",
    };
    if (platform->generation == 9)
        macros.push_back("-DCM_HAS_DOUBLE=1");
    if (platform->generation >= 11)
        macros.push_back("-DCM_HAS_BIT_ROTATE=1");
    if (platform->generation >= 12)
        macros.push_back("-DCM_HAS_DP4A=1");
    return macros;
}

// The command line of Clang's compiler proper (clang -cc1).
static std::vector<std::string> clang_arguments(const frontend_options &options)
{
    bool host = options.target == FRONTEND_HOST;
    std::string include = options.include_dir ? options.include_dir : include_folder();
    std::string resources = options.resource_dir ? options.resource_dir : CMKIT_CLANG_RESOURCES;
    std::vector<std::string> words = {
        "-triple", host ? llvm::sys::getDefaultTargetTriple() : "spir64-unknown-unknown",
        "-x", "c++", "-std=c++17", "-ffreestanding", "-fno-rtti", "-fno-threadsafe-statics",
        // Optimised shape of code (no optnone), but no pass: the middle end starts from what was written.
        "-O1", "-disable-llvm-passes", "-disable-lifetime-markers", "-mconstructor-aliases",
        "-relaxed-aliasing",            // format() reads one type's bytes as another's
        "-no-enable-noundef-analysis",  // a vector may be undefined in part
        "-fwrapv",                      // integers wrap, in vectors and scalars alike
        "-ffp-contract=off",            // the same bits at every level and on the CPU
        "-ffloat16-excess-precision=none", "-Wno-psabi",
        "-internal-isystem", include, "-internal-isystem", resources + "/include", "-include", "cm/cm.h",
    };
    if (host)
        words.insert(words.end(), {"-DCMKIT_HOST=1", "-mrelocation-model", "pic", "-pic-level", "2"});
    if (options.debug_info)
        words.push_back("-debug-info-kind=constructor");
    for (const std::string &macro : platform_macros(options))
        words.push_back(macro);
    for (size_t i = 0; i < options.argument_count; i++)
        words.push_back(options.arguments[i]);
    words.push_back(options.input);
    return words;
}

// The module for the CPU is finished here: its builtins are ordinary functions to be inlined.
static void optimize_for_host(llvm::Module &module, unsigned level)
{
    llvm::LoopAnalysisManager loops;
    llvm::FunctionAnalysisManager functions;
    llvm::CGSCCAnalysisManager graph;
    llvm::ModuleAnalysisManager modules;
    llvm::PassBuilder builder;
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(graph);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, graph, modules);
    static const llvm::OptimizationLevel levels[] = {llvm::OptimizationLevel::O0, llvm::OptimizationLevel::O1,
                                                     llvm::OptimizationLevel::O2, llvm::OptimizationLevel::O3};
    llvm::OptimizationLevel chosen = levels[level < 3 ? level : 3];
    if (level == 0)
        builder.buildO0DefaultPipeline(chosen).run(module, modules);
    else
        builder.buildPerModuleDefaultPipeline(chosen).run(module, modules);
}

static bool compile(llvm::LLVMContext &context, const frontend_options &options, std::unique_ptr<llvm::Module> *result)
{
    register_attributes();
    Diagnostics consumer;
    std::vector<std::string> words = clang_arguments(options);
    std::vector<const char *> pointers;
    for (const std::string &word : words)
        pointers.push_back(word.c_str());

    CompilerInstance compiler;
    compiler.createDiagnostics(&consumer, /*ShouldOwnClient=*/false);
    if (!CompilerInvocation::CreateFromArgs(compiler.getInvocation(), pointers, compiler.getDiagnostics(), "cmc")) {
        consumer.flush();
        return false;
    }
    compiler.getDiagnosticOpts().ShowCarets = false; // also: no "1 error generated."

    bool host = options.target == FRONTEND_HOST;
    CompileAction action(context, host, options.syntax_only);
    bool good = compiler.ExecuteAction(action) && !compiler.getDiagnostics().hasErrorOccurred();
    consumer.flush();
    if (!good)
        return false;
    if (host && action.module) {
        add_host_entries(*action.module, action.kernels, action.functions);
        optimize_for_host(*action.module, options.optimization);
    }
    *result = std::move(action.module);
    return true;
}

} // namespace cmkit

bool frontend_compile(LLVMContextRef context, const struct frontend_options *options, LLVMModuleRef *module)
{
    *module = nullptr;
    if (strcmp(options->input, "-") != 0) {
        llvm::sys::fs::file_status status;
        std::error_code problem = llvm::sys::fs::status(options->input, status);
        if (!problem && llvm::sys::fs::is_directory(status))
            problem = std::make_error_code(std::errc::is_a_directory);
        if (problem) {
            llvm::errs() << "cmc: error: cannot read " << options->input << ": " << problem.message() << "\n";
            return false;
        }
    }
    std::unique_ptr<llvm::Module> result;
    if (!cmkit::compile(*llvm::unwrap(context), *options, &result))
        return false;
    *module = llvm::wrap(result.release());
    return true;
}
