// Floating-point arithmetic and the approximate functions: see bind.hpp.
#pragma once

#include "isa/semantics/bind.hpp"
#include "isa/semantics/float.hpp"
#include "isa/semantics/special.hpp"

namespace warpwright::isa::semantics {
inline namespace WARPWRIGHT_HOST_LEVEL {

template <class T, bool Ftz, bool Sat, class Bind>
typename Bind::Result bindSaturating(Opcode opcode, const Bind& bind) {
  switch (opcode) {
    case Opcode::add:
      return bind.rounded(Op<floatAdd<T, Ftz, Sat>>{});
    case Opcode::sub:
      return bind.rounded(Op<floatSubtract<T, Ftz, Sat>>{});
    case Opcode::mul_lo:
      return bind.rounded(Op<floatMultiply<T, Ftz, Sat>>{});
    case Opcode::fma:
      return bind.rounded(Op<fusedMultiplyAdd<T, Ftz, Sat>>{});
    default:
      return {};
  }
}

template <class T, bool Ftz, class Bind>
typename Bind::Result bindOfFormat(const Instruction& i, const Bind& bind) {
  const bool nanMode = i.modifiers.nanMode;
  switch (i.opcode) {
    case Opcode::div:
      return bind.rounded(Op<floatDivide<T, Ftz>>{});
    case Opcode::rcp:
      return bind.rounded(Op<reciprocal<T, Ftz>>{});
    case Opcode::sqrt:
      return bind.rounded(Op<squareRoot<T, Ftz>>{});
    case Opcode::abs:
      return bind.exact(Op<floatAbsolute<T, Ftz>>{});
    case Opcode::neg:
      return bind.exact(Op<floatNegate<T, Ftz>>{});
    case Opcode::copysign:
      return bind.exact(Op<copySign<T>>{});
    case Opcode::testp:
      return bind.exact(Op<testProperty<T>>{});
    case Opcode::min:
      return nanMode ? bind.exact(Op<floatMinimum<T, Ftz, true>>{}) : bind.exact(Op<floatMinimum<T, Ftz, false>>{});
    case Opcode::max:
      return nanMode ? bind.exact(Op<floatMaximum<T, Ftz, true>>{}) : bind.exact(Op<floatMaximum<T, Ftz, false>>{});
    default:
      return {};
  }
}

template <bool Ftz, class Bind>
typename Bind::Result bindApproximate32(Opcode opcode, const Bind& bind) {
  switch (opcode) {
    case Opcode::div:
      return bind.exact(Op<approximateDivide<Ftz>>{});
    case Opcode::rcp:
      return bind.exact(Op<reciprocal<float, Ftz>>{});
    case Opcode::sqrt:
      return bind.exact(Op<squareRoot<float, Ftz>>{});
    case Opcode::rsqrt:
      return bind.exact(Op<approximateReciprocalRoot<Ftz>>{});
    case Opcode::sin:
      return bind.exact(Op<approximateSine<Ftz>>{});
    case Opcode::cos:
      return bind.exact(Op<approximateCosine<Ftz>>{});
    case Opcode::ex2:
      return bind.exact(Op<approximateExp2<Ftz>>{});
    case Opcode::lg2:
      return bind.exact(Op<approximateLog2<Ftz>>{});
    case Opcode::tanh:
      return bind.exact(Op<approximateTanh>{});
    default:
      return {};
  }
}
template <class Bind>
typename Bind::Result bindApproximate64(const Instruction& i, const Bind& bind) {
  if (i.opcode == Opcode::rcp) return bind.exact(Op<approximateReciprocal64>{});
  if (i.opcode != Opcode::rsqrt) return {};
  return i.modifiers.ftz ? bind.exact(Op<approximateReciprocalRoot64High>{}) : bind.exact(Op<approximateReciprocalRoot64>{});
}

// Functions that PTX has only as approximations; the others have correctly rounded forms too.
inline bool isAlwaysApproximate(Opcode opcode) {
  switch (opcode) {
    case Opcode::rsqrt:
    case Opcode::sin:
    case Opcode::cos:
    case Opcode::ex2:
    case Opcode::lg2:
    case Opcode::tanh:
      return true;
    default:
      return false;
  }
}

template <bool Ftz, class Bind>
typename Bind::Result bindFloat32(const Instruction& i, const Bind& bind) {
  // div.full differs from div.approx in its range only; the quotient is exact enough for both.
  const bool full = i.opcode == Opcode::div && i.modifiers.accuracy == Accuracy::full;
  if (full) return bind.exact(Op<floatDivide<float, Ftz>>{});
  if (isAlwaysApproximate(i.opcode) || i.modifiers.accuracy != Accuracy::ieee) return bindApproximate32<Ftz>(i.opcode, bind);
  const auto result =
      i.modifiers.saturate ? bindSaturating<float, Ftz, true>(i.opcode, bind) : bindSaturating<float, Ftz, false>(i.opcode, bind);
  return result ? result : bindOfFormat<float, Ftz>(i, bind);
}

template <class Bind>
typename Bind::Result bindFloat(const Instruction& i, const Bind& bind) {
  if (i.type == DataType::f32) return i.modifiers.ftz ? bindFloat32<true>(i, bind) : bindFloat32<false>(i, bind);
  if (i.type != DataType::f64) return {};
  const bool approximate = i.opcode == Opcode::rsqrt || i.modifiers.accuracy == Accuracy::approximate;
  if (approximate) return bindApproximate64(i, bind);
  const auto result = bindSaturating<double, false, false>(i.opcode, bind);
  return result ? result : bindOfFormat<double, false>(i, bind);
}

}  // namespace WARPWRIGHT_HOST_LEVEL
}  // namespace warpwright::isa::semantics
