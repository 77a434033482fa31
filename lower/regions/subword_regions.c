/* Turns shift-and-mask extraction of a byte or word into a strided region read:
 *
 *     x & 0xff           the first byte of each lane
 *     (x >> 8) & 0xff    the second one
 *     x >> 16            the upper word
 *     (x << 16) >> 16    the lower word, with its sign
 *
 * Many instructions read such a region directly; for the others one move replaces up to two operations. Scalars are
 * treated alike if they are lanes of a vector that all lanes of another one get. */
#include "lower/ir/operation_info.h"
#include "lower/ir/region.h"
#include "lower/passes.h"
#include "lower/regions/splat_condition.h"

struct field {
    LLVMValueRef number;     /* the number that holds it */
    LLVMValueRef reader;     /* the last user of those */
    unsigned first, bits;    /* its bits there */
    bool is_signed, is_wide; /* how it was widened, and whether */
};

/* Returns the count of a right shift by a constant; 0 for others. */
static unsigned distance_of(LLVMValueRef value)
{
    LLVMOpcode op = LLVMIsABinaryOperator(value) ? LLVMGetInstructionOpcode(value) : LLVMAdd;
    uint64_t distance;
    bool shift = (op == LLVMLShr || op == LLVMAShr) && constant_in_lanes(LLVMGetOperand(value, 1), &distance);
    return shift && distance < type_element_bits(LLVMTypeOf(value)) ? (unsigned)distance : 0;
}

static void look_through(struct field *f)
{
    f->reader = f->number;
    f->number = LLVMGetOperand(f->number, 0);
}

/* True for a left shift whose bits the same right shift brings back: only the low ones are left. */
static bool is_shifted_left(LLVMValueRef value, unsigned distance)
{
    uint64_t left;
    return LLVMIsABinaryOperator(value) && LLVMGetInstructionOpcode(value) == LLVMShl &&
           constant_in_lanes(LLVMGetOperand(value, 1), &left) && left == distance;
}

/* Finds the bits that `value` extracts from a number. */
static bool taken_bits(LLVMValueRef value, struct field *f)
{
    unsigned bits = type_element_bits(LLVMTypeOf(value));
    uint64_t mask;
    *f = (struct field){.number = value, .reader = value, .bits = bits, .is_wide = true};
    switch (LLVMGetInstructionOpcode(value)) {
    case LLVMAnd:
        if (!constant_in_lanes(LLVMGetOperand(value, 1), &mask) || (mask != UINT8_MAX && mask != UINT16_MAX))
            return false;
        f->bits = mask == UINT8_MAX ? 8 : 16;
        look_through(f);
        break;
    case LLVMTrunc:
        f->is_wide = false;
        look_through(f);
        if (!distance_of(f->number) && (type_lanes(LLVMTypeOf(value)) > 1 || !region_is_read(f->number)))
            return false; /* read in place anyway */
        break;
    case LLVMLShr:
    case LLVMAShr:
        f->is_signed = LLVMGetInstructionOpcode(value) == LLVMAShr;
        f->bits = bits - distance_of(value);
        if (distance_of(value) && is_shifted_left(LLVMGetOperand(value, 0), distance_of(value))) {
            look_through(f);
            look_through(f);
        }
        break;
    default: return false;
    }
    f->first = distance_of(f->number);
    if (f->first)
        look_through(f);
    return true;
}

/* True for contiguous lanes in a register: instructions that read a byte of each can have as many lanes as before. */
static bool is_row(LLVMValueRef read)
{
    struct region region;
    unsigned lanes = type_lanes(LLVMTypeOf(read));
    return region_of_call(read, &region) &&
           region_run(&region, lanes, type_element_bytes(LLVMTypeOf(read)), 0) == lanes;
}

/* True for an aligned byte or word of a number that is in a register. */
static bool is_field(LLVMValueRef value, struct field *f)
{
    if (!taken_bits(value, f) || (f->bits != 8 && f->bits != 16) || f->first % f->bits != 0)
        return false;
    while (LLVMIsAZExtInst(f->number) || LLVMIsASExtInst(f->number) || LLVMIsATruncInst(f->number))
        look_through(f);
    unsigned bits = type_element_bits(LLVMTypeOf(f->number)), result = type_element_bits(LLVMTypeOf(value));
    return !LLVMIsConstant(f->number) && !type_is_mask(LLVMTypeOf(f->number)) && bits <= 32 && bits > f->bits &&
           f->first + f->bits <= bits && (!f->is_wide || result > f->bits) &&
           (!region_is_read(f->number) || is_row(f->number));
}

/* True if a masked operation or a select absorbs the mask or shift, but not a move. */
static bool is_chosen(LLVMValueRef value)
{
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use))
        if (LLVMIsASelectInst(LLVMGetUser(use)))
            return true;
    return false;
}

static LLVMValueRef read_field(LLVMBuilderRef builder, LLVMModuleRef module, LLVMTypeRef wide, const struct field *f)
{
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMTypeRef element = LLVMIntTypeInContext(context, f->bits);
    unsigned bytes = type_element_bytes(LLVMTypeOf(f->number));
    struct region region = {0, type_lanes(wide), 0, (int)bytes};
    LLVMValueRef from = f->number;
    if (region_is_read(from)) {
        region_of_call(from, &region);
        from = LLVMGetOperand(from, 0);
    }
    LLVMPositionBuilderBefore(builder, from == f->number ? f->reader : f->number); /* later it may be overwritten */
    region.offset += (int)f->first / 8;
    unsigned lanes = type_lanes(LLVMTypeOf(from)) * type_element_bytes(LLVMTypeOf(from)) / (f->bits / 8);
    LLVMValueRef parts = LLVMBuildBitCast(builder, from, LLVMVectorType(element, lanes), "");
    return region_build_read(builder, module, type_like(wide, element), parts, &region, NULL);
}

/* Lets truncations, conversions to float, and further extensions, read the field in its narrow type. */
static void convert_narrow(LLVMBuilderRef builder, LLVMValueRef value, LLVMValueRef part, bool is_signed)
{
    for (LLVMUseRef use = LLVMGetFirstUse(value), next; use; use = next) {
        LLVMValueRef user = LLVMGetUser(use);
        next = LLVMGetNextUse(use);
        LLVMPositionBuilderBefore(builder, user);
        if (ir_undoes_extension(user, type_element(LLVMTypeOf(part)))) {
            LLVMReplaceAllUsesWith(user, ir_truncated(builder, part, LLVMTypeOf(user)));
            continue;
        }
        bool extends = LLVMIsASExtInst(user) || (!is_signed && LLVMIsAZExtInst(user));
        if (!extends && !LLVMIsASIToFPInst(user) && (is_signed || !LLVMIsAUIToFPInst(user)))
            continue;
        LLVMOpcode op = extends ? (is_signed ? LLVMSExt : LLVMZExt) : is_signed ? LLVMSIToFP : LLVMUIToFP;
        LLVMReplaceAllUsesWith(user, LLVMBuildCast(builder, op, part, LLVMTypeOf(user), ""));
    }
}

/* True for a scalar that is put into all lanes of vectors, perhaps widened first. Indices and addresses of many lanes
 * are better computed together (slp_vectorize.c). */
static bool reaches_splats(LLVMValueRef scalar)
{
    LLVMUseRef use = LLVMGetFirstUse(scalar);
    LLVMValueRef user = LLVMGetUser(use);
    bool widened = !LLVMGetNextUse(use) && (LLVMIsAZExtInst(user) || LLVMIsASExtInst(user));
    return regions_is_only_splatted(widened ? user : scalar);
}

bool pass_subword_regions(LLVMModuleRef module, const struct lower_options *options)
{
    (void)options;
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    FOR_EACH_FUNCTION(kernel, module)
    FOR_EACH_BLOCK(block, kernel)
    FOR_EACH_REMOVABLE(i, block)
    {
        struct field f;
        LLVMTypeRef type = LLVMTypeOf(i);
        bool vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
        if ((!vector && LLVMGetTypeKind(type) != LLVMIntegerTypeKind) || type_is_float(type) || !LLVMGetFirstUse(i) ||
            type_is_mask(type) || !is_field(i, &f) || (!vector && !(region_is_read(f.number) && reaches_splats(i))) ||
            is_chosen(i))
            continue;
        LLVMValueRef part = read_field(builder, module, type, &f);
        if (f.is_wide) /* otherwise the users choose the sign */
            convert_narrow(builder, i, part, f.is_signed);
        LLVMPositionBuilderBefore(builder, i);
        LLVMReplaceAllUsesWith(i, !f.is_wide    ? part
                                  : f.is_signed ? LLVMBuildSExt(builder, part, type, "")
                                                : LLVMBuildZExt(builder, part, type, ""));
        LLVMInstructionEraseFromParent(i);
    }
    LLVMDisposeBuilder(builder);
    return true;
}
