/* Declares for C the subset of Intel's kernel view (libiga64, <iga/kv.h>) that the decoder uses, of several versions.
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
    IGA_REG_GRF,
    IGA_REG_S = 32 /* not a number of the first library */
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
enum iga_option { IGA_OPTION_ACCWREN = 0, IGA_OPTION_ATOMIC = 1, IGA_OPTION_EOT = 4, IGA_OPTION_EXBSO = 12 };

/* iga::SFID; 0x100: the shared function comes from a0 (before Gen12). */
enum iga_function { IGA_FUNCTION_INVALID = -1, IGA_FUNCTION_A0 = 0x100 };

enum { IGA_VSTRIDE_VXH = 31, IGA_VSTRIDE_INVALID = 63, IGA_WIDTH_INVALID = 31, IGA_HSTRIDE_INVALID = 15 };
enum { IGA_STATUS_SUCCESS = 0, IGA_STATUS_DECODE_ERROR = 4 };
enum { IGA_ANY_TARGETS = 3, IGA_NO_DESCRIPTOR_REGISTER = 0xff };

#ifndef IGA_C_NUMBERS_ONLY
typedef struct kv_t kv_t;

/* A version of libiga64 that is loaded. */
struct iga_library {
#define IGA_FUNCTION(RETURNS, NAME, PARAMETERS, ARGUMENTS) RETURNS(*NAME) PARAMETERS;
#include "sim/eu/iga_functions.def"
#undef IGA_FUNCTION
};

/* The library of the view that this thread created last: views are read by the thread that created them, one at a time.
 */
extern _Thread_local const struct iga_library *iga_library_now;

#define IGA_FUNCTION(RETURNS, NAME, PARAMETERS, ARGUMENTS)                                                             \
    static inline RETURNS NAME PARAMETERS                                                                              \
    {                                                                                                                  \
        return iga_library_now->NAME ARGUMENTS;                                                                        \
    }
#include "sim/eu/iga_functions.def"
#undef IGA_FUNCTION

struct platform;

/* Creates a view of the instruction of `size` bytes with the library that knows the platform; kv_delete() frees it.
 * NULL:
 * `*status` says why, or the library is not there. `errors` receives text, or is NULL. */
kv_t *iga_view_create(const struct platform *platform, const void *bytes, size_t size, int *status, char *errors,
                      size_t errors_size);

/* The name of the library that knows the platform, and whether it could be loaded. */
const char *iga_library_name(const struct platform *platform);
_Bool iga_library_is_there(const struct platform *platform);

/* Numbers of operations and registers differ between versions of the library. Returns the mnemonic of operation
 * `number` of the platform's library, or NULL where the numbers are those of tables/eu_ops.def. */
const char *iga_mnemonic(const struct platform *platform, uint32_t number);
/* Converts a register's number to enum iga_register. */
uint32_t iga_register_of(const struct platform *platform, uint32_t number);
#endif

#endif
