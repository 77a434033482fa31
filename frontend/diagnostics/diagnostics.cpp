#include "frontend/diagnostics/diagnostics.h"
#include "frontend/diagnostics/operand_names.h"
#include "frontend/diagnostics/signatures.h"
#include "frontend/syntax/overloads.h"
#include "frontend/diagnostics/diag_text.h"
#include "frontend/frontend.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/Basic/DiagnosticLex.h>
#include <clang/Basic/DiagnosticParse.h>
#include <clang/Basic/DiagnosticSema.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>
#include <llvm/ADT/SmallString.h>
#include <llvm/Support/raw_ostream.h>

using namespace clang;

namespace cmkit
{

// The limit of notes about instantiations in the user's own templates, so that they do not fill a page.
constexpr unsigned maximum_notes = 3;
// The limit of printed errors; for the others, their number is printed.
constexpr unsigned maximum_errors = 50;

// Returns the -D option that a line of the file of macros comes from.
static std::string option_at(const SourceManager &manager, SourceLocation where)
{
    auto [file, offset] = manager.getDecomposedLoc(where);
    llvm::StringRef text = manager.getBufferData(file);
    text = text.substr(text.substr(0, offset).rfind('\n') + 1).split('\n').first;
    auto [directive, rest] = text.split(' ');
    auto [name, value] = rest.split(' ');
    return ("cmc: " + llvm::StringRef(directive == "#undef" ? "-U" : "-D") + name + (value.empty() ? "" : "=") + value)
        .str();
}

// Inside a macro, the position is that of the macro's use.
static Place place_at(const SourceManager &manager, SourceLocation where)
{
    where = manager.getExpansionLoc(where);
    PresumedLoc place = manager.getPresumedLoc(where);
    if (place.isInvalid())
        return {};
    if (llvm::StringRef(place.getFilename()) == command_line_file)
        return {option_at(manager, where), "", ""};
    return {std::string(place.getFilename()) + ":" + std::to_string(place.getLine()),
            ":" + std::to_string(place.getColumn()), ""};
}

// Returns the columns of a range in the line of `where`, first and last: "4-9"; empty if no part of the range is in it.
static std::string columns_of(const SourceManager &manager, SourceLocation where, CharSourceRange range)
{
    SourceLocation begin = manager.getExpansionLoc(range.getBegin()), end = manager.getExpansionLoc(range.getEnd());
    if (begin.isInvalid() || end.isInvalid() || manager.getFileID(begin) != manager.getFileID(where) ||
        manager.getFileID(end) != manager.getFileID(where))
        return "";
    unsigned line = manager.getExpansionLineNumber(where);
    unsigned after = range.isTokenRange() ? Lexer::MeasureTokenLength(end, manager, LangOptions()) : 0;
    if (manager.getExpansionLineNumber(begin) != line || manager.getExpansionLineNumber(end) != line)
        return "";
    unsigned first = manager.getExpansionColumnNumber(begin), last = manager.getExpansionColumnNumber(end) + after;
    return last > first ? std::to_string(first) + "-" + std::to_string(last - 1) : "";
}

static std::string ranges_of(const Diagnostic &info)
{
    std::string all;
    for (const CharSourceRange &range : info.getRanges()) {
        std::string columns = columns_of(info.getSourceManager(), info.getLocation(), range);
        all += (all.empty() || columns.empty() ? "" : ",") + columns;
    }
    return all;
}

static Place place_of(const Diagnostic &info)
{
    if (!info.getLocation().isValid() || !info.hasSourceManager())
        return {};
    Place place = place_at(info.getSourceManager(), info.getLocation());
    place.ranges = ranges_of(info);
    return place;
}

static bool in_headers(const Diagnostic &info)
{
    if (!info.getLocation().isValid() || !info.hasSourceManager())
        return false;
    const SourceManager &manager = info.getSourceManager();
    return manager.isInSystemHeader(manager.getExpansionLoc(info.getLocation()));
}

// True if only white space follows.
static bool at_end(const Diagnostic &info)
{
    if (!info.getLocation().isValid() || !info.hasSourceManager())
        return false;
    auto [file, offset] = info.getSourceManager().getDecomposedExpansionLoc(info.getLocation());
    return info.getSourceManager().getBufferData(file).substr(offset).trim().empty();
}

static std::string text_of(const Diagnostic &info)
{
    llvm::SmallString<256> formatted;
    info.FormatDiagnostic(formatted);
    std::string text = formatted.str().str();
    std::vector<QualType> types;
    for (unsigned i = 0; i < info.getNumArgs(); i++) {
        void *argument = reinterpret_cast<void *>(info.getRawArg(i));
        if (info.getArgKind(i) == DiagnosticsEngine::ak_qualtype)
            types.push_back(QualType::getFromOpaquePtr(argument));
        if (info.getArgKind(i) != DiagnosticsEngine::ak_qualtype_pair)
            continue;
        const auto *pair = static_cast<const TemplateDiffTypes *>(argument);
        for (intptr_t type : {pair->FromType, pair->ToType})
            types.push_back(QualType::getFromOpaquePtr(reinterpret_cast<void *>(type)));
    }
    for (QualType type : types)
        name_sizes(text, type);
    name_operands(text, types);
    return text;
}

// Returns the declaration or name that is a diagnostic's first argument.
static const NamedDecl *first_declaration(const Diagnostic &info)
{
    if (info.getNumArgs() == 0 || info.getArgKind(0) != DiagnosticsEngine::ak_nameddecl)
        return nullptr;
    return reinterpret_cast<const NamedDecl *>(info.getRawArg(0));
}

static std::string first_name(const Diagnostic &info)
{
    if (const NamedDecl *declaration = first_declaration(info))
        return declaration->getNameAsString();
    if (info.getNumArgs() && info.getArgKind(0) == DiagnosticsEngine::ak_declarationname)
        return DeclarationName::getFromOpaqueInteger(info.getRawArg(0)).getAsString();
    return "";
}

// Lists the constants of an enumeration after an unknown one was used.
static void add_enumerators(Refusal &refusal, const Diagnostic &info)
{
    for (unsigned i = 0; i < info.getNumArgs(); i++) {
        if (info.getArgKind(i) != DiagnosticsEngine::ak_declcontext)
            continue;
        if (const auto *enumeration = dyn_cast<EnumDecl>(reinterpret_cast<const DeclContext *>(info.getRawArg(i))))
            for (const EnumConstantDecl *constant : enumeration->enumerators())
                if (!constant->getName().starts_with("_")) // not the duplicate under the name of Intel's headers
                    refusal.forms.push_back(constant->getNameAsString());
    }
}

void Diagnostics::print(const Place &where, DiagnosticsEngine::Level level, const std::string &text)
{
    bool is_note = level <= DiagnosticsEngine::Note, is_error = level >= DiagnosticsEngine::Error;
    const char *kind = is_error ? "error" : is_note ? "note" : "warning";
    std::string words = (where.line.empty() ? "cmc" : where.line) + where.column + ": " + kind + ": " + text;
    if (marks_ranges_ && !where.column.empty())
        words += static_cast<char>(FRONTEND_RANGES) + where.ranges;
    words += "\n";
    errors_ += is_error;
    fatal_ |= level == DiagnosticsEngine::Fatal;
    if (is_error)
        error_places_.insert(where.line);
    output_.push_back({where.line, is_error, is_note, words});
}

// Only the first error of a line is printed: further errors are mostly its consequences.
bool Diagnostics::is_new(const Message &message)
{
    bool is_error = message.level >= DiagnosticsEngine::Error;
    const Place &where = message.where;
    std::string rest = is_error && !where.line.empty() ? "" : where.column + message.text;
    return printed_.insert((is_error ? "error" : "warning") + where.line + rest).second;
}

void Diagnostics::publish()
{
    flush();
    if (of_overload_ && errors_ == 0)
        print(of_overload_->where, of_overload_->level, in_cm_terms(of_overload_->text));
    bool skips = false;
    unsigned errors = 0;
    for (const Line &line : output_) {
        if (!line.is_note) { // an unterminated block of SIMD control flow leaves its macros' braces open
            skips = (fatal_ && llvm::StringRef(line.text).contains(": error: expected '}'")) ||
                    (!line.is_error && !line.place.empty() && error_places_.count(line.place));
            errors += line.is_error && !skips;
        }
        if (!skips && errors <= maximum_errors)
            llvm::errs() << line.text;
    }
    if (errors > maximum_errors)
        llvm::errs() << "cmc: error: " << errors - maximum_errors << " more errors\n";
    output_.clear();
}

void Diagnostics::explain(const SourceManager &manager, SourceLocation call, SourceLocation candidate,
                          const std::string &why)
{
    flush();
    Place error = place_at(manager, call), note = place_at(manager, candidate);
    bool at_call = false;
    for (Line &line : output_) {
        if (!line.is_note)
            at_call = line.is_error && line.place == error.line;
        else if (at_call && line.place == note.line)
            line.text = note.line + note.column + ": note: " + why + "\n";
    }
}

void Diagnostics::print_with_notes(const Message &message, const DiagText &words)
{
    print(message.where, message.level, words.text);
    if (!words.note.empty())
        print(message.where, DiagnosticsEngine::Note, words.note);
    unsigned notes =
        message.id == diag::err_template_recursion_depth_exceeded ? 0 : maximum_notes; // they are all the same
    for (size_t i = 0; i < message.notes.size() && i < notes; i++)
        print(message.notes[i].where, DiagnosticsEngine::Note, in_cm_terms(message.notes[i].text));
}

// True inside an overload that overloads.cpp generated from a user's template.
static bool in_overload(const Place &where)
{
    return where.line.find("/cm/detail/core/types.h:") != std::string::npos;
}

void Diagnostics::flush()
{
    if (!waiting_)
        return;
    Message message = std::move(*waiting_);
    waiting_.reset();
    find_place(message);
    // An error in the headers that no note connects to the user's file is a consequence, unless it is the only error.
    // So are errors about internal members (object_) that an incomplete vector lacks.
    bool follows = (message.in_headers && !message.placed) || llvm::StringRef(message.text).contains("_' in 'vector") ||
                   llvm::StringRef(message.text).contains("_' in 'matrix");
    if (message.in_headers && !message.placed && in_overload(message.where)) {
        of_overload_ = std::move(message); // the error about the user's own template mostly says the same
        return;
    }
    follows |= message.id == diag::err_expected_while;          // after a loop with a wrong end
    follows |= message.id == diag::err_expected_unqualified_id; // after a wrong declaration
    follows |= lacks_expression_ && message.at_end;             // Clang searched for the ) of `f(;` up to the end
    if ((follows && errors_ > 0) || !is_new(message))
        return;
    lacks_expression_ |=
        message.id == diag::err_expected_expression || message.id == diag::ext_unterminated_char_or_string;
    if (in_shared_memory(message.refusal))
        message.notes.clear(); // implicit constructors and operators
    DiagText words = diag_text(message.id, in_cm_terms(message.text), message.refusal, !message.notes.empty());
    if (message.in_headers && words.note.empty()) { // "what is wrong; what is right"
        size_t end = words.text.find("; ");
        if (end != std::string::npos) {
            words.note = words.text.substr(end + 2);
            words.text.resize(end);
        } else if (!message.has_values && !message.operands.empty()) {
            words.note = "here it gets " + message.operands;
        }
    }
    print_with_notes(message, words);
}

// True for an error in the headers whose notes do not reach the user's line.
void Diagnostics::find_place(Message &message)
{
    if (!message.in_headers || message.placed || !message.requested || !instantiations_)
        return;
    SourceLocation where = instantiations_->user_call(message.requested);
    if (where.isInvalid())
        return;
    message.where = place_at(message.requested->getASTContext().getSourceManager(), where);
    message.placed = true;
}

// Adds the call forms in the doc comment of a declaration in the headers.
static void add_forms(Refusal &refusal, const Diagnostic &info)
{
    const SourceManager &manager = info.getSourceManager();
    auto [file, offset] = manager.getDecomposedExpansionLoc(info.getLocation());
    if (!manager.getFilename(manager.getLocForStartOfFile(file))
             .ends_with("/explicit_arguments.h")) // longer forms of the same calls
        add_signatures_in_comment(refusal.forms, manager.getBufferData(file), offset, refusal.subject);
}

// Collects a candidate of a refused call.
void Diagnostics::add_header_note(const Diagnostic &info)
{
    Refusal &refusal = waiting_->refusal;
    if (in_overload(place_of(info)))
        return; // the user's template has its own note
    std::string words = text_of(info);
    llvm::StringRef text = words;
    bool lacks = text.starts_with("candidate ");
    size_t colon = lacks ? text.find(": ") : llvm::StringRef::npos;
    if (colon != llvm::StringRef::npos && (refusal.why.empty() || changes_constant(text)))
        refusal.why = text.substr(colon + 2).str();
    if ((lacks || info.getID() == diag::note_callee_decl) && !refusal.subject.empty())
        add_forms(refusal, info);
}

static bool is_instantiation(unsigned id)
{
    return id == diag::note_function_template_spec_here || id == diag::note_template_member_function_here;
}

// Lambdas have no name. Template arguments that overloads.cpp added are not shown.
static std::string words_of_instantiation(const Diagnostic &info)
{
    std::string text = text_of(info);
    if (llvm::StringRef(text).contains("(anonymous class)::operator()"))
        return "the lambda is called here";
    const auto *function = dyn_cast_or_null<FunctionDecl>(first_declaration(info));
    const FunctionTemplateDecl *made_from = function ? function->getPrimaryTemplate() : nullptr;
    const TemplateParameterList *parameters = made_from ? made_from->getTemplateParameters() : nullptr;
    return parameters && users_parameters(*parameters) < parameters->size()
               ? "in instantiation of function template specialization " + name_of_function(function) +
                     " requested here"
               : text;
}

static Message note_at(const Place &where, const std::string &text)
{
    Message note;
    note.level = DiagnosticsEngine::Note;
    note.where = where;
    note.text = text;
    return note;
}

// A note about the headers may name the user's line, the template arguments of the text's placeholders, or the reason
// why a candidate does not match.
void Diagnostics::add_note(const Diagnostic &info)
{
    if (!waiting_)
        return;
    Message &error = *waiting_;
    const NamedDecl *declaration = first_declaration(info);
    if (error.in_headers && !error.filled && declaration) {
        std::string text = fill_placeholders(error.text, declaration);
        error.has_values = text != error.text;
        error.text = text;
        error.filled = true;
    }
    if (error.in_headers && error.operands.empty() && declaration)
        error.operands = operands_of(declaration);
    if (const auto *function = dyn_cast_or_null<FunctionDecl>(declaration))
        error.requested = function;
    if (info.getID() == diag::note_callee_decl && error.refusal.subject.empty())
        error.refusal.subject = first_name(info);
    if (in_headers(info))
        return add_header_note(info);
    Place where = place_of(info);
    if (where.line.empty()) // about a declaration of Clang's own
        return;
    if (!error.in_headers) {
        Message note = note_at(where, text_of(info));
        if (is_instantiation(info.getID()))
            note.text = words_of_instantiation(info);
        llvm::StringRef text = note.text; // vectors match too: overloads.h
        if (text.contains("address space '__local'") && !text.contains("pass pointer"))
            error.refusal.why = note.text;
        if (text.contains("cannot pass pointer to address space '__local'") ||
            text.contains("no known conversion from '__local "))
            note.text = "this function takes a flat pointer, not one to shared memory: template <typename P> void "
                        "f(P *p) takes both";
        if (text.contains("could not match 'vector_ref' against 'vector'") ||
            text.contains("could not match 'matrix_ref' against 'matrix'"))
            note.text = "this template does not take references to these types and sizes: operands that share a "
                        "parameter of the template must agree";
        if (text.starts_with("non-constexpr constructor 'vector<") ||
            text.starts_with("non-constexpr constructor 'matrix<"))
            note.text =
                "vectors and matrices are in registers: make a constexpr table an array, and initialize them from it";
        error.notes.push_back(std::move(note));
    } else if (!error.placed) {
        error.where = where;
        error.placed = true;
    } else if (is_instantiation(info.getID()) && error.notes.empty()) { // of the user's template with that line
        error.notes.push_back(note_at(where, words_of_instantiation(info)));
    }
}

void Diagnostics::HandleDiagnostic(DiagnosticsEngine::Level level, const Diagnostic &info)
{
    DiagnosticConsumer::HandleDiagnostic(level, info);
    unsigned id = info.getID();
    if (id >= diag::DIAG_START_SERIALIZATION && id < diag::DIAG_START_SERIALIZATION + diag::DIAG_SIZE_SERIALIZATION)
        stale_ = true;
    if (stale_)
        return;
    if (level <= DiagnosticsEngine::Note) {
        add_note(info);
        return;
    }
    flush();
    Message message;
    message.level = level;
    message.id = id;
    message.where = place_of(info);
    message.in_headers = in_headers(info) || message.where.line.empty(); // its notes may have a position
    message.at_end = at_end(info);
    message.text = text_of(info);
    message.refusal.subject = first_name(info);
    add_enumerators(message.refusal, info);
    waiting_ = std::move(message);
}

} // namespace cmkit
