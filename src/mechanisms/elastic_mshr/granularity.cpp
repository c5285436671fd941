#include "mechanisms/elastic_mshr/granularity.hpp"

#include <algorithm>
#include <bit>

#include "base/memory_units.hpp"

namespace warpwright::mechanisms::elastic_mshr {

ChooseByPattern patternChooser() { return nullptr; }

sm::PerInstruction<u16> asBlocks(sm::PerInstruction<u16> bytes, const config::Machine& machine) {
  const u32 least = machine.l1d.lineBytes, most = std::min(kLongestLineBytes, machine.dram.interleaveBytes);
  for (u16& each : bytes) each = static_cast<u16>(std::clamp(std::bit_floor(u32{each}), least, most));
  return bytes;
}

}  // namespace warpwright::mechanisms::elastic_mshr
