// A trace played without a machine: each warp of a block by turns, as long as it may.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "sass/kernel_reader.hpp"
#include "sass/trace_player.hpp"

namespace warpwright::sass {

class Played {
 public:
  explicit Played(std::string_view text, exec::Observer* observer = nullptr) {
    LineReader lines(textOf(text, "test.traceg"), "test.traceg");
    trace_ = readKernel(lines);
    program_.program = programOf(*trace_, "test", lines.where());
    auto launch = std::make_shared<exec::Launch>();
    launch->grid = trace_->header.grid;
    launch->block = trace_->header.block;
    launch->program = &program_;
    launch->kernel = &program_.program.functions.front();
    request_.launch = launch;
    request_.observer = observer;
    player_ = trace_->play(request_, SmId{0});
  }

  // False: warps wait that nobody lets go on. `hear` is told of each step.
  bool playBlock(u64 block, const std::function<void(u32 warp, const exec::StepRecord&)>& hear = {}) {
    const BlockSlotId slot{0};
    player_->start(slot, block);
    bool moves = true;
    while (moves && !player_->isFinished(slot)) {
      moves = false;
      for (u32 warp = 0; warp < trace_->header.warps(); ++warp) moves |= playWarp(slot, warp, hear);
    }
    return moves;
  }

  const KernelTrace& trace() const { return *trace_; }
  const isa::Program& program() const { return program_.program; }
  exec::WarpSource& player() { return *player_; }

 private:
  bool playWarp(BlockSlotId slot, u32 warp, const std::function<void(u32, const exec::StepRecord&)>& hear) {
    if (player_->next(slot, warp).state != exec::WarpState::ready) return false;
    const exec::StepRecord* record = player_->step(slot, warp, {});
    if (hear) hear(warp, *record);
    return true;
  }

  std::shared_ptr<KernelTrace> trace_;
  exec::LoadedProgram program_;
  exec::LaunchRequest request_;
  std::unique_ptr<exec::WarpSource> player_;
};

}  // namespace warpwright::sass
