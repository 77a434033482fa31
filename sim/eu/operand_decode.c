/* Decodes operands: converts the kernel view's answers to struct eu_operand. */
#include "sim/eu/operand_decode.h"

#include <stdlib.h>
#include <string.h>
#include "sim/eu/thread.h"

/* Architecture registers: their offset in the register file and their size. */
struct register_place {
    uint32_t base, bytes, stride;
    enum eu_special special;
};

static bool find_register(const struct platform *platform, uint32_t name, uint32_t number, struct register_place *place)
{
    static const struct {
        uint32_t name, base, registers, stride;
        enum eu_special special;
        enum feature_id needs;
    } table[] = {
        /* stride 0: that of a general register; registers 0: as many as there are flags */
        {IGA_REG_NULL, EU_FILE_NULL, 1, 256, EU_PLAIN, FEATURE_ALL},
        {IGA_REG_A, EU_FILE_ADDRESS, 1, 32, EU_PLAIN, FEATURE_ALL},
        {IGA_REG_ACC, EU_FILE_ACCUMULATOR, EU_ACCUMULATORS, 0, EU_ACCUMULATOR, FEATURE_ALL},
        {IGA_REG_F, EU_FILE_FLAG, 0, 4, EU_PLAIN, FEATURE_ALL},
        {IGA_REG_CE, EU_FILE_CHANNEL_ENABLE, 1, 4, EU_CHANNEL_ENABLE, FEATURE_ALL},
        {IGA_REG_SR, EU_FILE_STATE, 1, 16, EU_STATE, FEATURE_ALL},
        {IGA_REG_CR, EU_FILE_CONTROL, 1, 16, EU_CONTROL, FEATURE_ALL},
        {IGA_REG_N, EU_FILE_NOTIFICATION, 1, 16, EU_PLAIN, FEATURE_ALL},
        {IGA_REG_IP, EU_FILE_POINTER, 1, 4, EU_POINTER, FEATURE_ALL},
        {IGA_REG_TDR, EU_FILE_DEPENDENCY, 1, 16, EU_PLAIN, FEATURE_ALL},
        {IGA_REG_TM, EU_FILE_TIMESTAMP, 1, 20, EU_TIMESTAMP, FEATURE_ALL},
        {IGA_REG_SP, EU_FILE_STACK, 1, 16, EU_PLAIN, FEATURE_ALL},
        {IGA_REG_DBG, EU_FILE_DEBUG, 1, 8, EU_PLAIN, FEATURE_ALL},
        {IGA_REG_MSG, EU_FILE_MESSAGE, 1, 16, EU_PLAIN, FEATURE_MESSAGE_REGISTER},
        {IGA_REG_S, EU_FILE_SCALAR, 1, EU_SCALAR_BYTES, EU_PLAIN, FEATURE_SCALAR_REGISTER},
    };
    if (name == IGA_REG_GRF) {
        *place = (struct register_place){EU_FILE_GENERAL, platform->grf_bytes * platform->grf_count,
                                         platform->grf_bytes, EU_PLAIN};
        return number < platform->grf_count;
    }
    if (name == IGA_REG_MME) { /* the special accumulators follow acc0 and acc1 */
        name = IGA_REG_ACC;
        number += 2;
    }
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i].name == name && platform_has(platform, table[i].needs)) {
            uint32_t stride = table[i].stride ? table[i].stride : platform->grf_bytes;
            uint32_t registers = table[i].registers ? table[i].registers : eu_flag_registers(platform);
            *place = (struct register_place){table[i].base, registers * stride, stride, table[i].special};
            return number < registers;
        }
    return false;
}

static unsigned log2_of(unsigned value)
{
    unsigned bits = 0;
    while (value > 1) {
        value >>= 1;
        bits++;
    }
    return bits;
}

/* Marks regions with a constant distance between lanes: most have one, and the interpreter is faster for them. */
static void note_linear(struct eu_operand *operand, unsigned exec_size)
{
    unsigned width = 1u << operand->width_log2;
    operand->linear = true;
    if (exec_size <= width || operand->vstride == width * operand->hstride)
        operand->step = width == 1 ? operand->vstride : operand->hstride;
    else if (width == 1)
        operand->step = operand->vstride;
    else
        operand->linear = false;
    if (exec_size == 1)
        operand->step = 0;
}

/* Reads the region of a vector-shaped architecture register from its assembly, because the kernel view does not have
 * it. It is the only <V;W,H> after the register's name. */
static bool region_from_text(const kv_t *kv, unsigned source, uint32_t region[3])
{
    char text[256];
    kv_get_inst_syntax(kv, 0, text, sizeof text, 0, NULL, NULL);
    const char *at = text;
    for (unsigned seen = 0; (at = strchr(at, ';')) != NULL; at++) {
        const char *open = at;
        while (open > text && *open != '<')
            open--;
        if (seen++ != source)
            continue;
        char *end;
        region[0] = (uint32_t)strtoul(open + 1, &end, 10);
        region[1] = (uint32_t)strtoul(at + 1, &end, 10);
        region[2] = *end == ',' ? (uint32_t)strtoul(end + 1, &end, 10) : 0;
        return *end == '>';
    }
    return false;
}

/* Fills the region from vertical stride, width and horizontal stride in elements; absent ones (three-source formats
 * leave them out) follow from the others. */
static bool set_region(struct eu_operand *operand, uint32_t vstride, uint32_t width, uint32_t hstride,
                       unsigned exec_size)
{
    unsigned bytes = eu_type_table[operand->type].bytes;
    operand->row_addresses = vstride == IGA_VSTRIDE_VXH && operand->place == EU_INDIRECT;
    if (operand->row_addresses)
        vstride = 0;
    if (width == IGA_WIDTH_INVALID) {
        if (vstride == IGA_VSTRIDE_INVALID) { /* <H> */
            vstride = hstride;
            width = 1;
        } else if (hstride == 0 || vstride < hstride) { /* <V;0>: rows of one */
            if (vstride != 0 && hstride != 0)
                return false;
            width = 1;
        } else {
            width = vstride / hstride;
        }
    }
    if (vstride > 32 || width == 0 || width > 16 || (width & (width - 1)) != 0 || hstride > 4)
        return false;
    operand->vstride = (uint16_t)(vstride * bytes);
    operand->width_log2 = (uint8_t)log2_of(width);
    operand->hstride = (uint16_t)(hstride * bytes);
    if (!operand->row_addresses)
        note_linear(operand, exec_size);
    else if (exec_size <= width) { /* one row: one address */
        operand->row_addresses = false;
        operand->linear = true;
        operand->step = operand->hstride;
    }
    return true;
}

static bool decode_immediate(const kv_t *kv, unsigned source, struct eu_operand *operand)
{
    uint64_t value;
    if (kv_get_source_immediate(kv, 0, source, &value) != 0)
        return false;
    unsigned bytes = eu_type_table[operand->type].bytes;
    if (operand->type == EU_V || operand->type == EU_UV || operand->type == EU_VF)
        bytes = 4;
    operand->place = EU_IMMEDIATE;
    operand->immediate = bytes == 8 ? value : value & ((1ull << 8 * bytes) - 1);
    return true;
}

/* Direct and math-macro operands: register name, number and subregister to a byte offset. */
static bool set_direct(const struct platform *platform, struct eu_operand *operand, uint32_t name, int32_t number,
                       int32_t subregister)
{
    struct register_place place;
    if (number < 0 || !find_register(platform, name, (uint32_t)number, &place))
        return false;
    if (subregister < 0)
        subregister = 0;
    unsigned bytes = operand->type == EU_NO_TYPE ? 0 : eu_type_table[operand->type].bytes;
    operand->place = EU_DIRECT;
    operand->special = (uint8_t)place.special;
    operand->reg = (uint8_t)number;
    operand->base = (int32_t)(place.base + (uint32_t)number * place.stride + (uint32_t)subregister * bytes);
    if (name == IGA_REG_MME)
        operand->base += 2 * (int32_t)place.stride;
    return true;
}

bool eu_decode_source(const struct platform *platform, const kv_t *kv, unsigned source, unsigned exec_size,
                      bool is_payload, struct eu_operand *operand)
{
    uint32_t kind = kv_get_source_register_kind(kv, 0, source);
    memset(operand, 0, sizeof *operand);
    operand->type = (uint8_t)eu_type_of_iga(kv_get_source_data_type(kv, 0, source));
    if (is_payload && operand->type == EU_NO_TYPE)
        operand->type = EU_UD;
    if (operand->type == EU_NO_TYPE)
        return false;
    if (kind == IGA_KIND_IMMEDIATE)
        return decode_immediate(kv, source, operand);
    uint32_t modifier = kv_get_source_modifier(kv, 0, source);
    operand->absolute = modifier & 1;
    operand->negate = modifier >> 1 & 1;
    int32_t number = kv_get_source_register(kv, 0, source);
    int32_t subregister = kv_get_source_sub_register(kv, 0, source);
    uint32_t name = iga_register_of(platform, kv_get_source_register_type(kv, 0, source));
    if (is_payload && kind == IGA_KIND_INDIRECT && name == IGA_REG_S) { /* r[s0.N]: N counts bytes */
        if (!set_direct(platform, operand, name, number, 0) || subregister >= EU_SCALAR_BYTES)
            return false;
        operand->base += subregister < 0 ? 0 : subregister;
        return true;
    }
    if (kind == IGA_KIND_INDIRECT) {
        int16_t offset;
        if (subregister < 0 || subregister > 15 || kv_get_source_indirect_imm_off(kv, 0, source, &offset) != 0)
            return false;
        operand->place = EU_INDIRECT;
        operand->address = (uint8_t)subregister;
        operand->base = offset;
    } else if (kind == IGA_KIND_DIRECT || kind == IGA_KIND_MACRO) {
        if (!set_direct(platform, operand, name, number, subregister))
            return false;
    } else {
        return false;
    }
    if (is_payload)
        return true;
    uint32_t row = exec_size < 8 ? exec_size : 8, region[3] = {row, row, 1};
    if (row == 1)
        region[0] = region[2] = 0;
    if (kind == IGA_KIND_MACRO)
        return set_region(operand, region[0], region[1], region[2], exec_size);
    if (kv_get_source_region(kv, 0, source, &region[0], &region[1], &region[2]) != 0) {
        region[0] = region[2] = 0;
        region[1] = 1;
        if (kv_is_source_vector(kv, 0, source) == 1 && name != IGA_REG_NULL && exec_size > 1 &&
            !region_from_text(kv, source, region))
            return false;
    }
    return set_region(operand, region[0], region[1], region[2], exec_size);
}

bool eu_decode_destination(const struct platform *platform, const kv_t *kv, bool is_payload, struct eu_operand *operand)
{
    memset(operand, 0, sizeof *operand);
    operand->type = (uint8_t)eu_type_of_iga(kv_get_destination_data_type(kv, 0));
    if (is_payload && operand->type == EU_NO_TYPE)
        operand->type = EU_UD;
    if (operand->type == EU_NO_TYPE)
        return false;
    uint32_t kind = kv_get_destination_register_kind(kv, 0);
    uint32_t name = iga_register_of(platform, kv_get_destination_register_type(kv, 0));
    int32_t number = kv_get_destination_register(kv, 0);
    int32_t subregister = kv_get_destination_sub_register(kv, 0);
    uint32_t hstride;
    if (kv_get_destination_region(kv, 0, &hstride) != 0 || hstride == IGA_HSTRIDE_INVALID)
        hstride = 1;
    if (hstride == 0 || hstride > 4)
        return false;
    operand->hstride = operand->step = (uint16_t)(hstride * eu_type_table[operand->type].bytes);
    operand->linear = true;
    if (kind == IGA_KIND_INDIRECT) {
        int16_t offset;
        if (subregister < 0 || subregister > 15 || kv_get_destination_indirect_imm_off(kv, 0, &offset) != 0)
            return false;
        operand->place = EU_INDIRECT;
        operand->address = (uint8_t)subregister;
        operand->base = offset;
        return true;
    }
    if (kind != IGA_KIND_DIRECT && kind != IGA_KIND_MACRO)
        return false;
    if (name == IGA_REG_NULL) {
        operand->place = EU_NOWHERE;
        return true;
    }
    return set_direct(platform, operand, name, number, subregister);
}
