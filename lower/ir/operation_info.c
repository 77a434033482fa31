/* Classifies LLVM instructions by the vISA operation that they become: see operation_info.h. */
#include "lower/ir/operation_info.h"

#include "lower/ir/region.h"

static const struct {
    enum genx_select_class class;
    enum visa_opcode op;
} intrinsics[GENX_COUNT] = {
#define GENX(ID, NAME, OVERLOADS, EFFECT, SELECT, OP, WHOLE, KIND, OLD, MASK)                                          \
    [GENX_##ID] = {SELECT_##SELECT, VISA_OP_##OP},
#include "tables/genx_intrinsics.def"
#undef GENX
};

enum genx_select_class genx_select_class(enum genx_id id)
{
    return intrinsics[id].class;
}

enum visa_opcode genx_operation(enum genx_id id)
{
    return intrinsics[id].op;
}

const struct ir_llvm_function *ir_llvm_function_of(LLVMValueRef call)
{
    static const struct ir_llvm_function functions[] = {
        {"llvm.smin.", VISA_OP_MIN, 'S', 2, 0},
        {"llvm.smax.", VISA_OP_MAX, 'S', 2, 0},
        {"llvm.umin.", VISA_OP_MIN, 'U', 2, 0},
        {"llvm.umax.", VISA_OP_MAX, 'U', 2, 0},
        {"llvm.minnum.", VISA_OP_MIN, 'F', 2, 0},
        {"llvm.maxnum.", VISA_OP_MAX, 'F', 2, 0},
        {"llvm.abs.", VISA_OP_MOV, 'S', 1, VISA_MODIFIER_ABSOLUTE},
        {"llvm.fabs.", VISA_OP_MOV, 'F', 1, VISA_MODIFIER_ABSOLUTE},
        {"llvm.ctpop.", VISA_OP_CBIT, 'U', 1, 0},
        {"llvm.bitreverse.", VISA_OP_BFREV, 'U', 1, 0},
        {"llvm.ctlz.", VISA_OP_LZD, 'U', 1, 0},
        {"llvm.fma.", VISA_OP_MAD, 'F', 3, 0},
    };
    if (!LLVMIsACallInst(call) || genx_call_id(call) != GENX_NONE) /* fast: no names are read */
        return NULL;
    for (size_t k = 0; k < sizeof functions / sizeof *functions; k++)
        if (ir_calls_named(call, functions[k].prefix))
            return &functions[k];
    return NULL;
}

/* ---- arithmetic ---- */

bool ir_is_alu_call(LLVMValueRef call)
{
    return genx_is(genx_call_id(call), KIND_ALU) || ir_llvm_function_of(call);
}

bool ir_is_complement(LLVMValueRef i)
{
    uint64_t ones;
    struct region r;
    if (!LLVMIsABinaryOperator(i) || LLVMGetInstructionOpcode(i) != LLVMXor || type_is_mask(LLVMTypeOf(i)))
        return false;
    unsigned bits = type_element_bits(LLVMTypeOf(i));
    LLVMValueRef x = LLVMGetOperand(i, 0);
    return (bits == 16 || bits == 32) && constant_in_lanes(LLVMGetOperand(i, 1), &ones) && ones == (1ull << bits) - 1 &&
           !LLVMIsACastInst(x) && (!region_is_read(x) || region_of_call(x, &r));
}

bool ir_takes_predicate(LLVMValueRef operation)
{
    enum genx_id id = genx_call_id(operation);
    const struct ir_llvm_function *function = ir_llvm_function_of(operation);
    enum visa_opcode op = id != GENX_NONE ? intrinsics[id].op : function ? function->op : VISA_OP_MOV;
    return op != VISA_OP_MIN && op != VISA_OP_MAX && !LLVMIsASelectInst(operation) && !ir_is_limited(operation);
}

/* A sum of four products and a number, which wraps around as a sum does. */
static bool is_dot_product(LLVMValueRef call)
{
    enum genx_id id = genx_call_id(call);
    return id != GENX_NONE && genx_select_class(id) == SELECT_dot;
}

/* True for a part of a vector that is read or written at a run-time offset. The finalizer leaves the variable of such a
 * vector in its registers. */
static bool is_addressed(LLVMValueRef value)
{
    struct region region;
    return (region_is_read(value) || region_is_write(value)) && !region_of_call(value, &region);
}

bool ir_may_have_wrapped(LLVMValueRef value, unsigned depth)
{
    enum { MOST_DEPTH = 6 };
    if (!LLVMIsAInstruction(value) || depth > MOST_DEPTH || is_addressed(value))
        return false;
    switch (LLVMGetInstructionOpcode(value)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
    case LLVMTrunc: return true;
    case LLVMSExt: /* which are moves too */
    case LLVMZExt:
    case LLVMBitCast:
    case LLVMExtractElement:
    case LLVMShuffleVector: return ir_may_have_wrapped(LLVMGetOperand(value, 0), depth + 1);
    case LLVMInsertElement:
        return ir_may_have_wrapped(LLVMGetOperand(value, 0), depth + 1) ||
               ir_may_have_wrapped(LLVMGetOperand(value, 1), depth + 1);
    case LLVMCall:
        if (region_is_read(value) || region_is_write(value))
            return ir_may_have_wrapped(LLVMGetOperand(value, 0), depth + 1) ||
                   (region_is_write(value) && ir_may_have_wrapped(LLVMGetOperand(value, 1), depth + 1));
        return ir_is_alu_call(value) || is_dot_product(value);
    default: return false;
    }
}

bool ir_saturates_wrapped(LLVMValueRef conversion)
{
    return is_saturation(genx_call_id(conversion)) && ir_may_have_wrapped(LLVMGetOperand(conversion, 0), 0);
}

bool ir_is_limited(LLVMValueRef conversion)
{
    return ir_saturates_wrapped(conversion) && type_element_bits(LLVMTypeOf(LLVMGetOperand(conversion, 0))) <= 32;
}

bool ir_has_int64_operation(const struct platform *platform, LLVMValueRef i)
{
    if (platform_has(platform, FEATURE_NATIVE_INT64))
        return true;
    if (!platform_has(platform, FEATURE_INT64_ADD) || !LLVMIsABinaryOperator(i))
        return false;
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr: return true;
    default: return false;
    }
}

bool ir_undoes_extension(LLVMValueRef user, LLVMTypeRef narrow)
{
    return LLVMIsATruncInst(user) && type_element_bits(LLVMTypeOf(user)) <= type_element_bits(narrow);
}

LLVMValueRef ir_truncated(LLVMBuilderRef builder, LLVMValueRef number, LLVMTypeRef type)
{
    return LLVMTypeOf(number) == type ? number : LLVMBuildTrunc(builder, number, type, "");
}

bool ir_extends_bytes(LLVMValueRef value)
{
    return (LLVMIsAZExtInst(value) || LLVMIsASExtInst(value)) &&
           type_element_bits(LLVMTypeOf(LLVMGetOperand(value, 0))) == 8;
}

bool ir_exchanges_sources(enum visa_opcode op)
{
    switch (op) {
    case VISA_OP_ADD:
    case VISA_OP_AND:
    case VISA_OP_OR:
    case VISA_OP_XOR:
    case VISA_OP_MUL:
    case VISA_OP_AVG:
    case VISA_OP_CMP: return true;
    default: return false;
    }
}

/* ---- moves and regions ---- */

LLVMValueRef ir_renamed_operand(LLVMValueRef i)
{
    LLVMTypeRef type = LLVMTypeOf(i);
    if (LLVMIsABitCastInst(i) || LLVMIsAFreezeInst(i) || LLVMIsAPtrToIntInst(i) || LLVMIsAIntToPtrInst(i)) {
        LLVMValueRef o = LLVMGetOperand(i, 0);
        bool mask = type_is_mask(type) != type_is_mask(LLVMTypeOf(o));
        bool size =
            type_element_bits(type) * type_lanes(type) != type_element_bits(LLVMTypeOf(o)) * type_lanes(LLVMTypeOf(o));
        return mask || size ? NULL : o;
    }
    if (LLVMIsAInsertElementInst(i) && type_lanes(type) == 1 && !type_is_mask(type))
        return LLVMGetOperand(i, 1);
    if (LLVMIsAExtractElementInst(i) && type_lanes(LLVMTypeOf(LLVMGetOperand(i, 0))) == 1 && !type_is_mask(type))
        return LLVMGetOperand(i, 0);
    return NULL;
}

bool ir_is_indirect_read(LLVMValueRef i)
{
    struct region r;
    return region_is_read(i) && !region_of_call(i, &r);
}

bool ir_is_displaced(LLVMValueRef offset)
{
    LLVMTypeRef type = LLVMTypeOf(offset);
    if (!LLVMIsABinaryOperator(offset) || type_is_float(type) || type_element_bits(type) != 16)
        return false;
    LLVMOpcode op = LLVMGetInstructionOpcode(offset);
    LLVMValueRef constant = LLVMGetOperand(offset, 1);
    uint64_t first, bits;
    bool undefined, same = (op == LLVMAdd || (op == LLVMOr && LLVMGetIsDisjoint(offset))) && LLVMIsConstant(constant) &&
                           !LLVMIsConstant(LLVMGetOperand(offset, 0)) && constant_lane(constant, 0, &first, &undefined);
    for (unsigned k = 1; same && k < type_lanes(type); k++)
        same = constant_lane(constant, k, &bits, &undefined) && bits == first;
    return same;
}

LLVMValueRef ir_partly_overwritten(LLVMValueRef user)
{
    int operand = genx_old_operand(genx_call_id(user));
    LLVMValueRef old = operand < 0 ? NULL : LLVMGetOperand(user, (unsigned)operand);
    if (region_is_write(user) || (LLVMIsAInsertElementInst(user) && !ir_renamed_operand(user)))
        old = LLVMGetOperand(user, 0);
    return old && !LLVMIsUndef(old) && !LLVMIsPoison(old) ? old : NULL;
}

/* ---- messages ---- */

bool ir_is_atomic(LLVMValueRef value)
{
    enum genx_id id = genx_call_id(value);
    return genx_is(id, KIND_BUFFER_ATOMIC) || genx_is(id, KIND_FLAT_ATOMIC);
}

unsigned ir_atomic_lanes(LLVMValueRef atomic)
{
    return genx_is(genx_call_id(atomic), KIND_FLAT_ATOMIC) ? 8 : 16;
}

bool ir_is_one_atomic(LLVMValueRef value)
{
    return ir_is_atomic(value) && type_lanes(LLVMTypeOf(value)) <= ir_atomic_lanes(value);
}

bool ir_has_channel_mask(LLVMValueRef message, unsigned operand)
{
    return genx_mask_operand(genx_call_id(message)) == (int)operand;
}

bool ir_is_lsc_block(LLVMValueRef access)
{
    enum { ORDER = 8, TRANSPOSED = 2 }; /* operand of the lsc.* intrinsics and its value */
    return constant_of(access, ORDER) == TRANSPOSED;
}

bool ir_is_lsc_block_read(LLVMValueRef value)
{
    return genx_is(genx_call_id(value), KIND_TRANSPOSED_READ) && ir_is_lsc_block(value);
}

bool ir_is_block_read(LLVMValueRef value)
{
    return genx_is(genx_call_id(value), KIND_BLOCK_READ) || ir_is_lsc_block_read(value);
}

bool ir_is_lsc_gather(LLVMValueRef value)
{
    enum { MOST = 16 }; /* lanes of a message */
    enum genx_id id = genx_call_id(value);
    return id >= GENX_LSC_LOAD_STATELESS && id <= GENX_LSC_LOAD_SLM && !ir_is_lsc_block(value) &&
           type_lanes(LLVMTypeOf(LLVMGetOperand(value, 0))) <= MOST;
}

bool ir_is_matrix_product(LLVMValueRef i)
{
    return genx_select_class(genx_call_id(i)) == SELECT_matrix;
}
