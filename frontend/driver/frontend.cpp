#include "frontend/frontend.h"
#include "frontend/base/clang_versions.h"
#include "frontend/rules/assembly.h"
#include "frontend/syntax/attributes.h"
#include "frontend/rules/definitions.h"
#include "frontend/diagnostics/diagnostics.h"
#include "frontend/rules/shape_mismatch.h"
#include "frontend/driver/headers.h"
#include "frontend/driver/preprocess.h"
#include "frontend/rules/unsupported_headers.h"
#include "frontend/diagnostics/instantiations.h"
#include "frontend/codegen/codegen.h"
#include "frontend/host/host.h"
#include "frontend/rules/kernel_collector.h"
#include "frontend/syntax/overloads.h"
#include "frontend/codegen/lane_patterns.h"
#include "frontend/codegen/recursion.h"
#include "frontend/codegen/short_floats.h"
#include "frontend/rules/rules.h"
#include "frontend/rules/simd_blocks.h"
#include "frontend/syntax/simd_pragmas.h"
#include "frontend/rules/surfaces.h"
#include "frontend/syntax/template_keyword.h"

#include <memory>
#include <vector>

#include <clang/CodeGen/ModuleBuilder.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendAction.h>
#include <clang/Frontend/MultiplexConsumer.h>
#include <clang/Lex/Pragma.h>
#include <clang/Lex/Preprocessor.h>
#include <clang/Sema/Sema.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/raw_ostream.h>

using namespace clang;

namespace cmkit
{

// Expands an LLVM intrinsic that the middle end does not know; nullptr for other intrinsics.
static llvm::Value *in_plain_words(llvm::CallInst &call)
{
    llvm::IRBuilder<> builder(&call);
    switch (call.getIntrinsicID()) {
    case llvm::Intrinsic::ptrmask: { // __builtin_align_up and __builtin_align_down
        llvm::Value *mask = call.getArgOperand(1);
        llvm::Value *number = builder.CreatePtrToInt(call.getArgOperand(0), mask->getType());
        return builder.CreateIntToPtr(builder.CreateAnd(number, mask), call.getType());
    }
    case llvm::Intrinsic::is_constant: // not a constant here: false
        return builder.getInt1(llvm::isa<llvm::Constant>(call.getArgOperand(0)));
    case llvm::Intrinsic::objectsize: // unknown size
        return llvm::ConstantInt::get(call.getType(),
                                      llvm::cast<llvm::ConstantInt>(call.getArgOperand(1))->isOne() ? 0 : -1, true);
    default: return nullptr;
    }
}

static void expand_intrinsics(llvm::Module &module, bool host)
{
    for (llvm::Function &function : module)
        for (llvm::User *user : llvm::make_early_inc_range(function.users())) {
            auto *call = llvm::dyn_cast<llvm::CallInst>(user);
            if (!call || !function.isIntrinsic())
                continue;
            bool expects = // [[likely]], [[unlikely]], __builtin_expect: no effect
                function.getIntrinsicID() == llvm::Intrinsic::expect ||
                function.getIntrinsicID() == llvm::Intrinsic::expect_with_probability;
            if (llvm::Value *value = expects ? call->getArgOperand(0) : host ? nullptr : in_plain_words(*call)) {
                call->replaceAllUsesWith(value);
                call->eraseFromParent();
            }
        }
}

// Parses, collects the kernels and generates code. Keeps the generator, which maps functions to their declarations.
class CompileAction : public ASTFrontendAction
{
  public:
    CompileAction(llvm::LLVMContext &context, Instantiations &instantiations, Diagnostics &diagnostics,
                  const frontend_options &options)
        : context_(context), instantiations_(instantiations), diagnostics_(diagnostics),
          host_(options.target == FRONTEND_HOST), keeps_calls_(host_ && options.optimization == 0),
          has_short_floats_(has_short_floats(options)), syntax_only_(options.syntax_only),
          clang_headers_(clang_headers(options))
    {
    }

    std::vector<Kernel> kernels;
    std::vector<Binding> bindings;
    CodeGenerator *generator = nullptr;

  protected:
    bool BeginSourceFileAction(CompilerInstance &compiler) override
    {
        add_simd_pragmas(compiler.getPreprocessor(), host_);
        // for Visual C++, where kernels run on CPUs too
        compiler.getPreprocessor().AddPragmaHandler(new EmptyPragmaHandler("warning"));
        refuse_unsupported_headers(compiler.getPreprocessor(), clang_headers_);
        if (has_short_floats_)
            enable_short_floats(compiler.getTarget());
        else // refused by name; as a type that the target lacks, Clang would crash on its values
            compiler.getPreprocessor().getIdentifierInfo("__bf16")->revertTokenIDToIdentifier();
        auto in_class = [&compiler] { return compiler.hasSema() && compiler.getSema().CurContext->isRecord(); };
        compiler.getPreprocessor().setTokenWatcher(
            [words = drop_template_keywords(compiler.getPreprocessor()),
             blocks = record_simd_blocks(compiler.getPreprocessor(), simd_blocks_),
             overloads = add_reference_overloads(compiler.getPreprocessor(), in_class),
             operands = wrap_assembly_operands(compiler.getPreprocessor())](const Token &token) {
                if (!words(token))
                    return;
                blocks(token);
                if (overloads(token))
                    operands(token);
            });
        return true;
    }

    std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &compiler, llvm::StringRef file) override
    {
        std::vector<std::unique_ptr<ASTConsumer>> consumers;
        consumers.push_back(
            std::make_unique<KernelCollector>(kernels, bindings)); // first, because it removes annotations
        consumers.push_back(instantiations_.create_recorder());
        consumers.push_back(create_shape_mismatch_finder(diagnostics_));
        consumers.push_back(create_rule_checker(kernels, simd_blocks_));
        consumers.push_back(create_definition_checker(kernels));
        consumers.push_back(create_surface_checker(kernels));
        consumers.push_back(create_assembly_checker(host_));
        if (!syntax_only_) {
            generator = CreateLLVMCodeGen(compiler.getDiagnostics(), file, &compiler.getVirtualFileSystem(),
                                          compiler.getHeaderSearchOpts(), compiler.getPreprocessorOpts(),
                                          compiler.getCodeGenOpts(), context_);
            consumers.emplace_back(generator);
        }
        return std::make_unique<MultiplexConsumer>(std::move(consumers));
    }

    // The generator must outlive the file: the module is taken from it while the declarations still exist.
    void EndSourceFileAction() override
    {
        if (!generator || getCompilerInstance().getDiagnostics().hasErrorOccurred())
            return;
        module.reset(generator->ReleaseModule());
        if (!module)
            return;
        if (!host_)
            expand_lane_patterns(*module, *generator);
        expand_intrinsics(*module, host_);
        if (!check_recursion(*module, *generator, kernels, getCompilerInstance().getDiagnostics()))
            return;
        place_bindings(*module, *generator, bindings);
        functions = mark_kernels(*module, *generator, kernels, host_, keeps_calls_);
        if (has_short_floats_)
            lower_short_floats(*module, functions);
    }

  public:
    std::unique_ptr<llvm::Module> module;
    std::vector<llvm::Function *> functions;

  private:
    llvm::LLVMContext &context_;
    Instantiations &instantiations_;
    Diagnostics &diagnostics_;
    bool host_, keeps_calls_, has_short_floats_, syntax_only_;
    std::string clang_headers_;
    SimdBlocks simd_blocks_;
};

// Makes debuggers step over the CPU's builtins as over one operation. The other functions of the headers have no lines
// anyway.
static void hide_builtins(llvm::Module &module)
{
    for (llvm::Function &function : module)
        if (const llvm::DISubprogram *lines = function.getSubprogram())
            if (lines->getFilename().contains("/cm/detail/"))
                llvm::stripDebugInfo(function);
}

// Prepares a module for the CPU: its builtins are ordinary functions that are inlined.
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

// Compiles with the CM headers that `headers` names. *stale: the precompiled headers do not fit; nothing was printed.
static bool compile(llvm::LLVMContext &context, const frontend_options &options, const Headers &headers,
                    llvm::StringRef standard_input, std::unique_ptr<llvm::Module> *result, bool *stale)
{
    Instantiations instantiations;
    Diagnostics consumer(&instantiations, options.mark_ranges);
    CompilerInstance compiler;
    create_diagnostics(compiler, &consumer);
    bool host = options.target == FRONTEND_HOST;
    CompileAction action(context, instantiations, consumer, options);
    PreprocessAction preprocess(options);
    bool only_text = options.preprocess || options.only_dependencies;
    bool good = set_up(compiler, options, headers, standard_input);
    std::shared_ptr<DependencyRecorder> files = std::make_shared<DependencyRecorder>();
    if (options.depends)
        compiler.addDependencyCollector(files);
    good = good && compiler.ExecuteAction(only_text ? static_cast<FrontendAction &>(preprocess) : action) &&
           !compiler.getDiagnostics().hasErrorOccurred();
    *stale = consumer.precompiled_is_stale();
    if (!*stale || headers.precompiled.empty())
        consumer.publish();
    if (!good)
        return false;
    if (options.depends)
        files->report(options);
    if (only_text)
        return preprocess.take(options.preprocessed);
    if (options.needs_kernel && action.kernels.empty()) {
        llvm::errs() << "cmc: error: no kernel in " << (options.input_name ? options.input_name : options.input)
                     << ": kernels are written extern \"C\" _GENX_MAIN_ void name(SurfaceIndex s, int n) {...}\n";
        return false;
    }
    if (host && action.module) {
        hide_builtins(*action.module);
        share_memory_on_host(*action.module);
        check_pointers_on_host(*action.module);
        compute_as_gen_on_host(*action.module);
        add_host_entries(*action.module, action.kernels, action.functions);
        if (options.optimize)
            optimize_for_host(*action.module, options.optimization);
    }
    *result = std::move(action.module);
    return true;
}

// True if the input can be read. Takes the text of standard input.
static std::error_code open_input(const frontend_options &options, std::unique_ptr<llvm::MemoryBuffer> &standard_input)
{
    if (is_standard_input(options) && options.text) {
        standard_input = llvm::MemoryBuffer::getMemBufferCopy({options.text, options.text_size}, "<stdin>");
        return {};
    }
    if (is_standard_input(options)) {
        llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> text = llvm::MemoryBuffer::getSTDIN();
        if (text)
            standard_input = std::move(*text);
        return text.getError();
    }
    llvm::sys::fs::file_status status;
    std::error_code problem = llvm::sys::fs::status(options.input, status);
    if (!problem && llvm::sys::fs::is_directory(status))
        problem = std::make_error_code(std::errc::is_a_directory);
    return problem;
}

// False: what is to be compiled is preprocessed, and does not say which of its lines are those of the CM headers.
static bool names_headers(const frontend_options &options, llvm::StringRef standard_input)
{
    if (!options.is_preprocessed || options.preprocess || options.only_dependencies)
        return true;
    if (is_standard_input(options))
        return has_line_markers(standard_input);
    llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> text = llvm::MemoryBuffer::getFile(options.input);
    return !text || has_line_markers((*text)->getBuffer());
}

} // namespace cmkit

bool frontend_compile(LLVMContextRef context, const struct frontend_options *options, LLVMModuleRef *module)
{
    *module = nullptr;
    std::unique_ptr<llvm::MemoryBuffer> standard_input;
    if (std::error_code problem = cmkit::open_input(*options, standard_input)) {
        llvm::errs() << "cmc: error: cannot read " << options->input << ": " << problem.message() << "\n";
        return false;
    }
    llvm::StringRef text = standard_input ? standard_input->getBuffer() : "";
    if (!cmkit::names_headers(*options, text)) {
        llvm::errs() << "cmc: error: " << (options->input_name ? options->input_name : options->input)
                     << ": no line markers: -E writes what can be compiled, -E -P does not\n";
        return false;
    }
    cmkit::register_attributes();
    std::unique_ptr<llvm::Module> result;
    bool stale = false;
    cmkit::Headers headers = cmkit::find_headers(*options);
    bool good = cmkit::compile(*llvm::unwrap(context), *options, headers, text, &result, &stale);
    if (!good && stale) { // the headers changed since the build, or the options they depend on differ
        headers.precompiled.clear();
        good = cmkit::compile(*llvm::unwrap(context), *options, headers, text, &result, &stale);
    }
    if (!good)
        return false;
    *module = llvm::wrap(result.release());
    return true;
}

void frontend_print_arguments(const struct frontend_options *options, FILE *out)
{
    std::string text;
    llvm::raw_string_ostream stream(text);
    cmkit::print_arguments(*options, cmkit::find_headers(*options), stream);
    fputs(stream.str().c_str(), out);
}

void frontend_editor_arguments(const struct frontend_options *options, void (*take)(void *user, const char *word),
                               void *user)
{
    for (const std::string &word : cmkit::editor_arguments(*options, cmkit::find_headers(*options)))
        take(user, word.c_str());
}

void frontend_headers(char *path, size_t size)
{
    frontend_options options = {};
    options.target = FRONTEND_GPU;
    snprintf(path, size, "%s", cmkit::find_headers(options).folder.c_str());
}
