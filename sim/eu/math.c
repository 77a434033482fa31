/* Implements the extended math unit. Results come from the host's library, so they are at least as accurate as the
 * hardware's. OpenCL's error bounds hold; bit equality with hardware does not. */
#include <math.h>
#include "sim/eu/alu.h"

typedef float single_function(float a, float b);

static float math_inv(float a, float b)
{
    return (void)b, 1.0f / a;
}
static float math_log(float a, float b)
{
    return (void)b, log2f(a);
}
static float math_exp(float a, float b)
{
    return (void)b, exp2f(a);
}
static float math_sqrt(float a, float b)
{
    return (void)b, sqrtf(a);
}
static float math_rsqt(float a, float b)
{
    return (void)b, (float)(1.0 / sqrt((double)a));
}
static float math_sin(float a, float b)
{
    return (void)b, sinf(a);
}
static float math_cos(float a, float b)
{
    return (void)b, cosf(a);
}
static float math_fdiv(float a, float b)
{
    return a / b;
}
static float math_pow(float a, float b)
{
    return powf(fabsf(a), b);
}

/* Unsigned division by zero gives all ones as quotient and as remainder: Direct3D defines `udiv` so (its reference of
 * shader assembly, and UDiv in DXIL.rst), and compilers for these platforms emit the bare instruction for it. For
 * signed operands OpenCL C, SPIR-V and Direct3D define nothing, and no public manual gives the hardware's result: here
 * it is the largest number with the dividend's sign, and --fidelity calls signed division approximate. The same holds
 * for the most negative number divided by -1, which wraps here. */
static int64_t divided_by_zero(int64_t a, bool is_signed)
{
    if (!is_signed)
        return UINT32_MAX;
    return a < 0 ? INT32_MIN : INT32_MAX;
}

static void integer_division(struct eu_alu *alu)
{
    bool is_signed = eu_type_is_signed(alu->in->src[0].type);
    for (unsigned lane = 0; lane < alu->lanes; lane++) {
        int64_t a = alu->src[0].i[lane], b = alu->src[1].i[lane];
        if (b == 0)
            alu->out.i[lane] = divided_by_zero(a, is_signed);
        else
            alu->out.i[lane] = alu->in->function == EU_MATH_IREM ? a % b : a / b;
    }
}

/* math.invm (src0 / src1) and math.rsqtm (square root of src0) start a sequence of madm that refines the result in
 * extended precision. Here they return the correctly rounded result at once and set the early-out flag of every lane,
 * which is how the hardware skips the refinement for special operands. Programs then use this result. */
static void macro_function(struct eu_alu *alu)
{
    bool divide = alu->in->function == EU_MATH_INVM;
    for (unsigned lane = 0; lane < alu->lanes; lane++) {
        if (alu->domain == EU_DOUBLE)
            alu->out.d[lane] = divide ? alu->src[0].d[lane] / alu->src[1].d[lane] : sqrt(alu->src[0].d[lane]);
        else
            alu->out.f[lane] = divide ? alu->src[0].f[lane] / alu->src[1].f[lane] : sqrtf(alu->src[0].f[lane]);
    }
    alu->conditions = alu->in->lanes_mask;
    alu->has_conditions = true;
}

void eu_alu_math(struct eu_alu *alu)
{
    static single_function *const functions[] = {
        [EU_MATH_INV] = math_inv,   [EU_MATH_LOG] = math_log,   [EU_MATH_EXP] = math_exp,
        [EU_MATH_SQRT] = math_sqrt, [EU_MATH_RSQT] = math_rsqt, [EU_MATH_SIN] = math_sin,
        [EU_MATH_COS] = math_cos,   [EU_MATH_FDIV] = math_fdiv, [EU_MATH_POW] = math_pow,
    };
    unsigned function = alu->in->function;
    if (function == EU_MATH_INVM || function == EU_MATH_RSQTM) {
        macro_function(alu);
    } else if (function == EU_MATH_IQOT || function == EU_MATH_IREM) {
        integer_division(alu);
    } else if (function > EU_MATH_POW || function == 0 || alu->domain != EU_SINGLE) {
        char name[32];
        eu_instruction_name(alu->in, name, sizeof name);
        eu_thread_fault(alu->thread, alu->in, "%s of this type is not implemented", name);
    } else {
        single_function *compute = functions[function];
        for (unsigned lane = 0; lane < alu->lanes; lane++)
            alu->out.f[lane] = alu->enabled >> lane & 1 ? compute(alu->src[0].f[lane], alu->src[1].f[lane]) : 0;
    }
}
