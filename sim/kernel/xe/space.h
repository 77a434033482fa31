/* Keeps a GPU's address space that the program changes while batches use it, as long-running spaces of xe are.
 *
 * Changes do not touch what batches have: they take versions, and a version never changes. It keeps alive what it
 * shows. A batch that waits for the program (a ring that is fed through memory) takes the newest version when its wait
 * ends, so what was bound before the program ended the wait is there. */
#ifndef CMKIT_SIM_KERNEL_XE_SPACE_H
#define CMKIT_SIM_KERNEL_XE_SPACE_H

#include <stdbool.h>

#include "sim/base/space.h"
#include "sim/kernel/objects.h"

#define XE_ADDRESS_LIMIT (UINT64_C(1) << 48)

struct xe_space;
struct xe_version;

/* An empty space; the caller has one reference to it. `has_scratch_page`: a real GPU has a page there that takes writes
 * to addresses where nothing is bound. NULL: no memory. */
struct xe_space *xe_space_create(bool has_scratch_page);
bool xe_space_has_scratch_page(const struct xe_space *space);
struct xe_space *xe_space_reference(struct xe_space *space);
void xe_space_release(struct xe_space *space);

/* Shows `size` bytes of `host` at `address`, in place of what was there; whole pages. `object` is what `host` lies in:
 * the space takes its own references to it. NULL: the program's memory. 0 or -ENOMEM, and then nothing has changed. */
int xe_space_map(struct xe_space *space, uint64_t address, uint64_t size, uint8_t *host, struct object *object);
/* Hides the range, whole pages: bindings that reach beyond it keep their other parts. 0 or -ENOMEM. */
int xe_space_unmap(struct xe_space *space, uint64_t address, uint64_t size);
/* Hides the object wherever it is. */
void xe_space_unmap_object(struct xe_space *space, const struct object *object);

/* The space as it is now. NULL: no memory. */
struct xe_version *xe_space_newest(struct xe_space *space);
const struct sim_space *xe_version_space(const struct xe_version *version);
void xe_version_release(struct xe_version *version); /* NULL is allowed */

/* Called around a fork. */
void xe_space_before_fork(struct xe_space *space);
void xe_space_after_fork(struct xe_space *space, int in_child);

#endif
