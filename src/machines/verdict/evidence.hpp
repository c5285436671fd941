// The figures of a kernel that the rules of the verdict ask for.
#pragma once

#include <algorithm>

#include "machines/timing_profile.hpp"

namespace warpwright::machines {

class Evidence {
 public:
  Evidence(const KernelTiming& kernel, const profile::KernelProfile* profile, const config::Machine& machine)
      : kernel_(kernel), profile_(profile), machine_(machine) {}

  const KernelTiming& kernel() const { return kernel_; }
  const TimingCounters& counters() const { return kernel_.counters; }
  const sm::SmStats& sm() const { return kernel_.counters.gpu.sm; }
  const mem::MemorySideStats& memory() const { return kernel_.counters.gpu.memory; }
  const profile::KernelProfile* profile() const { return profile_; }
  const config::Machine& machine() const { return machine_; }

  // Of all issue slots. Those of schedulers whose warps have ended before others of their SM are shared out like the rest: the SM goes on,
  // and what its other warps wait for is why.
  double share(std::initializer_list<sm::Slot> slots) const;
  // Of the time, before the first block of each launch began (sm.pipeline.launch_latency).
  double launching() const;
  // Of the time of the SMs beside that, in which none of their warps was there, while blocks of theirs waited for memory to perform what
  // their warps had asked for, or no SM had any warp more and all waited for memory's last answers.
  double draining() const;
  // Of the time of the SMs beside both, in which none of their warps was there; and of the issue slots whose scheduler had no warp beside
  // others of the SM that had.
  double idleSms() const;
  double emptySchedulers() const;

  double figure(std::string_view name) const { return machines::figure(name, counters(), machine_).value_or(0); }
  // A figure whose divisor is time, over the time since the launches' first blocks began alone; and one that is a share.
  double sinceBegun(std::string_view name) const { return begun() == 0 ? 0 : figure(name) / begun(); }
  double useOf(std::string_view name) const { return std::min(1.0, sinceBegun(name)); }
  // Of the places for blocks that blocks hold, those of blocks whose warps have ended: memory has yet to perform their operations, and
  // other blocks wait for these places. Where none wait, 0.
  double placesThatMemoryHolds() const;
  // Of the time that loads take, that of loads of shared memory.
  double sharedLoads() const;
  // Of the latter, those that are empty because so few warps may be resident.
  double fewWarps() const;

  // Of its cycles, those in which a pipe of this kind was taken by an instruction, while the SMs had warps.
  double pipeUse(sm::Pipe pipe) const;
  // The kind for which instructions waited longest.
  sm::Pipe busiestPipe() const;
  // Of its ticks, those in which the busiest atomics unit worked, the busiest L2 slice took an access, the busiest channel had data on the
  // bus.
  double busiestAtomicsUnit() const;
  double busiestSlice() const;
  double busiestChannel() const;
  // Of the ticks of the L2 slices, those in which one took an access.
  double l2Use() const;

  // Blocks of the mean launch, and what all SMs hold at once.
  double blocksPerLaunch() const;
  u64 places() const;
  u32 residentBlocks() const;
  // Which limit of an SM it is: "registers"; of the first launch.
  std::string_view limiter() const;

 private:
  double plainShare(std::initializer_list<sm::Slot> slots) const;
  double noWarpOnSm() const;
  double begun() const { return 1 - launching(); }
  double working() const { return 1 - noWarpOnSm() - launching(); }
  double partitionTicks() const;
  const LaunchTiming& first() const { return kernel_.launches.front(); }

  const KernelTiming& kernel_;
  const profile::KernelProfile* profile_;
  const config::Machine& machine_;
};

}  // namespace warpwright::machines
