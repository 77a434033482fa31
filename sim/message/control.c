/* Performs messages without data: fences, barriers, the end of a thread. */
#include "sim/message/handlers.h"
#include "sim/message/request.h"
#include "sim/message/surface.h"

/* Orders the thread's earlier accesses before its later ones, also for other host threads. */
enum message_effect message_fence(struct request *request)
{
    struct check_group *check = request->message->state->check;
    bool is_local = request->kind->address == ADDRESS_LSC_SLM || (request->descriptor & UINT8_MAX) == INDEX_SLM;
    if (check && is_local)
        check_group_fence(check);
    else if (check)
        check_group_global_fence(check);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    return MESSAGE_DONE;
}

enum message_effect message_barrier(struct request *request)
{
    (void)request;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    return MESSAGE_BARRIER;
}

enum message_effect message_end_of_thread(struct request *request)
{
    if (!request->message->end_of_thread)
        return request_fault(request, "sent by an instruction that does not end the thread");
    return MESSAGE_END_OF_THREAD;
}
