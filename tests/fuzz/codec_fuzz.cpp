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

void tryCodec(Codec codec, compression::Line line) {
  const auto packed = compression::compress(codec, line);
  require(compression::keptBytes(codec, line) == (packed ? packed->size() : line.size()));
  if (!packed) return;
  require(packed->size() < line.size());
  std::array<std::byte, kMostBytes> again;
  again.fill(std::byte{0xa5});
  compression::decompress(codec, *packed, std::span(again).first(line.size()));
  require(std::ranges::equal(std::span(again).first(line.size()), line));
  if (codec == Codec::bdi)
    require(compression::bdiBytes(compression::bdiEncodingOf(line), static_cast<u32>(line.size())) == packed->size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  for (std::size_t bytes = 32; bytes <= kMostBytes; bytes *= 2) {
    for (std::size_t at = 0; at + bytes <= size; at += bytes) {
      const compression::Line line(reinterpret_cast<const std::byte*>(data) + at, bytes);
      for (const Codec codec : {Codec::bdi, Codec::fpc, Codec::cPack}) tryCodec(codec, line);
    }
  }
  return 0;
}
