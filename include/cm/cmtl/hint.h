/* Declares hints about a function's arguments: the classes of floats that they may have.
 * Source: Intel's cm/cmtl/hint.h. */
#ifndef CMKIT_CM_CMTL_HINT_H
#define CMKIT_CM_CMTL_HINT_H

#include "../cm.h"

namespace cmtl
{
namespace hint
{

/* cmtl::hint::fpclass_tag<Classes>: a set of classes of floats, encoded in its type; made of those of fpclass_tag_def
 * by |, & and ~, compared by == and !=. has(tag), has_v<Tag>: true if all of those are in it. or_t<A, B>, and_t<A, B>,
 * A::not_t and equal_v<A, B> are the same for types; is_fpclass_tag_v<T>: true if T is such a set. All platforms. */
template <unsigned Classes> struct fpclass_tag {
    static_assert(Classes < 32, "cmtl::hint::fpclass_tag<{Classes}>: there are five classes of floats");

    typedef fpclass_tag<~Classes & 31> not_t;
    static constexpr unsigned value = Classes;
    template <typename Tag> static constexpr bool has_v = (Classes & Tag::value) == Tag::value;

    constexpr not_t operator~() const { return {}; }
    template <typename Tag> constexpr bool has(Tag) const { return has_v<Tag>; }
};

template <typename A, typename B> using or_t = fpclass_tag<A::value | B::value>;
template <typename A, typename B> using and_t = fpclass_tag<A::value & B::value>;
template <typename A, typename B> inline constexpr bool equal_v = A::value == B::value;
template <typename T> inline constexpr bool is_fpclass_tag_v = false;
template <unsigned Classes> inline constexpr bool is_fpclass_tag_v<fpclass_tag<Classes>> = true;

template <unsigned A, unsigned B> constexpr fpclass_tag<A | B> operator|(fpclass_tag<A>, fpclass_tag<B>)
{
    return {};
}
template <unsigned A, unsigned B> constexpr fpclass_tag<A & B> operator&(fpclass_tag<A>, fpclass_tag<B>)
{
    return {};
}
template <unsigned A, unsigned B> constexpr bool operator==(fpclass_tag<A>, fpclass_tag<B>)
{
    return A == B;
}
template <unsigned A, unsigned B> constexpr bool operator!=(fpclass_tag<A>, fpclass_tag<B>)
{
    return A != B;
}

/* cmtl::hint::fpclass_tag_def::nan, infinite, subnormal, zero, normal: the classes; special: nan and infinite; general:
 * all. Their types are nan_t, infinite_t ... and none_t, the empty set. All platforms. */
struct fpclass_tag_def {
    typedef fpclass_tag<0> none_t;
    typedef fpclass_tag<1> nan_t;
    typedef fpclass_tag<2> infinite_t;
    typedef fpclass_tag<4> subnormal_t;
    typedef fpclass_tag<8> zero_t;
    typedef fpclass_tag<16> normal_t;
    typedef fpclass_tag<3> special_t;
    typedef fpclass_tag<31> general_t;

    static constexpr nan_t nan{};
    static constexpr infinite_t infinite{};
    static constexpr subnormal_t subnormal{};
    static constexpr zero_t zero{};
    static constexpr normal_t normal{};
    static constexpr special_t special{};
    static constexpr general_t general{};
};

} // namespace hint
} // namespace cmtl

#endif
