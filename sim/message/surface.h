/* Declares surfaces: RENDER_SURFACE_STATE decoded, and the addresses of its bytes. */
#ifndef CMKIT_SIM_MESSAGE_SURFACE_H
#define CMKIT_SIM_MESSAGE_SURFACE_H

#include "sim/message/format.h"
#include "sim/message/request.h"
#include "sim/message/tiling.h"

enum surface_type {
    SURFACE_1D = 0,
    SURFACE_2D = 1,
    SURFACE_3D = 2,
    SURFACE_CUBE = 3,
    SURFACE_BUFFER = 4,
    SURFACE_STRUCTURED = 5,
    SURFACE_SCRATCH = 6, /* a part for each hardware thread, as long as the pitch */
    SURFACE_NULL = 7
};

/* Binding table indices with a special meaning. */
enum { INDEX_BINDLESS = 252, INDEX_STATELESS_NONCOHERENT = 253, INDEX_SLM = 254, INDEX_STATELESS = 255 };

struct surface {
    enum surface_type type;
    enum tiling_id tiling;
    const struct surface_format *format;
    uint64_t base;
    uint32_t width, height, depth; /* pixels; depth: slices of a 3D surface or elements of an array */
    bool is_array;
    uint32_t first_element;      /* of an array */
    uint32_t pitch;              /* bytes from row to row */
    uint32_t slice_pitch;        /* rows (1D: pixels) from slice to slice */
    uint32_t x_offset, y_offset; /* pixels, rows */
    uint64_t bytes;              /* buffers: size */
    uint8_t select[4];           /* sources of shader channels R, G, B, A: 0 zero, 1 one, 4..7 the surface's R..A */
    uint32_t first_level;        /* level that messages call 0 */
    uint32_t mip_count;          /* levels beyond first_level that the surface has */
    uint32_t mip_tail;           /* levels from this one on share a tile */
    uint32_t x_alignment, y_alignment; /* of levels, in pixels and rows */
    bool every_second_row;             /* rows of the surface are every second row in memory, from first_row on */
    uint32_t first_row;                /* 0 or 1 */
    uint32_t chroma_row;               /* planar formats: row where the plane of U and V begins */
};

/* Opens the surface of binding table index `index` (INDEX_BINDLESS: that of the extended descriptor). Returns false,
 * with the fault raised, if nothing is bound or the state uses an unimplemented field. */
bool surface_open(struct request *request, unsigned index, struct surface *surface);

/* Returns level `level` (0: first_level) as a surface of its own. False if there is none. */
bool surface_level(const struct surface *surface, uint32_t level, struct surface *result);

/* Converts the surface's channels to shader channels, by the channel selects of the state. */
void surface_select(const struct surface *surface, uint32_t channels[4]);

/* Returns the GPU address of byte `x` in row `y` of slice `slice`, inside the surface. The bytes up to the next
 * multiple of surface_run() follow it. */
uint64_t surface_address(const struct surface *surface, uint32_t x, uint32_t y, uint32_t slice);
uint32_t surface_run(const struct surface *surface);

/* Returns the host memory of pixel (x, y, slice), which must be inside; NULL with the fault raised if no object covers
 * it. */
uint8_t *surface_pixel(struct request *request, const struct surface *surface, uint32_t x, uint32_t y, uint32_t slice);

/* The memory of a buffer message: a flat address range, shared local memory or a buffer surface. */
struct target {
    enum { TARGET_FLAT, TARGET_SLM, TARGET_SURFACE, TARGET_EMPTY } kind;
    uint64_t base; /* FLAT: added to the address; SURFACE: its first byte */
    uint64_t bytes;
    bool is_64_bit;
    uint32_t slm_mask; /* SLM: the bits of an offset that count */
    uint8_t *host;     /* SLM, SURFACE: all of it, if one object holds it; NULL otherwise */
};

enum { CACHED_TARGETS = 32 };

struct message_cache {
    uint32_t known; /* bit i: targets[i] is valid for binding table index i */
    struct sim_range window;
    struct target targets[CACHED_TARGETS];
};

/* Opens the target of the descriptor's binding table index, for buffer messages. */
bool target_open(struct request *request, struct target *target);

/* The same for a binding table index of another field. */
bool target_open_index(struct request *request, unsigned index, struct target *target);

/* Opens the thread's part of the scratch surface. Bits 31:10 of `pointer`, as r0.5 has it, count states from the
 * surface state base. Returns false with the fault raised if there is none. */
bool target_open_scratch(struct request *request, uint32_t pointer, struct target *target);

/* The scratch memory of one thread. */
struct surface_scratch {
    uint64_t address, bytes; /* of 48 bits; 0 bytes: it has none */
};

/* Finds the scratch memory of the thread in a slot. `pointer` is bits 31:10 of r0.5 in slot 0: they count bytes from
 * the general state base, or, with SCRATCH_SURFACE, states. */
struct surface_scratch surface_scratch_find(const struct message_state *state, uint32_t pointer, uint32_t slot);

/* True if an access of `size` bytes at `offset` would not be a fault. Raises none. */
bool target_covers(const struct request *request, const struct target *target, uint64_t offset, unsigned size);

enum surface_reach { REACH_FAULT, REACH_OUTSIDE, REACH_INSIDE };

/* Returns the host memory of `size` bytes at `offset` of the target. REACH_OUTSIDE: beyond the surface's end, where
 * reads return 0 and writes are dropped. */
enum surface_reach target_at(struct request *request, const struct target *target, uint64_t offset, unsigned size,
                             uint8_t **host);

#endif
