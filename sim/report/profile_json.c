/* Writes a profile as JSON: what the page shows, number by number. */
#include <inttypes.h>
#include "sim/report/profile_internal.h"
#include "sim/report/timing_stats.h"

static void write_text(FILE *out, const char *text)
{
    fputc('"', out);
    for (; *text; text++)
        fputc(*text >= ' ' && *text <= '~' && *text != '"' && *text != '\\' ? *text : '?', out);
    fputc('"', out);
}

/* A line an instruction, so that text tools can read it. */
static void write_line(FILE *out, const struct profile_line *line)
{
    fprintf(out, "      {\"offset\": %" PRIu32 ", \"source\": ", line->text.offset);
    write_text(out, line->text.source);
    fputs(", \"visa\": ", out);
    write_text(out, line->text.visa);
    fprintf(out, ", \"executed\": %" PRIu64 ", \"cycles\": %" PRIu64 ", \"active\": %" PRIu64, line->sum.executed,
            profile_cost(line), profile_clocks(line->sum.active));
    for (int i = 1; i < TIMING_CAUSES; i++)
        fprintf(out, ", \"%s\": %" PRIu64, sim_stats_cause_name((enum timing_cause)i),
                profile_clocks(line->sum.stalled[i]));
    fputs(", \"text\": ", out);
    write_text(out, line->text.text);
    fputc('}', out);
}

static void write_series(FILE *out, const struct profile_kernel *k)
{
    static const char *const names[] = {"resident", "active", "stalled", "l3_bytes", "slm_bytes", "dram_bytes"};
    fprintf(out, "     \"over_time\": {\"clocks_each\": %" PRIu64, profile_clocks(k->each));
    for (int s = 0; s < TIMING_SERIES; s++) {
        int is_time = s <= TIMING_SERIES_STALLED;
        fprintf(out, ", \"%s\": [", names[s]);
        for (uint64_t i = 0; i < TIMING_BUCKETS && i * k->each < k->longest; i++)
            fprintf(out, "%s%" PRIu64, i ? "," : "", is_time ? profile_clocks(k->series[s][i]) : k->series[s][i]);
        fputc(']', out);
    }
    fputs("}", out);
}

static void write_kernel(FILE *out, const struct profile *profile, const struct profile_kernel *k)
{
    fputs("    {\"kernel\": ", out);
    write_text(out, k->name);
    fprintf(out, ", \"kernel_hash\": \"%016" PRIx64 "\", \"simd\": %" PRIu32 ", \"flops\": %" PRIu64, k->hash, k->simd,
            k->flops);
    sim_stats_write_timing(out, &k->counts, profile->machine, k->launches, NULL, 0);
    fputs(",\n     \"lines\": [\n", out);
    for (size_t i = 0; i < k->lines; i++) {
        write_line(out, &k->line[i]);
        fputs(i + 1 < k->lines ? ",\n" : "\n", out);
    }
    fputs("     ],\n", out);
    write_series(out, k);
    fputs("}", out);
}

void profile_write_json(FILE *out, const struct profile *profile)
{
    fprintf(out,
            "{\"gensim_profile\": 1, \"device\": \"%s\", \"machine\": \"%s\", \"mhz\": %u,\n"
            "  \"peaks\": {\"flops\": %.0f, \"slm\": %.0f, \"l3\": %.0f, \"dram\": %.0f, \"dram_streams\": %.0f},\n"
            "  \"kernels\": [\n",
            profile->platform->ocloc, profile->machine->name, profile->machine->mhz, profile->peaks.flops,
            profile->peaks.local, profile->peaks.l3, profile->peaks.dram, profile->peaks.limit);
    for (const struct profile_kernel *k = profile->kernels; k; k = k->next) {
        write_kernel(out, profile, k);
        fputs(k->next ? ",\n" : "\n", out);
    }
    fputs("]}\n", out);
}
