/* Functions for a thread's place in its launch, and for synchronisation between threads. The names of CmFenceMask are
 * those of Intel's cm/cm_dataport.h. */
#ifndef CMKIT_CM_DETAIL_THREAD_THREAD_H
#define CMKIT_CM_DETAIL_THREAD_THREAD_H

/* cm_group_id(d), cm_group_count(d), cm_local_id(d), cm_local_size(d): the number of the thread's group in dimension d
 * (a constant: 0, 1 or 2), how many groups there are, the thread's number in its group, how many threads a group has:
 * uint, scalars. All platforms.
 * Source: CM specification 4.6 "ID and Size API Functions". */
CM_DETAIL_INLINE uint cm_group_id(uint dimension)
{
    return __cm_group_id(dimension);
}
/* cm_group_count(d): how many groups there are in dimension d. */
CM_DETAIL_INLINE uint cm_group_count(uint dimension)
{
    return __cm_group_count(dimension);
}
/* cm_local_id(d): the thread's number in its group in dimension d. */
CM_DETAIL_INLINE uint cm_local_id(uint dimension)
{
    return __cm_local_id(dimension);
}
/* cm_local_size(d): how many threads a group has in dimension d. */
CM_DETAIL_INLINE uint cm_local_size(uint dimension)
{
    return __cm_local_size(dimension);
}

/* cm_linear_local_id(), cm_linear_group_id(), cm_linear_global_id(): the thread's number in its group, the group's, and
 * the thread's number in the whole launch, counted along dimension 0 first; cm_linear_local_size(),
 * cm_linear_group_count(), cm_linear_global_size(): how many there are. cm_global_id(d): the thread's number in
 * dimension d (a constant: 0, 1 or 2). uint, scalars. All platforms.
 * Source: CM specification 4.6 "ID and Size API Functions"; OpenVINO's CM kernels (cm_global_id). */
CM_DETAIL_INLINE uint cm_linear_local_id()
{
    return __cm_local_id(0) + __cm_local_size(0) * (__cm_local_id(1) + __cm_local_size(1) * __cm_local_id(2));
}
/* cm_linear_local_size(): how many threads a group has. */
CM_DETAIL_INLINE uint cm_linear_local_size()
{
    return __cm_local_size(0) * __cm_local_size(1) * __cm_local_size(2);
}
/* cm_linear_group_id(): the number of the thread's group. */
CM_DETAIL_INLINE uint cm_linear_group_id()
{
    return __cm_group_id(0) + __cm_group_count(0) * (__cm_group_id(1) + __cm_group_count(1) * __cm_group_id(2));
}
/* cm_linear_group_count(): how many groups there are. */
CM_DETAIL_INLINE uint cm_linear_group_count()
{
    return __cm_group_count(0) * __cm_group_count(1) * __cm_group_count(2);
}
/* cm_linear_global_id(): the thread's number in the whole launch. */
CM_DETAIL_INLINE uint cm_linear_global_id()
{
    uint row = cm_linear_group_id() * __cm_local_size(2) + __cm_local_id(2); /* one product less than ids times sizes */
    return (row * __cm_local_size(1) + __cm_local_id(1)) * __cm_local_size(0) + __cm_local_id(0);
}
/* cm_linear_global_size(): how many threads the launch has. */
CM_DETAIL_INLINE uint cm_linear_global_size()
{
    return cm_linear_group_count() * cm_linear_local_size();
}
/* cm_global_id(d): the thread's number in the whole launch in dimension d. */
CM_DETAIL_INLINE uint cm_global_id(uint dimension)
{
    return __cm_group_id(dimension) * __cm_local_size(dimension) + __cm_local_id(dimension);
}

/* get_thread_origin_x(), get_thread_origin_y(): where the thread is, as kernels for the media walker ask. There is no
 * such walker: it is the number, a ushort, of the group in dimensions 0 and 1. All platforms.
 * Source: CM specification 4.13 "Media Walker Interface". */
CM_DETAIL_INLINE ushort get_thread_origin_x()
{
    return __cm_group_id(0);
}
/* get_thread_origin_y(): the number of the thread's group in dimension 1. */
CM_DETAIL_INLINE ushort get_thread_origin_y()
{
    return __cm_group_id(1);
}

/* get_color(): the thread's colour, by which the media walker starts several threads at one place. There is no such
 * walker: 0, a ushort. All platforms.
 * Source: CM specification 4.13 "Media Walker Interface". */
CM_DETAIL_INLINE ushort get_color()
{
    return 0;
}

/* cm_spec_constant<T, ID, Value>(): a number that a SPIR-V module leaves open until it is loaded. Level Zero cannot
 * specialize zebins: here it is Value, 0 unless given, for integers T; 0 for floats T. A scalar. All platforms.
 * Source: Intel's cm/cm_spec_constant.h. */
template <typename T, uint32_t ID, T Value = T(0), typename = cm_detail::enable_if<__is_integral(T)>>
CM_DETAIL_INLINE constexpr T cm_spec_constant()
{
    return Value;
}
/* cm_spec_constant<T, ID>(): a number that a SPIR-V module leaves open; 0 for floats T. */
template <typename T, uint32_t ID, typename = cm_detail::enable_if<__is_floating_point(T)>, typename = void>
CM_DETAIL_INLINE constexpr T cm_spec_constant()
{
    return T(0);
}

/* cm_barrier(): waits for all threads of the group, each of which must call it equally often. It orders no memory
 * accesses: call cm_slm_fence or cm_fence before it. Not inside SIMD control flow. All platforms.
 * Source: CM specification 4.6 "SLM Functions". */
CM_DETAIL_INLINE void cm_barrier()
{
    __cm_barrier();
}

/* cm_sbarrier(1) tells the group that this thread has come this far, cm_sbarrier(0) waits until all threads have told;
 * in between a thread may do other work. Both are calls of every thread, in this order. The argument is a constant
 * uint. Not inside SIMD control flow. All platforms.
 * Source: CM specification 4.6 "SLM Functions". */
CM_DETAIL_INLINE void cm_sbarrier(uint signal)
{
    __cm_sbarrier(signal);
}

/* cm_nbarrier_init(count): the kernel has named barriers 0 to count - 1, at most 32; a constant uint, called once in
 * the kernel itself. cm_nbarrier_signal(barrier, mode, producers, consumers): tells a barrier that this thread has come
 * this far, in a mode: 0 as producer and consumer, 1 as producer, 2 as consumer; all threads that meet there give the
 * same numbers of both. cm_nbarrier_wait(barrier): a consumer that has signalled waits until all of them have. Neither
 * orders memory: cm_fence does. A kernel that calls cm_barrier too leaves barrier 0 to it. Numbers are uchar. Not
 * inside SIMD control flow, not on the CPU. From PVC on.
 * Source: vISA documentation, NBARRIER. */
CM_DETAIL_INLINE void cm_nbarrier_init(uint count)
{
    __cm_nbarrier_init(count);
}
/* cm_nbarrier_signal(barrier, mode, producers, consumers): tells a named barrier that this thread has come this far. */
CM_DETAIL_INLINE void cm_nbarrier_signal(uchar barrier, uchar mode, uchar producers, uchar consumers)
{
    __cm_nbarrier_signal((uint)barrier | ((uint)mode & 3) << 14 | (uint)producers << 16 | (uint)consumers << 24);
}
/* cm_nbarrier_wait(barrier): waits until all threads of a named barrier have signalled. */
CM_DETAIL_INLINE void cm_nbarrier_wait(uchar barrier)
{
    __cm_nbarrier_wait(barrier);
}

/* cm_rdtsc(): the GPU's counter, four uint: lanes 0 and 1 are its low and high halves, lane 2 tells of context
 * switches. cm_clock(): two uint, the halves only. On the CPU, its own cycle counter. All platforms.
 * Source: CM specification 4.3 "Built-in Functions"; Intel's cm/cm.h (cm_clock). */
template <int N = 4> CM_DETAIL_INLINE vector<uint, N> cm_rdtsc()
{
    return vector<uint, N>(cm_detail::from_lanes(), __cm_timestamp<uint, N>());
}
/* cm_clock(): the halves of the GPU's counter, two uint. */
template <int N = 2> CM_DETAIL_INLINE vector<uint, N> cm_clock()
{
    return cm_rdtsc<2 * N>().template select<N, 1>(0);
}

/* What cm_fence waits for and flushes besides, bits to be combined: that others see the writes, the caches of
 * instructions, texels, constants, data and read-only data, shared memory; CM_SW_BARRIER binds the finalizer only. */
enum CmFenceMask {
    CM_GLOBAL_COHERENT_FENCE = 0x01,
    CM_L3_FLUSH_INSTRUCTIONS = 0x02,
    CM_L3_FLUSH_TEXTURE_DATA = 0x04,
    CM_L3_FLUSH_CONSTANT_DATA = 0x08,
    CM_L3_FLUSH_RW_DATA = 0x10,
    CM_LOCAL_BARRIER = 0x20,
    CM_L1_FLUSH_RO_DATA = 0x40,
    CM_L1_FLUASH_RO_DATA = CM_L1_FLUSH_RO_DATA, /* as Intel's headers spell it */
    CM_SW_BARRIER = 0x80,
};
/* cm_fence(mask): orders this thread's earlier writes before its later accesses; mask: bits of CmFenceMask, a constant
 * uint, by default CM_GLOBAL_COHERENT_FENCE. All platforms.
 * Source: CM specification 4.14 "Synchronization Functions". */
CM_DETAIL_INLINE void cm_fence(uint mask)
{
    __cm_fence(mask);
}
/* cm_fence(): the same with CM_GLOBAL_COHERENT_FENCE. */
CM_DETAIL_INLINE void cm_fence()
{
    __cm_fence(CM_GLOBAL_COHERENT_FENCE);
}

/* CM_OPTIMIZATIONS_FENCE; as a statement: the finalizer moves no memory access over it; computations between accesses
 * may move. All platforms.
 * Source: Intel's cm/cm.h. */
#define CM_OPTIMIZATIONS_FENCE cm_fence(CM_SW_BARRIER)

#endif
