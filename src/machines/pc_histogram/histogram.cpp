#include "machines/pc_histogram/histogram.hpp"

#include <algorithm>
#include <map>

namespace warpwright::machines {
namespace {

PositionKind ownKind(const isa::Instruction& instruction) {
  const isa::OpcodeInfo& info = isa::info(instruction.opcode);
  if (info.flow == isa::Flow::barrier) return PositionKind::barrier;
  const isa::Space space = instruction.modifiers.space;
  const bool isGlobal = space == isa::Space::global || space == isa::Space::generic;
  return info.handler == isa::Handler::load && isGlobal ? PositionKind::load : PositionKind::other;
}

// Of some warps, at one instruction.
struct At {
  u64 threads = 0;
  double warps = 0, squares = 0;  // sums of the shares of each warp's threads, and of their squares
};
using ByPc = std::map<Pc, At>;

ByPc positionsOf(const BlockPositions& block) {
  ByPc result;
  for (const WarpPositions& warp : block.warps) {
    for (const Position& position : warp.all()) {
      At& at = result[position.pc];
      const double share = static_cast<double>(position.lanes.size()) / warp.threads();
      at.threads += position.lanes.size();
      at.warps += share;
      at.squares += share * share;
    }
  }
  return result;
}

double square(double value) { return value * value; }

// A sample of all blocks, as it is added up.
class Sample {
 public:
  Sample(PcHistogram& histogram, const isa::Program& program) : pairs_(histogram.pairs), sums_(histogram.sums), program_(program) {}

  void add(const BlockPositions& block, const ByPc& positions) {
    const auto warps =
        static_cast<double>(std::count_if(block.warps.begin(), block.warps.end(), [](const WarpPositions& warp) { return !warp.empty(); }));
    u64 threads = 0;
    for (const auto& [pc, at] : positions) {
      const auto kind = static_cast<std::size_t>(positionKindOf(program_, pc));
      const WarpPairs pairs{square(at.warps) - at.squares, at.warps * (warps - 1)};
      threads += at.threads;
      sums_.threadsAt[kind] += at.threads;
      merge(sums_.inBlock[kind], pairs);
      merge(pairs_[pc], pairs);
      all_[pc].warps += at.warps;
      all_[pc].squares += square(at.warps);
    }
    threads_ += threads;
    warps_ += warps;
    blockSquares_ += square(warps);
    sums_.mostBlockThreads = std::max(sums_.mostBlockThreads, threads);
    ++sums_.blockSamples;
    sums_.blockInstructions += positions.size();
  }

  void end() {
    for (const auto& [pc, at] : all_) sums_.acrossBlocks.together += square(at.warps) - at.squares;
    sums_.acrossBlocks.all += square(warps_) - blockSquares_;
    ++sums_.samples;
    sums_.threads += threads_;
    sums_.mostThreads = std::max(sums_.mostThreads, threads_);
    sums_.instructions += all_.size();
  }

 private:
  std::map<Pc, WarpPairs>& pairs_;
  PcSums& sums_;
  const isa::Program& program_;
  ByPc all_;  // squares: of the sums of the blocks
  u64 threads_ = 0;
  double warps_ = 0, blockSquares_ = 0;
};

}  // namespace

PositionKind positionKindOf(const isa::Program& program, Pc pc) {
  const PositionKind own = ownKind(program.code.at(pc));
  if (own != PositionKind::other || pc == 0) return own;
  const PositionKind before = ownKind(program.code[pc - 1]);
  if (before == PositionKind::load) return PositionKind::behindLoad;
  return before == PositionKind::barrier ? PositionKind::behindBarrier : PositionKind::other;
}

void PcHistogram::add(Cycle from, const std::vector<BlockPositions>& blocks, const isa::Program& program) {
  if (std::all_of(blocks.begin(), blocks.end(), [](const BlockPositions& block) { return block.empty(); })) return;
  Sample sample(*this, program);
  for (const BlockPositions& block : blocks) {
    if (block.empty()) continue;
    const ByPc positions = positionsOf(block);
    for (const auto& [pc, at] : positions) counts.push_back({from, block.block, pc, static_cast<u32>(at.threads)});
    sample.add(block, positions);
  }
  sample.end();
}

}  // namespace warpwright::machines
