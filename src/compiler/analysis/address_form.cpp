#include "compiler/analysis/address_form.hpp"

#include <algorithm>

namespace warpwright::compiler {
namespace {

using isa::ThreadSymbol;

constexpr u32 kFirstDerived = static_cast<u32>(ThreadSymbol::derived);
constexpr std::size_t kMostNamed = 1024;  // of a function

// Nothing for a product of more factors than `most`.
std::optional<Symbols> productOf(const Symbols& a, const Symbols& b, u32 most) {
  std::array<ThreadSymbol, 8> all{};
  std::merge(a.begin(), a.end(), b.begin(), b.end(), all.begin());
  if (all[all.size() - 1 - most] != ThreadSymbol::none) return std::nullopt;
  return Symbols{all[4], all[5], all[6], all[7]};
}

void add(Form& form, const Symbols& symbols, u64 factor) {
  if ((form.terms[symbols] += factor) == 0) form.terms.erase(symbols);
}

// Iterations of two loops at once are not followed.
bool meetInOneLoop(const Form& a, const Form& b) { return a.loop == kNoLoop || b.loop == kNoLoop || a.loop == b.loop; }
u32 loopOf(const Form& a, const Form& b) { return a.loop == kNoLoop ? b.loop : a.loop; }

}  // namespace

Form Form::constant(s64 value) {
  Form form;
  add(form, {}, static_cast<u64>(value));
  return form;
}

Form Form::symbol(ThreadSymbol symbol) {
  Form form;
  add(form, {ThreadSymbol::none, ThreadSymbol::none, ThreadSymbol::none, symbol}, 1);
  return form;
}

Form Form::iteration(u32 loop) {
  Form form = symbol(ThreadSymbol::iteration);
  form.loop = loop;
  return form;
}

std::optional<s64> Form::value() const {
  if (!isExact() || terms.size() > 1) return std::nullopt;
  if (terms.empty()) return 0;
  return terms.begin()->first == Symbols{} ? std::optional(static_cast<s64>(terms.begin()->second)) : std::nullopt;
}

AddressForms::Traits AddressForms::traitsOf(const Symbols& symbols) const {
  Traits traits;
  for (const ThreadSymbol symbol : symbols) {
    if (symbol >= ThreadSymbol::derived) {
      const Traits& of = traits_[static_cast<u32>(symbol) - kFirstDerived];
      traits.dependsOnThread |= of.dependsOnThread;
      traits.countsIterations |= of.countsIterations;
    }
    traits.dependsOnThread |= symbol != ThreadSymbol::none && symbol <= ThreadSymbol::tidZ;
    traits.countsIterations |= symbol == ThreadSymbol::iteration;
  }
  return traits;
}

AddressForms::Traits AddressForms::traitsOf(const Form& form) const {
  Traits traits;
  for (const auto& [symbols, factor] : form.terms) {
    const Traits of = traitsOf(symbols);
    traits.dependsOnThread |= of.dependsOnThread;
    traits.countsIterations |= of.countsIterations;
  }
  return traits;
}

// The same but for what is the same in all lanes.
Form AddressForms::shifted(const Form& form) const {
  Form result = Form::uniform();
  for (const auto& [symbols, factor] : form.terms)
    if (traitsOf(symbols).dependsOnThread) result.terms.emplace(symbols, factor);
  if (traitsOf(result).countsIterations) result.loop = form.loop;
  return result;
}

Form AddressForms::sum(const Form& a, const Form& b, u64 factor) const {
  if (!a.isKnown || !b.isKnown || !meetInOneLoop(a, b)) return Form::unknown();
  Form result = a;
  result.loop = loopOf(a, b);
  result.isShifted |= b.isShifted;
  for (const auto& [symbols, each] : b.terms) add(result, symbols, factor * each);
  return result;
}

Form AddressForms::product(const Form& a, const Form& b) const {
  if (!a.isKnown || !b.isKnown || !meetInOneLoop(a, b)) return Form::unknown();
  if (a.isShifted || b.isShifted) {
    if (isUniform(a) && isUniform(b)) return Form::uniform();
    // (x + unknown) * constant = x * constant + unknown
    const std::optional<s64> left = a.value(), right = b.value();
    if (!left && !right) return Form::unknown();
    return sum({}, left ? b : a, static_cast<u64>(left ? *left : *right));
  }
  Form result;
  result.loop = loopOf(a, b);
  for (const auto& [x, factorX] : a.terms) {
    for (const auto& [y, factorY] : b.terms) {
      const std::optional<Symbols> symbols = productOf(x, y, mostFactors_);
      if (!symbols) return Form::unknown();
      add(result, *symbols, factorX * factorY);
    }
  }
  return result;
}

Form AddressForms::derive(NamedValue::Operation operation, const Form& a, const Form& b) {
  if (!a.isExact() || !b.isExact() || !meetInOneLoop(a, b)) return Form::unknown();
  NamedValue value{operation, a, b};
  value.left.loop = value.right.loop = kNoLoop;  // the symbol is that of its iterations, whichever loop they are of
  Form result = named(value);
  if (result.isKnown) result.loop = loopOf(a, b);
  return result;
}

Form AddressForms::named(const NamedValue& value) {
  const auto found = std::find(values_.begin(), values_.end(), value);
  const u32 index = static_cast<u32>(found - values_.begin());
  if (found == values_.end()) {
    if (values_.size() == kMostNamed) return Form::unknown();
    values_.push_back(value);
    const Traits left = traitsOf(value.left), right = traitsOf(value.right);
    traits_.push_back({left.dependsOnThread || right.dependsOnThread, left.countsIterations || right.countsIterations});
  }
  return Form::symbol(static_cast<ThreadSymbol>(kFirstDerived + index));
}

Form AddressForms::either(const Form& a, const Form& b) const {
  if (a == b) return a;
  if (!a.isKnown || !b.isKnown) return Form::unknown();
  const Form shifted = this->shifted(a);
  return shifted == this->shifted(b) ? shifted : Form::unknown();
}

isa::ThreadSum sumOf(const Form& form) {
  isa::ThreadSum sum;
  for (const auto& [symbols, factor] : form.terms) {
    if (symbols == Symbols{}) {
      sum.constant = static_cast<s64>(factor);
    } else {
      sum.terms.push_back({{symbols[1], symbols[2], symbols[3]}, static_cast<s64>(factor)});
    }
  }
  return sum;
}

isa::DerivedValues derivedValues(const AddressForms& forms) {
  isa::DerivedValues result;
  for (const NamedValue& value : forms.values())
    result.push_back({static_cast<isa::DerivedValue::Operation>(value.operation), sumOf(value.left), sumOf(value.right)});
  return result;
}

}  // namespace warpwright::compiler
