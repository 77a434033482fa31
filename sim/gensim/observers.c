#include "sim/gensim/observers.h"

#include <stdio.h>
#include <unistd.h>
#include "sim/base/process.h"
#include "sim/check/report.h"
#include "sim/eu/eu.h"
#include "sim/report/events.h"
#include "sim/report/fidelity.h"
#include "sim/report/profile.h"
#include "sim/report/save.h"
#include "sim/report/stats.h"
#include "sim/report/trace.h"
#include "sim/stream/dispatcher.h"
#include "sim/stream/record.h"

static int error_exit; /* status of a process in which a check has found something; 0: its own */
static pid_t process;  /* that the observers watch */

/* What checks have found stands beside the fault that ends the process. */
static void report_at_fault(const struct sim_fault *fault)
{
    (void)fault;
    if (process == getpid())
        check_report_end();
}

void observers_read(const struct sim_options *options)
{
    const char *problem = check_suppressions_read(options->suppress);
    if (!problem)
        problem = check_document_start(options->report, options->gen_suppressions);
    if (problem)
        sim_process_stop("%s", problem);
}

void observers_start(const struct sim_options *options)
{
    process = getpid();
    if (options->stats)
        sim_stats_start(options->platform, options->stats);
    if (options->events)
        sim_events_start(options->events, options->window);
    if (options->profile)
        sim_profile_start(options->platform, options->profile, options->against, options->sources);
    if (options->checks) {
        dispatcher_check(options->checks);
        error_exit = options->error_exit;
    }
    if (options->fidelity)
        sim_fidelity_start();
}

void observers_begin(const struct sim_options *options)
{
    if (options->tracing)
        sim_trace_start(&options->trace);
    sim_save_start(options->save_kernels);
    launch_record_start(options->save_trace, options->threads == 1 && !options->checks);
    const char *problem = options->plugin ? dispatcher_show(options->platform, options->plugin) : NULL;
    if (problem)
        sim_process_stop("--plugin: %s", problem);
    problem = options->gdb ? dispatcher_debug(options->platform, options->gdb) : NULL;
    if (problem)
        sim_process_stop("%s", problem);
    if (options->check_scoreboard)
        eu_check_scoreboards();
    observers_start(options);
    if (options->checks)
        sim_process_at_fault(report_at_fault);
}

void observers_finish(void)
{
    sim_trace_finish();
    dispatcher_finish();
    sim_stats_write();
    sim_profile_write();
    sim_events_write();
    sim_process_report_dropped();
    sim_fidelity_print();
    if (check_report_end() && error_exit) {
        fflush(NULL);
        _exit(error_exit);
    }
}
