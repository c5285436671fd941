#include "compression/fpc.hpp"

#include <algorithm>

#include "compression/bits.hpp"
#include "compression/words.hpp"

namespace warpwright::compression {
namespace {

constexpr u32 kPatternBits = 3;

// A word of 32 bits that has a form is kept in `bits`.
struct Pattern {
  u32 bits;
  bool (*has)(u32 word);
  u32 (*kept)(u32 word);
  u32 (*word)(u32 kept);
};

constexpr u32 same(u32 word) { return word; }

template <u32 Bits>
constexpr Pattern kSigned{Bits, [](u32 word) { return fits(word, 32, Bits); }, same,
                          [](u32 kept) { return static_cast<u32>(signExtended(kept, Bits)); }};

constexpr u32 kBytesRepeated = 0x01010101;

u32 halvesOfBytes(u32 kept) {
  return static_cast<u32>(signExtended(kept, 8) & 0xffff) | static_cast<u32>(signExtended(kept >> 8, 8) & 0xffff) << 16;
}

// In the order of their sizes.
constexpr Pattern kPatterns[] = {
    {0, [](u32 word) { return word == 0; }, same, [](u32) { return u32{0}; }},
    kSigned<4>,
    kSigned<8>,
    {8, [](u32 word) { return word == (word & 0xff) * kBytesRepeated; }, same, [](u32 kept) { return (kept & 0xff) * kBytesRepeated; }},
    kSigned<16>,
    {16, [](u32 word) { return (word & 0xffff) == 0; }, [](u32 word) { return word >> 16; }, [](u32 kept) { return kept << 16; }},
    {16, [](u32 word) { return fits(word & 0xffff, 16, 8) && fits(word >> 16, 16, 8); },
     [](u32 word) { return (word & 0xff) | (word >> 16 & 0xff) << 8; }, halvesOfBytes},
    {32, [](u32) { return true; }, same, same},
};
static_assert(std::size(kPatterns) == 1 << kPatternBits);

u32 patternOf(Line segment) {
  for (u32 pattern = 0;; ++pattern) {
    bool all = true;
    for (u32 i = 0; i < segment.size() / 4 && all; ++i) all = kPatterns[pattern].has(static_cast<u32>(valueAt(segment, i, 4)));
    if (all) return pattern;
  }
}

}  // namespace

u32 fpcSegmentWords(const Variants& variants, u32 lineBytes) { return std::min(variants.fpcSegmentWords, lineBytes / 4); }

std::optional<Bytes> fpcCompress(Line line, const Variants& variants) {
  const std::size_t segmentWords = fpcSegmentWords(variants, static_cast<u32>(line.size())), segmentBytes = segmentWords * 4;
  BitWriter to;
  for (std::size_t at = 0; at < line.size(); at += segmentBytes) to.put(patternOf(line.subspan(at, segmentBytes)), kPatternBits);
  to.align();
  for (std::size_t at = 0; at < line.size(); at += segmentBytes) {
    const Line segment = line.subspan(at, segmentBytes);
    const Pattern& pattern = kPatterns[patternOf(segment)];
    for (u32 i = 0; i < segmentWords; ++i) to.put(pattern.kept(static_cast<u32>(valueAt(segment, i, 4))), pattern.bits);
  }
  Bytes result = to.take();
  if (result.size() >= line.size()) return std::nullopt;
  return result;
}

void fpcDecompress(std::span<const std::byte> compressed, std::span<std::byte> line, const Variants& variants) {
  const u32 words = static_cast<u32>(line.size()) / 4, segmentWords = fpcSegmentWords(variants, static_cast<u32>(line.size()));
  BitReader head(compressed), body(compressed);
  body.take(words / segmentWords * kPatternBits);
  body.align();
  for (u32 i = 0; i < words; i += segmentWords) {
    const Pattern& pattern = kPatterns[head.take(kPatternBits)];
    for (u32 k = 0; k < segmentWords; ++k) setValueAt(line, i + k, 4, pattern.word(static_cast<u32>(body.take(pattern.bits))));
  }
}

}  // namespace warpwright::compression
