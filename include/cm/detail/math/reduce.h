/* Reduces all elements to one scalar, by halves. Inside SIMD control flow of as many lanes, only active lanes count. */
#ifndef CMKIT_CM_DETAIL_MATH_REDUCE_H
#define CMKIT_CM_DETAIL_MATH_REDUCE_H

namespace cm_detail
{

/* The limits of an element type. */
template <typename T> constexpr T most()
{
    if constexpr (__is_floating_point(T))
        return (T)__builtin_huge_val();
    else if constexpr (__is_signed(T))
        return (T)(((uint64_t)1 << (sizeof(T) * 8 - 1)) - 1);
    else
        return (T) ~(T)0;
}
template <typename T> constexpr T fewest()
{
    if constexpr (__is_floating_point(T))
        return (T)-__builtin_huge_val();
    else if constexpr (__is_signed(T))
        return (T)((uint64_t)1 << (sizeof(T) * 8 - 1));
    else
        return (T)0;
}

/* The operation that combines two lanes, and the value of an inactive lane. */
struct sum {
    template <typename T> static constexpr T none = T(0);
    template <typename T, int N> static CM_DETAIL_MEMBER lanes<T, N> of(lanes<T, N> a, lanes<T, N> b) { return a + b; }
};
struct product {
    template <typename T> static constexpr T none = T(1);
    template <typename T, int N> static CM_DETAIL_MEMBER lanes<T, N> of(lanes<T, N> a, lanes<T, N> b) { return a * b; }
};
struct minimum {
    template <typename T> static constexpr T none = most<T>();
    template <typename T, int N> static CM_DETAIL_MEMBER lanes<T, N> of(lanes<T, N> a, lanes<T, N> b)
    {
        return least<T, N>(a, b);
    }
};
struct maximum {
    template <typename T> static constexpr T none = fewest<T>();
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

/* Lanes that SIMD control flow has switched off as the neutral element; outside this is nothing. */
template <typename Op, typename T, int N> CM_DETAIL_INLINE lanes<T, N> live_lanes(lanes<T, N> x)
{
    if constexpr (N <= 32 && is_power_of_two(N))
        return __cm_merge<T, N>(x, (lanes<T, N>)Op::template none<T>, __cm_live<N>((lanes<ushort, N>)(ushort)1));
    else
        return x;
}

} // namespace cm_detail

#define CM_DETAIL_REDUCTION(NAME, OP, ...)                                                                             \
    template <typename T, typename A, typename F = cm_detail::no_saturation,                                           \
              typename = cm_detail::enable_if<CM_DETAIL_IS_OPERAND(A)>>                                                \
    CM_DETAIL_INLINE T NAME(const A &x, F flag = F())                                                                  \
    {                                                                                                                  \
        using namespace cm_detail;                                                                                     \
        typedef __VA_ARGS__ U;                                                                                         \
        constexpr int N = facts<A>::count;                                                                             \
        U value = fold<OP, U, N>(live_lanes<OP, U, N>(lanes_of<U, N>(x)));                                             \
        return finish<T, U, 1>((lanes<U, 1>)value, flag)[0];                                                           \
    }
/* cm_sum<T>(x[, SAT]), cm_prod<T>(x[, SAT]), cm_reduced_min<T>(x[, SAT]), cm_reduced_max<T>(x[, SAT]): sum, product,
 * least and greatest of all elements of a vector or matrix of any element type and size, as one T. Sums and products
 * are formed in the type of element * T, in an order that is not defined, and converted or clamped at the end. All
 * platforms.
 * Source: CM specification 4.3 "Built-in Functions". */
CM_DETAIL_REDUCTION(cm_sum, sum, common<element<A>, T>)
CM_DETAIL_REDUCTION(cm_prod, product, common<element<A>, T>)
CM_DETAIL_REDUCTION(cm_reduced_min, minimum, element<A>)
CM_DETAIL_REDUCTION(cm_reduced_max, maximum, element<A>)
#undef CM_DETAIL_REDUCTION

/* A mask of up to 32 lanes as a number, and as lanes. */
typedef uint MaskIntT;
typedef ushort MaskVecElemT;
template <int N> using MaskVecT = vector<MaskVecElemT, N>;

/* cm_pack_mask(m): bit 0 of lane k of m, a vector or matrix of integers, as bit k of a uint; 8, 16 or 32 lanes.
 * cm_unpack_mask<T, N>(bits): bit k as lane k of a vector of N T, 0 or 1; N is 8, 16 or 32. All platforms.
 * Source: CM specification 4.3 "Built-in Functions". */
template <typename A, typename = cm_detail::enable_if<CM_DETAIL_IS_OPERAND(A)>>
CM_DETAIL_INLINE uint cm_pack_mask(const A &mask)
{
    using namespace cm_detail;
    constexpr int N = facts<A>::count;
    static_assert(N == 8 || N == 16 || N == 32, "cm_pack_mask takes 8, 16 or 32 lanes");
    lanes<uint, N> bit = lanes_of<uint, N>(mask) & 1u;
    return fold<sum, uint, N>(bit << convert<uint, ushort, N>(__lanes_pattern<N, 0, N, 1>()));
}
/* cm_unpack_mask<T, N>(bits): bit k as lane k of a vector of N T, 0 or 1. */
template <typename T, int N> CM_DETAIL_INLINE vector<T, N> cm_unpack_mask(uint bits)
{
    static_assert(N == 8 || N == 16 || N == 32, "cm_unpack_mask gives 8, 16 or 32 lanes");
    return vector<T, N>(cm_detail::from_lanes(), cm_detail::convert<T, ushort, N>(cm_detail::mask_of<N>(bits)));
}

#endif
