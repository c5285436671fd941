// A field of a configuration structure: one row gives it a name, a unit, a range and a text. Every place where the structure is used
// (seven caches share one list) is described by the same rows.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "base/types.hpp"
#include "config/policy.hpp"

namespace warpwright::config {

using Names = std::span<const std::string_view>;

// The values that a field allows.
struct Range {
  u64 minimum = 0, maximum = 0;            // numbers
  bool powerOfTwo = false;                 // numbers
  Names choices = {};                      // texts; empty: any. The choices of an enumeration are its names.
  const PolicyFamily* policies = nullptr;  // policies
};

// An enumeration with u8 below it, and what machine files call its members, in their order.
struct EnumSlot {
  u8* value;
  Names names;
};

// Where a field's value lies.
using Slot = std::variant<u32*, u64*, bool*, std::string*, EnumSlot, Policy*>;

// Specialised beside each enumeration's rows.
template <class E>
inline constexpr std::array<std::string_view, 0> kNamesOf{};

template <class S>
struct Row {
  std::string_view name, unit;
  Range range;
  std::string_view text;  // meaning, then the source of the default
  Slot (*slot)(S&);
};

template <class T>
Slot slotOf(T& value) {
  if constexpr (std::is_enum_v<T>) {
    static_assert(std::is_same_v<std::underlying_type_t<T>, u8> && !kNamesOf<T>.empty());
    return EnumSlot{reinterpret_cast<u8*>(&value), kNamesOf<T>};
  } else {
    return &value;
  }
}

template <class>
struct MemberPointer;
template <class S, class T>
struct MemberPointer<T S::*> {
  using Structure = S;
  using Value = T;
};

// A number or a text: row<&Cache::ways>("ways", "ways", {1, 64}, "…").
template <auto Member>
constexpr auto row(std::string_view name, std::string_view unit, Range range, std::string_view text) {
  using S = typename MemberPointer<decltype(Member)>::Structure;
  return Row<S>{name, unit, range, text, [](S& structure) { return slotOf(structure.*Member); }};
}

// A switch or an enumeration, which needs no range.
template <auto Member>
constexpr auto choice(std::string_view name, std::string_view text) {
  return row<Member>(name, "", {}, text);
}

// A policy of the family.
template <auto Member>
constexpr auto policy(std::string_view name, const PolicyFamily& family, std::string_view text) {
  return row<Member>(name, "", {.policies = &family}, text);
}

// Of two slots of one row.
bool sameValue(const Slot& one, const Slot& other);

}  // namespace warpwright::config
