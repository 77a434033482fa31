/* eu_fast IGA64   runs many forms of the common instructions through the fast paths and through the common pipeline,
 * from the same random registers, and compares every register and flag. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "case_file.h"
#include "sim/eu/thread.h"

enum { CODE_BYTES = 1 << 18, TEXT_BYTES = 1 << 18, ROUNDS = 40, REGISTER_BYTES = 4096 };

/* Sources by type; r10 to r29 hold random bits; r30 on receive the results of moves, r40 on all others. */
static const char *const integer_sources[] = {"r10.0<8;8,1>:d",
                                              "r12.0<8;8,1>:ud",
                                              "r14.3<0;1,0>:d",
                                              "-r11.0<8;8,1>:d",
                                              "r16.0<16;16,1>:uw",
                                              "r17.0<8;8,1>:w",
                                              "r18.6<16;16,1>:ub",
                                              "r18.0<8;8,1>:b",
                                              "r20.0<4;4,1>:ud",
                                              "r14.2<0;1,0>:w",
                                              "5:w",
                                              "-7:w",
                                              "0xFFFFFFF0:ud"};
static const char *const real_sources[] = {"r22.0<8;8,1>:f",      "r24.0<8;8,1>:f",       "-r22.0<8;8,1>:f",
                                           "(abs)r24.0<8;8,1>:f", "-(abs)r26.0<8;8,1>:f", "r14.1<0;1,0>:f",
                                           "r22.0<4;4,1>:f",      "0x40490FDB:f"};
static const char *const integer_ops[] = {
    "add",          "and",          "or",           "xor",         "shl",          "shr",          "asr",
    "sel (lt)f1.1", "sel (ge)f1.1", "(f0.0) sel",   "(~f0.1) sel", "cmp (eq)f1.0", "cmp (ne)f1.0", "cmp (gt)f1.0",
    "cmp (ge)f1.1", "cmp (lt)f1.0", "cmp (le)f1.0", "(f0.0) add",  "(W&~f0.0) or"};
static const char *const real_ops[] = {"add",          "mul",          "sel (lt)f1.1", "sel (ge)f1.1", "(f0.0) sel",
                                       "cmp (eq)f1.0", "cmp (ne)f1.0", "cmp (gt)f1.0", "cmp (ge)f1.1", "cmp (lt)f1.0",
                                       "cmp (le)f1.0", "(f0.0) mul",   "(W) add"};
static const char *const moves[] = {"mov (%u|M0) %s<1>:d %s",         "mov (%u|M0) %s<1>:f %s",
                                    "(f0.0) mov (%u|M0) %s<1>:ud %s", "(f0.0) mov (%u|M0) %s<4>:ub %s",
                                    "mov (%u|M0) %s<2>:uw %s",        "mov (%u|M0) %s<4>:b %s"};

#define COUNT(ARRAY) (sizeof(ARRAY) / sizeof *(ARRAY))

struct text {
    char *bytes;
    size_t used;
    unsigned lines;
};

/* Later instructions overwrite results: r120 and r121 accumulate all of them. `dst` begins with the register's name. If
 * a sum has two NaN operands, the compiler decides which one is returned, so NaN lanes of float results are left out.
 */
static void add_checksum(struct text *text, const char *dst)
{
    bool real = strstr(dst, ":f") != NULL;
    if (real)
        text->used +=
            (size_t)snprintf(text->bytes + text->used, TEXT_BYTES - text->used,
                             "(W) cmp (16|M0) (eq)f1.0 null<1>:f %.3s.0<8;8,1>:f %.3s.0<8;8,1>:f\n", dst, dst);
    text->used += (size_t)snprintf(text->bytes + text->used, TEXT_BYTES - text->used,
                                   "(W%s) xor (16|M0) r120.0<1>:ud r120.0<8;8,1>:ud %.3s.0<8;8,1>:ud\n",
                                   real ? "&f1.0" : "", dst);
}

/* `source` for an instruction of `lanes` lanes: a region whose rows are wider than that becomes one packed row. */
static const char *fit_region(const char *source, unsigned lanes, char out[64])
{
    const char *open = strchr(source, '<'), *close = strchr(source, '>');
    unsigned vertical, width;
    if (open == NULL || sscanf(open, "<%u;%u", &vertical, &width) != 2 || width == 1 || width < lanes)
        return source;
    if (width == lanes && vertical != 16)
        return source;
    if (lanes == 1)
        snprintf(out, 64, "%.*s<0;1,0>%s", (int)(open - source), source, close + 1);
    else
        snprintf(out, 64, "%.*s<%u;%u,1>%s", (int)(open - source), source, lanes, lanes, close + 1);
    return out;
}

/* "(f0.0) sel", "sel (lt)f1.1": the lane count comes after the mnemonic and before a condition. */
static void add_line(struct text *text, const char *op, unsigned lanes, const char *dst, const char *a, const char *b)
{
    char name[64], first[64], second[64];
    const char *rest = strrchr(op, '(');
    if (rest == NULL || rest == op) { /* no condition */
        snprintf(name, sizeof name, "%s (%u|M0)", op, lanes);
    } else {
        snprintf(name, sizeof name, "%.*s(%u|M0) %s", (int)(rest - op), op, lanes, rest);
    }
    text->used += (size_t)snprintf(text->bytes + text->used, TEXT_BYTES - text->used, "%s %s %s %s\n", name, dst,
                                   fit_region(a, lanes, first), fit_region(b, lanes, second));
    /* The flags of a condition are copied to a register before the next instruction overwrites them. */
    text->used +=
        (size_t)snprintf(text->bytes + text->used, TEXT_BYTES - text->used,
                         "(W) mov (1|M0) r%u.%u<1>:ud f1.0<0;1,0>:ud\n", 60 + text->lines / 8 % 60, text->lines % 8);
    text->lines++;
    add_checksum(text, dst);
}

static bool is_constant(const char *source)
{
    return strchr(source, 'r') == NULL;
}

/* shr exists for unsigned sources only. */
static bool exists(const char *op, const char *source)
{
    return strcmp(op, "shr") != 0 || strstr(source, ":u") != NULL;
}

static void add_pairs(struct text *text, const char *const *ops, size_t op_count, const char *const *sources,
                      size_t source_count, const char *type)
{
    static const unsigned counts[] = {8, 16, 1, 4};
    char dst[32];
    unsigned turn = 0;
    for (size_t o = 0; o < op_count; o++)
        for (size_t a = 0; a < source_count; a++)
            for (size_t b = 0; b < source_count; b++) {
                if (is_constant(sources[a]) || !exists(ops[o], sources[a]) || rand() % 3 != 0)
                    continue;
                snprintf(dst, sizeof dst, "r%u.0<1>:%s", 40 + turn % 10 * 2, type);
                add_line(text, ops[o], counts[turn++ % 4], dst, sources[a], sources[b]);
            }
}

static void add_moves(struct text *text, const char *const *sources, size_t source_count)
{
    static const unsigned counts[] = {16, 8, 1, 8, 16, 4};
    for (size_t s = 0; s < source_count; s++)
        for (size_t m = 0; m < COUNT(moves); m++) {
            char dst[16], line[128], fitted[64];
            snprintf(dst, sizeof dst, "r%u.0", (unsigned)(30 + (s + m) % 5 * 2));
            snprintf(line, sizeof line, moves[m], counts[m], dst, fit_region(sources[s], counts[m], fitted));
            text->used += (size_t)snprintf(text->bytes + text->used, TEXT_BYTES - text->used, "%s\n", line);
            add_checksum(text, dst);
        }
}

static void add_text(struct text *text, const char *line)
{
    text->used += (size_t)snprintf(text->bytes + text->used, TEXT_BYTES - text->used, "%s\n", line);
}

/* Products that are added: mac with the accumulator, which a move fills, and mad where it has regions (not on Gen9). */
static void add_products(struct text *text, const struct platform *platform)
{
    static const char *const macs[] = {"mac (16|M0) r40.0<1>:f r22.0<8;8,1>:f r24.0<8;8,1>:f",
                                       "mac (8|M0) r42.0<1>:f -r22.0<8;8,1>:f r14.1<0;1,0>:f",
                                       "(f0.0) mac (16|M0) r44.0<1>:f r26.0<8;8,1>:f (abs)r24.0<8;8,1>:f"};
    static const char *const mads[] = {"mad (16|M0) r46.0<1>:f r22.0<8;1>:f r24.0<8;1>:f r26.0<1>:f",
                                       "mad (16|M0) r48.0<1>:f -r22.0<8;1>:f r24.0<8;1>:f r14.1<0>:f",
                                       "(~f0.0) mad (16|M0) r50.0<1>:f r22.0<8;1>:f r14.2<0;0>:f -r26.0<1>:f",
                                       "mad (8|M8) r52.0<1>:f r22.0<8;1>:f r24.0<8;1>:f r26.0<1>:f",
                                       "mad (16|M0) acc0.0<1>:f r22.0<8;1>:f r24.0<8;1>:f r26.0<1>:f"};
    for (size_t i = 0; i < COUNT(macs); i++) {
        add_text(text, "mov (16|M0) acc0.0<1>:f r26.0<8;8,1>:f");
        add_text(text, macs[i]);
        add_checksum(text, strstr(macs[i], "r4"));
    }
    for (size_t i = 0; i < COUNT(mads) && !platform_has(platform, FEATURE_TERNARY_ALIGN16); i++) {
        add_text(text, mads[i]);
        if (strstr(mads[i], "acc0"))
            add_text(text, "mov (16|M0) r54.0<1>:f acc0.0<8;8,1>:f");
        add_checksum(text, strstr(mads[i], "acc0") ? "r54.0<1>:f" : strstr(mads[i], " r") + 1);
    }
}

/* Instructions with the registers that they leave results in, from a generation on. A move of the accumulator shows its
 * low half, a shift its high one. */
struct sequence {
    unsigned first_generation;
    const char *lines[6];
};

static const struct sequence sequences[] = {
    {11, {"rol (16|M0) r40.0<1>:ud r10.0<8;8,1>:ud 5:w", "ror (16|M0) r42.0<1>:ud r12.0<8;8,1>:ud r10.0<8;8,1>:ud"}},
    {11,
     {"(f0.0) rol (8|M0) r44.0<1>:ud r10.0<8;8,1>:ud r14.2<0;1,0>:uw", "ror (8|M8) r46.0<1>:ud r12.0<4;4,1>:ud 31:w"}},
    {11, {"rol (1|M0) r40.0<1>:ud r10.3<0;1,0>:ud r12.1<0;1,0>:ud", "ror (4|M0) r42.0<1>:ud r10.0<4;4,1>:ud 0:w"}},
    {11, {"rol (8|M0) r44.0<1>:uw r10.0<8;8,1>:uw 5:w", "ror (8|M0) r46.0<1>:uw r16.0<8;8,1>:uw 3:w"}},
    {9,
     {"not (16|M0) r40.0<1>:ud r10.0<8;8,1>:ud", "not (8|M0) r42.0<1>:d -r11.0<8;8,1>:d",
      "(f0.0) not (16|M0) r44.0<1>:uw r16.0<16;16,1>:uw"}},
    {11,
     {"csel (8|M0) (lt)f0.0 r40.0<1>:f r22.0<8;1>:f r24.0<8;1>:f -r26.0<1>:f",
      "csel (16|M0) (ge)f0.0 r42.0<1>:f r24.0<8;1>:f (abs)r22.0<8;1>:f r14.1<0>:f"}},
    {12,
     {"csel (4|M0) (eq)f0.0 r40.0<1>:w r16.0<4;1>:w r17.0<4;1>:w r18.0<1>:w",
      "csel (8|M0) (gt)f0.0 r42.0<1>:w r16.0<8;1>:w -r17.0<8;1>:w r18.0<1>:w",
      "csel (16|M0) (le)f0.0 r44.0<1>:w r16.0<8;1>:w r17.0<8;1>:w r18.0<1>:w"}},
    {9,
     {"add (8|M0) acc0.0<1>:d r10.0<8;8,1>:d r12.0<8;8,1>:d", "asr (8|M0) r40.0<1>:d acc0.0<8;8,1>:d 3:w",
      "xor (8|M0) acc0.0<1>:d acc0.0<8;8,1>:d r11.0<8;8,1>:d", "add (8|M0) r42.0<1>:d -acc0.0<8;8,1>:d 7:w",
      "asr (8|M0) r44.0<1>:d acc0.0<8;8,1>:d 17:w", "mov (8|M0) r46.0<1>:ud acc0.0<8;8,1>:ud"}},
    {9,
     {"add (16|M0) acc0.0<1>:ud r10.0<8;8,1>:ud r12.0<8;8,1>:ud", "asr (16|M0) r40.0<1>:d acc0.0<8;8,1>:d 3:w",
      "(f0.0) and (16|M0) acc0.0<1>:ud acc0.0<8;8,1>:ud ~r10.0<8;8,1>:ud",
      "or (16|M0) r42.0<1>:d acc0.0<8;8,1>:d r14.3<0;1,0>:d", "asr (16|M0) r44.0<1>:d acc0.0<8;8,1>:d 9:w"}},
    {9,
     {"mov (8|M0) acc0.0<1>:d r16.0<8;8,1>:w", "shl (8|M0) acc0.0<1>:d acc0.0<8;8,1>:d r10.0<8;8,1>:ud",
      "asr (8|M0) r40.0<1>:d acc0.0<8;8,1>:d 1:w", "shr (8|M0) r42.0<1>:ud acc0.0<8;8,1>:ud 3:w",
      "not (8|M0) acc0.0<1>:d acc0.0<8;8,1>:d", "asr (8|M0) r44.0<1>:d acc0.0<8;8,1>:d 31:w"}},
    {9,
     {"mul (8|M0) acc0.0<1>:d r10.0<8;8,1>:d r11.0<16;8,2>:uw",
      "mach (8|M0) r40.0<1>:d r10.0<8;8,1>:d r11.0<8;8,1>:d {AccWrEn}", "mov (8|M0) r42.0<1>:d acc0.0<8;8,1>:d",
      "asr (8|M0) r44.0<1>:d acc0.0<8;8,1>:d 5:w"}},
    {9,
     {"(W) mul (1|M0) acc0.0<1>:d r10.1<0;1,0>:d r12.4<0;1,0>:uw",
      "(W) mach (1|M0) r40.0<1>:d r10.1<0;1,0>:d r12.2<0;1,0>:d",
      "(W) mul (8|M0) acc0.0<1>:ud r10.0<8;8,1>:ud r14.0<0;1,0>:uw",
      "(f0.0) mach (8|M0) r42.0<1>:ud r10.0<8;8,1>:ud r14.0<0;1,0>:ud {AccWrEn}",
      "mov (8|M0) r44.0<1>:ud acc0.0<8;8,1>:ud"}},
    {9,
     {"mov (16|M0) acc0.0<1>:uw r16.0<16;16,1>:uw",
      "and (16|M0) (ne)f1.0 null<1>:uw acc0.0<16;16,1>:uw r17.0<16;16,1>:uw",
      "(f1.0) mov (16|M0) r40.0<1>:d r10.0<8;8,1>:d", "(W) mov (1|M0) r42.0<1>:ud f1.0<0;1,0>:ud",
      "(f0.1) sel (16|M0) acc0.0<1>:uw r16.2<0;1,0>:uw 3:uw", "mov (16|M0) r44.0<1>:uw acc0.0<16;16,1>:uw"}},
    {9,
     {"or (16|M0) (eq)f1.0 r40.0<1>:d r10.0<8;8,1>:d r12.0<8;8,1>:d", "(W) mov (1|M0) r42.0<1>:ud f1.0<0;1,0>:ud",
      "add (8|M0) (lt)f1.0 r44.0<1>:d r10.0<8;8,1>:d r11.0<8;8,1>:d", "(W) mov (1|M0) r46.0<1>:ud f1.0<0;1,0>:ud",
      "(f1.1) add (16|M0) (ge)f1.1 r48.0<1>:w r16.0<16;16,1>:w r17.0<16;16,1>:w",
      "(W) mov (1|M0) r50.0<1>:ud f1.0<0;1,0>:ud"}},
    {9,
     {"and (8|M0) (gt)f1.0 null<1>:ud r10.0<8;8,1>:ud r12.0<8;8,1>:ud", "(W) mov (1|M0) r40.0<1>:ud f1.0<0;1,0>:ud",
      "and (4|M0) (le)f1.0 r42.0<1>:b r18.0<4;4,1>:b r19.0<4;4,1>:b", "(W) mov (1|M0) r44.0<1>:ud f1.0<0;1,0>:ud",
      "mov (8|M0) null<1>:ud r10.0<8;8,1>:ud"}},
};

/* Of quadwords, where the platform has them. */
static const struct sequence quadwords[] = {
    {9,
     {"add (8|M0) r40.0<1>:q r10.0<4;4,1>:q r12.0<4;4,1>:q", "add (4|M0) r42.0<1>:uq r10.0<0;1,0>:uq r12.0<4;4,1>:ud",
      "add (8|M0) r44.0<1>:q -r10.0<4;4,1>:q r16.0<8;8,1>:w", "shl (8|M0) r46.0<1>:q r11.0<8;8,1>:d 37:w",
      "asr (4|M0) r48.0<1>:q r10.0<4;4,1>:q 41:w", "shr (8|M0) r50.0<1>:uq r10.0<4;4,1>:uq r12.0<8;8,1>:ud"}},
    {9,
     {"mov (8|M0) r40.0<1>:q r10.0<8;8,1>:d", "(f0.0) mov (8|M0) r42.0<1>:uq r10.0<4;4,1>:uq",
      "mov (8|M0) r44.0<2>:d r10.0<4;4,1>:q", "mov (4|M0) r46.0<1>:q r10.0<2;1,0>:q",
      "mov (8|M0) r48.0<2>:d r12.0<8;8,1>:d", "(W) mov (1|M0) r50.0<1>:uq r12.1<0;1,0>:uq"}},
};

static void add_sequences(struct text *text, const struct platform *platform, const struct sequence *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (platform->generation < list[i].first_generation)
            continue;
        for (size_t k = 0; k < COUNT(list[i].lines) && list[i].lines[k]; k++) {
            char line[128];
            snprintf(line, sizeof line, "%s", list[i].lines[k]);
            if (platform_has(platform, FEATURE_MACL)) /* mach never writes the accumulator there */
                line[strcspn(line, "{")] = 0;
            add_text(text, line);
            const char *dst = strpbrk(strstr(line, "|M"), "rn<"); /* a register, null, or acc0.0<1> */
            if (*dst == 'r')
                add_checksum(text, dst);
        }
    }
}

static void random_registers(uint8_t *registers)
{
    static const uint32_t special[] = {0,          0x80000000, 0x7f800000, 0xff800000, 0x7fc00000, 1,
                                       0x007fffff, 0x7f7fffff, 0x3f800000, 0xbf800000, 0x4f000000, 0xffffffff};
    for (size_t at = 0; at < REGISTER_BYTES; at += 4) {
        uint32_t bits = (uint32_t)rand() << 16 ^ (uint32_t)rand();
        if (rand() % 4 == 0)
            bits = special[(size_t)rand() % COUNT(special)];
        else if (rand() % 3 == 0)
            bits = 0x3f000000 + (bits & 0x01ffffff); /* floats of like size: sums round */
        memcpy(registers + at, &bits, sizeof bits);
    }
}

static bool run_once(const struct platform *platform, const struct eu_program *program, unsigned seed,
                     struct eu_thread *thread)
{
    static uint8_t registers[REGISTER_BYTES];
    struct sim_fault fault = {0};
    uint64_t executed = 0;
    (void)platform;
    srand(seed);
    random_registers(registers);
    eu_thread_start(thread, program, NULL, registers, sizeof registers, (uint32_t)rand() | 0xff, 0);
    enum eu_stop stop = eu_thread_run(thread, UINT64_MAX, &executed, &fault);
    if (fault.raised)
        sim_fault_print(&fault, "eu_fast", stdout);
    return stop == EU_END;
}

static bool is_nan(uint32_t bits)
{
    return (bits & 0x7fffffff) > 0x7f800000;
}

static int compare(const struct platform *platform, const uint8_t *code, size_t size)
{
    struct sim_fault fault = {0};
    struct eu_program *fast = eu_program_decode(platform, code, size, &fault);
    struct eu_program *common = eu_program_decode(platform, code, size, &fault);
    if (fast == NULL || common == NULL) {
        sim_fault_print(&fault, platform->name, stdout);
        return 1;
    }
    eu_program_avoid_fast(common);
    struct eu_thread *a = eu_thread_create(platform), *b = eu_thread_create(platform);
    int differences = 0;
    for (unsigned seed = 1; seed <= ROUNDS && differences == 0; seed++) {
        if (!run_once(platform, fast, seed, a) || !run_once(platform, common, seed, b))
            differences++;
        for (size_t at = 0; at < REGISTER_BYTES; at += 4)
            if (memcmp(eu_thread_grf(a, 0) + at, eu_thread_grf(b, 0) + at, 4) != 0) {
                uint32_t x, y;
                memcpy(&x, eu_thread_grf(a, 0) + at, 4);
                memcpy(&y, eu_thread_grf(b, 0) + at, 4);
                if (at / platform->grf_bytes >= 40 && at / platform->grf_bytes < 60 && is_nan(x) && is_nan(y))
                    continue; /* as in add_checksum */
                printf("%s, seed %u: r%zu.%zu is 0x%08x fast, 0x%08x common\n", platform->name, seed, at / 32,
                       at % 32 / 4, x, y);
                differences++;
            }
    }
    printf("%s: %zu instructions, %u rounds\n", platform->name, eu_program_instructions(fast), ROUNDS);
    eu_thread_destroy(a);
    eu_thread_destroy(b);
    eu_program_destroy(fast);
    eu_program_destroy(common);
    return differences;
}

int main(int argc, char **argv)
{
    static uint8_t code[CODE_BYTES];
    int differences = 0;
    if (argc != 2) {
        fprintf(stderr, "usage: eu_fast IGA64\n");
        return 2;
    }
    for (size_t p = 0; p < platform_count; p++) {
        if (!platform_table[p].simulated || platform_table[p].needs_current)
            continue;
        struct text text = {.bytes = malloc(TEXT_BYTES)};
        srand(7);
        text.used = (size_t)sprintf(text.bytes, "(W) mov (1|M0) f0.0<1>:ud r4.0<0;1,0>:ud\n");
        add_pairs(&text, integer_ops, COUNT(integer_ops), integer_sources, COUNT(integer_sources), "d");
        add_pairs(&text, integer_ops, 7, integer_sources, COUNT(integer_sources), "ud");
        add_pairs(&text, real_ops, COUNT(real_ops), real_sources, COUNT(real_sources), "f");
        add_products(&text, &platform_table[p]);
        add_moves(&text, integer_sources, COUNT(integer_sources));
        add_moves(&text, real_sources, COUNT(real_sources));
        add_sequences(&text, &platform_table[p], sequences, COUNT(sequences));
        if (platform_has(&platform_table[p], FEATURE_NATIVE_INT64))
            add_sequences(&text, &platform_table[p], quadwords, COUNT(quadwords));
        size_t size = case_assemble(argv[1], platform_table[p].generation, text.bytes, code, sizeof code);
        free(text.bytes);
        if (size == 0 || compare(&platform_table[p], code, size) != 0)
            differences++;
    }
    return differences != 0;
}
