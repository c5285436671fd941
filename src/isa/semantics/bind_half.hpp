// 16-bit floating-point arithmetic, packed pairs, small formats and video instructions: see bind.hpp.
#pragma once

#include "isa/semantics/bind.hpp"
#include "isa/semantics/half.hpp"
#include "isa/semantics/small_float.hpp"
#include "isa/semantics/video.hpp"

namespace warpwright::isa::semantics {
inline namespace WARPWRIGHT_HOST_LEVEL {

template <class N, class Bind>
typename Bind::Result bindHalfScalar(const Instruction& i, const Bind& bind) {
  switch (i.opcode) {
    case Opcode::add:
      return bind.exact(Op<half2<N, HalfAdd>>{});
    case Opcode::sub:
      return bind.exact(Op<half2<N, HalfSubtract>>{});
    case Opcode::mul_lo:
      return bind.exact(Op<half2<N, HalfMultiply>>{});
    case Opcode::fma:
      return bind.exact(Op<half3<N, HalfFma>>{});
    case Opcode::abs:
      return bind.exact(Op<half1<N, HalfAbsolute>>{});
    case Opcode::neg:
      return bind.exact(Op<half1<N, HalfNegate>>{});
    case Opcode::min:
      return bind.exact(Op<half2<N, HalfMinimum>>{});
    case Opcode::max:
      return bind.exact(Op<half2<N, HalfMaximum>>{});
    case Opcode::ex2:
      return bind.exact(Op<half1<N, HalfExp2>>{});
    case Opcode::tanh:
      return bind.exact(Op<half1<N, HalfTanh>>{});
    default:
      return {};
  }
}

template <class N, class Bind>
typename Bind::Result bindHalfPair(const Instruction& i, const Bind& bind) {
  switch (i.opcode) {
    case Opcode::add:
      return bind.exact(Op<pair2<N, HalfAdd>>{});
    case Opcode::sub:
      return bind.exact(Op<pair2<N, HalfSubtract>>{});
    case Opcode::mul_lo:
      return bind.exact(Op<pair2<N, HalfMultiply>>{});
    case Opcode::fma:
      return bind.exact(Op<pair3<N, HalfFma>>{});
    case Opcode::abs:
      return bind.exact(Op<pair1<N, HalfAbsolute>>{});
    case Opcode::neg:
      return bind.exact(Op<pair1<N, HalfNegate>>{});
    case Opcode::min:
      return bind.exact(Op<pair2<N, HalfMinimum>>{});
    case Opcode::max:
      return bind.exact(Op<pair2<N, HalfMaximum>>{});
    case Opcode::ex2:
      return bind.exact(Op<pair1<N, HalfExp2>>{});
    case Opcode::tanh:
      return bind.exact(Op<pair1<N, HalfTanh>>{});
    default:
      return {};
  }
}

template <class N, bool Ftz, class Bind>
typename Bind::Result bindNarrowRelation(const Instruction& i, const Bind& bind) {
  switch (kCompareForms[static_cast<u32>(i.modifiers.compare)].relation) {
    case Relation::equal:
      return bind.comparison(Op<relatedNarrow<N, Relation::equal, Ftz>>{});
    case Relation::different:
      return bind.comparison(Op<relatedNarrow<N, Relation::different, Ftz>>{});
    case Relation::less:
      return bind.comparison(Op<relatedNarrow<N, Relation::less, Ftz>>{});
    case Relation::lessOrEqual:
      return bind.comparison(Op<relatedNarrow<N, Relation::lessOrEqual, Ftz>>{});
    case Relation::ordered:
      return bind.comparison(Op<relatedNarrow<N, Relation::ordered, Ftz>>{});
  }
  return {};
}

template <class T, class Bind>
typename Bind::Result bindIntegerPair(const Instruction& i, const Bind& bind) {
  if (i.modifiers.saturate || i.modifiers.carryIn || i.modifiers.carryOut) return {};
  switch (i.opcode) {
    case Opcode::add:
      return bind.exact(Op<addPairs>{});
    case Opcode::min:
      return bind.exact(Op<minimumPairs<T>>{});
    case Opcode::max:
      return bind.exact(Op<maximumPairs<T>>{});
    default:
      return {};
  }
}

template <class Bind>
typename Bind::Result bindHalf(const Instruction& i, const Bind& bind) {
  switch (i.opcode) {
    case Opcode::cvt_tf32:
      return bind.exact(Op<toTf32>{});
    case Opcode::cvt_to_small:
      return bind.exact(Op<toSmallPair>{});
    case Opcode::cvt_from_small:
      return bind.exact(Op<fromSmallPair>{});
    case Opcode::video:
      return bind.exact(Op<video>{});
    default:
      break;
  }
  switch (i.type) {
    case DataType::f16:
      if (i.opcode != Opcode::setp) return bindHalfScalar<Half>(i, bind);
      return i.modifiers.ftz ? bindNarrowRelation<Half, true>(i, bind) : bindNarrowRelation<Half, false>(i, bind);
    case DataType::bf16:
      return i.opcode == Opcode::setp ? bindNarrowRelation<Brain, false>(i, bind) : bindHalfScalar<Brain>(i, bind);
    case DataType::f16x2:
      return bindHalfPair<Half>(i, bind);
    case DataType::bf16x2:
      return bindHalfPair<Brain>(i, bind);
    case DataType::u16x2:
      return bindIntegerPair<u16>(i, bind);
    case DataType::s16x2:
      return bindIntegerPair<s16>(i, bind);
    default:
      return {};
  }
}

}  // namespace WARPWRIGHT_HOST_LEVEL
}  // namespace warpwright::isa::semantics
