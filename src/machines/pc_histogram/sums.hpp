// Sums over the samples of a PC histogram, and the figures made of them.
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "base/types.hpp"
#include "stats/formula.hpp"
#include "stats/json_type.hpp"

namespace warpwright::machines {

// What may bring the threads of a block together: a load of global memory, or a generic one; a barrier of the block. Behind one: the
// instruction that follows it in the code, if that is neither.
enum class PositionKind : u8 { load, barrier, behindLoad, behindBarrier, other };
inline constexpr std::size_t kPositionKinds = 5;

// Pairs of warps, first and second, of which the second may stand where the first does. A warp whose threads stand at several instructions
// counts by shares: a pair is together as likely as a thread of the one is where a thread of the other is.
struct WarpPairs {
  double together = 0, all = 0;
  stats::Ratio share() const;
};
void merge(WarpPairs& into, const WarpPairs& from);

// Over the samples in which there is a thread.
struct PcSums {
  u64 samples = 0, threads = 0, mostThreads = 0, mostBlockThreads = 0;
  u64 instructions = 0;                             // at which threads stand
  u64 blockSamples = 0, blockInstructions = 0;      // the same of each block by itself
  std::array<u64, kPositionKinds> threadsAt{};      // by PositionKind
  WarpPairs acrossBlocks;                           // of two blocks
  std::array<WarpPairs, kPositionKinds> inBlock{};  // of one block; by where the first stands

  WarpPairs inBlocks() const;  // wherever the first stands
};
void merge(PcSums& into, const PcSums& from);

struct PcFigure {
  std::string_view name;
  stats::Ratio (*value)(const PcSums& sums);
};
std::span<const PcFigure> pcFigures();
// The figure of that name; nothing to divide by: nothing.
stats::Ratio pcFigure(std::string_view name, const PcSums& sums);
// All of them, by name; docs/pc-histogram.md defines them.
stats::Json pcFiguresJson(const PcSums& sums);

}  // namespace warpwright::machines
