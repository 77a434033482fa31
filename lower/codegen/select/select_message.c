/* Selects messages: memory, barriers, and the thread's own state. Payloads are whole variables that start at a
 * register. */
#include "lower/cm/surfaces.h"
#include "lower/codegen/select/select.h"

static LLVMValueRef operand(LLVMValueRef i, unsigned k)
{
    return LLVMGetOperand(i, k);
}

/* The same by the load/store cache, whose 2D blocks of images vISA's text has no word for. The header: x, y, width and
 * height less one from dword 5 on. (IGC, lscBuildTypedBlock2DPayload.) */
static bool select_lsc_media(struct selection *s, LLVMValueRef i, bool store)
{
    enum {
        FUNCTION = 13,
        LOAD = 3,
        STORE = 7,
        BINDING_TABLE = 3 << 29,
        ONE_SENT = 1 << 25,
        REPLY = 20,
        X = 5,
        Y,
        SHAPE
    };
    unsigned width = (unsigned)constant_of(i, 3), grf = s->platform->grf_bytes;
    unsigned bytes = cg_value_bytes(LLVMTypeOf(store ? operand(i, 6) : i)), registers = (bytes + grf - 1) / grf;
    unsigned header = cg_new_variable(s, VISA_TYPE_UD, grf / 4, grf, "header");
    uint32_t shape = (width - 1) | (bytes / surface_block_pitch(width) - 1) << 8;
    legalize_move(s, 1, macro_scalar(header, VISA_TYPE_UD, X * 4), operand_source(s, operand(i, 4), 'U'));
    legalize_move(s, 1, macro_scalar(header, VISA_TYPE_UD, Y * 4), operand_source(s, operand(i, 5), 'U'));
    legalize_move(s, 1, macro_scalar(header, VISA_TYPE_UD, SHAPE * 4), macro_immediate(VISA_TYPE_UD, shape));
    struct visa_instruction m = {.op = VISA_OP_RAW_SENDS, .exec_size = 1, .no_mask = true};
    m.attr[0] = FUNCTION;
    m.attr[1] = 1;
    m.attr[2] = store ? (int)registers : 0;
    m.attr[3] = store ? 0 : (int)registers;
    m.src[0] = cg_raw_operand(s, header, 0);
    m.src[1] = store ? select_payload_value(s, operand(i, 6)) : cg_raw_operand(s, VISA_NULL, 0);
    m.src[2] = select_lsc_descriptor(s, operand(i, 1));
    m.src[3] = (struct visa_operand){.kind = VISA_OPERAND_IMMEDIATE,
                                     .type = VISA_TYPE_UD,
                                     .bits = BINDING_TABLE | ONE_SENT | (store ? STORE : LOAD | registers << REPLY)};
    m.dst = store ? cg_raw_operand(s, VISA_NULL, 0) : select_payload_value(s, i);
    cg_emit(s, &m);
    return true;
}

/* media.ld / media.st: modifier, surface, plane, width, x, y[, data]. Rows sit a power of two of bytes apart, at
 * least 4. */
static bool select_media(struct selection *s, LLVMValueRef i, bool store)
{
    LLVMTypeRef type = LLVMTypeOf(store ? operand(i, 6) : i);
    unsigned width = (unsigned)constant_of(i, 3), pitch = surface_block_pitch(width);
    if (width < 1 || width > 64 || cg_value_bytes(type) > 256 || cg_value_bytes(type) < pitch)
        return cg_fail(s, i, "media block of %u bytes a row, %u in all: at most 64 and 256", width,
                       cg_value_bytes(type));
    if (!platform_has(s->platform, FEATURE_OLD_DATA_PORTS))
        return select_lsc_media(s, i, store);
    struct visa_instruction m = {.op = store ? VISA_OP_MEDIA_ST : VISA_OP_MEDIA_LD, .exec_size = 1};
    m.attr[0] = (int)width;
    m.attr[1] = (int)(cg_value_bytes(type) / pitch);
    m.attr[2] = constant_of(i, 2);
    m.attr[3] = constant_of(i, 0);
    struct visa_operand x = select_message_scalar(s, operand(i, 4)), y = select_message_scalar(s, operand(i, 5));
    m.src[0] = select_message_surface(s, operand(i, 1));
    m.src[1] = x;
    m.src[2] = y;
    if (store)
        m.src[3] = select_payload_value(s, operand(i, 6));
    else
        m.dst = select_payload_value(s, i);
    cg_emit(s, &m);
    return true;
}

static bool is_oword_count(unsigned bytes)
{
    return bytes == 16 || bytes == 32 || bytes == 64 || bytes == 128;
}

static bool select_oword(struct selection *s, LLVMValueRef i, enum visa_opcode op)
{
    bool store = op == VISA_OP_OWORD_ST;
    unsigned bytes = cg_value_bytes(LLVMTypeOf(store ? operand(i, 2) : i));
    if (!is_oword_count(bytes))
        return cg_fail(s, i, "oword block of %u bytes: must be 16, 32, 64 or 128", bytes);
    struct visa_instruction m = {.op = op, .exec_size = 1, .attr = {(int)(bytes / 16)}};
    struct visa_operand offset = select_message_scalar(s, operand(i, store ? 1 : 2));
    m.src[0] = select_message_surface(s, operand(i, store ? 0 : 1));
    m.src[1] = offset;
    if (store)
        m.src[2] = select_payload_value(s, operand(i, 2));
    else
        m.dst = select_payload_value(s, i);
    cg_emit(s, &m);
    return true;
}

/* Descriptors of messages that vISA has no instruction for (PRM volume 7, data port messages). */
enum {
    SFID_DATA_PORT_1 = 0xc,
    A64_BLOCK_READ_UNALIGNED = 0x14 << 14 | 1 << 19 | 1 << 11 | 0xff, /* with header; stateless, coherent */
    DESCRIPTOR_SEND_LENGTH = 25,
    DESCRIPTOR_REPLY_LENGTH = 20,
    DESCRIPTOR_OWORDS = 8
};

/* Reads a block at a dword-aligned address: vISA's svm_block_ld requires 16 bytes. The header's first two dwords are
 * the address. */
static bool select_svm_block_unaligned(struct selection *s, LLVMValueRef i)
{
    unsigned bytes = cg_value_bytes(LLVMTypeOf(i)), grf = s->platform->grf_bytes, reply = (bytes + grf - 1) / grf,
             code = 0;
    if (!is_oword_count(bytes))
        return cg_fail(s, i, "block of %u bytes: must be 16, 32, 64 or 128", bytes);
    for (unsigned n = bytes / 16; n > 1; n /= 2) /* 0: one oword, 2: two, 3: four, 4: eight */
        code = code ? code + 1 : 2;
    unsigned header = cg_new_variable(s, VISA_TYPE_UD, grf / 4, grf, "header");
    legalize_move(s, 2, macro_region(header, VISA_TYPE_UD, 0, 2),
                  macro_region(operand_value_variable(s, operand(i, 0)), VISA_TYPE_UD, 0, 2));
    struct visa_instruction m = {.op = VISA_OP_RAW_SEND, .exec_size = 8, .no_mask = true};
    m.attr[0] = SFID_DATA_PORT_1;
    m.attr[1] = 1;
    m.attr[2] = (int)reply;
    m.attr[3] = (int)(A64_BLOCK_READ_UNALIGNED | 1u << DESCRIPTOR_SEND_LENGTH | reply << DESCRIPTOR_REPLY_LENGTH |
                      code << DESCRIPTOR_OWORDS);
    m.src[0] = cg_raw_operand(s, header, 0);
    m.dst = select_payload_value(s, i);
    s->out->uses_stateless = true;
    cg_emit(s, &m);
    return true;
}

static bool select_svm_block(struct selection *s, LLVMValueRef i, bool store)
{
    unsigned bytes = cg_value_bytes(LLVMTypeOf(store ? operand(i, 1) : i));
    if (!is_oword_count(bytes))
        return cg_fail(s, i, "block of %u bytes: must be 16, 32, 64 or 128", bytes);
    struct visa_instruction m = {
        .op = store ? VISA_OP_SVM_BLOCK_ST : VISA_OP_SVM_BLOCK_LD, .exec_size = 1, .attr = {(int)(bytes / 16)}};
    struct macro_operand address = macro_scalar(operand_value_variable(s, operand(i, 0)), VISA_TYPE_UQ, 0);
    m.src[0] = macro_general_operand(&address);
    if (store)
        m.src[1] = select_payload_value(s, operand(i, 1));
    else
        m.dst = select_payload_value(s, i);
    s->out->uses_stateless = true;
    cg_emit(s, &m);
    return true;
}

struct scattered {
    LLVMValueRef mask, offsets, data;  /* data: NULL for gathers */
    LLVMValueRef surface;              /* NULL: none */
    unsigned offset_bytes, data_bytes; /* per lane in registers */
    struct visa_instruction message;   /* all but the payloads and the lanes */
    unsigned offsets_at;               /* source number of the offsets; the data follow */
};

/* Emits one message per 16 lanes. */
static bool emit_scattered(struct selection *s, LLVMValueRef i, const struct scattered *m)
{
    unsigned lanes = type_lanes(LLVMTypeOf(m->mask));
    if (lanes > 32 || (lanes & (lanes - 1)) != 0)
        return cg_fail(s, i, "scattered access of %u lanes: must be 1, 2, 4, 8, 16 or 32", lanes);
    struct visa_operand offsets = select_payload_value(s, m->offsets),
                        payload = select_payload_value(s, m->data ? m->data : i);
    for (unsigned first = 0; first < lanes; first += 16) {
        struct visa_instruction out = m->message;
        if (first)
            select_message_surface_again(s, m->surface);
        out.exec_size = (uint8_t)(lanes < 16 ? lanes : 16);
        out.channel = (uint8_t)first;
        out.src[m->offsets_at] = offsets;
        if (m->data)
            out.src[m->offsets_at + 1] = payload;
        else
            out.dst = payload;
        select_emit_masked(s, &out, m->mask);
        offsets.offset += (int)(16 * m->offset_bytes);
        payload.offset += (int)(16 * m->data_bytes);
    }
    return true;
}

/* What the operands below have in common. */
static struct scattered scaled_access(LLVMValueRef i)
{
    return (struct scattered){.mask = operand(i, 0),
                              .offsets = operand(i, 5),
                              .surface = operand(i, 3),
                              .offset_bytes = 4,
                              .data_bytes = 4,
                              .offsets_at = 2};
}

/* gather.scaled / scatter.scaled: mask, log2 bytes, scale, surface, global offset, offsets, old or data. */
static bool select_scaled(struct selection *s, LLVMValueRef i, bool store)
{
    struct scattered m = scaled_access(i);
    m.data = store ? operand(i, 6) : NULL;
    m.message.op = store ? VISA_OP_SCATTER_SCALED : VISA_OP_GATHER_SCALED;
    m.message.attr[0] = 1 << constant_of(i, 1);
    if (!store)
        select_keep_old_lanes(s, i, m.mask);
    m.message.src[1] = select_message_scalar(s, operand(i, 4));
    m.message.src[0] = select_message_surface(s, operand(i, 3));
    return emit_scattered(s, i, &m);
}

/* gather4.scaled / scatter4.scaled: mask, channels, scale, surface, global offset, offsets, old or data. Only one
 * message: a second one's channels would lie between the first one's. */
static bool select_quad(struct selection *s, LLVMValueRef i, bool store)
{
    struct scattered m = scaled_access(i);
    unsigned lanes = type_lanes(LLVMTypeOf(m.offsets));
    if (lanes != 8 && lanes != 16)
        return cg_fail(s, i, "access of several channels in %u lanes: must be 8 or 16", lanes);
    m.data = store ? operand(i, 6) : NULL;
    m.message.op = store ? VISA_OP_SCATTER4_SCALED : VISA_OP_GATHER4_SCALED;
    m.message.attr[0] = constant_of(i, 1);
    m.message.src[1] = select_message_scalar(s, operand(i, 4));
    m.message.src[0] = select_message_surface(s, operand(i, 3));
    return emit_scattered(s, i, &m);
}

/* Returns data source `k` of an atomic message, from byte `bytes` on. The operation has `sources` data operands, from
 * operand `first` of the call on. vISA's fcmpwr has the compared value first, llvm.genx and cmpxchg the new value. */
static struct visa_operand atomic_operand(struct selection *s, LLVMValueRef i, unsigned first, unsigned sources,
                                          unsigned k, unsigned bytes)
{
    if (k >= sources)
        return (struct visa_operand){.kind = VISA_OPERAND_RAW, .variable = VISA_NULL};
    enum genx_id id = genx_call_id(i);
    bool reversed = id == GENX_DWORD_ATOMIC_FCMPWR || id == GENX_SVM_ATOMIC_FCMPWR;
    return select_payload_from(s, operand(i, first + (reversed ? sources - 1 - k : k)), bytes);
}

/* dword.atomic.*: mask, surface, byte offsets, operands of the operation, old. */
static bool select_atomic(struct selection *s, LLVMValueRef i, enum genx_id id)
{
    unsigned lanes = type_lanes(LLVMTypeOf(i)), sources = LLVMGetNumArgOperands(i) - 4, most = ir_atomic_lanes(i);
    if (lanes > 32 || (lanes & (lanes - 1)) != 0)
        return cg_fail(s, i, "atomic operation on %u lanes: must be 1, 2, 4, 8, 16 or 32", lanes);
    struct visa_instruction m = {.op = VISA_OP_DWORD_ATOMIC, .exec_size = (uint8_t)(lanes < most ? lanes : most)};
    m.attr[0] = VISA_ATOMIC_ADD + (int)(id - GENX_DWORD_ATOMIC_ADD);
    m.attr[1] = 32;
    m.src[0] = select_message_surface(s, operand(i, 1));
    for (unsigned first = 0; first < lanes; first += most) {
        if (first)
            select_message_surface_again(s, operand(i, 1));
        m.channel = (uint8_t)first;
        m.src[1] = select_payload_from(s, operand(i, 2), 4 * first);
        for (unsigned k = 0; k < 2; k++)
            m.src[2 + k] = atomic_operand(s, i, 3, sources, k, 4 * first);
        m.dst = select_payload_from(s, i, 4 * first);
        select_emit_masked(s, &m, operand(i, 0));
    }
    return true;
}

/* svm.gather4.scaled / svm.scatter4.scaled: mask, channels, scale, base address, addresses, old or data. */
static bool select_svm_quad(struct selection *s, LLVMValueRef i, bool store)
{
    struct scattered m = {
        .mask = operand(i, 0), .offsets = operand(i, 4), .offset_bytes = 8, .data_bytes = 4, .offsets_at = 1};
    unsigned lanes = type_lanes(LLVMTypeOf(m.offsets));
    int64_t base;
    if (lanes != 8 && lanes != 16)
        return cg_fail(s, i, "access of several channels in %u lanes: must be 8 or 16", lanes);
    if (!constant_int(operand(i, 3), &base))
        return cg_fail(s, i, "the base address of a message of several channels must be a constant");
    m.data = store ? operand(i, 5) : NULL;
    m.message.op = store ? VISA_OP_SVM_SCATTER4_SCALED : VISA_OP_SVM_GATHER4_SCALED;
    m.message.attr[0] = constant_of(i, 1);
    m.message.src[0] =
        (struct visa_operand){.kind = VISA_OPERAND_IMMEDIATE, .type = VISA_TYPE_UQ, .bits = (uint64_t)base};
    s->out->uses_stateless = true;
    return emit_scattered(s, i, &m);
}

/* svm.atomic.*: mask, addresses, operands of the operation, old. A message has at most 8 lanes. */
static bool select_svm_atomic(struct selection *s, LLVMValueRef i, enum genx_id id)
{
    unsigned lanes = type_lanes(LLVMTypeOf(i)), sources = LLVMGetNumArgOperands(i) - 3, most = ir_atomic_lanes(i),
             bytes = type_element_bytes(LLVMTypeOf(i));
    if (lanes > 32 || (lanes & (lanes - 1)) != 0)
        return cg_fail(s, i, "atomic operation on %u lanes: must be 1, 2, 4, 8, 16 or 32", lanes);
    struct visa_instruction m = {.op = VISA_OP_SVM_ATOMIC, .exec_size = (uint8_t)(lanes < most ? lanes : most)};
    m.attr[0] = VISA_ATOMIC_ADD + (int)(id - GENX_SVM_ATOMIC_ADD);
    m.attr[1] = (int)(8 * bytes);
    s->out->uses_stateless = true;
    for (unsigned first = 0; first < lanes; first += most) {
        m.channel = (uint8_t)first;
        m.src[0] = select_payload_from(s, operand(i, 1), 8 * first);
        for (unsigned k = 0; k < 2; k++)
            m.src[1 + k] = atomic_operand(s, i, 2, sources, k, bytes * first);
        m.dst = select_payload_from(s, i, bytes * first);
        select_emit_masked(s, &m, operand(i, 0));
    }
    return true;
}

/* svm.gather / svm.scatter: mask, log2 of blocks, addresses, old or data. Bytes take four bytes a lane. */
static bool select_svm_scattered(struct selection *s, LLVMValueRef i, bool store)
{
    LLVMTypeRef type = LLVMTypeOf(operand(i, 3));
    unsigned bytes = type_element_bytes(type);
    struct scattered m = {
        .mask = operand(i, 0), .offsets = operand(i, 2), .offset_bytes = 8, .data_bytes = bytes == 8 ? 8 : 4};
    m.data = store ? operand(i, 3) : NULL;
    m.message.op = store ? VISA_OP_SVM_SCATTER : VISA_OP_SVM_GATHER;
    m.message.attr[0] = (int)bytes;
    m.message.attr[1] = 1 << constant_of(i, 1);
    if (!store)
        select_keep_old_lanes(s, i, m.mask);
    s->out->uses_stateless = true;
    return emit_scattered(s, i, &m);
}

/* Returns the payload of a native store, if its variable has the layout of the message. Bytes and words do not: the
 * message takes a dword for each. */
static bool is_pointer_payload(struct selection *s, LLVMValueRef value)
{
    struct cg_value *v = bale_value(s, value);
    return v && !v->inlined && type_element_bytes(LLVMTypeOf(value)) >= 4;
}

/* Selects native loads and stores through pointers: one lane of an SVM message. Variables in registers have no pointers
 * any more. */
static bool select_pointer_access(struct selection *s, LLVMValueRef i)
{
    bool store = LLVMIsAStoreInst(i) != NULL;
    LLVMValueRef pointer = operand(i, store ? 1 : 0), value = store ? operand(i, 0) : i;
    LLVMTypeRef type = LLVMTypeOf(value);
    unsigned bytes = type_element_bytes(type), words = bytes == 8 ? 2 : 1;
    if (!type_is_global_address(LLVMTypeOf(pointer)) || !bale_value_root(s, pointer) || type_lanes(type) != 1)
        return cg_fail(
            s, i, "access through a pointer that is neither a kernel argument's memory nor a variable in registers");
    struct visa_instruction m = {.op = store ? VISA_OP_SVM_SCATTER : VISA_OP_SVM_GATHER, .exec_size = 1};
    m.attr[0] = bytes >= 4 ? (int)bytes : 1;
    m.attr[1] = bytes >= 4 ? 1 : (int)bytes;
    m.src[0] = select_payload_value(s, pointer);
    s->out->uses_stateless = true;
    struct visa_operand *data = store ? &m.src[1] : &m.dst;
    if (is_pointer_payload(s, value)) {
        *data = select_payload_value(s, value);
        cg_emit(s, &m);
        return true;
    }
    /* the finalizer takes the message's length from the payload's type */
    unsigned payload = cg_new_variable(s, words == 2 ? VISA_TYPE_UQ : VISA_TYPE_UD, 1, s->platform->grf_bytes, NULL);
    enum visa_type t = words == 2 ? VISA_TYPE_UD : cg_visa_type(type, 'U');
    *data = cg_raw_operand(s, payload, 0);
    if (store)
        legalize_move(s, words, macro_region(payload, t, 0, words),
                      words == 2 ? macro_region(operand_value_variable(s, value), t, 0, 2)
                                 : operand_source(s, value, 'U'));
    cg_emit(s, &m);
    if (!store)
        legalize_move(s, words, macro_region(operand_value_variable(s, i), t, 0, words),
                      macro_region(payload, t, 0, words));
    return true;
}

static unsigned input_variable(struct selection *s, enum visa_type type, unsigned elements, int offset,
                               const char *name)
{
    struct visa_variable v = {
        .class = VISA_CLASS_GENERAL, .type = type, .elements = elements, .input_offset = offset, .comment = name};
    return visa_add_variable(s->program, s->out, &v);
}

/* Three u16 in the register after the header (docs/compiler/abi.md). */
unsigned select_local_ids_variable(struct selection *s)
{
    if (!s->inputs->local_ids)
        s->inputs->local_ids = input_variable(s, VISA_TYPE_UW, 3, (int)s->platform->grf_bytes, "local ids");
    s->out->uses_local_ids = true;
    return s->inputs->local_ids;
}

/* Users read single lanes directly (select_region.c); other users get three dwords. */
static bool select_local_id(struct selection *s, LLVMValueRef i)
{
    unsigned ids = select_local_ids_variable(s);
    for (LLVMUseRef use = LLVMGetFirstUse(i); use; use = LLVMGetNextUse(use))
        if (!LLVMIsAExtractElementInst(LLVMGetUser(use))) {
            legalize_move(s, 3, operand_destination(s, i, 'U'), macro_region(ids, VISA_TYPE_UW, 0, 3));
            return true;
        }
    return true;
}

/* Three dwords that the driver passes after the kernel's arguments. */
static bool select_triple(struct selection *s, LLVMValueRef i, enum visa_argument_kind kind, unsigned *variable)
{
    if (!*variable) {
        struct visa_argument a = {.kind = kind, .index = -1, .size = 12, .binding = -1};
        unsigned place = cg_next_offset(s, s->inputs->payload_end, a.size, sizeof(uint32_t));
        a.payload_offset = (int)place;
        s->inputs->payload_end = place + a.size;
        visa_add_argument(s->program, s->out, &a);
        *variable = input_variable(s, VISA_TYPE_UD, 3, a.payload_offset,
                                   kind == VISA_ARG_LOCAL_SIZE ? "local size" : "group count");
    }
    interference_value_class(s, bale_value_root(s, i))->variable =
        *variable; /* interference_may_share(): it is alone in its class */
    return true;
}

/* Eight bytes that the driver passes after the kernel's arguments. */
static bool select_print_buffer(struct selection *s, LLVMValueRef i)
{
    if (!s->inputs->print_buffer) {
        struct visa_argument a = {.kind = VISA_ARG_PRINTF_BUFFER, .index = -1, .size = 8, .binding = -1};
        unsigned place = cg_next_offset(s, s->inputs->payload_end, a.size, sizeof(uint64_t));
        a.payload_offset = (int)place;
        s->inputs->payload_end = place + a.size;
        visa_add_argument(s->program, s->out, &a);
        s->inputs->print_buffer = input_variable(s, VISA_TYPE_UQ, 1, a.payload_offset, "what kernels print");
        s->out->uses_stateless = true;
    }
    legalize_move(s, 2, macro_region(operand_value_variable(s, i), VISA_TYPE_UD, 0, 2),
                  macro_region(s->inputs->print_buffer, VISA_TYPE_UD, 0, 2));
    return true;
}

/* Selects faddr of a string literal: the two halves of its address, which the driver fills in. */
static bool select_string(struct selection *s, LLVMValueRef i)
{
    LLVMValueRef text = LLVMGetInitializer(operand(i, 0));
    size_t size = 1;
    const char *bytes = LLVMIsNull(text) ? "" : LLVMGetAsString(text, &size);
    unsigned number = visa_add_text(s->program, bytes, size), to = operand_value_variable(s, i);
    for (unsigned half = 0; half < 2; half++) {
        struct visa_instruction m = {.op = VISA_OP_MOV, .exec_size = 1, .no_mask = true};
        m.dst = (struct visa_operand){.kind = VISA_OPERAND_GENERAL,
                                      .variable = to,
                                      .type = VISA_TYPE_UD,
                                      .offset = (int)(4 * half),
                                      .region = {.hstride = 1}};
        m.src[0] =
            (struct visa_operand){.kind = VISA_OPERAND_STRING, .type = VISA_TYPE_UD, .bits = number, .element = half};
        cg_emit(s, &m);
    }
    return true;
}

static bool select_own_register(struct selection *s, LLVMValueRef i, enum genx_id id)
{
    unsigned lanes = type_lanes(LLVMTypeOf(i)), from = id == GENX_R0 ? VISA_R0 : id == GENX_SR0 ? VISA_SR0 : VISA_HWID;
    if (lanes == 1)
        legalize_move(s, 1, operand_destination(s, i, 'U'), macro_scalar(from, VISA_TYPE_UD, 0));
    else
        legalize_move(s, lanes, operand_destination(s, i, 'U'), macro_region(from, VISA_TYPE_UD, 0, lanes));
    return true;
}

/* The fifth dword of the timestamp register counts down; the next instruction is issued when it is 0. */
static bool select_pause(struct selection *s, LLVMValueRef i)
{
    enum { PAUSE = 16 };
    if (!platform_has(s->platform, FEATURE_PAUSE))
        return cg_fail(s, i, "cm_pause is not available on %s: the finalizer cannot write its timestamp register",
                       s->platform->name);
    legalize_move(s, 1, macro_scalar(VISA_TSC, VISA_TYPE_UD, PAUSE), operand_source(s, operand(i, 0), 'U'));
    return true;
}

/* Waits at a named barrier, whose number vISA takes as a byte. */
static bool select_named_wait(struct selection *s, LLVMValueRef i)
{
    struct macro_operand number = macro_scalar(cg_new_variable(s, VISA_TYPE_UB, 1, 0, NULL), VISA_TYPE_UB, 0);
    struct visa_instruction wait = {.op = VISA_OP_NBARRIER_WAIT, .exec_size = 1};
    wait.src[0] = macro_general_operand(&number);
    legalize_move(s, 1, number, operand_source(s, operand(i, 1), 'U'));
    cg_emit(s, &wait);
    return true;
}

static bool select_intrinsic(struct selection *s, LLVMValueRef i, enum genx_id id)
{
    struct visa_instruction sync = {.exec_size = 1};
    if (ir_is_atomic(i) && id < GENX_SVM_ATOMIC_ADD)
        return select_atomic(s, i, id);
    if (ir_is_atomic(i))
        return select_svm_atomic(s, i, id);
    switch (id) {
    case GENX_MEDIA_LD: return select_media(s, i, false);
    case GENX_MEDIA_ST: return select_media(s, i, true);
    case GENX_OWORD_LD: return select_oword(s, i, VISA_OP_OWORD_LD);
    case GENX_OWORD_LD_UNALIGNED: return select_oword(s, i, VISA_OP_OWORD_LD_UNALIGNED);
    case GENX_OWORD_ST: return select_oword(s, i, VISA_OP_OWORD_ST);
    case GENX_GATHER_SCALED: return select_scaled(s, i, false);
    case GENX_SCATTER_SCALED: return select_scaled(s, i, true);
    case GENX_SVM_BLOCK_LD: return select_svm_block(s, i, false);
    case GENX_SVM_BLOCK_LD_UNALIGNED: return select_svm_block_unaligned(s, i);
    case GENX_SVM_BLOCK_ST: return select_svm_block(s, i, true);
    case GENX_SVM_GATHER: return select_svm_scattered(s, i, false);
    case GENX_SVM_SCATTER: return select_svm_scattered(s, i, true);
    case GENX_SVM_GATHER4_SCALED: return select_svm_quad(s, i, false);
    case GENX_SVM_SCATTER4_SCALED: return select_svm_quad(s, i, true);
    case GENX_LOCAL_ID: return select_local_id(s, i);
    case GENX_LOCAL_SIZE: return select_triple(s, i, VISA_ARG_LOCAL_SIZE, &s->inputs->local_size);
    case GENX_GROUP_COUNT: return select_triple(s, i, VISA_ARG_GROUP_COUNT, &s->inputs->group_count);
    case GENX_GROUP_ID_X:
    case GENX_GROUP_ID_Y:
    case GENX_GROUP_ID_Z:
        legalize_move(s, 1, operand_destination(s, i, 'U'),
                      macro_scalar(VISA_GROUP_ID_X + (id - GENX_GROUP_ID_X), VISA_TYPE_UD, 0));
        return true;
    case GENX_GATHER4_SCALED: return select_quad(s, i, false);
    case GENX_SCATTER4_SCALED: return select_quad(s, i, true);
    case GENX_TIMESTAMP:
        legalize_move(s, type_lanes(LLVMTypeOf(i)), operand_destination(s, i, 'U'),
                      macro_region(VISA_TSC, VISA_TYPE_UD, 0, type_lanes(LLVMTypeOf(i))));
        return true;
    case GENX_R0:
    case GENX_SR0:
    case GENX_GET_HWID: return select_own_register(s, i, id);
    case GENX_SET_PAUSE: return select_pause(s, i);
    case GENX_PRINT_BUFFER: return select_print_buffer(s, i);
    case GENX_FADDR: return select_string(s, i);
    case GENX_SLM_INIT: s->out->slm_bytes = (unsigned)constant_of(i, 0); return true;
    case GENX_SBARRIER:
        sync.op = VISA_OP_SBARRIER;
        sync.attr[0] = constant_of(i, 0) & 1;
        s->out->has_barrier = true;
        cg_emit(s, &sync);
        return true;
    case GENX_NBARRIER: return select_named_wait(s, i);
    case GENX_BARRIER:
        sync.op = VISA_OP_BARRIER;
        s->out->has_barrier = true;
        cg_emit(s, &sync);
        return true;
    case GENX_FENCE:
        sync.op = VISA_OP_FENCE;
        sync.attr[0] = constant_of(i, 0) & 0xff;
        cg_emit(s, &sync);
        return true;
    default: return false;
    }
}

bool select_message(struct selection *s, LLVMValueRef i)
{
    if (LLVMIsALoadInst(i) || LLVMIsAStoreInst(i))
        return select_pointer_access(s, i);
    if (!LLVMIsACallInst(i))
        return false;
    return select_intrinsic(s, i, genx_call_id(i));
}
