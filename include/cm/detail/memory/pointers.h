/* Vectors of pointers: loads and stores with an address for each lane. The names of Align are those of
 * Intel's cm/cm_memory.h. */
#ifndef CMKIT_CM_DETAIL_MEMORY_POINTERS_H
#define CMKIT_CM_DETAIL_MEMORY_POINTERS_H

/* Bytes of which the addresses of an access are multiples. */
enum Align { ELEM_SIZE = 0, BYTE = 1, WORD = 2, DWORD = 4, QWORD = 8, OWORD = 16 };

/* vector<T *, N>: N pointers. From one pointer for all lanes, a list, or a vector of addresses; p + offsets and p -
 * offsets count elements of T, lane by lane, as pointers do; p(i) is one of them. Addresses are flat:
 * format<svmptr_t>() is the same as numbers. Not an operand of arithmetic or select. All platforms. */
template <typename T, int N> class vector<T *, N>
{
  public:
    static constexpr int count_ = N;
    /* v.n_elems(): the number of pointers. */
    static constexpr int n_elems() { return N; }

    CM_DETAIL_MEMBER vector() {}
    CM_DETAIL_MEMBER vector(const vector &x) : addresses_(x.addresses_) {}
    CM_DETAIL_MEMBER vector(T *p) : addresses_((svmptr_t)p) {}
    CM_DETAIL_MEMBER explicit vector(const vector<svmptr_t, N> &addresses) : addresses_(addresses) {}
    template <typename... X, typename = cm_detail::enable_if<sizeof...(X) + 2 == N && (__is_same(X, T *) && ...)>>
    CM_DETAIL_MEMBER vector(T *first, T *second, X... rest)
        : addresses_((svmptr_t)first, (svmptr_t)second, (svmptr_t)rest...)
    {
    }
    CM_DETAIL_MEMBER vector &operator=(const vector &x)
    {
        addresses_ = x.addresses_;
        return *this;
    }

    /* A pointer of the vector: to be read and to be assigned to. */
    class reference
    {
      public:
        CM_DETAIL_MEMBER explicit reference(svmptr_t &address) : address_(address) {}
        CM_DETAIL_MEMBER operator T *() const { return (T *)address_; }
        CM_DETAIL_MEMBER T *operator=(T *p) const
        {
            address_ = (svmptr_t)p;
            return p;
        }

      private:
        svmptr_t &address_;
    };
    CM_DETAIL_MEMBER reference operator()(int i) { return reference(addresses_(i)); }
    CM_DETAIL_MEMBER reference operator[](int i) { return reference(addresses_(i)); }
    CM_DETAIL_MEMBER T *operator()(int i) const { return (T *)addresses_(i); }
    CM_DETAIL_MEMBER T *operator[](int i) const { return (T *)addresses_(i); }

    /* v.format<svmptr_t>(): a reference to the addresses. */
    template <typename U> CM_DETAIL_MEMBER auto format()
    {
        static_assert(__is_same(U, svmptr_t), "pointers are formatted as svmptr_t");
        return addresses_.template format<U>();
    }
    /* v.addresses(): the addresses as a vector of numbers. */
    CM_DETAIL_MEMBER const vector<svmptr_t, N> &addresses() const { return addresses_; }

    template <typename X> CM_DETAIL_MEMBER vector operator+(const X &offsets) const
    {
        return vector(vector<svmptr_t, N>(addresses_ + distance_(offsets)));
    }
    template <typename X> CM_DETAIL_MEMBER vector operator-(const X &offsets) const
    {
        return vector(vector<svmptr_t, N>(addresses_ - distance_(offsets)));
    }
    template <typename X> CM_DETAIL_MEMBER vector &operator+=(const X &offsets)
    {
        addresses_ += distance_(offsets);
        return *this;
    }
    template <typename X> CM_DETAIL_MEMBER vector &operator-=(const X &offsets)
    {
        addresses_ -= distance_(offsets);
        return *this;
    }

  private:
    template <typename X> static CM_DETAIL_MEMBER vector<svmptr_t, N> distance_(const X &offsets)
    {
        vector<int64_t, N> bytes = offsets;
        bytes *= (int64_t)sizeof(T);
        return vector<svmptr_t, N>(bytes);
    }

    vector<svmptr_t, N> addresses_;
};

/* matrix<T *, R, C>: R rows of C pointers, the same as a vector of R * C, row after row; m(i, j) is one of them. All
 * platforms. */
template <typename T, int R, int C> class matrix<T *, R, C> : public vector<T *, R * C>
{
    typedef vector<T *, R * C> base;

  public:
    /* m.n_rows(): the number of rows. */
    static constexpr int n_rows() { return R; }
    /* m.n_cols(): the number of columns. */
    static constexpr int n_cols() { return C; }

    using base::base;
    CM_DETAIL_MEMBER matrix() {}
    CM_DETAIL_MEMBER matrix(const matrix &x) : base(x) {}
    CM_DETAIL_MEMBER matrix(const base &x) : base(x) {}
    CM_DETAIL_MEMBER explicit matrix(const matrix<svmptr_t, R, C> &addresses) : base(vector<svmptr_t, R * C>(addresses))
    {
    }
    CM_DETAIL_MEMBER matrix &operator=(const matrix &x)
    {
        base::operator=(x);
        return *this;
    }
    CM_DETAIL_MEMBER typename base::reference operator()(int i, int j) { return base::operator()(i * C + j); }
    CM_DETAIL_MEMBER T *operator()(int i, int j) const { return base::operator()(i * C + j); }

    template <typename X> CM_DETAIL_MEMBER matrix operator+(const X &offsets) const { return base::operator+(offsets); }
    template <typename X> CM_DETAIL_MEMBER matrix operator-(const X &offsets) const { return base::operator-(offsets); }
};

namespace cm_detail
{

/* The largest number of the remaining lanes that one message takes. */
constexpr int pointer_piece(int left)
{
    int n = 1;
    while (2 * n <= left && n < 32)
        n *= 2;
    return n;
}

template <int First, typename T, int N>
CM_DETAIL_INLINE void gather_pieces(const vector<T *, N> &p, lanes<ushort, N> mask, const vector<T, N> &to)
{
    if constexpr (First < N) {
        constexpr int n = pointer_piece(N - First);
        auto part = to.template select<n, 1>(First);
        part.write_(__cm_svm_gather<T, n>(slice<First, n, ushort, N>(mask),
                                          slice<First, n, svmptr_t, N>(p.addresses().read_()), part.read_()));
        gather_pieces<First + n>(p, mask, to);
    }
}
template <int First, typename T, int N>
CM_DETAIL_INLINE void scatter_pieces(const vector<T, N> &from, const vector<T *, N> &p, lanes<ushort, N> mask)
{
    if constexpr (First < N) {
        constexpr int n = pointer_piece(N - First);
        __cm_svm_scatter<T, n>(slice<First, n, ushort, N>(mask), slice<First, n, svmptr_t, N>(p.addresses().read_()),
                               slice<First, n, T, N>(from.read_()));
        scatter_pieces<First + n>(from, p, mask);
    }
}
template <typename T, int A> constexpr bool check_alignment()
{
    static_assert(is_element<T>, "pointers to {T}; what is loaded and stored are integers, half, float or double");
    static_assert(A == ELEM_SIZE || A >= (int)sizeof(T),
                  "{T} at multiples of {A} bytes; elements lie at multiples of their size");
    return true;
}

} // namespace cm_detail

namespace cm_detail
{

/* The same in shared memory, whose messages move at most 32 bits a lane: 64 in two halves. */
template <int First, typename T, int N>
CM_DETAIL_INLINE void gather_shared(const vector<uint, N> &at, lanes<ushort, N> mask, const vector<T, N> &to)
{
    if constexpr (sizeof(T) == 8) {
        auto halves = to.template format<uint>();
        vector<uint, N> part = halves.template select<N, 2>(0);
        gather_shared<0>(at, mask, part);
        halves.template select<N, 2>(0) = part;
        part = halves.template select<N, 2>(1);
        gather_shared<0>(vector<uint, N>(at + 4u), mask, part);
        halves.template select<N, 2>(1) = part;
    } else if constexpr (First < N) {
        constexpr int n = pointer_piece(N - First);
        auto part = to.template select<n, 1>(First);
        part.write_(__cm_gather<T, n>(slice<First, n, ushort, N>(mask), shared_memory, 0u,
                                      slice<First, n, uint, N>(at.read_()), part.read_()));
        gather_shared<First + n>(at, mask, to);
    }
}
template <int First, typename T, int N>
CM_DETAIL_INLINE void scatter_shared(const vector<T, N> &from, const vector<uint, N> &at, lanes<ushort, N> mask)
{
    if constexpr (sizeof(T) == 8) {
        auto halves = from.template format<uint>();
        scatter_shared<0>(vector<uint, N>(halves.template select<N, 2>(0)), at, mask);
        scatter_shared<0>(vector<uint, N>(halves.template select<N, 2>(1)), vector<uint, N>(at + 4u), mask);
    } else if constexpr (First < N) {
        constexpr int n = pointer_piece(N - First);
        __cm_scatter<T, n>(slice<First, n, ushort, N>(mask), shared_memory, 0u, slice<First, n, uint, N>(at.read_()),
                           slice<First, n, T, N>(from.read_()));
        scatter_shared<First + n>(from, at, mask);
    }
}

/* What load and store move as a whole. */
template <typename T, int A> constexpr bool check_pointee()
{
    if constexpr (!__is_class(T))
        return check_alignment<T, A>();
    static_assert(CM_DETAIL_IS_OPERAND(T) || __is_trivially_copyable(T),
                  "pointers to {T}, which has constructors or methods that copy it");
    static_assert(A == ELEM_SIZE || A >= (int)alignof(T),
                  "{T} at multiples of {A} bytes; it lies at multiples of more");
    return true;
}

/* A structure as numbers of its alignment, at most dwords, and their places. */
template <typename T> struct parts_of_object {
    typedef conditional<alignof(T) == 1, uchar, conditional<alignof(T) == 2, ushort, uint>> part;
    static constexpr int count = sizeof(T) / sizeof(part);
    part at[count];
};
/* Place: uint in shared memory, svmptr_t elsewhere. */
template <typename T, typename Place> CM_DETAIL_INLINE auto places_of_parts(Place first)
{
    typedef parts_of_object<T> P;
    constexpr int count = P::count;
    vector<ushort, count> number;
    for (int k = 0; k < count; k++)
        number(k) = k;
    vector<Place, count> places = number;
    return vector<Place, count>(places * (Place)sizeof(typename P::part) + first);
}
/* The object with the bits of another one. To C++ as editors know it, vectors and matrices are no plain bytes. */
template <typename To, typename From> CM_DETAIL_INLINE To same_bits(const From &from)
{
    if constexpr (CM_DETAIL_IS_OPERAND(To) || CM_DETAIL_IS_OPERAND(From)) {
        To to;
        __builtin_memcpy(__builtin_addressof(to), __builtin_addressof(from), sizeof(To));
        return to;
    } else {
        return __builtin_bit_cast(To, from);
    }
}
template <typename T, typename Place> CM_DETAIL_INLINE T read_parts(Place first)
{
    typedef parts_of_object<T> P;
    typedef typename P::part U;
    vector<U, P::count> values;
    if constexpr (sizeof(Place) == 4)
        gather_shared<0>(places_of_parts<T>(first), (lanes<ushort, P::count>)(ushort)1, values);
    else
        gather_pieces<0>(vector<U *, P::count>(places_of_parts<T>(first)), (lanes<ushort, P::count>)(ushort)1, values);
    P parts;
#pragma unroll
    for (int k = 0; k < P::count; k++)
        parts.at[k] = values(k);
    return same_bits<T>(parts);
}
template <typename T, typename Place> CM_DETAIL_INLINE void write_parts(Place first, const T &value)
{
    typedef parts_of_object<T> P;
    typedef typename P::part U;
    P parts = same_bits<P>(value);
    vector<U, P::count> values;
#pragma unroll
    for (int k = 0; k < P::count; k++)
        values(k) = parts.at[k];
    if constexpr (sizeof(Place) == 4)
        scatter_shared<0>(values, places_of_parts<T>(first), (lanes<ushort, P::count>)(ushort)1);
    else
        scatter_pieces<0>(values, vector<U *, P::count>(places_of_parts<T>(first)), (lanes<ushort, P::count>)(ushort)1);
}

} // namespace cm_detail

/* gather(pointers[, mask[, other]]): loads what the pointers, a vector or matrix, point to, in the same shape; lanes
 * with bit 0 of the mask not set are those of `other`, or undefined. scatter(v, pointers[, mask]) stores. load(p),
 * store(x, p): one element, a structure of numbers or, in shared memory, a vector or matrix, with contiguous elements
 * at multiples of 4 bytes. Elements of 8 to 64 bits at multiples of their size. Pointers are flat or __local, which
 * point into shared memory. Vectors and matrices are not loaded and stored inside SIMD control flow. All platforms.
 * Source: Intel's cm/cm_memory.h. */
template <typename T, int N, int A = Align::ELEM_SIZE>
CM_DETAIL_INLINE vector<T, N> gather(const vector<T *, N> &pointers)
{
    using namespace cm_detail;
    static_assert(check_alignment<T, A>());
    vector<T, N> value;
    gather_pieces<0>(pointers, (lanes<ushort, N>)(ushort)1, value);
    return value;
}
/* gather(pointers, mask): lanes with bit 0 of the mask not set are undefined. */
template <typename T, int N, int A = Align::ELEM_SIZE, typename M>
CM_DETAIL_INLINE vector<T, N> gather(const vector<T *, N> &pointers, const M &mask)
{
    using namespace cm_detail;
    static_assert(check_alignment<T, A>());
    vector<T, N> value;
    gather_pieces<0>(pointers, mask_of<N>(mask) & (ushort)1, value);
    return value;
}
/* gather(pointers, mask, other): lanes with bit 0 of the mask not set are those of `other`. */
template <typename T, int N, int A = Align::ELEM_SIZE, typename M, typename O>
CM_DETAIL_INLINE vector<T, N> gather(const vector<T *, N> &pointers, const M &mask, const O &other)
{
    using namespace cm_detail;
    static_assert(check_alignment<T, A>());
    vector<T, N> value = other;
    gather_pieces<0>(pointers, mask_of<N>(mask) & (ushort)1, value);
    return value;
}
/* gather(pointers[, mask[, other]]): the same for a matrix of pointers, as a matrix. */
template <typename T, int R, int C, int A = Align::ELEM_SIZE, typename... X>
CM_DETAIL_INLINE matrix<T, R, C> gather(const matrix<T *, R, C> &pointers, const X &...mask_and_other)
{
    static_assert(cm_detail::check_alignment<T, A>());
    return gather((const vector<T *, R * C> &)pointers, mask_and_other...);
}
/* scatter(v, pointers): stores each lane of v where its pointer points to. */
template <typename T, int N, int A = Align::ELEM_SIZE>
CM_DETAIL_INLINE void scatter(const vector<T, N> &value, const vector<T *, N> &pointers)
{
    using namespace cm_detail;
    static_assert(check_alignment<T, A>());
    scatter_pieces<0>(value, pointers, (lanes<ushort, N>)(ushort)1);
}
/* scatter(v, pointers, mask): stores the lanes whose mask's bit 0 is set. */
template <typename T, int N, int A = Align::ELEM_SIZE, typename M>
CM_DETAIL_INLINE void scatter(const vector<T, N> &value, const vector<T *, N> &pointers, const M &mask)
{
    using namespace cm_detail;
    static_assert(check_alignment<T, A>());
    scatter_pieces<0>(value, pointers, mask_of<N>(mask) & (ushort)1);
}
/* scatter(v, pointers[, mask]): stores each lane of a matrix v where a matrix of pointers points to. */
template <typename T, int R, int C, int A = Align::ELEM_SIZE, typename V, typename... X,
          typename = cm_detail::if_operand<V>>
CM_DETAIL_INLINE void scatter(const V &value, const matrix<T *, R, C> &pointers, const X &...mask)
{
    static_assert(cm_detail::check_alignment<T, A>());
    scatter(vector<T, R * C>(value), (const vector<T *, R * C> &)pointers, mask...);
}
/* load(p): the element or structure that a pointer points to. */
template <typename T, int A = Align::ELEM_SIZE> CM_DETAIL_INLINE T load(const T *p)
{
    static_assert(cm_detail::check_pointee<T, A>());
    if constexpr (cm_detail::is_element<T>)
        return *p;
    else
        return cm_detail::read_parts<T>((svmptr_t)p);
}
/* store(x, p): stores an element or a structure where a pointer points to. */
template <typename T, int A = Align::ELEM_SIZE> CM_DETAIL_INLINE void store(T value, T *p)
{
    static_assert(cm_detail::check_pointee<T, A>());
    if constexpr (cm_detail::is_element<T>)
        *p = value;
    else
        cm_detail::write_parts<T>((svmptr_t)p, value);
}

#if __has_attribute(cm_shared)
template <typename T, int N, int A = Align::ELEM_SIZE>
CM_DETAIL_INLINE vector<T, N> gather(const vector<__local T *, N> &pointers)
{
    using namespace cm_detail;
    static_assert(check_alignment<T, A>());
    vector<T, N> value;
    gather_shared<0>(vector<uint, N>(pointers.addresses()), (lanes<ushort, N>)(ushort)1, value);
    return value;
}
template <typename T, int N, int A = Align::ELEM_SIZE, typename M>
CM_DETAIL_INLINE vector<T, N> gather(const vector<__local T *, N> &pointers, const M &mask)
{
    using namespace cm_detail;
    static_assert(check_alignment<T, A>());
    vector<T, N> value;
    gather_shared<0>(vector<uint, N>(pointers.addresses()), mask_of<N>(mask) & (ushort)1, value);
    return value;
}
template <typename T, int N, int A = Align::ELEM_SIZE, typename M, typename O>
CM_DETAIL_INLINE vector<T, N> gather(const vector<__local T *, N> &pointers, const M &mask, const O &other)
{
    using namespace cm_detail;
    static_assert(check_alignment<T, A>());
    vector<T, N> value = other;
    gather_shared<0>(vector<uint, N>(pointers.addresses()), mask_of<N>(mask) & (ushort)1, value);
    return value;
}
template <typename T, int R, int C, int A = Align::ELEM_SIZE, typename... X>
CM_DETAIL_INLINE matrix<T, R, C> gather(const matrix<__local T *, R, C> &pointers, const X &...mask_and_other)
{
    static_assert(cm_detail::check_alignment<T, A>());
    return gather((const vector<__local T *, R * C> &)pointers, mask_and_other...);
}
template <typename T, int N, int A = Align::ELEM_SIZE>
CM_DETAIL_INLINE void scatter(const vector<T, N> &value, const vector<__local T *, N> &pointers)
{
    using namespace cm_detail;
    static_assert(check_alignment<T, A>());
    scatter_shared<0>(value, vector<uint, N>(pointers.addresses()), (lanes<ushort, N>)(ushort)1);
}
template <typename T, int N, int A = Align::ELEM_SIZE, typename M>
CM_DETAIL_INLINE void scatter(const vector<T, N> &value, const vector<__local T *, N> &pointers, const M &mask)
{
    using namespace cm_detail;
    static_assert(check_alignment<T, A>());
    scatter_shared<0>(value, vector<uint, N>(pointers.addresses()), mask_of<N>(mask) & (ushort)1);
}
template <typename T, int R, int C, int A = Align::ELEM_SIZE, typename V, typename... X,
          typename = cm_detail::if_operand<V>>
CM_DETAIL_INLINE void scatter(const V &value, const matrix<__local T *, R, C> &pointers, const X &...mask)
{
    static_assert(cm_detail::check_alignment<T, A>());
    scatter(vector<T, R * C>(value), (const vector<__local T *, R * C> &)pointers, mask...);
}
template <typename T, int A = Align::ELEM_SIZE> CM_DETAIL_INLINE T load(const __local T *p)
{
    static_assert(cm_detail::check_pointee<T, A>());
    if constexpr (CM_DETAIL_IS_OPERAND(T)) {
        T value;
        cm_detail::slm_block_of<false>((uint)(svmptr_t)p, value);
        return value;
    } else if constexpr (cm_detail::is_element<T>) {
        return *p;
    } else {
        return cm_detail::read_parts<T>((uint)(svmptr_t)p);
    }
}
template <typename T, int A = Align::ELEM_SIZE> CM_DETAIL_INLINE void store(T value, __local T *p)
{
    static_assert(cm_detail::check_pointee<T, A>());
    if constexpr (CM_DETAIL_IS_OPERAND(T))
        cm_detail::slm_block_of<true>((uint)(svmptr_t)p, value);
    else if constexpr (cm_detail::is_element<T>)
        *p = value;
    else
        cm_detail::write_parts<T>((uint)(svmptr_t)p, value);
}
#endif

#endif
