/* Shows a thread to a debugger: where it is, where it was called from, and its registers. */
#include <string.h>
#include "sim/eu/thread.h"

void eu_thread_debug(struct eu_thread *thread, eu_debugger *debugger, void *context)
{
    thread->debugger = debugger;
    thread->debug_context = context;
}

uint32_t eu_thread_pointer(const struct eu_thread *thread)
{
    const struct eu_program *program = thread->program;
    if (thread->ip < program->count)
        return eu_pointer(thread, &program->instructions[thread->ip]);
    const struct eu_instruction *last = &program->instructions[program->count - 1]; /* the thread has ended */
    return eu_pointer(thread, last) + last->size;
}

bool eu_thread_jump(struct eu_thread *thread, uint32_t ip)
{
    uint32_t offset = ip - thread->origin;
    if (!eu_program_starts_at(thread->program, offset))
        return false;
    thread->ip = thread->program->index[offset / 8];
    return true;
}

uint64_t eu_thread_issued(const struct eu_thread *thread)
{
    return thread->issued;
}

uint32_t eu_thread_channels(const struct eu_thread *thread)
{
    return thread->active;
}

uint32_t eu_thread_dispatched(const struct eu_thread *thread)
{
    return thread->dispatch;
}

unsigned eu_thread_calls(const struct eu_thread *thread, uint32_t *returns, unsigned room)
{
    unsigned depth = thread->call_depth < EU_MOST_CALLS ? thread->call_depth : EU_MOST_CALLS;
    for (unsigned i = 0; i < depth && i < room; i++)
        returns[i] = thread->calls[depth - 1 - i];
    return depth < room ? depth : room;
}

uint8_t *eu_thread_bank(struct eu_thread *thread, enum eu_bank bank)
{
    static const unsigned offsets[] = {[EU_BANK_GENERAL] = EU_FILE_GENERAL,
                                       [EU_BANK_ADDRESS] = EU_FILE_ADDRESS,
                                       [EU_BANK_ACCUMULATOR] = EU_FILE_ACCUMULATOR,
                                       [EU_BANK_FLAG] = EU_FILE_FLAG,
                                       [EU_BANK_STATE] = EU_FILE_STATE,
                                       [EU_BANK_CONTROL] = EU_FILE_CONTROL};
    return thread->file + offsets[bank];
}

/* Adds an offset to those in ascending order. Returns how many there are then. */
static size_t add_offset(uint32_t *offsets, size_t count, size_t room, uint32_t offset)
{
    size_t at = 0;
    while (at < count && offsets[at] < offset)
        at++;
    if (count == room || (at < count && offsets[at] == offset))
        return count;
    memmove(offsets + at + 1, offsets + at, (count - at) * sizeof *offsets);
    offsets[at] = offset;
    return count + 1;
}

size_t eu_program_functions(const struct eu_program *program, uint32_t *offsets, size_t room)
{
    size_t count = 0;
    for (size_t i = 0; i < program->count; i++) {
        const struct eu_instruction *in = &program->instructions[i];
        if (in->op->execute == EU_EXECUTE_call && in->jip != EU_NO_TARGET)
            count = add_offset(offsets, count, room, program->instructions[in->jip].offset);
    }
    return count;
}

unsigned eu_code_disassemble(const struct platform *platform, const uint8_t *code, size_t available, char *text,
                             size_t size)
{
    unsigned bytes = eu_instruction_bytes(code, available);
    if (bytes)
        eu_disassemble(platform, code, available, text, size);
    return bytes;
}
