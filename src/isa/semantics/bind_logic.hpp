// Moves, logic, shifts, bit operations and addresses: see bind.hpp.
#pragma once

#include "isa/semantics/address.hpp"
#include "isa/semantics/bind.hpp"
#include "isa/semantics/bits.hpp"
#include "isa/semantics/logic.hpp"

namespace warpwright::isa::semantics {
inline namespace WARPWRIGHT_HOST_LEVEL {

template <class U, class Bind>
typename Bind::Result bindBitwiseOf(Opcode opcode, const Bind& bind) {
  switch (opcode) {
    case Opcode::and_:
      return bind.exact(Op<bitAnd<U>>{});
    case Opcode::or_:
      return bind.exact(Op<bitOr<U>>{});
    case Opcode::xor_:
      return bind.exact(Op<bitXor<U>>{});
    case Opcode::not_:
      return bind.exact(Op<bitNot<U>>{});
    default:
      return {};
  }
}
template <class U, class Bind>
typename Bind::Result bindBitwise(Opcode opcode, const Bind& bind) {
  switch (opcode) {
    case Opcode::cnot:
      return bind.exact(Op<logicalNot<U>>{});
    case Opcode::shl:
      return bind.exact(Op<shiftLeft<U>>{});
    default:
      return bindBitwiseOf<U>(opcode, bind);
  }
}
template <class Bind>
typename Bind::Result bindOnPredicates(Opcode opcode, const Bind& bind) {
  switch (opcode) {
    case Opcode::and_:
      return bind.predicates(Op<bitAnd<u64>>{});
    case Opcode::or_:
      return bind.predicates(Op<bitOr<u64>>{});
    case Opcode::xor_:
      return bind.predicates(Op<bitXor<u64>>{});
    case Opcode::not_:
      return bind.predicates(Op<bitNot<u64>>{});
    default:
      return {};
  }
}
template <class Bind>
typename Bind::Result bindBitwise64(Opcode opcode, const Bind& bind) {
  switch (opcode) {
    case Opcode::cnot:
      return bind.exact(Op<logicalNot<u64>>{});
    case Opcode::shl:
      return bind.exact(Op<shiftLeft<u64>>{});
    default:
      return bindBitwiseOf<Words>(opcode, bind);
  }
}
template <class Bind>
typename Bind::Result bindLogic(const Instruction& i, const Bind& bind) {
  switch (i.type) {
    case DataType::pred:
      return bindOnPredicates(i.opcode, bind);
    case DataType::u16:
      return bindBitwise<u16>(i.opcode, bind);
    case DataType::u32:
      return bindBitwise<u32>(i.opcode, bind);
    case DataType::u64:
      return bindBitwise64(i.opcode, bind);
    default:
      return {};
  }
}

// Operations on 32 bits only.
template <class Bind>
typename Bind::Result bindWord(const Instruction& i, const Bind& bind) {
  const bool clamp = i.modifiers.clamp;
  switch (i.opcode) {
    case Opcode::lop3:
      return bind.exact(Op<lookUp3>{});
    case Opcode::shf_l:
      return clamp ? bind.exact(Op<funnelLeft<true>>{}) : bind.exact(Op<funnelLeft<false>>{});
    case Opcode::shf_r:
      return clamp ? bind.exact(Op<funnelRight<true>>{}) : bind.exact(Op<funnelRight<false>>{});
    case Opcode::pack16:
      return bind.exact(Op<packHalves>{});
    case Opcode::unpack16:
      return bind.exact(Op<unpackHalves>{});
    case Opcode::pack8:
      return bind.exact(Op<packBytes>{});
    case Opcode::unpack8:
      return bind.exact(Op<unpackBytes>{});
    case Opcode::bmsk:
      return bind.exact(Op<makeMask>{});
    case Opcode::fns:
      return bind.exact(Op<findNthSet>{});
    case Opcode::prmt:
      if (i.modifiers.permute == PermuteMode::index) return bind.exact(Op<permuteBySelector>{});
      return bind.exact(Op<permuteByMode>{});
    default:
      return {};
  }
}

template <class U, class Bind>
typename Bind::Result bindCount(Opcode opcode, const Bind& bind) {
  switch (opcode) {
    case Opcode::popc:
      return bind.exact(Op<populationCount<U>>{});
    case Opcode::clz:
      return bind.exact(Op<countLeadingZeros<U>>{});
    case Opcode::brev:
      return bind.exact(Op<reverseBits<U>>{});
    case Opcode::bfi:
      return bind.exact(Op<insertField<U>>{});
    case Opcode::cvta:
      return bind.exact(Op<convertAddress<U>>{});
    case Opcode::isspacep:
      return bind.exact(Op<isInSpace<U>>{});
    case Opcode::mapa:
      return bind.exact(Op<mapToBlock<U>>{});
    default:
      return {};
  }
}

template <class Bind>
typename Bind::Result bindDot(const Instruction& i, const Bind& bind) {
  return for32(bind, i.sourceType, [&]<class A>(Tag<A>) {
    return for32(bind, i.modifiers.secondType, [&]<class B>(Tag<B>) -> typename Bind::Result {
      if (i.opcode == Opcode::dp4a) return bind.exact(Op<dotProduct4<A, B>>{});
      return bind.exact(Op<dotProduct2<A, B>>{});
    });
  });
}

template <class Bind>
typename Bind::Result bindBits(const Instruction& i, const Bind& bind) {
  switch (i.opcode) {
    case Opcode::and_:
    case Opcode::or_:
    case Opcode::xor_:
    case Opcode::not_:
    case Opcode::cnot:
    case Opcode::shl:
      return bindLogic(i, bind);
    case Opcode::shr:
      return forInteger(bind, i.type, [&]<class T>(Tag<T>) { return bind.exact(Op<shiftRight<T>>{}); });
    case Opcode::bfind:
      return for32Or64(bind, i.type, [&]<class T>(Tag<T>) { return bind.exact(Op<findMostSignificant<T>>{}); });
    case Opcode::bfe:
      return for32Or64(bind, i.type, [&]<class T>(Tag<T>) { return bind.exact(Op<extractField<T>>{}); });
    case Opcode::szext:
      return for32(bind, i.type, [&]<class T>(Tag<T>) { return bind.exact(Op<extend<T>>{}); });
    case Opcode::dp2a:
    case Opcode::dp4a:
      return bindDot(i, bind);
    case Opcode::popc:
    case Opcode::clz:
    case Opcode::brev:
    case Opcode::bfi:
    case Opcode::cvta:
    case Opcode::isspacep:
    case Opcode::mapa:
      return i.type == DataType::u64 ? bindCount<u64>(i.opcode, bind) : bindCount<u32>(i.opcode, bind);
    default:
      return bindWord(i, bind);
  }
}

}  // namespace WARPWRIGHT_HOST_LEVEL
}  // namespace warpwright::isa::semantics
