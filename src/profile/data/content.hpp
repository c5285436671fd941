// What lines of memory hold, counted.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

#include "compression/bdi.hpp"
#include "stats/enum_vector.hpp"
#include "stats/formula.hpp"
#include "stats/statistics.hpp"
#include "values/vector_class.hpp"

namespace warpwright::profile {

// Each line is of one kind, the first that fits. repeated: one value of 8 bytes over and over. narrow: all words of 32 bits, signed, fit
// into 16.
enum class LineKind : u8 { zero, repeated, narrow, other };
inline constexpr std::size_t kLineKinds = 4;
std::string_view name(LineKind kind);

// What lines would take if a codec had compressed them: as bytes, and as bursts of 32 bytes, the least that DRAM moves.
struct Compressed {
  u64 bytes = 0, bursts = 0;

  static constexpr void fields(auto&& field) {
    field("bytes", "bytes", "the lines' sizes, compressed", &Compressed::bytes);
    field("bursts", "bursts", "the same in bursts of 32 bytes, of each line for itself", &Compressed::bursts);
  }
};

// How often each value occurs at each byte of a word of four bytes.
struct ByteCounts {
  std::array<std::array<u64, 256>, 4> at{};

  void merge(const ByteCounts& other);
  // Bits that a word has on average, were its four bytes coded apart, each without loss (Shannon, 1948): 0 to 32. None without words.
  stats::Ratio entropy() const;
};

struct Content {
  u64 lines = 0;  // of 128 bytes
  stats::EnumVector<LineKind, kLineKinds> kinds;
  stats::EnumVector<values::VectorClass, values::kVectorClasses> classes;  // of the 32 words of a line, seen as a vector of a warp
  Compressed bdi, fpc, cPack;
  stats::EnumVector<compression::BdiEncoding, compression::kBdiEncodings> bdiEncodings;
  ByteCounts values;

  void add(std::span<const std::byte> line);
  void merge(const Content& other);
  stats::Ratio ratio(const Compressed& compressed) const;  // bursts of the lines as they are over bursts compressed

  static constexpr void fields(auto&& field) {
    field("lines", "lines", "lines of 128 bytes", &Content::lines);
    field("kinds", "lines", "by what they hold, the first that fits", &Content::kinds);
    field("classes", "lines", "by what their words have in common, as vectors of a warp", &Content::classes);
    field("bdi", "", "base-delta-immediate", &Content::bdi);
    field("fpc", "", "frequent patterns, one a segment", &Content::fpc);
    field("c_pack", "", "dictionary of four values", &Content::cPack);
    field("bdi_encodings", "lines", "by the encoding that base-delta-immediate chooses", &Content::bdiEncodings);
  }
};

}  // namespace warpwright::profile
