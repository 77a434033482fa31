/* Implements shared functions for tests of the EU alone, with two messages: the thread spawner's end of thread, and a
 * data cache message that returns, in each destination dword, a property of the message, so that cases can check it:
 * dword 0 descriptor, 1 extended descriptor, 2 exec size, 3 exec mask, 4 channel offset, 5 src0 registers, 6 src1
 * registers, 7 first payload dword of src0 plus first payload dword of src1. The gateway signals barriers. */
#include <string.h>
#include "sim/message/message.h"

enum { GATEWAY = 3, THREAD_SPAWNER = 7, DATA_CACHE_1 = 12 };

enum message_effect message_send(const struct message *m, struct sim_fault *fault)
{
    uint32_t first = 0, second = 0;
    if (m->sfid == THREAD_SPAWNER || (m->sfid == GATEWAY && m->end_of_thread))
        return MESSAGE_END_OF_THREAD;
    if (m->sfid == GATEWAY)
        return MESSAGE_BARRIER;
    if (m->sfid != DATA_CACHE_1) {
        sim_fault_raise(fault, "the test knows no shared function %u", m->sfid);
        return MESSAGE_FAULT;
    }
    if (m->src0 != NULL)
        memcpy(&first, m->src0, sizeof first);
    if (m->src1 != NULL)
        memcpy(&second, m->src1, sizeof second);
    uint32_t report[8] = {m->descriptor,     m->extended,  m->exec_size, m->exec_mask,
                          m->channel_offset, m->src0_regs, m->src1_regs, first + second};
    if (m->dst != NULL)
        memcpy(m->dst, report, sizeof report);
    return MESSAGE_DONE;
}

/* Nothing is planned here: every message comes to message_send() as the EU builds it. */
struct message_plan *message_plan_create(const struct platform *platform, const struct message *shape)
{
    (void)platform, (void)shape;
    return NULL;
}

bool message_plan_computes(const struct message_plan *plan)
{
    (void)plan;
    return true;
}

const char *message_name(const struct platform *platform, uint32_t sfid, uint32_t descriptor)
{
    (void)platform, (void)sfid, (void)descriptor;
    return "message";
}
