/* Converts operands of asm. The front end wraps each operand in a call of these functions
 * (frontend/rules/assembly.cpp), because Clang cannot pass a class in registers, and a reference has no register of its
 * own. Not on the CPU. Source: the constraints of Intel's vector back end. */
#ifndef CMKIT_CM_DETAIL_CORE_ASSEMBLY_H
#define CMKIT_CM_DETAIL_CORE_ASSEMBLY_H

namespace cm_detail
{

/* A number, which asm writes in place. */
template <typename X, bool IsOperand, bool IsReference> class assembly_destination
{
  public:
    CM_DETAIL_MEMBER explicit assembly_destination(X &x) : x_(x) {}
    CM_DETAIL_MEMBER X &place() const { return x_; }

  private:
    X &x_;
};

/* A vector or matrix: its elements are lanes. */
template <typename X> class assembly_destination<X, true, false>
{
    typedef lanes<element<X>, facts<X>::count> whole __attribute__((aligned(sizeof(element<X>))));

  public:
    CM_DETAIL_MEMBER explicit assembly_destination(X &x) : whole_((whole *)x.address_()) {}
    CM_DETAIL_MEMBER whole &place() const { return *whole_; }

  private:
    whole *whole_;
};

/* A reference: its lanes are copied before the asm, in case the asm reads them, and written back after it. */
template <typename X> class assembly_destination<X, true, true>
{
  public:
    CM_DETAIL_MEMBER explicit assembly_destination(const X &part) : part_(part), lanes_(part.read_()) {}
    CM_DETAIL_MEMBER ~assembly_destination() { part_.write_(lanes_); }
    CM_DETAIL_MEMBER auto &place() { return lanes_; }

  private:
    X part_;
    lanes<element<X>, facts<X>::count> lanes_;
};

/* assembly_output(x).place(): the variable that the text writes instead of x. */
template <typename X, typename V = __remove_reference_t(X), typename U = __remove_cv(V)>
CM_DETAIL_INLINE auto assembly_output(X &&x)
{
    static_assert(is_part<U> || __is_lvalue_reference(X),
                  "an output of asm is a temporary of type {U}; outputs are variables, vectors, matrices and parts "
                  "of them");
    static_assert(is_part<U> || !__is_const(V), "an output of asm is a constant of type {U}; declare it without const");
    return assembly_destination<conditional<is_part<U>, U, V>, CM_DETAIL_IS_OPERAND(U), is_part<U>>(x);
}

/* The value that the text reads instead of x. */
template <typename X> CM_DETAIL_INLINE auto assembly_input(const X &x)
{
    if constexpr (CM_DETAIL_IS_OPERAND(X))
        return x.read_();
    else
        return x;
}

} // namespace cm_detail

#endif
