#include "compression/codec.hpp"

#include <array>

#include "compression/bdi.hpp"
#include "compression/c_pack.hpp"
#include "compression/fpc.hpp"

namespace warpwright::compression {
namespace {

struct Functions {
  std::string_view name;
  std::optional<Bytes> (*compress)(Line line, const Variants& variants);
  void (*decompress)(std::span<const std::byte> compressed, std::span<std::byte> line, const Variants& variants);
};
constexpr std::array<Functions, kCodecs> kFunctions{
    {{"bdi", bdiCompress, bdiDecompress}, {"fpc", fpcCompress, fpcDecompress}, {"c_pack", cPackCompress, cPackDecompress}}};

const Functions& functionsOf(Codec codec) { return kFunctions[static_cast<std::size_t>(codec)]; }

}  // namespace

std::string_view name(Codec codec) { return functionsOf(codec).name; }

std::optional<Bytes> compress(Codec codec, Line line, const Variants& variants) { return functionsOf(codec).compress(line, variants); }

void decompress(Codec codec, std::span<const std::byte> compressed, std::span<std::byte> line, const Variants& variants) {
  functionsOf(codec).decompress(compressed, line, variants);
}

u32 keptBytes(Codec codec, Line line, const Variants& variants) {
  const std::optional<Bytes> compressed = compress(codec, line, variants);
  return static_cast<u32>(compressed ? compressed->size() : line.size());
}

}  // namespace warpwright::compression
