/* Direct access to the hardware: a thread's header and state registers, messages by their descriptors, and the
 * gateway's events. The layouts are those of the PRMs' volumes on shared functions and on the execution unit. */
#ifndef CMKIT_CM_DETAIL_MEMORY_SEND_H
#define CMKIT_CM_DETAIL_MEMORY_SEND_H

/* cm_get_r0(): the header with which the thread was started, its register r0, eight uint: lanes 1, 6 and 7 are the
 * group's numbers in dimensions 0, 1 and 2. On the CPU the other lanes are 0. All platforms.
 * Source: CM specification 4.15 "Raw Send Functions". */
template <typename T = void, int N = 8> CM_DETAIL_INLINE vector<uint, N> cm_get_r0()
{
    return vector<uint, N>(cm_detail::from_lanes(), __cm_r0<uint, N>());
}

/* cm_get_sr0(): the state register, four uint: lane 0 says where the thread runs, lane 2 which channels it was started
 * with. On the CPU all lanes are 0. All platforms.
 * Source: Intel's cm/cm_send.h. */
template <typename T = void, int N = 4> CM_DETAIL_INLINE vector<uint, N> cm_get_sr0()
{
    return vector<uint, N>(cm_detail::from_lanes(), __cm_sr0<uint, N>());
}

/* cm_get_hwid(): a uint that no other thread has that runs at the same time. On the CPU it is the thread's number in
 * the launch. All platforms.
 * Source: CM specification 4.21 "Miscellaneous Functions". */
CM_DETAIL_INLINE uint cm_get_hwid()
{
    return __cm_hwid();
}

/* cm_pause(length): the thread rests for so many times 32 clocks; of length, a uint, bits 5 to 9 count (at most 992).
 * On the CPU it does nothing. All platforms.
 * Source: CM specification 4.14 "Synchronization Functions". */
CM_DETAIL_INLINE void cm_pause(uint length)
{
    __cm_pause(length & 0x3e0);
}

/* cm_get_value(handle): the number, a uint, behind a SurfaceIndex or SamplerIndex: on a GPU the index in the table of
 * surfaces or samplers. All platforms.
 * Source: CM specification 4.15 "Raw Send Functions". */
CM_DETAIL_INLINE uint cm_get_value(SurfaceIndex handle)
{
    return (uint)handle;
}
/* cm_get_value(handle): the number behind a SamplerIndex. */
CM_DETAIL_INLINE uint cm_get_value(SamplerIndex handle)
{
    return (uint)handle;
}

namespace cm_detail
{

/* The constants of a message: tables/builtins.def. */
constexpr uint send_how(uint sendc, uint function, uint lanes)
{
    return (sendc & 1) | (function & 15) << 4 | lanes << 8;
}

template <typename X> constexpr bool check_payload()
{
    static_assert(CM_DETAIL_IS_OPERAND(X) && facts<X>::count * sizeof(element<X>) % 32 == 0,
                  "a message is sent and received in whole registers: {X} must have a multiple of 32 bytes");
    return true;
}

/* No second payload and no reply are numbers. */
template <int W, typename Reply, typename First, typename Second>
CM_DETAIL_INLINE void send_message(Reply &&reply, const First &first, const Second &second, uint setup, uint counts,
                                   uint extended, uint descriptor, lanes<ushort, W> mask)
{
    typedef bare<Reply> R;
    static_assert(check_payload<First>());
    constexpr int M = facts<First>::count;
    lanes<element<First>, M> a = lanes_of<element<First>, M>(first);
    if constexpr (CM_DETAIL_IS_OPERAND(R)) {
        static_assert(check_payload<R>());
        typedef element<R> T;
        constexpr int N = facts<R>::count;
        if constexpr (CM_DETAIL_IS_OPERAND(Second)) {
            static_assert(check_payload<Second>());
            constexpr int K = facts<Second>::count;
            reply.write_(__cm_raw_sends<T, N, element<First>, M, element<Second>, K, W>(
                setup, counts, mask, extended, descriptor, a, lanes_of<element<Second>, K>(second), reply.read_()));
        } else {
            reply.write_(
                __cm_raw_send<T, N, element<First>, M, W>(setup, counts, mask, extended, descriptor, a, reply.read_()));
        }
    } else if constexpr (CM_DETAIL_IS_OPERAND(Second)) {
        static_assert(check_payload<Second>());
        constexpr int K = facts<Second>::count;
        __cm_raw_sends_only<element<First>, M, element<Second>, K, W>(setup, counts, mask, extended, descriptor, a,
                                                                      lanes_of<element<Second>, K>(second));
    } else {
        __cm_raw_send_only<element<First>, M, W>(setup, counts, mask, extended, descriptor, a);
    }
}

} // namespace cm_detail

/* cm_send(reply, payload, extended, descriptor, sendc): a message of 16 lanes to the shared function that the lowest
 * four bits of `extended` name. reply is a vector or matrix that takes what comes back, or 0: nothing does. payload and
 * reply, of any element type, have multiples of 32 bytes; their registers are counted from that. `descriptor` is as the
 * part's messages are laid out, lengths included. sendc 1: waits for the threads that this one depends on. extended and
 * sendc are constants; all three are uint. cm_sends(reply, payload, payload2, extended, descriptor, sendc): the payload
 * in two pieces. Inside SIMD control flow of 16 lanes the lanes that are off take no part. Not on the CPU, which has no
 * messages. All platforms.
 * Source: CM specification 4.15 "Raw Send Functions". */
template <typename Reply, typename First, typename = cm_detail::if_values<First>>
CM_DETAIL_INLINE void cm_send(Reply &&reply, const First &payload, uint extended, uint descriptor, uint sendc)
{
    cm_detail::send_message<16>(reply, payload, 0, cm_detail::send_how(sendc, extended, 16), 0, extended, descriptor,
                                (cm_detail::lanes<ushort, 16>)(ushort)1);
}
/* cm_sends(reply, payload, payload2, extended, descriptor, sendc): a message whose payload is in two pieces. */
template <typename Reply, typename First, typename Second, typename = cm_detail::if_values<First, Second>>
CM_DETAIL_INLINE void cm_sends(Reply &&reply, const First &payload, const Second &payload2, uint extended,
                               uint descriptor, uint sendc)
{
    cm_detail::send_message<16>(reply, payload, payload2, cm_detail::send_how(sendc, extended, 16), 0, extended,
                                descriptor, (cm_detail::lanes<ushort, 16>)(ushort)1);
}

/* cm_raw_send(reply, payload, payload2, extended, descriptor, lanes, function, count, count2, replies, end, sendc,
 * mask): as cm_sends, with every field explicit: the shared function, the lanes of the message as their logarithm (0: 1
 * lane, ..., 5: 32 lanes), the numbers of registers of the payloads (count, count2) and of the reply (replies), and the
 * active lanes (a vector of ushort, by default all). reply and payload2 may be 0. end must be 0: a kernel ends by
 * itself. All but the descriptors and the mask are constants. Not on the CPU. All platforms.
 * Source: Intel's cm/cm_send.h. */
template <typename Reply, typename First, typename Second, typename = cm_detail::if_values<First>>
CM_DETAIL_INLINE void cm_raw_send(Reply &&reply, const First &payload, const Second &payload2, uint extended,
                                  uint descriptor, uchar lanes, uchar function, uchar count, uchar count2,
                                  uchar replies, uchar end = 0, uchar sendc = 0)
{
    cm_detail::send_message<16>(reply, payload, payload2,
                                cm_detail::send_how(sendc, function, 1u << (lanes & 15)) | (uint)(end != 0) << 1,
                                (uint)count | (uint)count2 << 8 | (uint)replies << 16, extended, descriptor,
                                (cm_detail::lanes<ushort, 16>)(ushort)1);
}
/* cm_raw_send(reply, payload, payload2, extended, descriptor, lanes, function, count, count2, replies, end, sendc,
 * mask): a message with the active lanes of the mask. */
template <typename Reply, typename First, typename Second, int N, typename = cm_detail::if_values<First>>
CM_DETAIL_INLINE void cm_raw_send(Reply &&reply, const First &payload, const Second &payload2, uint extended,
                                  uint descriptor, uchar lanes, uchar function, uchar count, uchar count2,
                                  uchar replies, uchar end, uchar sendc, const vector<ushort, N> &mask)
{
    cm_detail::send_message<N>(
        reply, payload, payload2, cm_detail::send_how(sendc, function, 1u << (lanes & 15)) | (uint)(end != 0) << 1,
        (uint)count | (uint)count2 << 8 | (uint)replies << 16, extended, descriptor, mask.read_());
}

/* The gateway's number as a shared function of cm_send. */
typedef enum _SFID_GW { SFID_GATEWAY = 3 } SFID_GW;
/* Requests to the gateway. */
typedef enum _SubFuncID {
    SUBID_RSVD_1 = 0,
    SUBID_GW_SIGNAL_EVENT = 1,
    SUBID_GW_MONITOR_EVENT = 2,
    SUBID_GW_MONITOR_NO_EVENT = 3,
    SUBID_GW_BARRIER = 4,
    SUBID_RSVD_2 = 5,
    SUBID_GW_WAIT_EVENT = 6,
    SUBID_RSVD_3 = 7
} SubFuncID;

/* monitor_event(event): this thread starts to monitor an event, a uint of 24 bits; monitor_no_event(): it stops;
 * signal_event(event): signals the threads that monitor it; wait_event(time): waits for the monitored event, at most
 * `time` (a ushort of 10 bits; 0: for ever) units of the GPU's timer; returns the gateway's reply, a uint, 0 if none is
 * monitored. Not inside SIMD control flow; not on the CPU, and simulated GPUs refuse them. From ICLLP on but not on
 * BMG, LNL, PTL. Source: Intel's cm/cm_gateway.h. */
CM_DETAIL_INLINE void signal_event(uint event)
{
    __cm_event(1, event);
}
/* monitor_event(event): this thread starts to monitor an event. */
CM_DETAIL_INLINE void monitor_event(uint event)
{
    __cm_event(2, event);
}
/* monitor_no_event(): this thread stops monitoring. */
CM_DETAIL_INLINE void monitor_no_event()
{
    __cm_event(3, 0);
}
/* wait_event(time): waits for the monitored event, at most `time` units; returns the gateway's reply. */
CM_DETAIL_INLINE uint wait_event(ushort time)
{
    return __cm_event(6, time);
}

/* cm_wait(mask) (a uchar, a bit for each), cm_signal(), cm_signal<N>() (N at most 8): wait for, and tell, the threads
 * that the media walker has made this one depend on. Drivers have no such walker any more: no thread depends on
 * another, and these do nothing. All platforms.
 * Source: CM specification 4.14 "Synchronization Functions"; Intel's cm/cm_gateway.h (cm_signal). */
CM_DETAIL_INLINE void cm_wait(uchar = 0) {}
/* cm_signal(): tells the threads that depend on this one; does nothing. */
CM_DETAIL_INLINE void cm_signal() {}
/* cm_signal<N>(): tells N threads; does nothing. */
template <int N> CM_DETAIL_INLINE void cm_signal()
{
    static_assert(N > 0 && N <= 8, "cm_signal<{N}>: a thread has at most 8 others that depend on it");
}

#endif
