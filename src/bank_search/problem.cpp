#include "bank_search/problem.hpp"

#include <algorithm>

namespace warpwright::bank_search {

std::vector<Difference> differencesOf(const Problem& problem) {
  const u64 size = u64{1} << problem.n, mask = size - 1;
  std::vector<Difference> found;
  const auto unify = [&] {
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
  };
  for (const parallel_memory::Pattern& pattern : problem.patterns) {
    for (u64 base = 0; base < size; base += pattern.alignment) {
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
