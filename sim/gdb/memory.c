/* Gives gdb memory by address: GPU addresses, and windows for registers and shared local memory. */
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>
#include "sim/gdb/frames.h"
#include "sim/gdb/session.h"
#include "sim/message/surface.h"

/* A piece of host memory. */
struct piece {
    uint8_t *at;
    size_t size;
    bool is_own; /* the simulator's, which can be read directly */
};

static struct piece no_piece(void)
{
    return (struct piece){NULL, 0, false};
}

static struct piece part(uint8_t *start, uint64_t bytes, uint64_t offset, size_t size)
{
    if (!start || offset >= bytes)
        return no_piece();
    return (struct piece){start + offset, size < bytes - offset ? size : bytes - offset, true};
}

static struct piece find_local(uint64_t offset, size_t size)
{
    const struct message_state *state = gdb.group.state;
    return part(state->slm, state->slm ? state->slm_bytes : 0, offset, size);
}

static struct piece find_global(uint64_t address, size_t size);

static struct piece find_scratch(uint32_t index, uint64_t offset, size_t size)
{
    const struct gdb_group *group = &gdb.group;
    struct surface_scratch own = surface_scratch_find(group->state, group->scratch, group->slots[index]);
    if (offset >= own.bytes)
        return no_piece();
    return find_global(own.address + offset, size < own.bytes - offset ? size : own.bytes - offset);
}

uint32_t gdb_memory_thread(uint64_t address)
{
    uint64_t window = (address & ((UINT64_C(1) << GDB_WINDOW_FRAME_SHIFT) - GDB_WINDOW_BYTES)) + GDB_WINDOW_REGISTERS;
    for (uint32_t index = 0; index < gdb.group.count; index++)
        if (gdb_window_of(gdb.first_thread + index) == window)
            return index;
    return GDB_NO_THREAD;
}

/* The general registers of a thread, and its scratch memory. */
static struct piece find_registers(uint64_t inside, size_t size)
{
    uint32_t index = gdb_memory_thread(inside);
    uint64_t offset = inside & (GDB_WINDOW_BYTES - 1);
    if (index == GDB_NO_THREAD)
        return no_piece();
    if (offset >= GDB_WINDOW_SCRATCH)
        return find_scratch(index, offset - GDB_WINDOW_SCRATCH, size);
    return part(gdb_frames_registers(index, (unsigned)(inside >> GDB_WINDOW_FRAME_SHIFT)),
                (uint64_t)gdb.platform->grf_bytes * gdb.platform->grf_count, offset, size);
}

/* Return addresses of calls, where rsp points. */
static size_t read_calls(uint64_t inside, void *to, size_t size)
{
    uint32_t returns[EU_MOST_CALLS], index = gdb_memory_thread(inside);
    uint64_t stack[EU_MOST_CALLS + 1] = {0}, offset = inside & (GDB_WINDOW_BYTES - 1);
    if (index == GDB_NO_THREAD || offset > GDB_WINDOW_CALLS)
        return 0;
    unsigned depth = eu_thread_calls(gdb.group.threads[index], returns, EU_MOST_CALLS);
    for (unsigned i = 0; i < depth; i++)
        stack[i] = (gdb.group.instruction_base + returns[i]) & UINT64_C(0xffffffffffff);
    uint64_t low = GDB_WINDOW_CALLS - 8 * depth, bytes = 8 * (depth + 1);
    struct piece piece = offset < low ? no_piece() : part((uint8_t *)stack, bytes, offset - low, size);
    if (piece.size)
        memcpy(to, piece.at, piece.size);
    return piece.size;
}

static struct piece find_global(uint64_t address, size_t size)
{
    address &= UINT64_C(0xffffffffffff);
    const struct sim_range *range = sim_space_find(gdb.group.state->space, address);
    struct piece piece = range ? part(range->host, range->size, address - range->gpu, size) : no_piece();
    piece.is_own = false;
    return piece;
}

static struct piece find(uint64_t address, size_t size)
{
    if (gdb.group.count == 0)
        return no_piece();
    switch (address & GDB_WINDOW_MASK) {
    case GDB_WINDOW_REGISTERS: return find_registers(address - GDB_WINDOW_REGISTERS, size);
    case GDB_WINDOW_LOCAL: return find_local(address - GDB_WINDOW_LOCAL, size);
    default: return find_global(address, size);
    }
}

/* Moves bytes between the simulator and memory of the program, which may have unmapped it. */
static size_t transfer(const struct piece *piece, void *own, bool writes)
{
    struct iovec local = {own, piece->size}, remote = {piece->at, piece->size};
    ssize_t moved = writes ? process_vm_writev(getpid(), &local, 1, &remote, 1, 0)
                           : process_vm_readv(getpid(), &local, 1, &remote, 1, 0);
    return moved < 0 ? 0 : (size_t)moved;
}

size_t gdb_memory_read(uint64_t address, void *to, size_t size)
{
    bool is_call = (address & GDB_WINDOW_MASK) == GDB_WINDOW_REGISTERS &&
                   (address & (GDB_WINDOW_BYTES - 1)) >= GDB_WINDOW_REGISTERS_END &&
                   (address & (GDB_WINDOW_BYTES - 1)) < GDB_WINDOW_SCRATCH;
    if (is_call && gdb.group.count)
        return read_calls(address - GDB_WINDOW_REGISTERS, to, size);
    struct piece piece = find(address, size);
    if (!piece.is_own)
        return piece.size ? transfer(&piece, to, false) : 0;
    memcpy(to, piece.at, piece.size);
    return piece.size;
}

bool gdb_memory_write(uint64_t address, const void *from, size_t size)
{
    struct piece piece = find(address, size);
    if (piece.size != size)
        return false;
    if (!piece.is_own)
        return transfer(&piece, (void *)from, true) == size;
    memcpy(piece.at, from, size);
    return true;
}
