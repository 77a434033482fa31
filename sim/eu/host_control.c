/* Sets the host's rounding and denormal modes to those in a thread's control register cr0. */
#include "sim/eu/operand.h"

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

#if defined(__x86_64__)
enum { MXCSR_DEFAULT = 0x1f80, MXCSR_FLUSH = 0x8040 };

void eu_host_control_reset(void)
{
    _mm_setcsr(MXCSR_DEFAULT);
}

/* Sets rounding, and flushes denormals unless cr0 has the bit `keep`: the host has one control for float and double. */
static void set_control(const struct eu_thread *thread, uint32_t keep)
{
    static const unsigned mxcsr_rounding[] = {
        [EU_ROUND_EVEN] = 0, [EU_ROUND_UP] = 2 << 13, [EU_ROUND_DOWN] = 1 << 13, [EU_ROUND_ZERO] = 3 << 13};
    uint32_t control = eu_control(thread);
    unsigned flush = control & keep ? 0 : MXCSR_FLUSH;
    _mm_setcsr(MXCSR_DEFAULT | flush | mxcsr_rounding[control >> EU_CR0_ROUNDING_SHIFT & 3]);
}

void eu_host_control_set(const struct eu_thread *thread)
{
    set_control(thread, EU_CR0_SINGLE_DENORMALS);
}

void eu_host_control_set_doubles(const struct eu_thread *thread)
{
    set_control(thread, EU_CR0_DOUBLE_DENORMALS);
}

bool eu_double_mode_differs(const struct eu_thread *thread)
{
    uint32_t control = eu_control(thread);
    return !(control & EU_CR0_DOUBLE_DENORMALS) != !(control & EU_CR0_SINGLE_DENORMALS);
}
#else
#error "the interpreter sets the host's rounding and denormal modes: add this host's way"
#endif
