// Accesses to shared memory of other blocks of a cluster, where those run at once on other SMs: they take effect between quanta. See
// stepper.hpp.
#pragma once

#include <optional>
#include <vector>

#include "exec/deferred_atomics.hpp"

namespace warpwright::exec {

struct RemoteAccess : KeptSources {
  std::optional<u32> bulk;  // a bulk copy that arrives; of what follows it has the moment alone
  Op* op = nullptr;
  Pc pc;
  Block* block = nullptr;
  Warp* warp = nullptr;
  u64 issued = 0;  // cycle
  LaneMask mask;
  LaneAddresses addresses;
};

// Of one SM, in the order of their issue. What is forgotten keeps its memory.
class RemoteAccesses {
 public:
  RemoteAccess& add() {
    if (count_ == all_.size()) all_.emplace_back();
    all_[count_].bulk.reset();
    return all_[count_++];
  }
  void clear() { count_ = 0; }
  u32 size() const { return count_; }
  RemoteAccess& operator[](u32 number) { return all_[number]; }
  const RemoteAccess& operator[](u32 number) const { return all_[number]; }

 private:
  std::vector<RemoteAccess> all_;
  u32 count_ = 0;
};

}  // namespace warpwright::exec
