/* Defines media blocks on the CPU. */
#ifndef CMKIT_CM_DETAIL_HOST_MEDIA_H
#define CMKIT_CM_DETAIL_HOST_MEDIA_H

/* 2D images: the registers of a row take a power of two bytes, at least 4. */
template <typename T, int N>
inline cm_detail::lanes<T, N> __cm_media_read(unsigned modifier, SurfaceIndex surface, unsigned plane, unsigned width,
                                              unsigned x, unsigned y)
{
    cm_detail::check_outside_simd(cm_detail::reads_a_block);
    cm_detail::host_block block(modifier, surface, plane);
    cm_detail::array<T, N> value;
    int pitch = cm_detail::power_of_two_at_least(width, 4);
    for (int byte = 0; byte < (int)sizeof value.at; byte++)
        ((char *)value.at)[byte] = *block.clamped((int)x + byte % pitch, (int)y + byte / pitch);
    return value;
}
template <typename T, int N>
inline void __cm_media_write(unsigned modifier, SurfaceIndex surface, unsigned plane, unsigned width, unsigned x,
                             unsigned y, cm_detail::lanes<T, N> value)
{
    cm_detail::check_outside_simd(cm_detail::writes_a_block);
    cm_detail::host_block block(modifier, surface, plane);
    cm_detail::array<T, N> from(value);
    int pitch = cm_detail::power_of_two_at_least(width, 4);
    for (int byte = 0; byte < (int)sizeof from.at; byte++)
        if (byte % pitch < (int)width)
            if (char *to = block.exact((int)x + byte % pitch, (int)y + byte / pitch))
                *to = ((char *)from.at)[byte];
}

#endif
