// Whole numbers of threads as sums of products of thread indices, block sizes, constants and what else has a name.
#pragma once

#include <map>
#include <optional>

#include "isa/shared_access.hpp"

namespace warpwright::compiler {

using Symbols = std::array<isa::ThreadSymbol, 4>;  // of a product, sorted, `none` first
inline constexpr u32 kNoLoop = ~u32{0};
inline constexpr u64 kMinusOne = ~u64{0};  // as a factor

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

// What is no sum of products: it has a symbol of its own, from ThreadSymbol::derived on in the order of their list.
struct NamedValue {
  enum class Operation : u8 {
    and_,  // of `left` and `right`, as isa::DerivedValue::Operation has them
    or_,
    xor_,
    shl,
    shr,
    unsignedShr,
    quotient,    // towards zero
    special,     // isa::SpecialRegister(number)
    parameter,   // the signed integer of `bytes` at `number` in the parameter block
    variable,    // the address of isa::Program::variables[number]
    stack,       // where the thread's frame of private memory begins
    iteration,   // of the loop `number`, from 0 on; with `bytes`, a number of iterations that one reader behind the loop finds
    unfinished,  // of the unit `number`, while what it holds is being found out
  };
  Operation operation{};
  Form left, right;
  u64 number = 0;
  u32 bytes = 0;

  bool operator==(const NamedValue&) const = default;
};

// Operations on forms, and the values that they name.
class AddressForms {
 public:
  // Products of more factors than that, four at most, are not known.
  explicit AddressForms(u32 mostFactors = 3) : mostFactors_(mostFactors) {}

  // a + factor b
  Form sum(const Form& a, const Form& b, u64 factor = 1) const;
  Form product(const Form& a, const Form& b) const;
  // Both operands must be known without an addend.
  Form derive(NamedValue::Operation operation, const Form& a, const Form& b);
  // The value's symbol; unknown when there are too many.
  Form named(const NamedValue& value);
  // What a value is that is one or the other.
  Form either(const Form& a, const Form& b) const;

  const std::vector<NamedValue>& values() const { return values_; }

 private:
  struct Traits {
    bool dependsOnThread = false, countsIterations = false;
  };
  Traits traitsOf(const Symbols& symbols) const;
  Traits traitsOf(const Form& form) const;
  bool isUniform(const Form& form) const { return form.isKnown && !traitsOf(form).dependsOnThread; }
  Form shifted(const Form& form) const;

  u32 mostFactors_;
  std::vector<NamedValue> values_;
  std::vector<Traits> traits_;  // of values_
};

// Of forms whose products have three factors at most, and whose named values are operations that isa::DerivedValue has too.
isa::ThreadSum sumOf(const Form& form);
isa::DerivedValues derivedValues(const AddressForms& forms);

}  // namespace warpwright::compiler
