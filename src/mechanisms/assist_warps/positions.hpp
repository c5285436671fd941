// Sets of positions in a table that grows.
#pragma once

#include <bit>
#include <cstddef>
#include <optional>
#include <vector>

#include "base/types.hpp"

namespace warpwright::mechanisms::assist_warps {

class Positions {
 public:
  void set(std::size_t position, bool isMember) {
    const std::size_t word = position / kBits;
    if (word >= words_.size()) {
      if (!isMember) return;
      words_.resize(word + 1);
    }
    const u64 bit = u64{1} << position % kBits;
    words_[word] = isMember ? words_[word] | bit : words_[word] & ~bit;
  }

  // The least position from `from` on, or, going round, the least of all; nothing: the set is empty.
  std::optional<std::size_t> nextFrom(std::size_t from) const {
    const std::optional<std::size_t> behind = leastFrom(from);
    return behind ? behind : leastFrom(0);
  }

  // In ascending order; the set may lose the one that is visited.
  template <class Visit>
  void forEach(Visit&& visit) const {
    for (std::optional<std::size_t> each = leastFrom(0); each; each = leastFrom(*each + 1)) visit(*each);
  }

 private:
  static constexpr std::size_t kBits = 64;

  std::optional<std::size_t> leastFrom(std::size_t from) const {
    for (std::size_t word = from / kBits; word < words_.size(); ++word) {
      u64 bits = words_[word];
      if (word == from / kBits) bits = bits >> from % kBits << from % kBits;
      if (bits != 0) return word * kBits + static_cast<std::size_t>(std::countr_zero(bits));
    }
    return std::nullopt;
  }

  std::vector<u64> words_;
};

}  // namespace warpwright::mechanisms::assist_warps
