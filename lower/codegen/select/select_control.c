/* Selects control flow: jumps, returns, and the copies for phis at the ends of their predecessors. */
#include <stdlib.h>
#include "lower/codegen/select/select.h"
#include "lower/functions/functions.h"
#include "lower/scalar/switch_lowering.h"

enum copy_state { COPY_PENDING, COPY_WAITS, COPY_DONE };

/* The copies of one edge happen at once: one that would overwrite another's source comes later. */
struct phi_copy {
    LLVMValueRef phi, from;
    unsigned to;     /* variable or first predicate */
    unsigned source; /* the same; 0: a constant */
    enum copy_state state;
};

static unsigned lanes_of(LLVMValueRef v)
{
    return type_lanes(LLVMTypeOf(v));
}

static unsigned source_variable(struct selection *s, const struct phi_copy *c)
{
    if (!bale_value_root(s, c->from))
        return 0;
    return type_is_mask(LLVMTypeOf(c->phi)) ? operand_mask_variable(s, c->from) : operand_value_variable(s, c->from);
}

static void copy_constant(struct selection *s, const struct phi_copy *c)
{
    if (LLVMIsUndef(c->from) || LLVMIsPoison(c->from))
        return;
    if (type_is_mask(LLVMTypeOf(c->phi))) {
        cg_set_constant_mask(s, c->to, c->from, lanes_of(c->phi));
        return;
    }
    struct macro_operand src = operand_source(s, c->from, 'U');
    if (src.kind == MACRO_IMMEDIATE && visa_type_bytes(src.type) < 8)
        legalize_move(s, lanes_of(c->phi), operand_destination(s, c->phi, 'U'), src);
    else
        select_move_value(s, c->phi, c->to, operand_value_variable(s, c->from));
}

static unsigned save(struct selection *s, const struct phi_copy *c, unsigned from)
{
    LLVMTypeRef type = LLVMTypeOf(c->phi);
    unsigned temporary = 0;
    if (type_is_mask(type))
        for (unsigned part = 0; part < cg_mask_parts(type_lanes(type)); part++) {
            unsigned p = cg_new_predicate(s, type_lanes(type) < 32 ? type_lanes(type) : 32);
            temporary = part ? temporary : p;
        }
    else
        temporary = cg_new_variable(s, cg_visa_type(type_element(type), 'U'), type_lanes(type), 0, NULL);
    select_move_value(s, c->phi, temporary, from);
    return temporary;
}

/* Orders copies so that those that read what copy `which` writes come first. If they form a cycle, one reads a copy. */
static void copy_after_readers(struct selection *s, struct phi_copy *copies, size_t count, size_t which)
{
    struct phi_copy *c = &copies[which];
    c->state = COPY_WAITS;
    for (size_t i = 0; i < count; i++) {
        struct phi_copy *reader = &copies[i];
        if (reader == c || reader->state == COPY_DONE || reader->source != c->to)
            continue;
        if (reader->state == COPY_WAITS)
            reader->source = save(s, reader, c->to);
        else
            copy_after_readers(s, copies, count, i);
    }
    if (c->source)
        select_move_value(s, c->phi, c->to, c->source);
    else
        copy_constant(s, c);
    c->state = COPY_DONE;
}

static void copy_for_phis(struct selection *s, unsigned block, LLVMBasicBlockRef to)
{
    struct phi_copy *copies = NULL;
    size_t count = 0, capacity = 0;
    FOR_EACH_INSTRUCTION(phi, to)
    {
        if (!LLVMIsAPHINode(phi))
            break;
        for (unsigned k = 0; k < LLVMCountIncoming(phi); k++)
            if (LLVMGetIncomingBlock(phi, k) == s->cfg.blocks[block] && !goto_loops_is_mask(&s->channels, phi)) {
                unsigned variable =
                    type_is_mask(LLVMTypeOf(phi)) ? operand_mask_variable(s, phi) : operand_value_variable(s, phi);
                ARRAY_PUSH(copies, count, capacity,
                           ((struct phi_copy){phi, LLVMGetIncomingValue(phi, k), variable, 0, COPY_PENDING}));
                break;
            }
    }
    for (size_t i = 0; i < count; i++) {
        copies[i].source = source_variable(s, &copies[i]);
        copies[i].state = copies[i].source == copies[i].to ? COPY_DONE : COPY_PENDING;
    }
    for (size_t i = 0; i < count; i++)
        if (copies[i].state == COPY_PENDING)
            copy_after_readers(s, copies, count, i);
    free(copies);
}

/* True if the edge from `block` to `to` copies anything. */
static bool edge_copies(struct selection *s, unsigned block, LLVMBasicBlockRef to)
{
    FOR_EACH_INSTRUCTION(phi, to)
    {
        if (!LLVMIsAPHINode(phi))
            break;
        for (unsigned k = 0; k < LLVMCountIncoming(phi) && !goto_loops_is_mask(&s->channels, phi); k++) {
            LLVMValueRef from = LLVMGetIncomingValue(phi, k);
            if (LLVMGetIncomingBlock(phi, k) != s->cfg.blocks[block] || LLVMIsUndef(from) || LLVMIsPoison(from))
                continue;
            struct cg_value *v = bale_value_root(s, from);
            if (!v || interference_value_class(s, v) != interference_value_class(s, bale_value(s, phi)))
                return true;
        }
    }
    return false;
}

bool select_return_copies(struct selection *s)
{
    for (unsigned b = 0; b < s->cfg.count; b++) {
        if (!s->channels.stay[b])
            continue;
        unsigned block = b, to = s->cfg.successors[b][1];
        while (!edge_copies(s, block, s->cfg.blocks[to]) && cfg_splits_edge(&s->cfg, to)) {
            block = to;
            to = s->cfg.successors[to][0];
        }
        if (edge_copies(s, block, s->cfg.blocks[to]))
            return true;
    }
    return false;
}

/* Skips blocks that only jump, such as split edges whose copies turned out unnecessary. */
static void find_empty_blocks(struct selection *s)
{
    free(s->jump_target);
    s->jump_target = ir_calloc(s->cfg.count, sizeof *s->jump_target);
    for (unsigned b = 0; b < s->cfg.count; b++) {
        unsigned to = b && cfg_is_empty_block(&s->cfg, b) ? s->cfg.successors[b][0] : b;
        s->jump_target[b] = to != b && !edge_copies(s, b, s->cfg.blocks[to]) ? to : b;
    }
    for (unsigned b = 0; b < s->cfg.count; b++) { /* a ring of empty blocks keeps one of them */
        unsigned steps = 0;
        for (unsigned at = b; s->jump_target[at] != at; at = s->jump_target[at])
            if (steps++ > s->cfg.count)
                s->jump_target[b] = b;
    }
}

static unsigned destination_block(const struct selection *s, unsigned b)
{
    while (s->jump_target[b] != b)
        b = s->jump_target[b];
    return b;
}

/* Returns the block that is emitted after `block`. */
static unsigned following(const struct selection *s, unsigned block)
{
    do
        block++;
    while (block < s->cfg.count && s->jump_target[block] != block);
    return block;
}

/* The last emitted block of the goto loop that has `block`, or of the outermost one around it: it jumps back past
 * `block`. */
static unsigned last_of_loop(const struct selection *s, unsigned block)
{
    unsigned last = block;
    for (unsigned b = block; b < s->cfg.count; b++)
        for (unsigned k = 0; s->channels.live[b] && s->jump_target[b] == b && k < 2; k++) {
            unsigned to = s->cfg.successors[b][k];
            if (to < s->cfg.count && destination_block(s, to) <= block && s->channels.live[destination_block(s, to)])
                last = b;
        }
    return last;
}

/* Lets lanes that leave a goto loop meet right behind it. If they met in a later block, past code of other branches,
 * the finalizer would make gotos of 16 lanes of the scalar jumps around that code, and execute it for the lanes that
 * the loop's gotos do not have. False: there is no block for it behind the loop. */
static bool meet_behind_loop(struct selection *s, unsigned block)
{
    unsigned exit = s->cfg.successors[block][1], meeting = destination_block(s, exit);
    unsigned last = last_of_loop(s, block), next = following(s, last), behind = last + 1;
    if (s->channels.live[meeting] || next == meeting)
        return true;
    while (behind < next && (destination_block(s, behind) != meeting || s->channels.live[behind]))
        behind++;
    if (behind == next || s->jump_target[exit] == exit)
        return false;
    s->jump_target[exit] = behind;
    s->jump_target[behind] = behind;
    return true;
}

bool select_find_empty_blocks(struct selection *s)
{
    find_empty_blocks(s);
    for (unsigned b = 0; b < s->cfg.count; b++)
        if (s->channels.stay[b] && !meet_behind_loop(s, b))
            return false;
    return true;
}

/* Sends lanes to a block: the active lanes that are in a mask, or not in it; NULL: all of them. */
static void go_to(struct selection *s, unsigned target, LLVMValueRef mask, bool inverse)
{
    struct macro_operand p = {.variable = VISA_NULL};
    if (mask)
        p = operand_channel(s, mask);
    if (p.variable == VISA_NULL && inverse) /* there is no other */
        return;
    struct visa_instruction i = {.op = VISA_OP_GOTO, .attr = {(int)(s->label_base + target)}};
    i.exec_size = (uint8_t)type_lanes(LLVMTypeOf(s->channels.live[s->block]));
    i.predicate.variable = p.variable;
    i.predicate.inverse = p.inverse != inverse;
    s->by_channel = true;
    cg_emit(s, &i);
    s->by_channel = false;
}

/* The condition of a branch: a predicate of one lane, or any or all lanes of a mask. */
struct condition {
    unsigned predicate; /* VISA_NULL: always */
    enum visa_predicate_control control;
    unsigned lanes;
    bool inverse;
};

static struct condition condition_of(struct selection *s, LLVMValueRef value)
{
    struct cg_value *v = bale_value(s, value);
    if (!v || !v->inlined)
        return (struct condition){operand_mask_variable(s, value), VISA_PRED_EACH, 1, false};
    struct macro_operand o = operand_combined_mask(s, value);
    return (struct condition){o.variable, o.control, type_lanes(LLVMTypeOf(LLVMGetOperand(value, 0))), o.inverse};
}

/* vISA combines the lanes of a predicate first and then inverts the result. */
static void jump(struct selection *s, unsigned target, struct condition c, bool inverse)
{
    struct visa_instruction i = {
        .op = VISA_OP_JMP, .exec_size = (uint8_t)c.lanes, .attr = {(int)(s->label_base + target)}};
    i.predicate.variable = c.predicate;
    i.predicate.control = c.control;
    i.predicate.inverse = inverse != c.inverse;
    cg_emit(s, &i);
}

static const struct condition always = {VISA_NULL, VISA_PRED_EACH, 1, false};

/* In a goto loop: lanes that do not stay go to its end, where they wait for the others. */
static void select_goto(struct selection *s, unsigned block, unsigned yes, unsigned no)
{
    LLVMValueRef stay = s->channels.stay[block];
    unsigned next = following(s, block);
    if (stay && no == next) {
        go_to(s, yes, stay, false);
        return;
    }
    if (stay)
        go_to(s, no, stay, true);
    if (yes != next)
        go_to(s, yes, NULL, false);
}

static bool select_branch(struct selection *s, LLVMValueRef i, unsigned block)
{
    unsigned next = following(s, block), yes = destination_block(s, cfg_number(&s->cfg, LLVMGetSuccessor(i, 0)));
    unsigned no = yes;
    if (LLVMIsConditional(i))
        no = destination_block(s, cfg_number(&s->cfg, LLVMGetSuccessor(i, 1)));
    else
        copy_for_phis(s, block, LLVMGetSuccessor(i, 0));
    if (s->channels.live[block]) {
        select_goto(s, block, yes, no);
        return true;
    }
    if (yes == no) {
        if (yes != next)
            jump(s, yes, always, false);
        return true;
    }
    struct condition condition = condition_of(s, LLVMGetCondition(i));
    if (yes == next) {
        jump(s, no, condition, true);
        return true;
    }
    jump(s, yes, condition, false);
    if (no != next)
        jump(s, no, always, false);
    return true;
}

static void compare(struct selection *s, struct condition c, enum visa_condition condition, struct macro_operand a,
                    struct macro_operand b)
{
    struct macro w = {.op = VISA_OP_CMP, .condition = condition, .lanes = 1, .sources = 2, .src = {a, b}};
    w.dst = (struct macro_operand){.kind = MACRO_MASK, .variable = c.predicate};
    legalize_macro(s, &w);
}

static struct condition new_condition(struct selection *s)
{
    return (struct condition){cg_new_predicate(s, 1), VISA_PRED_EACH, 1, false};
}

static struct condition equals(struct selection *s, LLVMValueRef value, LLVMValueRef number)
{
    struct condition equal = new_condition(s);
    struct macro_operand mask = {.kind = MACRO_MASK, .variable = equal.predicate};
    if (!select_equals_wide(s, mask, value, number))
        compare(s, equal, VISA_EQ, operand_source(s, value, 'U'), operand_source(s, number, 'U'));
    return equal;
}

/* ---- switches ---- */

/* Selects a jump table for dense cases. It takes a constant number of instructions: a jump into the table, one out of
 * it, and a range check first if the value may be out of range. */
static bool jump_by_table(struct selection *s, LLVMValueRef i)
{
    LLVMValueRef value = LLVMGetOperand(i, 0);
    struct range table;
    bool complete;
    if (!scalar_switch_table(s->platform, i, &table, &complete))
        return false;
    struct macro_operand number = operand_source(s, value, 'S'), index = number;
    if (table.low || number.kind != MACRO_REGION || visa_type_bytes(number.type) < 4) {
        struct macro w = {.op = VISA_OP_ADD, .lanes = 1, .sources = 2};
        w.src[0] = number;
        w.src[1] = macro_immediate(VISA_TYPE_D, (uint64_t)-table.low);
        w.dst = index = macro_scalar(cg_new_variable(s, VISA_TYPE_D, 1, 0, NULL), VISA_TYPE_D, 0);
        legalize_macro(s, &w);
    }
    index.type = VISA_TYPE_UD;
    unsigned labels = (unsigned)(table.high - table.low) + 1;
    unsigned otherwise = destination_block(s, cfg_number(&s->cfg, LLVMGetSuccessor(i, 0)));
    if (!complete) {
        struct condition outside = new_condition(s);
        compare(s, outside, VISA_GE, index, macro_immediate(VISA_TYPE_UD, labels));
        jump(s, otherwise, outside, false);
    }
    struct visa_operand *to = visa_alloc(s->program, labels * sizeof *to);
    for (unsigned k = 0; k < labels; k++)
        to[k] = (struct visa_operand){.kind = VISA_OPERAND_IMMEDIATE, .bits = s->label_base + otherwise};
    for (unsigned k = 1; k < LLVMGetNumSuccessors(i); k++)
        to[LLVMConstIntGetSExtValue(LLVMGetOperand(i, 2 * k)) - table.low].bits =
            s->label_base + destination_block(s, cfg_number(&s->cfg, LLVMGetSuccessor(i, k)));
    struct visa_instruction jump_there = {
        .op = VISA_OP_SWITCHJMP, .exec_size = 1, .parameters = to, .parameter_count = labels};
    jump_there.src[0] = macro_general_operand(&index);
    cg_emit(s, &jump_there);
    return true;
}

/* LLVM makes a one-bit switch of a switch on a compare's result. */
static bool select_switch(struct selection *s, LLVMValueRef i, unsigned block)
{
    LLVMValueRef value = LLVMGetOperand(i, 0);
    bool is_mask = type_is_mask(LLVMTypeOf(value));
    if (jump_by_table(s, i))
        return true;
    for (unsigned k = 1; k < LLVMGetNumSuccessors(i); k++) {
        LLVMValueRef number = LLVMGetOperand(i, 2 * k);
        unsigned to = destination_block(s, cfg_number(&s->cfg, LLVMGetSuccessor(i, k)));
        jump(s, to, is_mask ? condition_of(s, value) : equals(s, value, number), is_mask && LLVMIsNull(number));
    }
    unsigned otherwise = destination_block(s, cfg_number(&s->cfg, LLVMGetSuccessor(i, 0)));
    if (otherwise != following(s, block))
        jump(s, otherwise, always, false);
    return true;
}

bool select_control(struct selection *s, LLVMValueRef i, unsigned block)
{
    if (LLVMIsABranchInst(i))
        return select_branch(s, i, block);
    if (LLVMIsASwitchInst(i))
        return select_switch(s, i, block);
    if (LLVMIsAReturnInst(i) || LLVMIsAUnreachableInst(i)) {
        struct visa_instruction ret = {.op = VISA_OP_RET, .exec_size = 1, .no_mask = s->function != s->kernel};
        if (function_call_kind(s->function) == CALL_STACK)
            ret = (struct visa_instruction){.op = VISA_OP_FRET, .exec_size = 32}; /* all lanes, as the call */
        cg_emit(s, &ret);
        return true;
    }
    return false;
}
