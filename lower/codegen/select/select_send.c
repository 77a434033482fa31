/* Selects messages with explicit descriptors: raw.send2 and raw.sends2, with and without a reply. */
#include "lower/codegen/select/select.h"

/* Operands: modifier, lanes (a power of two, 0x80: no mask), mask, registers sent (of the second payload too),
 * received, shared function, extended descriptor, descriptor, payloads, old value. */
bool select_send(struct selection *s, LLVMValueRef i)
{
    enum { MODIFIER, LANES, MASK, COUNTS, SENDC = 1 };
    enum genx_id id = genx_call_id(i);
    bool split = id == GENX_RAW_SENDS2 || id == GENX_RAW_SENDS2_NORESULT;
    bool reply = id == GENX_RAW_SEND2 || id == GENX_RAW_SENDS2;
    if (!split && !reply && id != GENX_RAW_SEND2_NORESULT)
        return false;
    unsigned next = COUNTS, sent = (unsigned)constant_of(i, next++),
             sent2 = split ? (unsigned)constant_of(i, next++) : 0;
    unsigned received = reply ? (unsigned)constant_of(i, next++) : 0, function = (unsigned)constant_of(i, next++);
    LLVMValueRef extended = LLVMGetOperand(i, next++), descriptor = LLVMGetOperand(i, next++);
    bool predicated = !constant_mask_is_full(LLVMGetOperand(i, MASK));
    int64_t bits = 0;
    struct visa_instruction m = {.exec_size = (uint8_t)(1u << (constant_of(i, LANES) & 15)), .no_mask = true};
    if (!constant_int(extended, &bits) && !split)
        return cg_fail(s, i, "the extended descriptor of a message with one payload must be a constant");
    m.op = split ? VISA_OP_RAW_SENDS : constant_of(i, MODIFIER) & SENDC ? VISA_OP_RAW_SENDC : VISA_OP_RAW_SEND;
    if (reply && (predicated || ir_partly_overwritten(i)))
        select_keep_old_lanes(s, i, NULL);
    if (predicated)
        m.predicate.variable = operand_mask_variable(s, LLVMGetOperand(i, MASK));
    m.src[0] = select_payload_value(s, LLVMGetOperand(i, next++));
    if (split) {
        m.attr[0] = (int)function, m.attr[1] = (int)sent, m.attr[2] = (int)sent2, m.attr[3] = (int)received;
        m.src[1] = select_payload_value(s, LLVMGetOperand(i, next++));
        m.src[2] = select_message_scalar(s, extended);
        m.src[3] = select_message_scalar(s, descriptor);
    } else {
        m.attr[0] = (int)((bits & ~15) | function), m.attr[1] = (int)sent, m.attr[2] = (int)received;
        m.src[1] = select_message_scalar(s, descriptor);
    }
    m.dst = cg_raw_operand(s, reply ? operand_value_variable(s, i) : VISA_NULL, 0);
    s->out->uses_stateless = true; /* it may be: descriptors are not analysed */
    cg_emit(s, &m);
    return true;
}
