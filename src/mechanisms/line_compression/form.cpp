#include "mechanisms/line_compression/form.hpp"

#include <array>

namespace warpwright::mechanisms::line_compression {
namespace {

using compression::Codec;

constexpr std::array<std::string_view, kEncodings> kNames{"none",
                                                          "bdi_zeros",
                                                          "bdi_repeated",
                                                          "bdi_base8_delta1",
                                                          "bdi_base4_delta1",
                                                          "bdi_base8_delta2",
                                                          "bdi_base4_delta2",
                                                          "bdi_base8_delta4",
                                                          "bdi_base2_delta1",
                                                          "fpc",
                                                          "c_pack"};
}  // namespace

u8 encodingOf(Codec codec, compression::Line line, const compression::Variants& variants) {
  if (codec == Codec::fpc) return kFpcEncoding;
  return codec == Codec::cPack ? kCPackEncoding : bdiEncodingAs(compression::bdiEncodingOf(line, variants));
}

Form formOf(std::span<const Codec> codecs, compression::Line line, const compression::Variants& variants) {
  const u32 lineBytes = static_cast<u32>(line.size());
  u32 least = lineBytes;
  const Codec* best = nullptr;
  for (const Codec& codec : codecs) {
    const u32 bytes = compression::keptBytes(codec, line, variants);
    if (bytes >= least) continue;
    least = bytes;
    best = &codec;
  }
  const u32 pieces = (least + kPieceBytes - 1) / kPieceBytes;
  if (pieces == lineBytes / kPieceBytes) return {static_cast<u8>(pieces), 0};
  return {static_cast<u8>(pieces), encodingOf(*best, line, variants)};
}

std::string_view nameOf(u8 encoding) { return kNames[encoding]; }

Codec codecOf(u8 encoding) {
  if (encoding == kFpcEncoding) return Codec::fpc;
  return encoding == kCPackEncoding ? Codec::cPack : Codec::bdi;
}

}  // namespace warpwright::mechanisms::line_compression
