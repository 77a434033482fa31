/* Flat memory: addresses that the host shares. */
#ifndef CMKIT_CM_DETAIL_MEMORY_SVM_H
#define CMKIT_CM_DETAIL_MEMORY_SVM_H

namespace cm_detail
{

/* Moves blocks of any size in pieces of 128, 64, 32, 16 bytes; the rest of a size that is no multiple of 16 is moved
 * element by element. First: the element at which the pieces start. */
template <int First, typename T, int N> constexpr int svm_piece()
{
    constexpr int left = (N - First) * (int)sizeof(T);
    return left >= 128 ? 128 : left >= 64 ? 64 : left >= 32 ? 32 : left >= 16 ? 16 : (int)sizeof(T);
}

template <bool Aligned, int First, typename V>
CM_DETAIL_INLINE void svm_read_pieces(svmptr_t address, const V &destination)
{
    typedef element<V> T;
    if constexpr (First < V::count_) {
        constexpr int n = svm_piece<First, T, V::count_>() / sizeof(T);
        svmptr_t from = address + First * sizeof(T);
        auto part = destination.template select<n, 1>(First);
        if constexpr (n == 1)
            part.write_(
                __cm_svm_gather<T, 1>((lanes<ushort, 1>)(ushort)1, (lanes<uint64_t, 1>)from, (lanes<T, 1>)(T)0));
        else if constexpr (Aligned)
            part.write_(__cm_svm_block_read<T, n>(from));
        else
            part.write_(__cm_svm_block_read_unaligned<T, n>(from));
        svm_read_pieces<Aligned, First + n>(address, destination);
    }
}

template <int First, typename V> CM_DETAIL_INLINE void svm_write_pieces(svmptr_t address, const V &source)
{
    typedef element<V> T;
    if constexpr (First < V::count_) {
        constexpr int n = svm_piece<First, T, V::count_>() / sizeof(T);
        svmptr_t to = address + First * sizeof(T);
        auto part = source.template select<n, 1>(First);
        if constexpr (n == 1)
            __cm_svm_scatter<T, 1>((lanes<ushort, 1>)(ushort)1, (lanes<uint64_t, 1>)to, part.read_());
        else
            __cm_svm_block_write<T, n>(to, part.read_());
        svm_write_pieces<First + n>(address, source);
    }
}

/* Any operand as one row of elements. */
template <typename M> CM_DETAIL_INLINE auto as_row(const M &x)
{
    return vector_ref<element<M>, facts<M>::count>(x);
}

} // namespace cm_detail

/* cm_svm_block_read(address, v), cm_svm_block_write(address, v): the contiguous bytes from an address on, a multiple of
 * 16; for cm_svm_block_read_unaligned(address, v) a multiple of 4. v is a vector or matrix of any number of elements of
 * any type. Not inside SIMD control flow. All platforms.
 * Source: CM specification 4.18 "Shared Virtual Memory (SVM)". */
template <typename M, typename = cm_detail::if_operand<M>>
CM_DETAIL_INLINE void cm_svm_block_read(svmptr_t address, const M &destination)
{
    cm_detail::svm_read_pieces<true, 0>(address, cm_detail::as_row(destination));
}
/* cm_svm_block_read_unaligned(address, v): contiguous bytes from an address on that is a multiple of 4. */
template <typename M, typename = cm_detail::if_operand<M>>
CM_DETAIL_INLINE void cm_svm_block_read_unaligned(svmptr_t address, const M &destination)
{
    cm_detail::svm_read_pieces<false, 0>(address, cm_detail::as_row(destination));
}
/* cm_svm_block_write(address, v): writes contiguous bytes at an address that is a multiple of 16. */
template <typename M, typename = cm_detail::if_operand<M>>
CM_DETAIL_INLINE void cm_svm_block_write(svmptr_t address, const M &source)
{
    cm_detail::svm_write_pieces<0>(address, cm_detail::as_row(source));
}

/* cm_svm_scatter_read(addresses, v), cm_svm_scatter_write(addresses, v): an element at the address in each lane of
 * addresses, a vector or matrix of integers (bytes, a multiple of the element's size). A power of two of lanes, at most
 * 32, of 1, 2, 4 or 8 bytes. All platforms.
 * Source: CM specification 4.18 "Shared Virtual Memory (SVM)". */
template <typename A, typename M, typename = cm_detail::if_scattered<A, M>>
CM_DETAIL_INLINE void cm_svm_scatter_read(const A &addresses, const M &destination)
{
    using namespace cm_detail;
    typedef element<M> T;
    constexpr int N = facts<M>::count;
    static_assert(is_power_of_two(N) && N <= 32, "cm_svm_scatter_read takes a power of two of lanes, at most 32");
    destination.write_(
        __cm_svm_gather<T, N>((lanes<ushort, N>)(ushort)1, offset_lanes<uint64_t, N>(addresses), (lanes<T, N>)(T)0));
}
/* cm_svm_scatter_write(addresses, v): writes an element at the address in each lane. */
template <typename A, typename M, typename = cm_detail::if_scattered<A, M>>
CM_DETAIL_INLINE void cm_svm_scatter_write(const A &addresses, const M &source)
{
    using namespace cm_detail;
    typedef element<M> T;
    constexpr int N = facts<M>::count;
    static_assert(is_power_of_two(N) && N <= 32, "cm_svm_scatter_write takes a power of two of lanes, at most 32");
    __cm_svm_scatter<T, N>((lanes<ushort, N>)(ushort)1, offset_lanes<uint64_t, N>(addresses), source.read_());
}

#endif
