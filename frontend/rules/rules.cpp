#include "frontend/syntax/attributes.h"
#include "frontend/diagnostics/clang_builtins.h"
#include "frontend/rules/constant_arguments.h"
#include "frontend/rules/counted_loops.h"
#include "frontend/base/shapes.h"
#include "frontend/rules/rules.h"
#include "frontend/rules/print_formats.h"
#include "frontend/diagnostics/diag_text.h"
#include "frontend/base/report.h"

#include <optional>
#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Basic/SourceManager.h>

using namespace clang;

namespace cmkit
{

namespace
{

bool is_reference(QualType type)
{
    std::optional<Shape> shape = shape_of(type);
    return shape && shape->is_reference;
}

class Checker : public RecursiveASTVisitor<Checker>
{
  public:
    Checker(ASTContext &context, const std::vector<Kernel> &kernels, const SimdBlocks &blocks)
        : context_(context), kernels_(kernels), blocks_(blocks), loops_(context)
    {
    }

    bool shouldVisitTemplateInstantiations() const { return true; }

    bool VisitUnaryOperator(UnaryOperator *operation)
    {
        if (operation->getOpcode() == UO_AddrOf && shape_of(operation->getSubExpr()->getType()))
            error(operation->getOperatorLoc(),
                  "the address of a " + name_of_type(operation->getSubExpr()->getType()) +
                      " cannot be taken: it is in registers",
                  "a vector_ref, a matrix_ref or a C++ reference names it");
        return true;
    }

    bool VisitCXXNewExpr(CXXNewExpr *expression)
    {
        error(expression->getBeginLoc(), "kernels have no heap: new", "variables, vectors and matrices are declared");
        return true;
    }
    bool VisitCXXDeleteExpr(CXXDeleteExpr *expression)
    {
        error(expression->getBeginLoc(), "kernels have no heap: delete",
              "variables, vectors and matrices are declared");
        return true;
    }

    bool VisitCallExpr(CallExpr *call)
    {
        check_print_format(*call, context_);
        check_constant_argument(*call, context_, kernels_);
        check_block(call);
        check_destinations(call);
        check_builtin(call);
        return true;
    }

    bool VisitAtomicExpr(AtomicExpr *operation)
    {
        refuse_builtin(operation->getBuiltinLoc(), operation->getOpAsString());
        return true;
    }
    // Numbers of 128 bits. The CPU has them; Clang refuses them for GPUs, or uses long double as double there.
    bool VisitBuiltinTypeLoc(BuiltinTypeLoc type)
    {
        BuiltinType::Kind kind = type.getTypePtr()->getKind();
        const char *name = kind == BuiltinType::Int128 || kind == BuiltinType::UInt128 ? "__int128"
                           : kind == BuiltinType::Float128                             ? "__float128"
                           : kind == BuiltinType::LongDouble                           ? "long double"
                                                                                       : nullptr;
        if (name) {
            DiagText words = too_wide_integer(name);
            error(type.getBeginLoc(), words.text, words.note);
        }
        return true;
    }
    bool VisitAtomicTypeLoc(AtomicTypeLoc type)
    {
        refuse_builtin(type.getBeginLoc(), "_Atomic");
        return true;
    }

    bool VisitCXXMemberCallExpr(CXXMemberCallExpr *call)
    {
        const CXXMethodDecl *method = call->getMethodDecl();
        const Expr *object = call->getImplicitObjectArgument();
        if (!method || !object || !method->getIdentifier() || call->isInstantiationDependent())
            return true;
        QualType type = object->IgnoreImpCasts()->getType(); // members may belong to a base class
        if (type->isPointerType())
            type = type->getPointeeType();
        std::optional<Shape> shape = shape_of(type);
        if (!shape)
            return true;
        std::string object_name = name_of_type(type);
        llvm::StringRef name = method->getName();
        if (name == "select")
            check_select(call, *method, *shape, object_name);
        else if (name == "replicate")
            check_replicate(call, *method, *shape, object_name);
        else if (name == "merge")
            check_mask(call, *shape, object_name);
        else if (name == "row" || name == "column")
            check_offset(call->getArg(0), name.str(), 1, name == "row" ? shape->rows : shape->columns, object_name,
                         name == "row" ? "rows" : "columns");
        return true;
    }

    bool VisitCXXOperatorCallExpr(CXXOperatorCallExpr *call)
    {
        if (call->isAssignmentOp() && shape_of(call->getArg(0)->getType()))
            check_constant(call->getArg(0));
        bool is_access = call->getOperator() == OO_Call || call->getOperator() == OO_Subscript;
        if (!is_access || call->isInstantiationDependent() || call->getNumArgs() < 2)
            return true;
        QualType type = call->getArg(0)->IgnoreImpCasts()->getType(); // operators may belong to a base class
        std::optional<Shape> shape = shape_of(type);
        if (!shape)
            return true;
        std::string object = name_of_type(type);
        if (shape->is_matrix)
            check_element(call->getArg(1), "row", shape->rows, object);
        if (!shape->is_matrix || call->getNumArgs() > 2)
            check_element(call->getArg(call->getNumArgs() - 1), shape->is_matrix ? "column" : "element", shape->columns,
                          object);
        return true;
    }

    bool VisitCXXConstructExpr(CXXConstructExpr *construction)
    {
        const Expr *value = construction->getNumArgs() > 0 ? construction->getArg(0)->IgnoreImpCasts() : nullptr;
        if (value && isa<StringLiteral>(value) && shape_of(construction->getType()))
            error(value->getExprLoc(), "a string for a " + name_of_type(construction->getType()),
                  "its elements are numbers: a list {1, 2}, a scalar or a constant array");
        return true;
    }

    bool VisitVarDecl(VarDecl *variable)
    {
        for (const auto *attribute : variable->specific_attrs<AnnotateAttr>())
            if (attribute->getAnnotation() == "cm-binding")
                check_binding(*variable, *attribute);
        check_temporary(*variable);
        // Features of the CPU that GPUs lack; Clang itself refuses them for GPUs.
        if (context_.getAsVariableArrayType(variable->getType()))
            error(bracket_of(*variable), varying_array, constant_sizes_note);
        if (variable->getTSCSpec() == TSCS_thread_local)
            error(variable->getBeginLoc(), thread_variable, thread_variable_note);
        QualType type = context_.getBaseElementType(variable->getType());
        if (is_shared(type) && shape_of(type))
            error(variable->getLocation(),
                  "a " + name_of_type(type.getUnqualifiedType()) + " in shared memory: it is in registers",
                  "__local T x[N] has room for its elements; cm_slm_block_read and cm_slm_block_write copy");
        return true;
    }

    // The CPU could keep vectors behind pointers. Clang lets (T *)p convert from shared memory to flat addresses and
    // back.
    bool VisitExplicitCastExpr(ExplicitCastExpr *cast)
    {
        QualType from = cast->getSubExpr()->getType(), to = cast->getType();
        if (to->isPointerType() && shape_of(to->getPointeeType()) && !is_shared(to->getPointeeType()) &&
            leads_to_memory(cast->getSubExpr()))
            error(cast->getBeginLoc(),
                  "a " + name_of_type(to->getPointeeType()) + " behind a pointer to memory: it is in registers",
                  "cm_svm_block_read and cm_svm_block_write copy from and to memory");
        if (!from->isPointerType() || !to->isPointerType() ||
            is_shared(from->getPointeeType()) == is_shared(to->getPointeeType()))
            return true;
        if (is_shared(to->getPointeeType()))
            error(cast->getBeginLoc(), "a flat address becomes a pointer to shared memory",
                  "__local variables and (__local T *)(svmptr_t)cm_slm_alloc(bytes) are in shared memory");
        else
            error(cast->getBeginLoc(), "a pointer to shared memory becomes a flat address",
                  "__local stays with the type; (svmptr_t)p is the offset in shared memory");
        return true;
    }

    // OpenCL's (float4)(a, b, c, d) is a conversion of d in C++.
    bool VisitCStyleCastExpr(CStyleCastExpr *cast)
    {
        const Expr *list = cast->getSubExprAsWritten()->IgnoreParens();
        unsigned count = 1;
        for (const auto *comma = dyn_cast<BinaryOperator>(list); comma && comma->isCommaOp();
             comma = dyn_cast<BinaryOperator>(comma->getLHS()->IgnoreParens()))
            count++;
        std::optional<Shape> shape = shape_of(cast->getType());
        if (count == 1 || !shape || cast->isInstantiationDependent())
            return true;
        std::string type = name_of_type(cast->getType());
        error(cast->getBeginLoc(),
              "of " + std::to_string(count) + " numbers in brackets behind (" + type + "), C++ takes the last one only",
              "braces make a list: " + type + " v = {1, 2, 3}; " + type + "(1, 2, 3) is a value");
        return true;
    }

    bool VisitCompoundStmt(CompoundStmt *block)
    {
        for (const Stmt *statement : block->body()) {
            const auto *expression = dyn_cast<Expr>(statement);
            const auto *call = expression ? dyn_cast<CXXMemberCallExpr>(expression->IgnoreImplicit()) : nullptr;
            if (call && only_names(call->getMethodDecl()))
                report(call->getExprLoc(), DiagnosticsEngine::Warning,
                       "the result of " + call->getMethodDecl()->getNameAsString() + " is not used");
        }
        return true;
    }

    // Code that a constant condition removes, above all in templates, may access elements that do not exist.
    bool TraverseIfStmt(IfStmt *statement)
    {
        std::optional<bool> is_true = constant_condition(statement->getCond());
        if (!is_true)
            return RecursiveASTVisitor::TraverseIfStmt(statement);
        return WalkUpFromIfStmt(statement) && TraverseStmt(statement->getCond()) &&
               TraverseStmt(*is_true ? statement->getThen() : statement->getElse());
    }
    bool TraverseConditionalOperator(ConditionalOperator *choice)
    {
        std::optional<bool> is_true = constant_condition(choice->getCond());
        if (!is_true)
            return RecursiveASTVisitor::TraverseConditionalOperator(choice);
        return TraverseStmt(choice->getCond()) &&
               TraverseStmt(*is_true ? choice->getTrueExpr() : choice->getFalseExpr());
    }
    bool VisitIfStmt(IfStmt *statement)
    {
        return blocks_.empty() || statement->isConstexpr() || loops_.is_known(statement->getCond()) ||
               check_scalar(statement, "if");
    }
    bool TraverseForStmt(ForStmt *loop)
    {
        if (blocks_.empty())
            return RecursiveASTVisitor::TraverseForStmt(loop);
        loops_.enter(*loop);
        ways_.push_back({loop->getBeginLoc(), loops_.is_counted(*loop)});
        bool go_on = RecursiveASTVisitor::TraverseForStmt(loop);
        ways_.pop_back();
        loops_.leave();
        return go_on;
    }
    bool TraverseWhileStmt(WhileStmt *loop)
    {
        ways_.push_back({loop->getBeginLoc(), false});
        bool go_on = RecursiveASTVisitor::TraverseWhileStmt(loop);
        ways_.pop_back();
        return go_on;
    }
    bool TraverseDoStmt(DoStmt *loop)
    {
        ways_.push_back({loop->getBeginLoc(), false});
        bool go_on = RecursiveASTVisitor::TraverseDoStmt(loop);
        ways_.pop_back();
        return go_on;
    }
    bool TraverseSwitchStmt(SwitchStmt *choice)
    {
        ways_.push_back({choice->getBeginLoc(), loops_.is_known(choice->getCond())});
        bool go_on = RecursiveASTVisitor::TraverseSwitchStmt(choice);
        ways_.pop_back();
        return go_on;
    }
    bool VisitForStmt(ForStmt *statement)
    {
        return blocks_.empty() || loops_.is_counted(*statement) || check_scalar(statement, "for");
    }
    bool VisitWhileStmt(WhileStmt *statement) { return check_scalar(statement, "while"); }
    bool VisitDoStmt(DoStmt *statement) { return check_scalar(statement, "do"); }
    bool VisitSwitchStmt(SwitchStmt *statement)
    {
        return blocks_.empty() || loops_.is_known(statement->getCond()) || check_scalar(statement, "switch");
    }
    bool VisitGotoStmt(GotoStmt *statement) { return check_scalar(statement, "goto"); }
    bool VisitLabelStmt(LabelStmt *statement) { return check_scalar(statement, "label"); }
    bool VisitBreakStmt(BreakStmt *statement) { return check_jump(statement, "break", "SIMD_BREAK"); }
    bool VisitContinueStmt(ContinueStmt *statement) { return check_jump(statement, "continue", "SIMD_CONTINUE"); }
    bool VisitReturnStmt(ReturnStmt *statement)
    {
        check_returned(statement);
        return lambdas_ ? true : check_scalar(statement, "return");
    }

    bool TraverseLambdaExpr(LambdaExpr *lambda)
    {
        lambdas_++; // `return` leaves the lambda, not the block around it
        bool go_on = RecursiveASTVisitor::TraverseLambdaExpr(lambda);
        lambdas_--;
        return go_on;
    }

  private:
    void report(SourceLocation where, DiagnosticsEngine::Level level, const std::string &text)
    {
        cmkit::report(context_.getDiagnostics(), where, level, text);
    }
    void error(SourceLocation where, const std::string &text, const std::string &right)
    {
        refuse(context_.getDiagnostics(), where, text, right);
    }

    // Where the sizes of an array begin; the name's position for arrays whose type has a name.
    static SourceLocation bracket_of(const VarDecl &variable)
    {
        ArrayTypeLoc array = variable.getTypeSourceInfo()->getTypeLoc().getAs<ArrayTypeLoc>();
        return array.isNull() ? variable.getLocation() : array.getLBracketLoc();
    }

    // Kernels have some of Clang's builtins, and all that Clang itself evaluates to a number.
    void check_builtin(const CallExpr *call)
    {
        const FunctionDecl *function = call->getDirectCallee();
        llvm::StringRef name = function && function->getBuiltinID() ? function->getName() : "";
        Expr::EvalResult result;
        auto is_constant = [&](const Expr *value) {
            return !value->isValueDependent() && value->EvaluateAsRValue(result, context_);
        };
        bool from_cm = from_headers(call->getExprLoc()) && name != "__builtin_va_start"; // <stdarg.h>
        if (!name.starts_with("_") || from_cm || call->isInstantiationDependent() ||
            (!call->getType()->isPointerType() && is_constant(call)))
            return;
        BuiltinUse use = use_of_builtin(name);
        if (use == BuiltinUse::refused ||
            (use == BuiltinUse::of_constants && !llvm::all_of(call->arguments(), is_constant)))
            refuse_builtin(call->getExprLoc(), name);
    }

    void refuse_builtin(SourceLocation where, llvm::StringRef name)
    {
        if (std::optional<DiagText> words = refused_builtin(name, /*is_builtin=*/true))
            error(where, words->text, words->note);
    }

    // A member of vectors and matrices that changes nothing: its result must be used.
    bool only_names(const CXXMethodDecl *method)
    {
        static const char *const members[] = {"select",  "select_all", "row", "column", "replicate",
                                              "iselect", "format",     "any", "all"};
        return method && method->getIdentifier() &&
               context_.getSourceManager().isInSystemHeader(method->getLocation()) &&
               llvm::is_contained(members, method->getName());
    }

    std::optional<int64_t> constant(const Expr *expression)
    {
        Expr::EvalResult result;
        if (expression->isValueDependent() || !expression->getType()->isIntegralOrEnumerationType() ||
            !expression->EvaluateAsInt(result, context_))
            return std::nullopt;
        return result.Val.getInt().getExtValue();
    }

    std::optional<bool> constant_condition(const Expr *condition)
    {
        bool result;
        if (!condition || condition->isInstantiationDependent() ||
            !condition->EvaluateAsBooleanCondition(result, context_))
            return std::nullopt;
        return result;
    }

    // An element, or a row by m[i], must exist.
    void check_element(const Expr *offset, const std::string &unit, int64_t limit, const std::string &object)
    {
        std::optional<int64_t> value = constant(offset);
        if (!value || *value < limit)
            return check_offset(offset, "element", 1, limit, object, "elements");
        error(offset->getExprLoc(),
              unit + " " + std::to_string(*value) + " of a " + object + ", which has " + std::to_string(limit) + " " +
                  unit + "s",
              unit + "s are counted from 0: the last is " + std::to_string(limit - 1));
    }

    // `reach` elements after the offset must lie inside `limit`.
    void check_offset(const Expr *offset, const std::string &name, int64_t reach, int64_t limit,
                      const std::string &object, const char *unit)
    {
        if (isa<CXXDefaultArgExpr>(offset))
            return;
        if (const auto *conversion = dyn_cast<ImplicitCastExpr>(offset))
            if (conversion->getCastKind() == CK_FloatingToIntegral)
                return error(offset->getExprLoc(),
                             name + ": the offset is a " + name_of_type(conversion->getSubExpr()->getType()),
                             "offsets are integers");
        std::optional<int64_t> value = constant(offset);
        if (!value)
            return;
        std::string text = name + ": offset " + std::to_string(*value);
        if (*value < 0)
            error(offset->getExprLoc(), text + " is negative", "offsets count from 0");
        else if (*value + reach > limit && reach <= limit) // check_reach() reports sizes that never fit
            report(offset->getExprLoc(), DiagnosticsEngine::Warning,
                   text + " reaches beyond the " + std::to_string(limit) + " " + unit + " of " + object);
    }

    // True if an address is certainly in memory: a number, or computed from a kernel's parameter.
    bool leads_to_memory(const Expr *address)
    {
        address = address->IgnoreParenCasts();
        if (address->getType()->isIntegerType())
            return true;
        if (const auto *sum = dyn_cast<BinaryOperator>(address))
            return leads_to_memory(sum->getLHS()->getType()->isPointerType() ? sum->getLHS() : sum->getRHS());
        if (const auto *operation = dyn_cast<UnaryOperator>(address); operation && operation->getOpcode() == UO_AddrOf)
            address = operation->getSubExpr()->IgnoreParens();
        if (const auto *element = dyn_cast<ArraySubscriptExpr>(address))
            return leads_to_memory(element->getBase());
        const auto *name = dyn_cast<DeclRefExpr>(address);
        return name && name->getType()->isPointerType() && isa<ParmVarDecl>(name->getDecl()) &&
               llvm::any_of(kernels_,
                            [&](const Kernel &k) { return k.declaration == name->getDecl()->getDeclContext(); });
    }

    // Returns the vector or matrix of which an expression selects a part (select, row, m[i] ...); else the expression.
    static const Expr *whole_of(const Expr *part)
    {
        for (;;) {
            part = part->IgnoreImplicit()->IgnoreParens();
            const Expr *object = nullptr;
            if (const auto *member = dyn_cast<CXXMemberCallExpr>(part))
                object = member->getImplicitObjectArgument();
            else if (const auto *subscript = dyn_cast<CXXOperatorCallExpr>(part))
                object = subscript->getOperator() == OO_Subscript ? subscript->getArg(0) : nullptr;
            if (!object || !is_reference(part->getType()))
                return part;
            part = object;
        }
    }

    // A reference to an object that ends with the function.
    void check_returned(const ReturnStmt *statement)
    {
        const Expr *value = statement->getRetValue();
        if (!value || !is_reference(value->getType()))
            return;
        std::string returned = name_of_type(value->getType());
        for (const auto *copy = dyn_cast<CXXConstructExpr>(value->IgnoreImplicit()); copy && copy->getNumArgs() == 1;
             copy = dyn_cast<CXXConstructExpr>(value->IgnoreImplicit()))
            value = copy->getArg(0);
        const auto *name = dyn_cast<DeclRefExpr>(whole_of(value)->IgnoreImplicit()->IgnoreParens());
        const auto *variable = name ? dyn_cast<VarDecl>(name->getDecl()) : nullptr;
        if (!variable || !variable->hasLocalStorage() || name->refersToEnclosingVariableOrCapture() ||
            variable->getType()->isReferenceType() || !shape_of(variable->getType()) ||
            is_reference(variable->getType()))
            return;
        warn(context_.getDiagnostics(), statement->getReturnLoc(),
             with_article(returned) + " is returned that names '" + variable->getNameAsString() +
                 "', which ends with the function",
             "a function that returns a vector or matrix returns a copy");
    }

    // Parts of a constant vector are references, through which C++ would allow changes.
    void check_constant(const Expr *destination)
    {
        const Expr *whole = whole_of(destination);
        if (whole != destination->IgnoreImplicit()->IgnoreParens() && shape_of(whole->getType()) &&
            whole->getType().isConstQualified() && !is_reference(whole->getType()))
            error(destination->getExprLoc(), "a part of a const " + name_of_type(whole->getType()) + " is assigned",
                  "declare it without const");
    }

    // The headers take their destinations as constants too, because parts of vectors are temporaries.
    void check_destinations(const CallExpr *call)
    {
        static const char *const names[] = {"destination", "old", "carry", "borrow", "low", "cosine", "remainder"};
        const FunctionDecl *function = call->getDirectCallee();
        if (!function || !function->getIdentifier() || call->isInstantiationDependent() ||
            !context_.getSourceManager().isInSystemHeader(function->getLocation()))
            return;
        for (unsigned i = 0; i < call->getNumArgs() && i < function->getNumParams(); i++) {
            const Expr *whole = whole_of(call->getArg(i));
            if (!llvm::is_contained(names, function->getParamDecl(i)->getName()) || !shape_of(whole->getType()) ||
                is_reference(whole->getType()))
                continue;
            std::string type = name_of_type(whole->getType()), changes = function->getNameAsString() + " changes a ";
            if (whole->getType().isConstQualified())
                error(call->getArg(i)->getExprLoc(), changes + "const " + type,
                      "declare it without const to change it");
            else if (whole->isPRValue())
                error(call->getArg(i)->getExprLoc(), changes + type + " that is a temporary",
                      "iselect, replicate and operators give copies, select and format name parts");
        }
    }

    // Returns the integer template arguments of a call.
    static std::vector<int64_t> sizes_of(const CXXMethodDecl &method)
    {
        std::vector<int64_t> sizes;
        if (const TemplateArgumentList *arguments = method.getTemplateSpecializationArgs())
            for (const TemplateArgument &argument : arguments->asArray())
                if (argument.getKind() == TemplateArgument::Integral)
                    sizes.push_back(argument.getAsIntegral().getExtValue());
        return sizes;
    }

    // Checks that n[at] lanes, n[at + 1] apart, fit inside `limit` for at least one offset.
    void check_reach(const CXXMemberCallExpr *call, const std::vector<int64_t> &n, size_t at, int64_t limit,
                     const std::string &object, const char *unit)
    {
        if ((n[at] - 1) * n[at + 1] < limit)
            return;
        std::string sizes;
        for (int64_t number : n)
            sizes += (sizes.empty() ? "" : ", ") + std::to_string(number);
        report(call->getExprLoc(), DiagnosticsEngine::Warning,
               "select<" + sizes + "> reaches beyond the " + std::to_string(limit) + " " + unit + " of " + object);
    }

    void check_select(CXXMemberCallExpr *call, const CXXMethodDecl &method, const Shape &shape,
                      const std::string &object)
    {
        std::vector<int64_t> n = sizes_of(method);
        if (n.size() == 2)
            check_reach(call, n, 0, shape.columns, object, "elements");
        if (n.size() == 2 && call->getNumArgs() == 1)
            check_offset(call->getArg(0), "select", (n[0] - 1) * n[1] + 1, shape.columns, object, "elements");
        if (n.size() != 4)
            return;
        check_reach(call, n, 0, shape.rows, object, "rows");
        check_reach(call, n, 2, shape.columns, object, "columns");
        if (call->getNumArgs() > 0)
            check_offset(call->getArg(0), "select", (n[0] - 1) * n[1] + 1, shape.rows, object, "rows");
        if (call->getNumArgs() > 1)
            check_offset(call->getArg(1), "select", (n[2] - 1) * n[3] + 1, shape.columns, object, "columns");
    }

    // Checks constant offsets of blocks in buffers, which messages count in owords or dwords: read(S, [alignment,]
    // offset, v), write(S, offset, v).
    void check_block(CallExpr *call)
    {
        const FunctionDecl *function = call->getDirectCallee();
        unsigned count = call->getNumArgs();
        if (!function || !function->getIdentifier() || call->isInstantiationDependent() || count < 3 || count > 4 ||
            !shape_of(call->getArg(count - 1)->getType()))
            return;
        llvm::StringRef name = function->getName();
        if ((name != "read" && name != "write") || name_of_type(function->getParamDecl(0)->getType()) != "SurfaceIndex")
            return;
        const auto *access = dyn_cast<DeclRefExpr>(call->getArg(1)->IgnoreParenImpCasts());
        const auto *words = access ? dyn_cast<EnumConstantDecl>(access->getDecl()) : nullptr;
        if (count == 4 && (!words || name_of_type(words->getType()) != "CmBufferAttrib")) {
            if (name == "write" && !shape_of(call->getArg(2)->getType())) // single elements have another alignment
                check_image_write(call->getArg(1));
            return;
        }
        std::optional<int64_t> offset = constant(call->getArg(count - 2));
        int64_t alignment = count == 4 && words->getName().ends_with("DWALIGNED") ? 4 : 16;
        if (offset && *offset % alignment != 0)
            error(call->getArg(count - 2)->getExprLoc(),
                  name.str() + ": offset " + std::to_string(*offset) + " is no multiple of " +
                      std::to_string(alignment),
                  "blocks start at multiples of 16 bytes; read(DWALIGNED(S), offset, v) reads at multiples of 4, a "
                  "vector of offsets names single elements");
    }

    // Checks the constant x of write(S, x, y, m).
    void check_image_write(const Expr *x)
    {
        std::optional<int64_t> offset = constant(x);
        if (offset && *offset % 4 != 0)
            error(x->getExprLoc(), "write: x " + std::to_string(*offset) + " is no multiple of 4",
                  "x counts bytes: blocks of an image are read anywhere, written at multiples of 4");
    }

    // Checks _GENX_VOLATILE_BINDING_(offset): the object must lie in the register file, aligned for its elements.
    void check_binding(const VarDecl &variable, const AnnotateAttr &attribute)
    {
        if (!variable.isFileVarDecl())
            return error(variable.getLocation(),
                         "'" + variable.getNameAsString() + "' is a variable of a function, which has no address",
                         "_GENX_VOLATILE_BINDING_ binds variables outside functions");
        std::optional<int64_t> n[3];
        unsigned count = 0;
        for (const Expr *argument : attribute.args())
            if (count < 3)
                n[count++] = constant(argument);
        QualType type = variable.getType();
        if (count < 3 || !n[0] || !n[1] || !n[2] || variable.isInvalidDecl() || type->isDependentType() ||
            type->isUndeducedType() || type->isIncompleteType()) /* Clang has reported these */
            return;
        int64_t bytes = context_.getTypeSizeInChars(type).getQuantity(), file = *n[1] * *n[2];
        std::string registers = "the register file has " + std::to_string(*n[2]) + " registers of " +
                                std::to_string(*n[1]) + " bytes, 0 to " + std::to_string(file - 1);
        if (*n[0] < 0 || *n[0] + bytes > file)
            error(variable.getLocation(),
                  "the " + std::to_string(bytes) + " bytes of '" + variable.getNameAsString() + "' bound to byte " +
                      std::to_string(*n[0]) + " are not inside the register file",
                  registers);
    }

    // Checks references that are initialized with the result of an operator, iselect and so on: they would outlive it.
    void check_temporary(const VarDecl &variable)
    {
        const Expr *value = variable.getInit();
        if (!value || isa<ParmVarDecl>(variable) || !shape_of(variable.getType()))
            return;
        const auto *construction = dyn_cast<CXXConstructExpr>(value->IgnoreImplicit());
        if (!construction || construction->getNumArgs() != 1)
            return;
        const Expr *argument = construction->getArg(0);
        while (const auto *cast = dyn_cast<ImplicitCastExpr>(argument))
            argument = cast->getSubExpr();
        const auto *temporary = dyn_cast<MaterializeTemporaryExpr>(argument);
        if (!temporary || !is_reference(variable.getType()) || is_reference(temporary->getType()))
            return;
        error(temporary->getExprLoc(),
              "'" + variable.getNameAsString() + "' would refer to a temporary " + name_of_type(temporary->getType()),
              "a vector or matrix holds the result of operators, iselect and replicate");
    }

    void check_replicate(CXXMemberCallExpr *call, const CXXMethodDecl &method, const Shape &shape,
                         const std::string &object)
    {
        std::vector<int64_t> n = sizes_of(method);
        if (n.size() < 2)
            return;
        int64_t repeats = n[0], apart = n.size() > 2 ? n[1] : 0, width = n.size() > 2 ? n[2] : n[1];
        int64_t step = n.size() > 3 ? n[3] : 1, reach = (repeats - 1) * apart + (width - 1) * step + 1;
        int64_t whole = shape.rows * shape.columns;
        if (call->getNumArgs() == 1)
            return check_offset(call->getArg(0), "replicate", reach, whole, object, "elements");
        check_offset(call->getArg(0), "replicate", 1, shape.rows, object, "rows");
        std::optional<int64_t> row = constant(call->getArg(0));
        if (row && *row >= 0 && *row < shape.rows)
            check_offset(call->getArg(1), "replicate", reach + *row * shape.columns, whole, object, "elements");
    }

    void check_mask(CXXMemberCallExpr *call, const Shape &shape, const std::string &object)
    {
        const Expr *mask = call->getArg(call->getNumArgs() - 1)->IgnoreImpCasts();
        QualType type = mask->getType().getNonReferenceType();
        if (!type->isIntegralOrEnumerationType())
            return;
        int64_t lanes = shape.rows * shape.columns, bits = int64_t(context_.getTypeSize(type));
        if (bits < lanes)
            report(mask->getExprLoc(), DiagnosticsEngine::Warning,
                   "merge: a mask of " + std::to_string(bits) + " bits for the " + std::to_string(lanes) +
                       " lanes of " + object + ": the lanes beyond are not merged");
    }

    // True for a statement of the headers' own macros: SIMD macros are not scalar control flow.
    bool from_headers(SourceLocation where)
    {
        const SourceManager &manager = context_.getSourceManager();
        while (where.isMacroID()) {
            if (manager.isInSystemHeader(manager.getSpellingLoc(where)))
                return true;
            where = manager.getImmediateMacroCallerLoc(where);
        }
        return false;
    }

    static bool is_loop(const Stmt *statement)
    {
        return isa<ForStmt>(statement) || isa<WhileStmt>(statement) || isa<DoStmt>(statement);
    }

    size_t blocks_around(SourceLocation where)
    {
        const SourceManager &manager = context_.getSourceManager();
        size_t count = 0;
        for (const SourceRange &block : blocks_)
            count += manager.isBeforeInTranslationUnit(block.getBegin(), where) &&
                     manager.isBeforeInTranslationUnit(where, block.getEnd());
        return count;
    }

    // A jump in a counted loop that does not leave a SIMD block takes all active lanes along.
    bool check_jump(const Stmt *statement, const char *word, const char *simd_word)
    {
        SourceLocation where = statement->getBeginLoc();
        bool known = !ways_.empty() && ways_.back().known && !from_headers(ways_.back().where);
        if (!known)
            return check_scalar(statement, word);
        if (from_headers(where))
            error(where, std::string(simd_word) + " inside a " + "for or switch",
                  "lanes leave SIMD_DO_WHILE_BEGIN; all lanes go through a for together: SIMD_IF_BEGIN inside it");
        else if (blocks_around(where) != blocks_around(ways_.back().where))
            return check_scalar(statement, word);
        return true;
    }

    bool check_scalar(const Stmt *statement, const char *word)
    {
        SourceLocation where = statement->getBeginLoc();
        if (blocks_.empty() || from_headers(where))
            return true;
        const SourceManager &manager = context_.getSourceManager();
        for (const SourceRange &block : blocks_) // in a macro of the user's or not
            if (manager.isBeforeInTranslationUnit(block.getBegin(), where) &&
                manager.isBeforeInTranslationUnit(where, block.getEnd())) {
                error(where, std::string("scalar control flow (") + word + ") inside SIMD control flow",
                      is_loop(statement)
                          ? "a for with a constant number of rounds is allowed there: for (int i = 0; i < 8; i++); "
                            "otherwise SIMD_DO_WHILE_BEGIN, whose condition may be a scalar"
                          : "inside, lanes branch by SIMD_IF_BEGIN and SIMD_DO_WHILE_BEGIN; a scalar condition is "
                            "allowed "
                            "there");
                break;
            }
        return true;
    }

    ASTContext &context_;
    const std::vector<Kernel> &kernels_;
    const SimdBlocks &blocks_;
    struct Way {
        SourceLocation where;
        bool known; // all lanes take the same path: a counted loop, or a switch on a known value
    };
    CountedLoops loops_;
    std::vector<Way> ways_; // loops and switches around the current statement
    unsigned lambdas_ = 0;  // lambdas around the current expression
};

class RuleConsumer : public ASTConsumer
{
  public:
    RuleConsumer(const std::vector<Kernel> &kernels, const SimdBlocks &blocks) : kernels_(kernels), blocks_(blocks) {}

    bool HandleTopLevelDecl(DeclGroupRef group) override
    {
        declarations_.insert(declarations_.end(), group.begin(), group.end());
        return true;
    }

    void HandleTranslationUnit(ASTContext &context) override
    {
        Checker checker(context, kernels_, blocks_);
        const SourceManager &manager = context.getSourceManager();
        for (size_t i = 0; i < declarations_.size(); i++) // the precompiled headers add more during the loop
            if (!manager.isInSystemHeader(manager.getExpansionLoc(declarations_[i]->getLocation())))
                checker.TraverseDecl(declarations_[i]);
    }

  private:
    const std::vector<Kernel> &kernels_;
    const SimdBlocks &blocks_;
    std::vector<Decl *> declarations_;
};

} // namespace

std::unique_ptr<ASTConsumer> create_rule_checker(const std::vector<Kernel> &kernels, const SimdBlocks &blocks)
{
    return std::make_unique<RuleConsumer>(kernels, blocks);
}

} // namespace cmkit
