// What the words of lines hold, as far as it is known: of what nobody has stored or read, it is not.
#pragma once

#include <array>
#include <optional>

#include "mechanisms/tiny_cache/geometry.hpp"

namespace warpwright::mechanisms::tiny_cache {

// A word of which some bits are known, whole bytes.
struct KnownWord {
  u32 known = 0, value = 0;

  static constexpr KnownWord whole(u32 value) { return {~u32{0}, value}; }
  // Of the bits `of`, what the other knows of them.
  constexpr void take(KnownWord other, u32 of) {
    known = (known & ~of) | (other.known & of);
    value = (value & ~of) | (other.value & of);
  }
  // In bits of these that both know.
  constexpr bool differs(KnownWord other, u32 of) const { return ((value ^ other.value) & known & other.known & of) != 0; }
  constexpr bool knows(u32 of) const { return (of & ~known) == 0; }
};

class LineValues {
 public:
  static constexpr u32 kMostWords = Geometry::kMostLineBytes / sizeof(u32);

  KnownWord word(u32 word) const { return words_[word]; }
  // Nothing: it is not known, or not all of it.
  std::optional<u32> at(u32 word) const { return words_[word].knows(~u32{0}) ? std::optional(words_[word].value) : std::nullopt; }
  void take(u32 word, KnownWord other, u32 of) { words_[word].take(other, of); }

 private:
  std::array<KnownWord, kMostWords> words_{};
};

}  // namespace warpwright::mechanisms::tiny_cache
