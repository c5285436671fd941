// Operations on values of several versions.
#include <algorithm>
#include <bit>

#include "compiler/patterns/unit_values.hpp"

namespace warpwright::compiler {
namespace {

constexpr std::size_t kMostVersions = 8, kMostChecks = 256;

std::vector<u32> united(const std::vector<u32>& a, const std::vector<u32>& b) {
  std::vector<u32> result;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(result));
  return result;
}

// Of what the form is whatever its symbols stand for.
u32 zeroBitsOf(const Form& form) {
  u32 bits = 64;
  for (const auto& [symbols, factor] : form.terms) bits = std::min(bits, static_cast<u32>(std::countr_zero(factor)));
  return bits;
}

// What so many low bits of the value stand for.
s64 cutTo(s64 value, u32 bits, bool isSigned) {
  if (bits == 64) return value;
  const u64 low = static_cast<u64>(value) << (64 - bits);
  return isSigned ? static_cast<s64>(low) >> (64 - bits) : static_cast<s64>(low >> (64 - bits));
}

}  // namespace

UnitVersions UnitValues::each(const UnitVersions& a, const UnitVersions& b, const Combine& combine) const {
  if (!a.isKnown()) return a;
  if (!b.isKnown()) return b;
  UnitVersions all;
  for (const UnitValue& x : a.values) {
    for (const UnitValue& y : b.values) {
      all = both(std::move(all), combine(x, y));
      if (!all.isKnown()) return all;
    }
  }
  return all;
}

// What is one or the other.
UnitVersions UnitValues::both(UnitVersions a, const UnitVersions& b) const {
  if (!a.isKnown()) return a;
  if (!b.isKnown()) return b;
  for (const UnitValue& value : b.values)
    if (std::find(a.values.begin(), a.values.end(), value) == a.values.end()) a.values.push_back(value);
  return a.values.size() > kMostVersions ? UnitVersions::fail(PatternFailure::versions) : a;
}

UnitVersions UnitValues::formed(Form form, const UnitValue& a, const UnitValue& b) const {
  if (!form.isKnown) return UnitVersions::fail(PatternFailure::tooComplex);
  return {{{std::move(form), false, united(a.checks, b.checks)}}};
}

UnitVersions UnitValues::sum(const UnitVersions& a, const UnitVersions& b, u64 factor) {
  return each(a, b, [&](const UnitValue& x, const UnitValue& y) { return formed(forms_.sum(x.form, y.form, factor), x, y); });
}

UnitVersions UnitValues::product(const UnitVersions& a, const UnitVersions& b) {
  return each(a, b, [&](const UnitValue& x, const UnitValue& y) { return formed(forms_.product(x.form, y.form), x, y); });
}

UnitVersions UnitValues::derived(NamedValue::Operation operation, const UnitVersions& a, const UnitVersions& b) {
  return each(a, b, [&](const UnitValue& x, const UnitValue& y) { return formed(forms_.derive(operation, x.form, y.form), x, y); });
}

// Of a division or a shift to the right. A sum of multiples of the divisor is divided term by term.
UnitVersions UnitValues::quotientOf(NamedValue::Operation operation, const UnitVersions& a, const UnitVersions& b) {
  return each(a, b, [&](const UnitValue& x, const UnitValue& y) {
    const std::optional<s64> by = y.form.value();
    const bool isShift = operation == NamedValue::Operation::shr;
    const bool isNumber = by && *by > (isShift ? -1 : 0) && (!isShift || *by < 63);
    const s64 divisor = !isNumber ? 0 : isShift ? s64{1} << *by : *by;
    const bool isExact =
        isNumber && std::ranges::all_of(x.form.terms, [&](const auto& term) { return static_cast<s64>(term.second) % divisor == 0; });
    if (!isExact) return formed(forms_.derive(operation, x.form, y.form), x, y);
    Form result = x.form;
    for (auto& [symbols, factor] : result.terms) factor = static_cast<u64>(static_cast<s64>(factor) / divisor);
    return formed(std::move(result), x, y);
  });
}

// Where no bit can be set on both sides, it is known to be 0.
UnitVersions UnitValues::conjunction(const UnitVersions& a, const UnitVersions& b, u32 bytes) {
  return each(a, b, [&](const UnitValue& x, const UnitValue& y) {
    const std::optional<s64> left = x.form.value(), right = y.form.value();
    if (left && right) return formed(Form::constant(*left & *right), x, y);
    if (left) return conjunction({{y}}, {{x}}, bytes);
    if (right && *right >= 0 && zeroBitsOf(x.form) >= std::bit_width(static_cast<u64>(*right))) return formed({}, x, y);
    const UnitVersions whole = right && *right >= 0 ? UnitVersions{{x}} : extend({{x}}, bytes, false);
    return derived(NamedValue::Operation::and_, whole, {{y}});
  });
}

UnitVersions UnitValues::extend(UnitVersions versions, u32 bytes, bool isSigned) {
  for (UnitValue& value : versions.values) {
    if (value.isHigh) return UnitVersions::fail(PatternFailure::operation, isa::Opcode::cvt);
    if (isSigned && bytes == 8) continue;
    const RangeCheck check{value.form, 8 * bytes, isSigned};
    if (const std::optional<s64> constant = value.form.value()) {
      value.form = Form::constant(cutTo(*constant, check.bits, isSigned));
      continue;
    }
    const auto found = std::find(checks_.begin(), checks_.end(), check);
    const u32 index = static_cast<u32>(found - checks_.begin());
    if (found == checks_.end()) checks_.push_back(check);
    if (checks_.size() > kMostChecks) return UnitVersions::fail(PatternFailure::tooComplex);
    value.checks = united(value.checks, {index});
  }
  return versions;
}

}  // namespace warpwright::compiler
