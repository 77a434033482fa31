/* Exports gensim_time_range(), which programs look up by its name (include/cmkit/gensim_time.h). */
#include "include/cmkit/gensim_time.h"
#include "sim/gensim/real.h"
#include "sim/report/time_range.h"

EXPORT gensim_time_range_function gensim_time_range;

int gensim_time_range(struct gensim_time_range *range)
{
    return sim_time_range_last(range);
}
