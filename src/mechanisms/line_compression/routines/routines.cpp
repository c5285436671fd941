#include "mechanisms/line_compression/routines/routines.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/memory_units.hpp"
#include "mechanisms/kernel_names.hpp"
#include "mechanisms/line_compression/form.hpp"
#include "mechanisms/line_compression/routines/codecs.hpp"

namespace warpwright::mechanisms::line_compression::routines {
namespace {

constexpr const char* kPrefix = "warpwright_line_";

u32 firstLanes(u32 count) { return count == 32 ? ~u32{0} : (1u << count) - 1; }

// A lane for each word of the line; BDI tries values of all sizes, with all lanes.
u32 lanesToCompress(compression::Codec codec, u32 lineBytes) {
  return codec == compression::Codec::bdi ? ~u32{0} : firstLanes(lineBytes / kWordBytes);
}
u32 lanesToDecompress(u8 encoding, u32 lineBytes) {
  return firstLanes(codecOf(encoding) == compression::Codec::bdi ? bdiLanes(encoding, lineBytes) : lineBytes / kWordBytes);
}

// kernels: empty, of all.
std::string functionOf(const std::string& name, const char* group, const char* priority, u32 lanes, const std::string& kernels,
                       const std::string& body) {
  return fmt::format(
      ".visible .func {}(.param .b32 buffer)\n.pragma \"assist on=request priority={} group=warpwright_{} in=buffer buffer={} "
      "lanes={:#x}{}\";\n{{\n{}}}\n",
      name, priority, group, kBufferBytes, lanes, kernels.empty() ? "" : " kernel=" + kernels, body);
}

std::string bodyToCompress(compression::Codec codec, u32 lineBytes, const Settings& settings) {
  const compression::Variants variants = variantsOf(settings);
  if (codec == compression::Codec::fpc) return fpcCompression(lineBytes, variants);
  return codec == compression::Codec::cPack ? cPackCompression(lineBytes, variants) : bdiCompression(lineBytes, settings.bdiOrder);
}

std::string bodyToDecompress(u8 encoding, u32 lineBytes, const Settings& settings) {
  const compression::Codec codec = codecOf(encoding);
  if (codec == compression::Codec::fpc) return fpcDecompression(lineBytes, variantsOf(settings));
  return codec == compression::Codec::cPack ? cPackDecompression(lineBytes) : bdiDecompression(encoding, lineBytes);
}

}  // namespace

std::string nameToCompress(compression::Codec codec) { return fmt::format("{}compress_{}", kPrefix, name(codec)); }
std::string nameToDecompress(u8 encoding) { return fmt::format("{}decompress_{}", kPrefix, nameOf(encoding)); }

std::string textOf(const Settings& settings, u32 lineBytes, u32 addressBits) {
  std::string text = fmt::format(".version 7.0\n.target sm_30\n.address_size {}\n", addressBits);
  const std::string kernels = fmt::format("{}", fmt::join(namesIn(settings.kernels), ","));
  for (const compression::Codec codec : codecsOf(settings.codec)) {
    if (routinesCompress(settings))
      text += functionOf(nameToCompress(codec), "compress", "low", lanesToCompress(codec, lineBytes), kernels,
                         bodyToCompress(codec, lineBytes, settings));
    for (u8 encoding = 1; encoding < kEncodings; ++encoding)
      if (routinesDecompress(settings) && codecOf(encoding) == codec)
        text += functionOf(nameToDecompress(encoding), "decompress", "high", lanesToDecompress(encoding, lineBytes), "",
                           bodyToDecompress(encoding, lineBytes, settings));
  }
  return text;
}

}  // namespace warpwright::mechanisms::line_compression::routines
