/* Declares cl_intel_media_block_io: Debian's ocloc has these functions but not their declarations. */
uchar16 __attribute__((overloadable)) intel_sub_group_media_block_read_uc16(int2 at, int width, int rows,
                                                                            read_only image2d_t image);
void __attribute__((overloadable)) intel_sub_group_media_block_write_uc8(int2 at, int width, int rows, uchar8 pixels,
                                                                         write_only image2d_t image);
void __attribute__((overloadable)) intel_sub_group_media_block_write_uc4(int2 at, int width, int rows, uchar4 pixels,
                                                                         write_only image2d_t image);
void __attribute__((overloadable)) intel_sub_group_media_block_write_uc2(int2 at, int width, int rows, uchar2 pixels,
                                                                         write_only image2d_t image);

/* Writes 14 rows of 16 bytes. */
void write_rows(const uchar *mean, int2 at, write_only image2d_t dst)
{
    intel_sub_group_media_block_write_uc8(at, 16, 8, vload8(0, mean), dst);
    intel_sub_group_media_block_write_uc4(at + (int2)(0, 8), 16, 4, vload4(2, mean), dst);
    intel_sub_group_media_block_write_uc2(at + (int2)(0, 12), 16, 2, vload2(6, mean), dst);
}
