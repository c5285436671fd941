// Passes over the banks of shared memory for lines of the caches: whole ones that are fetched, dirty words that are written back.
#pragma once

#include <algorithm>
#include <vector>

#include "access/bank_conflicts.hpp"
#include "config/machine.hpp"

namespace warpwright::mechanisms::tiny_cache {

class BankTraffic {
 public:
  explicit BankTraffic(const config::Machine& machine)
      : banks_({kTogether, machine.sharedBanks, machine.sharedBankBytes, machine.sm.sharedMulticast, kTogether}) {}

  // A word at this offset.
  void add(SharedOffset offset) { offsets_.push_back(offset); }
  // Of what has been added since the last call, as many words at a time as a warp has lanes.
  u32 passes(const parallel_memory::BankTable* table) {
    u32 passes = 0;
    for (std::size_t first = 0; first < offsets_.size(); first += kTogether) {
      const u32 count = static_cast<u32>(std::min<std::size_t>(kTogether, offsets_.size() - first));
      banks_.access(offsets_.data() + first, LaneMask::first(count), sizeof(u32), Spread::unknown, table);
      passes += banks_.passes();
    }
    offsets_.clear();
    return passes;
  }

 private:
  static constexpr u32 kTogether = 32;

  access::BankConflicts banks_;
  std::vector<u64> offsets_;
};

}  // namespace warpwright::mechanisms::tiny_cache
