// Holds the addresses of a launch against the patterns of its code.
#pragma once

#include <memory>

#include "mechanisms/access_patterns/prediction.hpp"
#include "mechanisms/access_patterns/statistics.hpp"
#include "mechanisms/mechanism.hpp"

namespace warpwright::mechanisms::access_patterns {

class Observer final : public LaunchObserver {
 public:
  // `counted`: what is known of the code before it runs.
  Observer(const exec::LaunchRequest& request, std::shared_ptr<const Prediction> prediction, const AccessPatternStats& counted);

  bool wantsIssue() const override { return false; }
  void memory(const exec::MemoryEvent& event) override;
  void collect(stats::NamedStatistics& into) const override;

  const AccessPatternStats& stats() const { return stats_; }

 private:
  Dim3 threadOf(const exec::WarpId& warp, u32 lane) const;
  Dim3 blockOf(const exec::WarpId& warp) const;

  const Dim3 grid_, block_;
  const u32 warpSize_;
  const std::shared_ptr<const Prediction> prediction_;
  AccessPatternStats stats_;
};

}  // namespace warpwright::mechanisms::access_patterns
