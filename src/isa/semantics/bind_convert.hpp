// cvt, in three parts so that their instances spread over translation units: see bind.hpp.
#pragma once

#include "isa/semantics/bind.hpp"
#include "isa/semantics/convert.hpp"

namespace warpwright::isa::semantics {
inline namespace WARPWRIGHT_HOST_LEVEL {

template <class Bind, class Body>
typename Bind::Result forIntegerOfAnySize(const Bind& bind, DataType type, const Body& body) {
  if (type == DataType::u8) return body(Tag<u8>{});
  if (type == DataType::s8) return body(Tag<s8>{});
  return forInteger(bind, type, body);
}
template <class Bind, class Body>
typename Bind::Result forFloatOfAnySize(const Bind&, DataType type, const Body& body) {
  switch (type) {
    case DataType::f16:
      return body(Tag<Half>{});
    case DataType::bf16:
      return body(Tag<Brain>{});
    case DataType::f32:
      return body(Tag<float>{});
    case DataType::f64:
      return body(Tag<double>{});
    default:
      return {};
  }
}

template <class Bind>
typename Bind::Result bindIntegerToInteger(const Instruction& i, const Bind& bind) {
  return forIntegerOfAnySize(bind, i.type, [&]<class D>(Tag<D>) {
    return forIntegerOfAnySize(bind, i.sourceType, [&]<class S>(Tag<S>) -> typename Bind::Result {
      if (i.modifiers.saturate) return bind.exact(Op<resizeSaturated<D, S>>{});
      return bind.exact(Op<resize<D, S>>{});
    });
  });
}

template <class Bind>
typename Bind::Result bindIntegerToFloat(const Instruction& i, const Bind& bind) {
  return forFloatOfAnySize(bind, i.type, [&]<class D>(Tag<D>) {
    return forIntegerOfAnySize(bind, i.sourceType, [&]<class S>(Tag<S>) -> typename Bind::Result {
      if (i.modifiers.saturate) return bind.rounded(Op<toFloat<D, S, true>>{});
      return bind.rounded(Op<toFloat<D, S, false>>{});
    });
  });
}

template <class D, class S, bool Ftz, class Bind>
typename Bind::Result bindToInteger(const Instruction& i, const Bind& bind) {
  if (i.modifiers.rounding == Rounding::zero) return bind.exact(Op<toInteger<D, S, Ftz, true>>{});
  return bind.rounded(Op<toInteger<D, S, Ftz, false>>{});
}
template <class Bind>
typename Bind::Result bindFloatToInteger(const Instruction& i, const Bind& bind) {
  return forIntegerOfAnySize(bind, i.type, [&]<class D>(Tag<D>) {
    return forFloatOfAnySize(bind, i.sourceType, [&]<class S>(Tag<S>) -> typename Bind::Result {
      if constexpr (std::is_same_v<S, float>) {
        if (i.modifiers.ftz) return bindToInteger<D, S, true>(i, bind);
      }
      return bindToInteger<D, S, false>(i, bind);
    });
  });
}

template <class Bind>
typename Bind::Result bindFloatToFloat(const Instruction& i, const Bind& bind) {
  return forFloatOfAnySize(bind, i.type, [&]<class D>(Tag<D>) {
    return forFloatOfAnySize(bind, i.sourceType, [&]<class S>(Tag<S>) -> typename Bind::Result {
      if (i.modifiers.ftz) return bind.rounded(Op<refloat<D, S, true>>{});
      return bind.rounded(Op<refloat<D, S, false>>{});
    });
  });
}

}  // namespace WARPWRIGHT_HOST_LEVEL
}  // namespace warpwright::isa::semantics
