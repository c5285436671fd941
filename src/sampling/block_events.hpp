// How much each block of a launch does, as far as it is heard of: its accesses to memory and its branches.
#pragma once

#include <vector>

#include "exec/observer.hpp"

namespace warpwright::sampling {

class BlockEvents final : public exec::Observer {
 public:
  explicit BlockEvents(u64 blocks) : events_(blocks, 1) {}

  bool wantsIssue() const override { return false; }
  void memory(const exec::MemoryEvent& event) override { ++events_[event.warp.block]; }
  void texels(const exec::TexelEvent& event) override { ++events_[event.warp.block]; }
  void branch(const exec::BranchEvent& event) override { ++events_[event.warp.block]; }

  // By block; one more than it had, so that none is nothing.
  const std::vector<u64>& counts() const { return events_; }

 private:
  std::vector<u64> events_;
};

}  // namespace warpwright::sampling
