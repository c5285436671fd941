// Integer arithmetic: see bind.hpp.
#pragma once

#include "isa/semantics/bind.hpp"
#include "isa/semantics/integer.hpp"

namespace warpwright::isa::semantics {
inline namespace WARPWRIGHT_HOST_LEVEL {

// The forms with a carry predicate and those that saturate.
template <class Bind>
typename Bind::Result bindCarry(const Instruction& i, const Bind& bind) {
  return for32Or64(bind, i.type, [&]<class T>(Tag<T>) -> typename Bind::Result {
    using U = Unsigned<T>;
    switch (i.opcode) {
      case Opcode::add:
        return bind.exact(Op<addCarry<U>>{});
      case Opcode::sub:
        return bind.exact(Op<subtractBorrow<U>>{});
      case Opcode::mad_lo:
        return bind.exact(Op<multiplyAddLowCarry<U>>{});
      case Opcode::mad_hi:
        return bind.exact(Op<multiplyAddHighCarry<T>>{});
      default:
        return {};
    }
  });
}
template <class Bind>
typename Bind::Result bindSaturated(const Instruction& i, const Bind& bind) {
  if (i.type != DataType::s32) return {};
  switch (i.opcode) {
    case Opcode::add:
      return bind.exact(Op<addSaturated>{});
    case Opcode::sub:
      return bind.exact(Op<subtractSaturated>{});
    case Opcode::mad_hi:
      return bind.exact(Op<multiplyAddHighSaturated>{});
    case Opcode::mad24_hi:
      return bind.exact(Op<multiplyAdd24HighSaturated>{});
    default:
      return {};
  }
}

template <class Bind>
typename Bind::Result bindProduct24(const Instruction& i, const Bind& bind) {
  return for32(bind, i.type, [&]<class T>(Tag<T>) -> typename Bind::Result {
    switch (i.opcode) {
      case Opcode::mul24_lo:
        return bind.exact(Op<multiply24Low<T>>{});
      case Opcode::mul24_hi:
        return bind.exact(Op<multiply24High<T>>{});
      case Opcode::mad24_lo:
        return bind.exact(Op<multiplyAdd24Low<T>>{});
      case Opcode::mad24_hi:
        return bind.exact(Op<multiplyAdd24High<T>>{});
      default:
        return {};
    }
  });
}

template <class Bind>
typename Bind::Result bindSignless(const Instruction& i, const Bind& bind) {
  const bool wide = i.type == DataType::u64 || i.type == DataType::s64;
  if (wide && i.opcode == Opcode::add) return bind.exact(Op<addWords>{});
  if (wide && i.opcode == Opcode::sub) return bind.exact(Op<subtractWords>{});
  return forAnySign(bind, i.type, [&]<class T>(Tag<T>) -> typename Bind::Result {
    switch (i.opcode) {
      case Opcode::add:
        return bind.exact(Op<add<T>>{});
      case Opcode::sub:
        return bind.exact(Op<subtract<T>>{});
      case Opcode::mul_lo:
        return bind.exact(Op<multiplyLow<T>>{});
      case Opcode::mad_lo:
        return bind.exact(Op<multiplyAddLow<T>>{});
      case Opcode::neg:
        return bind.exact(Op<negate<T>>{});
      default:
        return {};
    }
  });
}

template <class Bind>
typename Bind::Result bindSigned(const Instruction& i, const Bind& bind) {
  return forInteger(bind, i.type, [&]<class T>(Tag<T>) -> typename Bind::Result {
    switch (i.opcode) {
      case Opcode::mul_hi:
        return bind.exact(Op<multiplyHigh<T>>{});
      case Opcode::mad_hi:
        return bind.exact(Op<multiplyAddHigh<T>>{});
      case Opcode::sad:
        return bind.exact(Op<sumOfAbsoluteDifference<T>>{});
      case Opcode::div:
        return bind.exact(Op<divide<T>>{});
      case Opcode::rem:
        return bind.exact(Op<remainder<T>>{});
      case Opcode::abs:
        return bind.exact(Op<absolute<T>>{});
      case Opcode::min:
        return bind.exact(Op<minimum<T>>{});
      case Opcode::max:
        return bind.exact(Op<maximum<T>>{});
      default:
        return {};
    }
  });
}

template <class Bind>
typename Bind::Result bindWideProduct(const Instruction& i, const Bind& bind) {
  const auto bindIt = [&]<class T>(Tag<T>) -> typename Bind::Result {
    if (i.opcode == Opcode::mul_wide) return bind.exact(Op<multiplyWide<T>>{});
    if constexpr (sizeof(T) == 4) return bind.exact(Op<multiplyAddWideWords<T>>{});
    return bind.exact(Op<multiplyAddWide<T>>{});
  };
  if (i.type == DataType::u16) return bindIt(Tag<u16>{});
  if (i.type == DataType::s16) return bindIt(Tag<s16>{});
  return for32(bind, i.type, bindIt);
}

template <class Bind>
typename Bind::Result bindArithmetic(const Instruction& i, const Bind& bind) {
  if (isFloat(i.type)) return {};
  if (i.modifiers.carryIn || i.modifiers.carryOut) return bindCarry(i, bind);
  if (i.modifiers.saturate) return bindSaturated(i, bind);
  switch (i.opcode) {
    case Opcode::add:
    case Opcode::sub:
    case Opcode::mul_lo:
    case Opcode::mad_lo:
    case Opcode::neg:
      return bindSignless(i, bind);
    case Opcode::mul_hi:
    case Opcode::mad_hi:
    case Opcode::sad:
    case Opcode::div:
    case Opcode::rem:
    case Opcode::abs:
    case Opcode::min:
    case Opcode::max:
      return bindSigned(i, bind);
    case Opcode::mul_wide:
    case Opcode::mad_wide:
      return bindWideProduct(i, bind);
    case Opcode::mul24_lo:
    case Opcode::mul24_hi:
    case Opcode::mad24_lo:
    case Opcode::mad24_hi:
      return bindProduct24(i, bind);
    default:
      return {};
  }
}

}  // namespace WARPWRIGHT_HOST_LEVEL
}  // namespace warpwright::isa::semantics
