// From a machine instruction to the scalar function that gives its meaning: the only place that connects the two. The vector
// lanes and the one-lane oracle pass different binders and so get the same functions.
//
// A binder has a type Result (default-constructed: no such operation) and the members
//   exact(Op<F>)          F does not depend on the rounding mode
//   rounded(Op<F>)        F runs in the instruction's rounding mode
//   predicates(Op<F>)     F works on whole masks of lanes; operands and result are predicates
//   comparison(Op<F>)     setp: F(a, b) with kCompareForms and combine()
//   comparisonSet(Op<F>)  set
#pragma once

#include "isa/instruction.hpp"
#include "isa/semantics/values.hpp"

namespace warpwright::isa::semantics {
inline namespace WARPWRIGHT_HOST_LEVEL {

template <auto F>
struct Op {};

template <class T>
struct Tag {
  using Type = T;
};

// Calls body(Tag<T>{}) with the C++ type of an integer DataType of 16 bits or more.
template <class Bind, class Body>
typename Bind::Result forInteger(const Bind&, DataType type, const Body& body) {
  switch (type) {
    case DataType::u16:
      return body(Tag<u16>{});
    case DataType::s16:
      return body(Tag<s16>{});
    case DataType::u32:
      return body(Tag<u32>{});
    case DataType::s32:
      return body(Tag<s32>{});
    case DataType::u64:
      return body(Tag<u64>{});
    case DataType::s64:
      return body(Tag<s64>{});
    default:
      return {};
  }
}

// For operations whose result bits do not depend on the sign: s32 and s64 share the unsigned function. 16-bit types keep theirs,
// because their results are extended to a register by their sign.
template <class Bind, class Body>
typename Bind::Result forAnySign(const Bind& bind, DataType type, const Body& body) {
  if (type == DataType::s32) return body(Tag<u32>{});
  if (type == DataType::s64) return body(Tag<u64>{});
  return forInteger(bind, type, body);
}

// u32 and s32, or all four of 32 and 64 bits.
template <class Bind, class Body>
typename Bind::Result for32(const Bind&, DataType type, const Body& body) {
  if (type == DataType::u32) return body(Tag<u32>{});
  if (type == DataType::s32) return body(Tag<s32>{});
  return {};
}
template <class Bind, class Body>
typename Bind::Result for32Or64(const Bind& bind, DataType type, const Body& body) {
  if (type == DataType::u64) return body(Tag<u64>{});
  if (type == DataType::s64) return body(Tag<s64>{});
  return for32(bind, type, body);
}

// body(Tag<bool_constant>) for a run-time flag.
template <class Body>
auto forFlag(bool flag, const Body& body) {
  return flag ? body(std::true_type{}) : body(std::false_type{});
}

}  // namespace WARPWRIGHT_HOST_LEVEL
}  // namespace warpwright::isa::semantics
