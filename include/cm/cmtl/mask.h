/* Converts between masks and integers: bit k is lane k.
 * Source: Intel's cm/cmtl/mask.h. */
#ifndef CMKIT_CM_CMTL_MASK_H
#define CMKIT_CM_CMTL_MASK_H

#include "../cm.h"

namespace cmtl
{

/* cmtl::Mask<N>: N lanes, at most 32; bits beyond them are zero. Made from a vector of N ushort, each 0 or 1, or from a
 * bool for all lanes; &, |, ^, ~, == and != of two; get() and conversions return the uint, get_vector() and
 * get_vector<T>() the lanes; is_all(), is_any() and count() test and count the set lanes. N is 8, 16 or 32 where
 * vectors are converted. All platforms. */
template <int N> class Mask final
{
    static_assert(N > 0 && N <= 32, "cmtl::Mask<{N}>: a mask has at most 32 lanes");

  public:
    static constexpr uint full = N == 32 ? ~0u : (1u << N) - 1;

    CM_DETAIL_MEMBER Mask(const vector<ushort, N> &lanes) : bits_(cm_pack_mask(lanes)) {}
    CM_DETAIL_MEMBER Mask(bool all) : bits_(all ? full : 0) {}

    /* The lanes as bits. */
    CM_DETAIL_MEMBER uint get() const { return bits_; }
    CM_DETAIL_MEMBER operator uint() const { return bits_; }
    /* The lanes as a vector, each 0 or 1. */
    template <typename T = ushort> CM_DETAIL_MEMBER vector<T, N> get_vector() const
    {
        return vector<T, N>(cm_unpack_mask<ushort, N>(bits_));
    }
    /* Is every lane set? */
    CM_DETAIL_MEMBER bool is_all() const { return bits_ == full; }
    /* Is any lane set? */
    CM_DETAIL_MEMBER bool is_any() const { return bits_ != 0; }
    /* How many lanes are set. */
    CM_DETAIL_MEMBER int count() const { return cm_cbit(bits_); }

    CM_DETAIL_MEMBER Mask &operator&=(Mask x) { return *this = from_bits_(bits_ & x.bits_); }
    CM_DETAIL_MEMBER Mask &operator|=(Mask x) { return *this = from_bits_(bits_ | x.bits_); }
    CM_DETAIL_MEMBER Mask &operator^=(Mask x) { return *this = from_bits_(bits_ ^ x.bits_); }
    CM_DETAIL_MEMBER Mask operator~() const { return from_bits_(~bits_ & full); }
    friend CM_DETAIL_INLINE Mask operator&(Mask x, Mask y) { return x &= y; }
    friend CM_DETAIL_INLINE Mask operator|(Mask x, Mask y) { return x |= y; }
    friend CM_DETAIL_INLINE Mask operator^(Mask x, Mask y) { return x ^= y; }
    friend CM_DETAIL_INLINE bool operator==(Mask x, Mask y) { return x.bits_ == y.bits_; }
    friend CM_DETAIL_INLINE bool operator!=(Mask x, Mask y) { return x.bits_ != y.bits_; }

  private:
    static CM_DETAIL_MEMBER Mask from_bits_(uint bits)
    {
        Mask mask(false);
        mask.bits_ = bits;
        return mask;
    }

    uint bits_;
};

} // namespace cmtl

#endif
