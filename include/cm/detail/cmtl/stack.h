/* The stacks and neighbourhoods of the CM template library (cm/cmtl.h), and its helpers for shared local memory. */
#ifndef CMKIT_CM_DETAIL_CMTL_STACK_H
#define CMKIT_CM_DETAIL_CMTL_STACK_H

/* A namespace of its own: included inside another one, this header must not hide the global cm_detail. */
namespace cmtl_stacks
{
using namespace cm_detail;

/* Moves the caches of all requested lanes to or from the surface in blocks of 128 bytes. */
template <bool Write, int Lanes, typename S, typename P, typename M>
CM_DETAIL_INLINE void move_caches(SurfaceIndex surface, const S &stack, const P &places, const M &wanted)
{
    typedef element<S> T;
    constexpr int piece = 128 / (int)sizeof(T), columns = facts<S>::columns;
    static_assert(columns % piece == 0, "CachedStack: caches of {S.bytes} bytes for {Lanes} lanes; the cache of a lane "
                                        "must be a multiple of 128 bytes");
#pragma unroll
    for (int lane = 0; lane < Lanes; lane++) {
        if (wanted(lane)) {
#pragma unroll
            for (int first = 0; first < columns; first += piece) {
                auto part = stack.row(lane).template select<piece, 1>(first);
                if constexpr (Write)
                    ::write(surface, places(lane) + first * (int)sizeof(T), part);
                else
                    ::read(surface, places(lane) + first * (int)sizeof(T), part);
            }
        }
    }
}

} // namespace cmtl_stacks

namespace cmtl
{

/* CachedStackInit<T, W, CACHE[, STACKS]>(context, places, most), CachedStackPush<...>(S, context, places, cache,
 * element), CachedStackTop<...>(S, context, places, cache, element[, stack]), CachedStackPop<...>(S, context, places,
 * cache[, element], mask), CachedStackEmpty<W[, STACKS]>(context, places, empty): a stack for each of W lanes (at most
 * 16), of STACKS elements of type T at a time. The top CACHE elements of each are in `cache`, a matrix of W rows and
 * CACHE * STACKS columns, where a row has a multiple of 128 bytes. The rest is in buffer S, which has `most` elements
 * (a multiple of CACHE) for each lane of each thread of the first dimension, one thread a group. context: 2 x W *
 * STACKS short, places: 2 x W int, both for these functions only. element: STACKS rows of W lanes, or with `stack` or
 * one stack W lanes. Push and Pop move all lanes; mask: 1 where the top is removed, 0 where it is only read. empty:
 * short, 1 where a lane is empty; do not pop empty lanes. Not inside SIMD control flow. All platforms.
 * Source: CM specification 6.5 "CachedStack". */
template <typename T, int W, uint CACHE, uint STACKS = 1, typename C, typename P>
CM_DETAIL_INLINE void CachedStackInit(C &&context, P &&places, uint most)
{
    vector<int, W> lane;
    cm_vector_assign(lane, 0, 1);
    context.row(0).template select<W, 1>(0) = -1;
    places.row(0) = (lane + (int)get_thread_origin_x() * W) * (int)(most * STACKS * sizeof(T));
    places.row(1) = places.row(0);
}

/* CachedStackEmpty<W[, STACKS]>(context, places, empty): which lanes have nothing on their stack. */
template <int W, uint STACKS = 1, typename C, typename P, typename E>
CM_DETAIL_INLINE void CachedStackEmpty(C &&context, P &&places, E &&empty)
{
    vector<int, W> top = context.row(0).template select<W, 1>(0);
    empty = (places.row(0) + top) < places.row(1);
}

/* CachedStackPush<T, W, CACHE[, STACKS]>(S, context, places, cache, element): puts an element on every lane's stack. */
template <typename T, int W, uint CACHE, uint STACKS = 1, typename C, typename P, typename S, typename E>
CM_DETAIL_INLINE void CachedStackPush(SurfaceIndex surface, C &&context, P &&places, S &&cache, const E &element)
{
    vector<int, W> top = context.row(0).template select<W, 1>(0) + 1;
    vector<ushort, W> full = top == (int)CACHE;
    if (full.any()) {
        cmtl_stacks::move_caches<true, W>(surface, cache, places.row(0), full);
        places.row(0).merge(places.row(0) + (int)(CACHE * STACKS * sizeof(T)), full);
        top.merge(0, full);
    }
    vector<T, W * STACKS> given = element;
#pragma unroll
    for (int stack = 0; stack < (int)STACKS; stack++) {
#pragma unroll
        for (int lane = 0; lane < W; lane++)
            cache(lane, top(lane) + stack * (int)CACHE) = given(stack * W + lane);
    }
    context.row(0).template select<W, 1>(0) = top;
}

/* CachedStackTop<T, W, CACHE[, STACKS]>(S, context, places, cache, element, stack): the top of one of the stacks. */
template <typename T, int W, uint CACHE, uint STACKS = 1, typename C, typename P, typename S, typename E>
CM_DETAIL_INLINE void CachedStackTop(SurfaceIndex, C &&context, P &&, S &&cache, E &&element, int stack)
{
    vector<ushort, W> row, column = context.row(0).template select<W, 1>(0) + stack * (int)CACHE;
    cm_vector_assign(row, 0, 1);
    vector<T, W * CACHE * STACKS> all = cache;
    vector<ushort, W> place = row * (ushort)(CACHE * STACKS) + column;
    element = all.iselect(place);
}
/* CachedStackTop<T, W, CACHE[, STACKS]>(S, context, places, cache, element): the tops of all stacks, which stay
 * there. */
template <typename T, int W, uint CACHE, uint STACKS = 1, typename C, typename P, typename S, typename E>
CM_DETAIL_INLINE void CachedStackTop(SurfaceIndex surface, C &&context, P &&places, S &&cache, E &&element)
{
    vector<T, W * STACKS> all;
#pragma unroll
    for (int stack = 0; stack < (int)STACKS; stack++)
        CachedStackTop<T, W, CACHE, STACKS>(surface, context, places, cache, all.template select<W, 1>(stack * W),
                                            stack);
    element = all;
}

/* CachedStackPop<T, W, CACHE[, STACKS]>(S, context, places, cache, mask): takes the tops away where the mask is 1. */
template <typename T, int W, uint CACHE, uint STACKS = 1, typename C, typename P, typename S, typename M>
CM_DETAIL_INLINE void CachedStackPop(SurfaceIndex surface, C &&context, P &&places, S &&cache, const M &mask)
{
    vector<int, W> top = context.row(0).template select<W, 1>(0) - mask;
    vector<ushort, W> used = (top < 0) & (places.row(0) > places.row(1));
    if (used.any()) {
        places.row(0).merge(places.row(0) - (int)(CACHE * STACKS * sizeof(T)), used);
        cmtl_stacks::move_caches<false, W>(surface, cache, places.row(0), used);
        top.merge((int)CACHE - 1, used);
    }
    context.row(0).template select<W, 1>(0) = top;
}
/* CachedStackPop<T, W, CACHE[, STACKS]>(S, context, places, cache, element, mask): reads the tops, then takes them
 * away where the mask is 1. */
template <typename T, int W, uint CACHE, uint STACKS = 1, typename C, typename P, typename S, typename E, typename M>
CM_DETAIL_INLINE void CachedStackPop(SurfaceIndex surface, C &&context, P &&places, S &&cache, E &&element,
                                     const M &mask)
{
    CachedStackTop<T, W, CACHE, STACKS>(surface, context, places, cache, element);
    CachedStackPop<T, W, CACHE, STACKS>(surface, context, places, cache, mask);
}

/* _2Dto1D<K>(row, column): the number, an int, of an element of a K x K neighbourhood. Vectorize2DKRNL<Tsrc, Tdst, K,
 * N>(in, out): row k of `out` has, for N pixels that are neighbours, their neighbour of number k; in: K rows of N + K -
 * 1, out: K * K rows of N; any element types. Vectorize2DKRNLRow<Tsrc, Tdst[, ROWS], K, N>(in, out, row), <T, ROWS, K,
 * N>: the same for row `row` of the neighbourhood; in has at least N + K - 1 elements. All platforms.
 * Source: CM specification 6.2 "Vectorization"; Intel's cm/cmtl.h (Vectorize2DKRNLRow). */
template <uint K> CM_DETAIL_INLINE constexpr int _2Dto1D(int row, int column)
{
    return row * (int)K + column;
}
/* Vectorize2DKRNLRow<Tsrc, Tdst, K, N>(in, out, row): row `row` of the neighbourhood, from a row of pixels. */
template <typename Tsrc, typename Tdst, uint K, uint N, typename A, typename B>
CM_DETAIL_INLINE void Vectorize2DKRNLRow(const A &in, const B &out, int row)
{
    static_assert(K % 2 == 1, "Vectorize2DKRNL: a neighbourhood of {K} rows; the number must be odd");
    vector<Tsrc, cm_detail::facts<A>::count> all = in;
#pragma unroll
    for (int column = 0; column < (int)K; column++)
        out.row(_2Dto1D<K>(row, column)) = all.template select<N, 1>(column);
}
/* Vectorize2DKRNLRow<Tsrc, Tdst, ROWS, K, N>(in, out, row): with ROWS, the number of rows of `out`. */
template <typename Tsrc, typename Tdst, uint ROWS, uint K, uint N, typename A, typename B>
CM_DETAIL_INLINE void Vectorize2DKRNLRow(const A &in, const B &out, int row)
{
    Vectorize2DKRNLRow<Tsrc, Tdst, K, N>(in, out, row);
}
/* Vectorize2DKRNLRow<T, ROWS, K, N>(in, out, row): both element types are T. */
template <typename T, uint ROWS, uint K, uint N, typename A, typename B>
CM_DETAIL_INLINE void Vectorize2DKRNLRow(const A &in, const B &out, int row)
{
    Vectorize2DKRNLRow<T, T, K, N>(in, out, row);
}
/* Vectorize2DKRNL<Tsrc, Tdst, K, N>(in, out): the neighbours of N pixels; row k of `out` has the neighbours number k.
 */
template <typename Tsrc, typename Tdst, uint K, uint N, typename A, typename B>
CM_DETAIL_INLINE void Vectorize2DKRNL(const A &in, const B &out)
{
#pragma unroll
    for (int row = 0; row < (int)K; row++)
        Vectorize2DKRNLRow<Tsrc, Tdst, K, N>(in.row(row), out, row);
}

/* TransposeFromSLM<N>(to, from), TransposeToSLM<N>(to, from): convert vectors of dwords of N pixels (8 or 16) from the
 * order of cm_slm_read4 (all of the first channel, then of the next) to the order in memory, and back. All platforms.
 * Source: CM specification 6.3 "SLM". */
template <int N, typename A, typename B> CM_DETAIL_INLINE void TransposeFromSLM(const A &to, const B &from)
{
    vector<uint, 4 * N> all = from;
#pragma unroll
    for (int channel = 0; channel < 4; channel++)
        to.template select<N, 4>(channel) = all.template select<N, 1>(channel * N);
}
/* TransposeToSLM<N>(to, from): from the order in memory to the order of cm_slm_write4. */
template <int N, typename A, typename B> CM_DETAIL_INLINE void TransposeToSLM(const A &to, const B &from)
{
    vector<uint, 4 * N> all = from;
#pragma unroll
    for (int channel = 0; channel < 4; channel++)
        to.template select<N, 1>(channel * N) = all.template select<N, 4>(channel);
}

/* DumpSLM(slm, S, size): the first `size` bytes, a uint, of shared local memory from `slm` on, to the start of buffer
 * S: a multiple of 256 bytes. Not inside SIMD control flow. All platforms.
 * Source: CM specification 6.3 "SLM". */
template <int N = 32> CM_DETAIL_INLINE void DumpSLM(uint slm, SurfaceIndex surface, uint size)
{
    for (uint first = 0; first < size; first += N * 4) {
        vector<uint, N> part;
        cm_slm_block_read(slm, first, part);
        ::write(surface, first, part);
    }
}

} // namespace cmtl

#endif
