#include "profile/data/content.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "access/coalescer.hpp"
#include "base/memory_units.hpp"

namespace warpwright::profile {
namespace {

using Words = std::array<u32, access::kLineBytes / 4>;

constexpr u64 kBurstsPerLine = access::kLineBytes / kSectorBytes;

bool isNarrow(u32 word) { return static_cast<s32>(word) == static_cast<s16>(word); }

LineKind kindOf(const Words& words, compression::BdiEncoding encoding) {
  if (encoding == compression::BdiEncoding::zeros) return LineKind::zero;
  if (encoding == compression::BdiEncoding::repeated) return LineKind::repeated;
  return std::ranges::all_of(words, isNarrow) ? LineKind::narrow : LineKind::other;
}

void addBytes(Compressed& into, u64 bytes) {
  into.bytes += bytes;
  into.bursts += (bytes + kSectorBytes - 1) / kSectorBytes;
}

}  // namespace

std::string_view name(LineKind kind) {
  constexpr std::string_view kNames[kLineKinds] = {"zero", "repeated", "narrow", "other"};
  return kNames[static_cast<std::size_t>(kind)];
}

void ByteCounts::merge(const ByteCounts& other) {
  for (std::size_t byte = 0; byte < at.size(); ++byte)
    for (std::size_t value = 0; value < at[byte].size(); ++value) at[byte][value] += other.at[byte][value];
}

stats::Ratio ByteCounts::entropy() const {
  double bits = 0, words = 0;
  for (const u64 count : at.front()) words += static_cast<double>(count);
  if (words == 0) return std::nullopt;
  for (const auto& byte : at) {
    for (const u64 count : byte) {
      const double share = static_cast<double>(count) / words;
      if (count != 0) bits -= share * std::log2(share);
    }
  }
  return bits;
}

void Content::add(std::span<const std::byte> line) {
  Words words;
  std::memcpy(words.data(), line.data(), line.size());
  const compression::BdiEncoding encoding = compression::bdiEncodingOf(line);
  ++lines;
  ++kinds[kindOf(words, encoding)];
  ++classes[values::classOf(words.data(), LaneMask::first(words.size()))];
  ++bdiEncodings[encoding];
  addBytes(bdi, compression::bdiBytes(encoding, static_cast<u32>(line.size())));
  addBytes(fpc, compression::keptBytes(compression::Codec::fpc, line));
  addBytes(cPack, compression::keptBytes(compression::Codec::cPack, line));
  for (std::size_t i = 0; i < line.size(); ++i) ++values.at[i % 4][std::to_integer<std::size_t>(line[i])];
}

void Content::merge(const Content& other) {
  stats::merge(*this, other);
  values.merge(other.values);
}

stats::Ratio Content::ratio(const Compressed& compressed) const { return stats::ratio(lines * kBurstsPerLine, compressed.bursts); }

}  // namespace warpwright::profile
