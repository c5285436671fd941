// Values at a launch as functions of a thread's indices in its grid: sums over the indices, and sums over the bits of such a sum.
#pragma once

#include <array>
#include <map>
#include <optional>

#include "base/integers.hpp"
#include "base/types.hpp"

namespace warpwright::compiler {

// In the order of the parameters a … e; then the index that skeletons do not have.
enum Index : u32 { tidZ, ctaidY, tidY, ctaidX, tidX, ctaidZ };
inline constexpr u32 kIndices = 6;

// Least and greatest; nothing beyond 2^62 either way.
struct Range {
  s64 least = 0, most = 0;
};

struct LinearValue {
  std::array<s64, kIndices> of{};  // factors of the indices
  s64 constant = 0;
  std::map<u64, s64> steps;  // by the loop's symbol: what an iteration adds

  bool operator==(const LinearValue&) const = default;
  bool isConstant() const { return of == std::array<s64, kIndices>{} && steps.empty(); }
  // In the first iteration of all loops; nothing where it is beyond what Range holds.
  std::optional<Range> range(const std::array<u32, kIndices>& extents) const;
  // Low bits that are zero for all threads.
  u32 zeroBits() const;
};

void add(LinearValue& to, const LinearValue& other, s64 factor);

// linear + the sum of what the set bits of y add.
struct IndexValue {
  LinearValue linear;
  LinearValue y;
  std::array<s64, 64> bits{};
  u32 width = 0;  // bits that y has; 0: there is no y

  static IndexValue constant(s64 value) {
    IndexValue result;
    result.linear.constant = value;
    return result;
  }
  bool isConstant() const { return width == 0 && linear.isConstant(); }
};

// Nothing where there are bits of two sums.
std::optional<IndexValue> sum(const IndexValue& a, const IndexValue& b, s64 factor = 1);
IndexValue scaled(const IndexValue& value, s64 factor);

// The same value with what `linear` has of y among the bits; where it has more than y, it stays.
IndexValue folded(IndexValue value);
// The same value as a choice of bits of a sum which is never negative: bits alone, each a power of two.
std::optional<IndexValue> asBits(const IndexValue& value, const std::array<u32, kIndices>& extents);
std::optional<Range> rangeOf(const IndexValue& value, const std::array<u32, kIndices>& extents);

// These give nothing for what is no choice of bits.
std::optional<IndexValue> masked(const IndexValue& value, u64 mask, const std::array<u32, kIndices>& extents);
std::optional<IndexValue> shiftedRight(const IndexValue& value, u32 bits, const std::array<u32, kIndices>& extents);

}  // namespace warpwright::compiler
