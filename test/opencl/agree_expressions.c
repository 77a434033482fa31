/* Evaluates the expressions of expressions.def, and every conversion between the scalar types, on the simulated GPU and
 * on the host's CPU (PoCL). Each set and type has one kernel, which stores each expression's value in a slot of eight
 * bytes. Integers must be equal. Floating-point values are compared with the same expression in double, within the
 * specification's error limits. */
#include "machine.h"

#include <math.h>
#include <stdarg.h>

enum { SLOT = 8, SLOTS = 128, INPUTS = 8, MOST_KERNELS = 160, SOURCE_BYTES = 1 << 20 };
enum limit { NO = -1, EQUAL_BITS = -2 };

struct scalar {
    const char *name, *is_signed, *is_unsigned;
    unsigned bytes;
    bool real;
};

enum { HALF = 8, FLOAT, DOUBLE, SCALARS };
static const struct scalar scalars[SCALARS] = {
    {"char", "char", "uchar", 1, false},    {"uchar", "char", "uchar", 1, false},
    {"short", "short", "ushort", 2, false}, {"ushort", "short", "ushort", 2, false},
    {"int", "int", "uint", 4, false},       {"uint", "int", "uint", 4, false},
    {"long", "long", "ulong", 8, false},    {"ulong", "long", "ulong", 8, false},
    {"half", "short", "ushort", 2, true},   {"float", "int", "uint", 4, true},
    {"double", "long", "ulong", 8, true},
};

struct slot {
    const char *result; /* a type's name, or one of T, S, U */
    char gpu[128], cpu[128];
    double limit;
};

struct kernel {
    char name[64];
    const struct scalar *type;
    bool witness_in_double; /* the CPU computes in double */
    unsigned count;
    struct slot slots[SLOTS];
};

static struct kernel kernels[MOST_KERNELS];
static unsigned kernel_count;

/* ---- The list of kernels ---- */

static struct kernel *find_kernel(const char *set, const struct scalar *type)
{
    char name[sizeof kernels[0].name];
    snprintf(name, sizeof name, "%s_%s", set, type->name);
    for (unsigned i = 0; i < kernel_count; i++)
        if (strcmp(kernels[i].name, name) == 0)
            return &kernels[i];
    REQUIRE(kernel_count < MOST_KERNELS, "more kernels than %d", MOST_KERNELS);
    struct kernel *kernel = &kernels[kernel_count++];
    memcpy(kernel->name, name, sizeof name);
    kernel->type = type;
    kernel->witness_in_double = type->real;
    return kernel;
}

static struct slot *add_slot(struct kernel *kernel, const char *result, double limit, const char *text)
{
    REQUIRE(kernel->count < SLOTS, "%s: more expressions than %d", kernel->name, SLOTS);
    struct slot *slot = &kernel->slots[kernel->count++];
    slot->result = result;
    slot->limit = limit;
    REQUIRE(strlen(text) < sizeof slot->gpu, "too long: %s", text);
    strcpy(slot->gpu, text);
    strcpy(slot->cpu, text);
    return slot;
}

/* ALL, NOT_LONG, ... as sets of rows of `scalars`. */
enum { ALL = 0xff, NOT_LONG = 0xbf, ONLY_32 = 0x30, SIGNED = 0x55 };

static void add_integer(const char *set, unsigned types, const char *result, const char *text)
{
    for (unsigned i = 0; i < HALF; i++)
        if (types >> i & 1)
            add_slot(find_kernel(set, &scalars[i]), result, 0, text);
}

static void add_real(const char *set, const double limits[3], const char *result, const char *text,
                     const bool available[SCALARS])
{
    static const unsigned order[3] = {FLOAT, HALF, DOUBLE};
    for (unsigned i = 0; i < 3; i++)
        if (limits[i] != NO && available[order[i]])
            add_slot(find_kernel(set, &scalars[order[i]]), result, limits[i], text);
}

static void add_bits(const char *set, const char *result, const char *text)
{
    struct kernel *kernel = find_kernel(set, &scalars[FLOAT]);
    kernel->witness_in_double = false;
    add_slot(kernel, result, EQUAL_BITS, text);
}

static void add_expressions(const bool available[SCALARS])
{
#define INTEGER(SET, TYPES, RESULT, ...) add_integer(#SET, TYPES, #RESULT, #__VA_ARGS__);
#define REAL(SET, FLOATS, HALVES, DOUBLES, RESULT, ...)                                                                \
    add_real(#SET, (const double[3]){FLOATS, HALVES, DOUBLES}, #RESULT, #__VA_ARGS__, available);
#define BITS(SET, RESULT, ...) add_bits(#SET, #RESULT, #__VA_ARGS__);
#include "expressions.def"
}

static const char *const roundings[] = {"", "_rte", "_rtz", "_rtp", "_rtn"};

/* Half results: OpenCL C without halves has vstore_half, which knows the rounding modes too. */
static void add_conversion_to_half(struct kernel *kernel, const struct scalar *from, const char *rounding)
{
    const char *mode = rounding[0] ? rounding : "_rte";
    char text[128];
    if (from->bytes == 8 && !from->real) /* what a double holds exactly, as that is what the witness stores */
        snprintf(text, sizeof text, "as_ushort(convert_half%s(a >> 24))", rounding);
    else
        snprintf(text, sizeof text, "as_ushort(convert_half%s(a))", rounding);
    struct slot *slot = add_slot(kernel, "ushort", EQUAL_BITS, text);
    snprintf(slot->cpu, sizeof slot->cpu, "store_half%s(%s)", mode, from->bytes == 8 && !from->real ? "a >> 24" : "a");
}

/* Inputs of conversions without saturation: values that fit the destination. */
static const char *value_in_range(const struct scalar *from, const struct scalar *to)
{
    bool is_unsigned = strcmp(to->name, to->is_unsigned) == 0;
    if (to->bytes == 1)
        return is_unsigned ? "fabs(x * (T)0.0625f)" : "x * (T)0.0625f";
    if (to->bytes == 2 || from->bytes == 2)
        return is_unsigned ? "fabs(x)" : "x";
    return is_unsigned ? "fabs(x * (T)1048576.0f)" : "x * (T)1048576.0f";
}

static void add_conversion(struct kernel *kernel, const struct scalar *from, const struct scalar *to,
                           const char *rounding)
{
    char text[128];
    if (to == &scalars[HALF]) {
        add_conversion_to_half(kernel, from, rounding);
        return;
    }
    snprintf(text, sizeof text, "convert_%s%s(%s)", to->name, rounding,
             from->real && !to->real ? value_in_range(from, to) : "a");
    add_slot(kernel, to->name, EQUAL_BITS, text);
    if (!to->real) {
        /* Intel's driver gives half infinity 0xffffffff as ulong. */
        bool finite = from == &scalars[HALF] && strcmp(to->name, "ulong") == 0;
        snprintf(text, sizeof text, "convert_%s_sat%s(%s)", to->name, rounding, finite ? "fmin(a, (T)65504)" : "a");
        add_slot(kernel, to->name, EQUAL_BITS, text);
    }
}

static void add_conversions(const bool available[SCALARS])
{
    for (const struct scalar *from = scalars; from < scalars + SCALARS; from++) {
        if (!available[from - scalars])
            continue;
        struct kernel *kernel = find_kernel("conversions_of", from);
        kernel->witness_in_double = false;
        for (const struct scalar *to = scalars; to < scalars + SCALARS; to++)
            if (available[to - scalars])
                for (unsigned r = 0; r < (from->real || to->real ? 5 : 1); r++)
                    add_conversion(kernel, from, to, roundings[r]);
    }
}

/* ---- Source text ---- */

struct text {
    char *bytes;
    size_t length;
};

static void __attribute__((format(printf, 2, 3))) put(struct text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text->bytes + text->length, SOURCE_BYTES - text->length, format, arguments);
    va_end(arguments);
    REQUIRE(length >= 0 && text->length + (size_t)length < SOURCE_BYTES, "the source is too long");
    text->length += (size_t)length;
}

static const struct scalar *find_scalar(const char *name)
{
    for (unsigned i = 0; i < SCALARS; i++)
        if (strcmp(scalars[i].name, name) == 0)
            return &scalars[i];
    REQUIRE(0, "no type %s", name);
    return NULL;
}

/* Type in which the machine computes; the CPU has no halves. */
static const struct scalar *compute_type(const struct kernel *kernel, bool on_cpu)
{
    if (!on_cpu)
        return kernel->type;
    if (kernel->witness_in_double)
        return &scalars[DOUBLE];
    return kernel->type == &scalars[HALF] ? &scalars[FLOAT] : kernel->type;
}

static const struct scalar *result_type(const struct kernel *kernel, const struct slot *slot, bool on_cpu)
{
    const struct scalar *type = compute_type(kernel, on_cpu);
    if (strcmp(slot->result, "T") == 0)
        return type;
    return find_scalar(strcmp(slot->result, "S") == 0   ? type->is_signed
                       : strcmp(slot->result, "U") == 0 ? type->is_unsigned
                                                        : slot->result);
}

static void put_kernel(struct text *text, const struct kernel *kernel, bool on_cpu)
{
    static const char names[] = "abcxyz";
    const struct scalar *type = compute_type(kernel, on_cpu);
    const char *load = on_cpu && kernel->type == &scalars[HALF] ? "vload_half(8 * id + %d, in)" : "in[8 * id + %d]";
    put(text, "#define T %s\n#define S %s\n#define U %s\n", type->name, type->is_signed, type->is_unsigned);
    put(text, "#define T3 %s3\n#define T4 %s4\n#define S4 %s4\n#define U4 %s4\n", type->name, type->name,
        type->is_signed, type->is_unsigned);
    put(text, "kernel void %s(global const %s *in, global uchar *out)\n{\n    size_t id = get_global_id(0);\n",
        kernel->name, kernel->type->name);
    for (unsigned i = 0; i < 7; i++) {
        put(text, i == 6 ? "    int n = (int)" : "    T %c = (T)", names[i % 6]);
        put(text, load, i);
        put(text, ";\n");
    }
    put(text, "    T r = 0;\n    int i = 0;\n    (void)r, (void)i, (void)n;\n    out += id * %u;\n",
        kernel->count * SLOT);
    for (unsigned i = 0; i < kernel->count; i++)
        put(text, "    *(global %s *)(out + %u) = %s;\n", result_type(kernel, &kernel->slots[i], on_cpu)->name,
            i * SLOT, on_cpu ? kernel->slots[i].cpu : kernel->slots[i].gpu);
    put(text, "}\n#undef T\n#undef S\n#undef U\n#undef T3\n#undef T4\n#undef S4\n#undef U4\n");
}

/* The functions with loose errors exist for float only; what they approximate is known in double. */
static void put_exact_functions(struct text *text)
{
    static const char *const exact[][2] = {
        {"half_exp", "exp"},
        {"half_exp2", "exp2"},
        {"half_log", "log"},
        {"half_sqrt", "sqrt"},
        {"half_rsqrt", "rsqrt"},
        {"half_recip", "1 /"},
        {"native_exp", "exp"},
        {"native_exp2", "exp2"},
        {"native_sqrt", "sqrt"},
        {"native_rsqrt", "rsqrt"},
        {"native_recip", "1 /"},
        {"native_log2", "log2"},
        {"native_powr", "powr"},
        {"native_sin", "sin"},
        {"native_cos", "cos"},
        {"fast_length", "length"},
        {"half_divide(A, B)", "((A) / (B))"},
        {"native_divide(A, B)", "((A) / (B))"},
        {"fast_normalize", "normalize"},
    };
    for (size_t i = 0; i < sizeof exact / sizeof exact[0]; i++)
        put(text, "#undef %.*s\n#define %s %s\n", (int)strcspn(exact[i][0], "("), exact[i][0], exact[i][0],
            exact[i][1]);
}

static char *make_source(const struct suite *suite, bool on_cpu, const bool available[SCALARS])
{
    struct text text = {.bytes = calloc(1, SOURCE_BYTES)};
    REQUIRE(text.bytes, "no memory");
    put(&text, "#pragma OPENCL FP_CONTRACT OFF\n");
    if (!on_cpu)
        put(&text, "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n");
    if (on_cpu || available[DOUBLE])
        put(&text, "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n");
    if (on_cpu)
        put_exact_functions(&text);
    for (unsigned r = 1; on_cpu && r < 5; r++)
        put(&text,
            "ushort store_half%s(double v)\n{\n    ushort h;\n    vstore_half%s(v, 0, (half *)&h);\n    return h;\n}\n",
            roundings[r], roundings[r]);
    for (unsigned i = 0; i < kernel_count; i++)
        if (suite_wants(suite, kernels[i].name))
            put_kernel(&text, &kernels[i], on_cpu);
    return text.bytes;
}

/* ---- Inputs ---- */

static uint16_t half_bits(double value)
{
    if (value == 0)
        return signbit(value) ? 0x8000 : 0;
    int exponent;
    double fraction = frexp(fabs(value), &exponent); /* 0.5 <= fraction < 1; the values here are normal halves */
    return (uint16_t)((signbit(value) ? 0x8000 : 0) + ((exponent + 14) << 10) + (int)((fraction * 2 - 1) * 1024));
}

static void store_real(const struct scalar *type, double value, void *at)
{
    float narrow = (float)value;
    uint16_t half = 0;
    if (type->bytes == 2)
        half = half_bits(value), memcpy(at, &half, 2);
    else if (type->bytes == 4)
        memcpy(at, &narrow, 4);
    else
        memcpy(at, &value, 8);
}

/* Bits of a real: special ones in a third of the cases, else anything. */
static void store_any_real(const struct scalar *type, struct random *random, uint8_t *at)
{
    static const double ordinary[] = {0, 1, 2, 3, 0.5, 1.5, 2.5, 10, 127.5, 255, 32767};
    unsigned bits = type->bytes * 8, fraction = bits == 16 ? 10 : bits == 32 ? 23 : 52;
    uint64_t value = random_bits(random) | (uint64_t)random_bits(random) << 32;
    uint64_t infinity = (((UINT64_C(1) << (bits - 1)) - 1) >> fraction) << fraction;
    uint32_t choice = random_below(random, 36);
    if (choice < 11) {
        store_real(type, random_bits(random) & 1 ? -ordinary[choice] : ordinary[choice], at);
        return;
    }
    switch (choice) {
    case 11: value = infinity; break;
    case 12: value = infinity | UINT64_C(1) << (bits - 1); break;
    case 13: value = infinity | UINT64_C(1) << (fraction - 1); break; /* NaN */
    case 14: value = infinity - 1; break;                             /* largest */
    case 15: value = UINT64_C(1) << fraction; break;                  /* smallest normal */
    case 16: value = 1; break;                                        /* smallest denormal */
    case 17: value &= (UINT64_C(1) << fraction) - 1; break;           /* denormal */
    default: break;
    }
    memcpy(at, &value, type->bytes);
}

static double medium_real(const struct scalar *type, struct random *random)
{
    double value =
        1 + (double)(random_bits(random) >> (type->bytes == 2 ? 22 : 9)) * (type->bytes == 2 ? 0x1p-10 : 0x1p-23);
    value = ldexp(value, (int)random_below(random, 20) - 10);
    return random_bits(random) & 1 ? -value : value;
}

static void store_integer(const struct scalar *type, struct random *random, uint8_t *at)
{
    uint64_t value = random_bits(random) | (uint64_t)random_bits(random) << 32;
    uint64_t top = UINT64_C(1) << (type->bytes * 8 - 1);
    const uint64_t awkward[] = {
        0, 1, 2, ~UINT64_C(0), top, top - 1, top + 1, 8 * type->bytes, 8 * type->bytes - 1, 0x80, 0xff, 0x7fff};
    uint32_t choice = random_below(random, 40);
    if (choice < sizeof awkward / sizeof awkward[0])
        value = awkward[choice];
    else if (choice < 20) /* small ones of either sign */
        value = (uint64_t)((int64_t)value >> 56);
    memcpy(at, &value, type->bytes);
}

static void fill(const struct kernel *kernel, struct random *random, uint32_t items, uint8_t *in)
{
    const struct scalar *type = kernel->type;
    for (size_t i = 0; i < (size_t)items * INPUTS; i++, in += type->bytes) {
        if (!type->real)
            store_integer(type, random, in);
        else if (i % INPUTS < 3)
            store_any_real(type, random, in);
        else if (i % INPUTS < 6)
            store_real(type, medium_real(type, random), in);
        else
            store_real(type, (double)random_below(random, 61) - 30, in);
    }
}

/* ---- Comparison ---- */

static double real_at(const struct scalar *type, const uint8_t *at)
{
    double value;
    float narrow;
    uint16_t half;
    switch (type->bytes) {
    case 8: memcpy(&value, at, 8); return value;
    case 4: memcpy(&narrow, at, 4); return (double)narrow;
    default: break;
    }
    memcpy(&half, at, 2);
    double fraction = half & 0x3ff, exponent = half >> 10 & 31;
    value = exponent == 31  ? (fraction == 0 ? INFINITY : NAN)
            : exponent == 0 ? ldexp(fraction, -24)
                            : ldexp(1024 + fraction, (int)exponent - 25);
    return half & 0x8000 ? -value : value;
}

/* Distance of `got` from the exact `want` in units of `want`'s last place in `type`. */
static double error_in_ulps(const struct scalar *type, double got, double want)
{
    int digits = type->bytes == 2 ? 11 : type->bytes == 4 ? 24 : 53;
    int least = type->bytes == 2   ? -13
                : type->bytes == 4 ? -125
                                   : -1021; /* exponent of frexp() of the smallest normal */
    int most = type->bytes == 2 ? 16 : type->bytes == 4 ? 128 : 1024;
    int exponent;
    if (isnan(got) || isnan(want))
        return isnan(got) && isnan(want) ? 0 : INFINITY;
    if (got == want)
        return 0;
    double limit = ldexp(1 - ldexp(0.5, -digits), most); /* halfway between the largest number and the next */
    if (isinf(got))
        got = signbit(got) ? -ldexp(1, most - 1) * 2 : ldexp(1, most - 1) * 2;
    if (isinf(got) || isinf(want))
        return isinf(got) && fabs(want) >= limit ? 0 : isinf(want) && fabs(got) >= limit ? 0 : INFINITY;
    if (fabs(want) >= limit && fabs(got) >= limit)
        return 0;
    frexp(want, &exponent);
    exponent = exponent < least ? least : exponent > most ? most : exponent;
    return fabs(got - want) / ldexp(1, exponent - digits);
}

static bool agree(const struct kernel *kernel, const struct slot *slot, const uint8_t *gpu, const uint8_t *cpu)
{
    const struct scalar *type = result_type(kernel, slot, false), *witness = result_type(kernel, slot, true);
    if (memcmp(gpu, cpu, type->bytes) == 0 && type == witness)
        return true;
    if (!type->real)
        return strcmp(slot->result, "ushort") == 0 && slot->limit == EQUAL_BITS && /* halves: two NaN */
               isnan(real_at(&scalars[HALF], gpu)) && isnan(real_at(&scalars[HALF], cpu)) &&
               strstr(slot->gpu, "convert_half");
    double got = real_at(type, gpu), want = real_at(witness, cpu);
    if (slot->limit == EQUAL_BITS)
        return isnan(got) && isnan(want);
    /* A correctly rounded value is half a unit off; PoCL's own doubles may be as wrong as the GPU's. */
    double limit = slot->limit == 0 ? 0.5000001 : slot->limit;
    if (type == witness)
        limit = slot->limit * 2;
    return error_in_ulps(type, got, want) <= limit;
}

static void print_input(const struct kernel *kernel, const uint8_t *in)
{
    for (unsigned i = 0; i < 7; i++) {
        uint64_t bits = 0;
        memcpy(&bits, in + i * kernel->type->bytes, kernel->type->bytes);
        fprintf(stderr, " %c=0x%llx", "abcxyzn"[i], (unsigned long long)bits);
        if (kernel->type->real)
            fprintf(stderr, "(%.9g)", real_at(kernel->type, in + i * kernel->type->bytes));
    }
    fputc('\n', stderr);
}

static void print_value(const char *machine, const struct scalar *type, const uint8_t *at)
{
    uint64_t bits = 0;
    memcpy(&bits, at, type->bytes);
    fprintf(stderr, " %s 0x%llx", machine, (unsigned long long)bits);
    if (type->real)
        fprintf(stderr, " (%.17g)", real_at(type, at));
}

/* Returns how many expressions differ somewhere; each is reported once. */
static unsigned compare(const struct kernel *kernel, uint32_t items, const uint8_t *in, const uint8_t *gpu,
                        const uint8_t *cpu)
{
    unsigned wrong = 0;
    for (unsigned s = 0; s < kernel->count; s++) {
        const struct slot *slot = &kernel->slots[s];
        unsigned different = 0;
        for (uint32_t item = 0; item < items; item++) {
            size_t at = ((size_t)item * kernel->count + s) * SLOT;
            if (agree(kernel, slot, gpu + at, cpu + at))
                continue;
            if (different++ == 0) {
                fprintf(stderr, "%s: %s, item %u:", kernel->name, slot->gpu, item);
                print_value("GPU", result_type(kernel, slot, false), gpu + at);
                print_value("CPU", result_type(kernel, slot, true), cpu + at);
                print_input(kernel, in + (size_t)item * INPUTS * kernel->type->bytes);
            }
        }
        if (different)
            fprintf(stderr, "%s: %s: %u of %u items differ\n", kernel->name, slot->gpu, different, items);
        wrong += different != 0;
    }
    return wrong;
}

static unsigned run_kernel(const struct suite *suite, const struct kernel *kernel, const struct machine machines[2],
                           const cl_program programs[2], unsigned seed)
{
    size_t in_bytes = (size_t)suite->items * INPUTS * kernel->type->bytes;
    size_t out_bytes = (size_t)suite->items * kernel->count * SLOT;
    uint8_t *in = malloc(in_bytes), *out[2] = {calloc(1, out_bytes), calloc(1, out_bytes)};
    struct random random = {seed};
    REQUIRE(in && out[0] && out[1], "no memory");
    fill(kernel, &random, suite->items, in);
    for (unsigned m = 0; m < 2; m++)
        machine_run(&machines[m], programs[m], kernel->name,
                    &(struct launch){suite->items, 0, in_bytes, out_bytes, in, out[m]});
    unsigned wrong = compare(kernel, suite->items, in, out[0], out[1]);
    free(in);
    free(out[0]);
    free(out[1]);
    return wrong;
}

int main(int count, char **arguments)
{
    struct suite suite = suite_parse(count, arguments, 256);
    struct machine machines[2] = {machine_open(CL_DEVICE_TYPE_GPU), machine_open(CL_DEVICE_TYPE_CPU)};
    cl_program programs[2];
    bool available[SCALARS];
    unsigned wrong = 0, expressions = 0;
    memset(available, true, sizeof available);
    available[HALF] = machine_has(&machines[0], "cl_khr_fp16");
    available[DOUBLE] = machine_has(&machines[0], "cl_khr_fp64");
    add_expressions(available);
    add_conversions(available);
    for (unsigned m = 0; m < 2; m++) {
        char *source = make_source(&suite, m == 1, available);
        programs[m] = machine_build(&machines[m], source, "");
        free(source);
    }
    for (unsigned i = 0; i < kernel_count; i++) {
        if (!suite_wants(&suite, kernels[i].name))
            continue;
        expressions += kernels[i].count;
        wrong += run_kernel(&suite, &kernels[i], machines, programs, suite.seed + i);
    }
    printf("%u expressions, %u wrong\n", expressions, wrong);
    for (unsigned m = 0; m < 2; m++) {
        CL(clReleaseProgram(programs[m]));
        machine_close(&machines[m]);
    }
    return wrong != 0 || expressions == 0;
}
