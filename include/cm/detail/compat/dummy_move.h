/* Defines the built-in of Intel's compiler by which XeTLA waits for a register. On the CPU nothing is late. */
#ifndef CMKIT_CM_DETAIL_COMPAT_DUMMY_MOVE_H
#define CMKIT_CM_DETAIL_COMPAT_DUMMY_MOVE_H

/* __cm_builtin_dummy_mov(value): an instruction that reads `value` and writes nothing that is used, so that the thread
 * waits until `value` has arrived. Source: Intel's cm/cm_gateway.h. */
CM_DETAIL_INLINE void __cm_builtin_dummy_mov(ushort value)
{
#ifndef CMKIT_HOST
    ushort copy;
    asm volatile("mov (M1, 1) %0 %1" : "=r"(copy) : "r"(value));
#else
    (void)value;
#endif
}

#endif
