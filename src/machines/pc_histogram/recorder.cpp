#include "machines/pc_histogram/recorder.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace warpwright::machines {

u32 PcRecorder::launchBegins(const exec::LaunchRequest& request) {
  launches_[begun_].what = request.launch;
  return begun_++;
}

void PcRecorder::issued(const sm::IssuedInstruction& instruction, Cycle now) {
  if (instruction.helper != sm::Context::kParent) return;
  sampleUntil(now);
  if (settings_.block && *settings_.block != instruction.block) return;
  Launch& launch = launches_.at(instruction.launch);
  BlockPositions& block = positionsOf(launch, instruction.block);
  WarpPositions& warp = block.warps[instruction.warp];
  warp.move(instruction.active, instruction.pc);
  if (isa::info(instruction.instruction->opcode).handler != isa::Handler::exit) return;
  warp.leave(instruction.executing);
  if (block.empty()) launch.blocks.erase(launch.blocks.begin() + (&block - launch.blocks.data()));
}

PcHistogram PcRecorder::launchEnded(u32 number, Cycle now) {
  if (!stopped_) sampleUntil(now);
  PcHistogram histogram = std::move(launches_.at(number).histogram);
  launches_.erase(number);
  histogram.isComplete = cut_ == kNever && !stopped_;
  return histogram;
}

// Takes the samples of intervals that have ended by `now`.
void PcRecorder::sampleUntil(Cycle now) {
  while (end_ <= now) {
    if (!hasThreads()) {
      end_ = Cycle{(now.ticks / settings_.interval + 1) * settings_.interval};
      return;
    }
    takeSample();
    end_ += settings_.interval;
  }
}

void PcRecorder::takeSample() {
  const Cycle from{end_.ticks - settings_.interval};
  if (from < window_.from || end_ > window_.until) return;
  if (counts_ >= most_) {
    cut_ = std::min(cut_, from);
    return;
  }
  for (auto& [number, launch] : launches_) {
    const std::size_t before = launch.histogram.counts.size();
    launch.histogram.add(from, launch.blocks, launch.what->program->program);
    counts_ += launch.histogram.counts.size() - before;
  }
}

bool PcRecorder::hasThreads() const {
  return std::any_of(launches_.begin(), launches_.end(), [](const auto& launch) { return !launch.second.blocks.empty(); });
}

BlockPositions& PcRecorder::positionsOf(Launch& launch, u64 block) const {
  const auto found =
      std::find_if(launch.blocks.begin(), launch.blocks.end(), [&](const BlockPositions& each) { return each.block == block; });
  if (found != launch.blocks.end()) return *found;
  return launch.blocks.emplace_back(block, static_cast<u32>(launch.what->block.count()), warpSize_, launch.what->kernel->begin);
}

std::string PcRecorder::remark() const {
  if (cut_ != kNever)
    return fmt::format(
        "the PC histogram ends at cycle {}: it has {} counts, and no more are kept; a longer --pc-interval shows more of the run, "
        "--trace-window another part of it",
        cut_.ticks, counts_);
  if (counts_ != 0) return {};
  const std::string whose = settings_.block ? fmt::format("of block {} ", *settings_.block) : "";
  return fmt::format("the PC histogram is empty: no thread {}was on SM {} at the end of an interval of {} cycles", whose, settings_.sm,
                     settings_.interval);
}

}  // namespace warpwright::machines
