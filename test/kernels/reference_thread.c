/* Scalar references of the kernels that ask for what a thread and its part are, and of messages and instructions that
 * are spelt out. */
#include "elements.h"
#include "reference.h"

static void raw_messages(const void *in, void *out, unsigned thread)
{
    IN(u32, block, 16, thread * 64 + 4);
    IN(u32, from, 16, 256 + thread * 64);
    u32 result[32];
    EACH(k, 16) result[k] = block[k];
    EACH(k, 8)
    {
        result[16 + k] = from[7 - k];
        result[24 + k] = block[k] & 1 ? from[7 - k] : 77;
    }
    OUT(thread * 128, result);
}

static void thread_registers(const void *in, void *out, unsigned thread)
{
    u32 result[8] = {thread / 4, 0, 1};
    (void)in;
    OUT(thread * 32, result);
}

static void state_register(const void *in, void *out, unsigned thread)
{
    u32 result[2] = {1, 1};
    (void)in;
    OUT(thread * 8, result);
}

static void chosen_surfaces(const void *in, void *out, unsigned thread)
{
    IN(u32, v, 8, thread * 64);
    u32 w[16];
    EACH(k, 8) w[k] = v[k] + 1;
    EACH(k, 8) w[8 + k] = thread & 1 ? v[k] : w[k];
    w[15] = thread & 1 ? 5 : thread == 0 ? 7 : 6;
    OUT(thread * 64, w);
}

const struct reference thread_table[] = {
    ROW(raw_messages), ROW(thread_registers), ROW(state_register), ROW(chosen_surfaces), {NULL, NULL}};
