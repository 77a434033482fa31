/* Vectors of handles: surfaces and samplers by number.
 * Source: Intel's CM language specification. */
#ifndef CMKIT_CM_DETAIL_HANDLES_H
#define CMKIT_CM_DETAIL_HANDLES_H

namespace cm_detail
{
template <typename H, int N> class handles
{
  public:
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
} // namespace cm_detail

/* vector<SurfaceIndex, N>, vector<SamplerIndex, N>: N handles, which are arguments of the kernel: v(i) and v[i] are one
 * of them, chosen at run time too. From a list of them, or one by one. No operand of arithmetic, select or format, and
 * no parameter of a kernel. All platforms. */
template <int N> class vector<SurfaceIndex, N> : public cm_detail::handles<SurfaceIndex, N>
{
    using cm_detail::handles<SurfaceIndex, N>::handles;
};
template <int N> class vector<SamplerIndex, N> : public cm_detail::handles<SamplerIndex, N>
{
    using cm_detail::handles<SamplerIndex, N>::handles;
};

#endif
