#include "compression/codec.hpp"

#include <array>

#include "compression/bdi.hpp"
#include "compression/c_pack.hpp"
#include "compression/fpc.hpp"

namespace warpwright::compression {
namespace {

struct Functions {
  std::string_view name;
  std::optional<Bytes> (*compress)(Line line);
  void (*decompress)(std::span<const std::byte> compressed, std::span<std::byte> line);
};
constexpr std::array<Functions, kCodecs> kFunctions{
    {{"bdi", bdiCompress, bdiDecompress}, {"fpc", fpcCompress, fpcDecompress}, {"c_pack", cPackCompress, cPackDecompress}}};

const Functions& functionsOf(Codec codec) { return kFunctions[static_cast<std::size_t>(codec)]; }

}  // namespace

std::string_view name(Codec codec) { return functionsOf(codec).name; }

std::optional<Bytes> compress(Codec codec, Line line) { return functionsOf(codec).compress(line); }

void decompress(Codec codec, std::span<const std::byte> compressed, std::span<std::byte> line) {
  functionsOf(codec).decompress(compressed, line);
}

u32 keptBytes(Codec codec, Line line) {
  const std::optional<Bytes> compressed = compress(codec, line);
  return static_cast<u32>(compressed ? compressed->size() : line.size());
}

}  // namespace warpwright::compression
