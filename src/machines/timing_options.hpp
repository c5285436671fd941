// How a timed machine is simulated. Names the types of listeners and counters only: who just sets options need not know the machine.
#pragma once

#include <functional>

#include "base/time.hpp"

namespace warpwright::sm {
class PipelineListener;
}
namespace warpwright::mem {
class DramObserver;
}

namespace warpwright::machines {

struct GpuStats;

struct TimingOptions {
  u32 threads = 1;      // of the host
  bool skip = true;     // jump over cycles in which nothing happens; the results are the same without
  bool lines = false;   // charge stalls to instructions
  Cycle most = kNever;  // cycles of a launch after which it is stopped
  // Cycles without an issued instruction or an answer from memory after which the machine is declared deadlocked, and cycles without a
  // thread that exits after which the grid is declared hung. Far beyond any latency of memory, respectively any loop of a useful kernel at
  // simulation speed.
  u64 deadlockCycles = 1'000'000, hangCycles = 2'000'000'000;
  // The listener of an SM, or null; asked once for each SM. Empty: nobody listens.
  std::function<sm::PipelineListener*(SmId sm)> listenerOf;
  std::function<mem::DramObserver*(PartitionId channel)> dramObserverOf;
  // Told what the machine has counted at every multiple of sampleInterval, rounded up to a quantum, and at the end of each run.
  std::function<void(Cycle now, const GpuStats& all)> sample;
  u64 sampleInterval = 0;  // core cycles; 0: no samples
};

}  // namespace warpwright::machines
