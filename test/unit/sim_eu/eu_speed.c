/* eu_speed IGA64 [NAME]   runs loops of instructions, or those of one name, and prints how many the interpreter
 * executes in a second of processor time. `./dev bench sim` runs it. A measuring tool, not a test: nothing depends on
 * time. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "case_file.h"
#include "sim/eu/eu.h"

enum { CODE_BYTES = 1 << 14 };

/* Bodies of a loop that runs until the instruction budget ends. The first rows are the commonest forms. Each of the
 * others has the forms of a program's hottest kernel, without its messages and branches, in about their proportions
 * (docs/guide/clients.md, "What takes the time"). */
static const struct {
    const char *name, *platform, *body;
} loops[] = {
    {"float add mul mad", "ICLLP",
     "add (16|M0) r20.0<1>:f r10.0<8;8,1>:f r12.0<8;8,1>:f\n"
     "mul (16|M0) r22.0<1>:f r20.0<8;8,1>:f r14.3<0;1,0>:f\n"
     "mad (16|M0) r24.0<1>:f r10.0<8;1>:f r12.0<8;1>:f r16.0<1>:f\n"
     "add (16|M0) r20.0<1>:f r20.0<8;8,1>:f -r22.0<8;8,1>:f\n"
     "mul (16|M0) r22.0<1>:f r20.0<8;8,1>:f 0x3f000000:f\n"
     "mad (16|M0) r24.0<1>:f r24.0<8;1>:f r12.0<8;1>:f r16.2<0>:f\n"},
    {"integer add shl and", "ICLLP",
     "add (16|M0) r20.0<1>:d r10.0<8;8,1>:d r12.0<8;8,1>:d\n"
     "shl (16|M0) r22.0<1>:d r20.0<8;8,1>:d 2:w\n"
     "and (16|M0) r24.0<1>:ud r22.0<8;8,1>:ud r14.3<0;1,0>:ud\n"
     "add (16|M0) r20.0<1>:d r20.0<8;8,1>:d 1:w\n"
     "add (16|M0) r20.0<1>:d r20.0<8;8,1>:d r1.0<16;16,1>:uw\n"
     "asr (16|M0) r22.0<1>:d r20.0<8;8,1>:d 31:w\n"},
    {"compare and select", "ICLLP",
     "cmp (16|M0) (lt)f0.0 null<1>:f r10.0<8;8,1>:f r12.0<8;8,1>:f\n"
     "(f0.0) sel (16|M0) r20.0<1>:f r10.0<8;8,1>:f r12.0<8;8,1>:f\n"
     "(f0.0) add (16|M0) r22.0<1>:f r10.0<8;8,1>:f r12.0<8;8,1>:f\n"
     "cmp (16|M0) (ge)f0.1 null<1>:d r10.0<8;8,1>:d 7:w\n"
     "sel (16|M0) (ge)f0.0 r20.0<1>:d r10.0<8;8,1>:d r12.0<8;8,1>:d\n"},
    {"bytes to floats and back", "ICLLP",
     "mov (16|M0) r20.0<1>:f r10.3<16;16,1>:ub\n"
     "add (16|M0) r20.0<1>:f r20.0<8;8,1>:f r22.0<8;8,1>:f\n"
     "mov (16|M0) r24.0<1>:d r20.0<8;8,1>:f\n"
     "mov (16|M0) r26.0<1>:ub r24.0<32;8,4>:ub\n"},
    {"scalar", "ICLLP",
     "(W) add (1|M0) r20.0<1>:d r10.0<0;1,0>:d r12.0<0;1,0>:d\n"
     "(W) mov (1|M0) r20.1<1>:ud r10.0<0;1,0>:ud\n"
     "(W) mov (1|M0) a0.0<1>:ud 0x20:ud\n"
     "(W) shl (1|M0) r20.2<1>:d r10.0<0;1,0>:d 3:w\n"},
    /* wlangenpmk, opencl_pmk_kernel: rounds of SHA-1 */
    {"SHA-1", "TGLLP",
     "rol (16|M0) r20.0<1>:ud r10.0<8;8,1>:ud 5:w\n"
     "and (16|M0) r22.0<1>:d r12.0<8;8,1>:d r14.0<8;8,1>:d\n"
     "xor (16|M0) r24.0<1>:d r22.0<8;8,1>:d r16.0<8;8,1>:d\n"
     "add (16|M0) r26.0<1>:d r20.0<8;8,1>:d r24.0<8;8,1>:d\n"
     "add (16|M0) r26.0<1>:d r26.0<8;8,1>:d r18.0<8;8,1>:d\n"
     "add (16|M0) r26.0<1>:d r26.0<8;8,1>:d 1518500249:d\n"
     "rol (16|M0) r12.0<1>:ud r12.0<8;8,1>:ud 30:w\n"
     "xor (16|M0) r28.0<1>:d r10.0<8;8,1>:d r14.0<8;8,1>:d\n"
     "xor (16|M0) r28.0<1>:d r28.0<8;8,1>:d r16.0<8;8,1>:d\n"
     "rol (16|M0) r18.0<1>:ud r28.0<8;8,1>:ud 1:w\n"
     "or (16|M0) r30.0<1>:d r22.0<8;8,1>:d r24.0<8;8,1>:d\n"
     "add (16|M0) r10.0<1>:d r26.0<8;8,1>:d r18.0<8;8,1>:d\n"},
    /* hashcat, m01450_sxx: rounds of SHA-256, with the accumulators as registers */
    {"SHA-256", "TGLLP",
     "rol (8|M0) r20.0<1>:ud r10.0<8;8,1>:ud 26:w\n"
     "rol (8|M0) r21.0<1>:ud r10.0<8;8,1>:ud 21:w\n"
     "xor (8|M0) acc0.0<1>:d r20.0<8;8,1>:d r21.0<8;8,1>:d\n"
     "rol (8|M0) r22.0<1>:ud r10.0<8;8,1>:ud 7:w\n"
     "xor (8|M0) r23.0<1>:d acc0.0<8;8,1>:d r22.0<8;8,1>:d\n"
     "and (8|M0) r24.0<1>:d r10.0<8;8,1>:d r11.0<8;8,1>:d\n"
     "xor (8|M0) acc0.0<1>:d r24.0<8;8,1>:d r12.0<8;8,1>:d\n"
     "add (8|M0) r25.0<1>:d acc0.0<8;8,1>:d r23.0<8;8,1>:d\n"
     "add (8|M0) acc0.0<1>:d r25.0<8;8,1>:d 1116352408:d\n"
     "add (8|M0) r26.0<1>:d acc0.0<8;8,1>:d r13.0<8;8,1>:d\n"
     "shr (8|M0) r27.0<1>:ud r14.0<8;8,1>:ud 3:w\n"
     "rol (8|M0) r28.0<1>:ud r14.0<8;8,1>:ud 25:w\n"
     "xor (8|M0) r29.0<1>:d r27.0<8;8,1>:d r28.0<8;8,1>:d\n"
     "or (8|M0) r15.0<1>:d r11.0<8;8,1>:d r12.0<8;8,1>:d\n"
     "and (8|M0) r16.0<1>:d r15.0<8;8,1>:d r10.0<8;8,1>:d\n"
     "add (8|M0) r14.0<1>:d r29.0<8;8,1>:d r13.0<8;8,1>:d\n"
     "add (8|M0) r10.0<1>:d r26.0<8;8,1>:d r16.0<8;8,1>:d\n"
     "xor (8|M0) r13.0<1>:d r14.0<8;8,1>:d r25.0<8;8,1>:d\n"},
    /* darktable, gaussian_transpose_4c: products of indices, eight lanes at a time */
    {"products of indices", "TGLLP",
     "mul (8|M0) acc0.0<1>:d r10.0<8;8,1>:d r14.4<0;1,0>:uw\n"
     "mach (8|M0) r20.0<1>:d r10.0<8;8,1>:d r14.2<0;1,0>:d\n"
     "mul (8|M8) acc0.0<1>:d r11.0<8;8,1>:d r14.4<0;1,0>:uw\n"
     "mach (8|M8) r21.0<1>:d r11.0<8;8,1>:d r14.2<0;1,0>:d\n"
     "add (16|M0) r20.0<1>:d r20.0<8;8,1>:d r12.0<8;8,1>:d\n"
     "shl (16|M0) r22.0<1>:d r20.0<8;8,1>:d 4:w\n"
     "(W) mul (1|M0) acc0.0<1>:d r14.1<0;1,0>:d r14.4<0;1,0>:uw\n"
     "(W) mach (1|M0) r24.0<1>:d r14.1<0;1,0>:d r14.2<0;1,0>:d\n"
     "add (16|M0) r22.0<1>:d r22.0<8;8,1>:d r24.0<0;1,0>:d\n"
     "cmp (16|M0) (lt)f0.0 null<1>:d r10.0<8;8,1>:ud r14.3<0;1,0>:ud\n"
     "(f0.0) sel (16|M0) acc0.0<1>:uw r15.0<0;1,0>:uw 0:uw\n"
     "and (16|M0) (ne)f0.1 null<1>:uw acc0.0<16;16,1>:uw r16.0<16;16,1>:uw\n"
     "add (16|M0) r26.0<1>:d r22.0<8;8,1>:d 16:w\n"
     "mov (8|M0) null<1>:ud r26.0<8;8,1>:ud\n"},
    /* darktable, gaussian_column_4c: a recursive filter */
    {"filter of floats", "TGLLP",
     "sel (16|M0) (ge)f0.0 r20.0<1>:f r10.0<8;8,1>:f r12.0<0;1,0>:f\n"
     "sel (16|M0) (lt)f0.0 r20.0<1>:f r20.0<8;8,1>:f r12.1<0;1,0>:f\n"
     "mul (16|M0) r22.0<1>:f r20.0<8;8,1>:f r12.2<0;1,0>:f\n"
     "mad (16|M0) r24.0<1>:f r22.0<8;1>:f r10.0<8;1>:f r12.3<0>:f\n"
     "mad (16|M0) r24.0<1>:f r24.0<8;1>:f r16.0<8;1>:f r12.4<0>:f\n"
     "mov (16|M0) r16.0<1>:f r20.0<8;8,1>:f\n"
     "mov (16|M0) r18.0<1>:f r24.0<8;8,1>:f\n"
     "mov (16|M0) r10.0<1>:f r18.0<8;8,1>:f\n"
     "add (16|M0) r26.0<1>:d r26.0<8;8,1>:d r13.0<0;1,0>:d\n"
     "(W) mov (1|M0) r14.0<1>:ud r13.0<0;1,0>:ud\n"},
    /* hashcat, gpu_bzero, and openmm, clearThreeBuffers: threads that live a few instructions */
    {"first instructions", "TGLLP",
     "(W) mul (1|M0) acc0.0<1>:d r14.1<0;1,0>:d r14.4<0;1,0>:uw\n"
     "(W) mach (1|M0) r24.0<1>:d r14.1<0;1,0>:d r14.2<0;1,0>:d\n"
     "add (16|M0) r20.0<1>:d r24.0<0;1,0>:d r16.0<16;16,1>:uw\n"
     "(W) mov (8|M0) null<1>:ud r20.0<8;8,1>:ud\n"
     "cmp (16|M0) (lt)f0.0 null<1>:d r20.0<8;8,1>:ud r14.3<0;1,0>:ud\n"
     "(f0.0) sel (16|M0) acc0.0<1>:uw r15.0<0;1,0>:uw 0:uw\n"
     "or (16|M0) (ne)f0.1 null<1>:uw acc0.0<16;16,1>:uw r16.0<16;16,1>:uw\n"
     "(W) csel (4|M0) (eq)f1.0 r26.0<1>:w r16.0<4;1>:w r17.0<4;1>:w r18.0<1>:w\n"
     "shl (16|M0) r22.0<1>:d r20.0<8;8,1>:d 2:w\n"
     "mov (16|M0) r28.0<1>:f 0x0:f\n"},
};

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void measure(const char *iga64, const struct platform *platform, const char *name, const char *body)
{
    static uint8_t code[CODE_BYTES];
    char text[4096];
    struct sim_fault fault = {0};
    snprintf(text, sizeof text, "L_loop:\n%s%s%s(W) jmpi L_loop\n", body, body, body);
    size_t bytes = case_assemble(iga64, platform->generation, text, code, sizeof code);
    struct eu_program *program = bytes ? eu_program_decode(platform, code, bytes, &fault) : NULL;
    if (program == NULL) {
        sim_fault_print(&fault, name, stderr);
        exit(1);
    }
    struct eu_thread *thread = eu_thread_create(platform);
    uint8_t zeros[4096] = {0};
    uint64_t executed = 0;
    eu_thread_start(thread, program, NULL, zeros, sizeof zeros, UINT32_MAX, 0);
    eu_thread_run(thread, 100000, &executed, &fault);
    executed = 0;
    double begin = seconds();
    eu_thread_run(thread, 6000000, &executed, &fault);
    double elapsed = seconds() - begin;
    printf("%-26s %6.1f million instructions/s\n", name, (double)executed / elapsed * 1e-6);
    eu_thread_destroy(thread);
    eu_program_destroy(program);
}

int main(int argc, char **argv)
{
    if (argc != 2 && argc != 3) {
        fprintf(stderr, "usage: eu_speed IGA64 [NAME]\n");
        return 2;
    }
    for (size_t i = 0; i < sizeof loops / sizeof *loops; i++)
        if (argc == 2 || strcmp(argv[2], loops[i].name) == 0)
            measure(argv[1], platform_find(loops[i].platform), loops[i].name, loops[i].body);
    return 0;
}
