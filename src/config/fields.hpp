// The one list of a machine's fields; parsing, validation, dump and reference page walk it.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "config/machine.hpp"

namespace warpwright::config {

// The values a field allows.
struct Range {
  u64 minimum = 0, maximum = 0;                // numbers
  bool powerOfTwo = false;                     // numbers
  std::vector<std::string_view> choices = {};  // strings; empty: any text
};

struct Field {
  using Member = std::variant<u32 Machine::*, u64 Machine::*, std::string Machine::*>;

  std::string_view section;  // empty: top level
  std::string_view name;
  Member member;
  std::string_view unit;
  Range range;
  std::string_view text;  // meaning, then the source of the default

  std::string key() const;        // "sm.warp_size"
  std::string rangeText() const;  // "4 to 64, a power of two"
  // The value as TOML writes it: 32, "stack".
  std::string valueText(const Machine& machine) const;
  // What is wrong with the machine's value, or nothing.
  std::optional<std::string> problem(const Machine& machine) const;
};

std::span<const Field> fields();

// A rule that ties fields together.
struct CrossCheck {
  std::string_view key;  // of the field to blame
  bool (*holds)(const Machine&);
  std::string_view text;  // what must hold
};

std::span<const CrossCheck> crossChecks();

}  // namespace warpwright::config
