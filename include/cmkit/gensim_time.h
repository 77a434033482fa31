/* The interface by which a program asks gensim how certain the times of its timing model are.
 *
 *     gensim_time_range_function *ask = (gensim_time_range_function *)dlsym(RTLD_DEFAULT, "gensim_time_range");
 *
 * Only `gensim --timing` has the function: without it, times are the device's own, or there is no model. */
#ifndef CMKIT_GENSIM_TIME_H
#define CMKIT_GENSIM_TIME_H

#ifdef __cplusplus
extern "C" {
#endif

/* The range of a launch's time. */
struct gensim_time_range {
    double time, low, high;  /* nanoseconds */
    unsigned draws;          /* of gensim --timing-draws: low and high cover their times; 0: none */
    const char *error_class; /* of published measurements ("cache"), by whose error the range is widened */
    double error;            /* its 80th percentile of |ln(model / published)| */
};

/* Fills the range of the process's last launch that was timed. 0: there is none. Any thread may ask. */
typedef int gensim_time_range_function(struct gensim_time_range *range);

#ifdef __cplusplus
}
#endif

#endif
