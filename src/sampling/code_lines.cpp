#include "sampling/code_lines.hpp"

#include "base/memory_units.hpp"

namespace warpwright::sampling {

std::vector<TouchedLine> codeLines(std::span<const Signature::Executed> executed, GlobalAddress code, u32 instructionBytes, u32 lineBytes) {
  std::vector<TouchedLine> lines;
  for (const Signature::Executed& each : executed) {
    const GlobalAddress line = alignDown(code + u64{each.pc} * instructionBytes, lineBytes);
    if (lines.empty() || lines.back().address != line) lines.push_back({line, static_cast<u32>(lowBits(lineBytes / kSectorBytes))});
  }
  return lines;
}

}  // namespace warpwright::sampling
