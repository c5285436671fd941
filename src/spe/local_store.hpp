// The local store of an SPE: 256 KB in four modules of single-ported memory, each of which gives two words of a row in a cycle. It keeps
// words by their physical cells. Which cell a word has is up to the layout that an access names (Gou, section 4.3.2): no tag says which
// layout a row was written in, so that reading it in another gives other words. Such reads are counted.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <vector>
#include <warpwright/parallel_memory/bank_map.hpp>

#include "base/types.hpp"

namespace warpwright::spe {

// A stride family s, the strides sigma * 2^s words with odd sigma, or none: "not a stride".
using Family = std::optional<u32>;

// Trailing zeros of a stride in words: its family. Table 4.4 calls it log2(stride), which it is for powers of two alone.
u32 familyOf(u32 strideWords);

class LocalStore {
 public:
  static constexpr u32 kModules = 4;               // q = 2
  static constexpr u32 kLineWords = 2 * kModules;  // a row of all modules: 32 bytes, what a layout is chosen for
  static constexpr u32 kWords = 256 * 1024 / sizeof(u32);
  static constexpr u32 kFamilies = 16;  // strides up to half of the store

  LocalStore();

  // Word addresses; they wrap around the store, as byte addresses of the SPU do.
  u32 read(u32 word, Family family);
  void write(u32 word, Family family, u32 value);

  // Cycles that the modules need to bring these words, a line's number at most: each gives one row a cycle.
  u32 cyclesFor(std::span<const u32> words, Family family) const;

  // Reads of words that were last written in another layout.
  u64 mismatches() const { return mismatches_; }

 private:
  static constexpr u8 kUnwritten = 0xff;

  std::size_t cellOf(u32 word, Family family) const;
  const parallel_memory::BankMap& mapOf(Family family) const;

  std::vector<u32> cells_;
  std::vector<u8> writtenAs_;  // by cell: the family, kFamilies: none, kUnwritten
  std::array<std::unique_ptr<parallel_memory::BankMap>, kFamilies + 1> maps_;
  u64 mismatches_ = 0;
};

}  // namespace warpwright::spe
