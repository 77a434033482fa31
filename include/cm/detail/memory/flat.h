/* Flat memory: accesses of several channels, atomic operations, and accesses by pointers. */
#ifndef CMKIT_CM_DETAIL_MEMORY_FLAT_H
#define CMKIT_CM_DETAIL_MEMORY_FLAT_H

namespace cm_detail
{

/* The address that a pointer or svmptr_t holds. */
template <typename T> CM_DETAIL_INLINE svmptr_t address_of(T *pointer)
{
    return (svmptr_t)pointer;
}

/* Byte distances (signed or not) from a pointer as addresses. */
template <int N, typename T, typename O> CM_DETAIL_INLINE auto addresses_of(T *pointer, const O &offsets)
{
    return (lanes<uint64_t, N>)address_of(pointer) + convert<uint64_t, int64_t, N>(offset_lanes<int64_t, N>(offsets));
}

template <bool Write, int N, typename M>
CM_DETAIL_INLINE void flat_channels_of(lanes<uint64_t, N> addresses, const M &data, ChannelMaskType channels)
{
    typedef element<M> T;
    constexpr int rows = facts<M>::count / N;
    static_assert(sizeof(T) == 4, "the elements must be int, uint or float");
    static_assert(N == 8 || N == 16 || N == 32, "there must be 8, 16 or 32 addresses");
    static_assert(facts<M>::count == N * rows && rows <= 4, "there must be one to four elements for each address");
    auto row = as_row(data);
    with_channels<rows>(channels, [&](auto count) CM_DETAIL_MEMBER {
        if constexpr (Write)
            write_channels<count.value, T, N, 0>(flat_channels(), channels, addresses, parts_of<N, decltype(row)>{row});
        else
            read_channels<count.value, T, N>(flat_channels(), channels, addresses, parts_of<N, decltype(row)>{row});
    });
}

template <CmAtomicOpType Op, int N, typename D, typename... X>
CM_DETAIL_INLINE void flat_atomic(lanes<uint64_t, N> addresses, D &&old, const X &...x)
{
    typedef element<bare<D>> T;
    constexpr int sources = atomic_source_count(Op);
    static_assert(check_atomic<Op, T, N, sizeof...(X)>());
    static_assert((int)sizeof...(X) == sources,
                  "an atomic operation with more values than it takes; the old one is in the vector before them");
    static_assert(sizeof(T) == 4 || (sizeof(T) == 8 && __is_integral(T)),
                  "atomic operations are on int, uint, float and integers of 64 bits");
    lanes<ushort, N> mask = (ushort)1;
    auto before = __cm_svm_atomic<T, N>(atomic_number(Op), mask, addresses, argument<(sources > 0 ? 0 : 9), T, N>(x...),
                                        argument<(sources == 2 ? 1 : 9), T, N>(x...));
    give_old<T, N>(old, Op, before, mask);
}

template <typename O, typename D>
using if_addresses = enable_if<CM_DETAIL_IS_OPERAND(O) && CM_DETAIL_IS_OPERAND(bare<D>)>;

} // namespace cm_detail

/* cm_svm_gather4_scaled(addresses, v, channels), cm_svm_scatter4_scaled(addresses, v, channels): up to four
 * neighbouring dwords from each address (bytes, multiple of 4) on; v has all lanes of the first enabled channel, then
 * of the next. 8, 16 or 32 addresses; int, uint or float. `channels` (CM_R_ENABLE ... CM_ABGR_ENABLE) is a constant.
 * All platforms.
 * Source: CM specification 4.18 "Shared Virtual Memory (SVM)". */
template <typename A, typename M, typename = cm_detail::if_addresses<A, M>>
CM_DETAIL_INLINE void cm_svm_gather4_scaled(const A &addresses, const M &destination, ChannelMaskType channels)
{
    using namespace cm_detail;
    flat_channels_of<false, facts<A>::count>(offset_lanes<uint64_t, facts<A>::count>(addresses), destination, channels);
}
/* cm_svm_scatter4_scaled(addresses, v, channels): writes up to four neighbouring dwords from each address on. */
template <typename A, typename M, typename = cm_detail::if_addresses<A, M>>
CM_DETAIL_INLINE void cm_svm_scatter4_scaled(const A &addresses, const M &source, ChannelMaskType channels)
{
    using namespace cm_detail;
    flat_channels_of<true, facts<A>::count>(offset_lanes<uint64_t, facts<A>::count>(addresses), source, channels);
}

/* cm_svm_atomic<OPERATION>(addresses, old[, x[, y]]), also svm_atomic<OPERATION>(addresses, old[, x[, y]]): an atomic
 * operation (CmAtomicOpType) at each address, a multiple of the element's size; `old` receives what was there. A
 * power of two of lanes up to 32 of int, uint, float (FMAX, FMIN, FCMPWR) or 64-bit integers. Lanes with the same
 * address come one after the other in no defined order. All platforms.
 * Source: Intel's cm/cm_svm.h. */
template <CmAtomicOpType Op, typename A, typename D, typename... X, typename = cm_detail::if_addresses<A, D>>
CM_DETAIL_INLINE void cm_svm_atomic(const A &addresses, D &&old, const X &...x)
{
    using namespace cm_detail;
    flat_atomic<Op, facts<A>::count>(offset_lanes<uint64_t, facts<A>::count>(addresses), old, x...);
}
/* svm_atomic<OPERATION>(addresses, old[, x[, y]]): an atomic operation at each address; another name of
 * cm_svm_atomic. */
template <CmAtomicOpType Op, typename A, typename D, typename... X, typename = cm_detail::if_addresses<A, D>>
CM_DETAIL_INLINE void svm_atomic(const A &addresses, D &&old, const X &...x)
{
    cm_svm_atomic<Op>(addresses, old, x...);
}

/* cm_svm_atomic(operation, addresses, old[, x[, y]]): the same with the operation, a constant, as an argument: of
 * integers of 32 and 64 bits; addresses count bytes and are multiples of their size. A power of two of lanes up to 32.
 * All platforms.
 * Source: CM specification 4.18 "Shared Virtual Memory (SVM)". */
template <typename A, typename D, typename X = int, typename Y = int, typename = cm_detail::if_addresses<A, D>>
CM_DETAIL_INLINE void cm_svm_atomic(CmAtomicOpType operation, const A &addresses, D &&old, const X &x = 0,
                                    const Y &y = 0)
{
    using namespace cm_detail;
    typedef element<bare<D>> T;
    constexpr int N = facts<A>::count;
    static_assert(is_power_of_two(N) && N <= 32, "atomic operations take a power of two of lanes, at most 32");
    static_assert(__is_integral(T) && (sizeof(T) == 4 || sizeof(T) == 8),
                  "cm_svm_atomic is on integers of 32 and 64 bits; cm_svm_atomic<OPERATION> takes floats");
    lanes<ushort, N> mask = (ushort)1;
    auto before = __cm_svm_atomic<T, N>(atomic_number(operation), mask, offset_lanes<uint64_t, N>(addresses),
                                        lanes_of<T, N>(x), lanes_of<T, N>(y));
    give_old<T, N>(old, operation, before, mask);
}

/* The same by a pointer; offsets count bytes, also where the pointer's elements are larger. What the pointer points to
 * says nothing: the vector's element type counts. All platforms.
 *   cm_ptr_block_read(p, v), cm_ptr_block_write(p, v)      contiguous; p is a multiple of 16; not in SIMD control flow
 *   cm_ptr_block_read_unaligned(p, v)                      p is a multiple of 4; not in SIMD control flow
 *   cm_ptr_scatter_read(p, offsets, v), cm_ptr_scatter_write(p, offsets, v)
 *                                                        a power of two of lanes up to 32 of 1, 2, 4 or 8 bytes
 *   cm_ptr_read4(p, offsets, v, channels), cm_ptr_write4(p, offsets, v, channels)
 *                                                        as cm_svm_gather4_scaled
 *   cm_ptr_atomic<OPERATION>(p, offsets, old[, x[, y]])    as cm_svm_atomic
 * Source: Intel's cm/cm_pointer.h, cm/cm_svm.h. */
template <typename T, typename M, typename = cm_detail::if_operand<M>>
CM_DETAIL_INLINE void cm_ptr_block_read(const T *p, const M &destination)
{
    cm_svm_block_read(cm_detail::address_of(p), destination);
}
/* cm_ptr_block_read_unaligned(p, v): contiguous bytes from a pointer on that is a multiple of 4. */
template <typename T, typename M, typename = cm_detail::if_operand<M>>
CM_DETAIL_INLINE void cm_ptr_block_read_unaligned(const T *p, const M &destination)
{
    cm_svm_block_read_unaligned(cm_detail::address_of(p), destination);
}
/* cm_ptr_block_write(p, v): contiguous bytes to a pointer that is a multiple of 16. */
template <typename T, typename M, typename = cm_detail::if_operand<M>>
CM_DETAIL_INLINE void cm_ptr_block_write(T *p, const M &source)
{
    cm_svm_block_write(cm_detail::address_of(p), source);
}
/* cm_ptr_scatter_read(p, offsets, v): an element at each byte offset from a pointer. */
template <typename T, typename O, typename M, typename = cm_detail::if_addresses<O, M>>
CM_DETAIL_INLINE void cm_ptr_scatter_read(const T *p, const O &offsets, const M &destination)
{
    using namespace cm_detail;
    constexpr int N = facts<O>::count;
    cm_svm_scatter_read(vector<uint64_t, N>(from_lanes(), addresses_of<N>(p, offsets)), destination);
}
/* cm_ptr_scatter_write(p, offsets, v): writes an element at each byte offset from a pointer. */
template <typename T, typename O, typename M, typename = cm_detail::if_addresses<O, M>>
CM_DETAIL_INLINE void cm_ptr_scatter_write(T *p, const O &offsets, const M &source)
{
    using namespace cm_detail;
    constexpr int N = facts<O>::count;
    cm_svm_scatter_write(vector<uint64_t, N>(from_lanes(), addresses_of<N>(p, offsets)), source);
}
/* cm_ptr_read4(p, offsets, v, channels): up to four neighbouring dwords from each byte offset on. */
template <typename T, typename O, typename M, typename = cm_detail::if_addresses<O, M>>
CM_DETAIL_INLINE void cm_ptr_read4(const T *p, const O &offsets, const M &destination, ChannelMaskType channels)
{
    using namespace cm_detail;
    flat_channels_of<false, facts<O>::count>(addresses_of<facts<O>::count>(p, offsets), destination, channels);
}
/* cm_ptr_write4(p, offsets, v, channels): writes up to four neighbouring dwords from each byte offset on. */
template <typename T, typename O, typename M, typename = cm_detail::if_addresses<O, M>>
CM_DETAIL_INLINE void cm_ptr_write4(T *p, const O &offsets, const M &source, ChannelMaskType channels)
{
    using namespace cm_detail;
    flat_channels_of<true, facts<O>::count>(addresses_of<facts<O>::count>(p, offsets), source, channels);
}
/* cm_ptr_atomic<OPERATION>(p, offsets, old[, x[, y]]): an atomic operation at each byte offset from a pointer. */
template <CmAtomicOpType Op, typename T, typename O, typename D, typename... X,
          typename = cm_detail::if_addresses<O, D>>
CM_DETAIL_INLINE void cm_ptr_atomic(T *p, const O &offsets, D &&old, const X &...x)
{
    using namespace cm_detail;
    flat_atomic<Op, facts<O>::count>(addresses_of<facts<O>::count>(p, offsets), old, x...);
}

#endif
