/* Selects matrix products: dpas2 (sum, columns, rows, precisions, depth, repeat, signs) and dpasw (sum, columns, rows,
 * and the rest as bytes of a number). */
#include "lower/codegen/select/select.h"

/* Intel's intrinsics number signed integers before unsigned ones, vISA the other way around. */
static int packed_kind(unsigned precision)
{
    return (int)(precision > VISA_PACKED_S8 ? precision : precision % 2 ? precision + 1 : precision - 1);
}

enum { HOW = MATRIX_ROWS + 1, REPEAT = 6 };

bool select_matrix(struct selection *s, LLVMValueRef i)
{
    enum genx_id id = genx_call_id(i);
    struct visa_instruction m = {.op = VISA_OP_DPAS, .exec_size = (uint8_t)(s->platform->grf_bytes / 4)};
    bool shared = id == GENX_DPASW;
    unsigned how = (unsigned)constant_of(i, HOW);
    m.attr[0] = packed_kind(shared ? how & 0xff : how);
    m.attr[1] = packed_kind(shared ? how >> 8 & 0xff : (unsigned)constant_of(i, HOW + 1));
    m.attr[2] = (int)(shared ? how >> 24 : (unsigned)constant_of(i, REPEAT));
    m.attr[3] = shared;
    for (unsigned k = MATRIX_SUM; k <= MATRIX_ROWS; k++) {
        LLVMValueRef operand = LLVMGetOperand(i, k);
        m.src[k] =
            k == MATRIX_SUM && LLVMIsNull(operand) ? cg_raw_operand(s, VISA_NULL, 0) : select_payload_value(s, operand);
    }
    m.dst = select_payload_value(s, i);
    cg_emit(s, &m);
    return true;
}
