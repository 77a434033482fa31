#include "lower/analysis/simdcf_joins.h"

#include <stdlib.h>
#include <string.h>

static void add_reachable(const struct cfg *cfg, unsigned from, unsigned end, bool *part)
{
    for (unsigned i = 0; i < cfg->successor_count[from]; i++) {
        unsigned s = cfg->successors[from][i];
        if (s == end || part[s])
            continue;
        part[s] = true;
        add_reachable(cfg, s, end, part);
    }
}

/* True if the blocks reachable from `entry` form one piece of the region that is entered at `entry` only and left to
 * `end` only. */
static bool is_part(const struct cfg *cfg, const unsigned *region, unsigned entry, unsigned end, const bool *part)
{
    for (unsigned b = 0; b < cfg->count; b++) {
        bool between = b > entry && b < end && region[b] == region[end];
        if (part[b] ? !cfg_dominates(cfg, entry, b) || (b != entry && !between) : between)
            return false;
    }
    for (unsigned i = 0; i < cfg->predecessor_count[end]; i++) {
        unsigned p = cfg->predecessors[end][i];
        if (p != entry && !part[p])
            return false;
    }
    return true;
}

struct join join_find(const struct cfg *cfg, const unsigned *region, unsigned end)
{
    struct join join = {.entry = CFG_NONE};
    bool *part = ir_calloc(cfg->count, sizeof *part);
    for (unsigned entry = end; join.entry == CFG_NONE && entry != cfg->dominator[entry];) {
        entry = cfg->dominator[entry];
        if (entry == CFG_NONE || region[entry] != region[end])
            break;
        memset(part, 0, cfg->count * sizeof *part);
        add_reachable(cfg, entry, end, part);
        if (is_part(cfg, region, entry, end, part))
            join = (struct join){.entry = entry, .loops = part[entry]};
    }
    free(part);
    return join;
}
