/* Loads a plug-in (gensim --plugin) and calls it: include/cmkit/gensim_plugin.h. */
#ifndef CMKIT_SIM_PLUGIN_PLUGIN_H
#define CMKIT_SIM_PLUGIN_PLUGIN_H

#include <stdbool.h>
#include "include/cmkit/gensim_plugin.h"
#include "sim/eu/eu.h"

/* Loads FILE or FILE=OPTIONS and starts it. `host` lives for ever. NULL, or a static sentence that says why it cannot.
 */
const char *plugin_start(const char *text, const struct gensim_host *host);

/* Calls the plug-in's finish(). */
void plugin_finish(void);

bool plugin_is_wanted(void);

/* Begins a launch; `data` is for the other calls. Call plugin_kernel_end() when all groups have ended. */
void plugin_kernel_begin(const struct gensim_kernel *kernel, void **data);
void plugin_kernel_end(const struct gensim_kernel *kernel, void *data);

/* A group while it runs on one host thread. */
struct plugin_group {
    struct gensim_group group;
    void *data;
    const struct eu_program *program;  /* the kernel's */
    struct gensim_instruction current; /* which accesses are of */
    struct message_watch watch;
};

/* Begins a group of the kernel: watches its threads and their accesses. */
void plugin_group_begin(struct plugin_group *group, const struct gensim_kernel *kernel, void *kernel_data,
                        const uint32_t id[3], const struct eu_program *program, struct message_state *state);
void plugin_group_end(struct plugin_group *group);

/* Watches thread `index` of the group, which has been started. */
void plugin_thread_begin(struct plugin_group *group, struct eu_thread *thread);

/* Says which thread runs from now on. */
static inline void plugin_group_thread(struct plugin_group *group, uint32_t index)
{
    group->current.thread = index;
}

#endif
