/* Typed access: texels of images, converted by the image's format. Formats of integers take and give int or uint,
 * others float. */
#ifndef CMKIT_CM_DETAIL_MEMORY_TYPED_H
#define CMKIT_CM_DETAIL_MEMORY_TYPED_H

namespace cm_detail
{

template <typename M, int N, int Coordinates> constexpr bool check_typed()
{
    static_assert(sizeof(element<M>) == 4, "the elements must be int, uint or float");
    static_assert(N == 8 || N == 16 || N == 32, "there must be 8, 16 or 32 coordinates");
    static_assert(facts<M>::columns == N, "the matrix must have a column for each coordinate");
    static_assert(Coordinates <= 3, "a texel has at most three coordinates");
    return true;
}

/* Coordinate `I` of those given; 0 if there are fewer. */
template <int I, int N, typename... X> CM_DETAIL_INLINE lanes<uint, N> coordinate(const X &...x)
{
    return argument<I, uint, N>(x...);
}

template <int rows, int N, typename M, typename... X>
CM_DETAIL_INLINE void typed_read_rows(SurfaceIndex image, unsigned channels, const M &m, const X &...x)
{
    typedef element<M> T;
    auto data = __cm_typed_read<T, N, N * rows>(channels, (lanes<ushort, N>)(ushort)1, image, coordinate<0, N>(x...),
                                                coordinate<1, N>(x...), coordinate<2, N>(x...));
    m.row(0).write_(slice<0, N, T, N * rows>(data));
    if constexpr (rows > 1)
        m.row(1).write_(slice<N, N, T, N * rows>(data));
    if constexpr (rows > 2)
        m.row(2).write_(slice<2 * N, N, T, N * rows>(data));
    if constexpr (rows > 3)
        m.row(3).write_(slice<3 * N, N, T, N * rows>(data));
}

template <typename M, typename U> using if_typed = enable_if<facts<M>::is_matrix && CM_DETAIL_IS_OPERAND(U)>;
template <typename V, typename U>
using if_typed_row = enable_if<CM_DETAIL_IS_OPERAND(V) && !facts<V>::is_matrix && CM_DETAIL_IS_OPERAND(U)>;

} // namespace cm_detail

/* read_typed(S, channels, m, x[, y[, z]]): a texel for each lane, its first enabled channel into m's first row, and so
 * on. m: int, uint or float, a column for each of 8, 16 or 32 lanes, at least a row for each channel. `channels`
 * (CM_R_ENABLE ... CM_ABGR_ENABLE) is a constant. Coordinates, vectors of integers, count texels; outside the image: 0.
 * All platforms but not on PVC.
 * Source: CM specification 4.5 "Typed Surface Read/Write". */
template <typename M, typename U, typename... X, typename = cm_detail::if_typed<M, U>>
CM_DETAIL_INLINE void read_typed(SurfaceIndex image, ChannelMaskType channels, const M &m, const U &x, const X &...rest)
{
    using namespace cm_detail;
    constexpr int N = facts<U>::count;
    static_assert(check_typed<M, N, 1 + sizeof...(X)>());
    with_channels<facts<M>::rows>(
        channels, [&](auto rows) CM_DETAIL_MEMBER { typed_read_rows<rows.value, N>(image, channels, m, x, rest...); });
}

/* read_typed(S, channel, v, x[, y[, z]]): the same of one channel into a vector of 8, 16 or 32 int, uint or float.
 * Coordinates, vectors of integers, count texels; outside the image: 0. All platforms.
 * Source: Intel's cm/cm_dataport.h. */
template <typename V, typename U, typename... X, typename = cm_detail::if_typed_row<V, U>, typename = void>
CM_DETAIL_INLINE void read_typed(SurfaceIndex image, ChannelMaskType channel, const V &v, const U &x, const X &...rest)
{
    typedef cm_detail::element<V> T;
    read_typed(image, channel, v.template format<T, 1, cm_detail::facts<V>::count>(), x, rest...);
}

/* write_typed(S, channels, m, x[, y[, z]]): the same in the other direction, rows of 8, 16 or 32 int, uint or float;
 * coordinates, vectors of integers, count texels; writes outside the image are dropped. All platforms but not on PVC.
 * Lanes that write the same texel do it in no defined order. Source: CM specification 4.5 "Typed Surface Read/Write".
 */
template <typename M, typename U, typename... X, typename = cm_detail::if_typed<M, U>>
CM_DETAIL_INLINE void write_typed(SurfaceIndex image, ChannelMaskType channels, const M &m, const U &x,
                                  const X &...rest)
{
    using namespace cm_detail;
    typedef element<M> T;
    constexpr int N = facts<U>::count;
    static_assert(check_typed<M, N, 1 + sizeof...(X)>());
    with_channels<facts<M>::rows>(channels, [&](auto count) CM_DETAIL_MEMBER {
        constexpr int rows = count.value;
        matrix<T, rows, N> data; /* row by row: SIMD control flow knows writes of N lanes */
        data.row(0) = m.row(0);
        if constexpr (rows > 1)
            data.row(1) = m.row(1);
        if constexpr (rows > 2)
            data.row(2) = m.row(2);
        if constexpr (rows > 3)
            data.row(3) = m.row(3);
        __cm_typed_write<T, N, N * rows>(channels, (lanes<ushort, N>)(ushort)1, image, coordinate<0, N>(x, rest...),
                                         coordinate<1, N>(x, rest...), coordinate<2, N>(x, rest...), data.read_());
    });
}

namespace cm_detail
{

/* Operands of the operation, then up to four coordinates. */
template <CmAtomicOpType Op, int N, typename D, typename... X>
CM_DETAIL_INLINE void typed_atomic_on(lanes<ushort, N> mask, SurfaceIndex image, D &&old, const X &...x)
{
    typedef element<bare<D>> T;
    constexpr int sources = atomic_source_count(Op), coordinates = (int)sizeof...(X) - sources;
    static_assert(!atomic_of_floats(Op) && __is_integral(T) && sizeof(T) == 4,
                  "write_typed_atomic is on int and uint and has no operations of floats");
    static_assert(coordinates >= 1 && coordinates <= 4,
                  "write_typed_atomic takes the operands of its operation and one to four coordinates: x, y, z, level");
    static_assert(N == 8 || N == 16 || N == 32, "write_typed_atomic takes 8, 16 or 32 lanes");
    auto before = __cm_typed_atomic<T, N>(
        atomic_number(Op), mask, image, argument<sources, uint, N>(x...), argument<sources + 1, uint, N>(x...),
        argument<sources + 2, uint, N>(x...), argument<sources + 3, uint, N>(x...),
        argument<(sources > 0 ? 0 : 99), T, N>(x...), argument<(sources == 2 ? 1 : 99), T, N>(x...));
    give_old<T, N>(old, Op, before, mask);
}

} // namespace cm_detail

/* write_typed_atomic<OPERATION>([mask,] S, old[, a[, b]], x[, y[, z[, level]]]): an atomic operation on a texel of an
 * image of one channel of 32 bits (coordinates, vectors of integers, count texels) for each lane whose mask's bit 0 is
 * set; `old` receives what was there. int or uint; no operations of floats. 8, 16 or 32 lanes. Outside the image
 * nothing happens. All platforms but not on BMG, LNL, PTL.
 * Source: CM specification 4.5 "Typed Surface Atomic Write". */
template <CmAtomicOpType Op, typename D, typename... X,
          typename = cm_detail::enable_if<CM_DETAIL_IS_OPERAND(cm_detail::bare<D>)>>
CM_DETAIL_INLINE void write_typed_atomic(SurfaceIndex image, D &&old, const X &...x)
{
    using namespace cm_detail;
    constexpr int N = facts<bare<D>>::count;
    typed_atomic_on<Op, N>((lanes<ushort, N>)(ushort)1, image, old, x...);
}
/* write_typed_atomic<OPERATION>(mask, S, old[, a[, b]], x[, y[, z[, level]]]): an atomic operation on a texel for
 * each lane whose mask's bit 0 is set. */
template <CmAtomicOpType Op, typename M, typename D, typename... X,
          typename = cm_detail::enable_if<CM_DETAIL_IS_OPERAND(cm_detail::bare<D>) && !__is_enum(M)>>
CM_DETAIL_INLINE void write_typed_atomic(const M &mask, SurfaceIndex image, D &&old, const X &...x)
{
    using namespace cm_detail;
    constexpr int N = facts<bare<D>>::count;
    typed_atomic_on<Op, N>(mask_of<N>(mask), image, old, x...);
}

#endif
