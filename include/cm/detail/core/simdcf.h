/* Defines SIMD control flow: each lane of a vector condition takes its own branch.
 *
 * On the GPU these are plain C++ statements over __cm_simdcf_any; the middle end finds them by that call and gives each
 * write the lanes that are live there. On the CPU the same is done here at run time: `simd` knows the live lanes,
 * __cm_wrref asks it. The pragmas are read by frontend/syntax/simd_pragmas.cpp. */
#ifndef CMKIT_CM_DETAIL_CORE_SIMDCF_H
#define CMKIT_CM_DETAIL_CORE_SIMDCF_H

namespace cm_detail
{

template <int N> constexpr bool check_width()
{
    static_assert(
        is_power_of_two(N) && N <= 32,
        "a condition of {N} elements in SIMD control flow; it has 2, 4, 8, 16 or 32 elements, or is a scalar");
    return true;
}

#ifndef CMKIT_HOST

/* Lanes whose condition is not zero go in; a scalar condition sends all live lanes one way. */
template <typename X> CM_DETAIL_INLINE bool enter(const X &condition)
{
    if constexpr (CM_DETAIL_IS_OPERAND(X)) {
        constexpr int N = facts<X>::count;
        static_assert(check_width<N>());
        return __cm_simdcf_any<N>(truth<N, element<X>>(condition.read_()));
    } else {
        return condition != 0;
    }
}

#else

/* The lanes of a condition as bits. A scalar stands for all lanes and has width 0. */
template <typename X> inline uint32_t bits_of(const X &condition)
{
    if constexpr (CM_DETAIL_IS_OPERAND(X)) {
        constexpr int N = facts<X>::count;
        static_assert(check_width<N>());
        auto holds = truth<N, element<X>>(condition.read_());
        uint32_t bits = 0;
        for (int k = 0; k < N; k++)
            bits |= (uint32_t)(holds[k] != 0) << k;
        return bits;
    } else {
        return condition != 0 ? ~0u : 0;
    }
}
template <typename X> inline int width_of(const X &)
{
    return facts<X>::count;
}

/* One SIMD_IF, from its first condition to its end. */
class simd_if
{
  public:
    /* The first arm or a SIMD_ELSEIF: of the lanes that no arm took, those whose condition holds. True if there are
     * any. */
    template <typename X> bool enter(const X &condition)
    {
        uint32_t holds = bits_of(condition);
        if (!started_) {
            started_ = true;
            owner_ = simd.width == 0;
            if (owner_)
                simd.start(width_of(condition) ? width_of(condition) : simd_state::unknown);
            outer_ = rest_ = simd.live;
        }
        simd.learn(width_of(condition)); /* the first arm's may have been a scalar */
        simd.live = rest_ & holds & simd.all();
        rest_ &= ~holds;
        return simd.live != 0;
    }
    /* The lanes that are left: to evaluate the condition of a SIMD_ELSEIF, or for SIMD_ELSE. True if there are any. */
    bool rest()
    {
        simd.live = rest_ & simd.all();
        return simd.live != 0;
    }
    void leave()
    {
        simd.live = outer_ & ~simd.gone & simd.all(); /* an inner condition may have told how many lanes there are */
        if (owner_)
            simd.stop();
    }

  private:
    bool started_ = false, owner_ = false;
    uint32_t outer_ = 0, rest_ = 0;
};

/* One SIMD_DO_WHILE. */
class simd_loop
{
  public:
    simd_loop() : owner_(simd.width == 0)
    {
        if (owner_)
            simd.start(simd_state::unknown);
        outer_ = lanes_ = simd.live;
        outer_gone_ = simd.gone;
        outer_broken_ = simd.broken;
        simd.gone = simd.broken = 0;
    }
    /* The body has ended: lanes that continue the loop are live again. True if there are any. */
    bool next()
    {
        simd.live = lanes_ & ~simd.broken & simd.all();
        simd.gone = simd.broken;
        return simd.live != 0;
    }
    template <typename X> bool again(const X &condition)
    {
        uint32_t holds = bits_of(condition);
        simd.learn(width_of(condition));
        lanes_ = simd.live &= holds;
        return lanes_ != 0;
    }
    void leave()
    {
        simd.live = outer_ & simd.all(); /* the body may have told how many lanes there are */
        simd.gone = outer_gone_;
        simd.broken = outer_broken_;
        if (owner_)
            simd.stop();
    }

  private:
    bool owner_;
    uint32_t outer_, lanes_, outer_gone_, outer_broken_;
};

#endif
} // namespace cm_detail

/* SIMD_IF_BEGIN(condition) { ... } SIMD_ELSEIF(condition) { ... } SIMD_ELSE { ... } SIMD_IF_END: a vector of 2, 4, 8,
 * 16 or 32 integers; lanes in which it is not zero run the block, the others continue. Inactive lanes do not write
 * their elements of vectors of that size. Conditions inside have as many lanes or are scalars. A scalar is for all
 * lanes. All platforms.
 * Source: CM specification 3.4.2 "SIMD control flow". */
/* SIMD_DO_WHILE_BEGIN { ... } SIMD_DO_WHILE_END(condition): lanes in which the condition is not zero repeat the block;
 * the condition has the form of SIMD_IF_BEGIN's. SIMD_BREAK: the active lanes leave the loop; SIMD_CONTINUE: they wait
 * for the condition. All platforms.
 * Source: CM specification 3.4.2 "SIMD control flow". */
// clang-format off
#ifndef CMKIT_HOST

#define SIMD_IF_BEGIN(...) if (cm_detail::enter(__VA_ARGS__)) {
#define SIMD_ELSEIF(...)   } else if (cm_detail::enter(__VA_ARGS__)) {
#define SIMD_ELSE          } else {
#define SIMD_IF_END        }

#define SIMD_DO_WHILE_BEGIN    _Pragma("cm_simd loop") do {
#define SIMD_DO_WHILE_END(...) } while (cm_detail::enter(__VA_ARGS__)) _Pragma("cm_simd loop_end")
#define SIMD_BREAK             _Pragma("cm_simd jump") break
#define SIMD_CONTINUE          _Pragma("cm_simd jump") continue

#else

/* Arms and bodies are loops of one turn, so that `break` leaves them; a block that no lane is left in is left at the next end
 * of a SIMD_IF. */
#define SIMD_IF_BEGIN(...) { cm_detail::simd_if cm_if; if (cm_if.enter(__VA_ARGS__)) do {
#define SIMD_ELSEIF(...)   } while (0); if (cm_if.rest() && cm_if.enter(__VA_ARGS__)) do {
#define SIMD_ELSE          } while (0); if (cm_if.rest()) do {
#define SIMD_IF_END        } while (0); cm_if.leave(); } _Pragma("cm_simd join")
#define CM_DETAIL_LEAVE_IF_DEAD if (!cm_detail::simd.live) break;

#define SIMD_DO_WHILE_BEGIN    _Pragma("cm_simd loop") { cm_detail::simd_loop cm_loop; do { do {
#define SIMD_DO_WHILE_END(...) } while (0); } while (cm_loop.next() && cm_loop.again(__VA_ARGS__)); cm_loop.leave(); } _Pragma("cm_simd loop_end")
#define SIMD_BREAK             _Pragma("cm_simd jump") { cm_detail::simd.leave_loop(); break; }
#define SIMD_CONTINUE          _Pragma("cm_simd jump") { cm_detail::simd.leave_iteration(); break; }

#endif
// clang-format on
#endif
