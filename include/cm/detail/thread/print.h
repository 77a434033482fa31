/* printf. On the GPU a record is written to the driver's buffer, and the driver prints it after the launch: the address
 * of the format, then for each argument its type and its dwords. Intel's vector back end has the records of its driver:
 * it gets the call. */
#ifndef CMKIT_CM_DETAIL_THREAD_PRINT_H
#define CMKIT_CM_DETAIL_THREAD_PRINT_H

namespace cm_detail
{

/* The driver's numbers of argument types. */
enum class print_kind : uint { integer = 3, real = 4, text = 5, long_integer = 6, address = 7, long_real = 8 };

template <typename A> constexpr bool is_text = __is_same(A, const char *) || __is_same(A, char *);

template <typename A> constexpr print_kind print_kind_of()
{
    static_assert(__is_integral(A) || __is_enum(A) || __is_pointer(A) || __is_floating_point(A),
                  "printf takes numbers, addresses and string literals: print vectors element by element");
    return is_text<A>                                  ? print_kind::text
           : __is_pointer(A)                           ? print_kind::address
           : __is_same(A, half) || __is_same(A, float) ? print_kind::real
           : __is_same(A, double)                      ? print_kind::long_real
           : sizeof(A) == 8                            ? print_kind::long_integer
                                                       : print_kind::integer;
}
template <typename A> constexpr uint print_dwords = __is_pointer(A) || sizeof(A) == 8 ? 2 : 1;

constexpr uint print_most_arguments = 64;

#ifndef CMKIT_HOST
/* The driver's buffer: the first dword counts the bytes used. */
constexpr uint print_buffer_bytes = 4 << 20;

CM_DETAIL_INLINE uint *print_long(uint *to, uint64_t value)
{
    to[0] = (uint)value;
    to[1] = (uint)(value >> 32);
    return to + 2;
}
template <typename A> CM_DETAIL_INLINE uint *print_argument(uint *to, A value)
{
    constexpr print_kind kind = print_kind_of<A>();
    *to++ = (uint)kind;
    if constexpr (kind == print_kind::text)
        return print_long(to, __cm_string(value));
    else if constexpr (kind == print_kind::address)
        return print_long(to, (uint64_t)value);
    else if constexpr (kind == print_kind::long_real)
        return print_long(to, __builtin_bit_cast(uint64_t, value));
    else if constexpr (kind == print_kind::long_integer)
        return print_long(to, (uint64_t)value);
    else if constexpr (kind == print_kind::real)
        *to++ = __builtin_bit_cast(uint, (float)value);
    else
        *to++ = (uint)(int)value;
    return to;
}

/* The type that Intel's vector back end receives. */
template <typename A> CM_DETAIL_INLINE auto print_passed(A value)
{
    constexpr print_kind kind = print_kind_of<A>();
    if constexpr (kind == print_kind::text)
        return __cm_string(value);
    else if constexpr (kind == print_kind::address || kind == print_kind::long_integer)
        return (uint64_t)value;
    else if constexpr (kind == print_kind::long_real)
        return value;
    else if constexpr (kind == print_kind::real)
        return (float)value;
    else
        return (int)value;
}
#endif

/* The type that a variadic C function receives. */
template <typename A> CM_DETAIL_INLINE auto print_promoted(A value)
{
    if constexpr (__is_floating_point(A))
        return (double)value;
    else if constexpr (__is_enum(A))
        return (int)value;
    else
        return value;
}

} // namespace cm_detail

/* printf(format, arguments...): as C's printf writes it to the launching program's standard output. The format and
 * arguments for %s are string literals; other arguments are scalars: integers, half, float, double (where the platform
 * has it) and addresses, at most 64; no %n, no widths by argument. What one thread prints stays in order; threads come
 * in any order. On a GPU it appears when the host waits for the launch; when the driver's 4 MB are full the rest is
 * left out. Gives back 0. All platforms. Source: CM specification 4.17 "Formatted Output". */
template <typename... A> CM_DETAIL_INLINE int printf(const char *format, A... arguments)
{
    using namespace cm_detail;
    static_assert(sizeof...(A) <= print_most_arguments, "printf takes at most 64 arguments; several calls print more");
#ifdef CMKIT_HOST
    (void)(print_kind_of<A>(), ..., print_kind::integer);
    __builtin_printf(format, print_promoted<A>(arguments)...);
#else
    if (__cm_has(has_printf)) {
        __cm_print(__cm_string(format), print_passed<A>(arguments)...);
        return 0;
    }
    constexpr uint bytes = 4 * (2 + (0 + ... + (1 + print_dwords<A>)));
    svmptr_t buffer = __cm_printf_buffer();
    uint before = __cm_svm_atomic<uint, 1>(0, (lanes<ushort, 1>)(ushort)1, (lanes<uint64_t, 1>)buffer,
                                           (lanes<uint, 1>)bytes, (lanes<uint, 1>)0u)[0];
    if (before <= print_buffer_bytes - bytes) {
        uint *to = print_long((uint *)(buffer + before), __cm_string(format));
        ((to = print_argument<A>(to, arguments)), ...);
    }
#endif
    return 0;
}

/* cm_printf, cmprint: other names of printf. All platforms.
 * Source: Intel's cm/cm_printf.h. */
#define cm_printf printf
#define cmprint   printf

#endif
