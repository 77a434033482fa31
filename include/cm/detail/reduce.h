/* One scalar from all elements, by folding halves. */
#ifndef CMKIT_CM_DETAIL_REDUCE_H
#define CMKIT_CM_DETAIL_REDUCE_H

namespace cm_detail
{

struct sum {
    template <typename T, int N> static CM_DETAIL_MEMBER lanes<T, N> of(lanes<T, N> a, lanes<T, N> b) { return a + b; }
};
struct product {
    template <typename T, int N> static CM_DETAIL_MEMBER lanes<T, N> of(lanes<T, N> a, lanes<T, N> b) { return a * b; }
};
struct minimum {
    template <typename T, int N> static CM_DETAIL_MEMBER lanes<T, N> of(lanes<T, N> a, lanes<T, N> b)
    {
        return least<T, N>(a, b);
    }
};
struct maximum {
    template <typename T, int N> static CM_DETAIL_MEMBER lanes<T, N> of(lanes<T, N> a, lanes<T, N> b)
    {
        return greatest<T, N>(a, b);
    }
};

template <int First, int N, typename T, int M> CM_DETAIL_INLINE lanes<T, N> slice(lanes<T, M> x)
{
    return __lanes_pick<T, N, M, First, 0, N, 1>(x);
}

/* The upper part is folded onto the lower one; of an odd count the middle lane waits for the next round. */
template <typename Op, typename T, int N> CM_DETAIL_INLINE T fold(lanes<T, N> x)
{
    if constexpr (N == 1) {
        return x[0];
    } else if constexpr (is_power_of_two(N)) {
        constexpr int half_count = N / 2;
        auto low = slice<0, half_count, T, N>(x);
        auto high = slice<half_count, half_count, T, N>(x);
        return fold<Op, T, half_count>(Op::template of<T, half_count>(low, high));
    } else {
        constexpr int low_count = power_of_two_at_least(N, 1) / 2, rest = N - low_count;
        T low = fold<Op, T, low_count>(slice<0, low_count, T, N>(x));
        T high = fold<Op, T, rest>(slice<low_count, rest, T, N>(x));
        return Op::template of<T, 1>((lanes<T, 1>)low, (lanes<T, 1>)high)[0];
    }
}

} // namespace cm_detail

#define CM_DETAIL_REDUCTION(NAME, OP, ...)                                                                             \
    template <typename T, typename A, typename F = cm_detail::no_saturation,                                           \
              typename = cm_detail::enable_if<cm_detail::is_operand<A>>>                                               \
    CM_DETAIL_INLINE T NAME(const A &x, F flag = F())                                                                  \
    {                                                                                                                  \
        using namespace cm_detail;                                                                                     \
        typedef __VA_ARGS__ U;                                                                                         \
        constexpr int N = facts<A>::count;                                                                             \
        U value = fold<OP, U, N>(lanes_of<U, N>(x));                                                                   \
        return finish<T, U, 1>((lanes<U, 1>)value, flag)[0];                                                           \
    }
CM_DETAIL_REDUCTION(cm_sum, sum, common<element<A>, T>);
CM_DETAIL_REDUCTION(cm_prod, product, common<element<A>, T>);
CM_DETAIL_REDUCTION(cm_reduced_min, minimum, element<A>);
CM_DETAIL_REDUCTION(cm_reduced_max, maximum, element<A>);
#undef CM_DETAIL_REDUCTION

/* Lane k as bit k, by bit 0 of each lane, and back. */
template <typename A, typename = cm_detail::enable_if<cm_detail::is_operand<A>>>
CM_DETAIL_INLINE uint cm_pack_mask(const A &mask)
{
    using namespace cm_detail;
    constexpr int N = facts<A>::count;
    static_assert(N == 8 || N == 16 || N == 32, "cm_pack_mask takes 8, 16 or 32 lanes");
    lanes<uint, N> bit = lanes_of<uint, N>(mask) & 1u;
    return fold<sum, uint, N>(bit << convert<uint, ushort, N>(pattern<N, 0, N, 1>()));
}
template <typename T, int N> CM_DETAIL_INLINE vector<T, N> cm_unpack_mask(uint bits)
{
    static_assert(N == 8 || N == 16 || N == 32, "cm_unpack_mask gives 8, 16 or 32 lanes");
    return vector<T, N>(cm_detail::from_lanes(), cm_detail::convert<T, ushort, N>(cm_detail::mask_of<N>(bits)));
}

#endif
