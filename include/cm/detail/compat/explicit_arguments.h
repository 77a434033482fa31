/* Defines intrinsics with more explicit template arguments than the result's type: the element type and the shape of an
 * operand, which is converted to that type and shape first. The macros that are not undefined serve the template
 * library too.
 * Source: the template parameters in the headers cm/cm.h and cm/cm_math.h of Intel's CM compiler. */
#ifndef CMKIT_CM_DETAIL_COMPAT_EXPLICIT_ARGUMENTS_H
#define CMKIT_CM_DETAIL_COMPAT_EXPLICIT_ARGUMENTS_H

namespace cm_detail
{

/* X is a vector or matrix; the template argument E names its element type. */
template <typename E, typename X>
using if_elements = enable_if<CM_DETAIL_IS_OPERAND(X) && __is_same(__remove_cv(E), element<X>)>;

} // namespace cm_detail

#define CM_DETAIL_EXPLICIT_COUNT(NAME, A, COUNT)                                                                       \
    static_assert(!CM_DETAIL_IS_OPERAND(A) || cm_detail::facts<A>::count == COUNT,                                     \
                  #NAME ": the vector has another number of elements")

#define CM_DETAIL_EXPLICIT_PAIR(NAME)                                                                                  \
    template <typename T, typename E, typename A, typename B, typename... F, typename = cm_detail::if_elements<E, A>>  \
    CM_DETAIL_INLINE auto NAME(const A &a, const B &b, F... flag)                                                      \
    {                                                                                                                  \
        return NAME<T>(a, b, flag...);                                                                                 \
    }                                                                                                                  \
    template <typename T, typename E, int N, typename B, typename A, typename... F>                                    \
    CM_DETAIL_INLINE auto NAME(const A &a, const B &b, F... flag)                                                      \
    {                                                                                                                  \
        CM_DETAIL_EXPLICIT_COUNT(NAME, A, N);                                                                          \
        return NAME<T>(vector<E, N>(a), b, flag...);                                                                   \
    }                                                                                                                  \
    template <typename T, typename E, int R, int C, typename B, typename A, typename... F>                             \
    CM_DETAIL_INLINE auto NAME(const A &a, const B &b, F... flag)                                                      \
    {                                                                                                                  \
        CM_DETAIL_EXPLICIT_COUNT(NAME, A, R *C);                                                                       \
        return NAME<T>(matrix<E, R, C>(a), b, flag...);                                                                \
    }
/* cm_add<T, E, N>(v, b), cm_mul<T, E, N>(v, b), cm_min<T, E, N>(v, b), cm_max<T, E, N>(v, b), cm_avg<T, E, N>(v, b),
 * cm_shl<T, E, N>(v, b), cm_shr<T, E, N>(v, b), cm_lsr<T, E, N>(v, b), cm_asr<T, E, N>(v, b), cm_dp2<T, E, N>(v, b),
 * cm_dp3<T, E, N>(v, b), cm_dp4<T, E, N>(v, b), cm_dph<T, E, N>(v, b), cm_sad2<T, E, N>(v, b); of a matrix NAME<T, E,
 * R, C>(m, b): after the type of the result, template arguments name the element type and shape of the first operand,
 * and optionally the type of the second; the shape is optional. Operands (integers or floats) and the last argument SAT
 * are those of the shorter form. All platforms.
 * Source: Intel's cm/cm.h. */
CM_DETAIL_EXPLICIT_PAIR(cm_add)
CM_DETAIL_EXPLICIT_PAIR(cm_mul)
CM_DETAIL_EXPLICIT_PAIR(cm_min)
CM_DETAIL_EXPLICIT_PAIR(cm_max)
CM_DETAIL_EXPLICIT_PAIR(cm_avg)
CM_DETAIL_EXPLICIT_PAIR(cm_shl)
CM_DETAIL_EXPLICIT_PAIR(cm_shr)
CM_DETAIL_EXPLICIT_PAIR(cm_lsr)
CM_DETAIL_EXPLICIT_PAIR(cm_asr)
CM_DETAIL_EXPLICIT_PAIR(cm_dp2)
CM_DETAIL_EXPLICIT_PAIR(cm_dp3)
CM_DETAIL_EXPLICIT_PAIR(cm_dp4)
CM_DETAIL_EXPLICIT_PAIR(cm_dph)
CM_DETAIL_EXPLICIT_PAIR(cm_sad2)
/* cm_rol<T, E, N>(v, b), cm_ror<T, E, N>(v, b); of a matrix NAME<T, E, R, C>(m, b): the same for integers. From ICLLP
 * on. Source: Intel's cm/cm.h. */
CM_DETAIL_EXPLICIT_PAIR(cm_rol)
CM_DETAIL_EXPLICIT_PAIR(cm_ror)
#undef CM_DETAIL_EXPLICIT_PAIR

#define CM_DETAIL_EXPLICIT_RESULT(NAME)                                                                                \
    template <typename T, typename E, typename A, typename... X, typename = cm_detail::if_elements<E, A>>              \
    CM_DETAIL_INLINE auto NAME(const A &a, const X &...x)                                                              \
    {                                                                                                                  \
        return NAME<T>(a, x...);                                                                                       \
    }                                                                                                                  \
    template <typename T, typename E, int N, typename A, typename... X>                                                \
    CM_DETAIL_INLINE auto NAME(const A &a, const X &...x)                                                              \
    {                                                                                                                  \
        CM_DETAIL_EXPLICIT_COUNT(NAME, A, N);                                                                          \
        return NAME<T>(vector<E, N>(a), x...);                                                                         \
    }                                                                                                                  \
    template <typename T, typename E, int R, int C, typename A, typename... X>                                         \
    CM_DETAIL_INLINE auto NAME(const A &a, const X &...x)                                                              \
    {                                                                                                                  \
        CM_DETAIL_EXPLICIT_COUNT(NAME, A, R *C);                                                                       \
        return NAME<T>(matrix<E, R, C>(a), x...);                                                                      \
    }
/* cm_abs<T, E, N>(v), cm_lzd<T, E, N>(v), cm_bf_reverse<T, E, N>(v), cm_sum<T, E, N>(v), cm_prod<T, E, N>(v),
 * cm_reduced_min<T, E, N>(v), cm_reduced_max<T, E, N>(v), cm_sada2<T, E, N>(a, b, sum); of a matrix NAME<T, E, R,
 * C>(m): after the type of the result, template arguments name the element type and shape of the first operand;
 * the shape is optional. Operands (integers or floats) are those of the shorter form. All platforms.
 * Source: Intel's cm/cm.h. */
CM_DETAIL_EXPLICIT_RESULT(cm_abs)
CM_DETAIL_EXPLICIT_RESULT(cm_lzd)
CM_DETAIL_EXPLICIT_RESULT(cm_bf_reverse)
CM_DETAIL_EXPLICIT_RESULT(cm_sum)
CM_DETAIL_EXPLICIT_RESULT(cm_prod)
CM_DETAIL_EXPLICIT_RESULT(cm_reduced_min)
CM_DETAIL_EXPLICIT_RESULT(cm_reduced_max)
CM_DETAIL_EXPLICIT_RESULT(cm_sada2)
/* cm_bf_cvt<T, E, N>(v): the same for floats and the bits of bf16. From XEHP_SDV on but not on MTL.
 * Source: Intel's cm/cm.h. */
CM_DETAIL_EXPLICIT_RESULT(cm_bf_cvt)
#undef CM_DETAIL_EXPLICIT_RESULT

#define CM_DETAIL_EXPLICIT_OPERAND(NAME)                                                                               \
    template <typename E, int N, typename A, typename... X> CM_DETAIL_INLINE auto NAME(const A &a, const X &...x)      \
    {                                                                                                                  \
        CM_DETAIL_EXPLICIT_COUNT(NAME, A, N);                                                                          \
        return NAME(vector<E, N>(a), x...);                                                                            \
    }                                                                                                                  \
    template <typename E, int R, int C, typename A, typename... X>                                                     \
    CM_DETAIL_INLINE auto NAME(const A &a, const X &...x)                                                              \
    {                                                                                                                  \
        CM_DETAIL_EXPLICIT_COUNT(NAME, A, R *C);                                                                       \
        return NAME(matrix<E, R, C>(a), x...);                                                                         \
    }
#define CM_DETAIL_EXPLICIT_ELEMENTS(NAME)                                                                              \
    template <typename E, typename A, typename... X, typename = cm_detail::if_elements<E, A>>                          \
    CM_DETAIL_INLINE auto NAME(const A &a, const X &...x)                                                              \
    {                                                                                                                  \
        return NAME(a, x...);                                                                                          \
    }                                                                                                                  \
    CM_DETAIL_EXPLICIT_OPERAND(NAME)
/* cm_abs<E, N>(v), cm_frc<E, N>(v), cm_frem<E, N>(a, b), cm_cbit<E, N>(v), cm_asin<E, N>(v), cm_acos<E, N>(v),
 * cm_atan<E, N>(v), cm_f16tof32<E, N>(v), cm_f32tof16<E, N>(v); of a matrix NAME<E, R, C>(m): template
 * arguments name the element type and shape of the operand; the shape is optional for the last five. Operands (integers
 * or floats) are those of the shorter form. All platforms.
 * Source: Intel's cm/cm.h. */
CM_DETAIL_EXPLICIT_OPERAND(cm_abs)
CM_DETAIL_EXPLICIT_OPERAND(cm_frc)
CM_DETAIL_EXPLICIT_OPERAND(cm_frem)
CM_DETAIL_EXPLICIT_OPERAND(cm_cbit)
CM_DETAIL_EXPLICIT_ELEMENTS(cm_asin)
CM_DETAIL_EXPLICIT_ELEMENTS(cm_acos)
CM_DETAIL_EXPLICIT_ELEMENTS(cm_atan)
CM_DETAIL_EXPLICIT_ELEMENTS(cm_f16tof32)
CM_DETAIL_EXPLICIT_ELEMENTS(cm_f32tof16)

#define CM_DETAIL_EXPLICIT_DIVISION(NAME)                                                                              \
    template <typename E, int N, typename B, typename A> CM_DETAIL_INLINE auto NAME(const A &a, const B &b)            \
    {                                                                                                                  \
        CM_DETAIL_EXPLICIT_COUNT(NAME, A, N);                                                                          \
        return NAME<E>(vector<E, N>(a), b);                                                                            \
    }                                                                                                                  \
    template <typename E, int R, int C, typename B, typename A> CM_DETAIL_INLINE auto NAME(const A &a, const B &b)     \
    {                                                                                                                  \
        CM_DETAIL_EXPLICIT_COUNT(NAME, A, R *C);                                                                       \
        return NAME<E>(matrix<E, R, C>(a), b);                                                                         \
    }
/* cm_quot<E, N>(v, b), cm_mod<E, N>(v, b); of a matrix NAME<E, R, C>(m, b): template arguments name the
 * element type and shape of a division of integers; the result has the same shape. All platforms.
 * Source: Intel's cm/cm.h. */
CM_DETAIL_EXPLICIT_DIVISION(cm_quot)
CM_DETAIL_EXPLICIT_DIVISION(cm_mod)
#undef CM_DETAIL_EXPLICIT_DIVISION

#define CM_DETAIL_EXPLICIT_ROUNDING(NAME)                                                                              \
    template <typename T, int N, typename A, typename... F> CM_DETAIL_INLINE auto NAME(const A &a, F... flag)          \
    {                                                                                                                  \
        CM_DETAIL_EXPLICIT_COUNT(NAME, A, N);                                                                          \
        return NAME<T>(vector<float, N>(a), flag...);                                                                  \
    }                                                                                                                  \
    template <typename T, int R, int C, typename A, typename... F> CM_DETAIL_INLINE auto NAME(const A &a, F... flag)   \
    {                                                                                                                  \
        CM_DETAIL_EXPLICIT_COUNT(NAME, A, R *C);                                                                       \
        return NAME<T>(matrix<float, R, C>(a), flag...);                                                               \
    }
/* cm_rnde<T, N>(v), cm_rndd<T, N>(v), cm_rndu<T, N>(v), cm_rndz<T, N>(v), as in cm_rnde<uchar, 16>(v); of a matrix
 * NAME<T, R, C>(m): template arguments name the shape; elements of any type become floats first. All platforms.
 * Source: Intel's cm/cm.h. */
CM_DETAIL_EXPLICIT_ROUNDING(cm_rndd)
CM_DETAIL_EXPLICIT_ROUNDING(cm_rndu)
CM_DETAIL_EXPLICIT_ROUNDING(cm_rnde)
CM_DETAIL_EXPLICIT_ROUNDING(cm_rndz)

#define CM_DETAIL_EXPLICIT_SHAPE(NAME)                                                                                 \
    template <int N, typename A, typename... X> CM_DETAIL_INLINE auto NAME(A &&a, X &&...x)                            \
    {                                                                                                                  \
        static_assert(cm_detail::first_count(cm_detail::facts<cm_detail::bare<A>>::count,                              \
                                             cm_detail::facts<cm_detail::bare<X>>::count..., 0) == N,                  \
                      #NAME ": the vector has another number of elements");                                            \
        return NAME(a, x...);                                                                                          \
    }                                                                                                                  \
    template <int R, int C, typename A, typename... X> CM_DETAIL_INLINE auto NAME(A &&a, X &&...x)                     \
    {                                                                                                                  \
        return NAME<R * C>(a, x...);                                                                                   \
    }                                                                                                                  \
    template <int N, typename U, typename A, typename... X> CM_DETAIL_INLINE auto NAME(A &&a, X &&...x)                \
    {                                                                                                                  \
        return NAME<N>(a, x...);                                                                                       \
    }
/* cm_inv<N>(v), cm_log<N>(v), cm_exp<N>(v), cm_sqrt<N>(v), cm_rsqrt<N>(v), cm_sin<N>(v), cm_cos<N>(v),
 * cm_sqrt_ieee<N>(v), cm_pow<N>(v, x), cm_div_ieee<N>(v, x), cm_sincos<N>(cosine, v), cm_addc<N>(a, b, carry),
 * cm_subb<N>(a, b, borrow), cm_fbl<N>(v), cm_fbh<N>(v), cm_lrp<N>(w, a, b); of a matrix NAME<R, C>(m): template
 * arguments name the shape of the first operand and, optionally, the type of the second. Operands (floats or integers)
 * are those of the shorter form. All platforms.
 * Source: Intel's cm/cm_math.h. */
CM_DETAIL_EXPLICIT_SHAPE(cm_inv)
CM_DETAIL_EXPLICIT_SHAPE(cm_log)
CM_DETAIL_EXPLICIT_SHAPE(cm_exp)
CM_DETAIL_EXPLICIT_SHAPE(cm_sqrt)
CM_DETAIL_EXPLICIT_SHAPE(cm_rsqrt)
CM_DETAIL_EXPLICIT_SHAPE(cm_sin)
CM_DETAIL_EXPLICIT_SHAPE(cm_cos)
CM_DETAIL_EXPLICIT_SHAPE(cm_sqrt_ieee)
CM_DETAIL_EXPLICIT_SHAPE(cm_pow)
CM_DETAIL_EXPLICIT_SHAPE(cm_div_ieee)
CM_DETAIL_EXPLICIT_SHAPE(cm_sincos)
CM_DETAIL_EXPLICIT_SHAPE(cm_addc)
CM_DETAIL_EXPLICIT_SHAPE(cm_subb)
CM_DETAIL_EXPLICIT_SHAPE(cm_fbl)
CM_DETAIL_EXPLICIT_SHAPE(cm_fbh)
CM_DETAIL_EXPLICIT_SHAPE(cm_lrp)

/* cm_fbh<E, R, C>(m), cm_lrp<float>(w, a, b), cm_lrp<float, N>(w, a, b), cm_line<float, N>(p, x), cm_pln<N>(p, x, y),
 * cm_div<E, N>(remainder, a, b), cm_imul<T, E, N>(low, a, b), cm_bf_insert<T, E, N>(width, offset, field, v),
 * cm_bf_extract<T, E, N>(width, offset, v): template arguments name the types and the shape of the operands
 * (integers or floats). All platforms.
 * Source: Intel's cm/cm.h. */
template <typename E, int R, int C, typename A> CM_DETAIL_INLINE auto cm_fbh(const A &a)
{
    return cm_fbh(matrix<E, R, C>(a));
}
/* cm_lrp<float>(w, a, b): with the type of the operands. */
template <typename T, typename W, typename... X, typename = cm_detail::if_elements<T, W>>
CM_DETAIL_INLINE auto cm_lrp(const W &weight, const X &...x)
{
    return cm_lrp(weight, x...);
}
/* cm_lrp<float, N>(w, a, b): with the type and the length of the operands. */
template <typename T, int N, typename W, typename... X> CM_DETAIL_INLINE auto cm_lrp(const W &weight, const X &...x)
{
    return cm_lrp(vector<T, N>(weight), x...);
}
/* cm_line<float, N>(p, x): with the type and the length of x. */
template <typename T, int N, typename... X> CM_DETAIL_INLINE auto cm_line(const X &...x)
{
    return cm_line<T>(x...);
}
/* cm_line<float, R, C>(p, x): with the type and the shape of a matrix x. */
template <typename T, int R, int C, typename... X> CM_DETAIL_INLINE auto cm_line(const X &...x)
{
    return cm_line<T>(x...);
}
/* cm_pln<N>(p, x, y): with the length of x and y. */
template <int N, typename... X> CM_DETAIL_INLINE auto cm_pln(const X &...x)
{
    return cm_pln(x...);
}
/* cm_pln<R, C>(p, x, y): with the shape of matrices x and y. */
template <int R, int C, typename... X> CM_DETAIL_INLINE auto cm_pln(const X &...x)
{
    return cm_pln(x...);
}
/* cm_div<E, N>(remainder, a, b): with the element type and length of the result. */
template <typename E, int N, typename B = void, typename Q, typename... X>
CM_DETAIL_INLINE auto cm_div(Q &&remainder, const X &...x)
{
    return cm_div<E>(remainder, x...);
}
/* cm_div<E, R, C>(remainder, a, b): with the element type and shape of a result that is a matrix. */
template <typename E, int R, int C, typename B = void, typename Q, typename... X>
CM_DETAIL_INLINE auto cm_div(Q &&remainder, const X &...x)
{
    return cm_div<E>(remainder, x...);
}
/* cm_imul<T, E, N>(low, a, b): with the types of the result and of the first factor, and optionally their shape. */
template <typename T, typename E, int... N, typename L, typename A, typename B>
CM_DETAIL_INLINE auto cm_imul(L &&low, const A &a, const B &b)
{
    return cm_imul<T>(low, a, b);
}
/* cm_imul<T, E, U, N>(low, a, b): with the types of the result and of both factors, and optionally their shape. */
template <typename T, typename E, typename U, int... N, typename L, typename A, typename B>
CM_DETAIL_INLINE auto cm_imul(L &&low, const A &a, const B &b)
{
    return cm_imul<T>(low, a, b);
}
/* cm_bf_insert<T, E, N>(width, offset, field, v): with the types of the result and of the operands, and their shape. */
template <typename T, typename E, int N, int... C, typename W, typename O, typename X, typename Y>
CM_DETAIL_INLINE auto cm_bf_insert(const W &width, const O &offset, const X &field, const Y &base)
{
    return cm_bf_insert<T>(width, offset, field, base);
}
/* cm_bf_extract<T, E, N>(width, offset, v): with the types of the result and of the operand, and its shape. */
template <typename T, typename E, int N, int... C, typename W, typename O, typename X>
CM_DETAIL_INLINE auto cm_bf_extract(const W &width, const O &offset, const X &x)
{
    return cm_bf_extract<T>(width, offset, x);
}
/* cm_dp4a<T, S, A, B, N>(sum, a, b): with the types of the operands, int or uint, and optionally their number of
 * elements. From TGLLP on. Source: Intel's cm/cm.h. */
template <typename T, typename E, typename G, typename H, int... N, typename S, typename A, typename B, typename... F,
          typename = cm_detail::if_elements<E, S>>
CM_DETAIL_INLINE auto cm_dp4a(const S &sum, const A &a, const B &b, F... flag)
{
    return cm_dp4a<T>(sum, a, b, flag...);
}

namespace cm_detail
{

/* True if what a memory function moves has elements T: the first or the last vector or matrix among X. */
template <typename T, typename... X> constexpr bool moves_first()
{
    bool same = false, found = false;
    ((same = CM_DETAIL_IS_OPERAND(bare<X>) && !found ? __is_same(T, element<bare<X>>) : same,
      found = found || CM_DETAIL_IS_OPERAND(bare<X>)),
     ...);
    return same;
}
template <typename T, typename... X> constexpr bool moves_last()
{
    bool same = false;
    ((same = CM_DETAIL_IS_OPERAND(bare<X>) ? __is_same(T, element<bare<X>>) : same), ...);
    return same;
}

} // namespace cm_detail

#define CM_DETAIL_EXPLICIT_MOVE(NAME, WHICH)                                                                           \
    template <typename T, int N, typename... X> CM_DETAIL_INLINE auto NAME(X &&...x) -> decltype(NAME(x...))           \
    {                                                                                                                  \
        static_assert(cm_detail::moves_##WHICH<T, X...>(),                                                             \
                      #NAME "<{T}, ...>: the vector has elements of another type");                                    \
        return NAME(x...);                                                                                             \
    }                                                                                                                  \
    template <typename T, int R, int C, typename... X> CM_DETAIL_INLINE auto NAME(X &&...x) -> decltype(NAME(x...))    \
    {                                                                                                                  \
        static_assert(cm_detail::moves_##WHICH<T, X...>(),                                                             \
                      #NAME "<{T}, ...>: the matrix has elements of another type");                                    \
        return NAME(x...);                                                                                             \
    }
/* read_scaled<T, N>(...), write_scaled<T, N>(...), read_typed<T, N>(...), write_typed<T, N>(...), read_untyped<T,
 * N>(...), write_untyped<T, N>(...), cm_qword_scatter_read<T, N>(...), cm_qword_scatter_write<T, N>(...),
 * cm_slm_read<T, N>(...), cm_slm_read_scaled<T, N>(...), cm_slm_write<T, N>(...), cm_slm_write_scaled<T, N>(...),
 * cm_slm_read4<T, N>(...), cm_slm_read4_scaled<T, N>(...), cm_slm_write4<T, N>(...), cm_slm_write4_scaled<T, N>(...),
 * cm_slm_atomic<T, N>(...), cm_svm_scatter_read<T, N>(...), cm_svm_scatter_write<T, N>(...), cm_svm_gather4_scaled<T,
 * N>(...), cm_svm_scatter4_scaled<T, N>(...), cm_svm_atomic<T, N>(...), cm_ptr_scatter_read<T, N>(...),
 * cm_ptr_scatter_write<T, N>(...), cm_ptr_read4<T, N>(...), cm_ptr_write4<T, N>(...); of a matrix NAME<T, R, C>(...),
 * of four channels NAME<T, N, M>(...): with the element type and the shape of the vector or matrix that is moved, which
 * must agree with it. Elements of any type; offsets in bytes or elements, and alignment, as in the shorter form. All
 * platforms but not on PVC (media blocks and texels).
 * Source: Intel's cm/cm_dataport.h. */
CM_DETAIL_EXPLICIT_MOVE(read_scaled, last)
CM_DETAIL_EXPLICIT_MOVE(write_scaled, last)
CM_DETAIL_EXPLICIT_MOVE(read_typed, first)
CM_DETAIL_EXPLICIT_MOVE(write_typed, first)
CM_DETAIL_EXPLICIT_MOVE(read_untyped, first)
CM_DETAIL_EXPLICIT_MOVE(write_untyped, first)
CM_DETAIL_EXPLICIT_MOVE(cm_qword_scatter_read, last)
CM_DETAIL_EXPLICIT_MOVE(cm_qword_scatter_write, last)
CM_DETAIL_EXPLICIT_MOVE(cm_slm_read, last)
CM_DETAIL_EXPLICIT_MOVE(cm_slm_read_scaled, last)
CM_DETAIL_EXPLICIT_MOVE(cm_slm_write, last)
CM_DETAIL_EXPLICIT_MOVE(cm_slm_write_scaled, last)
CM_DETAIL_EXPLICIT_MOVE(cm_slm_read4, last)
CM_DETAIL_EXPLICIT_MOVE(cm_slm_read4_scaled, last)
CM_DETAIL_EXPLICIT_MOVE(cm_slm_write4, last)
CM_DETAIL_EXPLICIT_MOVE(cm_slm_write4_scaled, last)
CM_DETAIL_EXPLICIT_MOVE(cm_slm_atomic, last)
CM_DETAIL_EXPLICIT_MOVE(cm_svm_scatter_read, last)
CM_DETAIL_EXPLICIT_MOVE(cm_svm_scatter_write, last)
CM_DETAIL_EXPLICIT_MOVE(cm_svm_gather4_scaled, last)
CM_DETAIL_EXPLICIT_MOVE(cm_svm_scatter4_scaled, last)
CM_DETAIL_EXPLICIT_MOVE(cm_svm_atomic, last)
CM_DETAIL_EXPLICIT_MOVE(cm_ptr_scatter_read, last)
CM_DETAIL_EXPLICIT_MOVE(cm_ptr_scatter_write, last)
CM_DETAIL_EXPLICIT_MOVE(cm_ptr_read4, last)
CM_DETAIL_EXPLICIT_MOVE(cm_ptr_write4, last)
/* read<T, N>(...), write<T, N>(...), read_plane<T, N>(...), write_plane<T, N>(...), cm_slm_block_read<T, N>(...),
 * cm_slm_block_write<T, N>(...), cm_svm_block_read<T, N>(...), cm_svm_block_read_unaligned<T, N>(...),
 * cm_svm_block_write<T, N>(...), cm_ptr_block_read<T, N>(...), cm_ptr_block_read_unaligned<T, N>(...),
 * cm_ptr_block_write<T, N>(...), cm_hword_read<N>(S, offset, v), cm_hword_write<N>(S, offset, v); of a matrix NAME<T,
 * R, C>(...): the same for blocks, and for the lanes that read and write move too. Elements of any type; offsets in
 * bytes or elements, and alignment, as in the shorter form. Blocks: not inside SIMD control flow. All platforms but not
 * on PVC (media blocks and texels).
 * Source: Intel's cm/cm_dataport.h. */
CM_DETAIL_EXPLICIT_MOVE(read, last)
CM_DETAIL_EXPLICIT_MOVE(write, last)
CM_DETAIL_EXPLICIT_MOVE(read_plane, last)
CM_DETAIL_EXPLICIT_MOVE(write_plane, last)
CM_DETAIL_EXPLICIT_MOVE(cm_slm_block_read, last)
CM_DETAIL_EXPLICIT_MOVE(cm_slm_block_write, last)
CM_DETAIL_EXPLICIT_MOVE(cm_svm_block_read, last)
CM_DETAIL_EXPLICIT_MOVE(cm_svm_block_read_unaligned, last)
CM_DETAIL_EXPLICIT_MOVE(cm_svm_block_write, last)
CM_DETAIL_EXPLICIT_MOVE(cm_ptr_block_read, last)
CM_DETAIL_EXPLICIT_MOVE(cm_ptr_block_read_unaligned, last)
CM_DETAIL_EXPLICIT_MOVE(cm_ptr_block_write, last)
#undef CM_DETAIL_EXPLICIT_MOVE
/* cm_hword_read<N>(S, offset, v): with the number of uint that are read. */
template <int N, typename V> CM_DETAIL_INLINE void cm_hword_read(SurfaceIndex surface, uint offset, const V &v)
{
    static_assert(cm_detail::facts<V>::count == N, "cm_hword_read: the vector has another number of elements");
    cm_hword_read(surface, offset, v);
}
/* cm_hword_write<N>(S, offset, v): with the number of uint that are written. */
template <int N, typename V> CM_DETAIL_INLINE void cm_hword_write(SurfaceIndex surface, uint offset, const V &v)
{
    static_assert(cm_detail::facts<V>::count == N, "cm_hword_write: the vector has another number of elements");
    cm_hword_write(surface, offset, v);
}
/* sample16<T, N>(...), load16<T, N>(...), cm_3d_sample<OPERATION, CHANNELS, T, N>(...), cm_3d_load<OPERATION, CHANNELS,
 * T, N>(...): the same for texels; int, uint or float, offsets as in the shorter form. Not inside SIMD control flow.
 * All platforms but not on PVC.
 * Source: Intel's cm/cm_sampler.h. */
template <typename T, int N, typename M, typename... X> CM_DETAIL_INLINE void sample16(const M &m, const X &...x)
{
    static_assert(cm_detail::moves_first<T, M>(), "sample16<{T}, ...>: the matrix has elements of another type");
    sample16(m, x...);
}
/* load16<T, N>(m, ...): with the element type and length of the destination. */
template <typename T, int N, typename M, typename... X> CM_DETAIL_INLINE void load16(const M &m, const X &...x)
{
    static_assert(cm_detail::moves_first<T, M>(), "load16<{T}, ...>: the matrix has elements of another type");
    load16(m, x...);
}
/* cm_3d_sample<OPERATION, CHANNELS, T, N>(v, ...): with the element type and lanes of the sampled texels. */
template <CM3DSampleOp Operation, ChannelMaskType Channels, typename T, int N, typename V, typename... X>
CM_DETAIL_INLINE void cm_3d_sample(const V &v, const X &...x)
{
    static_assert(cm_detail::moves_first<T, V>(), "cm_3d_sample: the vector has elements of another type");
    cm_3d_sample<Operation, Channels>(v, x...);
}
/* cm_3d_load<OPERATION, CHANNELS, T, N>(v, ...): with the element type and lanes of the loaded texels. */
template <CM3DLoadOp Operation, ChannelMaskType Channels, typename T, int N, typename V, typename... X>
CM_DETAIL_INLINE void cm_3d_load(const V &v, const X &...x)
{
    static_assert(cm_detail::moves_first<T, V>(), "cm_3d_load: the vector has elements of another type");
    cm_3d_load<Operation, Channels>(v, x...);
}

/* cm_slm_load<void>(buffer, S, offset, size), cm_slm_load<void>(buffer, address, offset, size): the type is ignored;
 * sizes in bytes, dwords of memory and alignment are those of the shorter form. Not inside SIMD control flow. All
 * platforms. Source: Intel's cm/cm_dataport.h. */
template <typename T, typename W> CM_DETAIL_INLINE void cm_slm_load(uint buffer, W where, uint offset, uint size)
{
    cm_slm_load(buffer, where, offset, size);
}

#define CM_DETAIL_EXPLICIT_ATOMIC(NAME)                                                                                \
    template <CmAtomicOpType Op, typename T, int N, typename... X> CM_DETAIL_INLINE void NAME(X &&...x)                \
    {                                                                                                                  \
        NAME<Op>(x...);                                                                                                \
    }                                                                                                                  \
    template <CmAtomicOpType Op, typename T, typename P, typename... X,                                                \
              typename = cm_detail::enable_if<cm_detail::is_element<T>>>                                               \
    CM_DETAIL_INLINE void NAME(P &&place, X &&...x)                                                                    \
    {                                                                                                                  \
        NAME<Op>(place, x...);                                                                                         \
    }                                                                                                                  \
    template <CmAtomicOpType Op, typename T, int R, int C, typename... X> CM_DETAIL_INLINE void NAME(X &&...x)         \
    {                                                                                                                  \
        NAME<Op>(x...);                                                                                                \
    }                                                                                                                  \
    template <CmAtomicOpType Op, typename T, int N, typename U, typename P, typename... X>                             \
    CM_DETAIL_INLINE void NAME(P &&place, X &&...x)                                                                    \
    {                                                                                                                  \
        NAME<Op>(place, x...);                                                                                         \
    }
/* write_atomic<OPERATION, T, N>(...), write_typed_atomic<OPERATION, T, N>(...), svm_atomic<OPERATION, T, N>(...),
 * svm_atomic<OPERATION, T, R, C>(...), cm_ptr_atomic<OPERATION, T, N>(...): the same for atomic operations, with
 * operands and old values int, uint, float or 64-bit integers at aligned addresses, as in the shorter form.
 * All platforms but not on BMG, LNL, PTL.
 * Source: Intel's cm/cm_atomic.h. */
CM_DETAIL_EXPLICIT_ATOMIC(write_atomic)
CM_DETAIL_EXPLICIT_ATOMIC(write_typed_atomic)
CM_DETAIL_EXPLICIT_ATOMIC(svm_atomic)
CM_DETAIL_EXPLICIT_ATOMIC(cm_ptr_atomic)
#undef CM_DETAIL_EXPLICIT_ATOMIC

#endif
