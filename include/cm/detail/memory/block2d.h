/* Blocks of matrices in flat memory through the load/store cache: on PVC. block_2d_desc and LoadOp are those of Intel's
 * cm/lsc/block2d.h. */
#ifndef CMKIT_CM_DETAIL_MEMORY_BLOCK2D_H
#define CMKIT_CM_DETAIL_MEMORY_BLOCK2D_H

namespace lsc
{

/* The layout of a block in registers: row by row, column by column, or with neighbours of a column in one dword (VNNI:
 * the operand of cm_dpas). */
enum LoadOp { Normal = 0, Transpose = 1, VNNI = 2 };

/* block_2d_desc<T, Blocks, Height, Width> d(p, height - 1, width - 1, pitch - 1, x, y): a position in a matrix of T in
 * memory, with `height` rows of `width` bytes that are `pitch` bytes apart, and the shape of the access: Blocks
 * adjacent blocks, each of Height rows of Width elements, starting at element x of row y.
 * d.set_block_x(x).set_block_y(y) and the like change it, d.get_block_x() and the like return its values,
 * d.get_raw_desc() returns the messages' form. p is a multiple of 64. */
template <typename T, unsigned Blocks, unsigned Height, unsigned Width> struct block_2d_desc {
    static_assert(cm_detail::is_element<T>, "a block of {T}; its elements are integers, half, float or double");
    static_assert(Blocks > 0 && Height > 0 && Width > 0,
                  "{Blocks} blocks of {Height} rows and {Width} columns; there is at least one of each");
    typedef T value_type;
    static constexpr int num_blocks = Blocks, height = Height, width = Width;

    CM_DETAIL_MEMBER block_2d_desc(const T *p, unsigned rows, unsigned bytes, unsigned pitch, int x, int y)
        : base_((uint64_t)p), height_(rows), width_(bytes), pitch_(pitch), x_(x), y_(y)
    {
    }
    CM_DETAIL_MEMBER block_2d_desc(uint64_t p, unsigned rows, unsigned bytes, unsigned pitch, int x, int y)
        : base_(p), height_(rows), width_(bytes), pitch_(pitch), x_(x), y_(y)
    {
    }

#define CM_DETAIL_FIELD(NAME, TYPE, FIELD)                                                                             \
    CM_DETAIL_MEMBER block_2d_desc &set_##NAME(TYPE value)                                                             \
    {                                                                                                                  \
        FIELD = value;                                                                                                 \
        return *this;                                                                                                  \
    }                                                                                                                  \
    CM_DETAIL_MEMBER TYPE get_##NAME() const { return FIELD; }
    /* d.get_...(), d.set_...(value): one of the numbers that the constructor takes. */
    CM_DETAIL_FIELD(base, uint64_t, base_)
    CM_DETAIL_FIELD(width, unsigned, width_)
    CM_DETAIL_FIELD(height, unsigned, height_)
    CM_DETAIL_FIELD(pitch, unsigned, pitch_)
    CM_DETAIL_FIELD(block_x, int, x_)
    CM_DETAIL_FIELD(block_y, int, y_)
#undef CM_DETAIL_FIELD
    /* d.set_base_ptr(p): where the matrix starts, a multiple of 64 bytes. */
    CM_DETAIL_MEMBER block_2d_desc &set_base_ptr(const T *p) { return set_base((uint64_t)p); }
    /* d.get_base_ptr(): where the matrix starts. */
    CM_DETAIL_MEMBER T *get_base_ptr() const { return (T *)base_; }

    /* d.get_raw_desc(): the payload of the messages. */
    CM_DETAIL_MEMBER vector<uint32_t, 16> get_raw_desc() const
    {
        vector<uint32_t, 16> payload = 0;
        payload.template format<uint64_t>()(0) = base_;
        payload(2) = width_;
        payload(3) = height_;
        payload(4) = pitch_;
        payload(5) = (uint32_t)x_;
        payload(6) = (uint32_t)y_;
        payload(7) = (Blocks - 1) << 16 | (Height - 1) << 8 | (Width - 1);
        return payload;
    }

  private:
    uint64_t base_;
    unsigned height_, width_, pitch_;
    int x_, y_;
};

} // namespace lsc

namespace cm_detail
{

/* A block in registers: rows of a power of two elements, blocks of whole registers (of 64 bytes: only PVC has them). */
template <typename T, int Width, int Height, int Blocks, int Order> struct block_2d {
    static constexpr int in_dword = sizeof(T) < 4 ? 4 / (int)sizeof(T) : 1;
    static constexpr bool transposed = Order == lsc::Transpose, vnni = Order == lsc::VNNI;
    static constexpr int row = transposed ? Height : vnni ? Width * in_dword : Width;
    static constexpr int rows = transposed ? Width : vnni ? (Height + in_dword - 1) / in_dword : Height;
    static constexpr int row_pitch = power_of_two_at_least(row, 1);
    static constexpr int in_register = 64 / (int)sizeof(T);
    static constexpr int block_pitch = (row_pitch * rows + in_register - 1) / in_register * in_register;
    static constexpr int padded = block_pitch * Blocks, dense = row * rows * Blocks;
    static constexpr unsigned shape = Width | Height << 8 | Blocks << 16;
    static constexpr unsigned size = sizeof(T) == 1 ? 1 : sizeof(T) == 2 ? 2 : sizeof(T) == 4 ? 3 : 4;
    typedef carried_bits<T> bits;
    template <lsc_access Access, CacheHint L1, CacheHint L3> static constexpr unsigned how()
    {
        static_assert(lsc_hints_allowed(Access, L1, L3),
                      "blocks are not accessed with this pair of cache hints; loads and prefetches take (Uncached, "
                      "Cached or Streaming) with (Uncached or Cached) or ReadInvalidate with Cached, stores "
                      "(Uncached, WriteThrough or Streaming) with (Uncached or WriteBack) or WriteBack twice, all "
                      "Default twice");
        return (unsigned)L1 | (unsigned)L3 << 4 | size << 8 | (unsigned)Order << 12;
    }
};

template <lsc_access Access, typename T, int Width, int Height, int Blocks, int Order> constexpr bool check_block_2d()
{
    typedef block_2d<T, Width, Height, Blocks, Order> B;
    constexpr int most_blocks = Access == lsc_access::store || B::transposed ? 1
                                : sizeof(T) == 8                             ? 1
                                : sizeof(T) == 4                             ? 2
                                                                             : 4;
    static_assert(Blocks == 1 || Blocks == 2 || Blocks == 4, "{Blocks} blocks of {T}; there are 1, 2 or 4");
    static_assert(Blocks <= most_blocks,
                  "{Blocks} blocks of {T} in one access; four have elements of 8 or 16 bits, two "
                  "of up to 32, what is stored or transposed is one block");
    static_assert(Width * sizeof(T) % 4 == 0,
                  "rows of {Width*T} bytes in a block of {T}; they are a multiple of 4 bytes wide");
    static_assert(Width * sizeof(T) * Blocks <= 64,
                  "{Blocks} blocks of {Width*T} bytes beside each other; they are at most 64 bytes wide together");
    static_assert(Height <= (Access == lsc_access::store ? 8 : 32),
                  "a block of {Height} rows; it has at most 32, and 8 where it is stored");
    if constexpr (B::transposed) {
        static_assert(sizeof(T) == 4 || sizeof(T) == 8,
                      "a transposed block of {T}; it has elements of 32 or 64 bits: pairs of smaller ones are uint");
        static_assert(sizeof(T) == 8 || Width <= 8,
                      "a transposed block of {T} with {Width} columns; it has at most 8 columns of 32 bits");
        static_assert(sizeof(T) == 4 || (Height == 8 && (Width == 1 || Width == 2 || Width == 4)),
                      "a transposed block of {Height} rows and {Width} columns of {T}; of 64-bit elements there are 8 "
                      "rows and 1, 2 or 4 columns");
    }
    static_assert(!B::vnni || sizeof(T) <= 2, "a VNNI block of {T}; it has elements of 8 or 16 bits");
    static_assert(B::padded * sizeof(T) <= 2048); // registers of one message: follows from the limits above
    return true;
}

template <typename B, typename T, int N> CM_DETAIL_INLINE auto without_padding(const vector<T, B::padded> &x)
{
    static_assert(N == B::padded || N == B::dense,
                  "a result of {N} elements for these blocks; it has those of the blocks, or these and the padding of "
                  "rows to powers of two and of blocks to registers of 64 bytes");
    vector<T, N> value;
    if constexpr (N == B::padded) {
        value = x;
    } else {
        constexpr int blocks = N / (B::row * B::rows);
#pragma unroll
        for (int block = 0; block < blocks; block++)
#pragma unroll
            for (int row = 0; row < B::rows; row++)
                value.template select<B::row, 1>((block * B::rows + row) * B::row) =
                    x.template select<B::row, 1>(block * B::block_pitch + row * B::row_pitch);
    }
    return value;
}

/* A block as a message takes it, of one that has padding already or not. */
template <typename B, typename T, typename V> CM_DETAIL_INLINE lanes<T, B::padded> with_padding(const V &x)
{
    if constexpr (facts<V>::count == B::dense && B::dense != B::padded) {
        vector<T, B::dense> from = x;
        vector<T, B::padded> value = 0;
#pragma unroll
        for (int row = 0; row < B::rows; row++)
            value.template select<B::row, 1>(row * B::row_pitch) = from.template select<B::row, 1>(row * B::row);
        return value.read_();
    } else {
        return lanes_of<T, B::padded>(x);
    }
}

template <typename T, int Width, int Height, int Blocks, int Order, CacheHint L1, CacheHint L3>
CM_DETAIL_INLINE auto load_2d(uint64_t base, unsigned width, unsigned height, unsigned pitch, int x, int y)
{
    typedef block_2d<T, Width, Height, Blocks, Order> B;
    static_assert(check_block_2d<lsc_access::load, T, Width, Height, Blocks, Order>());
    auto bits = __cm_lsc_load_2d<typename B::bits, B::padded>(B::template how<lsc_access::load, L1, L3>(), B::shape,
                                                              base, width, height, pitch, x, y);
    return vector<T, B::padded>(from_lanes(), __builtin_bit_cast(lanes<T, B::padded>, bits));
}
template <typename T, int Width, int Height, CacheHint L1, CacheHint L3>
CM_DETAIL_INLINE void store_2d(uint64_t base, unsigned width, unsigned height, unsigned pitch, int x, int y,
                               lanes<T, block_2d<T, Width, Height, 1, 0>::padded> value)
{
    typedef block_2d<T, Width, Height, 1, lsc::Normal> B;
    static_assert(check_block_2d<lsc_access::store, T, Width, Height, 1, lsc::Normal>());
    __cm_lsc_store_2d<typename B::bits, B::padded>(B::template how<lsc_access::store, L1, L3>(), B::shape, base, width,
                                                   height, pitch, x, y,
                                                   __builtin_bit_cast(lanes<typename B::bits, B::padded>, value));
}
template <typename T, int Width, int Height, int Blocks, CacheHint L1, CacheHint L3>
CM_DETAIL_INLINE void prefetch_2d(uint64_t base, unsigned width, unsigned height, unsigned pitch, int x, int y)
{
    typedef block_2d<T, Width, Height, Blocks, lsc::Normal> B;
    static_assert(check_block_2d<lsc_access::prefetch, T, Width, Height, Blocks, lsc::Normal>());
    __cm_lsc_prefetch_2d(B::template how<lsc_access::prefetch, L1, L3>(), B::shape, base, width, height, pitch, x, y);
}

/* The order that the two flags of cm_ptr_load say. */
constexpr int block_order(bool transposed, bool transformed)
{
    return transposed ? lsc::Transpose : transformed ? lsc::VNNI : lsc::Normal;
}

} // namespace cm_detail

#define CM_DETAIL_PLACE unsigned width, unsigned height, unsigned pitch, int x, int y
/* cm_ptr_load<T, Width, Height, Blocks, Transposed, Transformed, L1, L3[, N]>(p, width - 1, height - 1, pitch - 1, x,
 * y): a block of a matrix in memory (lsc::block_2d_desc describes the numbers; note their other order); p is a multiple
 * of 64 bytes, T has 8 to 64 bits. The result has the elements of the blocks, or N elements if N is given: as the
 * message delivers them, with rows padded to a power of two elements and blocks to 64 bytes. Outside the matrix: 0.
 * cm_ptr_store<T, Width, Height, L1, L3>(p, width - 1, height - 1, pitch - 1, x, y, v) writes a block, with that
 * padding or without; cm_ptr_prefetch<T, Width, Height, Blocks, L1, L3>(p, width - 1, height - 1, pitch - 1, x, y) only
 * fills the caches; cm_load<...>(p, ...), cm_store<...>(p, ...) and cm_prefetch<...>(p, ...) are the same. Widths in
 * bytes are multiples of 4, at most 64 for all blocks; up to 32 rows, 8 for stores; up to 4 blocks of elements of 8 and
 * 16 bits, 2 of 32, 1 of 64 and of transposed ones (32 or 64 bits); Transformed: 8 or 16 bits. Not inside SIMD control
 * flow. From PVC on. Source: Intel's cm/cm_lsc.h. */
template <typename T, int Width, int Height = 1, int Blocks = 1, bool Transposed = false, bool Transformed = false,
          CacheHint L1 = CacheHint::Default, CacheHint L3 = CacheHint::Default,
          int N = cm_detail::block_2d<T, Width, Height, Blocks, cm_detail::block_order(Transposed, Transformed)>::dense>
CM_DETAIL_INLINE vector<T, N> cm_ptr_load(const T *p, CM_DETAIL_PLACE)
{
    using namespace cm_detail;
    static_assert(!Transposed || !Transformed, "a block that is transposed and transformed to VNNI; it is either");
    constexpr int order = block_order(Transposed, Transformed);
    return without_padding<block_2d<T, Width, Height, Blocks, order>, T, N>(
        load_2d<T, Width, Height, Blocks, order, L1, L3>((uint64_t)p, width, height, pitch, x, y));
}
/* cm_load<T, Width, Height, Blocks, Transposed, Transformed, L1, L3[, N]>(p, width - 1, height - 1, pitch - 1, x,
 * y): another name of cm_ptr_load. */
template <typename T, int Width, int Height = 1, int Blocks = 1, bool Transposed = false, bool Transformed = false,
          CacheHint L1 = CacheHint::Default, CacheHint L3 = CacheHint::Default,
          int N = cm_detail::block_2d<T, Width, Height, Blocks, cm_detail::block_order(Transposed, Transformed)>::dense>
CM_DETAIL_INLINE vector<T, N> cm_load(const T *p, CM_DETAIL_PLACE)
{
    return cm_ptr_load<T, Width, Height, Blocks, Transposed, Transformed, L1, L3, N>(p, width, height, pitch, x, y);
}
/* cm_ptr_store<T, Width, Height, L1, L3>(p, width - 1, height - 1, pitch - 1, x, y, v): writes a block of a matrix
 * in memory. */
template <typename T, int Width, int Height = 1, CacheHint L1 = CacheHint::Default, CacheHint L3 = CacheHint::Default,
          typename V, typename = cm_detail::if_operand<V>>
CM_DETAIL_INLINE void cm_ptr_store(T *p, CM_DETAIL_PLACE, const V &value)
{
    using namespace cm_detail;
    store_2d<T, Width, Height, L1, L3>((uint64_t)p, width, height, pitch, x, y,
                                       with_padding<block_2d<T, Width, Height, 1, 0>, T>(value));
}
/* cm_store<T, Width, Height, L1, L3>(p, width - 1, height - 1, pitch - 1, x, y, v): another name of cm_ptr_store. */
template <typename T, int Width, int Height = 1, CacheHint L1 = CacheHint::Default, CacheHint L3 = CacheHint::Default,
          typename V, typename = cm_detail::if_operand<V>>
CM_DETAIL_INLINE void cm_store(T *p, CM_DETAIL_PLACE, const V &value)
{
    cm_ptr_store<T, Width, Height, L1, L3>(p, width, height, pitch, x, y, value);
}
/* cm_ptr_prefetch<T, Width, Height, Blocks, L1, L3>(p, width - 1, height - 1, pitch - 1, x, y): fills the caches
 * with a block of a matrix in memory. */
template <typename T, int Width, int Height = 1, int Blocks = 1, CacheHint L1 = CacheHint::Cached,
          CacheHint L3 = CacheHint::Cached>
CM_DETAIL_INLINE void cm_ptr_prefetch(const T *p, CM_DETAIL_PLACE)
{
    cm_detail::prefetch_2d<T, Width, Height, Blocks, L1, L3>((uint64_t)p, width, height, pitch, x, y);
}
/* cm_prefetch<T, Width, Height, Blocks, L1, L3>(p, width - 1, height - 1, pitch - 1, x, y): another name of
 * cm_ptr_prefetch. */
template <typename T, int Width, int Height = 1, int Blocks = 1, CacheHint L1 = CacheHint::Cached,
          CacheHint L3 = CacheHint::Cached>
CM_DETAIL_INLINE void cm_prefetch(const T *p, CM_DETAIL_PLACE)
{
    cm_ptr_prefetch<T, Width, Height, Blocks, L1, L3>(p, width, height, pitch, x, y);
}
#undef CM_DETAIL_PLACE

/* unpad_untyped_2d_lsc_load<T, N, Padded, InDword, Height, Width, Blocks, RowPitch, BlockPitch, Transposed,
 * Transformed>(v): what such a message delivered without its padding: of Blocks blocks, which start BlockPitch elements
 * apart, the rows, which start RowPitch elements apart; a vector of N elements of any type. All platforms.
 * Source: Intel's cm/cm_lsc.h. */
template <typename T, int N, int Padded, int InDword, int Height, int Width, int Blocks, int RowPitch, int BlockPitch,
          bool Transposed, bool Transformed, typename V, typename = cm_detail::if_operand<V>>
CM_DETAIL_INLINE vector<T, N> unpad_untyped_2d_lsc_load(const V &padded)
{
    static_assert(!Transposed || !Transformed, "a block that is transposed and transformed to VNNI; it is either");
    constexpr int row = Transposed ? Height : Transformed ? Width * InDword : Width;
    constexpr int rows = Transposed ? Width : Transformed ? Height / InDword : Height;
    static_assert(row * rows * Blocks <= N && cm_detail::facts<V>::count == Padded,
                  "{N} elements for these blocks; they have fewer");
    vector<T, Padded> from = padded;
    vector<T, N> value = 0;
#pragma unroll
    for (int block = 0; block < Blocks; block++)
#pragma unroll
        for (int r = 0; r < rows; r++)
            value.template select<row, 1>((block * rows + r) * row) =
                from.template select<row, 1>(block * BlockPitch + r * (Transformed ? InDword : 1) * RowPitch);
    return value;
}

/* cm_load<LoadOp, L1, L3, X, Y>(v, d[, predicate]): the block that an lsc::block_2d_desc describes, X elements (of 8 to
 * 64 bits) and Y rows further on, into v, which has the elements of the blocks with the padding of cm_ptr_load; v stays
 * where the predicate is 0. cm_store<L1, L3, X, Y>(d, v[, predicate]) writes, cm_prefetch<L1, L3, X, Y>(d[, predicate])
 * fills the caches. Limits as for cm_ptr_load. Not inside SIMD control flow. From PVC on.
 * Source: Intel's cm/lsc/block2d.h. */
template <lsc::LoadOp Op, CacheHint L1 = CacheHint::Default, CacheHint L3 = CacheHint::Default, int X = 0, int Y = 0,
          typename V, typename T, unsigned Blocks, unsigned Height, unsigned Width, typename = cm_detail::if_operand<V>>
CM_DETAIL_INLINE void cm_load(const V &destination, const lsc::block_2d_desc<T, Blocks, Height, Width> &d,
                              int16_t predicate = 1)
{
    using namespace cm_detail;
    static_assert(
        __is_same(element<V>, T) && facts<V>::count == block_2d<T, Width, Height, Blocks, Op>::padded,
        "a {V} for {Blocks} blocks of {Height} rows and {Width} columns of {T}; it has their elements, of that type, "
        "with rows padded to a power of two and blocks to 64 bytes");
    if (predicate & 1)
        destination.write_(load_2d<T, Width, Height, Blocks, Op, L1, L3>(d.get_base(), d.get_width(), d.get_height(),
                                                                         d.get_pitch(), d.get_block_x() + X,
                                                                         d.get_block_y() + Y)
                               .read_());
}
/* cm_load<L1, L3, X, Y>(v, d[, predicate]): the block row by row, as with lsc::Normal. */
template <CacheHint L1 = CacheHint::Default, CacheHint L3 = CacheHint::Default, int X = 0, int Y = 0, typename V,
          typename T, unsigned Blocks, unsigned Height, unsigned Width, typename = cm_detail::if_operand<V>>
CM_DETAIL_INLINE void cm_load(const V &destination, const lsc::block_2d_desc<T, Blocks, Height, Width> &d,
                              int16_t predicate = 1)
{
    cm_load<lsc::Normal, L1, L3, X, Y>(destination, d, predicate);
}
/* cm_prefetch<L1, L3, X, Y>(d[, predicate]): fills the caches with the block, unless the predicate is 0. */
template <CacheHint L1 = CacheHint::Cached, CacheHint L3 = CacheHint::Cached, int X = 0, int Y = 0, typename T,
          unsigned Blocks, unsigned Height, unsigned Width>
CM_DETAIL_INLINE void cm_prefetch(const lsc::block_2d_desc<T, Blocks, Height, Width> &d, int16_t predicate = 1)
{
    if (predicate & 1)
        cm_detail::prefetch_2d<T, Width, Height, Blocks, L1, L3>(
            d.get_base(), d.get_width(), d.get_height(), d.get_pitch(), d.get_block_x() + X, d.get_block_y() + Y);
}
/* cm_store<L1, L3, X, Y>(d, v[, predicate]): writes the block, unless the predicate is 0. */
template <CacheHint L1 = CacheHint::Default, CacheHint L3 = CacheHint::Default, int X = 0, int Y = 0, typename T,
          unsigned Height, unsigned Width, typename V, typename = cm_detail::if_operand<V>>
CM_DETAIL_INLINE void cm_store(const lsc::block_2d_desc<T, 1, Height, Width> &d, const V &value, int16_t predicate = 1)
{
    using namespace cm_detail;
    constexpr int N = block_2d<T, Width, Height, 1, 0>::padded;
    if (predicate & 1)
        store_2d<T, Width, Height, L1, L3>(d.get_base(), d.get_width(), d.get_height(), d.get_pitch(),
                                           d.get_block_x() + X, d.get_block_y() + Y, lanes_of<T, N>(value));
}

#endif
