// The codecs as routines of assist warps, called from a kernel of the functional machine: a buffer a block.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "mechanisms/line_compression/routines/layout.hpp"
#include "mechanisms/line_compression/settings.hpp"
#include "runtime/device.hpp"

namespace warpwright::testing {

// A codec in one of its variants.
struct CodecVariant {
  const char* name;
  mechanisms::line_compression::Settings settings;

  compression::Codec codec() const { return mechanisms::line_compression::codecsOf(settings.codec).front(); }
  // Of line number i: where the last encoding is tried first, all of them are, in turn.
  compression::Variants of(u32 i) const;
};
std::span<const CodecVariant> codecVariants();

class CompressionRoutines {
 public:
  using Buffer = std::array<std::byte, mechanisms::line_compression::routines::kBufferBytes>;

  // Those that lines of `lineBytes` take with these settings.
  CompressionRoutines(mechanisms::line_compression::Settings settings, u32 lineBytes);

  // Each buffer becomes what the routine leaves of it. Throws Error when the kernel does not end.
  void run(const std::string& routine, std::vector<Buffer>& buffers);

 private:
  std::map<std::string, u32> lanes_;  // by routine
  std::unique_ptr<runtime::Device> device_;
  const runtime::Module* module_ = nullptr;
};

}  // namespace warpwright::testing
