/* Defines the common members of vectors, matrices and references: reading, writing, formats, merges, masks.
 *
 * A reference is an address and one byte offset per lane. Selects and formats compose by shuffling the parent's
 * offsets, which are constants after inlining; only run-time offsets are added to the address. Every function here is
 * therefore inlined, and only `__cm_rdref`/`__cm_wrref` (`__cm_wrnew` for a result without a name) move more than one
 * element.
 *
 * Members that vectors, matrices and references to them share. All platforms. */
#ifndef CMKIT_CM_DETAIL_CORE_OPERAND_H
#define CMKIT_CM_DETAIL_CORE_OPERAND_H

namespace cm_detail
{

template <typename R, typename T, int N> CM_DETAIL_INLINE lanes<R, N> convert(lanes<T, N> x)
{
    return __builtin_convertvector(x, lanes<R, N>);
}

/* Texts of static_assert: {X} is the template argument X, {X.count} and {X.bytes} its elements and bytes, {this} the
 * vector or matrix around; what follows "; " becomes a note (frontend/diagnostics/diag_text.h). */

/* Any operand or scalar as N lanes of T, which are for a To. (A function with a deduced result is instantiated where it
 * is called, so that errors name the user's line.) */
template <typename T, int N, typename To = void, typename X> CM_DETAIL_INLINE auto lanes_of(const X &x)
{
    if constexpr (!CM_DETAIL_IS_OPERAND(X)) {
        if constexpr (CM_DETAIL_IS_BF16(T) != CM_DETAIL_IS_BF16(X) && __is_floating_point(X))
            return (lanes<T, N>)(T)(float)x; /* between bf16 and half there is no conversion */
        else
            return (lanes<T, N>)(T)x;
    } else if constexpr (X::count_ == N) {
        return __builtin_convertvector(x.read_(), lanes<T, N>);
    } else {
        if constexpr (__is_same(To, void))
            static_assert(facts<X>::count == N,
                          "{X} has {X.count} elements where {N} are needed; all operands have the "
                          "same number of elements or are scalars");
        else
            static_assert(facts<X>::count == N,
                          "a {X} of {X.count} elements for a {To} of {To.count}; both must have the "
                          "same number of elements, or the value is a scalar");
        return lanes<T, N>();
    }
}

/* Lanes that say where, in bytes, elements or dwords. */
template <typename T, int N, typename X> CM_DETAIL_INLINE auto offset_lanes(const X &x)
{
    if constexpr (CM_DETAIL_IS_OPERAND(X))
        static_assert(__is_integral(element<X>), "offsets of type {X}; offsets and addresses are integers");
    return lanes_of<T, N>(x);
}

/* A mask operand: lanes of a vector or matrix (bit 0 counts), or an integer whose bit k is lane k; lanes beyond its
 * bits are not set. */
template <int N, typename X> CM_DETAIL_INLINE auto mask_of(const X &x)
{
    if constexpr (CM_DETAIL_IS_OPERAND(X)) {
        static_assert(__is_integral(element<X>), "the mask is a {X}; the elements of a mask are integers");
        static_assert(facts<X>::count == N,
                      "the mask {X} has {X.count} lanes for {N} elements; a mask has a lane for each");
        return lanes_of<ushort, N>(x);
    } else {
        static_assert(__is_integral(X), "the mask is a {X}; a mask is a vector or matrix of integers, or an integer");
        constexpr int bits = sizeof(X) * 8;
        if constexpr (N <= 32) {
            lanes<uint, N> bit = convert<uint, ushort, N>(__lanes_pattern<N, 0, N, 1>());
            return convert<ushort, uint, N>(
                ((lanes<uint, N>)(uint)(conditional<(bits < 32), unsigned_of<X>, uint>)x >> bit) & 1u);
        } else {
            /* the low and the high dword for the first lanes; none for the rest */
            auto whole = (unsigned_of<X>)x;
            lanes<uint, N> lane = convert<uint, ushort, N>(__lanes_pattern<N, 0, N, 1>()), zero = 0u;
            lanes<uint, N> low = (lanes<uint, N>)(uint)whole, high = (lanes<uint, N>)(uint)((uint64_t)whole >> 32);
            auto holds = lane < 32u ? low : lane < 64u ? high : zero;
            return convert<ushort, uint, N>((holds >> (lane & 31u)) & 1u);
        }
    }
}

/* Lanes as 0 and 1 by "is not zero". */
template <int N, typename T> CM_DETAIL_INLINE auto truth(lanes<T, N> x)
{
    static_assert(__is_integral(T), "a condition has integer elements");
    return __builtin_convertvector(x != 0, lanes<ushort, N>) & (ushort)1;
}

/* Members of all operands. Self has address_(), offsets_() and says whether it is dense_: the object itself, not a
 * part. */
template <typename Self, typename T, int R, int C> class operand : public operand_tag
{
  public:
    static_assert(is_element<T>, "{Self}: {T} cannot be an element; elements are integers, half, float or double");
    static_assert(!is_element<T> || __is_same(T, __remove_cv(T)),
                  "{Self}: {T} cannot be an element; const and volatile stand before the vector or matrix: const "
                  "vector<int, 8> v");
    static_assert(R > 0 && C > 0, "{Self}: the number of elements must be positive");
    static_assert((unsigned long)R * C * sizeof(T) <= 16384,
                  "{Self} has {Self.bytes} bytes; the largest register file has "
                  "16384");

    typedef T element_type;
    static constexpr int count_ = R * C, rows_ = R, columns_ = C;

    /* v.n_elems(): the number of elements of a vector or matrix, a constant int.
     * Source: CM specification 3.2.2 "Vector/matrix Constructors". */
    static constexpr int n_elems() { return R * C; }

    /* Of a Self whose type is deduced as this base of it. */
    CM_DETAIL_MEMBER lanes<T, R * C> read_() const { return self_().read_(); }

    /* v.any(), v.all(): 1 or 0: is any element, are all elements not zero; of vectors and matrices of integers. Inside
     * SIMD control flow: of the lanes that are on.
     * Source: CM specification 3.2.12 "Boolean Reduction Functions". */
    CM_DETAIL_MEMBER ushort any() const { return __cm_any<R * C>(truth<R * C, T>(self_().read_())); }
    /* v.all(): 1 if all elements are not zero, 0 otherwise. */
    CM_DETAIL_MEMBER ushort all() const { return __cm_all<R * C>(truth<R * C, T>(self_().read_())); }

    /* v.merge(x, mask): takes x, a scalar or as many elements, in the lanes where the mask is set; the others stay. The
     * mask is integers, a lane for each element, of which bit 0 counts; or an integer whose bit k is for lane k.
     * Source: CM specification 3.2.11 "Merge Member Functions". */
    template <typename X, typename M> CM_DETAIL_MEMBER void merge(const X &x, const M &mask)
    {
        self_().write_(__cm_merge<T, R * C>(lanes_of<T, R * C, Self>(x), self_().read_(), mask_of<R * C>(mask)));
    }
    /* v.merge(x, y, mask): v, of any element type, takes x, a scalar or as many elements, in the lanes where the mask
     * is set and y in the others.
     * Source: CM specification 3.2.11 "Merge Member Functions". */
    template <typename X, typename Y, typename M> CM_DETAIL_MEMBER void merge(const X &x, const Y &y, const M &mask)
    {
        self_().write_(
            __cm_merge<T, R * C>(lanes_of<T, R * C, Self>(x), lanes_of<T, R * C, Self>(y), mask_of<R * C>(mask)));
    }

    /* v.format<U>(), v.format<U, Rows, Columns>(): a reference to the same bytes as elements of type U, of a shape with
     * as many bytes. Of a part, the bytes of one new element must be contiguous.
     * Source: CM specification 3.2.10 "Format Member Functions". */
    template <typename U> CM_DETAIL_MEMBER auto format() const
    {
        constexpr int n = R * C * sizeof(T) / sizeof(U);
        static_assert(n > 0, "format: the new element is larger than the whole");
        return vector_ref<U, n>(self_().address_(), format_offsets_<U, n>());
    }
    /* v.format<U, Rows, Columns>(): a reference to the same bytes as a matrix of U. */
    template <typename U, int Rows, int Columns> CM_DETAIL_MEMBER auto format() const
    {
        static_assert(Rows > 0 && Columns > 0, "format<{U}, {Rows}, {Columns}>: sizes must be positive");
        static_assert(
            Rows * Columns * sizeof(U) == R * C * sizeof(T),
            "format<{U}, {Rows}, {Columns}> makes {U*Rows*Columns} bytes of the {Self.bytes} of a {Self}; the new "
            "shape must have as many bytes as the old");
        return matrix_ref<U, Rows, Columns>(self_().address_(), format_offsets_<U, Rows * Columns>());
    }

    /* v.replicate<REP>(): a vector, the whole REP times, of any element type; a matrix counts row after row.
     * Source: CM specification 3.2.9 "Select Member Functions". */
    template <int REP> CM_DETAIL_MEMBER auto replicate() const { return replicate_<REP, 0, R * C, 1>(0); }

    /* v.replicate<REP, W>(i), v.replicate<REP, VS, W>(i), v.replicate<REP, VS, W, HS>(i): a vector of REP groups of W
     * elements of any element type; the groups start VS elements apart (0 unless given) from element i on, inside a
     * group elements are HS apart (1 unless given).
     * Source: CM specification 3.2.9 "Select Member Functions". */
    template <int REP, int W> CM_DETAIL_MEMBER auto replicate(int i = 0) const { return replicate_<REP, 0, W, 1>(i); }
    /* v.replicate<REP, VS, W>(i): REP groups of W neighbouring elements, VS apart, from element i on. */
    template <int REP, int VS, int W> CM_DETAIL_MEMBER auto replicate(int i = 0) const
    {
        return replicate_<REP, VS, W, 1>(i);
    }
    /* v.replicate<REP, VS, W, HS>(i): REP groups of W elements that are HS apart; the groups are VS apart. */
    template <int REP, int VS, int W, int HS> CM_DETAIL_MEMBER auto replicate(int i = 0) const
    {
        return replicate_<REP, VS, W, HS>(i);
    }

  protected:
    CM_DETAIL_MEMBER const Self &self_() const { return static_cast<const Self &>(*this); }

    /* Element i of the whole in row-major order, as an address. */
    CM_DETAIL_MEMBER T *element_(int i, int j) const
    {
        if constexpr (Self::dense_)
            return (T *)self_().address_() + CM_DETAIL_GUARDED_PLACE(i, j, R, C);
        CM_DETAIL_CHECK_PLACE(i, j, R, C);
        return (T *)(self_().address_() + __lanes_distance<R, C>(self_().offsets_(), i, j) +
                     __lanes_part<1, R, C, 0, 1, 0>(self_().offsets_(), i, j)[0]);
    }

    /* A reference to N lanes in rows of Width, Pitch elements apart, Step apart in a row, from element (i, j) on. A
     * parent with even steps takes a run-time start into the address; another needs a look-up per lane. */
    template <typename Reference, int N, int Pitch, int Width, int Step>
    CM_DETAIL_MEMBER Reference part_(int i, int j) const
    {
        CM_DETAIL_CHECK_ROW(self_().address_(), i);
        if constexpr (Self::dense_)
            return Reference((char *)((T *)self_().address_() + CM_DETAIL_GUARDED(i * C + j, R * C)),
                             __lanes_pattern<N, Pitch * sizeof(T), Width, Step * sizeof(T)>());
        else
            return clipped_part_<Reference, N, Pitch, Width, Step>(i, j);
    }
    /* The same without lanes beyond the end of the object: another object may follow it. */
    template <typename Reference, int N, int Pitch, int Width, int Step>
    CM_DETAIL_MEMBER Reference clipped_part_(int i, int j) const
    {
        return Reference(self_().address_() + __lanes_distance<R, C>(self_().offsets_(), i, j),
                         __lanes_part<N, R, C, Pitch, Width, Step>(self_().offsets_(), i, j));
    }
    /* The same from the first element on: nothing to look up. */
    template <typename Reference, int N, int Pitch, int Width, int Step> CM_DETAIL_MEMBER Reference part_() const
    {
        if constexpr ((N - 1) / Width * Pitch + (Width - 1) * Step >= R * C)
            return clipped_part_<Reference, N, Pitch, Width, Step>(0, 0);
        else if constexpr (Self::dense_)
            return Reference(self_().address_(), __lanes_pattern<N, Pitch * sizeof(T), Width, Step * sizeof(T)>());
        else
            return Reference(self_().address_(),
                             __lanes_pick<ushort, N, R * C, 0, Pitch, Width, Step>(self_().offsets_()));
    }

    template <typename U, int N> CM_DETAIL_MEMBER offsets<N> format_offsets_() const
    {
        if constexpr (Self::dense_)
            return __lanes_pattern<N, 0, N, sizeof(U)>();
        else if constexpr (sizeof(U) == sizeof(T))
            return self_().offsets_();
        else if constexpr (sizeof(U) < sizeof(T)) { /* several new elements in an old one */
            constexpr int parts = sizeof(T) / sizeof(U);
            return __lanes_pick<ushort, N, R * C, 0, 1, parts, 0>(self_().offsets_()) +
                   __lanes_pattern<N, 0, parts, sizeof(U)>();
        } else { /* a new element starts where the first of its old ones does */
            constexpr int parts = sizeof(U) / sizeof(T);
            return __lanes_pick<ushort, N, R * C, 0, 0, N, parts>(self_().offsets_());
        }
    }

    template <int REP, int VS, int W, int HS> CM_DETAIL_MEMBER auto replicate_(int i) const
    {
        static_assert(REP > 0 && W > 0, "replicate: {REP} groups of {W} elements; both counts must be positive");
        static_assert(VS >= 0 && HS >= 0, "replicate: strides {VS} and {HS}; strides must not be negative");
        typedef vector<T, REP * W> result;
        offsets<REP * W> lane = __lanes_pattern<REP * W, VS * sizeof(T), W, HS * sizeof(T)>();
        if constexpr (Self::dense_) {
            return result(from_lanes(),
                          __cm_rdref<T, REP * W>((T *)self_().address_() + CM_DETAIL_GUARDED(i, R * C), lane));
        } else { /* runs over the referenced elements, wherever they lie */
            vector<T, R * C> copy(from_lanes(), self_().read_());
            return result(from_lanes(),
                          __cm_rdref<T, REP * W>((T *)copy.address_() + CM_DETAIL_GUARDED(i, R * C), lane));
        }
    }

    /* Elements at row-major numbers that are lanes of a ushort vector. */
    template <int K> CM_DETAIL_MEMBER vector<T, K> gather_(lanes<ushort, K> index) const
    {
        lanes<ushort, K> distance = __cm_distance<K>(CM_DETAIL_GUARDED_LANES(index, R * C) * (ushort)sizeof(T));
        if constexpr (Self::dense_) {
            return vector<T, K>(from_lanes(), __cm_rdref<T, K>(self_().address_(), distance));
        } else {
            vector<T, R * C> copy(from_lanes(), self_().read_());
            return vector<T, K>(from_lanes(), __cm_rdref<T, K>(copy.address_(), distance));
        }
    }
};

} // namespace cm_detail

#endif
