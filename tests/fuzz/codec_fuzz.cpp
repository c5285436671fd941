// Whatever the bytes of a line: each codec gives it back as it was, in as many bytes as it says, and never makes it larger.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "compression/bdi.hpp"
#include "compression/codec.hpp"

namespace {

using namespace warpwright;
using compression::Codec;

constexpr u32 kMostBytes = 128;

void require(bool holds) {
  if (!holds) std::abort();
}

void tryCodec(Codec codec, compression::Line line, const compression::Variants& variants) {
  const auto packed = compression::compress(codec, line, variants);
  require(compression::keptBytes(codec, line, variants) == (packed ? packed->size() : line.size()));
  if (!packed) return;
  require(packed->size() < line.size());
  std::array<std::byte, kMostBytes> again;
  again.fill(std::byte{0xa5});
  compression::decompress(codec, *packed, std::span(again).first(line.size()), variants);
  require(std::ranges::equal(std::span(again).first(line.size()), line));
  if (codec == Codec::bdi)
    require(compression::bdiBytes(compression::bdiEncodingOf(line, variants), static_cast<u32>(line.size())) == packed->size());
}

// Any of them, by the line's own bytes.
compression::Variants variantsOf(compression::Line line) {
  const auto byte = [&](std::size_t at) { return std::to_integer<u32>(line[at]); };
  return {.bdiFirst = static_cast<compression::BdiEncoding>(byte(0) % compression::kBdiEncodings),
          .fpcSegmentWords = 4u << byte(1) % 4,
          .cPackZeroInDictionary = byte(2) % 2 == 0};
}

void tryBoth(Codec codec, compression::Line line) {
  tryCodec(codec, line, {});
  tryCodec(codec, line, variantsOf(line));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  for (std::size_t bytes = 32; bytes <= kMostBytes; bytes *= 2) {
    for (std::size_t at = 0; at + bytes <= size; at += bytes) {
      const compression::Line line(reinterpret_cast<const std::byte*>(data) + at, bytes);
      for (const Codec codec : {Codec::bdi, Codec::fpc, Codec::cPack}) tryBoth(codec, line);
    }
  }
  return 0;
}
