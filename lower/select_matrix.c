/* Products of matrices: dpas2 (sum, columns, rows, precisions, depth, repeat, signs) and dpasw (sum, columns, rows, all of that
 * in the bytes of a number). */
#include "lower/select.h"

/* Intel's intrinsics number signed integers before unsigned ones, vISA the other way around. */
static int packed_kind(unsigned precision)
{
    return (int)(precision > VISA_PACKED_S8 ? precision : precision % 2 ? precision + 1 : precision - 1);
}

enum { SUM, COLUMNS, ROWS, HOW, REPEAT = 6 };

bool is_matrix_product(LLVMValueRef i)
{
    enum genx_id id = genx_call_id(i);
    return id == GENX_DPAS2 || id == GENX_DPASW;
}

/* Where operand `k` of a product lies: the value whose variable it is in; the first byte and the one behind it there. */
static struct value *place_of(struct selection *s, LLVMValueRef product, unsigned k, int *from, int *to)
{
    LLVMValueRef operand = LLVMGetOperand(product, k);
    struct value *v = value_root(s, operand);
    struct region r = {0, 1, 0, 0};
    if (v && v->inlined && payload_region(s, v->llvm, &r))
        v = value_root(s, LLVMGetOperand(v->llvm, 0));
    *from = r.offset;
    *to = r.offset + (int)(type_lanes(LLVMTypeOf(operand)) * type_element_bytes(LLVMTypeOf(operand)));
    return v;
}

bool product_reads(struct selection *s, LLVMValueRef product, struct value *vector, int from, int to)
{
    for (unsigned k = SUM; k <= ROWS; k++) {
        int first, end;
        if (place_of(s, product, k, &first, &end) == vector && first < to && from < end &&
            !(k == SUM && first == from && end == to))
            return true;
    }
    return false;
}

struct value *matrix_sum(struct selection *s, LLVMValueRef i)
{
    int from, to;
    struct value *sum = is_matrix_product(i) ? place_of(s, i, SUM, &from, &to) : NULL;
    return sum && from == 0 && !product_reads(s, i, sum, 0, to) ? sum : NULL;
}

bool select_matrix(struct selection *s, LLVMValueRef i)
{
    enum genx_id id = genx_call_id(i);
    if (!is_matrix_product(i))
        return false;
    struct visa_instruction m = {.op = VISA_OP_DPAS, .exec_size = (uint8_t)(s->platform->grf_bytes / 4)};
    bool shared = id == GENX_DPASW;
    unsigned how = (unsigned)constant_of(i, HOW);
    m.attr[0] = packed_kind(shared ? how & 0xff : how);
    m.attr[1] = packed_kind(shared ? how >> 8 & 0xff : (unsigned)constant_of(i, HOW + 1));
    m.attr[2] = (int)(shared ? how >> 24 : (unsigned)constant_of(i, REPEAT));
    m.attr[3] = shared;
    for (unsigned k = SUM; k <= ROWS; k++) {
        LLVMValueRef operand = LLVMGetOperand(i, k);
        m.src[k] = k == SUM && LLVMIsNull(operand) ? raw_operand(s, VISA_NULL, 0) : payload_value(s, operand);
    }
    m.dst = payload_value(s, i);
    emit(s, &m);
    return true;
}
