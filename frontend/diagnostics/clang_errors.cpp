#include "frontend/diagnostics/clang_errors.h"
#include "frontend/diagnostics/clang_builtins.h"
#include "frontend/diagnostics/diag_text.h"

#include <clang/Basic/DiagnosticLex.h>
#include <clang/Basic/DiagnosticSema.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringRef.h>

using namespace clang;

namespace cmkit
{

// Returns the quoted words of "... 'first' ... 'second' ..."; empty strings if there are fewer.
static llvm::StringRef quoted(llvm::StringRef text, unsigned number = 0)
{
    for (; number > 0; number--)
        text = text.split('\'').second.split('\'').second;
    return text.split('\'').second.split('\'').first;
}

// True for a vector, matrix or reference to one, as name_of_type() or Clang writes it.
static bool is_operand(llvm::StringRef type)
{
    type.consume_front("const ");
    return type.starts_with("vector<") || type.starts_with("matrix<") || type.starts_with("vector_ref<") ||
           type.starts_with("matrix_ref<");
}

namespace
{

// One of Clang's errors, as the rows of clang_diagnostics.def see it.
struct ClangError {
    const std::string &text;
    const Refusal &refusal;
    bool in_user_files;
    llvm::StringRef quoted(unsigned number) const { return cmkit::quoted(text, number); }
    bool is_operand(unsigned number) const { return cmkit::is_operand(quoted(number)); }
    bool has(llvm::StringRef part) const { return llvm::StringRef(text).contains(part); }
    bool starts_with(llvm::StringRef beginning) const { return llvm::StringRef(text).starts_with(beginning); }
};

// A row of clang_diagnostics.def: its condition, and its text or the function that makes the text.
struct Row {
    unsigned id;
    bool (*fits)(const ClangError &error);
    const char *text, *note; // an empty text means Clang's own
    DiagText (*words)(const ClangError &error);
};

} // namespace

static bool is_handle(llvm::StringRef type)
{
    return type == "SurfaceIndex" || type == "SamplerIndex";
}

static bool is_host_header(llvm::StringRef name)
{
    static const char *const list[] = {
#define HOST_HEADER(NAME) NAME,
#include "frontend/diagnostics/host_headers.def"
#undef HOST_HEADER
    };
    for (const char *known : list)
        if (name == known)
            return true;
    return name.starts_with("sys/") || name.starts_with("bits/");
}

static const char *forms_of(llvm::StringRef name)
{
    static const struct {
        const char *name, *forms;
    } table[] = {
#define CALL(NAME, FORMS) {NAME, FORMS},
#include "frontend/diagnostics/call_forms.def"
#undef CALL
    };
    for (const auto &row : table)
        if (name == row.name)
            return row.forms;
    return nullptr;
}

bool changes_constant(llvm::StringRef why)
{
    return why.contains("not marked const") || (why.contains("from 'const ") && why.contains("for object argument"));
}

static DiagText unknown_name(llvm::StringRef name, const std::string &otherwise);

static DiagText refused_call(const ClangError &error)
{
    const std::string &text = error.text;
    const Refusal &call = error.refusal;
    bool is_users = error.in_user_files;
    if (changes_constant(call.why)) // 'this' argument has type 'const T', or no conversion from 'const T'
        return {call.subject + " of a " + quoted(call.why, llvm::StringRef(call.why).starts_with("'this'")).str(),
                "declare it without const to change it"};
    if (!is_users && (call.subject == "enter" || call.subject == "again")) // macros of simdcf.h
        return {"SIMD control flow takes one condition", "(v > 0) & (w > 0) is one of both"};
    std::string refused = call.subject + " has no form for these arguments";
    if (const char *forms = forms_of(call.subject))
        return {refused, call.subject + " takes " + forms};
    if (!call.forms.empty())
        return {refused, "there is " + llvm::join(call.forms, ", ")};
    if (!call.why.empty() && !is_users) // an internal function of the headers, found by overload resolution
        return unknown_name(call.subject, "use of undeclared identifier '" + call.subject + "'");
    return {text, ""};
}

// vector<float>, vector<8>
static DiagText refused_template(const ClangError &error)
{
    const char *forms = forms_of(error.quoted(0));
    return {error.text, forms ? error.quoted(0).str() + " takes " + forms : ""};
}

// vector
static DiagText missing_template_arguments(const ClangError &error)
{
    DiagText words = refused_template(error);
    if (!words.note.empty())
        words.text = error.quoted(0).str() + " without its types and sizes";
    return words;
}

const char *cm_name_for(llvm::StringRef name, const char **whose)
{
    static const struct {
        const char *name, *whose, *right;
    } table[] = {
#define ELSEWHERE(NAME, WHOSE, RIGHT) {NAME, WHOSE, RIGHT},
#include "frontend/diagnostics/other_dialects.def"
#undef ELSEWHERE
    };
    for (const auto &row : table) {
        llvm::StringRef known = row.name;
        bool is_beginning = known.consume_back("*") && name.starts_with(known);
        if (is_beginning || name == row.name || (name.ends_with("f") && name.drop_back() == row.name)) {
            if (whose)
                *whose = row.whose;
            return row.right;
        }
    }
    return nullptr;
}

// Returns "vector<float, 8>" for OpenCL's float8; empty for other names.
static std::string vector_of_opencl(llvm::StringRef name)
{
    llvm::StringRef element = name.rtrim("0123456789"), count = name.substr(element.size());
    bool is_count = count == "2" || count == "3" || count == "4" || count == "8" || count == "16";
    for (const char *known : {"char", "uchar", "short", "ushort", "int", "uint", "half", "float", "double"})
        if (is_count && element == known)
            return ("vector<" + element + ", " + count + ">").str();
    return is_count && (element == "long" || element == "ulong")
               ? ("vector<" + llvm::StringRef(element == "long" ? "int64_t" : "uint64_t") + ", " + count + ">").str()
               : "";
}

static constexpr char saturation_note[] = "SAT is a last argument: vector<uchar, 16> v(f, SAT), cm_add<int>(a, b, SAT)";

// Explains a name that does not exist; `otherwise` is the text for names in no table.
static DiagText unknown_name(llvm::StringRef name, const std::string &otherwise)
{
    static constexpr char fixed_function[] = "the fixed functions for video are not part of cmkit",
                          spaces[] = "a pointer's type says which memory it points to",
                          spaces_note[] = "__local pointers lead to shared memory, all others are flat",
                          fixed_function_note[] = "media blocks, the sampler and arithmetic are there",
                          later_part[] = "it belongs to platforms after PVC",
                          later_part_note[] = "integers and conversions with SAT are there",
                          modes[] = "kernels cannot change the rounding mode at run time",
                          modes_note[] =
                              "_GENX_FLOAT_CONTROL_(mode) before the kernel says it; cm_rnde ... round a value",
                          text_buffers[] = "no runtime prints the contents of a buffer",
                          text_buffers_note[] = "printf(format, arguments...) writes to standard output",
                          template_library[] = "the template library has it, in namespace cmtl",
                          no_such_word[] = "unknown keyword", no_function[] = "unknown function",
                          simd_words[] = "SIMD_IF_BEGIN (v > 0) { } SIMD_ELSEIF (v < 0) { } SIMD_ELSE { } SIMD_IF_END; "
                                         "SIMD_DO_WHILE_BEGIN { } SIMD_DO_WHILE_END (v > 0);";
    static const struct {
        const char *beginning, *what, *right;
    } refused[] = {
#define REFUSED(BEGINNING, WHAT, RIGHT) {BEGINNING, WHAT, RIGHT},
#include "frontend/diagnostics/unsupported.def"
#undef REFUSED
    };
    for (const auto &row : refused)
        if (name.starts_with(row.beginning))
            return {name.str() + ": " + row.what, row.right};
    if (std::optional<DiagText> builtin;
        name.starts_with("_") && (builtin = refused_builtin(name, /*is_builtin=*/false)))
        return *builtin;
    if (name == "type")
        return {otherwise, "attributes of parameters go in double brackets: SurfaceIndex s [[type(\"buffer_t\")]]"};
    const char *whose;
    if (const char *right = cm_name_for(name, &whose))
        return {"'" + name.str() + "' belongs to " + whose + ": kernels do not have it", right};
    std::string vector = vector_of_opencl(name);
    if (!vector.empty())
        return {"'" + name.str() + "' belongs to OpenCL: kernels do not have it", "in CM it is " + vector};
    return {otherwise, ""};
}

// Explains a declaration that begins with an unknown type; the name may also be meant as a function.
static DiagText unknown_type(const ClangError &error)
{
    llvm::StringRef name = error.quoted(0);
    DiagText known = unknown_name(name, error.text);
    if (known.text == error.text && known.note.empty() && name.starts_with("cm_"))
        return {"a call of " + name.str() + " outside of functions",
                "calls, and macros for them such as CM_OPTIMIZATIONS_FENCE, go inside a kernel or a function"};
    return known;
}

// Explains a vector where one number is needed.
static DiagText conversion_to_scalar(llvm::StringRef from, llvm::StringRef to)
{
    std::string text = "a " + from.str() + " for a single " + to.str();
    bool is_row = from.contains("matrix"); // an element of a matrix has two indices
    if (to == "bool")
        return {text, "any() and all() make one of the lanes, element by element of a comparison"};
    if (to.contains('*'))
        return {"a " + from.str() + " is no " + to.str() + ": it is in registers",
                "memory is read and written by cm_svm_block_read, cm_svm_block_write, p[i] ..."};
    return {text, std::string(is_row ? "m(i, j)" : "v(i)") + " is one element; cm_sum<" + to.str() +
                      ">, cm_reduced_min and cm_reduced_max make one number of all"};
}

// Explains that `from` cannot be converted to `to`.
static DiagText conversion(const std::string &text, llvm::StringRef from, llvm::StringRef to)
{
    from.consume_front("const ");
    if (to.starts_with("vector_ref<") || to.starts_with("matrix_ref<"))
        return {with_article(from.str()) + " for a " + to.str(),
                "a reference has the element type and the number of elements of its object; select gives other "
                "sizes, format other types"};
    if (is_operand(from) && !is_operand(to) && !is_handle(to))
        return conversion_to_scalar(from, to);
    return {text, ""};
}

static DiagText conversion_from_first(const ClangError &error)
{
    return conversion(error.text, error.quoted(0), error.quoted(1));
}

// assigning to 'int' from 'vector<int, 8>'
static DiagText conversion_from_second(const ClangError &error)
{
    return conversion(error.text, error.quoted(1), error.quoted(0));
}

// Explains `v = x` if no assignment operator accepts x.
static DiagText refused_assignment(const ClangError &error)
{
    const std::string &text = error.text;
    llvm::StringRef why = error.refusal.why;
    if (why.empty())
        return {text, ""};
    if (why.contains("'volatile "))
        return {"a volatile vector or matrix is assigned", "it is in registers: declare it without volatile"};
    llvm::StringRef from = why.contains("no known conversion from '") ? quoted(why) : "";
    if (from == "void" || why.contains("'void'"))
        return {"a call that returns nothing is assigned",
                "merge and other functions that change their object are statements of their own"};
    return {from.empty() ? "this value cannot be assigned here" : "a " + from.str() + " cannot be assigned here",
            "a vector or matrix takes one with as many elements, a scalar or a constant array"};
}

static DiagText unknown_member(const ClangError &error)
{
    const std::string &text = error.text;
    const Refusal &refusal = error.refusal;
    llvm::StringRef member = quoted(text), type = quoted(text, 1);
    if (!refusal.forms.empty()) // the refused call is one with an enumeration
        return {"no " + member.str() + " in " + type.str(), "there are " + llvm::join(refusal.forms, ", ")};
    if (llvm::StringRef(text).contains("in namespace 'std'")) // also if it is a type
        return {"std::" + member.str() + ": kernels have no C++ library",
                unknown_name(member, "").note}; // the note for the unqualified name
    if (type.starts_with("lsc::block_2d_desc<"))
        return {text, "its members are set_base_ptr, set_width, set_height, set_pitch, set_block_x, set_block_y, the "
                      "same with get_, and get_raw_desc"};
    if (!is_operand(type))
        return {text, ""};
    return {text,
            std::string("its members are select, select_all, format, replicate, iselect, merge, any, all, n_elems") +
                (type.contains("matrix") ? ", row, column, n_rows and n_cols" : " and v(i)")};
}

DiagText too_wide_integer(llvm::StringRef type)
{
    return {type.str() + ": kernels have no numbers of 128 bits",
            "integers have up to 64 bits (int64_t, uint64_t), floats are half, float and double"};
}

DiagText refused_header(llvm::StringRef name)
{
    return {"<" + name.str() + "> is a header of the host: kernels do not have it",
            "CM's functions need no header; <stdint.h>, <stddef.h>, <limits.h> and <float.h> can be included"};
}

static DiagText unknown_file(const ClangError &error)
{
    const std::string &text = error.text;
    llvm::StringRef name = error.quoted(0);
    if (is_host_header(name))
        return refused_header(name);
    if (name.starts_with("cm/") || name.starts_with("cm_") || name == "cm.h" || name == "cmtl.h")
        return {text, "cmc includes <cm/cm.h> and <cm/cmtl.h> first"};
    return {text, ""};
}

// Explains a register constraint. The CPU knows only its own register letters; the GPU accepts letters that Clang takes
// for a register or a constant.
static DiagText assembly_constraint(const ClangError &error)
{
    llvm::StringRef constraint = error.quoted(0);
    llvm::StringRef letters = constraint.ltrim("=+");
    if (letters != constraint && (letters == "i" || letters == "n" || letters == "F"))
        return {"constraint '" + constraint.str() + "' of asm: an output is no constant",
                "outputs are r (a region), rw (a variable), a (an address) and cr (a predicate)"};
    for (const char *known : {"r", "rw", "a", "cr", "i", "n", "F"})
        if (letters == known)
            return {no_assembly, no_assembly_note};
    return {"asm: unknown constraint '" + constraint.str() + "'",
            "r is a region, rw a variable, a an address, cr a predicate, i, n and F are constants, digits repeat an "
            "operand; = and + mark results"};
}

// Explains a type of 128 bits, or an unknown one.
static DiagText unsupported_type(const ClangError &error)
{
    llvm::StringRef type = llvm::StringRef(error.text).split(' ').first;
    return error.has("128 ") ? too_wide_integer(type) : unknown_name(type, error.text);
}

static DiagText unknown_identifier(const ClangError &error)
{
    return unknown_name(error.quoted(0), error.text);
}

// Explains a structure in shared memory that C++ would copy or bind to a reference.
bool in_shared_memory(const Refusal &refusal)
{
    return llvm::StringRef(refusal.why).contains("address space '__local'");
}

// Explains SAT in a wrong position: it is an argument of functions, neither a value nor a function.
static bool speaks_of_saturation(llvm::StringRef text)
{
    return (text.contains("cm_detail::saturation") && !text.contains("to 'cm_detail::saturation'")) ||
           text.contains("redeclaration of 'saturation'");
}

// {0} and {1} are the quoted words of Clang's text; {a 0} and {a 1} are the same with an article.
static std::string fill(llvm::StringRef text, const ClangError &error)
{
    std::string result = text.str();
    for (unsigned number : {0, 1})
        for (bool has_article : {false, true}) {
            std::string place = (has_article ? "{a " : "{") + std::to_string(number) + "}";
            std::string words = error.quoted(number).str();
            for (size_t at; (at = result.find(place)) != std::string::npos;)
                result.replace(at, place.size(), has_article ? with_article(words) : words);
        }
    return result;
}

static DiagText from_table(unsigned id, const ClangError &found)
{
    static const Row rows[] = {
#define WORDS(ID, WHEN, TEXT, NOTE)                                                                                    \
    {diag::ID, [](const ClangError &error) -> bool { return (void)error, WHEN; }, TEXT, NOTE, nullptr},
#define FUNCTION(ID, NAME) {diag::ID, nullptr, "", "", NAME},
#include "frontend/diagnostics/clang_diagnostics.def"
#undef WORDS
#undef FUNCTION
    };
    for (const Row &row : rows) {
        if (row.id != id)
            continue;
        if (row.words)
            return row.words(found);
        if (row.fits(found))
            return {*row.text ? fill(row.text, found) : found.text, fill(row.note, found)};
    }
    return {found.text, ""};
}

DiagText diag_text(unsigned id, const std::string &text, const Refusal &refusal, bool in_user_files)
{
    if (speaks_of_saturation(text) || speaks_of_saturation(refusal.why))
        return {"SAT is not accepted here", saturation_note};
    if (in_shared_memory(refusal))
        return {"an object in shared memory is copied by C++, or bound to a reference",
                "load(&x) copies it from there, store(value, &x) there; members are numbers"};
    return from_table(id, ClangError{text, refusal, in_user_files});
}

} // namespace cmkit
