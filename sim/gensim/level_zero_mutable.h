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

ze_result_t zeCommandListGetNextCommandIdExp(ze_command_list_handle_t list, const void *desc, uint64_t *command);
ze_result_t zeCommandListGetNextCommandIdWithKernelsExp(ze_command_list_handle_t list, const void *desc, uint32_t count,
                                                        ze_kernel_handle_t *kernels, uint64_t *command);
ze_result_t zeCommandListUpdateMutableCommandsExp(ze_command_list_handle_t list,
                                                  const struct level_zero_description *desc);
ze_result_t zeCommandListUpdateMutableCommandKernelsExp(ze_command_list_handle_t list, uint32_t count,
                                                        uint64_t *commands, ze_kernel_handle_t *kernels);

#endif
