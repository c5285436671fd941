// What the blocks of a cooperative launch meet through.
#pragma once

#include "base/error.hpp"
#include "exec/memory.hpp"

namespace warpwright::runtime {

// The two words that a cooperative grid synchronises through (%envreg1:%envreg2 hold their address).
struct GridBarrier {
  u32 size = sizeof(GridBarrier);
  u32 barrier = 0;
};

// A grid barrier in device memory for the time of one launch.
class GridBarrierMemory {
 public:
  GridBarrierMemory(exec::GlobalMemory& memory, bool wanted) : memory_(memory) {
    if (!wanted) return;
    const auto address = memory_.allocate(sizeof(GridBarrier), exec::AllocationKind::device, "grid barrier");
    if (!address) throw Error("no device memory is left for the barrier of a cooperative launch", {}, "free some device memory first");
    address_ = *address;
    *reinterpret_cast<GridBarrier*>(exec::GlobalMemory::hostPointer(address_)) = GridBarrier{};
    if (memory_.tracksInitialisation()) memory_.markInitialised(address_, sizeof(GridBarrier));
  }
  ~GridBarrierMemory() {
    if (address_ != 0) memory_.free(address_);
  }
  GridBarrierMemory(const GridBarrierMemory&) = delete;
  GridBarrierMemory& operator=(const GridBarrierMemory&) = delete;
  GlobalAddress address() const { return address_; }

 private:
  exec::GlobalMemory& memory_;
  GlobalAddress address_;
};

}  // namespace warpwright::runtime
