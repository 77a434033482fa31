/* Untyped surface access and atomic operations: dwords of buffers and of shared local memory. The names of
 * ChannelMaskType and CmAtomicOpType: CM specification 4.4 "Common Types For Memory Operations". */
#ifndef CMKIT_CM_DETAIL_MEMORY_ATOMIC_H
#define CMKIT_CM_DETAIL_MEMORY_ATOMIC_H

/* Channels of an untyped, typed or sampler access: bit 0 R ... bit 3 A. */
enum ChannelMaskType {
    CM_R_ENABLE = 1,
    CM_G_ENABLE,
    CM_GR_ENABLE,
    CM_B_ENABLE,
    CM_BR_ENABLE,
    CM_BG_ENABLE,
    CM_BGR_ENABLE,
    CM_A_ENABLE,
    CM_AR_ENABLE,
    CM_AG_ENABLE,
    CM_AGR_ENABLE,
    CM_AB_ENABLE,
    CM_ABR_ENABLE,
    CM_ABG_ENABLE,
    CM_ABGR_ENABLE,
    /* as Intel's headers name them: ChannelMaskType::_CM_R_ENABLE */
    _CM_R_ENABLE = CM_R_ENABLE,
    _CM_G_ENABLE = CM_G_ENABLE,
    _CM_GR_ENABLE = CM_GR_ENABLE,
    _CM_B_ENABLE = CM_B_ENABLE,
    _CM_BR_ENABLE = CM_BR_ENABLE,
    _CM_BG_ENABLE = CM_BG_ENABLE,
    _CM_BGR_ENABLE = CM_BGR_ENABLE,
    _CM_A_ENABLE = CM_A_ENABLE,
    _CM_AR_ENABLE = CM_AR_ENABLE,
    _CM_AG_ENABLE = CM_AG_ENABLE,
    _CM_AGR_ENABLE = CM_AGR_ENABLE,
    _CM_AB_ENABLE = CM_AB_ENABLE,
    _CM_ABR_ENABLE = CM_ABR_ENABLE,
    _CM_ABG_ENABLE = CM_ABG_ENABLE,
    _CM_ABGR_ENABLE = CM_ABGR_ENABLE,
};

/* The new value, from the old one and the sources x and y; every operation gives back the old value (PREDEC the new
 * one). MIN and MAX compare unsigned, MINSINT and MAXSINT signed, FMAX, FMIN and FCMPWR floats. */
enum CmAtomicOpType {
    ATOMIC_ADD = 0x0,     /* old + x */
    ATOMIC_SUB = 0x1,     /* old - x */
    ATOMIC_INC = 0x2,     /* old + 1 */
    ATOMIC_DEC = 0x3,     /* old - 1 */
    ATOMIC_MIN = 0x4,     /* the smaller of old and x */
    ATOMIC_MAX = 0x5,     /* the greater of old and x */
    ATOMIC_XCHG = 0x6,    /* x */
    ATOMIC_CMPXCHG = 0x7, /* x if old is y, else old */
    ATOMIC_AND = 0x8,
    ATOMIC_OR = 0x9,
    ATOMIC_XOR = 0xa,
    ATOMIC_MINSINT = 0xb,
    ATOMIC_MAXSINT = 0xc,
    ATOMIC_FMAX = 0x10,
    ATOMIC_FMIN = 0x11,
    ATOMIC_FCMPWR = 0x12, /* as CMPXCHG, equal as floats */
    ATOMIC_PREDEC = 0xff, /* old - 1, which it gives back */
    /* as Intel's headers name them: CmAtomicOpType::_ATOMIC_ADD */
    _ATOMIC_ADD = ATOMIC_ADD,
    _ATOMIC_SUB = ATOMIC_SUB,
    _ATOMIC_INC = ATOMIC_INC,
    _ATOMIC_DEC = ATOMIC_DEC,
    _ATOMIC_MIN = ATOMIC_MIN,
    _ATOMIC_MAX = ATOMIC_MAX,
    _ATOMIC_XCHG = ATOMIC_XCHG,
    _ATOMIC_CMPXCHG = ATOMIC_CMPXCHG,
    _ATOMIC_AND = ATOMIC_AND,
    _ATOMIC_OR = ATOMIC_OR,
    _ATOMIC_XOR = ATOMIC_XOR,
    _ATOMIC_MINSINT = ATOMIC_MINSINT,
    _ATOMIC_MAXSINT = ATOMIC_MAXSINT,
    _ATOMIC_FMAX = ATOMIC_FMAX,
    _ATOMIC_FMIN = ATOMIC_FMIN,
    _ATOMIC_FCMPWR = ATOMIC_FCMPWR,
    _ATOMIC_PREDEC = ATOMIC_PREDEC,
};

namespace cm_detail
{

constexpr int channel_count(unsigned channels)
{
    return (channels & 1) + (channels >> 1 & 1) + (channels >> 2 & 1) + (channels >> 3 & 1);
}

/* Part First of a value of Parts times 16 lanes, as lanes of its own. */
template <typename T, int N, int First, int Count> CM_DETAIL_INLINE lanes<T, Count> lanes_from(lanes<T, N> x)
{
    return slice<First, Count, T, N>(x);
}

/* Where the channels of a message are: at byte offsets in a surface, or at flat addresses. */
struct surface_channels {
    typedef uint offset;
    SurfaceIndex surface;
    uint base;
    template <typename T, int N, int M>
    CM_DETAIL_MEMBER lanes<T, M> get(unsigned channels, lanes<ushort, N> mask, lanes<uint, N> offsets) const
    {
        return __cm_gather4<T, N, M>(channels, mask, surface, base, offsets);
    }
    template <typename T, int N, int M>
    CM_DETAIL_MEMBER void put(unsigned channels, lanes<ushort, N> mask, lanes<uint, N> offsets, lanes<T, M> value) const
    {
        __cm_scatter4<T, N, M>(channels, mask, surface, base, offsets, value);
    }
};
struct flat_channels {
    typedef uint64_t offset;
    template <typename T, int N, int M>
    CM_DETAIL_MEMBER lanes<T, M> get(unsigned channels, lanes<ushort, N> mask, lanes<uint64_t, N> addresses) const
    {
        return __cm_svm_gather4<T, N, M>(channels, mask, addresses);
    }
    template <typename T, int N, int M>
    CM_DETAIL_MEMBER void put(unsigned channels, lanes<ushort, N> mask, lanes<uint64_t, N> addresses,
                              lanes<T, M> value) const
    {
        __cm_svm_scatter4<T, N, M>(channels, mask, addresses, value);
    }
};

/* A message has at most 16 lanes. SIMD control flow of more has the lanes of both on in one mask. */
constexpr int channel_lanes(int n)
{
    return n < 16 ? n : 16;
}
template <int N> CM_DETAIL_INLINE lanes<ushort, N> channel_mask()
{
    return __cm_narrowed<N>((lanes<ushort, N>)(ushort)1);
}

/* Writes the lanes from First on of what has no name yet. */
template <int First, typename T, int n, int N>
CM_DETAIL_INLINE void fill_lanes(const vector<T, N> &whole, lanes<T, n> value)
{
    auto part = whole.template select<n, 1>(First);
    __cm_wrnew<T, n>(part.address_(), part.offsets_(), value);
}

/* Row C of what one message gave, or two. */
template <int C, int N, typename T, int M> CM_DETAIL_INLINE auto channel_of(lanes<T, M> first, lanes<T, M> second)
{
    constexpr int n = channel_lanes(N);
    if constexpr (n == N) {
        return lanes_from<T, M, C * n, n>(first);
    } else {
        vector<T, N> row;
        fill_lanes<0, T, n, N>(row, lanes_from<T, M, C * n, n>(first));
        fill_lanes<n, T, n, N>(row, lanes_from<T, M, C * n, n>(second));
        return row.read_();
    }
}

/* The rows of the enabled channels, each a vector of N lanes: `row(c)` names the destination of the c-th of them.
 * Offsets are in bytes. */
template <int rows, typename T, int N, typename Where, typename Row>
CM_DETAIL_INLINE void read_channels(const Where &where, unsigned channels, lanes<typename Where::offset, N> offsets,
                                    const Row &row)
{
    typedef typename Where::offset O;
    constexpr int n = channel_lanes(N), M = n * rows;
    lanes<ushort, N> mask = channel_mask<N>();
    auto first =
        where.template get<T, n, M>(channels, lanes_from<ushort, N, 0, n>(mask), lanes_from<O, N, 0, n>(offsets));
    auto second = first;
    if constexpr (n < N)
        second =
            where.template get<T, n, M>(channels, lanes_from<ushort, N, n, n>(mask), lanes_from<O, N, n, n>(offsets));
    row(0).write_(channel_of<0, N, T, M>(first, second));
    if constexpr (rows > 1)
        row(1).write_(channel_of<1, N, T, M>(first, second));
    if constexpr (rows > 2)
        row(2).write_(channel_of<2, N, T, M>(first, second));
    if constexpr (rows > 3)
        row(3).write_(channel_of<3, N, T, M>(first, second));
}
template <int rows, typename T, int N, int First, typename Where, typename Row>
CM_DETAIL_INLINE void write_channels(const Where &where, unsigned channels, lanes<typename Where::offset, N> offsets,
                                     const Row &row)
{
    constexpr int n = channel_lanes(N);
    vector<T, n * rows> data;
    fill_lanes<0, T, n, n * rows>(data, lanes_from<T, N, First, n>(row(0).read_()));
    if constexpr (rows > 1)
        fill_lanes<n, T, n, n * rows>(data, lanes_from<T, N, First, n>(row(1).read_()));
    if constexpr (rows > 2)
        fill_lanes<2 * n, T, n, n * rows>(data, lanes_from<T, N, First, n>(row(2).read_()));
    if constexpr (rows > 3)
        fill_lanes<3 * n, T, n, n * rows>(data, lanes_from<T, N, First, n>(row(3).read_()));
    where.template put<T, n, n * rows>(channels, lanes_from<ushort, N, First, n>(channel_mask<N>()),
                                       lanes_from<typename Where::offset, N, First, n>(offsets), data.read_());
    if constexpr (First + n < N)
        write_channels<rows, T, N, First + n>(where, channels, offsets, row);
}

/* A channel mask as an argument is a constant, but no template argument: every number of channels up to Most is tried.
 */
template <int Most, int Rows = 1, typename F> CM_DETAIL_INLINE void with_channels(unsigned channels, const F &run)
{
    if (channel_count(channels) == Rows)
        run(constant<Rows>());
    if constexpr (Rows < Most && Rows < 4)
        with_channels<Most, Rows + 1>(channels, run);
}

template <typename M, typename U> constexpr bool check_untyped()
{
    static_assert(sizeof(element<M>) == 4, "the elements must be int, uint or float");
    static_assert(facts<U>::count == 8 || facts<U>::count == 16 || facts<U>::count == 32,
                  "there must be 8, 16 or 32 offsets");
    return true;
}

/* Row c of a matrix, for channels. */
template <typename M> struct rows_of {
    const M &m;
    CM_DETAIL_MEMBER auto operator()(int c) const { return m.row(c); }
};

/* Channel c of a vector that has all lanes of one channel, then of the next. */
template <int N, typename V> struct parts_of {
    V v;
    CM_DETAIL_MEMBER auto operator()(int c) const { return v.template select<N, 1>(c * N); }
};

template <typename M, typename U> using if_untyped = enable_if<facts<M>::is_matrix && CM_DETAIL_IS_OPERAND(U)>;

} // namespace cm_detail

/* read_untyped(S, channels, m, u): up to four neighbouring dwords of a buffer from each dword number in u, a vector of
 * integers, on (any number is aligned): the first of them into m's first row, and so on; only enabled channels have
 * rows. m: int, uint or float, a column for each of 8, 16 or 32 lanes of u, at least a row for each channel. `channels`
 * is a constant. Outside the buffer: 0. All platforms.
 * Source: CM specification 4.5 "Untyped Surface Read/Write". */
template <typename M, typename U, typename = cm_detail::if_untyped<M, U>>
CM_DETAIL_INLINE void read_untyped(SurfaceIndex surface, ChannelMaskType channels, const M &m, const U &u)
{
    using namespace cm_detail;
    constexpr int N = facts<U>::count;
    static_assert(check_untyped<M, U>());
    static_assert(facts<M>::columns == N, "the matrix must have a column for each offset");
    lanes<uint, N> offsets = offset_lanes<uint, N>(u) * 4u;
    with_channels<facts<M>::rows>(channels, [&](auto rows) CM_DETAIL_MEMBER {
        read_channels<rows.value, element<M>, N>(surface_channels{surface, 0}, channels, offsets, rows_of<M>{m});
    });
}

/* write_untyped(S, channels, m, u): the same in the other direction, rows of 8, 16 or 32 int, uint or float, offsets in
 * dwords with the same alignment; writes outside the buffer are dropped. All platforms.
 * Source: CM specification 4.5 "Untyped Surface Read/Write". */
template <typename M, typename U, typename = cm_detail::if_untyped<M, U>>
CM_DETAIL_INLINE void write_untyped(SurfaceIndex surface, ChannelMaskType channels, const M &m, const U &u)
{
    using namespace cm_detail;
    constexpr int N = facts<U>::count;
    static_assert(check_untyped<M, U>());
    static_assert(facts<M>::columns == N, "the matrix must have a column for each offset");
    lanes<uint, N> offsets = offset_lanes<uint, N>(u) * 4u;
    with_channels<facts<M>::rows>(channels, [&](auto rows) CM_DETAIL_MEMBER {
        write_channels<rows.value, element<M>, N, 0>(surface_channels{surface, 0}, channels, offsets, rows_of<M>{m});
    });
}

namespace cm_detail
{

/* The builtin's number of an operation. */
CM_DETAIL_INLINE constexpr unsigned atomic_number(CmAtomicOpType operation)
{
    return operation == ATOMIC_PREDEC ? (unsigned)ATOMIC_DEC
           : operation >= ATOMIC_FMAX ? (unsigned)operation - ATOMIC_FMAX + ATOMIC_MAXSINT + 1
                                      : (unsigned)operation;
}
constexpr int atomic_source_count(CmAtomicOpType operation)
{
    return operation == ATOMIC_INC || operation == ATOMIC_DEC || operation == ATOMIC_PREDEC ? 0
           : operation == ATOMIC_CMPXCHG || operation == ATOMIC_FCMPWR                      ? 2
                                                                                            : 1;
}
constexpr bool atomic_of_floats(CmAtomicOpType operation)
{
    return operation >= ATOMIC_FMAX && operation <= ATOMIC_FCMPWR;
}

template <typename... X> struct first_of {
    typedef uint type; /* of an operation without operands */
};
template <typename A, typename... X> struct first_of<A, X...> {
    typedef element<bare<A>> type;
};

/* Argument `I` as lanes; 0 if there are fewer. */
template <int I, typename T, int N> CM_DETAIL_INLINE lanes<T, N> argument()
{
    return (lanes<T, N>)(T)0;
}
template <int I, typename T, int N, typename A, typename... X>
CM_DETAIL_INLINE lanes<T, N> argument(const A &first, const X &...rest)
{
    if constexpr (I == 0)
        return lanes_of<T, N>(first);
    else
        return argument<I - 1, T, N>(rest...);
}

/* The old values into `to`, where it is a vector or matrix: in the lanes of the mask. */
template <typename T, int N, typename D>
CM_DETAIL_INLINE void give_old(D &&to, CmAtomicOpType operation, lanes<T, N> old, lanes<ushort, N> mask)
{
    if constexpr (CM_DETAIL_IS_OPERAND(bare<D>)) {
        typedef element<bare<D>> E;
        static_assert(facts<bare<D>>::count == N, "there must be as many results as offsets");
        lanes<T, N> value = operation == ATOMIC_PREDEC ? old - (lanes<T, N>)(T)1 : old;
        to.write_(__cm_merge<E, N>(convert<E, T, N>(value), to.read_(), mask));
    }
}
template <int I, typename T, int N, typename... X>
CM_DETAIL_INLINE void give_last(CmAtomicOpType operation, lanes<T, N> old, lanes<ushort, N> mask, X &&...x)
{
    (void)operation, (void)old, (void)mask;
    int at = 0;
    ((at++ == I ? give_old<T, N>(x, operation, old, mask) : (void)0), ...);
}

/* Whether an operand of this type (X &&) can be changed: parts of vectors can, and vectors that have a name and are not
 * const. */
template <typename X> constexpr bool can_change = !CM_DETAIL_IS_OPERAND(X) || is_part<X>;
template <typename X> constexpr bool can_change<X &> = can_change<bare<X>> || !__is_const(X);

template <typename T, typename... X> constexpr bool can_change_last()
{
    if constexpr (sizeof...(X) == 0)
        return can_change<T>;
    else
        return can_change_last<X...>();
}

/* Values of an atomic operation; if no other parameter takes the old value, the last one does. */
template <int Sources, int Given> constexpr bool check_atomic_operands()
{
    static_assert(Given == Sources || Given == Sources + 1, "an atomic operation with {Given} values; this one takes "
                                                            "{Sources}, and a vector for the old one may follow");
    return true;
}

template <CmAtomicOpType Op, typename T, int N, int Operands> constexpr bool check_atomic()
{
    constexpr int sources = atomic_source_count(Op);
    static_assert(is_power_of_two(N) && N <= 32, "atomic operations take a power of two of lanes, at most 32");
    static_assert(check_atomic_operands<sources, Operands>());
    static_assert(__is_floating_point(T) == atomic_of_floats(Op),
                  "this atomic operation is not on {T}; FMAX, FMIN and FCMPWR take float, the others int and uint");
    return true;
}

template <CmAtomicOpType Op, int N, typename O, typename... X>
CM_DETAIL_INLINE void atomic_on(lanes<ushort, N> mask, SurfaceIndex surface, const O &offsets, X &&...x)
{
    constexpr int sources = atomic_source_count(Op);
    typedef typename first_of<X...>::type T;
    static_assert(check_atomic<Op, T, N, sizeof...(X)>());
    static_assert(sizeof(T) == 4, "atomic operations are on int, uint or float");
    if constexpr ((int)sizeof...(X) == sources + 1)
        static_assert(can_change_last<X...>(),
                      "the last operand gets the old values: it is a vector that is not const, "
                      "or a part of one, no temporary");
    auto old =
        __cm_atomic<T, N>(atomic_number(Op), mask, surface, offset_lanes<uint, N>(offsets) * 4u,
                          argument<(sources > 0 ? 0 : 9), T, N>(x...), argument<(sources == 2 ? 1 : 9), T, N>(x...));
    if constexpr ((int)sizeof...(X) == sources + 1)
        give_last<sources, T, N>(Op, old, mask, x...);
}

} // namespace cm_detail

/* write_atomic<OPERATION>([mask,] S, offsets[, x[, y]][, old]): an atomic operation (CmAtomicOpType) on each dword of a
 * buffer that `offsets` number (in dwords, so that each is aligned), for the lanes whose mask's bit 0 is set. x and y,
 * as many as the operation has, are vectors of int, uint or float or scalars; `old` receives what was there. 1, 2, 4,
 * 8, 16 or 32 lanes. Lanes with the same offset come one after the other in no defined order. Outside the buffer
 * nothing happens. All platforms.
 * Source: CM specification 4.5 "DWord Atomic Write". */
template <CmAtomicOpType Op, typename O, typename... X, typename = cm_detail::enable_if<CM_DETAIL_IS_OPERAND(O)>>
CM_DETAIL_INLINE void write_atomic(SurfaceIndex surface, const O &offsets, X &&...x)
{
    using namespace cm_detail;
    constexpr int N = facts<O>::count;
    atomic_on<Op, N, O, X...>((lanes<ushort, N>)(ushort)1, surface, offsets, (X &&)x...);
}
/* write_atomic<OPERATION>(mask, S, offsets[, x[, y]][, old]): an atomic operation on each dword of a buffer that
 * `offsets` number, for the lanes whose mask's bit 0 is set. */
template <CmAtomicOpType Op, typename M, typename O, typename... X,
          typename = cm_detail::enable_if<CM_DETAIL_IS_OPERAND(O) && !__is_enum(M)>>
CM_DETAIL_INLINE void write_atomic(const M &mask, SurfaceIndex surface, const O &offsets, X &&...x)
{
    using namespace cm_detail;
    constexpr int N = facts<O>::count;
    atomic_on<Op, N, O, X...>(mask_of<N>(mask), surface, offsets, (X &&)x...);
}
namespace cm_detail
{

/* An operation as an argument is a constant, but no template argument: each is tried. */
template <typename F> CM_DETAIL_INLINE void with_operation(CmAtomicOpType operation, const F &run)
{
#define CM_DETAIL_TRY(OPERATION)                                                                                       \
    if (operation == OPERATION)                                                                                        \
        run(constant<OPERATION>());
    CM_DETAIL_TRY(ATOMIC_ADD)
    CM_DETAIL_TRY(ATOMIC_SUB)
    CM_DETAIL_TRY(ATOMIC_INC)
    CM_DETAIL_TRY(ATOMIC_DEC)
    CM_DETAIL_TRY(ATOMIC_MIN)
    CM_DETAIL_TRY(ATOMIC_MAX)
    CM_DETAIL_TRY(ATOMIC_XCHG)
    CM_DETAIL_TRY(ATOMIC_CMPXCHG)
    CM_DETAIL_TRY(ATOMIC_AND)
    CM_DETAIL_TRY(ATOMIC_OR)
    CM_DETAIL_TRY(ATOMIC_XOR)
    CM_DETAIL_TRY(ATOMIC_MINSINT)
    CM_DETAIL_TRY(ATOMIC_MAXSINT)
    CM_DETAIL_TRY(ATOMIC_FMAX)
    CM_DETAIL_TRY(ATOMIC_FMIN)
    CM_DETAIL_TRY(ATOMIC_FCMPWR)
    CM_DETAIL_TRY(ATOMIC_PREDEC)
#undef CM_DETAIL_TRY
}

template <typename T, typename S, typename D>
CM_DETAIL_INLINE void old_atomic(SurfaceIndex surface, CmAtomicOpType operation, lanes<uint, 8> offsets,
                                 const S &sources, D &&old)
{
    static_assert(facts<S>::count == 8 || facts<S>::count == 16, "write(S, operation, ...) takes 8 or 16 sources");
    with_operation(operation, [&](auto number) CM_DETAIL_MEMBER {
        constexpr CmAtomicOpType op = (CmAtomicOpType)number.value;
        typedef conditional<atomic_of_floats(op), float, uint> E;
        vector<T, facts<S>::count> all = sources;
        vector<E, facts<S>::count> data = all.template format<E>();
        lanes<E, 8> x = slice<0, 8, E, facts<S>::count>(data.read_());
        lanes<E, 8> y = slice<facts<S>::count - 8, 8, E, facts<S>::count>(data.read_());
        vector<E, 8> before(from_lanes(), __cm_atomic<E, 8>(atomic_number(op), (lanes<ushort, 8>)(ushort)1, surface,
                                                            offsets * 4u, x, y));
        if constexpr (CM_DETAIL_IS_OPERAND(bare<D>)) {
            if constexpr (op == ATOMIC_PREDEC)
                before -= 1;
            old.write_(before.template format<T>().read_());
        }
    });
}

} // namespace cm_detail

/* write(S, operation, base, offsets, x, old): the older form of write_atomic, for eight lanes at base + offsets dwords.
 * x has 8 lanes, for CMPXCHG and FCMPWR 16: the second operand follows the first. `old`: 8 lanes, or 0 if it is not
 * needed. The operation is a constant. int, uint or float, aligned to dwords. All platforms.
 * Source: Intel's cm/cm_atomic.h. */
template <typename O, typename S, typename D,
          typename = cm_detail::enable_if<CM_DETAIL_IS_OPERAND(O) && CM_DETAIL_IS_OPERAND(S)>>
CM_DETAIL_INLINE void write(SurfaceIndex surface, CmAtomicOpType operation, uint base, const O &offsets,
                            const S &sources, D &&old)
{
    using namespace cm_detail;
    typedef element<S> T;
    static_assert(facts<O>::count == 8, "write(S, operation, ...) takes 8 offsets");
    static_assert(sizeof(T) == 4, "atomic operations are on int, uint or float");
    old_atomic<T>(surface, operation, offset_lanes<uint, 8>(offsets) + base, sources, old);
}
#endif
