/* Writes what a profile's page says of the EUs' time, of one run and of two side by side. */
#include "sim/report/profile_internal.h"
#include "sim/report/profile_svg.h"
#include "sim/report/timing_stats.h"
#include "sim/timing/program.h"

static double share(uint64_t part, uint64_t whole)
{
    return whole > 0 ? 100 * (double)part / (double)whole : 0;
}

/* The figures of this run, in the units of the JSON. */
static void take_figures(const struct profile *p, const struct profile_kernel *k, double figure[PROFILE_FIGURES])
{
    const struct timing_counts *c = &k->counts;
    uint64_t time = c->elapsed * c->eus, stalled = 0;
    for (int i = 1; i < TIMING_CAUSES; i++)
        stalled += c->stalled[i];
    figure[FIGURE_LAUNCHES] = (double)k->launches;
    figure[FIGURE_CLOCKS] = (double)profile_clocks(c->elapsed);
    figure[FIGURE_NS] = (double)c->elapsed / TIMING_TICKS * 1000 / p->machine->mhz;
    figure[FIGURE_INSTRUCTIONS] = (double)c->instructions;
    figure[FIGURE_ACTIVE] = share(c->active, time);
    figure[FIGURE_STALLED] = share(stalled, time);
    figure[FIGURE_IDLE] = share(c->stalled[TIMING_CAUSE_NO_THREAD], time);
    figure[FIGURE_OCCUPANCY] = share(c->resident, c->elapsed * c->slots);
    figure[FIGURE_L3] = (double)c->l3_bytes;
    figure[FIGURE_LOCAL] = (double)c->local_bytes;
    figure[FIGURE_DRAM_READ] = (double)c->dram_read;
    figure[FIGURE_DRAM_WRITTEN] = (double)c->dram_written;
}

/* Shares are compared by their difference, all else by its ratio. */
static void write_row(FILE *out, enum profile_figure figure, double before, double now)
{
    static const char *const names[PROFILE_FIGURES] = {[FIGURE_LAUNCHES] = "launches",
                                                       [FIGURE_CLOCKS] = "clocks",
                                                       [FIGURE_NS] = "nanoseconds",
                                                       [FIGURE_INSTRUCTIONS] = "instructions",
                                                       [FIGURE_ACTIVE] = "EU active %",
                                                       [FIGURE_STALLED] = "stalled %",
                                                       [FIGURE_IDLE] = "idle %",
                                                       [FIGURE_OCCUPANCY] = "thread occupancy %",
                                                       [FIGURE_L3] = "bytes of L3",
                                                       [FIGURE_LOCAL] = "bytes of local memory",
                                                       [FIGURE_DRAM_READ] = "bytes read from memory",
                                                       [FIGURE_DRAM_WRITTEN] = "bytes written to memory"};
    int percent = figure >= FIGURE_ACTIVE && figure <= FIGURE_OCCUPANCY, digits = percent ? 1 : 0;
    fprintf(out, "<tr class=\"both\"><td>%s</td><td class=\"n\">%.*f</td><td class=\"n\">%.*f</td><td class=\"n\">",
            names[figure], digits, before, digits, now);
    if (percent)
        fprintf(out, "%+.1f", now - before);
    else if (before > 0)
        fprintf(out, "%+.1f %%", 100 * (now / before - 1));
    fputs("</td></tr>\n", out);
}

void profile_write_bar(FILE *out, double active, const double stalled[TIMING_CAUSES])
{
    struct svg_part part[TIMING_CAUSES + 1] = {{0, "active", active}};
    size_t parts = 1;
    for (int i = 1; i < TIMING_CAUSES; i++)
        if (stalled[i] > 0)
            part[parts++] = (struct svg_part){(size_t)i, sim_stats_cause_name((enum timing_cause)i), stalled[i]};
    part[parts++] = (struct svg_part){TIMING_CAUSES, "idle", stalled[TIMING_CAUSE_NO_THREAD]};
    svg_bar(out, part, parts);
}

void profile_write_comparison(FILE *out, const struct profile *p, const struct profile_kernel *k,
                              const struct profile_old *old)
{
    double now[PROFILE_FIGURES];
    take_figures(p, k, now);
    fputs("<h4>Before</h4>\n", out);
    profile_write_bar(out, old->figure[FIGURE_ACTIVE], old->stalled);
    fputs("<h3>Side by side</h3>\n<table><tr><th></th><th class=\"n\">before</th>"
          "<th class=\"n\">now</th><th class=\"n\">change</th></tr>\n",
          out);
    for (int i = 0; i < PROFILE_FIGURES; i++)
        write_row(out, (enum profile_figure)i, old->figure[i], now[i]);
    fputs("</table>\n", out);
}
