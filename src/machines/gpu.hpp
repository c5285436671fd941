// A whole timed GPU: SMs, networks and memory partitions, in quanta; and the dispatch of blocks. Its state (caches, open rows, time) lasts
// from one launch to the next.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "config/machine.hpp"
#include "engine/quanta.hpp"
#include "machines/statistics.hpp"
#include "mem/memory_side.hpp"
#include "sm/sm.hpp"

namespace warpwright::machines {

struct TimingOptions {
  u32 threads = 1;      // of the host
  bool skip = true;     // jump over cycles in which nothing happens; the results are the same without
  bool lines = false;   // charge stalls to instructions
  Cycle most = kNever;  // cycles after which a launch is stopped
  // Cycles without an issued instruction after which the machine is declared deadlocked, and cycles without a thread that exits after
  // which the grid is declared hung. Far beyond any latency of memory, respectively any loop of a useful kernel at simulation speed.
  u64 deadlockCycles = 1'000'000, hangCycles = 2'000'000'000;
  // The listener of an SM, or null; asked once for each SM. Empty: nobody listens.
  std::function<sm::PipelineListener*(u32 sm)> listenerOf;
  std::function<mem::DramObserver*(u32 channel)> dramObserverOf;
  // Told what the machine has counted at every multiple of sampleInterval, rounded up to a quantum, and at the end of each run.
  std::function<void(Cycle now, const GpuStats& all)> sample;
  u64 sampleInterval = 0;  // core cycles; 0: no samples
};

struct TimedResult {
  exec::LaunchResult functional;
  u64 cycles = 0;                       // core cycles from the launch to the last answer
  GpuStats stats;                       // of this launch
  std::vector<sm::SlotCounts> stalls;   // by instruction of the program; only with TimingOptions::lines
  u64 mostBlocks = 0;                   // resident at once on an SM, summed over the SMs
  std::vector<std::string> violations;  // of conservation laws; empty unless the simulator is wrong
};

// How many registers, bytes and warps a block takes on an SM, as the machine allocates them.
struct BlockResources {
  u32 warps = 0, registers = 0;
  u64 sharedBytes = 0, localBytesPerThread = 0;
};

class Gpu final : private engine::QuantumEnd {
 public:
  // Throws Error for a machine that cannot be built or that describes no timing.
  Gpu(const config::Machine& machine, exec::GlobalMemory& memory, const TimingOptions& options);
  ~Gpu() override;

  struct Job {
    exec::LaunchRequest request;
    BlockResources resources;
    std::vector<exec::Observer*> observers;  // by SM, as SMs run in parallel; empty: none. That of the request hears nothing
  };
  // Runs launches side by side, blocks of earlier ones first, until all have ended.
  std::vector<TimedResult> run(const std::vector<Job>& jobs);
  TimedResult run(const Job& job) { return std::move(run(std::vector<Job>{job}).front()); }

  Cycle now() const { return quanta_->now(); }
  const config::Machine& machine() const { return machine_; }

 private:
  struct Running {
    std::unique_ptr<sm::LaunchPlan> plan;
    u64 blocks = 0, next = 0, done = 0;
    Cycle mayStart{}, ended{};
  };

  bool quantumEnded(Cycle now) override;
  Cycle nextUseful() const override;
  void dispatch(Cycle now);
  void takeSample(Cycle now);
  void performAtomics(Cycle now);
  bool stopForFault();
  bool stopForSilence(Cycle now);
  bool reportProgress();
  std::string waits() const;
  exec::LaunchStatus statusOf(engine::Quanta::End end, Cycle now, std::string& message) const;
  GpuStats stats(Cycle now);
  std::vector<std::string> violations(const GpuStats& all, const GpuStats& launch) const;

  const config::Machine machine_;
  exec::GlobalMemory& memory_;
  const TimingOptions options_;
  mem::AddressMap map_;
  std::vector<std::unique_ptr<sm::NetworkPort>> requests_, responses_;
  std::vector<std::unique_ptr<sm::Sm>> sms_;
  std::unique_ptr<mem::MemorySide> memorySide_;
  std::unique_ptr<engine::Quanta> quanta_;

  std::vector<Running> running_;  // of the run at hand
  u64 nextCodeAddress_;
  u32 launches_ = 0;
  Cycle nextSample_ = kNever;
  u32 nextSm_ = 0;  // whose turn it is to get a block
  u64 lastInstructions_ = 0, lastDone_ = 0, quantaSinceReport_ = 0;
  Cycle lastProgress_{}, lastExit_{};
  exec::LaunchStatus stop_ = exec::LaunchStatus::completed;
  std::string stopMessage_;
};

}  // namespace warpwright::machines
