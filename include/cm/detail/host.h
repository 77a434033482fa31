/* The builtins on the CPU: what tables/builtins.def says, lane by lane. The launcher of runtime/ gives each thread its
 * place and its surfaces; the structures here repeat tables/host_abi.h. */
#ifndef CMKIT_CM_DETAIL_HOST_H
#define CMKIT_CM_DETAIL_HOST_H

namespace cm_detail
{

struct host_surface {
    char *base;
    uint64_t size;
    uint32_t width, height, pitch, pixel, texel, channels, encoding, further_count;
    const host_surface *further;
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
                      ? "a kernel asked for a plane that the image does not have"
                      : "a kernel asked for a plane of an image that has one only: nv12, p010 and i420 have several");
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
            host_fail("a block of a 2D surface was asked of a buffer");
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

/* Shuffles by a pattern (builtins.h). */
template <int N, int Pitch, int Width, int Step> inline cm_detail::offsets<N> __lanes_pattern()
{
    cm_detail::array<ushort, N> value;
    for (int k = 0; k < N; k++)
        value.at[k] = k / Width * Pitch + k % Width * Step;
    return value;
}
template <typename T, int N, int M, int First, int Pitch, int Width, int Step>
inline cm_detail::lanes<T, N> __lanes_pick(cm_detail::lanes<T, M> x)
{
    cm_detail::array<T, M> from(x);
    cm_detail::array<T, N> value;
    for (int k = 0; k < N; k++)
        value.at[k] = from.at[First + k / Width * Pitch + k % Width * Step];
    return value;
}
template <int R, int C> inline int __lanes_distance(cm_detail::offsets<R * C>, int, int)
{
    return 0;
}
template <int N, int R, int C, int Pitch, int Width, int Step>
inline cm_detail::offsets<N> __lanes_part(cm_detail::offsets<R * C> x, int i, int j)
{
    cm_detail::array<ushort, R * C> from(x);
    cm_detail::array<ushort, N> value;
    for (int k = 0; k < N; k++) {
        unsigned at = i * C + j + k / Width * Pitch + k % Width * Step;
        value.at[k] = at < R * C ? from.at[at] : cm_detail::nowhere;
    }
    return value;
}
/* References. */
template <typename T, int N> inline cm_detail::lanes<T, N> __cm_rdref(const void *base, cm_detail::offsets<N> offsets)
{
    cm_detail::array<ushort, N> from(offsets);
    cm_detail::array<T, N> value;
    for (int k = 0; k < N; k++)
        value.at[k] = from.at[k] == cm_detail::nowhere ? T() : cm_detail::host_load<T>((const char *)base + from.at[k]);
    return value;
}
/* Lanes that are off may hold any number, and what lies so far away need not be memory. */
template <int N> inline cm_detail::offsets<N> __cm_distance(cm_detail::offsets<N> offsets)
{
    if (cm_detail::simd.width != N)
        return offsets;
    cm_detail::array<ushort, N> distance(offsets);
    for (int k = 0; k < N; k++)
        distance.at[k] = cm_detail::is_live<N>(k) ? distance.at[k] : 0;
    return distance;
}
template <typename T, int N>
inline void __cm_wrref(void *base, cm_detail::offsets<N> offsets, cm_detail::lanes<T, N> value)
{
    cm_detail::check_lanes<N>();
    cm_detail::array<ushort, N> to(offsets);
    cm_detail::array<T, N> from(value);
    for (int k = 0; k < N; k++)
        if (cm_detail::is_live<N>(k) && to.at[k] != cm_detail::nowhere)
            cm_detail::host_store<T>((char *)base + to.at[k], from.at[k]);
}

template <typename T, int N>
inline void __cm_wrnew(void *base, cm_detail::offsets<N> offsets, cm_detail::lanes<T, N> value)
{
    cm_detail::array<ushort, N> to(offsets);
    cm_detail::array<T, N> from(value);
    for (int k = 0; k < N; k++)
        cm_detail::host_store<T>((char *)base + to.at[k], from.at[k]);
}

/* Masks. Lanes that are not live do not take part. */
template <int N> inline ushort __cm_any(cm_detail::lanes<ushort, N> mask)
{
    cm_detail::array<ushort, N> m(mask);
    bool found = false;
    for (int k = 0; k < N; k++)
        found |= m.at[k] != 0 && cm_detail::is_live<N>(k);
    return found;
}
template <int N> inline ushort __cm_all(cm_detail::lanes<ushort, N> mask)
{
    cm_detail::array<ushort, N> m(mask);
    bool missing = false;
    for (int k = 0; k < N; k++)
        missing |= m.at[k] == 0 && cm_detail::is_live<N>(k);
    return !missing;
}
/* True if any live lane's mask is set: only simdcf.h knows what happens then. */
template <int N> inline bool __cm_simdcf_any(cm_detail::lanes<ushort, N> mask)
{
    return __cm_any<N>(mask);
}

/* The CPU has everything. */
inline bool __cm_has(unsigned)
{
    return true;
}
template <int N> inline cm_detail::lanes<ushort, N> __cm_live(cm_detail::lanes<ushort, N> mask)
{
    cm_detail::array<ushort, N> m(mask);
    for (int k = 0; k < N; k++)
        m.at[k] = cm_detail::is_live<N>(k) ? m.at[k] : 0;
    return m;
}

template <int N> inline cm_detail::lanes<ushort, N> __cm_narrowed(cm_detail::lanes<ushort, N> mask)
{
    return __cm_live<N>(mask);
}

template <typename T, int N>
inline cm_detail::lanes<T, N> __cm_merge(cm_detail::lanes<T, N> x, cm_detail::lanes<T, N> y,
                                         cm_detail::lanes<ushort, N> mask)
{
    cm_detail::array<T, N> a(x), b(y);
    cm_detail::array<ushort, N> m(mask);
    for (int k = 0; k < N; k++)
        if (!(m.at[k] & 1))
            a.at[k] = b.at[k];
    return a;
}

/* 2D images: the registers of a row take a power of two bytes, at least 4. */
template <typename T, int N>
inline cm_detail::lanes<T, N> __cm_media_read(unsigned modifier, SurfaceIndex surface, unsigned plane, unsigned width,
                                              unsigned x, unsigned y)
{
    cm_detail::check_outside_simd(cm_detail::reads_a_block);
    cm_detail::host_block block(modifier, surface, plane);
    cm_detail::array<T, N> value;
    int pitch = cm_detail::power_of_two_at_least(width, 4);
    for (int byte = 0; byte < (int)sizeof value.at; byte++)
        ((char *)value.at)[byte] = *block.clamped((int)x + byte % pitch, (int)y + byte / pitch);
    return value;
}
template <typename T, int N>
inline void __cm_media_write(unsigned modifier, SurfaceIndex surface, unsigned plane, unsigned width, unsigned x,
                             unsigned y, cm_detail::lanes<T, N> value)
{
    cm_detail::check_outside_simd(cm_detail::writes_a_block);
    cm_detail::host_block block(modifier, surface, plane);
    cm_detail::array<T, N> from(value);
    int pitch = cm_detail::power_of_two_at_least(width, 4);
    for (int byte = 0; byte < (int)sizeof from.at; byte++)
        if (byte % pitch < (int)width)
            if (char *to = block.exact((int)x + byte % pitch, (int)y + byte / pitch))
                *to = ((char *)from.at)[byte];
}

/* Buffers. A block is checked element by element: what is outside reads as 0. */
template <typename T, int N> inline cm_detail::lanes<T, N> __cm_oword_read(SurfaceIndex surface, unsigned offset)
{
    cm_detail::check_outside_simd(cm_detail::reads_a_block);
    cm_detail::array<T, N> value;
    for (int k = 0; k < N; k++) {
        const char *from = cm_detail::host_buffer(surface, (uint64_t)offset + k * sizeof(T), sizeof(T));
        value.at[k] = from ? cm_detail::host_load<T>(from) : (T)0;
    }
    return value;
}
template <typename T, int N>
inline cm_detail::lanes<T, N> __cm_oword_read_unaligned(SurfaceIndex surface, unsigned offset)
{
    return __cm_oword_read<T, N>(surface, offset);
}
template <typename T, int N>
inline void __cm_oword_write(SurfaceIndex surface, unsigned offset, cm_detail::lanes<T, N> value)
{
    cm_detail::check_outside_simd(cm_detail::writes_a_block);
    cm_detail::array<T, N> from(value);
    for (int k = 0; k < N; k++)
        if (char *to = cm_detail::host_buffer(surface, (uint64_t)offset + k * sizeof(T), sizeof(T)))
            cm_detail::host_store<T>(to, from.at[k]);
}
template <typename T, int N>
inline cm_detail::lanes<T, N> __cm_gather(cm_detail::lanes<ushort, N> mask, SurfaceIndex surface, unsigned base,
                                          cm_detail::lanes<uint, N> offsets, cm_detail::lanes<T, N> off)
{
    cm_detail::array<ushort, N> m(mask);
    cm_detail::array<uint, N> distance(offsets);
    cm_detail::array<T, N> value(off);
    for (int k = 0; k < N; k++)
        if (m.at[k] && cm_detail::is_live<N>(k)) {
            const char *from = cm_detail::host_buffer(surface, base + distance.at[k], sizeof(T));
            value.at[k] = from ? cm_detail::host_load<T>(from) : (T)0;
        }
    return value;
}
template <typename T, int N>
inline void __cm_scatter(cm_detail::lanes<ushort, N> mask, SurfaceIndex surface, unsigned base,
                         cm_detail::lanes<uint, N> offsets, cm_detail::lanes<T, N> value)
{
    cm_detail::array<ushort, N> m(mask);
    cm_detail::array<uint, N> distance(offsets);
    cm_detail::array<T, N> from(value);
    for (int k = 0; k < N; k++)
        if (m.at[k] && cm_detail::is_live<N>(k))
            if (char *to = cm_detail::host_buffer(surface, base + distance.at[k], sizeof(T)))
                cm_detail::host_store<T>(to, from.at[k]);
}

template <typename T, int N, int M>
inline cm_detail::lanes<T, M> __cm_gather4(unsigned channels, cm_detail::lanes<ushort, N> mask, SurfaceIndex surface,
                                           unsigned base, cm_detail::lanes<uint, N> offsets)
{
    cm_detail::array<ushort, N> m(mask);
    cm_detail::array<uint, N> distance(offsets);
    cm_detail::array<T, M> value;
    for (int channel = 0, row = 0; channel < 4; channel++) {
        if (!(channels >> channel & 1))
            continue;
        for (int k = 0; k < N; k++) {
            bool on = m.at[k] && cm_detail::is_live<N>(k);
            const char *from =
                on ? cm_detail::host_buffer(surface, base + distance.at[k] + 4 * channel, sizeof(T)) : nullptr;
            value.at[row * N + k] = from ? cm_detail::host_load<T>(from) : (T)0;
        }
        row++;
    }
    return value;
}
template <typename T, int N, int M>
inline void __cm_scatter4(unsigned channels, cm_detail::lanes<ushort, N> mask, SurfaceIndex surface, unsigned base,
                          cm_detail::lanes<uint, N> offsets, cm_detail::lanes<T, M> value)
{
    cm_detail::array<ushort, N> m(mask);
    cm_detail::array<uint, N> distance(offsets);
    cm_detail::array<T, M> from(value);
    for (int channel = 0, row = 0; channel < 4; channel++) {
        if (!(channels >> channel & 1))
            continue;
        for (int k = 0; k < N; k++)
            if (m.at[k] && cm_detail::is_live<N>(k))
                if (char *to = cm_detail::host_buffer(surface, base + distance.at[k] + 4 * channel, sizeof(T)))
                    cm_detail::host_store<T>(to, from.at[row * N + k]);
        row++;
    }
}

namespace cm_detail
{
/* What an atomic operation of tables/visa_atomics.def stores. */
template <typename T> inline T host_atomic_result(unsigned operation, T old, T x, T y)
{
    if constexpr (__is_floating_point(T)) {
        switch (operation) {
        case 13: return old > x ? old : x;
        case 14: return old < x ? old : x;
        case 15: return old == y ? x : old;
        default: return x; /* exchange: headers refuse the rest */
        }
    } else {
        switch (operation) {
        case 0: return old + x;
        case 1: return old - x;
        case 2: return old + 1;
        case 3: return old - 1;
        case 4: return (__make_unsigned(T))x < (__make_unsigned(T))old ? x : old;
        case 5: return (__make_unsigned(T))x > (__make_unsigned(T))old ? x : old;
        case 6: return x;
        case 7: return old == y ? x : old;
        case 8: return old & x;
        case 9: return old | x;
        case 10: return old ^ x;
        case 11: return (__make_signed(T))x < (__make_signed(T))old ? x : old;
        default: return (__make_signed(T))x > (__make_signed(T))old ? x : old;
        }
    }
}
template <typename T> inline T host_atomic(unsigned operation, char *at, T x, T y)
{
    typedef conditional<sizeof(T) == 8, uint64_t, uint32_t> word;
    word old = __atomic_load_n((word *)at, __ATOMIC_SEQ_CST), wanted;
    do
        wanted = __builtin_bit_cast(word, host_atomic_result<T>(operation, __builtin_bit_cast(T, old), x, y));
    while (!__atomic_compare_exchange_n((word *)at, &old, wanted, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
    return __builtin_bit_cast(T, old);
}
} // namespace cm_detail
template <typename T, int N>
inline cm_detail::lanes<T, N> __cm_atomic(unsigned operation, cm_detail::lanes<ushort, N> mask, SurfaceIndex surface,
                                          cm_detail::lanes<uint, N> offsets, cm_detail::lanes<T, N> x,
                                          cm_detail::lanes<T, N> y)
{
    cm_detail::array<ushort, N> m(mask);
    cm_detail::array<uint, N> distance(offsets);
    cm_detail::array<T, N> a(x), b(y), old;
    for (int k = 0; k < N; k++) {
        bool on = m.at[k] && cm_detail::is_live<N>(k);
        char *at = on ? cm_detail::host_buffer(surface, distance.at[k] & ~3u, sizeof(T)) : nullptr;
        old.at[k] = at ? cm_detail::host_atomic<T>(operation, at, a.at[k], b.at[k]) : (T)0;
    }
    return old;
}

/* Shared local memory is there anyway; what a thread states and allocates is counted since its start. */
namespace cm_detail
{
static thread_local const host_thread *slm_owner;
static thread_local uint64_t slm_serial;
static thread_local uint32_t slm_next, slm_stated; /* stated: 0, nothing */

inline void check_shared_memory()
{
    if (slm_next > (slm_stated ? slm_stated : current->shared.size))
        host_fail("cm_slm_alloc: more bytes in all than cm_slm_init states, or than there are");
}
inline void count_shared_memory()
{
    if (slm_owner == current && slm_serial == current->serial)
        return;
    slm_owner = current;
    slm_serial = current->serial;
    slm_next = slm_stated = 0;
}
} // namespace cm_detail
inline void __cm_slm_init(unsigned bytes)
{
    using namespace cm_detail;
    if (bytes > current->shared.size)
        host_fail("cm_slm_init asks for more shared local memory than there is");
    count_shared_memory();
    uint32_t stated = (bytes + 15) & ~15u;
    slm_stated = stated > slm_stated ? stated : slm_stated;
    check_shared_memory();
}
inline unsigned __cm_slm_alloc(unsigned bytes)
{
    using namespace cm_detail;
    count_shared_memory();
    uint32_t start = slm_next;
    slm_next += (bytes + 15) & ~15u;
    check_shared_memory();
    return start;
}

/* Flat addresses. */
template <typename T, int N> inline cm_detail::lanes<T, N> __cm_svm_block_read(svmptr_t address)
{
    cm_detail::check_outside_simd(cm_detail::reads_a_block);
    cm_detail::array<T, N> value;
    __builtin_memcpy(value.at, (const void *)address, sizeof value.at);
    return value;
}
template <typename T, int N> inline cm_detail::lanes<T, N> __cm_svm_block_read_unaligned(svmptr_t address)
{
    return __cm_svm_block_read<T, N>(address);
}
template <typename T, int N> inline void __cm_svm_block_write(svmptr_t address, cm_detail::lanes<T, N> value)
{
    cm_detail::check_outside_simd(cm_detail::writes_a_block);
    cm_detail::array<T, N> from(value);
    __builtin_memcpy((void *)address, from.at, sizeof from.at);
}
template <typename T, int N>
inline cm_detail::lanes<T, N> __cm_svm_gather(cm_detail::lanes<ushort, N> mask, cm_detail::lanes<uint64_t, N> addresses,
                                              cm_detail::lanes<T, N> off)
{
    cm_detail::array<ushort, N> m(mask);
    cm_detail::array<uint64_t, N> from(addresses);
    cm_detail::array<T, N> value(off);
    for (int k = 0; k < N; k++)
        if (m.at[k] && cm_detail::is_live<N>(k))
            value.at[k] = cm_detail::host_load<T>((const void *)from.at[k]);
    return value;
}
template <typename T, int N>
inline void __cm_svm_scatter(cm_detail::lanes<ushort, N> mask, cm_detail::lanes<uint64_t, N> addresses,
                             cm_detail::lanes<T, N> value)
{
    cm_detail::array<ushort, N> m(mask);
    cm_detail::array<uint64_t, N> to(addresses);
    cm_detail::array<T, N> from(value);
    for (int k = 0; k < N; k++)
        if (m.at[k] && cm_detail::is_live<N>(k))
            cm_detail::host_store<T>((void *)to.at[k], from.at[k]);
}

template <typename T, int N, int M>
inline cm_detail::lanes<T, M> __cm_svm_gather4(unsigned channels, cm_detail::lanes<ushort, N> mask,
                                               cm_detail::lanes<uint64_t, N> addresses)
{
    cm_detail::array<ushort, N> m(mask);
    cm_detail::array<uint64_t, N> from(addresses);
    cm_detail::array<T, M> value;
    for (int channel = 0, row = 0; channel < 4; channel++) {
        if (!(channels >> channel & 1))
            continue;
        for (int k = 0; k < N; k++)
            value.at[row * N + k] = m.at[k] && cm_detail::is_live<N>(k)
                                        ? cm_detail::host_load<T>((const char *)from.at[k] + 4 * channel)
                                        : (T)0;
        row++;
    }
    return value;
}
template <typename T, int N, int M>
inline void __cm_svm_scatter4(unsigned channels, cm_detail::lanes<ushort, N> mask,
                              cm_detail::lanes<uint64_t, N> addresses, cm_detail::lanes<T, M> value)
{
    cm_detail::array<ushort, N> m(mask);
    cm_detail::array<uint64_t, N> to(addresses);
    cm_detail::array<T, M> from(value);
    for (int channel = 0, row = 0; channel < 4; channel++) {
        if (!(channels >> channel & 1))
            continue;
        for (int k = 0; k < N; k++)
            if (m.at[k] && cm_detail::is_live<N>(k))
                cm_detail::host_store<T>((char *)to.at[k] + 4 * channel, from.at[row * N + k]);
        row++;
    }
}
template <typename T, int N>
inline cm_detail::lanes<T, N> __cm_svm_atomic(unsigned operation, cm_detail::lanes<ushort, N> mask,
                                              cm_detail::lanes<uint64_t, N> addresses, cm_detail::lanes<T, N> x,
                                              cm_detail::lanes<T, N> y)
{
    cm_detail::array<ushort, N> m(mask);
    cm_detail::array<uint64_t, N> at(addresses);
    cm_detail::array<T, N> a(x), b(y), old;
    for (int k = 0; k < N; k++)
        old.at[k] = m.at[k] && cm_detail::is_live<N>(k)
                        ? cm_detail::host_atomic<T>(operation, (char *)at.at[k], a.at[k], b.at[k])
                        : (T)0;
    return old;
}

/* The load/store cache: 16 lanes, elements of a lane beside each other in memory, apart in the value. Place: where byte
 * `byte` of lane k is, or NULL. */
namespace cm_detail
{
constexpr unsigned host_lsc_bytes(unsigned how)
{
    return (how >> 8 & 15) == 4 ? 8 : (how >> 8 & 15) == 5 ? 1 : (how >> 8 & 15) == 6 ? 2 : 4;
}
template <typename T, int N, typename Place>
inline lanes<T, N> host_lsc_load(unsigned how, lanes<ushort, 16> mask, const Place &place)
{
    array<ushort, 16> m(mask);
    array<T, N> value;
    unsigned bytes = host_lsc_bytes(how);
    for (int k = 0; k < N; k++) {
        T x = 0;
        const char *from = m.at[k % 16] && is_live<16>(k % 16) ? place(k % 16, k / 16 * bytes, bytes) : nullptr;
        if (from)
            __builtin_memcpy(&x, from, bytes);
        value.at[k] = x;
    }
    return value;
}
template <typename T, int N, typename Place>
inline void host_lsc_store(unsigned how, lanes<ushort, 16> mask, const Place &place, lanes<T, N> value)
{
    array<ushort, 16> m(mask);
    array<T, N> from(value);
    unsigned bytes = host_lsc_bytes(how);
    for (int k = 0; k < N; k++)
        if (char *to = m.at[k % 16] && is_live<16>(k % 16) ? place(k % 16, k / 16 * bytes, bytes) : nullptr)
            __builtin_memcpy(to, &from.at[k], bytes);
}
struct host_lsc_surface {
    SurfaceIndex surface;
    array<uint, 16> at;
    char *operator()(int k, unsigned byte, unsigned bytes) const
    {
        return host_buffer(surface, at.at[k] + byte, bytes);
    }
};
struct host_lsc_flat {
    array<uint64_t, 16> at;
    char *operator()(int k, unsigned byte, unsigned) const { return (char *)at.at[k] + byte; }
};
} // namespace cm_detail
template <typename T, int N>
inline cm_detail::lanes<T, N> __cm_lsc_load(unsigned how, cm_detail::lanes<ushort, 16> mask, SurfaceIndex surface,
                                            cm_detail::lanes<uint, 16> offsets)
{
    return cm_detail::host_lsc_load<T, N>(how, mask, cm_detail::host_lsc_surface{surface, offsets});
}
template <typename T, int N>
inline cm_detail::lanes<T, N> __cm_lsc_load_flat(unsigned how, cm_detail::lanes<ushort, 16> mask,
                                                 cm_detail::lanes<uint64_t, 16> addresses)
{
    return cm_detail::host_lsc_load<T, N>(how, mask, cm_detail::host_lsc_flat{addresses});
}
template <typename T, int N>
inline void __cm_lsc_store(unsigned how, cm_detail::lanes<ushort, 16> mask, SurfaceIndex surface,
                           cm_detail::lanes<uint, 16> offsets, cm_detail::lanes<T, N> value)
{
    cm_detail::host_lsc_store<T, N>(how, mask, cm_detail::host_lsc_surface{surface, offsets}, value);
}
template <typename T, int N>
inline void __cm_lsc_store_flat(unsigned how, cm_detail::lanes<ushort, 16> mask,
                                cm_detail::lanes<uint64_t, 16> addresses, cm_detail::lanes<T, N> value)
{
    cm_detail::host_lsc_store<T, N>(how, mask, cm_detail::host_lsc_flat{addresses}, value);
}
inline void __cm_lsc_prefetch(unsigned, cm_detail::lanes<ushort, 16>, SurfaceIndex, cm_detail::lanes<uint, 16>) {}
inline void __cm_lsc_prefetch_flat(unsigned, cm_detail::lanes<ushort, 16>, cm_detail::lanes<uint64_t, 16>) {}
template <typename T, int N>
inline cm_detail::lanes<T, N> __cm_lsc_block_load(unsigned, SurfaceIndex surface, unsigned offset)
{
    cm_detail::check_outside_simd(cm_detail::reads_a_block);
    cm_detail::array<T, N> value;
    for (int k = 0; k < N; k++) {
        const char *from = cm_detail::host_buffer(surface, (uint64_t)offset + k * sizeof(T), sizeof(T));
        value.at[k] = from ? cm_detail::host_load<T>(from) : (T)0;
    }
    return value;
}
template <typename T, int N> inline cm_detail::lanes<T, N> __cm_lsc_block_load_flat(unsigned, uint64_t address)
{
    return __cm_svm_block_read<T, N>(address);
}
template <typename T, int N>
inline void __cm_lsc_block_store(unsigned, SurfaceIndex surface, unsigned offset, cm_detail::lanes<T, N> value)
{
    cm_detail::check_outside_simd(cm_detail::writes_a_block);
    cm_detail::array<T, N> from(value);
    for (int k = 0; k < N; k++)
        if (char *to = cm_detail::host_buffer(surface, (uint64_t)offset + k * sizeof(T), sizeof(T)))
            cm_detail::host_store<T>(to, from.at[k]);
}
template <typename T, int N>
inline void __cm_lsc_block_store_flat(unsigned, uint64_t address, cm_detail::lanes<T, N> value)
{
    __cm_svm_block_write<T, N>(address, value);
}
inline void __cm_lsc_block_prefetch(unsigned, SurfaceIndex, unsigned) {}
inline void __cm_lsc_block_prefetch_flat(unsigned, uint64_t) {}
inline void __cm_lsc_fence(unsigned)
{
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

/* The C library prints. */
inline uint64_t __cm_printf_buffer()
{
    return 0;
}
inline uint64_t __cm_string(const char *literal)
{
    return (uint64_t)literal;
}

/* The thread. */
inline unsigned __cm_group_id(unsigned dimension)
{
    return cm_detail::current->group_id[dimension % 3];
}
inline unsigned __cm_group_count(unsigned dimension)
{
    return cm_detail::current->group_count[dimension % 3];
}
inline unsigned __cm_local_id(unsigned dimension)
{
    return cm_detail::current->local_id[dimension % 3];
}
inline unsigned __cm_local_size(unsigned dimension)
{
    return cm_detail::current->local_size[dimension % 3];
}
inline void __cm_barrier()
{
    cm_detail::check_outside_simd("cm_barrier is not allowed inside SIMD control flow");
    cm_detail::current->barrier(cm_detail::current->context);
}
/* Waiting is the barrier: all threads that wait have told. */
inline void __cm_sbarrier(unsigned signal)
{
    cm_detail::check_outside_simd("cm_sbarrier is not allowed inside SIMD control flow");
    if (!signal)
        __cm_barrier();
}
template <typename T, int N> inline cm_detail::lanes<T, N> __cm_r0()
{
    static_assert(N == 8, "the header has eight dwords");
    const uint32_t *group = cm_detail::current->group_id;
    cm_detail::array<T, N> value;
    for (int k = 0; k < N; k++)
        value.at[k] = k == 1 ? group[0] : k >= 6 ? group[k - 5] : 0;
    return value;
}
template <typename T, int N> inline cm_detail::lanes<T, N> __cm_sr0()
{
    return (cm_detail::lanes<T, N>)(T)0;
}
inline unsigned __cm_hwid()
{
    const cm_detail::host_thread &t = *cm_detail::current;
    unsigned number = 0;
    for (int d = 2; d >= 0; d--)
        number = number * t.group_count[d] + t.group_id[d];
    for (int d = 2; d >= 0; d--)
        number = number * t.local_size[d] + t.local_id[d];
    return number;
}
inline void __cm_pause(unsigned) {}
inline void __cm_slm_block() {}
inline unsigned __cm_event(unsigned, unsigned)
{
    cm_detail::host_fail("the CPU has no events between threads");
}

namespace cm_detail
{
template <typename...> constexpr bool is_on_gpu = false;
}
#define CM_DETAIL_NO_MESSAGES(...)                                                                                     \
    static_assert(cm_detail::is_on_gpu<__VA_ARGS__>, "cm_send: the CPU has no messages; a GPU (-march=SKL ...) has")
template <typename T, int N, typename U, int M, int W>
inline cm_detail::lanes<T, N> __cm_raw_send(unsigned, unsigned, cm_detail::lanes<ushort, W>, unsigned, unsigned,
                                            cm_detail::lanes<U, M>, cm_detail::lanes<T, N> old)
{
    CM_DETAIL_NO_MESSAGES(T, U);
    return old;
}
template <typename U, int M, int W>
inline void __cm_raw_send_only(unsigned, unsigned, cm_detail::lanes<ushort, W>, unsigned, unsigned,
                               cm_detail::lanes<U, M>)
{
    CM_DETAIL_NO_MESSAGES(U);
}
template <typename T, int N, typename U, int M, typename V, int K, int W>
inline cm_detail::lanes<T, N> __cm_raw_sends(unsigned, unsigned, cm_detail::lanes<ushort, W>, unsigned, unsigned,
                                             cm_detail::lanes<U, M>, cm_detail::lanes<V, K>, cm_detail::lanes<T, N> old)
{
    CM_DETAIL_NO_MESSAGES(T, U, V);
    return old;
}
template <typename U, int M, typename V, int K, int W>
inline void __cm_raw_sends_only(unsigned, unsigned, cm_detail::lanes<ushort, W>, unsigned, unsigned,
                                cm_detail::lanes<U, M>, cm_detail::lanes<V, K>)
{
    CM_DETAIL_NO_MESSAGES(U, V);
}
#undef CM_DETAIL_NO_MESSAGES

template <typename T, int N> inline cm_detail::lanes<T, N> __cm_timestamp()
{
    uint64_t now = __builtin_readcyclecounter();
    cm_detail::array<T, N> value;
    for (int k = 0; k < N; k++)
        value.at[k] = k < 2 ? (T)(now >> 32 * k) : 0;
    return value;
}
inline void __cm_fence(unsigned)
{
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

namespace cm_detail
{
template <typename T> inline T host_rotate(T x, T count)
{
    constexpr unsigned bits = 8 * sizeof(T);
    unsigned n = count & (bits - 1);
    return n ? (T)(x << n | x >> (bits - n)) : x;
}
} // namespace cm_detail

/* Functions of a lane: half computes in float. W is the type to compute in, x and y the operands. */
#define CM_DETAIL_WIDE(T) cm_detail::conditional<__is_same(T, half), float, T>
#define CM_DETAIL_UNARY(NAME, VALUE)                                                                                   \
    template <typename T, int N> inline cm_detail::lanes<T, N> __cm_##NAME(cm_detail::lanes<T, N> operand)             \
    {                                                                                                                  \
        typedef CM_DETAIL_WIDE(T) W;                                                                                   \
        cm_detail::array<T, N> value(operand);                                                                         \
        for (int k = 0; k < N; k++) {                                                                                  \
            W x = value.at[k];                                                                                         \
            value.at[k] = (T)(VALUE);                                                                                  \
        }                                                                                                              \
        return value;                                                                                                  \
    }
#define CM_DETAIL_BINARY(NAME, VALUE)                                                                                  \
    template <typename T, int N>                                                                                       \
    inline cm_detail::lanes<T, N> __cm_##NAME(cm_detail::lanes<T, N> left, cm_detail::lanes<T, N> right)               \
    {                                                                                                                  \
        typedef CM_DETAIL_WIDE(T) W;                                                                                   \
        cm_detail::array<T, N> a(left), b(right);                                                                      \
        for (int k = 0; k < N; k++) {                                                                                  \
            W x = a.at[k], y = b.at[k];                                                                                \
            a.at[k] = (T)(VALUE);                                                                                      \
        }                                                                                                              \
        return a;                                                                                                      \
    }
CM_DETAIL_UNARY(inv, 1 / x);
CM_DETAIL_UNARY(log, __builtin_log2f(x));
CM_DETAIL_UNARY(exp, __builtin_exp2f(x));
CM_DETAIL_UNARY(sqrt, __builtin_sqrtf(x));
CM_DETAIL_UNARY(rsqrt, 1 / __builtin_sqrtf(x));
CM_DETAIL_UNARY(sin, __builtin_sinf(x));
CM_DETAIL_UNARY(cos, __builtin_cosf(x));
CM_DETAIL_BINARY(pow, __builtin_powf(x, y));
CM_DETAIL_UNARY(rndd, __builtin_floorf(x));
CM_DETAIL_UNARY(rndu, __builtin_ceilf(x));
CM_DETAIL_UNARY(rnde, __builtin_rintf(x));
CM_DETAIL_UNARY(rndz, __builtin_truncf(x));
CM_DETAIL_UNARY(frc, x - __builtin_floorf(x));
CM_DETAIL_BINARY(smin, y < x ? y : x);
CM_DETAIL_BINARY(smax, y > x ? y : x);
CM_DETAIL_BINARY(umin, y < x ? y : x);
CM_DETAIL_BINARY(umax, y > x ? y : x);
CM_DETAIL_BINARY(fmin, x < y || y != y ? x : y); /* which of two zeros or NaNs, as sel has it */
CM_DETAIL_BINARY(fmax, x >= y || y != y ? x : y);
CM_DETAIL_UNARY(sabs, x < 0 ? 0 - x : x);
CM_DETAIL_UNARY(fabs, __builtin_fabs(x));
CM_DETAIL_UNARY(sat_f, x > 0 ? (x < 1 ? x : 1) : 0);
CM_DETAIL_UNARY(bfrev, __builtin_bitreverse32(x));
CM_DETAIL_BINARY(ieee_div, x / y);
CM_DETAIL_UNARY(ieee_sqrt, sizeof(x) == 8 ? (W)__builtin_sqrt(x) : (W)__builtin_sqrtf(x));
CM_DETAIL_BINARY(savg, ((int64_t)x + (int64_t)y + 1) >> 1);
CM_DETAIL_BINARY(uavg, ((uint64_t)x + (uint64_t)y + 1) >> 1);
CM_DETAIL_BINARY(smulh, ((int64_t)x * (int64_t)y) >> 32);
CM_DETAIL_BINARY(umulh, ((uint64_t)x * (uint64_t)y) >> 32);
CM_DETAIL_BINARY(rol, cm_detail::host_rotate<T>(x, y));
CM_DETAIL_BINARY(ror, cm_detail::host_rotate<T>(x, 0 - y));
#undef CM_DETAIL_UNARY
#undef CM_DETAIL_BINARY
#undef CM_DETAIL_WIDE

/* Bit fields as the hardware has them: widths and offsets count modulo 32. */
template <typename T, int N>
inline cm_detail::lanes<T, N> __cm_bfi(cm_detail::lanes<T, N> width, cm_detail::lanes<T, N> offset,
                                       cm_detail::lanes<T, N> field, cm_detail::lanes<T, N> base)
{
    cm_detail::array<T, N> w(width), o(offset), f(field), value(base);
    for (int k = 0; k < N; k++) {
        uint32_t mask = (((uint32_t)1 << (w.at[k] & 31)) - 1) << (o.at[k] & 31);
        value.at[k] = (((uint32_t)f.at[k] << (o.at[k] & 31)) & mask) | ((uint32_t)value.at[k] & ~mask);
    }
    return value;
}
namespace cm_detail
{
/* W: the type whose sign decides how the field is extended. */
template <typename W, typename T, int N>
inline lanes<T, N> host_extract(lanes<T, N> width, lanes<T, N> offset, lanes<T, N> from)
{
    array<T, N> w(width), o(offset), value(from);
    for (int k = 0; k < N; k++) {
        unsigned bits = w.at[k] & 31, at = o.at[k] & 31;
        uint32_t x = value.at[k];
        if (bits == 0)
            value.at[k] = 0;
        else if (bits + at < 32)
            value.at[k] = (W)(x << (32 - bits - at)) >> (32 - bits);
        else
            value.at[k] = (W)x >> at;
    }
    return value;
}
} // namespace cm_detail
template <typename T, int N>
inline cm_detail::lanes<T, N> __cm_ubfe(cm_detail::lanes<T, N> width, cm_detail::lanes<T, N> offset,
                                        cm_detail::lanes<T, N> value)
{
    return cm_detail::host_extract<uint32_t, T, N>(width, offset, value);
}
template <typename T, int N>
inline cm_detail::lanes<T, N> __cm_sbfe(cm_detail::lanes<T, N> width, cm_detail::lanes<T, N> offset,
                                        cm_detail::lanes<T, N> value)
{
    return cm_detail::host_extract<int32_t, T, N>(width, offset, value);
}
template <typename T, int N>
inline cm_detail::lanes<T, N> __cm_bfn(unsigned table, cm_detail::lanes<T, N> x, cm_detail::lanes<T, N> y,
                                       cm_detail::lanes<T, N> z)
{
    cm_detail::array<T, N> a(x), b(y), c(z), value;
    for (int k = 0; k < N; k++) {
        value.at[k] = 0;
        for (unsigned bit = 0; bit < 8 * sizeof(T); bit++) {
            unsigned row = (a.at[k] >> bit & 1) | (b.at[k] >> bit & 1) << 1 | (c.at[k] >> bit & 1) << 2;
            value.at[k] |= (T)(table >> row & 1) << bit;
        }
    }
    return value;
}

namespace cm_detail
{

template <typename T>
constexpr T greatest_integer = __is_signed(T) ? (T)(((uint64_t)1 << (sizeof(T) * 8 - 1)) - 1) : (T) ~(T)0;
template <typename T> constexpr T least_integer = __is_signed(T) ? (T)((uint64_t)1 << (sizeof(T) * 8 - 1)) : (T)0;

template <typename R, typename T> inline R host_saturate(T x)
{
    if constexpr (__is_floating_point(T)) {
        if (!(x == x))
            return 0;
        if ((double)x <= (double)least_integer<R>)
            return least_integer<R>;
        return (double)x >= (double)greatest_integer<R> ? greatest_integer<R> : (R)x;
    } else { /* 128 bits hold every integer */
        return (__int128)x<(__int128)least_integer<R> ? least_integer<R> : (__int128)x>(__int128) greatest_integer<R>
                   ? greatest_integer<R>
                   : (R)x;
    }
}

} // namespace cm_detail

template <typename T, int N>
inline cm_detail::lanes<T, N> __cm_dp4a(unsigned how, cm_detail::lanes<T, N> sum, cm_detail::lanes<T, N> x,
                                        cm_detail::lanes<T, N> y)
{
    cm_detail::array<T, N> value(sum), a(x), b(y);
    for (int k = 0; k < N; k++) {
        int64_t total = how & 1 ? (int64_t)(int32_t)value.at[k] : (int64_t)(uint32_t)value.at[k];
        for (int byte = 0; byte < 4; byte++) {
            uint8_t p = (uint32_t)a.at[k] >> 8 * byte, q = (uint32_t)b.at[k] >> 8 * byte;
            total += how & 2 ? (int8_t)p * (int8_t)q : p * q;
        }
        if (!(how & 4))
            value.at[k] = (T)total;
        else if (how & 1)
            value.at[k] = (T)cm_detail::host_saturate<int32_t, int64_t>(total);
        else
            value.at[k] = (T)cm_detail::host_saturate<uint32_t, int64_t>(total);
    }
    return value;
}

namespace cm_detail
{
/* Number k of dwords that hold numbers of a CmPrecisionType. */
inline double host_packed(const int *dwords, unsigned precision, unsigned k)
{
    constexpr unsigned u8 = 7, s8 = 8, bf16 = 9, fp16 = 10, tf32 = 12;
    unsigned bits = precision == tf32 ? 32 : precision >= bf16 ? 16 : precision >= u8 ? 8 : precision >= 5 ? 4 : 2;
    uint32_t number = (uint32_t)dwords[k * bits / 32] >> k * bits % 32;
    if (precision == tf32)
        return __builtin_bit_cast(float, number & ~0x1fffu);
    number &= (1u << bits) - 1;
    if (precision == bf16)
        return __builtin_bit_cast(float, number << 16);
    if (precision == fp16)
        return (double)__builtin_bit_cast(half, (ushort)number);
    bool negative = precision <= s8 && precision % 2 == 0 && number >> (bits - 1); /* signed kinds are even */
    return negative ? (double)number - (double)(1u << bits) : (double)number;
}
} // namespace cm_detail
namespace cm_detail
{
/* The bits of a bf16: rounded to the nearest, ties to even. */
inline short host_brain(float x)
{
    uint32_t bits = __builtin_bit_cast(uint32_t, x);
    return x != x ? (short)(bits >> 16 | 0x40) : (short)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}
/* An accumulator's number: a short holds the bits of a bf16. */
template <typename T> inline double host_sum(T x)
{
    if constexpr (__is_same(T, short))
        return __builtin_bit_cast(float, (uint32_t)(ushort)x << 16);
    else
        return x;
}
} // namespace cm_detail

template <typename T, int N, int M, int K>
inline cm_detail::lanes<T, N> __cm_dpas(unsigned how, cm_detail::lanes<T, N> sum, cm_detail::lanes<int, M> b,
                                        cm_detail::lanes<int, K> a)
{
    cm_detail::check_outside_simd("cm_dpas is not allowed inside SIMD control flow");
    using namespace cm_detail;
    array<T, N> value(sum);
    array<int, M> columns_of(b);
    array<int, K> rows_of_a(a);
    unsigned p1 = how & 15, p2 = how >> 4 & 15, rows = how >> 12 & 15, columns = N / rows;
    if (how >> 17 & 1)
        host_fail("cm_dpasw shares rows between two threads, which the CPU does not have");
    unsigned bits = p2 == 12 ? 32 : p2 >= 9 ? 16 : p2 >= 7 ? 8 : p2 >= 5 ? 4 : 2;
    unsigned depth = K * 32 / rows / bits, bits1 = M * 32 / columns / depth, group = 32 / bits1;
    for (unsigned r = 0; r < rows; r++)
        for (unsigned c = 0; c < columns; c++) {
            double total = host_sum<T>(value.at[r * columns + c]);
            for (unsigned k = 0; k < depth; k++) /* the numbers of a dword of B are neighbours in a column */
                total += host_packed(columns_of.at, p1, k / group * group * columns + c * group + k % group) *
                         host_packed(rows_of_a.at, p2, r * depth + k);
            if constexpr (__is_floating_point(T))
                value.at[r * columns + c] = (T)total;
            else if constexpr (sizeof(T) == 2)
                value.at[r * columns + c] = host_brain((float)total);
            else
                value.at[r * columns + c] = (T)(int64_t)total;
        }
    return value;
}

#define CM_DETAIL_CONVERT(NAME)                                                                                        \
    template <typename R, typename T, int N> inline cm_detail::lanes<R, N> __cm_##NAME(cm_detail::lanes<T, N> operand) \
    {                                                                                                                  \
        cm_detail::array<T, N> x(operand);                                                                             \
        cm_detail::array<R, N> value;                                                                                  \
        for (int k = 0; k < N; k++)                                                                                    \
            value.at[k] = cm_detail::host_saturate<R, T>(x.at[k]);                                                     \
        return value;                                                                                                  \
    }
CM_DETAIL_CONVERT(sat_s2s);
CM_DETAIL_CONVERT(sat_s2u);
CM_DETAIL_CONVERT(sat_u2s);
CM_DETAIL_CONVERT(sat_u2u);
CM_DETAIL_CONVERT(sat_f2s);
CM_DETAIL_CONVERT(sat_f2u);
#undef CM_DETAIL_CONVERT

#define CM_DETAIL_COUNT(NAME, VALUE)                                                                                   \
    template <typename T, int N> inline cm_detail::lanes<uint, N> __cm_##NAME(cm_detail::lanes<T, N> operand)          \
    {                                                                                                                  \
        cm_detail::array<T, N> from(operand);                                                                          \
        cm_detail::array<uint, N> value;                                                                               \
        for (int k = 0; k < N; k++) {                                                                                  \
            __make_unsigned(T) x = from.at[k];                                                                         \
            value.at[k] = VALUE;                                                                                       \
        }                                                                                                              \
        return value;                                                                                                  \
    }
CM_DETAIL_COUNT(cbit, __builtin_popcountll(x));
CM_DETAIL_COUNT(fbl, x ? __builtin_ctz(x) : ~0u);
CM_DETAIL_COUNT(lzd, x ? __builtin_clz(x) : 32);
CM_DETAIL_COUNT(fbh, ((int)x < 0 ? (~x ? __builtin_clz(~x) : ~0u) : (x ? __builtin_clz(x) : ~0u)));
CM_DETAIL_COUNT(ufbh, (x ? __builtin_clz(x) : ~0u));
#undef CM_DETAIL_COUNT

namespace cm_detail
{
/* The bits of x without the lower `bits`, rounded to the nearest, ties to even. */
inline uint32_t host_shorten(float x, int bits)
{
    uint32_t word = __builtin_bit_cast(uint32_t, x), half_way = ((uint32_t)1 << (bits - 1)) - 1;
    if (!(x == x))
        return (word | 0x400000) >> bits << bits;
    return (word + half_way + (word >> bits & 1)) >> bits << bits;
}
} // namespace cm_detail
template <typename R, typename T, int N> inline cm_detail::lanes<R, N> __cm_bf_round(cm_detail::lanes<T, N> x)
{
    cm_detail::array<T, N> from(x);
    cm_detail::array<R, N> value;
    for (int k = 0; k < N; k++)
        value.at[k] = (R)(cm_detail::host_shorten(from.at[k], 16) >> 16);
    return value;
}
template <typename R, typename T, int N> inline cm_detail::lanes<R, N> __cm_bf_widen(cm_detail::lanes<T, N> x)
{
    cm_detail::array<T, N> from(x);
    cm_detail::array<R, N> value;
    for (int k = 0; k < N; k++)
        value.at[k] = __builtin_bit_cast(float, (uint32_t)from.at[k] << 16);
    return value;
}
template <typename R, typename T, int N> inline cm_detail::lanes<R, N> __cm_tf32_round(cm_detail::lanes<T, N> x)
{
    cm_detail::array<T, N> from(x);
    cm_detail::array<R, N> value;
    for (int k = 0; k < N; k++)
        value.at[k] = cm_detail::host_shorten(from.at[k], 13);
    return value;
}

#include "host_image.h"
#include "host_linear.h"
#include "host_lsc.h"

#endif
