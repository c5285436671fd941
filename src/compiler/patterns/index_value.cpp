#include "compiler/patterns/index_value.hpp"

#include <algorithm>
#include <bit>

namespace warpwright::compiler {
namespace {

using Extents = std::array<u32, kIndices>;

constexpr s64 kMost = s64{1} << 62;

s64 wrappingProduct(s64 a, s64 b) { return static_cast<s64>(static_cast<u64>(a) * static_cast<u64>(b)); }
s64 wrappingSum(s64 a, s64 b) { return static_cast<s64>(static_cast<u64>(a) + static_cast<u64>(b)); }

bool isPowerOfTwo(s64 value) { return value > 0 && std::has_single_bit(static_cast<u64>(value)); }

// No bits left: the value is a sum, or nothing.
IndexValue withoutEmptyBits(IndexValue value) {
  if (std::all_of(value.bits.begin(), value.bits.end(), [](s64 bit) { return bit == 0; })) {
    value.width = 0;
    value.y = {};
  }
  return value;
}

// How often y is in the linear part; 0: not as a whole.
s64 multipleOf(const LinearValue& linear, const LinearValue& y) {
  s64 factor = 0;
  for (u32 i = 0; i < kIndices; ++i) {
    if (y.of[i] == 0) {
      if (linear.of[i] != 0) return 0;
      continue;
    }
    if (linear.of[i] % y.of[i] != 0 || (factor != 0 && linear.of[i] / y.of[i] != factor)) return 0;
    factor = linear.of[i] / y.of[i];
    if (factor == 0) return 0;
  }
  return factor;
}

}  // namespace

std::optional<Range> LinearValue::range(const Extents& extents) const {
  Range range{constant, constant};
  for (u32 i = 0; i < kIndices; ++i) {
    s64 end = 0;
    s64& side = of[i] < 0 ? range.least : range.most;
    if (__builtin_mul_overflow(of[i], static_cast<s64>(extents[i]) - 1, &end) || __builtin_add_overflow(side, end, &side))
      return std::nullopt;
  }
  if (range.least < -kMost || range.most > kMost) return std::nullopt;
  return range;
}

u32 LinearValue::zeroBits() const {
  u64 all = static_cast<u64>(constant);
  for (const s64 factor : of) all |= static_cast<u64>(factor);
  for (const auto& [loop, step] : steps) all |= static_cast<u64>(step);
  return static_cast<u32>(std::countr_zero(all));
}

void add(LinearValue& to, const LinearValue& other, s64 factor) {
  for (u32 i = 0; i < kIndices; ++i) to.of[i] = wrappingSum(to.of[i], wrappingProduct(other.of[i], factor));
  to.constant = wrappingSum(to.constant, wrappingProduct(other.constant, factor));
  for (const auto& [loop, step] : other.steps) {
    s64& sum = to.steps[loop];
    sum = wrappingSum(sum, wrappingProduct(step, factor));
    if (sum == 0) to.steps.erase(loop);
  }
}

IndexValue scaled(const IndexValue& value, s64 factor) {
  IndexValue result;
  result.y = value.y;
  result.width = value.width;
  add(result.linear, value.linear, factor);
  for (u32 b = 0; b < value.width; ++b) result.bits[b] = wrappingProduct(value.bits[b], factor);
  return withoutEmptyBits(std::move(result));
}

std::optional<IndexValue> sum(const IndexValue& a, const IndexValue& b, s64 factor) {
  const IndexValue other = scaled(b, factor);
  if (a.width != 0 && other.width != 0 && a.y != other.y) return std::nullopt;
  IndexValue result = a;
  add(result.linear, other.linear, 1);
  if (other.width != 0) {
    result.y = other.y;
    result.width = other.width;
  }
  for (u32 bit = 0; bit < other.width; ++bit) result.bits[bit] = wrappingSum(result.bits[bit], other.bits[bit]);
  return withoutEmptyBits(std::move(result));
}

IndexValue folded(IndexValue value) {
  const s64 factor = value.width == 0 ? 0 : multipleOf(value.linear, value.y);
  if (factor == 0) return value;
  add(value.linear, value.y, -factor);
  for (u32 b = 0; b < value.width; ++b) value.bits[b] = wrappingSum(value.bits[b], wrappingProduct(factor, s64{1} << b));
  return withoutEmptyBits(std::move(value));
}

std::optional<IndexValue> asBits(const IndexValue& value, const Extents& extents) {
  if (value.width != 0) {
    const IndexValue all = folded(value);
    if (all.width == 0) return asBits(all, extents);
    if (!all.linear.isConstant() || all.linear.constant != 0) return std::nullopt;
    s64 last = 0;
    for (u32 b = 0; b < all.width; ++b) {
      if (all.bits[b] == 0) continue;
      if (!isPowerOfTwo(all.bits[b]) || all.bits[b] <= last) return std::nullopt;
      last = all.bits[b];
    }
    return all;
  }
  const std::optional<Range> range = value.linear.range(extents);
  if (!value.linear.steps.empty() || !range || range->least < 0) return std::nullopt;
  if (range->most == 0) return IndexValue::constant(0);
  const u32 zeros = value.linear.zeroBits();
  IndexValue result;
  result.y = value.linear;
  for (s64& factor : result.y.of) factor >>= zeros;
  result.y.constant >>= zeros;
  result.width = static_cast<u32>(std::bit_width(static_cast<u64>(range->most))) - zeros;
  for (u32 b = 0; b < result.width; ++b) result.bits[b] = s64{1} << (b + zeros);
  return result;
}

std::optional<Range> rangeOf(const IndexValue& value, const Extents& extents) {
  const IndexValue all = folded(value);
  std::optional<Range> range = all.linear.range(extents);
  for (u32 b = 0; range && b < all.width; ++b) {
    s64& side = all.bits[b] < 0 ? range->least : range->most;
    if (__builtin_add_overflow(side, all.bits[b], &side) || range->least < -kMost || range->most > kMost) return std::nullopt;
  }
  return range;
}

std::optional<IndexValue> masked(const IndexValue& value, u64 mask, const Extents& extents) {
  std::optional<IndexValue> bits = asBits(value, extents);
  if (!bits) return std::nullopt;
  bool isWhole = true;
  for (u32 b = 0; b < bits->width; ++b) {
    if ((static_cast<u64>(bits->bits[b]) & ~mask) == 0) continue;
    bits->bits[b] = 0;
    isWhole = false;
  }
  return isWhole ? value : withoutEmptyBits(*std::move(bits));
}

std::optional<IndexValue> shiftedRight(const IndexValue& value, u32 by, const Extents& extents) {
  if (value.width == 0 && value.linear.zeroBits() >= by) {
    IndexValue result = value;
    for (s64& factor : result.linear.of) factor >>= by;
    for (auto& [loop, step] : result.linear.steps) step >>= by;
    result.linear.constant >>= by;
    return result;
  }
  std::optional<IndexValue> bits = asBits(value, extents);
  if (!bits) return std::nullopt;
  for (u32 b = 0; b < bits->width; ++b) bits->bits[b] = by < 64 ? bits->bits[b] >> by : 0;
  return withoutEmptyBits(*std::move(bits));
}

}  // namespace warpwright::compiler
