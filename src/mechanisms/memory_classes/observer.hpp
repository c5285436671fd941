// Classifies what a launch loads and stores.
#pragma once

#include <array>
#include <vector>

#include "mechanisms/mechanism.hpp"
#include "mechanisms/memory_classes/number_kinds.hpp"
#include "mechanisms/memory_classes/settings.hpp"
#include "mechanisms/memory_classes/statistics.hpp"

namespace warpwright::mechanisms::memory_classes {

class Observer final : public LaunchObserver {
 public:
  // Of a launch of the program by warps of so many lanes.
  Observer(const isa::Program& program, u32 warpsPerBlock, u32 lanes, const Settings& settings);

  void issue(const exec::IssueEvent& event) override;
  void issueTakenBack(const exec::IssueEvent&) override { --stats_.instructions; }
  void result(const exec::ResultEvent& event) override { kinds_.result(event); }
  void blockEnds(u64 block) override { kinds_.blockEnds(block); }
  // A store's values are there before it happens; a load's afterwards, until the next instruction, of whichever warp.
  void memory(const exec::MemoryEvent& event) override;
  void collect(stats::NamedStatistics& into) const override;

  MemoryClassStats stats() const;

 private:
  // Its registers will have been written when the next instruction issues. A generic address may lead to several spaces.
  struct Load {
    exec::MemoryEvent event;
    std::array<u64, kMaxWarpSize> addresses;
  };

  void classify(const exec::MemoryEvent& event);
  void classifyPrivate(const exec::MemoryEvent& event);
  void countPrivate(const exec::MemoryEvent& event, u32 word, LaneMask lanes);
  values::VectorClass privateClass(const u32* values, LaneMask lanes) const;
  void countLines(const exec::MemoryEvent& event);

  const u32 lanes_;
  const Settings settings_;
  NumberKinds kinds_;
  std::vector<u64> affineByOrigin_;  // vectors of private memory
  std::array<Load, 5> loads_;
  u32 pending_ = 0;  // of loads_
  std::vector<u64> lines_;
  MemoryClassStats stats_;
};

}  // namespace warpwright::mechanisms::memory_classes
