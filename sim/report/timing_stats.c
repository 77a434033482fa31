/* Turns the timing model's sums into rates and shares. */
#include "sim/report/timing_stats.h"

#include <inttypes.h>
#include "sim/timing/program.h"

void sim_stats_add_timing(struct timing_counts *sum, const struct timing_counts *counts)
{
    uint64_t *to = (uint64_t *)sum;
    const uint64_t *from = (const uint64_t *)counts;
    for (size_t i = 0; i < sizeof *sum / sizeof *to; i++)
        to[i] += from[i];
    sum->eus = counts->eus;
    sum->slots = counts->slots;
}

static double share(uint64_t part, double whole)
{
    return whole > 0 ? 100.0 * (double)part / whole : 0;
}

const char *sim_stats_cause_name(enum timing_cause cause)
{
    static const char *const names[TIMING_CAUSES] = {
        [TIMING_CAUSE_NO_THREAD] = "no thread", [TIMING_CAUSE_DEPENDENCY] = "dependency",
        [TIMING_CAUSE_MEMORY] = "memory",       [TIMING_CAUSE_LOCAL] = "SLM",
        [TIMING_CAUSE_SAMPLER] = "sampler",     [TIMING_CAUSE_QUEUE] = "send queue",
        [TIMING_CAUSE_BARRIER] = "barrier",     [TIMING_CAUSE_FENCE] = "fence"};
    return names[cause];
}

static void write_stalls(FILE *out, const struct timing_counts *c, double eu_time)
{
    fputs("\"stalls\": {", out);
    for (int i = 1; i < TIMING_CAUSES; i++)
        fprintf(out, "%s\"%s\": %.1f", i > 1 ? ", " : "", sim_stats_cause_name((enum timing_cause)i),
                share(c->stalled[i], eu_time));
    fputs("}", out);
}

static void write_cache(FILE *out, const char *name, const struct timing_cache_counts *cache)
{
    fprintf(out, ", \"%s\": {\"hits\": %" PRIu64 ", \"misses\": %" PRIu64 "}", name, cache->hits, cache->misses);
}

/* Bytes of a path, and GB/s. */
static void write_path(FILE *out, const char *name, uint64_t bytes, double ns)
{
    fprintf(out, ", \"%s\": {\"bytes\": %" PRIu64 ", \"gbs\": %.2f}", name, bytes, ns > 0 ? (double)bytes / ns : 0);
}

enum timing_class sim_stats_dominant(const struct timing_counts *c, const struct timing_machine *machine)
{
    double peak = (double)c->elapsed / TIMING_TICKS / machine->mhz * machine->dram;
    uint64_t of[TIMING_CLASSES] = {
        [TIMING_CLASS_ISSUE] = c->active + c->stalled[TIMING_CAUSE_DEPENDENCY],
        [TIMING_CLASS_CACHE] =
            c->stalled[TIMING_CAUSE_MEMORY] + c->stalled[TIMING_CAUSE_SAMPLER] + c->stalled[TIMING_CAUSE_QUEUE],
        [TIMING_CLASS_SLM] =
            c->stalled[TIMING_CAUSE_LOCAL] + c->stalled[TIMING_CAUSE_BARRIER] + c->stalled[TIMING_CAUSE_FENCE],
        [TIMING_CLASS_LAUNCH] = c->stalled[TIMING_CAUSE_NO_THREAD]};
    enum timing_class most = TIMING_CLASS_ISSUE;
    if (peak > 0 && 2 * (double)(c->dram_read + c->dram_written) > peak)
        return TIMING_CLASS_DRAM;
    for (int i = 0; i < TIMING_CLASSES; i++)
        most = of[i] > of[most] ? (enum timing_class)i : most;
    return most;
}

void sim_stats_write_timing(FILE *out, const struct timing_counts *c, const struct timing_machine *machine,
                            uint64_t launches, const uint64_t *drawn, unsigned draws)
{
    double clocks = (double)c->elapsed / TIMING_TICKS, ns = clocks * 1000 / machine->mhz;
    double eu_time = (double)c->elapsed * (double)c->eus;
    uint64_t stalled = 0, fpu = c->fpu0 + c->fpu1 - c->both;
    for (int i = 1; i < TIMING_CAUSES; i++)
        stalled += c->stalled[i];
    fprintf(out,
            ",\n     \"timing\": {\"machine\": \"%s\", \"launches\": %" PRIu64
            ", \"GpuCoreClocks\": %.0f, \"GpuTime\": %.0f, \"instructions\": %" PRIu64
            ", \"EuActive\": %.1f, \"EuStall\": %.1f, \"EuIdle\": %.1f, ",
            machine->name, launches, clocks, ns, c->instructions, share(c->active, eu_time), share(stalled, eu_time),
            share(c->stalled[TIMING_CAUSE_NO_THREAD], eu_time));
    write_stalls(out, c, eu_time);
    fprintf(out,
            ", \"Fpu0Active\": %.1f, \"Fpu1Active\": %.1f, \"EuFpuBothActive\": %.1f, \"MathActive\": %.1f, "
            "\"EuSendActive\": %.1f, \"EuAvgIpcRate\": %.2f, \"EuThreadOccupancy\": %.1f",
            share(c->fpu0, eu_time), share(c->fpu1, eu_time), share(c->both, eu_time), share(c->math, eu_time),
            share(c->send, eu_time), fpu ? 1 + (double)c->both / (double)fpu : 0,
            share(c->resident, (double)c->elapsed * (double)c->slots));
    write_cache(out, "L1", &c->l1);
    write_cache(out, "Sampler", &c->sampler);
    write_cache(out, "L3", &c->l3);
    write_cache(out, "LLC", &c->llc);
    write_path(out, "L3ShaderThroughput", c->l3_bytes, ns);
    write_path(out, "SlmThroughput", c->local_bytes, ns);
    write_path(out, "GtiReadThroughput", c->gti_read, ns);
    write_path(out, "GtiWriteThroughput", c->gti_written, ns);
    write_path(out, "DramRead", c->dram_read, ns);
    write_path(out, "DramWrite", c->dram_written, ns);
    fprintf(out, ", \"reads_clock\": %s", c->clock_readers ? "true" : "false");
    if (c->clock_readers)
        fprintf(out, ", \"clock\": \"%s\", \"clock_decides\": %s", c->clock_counted ? "instructions" : "model",
                c->clock_decides ? "true" : "false");
    enum timing_class class = sim_stats_dominant(c, machine);
    fprintf(out, ", \"dominant\": \"%s\", \"error\": %.2f, \"drawn_ns\": [", timing_class_name(class),
            timing_class_error(machine, class));
    for (unsigned i = 0; i < draws; i++)
        fprintf(out, "%s%.0f", i ? ", " : "", (double)drawn[i] * 1000 / machine->mhz);
    fputc(']', out);
    fputc('}', out);
}
