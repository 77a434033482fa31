/* Prints the sizes and numbers on which programs compiled against libcmrt depend. */
#include <stddef.h>
#include <stdio.h>
#include "runtime/cmrt.h"

#define NUMBER(NAME) printf("%s = %d\n", #NAME, (int)(NAME))
#define FIELD(STRUCT, NAME)                                                                                            \
    printf("struct %s.%s at %zu, %zu bytes\n", #STRUCT, #NAME, offsetof(struct STRUCT, NAME),                          \
           sizeof((struct STRUCT){0}.NAME))

static void print_numbers(void)
{
    NUMBER(CMRT_OK), NUMBER(CMRT_NO_DEVICE), NUMBER(CMRT_BAD_FILE), NUMBER(CMRT_WRONG_PLATFORM);
    NUMBER(CMRT_NO_KERNEL), NUMBER(CMRT_BAD_ARGUMENT), NUMBER(CMRT_NO_MEMORY), NUMBER(CMRT_DRIVER);
    NUMBER(CMRT_NOT_YET), NUMBER(CMRT_LAUNCHES_AHEAD), NUMBER(CMRT_PART_ALIGNMENT);
    NUMBER(CMRT_TARGET_GPU), NUMBER(CMRT_TARGET_CPU);
    NUMBER(CMRT_MEMORY_SHARED), NUMBER(CMRT_MEMORY_HOST), NUMBER(CMRT_MEMORY_DEVICE);
    NUMBER(CMRT_ARGUMENT_UNKNOWN), NUMBER(CMRT_ARGUMENT_VALUE), NUMBER(CMRT_ARGUMENT_BUFFER);
    NUMBER(CMRT_ARGUMENT_IMAGE), NUMBER(CMRT_ARGUMENT_SAMPLER), NUMBER(CMRT_ARGUMENT_LOCAL);
    NUMBER(CMRT_READ), NUMBER(CMRT_WRITE), NUMBER(CMRT_READ_WRITE);
    NUMBER(CMRT_FEATURE_DOUBLE), NUMBER(CMRT_FEATURE_MEDIA_BLOCKS);
    NUMBER(CMRT_PROPERTY_THREADS), NUMBER(CMRT_PROPERTY_GROUP_THREADS), NUMBER(CMRT_PROPERTY_GROUP_ITEMS);
    NUMBER(CMRT_PROPERTY_GROUP_BYTES), NUMBER(CMRT_PROPERTY_BUFFER_BYTES);
    NUMBER(CMRT_ADDRESS_NONE), NUMBER(CMRT_ADDRESS_CLAMP), NUMBER(CMRT_ADDRESS_BORDER);
    NUMBER(CMRT_ADDRESS_REPEAT), NUMBER(CMRT_ADDRESS_MIRROR), NUMBER(CMRT_FILTER_NEAREST), NUMBER(CMRT_FILTER_LINEAR);
    NUMBER(CMRT_FORMAT_NONE);
    for (int format = 0; cmrt_format_name((enum cmrt_format)format); format++)
        printf("format %d = %s\n", format, cmrt_format_name((enum cmrt_format)format));
}

int main(void)
{
    print_numbers();
    FIELD(cmrt_argument, kind), FIELD(cmrt_argument, access), FIELD(cmrt_argument, name), FIELD(cmrt_argument, type);
    FIELD(cmrt_argument, bytes), FIELD(cmrt_argument, dimensions), FIELD(cmrt_argument, media_block);
    FIELD(cmrt_argument, block_width), FIELD(cmrt_argument, block_rows), FIELD(cmrt_argument, reserved);
    printf("struct cmrt_argument: %zu bytes\n", sizeof(struct cmrt_argument));
    FIELD(cmrt_kernel_info, name), FIELD(cmrt_kernel_info, simd_size), FIELD(cmrt_kernel_info, grf_count);
    FIELD(cmrt_kernel_info, slm_bytes), FIELD(cmrt_kernel_info, scratch_bytes), FIELD(cmrt_kernel_info, barriers);
    FIELD(cmrt_kernel_info, argument_count), FIELD(cmrt_kernel_info, arguments); // NOLINT(*-sizeof-expression)
    FIELD(cmrt_kernel_info, required_local);
    FIELD(cmrt_level_zero, driver), FIELD(cmrt_level_zero, context), FIELD(cmrt_level_zero, device);
    FIELD(cmrt_image_shape, dimensions), FIELD(cmrt_image_shape, width), FIELD(cmrt_image_shape, height);
    FIELD(cmrt_image_shape, depth);
    return cmrt_version() == CMRT_VERSION && !cmrt_status_name((enum cmrt_status)99) ? 0 : 1;
}
