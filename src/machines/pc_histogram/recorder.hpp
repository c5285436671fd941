// Follows the warps of an SM, and keeps a PC histogram of each launch.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "exec/launch.hpp"
#include "machines/pc_histogram/histogram.hpp"
#include "machines/pc_histogram/settings.hpp"
#include "machines/trace/settings.hpp"
#include "sm/pipeline_listener.hpp"

namespace warpwright::machines {

// Counts that are kept of a run: 8 megabytes, and some 20 as JSON.
inline constexpr u64 kMostPcCounts = 250'000;

// Of one machine's life. A block is there from its first issued instruction until its last thread has issued its exit.
class PcRecorder final : public sm::PipelineListener {
 public:
  // window: of the samples, which lie in it wholly. most: counts that are kept, but for the rest of the last sample's.
  PcRecorder(const PcHistogramSettings& settings, u32 warpSize, const trace::Window& window, u64 most = kMostPcCounts)
      : settings_(settings), warpSize_(warpSize), window_(window), most_(most), end_{settings.interval} {}

  bool follows(SmId sm) const { return sm == settings_.sm && !stopped_; }
  const PcHistogramSettings& settings() const { return settings_; }

  // Launches, in the order in which the machine is given them; gives the launch's number there (IssuedInstruction::launch).
  u32 launchBegins(const exec::LaunchRequest& request);
  void issued(const sm::IssuedInstruction& instruction, Cycle now) override;
  // What has been recorded of a launch that ended at `now`.
  PcHistogram launchEnded(u32 launch, Cycle now);
  // The machine's time ends here: nothing more is recorded.
  void stop() { stopped_ = true; }

  // What the user should know of the whole: that it was cut, or that it is empty. Empty: nothing.
  std::string remark() const;

 private:
  struct Launch {
    std::shared_ptr<const exec::Launch> what;
    std::vector<BlockPositions> blocks;  // with threads
    PcHistogram histogram;
  };
  void sampleUntil(Cycle now);
  void takeSample();
  bool hasThreads() const;
  BlockPositions& positionsOf(Launch& launch, u64 block) const;

  PcHistogramSettings settings_;
  u32 warpSize_;
  trace::Window window_;
  u64 most_, counts_ = 0;
  Cycle end_;           // of the interval at hand
  Cycle cut_ = kNever;  // where the first sample that was left out begins
  bool stopped_ = false;
  u32 begun_ = 0;                   // launches
  std::map<u32, Launch> launches_;  // by number; those that have not ended
};

}  // namespace warpwright::machines
