/* vector<T, N> and matrix<T, R, C>: plain arrays of elements, rows one after the other, with no padding. vector_ref and
 * matrix_ref: parts of them. Copies go through reads and writes of all lanes, never through bytes.
 *
 * Members of vectors (v) and matrices (m), and of references to them. All platforms. The types themselves: CM
 * specification 2.2 "Compound Data Types". */
#ifndef CMKIT_CM_DETAIL_CORE_VECTOR_H
#define CMKIT_CM_DETAIL_CORE_VECTOR_H

namespace cm_detail
{

#define CM_DETAIL_CHECK_INDEX(I)                                                                                       \
    static_assert(CM_DETAIL_IS_OPERAND(I) && __is_same(element<I>, ushort),                                            \
                  "iselect: an index of type {" #I "}; it must be a vector of "                                        \
                  "ushort")

/* Selects of a one-dimensional operand. */
template <typename Self, typename T, int N> class row_operand : public operand<Self, T, 1, N>
{
    typedef operand<Self, T, 1, N> base;

  public:
    static constexpr bool is_matrix_ = false;

#define CM_DETAIL_CHECK_SELECT                                                                                         \
    static_assert(Size > 0 && Stride > 0, "select<{Size}, {Stride}>: size and stride must be positive");               \
    static_assert(Size > 1 || Stride == 1, "select<{Size}, {Stride}>: the stride of a single element must be 1")

    /* v.select<Size, Stride>(i): a reference to Size elements of any element type, a vector_ref, from element i (0
     * unless given) on, Stride elements apart. Lanes beyond the end have no particular value and are not written;
     * constants that reach there are warned of. An i that is known at run time only is not checked.
     * Source: CM specification 3.2.9 "Select Member Functions". */
    template <int Size, int Stride> CM_DETAIL_MEMBER auto select() const
    {
        CM_DETAIL_CHECK_SELECT;
        return base::template part_<vector_ref<T, Size>, Size, 0, Size, Stride>();
    }
    /* v.select<Size, Stride>(i): Size elements from element i on, Stride elements apart. */
    template <int Size, int Stride> CM_DETAIL_MEMBER auto select(int i) const
    {
        CM_DETAIL_CHECK_SELECT;
        return base::template part_<vector_ref<T, Size>, Size, 0, Size, Stride>(0, i);
    }
    /* v.select<Size, Stride>(i): a constant i with last elements beyond the end; cmc warns. */
    template <int Size, int Stride>
    CM_DETAIL_MEMBER auto select(int i) const __attribute__((enable_if(i + (Size - 1) * Stride >= N, "reaches beyond")))
    {
        CM_DETAIL_CHECK_SELECT;
        return base::template clipped_part_<vector_ref<T, Size>, Size, 0, Size, Stride>(0, i);
    }
#undef CM_DETAIL_CHECK_SELECT

    /* v.select_all(): a vector_ref to the whole, of any element type.
     * Source: CM specification 3.2.9 "Select Member Functions". */
    CM_DETAIL_MEMBER auto select_all() const { return base::template part_<vector_ref<T, N>, N, 0, N, 1>(); }

    /* v.iselect(index): a vector of the elements of v, of any element type, that the lanes of index, a vector of
     * ushort, number from 0 on; an index beyond the end gives no particular value.
     * Source: CM specification 3.2.9 "Select Member Functions". */
    template <typename I> CM_DETAIL_MEMBER auto iselect(const I &index) const
    {
        CM_DETAIL_CHECK_INDEX(I);
        return base::template gather_<facts<I>::count>(index.read_());
    }
};

/* Selects of a two-dimensional operand. */
template <typename Self, typename T, int R, int C> class grid_operand : public operand<Self, T, R, C>
{
    typedef operand<Self, T, R, C> base;

  public:
    static constexpr bool is_matrix_ = true;
    /* m.n_rows(), m.n_cols(): the numbers of rows and of columns of a matrix, constants of type int.
     * Source: CM specification 3.2.2 "Vector/matrix Constructors". */
    static constexpr int n_rows() { return R; }
    /* m.n_cols(): the number of columns. */
    static constexpr int n_cols() { return C; }

#define CM_DETAIL_CHECK_SELECT                                                                                         \
    static_assert(Rows > 0 && RowStride > 0 && Columns > 0 && ColumnStride > 0,                                        \
                  "select<{Rows}, {RowStride}, {Columns}, {ColumnStride}>: sizes and strides must be positive");       \
    static_assert((Rows > 1 || RowStride == 1) && (Columns > 1 || ColumnStride == 1),                                  \
                  "select<{Rows}, {RowStride}, {Columns}, {ColumnStride}>: the stride of a single row or column must " \
                  "be 1")

    /* m.select<Rows, RowStride, Columns, ColumnStride>(i, j): a reference to a sub-matrix of any element type, a
     * matrix_ref, from row i and column j (0 unless given) on; rows are RowStride and columns ColumnStride apart.
     * Source: CM specification 3.2.9 "Select Member Functions". */
    template <int Rows, int RowStride, int Columns, int ColumnStride> CM_DETAIL_MEMBER auto select() const
    {
        CM_DETAIL_CHECK_SELECT;
        return base::template part_<matrix_ref<T, Rows, Columns>, Rows * Columns, RowStride * C, Columns,
                                    ColumnStride>();
    }
    /* m.select<Rows, RowStride, Columns, ColumnStride>(i, j): a sub-matrix from row i and column j (0 unless given)
     * on. */
    template <int Rows, int RowStride, int Columns, int ColumnStride>
    CM_DETAIL_MEMBER auto select(int i, int j = 0) const
    {
        CM_DETAIL_CHECK_SELECT;
        return base::template part_<matrix_ref<T, Rows, Columns>, Rows * Columns, RowStride * C, Columns, ColumnStride>(
            i, j);
    }
    /* m.select<Rows, RowStride, Columns, ColumnStride>(i, j): constants with last rows or columns beyond the end; cmc
     * warns. */
    template <int Rows, int RowStride, int Columns, int ColumnStride>
    CM_DETAIL_MEMBER auto select(int i, int j = 0) const
        __attribute__((enable_if((i + (Rows - 1) * RowStride) * C + j + (Columns - 1) * ColumnStride >= R * C,
                                 "reaches beyond")))
    {
        CM_DETAIL_CHECK_SELECT;
        return base::template clipped_part_<matrix_ref<T, Rows, Columns>, Rows * Columns, RowStride * C, Columns,
                                            ColumnStride>(i, j);
    }
#undef CM_DETAIL_CHECK_SELECT

    /* m.select_all(): a matrix_ref to the whole, of any element type.
     * Source: CM specification 3.2.9 "Select Member Functions". */
    CM_DETAIL_MEMBER auto select_all() const { return base::template part_<matrix_ref<T, R, C>, R * C, C, C, 1>(); }

    /* m.row(i), m[i]: a vector_ref to row i, which is counted from 0 and may be known at run time only; m.column(j): a
     * matrix_ref of one column to column j. Of any element type.
     * Source: CM specification 3.2.9 "Select Member Functions". */
    CM_DETAIL_MEMBER auto row(int i) const { return base::template part_<vector_ref<T, C>, C, 0, C, 1>(i, 0); }
    /* m.row(i): a constant i beyond the last row; cmc warns. */
    CM_DETAIL_MEMBER auto row(int i) const __attribute__((enable_if(i >= R, "reaches beyond")))
    {
        return base::template clipped_part_<vector_ref<T, C>, C, 0, C, 1>(i, 0);
    }
    CM_DETAIL_MEMBER auto operator[](int i) const { return row(i); }
    /* m.column(j): a reference to column j, a matrix_ref of R rows and one column. */
    CM_DETAIL_MEMBER auto column(int j) const { return base::template part_<matrix_ref<T, R, 1>, R, C, 1, 1>(0, j); }
    /* m.column(j): a constant j beyond the last column; cmc warns. */
    CM_DETAIL_MEMBER auto column(int j) const __attribute__((enable_if(j >= C, "reaches beyond")))
    {
        return base::template clipped_part_<matrix_ref<T, R, 1>, R, C, 1, 1>(0, j);
    }

    /* m.iselect(index), m.iselect(rows, columns): a vector of the elements, of any element type, that the lanes number,
     * counted row after row or by row and column, from 0 on. index, rows and columns are vectors of ushort; a number
     * beyond the end gives no particular value.
     * Source: CM specification 3.2.9 "Select Member Functions". */
    template <typename I> CM_DETAIL_MEMBER auto iselect(const I &index) const
    {
        CM_DETAIL_CHECK_INDEX(I);
        return base::template gather_<facts<I>::count>(index.read_());
    }
    /* m.iselect(rows, columns): the elements in the rows and columns that the lanes of two vectors of ushort number. */
    template <typename I, typename J> CM_DETAIL_MEMBER auto iselect(const I &rows, const J &columns) const
    {
        CM_DETAIL_CHECK_INDEX(I);
        CM_DETAIL_CHECK_INDEX(J);
        static_assert(facts<I>::count == facts<J>::count,
                      "iselect: {I.count} rows and {J.count} columns; the two indices "
                      "must have as many lanes");
        return base::template gather_<facts<I>::count>(CM_DETAIL_GUARDED_PLACES(rows.read_(), columns.read_(), R, C));
    }

    using base::replicate;
    /* m.replicate<REP, W>(i, j), m.replicate<REP, VS, W>(i, j), m.replicate<REP, VS, W, HS>(i, j): as with one number,
     * from element (i, j) of any element type on, counted row after row; a vector.
     * Source: CM specification 3.2.9 "Select Member Functions". */
    template <int REP, int W> CM_DETAIL_MEMBER auto replicate(int i, int j) const
    {
        return base::template replicate_<REP, 0, W, 1>(i * C + j);
    }
    /* m.replicate<REP, VS, W>(i, j): REP groups of W neighbouring elements, VS apart, from element (i, j) on. */
    template <int REP, int VS, int W> CM_DETAIL_MEMBER auto replicate(int i, int j) const
    {
        return base::template replicate_<REP, VS, W, 1>(i * C + j);
    }
    /* m.replicate<REP, VS, W, HS>(i, j): REP groups of W elements that are HS apart; the groups are VS apart. */
    template <int REP, int VS, int W, int HS> CM_DETAIL_MEMBER auto replicate(int i, int j) const
    {
        return base::template replicate_<REP, VS, W, HS>(i * C + j);
    }
};

#undef CM_DETAIL_CHECK_INDEX

/* An operand of one element reads as a scalar. */
template <typename Self, typename T, int N> class scalar_reading
{
};
template <typename Self, typename T> class scalar_reading<Self, T, 1>
{
  public:
    CM_DETAIL_MEMBER operator T() const { return *static_cast<const Self &>(*this).element_at_(); }
};

/* Fills the first elements from an array of any rank, in memory order. */
template <typename T, int N, typename U, int... I>
CM_DETAIL_INLINE void fill_from(void *destination, const U *source, sequence<I...>)
{
    constexpr int n = sizeof...(I);
    __cm_wrref<T, n>(destination, __lanes_pattern<n, 0, n, sizeof(T)>(), lanes<T, n>{(T)source[I]...});
}
template <typename X> using array_element = __remove_all_extents(X);

/* The reply of a message for L lanes, E elements for each: all lanes of the first element, then of the next. In SIMD
 * control flow of L lanes, an assignment keeps the elements of inactive lanes. */
template <typename T, int L, int E> class by_lane;
template <int L, int... I> CM_DETAIL_INLINE auto of_each_element(lanes<ushort, L> mask, sequence<I...>)
{
    return __builtin_shufflevector(mask, mask, (I % L)...);
}
template <typename T, int N, int L, typename To> CM_DETAIL_INLINE void write_by_lane(const To &to, lanes<T, N> value)
{
    lanes<ushort, N> on = of_each_element<L>(__cm_live<L>((lanes<ushort, L>)(ushort)1), count_to<N>());
    __cm_wrnew<T, N>(to.address_(), to.offsets_(), __cm_merge<T, N>(value, to.read_(), on));
}

} // namespace cm_detail

#define CM_DETAIL_CONSTANT "assignment to a const {this}; declare it without const"
#define CM_DETAIL_TEMPORARY                                                                                            \
    "assignment to a {this} that is a temporary; iselect, replicate and operators give copies, select and format "     \
    "name parts"

/* Constructors of an object: undefined, a copy with conversion, the result of an operation (all lanes, inside SIMD
 * control flow too), every element the same, a list, an array. */
#define CM_DETAIL_OBJECT(NAME, N)                                                                                      \
    NAME() = default;                                                                                                  \
    CM_DETAIL_MEMBER NAME(const NAME &x)                                                                               \
    {                                                                                                                  \
        this->write_(x.read_());                                                                                       \
    }                                                                                                                  \
    CM_DETAIL_MEMBER NAME(cm_detail::from_lanes, cm_detail::lanes<T, N> x)                                             \
    {                                                                                                                  \
        __cm_wrnew<T, (N)>(data_, __lanes_pattern<(N), 0, (N), sizeof(T)>(), x);                                       \
    }                                                                                                                  \
    template <typename X, typename = cm_detail::enable_if<CM_DETAIL_IS_OPERAND(X) || CM_DETAIL_IS_SCALAR(X)>>          \
    CM_DETAIL_MEMBER NAME(const X &x)                                                                                  \
    {                                                                                                                  \
        this->write_(cm_detail::lanes_of<T, N, NAME>(x));                                                              \
    }                                                                                                                  \
    template <typename U, int L, int E> CM_DETAIL_MEMBER NAME(const cm_detail::by_lane<U, L, E> &x)                    \
    {                                                                                                                  \
        cm_detail::write_by_lane<T, N, L>(*this, cm_detail::lanes_of<T, N, NAME>(x));                                  \
    }                                                                                                                  \
    template <typename X> CM_DETAIL_MEMBER NAME(const X &x, cm_detail::saturation)                                     \
    {                                                                                                                  \
        this->write_(cm_detail::saturated_lanes_of<T, N>(x));                                                          \
    }                                                                                                                  \
    template <typename U, size_t M> CM_DETAIL_MEMBER NAME(const U(&x)[M])                                              \
    {                                                                                                                  \
        typedef cm_detail::array_element<U> E;                                                                         \
        constexpr int length = sizeof x / sizeof(E);                                                                   \
        cm_detail::fill_from<T, N>(data_, (const E *)x, cm_detail::count_to<(length < N ? length : N)>());             \
    }                                                                                                                  \
    template <typename A, typename B, typename... Rest,                                                                \
              typename = cm_detail::enable_if<CM_DETAIL_IS_SCALAR(A) && CM_DETAIL_IS_SCALAR(B)>>                       \
    CM_DETAIL_MEMBER NAME(A a, B b, Rest... rest)                                                                      \
    {                                                                                                                  \
        static_assert(2 + sizeof...(rest) <= N, "{this} from a longer list; it has {this.count} elements");            \
        this->write_(cm_detail::lanes<T, N>{(T)a, (T)b, (T)rest...});                                                  \
    }                                                                                                                  \
    CM_DETAIL_MEMBER NAME &operator=(const NAME &x) &                                                                  \
    {                                                                                                                  \
        this->write_(x.read_());                                                                                       \
        return *this;                                                                                                  \
    }                                                                                                                  \
    template <typename X, typename = cm_detail::enable_if<CM_DETAIL_IS_OPERAND(X) || CM_DETAIL_IS_SCALAR(X)>>          \
    CM_DETAIL_MEMBER NAME &operator=(const X &x) &                                                                     \
    {                                                                                                                  \
        this->write_(cm_detail::lanes_of<T, N, NAME>(x));                                                              \
        return *this;                                                                                                  \
    }                                                                                                                  \
    template <typename U, int L, int E> CM_DETAIL_MEMBER NAME &operator=(const cm_detail::by_lane<U, L, E> &x) &       \
    {                                                                                                                  \
        cm_detail::write_by_lane<T, N, L>(*this, cm_detail::lanes_of<T, N, NAME>(x));                                  \
        return *this;                                                                                                  \
    }                                                                                                                  \
    template <typename X, typename = cm_detail::enable_if<CM_DETAIL_IS_OPERAND(X) || CM_DETAIL_IS_SCALAR(X)>>          \
    CM_DETAIL_MEMBER void operator=(const X &) const &                                                                 \
    {                                                                                                                  \
        static_assert(sizeof(X) == 0, CM_DETAIL_CONSTANT);                                                             \
    }                                                                                                                  \
    template <typename X> CM_DETAIL_MEMBER NAME &operator=(const X &) &&                                               \
    {                                                                                                                  \
        static_assert(sizeof(X) == 0, CM_DETAIL_TEMPORARY);                                                            \
        return *this;                                                                                                  \
    }                                                                                                                  \
    static constexpr bool dense_ = true;                                                                               \
    CM_DETAIL_MEMBER cm_detail::lanes<T, N> read_() const                                                              \
    {                                                                                                                  \
        return __cm_rdref<T, (N)>(data_, __lanes_pattern<(N), 0, (N), sizeof(T)>());                                   \
    }                                                                                                                  \
    CM_DETAIL_MEMBER void write_(cm_detail::lanes<T, N> value) const                                                   \
    {                                                                                                                  \
        __cm_wrref<T, (N)>((void *)data_, __lanes_pattern<(N), 0, (N), sizeof(T)>(), value);                           \
    }                                                                                                                  \
    CM_DETAIL_MEMBER char *address_() const                                                                            \
    {                                                                                                                  \
        return (char *)data_;                                                                                          \
    }                                                                                                                  \
    CM_DETAIL_MEMBER cm_detail::offsets<N> offsets_() const                                                            \
    {                                                                                                                  \
        return __lanes_pattern<(N), 0, (N), sizeof(T)>();                                                              \
    }                                                                                                                  \
    CM_DETAIL_MEMBER T *element_at_() const                                                                            \
    {                                                                                                                  \
        return (T *)data_;                                                                                             \
    }                                                                                                                  \
                                                                                                                       \
  private:                                                                                                             \
    T data_[(N) > 0 ? (N) : 1]; /* a wrong size has its error already */                                               \
                                                                                                                       \
  public:

/* A reference: constructing it names a part, assigning to it writes the part. */
#define CM_DETAIL_REFERENCE(NAME, N)                                                                                   \
    CM_DETAIL_MEMBER NAME(const NAME &x) : base_(x.base_), lane_(x.lane_) {}                                           \
    CM_DETAIL_MEMBER NAME(char *address, cm_detail::offsets<N> lane) : base_(address), lane_(lane) {}                  \
    template <typename X,                                                                                              \
              typename = cm_detail::enable_if<cm_detail::facts<X>::count == N &&__is_same(cm_detail::element<X>, T)>>  \
    CM_DETAIL_MEMBER NAME(const X &x) : base_(x.address_()), lane_(x.offsets_())                                       \
    {                                                                                                                  \
    }                                                                                                                  \
    CM_DETAIL_MEMBER NAME &operator=(const NAME &x)                                                                    \
    {                                                                                                                  \
        this->write_(x.read_());                                                                                       \
        return *this;                                                                                                  \
    }                                                                                                                  \
    template <typename X, typename = cm_detail::enable_if<CM_DETAIL_IS_OPERAND(X) || CM_DETAIL_IS_SCALAR(X)>>          \
    CM_DETAIL_MEMBER NAME &operator=(const X &x)                                                                       \
    {                                                                                                                  \
        this->write_(cm_detail::lanes_of<T, N, NAME>(x));                                                              \
        return *this;                                                                                                  \
    }                                                                                                                  \
    template <typename U, int L, int E> CM_DETAIL_MEMBER NAME &operator=(const cm_detail::by_lane<U, L, E> &x)         \
    {                                                                                                                  \
        cm_detail::write_by_lane<T, N, L>(*this, cm_detail::lanes_of<T, N, NAME>(x));                                  \
        return *this;                                                                                                  \
    }                                                                                                                  \
    template <typename X, typename = cm_detail::enable_if<CM_DETAIL_IS_OPERAND(X) || CM_DETAIL_IS_SCALAR(X)>>          \
    CM_DETAIL_MEMBER void operator=(const X &) const                                                                   \
    {                                                                                                                  \
        static_assert(sizeof(X) == 0, CM_DETAIL_CONSTANT);                                                             \
    }                                                                                                                  \
    static constexpr bool dense_ = false;                                                                              \
    CM_DETAIL_MEMBER cm_detail::lanes<T, N> read_() const                                                              \
    {                                                                                                                  \
        return __cm_rdref<T, (N)>(base_, lane_);                                                                       \
    }                                                                                                                  \
    CM_DETAIL_MEMBER void write_(cm_detail::lanes<T, N> value) const                                                   \
    {                                                                                                                  \
        __cm_wrref<T, (N)>(base_, lane_, value);                                                                       \
    }                                                                                                                  \
    CM_DETAIL_MEMBER char *address_() const                                                                            \
    {                                                                                                                  \
        return base_;                                                                                                  \
    }                                                                                                                  \
    CM_DETAIL_MEMBER cm_detail::offsets<N> offsets_() const                                                            \
    {                                                                                                                  \
        return lane_;                                                                                                  \
    }                                                                                                                  \
    CM_DETAIL_MEMBER T *element_at_() const                                                                            \
    {                                                                                                                  \
        return (T *)(base_ + lane_[0]);                                                                                \
    }                                                                                                                  \
                                                                                                                       \
  private:                                                                                                             \
    char *base_;                                                                                                       \
    cm_detail::offsets<((N) > 0 ? (N) : 1)> lane_;                                                                     \
                                                                                                                       \
  public:

/* vector<T, N>: N elements of type T side by side in registers, with which operators and functions compute lane by
 * lane. */
template <typename T, int N>
class vector : public cm_detail::row_operand<vector<T, N>, T, N>, public cm_detail::scalar_reading<vector<T, N>, T, N>
{
  public:
    CM_DETAIL_OBJECT(vector, N)
    CM_DETAIL_MEMBER T &operator()(int i) { return data_[CM_DETAIL_GUARDED(i, N)]; }
    CM_DETAIL_MEMBER T &operator[](int i) { return data_[CM_DETAIL_GUARDED(i, N)]; }
    CM_DETAIL_MEMBER const T &operator()(int i) const { return data_[CM_DETAIL_GUARDED(i, N)]; }
    CM_DETAIL_MEMBER const T &operator[](int i) const { return data_[CM_DETAIL_GUARDED(i, N)]; }
};

/* matrix<T, R, C>: R rows of C elements of type T in registers, one row after the other. */
template <typename T, int R, int C>
class matrix : public cm_detail::grid_operand<matrix<T, R, C>, T, R, C>,
               public cm_detail::scalar_reading<matrix<T, R, C>, T, R * C>
{
  public:
    CM_DETAIL_OBJECT(matrix, R *C)
    CM_DETAIL_MEMBER T &operator()(int i, int j) { return data_[CM_DETAIL_GUARDED_PLACE(i, j, R, C)]; }
    CM_DETAIL_MEMBER const T &operator()(int i, int j) const { return data_[CM_DETAIL_GUARDED_PLACE(i, j, R, C)]; }
};

/* vector_ref<T, N>: a part of a vector or matrix, N elements, that is read and written in its place. */
template <typename T, int N>
class vector_ref : public cm_detail::row_operand<vector_ref<T, N>, T, N>,
                   public cm_detail::scalar_reading<vector_ref<T, N>, T, N>
{
  public:
    CM_DETAIL_REFERENCE(vector_ref, N)
    CM_DETAIL_MEMBER T &operator()(int i) const { return *this->element_(0, i); }
    CM_DETAIL_MEMBER T &operator[](int i) const { return *this->element_(0, i); }
};

/* matrix_ref<T, R, C>: a part of a vector or matrix, of R rows and C columns, that is read and written in its place. */
template <typename T, int R, int C>
class matrix_ref : public cm_detail::grid_operand<matrix_ref<T, R, C>, T, R, C>,
                   public cm_detail::scalar_reading<matrix_ref<T, R, C>, T, R * C>
{
  public:
    CM_DETAIL_REFERENCE(matrix_ref, R *C)
    CM_DETAIL_MEMBER T &operator()(int i, int j) const { return *this->element_(i, j); }
};

#undef CM_DETAIL_OBJECT
#undef CM_DETAIL_REFERENCE

template <typename T, int L, int E> class cm_detail::by_lane : public vector<T, L * E>
{
    typedef vector<T, L * E> base;

  public:
    using base::base;
    using base::operator=;
    by_lane(const by_lane &) = default;
    CM_DETAIL_MEMBER by_lane &operator=(const by_lane &x) &
    {
        base::operator=(x);
        return *this;
    }
};

/* In a template `x.select<4, 1>(0)` needs the keyword `template` before `select` if the type of x depends on it, unless
 * the name is that of a class template in the enclosing namespace. Kernels leave the keyword out. These templates are
 * never defined. Their first parameter has no default, because otherwise Clang crashes on `select const x;`. */
namespace cm_detail_members
{
template <auto, auto...> class select;
template <auto, auto...> class replicate;
template <typename, auto...> class format;
} // namespace cm_detail_members
using namespace cm_detail_members;

#endif
