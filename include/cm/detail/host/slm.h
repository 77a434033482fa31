/* Defines shared local memory on the CPU. */
#ifndef CMKIT_CM_DETAIL_HOST_SLM_H
#define CMKIT_CM_DETAIL_HOST_SLM_H

/* Shared local memory always exists; what a thread states and allocates is counted from its start. */
namespace cm_detail
{
static thread_local const host_thread *slm_owner;
static thread_local uint64_t slm_serial;
static thread_local uint32_t slm_next, slm_stated; /* stated: 0, nothing */

inline void check_shared_memory()
{
    if (slm_next > (slm_stated ? slm_stated : current->shared.size))
        host_fail("cm_slm_alloc: more bytes in total than cm_slm_init states, or than the CPU target has");
}
inline void count_shared_memory()
{
    if (slm_owner == current && slm_serial == current->serial)
        return;
    slm_owner = current;
    slm_serial = current->serial;
    slm_next = slm_stated = 0;
}
} // namespace cm_detail
inline void __cm_slm_init(unsigned bytes)
{
    using namespace cm_detail;
    if (bytes > current->shared.size)
        host_fail("cm_slm_init states more shared local memory than the CPU target has");
    count_shared_memory();
    uint32_t stated = (bytes + 15) & ~15u;
    slm_stated = stated > slm_stated ? stated : slm_stated;
    check_shared_memory();
}
inline unsigned __cm_slm_alloc(unsigned bytes)
{
    using namespace cm_detail;
    count_shared_memory();
    uint32_t start = slm_next;
    slm_next += (bytes + 15) & ~15u;
    check_shared_memory();
    return start;
}

#endif
