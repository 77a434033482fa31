/* Finds code that uses the registers or the memory of a home for something else. */
#ifndef CMKIT_VISA_EMIT_DEBUG_REUSE_H
#define CMKIT_VISA_EMIT_DEBUG_REUSE_H

#include "visa_emit/debug_places.h"

/* True if the code writes bytes of a home in scratch memory for another variable. */
bool debug_home_is_shared(const struct debug_code *code, const struct visa_kernel *unit, unsigned home,
                          const struct debug_place *place, unsigned bytes, unsigned register_bytes);

/* Removes from a list of ranges what may be behind code of the variable's scope that writes its home for another one,
 * up to where the home has its value again: when registers run out, the finalizer takes those of a home up to where all
 * of it is written, although a part of it, which nothing writes, is read at the end. */
size_t debug_ranges_without_reuse(struct debug_range **ranges, size_t count, const struct debug_code *code,
                                  const struct visa_kernel *unit, const struct debug_variable *variable,
                                  const struct debug_place *place, unsigned bytes, unsigned register_bytes);

#endif
