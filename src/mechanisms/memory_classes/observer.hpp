// Classifies what a launch loads and stores.
#pragma once

#include <array>
#include <vector>

#include "mechanisms/mechanism.hpp"
#include "mechanisms/memory_classes/statistics.hpp"

namespace warpwright::mechanisms::memory_classes {

class Observer final : public LaunchObserver {
 public:
  explicit Observer(u32 lanes) : lanes_(lanes) {}

  void issue(const exec::IssueEvent& event) override;
  // A store's values are there before it happens; a load's afterwards, until the next instruction, of whichever warp.
  void memory(const exec::MemoryEvent& event) override;
  void collect(stats::NamedStatistics& into) const override;

  const MemoryClassStats& stats() const { return stats_; }

 private:
  // Its registers will have been written when the next instruction issues. A generic address may lead to several spaces.
  struct Load {
    exec::MemoryEvent event;
    std::array<u64, kMaxWarpSize> addresses;
  };

  void classify(const exec::MemoryEvent& event);
  void classifyPrivate(const exec::MemoryEvent& event);
  void countPrivate(ClassStats& counts, const u32* values, LaneMask lanes);
  void countLines(const exec::MemoryEvent& event);

  u32 lanes_;
  std::array<Load, 5> loads_;
  u32 pending_ = 0;  // of loads_
  std::vector<u64> lines_;
  MemoryClassStats stats_;
};

}  // namespace warpwright::mechanisms::memory_classes
