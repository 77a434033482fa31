/* Defines older forms of the load/store cache's functions: blocks whose length is a VectorSize, lanes with a number of
 * elements, fences with a predicate. */
#ifndef CMKIT_CM_DETAIL_COMPAT_LSC_OLDER_H
#define CMKIT_CM_DETAIL_COMPAT_LSC_OLDER_H

namespace cm_detail
{
constexpr VectorSize vector_size_of(int n)
{
    return n >= 1 && n <= 4 ? (VectorSize)n : n == 8 ? VectorSize::N8 : VectorSize::N0;
}
} // namespace cm_detail

#define CM_DETAIL_LSC_HINTS CacheHint L1 = CacheHint::Default, CacheHint L3 = CacheHint::Default
#define CM_DETAIL_LSC_CACHE CacheHint L1 = CacheHint::Cached, CacheHint L3 = CacheHint::Cached

/* cm_load<T, VectorSize, DataSize, L1, L3>(S, offset), and likewise cm_store<...>(S, offset, v),
 * cm_prefetch<VectorSize, ...>(S, offset), cm_ptr_load<...>(p, offset), cm_ptr_store<...>(p, offset, v),
 * cm_ptr_prefetch<VectorSize, ...>(p, offset), cm_load_slm<...>(offset), cm_store_slm<...>(offset, v): the block of so
 * many elements of 32 or 64 bits at a byte offset that is a multiple of 4 (8), which cm_load<T, N>(S, offset) spells by
 * its number. Not inside SIMD control flow. From DG2 on.
 * Source: Intel's cm/cm_lsc.h. */
template <typename T, VectorSize VS, DataSize DS = DataSize::Default, CM_DETAIL_LSC_HINTS, typename O,
          typename = cm_detail::if_offset<O>>
CM_DETAIL_INLINE auto cm_load(SurfaceIndex surface, O offset)
{
    using namespace cm_detail;
    return lsc_load_block<T, vector_size(VS), DS, L1, L3>(lsc_surface{surface}, (uint)offset);
}
/* cm_store<T, VectorSize, DataSize, L1, L3>(S, offset, v): writes a block of a buffer. */
template <typename T, VectorSize VS, DataSize DS = DataSize::Default, CM_DETAIL_LSC_HINTS, typename O, typename V,
          typename = cm_detail::if_offset<O>>
CM_DETAIL_INLINE void cm_store(SurfaceIndex surface, O offset, const V &value)
{
    cm_store<T, cm_detail::vector_size(VS), DS, L1, L3>(surface, offset, value);
}
/* cm_prefetch<VectorSize, DataSize, L1, L3>(S, offset): fills the caches with a block of a buffer. */
template <VectorSize VS, DataSize DS = DataSize::U32, CM_DETAIL_LSC_CACHE, typename O,
          typename = cm_detail::if_offset<O>>
CM_DETAIL_INLINE void cm_prefetch(SurfaceIndex surface, O offset)
{
    cm_prefetch<cm_detail::vector_size(VS), DS, L1, L3>(surface, offset);
}
/* cm_ptr_load<T, VectorSize, DataSize, L1, L3>(p, offset): a block from a pointer on. */
template <typename T, VectorSize VS, DataSize DS = DataSize::Default, CM_DETAIL_LSC_HINTS, typename U, typename O,
          typename = cm_detail::if_offset<O>>
CM_DETAIL_INLINE auto cm_ptr_load(const U *p, O offset)
{
    return cm_ptr_load<T, cm_detail::vector_size(VS), DS, L1, L3>(p, offset);
}
/* cm_ptr_store<T, VectorSize, DataSize, L1, L3>(p, offset, v): writes a block from a pointer on. */
template <typename T, VectorSize VS, DataSize DS = DataSize::Default, CM_DETAIL_LSC_HINTS, typename U, typename O,
          typename V, typename = cm_detail::if_offset<O>>
CM_DETAIL_INLINE void cm_ptr_store(U *p, O offset, const V &value)
{
    cm_ptr_store<T, cm_detail::vector_size(VS), DS, L1, L3>(p, offset, value);
}
/* cm_ptr_prefetch<VectorSize, DataSize, L1, L3>(p, offset): fills the caches with a block from a pointer on. */
template <VectorSize VS, DataSize DS = DataSize::U32, CM_DETAIL_LSC_CACHE, typename U, typename O,
          typename = cm_detail::if_offset<O>>
CM_DETAIL_INLINE void cm_ptr_prefetch(const U *p, O offset)
{
    cm_ptr_prefetch<cm_detail::vector_size(VS), DS, L1, L3>(p, offset);
}
/* cm_load_slm<T, VectorSize, DataSize>(offset): a block of shared local memory. */
template <typename T, VectorSize VS, DataSize DS = DataSize::Default, typename O, typename = cm_detail::if_offset<O>>
CM_DETAIL_INLINE auto cm_load_slm(O offset)
{
    return cm_load_slm<T, cm_detail::vector_size(VS), DS>(offset);
}
/* cm_store_slm<T, VectorSize, DataSize>(offset, v): writes a block of shared local memory. */
template <typename T, VectorSize VS, DataSize DS = DataSize::Default, typename O, typename V,
          typename = cm_detail::if_offset<O>>
CM_DETAIL_INLINE void cm_store_slm(O offset, const V &value)
{
    cm_store_slm<T, cm_detail::vector_size(VS), DS>(offset, value);
}

/* cm_load<T, N, DataSize, L1, L3>(S, offsets[, predicate]), and likewise cm_store<...>(S, offsets, v[, predicate]),
 * cm_ptr_load<...>(p, offsets[, predicate]), cm_ptr_store<...>(p, offsets, v[, predicate]), cm_load_slm<...>(offsets[,
 * predicate]), cm_store_slm<...>(offsets, v[, predicate]): N (1 to 4, or 8) neighbouring elements of 8 to 64 bits for
 * each lane, at byte offsets that are multiples of the element's size; what cm_load<T, VectorSize>(S, offsets) spells
 * by a VectorSize. From DG2 on.
 * Source: Intel's cm/cm_lsc.h. */
template <typename T, int N, DataSize DS = DataSize::Default, CM_DETAIL_LSC_HINTS, int Lanes = 0, typename O,
          typename P = int, typename = cm_detail::if_offsets<O, Lanes>>
CM_DETAIL_INLINE auto cm_load(SurfaceIndex surface, const O &offsets, const P &predicate = 1)
{
    using namespace cm_detail;
    constexpr int n = facts<O>::count;
    return lsc_load_lanes<T, vector_size_of(N), DS, L1, L3>(lsc_surface{surface}, offset_lanes<uint, n>(offsets),
                                                            lsc_mask<n>(predicate));
}
/* cm_store<T, N, DataSize, L1, L3>(S, offsets, v[, predicate]): writes N neighbouring elements for each lane. */
template <typename T, int N, DataSize DS = DataSize::Default, CM_DETAIL_LSC_HINTS, int Lanes = 0, typename O,
          typename V, typename P = int, typename = cm_detail::if_offsets<O, Lanes>>
CM_DETAIL_INLINE void cm_store(SurfaceIndex surface, const O &offsets, const V &value, const P &predicate = 1)
{
    cm_store<T, cm_detail::vector_size_of(N), DS, L1, L3>(surface, offsets, value, predicate);
}
/* cm_ptr_load<T, N, DataSize, L1, L3>(p, offsets[, predicate]): N neighbouring elements for each lane from a pointer
 * on. */
template <typename T, int N, DataSize DS = DataSize::Default, CM_DETAIL_LSC_HINTS, int Lanes = 0, typename U,
          typename O, typename P = int, typename = cm_detail::if_offsets<O, Lanes>>
CM_DETAIL_INLINE auto cm_ptr_load(const U *p, const O &offsets, const P &predicate = 1)
{
    return cm_ptr_load<T, cm_detail::vector_size_of(N), DS, L1, L3>(p, offsets, predicate);
}
/* cm_ptr_store<T, N, DataSize, L1, L3>(p, offsets, v[, predicate]): writes N neighbouring elements for each lane. */
template <typename T, int N, DataSize DS = DataSize::Default, CM_DETAIL_LSC_HINTS, int Lanes = 0, typename U,
          typename O, typename V, typename P = int, typename = cm_detail::if_offsets<O, Lanes>>
CM_DETAIL_INLINE void cm_ptr_store(U *p, const O &offsets, const V &value, const P &predicate = 1)
{
    cm_ptr_store<T, cm_detail::vector_size_of(N), DS, L1, L3>(p, offsets, value, predicate);
}
/* cm_load_slm<T, N, DataSize>(offsets[, predicate]): N neighbouring elements of shared local memory for each lane. */
template <typename T, int N, DataSize DS = DataSize::Default, int Lanes = 0, typename O, typename P = int,
          typename = cm_detail::if_offsets<O, Lanes>>
CM_DETAIL_INLINE auto cm_load_slm(const O &offsets, const P &predicate = 1)
{
    return cm_load_slm<T, cm_detail::vector_size_of(N), DS>(offsets, predicate);
}
/* cm_store_slm<T, N, DataSize>(offsets, v[, predicate]): writes N neighbouring elements for each lane. */
template <typename T, int N, DataSize DS = DataSize::Default, int Lanes = 0, typename O, typename V, typename P = int,
          typename = cm_detail::if_offsets<O, Lanes>>
CM_DETAIL_INLINE void cm_store_slm(const O &offsets, const V &value, const P &predicate = 1)
{
    cm_store_slm<T, cm_detail::vector_size_of(N), DS>(offsets, value, predicate);
}

/* cm_fence<memory, operation, scope, lanes>([predicate]): cm_fence<memory, operation, scope>(), whatever the lanes of
 * the predicate, a vector of integers, are: a fence of too many bytes, of any alignment, is only late. From DG2 on.
 * Source: Intel's cm/cm_lsc.h. */
template <LSC_SFID Memory, LSC_FENCE_OP Operation, LSC_SCOPE Scope, int N, typename P = int>
CM_DETAIL_INLINE void cm_fence(const P & = 1)
{
    __cm_lsc_fence((unsigned)Memory | (unsigned)Operation << 4 | (unsigned)Scope << 8);
}
/* cm_fence<memory[, operation[, scope]]>(predicate): the same fence; the lanes are as many as the predicate has. */
template <LSC_SFID Memory, LSC_FENCE_OP Operation = LSC_FENCE_OP::LSC_FENCE_OP_NONE,
          LSC_SCOPE Scope = LSC_SCOPE::LSC_SCOPE_GROUP, typename P, typename = cm_detail::if_operand<P>>
CM_DETAIL_INLINE void cm_fence(const P &)
{
    __cm_lsc_fence((unsigned)Memory | (unsigned)Operation << 4 | (unsigned)Scope << 8);
}
#undef CM_DETAIL_LSC_HINTS
#undef CM_DETAIL_LSC_CACHE

#endif
