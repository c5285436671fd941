// Whole numbers of threads as sums of products of thread indices, block sizes, constants and what is derived from them.
#pragma once

#include <map>
#include <optional>

#include "isa/shared_access.hpp"

namespace warpwright::compiler {

using Symbols = std::array<isa::ThreadSymbol, 3>;  // of a product, sorted, `none` first
inline constexpr u32 kNoLoop = ~u32{0};

// A sum of products, and whether something unknown but uniform is added. Without `isKnown`: anything.
struct Form {
  std::map<Symbols, u64> terms;  // factors modulo 2^64
  u32 loop = kNoLoop;            // whose iterations it counts
  bool isShifted = false, isKnown = true;

  bool operator==(const Form&) const = default;

  static Form unknown() { return {{}, kNoLoop, false, false}; }
  static Form uniform() { return {{}, kNoLoop, true, true}; }
  static Form constant(s64 value);
  static Form symbol(isa::ThreadSymbol symbol);
  static Form iteration(u32 loop);

  bool isExact() const { return isKnown && !isShifted; }
  // Of a form that is a constant.
  std::optional<s64> value() const;
};

// Operations on forms, and the derived values that they name.
class AddressForms {
 public:
  // a + factor b
  Form sum(const Form& a, const Form& b, u64 factor = 1) const;
  Form product(const Form& a, const Form& b) const;
  // Both operands must be known without an addend.
  Form derive(isa::DerivedValue::Operation operation, const Form& a, const Form& b);
  // What a value is that is one or the other.
  Form either(const Form& a, const Form& b) const;

  const isa::DerivedValues& derived() const { return derived_; }

 private:
  struct Traits {
    bool dependsOnThread = false, countsIterations = false;
  };
  Traits traitsOf(const Symbols& symbols) const;
  Traits traitsOf(const Form& form) const;
  bool isUniform(const Form& form) const { return form.isKnown && !traitsOf(form).dependsOnThread; }
  Form shifted(const Form& form) const;

  isa::DerivedValues derived_;
  std::vector<Traits> derivedTraits_;
};

isa::ThreadSum sumOf(const Form& form);

}  // namespace warpwright::compiler
