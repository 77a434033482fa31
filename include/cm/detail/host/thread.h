/* Defines what a thread knows of its launch, barriers, messages and printf on the CPU. */
#ifndef CMKIT_CM_DETAIL_HOST_THREAD_H
#define CMKIT_CM_DETAIL_HOST_THREAD_H

/* The C library prints. */
inline uint64_t __cm_printf_buffer()
{
    return 0;
}
inline uint64_t __cm_string(const char *literal)
{
    return (uint64_t)literal;
}
template <typename... A> void __cm_print(uint64_t, A...) {}

/* The thread. */
inline unsigned __cm_group_id(unsigned dimension)
{
    return cm_detail::current->group_id[dimension % 3];
}
inline unsigned __cm_group_count(unsigned dimension)
{
    return cm_detail::current->group_count[dimension % 3];
}
inline unsigned __cm_local_id(unsigned dimension)
{
    return cm_detail::current->local_id[dimension % 3];
}
inline unsigned __cm_local_size(unsigned dimension)
{
    return cm_detail::current->local_size[dimension % 3];
}
inline void __cm_barrier()
{
    cm_detail::check_outside_simd("cm_barrier is not allowed inside SIMD control flow");
    cm_detail::current->barrier(cm_detail::current->context);
}
/* Waiting is the barrier: all threads that wait have told. */
inline void __cm_sbarrier(unsigned signal)
{
    cm_detail::check_outside_simd("cm_sbarrier is not allowed inside SIMD control flow");
    if (!signal)
        __cm_barrier();
}
template <typename T, int N> inline cm_detail::lanes<T, N> __cm_r0()
{
    static_assert(N == 8, "the header has eight dwords");
    const uint32_t *group = cm_detail::current->group_id;
    cm_detail::array<T, N> value;
    for (int k = 0; k < N; k++)
        value.at[k] = k == 1 ? group[0] : k >= 6 ? group[k - 5] : 0;
    return value;
}
template <typename T, int N> inline cm_detail::lanes<T, N> __cm_sr0()
{
    return (cm_detail::lanes<T, N>)(T)0;
}
inline unsigned __cm_hwid()
{
    const cm_detail::host_thread &t = *cm_detail::current;
    unsigned number = 0;
    for (int d = 2; d >= 0; d--)
        number = number * t.group_count[d] + t.group_id[d];
    for (int d = 2; d >= 0; d--)
        number = number * t.local_size[d] + t.local_id[d];
    return number;
}
/* No count is needed before a thread signals or waits, which stops. */
inline void __cm_nbarrier_init(unsigned) {}
inline void __cm_nbarrier_signal(unsigned)
{
    cm_detail::host_fail("the CPU has no named barriers");
}
inline void __cm_nbarrier_wait(unsigned)
{
    cm_detail::host_fail("the CPU has no named barriers");
}
inline void __cm_pause(unsigned) {}
inline void __cm_slm_block() {}
inline unsigned __cm_event(unsigned, unsigned)
{
    cm_detail::host_fail("the CPU has no events between threads");
}

namespace cm_detail
{
template <typename...> constexpr bool is_on_gpu = false;
}
#define CM_DETAIL_NO_MESSAGES(...)                                                                                     \
    static_assert(cm_detail::is_on_gpu<__VA_ARGS__>, "cm_send: the CPU has no messages; a GPU (-march=SKL ...) has")
template <typename T, int N, typename U, int M, int W>
inline cm_detail::lanes<T, N> __cm_raw_send(unsigned, unsigned, cm_detail::lanes<ushort, W>, unsigned, unsigned,
                                            cm_detail::lanes<U, M>, cm_detail::lanes<T, N> old)
{
    CM_DETAIL_NO_MESSAGES(T, U);
    return old;
}
template <typename U, int M, int W>
inline void __cm_raw_send_only(unsigned, unsigned, cm_detail::lanes<ushort, W>, unsigned, unsigned,
                               cm_detail::lanes<U, M>)
{
    CM_DETAIL_NO_MESSAGES(U);
}
template <typename T, int N, typename U, int M, typename V, int K, int W>
inline cm_detail::lanes<T, N> __cm_raw_sends(unsigned, unsigned, cm_detail::lanes<ushort, W>, unsigned, unsigned,
                                             cm_detail::lanes<U, M>, cm_detail::lanes<V, K>, cm_detail::lanes<T, N> old)
{
    CM_DETAIL_NO_MESSAGES(T, U, V);
    return old;
}
template <typename U, int M, typename V, int K, int W>
inline void __cm_raw_sends_only(unsigned, unsigned, cm_detail::lanes<ushort, W>, unsigned, unsigned,
                                cm_detail::lanes<U, M>, cm_detail::lanes<V, K>)
{
    CM_DETAIL_NO_MESSAGES(U, V);
}
#undef CM_DETAIL_NO_MESSAGES

template <typename T, int N> inline cm_detail::lanes<T, N> __cm_timestamp()
{
    uint64_t now = __builtin_readcyclecounter();
    cm_detail::array<T, N> value;
    for (int k = 0; k < N; k++)
        value.at[k] = k < 2 ? (T)(now >> 32 * k) : 0;
    return value;
}
inline void __cm_fence(unsigned)
{
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

#endif
