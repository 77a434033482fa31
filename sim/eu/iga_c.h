/* Declares for C the subset of Intel's kernel view (libiga64, <iga/kv.h>) that the decoder uses.
 *
 * kv.h is a C++ header over functions with plain C names; its enumerations live in namespace iga. The numbers below
 * repeat them. test/unit/sim_eu/iga_numbers.cpp compiles this file beside the originals and asserts that they agree. */
#ifndef CMKIT_SIM_EU_IGA_C_H
#define CMKIT_SIM_EU_IGA_C_H

#include <stddef.h>
#include <stdint.h>

enum iga_kind {
    IGA_KIND_INVALID,
    IGA_KIND_DIRECT,
    IGA_KIND_MACRO,
    IGA_KIND_INDIRECT,
    IGA_KIND_IMMEDIATE,
    IGA_KIND_LABEL
};

enum iga_register {
    IGA_REG_INVALID,
    IGA_REG_NULL,
    IGA_REG_A,
    IGA_REG_ACC,
    IGA_REG_MME,
    IGA_REG_F,
    IGA_REG_CE,
    IGA_REG_MSG,
    IGA_REG_SP,
    IGA_REG_SR,
    IGA_REG_CR,
    IGA_REG_N,
    IGA_REG_IP,
    IGA_REG_TDR,
    IGA_REG_TM,
    IGA_REG_FC,
    IGA_REG_DBG,
    IGA_REG_GRF
};

/* iga::Type; sim/eu/types.def has a row for each type of the simulated platforms. */
enum iga_type {
    IGA_TYPE_INVALID = 0,
    IGA_TYPE_U1,
    IGA_TYPE_U2,
    IGA_TYPE_U4,
    IGA_TYPE_S2,
    IGA_TYPE_S4,
    IGA_TYPE_UB = 6,
    IGA_TYPE_B,
    IGA_TYPE_UW,
    IGA_TYPE_W,
    IGA_TYPE_UD,
    IGA_TYPE_D,
    IGA_TYPE_UQ,
    IGA_TYPE_Q,
    IGA_TYPE_HF,
    IGA_TYPE_BF = 16,
    IGA_TYPE_TF32 = 19,
    IGA_TYPE_F = 20,
    IGA_TYPE_DF,
    IGA_TYPE_NF,
    IGA_TYPE_V,
    IGA_TYPE_UV,
    IGA_TYPE_VF
};

/* iga::FlagModifier */
enum iga_condition {
    IGA_CONDITION_NONE,
    IGA_CONDITION_EQ,
    IGA_CONDITION_NE,
    IGA_CONDITION_GT,
    IGA_CONDITION_GE,
    IGA_CONDITION_LT,
    IGA_CONDITION_LE,
    IGA_CONDITION_OV = 8,
    IGA_CONDITION_UN,
    IGA_CONDITION_EO = 0xff /* implied by math.invm and math.rsqtm */
};

/* iga::InstOpt */
enum iga_option { IGA_OPTION_ACCWREN = 0, IGA_OPTION_EOT = 4, IGA_OPTION_EXBSO = 12 };

/* iga::SFID; 0x100: the shared function comes from a0 (before Gen12). */
enum iga_function { IGA_FUNCTION_INVALID = -1, IGA_FUNCTION_A0 = 0x100 };

enum { IGA_VSTRIDE_VXH = 31, IGA_VSTRIDE_INVALID = 63, IGA_WIDTH_INVALID = 31, IGA_HSTRIDE_INVALID = 15 };
enum { IGA_STATUS_SUCCESS = 0, IGA_STATUS_DECODE_ERROR = 4 };
enum { IGA_ANY_TARGETS = 3, IGA_NO_DESCRIPTOR_REGISTER = 0xff };

#ifndef IGA_C_NUMBERS_ONLY
typedef struct kv_t kv_t;

kv_t *kv_create(uint32_t platform, const void *bytes, size_t size, int *status, char *errors, size_t errors_size,
                uint32_t swsb_mode);
void kv_delete(kv_t *kv);
_Bool kv_has_inst_opt(const kv_t *kv, int32_t pc, uint32_t option);
uint32_t kv_get_inst_targets(const kv_t *kv, int32_t pc, int32_t *pcs);
size_t kv_get_inst_syntax(const kv_t *kv, int32_t pc, char *text, size_t size, uint32_t format_options,
                          const char *(*label)(int32_t, void *), void *context);
uint32_t kv_get_send_descs(const kv_t *kv, int32_t pc, uint32_t *extended, uint32_t *descriptor);
void kv_get_send_indirect_descs(const kv_t *kv, int32_t pc, uint8_t *extended_reg, uint8_t *extended_subreg,
                                uint8_t *reg, uint8_t *subreg);
uint32_t kv_get_message_len(const kv_t *kv, int32_t pc, uint32_t *first, uint32_t *second, uint32_t *returned);
uint32_t kv_get_execution_size(const kv_t *kv, int32_t pc);
int32_t kv_get_number_sources(const kv_t *kv, int32_t pc);
uint32_t kv_get_opcode(const kv_t *kv, int32_t pc);
int kv_get_subfunction(const kv_t *kv, int32_t pc, uint32_t *function);
int32_t kv_get_has_destination(const kv_t *kv, int32_t pc);
int32_t kv_get_destination_register(const kv_t *kv, int32_t pc);
int32_t kv_get_destination_sub_register(const kv_t *kv, int32_t pc);
uint32_t kv_get_destination_data_type(const kv_t *kv, int32_t pc);
uint32_t kv_get_destination_register_type(const kv_t *kv, int32_t pc);
uint32_t kv_get_destination_register_kind(const kv_t *kv, int32_t pc);
int32_t kv_get_destination_region(const kv_t *kv, int32_t pc, uint32_t *hstride);
int32_t kv_get_destination_indirect_imm_off(const kv_t *kv, int32_t pc, int16_t *offset);
uint32_t kv_get_destination_modifier(const kv_t *kv, int32_t pc);
int32_t kv_get_source_register(const kv_t *kv, int32_t pc, uint32_t source);
int32_t kv_get_source_sub_register(const kv_t *kv, int32_t pc, uint32_t source);
uint32_t kv_get_source_data_type(const kv_t *kv, int32_t pc, uint32_t source);
uint32_t kv_get_source_register_type(const kv_t *kv, int32_t pc, uint32_t source);
uint32_t kv_get_source_register_kind(const kv_t *kv, int32_t pc, uint32_t source);
int32_t kv_is_source_vector(const kv_t *kv, int32_t pc, uint32_t source);
int32_t kv_get_source_region(const kv_t *kv, int32_t pc, uint32_t source, uint32_t *vstride, uint32_t *width,
                             uint32_t *hstride);
int32_t kv_get_source_immediate(const kv_t *kv, int32_t pc, uint32_t source, uint64_t *value);
int32_t kv_get_source_indirect_imm_off(const kv_t *kv, int32_t pc, uint32_t source, int16_t *offset);
uint32_t kv_get_source_modifier(const kv_t *kv, int32_t pc, uint32_t source);
uint32_t kv_get_channel_offset(const kv_t *kv, int32_t pc);
uint32_t kv_get_mask_control(const kv_t *kv, int32_t pc);
uint32_t kv_get_flag_modifier(const kv_t *kv, int32_t pc);
int32_t kv_get_flag_register(const kv_t *kv, int32_t pc);
int32_t kv_get_flag_sub_register(const kv_t *kv, int32_t pc);
uint32_t kv_get_predicate(const kv_t *kv, int32_t pc);
uint32_t kv_get_is_inverse_predicate(const kv_t *kv, int32_t pc);
int32_t kv_get_syncfc(const kv_t *kv, int32_t pc);
#endif

#endif
