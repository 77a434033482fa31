/* Keeps the state of a thread on the CPU, and the helpers of the other files of this folder: lanes, blocks of images,
 * places in buffers. The launcher of runtime/ gives each thread its place and its surfaces; the structures repeat
 * tables/host_abi.h. */
#ifndef CMKIT_CM_DETAIL_HOST_STATE_H
#define CMKIT_CM_DETAIL_HOST_STATE_H

namespace cm_detail
{

struct host_surface {
    char *base;
    uint64_t size;
    uint32_t width, height, pitch, pixel, texel, channels, encoding, further_count;
    const host_surface *further;
    uint32_t dimensions, depth;
    uint64_t slice;
};

struct host_sampler {
    uint32_t address, filter, normalized;
};

struct host_thread {
    uint32_t group_id[3], group_count[3], local_id[3], local_size[3];
    const host_surface *surfaces;
    uint64_t surface_count;
    const host_sampler *samplers;
    host_surface shared;
    uint64_t serial;
    void (*barrier)(void *context);
    void (*fail)(void *context, const char *reason);
    void *context;
};

/* Set by each kernel's entry, which finds it by this name. */
static thread_local const host_thread *current __asm__("cm_host_current");

[[noreturn]] inline void host_fail(const char *reason)
{
    current->fail(current->context, reason);
    __builtin_trap();
}

inline const host_surface &host_surface_of(SurfaceIndex surface)
{
    constexpr uint32_t shared_local_memory = 254;
    if ((uint32_t)surface == shared_local_memory)
        return current->shared;
    if ((uint32_t)surface >= current->surface_count)
        host_fail("a kernel used a surface that is not an argument");
    return current->surfaces[(uint32_t)surface];
}

inline const host_surface &host_plane_of(SurfaceIndex surface, unsigned plane)
{
    const host_surface &first = host_surface_of(surface);
    if (plane > first.further_count)
        host_fail(first.further_count
                      ? "a kernel used a plane that the image does not have"
                      : "a kernel used a plane of an image that has only one: nv12, p010 and i420 have several");
    return plane ? first.further[plane - 1] : first;
}

/* The lanes that are live in SIMD control flow (simdcf.h). */
struct simd_state {
    static constexpr int unknown = -1;
    int width;       /* 0 outside; unknown in a loop before its first vector condition: all lanes are live then */
    uint32_t live;   /* lanes that execute now */
    uint32_t gone;   /* of the innermost loop: lanes that left this iteration */
    uint32_t broken; /* of the innermost loop: lanes that left it for good */

    uint32_t all() const { return width < 0 || width >= 32 ? ~0u : (1u << width) - 1; }
    void start(int w)
    {
        width = w;
        live = all();
        gone = broken = 0;
    }
    void stop() { width = 0; }
    /* A condition of w lanes is evaluated; 0 for a scalar. */
    void learn(int w)
    {
        if (w == 0 || w == width)
            return;
        if (width != unknown)
            host_fail("nested SIMD control flow has conditions of different widths");
        width = w;
        live &= all();
    }
    void leave_loop()
    {
        broken |= live;
        leave_iteration();
    }
    void leave_iteration()
    {
        gone |= live;
        live = 0;
    }
};
static thread_local simd_state simd;

/* True where lane k of an N-lane write happens. */
template <int N> inline bool is_live(int k)
{
    return simd.width != N || (simd.live >> k & 1);
}

/* What GPUs refuse where a kernel is compiled: inside SIMD control flow a write has as many lanes as the conditions, or
 * one, and messages of whole blocks cannot leave lanes out. */
template <int N> inline void check_lanes()
{
    if (N > 1 && simd.width > 0 && simd.width != N)
        host_fail("inside SIMD control flow, an operation has another number of lanes than the condition");
}
constexpr char reads_a_block[] = "reading a block is not allowed inside SIMD control flow",
               writes_a_block[] = "writing a block is not allowed inside SIMD control flow";
inline void check_outside_simd(const char *reason)
{
    if (simd.width != 0)
        host_fail(reason);
}

/* Lanes as an array: both are laid out alike. */
template <typename T, int N> struct array {
    T at[N];
    array() {}
    array(lanes<T, N> x) { __builtin_memcpy(at, &x, sizeof at); }
    operator lanes<T, N>() const
    {
        lanes<T, N> x;
        __builtin_memcpy(&x, at, sizeof at);
        return x;
    }
};

template <typename T> T host_load(const void *from)
{
    T value;
    __builtin_memcpy(&value, from, sizeof value);
    return value;
}
template <typename T> void host_store(void *to, T value)
{
    __builtin_memcpy(to, &value, sizeof value);
}

/* A block of an image: where each byte comes from. Coordinates outside are clamped to the nearest pixel. */
class host_block
{
  public:
    host_block(unsigned modifier, SurfaceIndex surface, unsigned plane) : surface_(host_plane_of(surface, plane))
    {
        if (surface_.pitch == 0)
            host_fail("a kernel accessed a buffer as a 2D surface");
        step_ = modifier ? 2 : 1; /* a field takes every other row */
        first_ = modifier == 3;
        rows_ = modifier ? ((int)surface_.height + 1 - first_) / 2 : (int)surface_.height;
    }
    char *clamped(int x, int y) const
    {
        int pixel = surface_.pixel ? surface_.pixel : 1, last = (int)surface_.width / pixel - 1;
        int column = x >= 0 ? x / pixel : -1, inside = x - column * pixel;
        if (column < 0 || column > last) {
            column = column < 0 ? 0 : last;
            inside = (x % pixel + pixel) % pixel;
        }
        return row(y < 0 ? 0 : y >= rows_ ? rows_ - 1 : y) + column * pixel + inside;
    }
    /* NULL outside. */
    char *exact(int x, int y) const
    {
        return x < 0 || x >= (int)surface_.width || y < 0 || y >= rows_ ? 0 : row(y) + x;
    }

  private:
    char *row(int y) const { return surface_.base + (uint64_t)(y * step_ + first_) * surface_.pitch; }
    const host_surface &surface_;
    int step_, first_, rows_;
};

/* `size` bytes of a buffer at `offset`, NULL when they are not all inside. */
inline char *host_buffer(SurfaceIndex surface, uint64_t offset, uint64_t size)
{
    const host_surface &buffer = host_surface_of(surface);
    return offset + size <= buffer.size ? buffer.base + offset : 0;
}

/* The offset of a lane beyond its parent: no object is so large. */
constexpr ushort nowhere = 0xffff;
} // namespace cm_detail

#endif
