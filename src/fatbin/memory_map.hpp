// What is readable in this process: sizes found in memory are checked against it.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/types.hpp"

namespace warpwright::fatbin {

class MemoryMap {
 public:
  // Reads /proc/self/maps.
  MemoryMap();
  // The readable bytes from the address on; empty when it is not readable. Where the system does not tell, everything counts as readable.
  std::span<const std::byte> from(const void* address) const;

 private:
  struct Range {
    u64 begin, end;
  };
  std::vector<Range> readable_;  // ascending, neighbours merged
};

}  // namespace warpwright::fatbin
