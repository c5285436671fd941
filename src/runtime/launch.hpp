// A launch as the device takes it, and what became of it.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "exec/warp_source.hpp"
#include "machines/copied.hpp"
#include "runtime/ptx_source.hpp"

namespace warpwright::runtime {

// A loaded PTX module.
struct Module {
  u32 id = 0;
  std::vector<PtxUnit> units;  // that it was made of
  std::unique_ptr<exec::LoadedProgram> loaded;
};

using machines::Copied;

// A launch as the device takes it: with what the program's context adds.
struct Launch : exec::Launch {
  const Module* module = nullptr;                   // whose program it runs: Device::submit() sets the program
  std::optional<u64> stackBytes;                    // that the program allows a thread; none: as much as a thread can have
  u64 startNanoseconds = 0;                         // simulated time before which it does not begin
  int priority = 0;                                 // of its stream: blocks of lower numbers first
  u64 heapBytes = exec::MachineLimits{}.heapBytes;  // of malloc in kernels
  std::vector<Copied> copied;                       // since the launch before; Device::submit() adds to them
  // Set by Device::announce().
  u64 number = 0;         // in the order of issue, from 1
  bool timed = false;     // every cycle is simulated
  bool recorded = false;  // in the checkpoint

  std::shared_ptr<const exec::RecordedLaunch> recording;  // that it plays, on a timed machine alone; null: the kernel is executed
};

struct LaunchOutcome : exec::LaunchResult {
  // Simulated time. Of the functional machine: one warp instruction per scheduler and cycle, perfectly spread over the SMs that have
  // blocks, a lower bound.
  u64 nanoseconds = 0;
  u64 endNanoseconds = 0;  // since the program began
};

}  // namespace warpwright::runtime
