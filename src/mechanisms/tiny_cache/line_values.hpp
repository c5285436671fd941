// What the words of lines hold, as far as it is known: of stores of parts of words, and of what nobody has read, it is not.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "mechanisms/tiny_cache/geometry.hpp"

namespace warpwright::mechanisms::tiny_cache {

class LineValues {
 public:
  static constexpr u32 kMostWords = Geometry::kMostLineBytes / sizeof(u32);

  std::optional<u32> at(u32 word) const { return (known_ >> word & 1) != 0 ? std::optional(values_[word]) : std::nullopt; }
  void set(u32 word, std::optional<u32> value) {
    known_ &= ~(u32{1} << word);
    if (!value) return;
    known_ |= u32{1} << word;
    values_[word] = *value;
  }

 private:
  u32 known_ = 0;  // bit w: word w
  std::array<u32, kMostWords> values_{};
};

}  // namespace warpwright::mechanisms::tiny_cache
