// What copies of the host bring to the device, where its software has compressed lines before (section 5.3.1): whole lines in as many
// pieces as they take in DRAM, parts of lines as they are.
#pragma once

#include <array>
#include <vector>

#include "mechanisms/line_compression/line_sizes.hpp"
#include "mechanisms/line_compression/statistics.hpp"

namespace warpwright::mechanisms::line_compression {

class HostCopies {
 public:
  HostCopies(const Settings& settings, u32 lineBytes, LineReader read);

  // A copy, whose bytes are in memory.
  void add(GlobalAddress begin, u64 bytes);
  const Statistics& statistics() const { return stats_; }

 private:
  u64 savedBytes(GlobalAddress line);

  const u32 lineBytes_;
  const bool copiesToo_;
  const std::vector<compression::Codec> codecs_;
  const compression::Variants variants_;
  const LineReader read_;
  std::array<std::byte, 128> values_;
  Statistics stats_;
};

}  // namespace warpwright::mechanisms::line_compression
