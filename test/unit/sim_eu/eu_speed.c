/* eu_speed IGA64   runs loops of common instructions and prints how many the interpreter executes in a second.
 * A measuring tool, not a test: nothing depends on time. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include "case_file.h"
#include "sim/eu/eu.h"

enum { CODE_BYTES = 1 << 14 };

/* Bodies of a loop that runs until the instruction budget ends. */
static const struct {
    const char *name, *body;
} loops[] = {
    {"float add mul mad", "add (16|M0) r20.0<1>:f r10.0<8;8,1>:f r12.0<8;8,1>:f\n"
                          "mul (16|M0) r22.0<1>:f r20.0<8;8,1>:f r14.3<0;1,0>:f\n"
                          "mad (16|M0) r24.0<1>:f r10.0<8;1>:f r12.0<8;1>:f r16.0<1>:f\n"
                          "add (16|M0) r20.0<1>:f r20.0<8;8,1>:f -r22.0<8;8,1>:f\n"
                          "mul (16|M0) r22.0<1>:f r20.0<8;8,1>:f 0x3f000000:f\n"
                          "mad (16|M0) r24.0<1>:f r24.0<8;1>:f r12.0<8;1>:f r16.2<0>:f\n"},
    {"integer add shl and", "add (16|M0) r20.0<1>:d r10.0<8;8,1>:d r12.0<8;8,1>:d\n"
                            "shl (16|M0) r22.0<1>:d r20.0<8;8,1>:d 2:w\n"
                            "and (16|M0) r24.0<1>:ud r22.0<8;8,1>:ud r14.3<0;1,0>:ud\n"
                            "add (16|M0) r20.0<1>:d r20.0<8;8,1>:d 1:w\n"
                            "add (16|M0) r20.0<1>:d r20.0<8;8,1>:d r1.0<16;16,1>:uw\n"
                            "asr (16|M0) r22.0<1>:d r20.0<8;8,1>:d 31:w\n"},
    {"compare and select", "cmp (16|M0) (lt)f0.0 null<1>:f r10.0<8;8,1>:f r12.0<8;8,1>:f\n"
                           "(f0.0) sel (16|M0) r20.0<1>:f r10.0<8;8,1>:f r12.0<8;8,1>:f\n"
                           "(f0.0) add (16|M0) r22.0<1>:f r10.0<8;8,1>:f r12.0<8;8,1>:f\n"
                           "cmp (16|M0) (ge)f0.1 null<1>:d r10.0<8;8,1>:d 7:w\n"
                           "sel (16|M0) (ge)f0.0 r20.0<1>:d r10.0<8;8,1>:d r12.0<8;8,1>:d\n"},
    {"bytes to floats and back", "mov (16|M0) r20.0<1>:f r10.3<16;16,1>:ub\n"
                                 "add (16|M0) r20.0<1>:f r20.0<8;8,1>:f r22.0<8;8,1>:f\n"
                                 "mov (16|M0) r24.0<1>:d r20.0<8;8,1>:f\n"
                                 "mov (16|M0) r26.0<1>:ub r24.0<32;8,4>:ub\n"},
    {"scalar", "(W) add (1|M0) r20.0<1>:d r10.0<0;1,0>:d r12.0<0;1,0>:d\n"
               "(W) mov (1|M0) r20.1<1>:ud r10.0<0;1,0>:ud\n"
               "(W) mov (1|M0) a0.0<1>:ud 0x20:ud\n"
               "(W) shl (1|M0) r20.2<1>:d r10.0<0;1,0>:d 3:w\n"},
};

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
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
    eu_thread_run(thread, 4000000, &executed, &fault);
    double elapsed = seconds() - begin;
    printf("%-26s %6.1f million instructions/s\n", name, (double)executed / elapsed * 1e-6);
    eu_thread_destroy(thread);
    eu_program_destroy(program);
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: eu_speed IGA64\n");
        return 2;
    }
    for (size_t i = 0; i < sizeof loops / sizeof *loops; i++)
        measure(argv[1], platform_find("ICLLP"), loops[i].name, loops[i].body);
    return 0;
}
