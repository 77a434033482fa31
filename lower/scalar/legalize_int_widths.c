/* Widens integers of sizes that no platform has, such as i2, to the next legal size with zero high bits. LLVM's loop
 * analysis creates them: it computes `x & 3` as a 2-bit number. */
#include "lower/ir/ir.h"
#include "lower/passes.h"

struct odd {
    LLVMBuilderRef builder;
    struct pointer_map widened;
    bool failed;
};

static unsigned size_for(unsigned bits)
{
    unsigned size = 8;
    while (size < bits)
        size *= 2;
    return size;
}

static bool is_odd(LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind)
        return false;
    unsigned bits = LLVMGetIntTypeWidth(type);
    return bits > 1 && bits < 64 && bits != size_for(bits);
}

static LLVMTypeRef type_for(LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    return LLVMIntTypeInContext(LLVMGetTypeContext(type), size_for(LLVMGetIntTypeWidth(type)));
}

static LLVMValueRef widened(struct odd *o, LLVMValueRef value);

/* Clears the bits above the width of `like`. */
static LLVMValueRef masked(struct odd *o, LLVMValueRef wide, LLVMValueRef like)
{
    uint64_t mask = ((uint64_t)1 << LLVMGetIntTypeWidth(LLVMTypeOf(like))) - 1;
    return LLVMBuildAnd(o->builder, wide, LLVMConstInt(LLVMTypeOf(wide), mask, false), "");
}

/* Sign-extends the number within its wider type. */
static LLVMValueRef with_sign(struct odd *o, LLVMValueRef value)
{
    LLVMValueRef wide = widened(o, value);
    if (!is_odd(value))
        return wide;
    LLVMTypeRef type = LLVMTypeOf(wide);
    LLVMValueRef above = LLVMConstInt(type, LLVMGetIntTypeWidth(type) - LLVMGetIntTypeWidth(LLVMTypeOf(value)), false);
    return LLVMBuildAShr(o->builder, LLVMBuildShl(o->builder, wide, above, ""), above, "");
}

static LLVMValueRef resized(struct odd *o, LLVMValueRef number, LLVMTypeRef type, bool is_signed)
{
    return LLVMBuildIntCast2(o->builder, number, type, is_signed, "");
}

static LLVMValueRef compared(struct odd *o, LLVMIntPredicate predicate, LLVMValueRef a, LLVMValueRef b)
{
    bool is_signed = predicate >= LLVMIntSGT;
    LLVMValueRef x = is_signed ? with_sign(o, a) : widened(o, a), y = is_signed ? with_sign(o, b) : widened(o, b);
    return LLVMBuildICmp(o->builder, predicate, x, y, "");
}

static LLVMValueRef extreme(struct odd *o, LLVMValueRef call)
{
    LLVMIntPredicate first;
    if (!ir_is_extreme(call, &first))
        return NULL;
    LLVMValueRef a = LLVMGetOperand(call, 0), b = LLVMGetOperand(call, 1);
    return LLVMBuildSelect(o->builder, compared(o, first, a, b), widened(o, a), widened(o, b), "");
}

/* Returns bytes that an odd number has, or had: the first `count` of a vector of bytes, and zeros behind them. */
static LLVMValueRef bytes_of(struct odd *o, LLVMValueRef bytes, unsigned count)
{
    enum { MOST = 8 };
    LLVMValueRef lanes[MOST];
    LLVMTypeRef i32 = LLVMInt32TypeInContext(LLVMGetTypeContext(LLVMTypeOf(bytes)));
    unsigned known = LLVMGetVectorSize(LLVMTypeOf(bytes));
    for (unsigned k = 0; k < count; k++)
        lanes[k] = LLVMConstInt(i32, k < known ? k : known, false);
    LLVMValueRef zeros = LLVMConstNull(LLVMTypeOf(bytes));
    return LLVMBuildShuffleVector(o->builder, bytes, zeros, LLVMConstVector(lanes, count), "");
}

static bool is_bytes(LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind && type_element_bits(type) == 8;
}

/* Returns the number of a vector of one odd number, which is made of bytes; NULL: the vector is another one. */
static LLVMValueRef bytes_of_single(struct odd *o, LLVMValueRef vector, LLVMTypeRef wide)
{
    LLVMValueRef bytes = LLVMIsABitCastInst(vector) ? LLVMGetOperand(vector, 0) : NULL;
    if (!bytes || !is_bytes(bytes))
        return NULL;
    return LLVMBuildBitCast(o->builder, bytes_of(o, bytes, LLVMGetIntTypeWidth(wide) / 8), wide, "");
}

/* The bytes that a number of whole bytes has in memory, such as those of a bit-field; NULL: it has others. */
static LLVMTypeRef memory_type(LLVMValueRef value)
{
    enum { BITS = 8 };
    LLVMTypeRef type = LLVMTypeOf(value);
    unsigned bits = LLVMGetIntTypeWidth(type);
    return bits % BITS == 0 ? LLVMVectorType(LLVMInt8TypeInContext(LLVMGetTypeContext(type)), bits / BITS) : NULL;
}

static LLVMValueRef loaded(struct odd *o, LLVMValueRef load, LLVMTypeRef wide)
{
    LLVMTypeRef type = memory_type(load);
    if (!type)
        return NULL;
    LLVMValueRef bytes = LLVMBuildLoad2(o->builder, type, LLVMGetOperand(load, 0), "");
    LLVMSetAlignment(bytes, 1);
    return LLVMBuildBitCast(o->builder, bytes_of(o, bytes, LLVMGetIntTypeWidth(wide) / 8), wide, "");
}

/* Returns the instruction in the wider type; NULL: not possible. */
static LLVMValueRef widened_instruction(struct odd *o, LLVMValueRef i)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    LLVMTypeRef type = type_for(i);
    LLVMValueRef a = LLVMGetNumOperands(i) > 0 ? LLVMGetOperand(i, 0) : NULL,
                 b = LLVMGetNumOperands(i) > 1 ? LLVMGetOperand(i, 1) : NULL, x, y;
    switch (op) {
    case LLVMTrunc: return masked(o, resized(o, widened(o, a), type, false), i);
    case LLVMZExt: return resized(o, widened(o, a), type, false);
    case LLVMSExt: return masked(o, resized(o, with_sign(o, a), type, true), i);
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMLShr:
    case LLVMUDiv:
    case LLVMURem: x = widened(o, a), y = widened(o, b); return LLVMBuildBinOp(o->builder, op, x, y, "");
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl: x = widened(o, a), y = widened(o, b); return masked(o, LLVMBuildBinOp(o->builder, op, x, y, ""), i);
    case LLVMAShr:
    case LLVMSDiv:
    case LLVMSRem:
        x = with_sign(o, a), y = op == LLVMAShr ? widened(o, b) : with_sign(o, b);
        return masked(o, LLVMBuildBinOp(o->builder, op, x, y, ""), i);
    case LLVMSelect:
        x = widened(o, b), y = widened(o, LLVMGetOperand(i, 2));
        return LLVMBuildSelect(o->builder, a, x, y, "");
    case LLVMFreeze: return LLVMBuildFreeze(o->builder, widened(o, a), "");
    case LLVMCall: return extreme(o, i);
    case LLVMLoad: return loaded(o, i, type);
    case LLVMExtractElement: return bytes_of_single(o, a, type);
    case LLVMBitCast:
        return is_bytes(a) ? LLVMBuildBitCast(o->builder, bytes_of(o, a, LLVMGetIntTypeWidth(type) / 8), type, "")
                           : NULL;
    default: return NULL;
    }
}

static LLVMValueRef widened_phi(struct odd *o, LLVMValueRef phi)
{
    LLVMPositionBuilderBefore(o->builder, phi);
    LLVMValueRef wide = LLVMBuildPhi(o->builder, type_for(phi), "");
    pointer_map_set(&o->widened, phi, (size_t)wide); /* it may be its own operand's */
    for (unsigned k = 0; k < LLVMCountIncoming(phi); k++) {
        LLVMValueRef value = widened(o, LLVMGetIncomingValue(phi, k));
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, k);
        LLVMAddIncoming(wide, &value, &from, 1);
    }
    return wide;
}

/* Returns the widened value; `value` itself if its size is legal. */
static LLVMValueRef widened(struct odd *o, LLVMValueRef value)
{
    size_t known;
    if (!is_odd(value))
        return value;
    if (LLVMIsAConstantInt(value))
        return LLVMConstInt(type_for(value), LLVMConstIntGetZExtValue(value), false);
    if (LLVMIsConstant(value) || !LLVMIsAInstruction(value))
        return LLVMGetUndef(type_for(value));
    if (pointer_map_get(&o->widened, value, &known))
        return (LLVMValueRef)known;
    if (LLVMIsAPHINode(value))
        return widened_phi(o, value);
    LLVMBuilderRef outer = o->builder;
    o->builder = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(value)));
    LLVMPositionBuilderBefore(o->builder, value);
    LLVMValueRef wide = widened_instruction(o, value);
    LLVMDisposeBuilder(o->builder);
    o->builder = outer;
    if (!wide) {
        o->failed = true;
        lower_error(value, "an integer of %u bits: platforms have 8, 16, 32 and 64",
                    LLVMGetIntTypeWidth(LLVMTypeOf(value)));
        wide = LLVMGetUndef(type_for(value));
    }
    pointer_map_set(&o->widened, value, (size_t)wide);
    return wide;
}

/* ---- users ---- */

static void widen_cases(struct odd *o, LLVMValueRef i)
{
    LLVMSetOperand(i, 0, widened(o, LLVMGetOperand(i, 0)));
    for (unsigned k = 2; k < (unsigned)LLVMGetNumOperands(i); k += 2)
        LLVMSetOperand(i, k, widened(o, LLVMGetOperand(i, k)));
}

/* Returns the bytes of an odd number. */
static LLVMValueRef narrowed(struct odd *o, LLVMValueRef number, LLVMTypeRef bytes)
{
    enum { MOST = 8, BITS = 8 };
    LLVMValueRef lanes[MOST];
    if (LLVMIsAConstantInt(number)) {
        for (unsigned k = 0; k < LLVMGetVectorSize(bytes); k++)
            lanes[k] = LLVMConstInt(LLVMGetElementType(bytes), LLVMConstIntGetZExtValue(number) >> (BITS * k), false);
        return LLVMConstVector(lanes, LLVMGetVectorSize(bytes));
    }
    LLVMTypeRef all = LLVMVectorType(LLVMGetElementType(bytes), LLVMGetIntTypeWidth(type_for(number)) / 8);
    return bytes_of(o, LLVMBuildBitCast(o->builder, widened(o, number), all, ""), LLVMGetVectorSize(bytes));
}

static LLVMValueRef stored(struct odd *o, LLVMValueRef store, LLVMValueRef bytes)
{
    LLVMValueRef made = LLVMBuildStore(o->builder, bytes, LLVMGetOperand(store, 1));
    LLVMSetAlignment(made, 1);
    return made;
}

/* Returns the first operand of an instruction; of a vector of one number, which LLVM makes of bytes, the number. */
static LLVMValueRef read_number(LLVMValueRef i)
{
    LLVMValueRef a = LLVMGetOperand(i, 0);
    bool is_single =
        LLVMIsABitCastInst(i) && is_bytes(i) && LLVMIsAInsertElementInst(a) && LLVMGetVectorSize(LLVMTypeOf(a)) == 1;
    return is_single ? LLVMGetOperand(a, 1) : a;
}

/* Widens an operand of an instruction with a legal type. */
static void widen_operand(struct odd *o, LLVMValueRef i)
{
    LLVMTypeRef type = LLVMTypeOf(i);
    LLVMValueRef a = read_number(i), now = NULL;
    LLVMPositionBuilderBefore(o->builder, i);
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMZExt:
    case LLVMTrunc: now = resized(o, widened(o, a), type, false); break;
    case LLVMSExt: now = resized(o, with_sign(o, a), type, true); break;
    case LLVMUIToFP: now = LLVMBuildUIToFP(o->builder, widened(o, a), type, ""); break;
    case LLVMSIToFP: now = LLVMBuildSIToFP(o->builder, with_sign(o, a), type, ""); break;
    case LLVMICmp: now = compared(o, LLVMGetICmpPredicate(i), a, LLVMGetOperand(i, 1)); break;
    case LLVMSwitch: widen_cases(o, i); return;
    case LLVMBitCast: now = is_bytes(i) ? narrowed(o, a, type) : NULL; break;
    case LLVMStore: now = memory_type(a) ? stored(o, i, narrowed(o, a, memory_type(a))) : NULL; break;
    default: break;
    }
    if (!now) {
        o->failed = true;
        lower_error(i, "an operation on an integer of %u bits: platforms have 8, 16, 32 and 64",
                    LLVMGetIntTypeWidth(LLVMTypeOf(a)));
        return;
    }
    if (!LLVMIsAStoreInst(i))
        LLVMReplaceAllUsesWith(i, now);
    LLVMInstructionEraseFromParent(i);
}

static void erase_odd(LLVMValueRef function)
{
    FOR_EACH_BLOCK(block, function)
    FOR_EACH_REMOVABLE(i, block)
    if (is_odd(i)) {
        LLVMReplaceAllUsesWith(i, LLVMGetUndef(LLVMTypeOf(i)));
        LLVMInstructionEraseFromParent(i);
    }
}

static bool reads_odd(LLVMValueRef i)
{
    return !is_odd(i) && LLVMGetNumOperands(i) > 0 && is_odd(read_number(i));
}

bool pass_legalize_int_widths(LLVMModuleRef module, const struct lower_options *options)
{
    (void)options;
    struct odd o = {.builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module))};
    FOR_EACH_FUNCTION(f, module)
    FOR_EACH_BLOCK(block, f)
    FOR_EACH_REMOVABLE(i, block)
    if (reads_odd(i))
        widen_operand(&o, i);
    if (o.widened.count)
        FOR_EACH_FUNCTION(f, module)
    erase_odd(f);
    pointer_map_free(&o.widened);
    LLVMDisposeBuilder(o.builder);
    return !o.failed;
}
