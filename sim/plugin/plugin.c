#include "sim/plugin/plugin.h"

#include <assert.h>
#include "sim/base/plugin_file.h"

static const struct gensim_plugin *plugin; /* NULL: none */

const char *plugin_start(const char *text, const struct gensim_host *host)
{
    static char problem[512], options[1024];
    assert(!plugin);
    plugin = sim_plugin_load(text, options, sizeof options, problem, sizeof problem);
    if (!plugin)
        return problem;
    if (plugin->start)
        plugin->start(host, options);
    return NULL;
}

void plugin_finish(void)
{
    if (plugin && plugin->finish)
        plugin->finish();
}

bool plugin_is_wanted(void)
{
    return plugin != NULL;
}

void plugin_kernel_begin(const struct gensim_kernel *kernel, void **data)
{
    *data = plugin->kernel_begin ? plugin->kernel_begin(kernel) : NULL;
}

void plugin_kernel_end(const struct gensim_kernel *kernel, void *data)
{
    if (plugin->kernel_end)
        plugin->kernel_end(kernel, data);
}

/* Calls the plug-in before an instruction. */
static void watch_instruction(void *context, const struct eu_view *view)
{
    struct plugin_group *group = context;
    group->current = (struct gensim_instruction){
        .thread = group->current.thread,
        .offset = view->offset,
        .index = view->program == group->program ? view->index : UINT32_MAX,
        .opcode = view->opcode,
        .what = (enum gensim_class)view->class,
        .lanes = view->lanes,
        .enabled = view->enabled,
        .active = view->active,
        .is_predicated = view->is_predicated,
        .registers = view->registers,
    };
    if (plugin->instruction)
        plugin->instruction(&group->group, group->data, &group->current);
}

static void watch_access(void *context, uint64_t address, uint64_t size, enum message_watched what, bool is_local)
{
    struct plugin_group *group = context;
    const struct gensim_access access = {.address = address,
                                         .size = size,
                                         .memory = is_local ? GENSIM_LOCAL : GENSIM_GLOBAL,
                                         .direction = what == MESSAGE_READS    ? GENSIM_READ
                                                      : what == MESSAGE_WRITES ? GENSIM_WRITE
                                                                               : GENSIM_ATOMIC};
    plugin->access(&group->group, group->data, &group->current, &access);
}

void plugin_group_begin(struct plugin_group *group, const struct gensim_kernel *kernel, void *kernel_data,
                        const uint32_t id[3], const struct eu_program *program, struct message_state *state)
{
    *group = (struct plugin_group){.group = {kernel, kernel_data, {id[0], id[1], id[2]}}, .program = program};
    group->watch = (struct message_watch){.accessed = watch_access, .context = group};
    group->data = plugin->group_begin ? plugin->group_begin(&group->group) : NULL;
    state->watch = plugin->access ? &group->watch : NULL;
}

void plugin_thread_begin(struct plugin_group *group, struct eu_thread *thread)
{
    eu_thread_watch(thread, watch_instruction, group);
}

void plugin_group_end(struct plugin_group *group)
{
    if (plugin->group_end)
        plugin->group_end(&group->group, group->data);
}
