/* Lowers messages with explicit descriptors (cm_send and its variants) to raw.send2 and raw.sends2. */
#include "lower/cm/builtins.h"

enum { HOW, COUNTS, MASK, EXTENDED, DESCRIPTOR, FIRST };

/* Indices of a message's operands among the builtin's; 0: none. */
struct parts {
    unsigned second, old;
};

static unsigned bytes_of(LLVMTypeRef type)
{
    return type_lanes(type) * type_element_bytes(type);
}

/* Returns `given` registers, or as many as the value fills if it is 0. More than the value has is an error. */
static bool registers(const struct cm_call *c, LLVMTypeRef type, unsigned given, const char *what, unsigned *out)
{
    unsigned grf = c->platform->grf_bytes, has = (bytes_of(type) + grf - 1) / grf;
    *out = given ? given : has;
    return *out <= has || lower_error(c->instruction, "the message's %s has %u registers, not %u", what, has, *out);
}

static bool check(const struct cm_call *c, unsigned how, unsigned replies)
{
    enum { END = 2, REPLY_AT = 20, REPLY_BITS = 31 };
    int64_t number;
    unsigned lanes = how >> 8;
    if (!constant_int(operand(c, HOW), &number) || !constant_int(operand(c, COUNTS), &number))
        return lower_error(c->instruction,
                           "the shared function, lanes, registers and sendc of a message must be constants");
    if (how & END)
        return lower_error(c->instruction, "a message cannot end the thread: a kernel ends by itself");
    if (lanes == 0 || lanes > 32 || (lanes & (lanes - 1)) != 0)
        return lower_error(
            c->instruction,
            "a message of %u lanes: must be 1, 2, 4, 8, 16 or 32 (of cm_raw_send: their logarithm, 0 to 5)", lanes);
    unsigned has = type_lanes(LLVMTypeOf(operand(c, MASK)));
    if (has != lanes && !LLVMIsConstant(operand(c, MASK)))
        return lower_error(c->instruction, "a message of %u lanes has a mask of %u", lanes, has);
    if (constant_int(operand(c, DESCRIPTOR), &number) && (number >> REPLY_AT & REPLY_BITS) > replies)
        return lower_error(c->instruction, "the descriptor asks for %d registers of reply, there is room for %u",
                           (int)(number >> REPLY_AT & REPLY_BITS), replies);
    return true;
}

/* Returns the mask of the message's lanes. A constant mask that is too short is extended with its first lane. */
static LLVMValueRef message_mask(const struct cm_call *c, unsigned lanes)
{
    LLVMValueRef mask = operand(c, MASK), all[32];
    unsigned has = type_lanes(LLVMTypeOf(mask));
    if (has == lanes)
        return mask_bits(c, mask);
    for (unsigned k = 0; k < lanes; k++) {
        uint64_t bits = 0;
        bool undefined;
        constant_lane(mask, k < has ? k : 0, &bits, &undefined);
        all[k] = LLVMConstInt(int_type(c, 1), bits != 0, false);
    }
    return LLVMConstVector(all, lanes);
}

/* Concatenates both payloads, for messages that take one. NULL after an error. */
static LLVMValueRef joined(const struct cm_call *c, LLVMValueRef a, LLVMValueRef b)
{
    enum { MOST = 2048 };
    LLVMValueRef numbers[MOST];
    LLVMTypeRef i32 = int_type(c, 32);
    unsigned first = bytes_of(LLVMTypeOf(a)), second = bytes_of(LLVMTypeOf(b));
    unsigned words = (first + second) / 4, most = first > second ? first / 4 : second / 4;
    if (first % c->platform->grf_bytes || words > MOST) {
        lower_error(c->instruction, "the first payload of a message in two pieces must fill whole registers");
        return NULL;
    }
    a = LLVMBuildBitCast(c->builder, a, LLVMVectorType(i32, first / 4), "");
    b = LLVMBuildBitCast(c->builder, b, LLVMVectorType(i32, second / 4), "");
    for (unsigned k = 0; k < most; k++)
        numbers[k] = constant_i32(c->module, k);
    LLVMValueRef wide = LLVMConstVector(numbers, most); /* both as long as the longer one */
    LLVMValueRef x = LLVMBuildShuffleVector(c->builder, a, LLVMGetUndef(LLVMTypeOf(a)), wide, "");
    for (unsigned k = 0; k < most; k++)
        numbers[k] = constant_i32(c->module, k < second / 4 ? k : 0);
    LLVMValueRef y =
        LLVMBuildShuffleVector(c->builder, b, LLVMGetUndef(LLVMTypeOf(b)), LLVMConstVector(numbers, most), "");
    for (unsigned k = 0; k < words; k++)
        numbers[k] = constant_i32(c->module, k < first / 4 ? k : most + k - first / 4);
    return LLVMBuildShuffleVector(c->builder, x, y, LLVMConstVector(numbers, words), "");
}

/* Returns the old value of the reply; it matters only if the message leaves some of it. */
static LLVMValueRef old_value(const struct cm_call *c, unsigned at, unsigned replies, LLVMValueRef mask)
{
    LLVMValueRef old = operand(c, at);
    bool covers = replies * c->platform->grf_bytes >= bytes_of(LLVMTypeOf(old));
    return covers && constant_mask_is_full(mask) ? LLVMGetUndef(LLVMTypeOf(old)) : old;
}

static LLVMValueRef number8(const struct cm_call *c, unsigned number)
{
    return LLVMConstInt(int_type(c, 8), number, false);
}

/* Returns the lanes in vISA's encoding, for a message that SIMD control flow does not narrow because its mask is an
 * operand. */
static LLVMValueRef lanes8(const struct cm_call *c, unsigned lanes)
{
    enum { NO_MASK = 0x80 };
    return number8(c, NO_MASK | (unsigned)__builtin_ctz(lanes));
}

/* False after an error: the shared function is a data port from before the load/store cache, which the platform lacks.
 * Intel's compiler (IGC) would pass the message on as it is. */
static bool check_function(const struct cm_call *c)
{
    enum { FUNCTION_BITS = 15 };
    static const char *const gone[] = {[4] = "constant cache",
                                       [5] = "render cache",
                                       [9] = "read-only data port",
                                       [10] = "data port 0",
                                       [12] = "data port 1"};
    int64_t extended;
    if (platform_has(c->platform, FEATURE_OLD_DATA_PORTS) || !constant_int(operand(c, EXTENDED), &extended))
        return true;
    unsigned function = (unsigned)extended & FUNCTION_BITS;
    if (function >= sizeof gone / sizeof *gone || !gone[function])
        return true;
    return lower_error(c->instruction, "%s has no %s (shared function %u)", c->platform->name, gone[function],
                       function);
}

static LLVMValueRef cm_lower_message(const struct cm_call *c, struct parts p)
{
    enum { SENDC = 1, MOST_OPERANDS = 12 };
    unsigned how = constant_operand(c, HOW), counts = constant_operand(c, COUNTS), sent, sent2 = 0, replies = 0,
             count = 0;
    LLVMValueRef first = operand(c, FIRST), second = p.second ? operand(c, p.second) : NULL;
    if (!registers(c, LLVMTypeOf(first), counts & 255, "payload", &sent) ||
        (second && !registers(c, LLVMTypeOf(second), counts >> 8 & 255, "second payload", &sent2)) ||
        (p.old && !registers(c, c->result, counts >> 16, "reply", &replies)) || !check(c, how, replies) ||
        !check_function(c))
        return NULL;
    if (second && how & SENDC) { /* the finalizer's text has that for one payload only */
        first = joined(c, first, second);
        if (!first)
            return NULL;
        sent += sent2;
        second = NULL;
    }
    LLVMValueRef mask = message_mask(c, how >> 8), operands[MOST_OPERANDS];
    operands[count++] = number8(c, how & SENDC);
    operands[count++] = lanes8(c, how >> 8);
    operands[count++] = mask;
    operands[count++] = number8(c, sent);
    if (second)
        operands[count++] = number8(c, sent2);
    if (p.old)
        operands[count++] = number8(c, replies);
    operands[count++] = number8(c, how >> 4 & 15);
    operands[count++] = operand(c, EXTENDED);
    operands[count++] = operand(c, DESCRIPTOR);
    operands[count++] = first;
    if (second)
        operands[count++] = second;
    if (p.old)
        operands[count++] = old_value(c, p.old, replies, mask);
    enum genx_id id = second ? (p.old ? GENX_RAW_SENDS2 : GENX_RAW_SENDS2_NORESULT)
                             : (p.old ? GENX_RAW_SEND2 : GENX_RAW_SEND2_NORESULT);
    return build(c, id, c->result, operands, count);
}

LLVMValueRef cm_lower_raw_send(const struct cm_call *c)
{
    return cm_lower_message(c, (struct parts){0, FIRST + 1});
}
LLVMValueRef cm_lower_raw_send_only(const struct cm_call *c)
{
    return cm_lower_message(c, (struct parts){0, 0});
}
LLVMValueRef cm_lower_raw_sends(const struct cm_call *c)
{
    return cm_lower_message(c, (struct parts){FIRST + 1, FIRST + 2});
}
LLVMValueRef cm_lower_raw_sends_only(const struct cm_call *c)
{
    return cm_lower_message(c, (struct parts){FIRST + 1, 0});
}

/* Builds the gateway's barrier message. Its header has the barrier in dword 2 (IGC, generateNamedBarrier()). */
LLVMValueRef cm_lower_nbarrier_signal(const struct cm_call *c)
{
    enum { GATEWAY = 3, BARRIER = 4, ONE_SENT = 1 << 25, LANES = 16 };
    LLVMTypeRef payload = LLVMVectorType(int_type(c, 32), c->platform->grf_bytes / 4);
    LLVMValueRef on[LANES];
    for (unsigned k = 0; k < LANES; k++)
        on[k] = LLVMConstInt(int_type(c, 1), 1, false);
    LLVMValueRef operands[] = {
        number8(c, 0),
        lanes8(c, LANES),
        LLVMConstVector(on, LANES),
        number8(c, 1),
        number8(c, GATEWAY),
        constant_i32(c->module, GATEWAY),
        constant_i32(c->module, BARRIER | ONE_SENT),
        LLVMBuildInsertElement(c->builder, LLVMConstNull(payload), operand(c, 0), constant_i32(c->module, 2), "")};
    return build(c, GENX_RAW_SEND2_NORESULT, LLVMVoidTypeInContext(LLVMGetModuleContext(c->module)), operands, 8);
}

/* Builds a message of one register to the gateway (PRM, shared functions, message gateway): the operation, and in its
 * first dword the event or the time. */
LLVMValueRef cm_lower_event(const struct cm_call *c)
{
    enum { WAIT = 6, GATEWAY = 3, HEADER = 1 << 19, ONE_REPLY = 1 << 20, ONE_SENT = 1 << 25, LANES = 16, WORDS = 8 };
    unsigned what = constant_operand(c, 0), count = 0;
    bool waits = what == WAIT;
    LLVMTypeRef payload = LLVMVectorType(int_type(c, 32), WORDS);
    LLVMValueRef on[LANES], operands[10], first = constant_i32(c->module, 0);
    for (unsigned k = 0; k < LANES; k++)
        on[k] = LLVMConstInt(int_type(c, 1), 1, false);
    operands[count++] = number8(c, 0);
    operands[count++] = lanes8(c, LANES);
    operands[count++] = LLVMConstVector(on, LANES);
    operands[count++] = number8(c, 1);
    if (waits)
        operands[count++] = number8(c, 1);
    operands[count++] = number8(c, GATEWAY);
    operands[count++] = constant_i32(c->module, GATEWAY);
    operands[count++] = constant_i32(c->module, (int64_t)what | HEADER | ONE_SENT | (waits ? ONE_REPLY : 0));
    operands[count++] = LLVMBuildInsertElement(c->builder, LLVMConstNull(payload), operand(c, 1), first, "");
    if (!waits) {
        build(c, GENX_RAW_SEND2_NORESULT, LLVMVoidTypeInContext(LLVMGetModuleContext(c->module)), operands, count);
        return LLVMConstInt(c->result, 0, false);
    }
    operands[count++] = LLVMGetUndef(payload);
    LLVMValueRef reply = build(c, GENX_RAW_SEND2, payload, operands, count);
    return LLVMBuildExtractElement(c->builder, reply, first, "");
}
