// The launches that an SM takes part in, each with a source of its warps' instructions: a functional machine of its own
// (exec/stepper.hpp), or a launch that was executed elsewhere.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "exec/observer_list.hpp"
#include "exec/stepper.hpp"
#include "sm/launch_plan.hpp"
#include "sm/parts.hpp"
#include "sm/statistics.hpp"
#include "sm/warp_set.hpp"

namespace warpwright::sm {

// Blocks of a launch that finished.
struct FinishedBlocks {
  u64 count = 0;
  Cycle last{};  // the end of the cycle in which the last of them did
};

struct RunningLaunch {
  const LaunchPlan* plan = nullptr;
  std::vector<std::unique_ptr<exec::Observer>> observers;  // of the SM's parts
  exec::ObserverList heardBy;                              // them, and the launch's own
  exec::LaunchRequest request;                             // as this SM executes it
  exec::GlobalMemory* memory = nullptr;
  std::unique_ptr<exec::WarpSource> source;  // null until it has had a block
  exec::Stepper* stepper = nullptr;          // the source, where it has values: what helpers need. Null: it has none
  BlockSet resident;                         // slots in use
  u32 mostBlocks = 0;                        // resident at once
  FinishedBlocks finished;
  std::vector<SlotCounts> stalls;  // by instruction; only where they are asked for

  void makeSource(SmId sm, u64 clockKhz);
};

class RunningLaunches {
 public:
  explicit RunningLaunches(const decltype(Parts::makeObservers)& makeObservers) : makeObservers_(makeObservers) {}

  bool empty() const { return launches_.empty(); }
  // The plan and the memory outlive the launch. observer: null, nobody listens but the SM's parts.
  RunningLaunch& begin(const LaunchPlan& plan, exec::GlobalMemory& memory, exec::Observer* observer);
  // Of a launch that has begun.
  RunningLaunch& of(const LaunchPlan& plan);
  void end(const LaunchPlan& plan);

  // Blocks of the launch that finished since the last call; none where it has not begun.
  FinishedBlocks takeFinished(const LaunchPlan& plan);
  // Stores of the last quantum become visible to all.
  void publishStores();
  bool haveStores() const;
  bool haveFinishedBlocks() const;
  // Of clusters: accesses to other SMs, arrivals at barriers; see exec::Stepper.
  bool haveRemote() const;
  void forgetRemote();
  template <class Visit>
  void forEachStepper(Visit visit) {
    for (const auto& launch : launches_)
      if (launch->stepper) visit(*launch);
  }

  // See exec::WarpSource; of all launches.
  u64 changes() const;
  void watch(bool on);
  bool areStuck();
  bool haveThreads() const;
  bool releaseWaiting();
  std::string whereThreadsWait() const;
  std::string circlingRoutine() const;

 private:
  const decltype(Parts::makeObservers) makeObservers_;
  std::vector<std::unique_ptr<RunningLaunch>> launches_;
};

}  // namespace warpwright::sm
