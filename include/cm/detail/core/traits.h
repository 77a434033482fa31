/* Defines the part of <type_traits> that kernels use, because there is no C++ standard library for kernels.
 * Source: the C++17 standard, [meta]; the selection: kernels written for Intel's CM compiler, whose headers have these.
 */
#ifndef CMKIT_CM_DETAIL_CORE_TRAITS_H
#define CMKIT_CM_DETAIL_CORE_TRAITS_H

#include "types.h"

namespace std
{

typedef ::size_t size_t;
typedef decltype((char *)0 - (char *)0) ptrdiff_t;

template <typename T, T Value> struct integral_constant {
    static constexpr T value = Value;
    typedef T value_type;
    typedef integral_constant type;
    constexpr operator T() const noexcept { return Value; }
};
template <bool Value> using bool_constant = integral_constant<bool, Value>;
typedef bool_constant<true> true_type;
typedef bool_constant<false> false_type;

/* half counts as a floating-point type; a vector or matrix, and a reference to one, as its elements do. */
template <typename T> struct is_integral : bool_constant<__is_integral(cm_detail::element<T>)> {
};
template <typename T>
struct is_long_long
    : bool_constant<__is_integral(cm_detail::element<T>) && sizeof(__remove_cv(T)) == 8 && !CM_DETAIL_IS_OPERAND(T)> {
};
template <typename T> struct is_floating_point : bool_constant<__is_floating_point(cm_detail::element<T>)> {
};
template <typename T> struct is_arithmetic : bool_constant<__is_arithmetic(T)> {
};
template <typename T> struct is_signed : bool_constant<__is_signed(T)> {
};
template <typename T> struct is_unsigned : bool_constant<__is_unsigned(T)> {
};
template <typename T> struct is_pointer : bool_constant<__is_pointer(T)> {
};
template <typename T> struct is_enum : bool_constant<__is_enum(T)> {
};
template <typename T> struct is_const : bool_constant<__is_const(T)> {
};
template <typename T> struct is_void : bool_constant<__is_void(T)> {
};
template <typename A, typename B> struct is_same : bool_constant<__is_same(A, B)> {
};
template <typename A, typename B> struct is_convertible : bool_constant<__is_convertible(A, B)> {
};
template <typename Base, typename T> struct is_base_of : bool_constant<__is_base_of(Base, T)> {
};

template <typename T> inline constexpr bool is_integral_v = __is_integral(T);
template <typename T> inline constexpr bool is_floating_point_v = __is_floating_point(T);
template <typename T> inline constexpr bool is_arithmetic_v = __is_arithmetic(T);
template <typename T> inline constexpr bool is_signed_v = __is_signed(T);
template <typename T> inline constexpr bool is_unsigned_v = __is_unsigned(T);
template <typename T> inline constexpr bool is_pointer_v = __is_pointer(T);
template <typename A, typename B> inline constexpr bool is_same_v = __is_same(A, B);
template <typename A, typename B> inline constexpr bool is_convertible_v = __is_convertible(A, B);

template <bool Condition, typename T = void> using enable_if = cm_detail::enable<Condition, T>;
template <bool Condition, typename T = void> using enable_if_t = cm_detail::enable_if<Condition, T>;
template <bool Condition, typename Yes, typename No> struct conditional {
    typedef cm_detail::conditional<Condition, Yes, No> type;
};
template <bool Condition, typename Yes, typename No> using conditional_t = cm_detail::conditional<Condition, Yes, No>;

template <typename T> struct remove_reference {
    typedef __remove_reference_t(T) type;
};
template <typename T> struct remove_const {
    typedef __remove_const(T) type;
};
template <typename T> struct remove_cv {
    typedef __remove_cv(T) type;
};
template <typename T> struct remove_pointer {
    typedef __remove_pointer(T) type;
};
template <typename T> struct decay {
    typedef __decay(T) type;
};
template <typename T> using remove_reference_t = __remove_reference_t(T);
template <typename T> using remove_const_t = __remove_const(T);
template <typename T> using remove_cv_t = __remove_cv(T);
template <typename T> using remove_pointer_t = __remove_pointer(T);
template <typename T> using decay_t = __decay(T);
template <typename... T> using void_t = void;

/* The argument as it was given. */
template <typename T> CM_DETAIL_INLINE constexpr T &&forward(remove_reference_t<T> &x) noexcept
{
    return static_cast<T &&>(x);
}
template <typename T> CM_DETAIL_INLINE constexpr T &&forward(remove_reference_t<T> &&x) noexcept
{
    return static_cast<T &&>(x);
}

} // namespace std

#endif
