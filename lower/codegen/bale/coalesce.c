/* Coalescing: decides which values share a variable. The result of a region write takes the variable of the vector that
 * it changes, a matrix product that of its sum, a phi that of its incoming values, if their live ranges do not overlap;
 * otherwise selection copies. Arithmetic on large vectors works in place: otherwise source and result would occupy
 * registers at the same time. */
#include <stdlib.h>
#include "lower/codegen/bale/coalesce.h"
#include "lower/codegen/bale/bale.h"
#include "lower/codegen/bale/global_coalescing.h"
#include "lower/codegen/bale/interference.h"
#include "lower/codegen/bale/liveness.h"
#include "lower/codegen/bale/unbale.h"
#include "lower/ir/remarks.h"

static void join_writes(struct liveness *l)
{
    struct selection *s = l->s;
    for (size_t n = 0; n < s->value_count; n++) {
        LLVMValueRef i = s->values[n].llvm;
        LLVMValueRef old = LLVMIsAInstruction(i) && !LLVMIsAPHINode(i) ? ir_partly_overwritten(i) : NULL;
        struct cg_value *v = old ? bale_value_root(s, old) : bale_matrix_sum(s, i);
        if (interference_may_share(s, v))
            interference_try_join(l, (size_t)(v - s->values), n);
    }
}

static void join_phis(struct liveness *l)
{
    struct selection *s = l->s;
    for (size_t n = 0; n < s->value_count; n++) {
        LLVMValueRef i = s->values[n].llvm;
        if (!LLVMIsAPHINode(i))
            continue;
        for (unsigned k = 0; k < LLVMCountIncoming(i); k++) {
            struct cg_value *v = bale_value_root(s, LLVMGetIncomingValue(i, k));
            if (interference_may_share(s, v))
                interference_try_join(l, (size_t)(v - s->values), n);
        }
    }
}

static void join_operand(struct liveness *l, LLVMValueRef operand, size_t result)
{
    struct selection *s = l->s;
    struct cg_value *v = bale_value_root(s, operand);
    LLVMTypeRef type = LLVMTypeOf(s->values[result].llvm);
    if (interference_may_share(s, v) && type_lanes(LLVMTypeOf(v->llvm)) == type_lanes(type) &&
        type_lanes(LLVMTypeOf(operand)) == type_lanes(type))
        interference_try_join(l, (size_t)(v - s->values), result);
}

/* True for operations that compute a lane from the same lane of their operands. */
static bool may_work_in_place(LLVMValueRef i)
{
    return (ir_is_lane_wise(i) && !LLVMIsACmpInst(i)) || (LLVMIsACallInst(i) && genx_is(genx_call_id(i), KIND_ALU) &&
                                                          LLVMTypeOf(LLVMGetOperand(i, 0)) == LLVMTypeOf(i));
}

static void join_results(struct liveness *l)
{
    enum { LARGE = 4 * INSTRUCTION_BYTES };
    struct selection *s = l->s;
    for (size_t n = 0; n < s->value_count; n++) {
        LLVMValueRef i = s->values[n].llvm;
        if (s->values[n].bytes <= LARGE || s->values[n].inlined || !LLVMIsAInstruction(i) || !may_work_in_place(i))
            continue;
        unsigned count = LLVMIsACallInst(i) ? LLVMGetNumArgOperands(i) : (unsigned)LLVMGetNumOperands(i);
        int product = bale_fused_product(s, i);
        for (unsigned k = 0; k < count; k++)
            if ((int)k == product) {
                join_operand(l, LLVMGetOperand(LLVMGetOperand(i, k), 0), n);
                join_operand(l, LLVMGetOperand(LLVMGetOperand(i, k), 1), n);
            } else {
                join_operand(l, LLVMGetOperand(i, k), n);
            }
    }
}

/* Makes a remark for a region write whose vector stays live: selection copies it. */
static void remark_copies(struct selection *s)
{
    for (size_t n = 0; n < s->value_count; n++) {
        LLVMValueRef i = s->values[n].llvm;
        LLVMValueRef old = LLVMIsAInstruction(i) && !LLVMIsAPHINode(i) ? ir_partly_overwritten(i) : NULL;
        struct cg_value *v = old && !s->values[n].inlined ? bale_value_root(s, old) : NULL;
        if (v && s->values[n].bytes > INSTRUCTION_BYTES &&
            interference_class(s, (size_t)(v - s->values)) != interference_class(s, n))
            remark_at(i, REMARK_COPY, s->values[n].bytes);
    }
}

void coalesce_kernel(struct selection *s)
{
    struct liveness l;
    liveness_find(&l, s);
    unbale(&l);
    l.next_member = ir_calloc(s->value_count, sizeof *l.next_member);
    for (size_t v = 0; v < s->value_count; v++)
        l.next_member[v] = v;
    struct global_accesses accesses = global_accesses_find(s);
    global_accesses_join(&l, &accesses);
    join_writes(&l);
    join_phis(&l);
    join_results(&l);
    coalesce_globals(&l, &accesses);
    if (remark_is_wanted())
        remark_copies(s);
    free(l.next_member);
    liveness_free(&l);
}
