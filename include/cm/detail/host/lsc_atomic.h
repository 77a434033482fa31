/* Defines atomic operations and 2D blocks of the load/store cache on the CPU. */
#ifndef CMKIT_CM_DETAIL_HOST_LSC_ATOMIC_H
#define CMKIT_CM_DETAIL_HOST_LSC_ATOMIC_H

namespace cm_detail
{

/* What an operation (AtomicOp) stores. */
template <typename T> inline T host_lsc_atomic_result(unsigned operation, T old, T x, T y)
{
    if constexpr (__is_floating_point(T)) {
        switch (operation) {
        case 0x0a: return old;
        case 0x13: return old + x;
        case 0x14: return old - x;
        case 0x15: return old < x ? old : x;
        case 0x16: return old > x ? old : x;
        case 0x17: return old == x ? y : old;
        default: return x;
        }
    } else {
        typedef __make_signed(T) S;
        typedef __make_unsigned(T) U;
        switch (operation) {
        case 0x08: return (T)((U)old + 1);
        case 0x09: return (T)((U)old - 1);
        case 0x0a: return old;
        case 0x0c: return (T)((U)old + (U)x);
        case 0x0d: return (T)((U)old - (U)x);
        case 0x0e: return (S)x < (S)old ? x : old;
        case 0x0f: return (S)x > (S)old ? x : old;
        case 0x10: return (U)x < (U)old ? x : old;
        case 0x11: return (U)x > (U)old ? x : old;
        case 0x12: return old == x ? y : old;
        case 0x18: return old & x;
        case 0x19: return old | x;
        case 0x1a: return old ^ x;
        default: return x;
        }
    }
}
template <typename T> inline T host_lsc_atomic(unsigned operation, char *at, T x, T y)
{
    typedef conditional<sizeof(T) == 8, uint64_t, conditional<sizeof(T) == 4, uint32_t, ushort>> word;
    word old = __atomic_load_n((word *)at, __ATOMIC_SEQ_CST), wanted;
    do
        wanted = __builtin_bit_cast(word, host_lsc_atomic_result<T>(operation, __builtin_bit_cast(T, old), x, y));
    while (!__atomic_compare_exchange_n((word *)at, &old, wanted, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
    return __builtin_bit_cast(T, old);
}

/* The same as the message has it: elements of 16 bits (size 6 of `how`) travel in dwords; halves where the operation is
 * on floats. */
template <typename T> inline T host_lsc_atomic_element(unsigned how, unsigned operation, char *at, T x, T y)
{
    if constexpr (sizeof(T) == 4) {
        uint a = __builtin_bit_cast(uint, x), b = __builtin_bit_cast(uint, y), old;
        if ((how >> 8 & 15) == 6) {
            if (operation >= 0x13 && operation <= 0x17)
                old =
                    __builtin_bit_cast(ushort, host_lsc_atomic<half>(operation, at, __builtin_bit_cast(half, (ushort)a),
                                                                     __builtin_bit_cast(half, (ushort)b)));
            else
                old = host_lsc_atomic<ushort>(operation, at, (ushort)a, (ushort)b);
            return __builtin_bit_cast(T, old);
        }
    }
    return host_lsc_atomic<T>(operation, at, x, y);
}

/* A block of a matrix: where each element is in memory and in the value. */
class host_block_2d
{
  public:
    host_block_2d(unsigned how, unsigned shape, uint64_t base, unsigned width, unsigned height, unsigned pitch, int x,
                  int y)
        : base_(base), width_((uint64_t)width + 1), height_((uint64_t)height + 1), pitch_((uint64_t)pitch + 1), x_(x),
          y_(y), bytes_(1 << ((how >> 8 & 15) - 1)), order_(how >> 12), columns_(shape & 255), rows_(shape >> 8 & 255),
          blocks_(shape >> 16)
    {
        constexpr int register_bytes = 64;
        int in_dword = bytes_ < 4 ? 4 / bytes_ : 1;
        group_ = order_ == vnni ? in_dword : 1;
        row_pitch_ = power_of_two_at_least(order_ == transposed ? rows_ : columns_ * group_, 1);
        int lines = order_ == transposed ? columns_ : (rows_ + group_ - 1) / group_, whole = register_bytes / bytes_;
        block_pitch_ = (row_pitch_ * lines + whole - 1) / whole * whole;
    }
    /* Calls visit(address or nullptr outside the matrix, number of the element in the value). */
    template <typename Visit> void each(const Visit &visit) const
    {
        for (int block = 0; block < blocks_; block++)
            for (int r = 0; r < rows_; r++)
                for (int c = 0; c < columns_; c++)
                    visit(place((int64_t)x_ + block * columns_ + c, (int64_t)y_ + r), number(block, r, c));
    }

  private:
    static constexpr unsigned transposed = 1, vnni = 2;
    char *place(int64_t column, int64_t row) const
    {
        bool inside = column >= 0 && row >= 0 && (uint64_t)(column + 1) * bytes_ <= width_ && (uint64_t)row < height_;
        return inside ? (char *)base_ + (uint64_t)row * pitch_ + (uint64_t)column * bytes_ : nullptr;
    }
    int number(int block, int r, int c) const
    {
        int at = order_ == transposed ? c * row_pitch_ + r : r / group_ * row_pitch_ + c * group_ + r % group_;
        return block * block_pitch_ + at;
    }

    uint64_t base_, width_, height_, pitch_;
    int x_, y_, bytes_;
    unsigned order_;
    int columns_, rows_, blocks_, group_, row_pitch_, block_pitch_;
};

} // namespace cm_detail

template <typename T, int N>
inline cm_detail::lanes<T, N> __cm_lsc_atomic(unsigned how, unsigned operation, cm_detail::lanes<ushort, N> mask,
                                              SurfaceIndex surface, cm_detail::lanes<uint, N> offsets,
                                              cm_detail::lanes<T, N> x, cm_detail::lanes<T, N> y)
{
    using namespace cm_detail;
    array<ushort, N> m(mask);
    array<uint, N> distance(offsets);
    array<T, N> a(x), b(y), old;
    for (int k = 0; k < N; k++) {
        char *at = m.at[k] && is_live<N>(k) ? host_buffer(surface, distance.at[k], host_lsc_bytes(how)) : nullptr;
        old.at[k] = at ? host_lsc_atomic_element<T>(how, operation, at, a.at[k], b.at[k]) : (T)0;
    }
    return old;
}
template <typename T, int N>
inline cm_detail::lanes<T, N> __cm_lsc_atomic_flat(unsigned how, unsigned operation, cm_detail::lanes<ushort, N> mask,
                                                   cm_detail::lanes<uint64_t, N> addresses, cm_detail::lanes<T, N> x,
                                                   cm_detail::lanes<T, N> y)
{
    using namespace cm_detail;
    array<ushort, N> m(mask);
    array<uint64_t, N> at(addresses);
    array<T, N> a(x), b(y), old;
    for (int k = 0; k < N; k++)
        old.at[k] = m.at[k] && is_live<N>(k)
                        ? host_lsc_atomic_element<T>(how, operation, (char *)at.at[k], a.at[k], b.at[k])
                        : (T)0;
    return old;
}
template <typename T, int N>
inline cm_detail::lanes<T, N> __cm_lsc_load_2d(unsigned how, unsigned shape, uint64_t base, unsigned width,
                                               unsigned height, unsigned pitch, int x, int y)
{
    using namespace cm_detail;
    array<T, N> value;
    for (int k = 0; k < N; k++) /* the padding too */
        value.at[k] = 0;
    host_block_2d(how, shape, base, width, height, pitch, x, y).each([&](const char *from, int k) {
        if (from)
            value.at[k] = host_load<T>(from);
    });
    return value;
}
template <typename T, int N>
inline void __cm_lsc_store_2d(unsigned how, unsigned shape, uint64_t base, unsigned width, unsigned height,
                              unsigned pitch, int x, int y, cm_detail::lanes<T, N> value)
{
    using namespace cm_detail;
    array<T, N> from(value);
    host_block_2d(how, shape, base, width, height, pitch, x, y).each([&](char *to, int k) {
        if (to)
            host_store<T>(to, from.at[k]);
    });
}
inline void __cm_lsc_prefetch_2d(unsigned, unsigned, uint64_t, unsigned, unsigned, unsigned, int, int) {}

#endif
