/* Opens the file of a plug-in; gensim does so before it starts the program, and its library again inside. */
#ifndef CMKIT_SIM_BASE_PLUGIN_FILE_H
#define CMKIT_SIM_BASE_PLUGIN_FILE_H

#include <stddef.h>

struct gensim_plugin;

/* Loads FILE or FILE=OPTIONS, a path with a slash. The file stays loaded. NULL with a sentence in `problem` if it is no
 * plug-in of this version. */
const struct gensim_plugin *sim_plugin_load(const char *text, char *options, size_t options_room, char *problem,
                                            size_t room);

#endif
