#include "bank_search/problem.hpp"

#include <algorithm>

namespace warpwright::bank_search {
namespace {

using parallel_memory::Pattern;

// The low bits that base addresses of the pattern have, in a memory of any size: how the lanes differ depends on nothing else. The bases
// looked at show all of them for columns that are a power of two up to 2^20, and for others up to 2^20 / size.
std::vector<u64> lowBitsOfBases(const Pattern& pattern, u64 size) {
  constexpr u64 kBases = u64{1} << 20;
  std::vector<bool> occurs(size);
  for (u64 number = 0; number < kBases; ++number) {
    const u64 base = number * pattern.alignment;
    if (pattern.mayBeginAt(base)) occurs[base % size] = true;
  }
  std::vector<u64> found;
  for (u64 low = 0; low < size; ++low)
    if (occurs[low]) found.push_back(low);
  return found;
}

}  // namespace

std::vector<Difference> differencesOf(const Problem& problem) {
  const u64 size = u64{1} << problem.n, mask = size - 1;
  std::vector<Difference> found;
  const auto unify = [&] {
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
  };
  for (const Pattern& pattern : problem.patterns) {
    for (const u64 base : lowBitsOfBases(pattern, size)) {
      for (std::size_t a = 0; a < pattern.offsets.size(); ++a) {
        for (std::size_t b = 0; b < a; ++b) {
          const u64 difference = (base + pattern.offsets[a]) ^ (base + pattern.offsets[b]);
          if (difference != 0) found.push_back({difference & mask, difference <= mask});
        }
      }
      constexpr std::size_t kMany = 1 << 20;
      if (found.size() > kMany) unify();
    }
  }
  unify();
  return found;
}

}  // namespace warpwright::bank_search
