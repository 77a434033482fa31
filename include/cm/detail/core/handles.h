/* Vectors of handles: surfaces and samplers by number.
 * Source: CM specification 2.3 "Other Built-in Data Types". */
#ifndef CMKIT_CM_DETAIL_CORE_HANDLES_H
#define CMKIT_CM_DETAIL_CORE_HANDLES_H

namespace cm_detail
{
template <typename H, int N> class handles
{
  public:
    static_assert(N > 0, "vector<{H}, {N}>: the number of elements must be positive");

    /* v.n_elems(): the number of handles. */
    static constexpr int n_elems() { return N; }

    handles() = default;
    template <typename... X, typename = enable_if<sizeof...(X) + 1 == N && (__is_same(X, H) && ...)>>
    CM_DETAIL_MEMBER handles(H first, X... rest) : handles_{first, rest...}
    {
    }
    CM_DETAIL_MEMBER H &operator()(int i) { return handles_[i]; }
    CM_DETAIL_MEMBER H &operator[](int i) { return handles_[i]; }
    CM_DETAIL_MEMBER H operator()(int i) const { return handles_[i]; }
    CM_DETAIL_MEMBER H operator[](int i) const { return handles_[i]; }

  private:
    H handles_[N];
};

template <typename H, int R, int C> class handle_rows
{
  public:
    static_assert(R > 0 && C > 0, "matrix<{H}, {R}, {C}>: the number of elements must be positive");

    /* m.n_elems(): the number of handles. */
    static constexpr int n_elems() { return R * C; }
    /* m.n_rows(): the number of rows. */
    static constexpr int n_rows() { return R; }
    /* m.n_cols(): the number of columns. */
    static constexpr int n_cols() { return C; }

    CM_DETAIL_MEMBER H &operator()(int i, int j) { return rows_[i](j); }
    CM_DETAIL_MEMBER H operator()(int i, int j) const { return rows_[i](j); }
    /* m.row(i): row i as a vector of handles. */
    CM_DETAIL_MEMBER vector<H, C> &row(int i) { return rows_[i]; }
    /* m.row(i): row i, of which handles are only read. */
    CM_DETAIL_MEMBER const vector<H, C> &row(int i) const { return rows_[i]; }
    CM_DETAIL_MEMBER vector<H, C> &operator[](int i) { return rows_[i]; }
    CM_DETAIL_MEMBER const vector<H, C> &operator[](int i) const { return rows_[i]; }

  private:
    vector<H, C> rows_[R];
};
} // namespace cm_detail

/* vector<SurfaceIndex, N>, vector<SamplerIndex, N>: N handles, which are arguments of the kernel: v(i) and v[i] are one
 * of them, chosen at run time too. From a list of them, or one by one. A parameter of a kernel is N arguments, one
 * after the other: all buffers or all images. No operand of arithmetic, select or format. All platforms. */
template <int N> class vector<SurfaceIndex, N> : public cm_detail::handles<SurfaceIndex, N>
{
    using cm_detail::handles<SurfaceIndex, N>::handles;
};
/* vector<SamplerIndex, N>: N samplers. */
template <int N> class vector<SamplerIndex, N> : public cm_detail::handles<SamplerIndex, N>
{
    using cm_detail::handles<SamplerIndex, N>::handles;
};

/* matrix<SurfaceIndex, R, C>, matrix<SamplerIndex, R, C>: R rows of C handles: m(i, j) is one of them, m[i] and
 * m.row(i) are a row. A parameter of a kernel is R * C arguments, row by row. All platforms. */
template <int R, int C> class matrix<SurfaceIndex, R, C> : public cm_detail::handle_rows<SurfaceIndex, R, C>
{
};
/* matrix<SamplerIndex, R, C>: R rows of C samplers. */
template <int R, int C> class matrix<SamplerIndex, R, C> : public cm_detail::handle_rows<SamplerIndex, R, C>
{
};

#endif
