// Moves, selections and comparisons: see bind.hpp.
#pragma once

#include "isa/semantics/bind.hpp"
#include "isa/semantics/compare.hpp"

namespace warpwright::isa::semantics {
inline namespace WARPWRIGHT_HOST_LEVEL {

template <auto F, class Bind>
typename Bind::Result bindCompared(const Instruction& i, const Bind& bind) {
  return i.opcode == Opcode::setp ? bind.comparison(Op<F>{}) : bind.comparisonSet(Op<F>{});
}

// T: Words and SignedWords stand for u64 and s64.
template <class T, bool Ftz, class Bind>
typename Bind::Result bindRelation(const Instruction& i, const Bind& bind) {
  const auto compare = [&]<Relation R>(std::integral_constant<Relation, R>) -> typename Bind::Result {
    if constexpr (std::is_class_v<T>) {
      return bindCompared<relatedWords<T, R>>(i, bind);
    } else {
      return bindCompared<related<T, R, Ftz>>(i, bind);
    }
  };
  switch (kCompareForms[static_cast<u32>(i.modifiers.compare)].relation) {
    case Relation::equal:
      return compare(std::integral_constant<Relation, Relation::equal>{});
    case Relation::different:
      return compare(std::integral_constant<Relation, Relation::different>{});
    case Relation::less:
      return compare(std::integral_constant<Relation, Relation::less>{});
    case Relation::lessOrEqual:
      return compare(std::integral_constant<Relation, Relation::lessOrEqual>{});
    case Relation::ordered:
      return compare(std::integral_constant<Relation, Relation::ordered>{});
  }
  return {};
}

template <class Bind>
typename Bind::Result bindComparison(const Instruction& i, const Bind& bind) {
  const DataType type = i.opcode == Opcode::setp ? i.type : i.sourceType;
  if (type == DataType::f64) return bindRelation<double, false>(i, bind);
  if (type == DataType::f32 && i.modifiers.ftz) return bindRelation<float, true>(i, bind);
  if (type == DataType::f32) return bindRelation<float, false>(i, bind);
  if (type == DataType::u64) return bindRelation<Words, false>(i, bind);
  if (type == DataType::s64) return bindRelation<SignedWords, false>(i, bind);
  return forInteger(bind, type, [&]<class T>(Tag<T>) -> typename Bind::Result {
    if constexpr (sizeof(T) == 8) return {};
    return bindRelation<T, false>(i, bind);
  });
}

template <class Bind>
typename Bind::Result bindSelection(const Instruction& i, const Bind& bind) {
  // Only the bits move; floats go as the unsigned type of their size. 16-bit values keep their sign's extension.
  const DataType type = i.type == DataType::f32 ? DataType::u32 : i.type == DataType::f64 ? DataType::u64 : i.type;
  const auto bindIt = [&]<class T>(Tag<T>) -> typename Bind::Result {
    if (i.opcode == Opcode::mov) return bind.exact(Op<move<T>>{});
    if (i.opcode == Opcode::selp) return bind.exact(Op<select<T>>{});
    if (i.sourceType == DataType::s32) return bind.exact(Op<selectBySign<T, s32, false>>{});
    if (i.sourceType != DataType::f32) return {};
    return i.modifiers.ftz ? bind.exact(Op<selectBySign<T, float, true>>{}) : bind.exact(Op<selectBySign<T, float, false>>{});
  };
  if (sizeOf(type) == 8) return bindIt(Tag<Words>{});
  if (type == DataType::u32 || type == DataType::s32) return bindIt(Tag<u32>{});
  if (type == DataType::u16) return bindIt(Tag<u16>{});
  if (type == DataType::s16) return bindIt(Tag<s16>{});
  return {};
}

template <class Bind>
typename Bind::Result bindCompareAndSelect(const Instruction& i, const Bind& bind) {
  switch (i.opcode) {
    case Opcode::setp:
    case Opcode::set:
      return bindComparison(i, bind);
    case Opcode::mov:
      if (i.type == DataType::pred) return bind.predicates(Op<move<u64>>{});
      return bindSelection(i, bind);
    case Opcode::selp:
    case Opcode::slct:
      return bindSelection(i, bind);
    default:
      return {};
  }
}

}  // namespace WARPWRIGHT_HOST_LEVEL
}  // namespace warpwright::isa::semantics
