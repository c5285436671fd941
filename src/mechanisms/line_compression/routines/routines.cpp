#include "mechanisms/line_compression/routines/routines.hpp"

#include <fmt/format.h>

#include "base/memory_units.hpp"
#include "mechanisms/line_compression/form.hpp"
#include "mechanisms/line_compression/routines/codecs.hpp"

namespace warpwright::mechanisms::line_compression::routines {
namespace {

constexpr const char* kPrefix = "warpwright_line_";

// A lane for each word of the line; values of 2 bytes may be more.
u32 lanesOf(compression::Codec codec, u32 lineBytes) {
  constexpr u32 kAll = ~u32{0};
  const u32 words = lineBytes / kWordBytes;
  return codec == compression::Codec::bdi || words == 32 ? kAll : (1u << words) - 1;
}

std::string functionOf(const std::string& name, const char* group, const char* priority, u32 lanes, const std::string& body) {
  return fmt::format(
      ".visible .func {}(.param .b32 buffer)\n.pragma \"assist on=request priority={} group=warpwright_{} in=buffer buffer={} "
      "lanes={:#x}\";\n{{\n{}}}\n",
      name, priority, group, kBufferBytes, lanes, body);
}

std::string bodyToCompress(compression::Codec codec, u32 lineBytes) {
  if (codec == compression::Codec::fpc) return fpcCompression(lineBytes);
  return codec == compression::Codec::cPack ? cPackCompression(lineBytes) : bdiCompression(lineBytes);
}

std::string bodyToDecompress(u8 encoding, u32 lineBytes) {
  const compression::Codec codec = codecOf(encoding);
  if (codec == compression::Codec::fpc) return fpcDecompression(lineBytes);
  return codec == compression::Codec::cPack ? cPackDecompression(lineBytes) : bdiDecompression(encoding, lineBytes);
}

}  // namespace

std::string nameToCompress(compression::Codec codec) { return fmt::format("{}compress_{}", kPrefix, name(codec)); }
std::string nameToDecompress(u8 encoding) { return fmt::format("{}decompress_{}", kPrefix, nameOf(encoding)); }

std::string textOf(Choice choice, u32 lineBytes, u32 addressBits) {
  std::string text = fmt::format(".version 7.0\n.target sm_30\n.address_size {}\n", addressBits);
  for (const compression::Codec codec : codecsOf(choice)) {
    const u32 lanes = lanesOf(codec, lineBytes);
    text += functionOf(nameToCompress(codec), "compress", "low", lanes, bodyToCompress(codec, lineBytes));
    for (u8 encoding = 1; encoding < kEncodings; ++encoding)
      if (codecOf(encoding) == codec)
        text += functionOf(nameToDecompress(encoding), "decompress", "high", lanes, bodyToDecompress(encoding, lineBytes));
  }
  return text;
}

}  // namespace warpwright::mechanisms::line_compression::routines
