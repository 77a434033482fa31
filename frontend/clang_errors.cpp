#include "frontend/clang_errors.h"
#include "frontend/clang_builtins.h"
#include "frontend/wording.h"

#include <clang/Basic/DiagnosticLex.h>
#include <clang/Basic/DiagnosticSema.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringRef.h>

using namespace clang;

namespace cmkit
{

// The words between the quotes of "... 'first' ... 'second' ..."; empty: there are not so many.
static llvm::StringRef quoted(llvm::StringRef text, unsigned number = 0)
{
    for (; number > 0; number--)
        text = text.split('\'').second.split('\'').second;
    return text.split('\'').second.split('\'').first;
}

// A vector, matrix or reference to one, as name_of_type() or Clang writes it.
static bool is_operand(llvm::StringRef type)
{
    type.consume_front("const ");
    return type.starts_with("vector<") || type.starts_with("matrix<") || type.starts_with("vector_ref<") ||
           type.starts_with("matrix_ref<");
}

static bool is_handle(llvm::StringRef type)
{
    return type == "SurfaceIndex" || type == "SamplerIndex";
}

static bool is_host_header(llvm::StringRef name)
{
    static const char *const list[] = {
#define HOST_HEADER(NAME) NAME,
#include "frontend/host_headers.def"
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
#include "frontend/calls.def"
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

static Wording unknown_name(llvm::StringRef name, const std::string &otherwise);

static Wording refused_call(const std::string &text, const Refusal &call, bool is_users)
{
    if (changes_constant(call.why)) // 'this' argument has type 'const T', or no conversion from 'const T'
        return {call.subject + " of a " + quoted(call.why, llvm::StringRef(call.why).starts_with("'this'")).str(),
                "without const it can be changed"};
    if (!is_users && (call.subject == "enter" || call.subject == "again")) // of simdcf.h
        return {"SIMD control flow takes one condition", "(v > 0) & (w > 0) is one of both"};
    std::string refused = call.subject + " has no form for these arguments";
    if (const char *forms = forms_of(call.subject))
        return {refused, call.subject + " takes " + forms};
    if (!call.forms.empty())
        return {refused, "there is " + llvm::join(call.forms, ", ")};
    if (!call.why.empty() && !is_users) // a function of the headers' own, which C++ found by the operands
        return unknown_name(call.subject, "use of undeclared identifier '" + call.subject + "'");
    return {text, ""};
}

// vector<float>, vector<8>, vector
static Wording refused_template(const std::string &text, llvm::StringRef name)
{
    if (const char *forms = forms_of(name))
        return {text, name.str() + " takes " + forms};
    return {text, ""};
}

const char *right_instead(llvm::StringRef name, const char **whose)
{
    static const struct {
        const char *name, *whose, *right;
    } table[] = {
#define ELSEWHERE(NAME, WHOSE, RIGHT) {NAME, WHOSE, RIGHT},
#include "frontend/elsewhere.def"
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

// "vector<float, 8>" for float8 of OpenCL; empty: it is no such name.
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

static constexpr char saturation_note[] = "it is a last argument: vector<uchar, 16> v(f, SAT), cm_add<int>(a, b, SAT)";

// A name that does not exist; `otherwise` is what is said of those that no table has.
static Wording unknown_name(llvm::StringRef name, const std::string &otherwise)
{
    static constexpr char fixed_function[] = "the fixed functions for video are not part of cmkit",
                          spaces[] = "a pointer's type says where it points",
                          spaces_note[] = "__local pointers lead to shared memory, all others are flat",
                          fixed_function_note[] = "media blocks, the sampler and arithmetic are there",
                          later_part[] = "it belongs to parts after PVC",
                          later_part_note[] = "integers and conversions with SAT are there",
                          modes[] = "kernels do not change how they round",
                          modes_note[] =
                              "_GENX_FLOAT_CONTROL_(mode) before the kernel says it; cm_rnde ... round a value",
                          text_buffers[] = "no runtime prints what lies in a buffer",
                          text_buffers_note[] = "printf(format, arguments...) writes to standard output",
                          template_library[] = "the template library has it, in namespace cmtl",
                          no_such_word[] = "there is no such word", no_function[] = "there is no such function",
                          simd_words[] = "SIMD_IF_BEGIN (v > 0) { } SIMD_ELSEIF (v < 0) { } SIMD_ELSE { } SIMD_IF_END; "
                                         "SIMD_DO_WHILE_BEGIN { } SIMD_DO_WHILE_END (v > 0);";
    static const struct {
        const char *beginning, *what, *right;
    } refused[] = {
#define REFUSED(BEGINNING, WHAT, RIGHT) {BEGINNING, WHAT, RIGHT},
#include "frontend/refused.def"
#undef REFUSED
    };
    for (const auto &row : refused)
        if (name.starts_with(row.beginning))
            return {name.str() + ": " + row.what, row.right};
    if (std::optional<Wording> builtin;
        name.starts_with("_") && (builtin = refused_builtin(name, /*is_builtin=*/false)))
        return *builtin;
    if (name == "type")
        return {otherwise, "attributes of parameters stand in two brackets: SurfaceIndex s [[type(\"buffer_t\")]]"};
    const char *whose;
    if (const char *right = right_instead(name, &whose))
        return {"'" + name.str() + "' belongs to " + whose + ": kernels do not have it", right};
    std::string vector = vector_of_opencl(name);
    if (!vector.empty())
        return {"'" + name.str() + "' belongs to OpenCL: kernels do not have it", "in CM it is " + vector};
    return {otherwise, ""};
}

// Where a declaration begins with a name that is no type: it may be a function's.
static Wording unknown_type(llvm::StringRef name, const std::string &text)
{
    Wording known = unknown_name(name, text);
    if (known.text == text && known.note.empty() && name.starts_with("cm_"))
        return {"a call of " + name.str() + " outside of functions",
                "calls, and words for them such as CM_OPTIMIZATIONS_FENCE, stand in a kernel or a function"};
    return known;
}

// A SurfaceIndex or SamplerIndex of a number.
static Wording handle_of_number(llvm::StringRef handle)
{
    bool surface = handle == "SurfaceIndex";
    return {"a " + handle.str() + " is not made of a number",
            std::string(surface ? "surfaces" : "samplers") + " are parameters of the kernel: " + handle.str() +
                (surface ? " s [[type(\"buffer_t\")]]" : " s [[type(\"sampler_t\")]]")};
}

constexpr char not_called[] = "a function that is not called",
               not_called_note[] = "parentheses call it: v.any(), m.n_rows(), v.select<8, 1>(0)";

constexpr char address_note[] =
    "an svmptr_t is a number: cm_svm_block_read(p, v) reads what lies there, (int *)p is a pointer";

// A vector where one number is needed.
static Wording conversion_to_scalar(llvm::StringRef from, llvm::StringRef to)
{
    std::string text = "a " + from.str() + " for a single " + to.str();
    bool is_row = from.contains("matrix"); // an element has two indices
    if (to == "bool")
        return {text, "any() and all() make one of the lanes, element by element of a comparison"};
    if (to.contains('*'))
        return {"a " + from.str() + " is no " + to.str() + ": it is in registers",
                "what lies in memory is read and written: cm_svm_block_read, cm_svm_block_write, p[i] ..."};
    return {text, std::string(is_row ? "m(i, j)" : "v(i)") + " is one element; cm_sum<" + to.str() +
                      ">, cm_reduced_min and cm_reduced_max make one number of all"};
}

// `from` cannot become a `to`.
static Wording conversion(const std::string &text, llvm::StringRef from, llvm::StringRef to)
{
    from.consume_front("const ");
    if (to.starts_with("vector_ref<") || to.starts_with("matrix_ref<"))
        return {with_article(from.str()) + " for a " + to.str(),
                "a reference has the element type and the number of elements of what it names; select gives other "
                "sizes, format other types"};
    if (is_operand(from) && !is_operand(to) && !is_handle(to))
        return conversion_to_scalar(from, to);
    return {text, ""};
}

// `v = x` where no assignment takes x.
static Wording refused_assignment(const std::string &text, llvm::StringRef why)
{
    if (why.empty())
        return {text, ""};
    if (why.contains("'volatile "))
        return {"a volatile vector or matrix is assigned", "it is in registers: without volatile it can be"};
    llvm::StringRef from = why.contains("no known conversion from '") ? quoted(why) : "";
    if (from == "void" || why.contains("'void'"))
        return {"a call that returns nothing is assigned",
                "merge and other functions that change their object stand in a statement of their own"};
    return {from.empty() ? "this value cannot be assigned here" : "a " + from.str() + " cannot be assigned here",
            "a vector or matrix takes one with as many elements, a scalar or a constant array"};
}

static Wording unknown_member(const std::string &text, const Refusal &refusal)
{
    llvm::StringRef member = quoted(text), type = quoted(text, 1);
    if (!refusal.forms.empty()) // of an enumeration
        return {"no " + member.str() + " in " + type.str(), "there are " + llvm::join(refusal.forms, ", ")};
    if (llvm::StringRef(text).contains("in namespace 'std'")) // of a type, too
        return {"std::" + member.str() + ": kernels have no C++ library",
                unknown_name(member, "").note}; // the note of the plain name
    if (type.starts_with("lsc::block_2d_desc<"))
        return {text, "its members are set_base_ptr, set_width, set_height, set_pitch, set_block_x, set_block_y, the "
                      "same with get_, and get_raw_desc"};
    if (!is_operand(type))
        return {text, ""};
    return {text,
            std::string("its members are select, select_all, format, replicate, iselect, merge, any, all, n_elems") +
                (type.contains("matrix") ? ", row, column, n_rows and n_cols" : " and v(i)")};
}

Wording wide_number(llvm::StringRef type)
{
    return {type.str() + ": kernels have no numbers of 128 bits",
            "integers have up to 64 bits (int64_t, uint64_t), floats are half, float and double"};
}

Wording refused_header(llvm::StringRef name)
{
    return {"<" + name.str() + "> is a header of the host: kernels do not have it",
            "CM's functions need no header; <stdint.h>, <stddef.h>, <limits.h> and <float.h> can be included"};
}

static Wording unknown_file(const std::string &text)
{
    llvm::StringRef name = quoted(text);
    if (is_host_header(name))
        return refused_header(name);
    if (name.starts_with("cm/") || name.starts_with("cm_") || name == "cm.h" || name == "cmtl.h")
        return {text, "there are <cm/cm.h> and <cm/cmtl.h>, which cmc includes first"};
    return {text, ""};
}

// The CPU knows the letters of its own registers only, GPUs those that Clang takes for a register or a constant.
static Wording assembly_constraint(llvm::StringRef constraint)
{
    llvm::StringRef letters = constraint.ltrim("=+");
    if (letters != constraint && (letters == "i" || letters == "n" || letters == "F"))
        return {"constraint '" + constraint.str() + "' of asm: an output is no constant",
                "outputs are r (a region), rw (a variable), a (an address) and cr (a predicate)"};
    for (const char *known : {"r", "rw", "a", "cr", "i", "n", "F"})
        if (letters == known)
            return {no_assembly, no_assembly_note};
    return {"asm: there is no constraint '" + constraint.str() + "'",
            "r is a region, rw a variable, a an address, cr a predicate, i, n and F are constants, digits repeat an "
            "operand; = and + mark results"};
}

// A structure in shared memory where C++ would copy it or bind a reference to it.
bool in_shared_memory(const Refusal &refusal)
{
    return llvm::StringRef(refusal.why).contains("address space '__local'");
}

// Where the shape of a type or an expression was wrong.
static Wording of_operand(unsigned id, const std::string &text)
{
    llvm::StringRef type = quoted(text);
    if (id == diag::err_ovl_no_viable_subscript && type.ends_with("*"))
        return {"the index of a " + type.str() + " is one integer",
                "gather and cm_svm_scatter_read read at a vector of addresses"};
    if (id == diag::err_ovl_no_viable_function_in_init && type.starts_with("lsc::block_2d_desc<"))
        return {"an lsc::block_2d_desc cannot be made of what stands here",
                "it takes a pointer (an svmptr_t is converted by (T *)p), height - 1, width - 1, pitch - 1, x and y"};
    if (!is_operand(type))
        return {text, ""};
    switch (id) {
    case diag::err_typecheck_bool_condition:
        return {"a " + type.str() + " is no condition of scalar control flow",
                "any() and all() make one of its lanes; SIMD_IF_BEGIN branches, merge chooses and & combines lane by "
                "lane"};
    case diag::err_ovl_no_viable_object_call:
        return {"a " + type.str() + " has no such element", "v(i) is one of a vector, m(i, j) one of a matrix"};
    case diag::err_typecheck_illegal_increment_decrement: return {text, "v += 1 and v -= 1 change every lane"};
    case diag::err_for_range_invalid:
        return {"a range-based for over a " + type.str(),
                "for (int i = 0; i < v.n_elems(); i++) has its elements as v(i)"};
    case diag::err_ovl_no_viable_subscript:
        return {"a " + type.str() + " has no such element",
                "v[i] takes one integer; v.iselect(index) gives as many elements as the index has lanes"};
    case diag::err_ovl_no_viable_function_in_init:
        return {"a " + type.str() + " cannot be made of what stands here",
                type.contains("_ref<")
                    ? "a reference names something where it is declared: vector_ref<int, 8> r = v.select<8, 1>(0);"
                    : "it is made of one with as many elements, a scalar, a list or a constant array"};
    default: return {text, ""};
    }
}

// SAT is a word for functions, not a value or a function.
static bool speaks_of_saturation(llvm::StringRef text)
{
    return (text.contains("cm_detail::saturation") && !text.contains("to 'cm_detail::saturation'")) ||
           text.contains("redeclaration of 'saturation'");
}

Wording wording_of(unsigned id, const std::string &text, const Refusal &refusal, bool in_user_files)
{
    if (speaks_of_saturation(text) || speaks_of_saturation(refusal.why))
        return {"SAT stands where nothing takes it", saturation_note};
    if (in_shared_memory(refusal))
        return {"an object in shared memory is copied as C++ does it, or bound to a reference",
                "load(&x) copies it from there, store(value, &x) there; members are numbers"};
    switch (id) {
    case diag::err_ovl_no_viable_function_in_call:
    case diag::err_ovl_no_viable_member_function_in_call:
    case diag::err_typecheck_call_too_many_args:
    case diag::err_typecheck_call_too_many_args_one:
    case diag::err_typecheck_call_too_few_args:
    case diag::err_typecheck_call_too_few_args_one: return refused_call(text, refusal, in_user_files);
    case diag::err_template_arg_list_different_arity: return refused_template(text, quoted(text));
    case diag::err_deduced_class_template_ctor_no_viable:
        return refused_template(forms_of(quoted(text)) ? quoted(text).str() + " without its types and sizes" : text,
                                quoted(text));
    case diag::err_template_arg_must_be_type:
    case diag::err_template_arg_must_be_type_suggest:
        if (in_user_files)
            return {text, ""};
        return {"a type must stand here",
                "vector<float, 8>, matrix<float, 4, 8>: the element type, then constant sizes"};
    case diag::err_template_arg_must_be_expr:
        if (in_user_files)
            return {text, ""};
        return {"a constant must stand here",
                "vector<float, 8>, matrix<float, 4, 8>: the element type, then constant sizes"};
    case diag::err_expr_not_cce:
        if (!llvm::StringRef(text).starts_with("non-type template argument"))
            return {text, ""};
        return {"a size that is not constant",
                "sizes are numbers, constexpr and const variables, enumerators and template arguments"};
    case diag::err_pp_file_not_found: return unknown_file(text);
    case diag::err_unknown_typename:
        return unknown_type(quoted(text), text);
    case diag::err_unknown_typename_suggest:
    case diag::err_no_template:
    case diag::err_no_template_suggest:
    case diag::err_undeclared_var_use:
    case diag::err_undeclared_var_use_suggest: return unknown_name(quoted(text), text);
    case diag::err_type_unsupported:
        return llvm::StringRef(text).contains("128 ") ? wide_number(llvm::StringRef(text).split(' ').first)
                                                      : unknown_name(llvm::StringRef(text).split(' ').first, text);
    case diag::err_typename_nested_not_found:
    case diag::err_no_member:
    case diag::err_no_member_suggest:
    case diag::err_no_member_template:
    case diag::err_no_member_template_suggest: return unknown_member(text, refusal);
    case diag::err_asm_invalid_output_constraint:
    case diag::err_asm_invalid_input_constraint: return assembly_constraint(quoted(text));
    case diag::err_exceptions_disabled:
        return {"kernels have no exceptions: " + quoted(text).str(), "what went wrong is written to a buffer"};
    case diag::err_template_recursion_depth_exceeded:
        return {text, "a recursion of templates ends by if constexpr or by a specialisation"};
    case diag::err_typecheck_member_reference_struct_union:
        if (quoted(text) != "void" && quoted(text, 1) != "void")
            return {text, ""};
        return {"a call that returns nothing cannot be followed by a member",
                "merge and other functions that change their object stand in a statement of their own"};
    case diag::err_ovl_no_viable_oper: return refused_assignment(text, refusal.why);
    case diag::err_typecheck_nonviable_condition:
    case diag::err_ovl_no_conversion_in_cast: return conversion(text, quoted(text), quoted(text, 1));
    case diag::err_typecheck_convert_incompatible: // assigning to 'int' from 'vector<int, 8>'
        if (is_handle(quoted(text)))
            return handle_of_number(quoted(text));
        return conversion(text, quoted(text, 1), quoted(text));
    case diag::err_typecheck_assign_const:
        if (!llvm::StringRef(text).contains("function 'operator"))
            return {text, ""};
        return {"an element of a const vector or matrix is assigned", "without const it can be"};
    case diag::err_conditional_ambiguous:
        if (!is_operand(quoted(text)) && !is_operand(quoted(text, 1)))
            return {text, ""};
        return {with_article(quoted(text).str()) + " and " + with_article(quoted(text, 1).str()) + " as values of ?:",
                "both must have the same type and the same number of elements"};
    case diag::err_typecheck_statement_requires_integer:
        if (!is_operand(quoted(text)))
            return {text, ""};
        return {"a switch over a " + quoted(text).str(),
                "it asks for one integer: v(i) is one; SIMD_IF_BEGIN branches and merge chooses lane by lane"};
    case diag::err_thread_unsupported:
        return {thread_variable, thread_variable_note};
    case diag::err_typecheck_indirection_requires_pointer:
        return {text, quoted(text) == "svmptr_t" ? address_note : ""};
    case diag::err_typecheck_subscript_value:
        return {text, "of an svmptr_t, ((int *)p)[i] is an element; of a SurfaceIndex, read and cm_load read elements"};
    case diag::err_typecheck_invalid_operands:
        if (!llvm::StringRef(text).contains("SurfaceIndex'"))
            return {text, ""};
        return {text, "a SurfaceIndex names a surface: what is computed is the offset in it"};
    case diag::warn_int_to_pointer_cast:
        return {text, "an address is an svmptr_t; (__local T *)(svmptr_t)offset points to shared memory"};
    case diag::err_lvalue_reference_bind_to_temporary:
        if (!is_operand(quoted(text, 1)))
            return {text, ""};
        return {text,
                "parts are named by auto, vector_ref or matrix_ref without &, results are held by a vector or matrix"};
    case diag::err_typecheck_comparison_of_pointer_integer:
    case diag::err_typecheck_ordered_comparison_of_pointer_and_zero:
        if (!llvm::StringRef(text).contains("(*)("))
            return {text, ""};
        return {"a function without template arguments is given some in angle brackets",
                "its arguments stand in parentheses: cm_local_id(0), cm_slm_init(1024)"};
    case diag::err_implied_std_initializer_list_not_found:
        return {"a list without a type", "vector<int, 3> v = {1, 2, 3} and int a[] = {1, 2, 3} have one"};
    case diag::err_missing_type_specifier:
        return {text, "kernels, and functions that return nothing, are void: extern \"C\" _GENX_MAIN_ void name(...)"};
    case diag::err_bound_member_function: return {not_called, not_called_note};
    case diag::err_typecheck_convert_int_pointer: // assigning to 'float *' from 'svmptr_t'
        return {text, quoted(text, 1) == "svmptr_t" ? address_note : ""};
    case diag::err_init_conversion_failed: // a variable of type 'int *' with an lvalue of type 'svmptr_t'
        if (quoted(text, 1) == "svmptr_t" && quoted(text).ends_with("*"))
            return {text, address_note};
        if (is_handle(quoted(text)))
            return handle_of_number(quoted(text));
        return quoted(text, 1).ends_with(" ()") ? Wording{not_called, not_called_note} : of_operand(id, text);
    case diag::err_need_header_before_typeid:
        return {"kernels have no information about types: typeid", "templates and if constexpr ask for types"};
    case diag::err_ovl_no_viable_literal_operator:
        return {"a number with a suffix that there is not: " + quoted(text).str(),
                "1.0f is a float, half(1.0f) a half, 1u an uint, 1ull an uint64_t"};
    case diag::err_builtin_target_unsupported:
        return {"kernels do not have this builtin of Clang", "docs/language/reference.md has the functions of CM"};
    case diag::err_vla_unsupported:
        return {varying_array, constant_sizes_note};
    case diag::err_local_cant_init:
        return {"a variable in shared memory has no first value",
                "one thread assigns to it, then cm_slm_fence() and cm_barrier() come"};
    case diag::err_loader_uninitialized_trivial_ctor:
        return {"an object with a constructor in shared memory",
                "numbers, and arrays and structures of them can be __local"};
    case diag::err_bad_reinterpret_cast_small_int:
        return {text, "(uint)(svmptr_t)p, where the high half counts for nothing"};
    case diag::err_member_function_call_bad_type:
        if (!llvm::StringRef(text).contains("__local"))
            return {text, ""};
        return {"a vector, matrix or object with methods in shared memory: they are in registers",
                "cm_slm_block_read and cm_slm_block_write copy from and to shared memory"};
    case diag::err_typecheck_expression_not_modifiable_lvalue:
        return {text, "variables, elements v(i) and parts v.select<8, 1>(0) can be assigned; results of any, all and "
                      "arithmetic are values"};
    default: return of_operand(id, text);
    }
}

} // namespace cmkit
