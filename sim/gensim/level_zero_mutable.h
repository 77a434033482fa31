/* Declares Level Zero's experimental extension for command lists whose launches can be changed after they are closed
 * (ZE_experimental_mutable_command_list), which is newer than Debian 12's header. */
#ifndef CMKIT_SIM_GENSIM_LEVEL_ZERO_MUTABLE_H
#define CMKIT_SIM_GENSIM_LEVEL_ZERO_MUTABLE_H

#include <level_zero/ze_api.h>

enum { LEVEL_ZERO_MUTABLE_ARGUMENT = 0x20019 }; /* ZE_STRUCTURE_TYPE_MUTABLE_KERNEL_ARGUMENT_EXP_DESC */

/* The first members of each description. */
struct level_zero_description {
    uint32_t stype;
    const void *next;
};

/* ze_mutable_kernel_argument_exp_desc_t */
struct level_zero_mutable_argument {
    uint32_t stype;
    const void *next;
    uint64_t command;
    uint32_t index;
    size_t size;
    const void *value;
};

/* Newer headers declare these functions with types of their own, so that they have other names here. */
ze_result_t level_zero_next_command(ze_command_list_handle_t list, const void *desc,
                                    uint64_t *command) __asm__("zeCommandListGetNextCommandIdExp");
ze_result_t
level_zero_next_command_with_kernels(ze_command_list_handle_t list, const void *desc, uint32_t count,
                                     ze_kernel_handle_t *kernels,
                                     uint64_t *command) __asm__("zeCommandListGetNextCommandIdWithKernelsExp");
ze_result_t
level_zero_update_commands(ze_command_list_handle_t list,
                           const struct level_zero_description *desc) __asm__("zeCommandListUpdateMutableCommandsExp");
ze_result_t
level_zero_update_command_kernels(ze_command_list_handle_t list, uint32_t count, uint64_t *commands,
                                  ze_kernel_handle_t *kernels) __asm__("zeCommandListUpdateMutableCommandKernelsExp");

#endif
