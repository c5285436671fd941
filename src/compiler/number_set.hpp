// A set of small integers of fixed universe, for the data-flow analyses.
#pragma once

#include <bit>
#include <vector>

#include "base/types.hpp"

namespace warpwright::compiler {

class NumberSet {
 public:
  explicit NumberSet(u32 size = 0) : words_((size + 63) / 64) {}

  bool test(u32 i) const { return words_[i / 64] >> (i % 64) & 1; }
  void set(u32 i) { words_[i / 64] |= u64{1} << (i % 64); }
  void reset(u32 i) { words_[i / 64] &= ~(u64{1} << (i % 64)); }

  // The following return whether the set changed.
  bool unite(const NumberSet& other) {
    return combine(other, [](u64 a, u64 b) { return a | b; });
  }
  bool intersect(const NumberSet& other) {
    return combine(other, [](u64 a, u64 b) { return a & b; });
  }
  bool subtract(const NumberSet& other) {
    return combine(other, [](u64 a, u64 b) { return a & ~b; });
  }

  template <class Visitor>
  void forEach(Visitor&& visit) const {
    for (u32 w = 0; w < words_.size(); ++w)
      for (u64 rest = words_[w]; rest != 0; rest &= rest - 1) visit(w * 64 + static_cast<u32>(std::countr_zero(rest)));
  }
  u32 count() const {
    u32 result = 0;
    for (const u64 word : words_) result += static_cast<u32>(std::popcount(word));
    return result;
  }
  bool operator==(const NumberSet&) const = default;

 private:
  template <class Operation>
  bool combine(const NumberSet& other, Operation&& operation) {
    u64 difference = 0;
    for (size_t w = 0; w < words_.size(); ++w) {
      const u64 result = operation(words_[w], other.words_[w]);
      difference |= result ^ words_[w];
      words_[w] = result;
    }
    return difference != 0;
  }

  std::vector<u64> words_;
};

}  // namespace warpwright::compiler
