#include "machines/block_sampling.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/error.hpp"
#include "machines/gpu.hpp"

namespace warpwright::machines {

BlockSample parseBlockSample(const std::string& text) {
  BlockSample sample;
  const bool isShare = text.ends_with('%');
  const char* const end = text.data() + text.size() - (isShare ? 1 : 0);
  double percent = 0;
  const auto [rest, code] = isShare ? std::from_chars(text.data(), end, percent) : std::from_chars(text.data(), end, sample.blocks);
  sample.share = percent / 100;
  if (code != std::errc{} || rest != end || sample.isAll() || !(percent >= 0 && percent <= 100))
    throw Error("cannot read '" + text + "' as a sample of blocks", {}, "write a number of blocks (128), or a share of each grid (5%)");
  return sample;
}

// Fills of the machine that a sample has at least.
constexpr u64 kFills = 4;

u64 blocksInDetail(const BlockSample& sample, u64 gridBlocks, u64 resident) {
  if (sample.isAll()) return gridBlocks;
  const u64 asked = sample.blocks != 0 ? sample.blocks : static_cast<u64>(std::ceil(sample.share * static_cast<double>(gridBlocks)));
  return std::min(gridBlocks, std::max(asked, kFills * resident));
}

u64 extrapolatedCycles(const TimedResult& sample, u64 gridBlocks) {
  const u64 simulated = sample.functional.blocksDone;
  if (simulated == 0 || simulated >= gridBlocks) return sample.cycles;
  const FullMachine& full = sample.full;
  const auto left = static_cast<double>(gridBlocks - simulated);
  if (full.ended != 0 && full.ended >= full.resident)
    return sample.cycles + static_cast<u64>(std::llround(left * static_cast<double>(full.cycles) / static_cast<double>(full.ended)));
  // The sample is too short to show a rate: the launch is as many samples.
  return static_cast<u64>(
      std::llround(static_cast<double>(sample.cycles) * static_cast<double>(gridBlocks) / static_cast<double>(simulated)));
}

}  // namespace warpwright::machines
