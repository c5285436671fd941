#include "compiler/patterns/skeleton.hpp"

#include <bit>

namespace warpwright::compiler {
namespace {

LaunchPattern ofNeither() {
  LaunchPattern pattern;
  pattern.failure = PatternFailure::composition;
  return pattern;
}

IndexSum indexSum(const LinearValue& value) {
  return {value.of[tidZ], value.of[ctaidY], value.of[tidY], value.of[ctaidX], value.of[tidX], value.constant};
}
bool hasThirdIndex(const LinearValue& value, const LaunchValues& launch) { return launch.grid.z > 1 && value.of[ctaidZ] != 0; }

// All of y.
void makeRegular(LaunchPattern& pattern) {
  const auto times = [&](s64& factor) { factor = static_cast<s64>(static_cast<u64>(factor) * static_cast<u64>(pattern.alpha)); };
  IndexSum& y = pattern.y;
  for (s64* factor : {&y.a, &y.b, &y.c, &y.d, &y.e, &y.f}) times(*factor);
  y.f = static_cast<s64>(static_cast<u64>(y.f) + static_cast<u64>(pattern.beta));
  pattern.alpha = 1;
  pattern.beta = 0;
  pattern.sections.clear();
}

// Runs of bits in which each counts twice the one before.
bool findSections(const IndexValue& address, LaunchPattern& pattern) {
  for (u32 bit = 0; bit < address.width; ++bit) {
    const s64 value = address.bits[bit];
    if (value == 0) continue;
    const bool goesOn = bit > 0 && !pattern.sections.empty() && address.bits[bit - 1] != 0 && value == 2 * address.bits[bit - 1];
    if (goesOn) {
      pattern.sections.back().high = bit;
      continue;
    }
    if (pattern.sections.empty()) pattern.alpha = value;
    const s64 ratio = value / pattern.alpha;
    if (value % pattern.alpha != 0 || ratio <= 0 || !std::has_single_bit(static_cast<u64>(ratio))) return false;
    pattern.sections.push_back({bit, bit, static_cast<u32>(std::countr_zero(static_cast<u64>(ratio)))});
  }
  const bool isAll = pattern.sections.size() == 1 && pattern.sections[0].low == 0 && pattern.sections[0].high + 1 == address.width;
  if (isAll) makeRegular(pattern);
  return pattern.sections.size() <= 2;
}

}  // namespace

LaunchPattern skeletonOf(const IndexValue& address, const LaunchValues& launch) {
  LaunchPattern pattern;
  pattern.addressMask = launch.addressBits == 64 ? ~u64{0} : (u64{1} << launch.addressBits) - 1;
  for (const auto& [loop, step] : address.linear.steps) pattern.steps.push_back(step);
  if (hasThirdIndex(address.linear, launch) || hasThirdIndex(address.y, launch)) return ofNeither();
  if (address.width == 0) {
    pattern.y = indexSum(address.linear);
    return pattern;
  }
  for (const s64 factor : address.linear.of)
    if (factor != 0) return ofNeither();
  pattern.y = indexSum(address.y);
  pattern.beta = address.linear.constant;
  if (!findSections(address, pattern)) return ofNeither();
  return pattern;
}

u64 IndexSum::at(Dim3 thread, Dim3 block) const {
  return static_cast<u64>(a) * thread.z + static_cast<u64>(b) * block.y + static_cast<u64>(c) * thread.y + static_cast<u64>(d) * block.x +
         static_cast<u64>(e) * thread.x + static_cast<u64>(f);
}

u64 LaunchPattern::addressOf(Dim3 thread, Dim3 block) const {
  const u64 sum = y.at(thread, block);
  if (sections.empty()) return sum & addressMask;
  u64 parts = 0;
  for (const BitSection& section : sections)
    parts += (sum >> section.low & (~u64{0} >> (63 - (section.high - section.low)))) << section.shift;
  return (parts * static_cast<u64>(alpha) + static_cast<u64>(beta)) & addressMask;
}

}  // namespace warpwright::compiler
