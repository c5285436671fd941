// Compression in an SM, where the networks have lines compressed (HW-BDI of section 6): the first-level cache has them whole.
#pragma once

#include <vector>

#include "base/ring_queue.hpp"
#include "mechanisms/line_compression/line_sizes.hpp"
#include "mechanisms/line_compression/statistics.hpp"
#include "mem/delay_queue.hpp"
#include "sm/access/stage.hpp"
#include "sm/launch_plan.hpp"
#include "sm/ports/arrival_stage.hpp"

namespace warpwright::mechanisms::line_compression {

// Stores of whole lines of global memory, on their way to the first-level cache and the network: they get their size by the values that
// they store. All others go on as they are, at once.
class StoreStage final : public sm::LineStage {
 public:
  // What is below, and the statistics, outlive it.
  StoreStage(const Settings& settings, u32 lineBytes, sm::StagesBelow& below, Statistics& statistics);

  bool takes(const sm::LineAccess& access) const override;
  // Without a latency nothing waits here.
  bool canAccept(const sm::LineAccess& access) const override { return latency_ == 0 ? below_.canAccept(access) : !queue_.full(); }
  void accept(const sm::LineAccess& access, Cycle now) override;
  bool tick(Cycle now) override;
  Cycle nextUseful(Cycle now) const override;
  bool quiescent() const override { return queue_.empty(); }

 private:
  struct Waiting {
    mem::Request request;
    sm::Route route{};
    const mem::WordAccess* words = nullptr;
    const sm::LaunchPlan* plan = nullptr;

    sm::LineAccess access() const { return {request, route, words, plan}; }
  };

  const u32 lineBytes_, wholeLine_;  // sectors of it
  const u64 latency_;
  const std::vector<compression::Codec> codecs_;
  const compression::Variants variants_;
  sm::StagesBelow& below_;
  Statistics& stats_;
  mem::DelayQueue<Waiting, CoreClock> queue_;
};

// Whether a response is a compressed line for a cache that has lines whole.
inline bool isMadeWhole(const mem::Request& response, FirstLevel firstLevel) {
  return response.pieces != 0 && !isWrite(response.type) &&
         (firstLevel == FirstLevel::whole || response.type != mem::AccessType::globalRead);
}
// Whether the stores of an access are compressed: those of some kernels may not be.
inline bool isOfChosenKernel(const sm::LineAccess& access) {
  const StoreChoice* choice = access.plan == nullptr ? nullptr : access.plan->notes.find<StoreChoice>();
  return choice == nullptr || choice->isCompressed;
}

// Lines that come compressed are made whole.
class Arrivals final : public sm::ArrivalStage {
 public:
  // The statistics outlive it.
  Arrivals(const Settings& settings, Statistics& statistics);

  bool takes(const mem::Request& response) const override { return isMadeWhole(response, firstLevel_); }
  bool canAccept(const mem::Request&) const override { return !queue_.full(); }
  void accept(const mem::Request& response, Cycle now) override;
  const mem::Request* peek() const override { return queue_.peek(); }
  mem::Request take() override { return queue_.take(); }
  bool tick(Cycle now) override { return queue_.advance(now); }
  Cycle nextUseful(Cycle now) const override { return std::max(queue_.nextReady(), now + 1); }
  bool quiescent() const override { return queue_.empty(); }

 private:
  const u64 latency_;
  const FirstLevel firstLevel_;
  Statistics& stats_;
  mem::DelayQueue<mem::Request, CoreClock> queue_;
};

}  // namespace warpwright::mechanisms::line_compression
