#include "sim/base/plugin_file.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include "include/cmkit/gensim_plugin.h"

const struct gensim_plugin *sim_plugin_load(const char *text, char *options, size_t options_room, char *problem,
                                            size_t room)
{
    char file[PATH_MAX];
    const char *equals = strchr(text, '=');
    snprintf(file, sizeof file, "%.*s", equals ? (int)(equals - text) : (int)strlen(text), text);
    snprintf(options, options_room, "%s", equals ? equals + 1 : "");
    void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        snprintf(problem, room, "%s", dlerror());
        return NULL;
    }
    __typeof__(&gensim_plugin) get = (__typeof__(&gensim_plugin))dlsym(library, "gensim_plugin");
    const struct gensim_plugin *found = get ? get() : NULL;
    if (found && found->version == GENSIM_PLUGIN_VERSION)
        return found;
    if (found)
        snprintf(problem, room, "%s is for version %u of the interface, this gensim has %d", file, found->version,
                 GENSIM_PLUGIN_VERSION);
    else
        snprintf(problem, room, "%s is no plug-in: it has no function gensim_plugin()", file);
    dlclose(library);
    return NULL;
}
