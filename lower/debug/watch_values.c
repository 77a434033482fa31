/* Makes LLVM debug records of the watches (cmc -O2 -g), once variables are values.
 *
 * From there on no instruction needs the watched values: code is the same as without -g, and a value that a pass
 * removes is forgotten. Each record has a number of its own. A variable of which several records reach a block has
 * a record there, too, if a phi of the block is its value.
 *
 * Passes move, copy and remove instructions and records. So this pass also notes which records hold where each source
 * line begins, while the code still has the order of the source. Code generation shows a variable at an instruction
 * only if the record that reaches it is the one that holds at its line. */
#include <stdlib.h>
#include <string.h>
#include <llvm-c/DebugInfo.h>
#include "lower/debug/watch_lines.h"
#include "lower/debug/watch_parts.h"
#include "lower/ir/cfg.h"
#include "lower/ir/debug_metadata.h"
#include "lower/ir/watch.h"
#include "lower/passes.h"

enum { MOST_ROUNDS = 64, MOST_CELLS = 1 << 24 }; /* of a fixed point; blocks times parts of variables */

/* A variable, or a part of it, in one copy of its function. */
struct part {
    unsigned variable, offset, bytes;
    LLVMMetadataRef inlined_at;
};

/* The record of a watch, or of a phi where block `block` begins. */
struct record {
    LLVMValueRef watch, value;
    size_t part;
    unsigned block;
};

struct converting {
    LLVMModuleRef module;
    LLVMContextRef context;
    LLVMDIBuilderRef records_builder;
    LLVMMetadataRef *variables; /* of WATCH_LIST */
    unsigned first;             /* number of the first record of the function */
    struct cfg cfg;
    unsigned *order, reached;
    struct part *parts;
    size_t part_count, part_capacity;
    struct record *records; /* [0] has number `first` */
    size_t count, capacity;
    size_t watches;     /* records[] begins with those of the watches, block by block */
    unsigned *in, *out; /* per block and part: number of the record that reaches it, or STATE_... */
    unsigned *joined;   /* per block and part: number of the record of a phi; 0: none */
    struct watch_lines lines;
};

/* ---- the watches ---- */

static size_t part_of(struct converting *c, LLVMValueRef watch)
{
    struct part part = {(unsigned)constant_of(watch, WATCH_VARIABLE), (unsigned)constant_of(watch, WATCH_OFFSET),
                        watch_value_bytes(LLVMGetOperand(watch, WATCH_VALUE)),
                        LLVMDILocationGetInlinedAt(LLVMInstructionGetDebugLoc(watch))};
    for (size_t k = c->part_count; k-- > 0;) {
        const struct part *p = &c->parts[k];
        if (p->variable == part.variable && p->offset == part.offset && p->inlined_at == part.inlined_at)
            return k;
    }
    ARRAY_PUSH(c->parts, c->part_count, c->part_capacity, part);
    return c->part_count - 1;
}

/* True if the last record of the part, in the same block, has the same value. */
static bool is_known(const struct converting *c, const struct record *r)
{
    for (size_t k = c->count; k > 0 && c->records[k - 1].block == r->block; k--)
        if (c->records[k - 1].part == r->part)
            return c->records[k - 1].value == r->value;
    return false;
}

static void find_watches(struct converting *c)
{
    for (unsigned b = 0; b < c->cfg.count; b++)
        FOR_EACH_INSTRUCTION(i, c->cfg.blocks[b])
    if (ir_is_watch(i) && LLVMInstructionGetDebugLoc(i)) {
        struct record r = {i, LLVMGetOperand(i, WATCH_VALUE), part_of(c, i), b};
        if (!is_known(c, &r))
            ARRAY_PUSH(c->records, c->count, c->capacity, r);
    }
    c->watches = c->count;
}

/* ---- which record reaches which block ---- */

/* Returns the value that a state stands for; NULL: none that is known. */
static LLVMValueRef value_of(const struct converting *c, unsigned state)
{
    if (state < c->first || state - c->first >= c->count)
        return NULL;
    LLVMValueRef value = c->records[state - c->first].value;
    return LLVMIsUndef(value) || LLVMIsPoison(value) ? NULL : value;
}

static size_t cell(const struct converting *c, unsigned block, size_t part)
{
    return block * c->part_count + part;
}

/* Returns the value that joins those of a block's predecessors; NULL: there is none. */
static LLVMValueRef joined_value(const struct converting *c, unsigned block, size_t part)
{
    LLVMValueRef same = NULL;
    bool all_same = true;
    for (unsigned k = 0; k < c->cfg.predecessor_count[block]; k++) {
        LLVMValueRef value = value_of(c, c->out[cell(c, c->cfg.predecessors[block][k], part)]);
        if (!value)
            return NULL;
        all_same &= !same || same == value;
        same = value;
    }
    if (all_same)
        return same;
    FOR_EACH_INSTRUCTION(phi, c->cfg.blocks[block])
    {
        if (!LLVMIsAPHINode(phi))
            break;
        bool joins = true;
        for (unsigned k = 0; k < LLVMCountIncoming(phi) && joins; k++) {
            unsigned from = cfg_number(&c->cfg, LLVMGetIncomingBlock(phi, k));
            joins = from != CFG_NONE && value_of(c, c->out[cell(c, from, part)]) == LLVMGetIncomingValue(phi, k);
        }
        if (joins)
            return phi;
    }
    return NULL;
}

/* Returns the state that all predecessors have; STATE_MANY: they differ. */
static unsigned common_state(const struct converting *c, unsigned block, size_t part)
{
    unsigned common = block ? STATE_OPEN : STATE_NONE;
    for (unsigned k = 0; k < c->cfg.predecessor_count[block]; k++) {
        unsigned state = c->out[cell(c, c->cfg.predecessors[block][k], part)];
        if (state == STATE_OPEN || state == common)
            continue;
        common = common == STATE_OPEN ? state : STATE_MANY;
    }
    return common;
}

static unsigned state_at(struct converting *c, unsigned block, size_t part)
{
    unsigned *joined = &c->joined[cell(c, block, part)], common = common_state(c, block, part);
    if (*joined)
        return *joined;
    LLVMValueRef value = common == STATE_MANY ? joined_value(c, block, part) : NULL;
    if (!value)
        return common;
    struct record r = {NULL, value, part, block};
    ARRAY_PUSH(c->records, c->count, c->capacity, r);
    return *joined = c->first + (unsigned)c->count - 1;
}

static bool visit_block(struct converting *c, unsigned block, size_t first, size_t end)
{
    bool changed = false;
    for (size_t p = 0; p < c->part_count; p++)
        c->in[cell(c, block, p)] = state_at(c, block, p);
    unsigned *out = &c->out[cell(c, block, 0)], *before = ir_calloc(c->part_count, sizeof *before);
    memcpy(before, out, c->part_count * sizeof *before);
    memcpy(out, &c->in[cell(c, block, 0)], c->part_count * sizeof *out);
    for (size_t k = first; k < end; k++)
        out[c->records[k].part] = c->first + (unsigned)k;
    changed = memcmp(before, out, c->part_count * sizeof *before) != 0;
    free(before);
    return changed;
}

/* Finds the records of a block's watches. */
static void watches_in(const struct converting *c, unsigned block, size_t *first, size_t *end)
{
    size_t low = 0, high = c->watches;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (c->records[middle].block < block)
            low = middle + 1;
        else
            high = middle;
    }
    *first = *end = low;
    while (*end < c->watches && c->records[*end].block == block)
        ++*end;
}

/* Takes back records of phis that do not join what reaches them after all. */
static bool refute_joins(struct converting *c)
{
    bool any = false;
    for (size_t k = c->watches; k < c->count; k++) {
        struct record *r = &c->records[k];
        if (!r->value || joined_value(c, r->block, r->part) == r->value)
            continue;
        r->value = NULL;
        c->joined[cell(c, r->block, r->part)] = STATE_MANY;
        any = true;
    }
    return any;
}

/* False: it takes too long. */
static bool find_states(struct converting *c)
{
    for (unsigned round = 0; round < MOST_ROUNDS; round++) {
        bool changed = false;
        for (unsigned n = 0; n < c->reached; n++) {
            size_t first, end;
            watches_in(c, c->order[n], &first, &end);
            changed |= visit_block(c, c->order[n], first, end);
        }
        if (!changed && !refute_joins(c))
            return true;
    }
    return false;
}

/* ---- lines ---- */

static void note_lines(struct converting *c)
{
    unsigned *state = ir_calloc(c->part_count, sizeof *state);
    for (unsigned n = 0; n < c->reached; n++) {
        size_t next, end;
        unsigned block = c->order[n];
        watches_in(c, block, &next, &end);
        memcpy(state, &c->in[cell(c, block, 0)], c->part_count * sizeof *state);
        watch_lines_begin_block(&c->lines);
        FOR_EACH_INSTRUCTION(i, c->cfg.blocks[block])
        {
            bool jumps = LLVMIsABranchInst(i) && !LLVMIsConditional(i); /* other compilers have no code for it */
            if (!LLVMIsAPHINode(i) && !jumps)
                watch_lines_note(&c->lines, LLVMInstructionGetDebugLoc(i), state);
            if (next < end && c->records[next].watch == i) {
                state[c->records[next].part] = c->first + (unsigned)next;
                next++;
            }
        }
    }
    free(state);
}

/* ---- the records ---- */

static void build_record(struct converting *c, size_t number, LLVMValueRef before)
{
    const struct record *r = &c->records[number];
    const struct part *p = &c->parts[r->part];
    LLVMMetadataRef variable = c->variables[p->variable],
                    scope = debug_operand(c->context, variable, DEBUG_VARIABLE_SCOPE);
    LLVMMetadataRef place =
        LLVMDIBuilderCreateDebugLocation(c->context, c->first + (unsigned)number, 0, scope, p->inlined_at);
    LLVMMetadataRef expression = watch_expression(c->context, c->records_builder, variable, p->offset, p->bytes);
    LLVMDIBuilderInsertDbgValueRecordBefore(c->records_builder, r->value, variable, expression, place, before);
}

static LLVMValueRef first_after_phis(LLVMBasicBlockRef block)
{
    LLVMValueRef i = LLVMGetFirstInstruction(block);
    while (LLVMIsAPHINode(i))
        i = LLVMGetNextInstruction(i);
    return i;
}

static void build_records(struct converting *c)
{
    for (size_t k = c->watches; k < c->count; k++)
        if (c->records[k].value)
            build_record(c, k, first_after_phis(c->cfg.blocks[c->records[k].block]));
    for (size_t k = 0; k < c->watches; k++)
        build_record(c, k, c->records[k].watch);
}

/* ---- functions ---- */

static void erase_watches(LLVMValueRef function)
{
    FOR_EACH_BLOCK(block, function)
    FOR_EACH_REMOVABLE(i, block)
    {
        LLVMValueRef value = ir_is_watch(i) ? LLVMGetOperand(i, WATCH_VALUE) : NULL;
        if (value)
            LLVMInstructionEraseFromParent(i);
        if (value && LLVMIsALoadInst(value) && !LLVMGetFirstUse(value))
            LLVMInstructionEraseFromParent(value);
    }
}

static void convert_function(struct converting *c, LLVMValueRef function)
{
    cfg_build(&c->cfg, function);
    c->order = ir_calloc(c->cfg.count, sizeof *c->order);
    c->reached = cfg_order(&c->cfg, c->order);
    c->part_count = c->count = 0;
    find_watches(c);
    size_t cells = c->cfg.count * c->part_count;
    if (cells && cells < MOST_CELLS) {
        c->in = ir_calloc(cells, sizeof *c->in);
        c->out = ir_calloc(cells, sizeof *c->out);
        c->joined = ir_calloc(cells, sizeof *c->joined);
        memset(c->out, 0xff, cells * sizeof *c->out); /* STATE_OPEN */
        watch_lines_open(&c->lines, c->context, c->part_count);
        if (find_states(c)) {
            note_lines(c);
            for (size_t k = 0; k < c->count; k++) /* a variable without a value, too, has a record */
                if (!value_of(c, c->first + (unsigned)k))
                    watch_lines_hide(&c->lines, c->records[k].part, c->first + (unsigned)k);
            watch_lines_write(&c->lines, c->module);
            build_records(c);
        }
        watch_lines_close(&c->lines);
        free(c->in);
        free(c->out);
        free(c->joined);
    }
    c->first += (unsigned)c->count;
    free(c->order);
    cfg_free(&c->cfg);
    erase_watches(function);
}

bool pass_watch_values(LLVMModuleRef module, const struct lower_options *options)
{
    if (!options->track_values)
        return true;
    unsigned count;
    struct converting c = {.module = module, .context = LLVMGetModuleContext(module), .first = 1};
    c.variables = watch_variables_of(module, &count);
    c.records_builder = LLVMCreateDIBuilderDisallowUnresolved(module);
    FOR_EACH_FUNCTION(f, module)
    if (!LLVMIsDeclaration(f))
        convert_function(&c, f);
    LLVMDisposeDIBuilder(c.records_builder);
    free(c.variables);
    free(c.parts);
    free(c.records);
    return true;
}
