// The caches of the lanes of an SM in the way of its data accesses: before the coalescers and the banks of shared memory.
//
// What an access does to the caches it does when the load/store unit begins with it, in the order of issue; time comes on top. A hit takes
// the latency of the caches, or waits for the fetch that brings its line. Fetches from shared memory, and what an access displaces there,
// take the banks as a part of the access; write-backs to shared memory at barriers and fences are operations of their own.
#pragma once

#include <array>
#include <vector>

#include "mechanisms/tiny_cache/bank_traffic.hpp"
#include "mechanisms/tiny_cache/lane_caches.hpp"
#include "mechanisms/tiny_cache/line_traffic.hpp"
#include "mechanisms/tiny_cache/treatment.hpp"
#include "sm/access/private_memory.hpp"
#include "sm/access/stage.hpp"
#include "sm/pipeline/pipeline.hpp"

namespace warpwright::mechanisms::tiny_cache {

// Of a launch: what of it goes past the caches (sm/launch_notes.hpp).
struct Chosen {
  Bypass bypass = Bypass::none;
};

class Stage final : public sm::LaneStage {
 public:
  Stage(const Settings& settings, const config::Machine& machine, const sm::StageContext& context, Statistics& statistics);

  bool canAccept(const sm::LaneAccess& access) const override;
  void access(sm::LaneAccess& access, sm::MemoryOperation& operation, Cycle now) override;

  // --- of the pipeline: an instruction has issued, an operation has left the load/store unit's queue
  void issued(const sm::Issued& instruction);
  void sent(const sm::MemoryOperation& operation);

  const mem::Request* peekResponse() const override { return lines_.peekResponse(); }
  mem::Request takeResponse() override { return lines_.takeResponse(); }
  void fill(const mem::Request& response, Cycle) override { lines_.fill(response); }
  bool tick(Cycle now) override;
  Cycle nextUseful(Cycle now) const override { return drainPasses_ != 0 ? now + 1 : lines_.nextUseful(now); }
  bool quiescent() const override { return lines_.quiescent() && drainPasses_ == 0 && drains_ == 0; }
  void invalidate() override { caches_.forget(); }
  void operationDone(const sm::MemoryOperation&, Cycle) override { --drains_; }

  void blockBegins(SlotId firstSlot, u64 sharedBytes) override;
  void barrierOpens(SlotId firstSlot, Cycle now) override;
  bool mayPassFence(SlotId slot) override { return drained(fences_[slot], &EvictionStats::fence); }
  bool mayEnd(SlotId firstSlot) override { return drained(ends_[firstSlot], &EvictionStats::blockEnd); }
  sm::WarpSet held() const override { return drainPasses_ != 0 ? held_ : sm::WarpSet{}; }

 private:
  // Of a warp at a fence, a block at its end: write-backs that it waits for.
  struct Wait {
    bool isAsked = false;
    u64 mark = 0;  // LineTraffic::mark()
  };
  // When the data of a line are there.
  struct Arrival {
    LineTraffic::Flight flight;  // of global memory
    Cycle time{};                // of shared memory
  };
  // Of an instruction after which nothing may be found here that was cached before it.
  struct OrderPoint {
    u32 number = 0;  // IssuedInstruction::number
    LaneCaches::Cause cause = nullptr;
  };

  Bypass bypassOf(const sm::LaunchPlan& plan);
  bool isStream(const sm::LaneAccess& access);
  bool isOfHelpers(const sm::LaneAccess& access, const sm::MemoryOperation& operation) const;
  void serve(const sm::LaneAccess& access, sm::MemoryOperation& operation, Cycle now);
  void read(const LaneWords& words, sm::MemoryOperation& operation, Cycle now);
  void bypass(const sm::LaneAccess& access, Treatment treatment, const sm::MemoryOperation& operation, Cycle now);
  void countBypass(const sm::LaneAccess& access);
  void addOrderPoint(const OrderPoint& point);
  void passOrderPoints(const sm::MemoryOperation& operation);
  void writeBack(sm::MemoryOperation* operation, Cycle now);
  bool drained(Wait& wait, LaneCaches::Cause cause);
  static void addPasses(sm::MemoryOperation& operation, u32 passes);
  void fetchShared(sm::MemoryOperation& operation);
  void settleArrivals(Cycle time);
  void beginDrain(Cycle now);
  template <class Visit>
  void forEach(const sm::LaneAccess& access, const sm::MemoryOperation& operation, Cycle now, Visit visit) const;
  LaneWords wordsOf(const sm::LaneAccess& access, LaneId lane, u32 first) const;
  Arrival& arrivalOf(LaneId lane, u32 entry) { return arrivals_[lane * settings_.lines + entry]; }

  const Settings settings_;
  const config::Machine& machine_;
  sm::OperationSource& operations_;
  Statistics& stats_;
  LaneCaches caches_;
  LineTraffic lines_;
  BankTraffic banks_;
  std::vector<Arrival> arrivals_;      // by lane, then by entry
  std::vector<LineName> sharedLines_;  // that the access at hand fetches
  std::vector<u32> arriving_;          // entries of arrivals_ that the last access fetches from shared memory
  u32 arrivingWith_ = 0;               // number of its operation
  std::vector<OrderPoint> orderPoints_;
  bool accessesSince_ = false;                        // the last of them
  const sm::LaunchPlan* plan_ = nullptr;              // of the last access
  u32 launch_ = mem::Origin::kNoLaunch;               // whose choice is
  Bypass bypass_ = Bypass::none;                      // this
  sm::PrivateVectors vectors_;                        // of the last access to private memory
  u32 drainPasses_ = 0;                               // over the banks, of write-backs that no operation has begun yet
  u32 drains_ = 0;                                    // operations for such
  sm::WarpSet held_;                                  // warps that wait for those to begin
  std::array<sm::WarpSet, sm::kMostWarps> blocks_{};  // warps that have accessed memory, by first slot
  std::array<u64, sm::kMostWarps> sharedBytes_{};     // of the block, by first slot
  std::array<Wait, sm::kMostWarps> fences_{}, ends_{};
};

}  // namespace warpwright::mechanisms::tiny_cache
