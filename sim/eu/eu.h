/* Simulates one EU thread: registers, a decoded kernel, and the interpreter.
 *
 * A kernel is decoded once through libiga64 into compact instructions (eu_program); eu_thread_run() interprets only
 * those. A thread never blocks: if it must wait for others (barrier), it returns and is run again later. */
#ifndef CMKIT_SIM_EU_EU_H
#define CMKIT_SIM_EU_EU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include "sim/base/fault.h"
#include "sim/message/message.h"
#include "tables/platforms.h"

struct eu_program; /* decoded instructions, immutable after decoding: any number of threads may run it at once */

/* Decodes the kernel that starts at `code`; at most `available` bytes may be read. It follows control flow from the
 * first instruction, so bytes after the kernel's end are not read. NULL with `fault` raised if an instruction cannot
 * be decoded, or its encoding, type, region or execution size does not exist on the platform. */
struct eu_program *eu_program_decode(const struct platform *platform, const uint8_t *code, size_t available,
                                     struct sim_fault *fault);
void eu_program_destroy(struct eu_program *program);

/* True if `code` still holds the bytes that `program` was decoded from (the driver reuses kernel memory). */
int eu_program_matches(const struct eu_program *program, const uint8_t *code, size_t available);

size_t eu_program_instructions(const struct eu_program *program);

/* Returns the bytes of code from the first instruction to the end of the last reachable one. */
size_t eu_program_bytes(const struct eu_program *program);

/* A stored thread. Large (register file inside): allocate once per hardware thread and reuse. */
struct eu_thread;

struct eu_thread *eu_thread_create(const struct platform *platform);
void eu_thread_destroy(struct eu_thread *thread);

/* Makes the thread ready to start `program` from its first instruction: registers as after dispatch (r0..: `payload` of
 * `payload_bytes` copied to r0 onwards, the rest filled with a recognisable pattern so that reads of undefined
 * registers show), dispatch mask = `dispatch_mask`, cr0/flags/a0/acc reset. `slot` is the thread's FFTID. The program
 * was decoded for the thread's platform; `state` is NULL for a program that sends no message. */
void eu_thread_start(struct eu_thread *thread, const struct eu_program *program, const struct message_state *state,
                     const void *payload, size_t payload_bytes, uint32_t dispatch_mask, uint32_t slot);

/* Code that a thread can execute: a program, and the instruction pointer of its first instruction (bytes from the
 * instruction base, as in register ip). */
struct eu_code {
    const struct eu_program *program;
    uint32_t ip;
    struct eu_count *counts; /* of its instructions, or NULL */
};

/* Finds the code in which an instruction starts at `ip`; NULL with the fault raised. */
typedef const struct eu_code *eu_find_code(void *context, uint32_t ip, struct sim_fault *fault);

/* Sets the address of the thread's program and the function that finds code outside it. Call it after
 * eu_thread_start(). Without it the program starts at 0 and there is no other code. */
void eu_thread_link(struct eu_thread *thread, uint32_t ip, eu_find_code *find_code, void *context);

/* Makes a pair of two threads that were started: they run on fused units, and their dpasw share operands. The first one
 * has the lower number in the group. */
void eu_thread_pair(struct eu_thread *first, struct eu_thread *second);

/* The named barriers of a group, which its threads share. `count` and `threads` (of the group) are given, the others
 * are 0 at first. */
enum { EU_NAMED_BARRIERS = 32 };
struct eu_barriers {
    unsigned count, threads;
    struct eu_barrier {
        uint32_t phase;                       /* how often all have met */
        uint8_t all_producers, all_consumers; /* of this phase */
        uint8_t producers, consumers;         /* that have signalled */
    } barrier[EU_NAMED_BARRIERS];
};

/* Gives a thread that was started the named barriers of its group. */
void eu_thread_join(struct eu_thread *thread, struct eu_barriers *barriers);

/* True if a thread waits neither for the other one of its pair nor at a named barrier. */
bool eu_thread_can_run(const struct eu_thread *thread);

/* The named barrier at which the thread waits, or -1. */
int eu_thread_awaits(const struct eu_thread *thread);

/* True if an instruction of the program starts `offset` bytes from its first. */
int eu_program_starts_at(const struct eu_program *program, uint32_t offset);

/* Enables the check of software scoreboards: threads then fault if code uses a register that it does not wait for. */
void eu_check_scoreboards(void);

/* Follows uninitialized values (sim/check/init.h), in threads that are created from now on. */
void eu_check_values(void);

enum eu_stop {
    EU_END,     /* end of thread was sent */
    EU_BARRIER, /* waits for the group's barrier: resume with eu_thread_run() once all threads have arrived */
    EU_PAIR,    /* waits for the other thread of its pair, or at a named barrier: resume once eu_thread_can_run() */
    EU_LIMIT,   /* `budget` instructions were executed: call again to go on */
    EU_FAULT
};

/* Runs until one of the above. `*executed` grows by the number of instructions issued. With fault->dropped the thread
 * has reported a skipped access: EU_FAULT then means that the thread must be run again. */
enum eu_stop eu_thread_run(struct eu_thread *thread, uint64_t budget, uint64_t *executed, struct sim_fault *fault);

/* Number of times that an instruction was issued, and the sum of its active channels. */
struct eu_count {
    uint64_t issued, channels;
};

/* Trace output of a thread: each instruction with its registers before and after. */
struct eu_trace {
    FILE *out;
    char label[96]; /* the thread's name, printed before each instruction */
};

/* Counts the thread's instructions in `counts`, one per instruction of the program, and writes them to `trace`; either
 * may be NULL. Call it after eu_thread_start(); both must live as long as the thread runs. */
void eu_thread_observe(struct eu_thread *thread, struct eu_count *counts, const struct eu_trace *trace);

/* Writes what the thread executes to `record` (sim/timing/record.h). Call it after eu_thread_start(). */
struct thread_record;
void eu_thread_record(struct eu_thread *thread, struct thread_record *record);

/* The values of the thread's clock, one for each instruction that reads it; behind `end`, it counts instructions from
 * the last one on. Without this call, and with `next` NULL, it counts instructions from the thread's start on. Call it
 * after eu_thread_start(); the values must live as long as the thread runs. */
void eu_thread_clock(struct eu_thread *thread, const uint64_t *next, const uint64_t *end);

/* Whether an instruction reads the clock. */
bool eu_program_reads_clock(const struct eu_program *program);

/* Classes of instructions for statistics. */
enum { EU_CLASSES = 9 };
const char *eu_class_name(unsigned class);

/* Adds the program's counts up by class: `totals` has EU_CLASSES entries. */
void eu_program_classes(const struct eu_program *program, const struct eu_count *counts, struct eu_count *totals);

/* Adds the thread's position to the fault: the instruction that it executed last. */
void eu_thread_locate(const struct eu_thread *thread, struct sim_fault *fault);

/* Disassembles the instruction at byte `offset` of the program; "" if it is outside. */
void eu_program_disassemble(const struct eu_program *program, uint32_t offset, char *text, size_t size);

/* A debugger: called before each instruction of a thread, whose address as in register ip is `ip`. False: the thread
 * returns EU_LIMIT, and the instruction waits for the thread's next turn. */
typedef bool eu_debugger(void *context, struct eu_thread *thread, uint32_t ip);

/* Calls the debugger from now on. Call it after eu_thread_start(). */
void eu_thread_debug(struct eu_thread *thread, eu_debugger *debugger, void *context);

/* Returns the pointer of the instruction that the thread executes next, as in register ip. */
uint32_t eu_thread_pointer(const struct eu_thread *thread);

/* Continues at another instruction of the program that the thread is in. False: none starts at `ip`. */
bool eu_thread_jump(struct eu_thread *thread, uint32_t ip);

/* Number of instructions that the thread has issued, and its channels: those that execute and those it started with. */
uint64_t eu_thread_issued(const struct eu_thread *thread);
uint32_t eu_thread_channels(const struct eu_thread *thread);
uint32_t eu_thread_dispatched(const struct eu_thread *thread);

/* Writes where the functions that the thread is in return to, innermost first, as in register ip; at most `room`.
 * Returns how many there are. */
enum { EU_MOST_CALLS = 64 };
unsigned eu_thread_calls(const struct eu_thread *thread, uint32_t *returns, unsigned room);

/* An instruction that a thread is about to execute. */
struct eu_view {
    const struct eu_program *program;
    uint32_t index;  /* in the program */
    uint32_t offset; /* bytes from the kernel's start */
    const char *opcode;
    unsigned class;   /* eu_class_name() */
    uint32_t lanes;   /* execution size */
    uint32_t enabled; /* lanes that execute; of a branch: that take it */
    uint32_t active;  /* channels of the thread at this place */
    bool is_predicated;
    const uint8_t *registers;
};

/* Calls the watcher before each instruction. Call it after eu_thread_start(). */
typedef void eu_watcher(void *context, const struct eu_view *view);
void eu_thread_watch(struct eu_thread *thread, eu_watcher *watcher, void *context);

/* Registers for debuggers; each is stored in one piece. */
enum eu_bank { EU_BANK_GENERAL, EU_BANK_ADDRESS, EU_BANK_ACCUMULATOR, EU_BANK_FLAG, EU_BANK_STATE, EU_BANK_CONTROL };
uint8_t *eu_thread_bank(struct eu_thread *thread, enum eu_bank bank);

/* Writes the offsets of the program's instructions that its calls jump to, in ascending order; at most `room`. Returns
 * how many were written. */
size_t eu_program_functions(const struct eu_program *program, uint32_t *offsets, size_t room);

/* Disassembles the instruction at `code`, of which `available` bytes may be read. Returns its size in bytes, 0: none.
 */
unsigned eu_code_disassemble(const struct platform *platform, const uint8_t *code, size_t available, char *text,
                             size_t size);

/* Raw register access for tests: r0..r127. */
uint8_t *eu_thread_grf(struct eu_thread *thread, unsigned reg);

#endif
