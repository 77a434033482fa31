/* Selects matrix products: dpas2 (sum, columns, rows, precisions, depth, repeat, signs) and dpasw (sum, columns, rows,
 * and the rest as bytes of a number). */
#include "lower/codegen/select/select.h"

enum { HOW = MATRIX_ROWS + 1, REPEAT = 6 };

bool select_matrix(struct selection *s, LLVMValueRef i)
{
    enum genx_id id = genx_call_id(i);
    struct visa_instruction m = {.op = VISA_OP_DPAS, .exec_size = (uint8_t)(s->platform->grf_bytes / 4)};
    bool shared = id == GENX_DPASW;
    unsigned how = (unsigned)constant_of(i, HOW);
    m.attr[0] = (int)(shared ? how & 0xff : how);
    m.attr[1] = (int)(shared ? how >> 8 & 0xff : (unsigned)constant_of(i, HOW + 1));
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
