/* Prints one instruction (vc.h): a table row per LLVM opcode. An opcode without a row has no equivalent. */
#include "lower/functions/functions.h"
#include "lower/ir/assembly_info.h"
#include "lower/vc/vc.h"

#include <string.h>

typedef void printer(struct vc_writer *w, LLVMValueRef i, const char *word);

static LLVMValueRef operand(LLVMValueRef i, unsigned n)
{
    return LLVMGetOperand(i, n);
}

static void result(struct vc_writer *w, LLVMValueRef i)
{
    size_t number = 0;
    pointer_map_get(&w->numbers, i, &number);
    fprintf(w->out, "%%v%zu = ", number);
}

/* LLVM 14 has all of these flags. Newer ones (nneg, disjoint, samesign) only add promises and are left out. */
static void flags(struct vc_writer *w, LLVMValueRef i)
{
    static const struct {
        LLVMFastMathFlags bit;
        const char *word;
    } fast[] = {
        {LLVMFastMathNoNaNs, "nnan"},
        {LLVMFastMathNoInfs, "ninf"},
        {LLVMFastMathNoSignedZeros, "nsz"},
        {LLVMFastMathAllowReciprocal, "arcp"},
        {LLVMFastMathAllowContract, "contract"},
        {LLVMFastMathApproxFunc, "afn"},
        {LLVMFastMathAllowReassoc, "reassoc"},
    };
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
        if (LLVMGetNUW(i))
            fputs(" nuw", w->out);
        if (LLVMGetNSW(i))
            fputs(" nsw", w->out);
        break;
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMLShr:
    case LLVMAShr:
        if (LLVMGetExact(i))
            fputs(" exact", w->out);
        break;
    default:
        if (LLVMCanValueUseFastMathFlags(i))
            for (size_t n = 0; n < sizeof fast / sizeof *fast; n++)
                if (LLVMGetFastMathFlags(i) & fast[n].bit)
                    fprintf(w->out, " %s", fast[n].word);
    }
}

static void operand_list(struct vc_writer *w, LLVMValueRef i, unsigned count)
{
    for (unsigned n = 0; n < count; n++) {
        if (n)
            fputs(", ", w->out);
        vc_typed(w, operand(i, n));
    }
}

/* word type a, b */
static void print_binary(struct vc_writer *w, LLVMValueRef i, const char *word)
{
    result(w, i);
    fputs(word, w->out);
    flags(w, i);
    fputc(' ', w->out);
    vc_typed(w, operand(i, 0));
    fputs(", ", w->out);
    vc_operand(w, operand(i, 1));
}

/* word type a, type b, ... */
static void print_typed(struct vc_writer *w, LLVMValueRef i, const char *word)
{
    result(w, i);
    fputs(word, w->out);
    flags(w, i);
    fputc(' ', w->out);
    operand_list(w, i, (unsigned)LLVMGetNumOperands(i));
}

static void print_cast(struct vc_writer *w, LLVMValueRef i, const char *word)
{
    result(w, i);
    fprintf(w->out, "%s ", word);
    vc_typed(w, operand(i, 0));
    fputs(" to ", w->out);
    vc_type(w, LLVMTypeOf(i));
}

static void print_icmp(struct vc_writer *w, LLVMValueRef i, const char *word)
{
    static const char *const predicates[] = {
        [LLVMIntEQ] = "eq",   [LLVMIntNE] = "ne",   [LLVMIntUGT] = "ugt", [LLVMIntUGE] = "uge", [LLVMIntULT] = "ult",
        [LLVMIntULE] = "ule", [LLVMIntSGT] = "sgt", [LLVMIntSGE] = "sge", [LLVMIntSLT] = "slt", [LLVMIntSLE] = "sle",
    };
    char full[16];
    snprintf(full, sizeof full, "%s %s", word, predicates[LLVMGetICmpPredicate(i)]);
    print_binary(w, i, full);
}

static void print_fcmp(struct vc_writer *w, LLVMValueRef i, const char *word)
{
    static const char *const predicates[] = {
        [LLVMRealPredicateFalse] = "false",
        [LLVMRealOEQ] = "oeq",
        [LLVMRealOGT] = "ogt",
        [LLVMRealOGE] = "oge",
        [LLVMRealOLT] = "olt",
        [LLVMRealOLE] = "ole",
        [LLVMRealONE] = "one",
        [LLVMRealORD] = "ord",
        [LLVMRealUNO] = "uno",
        [LLVMRealUEQ] = "ueq",
        [LLVMRealUGT] = "ugt",
        [LLVMRealUGE] = "uge",
        [LLVMRealULT] = "ult",
        [LLVMRealULE] = "ule",
        [LLVMRealUNE] = "une",
        [LLVMRealPredicateTrue] = "true",
    };
    result(w, i);
    fputs(word, w->out);
    flags(w, i);
    fprintf(w->out, " %s ", predicates[LLVMGetFCmpPredicate(i)]);
    vc_typed(w, operand(i, 0));
    fputs(", ", w->out);
    vc_operand(w, operand(i, 1));
}

static void print_phi(struct vc_writer *w, LLVMValueRef i, const char *word)
{
    result(w, i);
    fprintf(w->out, "%s ", word);
    vc_type(w, LLVMTypeOf(i));
    for (unsigned n = 0; n < LLVMCountIncoming(i); n++) {
        fputs(n ? ", [ " : " [ ", w->out);
        vc_operand(w, LLVMGetIncomingValue(i, n));
        fputs(", ", w->out);
        vc_block(w, LLVMGetIncomingBlock(i, n));
        fputs(" ]", w->out);
    }
}

static void label(struct vc_writer *w, LLVMBasicBlockRef block)
{
    fputs("label ", w->out);
    vc_block(w, block);
}

static void print_branch(struct vc_writer *w, LLVMValueRef i, const char *word)
{
    fprintf(w->out, "%s ", word);
    if (LLVMIsConditional(i)) {
        vc_typed(w, LLVMGetCondition(i));
        fputs(", ", w->out);
    }
    for (unsigned n = 0; n < LLVMGetNumSuccessors(i); n++) {
        if (n)
            fputs(", ", w->out);
        label(w, LLVMGetSuccessor(i, n));
    }
}

/* SPIR-V has no switch over a bit. */
static void print_split_bitcast(struct vc_writer *w, LLVMValueRef i)
{
    LLVMBasicBlockRef to[2] = {LLVMGetSwitchDefaultDest(i), LLVMGetSwitchDefaultDest(i)};
    for (unsigned n = 2; n + 1 < (unsigned)LLVMGetNumOperands(i); n += 2)
        to[LLVMConstIntGetZExtValue(operand(i, n))] = LLVMValueAsBasicBlock(operand(i, n + 1));
    fputs("br ", w->out);
    vc_typed(w, operand(i, 0));
    fputs(", ", w->out);
    label(w, to[1]);
    fputs(", ", w->out);
    label(w, to[0]);
}

/* Operands: value, default block, then pairs of number and block. */
static void print_switch(struct vc_writer *w, LLVMValueRef i, const char *word)
{
    if (type_is_mask(LLVMTypeOf(operand(i, 0)))) {
        print_split_bitcast(w, i);
        return;
    }
    fprintf(w->out, "%s ", word);
    vc_typed(w, operand(i, 0));
    fputs(", ", w->out);
    label(w, LLVMGetSwitchDefaultDest(i));
    fputs(" [", w->out);
    for (unsigned n = 2; n + 1 < (unsigned)LLVMGetNumOperands(i); n += 2) {
        fputc(' ', w->out);
        vc_typed(w, operand(i, n));
        fputs(", ", w->out);
        label(w, LLVMValueAsBasicBlock(operand(i, n + 1)));
    }
    fputs(" ]", w->out);
}

/* Returns the struct of results that the last cm.return built. */
static void print_return(struct vc_writer *w, LLVMValueRef i, const char *word)
{
    if (LLVMGetNumOperands(i) == 0) {
        fprintf(w->out, "%s void", word);
        return;
    }
    fprintf(w->out, "%s ", word);
    vc_type(w, LLVMTypeOf(LLVMGetOperand(i, 0)));
    fprintf(w->out, " %%t%u", w->temporaries - 1);
}

/* Builds the struct of a function's results, which it returns. */
static void print_return_marker(struct vc_writer *w, LLVMValueRef i)
{
    LLVMTypeRef type = LLVMGetReturnType(LLVMGlobalGetValueType(LLVMGetBasicBlockParent(LLVMGetInstructionParent(i))));
    for (unsigned k = 0; k < LLVMGetNumArgOperands(i); k++) {
        fprintf(w->out, "%s%%t%u = insertvalue ", k ? "\n  " : "", w->temporaries);
        vc_type(w, type);
        if (k)
            fprintf(w->out, " %%t%u, ", w->temporaries - 1);
        else
            fputs(" undef, ", w->out);
        vc_typed(w, LLVMGetOperand(i, k));
        fprintf(w->out, ", %u", k);
        w->temporaries++;
    }
}

static void print_function_call(struct vc_writer *w, LLVMValueRef i, const char *word)
{
    size_t length;
    const char *name = LLVMGetValueName2(function_called(i), &length);
    if (LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMVoidTypeKind)
        result(w, i);
    fprintf(w->out, "%s spir_func ", word);
    vc_type(w, LLVMTypeOf(i));
    fputc(' ', w->out);
    vc_name(w, '@', "", name, length);
    fputc('(', w->out);
    operand_list(w, i, LLVMGetNumArgOperands(i));
    fputc(')', w->out);
}

static void print_unreachable(struct vc_writer *w, LLVMValueRef i, const char *word)
{
    (void)i;
    fputs(word, w->out);
}

static void shuffle_mask(struct vc_writer *w, LLVMValueRef i)
{
    unsigned lanes = LLVMGetNumMaskElements(i);
    fprintf(w->out, "<%u x i32> <", lanes);
    for (unsigned n = 0; n < lanes; n++) {
        int lane = LLVMGetMaskValue(i, n);
        fputs(n ? ", i32 " : "i32 ", w->out);
        if (lane < 0)
            fputs("undef", w->out);
        else
            fprintf(w->out, "%d", lane);
    }
    fputc('>', w->out);
}

/* One lane of a shuffle's operands. */
static void print_picked_lane(struct vc_writer *w, LLVMValueRef i)
{
    int lane = LLVMGetMaskValue(i, 0), first = (int)type_lanes(LLVMTypeOf(operand(i, 0)));
    result(w, i);
    fputs("extractelement ", w->out);
    vc_typed(w, operand(i, lane >= first));
    fprintf(w->out, ", i32 %d", lane < 0 ? 0 : lane % first);
}

/* Inserts one-lane operands, which are scalars in the text, as the first two lanes of the shuffled vector. */
static void print_spread_lanes(struct vc_writer *w, LLVMValueRef i, const char *word)
{
    LLVMTypeRef type = LLVMTypeOf(i);
    unsigned number = w->temporaries;
    w->temporaries += 2;
    for (unsigned n = 0; n < 2; n++) {
        fprintf(w->out, "%%t%u = insertelement ", number + n);
        vc_type(w, type);
        if (n == 0)
            fputs(" undef, ", w->out);
        else
            fprintf(w->out, " %%t%u, ", number);
        vc_typed(w, operand(i, n));
        fprintf(w->out, ", i32 %u\n  ", n);
    }
    result(w, i);
    fprintf(w->out, "%s ", word);
    vc_type(w, type);
    fprintf(w->out, " %%t%u, ", number + 1);
    vc_type(w, type);
    fputs(" undef, ", w->out);
    shuffle_mask(w, i);
}

static void print_shuffle(struct vc_writer *w, LLVMValueRef i, const char *word)
{
    if (LLVMGetNumMaskElements(i) == 1) {
        print_picked_lane(w, i);
        return;
    }
    if (type_lanes(LLVMTypeOf(operand(i, 0))) == 1) {
        print_spread_lanes(w, i, word);
        return;
    }
    result(w, i);
    fprintf(w->out, "%s ", word);
    operand_list(w, i, 2);
    fputs(", ", w->out);
    shuffle_mask(w, i);
}

static void print_extractvalue(struct vc_writer *w, LLVMValueRef i, const char *word)
{
    result(w, i);
    fprintf(w->out, "%s ", word);
    vc_typed(w, operand(i, 0));
    for (unsigned n = 0; n < LLVMGetNumIndices(i); n++)
        fprintf(w->out, ", %u", LLVMGetIndices(i)[n]);
}

static void pointer_suffix(struct vc_writer *w, LLVMValueRef pointer)
{
    fprintf(w->out, " addrspace(%u)*", vc_space(LLVMTypeOf(pointer)));
}

/* `%tN = bitcast i8* POINTER to TYPE*` on a line of its own; returns N. */
static unsigned typed_pointer(struct vc_writer *w, LLVMValueRef pointer, LLVMTypeRef type)
{
    unsigned number = w->temporaries++;
    fprintf(w->out, "%%t%u = bitcast ", number);
    vc_typed(w, pointer);
    fputs(" to ", w->out);
    vc_type(w, type);
    pointer_suffix(w, pointer);
    fputs("\n  ", w->out);
    return number;
}

static void memory_operand(struct vc_writer *w, LLVMValueRef i, LLVMValueRef pointer, LLVMTypeRef type, unsigned number)
{
    vc_type(w, type);
    pointer_suffix(w, pointer);
    fprintf(w->out, " %%t%u, align %u", number, LLVMGetAlignment(i));
}

static void check_plain_access(struct vc_writer *w, LLVMValueRef i)
{
    if (LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic)
        vc_fail(w, "an atomic load or store");
}

static void print_load(struct vc_writer *w, LLVMValueRef i, const char *word)
{
    check_plain_access(w, i);
    unsigned number = typed_pointer(w, operand(i, 0), LLVMTypeOf(i));
    result(w, i);
    fprintf(w->out, "%s %s", word, LLVMGetVolatile(i) ? "volatile " : "");
    vc_type(w, LLVMTypeOf(i));
    fputs(", ", w->out);
    memory_operand(w, i, operand(i, 0), LLVMTypeOf(i), number);
}

static void print_store(struct vc_writer *w, LLVMValueRef i, const char *word)
{
    check_plain_access(w, i);
    LLVMTypeRef type = LLVMTypeOf(operand(i, 0));
    unsigned number = typed_pointer(w, operand(i, 1), type);
    fprintf(w->out, "%s %s", word, LLVMGetVolatile(i) ? "volatile " : "");
    vc_typed(w, operand(i, 0));
    fputs(", ", w->out);
    memory_operand(w, i, operand(i, 1), type, number);
}

/* Returns the type that the indices after the first one lead to. */
static LLVMTypeRef indexed_type(struct vc_writer *w, LLVMValueRef i)
{
    LLVMTypeRef type = LLVMGetGEPSourceElementType(i);
    for (unsigned n = 2; n < (unsigned)LLVMGetNumOperands(i); n++) {
        if (LLVMGetTypeKind(type) == LLVMStructTypeKind)
            type = LLVMStructGetTypeAtIndex(type, (unsigned)LLVMConstIntGetZExtValue(operand(i, n)));
        else if (LLVMGetTypeKind(type) == LLVMArrayTypeKind || LLVMGetTypeKind(type) == LLVMVectorTypeKind)
            type = LLVMGetElementType(type);
        else
            vc_fail(w, "this getelementptr");
    }
    return type;
}

static void print_address(struct vc_writer *w, LLVMValueRef i, const char *word)
{
    LLVMTypeRef source = LLVMGetGEPSourceElementType(i);
    if (LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMPointerTypeKind) {
        vc_fail(w, "a vector of addresses");
        return;
    }
    unsigned base = typed_pointer(w, operand(i, 0), source), element = w->temporaries++;
    fprintf(w->out, "%%t%u = %s %s", element, word, LLVMIsInBounds(i) ? "inbounds " : "");
    vc_type(w, source);
    fputs(", ", w->out);
    vc_type(w, source);
    pointer_suffix(w, i);
    fprintf(w->out, " %%t%u", base);
    for (unsigned n = 1; n < (unsigned)LLVMGetNumOperands(i); n++) {
        fputs(", ", w->out);
        vc_typed(w, operand(i, n));
    }
    fputs("\n  ", w->out);
    result(w, i);
    fputs("bitcast ", w->out);
    vc_type(w, indexed_type(w, i));
    pointer_suffix(w, i);
    fprintf(w->out, " %%t%u to ", element);
    vc_type(w, LLVMTypeOf(i));
}

static void print_alloca(struct vc_writer *w, LLVMValueRef i, const char *word)
{
    unsigned number = w->temporaries++;
    fprintf(w->out, "%%t%u = %s ", number, word);
    vc_type(w, LLVMGetAllocatedType(i));
    fputs(", ", w->out);
    vc_typed(w, operand(i, 0));
    fprintf(w->out, ", align %u\n  ", LLVMGetAlignment(i));
    result(w, i);
    fputs("bitcast ", w->out);
    vc_type(w, LLVMGetAllocatedType(i));
    fprintf(w->out, "* %%t%u to i8*", number);
}

/* A string of LLVM's text. */
static void quoted(struct vc_writer *w, const char *text, size_t length)
{
    fputc('"', w->out);
    for (size_t n = 0; n < length; n++)
        fprintf(w->out, text[n] < ' ' || text[n] == '"' || text[n] == '\\' ? "\\%02X" : "%c", (unsigned char)text[n]);
    fputc('"', w->out);
}

/* The constraint list without clobbers, which come after the operands. */
void vc_constraints(FILE *out, const char *list, size_t length)
{
    const char *clobbers = memchr(list, '~', length);
    if (clobbers)
        length = clobbers > list ? (size_t)(clobbers - list) - 1 : 0;
    for (size_t n = 0; n < length; n++) {
        bool two = n + 1 < length && (list[n] == 'r' || list[n] == 'c') && (list[n + 1] == 'w' || list[n + 1] == 'r');
        fprintf(out, two ? "^%c" : "%c", list[n]);
        if (two)
            fputc(list[++n], out);
    }
}

static void print_assembly(struct vc_writer *w, LLVMValueRef i, const char *word)
{
    struct assembly a;
    size_t length;
    const char *list = LLVMGetInlineAsmConstraintString(LLVMGetCalledValue(i), &length);
    bool effects = LLVMGetInlineAsmHasSideEffects(LLVMGetCalledValue(i));
    if (!assembly_of(i, &a)) {
        vc_fail(w, "this assembly");
        return;
    }
    if (LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMVoidTypeKind)
        result(w, i);
    fprintf(w->out, "%s ", word);
    vc_type(w, LLVMTypeOf(i));
    fprintf(w->out, " asm%s ", effects ? " sideeffect" : "");
    quoted(w, a.text, a.length);
    fputs(", \"", w->out);
    vc_constraints(w->out, list, length);
    fputs("\"(", w->out);
    operand_list(w, i, LLVMGetNumArgOperands(i));
    fputc(')', w->out);
}

static void print_call(struct vc_writer *w, LLVMValueRef i, const char *word)
{
    if (assembly_is(i)) {
        print_assembly(w, i, word);
        return;
    }
    if (function_is_return_marker(i)) {
        print_return_marker(w, i);
        return;
    }
    if (function_is_print(i)) {
        vc_print_printf(w, i);
        return;
    }
    if (function_called(i)) {
        print_function_call(w, i, word);
        return;
    }
    struct vc_intrinsic called;
    if (!vc_intrinsic_of(w, i, &called))
        return;
    if (LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMVoidTypeKind)
        result(w, i);
    fputs(word, w->out);
    flags(w, i);
    fputc(' ', w->out);
    vc_type(w, LLVMTypeOf(i));
    fprintf(w->out, " @%s(", called.name);
    operand_list(w, i, called.operands);
    fputc(')', w->out);
}

static const struct {
    const char *word;
    printer *print;
} table[] = {
    [LLVMRet] = {"ret", print_return},
    [LLVMBr] = {"br", print_branch},
    [LLVMSwitch] = {"switch", print_switch},
    [LLVMUnreachable] = {"unreachable", print_unreachable},
    [LLVMAdd] = {"add", print_binary},
    [LLVMFAdd] = {"fadd", print_binary},
    [LLVMSub] = {"sub", print_binary},
    [LLVMFSub] = {"fsub", print_binary},
    [LLVMMul] = {"mul", print_binary},
    [LLVMFMul] = {"fmul", print_binary},
    [LLVMUDiv] = {"udiv", print_binary},
    [LLVMSDiv] = {"sdiv", print_binary},
    [LLVMFDiv] = {"fdiv", print_binary},
    [LLVMURem] = {"urem", print_binary},
    [LLVMSRem] = {"srem", print_binary},
    [LLVMFRem] = {"frem", print_binary},
    [LLVMShl] = {"shl", print_binary},
    [LLVMLShr] = {"lshr", print_binary},
    [LLVMAShr] = {"ashr", print_binary},
    [LLVMAnd] = {"and", print_binary},
    [LLVMOr] = {"or", print_binary},
    [LLVMXor] = {"xor", print_binary},
    [LLVMFNeg] = {"fneg", print_typed},
    [LLVMAlloca] = {"alloca", print_alloca},
    [LLVMLoad] = {"load", print_load},
    [LLVMStore] = {"store", print_store},
    [LLVMGetElementPtr] = {"getelementptr", print_address},
    [LLVMTrunc] = {"trunc", print_cast},
    [LLVMZExt] = {"zext", print_cast},
    [LLVMSExt] = {"sext", print_cast},
    [LLVMFPToUI] = {"fptoui", print_cast},
    [LLVMFPToSI] = {"fptosi", print_cast},
    [LLVMUIToFP] = {"uitofp", print_cast},
    [LLVMSIToFP] = {"sitofp", print_cast},
    [LLVMFPTrunc] = {"fptrunc", print_cast},
    [LLVMFPExt] = {"fpext", print_cast},
    [LLVMPtrToInt] = {"ptrtoint", print_cast},
    [LLVMIntToPtr] = {"inttoptr", print_cast},
    [LLVMBitCast] = {"bitcast", print_cast},
    [LLVMAddrSpaceCast] = {"addrspacecast", print_cast},
    [LLVMICmp] = {"icmp", print_icmp},
    [LLVMFCmp] = {"fcmp", print_fcmp},
    [LLVMPHI] = {"phi", print_phi},
    [LLVMCall] = {"call", print_call},
    [LLVMSelect] = {"select", print_typed},
    [LLVMExtractElement] = {"extractelement", print_typed},
    [LLVMInsertElement] = {"insertelement", print_typed},
    [LLVMShuffleVector] = {"shufflevector", print_shuffle},
    [LLVMExtractValue] = {"extractvalue", print_extractvalue},
};

static bool is_mark(LLVMValueRef i)
{
    static const char *const prefixes[] = {"llvm.dbg.", "llvm.lifetime.", "llvm.assume", "llvm.experimental.noalias.",
                                           "llvm.donothing"};
    LLVMValueRef function = LLVMIsACallInst(i) ? LLVMIsAFunction(LLVMGetCalledValue(i)) : NULL;
    for (size_t n = 0; function && n < sizeof prefixes / sizeof *prefixes; n++)
        if (strncmp(LLVMGetValueName(function), prefixes[n], strlen(prefixes[n])) == 0)
            return true;
    return false;
}

bool vc_is_silent(LLVMValueRef i)
{
    return is_mark(i) || vc_value(i) != i;
}

void vc_instruction(struct vc_writer *w, LLVMValueRef i)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
    w->at = i;
    if ((size_t)opcode >= sizeof table / sizeof *table || !table[opcode].print) {
        char *text = LLVMPrintValueToString(i);
        vc_fail(w, "'%.200s'", text + strspn(text, " "));
        LLVMDisposeMessage(text);
        return;
    }
    fputs("  ", w->out);
    table[opcode].print(w, i, table[opcode].word);
    fputc('\n', w->out);
}
