#include "sim/process.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

_Noreturn void sim_process_fault(const struct sim_fault *fault, const char *where)
{
    static atomic_flag reported = ATOMIC_FLAG_INIT;
    if (atomic_flag_test_and_set(&reported))
        for (;;)
            pause(); /* another thread is ending the process */
    sim_fault_print(fault, where, stderr);
    /* Not exit(): the program's own handlers would run on a thread of the simulator while the program still runs. */
    _exit(SIM_EXIT_FAULT);
}

_Noreturn void sim_process_stop(const char *format, ...)
{
    struct sim_fault fault = {.raised = 1};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(fault.what, sizeof fault.what, format, arguments);
    va_end(arguments);
    sim_process_fault(&fault, "");
}
