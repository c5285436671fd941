// Keeps the layout in which each word of shared memory was last stored.
#pragma once

#include <map>
#include <vector>

#include "mechanisms/mechanism.hpp"
#include "mechanisms/shared_layouts/statistics.hpp"

namespace warpwright::mechanisms::shared_layouts {

class Observer final : public LaunchObserver {
 public:
  // layoutOf: by pc, 1 + the stride family, 0: none.
  explicit Observer(const std::vector<u32>& layoutOf) : layoutOf_(layoutOf) {}

  bool wantsIssue() const override { return false; }
  void memory(const exec::MemoryEvent& event) override;
  void blockEnds(u64 block) override { blocks_.erase(block); }
  void collect(stats::NamedStatistics& into) const override;

  const Statistics& statistics() const { return stats_; }

 private:
  static constexpr u8 kUnstored = 0xff;

  const std::vector<u32>& layoutOf_;
  std::map<u64, std::vector<u8>> blocks_;  // by word: the layout
  Statistics stats_;
};

}  // namespace warpwright::mechanisms::shared_layouts
