/* Raises faults of a thread and adds the current instruction. */
#include "sim/eu/thread.h"

#include <assert.h>

static void locate(const struct eu_thread *thread, const struct eu_instruction *in, struct sim_fault *fault)
{
    const struct eu_program *program = thread->program;
    if (fault->has_ip)
        return;
    fault->ip = eu_kernel_offset(thread, in);
    fault->has_ip = 1;
    eu_disassemble(program->platform, program->code + in->offset, program->extent - in->offset, fault->instruction,
                   sizeof fault->instruction);
}

void eu_program_disassemble(const struct eu_program *program, uint32_t offset, char *text, size_t size)
{
    assert(text && size);
    text[0] = 0;
    if (offset < program->extent)
        eu_disassemble(program->platform, program->code + offset, program->extent - offset, text, size);
}

void eu_thread_fault(struct eu_thread *thread, const struct eu_instruction *in, const char *format, ...)
{
    assert(thread->fault);
    char what[sizeof thread->fault->what];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    eu_stop_thread(thread, EU_FAULT);
    struct sim_fault *fault = thread->fault;
    sim_fault_raise(fault, "%s", what);
    locate(thread, in, fault);
}

void eu_thread_locate(const struct eu_thread *thread, struct sim_fault *fault)
{
    assert(thread->program && fault);
    locate(thread, &thread->program->instructions[thread->ip > 0 ? thread->ip - 1 : 0], fault);
}
