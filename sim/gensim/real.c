#include "sim/gensim/real.h"

#include <dlfcn.h>
#include <stddef.h>
#include "sim/base/process.h"

void *real_look(const char *library, const char *name)
{
    void *function = dlsym(RTLD_NEXT, name);
    /* The program may have loaded the library for one of its own libraries alone (RTLD_LOCAL). */
    void *loaded = function ? NULL : dlopen(library, RTLD_LAZY | RTLD_NOLOAD);
    if (loaded)
        function = dlsym(loaded, name);
    return function;
}

void *real_find(const char *library, const char *name)
{
    void *function = real_look(library, name);
    if (!function)
        sim_process_stop("%s has no %s", library, name);
    return function;
}
