// A streaming multiprocessor: resident blocks and warps, and one cycle after the other.
//
//   fetch → instruction buffers → schedulers → (functional step) → pipeline and load/store unit → scoreboard
//
// Values are computed when an instruction issues (exec::Stepper, behind exec::WarpSource); everything behind decides only when results may
// be used, and so can do without them.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <queue>
#include <vector>

#include "config/machine.hpp"
#include "engine/channel.hpp"
#include "engine/domain.hpp"
#include "exec/observer_list.hpp"
#include "exec/stepper.hpp"
#include "sm/access/coalescers.hpp"
#include "sm/access/path.hpp"
#include "sm/access/shared_banks.hpp"
#include "sm/cluster_seat.hpp"
#include "sm/dependence_counters.hpp"
#include "sm/fetch.hpp"
#include "sm/guard_waits.hpp"
#include "sm/kernel_code.hpp"
#include "sm/launch_plan.hpp"
#include "sm/load_store.hpp"
#include "sm/matrix_groups.hpp"
#include "sm/memory_ports.hpp"
#include "sm/parts.hpp"
#include "sm/pipeline/pipeline.hpp"
#include "sm/pipeline_listener.hpp"
#include "sm/residency.hpp"
#include "sm/running_launches.hpp"
#include "sm/schedulers/scheduler.hpp"
#include "sm/statistics.hpp"
#include "sm/warp_states.hpp"

namespace warpwright::sm {

struct SmOptions {
  bool skip = true;    // jump over cycles in which nothing happens
  bool lines = false;  // charge stalls and traffic to instructions
  PipelineListener* listener = nullptr;
};

// An SM's share of a launch.
struct EndedLaunch {
  exec::LaunchResult functional;
  std::vector<SlotCounts> stalls;  // by instruction; only with SmOptions::lines
  u32 mostBlocks = 0;              // resident at once
  mem::TrafficByPc traffic;        // first-level caches and loads; only with SmOptions::lines
};

// What there is to do at the end of a quantum, written down by the thread that ran it: whoever looks then need not fetch what lies in that
// thread's caches.
struct alignas(engine::kCacheLine) QuantumOutcome {
  bool hasStores = false;    // for publishStores()
  bool hasRemote = false;    // of clusters: for performRemote(), remoteMessages(), openClusterBarrier()
  bool hasSerial = false;    // warps for runSerial()
  bool hasFinished = false;  // blocks for takeFinishedBlocks()
  bool hasFault = false;
  u64 instructions = 0;  // issued since the SM was made
  u64 changes = 0;       // see exec::WarpSource::changes(), of the launches at hand
};

class Sm final : public engine::Domain, private MemoryListener, private HelperControl, private mem::CacheListener {
 public:
  Sm(const config::Machine& machine, SmId number, const mem::AddressMap& map, NetworkPort& out, NetworkPort& in, const SmOptions& options);
  Sm(const config::Machine& machine, SmId number, const mem::AddressMap& map, NetworkPort& out, NetworkPort& in, const SmOptions& options,
     const Parts& parts);

  void run(Cycle from, Cycle until) override;
  Cycle nextUseful() const override;

  // --- between quanta, while no SM runs
  const QuantumOutcome& outcome() const { return outcome_; }
  // The memory is that of the device. plan must outlive the launch.
  void beginLaunch(const LaunchPlan& plan, exec::GlobalMemory& memory, exec::Observer* observer);
  bool canHost(const LaunchPlan& plan) const { return residency_.hasRoom(plan); }
  u32 roomFor(const LaunchPlan& plan) const { return residency_.room(plan); }  // blocks
  // The block that begins as this one; seat: of its cluster, null: it is one alone. Gives the block's slot in the launch.
  BlockSlotId host(const LaunchPlan& plan, u64 block, Cycle now, ClusterSeat* seat = nullptr);
  // While nothing runs: a block without time has brought that code.
  void placeCode(const KernelCode& code, Cycle now) { ports_.placeCode(code.begin, code.bytes, now); }
  // --- what blocks of a cluster do to each other
  exec::Stepper& stepperOf(const LaunchPlan& plan) { return *launches_.of(plan).stepper; }
  const ClusterSeat& seatOf(SlotId slot) const { return *warps_[slot].block->seat; }
  // False: the launch is at fault.
  bool performRemote(RunningLaunch& launch, u32 number, Cycle now);
  std::vector<RemoteMessage>& remoteMessages() { return loadStore_.remoteMessages(); }
  // The access of that entry is answered then: its results may be written back from that cycle on, which is booked in the one before.
  void remoteAnswered(u32 entry, Cycle then) { remoteAnswers_.push({previous(then), entry}); }
  // The barrier of the block's cluster opens for the block then.
  void openClusterBarrier(const LaunchPlan& plan, BlockSlotId slot, Cycle then);
  void forgetRemote();
  // An atomic of this SM has been performed at its memory partition.
  void atomicPerformed(u32 requestId, Cycle now);
  // Instructions that may only run alone.
  void runSerial(Cycle now);
  const std::optional<exec::StepFault>& fault() const { return fault_; }
  Cycle faultTime() const { return faultTime_; }
  EndedLaunch endLaunch(const LaunchPlan& plan);
  bool idle() const { return states_.resident.empty() && loadStore_.idle() && ports_.idle() && fetch_.quiescent(); }
  // Charges the time up to `now`, for statistics.
  void catchUp(Cycle now);
  // What is asked of all launches' functional machines.
  RunningLaunches& launches() { return launches_; }
  const RunningLaunches& launches() const { return launches_; }
  // RunningLaunches::watch() and areStuck(), with what is known of issue slots.
  void watch(bool on);
  bool areStuck();
  // RunningLaunches::releaseWaiting(), and what follows from it.
  bool releaseWaiting(Cycle now);
  // Why nothing moves, for the report of a deadlock.
  std::string describeWaits() const;

  SmStats stats() const;
  // Until when the SM has had a warp.
  Cycle lastWarp() const { return residentWarps_ == 0 ? lastWarp_ : accounted_; }
  const MemoryPorts& ports() const { return ports_; }
  // Traffic of all origins; only with SmOptions::lines.
  void addTraffic(mem::Traffic& into) const;

 private:
  struct Resident {  // a block
    RunningLaunch* running = nullptr;
    BlockSlotId slot;
    WarpSet slots;                // of its warps
    u32 outstanding = 0;          // memory operations
    u64 number = 0;               // of the block in its grid
    ClusterSeat* seat = nullptr;  // of its cluster; null: it is one alone
    // Stages hear of an opened barrier when all accesses before it have passed them.
    u32 unexpanded = 0;  // memory operations
    bool barrierOpened = false;
    u32 helpers = 0;  // of its warps, that have not ended
    bool warpsEnded = false;
    Cycle clusterOpens = kNever;  // the barrier of its cluster, at which all have arrived
  };
  struct Warp {
    Resident* block = nullptr;
    u32 index = 0;  // in its block
    Pc fetchPc;
    const InstructionInfo* info = nullptr;
    exec::ExecutedAhead ahead;  // what comes next
    RegisterSet pending, pendingMemory;
    u32 inFlight = 0;     // instructions
    u32 outstanding = 0;  // memory operations
    u32 stores = 0;       // of them, those that nothing but fences waits for
    Cycle goesOn{};       // behind the barrier that opened last
    MatrixGroups products;
    GuardWaits guards;
  };
  struct BulkOrder {  // a bulk copy that the copy engine carries out
    Resident* block = nullptr;
    u32 number = 0;  // of the source of instructions
  };
  struct HelperWarp {
    Resident* block = nullptr;  // null: the number is free
    SlotId slot;
    u32 inStepper = 0;  // its number there
    HelperPriority priority{};
    bool holdsParent = false;
    bool isKilled = false;
    bool awaitsBranch = false, awaitsAtomics = false;
    bool isStaged = false;
    u32 staged = 0, fresh = 0;  // instructions that it may issue; of these, staged in the cycle stagedAt
    Cycle stagedAt{};
    Cycle earliest{};
    u64 age = 0;            // in the order in which they began
    RegisterSet arguments;  // of the warp
    RegisterSet pending, pendingMemory;
    const InstructionInfo* info = nullptr;  // of its next instruction; null: it has none
    u32 inFlight = 0, outstanding = 0;      // instructions, memory operations
  };
  struct Scheduler {
    bool wasIdle = true;  // in the cycle before
    std::unique_ptr<WarpScheduler> policy;
    WarpSet slots;
    Slot reason = Slot::noWarp;     // of the last cycle without issue
    SlotCounts* charged = nullptr;  // the instruction that waited then; null: stalls are not charged to instructions
  };

  // Of an instruction, for fetches.
  void prefetchCode(const LaunchPlan& plan, Cycle now);
  GlobalAddress codeAddress(const LaunchPlan& plan, Pc pc) const { return plan.codeAddress + u64{pc} * machine_.sm.instructionBytes; }
  Scheduler& schedulerOf(SlotId slot) { return schedulers_[slot % schedulers_.size()]; }
  WarpScheduler& policyOf(SlotId slot) { return *schedulerOf(slot).policy; }

  // sm.cpp
  bool cycle(Cycle now);
  bool handleEvents(Cycle now);
  void handle(const Event& event, Cycle now);
  void resultsThere(const Event& event, Cycle now);
  bool handleAnswers(Cycle now);
  bool handleRemoteAnswers(Cycle now);
  void openClusterBarriers(Cycle now);
  bool handleBulkNews(Cycle now);
  void bulkRead(u32 id);
  void bulkDone(u32 id, Cycle now);
  Cycle nextEvent(Cycle now) const;
  void charge(u64 cycles);
  void countResidents(u64 cycles);
  void noteWarpEnd(Resident& block);
  void finishBlockIfDone(Resident& block);
  void startWarp(SlotId slot, Resident& block, u32 index);
  void takeBackUnissued(const RunningLaunch& launch);
  bool expand(MemoryOperation& operation, Cycle now) override;
  void memorySent(const MemoryOperation& operation, Cycle now) override;
  void memoryDone(const MemoryOperation& operation, Cycle time) override;
  void accessed(const mem::Request& access, bool isHit) override;
  void evicted(GlobalAddress address, const mem::Origin& whose) override;
  void noteOutcome();
  void followStages();

  // helper_warps.cpp
  // Helpers hear of the texture cache what they hear of the data cache, and schedulers nothing.
  class TextureMisses final : public mem::CacheListener {
   public:
    explicit TextureMisses(Sm& sm) : sm_(sm) {}
    void accessed(const mem::Request&, bool) override {}
    void missed(const mem::Request& access, bool isFirst) override { sm_.missed(access, isFirst); }
    void filled(const mem::Request& response) override { sm_.filled(response); }
    void evicted(GlobalAddress, const mem::Origin&) override {}

   private:
    Sm& sm_;
  };
  void makeHelpers(const Parts& parts);
  std::optional<u32> begin(const HelperStart& start) override;
  void stage(u32 helper) override;
  void flush(u32 helper) override;
  void kill(u32 helper) override;
  void giveBack(u32 helper, HelperStart::Move result) override;
  std::span<const u32> left(u32 helper, u32 helperRegister) const override;
  std::span<const std::byte> leftInMemory(u32 helper) const override;
  void hold(SlotId slot, bool on) override;
  std::span<const u32> registerOf(SlotId slot, u32 number) const override;
  u32 spareRegister(SlotId slot, u32 place) const override;
  void raiseFault(SlotId slot) override;
  void resume(SlotId slot, bool behind) override;
  void map(SlotId slot, GlobalAddress page, u32 bytes) override;
  u64 loadStoreCycles() const override;
  void wakeStages() override { ports_.wake(); }
  void missed(const mem::Request& access, bool isFirst) override;
  void filled(const mem::Request& response) override;
  bool scheduleWithHelpers(Cycle now);
  Cycle helpersUseful(Cycle now) const;
  bool isReady(const HelperWarp& helper, Cycle now) const;
  u32 pickHelper(WarpSet slots, HelperPriority priority, Cycle now) const;
  WarpSet readyHelpers(WarpSet slots, Cycle now) const;
  Slot reasonOfHeld(WarpSet held) const;
  void issueHelper(u32 number, Cycle now);
  void helperEvent(const Event& event, Cycle now);
  void helperMemoryDone(const MemoryOperation& operation, Cycle time);
  void helperGoesOn(HelperWarp& helper, const exec::NextInstruction& next);
  void endHelperIfDone(u32 number, Cycle now);
  void noteHeld(SlotId slot);
  std::string describeHelpers() const;
  void noteWaitsForSlots();

  // distances.cpp
  void spaceOut(SlotId slot, const InstructionInfo& info, Cycle now);
  void noteLateResult(const Event& event, Cycle now);
  void guardSeen(const Event& event);

  // issue.cpp
  template <bool kHelpers>
  bool schedule(Cycle now);
  WarpSet blockedStructurally(Cycle now) const;
  void noteStall(Scheduler& scheduler, u32 slots, Cycle now);
  Slot reasonOf(const Scheduler& scheduler, WarpSet& waiting, Cycle now) const;
  void issue(SlotId slot, Cycle now);
  void issueExecuted(SlotId slot, Cycle now);
  void atFault(SlotId slot, const exec::StepFault& fault, Cycle now);
  bool issueIdle(Scheduler& scheduler, u32 position, Cycle now);
  void tellIssued(Context context, const exec::StepRecord& record, Cycle now) const;
  void startTiming(SlotId slot, const exec::StepRecord& record, Cycle now);
  MemoryOperation& prepareMemory(Context context, const InstructionInfo& info, const exec::StepRecord& record, Cycle now);
  void beginBulk(SlotId slot, const exec::StepRecord& record, Cycle now);
  void refresh(SlotId slot);
  void proceed(SlotId slot, const exec::NextInstruction& next);
  void refreshBlock(Resident& block);
  void noteNeeds(SlotId slot, const InstructionInfo* before, const InstructionInfo& info);
  void evaluate(SlotId slot);
  void obeyControlBits(const Issued& instruction, Cycle now);
  void controlEvent(const Event& event, Cycle now);
  void noteThrough(SlotId slot);
  bool mayPassFence(SlotId slot);
  // Asks the stages one after the other; one that says no may have something to do.
  template <class Ask>
  bool allStages(Ask ask) {
    for (const auto& stage : ports_.stages()) {
      if (ask(*stage)) continue;
      ports_.wake();
      return false;
    }
    return true;
  }
  void barrierOpened(SlotId slot, const exec::StepRecord& record, Cycle now);
  void letGo(WarpSet released, Cycle now);
  void noteBarrier(Resident& block, Cycle now);
  void tellBarrier(const Resident& block, Cycle now);

  const config::Machine& machine_;
  const SmId number_;
  const SmOptions options_;
  const bool keepsDistances_;  // any of distances.cpp
  RunningLaunches launches_;
  MemoryPorts ports_;
  Events events_;
  FetchUnit fetch_;
  LoadStoreUnit loadStore_;
  std::unique_ptr<Pipeline> pipeline_;
  SharedBanks banks_;
  std::unique_ptr<Coalescers> coalescers_;
  AccessPath path_;

  std::vector<std::unique_ptr<Resident>> residents_;
  Residency residency_;
  std::array<Warp, kMostWarps> warps_;
  std::array<u64, kMostWarps> age_{};
  std::array<mem::Origin, kMostWarps> next_{};  // instruction of each warp
  u64 nextAge_ = 0;
  u32 issued_ = 0;             // instructions, modulo 2^32
  exec::StepRecord straight_;  // what an instruction did that was executed ahead

  std::vector<BulkOrder> bulkOrders_;  // by number of the engine

  WarpStates states_;
  u64 residentWarps_ = 0;  // the size of states_.resident
  u64 endedBlocks_ = 0;    // residents whose warps have ended
  Cycle lastWarp_{};       // when the last warp ended
  UnitNeeds needs_;        // of the warps that run

  std::vector<Scheduler> schedulers_;
  std::unique_ptr<DependenceCounters> counters_;  // null: the scoreboard keeps dependent instructions apart

  std::unique_ptr<Helpers> helpers_;  // null: no warp has any
  TextureMisses textureMisses_{*this};
  std::deque<HelperWarp> helperWarps_;  // by number
  WarpSet heldByHelpers_;               // by the part itself, HelperControl::hold
  std::map<SlotId, exec::StepFault> faultsPutOff_;
  struct RemoteAnswer {
    Cycle at{};
    u32 entry = 0;
    auto operator<=>(const RemoteAnswer&) const = default;
  };
  std::priority_queue<RemoteAnswer, std::vector<RemoteAnswer>, std::greater<>> remoteAnswers_;  // from other SMs of a cluster
  u64 nextHelperAge_ = 0;
  bool helpersChanged_ = false;  // in the cycle at hand
  Cycle clock_{};                // that cycle

  std::optional<exec::StepFault> fault_;
  Cycle faultTime_ = kNever;
  Cycle wake_ = kNever;  // something to do then, beside what nextEvent() knows
  Cycle accounted_{};    // cycles before it are charged
  SmStats stats_;
  QuantumOutcome outcome_;
};

}  // namespace warpwright::sm
