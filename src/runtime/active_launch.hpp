// A launch under way, for the parts of Launches.
#pragma once

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <utility>

#include "base/demangle.hpp"
#include "runtime/grid_barrier.hpp"
#include "runtime/launches.hpp"
#include "runtime/progress.hpp"

namespace warpwright::runtime {

// What a launch needs from its submission to its end.
struct Launches::Active {
  Active(Launch given, Ended whenEnded, ProgressLine& shown, exec::GlobalMemory& memory)
      : launch(std::make_shared<const Launch>(std::move(given))),
        ended(std::move(whenEnded)),
        barrier(memory, launch->cooperative),
        line(fmt::format("launch {}, {}", launch->number, demangled(launch->kernel->name)), shown) {}

  std::shared_ptr<const Launch> launch;
  Ended ended;
  GridBarrierMemory barrier;
  LaunchProgress line;
  exec::LaunchRequest request;
  machines::BlockResources resources;
  std::optional<mechanisms::LaunchObservers> observers;
  std::unique_ptr<exec::ResumableLaunch> machine;  // of a functional launch
  std::optional<profile::Counters> use;            // of one that was executed before it is timed
  u64 instructions = 0;                            // of warps, the same
  std::optional<double> recalled;                  // cycles behind launches that were only told of, of one that is timed both ways
  u32 numberForPcs = 0;                            // of a timed one, PcRecorder's
};

}  // namespace warpwright::runtime
