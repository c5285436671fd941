#include "compiler/patterns/launch_pattern.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "compiler/patterns/skeleton.hpp"

namespace warpwright::compiler {
namespace {

using isa::SpecialRegister;
using isa::ThreadSymbol;
using Extents = std::array<u32, kIndices>;

// A value, or why there is none.
struct Found {
  IndexValue value;
  PatternFailure failure = PatternFailure::none;
};
Found found(std::optional<IndexValue> value) { return value ? Found{*std::move(value)} : Found{{}, PatternFailure::composition}; }
Found number(s64 value) { return {IndexValue::constant(value)}; }

Found index(Index which) {
  Found result;
  result.value.linear.of[which] = 1;
  return result;
}

class Evaluation {
 public:
  Evaluation(const PatternVocabulary& vocabulary, const LaunchValues& launch)
      : vocabulary_(vocabulary),
        launch_(launch),
        extents_{launch.block.z, launch.grid.y, launch.block.y, launch.grid.x, launch.block.x, launch.grid.z},
        values_(vocabulary.values.size()) {}

  LaunchPattern pattern(const AddressVersion& version) {
    for (const u32 check : version.checks)
      if (!holds(vocabulary_.checks[check])) return fail(PatternFailure::wraps);
    const Found address = valueOf(version.address);
    return address.failure == PatternFailure::none ? skeletonOf(folded(address.value), launch_) : fail(address.failure);
  }

 private:
  static LaunchPattern fail(PatternFailure failure) {
    LaunchPattern pattern;
    pattern.failure = failure;
    return pattern;
  }

  // What cannot be found out fails for itself.
  bool holds(const RangeCheck& check) {
    const Found value = valueOf(check.form);
    if (value.failure != PatternFailure::none) return true;
    const std::optional<Range> range = rangeOf(value.value, extents_);
    if (!range) return false;
    const s64 end = check.bits >= 63 ? s64{1} << 62 : s64{1} << (check.isSigned ? check.bits - 1 : check.bits);
    return range->least >= (check.isSigned ? -end : 0) && range->most < end;
  }

  Found valueOf(const Form& form) {
    IndexValue sum;
    for (const auto& [symbols, factor] : form.terms) {
      Found product = valueOf(symbols);
      if (product.failure != PatternFailure::none) return product;
      const std::optional<IndexValue> next = compiler::sum(sum, product.value, static_cast<s64>(factor));
      if (!next) return {{}, PatternFailure::composition};
      sum = *next;
    }
    return {sum};
  }

  Found valueOf(const Symbols& symbols) {
    Found product = number(1);
    for (const ThreadSymbol symbol : symbols) {
      if (symbol == ThreadSymbol::none) continue;
      Found factor = valueOf(symbol);
      if (factor.failure != PatternFailure::none) return factor;
      if (factor.value.isConstant()) {
        product.value = scaled(product.value, factor.value.linear.constant);
      } else if (product.value.isConstant()) {
        product.value = scaled(factor.value, product.value.linear.constant);
      } else {
        return {{}, PatternFailure::product};
      }
    }
    return product;
  }

  Found valueOf(ThreadSymbol symbol) {
    switch (symbol) {
      case ThreadSymbol::tidX:
        return index(tidX);
      case ThreadSymbol::tidY:
        return index(tidY);
      case ThreadSymbol::tidZ:
        return index(tidZ);
      case ThreadSymbol::ntidX:
        return number(launch_.block.x);
      case ThreadSymbol::ntidY:
        return number(launch_.block.y);
      case ThreadSymbol::ntidZ:
        return number(launch_.block.z);
      default:
        break;
    }
    const std::size_t index = static_cast<std::size_t>(symbol) - static_cast<std::size_t>(ThreadSymbol::derived);
    std::optional<Found>& value = values_[index];
    if (!value)
      value =
          vocabulary_.values[index].operation == NamedValue::Operation::iteration ? iterations(index) : named(vocabulary_.values[index]);
    return *value;
  }

  static Found iterations(std::size_t symbol) {
    Found result;
    result.value.linear.steps[symbol] = 1;
    return result;
  }

  Found named(const NamedValue& value) {
    using enum NamedValue::Operation;
    switch (value.operation) {
      case special:
        return ofSpecial(static_cast<SpecialRegister>(value.number));
      case parameter:
        return number(parameterAt(value));
      case variable:
        return number(static_cast<s64>(u64{launch_.variableAddresses[value.number]}));
      case stack:
        return number(0);
      default:
        return operation(value);
    }
  }

  Found ofSpecial(SpecialRegister which) const {
    switch (which) {
      case SpecialRegister::ctaid_x:
        return index(ctaidX);
      case SpecialRegister::ctaid_y:
        return index(ctaidY);
      case SpecialRegister::ctaid_z:
        return index(ctaidZ);
      case SpecialRegister::nctaid_x:
        return number(launch_.grid.x);
      case SpecialRegister::nctaid_y:
        return number(launch_.grid.y);
      default:
        return number(launch_.grid.z);
    }
  }

  s64 parameterAt(const NamedValue& value) const {
    s64 bits = 0;
    if (value.number + value.bytes <= launch_.parameters.size()) std::memcpy(&bits, launch_.parameters.data() + value.number, value.bytes);
    const u32 unused = 64 - 8 * value.bytes;
    return static_cast<s64>(static_cast<u64>(bits) << unused) >> unused;
  }

  Found operation(const NamedValue& value) {
    Found left = valueOf(value.left), right = valueOf(value.right);
    if (left.failure != PatternFailure::none) return left;
    if (right.failure != PatternFailure::none) return right;
    const IndexValue &a = left.value, &b = right.value;
    if (value.operation == NamedValue::Operation::and_) return conjunction(a, b);
    if (!b.isConstant()) return {{}, PatternFailure::composition};
    const s64 by = b.linear.constant;
    switch (value.operation) {
      case NamedValue::Operation::shl:
        return a.isConstant() && by >= 0 && by < 64 ? number(static_cast<s64>(static_cast<u64>(a.linear.constant) << by))
                                                    : Found{{}, PatternFailure::composition};
      case NamedValue::Operation::shr:
        if (by < 0 || by > 63) return {{}, PatternFailure::wraps};
        return a.isConstant() ? number(a.linear.constant >> by) : found(compiler::shiftedRight(a, static_cast<u32>(by), extents_));
      case NamedValue::Operation::quotient:
        return quotient(a, by);
      default:
        return {{}, PatternFailure::composition};
    }
  }

  Found conjunction(const IndexValue& a, const IndexValue& b) {
    if (a.isConstant() && b.isConstant()) return number(a.linear.constant & b.linear.constant);
    if (b.isConstant()) return found(masked(a, static_cast<u64>(b.linear.constant), extents_));
    if (a.isConstant()) return found(masked(b, static_cast<u64>(a.linear.constant), extents_));
    return isApart(a, b) || isApart(b, a) ? number(0) : Found{{}, PatternFailure::composition};
  }

  // All bits of `low` lie below those of `high`.
  bool isApart(const IndexValue& low, const IndexValue& high) const {
    const std::optional<Range> range = rangeOf(low, extents_);
    if (!range || range->least < 0 || !low.linear.steps.empty()) return false;
    u32 zeros = high.linear.zeroBits();
    for (u32 b = 0; b < high.width; ++b) zeros = std::min(zeros, static_cast<u32>(std::countr_zero(static_cast<u64>(high.bits[b]))));
    return static_cast<u32>(std::bit_width(static_cast<u64>(range->most))) <= zeros;
  }

  Found quotient(const IndexValue& a, s64 by) {
    if (by == 0) return {{}, PatternFailure::composition};
    if (a.isConstant()) return number(a.linear.constant / by);
    const std::optional<Range> range = rangeOf(a, extents_);
    if (by < 0 || !range || range->least < 0) return {{}, PatternFailure::composition};
    if (std::has_single_bit(static_cast<u64>(by)))
      return found(compiler::shiftedRight(a, static_cast<u32>(std::countr_zero(static_cast<u64>(by))), extents_));
    IndexValue result = a;
    bool isExact = a.width == 0 && a.linear.constant % by == 0;
    for (s64& factor : result.linear.of) isExact &= std::exchange(factor, factor / by) % by == 0;
    for (auto& [loop, step] : result.linear.steps) isExact &= std::exchange(step, step / by) % by == 0;
    result.linear.constant /= by;
    if (range->most < by && a.linear.steps.empty()) return number(0);
    return isExact ? Found{result} : Found{{}, PatternFailure::composition};
  }

  const PatternVocabulary& vocabulary_;
  const LaunchValues& launch_;
  const Extents extents_;
  std::vector<std::optional<Found>> values_;
};

}  // namespace

std::vector<LaunchPattern> evaluateVersions(const AccessPattern& pattern, const LaunchValues& launch) {
  std::vector<LaunchPattern> versions;
  if (pattern.failure != PatternFailure::none) {
    versions.emplace_back().failure = pattern.failure;
    return versions;
  }
  Evaluation evaluation(*pattern.vocabulary, launch);
  for (const AddressVersion& version : pattern.versions) {
    versions.push_back(evaluation.pattern(version));
    if (!versions.back().isKnown()) return {versions.back()};
  }
  return versions;
}

LaunchPattern evaluate(const AccessPattern& pattern, const LaunchValues& launch) {
  const std::vector<LaunchPattern> versions = evaluateVersions(pattern, launch);
  if (pattern.versions.size() <= 1 ||
      std::ranges::all_of(versions, [&](const auto& each) { return each.isKnown() && each == versions[0]; }))
    return versions[0];
  LaunchPattern several;
  several.failure = PatternFailure::versions;
  return several;
}

}  // namespace warpwright::compiler
