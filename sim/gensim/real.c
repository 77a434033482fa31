#include "sim/gensim/real.h"

#include <dlfcn.h>
#include "sim/base/process.h"

void *real_find(const char *name)
{
    void *function = dlsym(RTLD_NEXT, name);
    if (!function)
        sim_process_stop("the C library has no %s", name);
    return function;
}
