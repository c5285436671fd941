// A whole timed GPU: SMs, networks and memory partitions, in quanta; and the dispatch of blocks. Launches run side by side. The state of
// the machine (caches, open rows, time) lasts from one to the next.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "config/machine.hpp"
#include "config/sm_groups.hpp"
#include "engine/quanta.hpp"
#include "machines/block_sampling.hpp"
#include "machines/carve_outs.hpp"
#include "machines/cluster_network.hpp"
#include "machines/copied.hpp"
#include "machines/shared_banks.hpp"
#include "machines/start_rate.hpp"
#include "machines/statistics.hpp"
#include "machines/timing_options.hpp"
#include "machines/touched.hpp"
#include "machines/unit_loads.hpp"
#include "mechanisms/mechanism.hpp"
#include "mem/memory_side.hpp"
#include "sm/sm.hpp"

namespace warpwright::machines {

struct TimedResult {
  exec::LaunchResult functional;
  Cycle began{};                        // on the clock of the machine
  u64 cycles = 0;                       // core cycles from then to the end of its last block
  stats::Estimate estimate;             // of them with all blocks of the grid, where only a sample ran; else the same
  u64 drainCycles = 0;                  // core cycles from the end of the last warp of all SMs to the last answer
  bool besideOthers = false;            // other launches were on the machine meanwhile
  GpuStats stats;                       // of the whole machine, from the beginning to the last answer
  UnitLoads units;                      // the same, unit by unit
  std::vector<sm::SlotCounts> stalls;   // by instruction of the program; only with TimingOptions::lines
  mem::TrafficByPc traffic;             // the same, of what its instructions caused meanwhile
  mem::Traffic otherTraffic;            // what else the memory system did meanwhile; only with TimingOptions::lines
  u64 mostBlocks = 0;                   // resident at once on an SM, summed over the SMs
  std::vector<std::string> violations;  // of conservation laws; empty unless the simulator is wrong
};

// How many registers, bytes and warps a block takes on an SM, as the machine allocates them.
struct BlockResources {
  u32 warps = 0, registers = 0;
  u64 sharedBytes = 0, localBytesPerThread = 0;
  // Of these, what mechanisms add: registers of a thread, and shared memory; and how many blocks an SM could hold without them.
  u32 addedRegisters = 0;
  u64 addedSharedBytes = 0;
  u32 residentBlocksWithout = 0;

  bool hasAdded() const { return addedRegisters != 0 || addedSharedBytes != 0; }
};

class Gpu final : private engine::QuantumEnd {
 public:
  // mechanisms: in place of those that the machine names. Throws Error for a machine that cannot be built or that describes no timing.
  Gpu(const config::Machine& machine, exec::GlobalMemory& memory, const TimingOptions& options,
      std::optional<mechanisms::Mechanisms> mechanisms = std::nullopt);
  ~Gpu() override;

  struct Job {
    exec::LaunchRequest request;  // its startNanoseconds: simulated time at the cycle at which it may begin
    BlockResources resources;
    std::vector<exec::Observer*> observers;  // by SM, as SMs run in parallel; empty: none. That of the request hears nothing
    int priority = 0;                        // blocks of lower numbers first
    u64 blocks = 0;                          // of the grid, the first so many; 0: all
    // Where blocks may be left out: how much work all of them are; null: none may be. error: those are left out that are not needed to know
    // the cycles with an interval this wide to either side, as a share; 0: only those behind `blocks`.
    std::shared_ptr<const BlockWork> work{};
    double error = 0;
    // Since the launch before, and in memory: partition.copies_fill_l2 says whether L2 holds it.
    std::vector<Copied> copied{};
    // What was executed elsewhere and is only timed here; null: the kernel is executed.
    std::shared_ptr<const exec::RecordedLaunch> recording{};
  };
  using Ended = std::function<void(TimedResult)>;

  // Adds a launch that run() runs, beginning at `earliest` or, when that has passed, at once. `ended` is called when its last block has
  // ended and, where nothing else runs, the machine has come to rest; or when the run is stopped. It may add launches.
  void add(Job job, Cycle earliest, Ended ended);
  // Until all launches have ended, or until one is at fault, hangs or takes more than TimingOptions::most cycles: that stops all of them,
  // and leaves a machine of no further use.
  void run();
  // Adds one launch and runs it.
  TimedResult run(Job job);
  // While nothing runs: a launch without time has done so. L2 holds what it would, and so do the instruction caches of the SMs whose turn
  // it was to begin its blocks.
  void touch(const Touched& launch);

  // Launches are added that have not ended.
  bool busy() const { return !running_.empty(); }
  Cycle now() const { return quanta_->now(); }
  const config::Machine& machine() const { return machine_; }

 private:
  // Domains: those of the memory side first, as they are the longest pieces of a quantum's work, then the SMs.
  // The index of its domain in the simulation.
  u32 domainOf(SmId sm) const { return static_cast<u32>(memorySide_->domains().size()) + sm; }
  void joinDomains();

  struct Running {
    std::unique_ptr<sm::LaunchPlan> plan;
    std::vector<exec::Observer*> observers;
    Ended ended;
    std::vector<Copied> copied;
    int priority = 0;
    Cycle begin{};  // or, before, when it may
    bool begun = false, besideOthers = false;
    bool isRefused = false;  // no SM has room for a block, and none has got any since
    GpuStats before;         // when it began
    UnitLoads unitsBefore;
    mem::Traffic trafficBefore;
    Cycle mayDispatch{}, lastBlock{};
    u64 blocks = 0, next = 0, done = 0;
    u32 clusterBlocks = 1;
    std::vector<std::unique_ptr<sm::ClusterSeat>> seats;  // of clusters of several blocks
    std::shared_ptr<const BlockWork> work;
    double error = 0;
    FillTimes fills;
    SampledLaunch sample(u64 cycles, u64 ofBlocks) const {
      return {begin, cycles, ofBlocks, fills.all(), {fills.endings().begin(), fills.endings().end()}, plan->request.order != nullptr};
    }
    bool isDone() const { return done == blocks; }
    // Some SM may have room for a block of it.
    bool hasNext() const { return begun && next < blocks && !isRefused; }
  };

  bool quantumEnded(Cycle now) override;
  sm::QuantumOutcome outcome() const;
  void publishStores();
  void runSerial(Cycle now);
  Cycle nextUseful() const override;
  void placeCopied(const std::vector<Copied>& copied);
  void begin(Running& running, Cycle now);
  void noteFinishedBlocks(Cycle now);
  void settle(Cycle now);
  void dispatch(Cycle now);
  void startBlocks(Running& running, Cycle now);
  // clusters.cpp
  void startClusters(Running& running, Cycle now);
  bool startCluster(Running& running, const config::SmGroup& group, Cycle now);
  static sm::ClusterSeat& freeSeat(Running& running);
  void settleClusters(Cycle now);
  void performRemote(Cycle now);
  void answerRemote(Cycle now);
  void openClusterBarriers(Cycle now);
  void openClusterBarrier(sm::ClusterSeat& seat, Cycle now);
  // dispatch.cpp
  void takeSample(Cycle now);
  void performAtomics(Cycle now);
  void stopForFault();
  bool stopForSilence(u64 instructions, Cycle now);
  bool stopForLimit(Cycle now);
  // standstill.cpp
  bool stopForStandstill(u64 changes, Cycle now);
  u64 changesIn(u64 sms) const;
  void watch(Cycle now);
  bool mayDispatch() const;
  bool isStuck() const;
  std::string whyStuck() const;
  std::string besideRoutine() const;
  std::string circlingRoutine() const;
  bool releaseWaiting(Cycle now);
  bool reportProgress(Cycle now);
  std::string waits() const;
  void stopAll();
  TimedResult resultOf(Running& running, Cycle now);
  bool isIdle() const;
  GpuStats stats(Cycle now);
  UnitLoads unitLoads(Cycle now);
  mem::Traffic traffic() const;
  void takeTraffic(TimedResult& result, const Running& running);
  std::vector<std::string> violations(const GpuStats& all, const GpuStats& launch) const;

  const config::Machine machine_;
  exec::GlobalMemory& memory_;
  const TimingOptions options_;
  mem::AddressMap map_;
  mechanisms::Mechanisms mechanisms_;
  SharedBanks sharedBanks_;
  CarveOuts carveOuts_;
  std::vector<std::unique_ptr<sm::NetworkPort>> requests_, responses_;
  std::vector<std::unique_ptr<sm::Sm>> sms_;
  std::unique_ptr<mem::MemorySide> memorySide_;
  std::unique_ptr<engine::Quanta> quanta_;

  std::vector<std::unique_ptr<Running>> running_;  // in the order in which their blocks are dispatched
  u32 launches_ = 0;
  Cycle nextSample_ = kNever;
  SmId nextSm_;  // whose turn it is to get a block
  const std::vector<config::SmGroup> smGroups_;
  u32 nextGroup_ = 0;             // whose turn it is to get a cluster
  std::vector<u32> nextInGroup_;  // which of its SMs gets the cluster's next block
  ClusterNetwork clusterNetwork_;
  StartRate startRate_;
  bool blocksWait_ = false;  // for the rate, though SMs have room for them
  u64 lastInstructions_ = 0, lastAnswers_ = 0, lastDone_ = 0, quantaSinceReport_ = 0;
  Cycle lastProgress_{}, lastExit_{};
  struct {
    u64 changes = 0;
    Cycle since{}, check{};                        // when they last changed; when to look again
    bool isWatched = false, hostMayWrite = false;  // when the warps began to be followed
  } standstill_;
  exec::LaunchStatus stop_ = exec::LaunchStatus::completed;
  std::string stopMessage_;
};

}  // namespace warpwright::machines
